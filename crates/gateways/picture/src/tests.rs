#![allow(clippy::unwrap_used)]

use image::{Rgb, Rgba, RgbaImage};

use super::*;

/// Left half red, right half blue: tells which way is up.
fn halves(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, _| if x < width / 2 { Rgb([250, 0, 0]) } else { Rgb([0, 0, 250]) })
}

fn file(picture: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut out = Cursor::new(Vec::new());
    picture.into().write_to(&mut out, format).unwrap();
    out.into_inner()
}

fn pixels(picture: &Picture) -> RgbImage {
    image::load_from_memory_with_format(&picture.jpeg, ImageFormat::Jpeg).unwrap().to_rgb8()
}

/// A JPEG with an EXIF block: the orientation, and a text nobody may read later.
fn with_exif(jpeg: &[u8], orientation: u8) -> Vec<u8> {
    let secret = b"45.5017 N 73.5673 W\0";
    let mut tiff = b"II*\0\x08\0\0\0\x02\0".to_vec();
    tiff.extend([0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0]);
    // ImageDescription, at 38.
    tiff.extend([0x0e, 0x01, 2, 0]);
    tiff.extend(u32::try_from(secret.len()).unwrap().to_le_bytes());
    tiff.extend(38_u32.to_le_bytes());
    tiff.extend([0; 4]);
    tiff.extend(secret);
    let mut out = jpeg[..2].to_vec();
    out.extend([0xff, 0xe1]);
    out.extend(u16::try_from(2 + 6 + tiff.len()).unwrap().to_be_bytes());
    out.extend(b"Exif\0\0");
    out.extend(tiff);
    out.extend(&jpeg[2..]);
    out
}

fn holds(file: &[u8], part: &[u8]) -> bool {
    file.windows(part.len()).any(|w| w == part)
}

/// A PNG whose header says how large it is, and nothing else.
fn announced(width: u32, height: u32) -> Vec<u8> {
    let mut header = b"IHDR".to_vec();
    header.extend(width.to_be_bytes());
    header.extend(height.to_be_bytes());
    header.extend([8, 2, 0, 0, 0]);
    let mut crc = u32::MAX;
    for byte in &header {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & 0_u32.wrapping_sub(crc & 1));
        }
    }
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    out.extend(13_u32.to_be_bytes());
    out.extend(&header);
    out.extend((!crc).to_be_bytes());
    // The decoder looks for the first piece of the picture.
    out.extend([0, 0, 0, 0]);
    out.extend(b"IDAT");
    out.extend([0x35, 0xaf, 0x06, 0x1e]);
    out
}

#[test]
fn three_formats_become_one() {
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let kept = read(&file(halves(40, 20), format)).unwrap();
        assert_eq!((kept.width, kept.height), (40, 20), "{format:?}");
        assert!(kept.jpeg.starts_with(&[0xff, 0xd8, 0xff]), "{format:?}");
        let (left, right) = (pixels(&kept).get_pixel(5, 10).0, pixels(&kept).get_pixel(35, 10).0);
        assert!(left[0] > 200 && left[2] < 60 && right[2] > 200 && right[0] < 60, "{format:?}: {left:?} {right:?}");
    }
}

#[test]
fn it_stands_upright_and_tells_nothing_else() {
    let plain = file(halves(40, 20), ImageFormat::Jpeg);
    for (orientation, size, red) in
        [(1, (40, 20), (5, 10)), (3, (40, 20), (35, 10)), (6, (20, 40), (10, 5)), (8, (20, 40), (10, 35))]
    {
        let sent = with_exif(&plain, orientation);
        assert!(holds(&sent, b"45.5017"));
        let kept = read(&sent).unwrap();
        assert_eq!((kept.width, kept.height), size, "{orientation}");
        assert!(pixels(&kept).get_pixel(red.0, red.1).0[0] > 200, "{orientation}: the red half is elsewhere");
        assert!(!holds(&kept.jpeg, b"45.5017") && !holds(&kept.jpeg, b"Exif"), "{orientation}");
    }
    let mut behind = plain.clone();
    behind.extend(b"<script>another file</script>");
    assert!(!holds(&read(&behind).unwrap().jpeg, b"script"));
}

#[test]
fn a_large_one_is_made_smaller_and_keeps_its_shape() {
    let kept = read(&file(halves(4096, 1024), ImageFormat::Jpeg)).unwrap();
    assert_eq!((kept.width, kept.height), (2048, 512));
    let narrow = read(&file(halves(4, 4000), ImageFormat::Png)).unwrap();
    assert_eq!((narrow.width, narrow.height), (2, 2048));
}

#[test]
fn holes_are_white() {
    let sent = RgbaImage::from_fn(32, 32, |_, y| if y < 16 { Rgba([0, 0, 0, 0]) } else { Rgba([0, 0, 0, 255]) });
    let kept = pixels(&read(&file(sent, ImageFormat::Png)).unwrap());
    assert!(kept.get_pixel(16, 4).0.iter().all(|c| *c > 240) && kept.get_pixel(16, 28).0.iter().all(|c| *c < 15));
}

