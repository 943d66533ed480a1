//! The bytes of a file made into lines of cells, whichever program wrote it.

use encoding_rs::{Encoding, WINDOWS_1252};

/// Why a file has no lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// It is no text.
    NoText,
    /// The quotation mark in this line has no other one.
    OpenQuote(usize),
}

/// A line of cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// Where it begins, from 1: a quoted cell may go on below.
    pub number: usize,
    /// Its cells, without their quotation marks.
    pub cells: Vec<String>,
}

/// Every line of a file that is not empty.
///
/// # Errors
/// When it is no text, or a quotation mark stays open.
pub(super) fn lines(bytes: &[u8]) -> Result<Vec<Line>, Unreadable> {
    let text = text_of(bytes).ok_or(Unreadable::NoText)?;
    cut(&text, delimiter(&text)).map_err(Unreadable::OpenQuote)
}

/// UTF-16 and UTF-8 by their marks, else UTF-8 if it is, else what Windows writes in Western languages.
fn text_of(bytes: &[u8]) -> Option<String> {
    let text = match Encoding::for_bom(bytes) {
        Some((encoding, mark)) => {
            let (text, is_malformed) = encoding.decode_without_bom_handling(bytes.get(mark..).unwrap_or_default());
            if is_malformed {
                return None;
            }
            text.into_owned()
        }
        None => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
        },
    };
    // Workbooks and pictures have it, texts do not, and PostgreSQL stores none.
    (!text.contains('\0')).then_some(text)
}

/// What parts the cells of the first line: the most frequent of the three outside of quotation marks.
fn delimiter(text: &str) -> char {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let mut counts = [(',', 0), (';', 0), ('\t', 0)];
    let mut is_quoted = false;
    for c in first.chars() {
        if c == '"' {
            is_quoted = !is_quoted;
        } else if let Some((_, count)) = counts.iter_mut().find(|(mark, _)| *mark == c && !is_quoted) {
            *count += 1;
        }
    }
    let [comma, rest @ ..] = counts;
    rest.into_iter().fold(comma, |best, next| if next.1 > best.1 { next } else { best }).0
}

/// Cuts a text into lines of cells; `Err` is the line of a quotation mark that stays open.
fn cut(text: &str, delimiter: char) -> Result<Vec<Line>, usize> {
    let mut lines = Vec::new();
    let mut line = Line { number: 1, cells: Vec::new() };
    let (mut cell, mut at, mut open) = (String::new(), 1, None);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let c = match c {
            // Both ends of a line of Windows are one, and so is the only one of old Macs.
            '\r' => {
                chars.next_if_eq(&'\n');
                '\n'
            }
            c => c,
        };
        if c == '\n' {
            at += 1;
        }
        match (open, c) {
            (Some(_), '"') if chars.next_if_eq(&'"').is_some() => cell.push('"'),
            (Some(_), '"') => open = None,
            (Some(_), c) => cell.push(c),
            (None, '"') if cell.trim().is_empty() => {
                cell.clear();
                open = Some(at);
            }
            (None, '\n') => {
                line.cells.push(std::mem::take(&mut cell));
                let next = Line { number: at, cells: Vec::new() };
                keep(&mut lines, std::mem::replace(&mut line, next));
            }
            (None, c) if c == delimiter => line.cells.push(std::mem::take(&mut cell)),
            (None, c) => cell.push(c),
        }
    }
    if let Some(begun) = open {
        return Err(begun);
    }
    line.cells.push(cell);
    keep(&mut lines, line);
    Ok(lines)
}

/// Spreadsheets write lines of nothing but delimiters: they are as empty as others.
fn keep(lines: &mut Vec<Line>, line: Line) {
    if line.cells.iter().any(|cell| !cell.trim().is_empty()) {
        lines.push(line);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn read(bytes: &[u8]) -> Vec<(usize, Vec<String>)> {
        lines(bytes).unwrap().into_iter().map(|l| (l.number, l.cells)).collect()
    }

    fn cells(bytes: &[u8]) -> Vec<Vec<String>> {
        read(bytes).into_iter().map(|(_, cells)| cells).collect()
    }

    #[test]
    fn every_encoding_says_the_same_name() {
        let text = "name,city\r\nÉlodie,Montréal\r\n";
        let utf_16 = |bytes: fn(u16) -> [u8; 2], mark: [u8; 2]| {
            let units: Vec<u8> = text.encode_utf16().flat_map(bytes).collect();
            [mark.to_vec(), units].concat()
        };
        let latin: Vec<u8> = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        for bytes in [
            text.as_bytes().to_vec(),
            format!("\u{feff}{text}").into_bytes(),
            latin,
            utf_16(u16::to_le_bytes, [0xff, 0xfe]),
            utf_16(u16::to_be_bytes, [0xfe, 0xff]),
        ] {
            assert_eq!(cells(&bytes), [["name", "city"], ["Élodie", "Montréal"]]);
        }
        assert_eq!(lines(b"PK\x03\x04\0\0name"), Err(Unreadable::NoText));
        assert_eq!(lines(b"\xff\xfea"), Err(Unreadable::NoText), "half a letter");
    }

    #[test]
    fn the_first_line_says_what_parts_cells() {
        for text in ["a,b\n1,2", "a;b\n1;2", "a\tb\n1\t2", "\n\na;b\n1;2\n", "\"a\";b\r1;2"] {
            assert_eq!(cells(text.as_bytes()), [["a", "b"], ["1", "2"]], "{text:?}");
        }
        assert_eq!(cells(b"\"a,b,c\";d\n1;2"), [["a,b,c", "d"], ["1", "2"]]);
        assert_eq!(cells(b"a\n1;2"), [["a"], ["1;2"]]);
    }

    #[test]
    fn quoted_cells_hold_anything_and_lines_are_counted_as_an_editor_counts_them() {
        let text = "a,b\r\n\r\n\"two\r\nlines\",\"say \"\"hi\"\"\"\r\n , \r\n\"x\" ,y,\"\"\r\n";
        assert_eq!(
            read(text.as_bytes()),
            [
                (1, vec!["a".to_owned(), "b".to_owned()]),
                (3, vec!["two\nlines".to_owned(), "say \"hi\"".to_owned()]),
                (6, vec!["x ".to_owned(), "y".to_owned(), String::new()]),
            ]
        );
        assert_eq!(lines(b"a,b\n1,\"2\n3,4\n"), Err(Unreadable::OpenQuote(2)));
        assert_eq!(lines(b" \r\n\n"), Ok(Vec::new()));
    }
}
