//! Lines of quotes and invoices.

use std::{fmt, str::FromStr};

use kernel::{BasisPoints, Exact, Money};
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

    /// The quantity in its unit: two decimals, `"2.50"`, and as many more as make quantity × unit price × multiplier the amount
    /// to the cent where an hour is no round number of hundredths, `"5.81667"`.
    pub fn exact_quantity(&self) -> Exact {
        let (one, amount) = (BasisPoints::ONE.get(), self.computed_amount().cents());
        let (mut scale, mut decimals) = (100, 2_u8);
        loop {
            let rounded = ratio(&[self.quantity, scale], &[self.unit.steps()]);
            let multiplied = [rounded, self.unit_price.cents(), self.factor.get(), self.multiplier.get()];
            if ratio(&multiplied, &[scale, one, one]) == amount {
                return Exact::new(rounded, decimals);
            }
            if decimals == MOST_DECIMALS {
                // Half a cent is rounded up, and no number of threes is a third.
                return Exact::new(rounded.saturating_add(1), decimals);
            }
            scale *= 10;
            decimals += 1;
        }
    }

    /// Dollars a unit, `"118.00"`.
    pub fn unit_price_text(&self) -> String {
        self.unit_price.to_string()
    }

    /// Factor and multiplier together, exact, at least two decimals: `"1.00"`, `"1.4375"`.
    pub fn exact_multiplier(&self) -> Exact {
        exact(self.factor.get().saturating_mul(self.multiplier.get()))
    }

    /// The line's own factor alone: `"0.50"` on the way back.
    pub fn exact_own_factor(&self) -> Exact {
        exact_factor(self.factor)
    }

    /// The date's factor alone: `"1.10"` on a Saturday.
    pub fn exact_date_factor(&self) -> Exact {
        exact_factor(self.multiplier)
    }
}

/// What [`Line::quantity`] counts, of [`Line::exact_quantity`]; none when it has more decimals than one of these.
pub fn quantity_of(exact: Exact, unit: Unit) -> Option<i64> {
    if exact.decimals() > MOST_DECIMALS {
        return None;
    }
    Some(ratio(&[exact.digits(), unit.steps()], &[10_i64.pow(u32::from(exact.decimals()))]))
}

/// The most decimals of a quantity: more than any price makes a difference at.
const MOST_DECIMALS: u8 = 8;

/// A factor with at least two decimals: `1.10`.
pub fn exact_factor(factor: BasisPoints) -> Exact {
    exact(factor.get().saturating_mul(BasisPoints::ONE.get()))
}

/// A number given in hundred millionths (two basis-point factors multiplied), at least two decimals.
const fn exact(both: i64) -> Exact {
    let (mut digits, mut decimals) = (both, 8);
    while decimals > 2 && digits % 10 == 0 {
        digits /= 10;
        decimals -= 1;
    }
    Exact::new(digits, decimals)
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
        assert_eq!((&*line.exact_quantity().to_string(), &*line.exact_multiplier().to_string()), ("0.83333", "1.4375"));
        assert_eq!((line.unit_price_text().as_str(), line.computed_amount().cents()), ("162.00", 19_406));
        assert_eq!((&*line.exact_own_factor().to_string(), &*line.exact_date_factor().to_string()), ("1.25", "1.15"));
        line.factor = BasisPoints::ONE;
        line.multiplier = BasisPoints::ONE;
        line.quantity = 150;
        assert_eq!((&*line.exact_quantity().to_string(), &*line.exact_multiplier().to_string()), ("2.50", "1.00"));
        line.unit = Unit::Km;
        assert_eq!(line.exact_quantity().to_string(), "15.00");
    }

    /// 5 h 49 min on the way back, at 127.00 an hour: 5.82 hours would come to 406.53.
    #[test]
    fn quantity_times_price_times_factors_is_the_amount() {
        let hours = |minutes: i64, cents: i64, factor: i64, multiplier: i64| Line {
            content: ContentType::Regular,
            code: code::RETURN_LABOUR.to_owned(),
            quantity: minutes,
            unit: Unit::Hour,
            unit_price: Money::from_cents(cents),
            factor: BasisPoints::new(factor),
            multiplier: BasisPoints::new(multiplier),
            period: "base".to_owned(),
            mates: 2,
            amount: Money::ZERO,
        };
        let read = |text: &str, unit| quantity_of(text.parse().unwrap(), unit);
        let back = hours(349, 12_700, 5_500, 10_000);
        assert_eq!((&*back.exact_quantity().to_string(), back.computed_amount().cents()), ("5.81667", 40_629));
        for minutes in 0..1_000 {
            for (cents, factor, multiplier) in
                [(11_800, 10_000, 10_000), (12_700, 5_500, 11_500), (99_999, 12_500, 20_000)]
            {
                let line = hours(minutes, cents, factor, multiplier);
                let text = line.exact_quantity().to_string();
                let (whole, fraction) = text.split_once('.').unwrap();
                let count: i64 = format!("{whole}{fraction}").parse().unwrap();
                let scale = 10_i64.pow(u32::try_from(fraction.len()).unwrap());
                let product = ratio(&[count, cents, factor, multiplier], &[scale, 10_000, 10_000]);
                assert_eq!(product, line.computed_amount().cents(), "{text} × {cents} × {factor} × {multiplier}");
                assert_eq!(read(&text, Unit::Hour), Some(minutes), "{text}");
            }
        }
        assert_eq!((read("12.35", Unit::Km), read("-1.00", Unit::Flat)), (Some(124), Some(-1)));
        assert_eq!((read("0.33", Unit::Hour), read("1.000000001", Unit::Hour)), (Some(20), None));
    }

    #[test]
    fn content_types_read_back() {
        for content in ContentType::ALL {
            assert_eq!(content.code().parse::<ContentType>().unwrap(), content);
        }
    }
}
