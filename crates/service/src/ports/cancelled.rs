//! Who cancelled, as bookings keep it.

use serde::{Deserialize, Serialize};

/// Whose wish or fault a cancellation was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CancelledBy {
    /// The customer; a no-show counts as one.
    Customer,
    /// The company.
    Company,
    /// The program: the last attempt to charge it failed, or its customer did not agree to be charged again.
    System,
}

impl CancelledBy {
    /// All of them.
    pub const ALL: [CancelledBy; 3] = [CancelledBy::Customer, CancelledBy::Company, CancelledBy::System];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            CancelledBy::Customer => "customer",
            CancelledBy::Company => "company",
            CancelledBy::System => "system",
        }
    }
}

impl From<policy::CancelledBy> for CancelledBy {
    fn from(by: policy::CancelledBy) -> CancelledBy {
        match by {
            policy::CancelledBy::Customer => CancelledBy::Customer,
            policy::CancelledBy::Company => CancelledBy::Company,
        }
    }
}
