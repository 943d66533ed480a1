//! The words a booking is found by, and those of whoever looks for it. Both are made here, so that they meet.

use std::collections::BTreeSet;

use kernel::{Language, Province, ShortId, fold, is_han, words};

use super::bookings::Booking;

/// By which rules the words of a booking are made. A booking with words of other rules gets them anew when the schema is
/// brought forward.
pub const VERSION: i32 = 3;

/// Words of one search; what is beyond is not looked for.
const MOST: usize = 12;
/// Suffixes of a run of Han characters: nobody writes spaces there, and any character may begin a word.
const MOST_HAN: usize = 12;

/// The words of a booking: short id whole and in halves, name, address of the mailbox, telephone, both ends with the names
/// of their province, discount code.
pub fn of_booking(b: &Booking) -> BTreeSet<String> {
    let d = &b.details;
    let mut out = BTreeSet::new();
    add_id(&mut out, &b.short_id);
    add(&mut out, &d.customer_name);
    add(&mut out, &d.customer_email);
    out.insert(fold(d.customer_email.trim()));
    let digits = national(&d.customer_phone.chars().filter(char::is_ascii_digit).collect::<String>()).to_owned();
    for tail in [digits.len(), 7, 4] {
        if let Some(from) = digits.len().checked_sub(tail) {
            out.insert(digits[from..].to_owned());
        }
    }
    for end in [&d.pickup, &d.dropoff] {
        // The whole line is text of its own, and need not name the street.
        add(&mut out, &end.address.line());
        add(&mut out, &end.address.street);
        let postal_code = fold(&end.address.postal_code.to_string());
        out.insert(postal_code.replace(' ', ""));
        out.extend(words(&postal_code));
        // An address has the province's code; who looks for it says the name.
        let province = end.address.province;
        out.insert(fold(province.code()));
        for language in Language::ALL {
            out.extend(words(province.name(language)));
        }
        out.extend(other_names(province).iter().map(|name| (*name).to_owned()));
    }
    if let Some(code) = &b.discount_code {
        add(&mut out, code);
        out.insert(fold(code.trim()));
    }
    out.remove("");
    out
}

/// The short id as it is written, and its halves: read aloud it has a pause in the middle, and a half may look like any
/// word (`ATQ DRA`).
fn add_id(out: &mut BTreeSet<String>, id: &ShortId) {
    let id = fold(id.as_str());
    // A short id is ASCII.
    let (first, second) = id.split_at(id.len() / 2);
    out.extend([first.to_owned(), second.to_owned()]);
    out.insert(id);
}

/// What a province is called beside its names in [`Province::name`].
const fn other_names(province: Province) -> &'static [&'static str] {
    match province {
        Province::AB => &["艾伯塔"],
        Province::BC => &["卑诗"],
        Province::MB => &["曼尼托巴"],
        Province::PE => &["pei"],
        _ => &[],
    }
}

/// Single letters with a dot after each (`B.C.`, `J.F.`) are one word as well.
fn initials(token: &str) -> Option<String> {
    let token = token.trim_matches(|c: char| !c.is_alphanumeric());
    let is_letter = |part: &str| {
        let mut letters = part.chars();
        letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none()
    };
    (token.contains('.') && token.split('.').all(is_letter)).then(|| token.replace('.', ""))
}

fn add(out: &mut BTreeSet<String>, text: &str) {
    out.extend(joined(text));
    out.extend(fold(text).split_whitespace().filter_map(initials));
    for word in words(text) {
        match word.as_str() {
            "saint" => out.insert("st".to_owned()),
            "sainte" => out.insert("ste".to_owned()),
            "st" => out.insert("saint".to_owned()),
            "ste" => out.insert("sainte".to_owned()),
            _ => false,
        };
        let starts = word.char_indices().filter(|(_, c)| is_han(*c)).map(|(at, _)| at).take(MOST_HAN);
        out.extend(starts.map(|at| word[at..].to_owned()));
        out.insert(word);
    }
}

/// Words that are also written as one: what an apostrophe or a hyphen divides (`O'Neil`, `Jean-Pierre`), and a single
/// letter with the name after it (`O Neil`).
fn joined(text: &str) -> Vec<String> {
    let folded = fold(text);
    let mut out = Vec::new();
    for part in folded.split(|c: char| !(c.is_alphanumeric() || c.is_whitespace() || matches!(c, '\'' | '-'))) {
        let mut single: Option<String> = None;
        for token in part.split_whitespace() {
            let whole: String = token.chars().filter(|c| c.is_alphanumeric()).collect();
            let is_name = !whole.is_empty() && whole.chars().all(char::is_alphabetic);
            if is_name && whole.len() < token.trim_matches(['\'', '-']).len() {
                out.push(whole.clone());
            }
            if let Some(letter) = single.take().filter(|_| is_name) {
                out.push(format!("{letter}{whole}"));
            }
            single = (is_name && whole.len() == 1).then_some(whole);
        }
    }
    out
}

