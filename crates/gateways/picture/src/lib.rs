//! Photos as people send them, made into what is kept: one JPEG, upright, of a bounded size, without
//! metadata.
//!
//! What a file is called and what its sender says it is are not looked at; its first bytes decide. The
//! dimensions are read and judged before anything is decoded, so that a small file cannot ask for a large
//! memory, and what is kept is encoded anew from the pixels: no place, no camera, no second file behind the
//! picture survives.
#![warn(missing_docs)]

use std::io::Cursor;

use image::{
    DynamicImage, ExtendedColorType, ImageDecoder, ImageEncoder as _, ImageError, ImageFormat, ImageReader,
    ImageResult, Limits, RgbImage, RgbaImage,
    codecs::{
        jpeg::JpegEncoder,
        png::{CompressionType, FilterType, PngEncoder},
    },
    metadata::Orientation,
};

/// The longest side of a picture that is read, pixels.
pub const LONGEST_READ: u32 = 12_000;
/// Megapixels of a picture that is read. A progressive JPEG takes nine bytes a pixel while it is decoded.
pub const MEGAPIXELS: u32 = 25;
/// The longest side of a picture that is kept, pixels.
pub const LONGEST_KEPT: u32 = 2048;

/// Bytes that the decoded pixels may take: some formats have eight a pixel.
const DECODED: u64 = 128 * 1024 * 1024;
/// Bytes that a decoder may take beside them, as far as it counts.
const WORKING: u64 = 256 * 1024 * 1024;
const QUALITY: u8 = 82;
/// The widest logo that is kept, pixels.
pub const WIDEST_LOGO: u32 = 640;
/// The highest logo that is kept, pixels.
pub const HIGHEST_LOGO: u32 = 240;

/// Bytes that a logo may take in a document, where its lines are stored unfiltered: with it an invoice has less than 100 kB.
pub const LOGO_ON_PAPER: usize = 56 * 1024;

/// A photo as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The file.
    pub jpeg: Vec<u8>,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
}

/// A logo as it is kept: what was transparent stays so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logo {
    /// The file.
    pub png: Vec<u8>,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
}

/// Why a file is no photo that can be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unusable {
    /// HEIC, HEIF or AVIF: telephones take pictures like that, and can send others.
    Heic,
    /// Neither JPEG nor PNG nor WebP.
    Format,
    /// It begins as one of them, and cannot be read.
    Damaged,
    /// More pixels than are read.
    TooLarge,
}

/// Reads a file, and makes of it what is kept. Takes up to some seconds of one core and some hundred
/// megabytes: run a few at a time, on threads that may be busy.
///
/// # Errors
/// [`Unusable`].
pub fn read(file: &[u8]) -> Result<Picture, Unusable> {
    let format = format_of(file)?;
    let (mut picture, orientation) = decode(file, format)?;
    // Fewer pixels first: the rest is done with those.
    if picture.width().max(picture.height()) > LONGEST_KEPT {
        picture = picture.thumbnail(LONGEST_KEPT, LONGEST_KEPT);
    }
    let mut picture = DynamicImage::ImageRgb8(opaque(&picture));
    picture.apply_orientation(orientation);
    let mut jpeg = Vec::new();
    let (width, height) = (picture.width(), picture.height());
    JpegEncoder::new_with_quality(&mut jpeg, QUALITY)
        .encode(picture.as_bytes(), width, height, ExtendedColorType::Rgb8)
        .map_err(|_| Unusable::Damaged)?;
    Ok(Picture { jpeg, width, height })
}

/// Reads a file, and makes of it the logo that is kept: a PNG of a bounded size, encoded anew from the pixels. As for
/// [`read`], a few at a time.
///
/// # Errors
/// [`Unusable`].
pub fn logo(file: &[u8]) -> Result<Logo, Unusable> {
    let format = format_of(file)?;
    let (mut picture, orientation) = decode(file, format)?;
    picture.apply_orientation(orientation);
    if picture.width() > WIDEST_LOGO || picture.height() > HIGHEST_LOGO {
        picture = picture.thumbnail(WIDEST_LOGO, HIGHEST_LOGO);
    }
    // One that looks like a photo has fewer pixels.
    while png(&picture.to_rgba8(), FilterType::NoFilter)?.len() > LOGO_ON_PAPER {
        picture = picture.thumbnail(picture.width() * 9 / 10, picture.height() * 9 / 10);
    }
    let picture = picture.to_rgba8();
    let png = png(&picture, FilterType::Adaptive)?;
    Ok(Logo { png, width: picture.width(), height: picture.height() })
}

fn png(picture: &RgbaImage, filter: FilterType) -> Result<Vec<u8>, Unusable> {
    let mut file = Vec::new();
    PngEncoder::new_with_quality(&mut file, CompressionType::Best, filter)
        .write_image(picture.as_raw(), picture.width(), picture.height(), ExtendedColorType::Rgba8)
        .map_err(|_| Unusable::Damaged)?;
    Ok(file)
}

/// What a file is, by its first bytes.
fn format_of(file: &[u8]) -> Result<ImageFormat, Unusable> {
    // An ISO base media file: the brand says of what kind.
    if file.get(4..8) == Some(b"ftyp") {
        let brands = [b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"avif", b"avis"];
        let brand = file.get(8..12).unwrap_or_default();
        return Err(if brands.iter().any(|b| b.as_slice() == brand) { Unusable::Heic } else { Unusable::Format });
    }
    match image::guess_format(file) {
        Ok(format @ (ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::WebP)) => Ok(format),
        _ => Err(Unusable::Format),
    }
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_image_width = Some(LONGEST_READ);
    limits.max_image_height = Some(LONGEST_READ);
    limits.max_alloc = Some(WORKING);
    limits
}

fn decode(file: &[u8], format: ImageFormat) -> Result<(DynamicImage, Orientation), Unusable> {
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    reader.limits(limits());
    let mut decoder = reader.into_decoder().map_err(judged)?;
    let (width, height) = decoder.dimensions();
    if width == 0 || height == 0 {
        return Err(Unusable::Damaged);
    }
    let pixels = u64::from(width) * u64::from(height);
    if pixels > u64::from(MEGAPIXELS) * 1_000_000 || decoder.total_bytes() > DECODED {
        return Err(Unusable::TooLarge);
    }
    // A picture whose metadata cannot be read is a picture all the same.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let picture: ImageResult<DynamicImage> = DynamicImage::from_decoder(decoder);
    Ok((picture.map_err(judged)?, orientation))
}

fn judged(e: ImageError) -> Unusable {
    match e {
        ImageError::Limits(_) => Unusable::TooLarge,
        _ => Unusable::Damaged,
    }
}

/// On white paper: a JPEG has no holes.
fn opaque(picture: &DynamicImage) -> RgbImage {
    if !picture.color().has_alpha() {
        return picture.to_rgb8();
    }
    let source = picture.to_rgba8();
    let mut paper = RgbImage::new(source.width(), source.height());
    for (from, to) in source.pixels().zip(paper.pixels_mut()) {
        let [r, g, b, a] = from.0.map(u32::from);
        let over = |c: u32| u8::try_from((c * a + 255 * (255 - a) + 127) / 255).unwrap_or(u8::MAX);
        to.0 = [over(r), over(g), over(b)];
    }
    paper
}

#[cfg(test)]
mod tests;
