//! What of a street's name tells it from others, and how to write a street nobody knows.

use kernel::fold;

/// Words that say what kind of way it is, in the spellings people type, with the full one.
const TYPES: [(&str, &str); 45] = [
    ("rue", "Rue"),
    ("street", "Street"),
    ("st", "Street"),
    ("avenue", "Avenue"),
    ("ave", "Avenue"),
    ("av", "Avenue"),
    ("boulevard", "Boulevard"),
    ("boul", "Boulevard"),
    ("blvd", "Boulevard"),
    ("bd", "Boulevard"),
    ("bl", "Boulevard"),
    ("chemin", "Chemin"),
    ("ch", "Chemin"),
    ("road", "Road"),
    ("rd", "Road"),
    ("drive", "Drive"),
    ("dr", "Drive"),
    ("way", "Way"),
    ("crescent", "Crescent"),
    ("cres", "Crescent"),
    ("court", "Court"),
    ("crt", "Court"),
    ("ct", "Court"),
    ("place", "Place"),
    ("pl", "Place"),
    ("lane", "Lane"),
    ("ln", "Lane"),
    ("allee", "Allée"),
    ("rang", "Rang"),
    ("route", "Route"),
    ("rte", "Route"),
    ("highway", "Highway"),
    ("hwy", "Highway"),
    ("terrace", "Terrace"),
    ("terr", "Terrasse"),
    ("terrasse", "Terrasse"),
    ("circle", "Circle"),
    ("trail", "Trail"),
    ("tr", "Trail"),
    ("parkway", "Parkway"),
    ("pkwy", "Parkway"),
    ("square", "Square"),
    ("montee", "Montée"),
    ("promenade", "Promenade"),
    ("croissant", "Croissant"),
];
const DIRECTIONS: [(&str, &str, &str); 17] = [
    ("west", "w", "West"),
    ("ouest", "w", "Ouest"),
    ("w", "w", "West"),
    ("o", "w", "Ouest"),
    ("east", "e", "East"),
    ("est", "e", "Est"),
    ("e", "e", "East"),
    ("north", "n", "North"),
    ("nord", "n", "Nord"),
    ("n", "n", "North"),
    ("south", "s", "South"),
    ("sud", "s", "Sud"),
    ("s", "s", "South"),
    ("nw", "nw", "NW"),
    ("ne", "ne", "NE"),
    ("sw", "sw", "SW"),
    ("se", "se", "SE"),
];
const PARTICLES: [&str; 12] = ["de", "du", "des", "la", "le", "les", "d", "l", "the", "of", "a", "aux"];

fn type_of(word: &str) -> Option<&'static str> {
    TYPES.iter().find(|(short, _)| *short == word).map(|(_, full)| *full)
}

fn direction_of(word: &str) -> Option<(&'static str, &'static str)> {
    DIRECTIONS.iter().find(|(text, ..)| *text == word).map(|(_, code, full)| (*code, *full))
}

/// Folded words: hyphens, apostrophes and dots separate, ordinals lose their ending.
fn words(street: &str) -> Vec<String> {
    let plain: String = fold(street).chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    plain.split_whitespace().map(|w| without_ordinal(w).to_owned()).collect()
}

fn without_ordinal(word: &str) -> &str {
    let digits = word.trim_end_matches(|c: char| c.is_alphabetic());
    let ending = &word[digits.len()..];
    let ordinal = ["e", "eme", "ieme", "re", "er", "st", "nd", "rd", "th"].contains(&ending);
    if ordinal && !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) { digits } else { word }
}

/// A street's name as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StreetKey {
    /// What is left without kind of way, direction and particles.
    pub core: Vec<String>,
    /// `w`, `nw`, …
    pub direction: Option<&'static str>,
}

impl StreetKey {
    pub(super) fn of(street: &str) -> StreetKey {
        let all = words(street);
        let mut direction = None;
        let mut core = Vec::new();
        for (i, word) in all.iter().enumerate() {
            let next = all.get(i + 1);
            let ends = next.is_none_or(|n| direction_of(n).is_some());
            // "St-Denis" is a saint, "Peel St" a street.
            let word = match word.as_str() {
                "st" if !ends => "saint",
                "ste" => "sainte",
                other => other,
            };
            let edge = i == 0 || next.is_none();
            match direction_of(word) {
                Some((code, _)) if edge && all.len() > 1 => direction = Some(code),
                _ if type_of(word).is_some() || PARTICLES.contains(&word) => {}
                _ => core.push(word.to_owned()),
            }
        }
        // "Rue Crescent", "Avenue Road": the second kind of way is the name.
        if let [_, name] = &all[..]
            && core.is_empty()
            && all.iter().all(|w| type_of(w).is_some())
        {
            core.push(name.clone());
        }
        StreetKey { core, direction }
    }

    /// True when there is a name at all, not only "rue" or "avenue du".
    pub(super) fn is_named(&self) -> bool {
        !self.core.is_empty()
    }