/// Without the country's own 1, or the 001 of who calls from abroad.
fn national(digits: &str) -> &str {
    let rest = digits.strip_prefix("001").or_else(|| digits.strip_prefix('1'));
    rest.filter(|rest| rest.len() == 10).unwrap_or(digits)
}

/// The words that somebody typed. A booking is found if it has, for each of them, a word that begins with it: in any
/// order and case, with or without accents and apostrophes, a telephone number in any writing. Empty without any word.
pub fn search_words(value: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut number: Vec<String> = Vec::new();
    let folded = fold(value);
    if let Some(id) = id_in_pairs(&folded) {
        return vec![id];
    }
    for token in folded.split_whitespace().flat_map(apart_from_label) {
        let in_number = token.chars().all(|c| c.is_ascii_digit() || "+-.()/".contains(c));
        if in_number {
            number.extend(words(token));
            continue;
        }
        dial(&mut out, std::mem::take(&mut number));
        if token.contains('@') {
            out.push(token.trim_matches(|c: char| !c.is_alphanumeric()).to_owned());
        } else if let Some(word) = initials(token) {
            out.push(word);
        } else {
            out.extend(words(&token.replace('\'', "")).into_iter().map(without_province));
        }
    }
    dial(&mut out, number);
    out.retain(|w| !w.is_empty());
    out.dedup();
    out.truncate(MOST);
    out
}

/// The Chinese word for a province may follow its name (`魁北克省`), and is none of a booking's words.
fn without_province(word: String) -> String {
    match word.strip_suffix('省') {
        Some(name) if name.chars().next().is_some_and(is_han) => name.to_owned(),
        _ => word,
    }
}

/// A short id that somebody wrote in pairs, as people read it aloud (`Y4 NA NC`, `Y4-NA-NC`). Without a digit it is three
/// words, without a letter digits of a number. Halves are words of the booking.
fn id_in_pairs(folded: &str) -> Option<String> {
    let pairs: Vec<&str> =
        folded.split(|c: char| c.is_whitespace() || c == '-').filter(|pair| !pair.is_empty()).collect();
    if pairs.len() != 3 || pairs.iter().any(|pair| pair.len() != 2) {
        return None;
    }
    let whole = pairs.concat();
    let is_mixed = whole.bytes().any(|b| b.is_ascii_digit()) && whole.bytes().any(|b| b.is_ascii_alphabetic());
    (is_mixed && whole.parse::<ShortId>().is_ok()).then_some(whole)
}

/// Words before a telephone number that say what it is.
const LABELS: [&str; 5] = ["tel", "telephone", "phone", "cell", "sms"];

/// A number that follows its label without a space (`tel:+1-514-555-0101`, as links have it) is a word of its own.
fn apart_from_label(token: &str) -> [&str; 2] {
    match token.split_once(':') {
        Some((label, number)) if LABELS.contains(&label.trim_end_matches('.')) => [label, number],
        _ => [token, ""],
    }
}

/// Adds what the groups of digits are. The label before a whole number is none of a booking's words.
fn dial(out: &mut Vec<String>, groups: Vec<String>) {
    let found = dialled(groups);
    let is_whole = matches!(found.as_slice(), [one] if one.len() >= 7);
    if is_whole && out.last().is_some_and(|last| LABELS.contains(&last.as_str())) {
        out.pop();
    }
    out.extend(found);
}

/// The ten-digit telephone number that these groups form together, after an optional group for the country (1 or 001).
/// Neither area code nor exchange begins with 0 or 1.
fn whole_number(groups: &[String]) -> Option<String> {
    let rest = match groups {
        [country, rest @ ..] if matches!(country.as_str(), "1" | "001") => rest,
        [zeros, country, rest @ ..] if zeros == "00" && country == "1" => rest,
        all => all,
    };
    let digits = rest.concat();
    let begins = |at: usize| digits.as_bytes().get(at).is_some_and(|b| (b'2'..=b'9').contains(b));
    let is_number = groups.len() > 1 && digits.len() == 10 && begins(0) && begins(3);
    is_number.then_some(digits)
}

