//! Amounts as people's spreadsheets write them: `24,50`, `1 234,50`, `1,234.50`.

/// The amount with a point and nothing between its digits; none when it cannot be told which number is meant.
pub(super) fn plain(cell: &str) -> Option<String> {
    // Spaces include those without a break and narrow ones.
    let bare = cell.trim().trim_start_matches('$').trim_end_matches('$').trim();
    let (sign, digits) = match bare.strip_prefix(['-', '\u{2212}']) {
        Some(rest) => ("-", rest.trim_start()),
        None => ("", bare),
    };
    let is_mark = |c: char| matches!(c, ',' | '.');
    let Some((whole, cents)) = digits.rsplit_once(is_mark) else {
        return Some(format!("{sign}{}", joined(digits, char::is_whitespace)?));
    };
    // Three digits behind a mark may be thousands, or a third decimal: nobody guesses.
    if !(1..=2).contains(&cents.len()) || !all_digits(cents) {
        return None;
    }
    let decimal = digits.chars().rev().find(|c| is_mark(*c));
    let whole = joined(whole, |c| c.is_whitespace() || is_mark(c) && Some(c) != decimal)?;
    Some(format!("{sign}{whole}.{cents}"))
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
}

/// A whole number whose digits stand together, or in groups of three.
fn joined(text: &str, is_between: impl Fn(char) -> bool) -> Option<String> {
    let groups: Vec<&str> = text.split(is_between).collect();
    let (first, rest) = groups.split_first()?;
    let in_groups = rest.iter().all(|g| g.len() == 3 && all_digits(g)) && (rest.is_empty() || first.len() <= 3);
    (all_digits(first) && in_groups).then(|| groups.concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_of_any_spreadsheet_are_read() {
        for (cell, amount) in [
            ("24.50", "24.50"),
            ("24,50", "24.50"),
            ("24,5", "24.5"),
            ("10", "10"),
            ("1 234,50", "1234.50"),
            ("1\u{a0}234,50", "1234.50"),
            ("1\u{202f}234\u{202f}567,5", "1234567.5"),
            ("1,234.50", "1234.50"),
            ("1.234,50", "1234.50"),
            ("12 000", "12000"),
            ("24,50\u{a0}$", "24.50"),
            ("$24.50", "24.50"),
            ("\u{2212}5,00", "-5.00"),
            ("-5.00", "-5.00"),
        ] {
            assert_eq!(plain(cell).as_deref(), Some(amount), "{cell}");
        }
        for unclear in ["", "five", "1,234", "1.234", "24,", ",50", "1 2", "12,34,56", "1,23.45", "0x1", "1e3"] {
            assert_eq!(plain(unclear), None, "{unclear}");
        }
    }
}
