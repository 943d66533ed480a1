//! One kind of thing people move.

use std::str::FromStr;

use kernel::Language;
use serde::Serialize;

use crate::{Category, Volume};

/// The smallest volume of a big item, in tenths of a cubic foot: 50 cubic feet.
///
/// The specification calls an item small under 50 cubic feet and big when larger than an
/// average fridge. An average fridge takes about 52 cubic feet of truck, so both sentences name
/// this one border.
pub const BIG_ITEM_MIN_DCF: u32 = 500;

/// What one person can do with the piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WeightClass {
    /// About 35 lb at most.
    Light,
    /// One person can carry or drag it.
    Standard,
    /// One person cannot handle it: needs two.
    Heavy,
}

/// None of light, standard and heavy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the weight class must be light, standard or heavy")]
pub struct UnknownWeightClass;

impl FromStr for WeightClass {
    type Err = UnknownWeightClass;
    fn from_str(s: &str) -> Result<Self, UnknownWeightClass> {
        match s {
            "light" => Ok(WeightClass::Light),
            "standard" => Ok(WeightClass::Standard),
            "heavy" => Ok(WeightClass::Heavy),
            _ => Err(UnknownWeightClass),
        }
    }
}

/// A name in the three languages.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Names {
    /// English.
    pub en: String,
    /// French (Québec).
    pub fr: String,
    /// Chinese (Simplified).
    pub zh: String,
}

impl Names {
    /// The name in `language`.
    pub fn get(&self, language: Language) -> &str {
        match language {
            Language::En => &self.en,
            Language::Fr => &self.fr,
            Language::Zh => &self.zh,
        }
    }
}

/// Other words people say for it, in the three languages, the most usual first.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Words {
    /// English.
    pub en: Vec<String>,
    /// French (Québec).
    pub fr: Vec<String>,
    /// Chinese (Simplified).
    pub zh: Vec<String>,
}

impl Words {
    /// The words in `language`.
    pub fn get(&self, language: Language) -> &[String] {
        match language {
            Language::En => &self.en,
            Language::Fr => &self.fr,
            Language::Zh => &self.zh,
        }
    }
}

/// One kind of thing people move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// Stable id, `couch-3-seats`.
    pub id: String,
    /// Group of the picker.
    pub category: Category,
    /// What people call it.
    pub name: Names,
    /// What else people call it.
    pub words: Words,
    /// Loaded volume of one piece, cubic feet.
    #[serde(rename = "cubicFeet")]
    pub volume: Volume,
    /// What one person can do with it.
    pub weight_class: WeightClass,
    /// True when it is normally taken apart and put together again.
    pub needs_assembly: bool,
}

impl Item {
    /// True from 50 cubic feet ([`BIG_ITEM_MIN_DCF`]).
    pub fn is_big(&self) -> bool {
        self.volume.dcf() >= BIG_ITEM_MIN_DCF
    }

    /// True when one person cannot handle it.
    pub fn is_heavy(&self) -> bool {
        self.weight_class == WeightClass::Heavy
    }
}
