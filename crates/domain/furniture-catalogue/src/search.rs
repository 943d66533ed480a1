//! Finding items by words, in any of the three languages.
//!
//! The browser searches the same list by the same rules (`frontend/packages/furniture/src/search.ts`);
//! both are tested with `fixtures/furniture-everyday-words.csv`.

use kernel::{Language, fold};

use crate::{Catalogue, Item};

/// A name or another word for an item, folded: as typed, and with its plurals taken off.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Phrase {
    plain: String,
    stem: String,
}

/// The folded texts an item is found by, made once when the catalogue is read.
#[derive(Debug, Clone)]
pub(crate) struct SearchText {
    /// Per language the name first, then the other words.
    phrases: [Vec<Phrase>; 3],
    categories: [String; 3],
    id: String,
}

/// Folded, and every punctuation mark a blank: "Lit, simple" is found by "lit simple".
fn words_of(text: &str) -> String {
    let plain: String = fold(text).chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A word without its plural ending; Chinese has none.
fn stem(word: &str, language: Language) -> &str {
    let short = word.chars().count() <= 3;
    match language {
        Language::En if ["xes", "ches", "shes", "sses"].iter().any(|end| word.ends_with(end)) => {
            word.strip_suffix("es").unwrap_or(word)
        }
        Language::En if !short && !word.ends_with("ss") => word.strip_suffix('s').unwrap_or(word),
        Language::Fr if !short => word.strip_suffix(['s', 'x']).unwrap_or(word),
        _ => word,
    }
}

impl Phrase {
    fn of(text: &str, language: Language) -> Self {
        let plain = words_of(text);
        // Chinese is written without blanks; those around Latin letters depend on the writer.
        let plain = if language == Language::Zh { plain.replace(' ', "") } else { plain };
        let stem = plain.split(' ').map(|word| stem(word, language)).collect::<Vec<_>>().join(" ");
        Phrase { plain, stem }
    }

    fn words(&self) -> impl Iterator<Item = (&str, &str)> {
        self.plain.split(' ').zip(self.stem.split(' '))
    }

    /// Whether some word of this phrase begins as `word` does, or is it in another number.
    fn has_word(&self, word: (&str, &str)) -> bool {
        self.words().any(|(plain, stem)| plain.starts_with(word.0) || stem == word.1)
    }
}

/// The letters of `few` in their order within `many`: "小桌" is in "小餐桌".
fn scattered(few: &str, many: &str) -> bool {
    let mut letters = many.chars();
    few.chars().all(|wanted| letters.any(|letter| letter == wanted))
}

impl SearchText {
    pub(crate) fn of(item: &Item) -> Self {
        SearchText {
            phrases: Language::ALL.map(|l| {
                let words = item.words.get(l).iter().map(String::as_str);
                std::iter::once(item.name.get(l)).chain(words).map(|text| Phrase::of(text, l)).collect()
            }),
            categories: Language::ALL.map(|l| words_of(item.category.name(l))),
            id: words_of(&item.id),
        }
    }

    /// How well the words of one language answer, and which of them: lower is better.
    fn rank_in(&self, column: usize, language: Language, query: &Phrase) -> Option<(u8, usize)> {
        let phrases = self.phrases.get(column)?;
        let at = |test: &dyn Fn(&Phrase) -> bool| phrases.iter().position(test);
        if let Some(index) = at(&|p| p.plain == query.plain || p.stem == query.stem) {
            return Some((0, index));
        }
        if let Some(index) = at(&|p| p.plain.starts_with(&query.plain)) {
            return Some((1, index));
        }
        // Words as they were typed, before others that only have something in common with them.
        if let Some(index) = at(&|p| query.words().all(|(word, _)| p.words().any(|(own, _)| own == word))) {
            return Some((2, index));
        }
        if let Some(index) = at(&|p| query.words().all(|word| p.has_word(word))) {
            return Some((3, index));
        }
        if let Some(index) = at(&|p| query.words().all(|(word, _)| p.plain.contains(word))) {
            return Some((4, index));
        }
        if query.words().all(|word| phrases.iter().any(|p| p.has_word(word))) {
            return Some((5, 0));
        }
        (language == Language::Zh).then(|| at(&|p| scattered(&query.plain, &p.plain))).flatten().map(|index| (6, index))
    }

    /// `None` when some word of the query is nowhere.
    fn rank(&self, text: &str, language: usize) -> Option<(u8, usize)> {
        let own = Language::ALL.get(language).and_then(|l| self.rank_in(language, *l, &Phrase::of(text, *l)));
        if own.is_some() {
            return own;
        }
        // People mix languages in Montréal, and paste ids from elsewhere.
        let foreign = Language::ALL.into_iter().enumerate().filter(|(column, _)| *column != language);
        if let Some(rank) = foreign
            .filter_map(|(column, l)| self.rank_in(column, l, &Phrase::of(text, l)))
            .filter(|(class, _)| *class <= 3)
            .min()
        {
            return Some((7 + rank.0, rank.1));
        }
        let query = words_of(text);
        let mut all = self.categories.iter().chain([&self.id]);
        query
            .split(' ')
            .all(|w| all.clone().any(|t| t.split(' ').any(|own| own.starts_with(w))))
            .then_some((11, 0))
            .or_else(|| {
                // one text holds it all, in the midst of its words
                all.any(|t| query.split(' ').all(|w| t.contains(w))).then_some((12, 0))
            })
    }
}

impl Catalogue {
    fn ranked(&self, text: &str, language: usize) -> Vec<&Item> {
        let mut found: Vec<((u8, usize), &Item)> = self
            .items()
            .iter()
            .zip(&self.texts)
            .filter_map(|(item, texts)| texts.rank(text, language).map(|rank| (rank, item)))
            .collect();
        // Stable: equals keep the catalogue's order.
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, item)| item).collect()
    }

    /// The items that every word of `text` names, best first, without regard to case, accents,
    /// punctuation and number. What is called exactly so comes first, then what begins so; words
    /// of `language` come before those of the other languages, the id and the category. Where
    /// nothing has all the words ("grey sofa"), what has the most telling one is found. An empty
    /// text finds everything, in catalogue order.
    pub fn search(&self, text: &str, language: Language) -> Vec<&Item> {
        let query = words_of(text);
        if query.is_empty() {
            return self.items().iter().collect();
        }
        let column = Language::ALL.iter().position(|l| *l == language).unwrap_or(0);
        let found = self.ranked(text, column);
        if !found.is_empty() {
            return found;
        }
        // the thing itself comes last in English and first in French
        let mut words: Vec<&str> = query.split(' ').filter(|word| word.chars().count() > 2).collect();
        if language == Language::En {
            words.reverse();
        }
        words.into_iter().map(|word| self.ranked(word, column)).find(|found| !found.is_empty()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn ids(text: &str, language: Language) -> Vec<&'static str> {
        Catalogue::builtin().search(text, language).into_iter().map(|i| i.id.as_str()).collect()
    }

    #[test]
    fn accents_case_and_punctuation_do_not_matter() {
        assert_eq!(ids("LIT DE BEBE", Language::Fr)[0], "crib");
        assert_eq!(ids("mattress queen", Language::En)[0], "mattress-queen");
        assert_eq!(ids("床头柜", Language::Zh)[0], "nightstand");
        assert_eq!(ids("oeuvre d’art", Language::Fr)[0], "picture-framed");
        assert!(ids("zzzz", Language::En).is_empty());
        assert_eq!(ids("   ", Language::En).len(), Catalogue::builtin().items().len());
    }

    /// The list is the acceptance: at least sixty words people say in each language.
    #[test]
    fn everyday_words_find_the_right_item_among_the_first_three() {
        let list = include_str!("../../../../fixtures/furniture-everyday-words.csv");
        let mut counts = [0; 3];
        let mut missed = Vec::new();
        for row in list.lines().skip(1) {
            let mut cells = row.split(',');
            let (language, word, id) = (cells.next().unwrap(), cells.next().unwrap(), cells.next().unwrap());
            let column = ["en", "fr", "zh"].iter().position(|code| *code == language).unwrap();
            counts[column] += 1;
            let found = ids(word, Language::ALL[column]);
            if !found.iter().take(3).any(|one| *one == id) {
                missed.push(format!("{row}: {:?}", &found[..found.len().min(5)]));
            }
        }
        assert!(missed.is_empty(), "{missed:#?}");
        assert!(counts.iter().all(|count| *count >= 60), "{counts:?}");
    }

    #[test]
    fn a_word_is_found_while_it_is_typed_and_in_either_number() {
        for word in ["fri", "frid", "fridge", "fridges"] {
            assert!(ids(word, Language::En).iter().take(5).any(|id| *id == "fridge-standard"), "{word}");
        }
        assert_eq!(ids("couches", Language::En)[0], ids("couch", Language::En)[0]);
        assert_eq!(ids("tableaux", Language::Fr)[0], "picture-framed");
        assert_eq!(ids("小桌", Language::Zh)[0], "desk-small");
    }

    #[test]
    fn what_is_called_so_in_the_plural_comes_before_what_only_begins_with_the_word() {
        let found = ids("boxes", Language::En);
        let at = |id: &str| found.iter().position(|one| *one == id).unwrap();
        assert_eq!(found[0], "box-medium-3-1");
        for size in ["box-small-1-5", "box-large-4-5", "box-extra-large-6"] {
            assert!(at(size) < at("box-spring-single"), "{found:?}");
        }
    }

    #[test]
    fn a_word_nobody_knows_does_not_hide_the_one_that_is_known() {
        assert_eq!(ids("grey sofa", Language::En)[0], "couch-3-seats");
        assert_eq!(ids("sofa gris", Language::Fr)[0], "couch-3-seats");
    }

    #[test]
    fn other_languages_find_too_but_come_later() {
        assert!(ids("nightstand", Language::Fr).contains(&"nightstand"));
        assert_eq!(ids("laveuse", Language::Zh)[0], "washer");
        let table = ids("table", Language::Fr);
        let said = |id: &str| {
            let item = Catalogue::builtin().get(id).unwrap();
            let words = item.words.fr.iter().any(|word| words_of(word).contains("table"));
            words || words_of(&item.name.fr).contains("table")
        };
        let first_foreign = table.iter().position(|id| !said(id)).unwrap_or(table.len());
        assert!(first_foreign > 5);
        assert!(table[first_foreign..].iter().all(|id| !said(id)));
    }

    proptest! {
        #[test]
        fn every_item_is_found_by_its_own_name_and_words(index in 0usize..156, language in 0usize..3, word in 0usize..12) {
            let item = &Catalogue::builtin().items()[index];
            let language = Language::ALL[language];
            prop_assert!(ids(item.name.get(language), language).contains(&item.id.as_str()));
            if let Some(word) = item.words.get(language).get(word) {
                prop_assert!(ids(word, language).contains(&item.id.as_str()), "{}", word);
            }
        }

        #[test]
        fn any_text_can_be_searched(text in "(?s).{0,60}") {
            let _ = ids(&text, Language::Zh);
        }
    }
}
