//! Ready-made inventories, so that nobody starts from an empty list.

use std::str::FromStr;

use kernel::Language;
use serde::{Deserialize, Serialize};

use crate::{Catalogue, Volume};

/// A usual household.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// One room with a kitchenette.
    Studio,
    /// One closed bedroom.
    OneBedroom,
    /// Two bedrooms.
    TwoBedroom,
    /// Three bedrooms.
    ThreeBedroom,
}

/// None of the presets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a preset inventory")]
pub struct UnknownPreset;

impl Preset {
    /// All of them, smallest first.
    pub const ALL: [Preset; 4] = [Preset::Studio, Preset::OneBedroom, Preset::TwoBedroom, Preset::ThreeBedroom];

    /// The stable id.
    pub const fn id(self) -> &'static str {
        match self {
            Preset::Studio => "studio",
            Preset::OneBedroom => "one-bedroom",
            Preset::TwoBedroom => "two-bedroom",
            Preset::ThreeBedroom => "three-bedroom",
        }
    }

    /// What people call it.
    pub const fn name(self, language: Language) -> &'static str {
        match (self, language) {
            (Preset::Studio, Language::En | Language::Fr) => "Studio",
            (Preset::Studio, Language::Zh) => "单间公寓",
            (Preset::OneBedroom, Language::En) => "One bedroom",
            (Preset::OneBedroom, Language::Fr) => "Une chambre",
            (Preset::OneBedroom, Language::Zh) => "一居室",
            (Preset::TwoBedroom, Language::En) => "Two bedrooms",
            (Preset::TwoBedroom, Language::Fr) => "Deux chambres",
            (Preset::TwoBedroom, Language::Zh) => "两居室",
            (Preset::ThreeBedroom, Language::En) => "Three bedrooms",
            (Preset::ThreeBedroom, Language::Fr) => "Trois chambres",
            (Preset::ThreeBedroom, Language::Zh) => "三居室",
        }
    }

    /// Item ids with their quantities (each at least 1).
    pub const fn items(self) -> &'static [(&'static str, u32)] {
        match self {
            Preset::Studio => STUDIO,
            Preset::OneBedroom => ONE_BEDROOM,
            Preset::TwoBedroom => TWO_BEDROOM,
            Preset::ThreeBedroom => THREE_BEDROOM,
        }
    }

    /// The loaded volume of the whole inventory in `catalogue`; items it lacks count nothing.
    pub fn volume(self, catalogue: &Catalogue) -> Volume {
        self.items().iter().filter_map(|(id, n)| catalogue.get(id).map(|i| i.volume.times(*n))).sum()
    }
}

impl FromStr for Preset {
    type Err = UnknownPreset;
    fn from_str(s: &str) -> Result<Self, UnknownPreset> {
        Preset::ALL.into_iter().find(|p| p.id() == s).ok_or(UnknownPreset)
    }
}

const STUDIO: &[(&str, u32)] = &[
    ("mattress-double", 1),
    ("bed-frame-double", 1),
    ("dresser-single", 1),
    ("nightstand", 1),
    ("couch-2-seats", 1),
    ("coffee-table", 1),
    ("tv-under-50", 1),
    ("kitchen-table-small", 1),
    ("dining-chair", 2),
    ("microwave", 1),
    ("box-small-1-5", 8),
    ("box-medium-3-1", 10),
    ("box-large-4-5", 4),
    ("suitcase-large", 2),
];

const ONE_BEDROOM: &[(&str, u32)] = &[
    ("mattress-queen", 1),
    ("box-spring-queen", 1),
    ("bed-frame-queen", 1),
    ("dresser-double", 1),
    ("nightstand", 2),
    ("couch-3-seats", 1),
    ("coffee-table", 1),
    ("tv-50-65", 1),
    ("tv-stand", 1),
    ("bookcase-small", 1),
    ("dining-table-4", 1),
    ("dining-chair", 4),
    ("microwave", 1),
    ("washer", 1),
    ("dryer", 1),
    ("box-small-1-5", 12),
    ("box-medium-3-1", 18),
    ("box-large-4-5", 8),
    ("box-wardrobe", 2),
    ("floor-lamp", 1),
    ("rug-large", 1),
];

const TWO_BEDROOM: &[(&str, u32)] = &[
    ("mattress-queen", 1),
    ("box-spring-queen", 1),
    ("bed-frame-queen", 1),
    ("mattress-double", 1),
    ("bed-frame-double", 1),
    ("dresser-double", 1),
    ("chest-of-drawers", 1),
    ("nightstand", 3),
    ("couch-3-seats", 1),
    ("couch-1-seat", 1),
    ("coffee-table", 1),
    ("end-table", 2),
    ("tv-50-65", 1),
    ("tv-stand", 1),
    ("bookcase-medium", 2),
    ("desk-medium", 1),
    ("office-chair", 1),
    ("dining-table-6", 1),
    ("dining-chair", 6),
    ("fridge-standard", 1),
    ("range", 1),
    ("dishwasher", 1),
    ("washer", 1),
    ("dryer", 1),
    ("box-small-1-5", 20),
    ("box-medium-3-1", 25),
    ("box-large-4-5", 12),
    ("box-wardrobe", 4),
    ("bicycle-adult", 2),
];

const THREE_BEDROOM: &[(&str, u32)] = &[
    ("mattress-king", 1),
    ("box-spring-king", 1),
    ("bed-frame-king", 1),
    ("mattress-queen", 1),
    ("bed-frame-queen", 1),
    ("mattress-single", 1),
    ("bed-frame-single", 1),
    ("dresser-triple", 1),
    ("dresser-double", 1),
    ("chest-of-drawers", 1),
    ("nightstand", 4),
    ("couch-sectional-l", 1),
    ("recliner", 1),
    ("coffee-table", 1),
    ("tv-over-65", 1),
    ("entertainment-center", 1),
    ("bookcase-large", 2),
    ("desk-large", 1),
    ("office-chair", 1),
    ("dining-table-8", 1),
    ("dining-chair", 8),
    ("buffet-base", 1),
    ("fridge-large", 1),
    ("range", 1),
    ("dishwasher", 1),
    ("washer", 1),
    ("dryer", 1),
    ("bbq-large", 1),
    ("patio-table", 1),
    ("patio-chair", 6),
    ("lawn-mower", 1),
    ("snow-blower", 1),
    ("tires-set", 1),
    ("bicycle-adult", 3),
    ("box-small-1-5", 30),
    ("box-medium-3-1", 35),
    ("box-large-4-5", 20),
    ("box-wardrobe", 6),
];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn presets_name_real_items_once_and_weigh_what_the_worked_examples_say() {
        for (preset, cubic_feet) in Preset::ALL.into_iter().zip(["249.0", "486.8", "860.5", "1388.5"]) {
            let mut seen = std::collections::HashSet::new();
            for (id, quantity) in preset.items() {
                assert!(Catalogue::builtin().get(id).is_some() && *quantity >= 1 && seen.insert(id), "{id}");
            }
            assert_eq!(preset.volume(Catalogue::builtin()).to_string(), cubic_feet);
            assert_eq!(preset.id().parse::<Preset>().unwrap(), preset);
        }
    }
}
