//! How a charge is paid.

use serde::{Deserialize, Serialize};

use super::ledger::Account;

/// How a charge is paid, or a refund given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PaidWith {
    /// By the stored card or the card of a payment link, through the gateway.
    Card,
    /// Notes and coins.
    Cash,
    /// A transfer between bank accounts by e-mail (Interac).
    Etransfer,
    /// A cheque.
    Cheque,
}

impl PaidWith {
    /// All of them.
    pub const ALL: [PaidWith; 4] = [PaidWith::Card, PaidWith::Cash, PaidWith::Etransfer, PaidWith::Cheque];
    /// Those that people take and give by hand, and write down.
    pub const BY_HAND: [PaidWith; 3] = [PaidWith::Cash, PaidWith::Etransfer, PaidWith::Cheque];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            PaidWith::Card => "card",
            PaidWith::Cash => "cash",
            PaidWith::Etransfer => "etransfer",
            PaidWith::Cheque => "cheque",
        }
    }

    /// Of its code.
    pub fn from_code(code: &str) -> Option<PaidWith> {
        PaidWith::ALL.into_iter().find(|one| one.code() == code)
    }

    /// The gateway has no part in it.
    pub const fn is_by_hand(self) -> bool {
        !matches!(self, PaidWith::Card)
    }

    /// Where the money lies.
    pub const fn account(self) -> Account {
        match self {
            PaidWith::Card => Account::Gateway,
            PaidWith::Cash => Account::Cash,
            PaidWith::Etransfer | PaidWith::Cheque => Account::Bank,
        }
    }

    /// A transfer and a cheque have a number of their own.
    pub const fn needs_reference(self) -> bool {
        matches!(self, PaidWith::Etransfer | PaidWith::Cheque)
    }
}
