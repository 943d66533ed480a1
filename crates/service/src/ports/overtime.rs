//! Time beyond what was agreed, that the customer said yes to.

use chrono::{DateTime, Utc};
use kernel::{Money, UserId};
use serde::{Deserialize, Serialize};

/// Why a move took longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OvertimeCause {
    /// More or larger things than were listed.
    MoreItems,
    /// A longer carry, stairs or a blocked way that nobody told of.
    Access,
    /// The elevator was out of order, shared or not reserved.
    Elevator,
    /// Things were not packed, keys or people were missing.
    NotReady,
    /// The customer asked for more: another stop, unpacking, furniture put elsewhere.
    ExtraWork,
    /// Something else, said in the customer's consent.
    Other,
}

impl OvertimeCause {
    /// All of them.
    pub const ALL: [OvertimeCause; 6] = [
        OvertimeCause::MoreItems,
        OvertimeCause::Access,
        OvertimeCause::Elevator,
        OvertimeCause::NotReady,
        OvertimeCause::ExtraWork,
        OvertimeCause::Other,
    ];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            OvertimeCause::MoreItems => "more_items",
            OvertimeCause::Access => "access",
            OvertimeCause::Elevator => "elevator",
            OvertimeCause::NotReady => "not_ready",
            OvertimeCause::ExtraWork => "extra_work",
            OvertimeCause::Other => "other",
        }
    }

    /// Of its code.
    pub fn from_code(code: &str) -> Option<OvertimeCause> {
        OvertimeCause::ALL.into_iter().find(|one| one.code() == code)
    }
}

/// One time that was added. All minutes of a booking are one line of its price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Overtime {
    /// As they were counted; what is billed is rounded by the rate card.
    pub minutes: u32,
    /// Why.
    pub cause: OvertimeCause,
    /// Who agreed, and how, in the words of whoever wrote it down; empty when only the yes was.
    pub consent: String,
    /// By how much the price before tax rose.
    pub amount: Money,
    /// When it was written down.
    pub at: DateTime<Utc>,
    /// Who wrote it down.
    pub by: Option<UserId>,
}
