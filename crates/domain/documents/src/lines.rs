//! Texts broken into lines of a width.

use unicode_normalization::UnicodeNormalization as _;

use crate::{
    font::{Faces, Weight},
    script::{is_attached, is_joiner, is_shaped},
};

/// Written without spaces between words: a line may end after any of them.
const fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{2ffff}')
}

/// Begins no line.
const fn closes(c: char) -> bool {
    matches!(c, '，' | '。' | '、' | '：' | '；' | '！' | '？' | '）' | '」' | '』' | '》' | '”' | '’' | '%' | '％')
}

/// Ends no line.
const fn opens(c: char) -> bool {
    matches!(c, '（' | '「' | '『' | '《' | '“' | '‘')
}

/// A group of digits, as registration numbers are printed in: four at least.
fn is_group(word: &str) -> bool {
    word.len() >= 4 && word.bytes().all(|b| b.is_ascii_digit())
}

/// The end of a registration number: a program account of two letters and four digits, `RT0001`.
fn is_account(word: &str) -> bool {
    let (letters, digits) = word.as_bytes().split_at(word.len().min(2));
    letters.len() == 2 && letters.iter().all(u8::is_ascii_uppercase) && is_group(str::from_utf8(digits).unwrap_or(""))
}

/// A registration number stays on one line: `12345 6782 RT0001`. Its spaces are written as spaces, since who searches the
/// file types them so.
fn is_one_number(before: &str, rest: &str) -> bool {
    let word = |c: char| !c.is_ascii_alphanumeric();
    let before = before.trim_end_matches(' ').rsplit(word).next().unwrap_or_default();
    let next = rest.split(word).next().unwrap_or_default();
    is_group(before) && (is_group(next) || is_account(next))
}

/// Pieces between which a line may end; a space belongs to the piece before it.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut last: Option<char> = None;
    for (at, c) in text.char_indices() {
        let breaks = match last {
            None => true,
            Some(' ') => c != ' ' && !is_one_number(&text[..at], &text[at..]),
            Some(before) => (is_ideograph(before) || is_ideograph(c)) && !closes(c) && !opens(before) && c != ' ',
        };
        match pieces.last_mut().filter(|_| !breaks) {
            Some(piece) => piece.push(c),
            None => pieces.push(c.to_string()),
        }
        last = Some(c);
    }
    pieces
}

