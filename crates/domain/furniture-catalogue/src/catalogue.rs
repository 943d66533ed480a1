//! Reading the catalogue and finding items by id.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;

use crate::{
    Category, InvalidVolume, Item, Names, UnknownCategory, UnknownWeightClass, Volume, Words, search::SearchText,
};

const BUILTIN: &str = include_str!("../../../../fixtures/furniture.csv");
const BUILTIN_WORDS: &str = include_str!("../../../../fixtures/furniture-words.csv");

// The unit test below proves that the files parse, so the empty fallback is never served.
static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::parse(BUILTIN, BUILTIN_WORDS).unwrap_or_default());

/// All items, in the order of the picker, findable by id and by words.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    items: Vec<Item>,
    by_id: HashMap<String, usize>,
    pub(crate) texts: Vec<SearchText>,
}

/// Why a catalogue file was refused. Rows count from 1 without the header.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    /// Not the expected columns.
    #[error("the catalogue file cannot be read: {0}")]
    Csv(#[from] csv::Error),
    /// A category that does not exist.
    #[error("row {row}: {source}")]
    Category {
        /// Row.
        row: usize,
        /// What is wrong.
        source: UnknownCategory,
    },
    /// A weight class that does not exist.
    #[error("row {row}: {source}")]
    WeightClass {
        /// Row.
        row: usize,
        /// What is wrong.
        source: UnknownWeightClass,
    },
    /// Not a volume.
    #[error("row {row}: {source}")]
    Volume {
        /// Row.
        row: usize,
        /// What is wrong.
        source: InvalidVolume,
    },
    /// An empty id or name, or a volume of nothing.
    #[error("row {row}: id, names and volume must not be empty")]
    Empty {
        /// Row.
        row: usize,
    },
    /// Two rows with one id.
    #[error("row {row}: the id {id} is already taken")]
    DuplicateId {
        /// Row.
        row: usize,
        /// The id.
        id: String,
    },
    /// Words for an item that is not in the catalogue.
    #[error("words for {id}, which is no item")]
    WordsForNothing {
        /// The id.
        id: String,
    },
}

/// Other words for an item, parted by semicolons.
#[derive(Deserialize)]
struct WordsRow {
    id: String,
    en: String,
    fr: String,
    zh: String,
}

impl WordsRow {
    fn into_words(self) -> Words {
        let list = |text: &str| text.split(';').map(str::trim).filter(|w| !w.is_empty()).map(str::to_owned).collect();
        Words { en: list(&self.en), fr: list(&self.fr), zh: list(&self.zh) }
    }
}

#[derive(Deserialize)]
struct Row {
    id: String,
    category: String,
    name_en: String,
    name_fr: String,
    name_zh: String,
    cubic_feet: String,
    weight_class: String,
    needs_assembly: bool,
}

impl Row {
    fn into_item(self, row: usize) -> Result<Item, CatalogueError> {
        let volume: Volume = self.cubic_feet.parse().map_err(|source| CatalogueError::Volume { row, source })?;
        let texts = [&self.id, &self.name_en, &self.name_fr, &self.name_zh];
        if volume == Volume::ZERO || texts.iter().any(|t| t.trim().is_empty()) {
            return Err(CatalogueError::Empty { row });
        }
        Ok(Item {
            category: self.category.parse().map_err(|source| CatalogueError::Category { row, source })?,
            weight_class: self.weight_class.parse().map_err(|source| CatalogueError::WeightClass { row, source })?,
            id: self.id,
            name: Names { en: self.name_en, fr: self.name_fr, zh: self.name_zh },
            words: Words::default(),
            volume,
            needs_assembly: self.needs_assembly,
        })
    }
}

