//! What can be asked of the simulator: which operation, and how it ends.

use serde::{Deserialize, Serialize};

/// What the next matching operation will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Goes through.
    Approve,
    /// The bank says no; another attempt may go through (2001, insufficient funds).
    SoftDecline,
    /// The bank says no for good (2004, expired card).
    HardDecline,
    /// It is done, and the answer gets lost.
    TimeoutApplied,
    /// It is not done, and no answer comes.
    TimeoutNotApplied,
    /// HTTP 500; it is not done.
    #[serde(rename = "error_500")]
    Error500,
    /// A charge is captured, or a refund made, and the bank refuses to settle it.
    SettlementDecline,
    /// A charge is captured and settled, and the cardholder disputes it.
    Dispute,
    /// A look-up does not see what is there, as an index that lags behind.
    Miss,
}

impl Outcome {
    /// Nothing is done.
    pub(super) fn is_not_applied(self) -> bool {
        matches!(self, Outcome::TimeoutNotApplied | Outcome::Error500)
    }
}

/// Which operation a queued outcome waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Operation {
    /// The charge of a card (the default).
    #[default]
    Charge,
    /// A refund or a void.
    Refund,
    /// A void alone (`reverseTransaction`).
    Reverse,
    /// The storing of a card; a decline is a failed verification.
    Vault,
    /// The making of a customer; only time-outs and errors mean anything.
    Customer,
    /// A search or the reading of one thing.
    LookUp,
}

impl Operation {
    /// The operation behind a root field of a document.
    pub(super) fn of_field(field: &str) -> Option<Operation> {
        Some(match field {
            "chargePaymentMethod" => Operation::Charge,
            "refundTransaction" => Operation::Refund,
            "reverseTransaction" => Operation::Reverse,
            "vaultPaymentMethod" => Operation::Vault,
            "createCustomer" => Operation::Customer,
            "search" | "node" => Operation::LookUp,
            _ => return None,
        })
    }

    /// The queues it looks into, in this order.
    pub(super) fn queues(self) -> &'static [Operation] {
        match self {
            Operation::Charge => &[Operation::Charge],
            Operation::Refund => &[Operation::Refund],
            Operation::Reverse => &[Operation::Reverse, Operation::Refund],
            Operation::Vault => &[Operation::Vault],
            Operation::Customer => &[Operation::Customer],
            Operation::LookUp => &[Operation::LookUp],
        }
    }

    /// Does this outcome mean anything for it?
    pub(super) fn takes(self, outcome: Outcome) -> bool {
        match outcome {
            Outcome::SettlementDecline => matches!(self, Operation::Charge | Operation::Refund),
            Outcome::Dispute => self == Operation::Charge,
            Outcome::Miss => self == Operation::LookUp,
            Outcome::SoftDecline | Outcome::HardDecline => self != Operation::LookUp,
            _ => true,
        }
    }
}
