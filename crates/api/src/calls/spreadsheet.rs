//! Files for spreadsheets: CSV in UTF-8, none of whose cells is a formula.

use actix_web::{HttpResponse, http::header};

/// A file to be kept under this name.
pub(super) fn response(name: &str, file: String) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/csv; charset=utf-8")
        .insert_header((header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.csv\"")))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(file)
}

/// A file of a line with names and of rows, whose cells are written already.
pub(super) fn file(names: &str, rows: impl Iterator<Item = String>) -> String {
    // The mark tells spreadsheets that it is UTF-8.
    let mut out = format!("\u{feff}{names}\r\n");
    for row in rows {
        out.push_str(&row);
        out.push_str("\r\n");
    }
    out
}

/// Spreadsheets take a text for a formula also behind spaces and in the full-width forms.
fn is_formula(words: &str) -> bool {
    let begins = words.trim_start().chars().next();
    begins.is_some_and(|c| "=+-@＝＋－＠|%".contains(c)) || words.starts_with(['\t', '\r', '\n'])
}

/// A cell with somebody's own words: in quotes, and never the beginning of a formula, which gets an apostrophe. So does
/// what would be taken for such a cell when it is read back.
pub(super) fn text(words: &str) -> String {
    let flat: String = words.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let bare = |text: &str| is_formula(text.trim_start_matches('\''));
    let safe = if bare(&flat) || bare(words) { format!("'{flat}") } else { flat };
    format!("\"{}\"", safe.replace('"', "\"\""))
}

/// The words of a cell, without the apostrophe that [`text`] gave them.
pub(super) fn words(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| is_formula(rest.trim_start_matches('\''))).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_no_formula_and_stays_one_cell() {
        for (words, cell) in [
            ("Roy", "\"Roy\""),
            ("=1+1", "\"'=1+1\""),
            ("  @SUM(A1)", "\"'  @SUM(A1)\""),
            ("+1 514 555-0101", "\"'+1 514 555-0101\""),
            ("-2", "\"'-2\""),
            ("＝cmd", "\"'＝cmd\""),
            ("\t=1", "\"' =1\""),
            ("a \"b\", c", "\"a \"\"b\"\", c\""),
            ("two\nlines", "\"two lines\""),
            ("", "\"\""),
        ] {
            assert_eq!(text(words), cell, "{words:?}");
        }
    }

    #[test]
    fn the_apostrophe_of_a_formula_and_no_other_is_taken_off_again() {
        for original in ["Roy", "=1+1", "+1 514 555-0101", "-2", "'=1", "''@x", "'tis", "'", "", "O'Neil", "%5", " @x"]
        {
            let cell = text(original);
            let read = cell.trim_matches('"').replace("\"\"", "\"");
            assert_eq!(words(&read), original, "{cell}");
        }
        assert_eq!(words("'\tx"), "\tx");
    }
}