impl Catalogue {
    /// The catalogue that ships with Portage.
    pub fn builtin() -> &'static Catalogue {
        &CATALOGUE
    }

    /// Reads a catalogue in the columns of `fixtures/furniture.csv`, further columns are ignored,
    /// and the other words for its items in those of `fixtures/furniture-words.csv`.
    pub fn parse(text: &str, words: &str) -> Result<Catalogue, CatalogueError> {
        let mut catalogue = Catalogue::default();
        let mut others = HashMap::new();
        for row in csv::Reader::from_reader(words.as_bytes()).into_deserialize::<WordsRow>() {
            let row = row?;
            others.insert(row.id.clone(), row.into_words());
        }
        for (index, row) in csv::Reader::from_reader(text.as_bytes()).into_deserialize::<Row>().enumerate() {
            let mut item = row?.into_item(index + 1)?;
            item.words = others.remove(&item.id).unwrap_or_default();
            if catalogue.by_id.insert(item.id.clone(), index).is_some() {
                return Err(CatalogueError::DuplicateId { row: index + 1, id: item.id });
            }
            catalogue.texts.push(SearchText::of(&item));
            catalogue.items.push(item);
        }
        match others.into_keys().next() {
            Some(id) => Err(CatalogueError::WordsForNothing { id }),
            None => Ok(catalogue),
        }
    }

    /// The item with this id.
    pub fn get(&self, id: &str) -> Option<&Item> {
        self.by_id.get(id).and_then(|index| self.items.get(*index))
    }

    /// All items in catalogue order.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The items of one category in catalogue order.
    pub fn in_category(&self, category: Category) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |i| i.category == category)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use kernel::Language;

    use super::*;
    use proptest::prelude::*;

    const HEADER: &str = "id,category,name_en,name_fr,name_zh,cubic_feet,weight_class,needs_assembly,source";

    const WORDS: &str = "id,en,fr,zh\n";

    fn one(row: &str) -> Result<Catalogue, CatalogueError> {
        Catalogue::parse(&format!("{HEADER}\n{row}\n"), WORDS)
    }

    #[test]
    fn the_built_in_catalogue_is_whole() {
        let catalogue = Catalogue::parse(BUILTIN, BUILTIN_WORDS).unwrap();
        assert_eq!(catalogue.items().len(), 159);
        assert!(catalogue.items().iter().all(|i| Language::ALL.iter().all(|l| !i.words.get(*l).is_empty())));
        assert_eq!(Catalogue::builtin().items(), catalogue.items());
        for category in Category::ALL {
            assert!(catalogue.in_category(category).count() >= 16, "{category}");
        }
        for item in catalogue.items() {
            assert_eq!(catalogue.get(&item.id).unwrap(), item);
            assert!(item.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'), "{}", item.id);
        }
        assert!(catalogue.get("no-such-thing").is_none());
    }

    #[test]
    fn the_border_of_big_items_is_the_fridge() {
        let big = |id: &str| Catalogue::builtin().get(id).unwrap().is_big();
        assert!(big("fridge-standard") && big("couch-3-seats"));
        assert!(!big("fridge-medium") && !big("mattress-king"));
        let couch = Catalogue::builtin().get("couch-3-seats").unwrap();
        assert_eq!((couch.volume.dcf(), couch.volume.to_string().as_str(), couch.is_heavy()), (500, "50.0", true));
    }

    #[test]
    fn an_item_is_json_as_the_contract_says() {
        let json = serde_json::to_value(Catalogue::builtin().get("nightstand").unwrap()).unwrap();
        assert_eq!(
            json,
            serde_json::json!({
                "id": "nightstand", "category": "bedroom-bathroom",
                "name": { "en": "Nightstand", "fr": "Table de chevet", "zh": "床头柜" },
                "cubicFeet": "5.0", "weightClass": "light", "needsAssembly": false,
                "words": {
                    "en": ["night stand", "bedside table", "bedside", "night table", "side table", "bed table"],
                    "fr": ["table de nuit", "chevet", "table chevet"],
                    "zh": ["床边柜", "床边桌", "床头桌"]
                }
            })
        );
    }

    #[test]
    fn words_belong_to_an_item() {
        let row = format!("{HEADER}\na,living-room,A,B,C,10,light,false,x\n");
        let read = Catalogue::parse(&row, &format!("{WORDS}a,one; two;,deux,\n")).unwrap();
        assert_eq!(
            read.items()[0].words,
            Words { en: vec!["one".into(), "two".into()], fr: vec!["deux".into()], zh: vec![] }
        );
        let error = Catalogue::parse(&row, &format!("{WORDS}b,x,y,z\n")).unwrap_err();
        assert_eq!(error.to_string(), "words for b, which is no item");
    }

    #[test]
    fn bad_rows_name_their_row() {
        let good = "a,living-room,A,B,C,10,light,false,x";
        assert_eq!(one(good).unwrap().items().len(), 1);
        for (bad, says) in [
            ("a,garage,A,B,C,10,light,false,x", "row 1: not a furniture category"),
            ("a,living-room,A,B,C,10,medium,false,x", "row 1: the weight class"),
            ("a,living-room,A,B,C,10.25,light,false,x", "row 1: a volume is"),
            ("a,living-room,A,B,C,0,light,false,x", "row 1: id, names"),
            ("a,living-room,A,,C,10,light,false,x", "row 1: id, names"),
            ("a,living-room,A,B,C,10,light,perhaps,x", "the catalogue file cannot be read"),
            ("a,living-room,A", "the catalogue file cannot be read"),
            (&format!("{good}\n{good}"), "row 2: the id a is already taken"),
        ] {
            let error = one(bad).unwrap_err().to_string();
            assert!(error.starts_with(says), "{bad}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "(?s).{0,200}") {
            let _ = Catalogue::parse(&text, WORDS);
            let _ = Catalogue::parse(BUILTIN, &text);
            let _ = one(&text);
        }
    }
}
