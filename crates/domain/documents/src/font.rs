//! The fonts that every sheet is set in: Noto Sans for Latin, Greek and Cyrillic, Noto Sans SC for Chinese, simplified and
//! traditional. Which one a character takes is decided character by character, so that a name in another script prints in
//! any language. Only the glyphs that occur are written into a file.

use std::sync::LazyLock;

use krilla::{Data, text::Font};
use skrifa::{
    FontRef, GlyphId, MetadataProvider as _,
    instance::{LocationRef, Size},
};

static REGULAR: &[u8] = include_bytes!("../../../../fixtures/fonts/NotoSans-Regular.ttf");
static BOLD: &[u8] = include_bytes!("../../../../fixtures/fonts/NotoSans-Bold.ttf");
static CHINESE: &[u8] = include_bytes!("../../../../fixtures/fonts/NotoSansSC-Regular.ttf");

static FACES: LazyLock<Option<Faces>> = LazyLock::new(|| {
    Some(Faces { regular: Face::new(REGULAR)?, bold: Face::new(BOLD)?, chinese: Face::new(CHINESE)? })
});

/// How heavy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    Bold,
}

/// One font.
pub(crate) struct Face {
    pub font: Font,
    bytes: FontRef<'static>,
    units: f32,
}

impl Face {
    fn new(data: &'static [u8]) -> Option<Face> {
        let font = Font::new(Data::from(data), 0)?;
        let units = font.units_per_em();
        Some(Face { font, bytes: FontRef::from_index(data, 0).ok()?, units })
    }

    fn glyph(&self, c: char) -> Option<GlyphId> {
        self.bytes.charmap().map(c)
    }

    /// In parts of the size.
    fn advance(&self, glyph: GlyphId) -> f32 {
        let width = self.bytes.glyph_metrics(Size::unscaled(), LocationRef::default()).advance_width(glyph);
        width.unwrap_or(0.0) / self.units
    }
}

pub(crate) struct Faces {
    regular: Face,
    bold: Face,
    chinese: Face,
}

/// The fonts; none when they cannot be read, which a test rules out.
pub(crate) fn faces() -> Option<&'static Faces> {
    FACES.as_ref()
}

/// A glyph of a character.
pub(crate) struct Set<'f> {
    pub face: &'f Face,
    pub glyph: GlyphId,
    /// In parts of the size.
    pub advance: f32,
    /// There is no such weight: it is drawn heavier.
    pub embolden: bool,
}

impl Faces {
    /// The glyph of a character. What no font has is an empty box, which is seen; its text is in the file all the same.
    pub fn set(&self, c: char, weight: Weight) -> Set<'_> {
        let own = if weight == Weight::Bold { &self.bold } else { &self.regular };
        let found = own.glyph(c).map(|g| (own, g, false));
        let found = found.or_else(|| self.chinese.glyph(c).map(|g| (&self.chinese, g, weight == Weight::Bold)));
        let (face, glyph, embolden) = found.unwrap_or((own, GlyphId::NOTDEF, false));
        Set { face, glyph, advance: face.advance(glyph), embolden }
    }

    /// How wide a text is at a size.
    pub fn width(&self, text: &str, size: f32, weight: Weight) -> f32 {
        text.chars().map(|c| self.set(c, weight).advance).sum::<f32>() * size
    }
}