#[test]
fn what_a_file_is_called_does_not_matter() {
    let svg = b"<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>".to_vec();
    for (sent, want) in [
        (svg, Unusable::Format),
        (b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>".to_vec(), Unusable::Format),
        (b"MZ\x90\0\x03\0\0\0".to_vec(), Unusable::Format),
        (b"%PDF-1.7".to_vec(), Unusable::Format),
        (b"GIF89a\x01\0\x01\0".to_vec(), Unusable::Format),
        (b"II*\0\x08\0\0\0".to_vec(), Unusable::Format),
        (b"".to_vec(), Unusable::Format),
        (b"\xff".to_vec(), Unusable::Format),
        (b"\0\0\0\x18ftypheic\0\0\0\0".to_vec(), Unusable::Heic),
        (b"\0\0\0\x18ftypmif1\0\0\0\0".to_vec(), Unusable::Heic),
        (b"\0\0\0\x1cftypavif\0\0\0\0".to_vec(), Unusable::Heic),
        (b"\0\0\0\x18ftypmp42\0\0\0\0".to_vec(), Unusable::Format),
        (b"\xff\xd8\xff\xe0not really".to_vec(), Unusable::Damaged),
        (b"\x89PNG\r\n\x1a\n".to_vec(), Unusable::Damaged),
        (b"RIFF\x10\0\0\0WEBPVP8 ".to_vec(), Unusable::Damaged),
    ] {
        assert_eq!(read(&sent).unwrap_err(), want, "{:?}", String::from_utf8_lossy(&sent));
    }
}

#[test]
fn a_bomb_is_refused_before_it_is_decoded() {
    for (width, height) in [(60_000, 60_000), (12_001, 10), (10, 12_001), (6_000, 6_000)] {
        let sent = announced(width, height);
        assert!(sent.len() < 100);
        assert_eq!(read(&sent).unwrap_err(), Unusable::TooLarge, "{width} × {height}");
    }
    // The same file of an honest size is only damaged: it is its size that was refused.
    assert_eq!(read(&announced(600, 600)).unwrap_err(), Unusable::Damaged);
}

/// Whatever is cut off or bent, the answer is a refusal or a picture; nothing panics.
#[test]
fn nothing_that_is_sent_takes_the_program_down() {
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let whole = file(halves(48, 32), format);
        for length in 0..whole.len() {
            drop(read(&whole[..length]));
        }
        let mut state = 7_u32;
        for _ in 0..400 {
            let mut bent = whole.clone();
            for _ in 0..3 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let at = (state >> 8) as usize % bent.len();
                bent[at] ^= 1 << (state >> 29);
            }
            if let Ok(kept) = read(&bent) {
                assert!(kept.width.max(kept.height) <= LONGEST_KEPT, "{format:?}");
            }
        }
    }
}

#[test]
fn a_logo_stays_transparent_and_small() {
    let mut drawn = image::RgbaImage::from_pixel(1_300, 300, image::Rgba([0, 0, 0, 0]));
    drawn.put_pixel(0, 0, image::Rgba([10, 200, 30, 255]));
    for x in 400..900 {
        drawn.put_pixel(x, 150, image::Rgba([10, 200, 30, 255]));
    }
    let kept = logo(&file(DynamicImage::ImageRgba8(drawn), ImageFormat::Png)).unwrap();
    assert!(kept.width == WIDEST_LOGO && kept.height <= HIGHEST_LOGO && kept.height > 140, "{}", kept.height);
    let again = image::load_from_memory_with_format(&kept.png, ImageFormat::Png).unwrap();
    assert_eq!((again.width(), again.height()), (kept.width, kept.height));
    assert_eq!(again.to_rgba8().get_pixel(5, 60).0[3], 0, "what was transparent stays so");
    // A small one is as large as it was; the worst there is fits what is kept.
    let small = logo(&file(halves(48, 32), ImageFormat::Jpeg)).unwrap();
    assert_eq!((small.width, small.height), (48, 32));
    let mut state = 7_u32;
    let noise = image::RgbaImage::from_fn(WIDEST_LOGO, HIGHEST_LOGO, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        image::Rgba(state.to_be_bytes())
    });
    let worst = logo(&file(DynamicImage::ImageRgba8(noise), ImageFormat::Png)).unwrap();
    assert!(worst.png.len() <= LOGO_ON_PAPER + 1024, "{}", worst.png.len());
    assert!(worst.width > 160 && worst.height > 60, "{} by {}", worst.width, worst.height);
    assert_eq!(logo(b"<svg xmlns='http://www.w3.org/2000/svg'/>").unwrap_err(), Unusable::Format);
    assert_eq!(logo(&announced(30_000, 30_000)).unwrap_err(), Unusable::TooLarge);
}
