//! Which script a character belongs to, as far as setting it depends on that.

use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

/// A script with a font of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    Arabic,
    Armenian,
    Bengali,
    Devanagari,
    Ethiopic,
    Georgian,
    Gujarati,
    Gurmukhi,
    Hangul,
    Hebrew,
    Kannada,
    Khmer,
    Lao,
    Malayalam,
    Myanmar,
    Tamil,
    Telugu,
    Thai,
}

impl Script {
    pub const COUNT: usize = Script::Thai as usize + 1;

    pub const fn of(c: char) -> Option<Script> {
        let script = match c {
            '\u{590}'..='\u{5ff}' | '\u{fb1d}'..='\u{fb4f}' => Script::Hebrew,
            '\u{600}'..='\u{6ff}'
            | '\u{750}'..='\u{77f}'
            | '\u{8a0}'..='\u{8ff}'
            | '\u{fb50}'..='\u{fdff}'
            | '\u{fe70}'..='\u{fefe}' => Script::Arabic,
            '\u{531}'..='\u{58f}' | '\u{fb13}'..='\u{fb17}' => Script::Armenian,
            '\u{900}'..='\u{97f}' | '\u{1cd0}'..='\u{1cff}' | '\u{a8e0}'..='\u{a8ff}' => Script::Devanagari,
            '\u{980}'..='\u{9ff}' => Script::Bengali,
            '\u{a00}'..='\u{a7f}' => Script::Gurmukhi,
            '\u{a80}'..='\u{aff}' => Script::Gujarati,
            '\u{b80}'..='\u{bff}' => Script::Tamil,
            '\u{c00}'..='\u{c7f}' => Script::Telugu,
            '\u{c80}'..='\u{cff}' => Script::Kannada,
            '\u{d00}'..='\u{d7f}' => Script::Malayalam,
            '\u{e00}'..='\u{e7f}' => Script::Thai,
            '\u{e80}'..='\u{eff}' => Script::Lao,
            '\u{1000}'..='\u{109f}' => Script::Myanmar,
            '\u{10a0}'..='\u{10ff}' | '\u{1c90}'..='\u{1cbf}' | '\u{2d00}'..='\u{2d2f}' => Script::Georgian,
            '\u{1200}'..='\u{139f}' => Script::Ethiopic,
            '\u{1780}'..='\u{17ff}' | '\u{19e0}'..='\u{19ff}' => Script::Khmer,
            '\u{3131}'..='\u{318e}' | '\u{ac00}'..='\u{d7a3}' => Script::Hangul,
            _ => return None,
        };
        Some(script)
    }
}

/// One glyph a character is wrong for it: it is written from right to left, changes with its neighbours or stands above,
/// below or around another. Never true of what is only Latin, Greek, Cyrillic, Chinese, kana or Hangul, so that files of
/// those stay byte for byte what they were.
pub(crate) const fn is_shaped(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}'
        | '\u{590}'..='\u{dff}'
        | '\u{e00}'..='\u{eff}'
        | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{1cd0}'..='\u{1cff}'
        | '\u{a8e0}'..='\u{a8ff}'
        | '\u{fb1d}'..='\u{fdff}'
        | '\u{fe70}'..='\u{fefe}')
}

/// Of a script of India, of Khmer or of Burmese: signs stand before, above or around the consonants that they follow in the
/// text.
pub(crate) const fn is_indic(c: char) -> bool {
    matches!(c,
        '\u{900}'..='\u{dff}'
        | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{1cd0}'..='\u{1cff}'
        | '\u{a8e0}'..='\u{a8ff}')
}

/// Joins its neighbours or keeps them apart, and is not seen itself.
pub(crate) const fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}')
}

/// Belongs to the character before it.
pub(crate) fn is_attached(before: char, c: char) -> bool {
    const VIRAMA: u8 = 9;
    is_joiner(c)
        || is_combining_mark(c)
        || is_joiner(before)
        || (canonical_combining_class(before) == VIRAMA && is_shaped(c))
}
