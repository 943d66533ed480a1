//! Characters that steer a screen instead of standing on it: control characters, separators of lines
//! and paragraphs, marks that turn the direction of reading, and those without width. With them a
//! name or an address reads differently from what it says.

/// Whether a body may hold one, or a line break: raw, as bytes beyond those of Latin letters, or as a
/// JSON escape. Most bodies have none.
pub fn may_be_unclean(body: &[u8]) -> bool {
    body.windows(2).any(|two| {
        matches!(two, [b'\\', b'u' | b'n' | b'r' | b't' | b'b' | b'f'] | [0xc2, 0x80..=0x9f | 0xad] | [0xd8, 0x9c])
            || matches!(two[0], 0xe1 | 0xe2 | 0xe3 | 0xee..=0xf4)
    })
}

/// The text without them, when it has any; of several lines when `lines`, else of one.
pub fn clean(text: &str, lines: bool) -> Option<String> {
    let breaks = |c: char| matches!(c, '\n' | '\r' | '\t' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    // Joiners and variants stay: Persian and emoji are written with them.
    let steers = |c: char| {
        c.is_control()
            || matches!(c, '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
                | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{ffa0}' | '\u{feff}'
                | '\u{e000}'..='\u{f8ff}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{10ffff}')
            || u32::from(c) & 0xfffe == 0xfffe
    };
    if !text.chars().any(|c| breaks(c) || steers(c)) {
        return None;
    }
    let text = text.replace("\r\n", "\n");
    let kept = text.chars().filter_map(|c| match c {
        '\n' | '\t' if lines => Some(c),
        c if breaks(c) => Some(if lines { '\n' } else { ' ' }),
        c if steers(c) => None,
        c => Some(c),
    });
    Some(kept.collect())
}
