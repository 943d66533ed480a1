//! Rooms that a typical home has or has not, each with what usually stands in it.

use kernel::Language;
use serde::Serialize;

/// A room besides those of a [`crate::Preset`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Room {
    /// A bedroom more than the home's kind says.
    Bedroom,
    /// A room to work in.
    Office,
    /// A garage, a shed or a large locker.
    Garage,
}

impl Room {
    /// All of them.
    pub const ALL: [Room; 3] = [Room::Bedroom, Room::Office, Room::Garage];

    /// The stable id.
    pub const fn id(self) -> &'static str {
        match self {
            Room::Bedroom => "bedroom",
            Room::Office => "office",
            Room::Garage => "garage",
        }
    }

    /// What people call it.
    pub const fn name(self, language: Language) -> &'static str {
        match (self, language) {
            (Room::Bedroom, Language::En) => "One more bedroom",
            (Room::Bedroom, Language::Fr) => "Chambre de plus",
            (Room::Bedroom, Language::Zh) => "另加卧室",
            (Room::Office, Language::En) => "Home office",
            (Room::Office, Language::Fr) => "Bureau à domicile",
            (Room::Office, Language::Zh) => "书房",
            (Room::Garage, Language::En) => "Garage or shed",
            (Room::Garage, Language::Fr) => "Garage ou remise",
            (Room::Garage, Language::Zh) => "车库或储藏间",
        }
    }

    /// Item ids with their quantities (each at least 1).
    pub const fn items(self) -> &'static [(&'static str, u32)] {
        match self {
            Room::Bedroom => BEDROOM,
            Room::Office => OFFICE,
            Room::Garage => GARAGE,
        }
    }
}

const BEDROOM: &[(&str, u32)] = &[
    ("mattress-double", 1),
    ("bed-frame-double", 1),
    ("dresser-single", 1),
    ("nightstand", 1),
    ("box-small-1-5", 4),
    ("box-medium-3-1", 5),
    ("box-wardrobe", 1),
];

const OFFICE: &[(&str, u32)] = &[
    ("desk-medium", 1),
    ("office-chair", 1),
    ("bookcase-medium", 1),
    ("filing-cabinet-2", 1),
    ("computer-desktop", 1),
    ("printer", 1),
    ("box-small-1-5", 6),
    ("box-file", 4),
];

const GARAGE: &[(&str, u32)] = &[
    ("tool-box", 1),
    ("ladder", 1),
    ("tires-set", 1),
    ("bicycle-adult", 1),
    ("lawn-mower", 1),
    ("bin-plastic-large", 6),
];

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Catalogue;

    #[test]
    fn rooms_hold_real_items_once() {
        for room in Room::ALL {
            let mut seen = std::collections::HashSet::new();
            for (id, quantity) in room.items() {
                assert!(Catalogue::builtin().get(id).is_some() && *quantity >= 1 && seen.insert(id), "{id}");
            }
            assert_eq!(serde_json::to_value(room).unwrap(), room.id());
            let names = Language::ALL.map(|l| room.name(l));
            assert!(names[0] != names[1] && names[1] != names[2]);
        }
    }
}
