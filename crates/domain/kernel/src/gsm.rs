//! What a text message takes on the air: its alphabet, and the parts it is split into and billed by.
//!
//! The default alphabet and its extension are those of 3GPP TS 23.038, table 6.2.1; a message that has a character outside of both is
//! sent as UCS-2. A part is 140 bytes: 160 septets or 70 code units; of a message in several parts each gives seven
//! septets, or three code units, to the header that joins them.

/// The default alphabet, escape aside: one septet each.
const BASIC: &str = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
/// The extension: an escape and one septet more.
const EXTENSION: &str = "\u{c}^{}\\[~]|€";

/// How a message is written on the air.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Septets of the default alphabet.
    Gsm7,
    /// Code units of 16 bits.
    Ucs2,
}

impl Encoding {
    /// `gsm7` or `ucs2`.
    pub const fn code(self) -> &'static str {
        match self {
            Encoding::Gsm7 => "gsm7",
            Encoding::Ucs2 => "ucs2",
        }
    }

    /// Units of a message in one part, and of each part of one in several.
    const fn room(self) -> (usize, usize) {
        match self {
            Encoding::Gsm7 => (160, 153),
            Encoding::Ucs2 => (70, 67),
        }
    }
}

/// What a message takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segments {
    /// How it is written.
    pub encoding: Encoding,
    /// Septets, or code units of 16 bits.
    pub units: usize,
    /// Parts it is sent and billed as; an empty message is one.
    pub parts: usize,
}

fn septets(c: char) -> Option<usize> {
    if BASIC.contains(c) {
        Some(1)
    } else if EXTENSION.contains(c) {
        Some(2)
    } else {
        None
    }
}

/// What a message takes. No character is cut in two: one that does not fit into the rest of a part begins the next.
///
/// ```
/// use kernel::{Encoding, segments};
/// assert_eq!(segments("Reminder: your move is tomorrow.").parts, 1);
/// assert_eq!(segments("提醒").encoding, Encoding::Ucs2);
/// ```
pub fn segments(text: &str) -> Segments {
    let gsm: Option<Vec<usize>> = text.chars().map(septets).collect();
    let (encoding, sizes) = match gsm {
        Some(sizes) => (Encoding::Gsm7, sizes),
        None => (Encoding::Ucs2, text.chars().map(char::len_utf16).collect()),
    };
    let units: usize = sizes.iter().sum();
    let (alone, room) = encoding.room();
    if units <= alone {
        return Segments { encoding, units, parts: 1 };
    }
    let (mut parts, mut used) = (1, 0);
    for size in sizes {
        if used + size > room {
            parts += 1;
            used = 0;
        }
        used += size;
    }
    Segments { encoding, units, parts }
}

/// The message with characters that only look different replaced by those of the default alphabet, when that is enough for it to be
/// written in it; else as it is. Letters keep their accents: a word is not misspelt to save a part.
pub fn in_gsm(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{a0}' | '\u{202f}' | '\u{2009}' => plain.push(' '),
            '–' | '—' | '‑' | '\u{2212}' => plain.push('-'),
            '’' | '‘' => plain.push('\''),
            '“' | '”' | '«' | '»' => plain.push('"'),
            '…' => plain.push_str("..."),
            other => plain.push(other),
        }
    }
    if plain.chars().all(|c| septets(c).is_some()) { plain } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> (Encoding, usize, usize) {
        let s = segments(text);
        (s.encoding, s.units, s.parts)
    }

    #[test]
    fn the_alphabet_has_its_127_characters() {
        assert_eq!(BASIC.chars().count(), 127);
        assert_eq!(EXTENSION.chars().count(), 10);
        assert!(EXTENSION.chars().all(|c| !BASIC.contains(c)));
        // `contracts/sms-twilio.md` §7.
        assert!("éèàùÉÇ".chars().all(|c| septets(c) == Some(1)));
        assert!("çêâîôûëïœÈÀ“’\u{a0}中".chars().all(|c| septets(c).is_none()));
    }

    #[test]
    fn a_message_is_split_at_the_lengths_of_the_standard() {
        use Encoding::{Gsm7, Ucs2};
        for (n, parts) in [(0, 1), (1, 1), (160, 1), (161, 2), (306, 2), (307, 3), (459, 3), (460, 4)] {
            assert_eq!(of(&"a".repeat(n)), (Gsm7, n, parts), "{n}");
        }
        for (n, parts) in [(1, 1), (70, 1), (71, 2), (134, 2), (135, 3), (201, 3), (202, 4)] {
            assert_eq!(of(&"中".repeat(n)), (Ucs2, n, parts), "{n}");
        }
        // One character outside of the alphabet has all of them sent as UCS-2.
        assert_eq!(of(&("a".repeat(70) + "ê")), (Ucs2, 71, 2));
    }

    #[test]
    fn what_takes_two_units_is_not_cut_in_two() {
        assert_eq!(of(&"€".repeat(80)), (Encoding::Gsm7, 160, 1));
        // 153 is odd: each part holds 76 of them and has one septet left.
        assert_eq!(of(&"€".repeat(152)), (Encoding::Gsm7, 304, 2));
        assert_eq!(of(&"€".repeat(153)), (Encoding::Gsm7, 306, 3));
        assert_eq!(of(&"🚚".repeat(35)), (Encoding::Ucs2, 70, 1));
        assert_eq!(of(&"🚚".repeat(66)), (Encoding::Ucs2, 132, 2));
        assert_eq!(of(&"🚚".repeat(67)), (Encoding::Ucs2, 134, 3));
    }

    #[test]
    fn a_message_is_made_plain_only_where_that_is_enough() {
        assert_eq!(in_gsm("Rappel\u{a0}: 8 h – 9 h, aujourd’hui…"), "Rappel : 8 h - 9 h, aujourd'hui...");
        for kept in ["le 3 août 2027, 8\u{a0}h – 9\u{a0}h", "提醒：8:00 – 9:00", "plain"] {
            assert_eq!(in_gsm(kept), kept);
        }
    }
}
