//! Reading an address the way people type it: number, street, city, province, postal code in
//! any of the usual orders, with or without commas, in English or French.

use geography::{KnownPlace, PostalArea, normalise, places_named, postal_area};
use kernel::{Coordinates, PostalCode, Province, fold};

use super::street_words::StreetKey;

/// Cities of fewer postal codes are believed only after a comma: half the words of street names
/// are also hamlets somewhere.
const CITY_WITHOUT_COMMA: u32 = 20;
const LONGEST_NAME: usize = 6;

/// An address as far as it was understood.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct TypedAddress {
    /// `1200`, `12A`.
    pub number: Option<String>,
    /// What is left for the street.
    pub street: String,
    /// What was typed for the city, known or not.
    pub city: Option<String>,
    /// Known places of that name in the typed province, largest first.
    pub places: Vec<&'static KnownPlace>,
    /// The province, when typed.
    pub province: Option<Province>,
    /// A whole postal code.
    pub postal_code: Option<PostalCode>,
    /// The postal area of the code, or of its first half when only that was typed.
    pub area: Option<&'static PostalArea>,
}

/// A word and the comma-separated part it stands in.
#[derive(Debug, Clone)]
struct Word {
    text: String,
    part: usize,
}

impl TypedAddress {
    /// The civil number without its letter.
    pub(super) fn civil(&self) -> Option<u32> {
        let digits: String = self.number.as_ref()?.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    }

    /// Reads `text`; `near` breaks ties between cities of one name.
    pub(super) fn read(text: &str, near: Coordinates) -> TypedAddress {
        let mut words = split(text);
        let mut typed = TypedAddress::default();
        take_postal_code(&mut words, &mut typed);
        while words.last().is_some_and(|w| fold(&w.text) == "canada") {
            words.pop();
        }
        let province_word = take_province(&mut words, &mut typed);
        take_unit(&mut words);
        take_number(&mut words, &mut typed);
        take_city(&mut words, &mut typed, near);
        if typed.places.is_empty() && typed.city.is_none() && province_word == Some("quebec") && typed.area.is_none() {
            // "500 Grande Allée Est, Québec" means the city.
            typed.set_city("Québec", near);
        }
        typed.street = join(&words);
        typed
    }

    fn set_city(&mut self, name: &str, near: Coordinates) {
        self.places = cities(self.province.or(self.area.map(|a| a.province)), name, near);
        self.city = Some(name.to_owned());
    }
}

fn join(words: &[Word]) -> String {
    words.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn split(text: &str) -> Vec<Word> {
    let parts = text.split([',', ';', '\n']);
    let words = |(part, text): (usize, &str)| {
        text.split_whitespace()
            .map(move |w| Word { text: w.trim_matches(['(', ')', '"']).to_owned(), part })
            .collect::<Vec<_>>()
    };
    parts.enumerate().flat_map(words).filter(|w| !w.text.is_empty()).collect()
}

fn take_postal_code(words: &mut Vec<Word>, typed: &mut TypedAddress) {
    for i in 0..words.len() {
        let Some(word) = words.get(i) else { break };
        let whole = word.text.parse::<PostalCode>().ok().map(|c| (c, 1));
        let halves = || {
            let second = words.get(i + 1).filter(|w| w.text.len() == 3)?;
            let code = format!("{}{}", word.text, second.text).parse::<PostalCode>().ok()?;
            (word.text.len() == 3).then_some((code, 2))
        };
        if let Some((code, used)) = whole.or_else(halves) {
            typed.area = postal_area(code.fsa());
            typed.postal_code = Some(code);
            words.drain(i..i + used);
            return;
        }
    }
    // Only the first half, or the second half just begun ("H2X 1Y").
    if let Some(i) = words.iter().rposition(|w| w.text.len() == 3 && postal_area(&w.text).is_some()) {
        let rest = &words[i + 1..];
        let begun = rest.first().is_some_and(|w| w.text.len() < 3 && w.text.starts_with(|c: char| c.is_ascii_digit()));
        if i > 0 || rest.is_empty() {
            typed.area = postal_area(&words[i].text);
            words.drain(i..i + 1 + usize::from(begun));
        }
    }
}

const PROVINCE_NAMES: [(&str, Province); 22] = [
    ("quebec", Province::QC),
    ("pq", Province::QC),
    ("que", Province::QC),
    ("ontario", Province::ON),
    ("ont", Province::ON),
    ("british columbia", Province::BC),
    ("colombie britannique", Province::BC),
    ("alberta", Province::AB),
    ("alta", Province::AB),
    ("manitoba", Province::MB),
    ("saskatchewan", Province::SK),
    ("nova scotia", Province::NS),
    ("nouvelle ecosse", Province::NS),
    ("new brunswick", Province::NB),
    ("nouveau brunswick", Province::NB),
    ("prince edward island", Province::PE),
    ("ile du prince edouard", Province::PE),
    ("newfoundland and labrador", Province::NL),
    ("newfoundland", Province::NL),
    ("yukon", Province::YT),
    ("northwest territories", Province::NT),
    ("nunavut", Province::NU),
];

/// The province at the end; returns the folded word it was read from.
fn take_province(words: &mut Vec<Word>, typed: &mut TypedAddress) -> Option<&'static str> {
    for count in (1..=5.min(words.len())).rev() {
        let start = words.len() - count;
        let tail = normalise(&join(&words[start..]));
        if let Some((name, province)) = PROVINCE_NAMES.iter().find(|(name, _)| *name == tail) {
            typed.province = Some(*province);
            words.truncate(start);
            return Some(name);
        }
    }
    let last = words.last()?;
    let province: Province = last.text.replace('.', "").parse().ok()?;
    // "1200 rue pe" is a street being typed, not Prince Edward Island: two letters are a province
    // behind a comma, beside a postal code, behind one of its cities, or in capitals amid others.
    let all_capitals = words.iter().all(|w| !w.text.chars().any(char::is_lowercase));
    let after_comma = words.first().is_some_and(|w| w.part != last.part);
    let in_capitals = !all_capitals && last.text.chars().all(|c| c.is_uppercase() || c == '.');
    let before = &words[..words.len() - 1];
    let after_city = (1..=LONGEST_NAME.min(before.len()))
        .any(|n| !places_named(Some(province), &join(&before[before.len() - n..])).is_empty());
    if words.len() > 1 && (after_comma || typed.area.is_some() || in_capitals || after_city) {
        typed.province = Some(province);
        words.pop();
    }
    None
}

