//! What a booking says of its price: lines, taxes, and the price that staff agreed.

use kernel::{Exact, Money, Ppm};
use serde::{Deserialize, Serialize};

/// A price line frozen at booking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BookedLine {
    /// Content type of the specification: `regular`, `rideAlong`, `overtime`, `discount`, `other`.
    #[serde(rename = "type")]
    pub content: String,
    /// `labour`, `travel_fee`, …
    pub code: String,
    /// Text in the customer's language.
    pub description: String,
    /// How many units.
    pub quantity: Exact,
    /// `hour`, `km`, `flat`, …
    pub unit: String,
    /// Dollars a unit.
    pub unit_price: Money,
    /// The line's own factor times the date's.
    pub multiplier: Exact,
    /// The line's own factor, whatever the date; none on lines from before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub own_factor: Option<Exact>,
    /// The date's factor alone; none likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date_factor: Option<Exact>,
    /// Price period, `base`.
    pub period: String,
    /// Cents.
    pub amount: Money,
    /// How the amount comes about, in the customer's language; none likewise, and on what staff added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub explanation: Option<String>,
}

/// A tax that the books have an account for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tax {
    /// Federal.
    Gst,
    /// Of Quebec.
    Qst,
    /// Harmonised.
    Hst,
}

impl Tax {
    /// `gst`, `qst`, `hst`.
    pub const fn code(self) -> &'static str {
        match self {
            Tax::Gst => "gst",
            Tax::Qst => "qst",
            Tax::Hst => "hst",
        }
    }

    /// Of its code; none for a tax without an account.
    pub fn from_code(code: &str) -> Option<Tax> {
        [Tax::Gst, Tax::Qst, Tax::Hst].into_iter().find(|tax| tax.code() == code)
    }
}

/// One tax of the total.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BookedTax {
    /// Which.
    pub name: Tax,
    /// Its rate.
    pub rate: Ppm,
    /// Cents.
    pub amount: Money,
}

/// A price before tax that staff agreed with the customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreed {
    /// By how much it differs from the card's.
    pub difference: Money,
    /// The card's for the move it was agreed for.
    pub list: Money,
}
