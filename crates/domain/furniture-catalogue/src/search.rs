//! Finding items by words, in any of the three languages.

use kernel::{Language, fold};

use crate::{Catalogue, Item};

/// The folded texts an item is found by, made once when the catalogue is read.
#[derive(Debug, Clone)]
pub(crate) struct SearchText {
    names: [String; 3],
    categories: [String; 3],
    id: String,
}

/// Folded, and every punctuation mark a blank: "Lit, simple" is found by "lit simple".
fn words_of(text: &str) -> String {
    let plain: String = fold(text).chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn starts_a_word(text: &str, word: &str) -> bool {
    text.split(' ').any(|w| w.starts_with(word))
}

impl SearchText {
    pub(crate) fn of(item: &Item) -> Self {
        SearchText {
            names: Language::ALL.map(|l| words_of(item.name.get(l))),
            categories: Language::ALL.map(|l| words_of(item.category.name(l))),
            id: words_of(&item.id),
        }
    }

    /// Lower is better; `None` when some word of the query is nowhere.
    fn rank(&self, query: &str, language: usize) -> Option<u8> {
        let name = &self.names[language];
        let everywhere = |test: fn(&str, &str) -> bool, text: &str| query.split(' ').all(|w| test(text, w));
        if name.starts_with(query) {
            return Some(0);
        }
        if everywhere(starts_a_word, name) {
            return Some(1);
        }
        if everywhere(|t, w| t.contains(w), name) {
            return Some(2);
        }
        // People mix languages in Montréal, and paste ids from elsewhere.
        let others = self.names.iter().chain([&self.id]);
        if others.clone().any(|text| everywhere(starts_a_word, text)) {
            return Some(3);
        }
        let mut all = others.chain(&self.categories);
        query.split(' ').all(|w| all.clone().any(|t| starts_a_word(t, w)) || all.any(|t| t.contains(w))).then_some(4)
    }
}

impl Catalogue {
    /// The items whose names hold every word of `text`, best first, without regard to case,
    /// accents and punctuation. Names in `language` come before matches in the other languages,
    /// in the id or in the category. An empty text finds everything, in catalogue order.
    pub fn search(&self, text: &str, language: Language) -> Vec<&Item> {
        let query = words_of(text);
        let column = match language {
            Language::En => 0,
            Language::Fr => 1,
            Language::Zh => 2,
        };
        let mut found: Vec<(u8, &Item)> = self
            .items()
            .iter()
            .zip(&self.texts)
            .filter_map(|(item, texts)| texts.rank(&query, column).map(|rank| (rank, item)))
            .collect();
        // Stable: equals keep the catalogue's order.
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, item)| item).collect()
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
        assert_eq!(ids("床头柜", Language::Zh), ["nightstand"]);
        assert!(ids("zzzz", Language::En).is_empty());
        assert_eq!(ids("   ", Language::En).len(), 156);
    }

    #[test]
    fn other_languages_find_too_but_come_later() {
        assert!(ids("nightstand", Language::Fr).contains(&"nightstand"));
        let table = ids("table", Language::Fr);
        let name = |id: &str| words_of(&Catalogue::builtin().get(id).unwrap().name.fr);
        let first_foreign = table.iter().position(|id| !name(id).contains("table")).unwrap_or(table.len());
        assert!(first_foreign > 5);
        assert!(table[first_foreign..].iter().all(|id| !name(id).contains("table")));
    }

    proptest! {
        #[test]
        fn every_item_is_found_by_its_own_name(index in 0usize..156, language in 0usize..3) {
            let item = &Catalogue::builtin().items()[index];
            let language = Language::ALL[language];
            prop_assert!(ids(item.name.get(language), language).contains(&item.id.as_str()));
        }

        #[test]
        fn any_text_can_be_searched(text in "(?s).{0,60}") {
            let _ = ids(&text, Language::Zh);
        }
    }
}