    /// True when `self`, as far as typed, may mean the street `known`.
    pub(super) fn may_mean(&self, known: &StreetKey) -> bool {
        let Some((last, first)) = self.core.split_last() else { return false };
        let whole = first.len() < known.core.len() && known.core.starts_with(first);
        let begun = known.core.get(first.len()).is_some_and(|w| w.starts_with(last.as_str()));
        let same_side = self.direction.is_none() || known.direction.is_none() || self.direction == known.direction;
        whole && begun && same_side
    }

    /// True when nothing of the name is missing.
    pub(super) fn is_whole(&self, known: &StreetKey) -> bool {
        self.core == known.core
    }
}

/// A street as typed, in the usual spelling: capitals, kinds of way and directions written out.
pub(super) fn spelt(street: &str) -> String {
    let typed: Vec<&str> = street.split_whitespace().collect();
    let shouted = street.chars().filter(|c| c.is_alphabetic()).all(char::is_uppercase);
    let last = typed.len().saturating_sub(1);
    // "boul Gouin e": the kind of way comes first in French, and so the letter is "Est".
    let french = typed.len() > 1 && typed.first().is_some_and(|w| type_of(&fold(w.trim_end_matches('.'))).is_some());
    let spell = |(i, word): (usize, &&str)| {
        let plain = fold(word.trim_end_matches('.'));
        // Only where the word stands for itself: first in French, last (before a direction) in English.
        let before_direction = typed.get(i + 1).is_some_and(|n| direction_of(&fold(n.trim_end_matches('.'))).is_some());
        if let Some(full) = type_of(&plain)
            && (i == last || before_direction || (i == 0 && plain != "st"))
            && typed.len() > 1
        {
            return full.to_owned();
        }
        if let Some((code, full)) = direction_of(&plain)
            && (i == last || i == 0)
            && typed.len() > 1
        {
            return match code {
                "e" if french => "Est",
                "w" if french => "Ouest",
                "n" if french => "Nord",
                "s" if french => "Sud",
                _ => full,
            }
            .to_owned();
        }
        if i > 0 && PARTICLES.contains(&plain.as_str()) {
            return word.to_lowercase();
        }
        if shouted || word.chars().all(|c| !c.is_uppercase()) { capitalised(word) } else { (*word).to_owned() }
    };
    typed.iter().enumerate().map(spell).collect::<Vec<_>>().join(" ")
}

/// `saint-denis` → `Saint-Denis`, `l'église` → `l'Église`.
fn capitalised(word: &str) -> String {
    let mut out = String::new();
    let mut start = !word.starts_with(|c: char| c.is_ascii_digit());
    let elided = word.chars().nth(1).is_some_and(|c| c == '\'' || c == '’');
    for (i, c) in word.chars().enumerate() {
        if start && c.is_alphabetic() && !(elided && i == 0) {
            out.extend(c.to_uppercase());
        } else {
            out.extend(c.to_lowercase());
        }
        start = c == '-' || c == '\'' || c == '’';
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spellings_of_a_street_meet() {
        for (typed, known) in [
            ("peel", "Rue Peel"),
            ("Peel St", "Rue Peel"),
            ("st-denis", "Rue Saint-Denis"),
            ("boul. st laurent", "Boulevard Saint-Laurent"),
            ("ste catherine o", "Rue Sainte-Catherine Ouest"),
            ("5e avenue", "5 Avenue"),
            ("w 4th ave", "West 4th Avenue"),
            ("king st w", "King Street West"),
            ("17th ave sw", "17 Avenue SW"),
            ("sherb", "Rue Sherbrooke Est"),
            ("rue crescent", "Rue Crescent"),
        ] {
            assert!(StreetKey::of(typed).may_mean(&StreetKey::of(known)), "{typed} / {known}");
        }
        for (typed, known) in [
            ("king st e", "King Street West"),
            ("rue", "Rue Peel"),
            ("denis", "Rue Saint-Denis"),
            ("saint denis nord", "Rue Saint-Denis Sud"),
        ] {
            assert!(!StreetKey::of(typed).may_mean(&StreetKey::of(known)), "{typed} / {known}");
        }
    }

    #[test]
    fn unknown_streets_get_their_usual_spelling() {
        for (typed, written) in [
            ("rue des lilas", "Rue des Lilas"),
            ("boul. de l'église o", "Boulevard de l'Église Ouest"),
            ("boul gouin e", "Boulevard Gouin Est"),
            ("maple st", "Maple Street"),
            ("MAPLE AVE N", "Maple Avenue North"),
            ("St-Germain st", "St-Germain Street"),
            ("chemin McDougall", "Chemin McDougall"),
            ("5e avenue", "5e Avenue"),
        ] {
            assert_eq!(spelt(typed), written);
        }
    }

    proptest! {
        #[test]
        fn anything_typed_has_a_key_and_a_spelling(text in "(?s).{0,50}") {
            let key = StreetKey::of(&text);
            let _ = (spelt(&text), key.may_mean(&StreetKey::of("Rue Peel")));
        }
    }
}
