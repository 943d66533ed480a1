//! The name of a town elsewhere in a text that people read as part of an address.
//!
//! The price follows the postal code; a driver follows what is written. Whoever writes
//! `2000 Boulevard Laurier – Québec` above a postal code of Montréal would pay for one city and be
//! driven to another, so a text that names a large town far away is refused, however the name is set
//! apart, or not at all.

use kernel::{Province, fold};

use crate::{
    KnownPlace, Place,
    agreement::{TOWN_CODES, is_near, is_quarter},
    gazetteer::{places_with_normal_name, postal_area},
    names::{HAN_NAMES, normalise},
};

/// A town with so many postal codes is recognised wherever its name stands, a smaller one
/// ([`TOWN_CODES`]) only as a part of its own (`12 Elm, Orillia`): names of small towns are words of
/// many streets.
const CITY_CODES: u32 = 1_000;
/// The most words a town's name has.
const MOST_WORDS: usize = 6;

/// What stands in front of the name of a street: its kind in French, and small words. `Road` and its
/// like stand behind the name (see [`ENGLISH_KINDS`]).
const BEFORE_A_NAME: [&str; 53] = [
    "rue",
    "boulevard",
    "boul",
    "blvd",
    "bd",
    "avenue",
    "av",
    "ave",
    "chemin",
    "ch",
    "place",
    "pl",
    "cote",
    "montee",
    "rang",
    "route",
    "rte",
    "autoroute",
    "impasse",
    "allee",
    "croissant",
    "square",
    "terrasse",
    "promenade",
    "quai",
    "cour",
    "cours",
    "passage",
    "ruelle",
    "carre",
    "voie",
    "sentier",
    "highway",
    "hwy",
    "de",
    "du",
    "des",
    "d",
    "la",
    "le",
    "les",
    "l",
    "the",
    "of",
    "vieux",
    "vieille",
    "old",
    "new",
    "upper",
    "lower",
    "petit",
    "petite",
    "grande",
];
/// Words of an apartment or a part of a house.
const UNITS: [&str; 14] = [
    "app",
    "apt",
    "appartement",
    "apartment",
    "unit",
    "unite",
    "suite",
    "ste",
    "bureau",
    "local",
    "no",
    "ph",
    "etage",
    "floor",
];
/// Kinds of street that stand behind their name in English: `Toronto Street` is no town.
const ENGLISH_KINDS: [&str; 43] = [
    "street",
    "st",
    "road",
    "rd",
    "avenue",
    "ave",
    "av",
    "drive",
    "dr",
    "boulevard",
    "blvd",
    "lane",
    "ln",
    "court",
    "crt",
    "ct",
    "crescent",
    "cres",
    "cr",
    "way",
    "place",
    "pl",
    "terrace",
    "terr",
    "trail",
    "tr",
    "circle",
    "cir",
    "line",
    "parkway",
    "pkwy",
    "square",
    "sq",
    "gate",
    "heights",
    "hill",
    "gardens",
    "grove",
    "row",
    "close",
    "mews",
    "highway",
    "hwy",
];
/// Words of a building that may bear the name of a town: `Tour Vancouver`.
const BUILDINGS: [&str; 19] = [
    "edifice",
    "immeuble",
    "building",
    "tour",
    "tower",
    "towers",
    "residence",
    "residences",
    "pavillon",
    "pavilion",
    "lofts",
    "condos",
    "complexe",
    "complex",
    "salle",
    "hall",
    "suite",
    "hotel",
    "maison",
];
/// Names of people that end with the name of a town.
const PEOPLE: [[&str; 2]; 4] = [["queen", "victoria"], ["reine", "victoria"], ["lord", "nelson"], ["lady", "hamilton"]];

/// How a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// A number and a street, which may be called after a town.
    Street,
    /// A city or an apartment, whose words name no street.
    Name,
}

/// The name of a town elsewhere in a text of an address in `own`. Quebec after the town's own name
/// is the province (`Montréal, Québec`).
pub fn town_elsewhere(text: &str, reading: Reading, own: &Place) -> Option<String> {
    if reading == Reading::Name && is_here(&normalise(text), own) && !text.contains(['(', '[']) {
        return None;
    }
    han_town(text, own).or_else(|| {
        let mut own_was_named = false;
        let parts = parts(text);
        let province_follows = |i: usize| parts.get(i + 1).is_some_and(|next| next.iter().all(|w| is_province(w)));
        (0..parts.len()).find_map(|i| in_part(&parts[i], province_follows(i), reading, own, &mut own_was_named))
    })
}

/// The words of each part that is set apart by a sign or by a hyphen with a space beside it.
fn parts(text: &str) -> Vec<Vec<String>> {
    let joined = visible(&fold(text));
    let apart = |c: char| !(c.is_alphanumeric() || c == ' ' || "-'.#".contains(c));
    let parts = joined.split(apart).flat_map(|p| p.split(" -")).flat_map(|p| p.split("- "));
    let words = |part: &str| -> Vec<String> {
        part.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_owned).collect()
    };
    parts.map(words).filter(|w: &Vec<String>| !w.is_empty()).collect()
}

