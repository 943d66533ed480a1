//! Several values in one cell, parted by `|`. A backslash before a mark makes it a letter of the value.

use serde_json::{Map, Value, json};
use service::ports::directory::{Contact, MateDocument};

/// What parts values, and the parts of a value.
const MARKS: &str = "\\|#=<>";

/// Where a mark stands that is no letter of a value.
fn places(text: &str, mark: char) -> Vec<usize> {
    let (mut found, mut is_letter) = (Vec::new(), false);
    for (at, c) in text.char_indices() {
        if is_letter {
            is_letter = false;
        } else if c == '\\' {
            is_letter = true;
        } else if c == mark {
            found.push(at);
        }
    }
    found
}

/// What stands before and behind the first mark. (All marks are one byte.)
fn halves(text: &str, mark: char) -> Option<(&str, &str)> {
    let at = *places(text, mark).first()?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

fn parts(text: &str) -> Vec<&str> {
    let mut ends = places(text, '|');
    ends.push(text.len());
    let mut begun = 0;
    let mut found = Vec::new();
    for end in ends {
        found.extend(text.get(begun..end).map(str::trim).filter(|part| !part.is_empty()));
        begun = end + 1;
    }
    found
}

/// The value of a part.
fn plain(part: &str) -> String {
    let mut out = String::with_capacity(part.len());
    let mut chars = part.trim().chars().peekable();
    while let Some(c) = chars.next() {
        // A backslash before anything else is one.
        let letter = if c == '\\' { chars.next_if(|next| MARKS.contains(*next)) } else { None };
        out.push(letter.unwrap_or(c));
    }
    out
}

/// A value as a part of a cell.
fn masked(value: &str) -> String {
    value.chars().fold(String::with_capacity(value.len()), |mut out, c| {
        if MARKS.contains(c) {
            out.push('\\');
        }
        out.push(c);
        out
    })
}

/// A cell of values.
pub(super) fn joined<'a>(values: impl IntoIterator<Item = &'a str>) -> String {
    values.into_iter().map(masked).collect::<Vec<_>>().join("|")
}

/// The values of a cell.
pub(super) fn values(cell: &str) -> Value {
    parts(cell).into_iter().map(|part| Value::from(plain(part))).collect()
}

/// Papers: `kind=2027-05-01`, with a number `kind#number=2027-05-01`.
pub(super) fn papers(documents: &[MateDocument]) -> String {
    let paper = |d: &MateDocument| {
        let number = if d.number.is_empty() { String::new() } else { format!("#{}", masked(&d.number)) };
        format!("{}{number}={}", masked(&d.kind), d.expires_on)
    };
    documents.iter().map(paper).collect::<Vec<_>>().join("|")
}

/// Papers as the API takes them. One without a day has none, and is refused for it.
pub(super) fn documents(cell: &str) -> Value {
    let document = |part: &str| {
        let (what, day) = halves(part, '=').unwrap_or((part, ""));
        let (kind, number) = halves(what, '#').unwrap_or((what, ""));
        let mut document = Map::new();
        document.insert("kind".to_owned(), json!(plain(kind)));
        document.insert("number".to_owned(), json!(plain(number)));
        if !day.trim().is_empty() {
            document.insert("expiresOn".to_owned(), json!(day.trim()));
        }
        Value::Object(document)
    };
    parts(cell).into_iter().map(document).collect()
}

/// People: `name <email> phone`; what is not known is left out.
pub(super) fn people(contacts: &[Contact]) -> String {
    let person = |c: &Contact| {
        let name = masked(&c.name);
        if c.email.is_empty() && c.phone.is_empty() {
            return name;
        }
        format!("{name} <{}> {}", masked(&c.email), masked(&c.phone)).trim().to_owned()
    };
    contacts.iter().map(person).collect::<Vec<_>>().join("|")
}

/// People as the API takes them.
pub(super) fn contacts(cell: &str) -> Value {
    let contact = |part: &str| {
        let (name, rest) = halves(part, '<').unwrap_or((part, ""));
        let (email, phone) = halves(rest, '>').unwrap_or((rest, ""));
        json!({ "name": plain(name), "email": plain(email), "phone": plain(phone) })
    };
    parts(cell).into_iter().map(contact).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn values_keep_their_marks() {
        for list in [vec!["piano"], vec!["piano", "heavy | long"], vec!["a\\b", "c=d", "\\|"], vec![]] {
            let cell = joined(list.iter().copied());
            assert_eq!(values(&cell), json!(list), "{cell}");
        }
        assert_eq!(values(" montreal || laval | "), json!(["montreal", "laval"]));
        assert_eq!(values("C:\\x"), json!(["C:\\x"]), "a backslash of another tool");
    }

    #[test]
    fn papers_have_a_kind_a_number_and_a_day() {
        let paper = |kind: &str, number: &str| MateDocument {
            kind: kind.to_owned(),
            number: number.to_owned(),
            expires_on: "2027-05-01".parse().unwrap(),
        };
        let all = [paper("Driving licence", "R#1"), paper("a=b", "")];
        let cell = papers(&all);
        assert_eq!(cell, "Driving licence#R\\#1=2027-05-01|a\\=b=2027-05-01");
        assert_eq!(documents(&cell), json!(all));
        assert_eq!(documents("Insurance="), json!([{ "kind": "Insurance", "number": "" }]));
        assert_eq!(documents("Insurance"), json!([{ "kind": "Insurance", "number": "" }]));
    }

    #[test]
    fn people_have_what_is_known_of_them() {
        let person = |name: &str, email: &str, phone: &str| Contact {
            name: name.to_owned(),
            email: email.to_owned(),
            phone: phone.to_owned(),
        };
        let all = [
            person("Paul Gagnon", "paul@outremont.test", "514-555-0170"),
            person("A < B | C", "", ""),
            person("Ann", "", "514-555-0171"),
            person("Zoé", "zoe@outremont.test", ""),
        ];
        let cell = people(&all);
        assert!(cell.starts_with("Paul Gagnon <paul@outremont.test> 514-555-0170|A \\< B \\| C|Ann <> "), "{cell}");
        assert_eq!(contacts(&cell), json!(all));
        assert_eq!(contacts("Ann <ann@x.test")[0]["email"], "ann@x.test");
    }
}