const UNIT_WORDS: [&str; 9] = ["apt", "app", "appt", "apartment", "appartement", "unit", "unite", "suite", "ste#"];

fn take_unit(words: &mut Vec<Word>) {
    // A hash sign is never part of a street: "#4", "Apt #4".
    words.retain(|w| !w.text.starts_with('#'));
    if let Some(i) = words.iter().position(|w| UNIT_WORDS.contains(&fold(w.text.trim_end_matches('.')).as_str())) {
        let with_value = words.get(i + 1).is_some_and(|w| w.part == words[i].part && w.text.len() <= 5);
        words.drain(i..=i + usize::from(with_value));
    }
}

/// `1200`, `12A`, `5-1200` (unit first), `1200-5` never.
fn number_of(word: &str) -> Option<String> {
    let word = word.rsplit('-').next().unwrap_or(word);
    let digits = word.chars().take_while(char::is_ascii_digit).count();
    let rest = &word[digits..];
    // "5e" and "5th" are ordinals of streets, not numbers.
    let letter = rest.is_empty()
        || (rest.len() == 1 && rest.chars().all(|c| c.is_ascii_alphabetic() && !c.eq_ignore_ascii_case(&'e')));
    ((1..=6).contains(&digits) && letter).then(|| word.to_ascii_uppercase())
}

fn take_number(words: &mut Vec<Word>, typed: &mut TypedAddress) {
    let street_part = words.first().map(|w| w.part);
    let in_street = words.iter().take_while(|w| Some(w.part) == street_part).count();
    let numeric = |i: usize| words.get(i).and_then(|w| number_of(&w.text));
    if let Some(number) = numeric(0) {
        // "17 Avenue SW" alone is a street, not number 17 of an avenue.
        let rest = StreetKey::of(&join(&words[1..in_street.max(1)]));
        if in_street == 1 || rest.is_named() {
            typed.number = Some(number);
            words.remove(0);
            return;
        }
    }
    // French hands sometimes write "rue Peel 1200" or "rue Peel, 1200".
    let last = in_street.saturating_sub(1);
    for i in [last, in_street] {
        if i > 0
            && let Some(number) = numeric(i)
            && StreetKey::of(&join(&words[..i])).is_named()
        {
            typed.number = Some(number);
            words.remove(i);
            return;
        }
    }
}

/// Known cities of a name: large ones first, the near one of equals.
fn cities(province: Option<Province>, name: &str, near: Coordinates) -> Vec<&'static KnownPlace> {
    let mut found = places_named(province, name);
    let weight = |p: &KnownPlace| f64::from(p.codes) / (1.0 + geography::great_circle_km(p.coordinates, near) / 150.0);
    found.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    found
}

