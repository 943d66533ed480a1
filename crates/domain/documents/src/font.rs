//! The fonts that every sheet is set in: Noto Sans for Latin, Greek and Cyrillic, Noto Sans SC for Chinese, simplified and
//! traditional, and for kana, and one for each script that a name is often in. Which one a character takes is decided
//! character by character, so that a name in another script prints in any language. Only the glyphs that occur are written
//! into a file.

use std::sync::{LazyLock, OnceLock};

use harfrust::ShaperData;
use krilla::{Data, text::Font};
use skrifa::{
    FontRef, GlyphId, MetadataProvider as _,
    charmap::Charmap,
    instance::{LocationRef, Size},
    metrics::GlyphMetrics,
};

use crate::script::Script;

macro_rules! font {
    ($name:literal) => {
        include_bytes!(concat!("../../../../fixtures/fonts/NotoSans", $name, ".ttf"))
    };
}

static REGULAR: &[u8] = font!("-Regular");
static BOLD: &[u8] = font!("-Bold");
static CHINESE: &[u8] = font!("SC-Regular");

static FACES: LazyLock<Option<Faces>> = LazyLock::new(|| {
    Some(Faces {
        regular: Face::new(REGULAR, true)?,
        bold: Face::new(BOLD, true)?,
        chinese: Face::new(CHINESE, false)?,
        others: [const { OnceLock::new() }; Script::COUNT],
    })
});

const fn bytes(script: Script) -> &'static [u8] {
    match script {
        Script::Arabic => font!("Arabic-Regular"),
        Script::Armenian => font!("Armenian-Regular"),
        Script::Bengali => font!("Bengali-Regular"),
        Script::Devanagari => font!("Devanagari-Regular"),
        Script::Ethiopic => font!("Ethiopic-Regular"),
        Script::Georgian => font!("Georgian-Regular"),
        Script::Gujarati => font!("Gujarati-Regular"),
        Script::Gurmukhi => font!("Gurmukhi-Regular"),
        Script::Hangul => font!("KR-Regular"),
        Script::Hebrew => font!("Hebrew-Regular"),
        Script::Kannada => font!("Kannada-Regular"),
        Script::Khmer => font!("Khmer-Regular"),
        Script::Lao => font!("Lao-Regular"),
        Script::Malayalam => font!("Malayalam-Regular"),
        Script::Myanmar => font!("Myanmar-Regular"),
        Script::Tamil => font!("Tamil-Regular"),
        Script::Telugu => font!("Telugu-Regular"),
        Script::Thai => font!("Thai-Regular"),
    }
}

/// How heavy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Weight {
    Regular,
    Bold,
}

/// One font.
pub(crate) struct Face {
    pub font: Font,
    pub bytes: FontRef<'static>,
    pub units: f32,
    /// Noto Sans itself, which has both weights.
    pub is_own: bool,
    charmap: Charmap<'static>,
    metrics: GlyphMetrics<'static>,
    shaping: OnceLock<ShaperData>,
}

impl Face {
    fn new(data: &'static [u8], is_own: bool) -> Option<Face> {
        let font = Font::new(Data::from(data), 0)?;
        let units = font.units_per_em();
        let bytes = FontRef::from_index(data, 0).ok()?;
        // Which tables of the file say this is looked up once, not for each character of a sheet.
        let (charmap, metrics) = (bytes.charmap(), bytes.glyph_metrics(Size::unscaled(), LocationRef::default()));
        Some(Face { font, bytes, units, is_own, charmap, metrics, shaping: OnceLock::new() })
    }

    pub fn glyph(&self, c: char) -> Option<GlyphId> {
        self.charmap.map(c)
    }

    /// In parts of the size.
    fn advance(&self, glyph: GlyphId) -> f32 {
        self.metrics.advance_width(glyph).unwrap_or(0.0) / self.units
    }

    /// What the shaper has to know of it, read when it is first needed.
    pub fn shaping(&self) -> &ShaperData {
        self.shaping.get_or_init(|| ShaperData::new(&self.bytes))
    }
}

pub(crate) struct Faces {
    regular: Face,
    bold: Face,
    chinese: Face,
    /// Read when a text needs them.
    others: [OnceLock<Option<Face>>; Script::COUNT],
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
}

impl Faces {
    /// The glyph of a character. What no font has is an empty box, which is seen; its text is in the file all the same.
    pub fn set(&self, c: char, weight: Weight) -> Set<'_> {
        let own = if weight == Weight::Bold { &self.bold } else { &self.regular };
        let of = |face: &'_ Face| face.glyph(c);
        let found = of(own).map(|g| (own, g));
        let found = found.or_else(|| of(&self.chinese).map(|g| (&self.chinese, g)));
        let found = found.or_else(|| {
            let face = self.other(Script::of(c)?)?;
            of(face).map(|g| (face, g))
        });
        let (face, glyph) = found.unwrap_or((own, GlyphId::NOTDEF));
        Set { face, glyph, advance: face.advance(glyph) }
    }

    /// The font of a script; none when it cannot be read, which a test rules out.
    pub fn other(&self, script: Script) -> Option<&Face> {
        let slot = self.others.get(script as usize)?;
        slot.get_or_init(|| Face::new(bytes(script), false)).as_ref()
    }
}
