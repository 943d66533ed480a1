//! What a booking says of its price: lines, taxes, and the price that staff agreed.

use std::{fmt, str::FromStr};

use kernel::{Exact, Money, Ppm};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

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

/// Which taxes a price has, in the order they are printed. Its text and JSON form joins their codes: `gst+qst`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaxType(Vec<Tax>);

/// A text that names no taxes, or one that the books have no account for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} names a tax that the books have no account for")]
pub struct UnknownTax(String);

impl TaxType {
    /// That of a price with these taxes.
    pub fn of(taxes: &[BookedTax]) -> TaxType {
        TaxType(taxes.iter().map(|t| t.name).collect())
    }
}

impl fmt::Display for TaxType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes: Vec<_> = self.0.iter().map(|t| t.code()).collect();
        f.write_str(&codes.join("+"))
    }
}

impl FromStr for TaxType {
    type Err = UnknownTax;
    fn from_str(text: &str) -> Result<TaxType, UnknownTax> {
        let taxes = text.split('+').map(Tax::from_code).collect::<Option<_>>();
        taxes.map(TaxType).ok_or_else(|| UnknownTax(text.to_owned()))
    }
}

impl Serialize for TaxType {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TaxType {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<TaxType, D::Error> {
        String::deserialize(d)?.parse().map_err(D::Error::custom)
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_tax_type_keeps_its_spelling_and_an_unknown_one_is_refused() {
        for text in ["gst+qst", "gst", "hst"] {
            let json = format!("{text:?}");
            let read: TaxType = serde_json::from_str(&json).unwrap();
            assert_eq!(serde_json::to_string(&read).unwrap(), json);
        }
        for text in ["", "gst+", "gst+pst", "GST", "gst qst"] {
            assert!(text.parse::<TaxType>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_type_of_a_price_is_that_of_its_taxes() {
        let booked = |name| BookedTax { name, rate: Ppm::new(50_000), amount: Money::ZERO };
        assert_eq!(TaxType::of(&[booked(Tax::Gst), booked(Tax::Qst)]), "gst+qst".parse().unwrap());
    }
}
