//! The eight kinds of move.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// What kind of move a customer asks for (specification, move types).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MoveKind {
    /// A home.
    Residential,
    /// Into or out of a storage unit.
    Storage,
    /// Labour only, no truck.
    JustMates,
    /// Over the long-distance border of the rate card (100 km).
    LongDistance,
    /// An office or a shop.
    Commercial,
    /// A few items, delivered inside.
    ItemDelivery,
    /// Delivered to the curb.
    Curbside,
    /// Unwrapped, placed, packaging taken away.
    WhiteGlove,
}

/// None of the eight kinds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a kind of move Portage offers")]
pub struct UnknownMoveKind;

impl MoveKind {
    /// All eight, in the order of menus.
    pub const ALL: [MoveKind; 8] = [
        MoveKind::Residential,
        MoveKind::Storage,
        MoveKind::JustMates,
        MoveKind::LongDistance,
        MoveKind::Commercial,
        MoveKind::ItemDelivery,
        MoveKind::Curbside,
        MoveKind::WhiteGlove,
    ];

    /// The code of the HTTP contract, `itemDelivery`.
    pub const fn code(self) -> &'static str {
        match self {
            MoveKind::Residential => "residential",
            MoveKind::Storage => "storage",
            MoveKind::JustMates => "justMates",
            MoveKind::LongDistance => "longDistance",
            MoveKind::Commercial => "commercial",
            MoveKind::ItemDelivery => "itemDelivery",
            MoveKind::Curbside => "curbside",
            MoveKind::WhiteGlove => "whiteGlove",
        }
    }

    /// The kind of a request that may leave it out: `justMates` when that flag is set, else
    /// `residential`.
    pub fn resolve(kind: Option<MoveKind>, just_mates: bool) -> MoveKind {
        kind.unwrap_or(if just_mates { MoveKind::JustMates } else { MoveKind::Residential })
    }
}

impl fmt::Display for MoveKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for MoveKind {
    type Err = UnknownMoveKind;
    fn from_str(s: &str) -> Result<Self, UnknownMoveKind> {
        MoveKind::ALL.into_iter().find(|k| k.code() == s).ok_or(UnknownMoveKind)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn codes_read_back_and_agree_with_json() {
        for kind in MoveKind::ALL {
            assert_eq!(kind.code().parse::<MoveKind>().unwrap(), kind);
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{}\"", kind.code()));
        }
        assert_eq!("Residential".parse::<MoveKind>(), Err(UnknownMoveKind));
        assert_eq!(MoveKind::resolve(None, true), MoveKind::JustMates);
        assert_eq!(MoveKind::resolve(None, false), MoveKind::Residential);
        assert_eq!(MoveKind::resolve(Some(MoveKind::Storage), true), MoveKind::Storage);
    }
}