/// A text without what nobody sees between two letters: characters without width, marks of
/// direction, variants, tags, private and impossible ones.
pub fn visible(text: &str) -> String {
    let unseen = |c: char| {
        matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}'
            | '\u{ffa0}' | '\u{feff}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{e000}'..='\u{f8ff}' | '\u{fe00}'..='\u{fe0f}' | '\u{fff0}'..='\u{fffb}'
            | '\u{e0000}'..='\u{10ffff}')
            || u32::from(c) & 0xfffe == 0xfffe
    };
    text.chars().filter(|c| !unseen(*c)).collect()
}

/// `apart`: a province stands in the part behind this one (`Saint-Côme, QC`).
fn in_part(words: &[String], apart: bool, reading: Reading, own: &Place, own_was_named: &mut bool) -> Option<String> {
    let mut from = 0;
    while from < words.len() {
        let Some((length, towns)) = longest_place(words, from) else {
            from += 1;
            continue;
        };
        let (before, after) = (&words[..from], &words[from + length..]);
        let name = normalise(&words[from..from + length].join(" "));
        let alone = before.is_empty() && after.iter().all(|w| is_province(w));
        // A province behind it says that a place is meant, however small.
        let placed = after.first().is_some_and(|w| is_province(w)) || (alone && apart);
        let least = match (alone, placed) {
            (_, true) => 1,
            (true, false) => TOWN_CODES,
            (false, false) => CITY_CODES,
        };
        from += length;
        if is_here(&name, own) {
            *own_was_named = true;
        } else if towns.iter().any(|t| t.codes >= least)
            && !(alone && name == "quebec" && own.province == Province::QC && *own_was_named)
            && !(reading == Reading::Street && names_a_street(before, &name, after))
            && !before.last().is_some_and(|w| BUILDINGS.contains(&w.as_str()))
        {
            return Some(name);
        }
    }
    None
}

/// The place with the most words that begins there, if its name is one.
fn longest_place(words: &[String], from: usize) -> Option<(usize, Vec<&'static KnownPlace>)> {
    let most = MOST_WORDS.min(words.len() - from);
    (1..=most).rev().find_map(|n| {
        let towns = places_with_normal_name(None, &normalise(&words[from..from + n].join(" ")));
        (!towns.is_empty()).then_some((n, towns))
    })
}

/// `12 Rue de Québec`, `12 Toronto Street`, `12 Hamilton`: a kind of street behind the name, or only
/// numbers, units and what begins a street's name before it, and at least one of them.
fn names_a_street(before: &[String], name: &str, after: &[String]) -> bool {
    if after.first().is_some_and(|w| ENGLISH_KINDS.contains(&w.as_str())) {
        return true;
    }
    if let Some(first) = before.last()
        && PEOPLE.iter().any(|p| p[0] == first && p[1] == name)
    {
        return true;
    }
    let begins = |w: &String| {
        w.starts_with(|c: char| c.is_ascii_digit())
            || w.chars().count() == 1
            || BEFORE_A_NAME.contains(&w.as_str())
            || UNITS.contains(&w.as_str())
    };
    !before.is_empty() && before.iter().all(begins)
}

fn is_province(word: &str) -> bool {
    ["canada", "quebec", "ontario", "alberta", "manitoba", "saskatchewan"].contains(&word)
        || word.to_uppercase().parse::<Province>().is_ok()
}

/// The own town, or one near enough to be another name of the same place.
fn is_here(normal_name: &str, own: &Place) -> bool {
    normal_name == normalise(&own.city) && !places_with_normal_name(Some(own.province), normal_name).is_empty()
        || is_quarter(normal_name, own.fsa().and_then(postal_area))
        || places_with_normal_name(None, normal_name).iter().any(|t| is_near(t, own))
}

/// Chinese is written without spaces: a name counts wherever it stands, unless it is a part of a
/// longer one (`北温哥华`).
fn han_town(text: &str, own: &Place) -> Option<String> {
    let written: Vec<_> = HAN_NAMES.iter().filter(|(han, _)| text.contains(han)).collect();
    let whole = |han: &str| !written.iter().any(|(other, _)| *other != han && other.contains(han));
    written.iter().find(|(han, name)| whole(han) && !is_here(name, own)).map(|(han, _)| (*han).to_owned())
}