/// Says how others are set, and is none itself.
const fn is_format(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// What is printed of a text: composed characters, one line's worth of blanks, nothing that is no character.
pub(crate) fn clean(text: &str) -> String {
    let composed = text.nfc().map(|c| if c.is_whitespace() && c != '\u{a0}' && c != '\u{202f}' { ' ' } else { c });
    let mut shown = String::with_capacity(text.len());
    for c in composed {
        // Between letters that join, what keeps them apart is part of how a name is written.
        let joins = is_joiner(c) && shown.chars().next_back().is_some_and(is_shaped);
        if joins || (!c.is_control() && !is_format(c)) {
            shown.push(c);
        }
    }
    let words: Vec<&str> = shown.split(' ').filter(|word| !word.is_empty()).collect();
    let mut text = String::with_capacity(shown.len());
    for (i, word) in words.iter().enumerate() {
        if i > 0 {
            // A postal code stays on one line.
            let halves = is_half(words[i - 1], [true, false, true]) && is_half(word, [false, true, false]);
            text.push(if halves { '\u{a0}' } else { ' ' });
        }
        text.push_str(word);
    }
    text
}

/// Half of a postal code: a letter where `letters` says so, else a digit. A comma may follow it.
fn is_half(word: &str, letters: [bool; 3]) -> bool {
    let word = word.trim_end_matches(',');
    word.len() == 3
        && word.chars().zip(letters).all(|(c, letter)| if letter { c.is_ascii_uppercase() } else { c.is_ascii_digit() })
}

/// Where the last character begins that has something before it, with what belongs to it.
fn last(line: &str) -> usize {
    let mut characters = line.char_indices().rev().peekable();
    let mut end = None;
    while let Some((at, c)) = characters.next() {
        end = end.or(Some(at));
        match characters.peek() {
            Some((_, before)) if !is_attached(*before, c) => return at,
            _ => {}
        }
    }
    // One alone is wider than the column.
    end.unwrap_or(0)
}

/// The lines of a text. A word wider than the column is broken at the column's edge: nothing is lost.
pub(crate) fn wrapped_lines(faces: &Faces, text: &str, size: f32, weight: Weight, width: f32) -> Vec<String> {
    let text = clean(text);
    let (mut lines, mut line) = (Vec::new(), String::new());
    for piece in pieces(&text) {
        let together = format!("{line}{piece}");
        if faces.width(together.trim_end(), size, weight) <= width {
            line = together;
            continue;
        }
        if !line.is_empty() {
            lines.push(line.trim_end().to_owned());
            line.clear();
        }
        for c in piece.chars() {
            line.push(c);
            if faces.width(line.trim_end(), size, weight) > width && line.chars().count() > 1 {
                let rest = line.split_off(last(&line));
                lines.push(std::mem::replace(&mut line, rest));
            }
        }
    }
    if !line.trim_end().is_empty() {
        lines.push(line.trim_end().to_owned());
    }
    lines
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::font::faces;

    #[test]
    fn nothing_is_lost_and_no_line_is_wider_than_its_column() {
        let faces = faces().unwrap();
        let texts = [
            "Main d’œuvre : 2 aidants × 4,5 heures, camion compris",
            "劳务费：2名帮手，4.5小时，含卡车（周末价），请按发票付款。",
            "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogogoch",
            "1234 rue Sainte-Catherine Ouest, app. 5, Montréal (Québec) H3B 1A1 · 王小明 · Ελένη · Ольга",
        ];
        for text in texts {
            for width in [30.0, 75.0, 140.0, 500.0] {
                let lines = wrapped_lines(faces, text, 9.0, Weight::Regular, width);
                for line in &lines {
                    assert!(faces.width(line, 9.0, Weight::Regular) <= width, "{line}");
                }
                let bare = |t: &str| t.chars().filter(|c| !c.is_whitespace()).collect::<String>();
                assert_eq!(bare(&lines.concat()), bare(text));
            }
        }
        assert!(wrapped_lines(faces, " \n ", 9.0, Weight::Regular, 50.0).is_empty());
    }

    #[test]
    fn a_postal_code_stays_on_one_line() {
        assert_eq!(clean("Montréal QC  H3B 2C4, Canada"), "Montréal QC H3B\u{a0}2C4, Canada");
        assert_eq!(clean("A1B C2D"), "A1B C2D");
    }

    #[test]
    fn a_registration_number_stays_on_one_line() {
        let faces = faces().unwrap();
        let numbers = ["12345 6782 RT0001", "1224002901 TQ0001", "123456782RT0001"];
        for label in ["GST/HST registration number", "No d’inscription TPS/TVH", "商品及服务税/统一销售税登记号"]
        {
            for number in numbers {
                let text = format!("{label} {number}");
                for width in 100..300u16 {
                    let lines = wrapped_lines(faces, &text, 9.0, Weight::Regular, f32::from(width));
                    assert!(lines.iter().any(|line| line.ends_with(number)), "{width}: {lines:?}");
                }
            }
        }
        // What is no such number may end a line, and a number wider than the column is broken and whole.
        assert_eq!(pieces("1200 rue Peel 2027 2"), ["1200 ", "rue ", "Peel ", "2027 ", "2"]);
        let lines = wrapped_lines(faces, numbers[0], 9.0, Weight::Regular, 30.0);
        assert_eq!(lines.concat().replace(' ', ""), numbers[0].replace(' ', ""));
        assert_eq!(pieces("4,5\u{a0}h et"), ["4,5\u{a0}h ", "et"]);
    }

    #[test]
    fn what_joins_letters_stays_with_them_and_is_dropped_elsewhere() {
        assert_eq!(clean("علی\u{200c}رضا"), "علی\u{200c}رضا");
        assert_eq!(clean("x\u{200d}y \u{200c}z\u{202e}"), "xy z");
    }

    #[test]
    fn no_line_begins_with_a_mark() {
        let faces = faces().unwrap();
        let texts = ["क्षत्रियश्रीप्रियाशर्मा", "ผู้รับผิดชอบการขนย้ายสิ่งของ", "ঐশ্বর্যাচট্টোপাধ্যায়", "Sḵwx̱wú7mesh"];
        for text in texts.map(clean) {
            for width in [20.0, 33.0, 50.0] {
                let lines = wrapped_lines(faces, &text, 9.0, Weight::Regular, width);
                assert!(lines.len() > 1, "{text}");
                assert_eq!(lines.concat(), text);
                for line in &lines {
                    assert!(faces.width(line, 9.0, Weight::Regular) <= width, "{line}");
                }
                for pair in lines.windows(2) {
                    let (before, first) = (pair[0].chars().next_back().unwrap(), pair[1].chars().next().unwrap());
                    assert!(!is_attached(before, first), "{} | {}", pair[0], pair[1]);
                }
            }
        }
    }

    #[test]
    fn no_chinese_line_begins_with_a_full_stop() {
        let faces = faces().unwrap();
        for width in 20..120u8 {
            let lines = wrapped_lines(faces, "您好，谢谢。（已付）请保留。", 9.0, Weight::Regular, f32::from(width));
            assert!(!lines.iter().any(|l| l.starts_with(['，', '。', '）'])), "{lines:?}");
        }
    }
}