/// Digits written in groups: one number where the groups are those of a telephone number, else numbers of their own.
fn dialled(groups: Vec<String>) -> Vec<String> {
    if let Some(whole) = whole_number(&groups) {
        return vec![whole];
    }
    let rest = match groups.first().map(String::as_str) {
        Some("1") => &groups[1..],
        _ => &groups[..],
    };
    let sizes: Vec<usize> = rest.iter().map(String::len).collect();
    let is_phone = match sizes.as_slice() {
        [3, 4] | [3, 3] | [3, 7] | [3, 2, 2] => true,
        [3, 3, last] => *last <= 4,
        [10] => true,
        _ => false,
    };
    match rest {
        _ if is_phone => vec![rest.concat()],
        [one] if rest.len() == groups.len() => vec![national(one).to_owned()],
        _ => groups,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_number_is_one_word_in_any_writing() {
        for typed in
            ["514-555-0101", "(514) 555-0101", "+1 514 555 0101", "1-514-555-0101", "5145550101", "15145550101"]
        {
            assert_eq!(search_words(typed), ["5145550101"], "{typed}");
        }
        for typed in ["51 45 55 01 41", "514 55 50 141", "001 514 555 0141", "tel 514-555-0141", "Tél. : 514 5550141"]
        {
            assert_eq!(search_words(typed), ["5145550141"], "{typed}");
        }
        for typed in ["tel:+1-514-555-0141", "sms:+15145550141", "Tél.:514 555 0141"] {
            assert_eq!(search_words(typed), ["5145550141"], "{typed}");
        }
        // Too few digits, or none of a telephone number: words of their own.
        assert_eq!(search_words("tel 0141"), ["tel", "0141"]);
        assert_eq!(search_words("1200 45 67 890"), ["1200", "45", "67", "890"]);
        for typed in ["555-0101", "555 01 01", "555.01.01"] {
            assert_eq!(search_words(typed), ["5550101"], "{typed}");
        }
        for typed in ["0015145550101", "+15145550101", "001-514-555-0101"] {
            assert_eq!(search_words(typed), ["5145550101"], "{typed}");
        }
        assert_eq!(search_words("514 555"), ["514555"]);
        assert_eq!(search_words("0101"), ["0101"]);
        assert_eq!(search_words("Roy 514.555.0101 Peel"), ["roy", "5145550101", "peel"]);
        assert_eq!(search_words("1200 4"), ["1200", "4"]);
    }

    #[test]
    fn a_short_id_may_be_written_in_parts() {
        for id in ["ATQDRA", "GWB7VW", "Y4NANC", "234BCD", "BCD234"] {
            let mut of_it = BTreeSet::new();
            add_id(&mut of_it, &id.parse().unwrap());
            let halves = [" ", "-", " - "].map(|between| format!("{}{between}{}", &id[..3], &id[3..]));
            for typed in halves.into_iter().chain([id.to_owned(), id.to_lowercase(), id[..4].to_owned()]) {
                let asked = search_words(&typed);
                assert!(!asked.is_empty(), "{typed}");
                assert!(asked.iter().all(|word| of_it.iter().any(|own| own.starts_with(word))), "{typed}: {asked:?}");
            }
        }
        for typed in ["Y4 NA NC", "y4-na-nc"] {
            assert_eq!(search_words(typed), ["y4nanc"], "{typed}");
        }
        // What may be a name or a house number is looked for as such.
        assert_eq!(search_words("AT QD RA"), ["at", "qd", "ra"]);
        assert_eq!(search_words("25B Ave"), ["25b", "ave"]);
        assert_eq!(search_words("Yan 256"), ["yan", "256"]);
        assert_eq!(search_words("514 555"), ["514555"]);
    }

    #[test]
    fn a_province_is_found_by_its_other_names() {
        assert_eq!(search_words("魁北克省"), ["魁北克"]);
        assert_eq!(search_words("省"), ["省"]);
        assert_eq!(search_words("B.C."), ["bc"]);
        assert_eq!(search_words("Roy, B.C"), ["roy", "bc"]);
        assert_eq!(search_words("St. Denis"), ["st", "denis"]);
        for province in Province::ALL {
            for name in other_names(province) {
                assert_eq!(search_words(name), [*name]);
            }
        }
    }

    #[test]
    fn words_come_in_any_order_and_writing() {
        assert_eq!(search_words("  ÉRABLES,  rue "), ["erables", "rue"]);
        assert_eq!(search_words("St-Urbain 3500"), ["st", "urbain", "3500"]);
        assert_eq!(search_words("Zoe@Portage.TEST"), ["zoe@portage.test"]);
        assert_eq!(search_words("李雷"), ["李雷"]);
        assert_eq!(search_words(" ,;- "), [""; 0]);
    }

    #[test]
    fn a_name_is_found_with_and_without_its_signs() {
        let found = |written: &str, typed: &str| {
            let mut of_it = BTreeSet::new();
            add(&mut of_it, written);
            search_words(typed).iter().all(|word| of_it.iter().any(|own| own.starts_with(word)))
        };
        for (written, typed) in [
            ("Sean O'Neil", "O’Neil"),
            ("Sean O’Neil", "oneil"),
            ("Sean O’Neil", "neil"),
            ("Sean Oneil", "O'Neil"),
            ("Sean O Neil", "o'neil"),
            ("Marc D’Amours", "damours"),
            ("Marc D'Amours", "d'am"),
            ("12, rue L'Écuyer", "lecuyer 12"),
            ("Jean-Pierre Roy", "jeanpierre"),
            ("Jean-Pierre Roy", "Jean Pierre"),
            ("J.F. Roy", "J.F."),
            ("J.F. Roy", "jf roy"),
            ("J. F. Roy", "f. roy"),
            ("Lech Wałęsa", "walesa"),
            ("rue du Sacré-Cœur", "sacre-coeur"),
        ] {
            assert!(found(written, typed), "{written}: {typed}");
        }
        assert!(!found("Sean O'Neil", "o'brien"));
    }
}
