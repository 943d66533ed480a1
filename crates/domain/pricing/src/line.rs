//! Lines of quotes and invoices.

use std::{fmt, str::FromStr};

use kernel::{BasisPoints, Money};
use serde::{Deserialize, Serialize};

use crate::ratio::ratio;

/// Codes of the lines Portage writes itself; a discount's line carries the discount's code.
pub mod code {
    /// The crew's hours.
    pub const LABOUR: &str = "labour";
    /// Depot to customer and back.
    pub const TRAVEL_FEE: &str = "travel_fee";
    /// Empty way back of a long-distance move.
    pub const RETURN_LABOUR: &str = "return_labour";
    /// The truck, by size class.
    pub const TRUCK_FEE: &str = "truck_fee";
    /// Kilometres beyond the included.
    pub const KM_FEE: &str = "km_fee";
    /// The customer in the truck.
    pub const RIDE_ALONG: &str = "ride_along";
    /// Late change of an assigned booking.
    pub const CHANGE_FEE: &str = "change_fee";
    /// Agreed time beyond the quoted.
    pub const OVERTIME: &str = "overtime";
}

/// Booking line content types of the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ContentType {
    /// Hours.
    Regular,
    /// The customer in the truck.
    RideAlong,
    /// After the move.
    Overtime,
    /// Negative.
    Discount,
    /// Fees.
    Other,
}

/// None of the five content types.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the content type must be regular, rideAlong, overtime, discount or other")]
pub struct UnknownContentType;

impl ContentType {
    /// All five.
    pub const ALL: [ContentType; 5] = [
        ContentType::Regular,
        ContentType::RideAlong,
        ContentType::Overtime,
        ContentType::Discount,
        ContentType::Other,
    ];

    /// The code of the HTTP contract.
    pub const fn code(self) -> &'static str {
        match self {
            ContentType::Regular => "regular",
            ContentType::RideAlong => "rideAlong",
            ContentType::Overtime => "overtime",
            ContentType::Discount => "discount",
            ContentType::Other => "other",
        }
    }
}

impl fmt::Display for ContentType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for ContentType {
    type Err = UnknownContentType;
    fn from_str(s: &str) -> Result<Self, UnknownContentType> {
        ContentType::ALL.into_iter().find(|c| c.code() == s).ok_or(UnknownContentType)
    }
}

/// What a line counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Unit {
    /// Hours; [`Line::quantity`] holds whole minutes.
    Hour,
    /// Kilometres; [`Line::quantity`] holds tenths.
    Km,
    /// One fee.
    Flat,
}

impl Unit {
    /// The code of the HTTP contract.
    pub const fn code(self) -> &'static str {
        match self {
            Unit::Hour => "hour",
            Unit::Km => "km",
            Unit::Flat => "flat",
        }
    }

    /// How many of [`Line::quantity`] make one of this unit.
    pub const fn steps(self) -> i64 {
        match self {
            Unit::Hour => 60,
            Unit::Km => 10,
            Unit::Flat => 1,
        }
    }
}

/// One line: `amount = quantity / unit.steps() · unit_price · factor · multiplier`, rounded once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Line {
    /// Content type.
    pub content: ContentType,
    /// One of [`code`], or a discount's code.
    pub code: String,
    /// Minutes, tenths of a kilometre, or pieces.
    pub quantity: i64,
    /// What `quantity` counts.
    pub unit: Unit,
    /// Dollars an hour, a kilometre or a piece.
    pub unit_price: Money,
    /// The line's own factor: 0.5 on the way back, 1.25 on overtime, else 1.
    pub factor: BasisPoints,
    /// The period's multiplier; 1 on lines that are not hourly.
    pub multiplier: BasisPoints,
    /// The period's name; `base` on lines that are not hourly.
    pub period: String,
    /// Mates paid by this line; 0 on lines that are not hourly.
    pub mates: u8,
    /// Cents; negative for a discount.
    pub amount: Money,
}

impl Line {
    /// The amount worked out from the other fields.
    pub fn computed_amount(&self) -> Money {
        let one = BasisPoints::ONE.get();
        Money::from_cents(ratio(
            &[self.quantity, self.unit_price.cents(), self.factor.get(), self.multiplier.get()],
            &[self.unit.steps(), one, one],
        ))
    }

    /// The quantity in its unit with two decimals, `"2.50"`; a third of an hour is rounded.
    pub fn quantity_text(&self) -> String {
        Money::from_cents(ratio(&[self.quantity, 100], &[self.unit.steps()])).to_string()
    }

    /// Dollars a unit, `"118.00"`.
    pub fn unit_price_text(&self) -> String {
        self.unit_price.to_string()
    }

    /// Factor and multiplier together, exact, at least two decimals: `"1.00"`, `"1.4375"`.
    pub fn multiplier_text(&self) -> String {
        exact(self.factor.get().saturating_mul(self.multiplier.get()))
    }

    /// The line's own factor alone: `"0.50"` on the way back.
    pub fn own_factor_text(&self) -> String {
        factor_text(self.factor)
    }

    /// The date's factor alone: `"1.10"` on a Saturday.
    pub fn date_factor_text(&self) -> String {
        factor_text(self.multiplier)
    }
}

/// A factor, exact, at least two decimals: `"1.10"`.
pub fn factor_text(factor: BasisPoints) -> String {
    exact(factor.get().saturating_mul(BasisPoints::ONE.get()))
}

/// A number given in hundred millionths (two basis-point factors multiplied), at least two decimals.
fn exact(both: i64) -> String {
    const SCALE: u64 = 100_000_000;
    let sign = if both < 0 { "-" } else { "" };
    let both = both.unsigned_abs();
    let mut fraction = format!("{:08}", both % SCALE);
    while fraction.len() > 2 && fraction.ends_with('0') {
        fraction.pop();
    }
    format!("{sign}{}.{fraction}", both / SCALE)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn texts_of_numbers() {
        let mut line = Line {
            content: ContentType::Overtime,
            code: code::OVERTIME.to_owned(),
            quantity: 50,
            unit: Unit::Hour,
            unit_price: Money::from_cents(16_200),
            factor: BasisPoints::new(12_500),
            multiplier: BasisPoints::new(11_500),
            period: "summer".to_owned(),
            mates: 3,
            amount: Money::ZERO,
        };
        assert_eq!((line.quantity_text().as_str(), line.multiplier_text().as_str()), ("0.83", "1.4375"));
        assert_eq!((line.unit_price_text().as_str(), line.computed_amount().cents()), ("162.00", 19_406));
        assert_eq!((line.own_factor_text().as_str(), line.date_factor_text().as_str()), ("1.25", "1.15"));
        line.factor = BasisPoints::ONE;
        line.multiplier = BasisPoints::ONE;
        line.quantity = 150;
        assert_eq!((line.quantity_text().as_str(), line.multiplier_text().as_str()), ("2.50", "1.00"));
        line.unit = Unit::Km;
        assert_eq!(line.quantity_text(), "15.00");
    }

    #[test]
    fn content_types_read_back() {
        for content in ContentType::ALL {
            assert_eq!(content.code().parse::<ContentType>().unwrap(), content);
        }
    }
}
