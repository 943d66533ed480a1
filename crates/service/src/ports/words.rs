//! The words a booking is found by, and those of whoever looks for it. Both are made here, so that they meet.

use std::collections::BTreeSet;

use kernel::{Language, ShortId, fold, is_han, words};

use super::bookings::Booking;

/// By which rules the words of a booking are made. A booking with words of other rules gets them anew when the schema is
/// brought forward.
pub const VERSION: i32 = 3;

/// Words of one search; what is beyond is not looked for.
const MOST: usize = 12;
/// Suffixes of a run of Han characters: nobody writes spaces there, and any character may begin a word.
const MOST_HAN: usize = 12;

/// The words of a booking: short id, name, address of the mailbox, telephone, both ends with the name of their province,
/// discount code.
pub fn of(b: &Booking) -> BTreeSet<String> {
    let d = &b.details;
    let mut out = BTreeSet::new();
    out.insert(fold(b.short_id.as_str()));
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
        out.insert(fold(&end.address.postal_code.to_string()).replace(' ', ""));
        // An address has the province's code; who looks for it says the name.
        let province = end.address.province;
        out.insert(fold(province.code()));
        for language in Language::ALL {
            out.extend(words(province.name(language)));
        }
    }
    if let Some(code) = &b.discount_code {
        add(&mut out, code);
        out.insert(fold(code.trim()));
    }
    out.remove("");
    out
}

fn add(out: &mut BTreeSet<String>, text: &str) {
    out.extend(joined(text));
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

/// Without the country's own 1.
fn national(digits: &str) -> &str {
    digits.strip_prefix('1').filter(|rest| rest.len() == 10).unwrap_or(digits)
}

/// What somebody typed, as words each of which a booking must have a word that begins with: in any order, of any case,
/// with or without accents and apostrophes, a telephone number in any writing. Nothing when there is no word in it.
pub fn asked(value: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut number: Vec<String> = Vec::new();
    let folded = fold(value);
    if let Some(id) = divided_id(&folded) {
        return vec![id];
    }
    for token in folded.split_whitespace() {
        let in_number = token.chars().all(|c| c.is_ascii_digit() || "+-.()/".contains(c));
        if in_number {
            number.extend(words(token));
            continue;
        }
        dial(&mut out, std::mem::take(&mut number));
        if token.contains('@') {
            out.push(token.trim_matches(|c: char| !c.is_alphanumeric()).to_owned());
        } else {
            out.extend(words(&token.replace('\'', "")));
        }
    }
    dial(&mut out, number);
    out.retain(|w| !w.is_empty());
    out.dedup();
    out.truncate(MOST);
    out
}

/// A short id that somebody wrote in two halves, as people read it aloud (`GWB 7VW`). Without a digit it is two words,
/// without a letter the beginning of a telephone number, and letters beside digits are a name and a house number (`Yan 256`).
fn divided_id(folded: &str) -> Option<String> {
    let mut halves = folded.split_whitespace();
    let (first, second) = (halves.next()?, halves.next()?);
    if halves.next().is_some() || (first.len(), second.len()) != (3, 3) {
        return None;
    }
    let whole = format!("{first}{second}");
    let is_mixed = [first, second]
        .iter()
        .any(|half| half.bytes().any(|b| b.is_ascii_digit()) && half.bytes().any(|b| b.is_ascii_alphabetic()));
    (is_mixed && whole.parse::<ShortId>().is_ok()).then_some(whole)
}

/// Words before a telephone number that say what it is.
const LABELS: [&str; 4] = ["tel", "telephone", "phone", "cell"];

/// Adds what the groups of digits are. The label before a whole number is none of a booking's words.
fn dial(out: &mut Vec<String>, groups: Vec<String>) {
    let found = dialled(groups);
    let is_whole = matches!(found.as_slice(), [one] if one.len() >= 7);
    if is_whole && out.last().is_some_and(|last| LABELS.contains(&last.as_str())) {
        out.pop();
    }
    out.extend(found);
}

/// The whole number of these groups, however they are divided: ten digits of which neither the area nor the exchange
/// begins with 0 or 1, after the country's 1 or 001 where it stands by itself.
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
        [3, 4] | [3, 3] | [3, 7] => true,
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
    use super::*;

    #[test]
    fn a_number_is_one_word_in_any_writing() {
        for typed in
            ["514-555-0101", "(514) 555-0101", "+1 514 555 0101", "1-514-555-0101", "5145550101", "15145550101"]
        {
            assert_eq!(asked(typed), ["5145550101"], "{typed}");
        }
        for typed in ["51 45 55 01 41", "514 55 50 141", "001 514 555 0141", "tel 514-555-0141", "Tél. : 514 5550141"]
        {
            assert_eq!(asked(typed), ["5145550141"], "{typed}");
        }
        // Too few digits, or none of a telephone number: words of their own.
        assert_eq!(asked("tel 0141"), ["tel", "0141"]);
        assert_eq!(asked("1200 45 67 890"), ["1200", "45", "67", "890"]);
        assert_eq!(asked("555-0101"), ["5550101"]);
        assert_eq!(asked("514 555"), ["514555"]);
        assert_eq!(asked("0101"), ["0101"]);
        assert_eq!(asked("Roy 514.555.0101 Peel"), ["roy", "5145550101", "peel"]);
        assert_eq!(asked("1200 4"), ["1200", "4"]);
    }

    #[test]
    fn a_short_id_may_be_written_in_halves() {
        assert_eq!(asked("GWB 7VW"), ["gwb7vw"]);
        assert_eq!(asked("H3B 2T6"), ["h3b2t6"]);
        assert_eq!(asked("Roy Ted"), ["roy", "ted"]);
        assert_eq!(asked("Yan 256"), ["yan", "256"]);
        assert_eq!(asked("514 555"), ["514555"]);
    }

    #[test]
    fn words_come_in_any_order_and_writing() {
        assert_eq!(asked("  ÉRABLES,  rue "), ["erables", "rue"]);
        assert_eq!(asked("St-Urbain 3500"), ["st", "urbain", "3500"]);
        assert_eq!(asked("Zoe@Portage.TEST"), ["zoe@portage.test"]);
        assert_eq!(asked("李雷"), ["李雷"]);
        assert_eq!(asked(" ,;- "), [""; 0]);
    }

    #[test]
    fn a_name_is_found_with_and_without_its_signs() {
        let found = |written: &str, typed: &str| {
            let mut of_it = BTreeSet::new();
            add(&mut of_it, written);
            asked(typed).iter().all(|word| of_it.iter().any(|own| own.starts_with(word)))
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
            ("Lech Wałęsa", "walesa"),
            ("rue du Sacré-Cœur", "sacre-coeur"),
        ] {
            assert!(found(written, typed), "{written}: {typed}");
        }
        assert!(!found("Sean O'Neil", "o'brien"));
    }
}