fn take_city(words: &mut Vec<Word>, typed: &mut TypedAddress, near: Coordinates) {
    let Some(first_part) = words.first().map(|w| w.part) else { return };
    let Some(last_part) = words.last().map(|w| w.part) else { return };
    if last_part != first_part {
        let start = words.iter().position(|w| w.part == last_part).unwrap_or(words.len());
        let name = join(&words[start..]);
        typed.set_city(&name, near);
        // What stands between street and city is a neighbourhood.
        words.retain(|w| w.part == first_part);
        return;
    }
    let province = typed.province.or(typed.area.map(|a| a.province));
    for count in (1..=LONGEST_NAME.min(words.len())).rev() {
        let start = words.len() - count;
        if typed.number.is_some() && !StreetKey::of(&join(&words[..start])).is_named() {
            continue;
        }
        let name = join(&words[start..]);
        let mut found = cities(province, &name, near);
        found.retain(|p| p.codes >= CITY_WITHOUT_COMMA || province.is_some());
        if !found.is_empty() {
            typed.places = found;
            typed.city = Some(name);
            words.truncate(start);
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> (String, String, String, String, String) {
        let t = TypedAddress::read(text, Coordinates::MONTREAL);
        (
            t.number.unwrap_or_default(),
            t.street,
            t.places.first().map(|p| p.name.clone()).or(t.city).unwrap_or_default(),
            t.province.map(|p| p.to_string()).unwrap_or_default(),
            t.postal_code.map(|c| c.to_string()).or(t.area.map(|a| a.fsa.clone())).unwrap_or_default(),
        )
    }

    fn is(text: &str, number: &str, street: &str, city: &str, province: &str, code: &str) {
        let want = [number, street, city, province, code].map(str::to_owned);
        let (a, b, c, d, e) = read(text);
        assert_eq!([a, b, c, d, e], want, "{text}");
    }

    #[test]
    fn the_usual_ways_to_type_an_address() {
        is("1200 rue peel", "1200", "rue peel", "", "", "");
        is("1200 Rue Peel, Montréal, QC H3B 2T6, Canada", "1200", "Rue Peel", "Montréal", "QC", "H3B 2T6");
        is("1200 Rue Peel, Montréal, Quebec H3B 2T6, Canada", "1200", "Rue Peel", "Montréal", "QC", "H3B 2T6");
        is("4550 boul. saint-laurent montreal", "4550", "boul. saint-laurent", "Montréal", "", "");
        is("Apt 4, 123 Main Street, Toronto ON", "123", "Main Street", "Toronto", "ON", "");
        is("123 Main St #4 Toronto, Ontario, M5V2T6", "123", "Main St", "Toronto", "ON", "M5V 2T6");
        is("10-1234 W Hastings St Vancouver BC", "1234", "W Hastings St", "Vancouver", "BC", "");
        is("1015 17 Avenue SW, Calgary", "1015", "17 Avenue SW", "Calgary", "", "");
        is("350 5e avenue, Verdun", "350", "5e avenue", "Verdun", "", "");
        is("rue Peel 1200, Montréal", "1200", "rue Peel", "Montréal", "", "");
        is("12 rang double, saint-isidore, québec J0L 2A0", "12", "rang double", "Saint-Isidore", "QC", "J0L 2A0");
        is("500 grande allée est québec", "500", "grande allée est", "Québec", "QC", "");
        is("44 chemin du lac H2X 1Y", "44", "chemin du lac", "", "", "H2X");
        is("123A maple avenue, st. john's, newfoundland and labrador", "123A", "maple avenue", "St. John's", "NL", "");
        is("1200 rue pe", "1200", "rue pe", "", "", "");
        is("1200 RUE ON", "1200", "RUE ON", "", "", "");
        is("77 bank street ottawa on", "77", "bank street", "Ottawa", "ON", "");
        is("77 bank street ON", "77", "bank street", "", "ON", "");
        is("h2x 1y4", "", "", "", "", "H2X 1Y4");
        is("Trois-Rivières", "", "", "Trois-Rivières", "", "");
    }

    #[test]
    fn street_names_that_are_also_towns_stay_streets() {
        is("1200 rue sherbrooke", "1200", "rue sherbrooke", "", "", "");
        is("3500 saint laurent", "3500", "saint laurent", "", "", "");
        is("100 avenue du mont-royal", "100", "avenue du mont-royal", "", "", "");
        is("2000 rue sherbrooke ouest montréal", "2000", "rue sherbrooke ouest", "Montréal", "", "");
    }

    proptest! {
        #[test]
        fn anything_typed_is_read(text in "(?s).{0,80}") {
            let _ = TypedAddress::read(&text, Coordinates::MONTREAL).civil();
        }

        #[test]
        fn words_of_addresses_in_any_order_are_read(words in proptest::collection::vec(
            proptest::sample::select(vec!["12", "rue", "Peel", ",", "QC", "H2X", "1Y4", "St", "5e", "W", "#4", "apt", "Québec", "Canada", "on", "-", "é", "Ave"]), 0..9)) {
            let _ = TypedAddress::read(&words.join(" "), Coordinates::MONTREAL);
        }
    }
}
