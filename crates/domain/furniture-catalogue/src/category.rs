//! The six groups of the furniture picker.

use std::{fmt, str::FromStr};

use kernel::Language;
use serde::{Deserialize, Serialize};

/// A group of the furniture picker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Category {
    /// Beds, wardrobes, dressers, bathroom pieces.
    BedroomBathroom,
    /// Boxes, bins, suitcases.
    BinContainerBox,
    /// Tables, chairs, small kitchen machines.
    KitchenDiningRoom,
    /// Fridges, ranges, washers.
    LargeAppliances,
    /// Couches, screens, desks, shelves.
    LivingRoom,
    /// Garden, tools, bicycles, gym.
    OutdoorSports,
}

/// None of the six categories.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a furniture category")]
pub struct UnknownCategory;

impl Category {
    /// All six, in the order of the picker.
    pub const ALL: [Category; 6] = [
        Category::BedroomBathroom,
        Category::LivingRoom,
        Category::KitchenDiningRoom,
        Category::LargeAppliances,
        Category::OutdoorSports,
        Category::BinContainerBox,
    ];

    /// The stable id, as in the catalogue file and in message keys (`category.{id}`).
    pub const fn id(self) -> &'static str {
        match self {
            Category::BedroomBathroom => "bedroom-bathroom",
            Category::BinContainerBox => "bin-container-box",
            Category::KitchenDiningRoom => "kitchen-dining-room",
            Category::LargeAppliances => "large-appliances",
            Category::LivingRoom => "living-room",
            Category::OutdoorSports => "outdoor-sports",
        }
    }

    /// The heading shown to people.
    pub const fn name(self, language: Language) -> &'static str {
        use Category::*;
        match (self, language) {
            (BedroomBathroom, Language::En) => "Bedroom / bathroom",
            (BedroomBathroom, Language::Fr) => "Chambre et salle de bain",
            (BedroomBathroom, Language::Zh) => "卧室/浴室",
            (BinContainerBox, Language::En) => "Bins, containers and boxes",
            (BinContainerBox, Language::Fr) => "Bacs, contenants et boîtes",
            (BinContainerBox, Language::Zh) => "收纳箱与纸箱",
            (KitchenDiningRoom, Language::En) => "Kitchen / dining room",
            (KitchenDiningRoom, Language::Fr) => "Cuisine et salle à manger",
            (KitchenDiningRoom, Language::Zh) => "厨房/餐厅",
            (LargeAppliances, Language::En) => "Large appliances",
            (LargeAppliances, Language::Fr) => "Gros électroménagers",
            (LargeAppliances, Language::Zh) => "大型家电",
            (LivingRoom, Language::En) => "Living room",
            (LivingRoom, Language::Fr) => "Salon",
            (LivingRoom, Language::Zh) => "客厅",
            (OutdoorSports, Language::En) => "Outdoor / sports",
            (OutdoorSports, Language::Fr) => "Extérieur et sports",
            (OutdoorSports, Language::Zh) => "户外/运动",
        }
    }
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

impl FromStr for Category {
    type Err = UnknownCategory;
    fn from_str(s: &str) -> Result<Self, UnknownCategory> {
        Category::ALL.into_iter().find(|c| c.id() == s).ok_or(UnknownCategory)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn ids_are_the_json_form_and_names_are_told_apart() {
        for category in Category::ALL {
            assert_eq!(category.id().parse::<Category>().unwrap(), category);
            assert_eq!(serde_json::to_string(&category).unwrap(), format!("\"{category}\""));
            let names = Language::ALL.map(|l| category.name(l));
            assert!(names.iter().all(|n| !n.is_empty()) && names[0] != names[1] && names[1] != names[2], "{names:?}");
        }
        assert!("garage".parse::<Category>().is_err());
    }
}
