//! Columns of text for a terminal; Chinese characters take two places.

/// How many places a text takes.
pub fn width(text: &str) -> usize {
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

/// East Asian wide and full-width characters, as far as Portage's texts have them.
fn is_wide(c: char) -> bool {
    matches!(u32::from(c), 0x1100..=0x115F | 0x2E80..=0x303E | 0x3041..=0xA4CF | 0xAC00..=0xD7A3 | 0xF900..=0xFAFF | 0xFE30..=0xFE4F | 0xFF00..=0xFF60 | 0xFFE0..=0xFFE6)
}

/// Lays rows out in columns; `right` says which columns are numbers.
pub fn columns<const N: usize>(rows: &[[String; N]], right: [bool; N]) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (w, cell) in widths.iter_mut().zip(row) {
            *w = (*w).max(width(cell));
        }
    }
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for ((cell, w), right) in row.iter().zip(widths).zip(right) {
            let pad = " ".repeat(w.saturating_sub(width(cell)));
            let gap = if line.is_empty() { "" } else { "  " };
            line.push_str(gap);
            if right {
                line.push_str(&pad);
                line.push_str(cell);
            } else {
                line.push_str(cell);
                line.push_str(&pad);
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_takes_two_places() {
        assert_eq!((width("truck"), width("卡车"), width("é")), (5, 4, 1));
        let rows = [["卡车".to_owned(), "35.00".to_owned()], ["labour".to_owned(), "295.00".to_owned()]];
        assert_eq!(columns(&rows, [false, true]), "卡车     35.00\nlabour  295.00\n");
    }
}
