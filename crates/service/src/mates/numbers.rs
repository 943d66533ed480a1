//! Registration numbers of Quebec and Canada: which are well formed. Whether one was ever given to somebody is known to
//! the tax offices only.

/// Without spaces, in capitals.
fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_uppercase).collect()
}

fn digits(text: &str, count: usize) -> bool {
    // Nothing but zeros passes Luhn's check, and nobody has such a number.
    text.len() == count && text.bytes().all(|b| b.is_ascii_digit()) && text.bytes().any(|b| b != b'0')
}

/// Luhn's check over digits, the last of which checks the others.
fn luhn(digits: &str) -> bool {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(at, b)| match (at % 2, u32::from(b - b'0')) {
            (0, d) => d,
            (_, d) if d > 4 => 2 * d - 9,
            (_, d) => 2 * d,
        })
        .sum();
    sum.is_multiple_of(10)
}

/// A GST number (TPS): nine digits with their check, `RT`, and four digits of the account: `123456782RT0001`.
pub fn gst(text: &str) -> Option<String> {
    let text = bare(text);
    let (business, account) = text.split_once("RT")?;
    (digits(business, 9) && luhn(business) && digits(account, 4)).then_some(text)
}

/// A QST number (TVQ): ten digits, `TQ`, and four digits: `1234567890TQ0001`.
pub fn qst(text: &str) -> Option<String> {
    let text = bare(text);
    let (file, account) = text.split_once("TQ")?;
    (digits(file, 10) && digits(account, 4)).then_some(text)
}

/// A Quebec enterprise number (NEQ): ten digits that begin with 11, 22, 33 or 88, by the form of the enterprise.
pub fn neq(text: &str) -> Option<String> {
    let text = bare(text);
    let known = ["11", "22", "33", "88"].iter().any(|form| text.starts_with(form));
    (digits(&text, 10) && known).then_some(text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn gst_numbers() {
        for right in ["123456782RT0001", " 123 456 782 rt 0001 ", "100000009RT9999"] {
            assert!(gst(right).is_some(), "{right}");
        }
        assert_eq!(gst("123 456 782 rt 0001").unwrap(), "123456782RT0001");
        let wrong = [
            "000000000RT0001",
            "",
            "123456789RT0001",
            "123456782",
            "123456782RT001",
            "123456782RT00011",
            "12345678RT0001",
            "123456782RC0001",
            "123456782TQ0001",
            "RT0001",
            "12345678２RT0001",
        ];
        for text in wrong {
            assert_eq!(gst(text), None, "{text}");
        }
    }

    #[test]
    fn qst_numbers() {
        assert_eq!(qst("1234 567890 tq 0001").unwrap(), "1234567890TQ0001");
        for wrong in
            ["", "123456789TQ0001", "1234567890TQ001", "1234567890", "1234567890RT0001", "1234567890TQ0001TQ0001"]
        {
            assert_eq!(qst(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn enterprise_numbers() {
        for right in ["1143920115", "22 1234 5678", "3312345678", "8812345678"] {
            assert!(neq(right).is_some(), "{right}");
        }
        for wrong in ["", "1243920115", "114392011", "11439201155", "11439201AB", "4412345678"] {
            assert_eq!(neq(wrong), None, "{wrong}");
        }
    }
}