/// Whether every letter belongs to a script addresses in Canada are written in: Latin, the Canadian
/// syllabics, and Chinese. A letter that only looks like one of them hides a name.
pub fn is_readable(text: &str) -> bool {
    let folded = fold(text);
    folded.chars().filter(|c| c.is_alphabetic()).all(|c| {
        c.is_ascii()
            || matches!(c,
                // Names of First Nations are also written with these.
                'θ' | 'χ' | 'λ' | 'β' | 'ə' | 'ɬ' | 'ɫ' | 'ʔ' | 'ɛ' | 'ɔ' | 'ʰ'..='˿' |
                'ª' | 'º' | 'ß'..='ɏ' | '\u{1400}'..='\u{167f}' | '\u{18b0}'..='\u{18ff}'
                | '々' | '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3134f}')
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{gazetteer::gazetteer, testing::place};

    fn street(text: &str) -> Option<String> {
        town_elsewhere(text, Reading::Street, &place("QC", "Montréal", Some("H3A 3L3")))
    }

    #[test]
    fn a_town_elsewhere_is_noticed_however_it_is_set_apart() {
        for text in [
            "2000 Boulevard Laurier, Québec, QC",
            "2000 Boulevard Laurier / Quebec",
            "2000 Boulevard Laurier - Québec",
            "2000 Boulevard Laurier – Québec",
            "2000 Boulevard Laurier (Québec)",
            "2000 Boulevard Laurier [ville de Québec]",
            "2000 Boulevard Laurier Québec",
            "2000 Boulevard Laurier app. 5 Québec",
            "2000 Boulevard Laurier\nQuébec",
            "2000 Boulevard Laurier: Québec",
            "2000 Boulevard Laurier · Q\u{ad}uébec",
            "2000 Boulevard Laurier, Ｑｕｅｂｅｃ",
            "300 King Street West, Toronto",
            "300 King Street West Toronto ON",
            "300 King St W TORONTO",
            "300 King Street West 多伦多",
            "1500 Rue Talbot, Alma",
            "12 Rue Principale, Saint-Côme, QC",
            "12 Rue Principale, Hearst ON",
            "12 Rue Principale Mont-Laurier QC",
            "12 Rue Principale, Rimo\u{61c}uski",
            "12 Rue Principale, Tor\u{e0041}onto",
            "Toronto",
        ] {
            assert!(street(text).is_some(), "{text}");
        }
        let own = place("QC", "Montréal", Some("H3A 3L3"));
        for text in ["Québec, Montréal", "Montréal (Toronto)", "Montréal via Toronto", "Toronto", "Montréal 多伦多"]
        {
            assert!(town_elsewhere(text, Reading::Name, &own).is_some(), "{text}");
        }
    }

    #[test]
    fn streets_that_are_called_after_a_town_are_streets() {
        for text in [
            "1200 Rue Peel",
            "1200 Rue Peel, Montréal",
            "1200 Rue Peel, Montréal, Québec",
            "1200 Rue Peel, Montréal (Québec)",
            "1200 Rue Peel, Westmount",
            "55 Rue de Québec",
            "55 rue du Vieux-Québec",
            "55-A Avenue Toronto",
            "app. 4, 55 rue Hamilton",
            "12 Toronto Street",
            "5 - 100 Richmond St W",
            "40 London Road North",
            "12 Sherbrooke",
            "1000 Rue Sherbrooke Ouest",
            "Rue Queen-Victoria",
            "1000 Rue Sherbrooke Ouest, Édifice Windsor",
            "3480 Rue McTavish, Résidence Victoria",
            "1000 Rue Sherbrooke Ouest, Ville-Marie",
            "1200 Rue Notre-Dame Ouest, Saint-Henri",
            "3000 Chemin Sainte-Foy, app. 4",
            "1 Place Ville-Marie",
            "4700 Rue Saint-Laurent",
            "",
        ] {
            assert_eq!(street(text), None, "{text}");
        }
        let own = place("QC", "Montréal", Some("H3A 3L3"));
        for text in [
            "Montréal",
            "Montréal, Québec",
            "Montreal (QC)",
            "Ville de Montréal",
            "Verdun",
            "12 B",
            "RDC",
            "蒙特利尔",
            "Tour Vancouver",
            "Ville-Marie",
        ] {
            assert_eq!(town_elsewhere(text, Reading::Name, &own), None, "{text}");
        }
        let capital = place("QC", "Québec", Some("G1V 4V5"));
        assert_eq!(town_elsewhere("2000 Boulevard Laurier, Québec, Québec", Reading::Street, &capital), None);
        assert_eq!(town_elsewhere("2000 Boulevard Laurier Québec", Reading::Street, &capital), None);
    }

    #[test]
    fn every_large_town_may_be_written_as_itself() {
        for p in gazetteer().places.iter().filter(|p| p.codes >= TOWN_CODES) {
            let own = place(p.province.code(), &p.name, Some(p.postal_code.as_str()));
            assert_eq!(town_elsewhere(&p.name, Reading::Name, &own), None, "{}", p.name);
            let line = format!("12 Elm, {}, {}", p.name, p.province);
            assert_eq!(town_elsewhere(&line, Reading::Street, &own), None, "{line}");
        }
    }

    #[test]
    fn letters_that_look_like_others_are_not_read() {
        for text in [
            "2000 Boulevard Laurier",
            "Łódź 5",
            "ᐃᖃᓗᐃᑦ",
            "蒙特利尔 12号",
            "Œuvre",
            "1ᵉʳ étage",
            "1 xʷməθkʷəy̓əm Drive",
            "Ｔｏｒｏｎｔｏ",
        ] {
            assert!(is_readable(text), "{text}");
        }
        for text in ["Тoronto", "Τοronto", "טורונטו", "ＴORΟNTO"] {
            assert!(!is_readable(text), "{text}");
        }
    }
}
