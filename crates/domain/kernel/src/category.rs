//! What kind of place one moves from or to.

use std::{fmt, str::FromStr};

/// A kind of place (specification §3, Locations).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum PlaceCategory {
    House,
    Apartment,
    Condo,
    Storage,
    Office,
    Store,
    Other,
}

/// None of the seven kinds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a place is house, apartment, condo, storage, office, store or other")]
pub struct UnknownPlaceCategory;

impl PlaceCategory {
    /// All seven.
    pub const ALL: [PlaceCategory; 7] = [
        PlaceCategory::House,
        PlaceCategory::Apartment,
        PlaceCategory::Condo,
        PlaceCategory::Storage,
        PlaceCategory::Office,
        PlaceCategory::Store,
        PlaceCategory::Other,
    ];

    /// The code of the HTTP contract, and of the store.
    pub const fn code(self) -> &'static str {
        match self {
            PlaceCategory::House => "house",
            PlaceCategory::Apartment => "apartment",
            PlaceCategory::Condo => "condo",
            PlaceCategory::Storage => "storage",
            PlaceCategory::Office => "office",
            PlaceCategory::Store => "store",
            PlaceCategory::Other => "other",
        }
    }
}

impl fmt::Display for PlaceCategory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for PlaceCategory {
    type Err = UnknownPlaceCategory;
    fn from_str(s: &str) -> Result<Self, UnknownPlaceCategory> {
        PlaceCategory::ALL.into_iter().find(|c| c.code() == s).ok_or(UnknownPlaceCategory)
    }
}
