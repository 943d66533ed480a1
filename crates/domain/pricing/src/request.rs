//! What is asked: the move, and the circumstances of its price.

use kernel::{Accessibility, BasisPoints, MateCount, Money, Province, chrono::NaiveDate};
use serde::{Deserialize, Serialize};

use crate::{ExtraService, MoveKind};

/// One kind of item with what pricing needs to know of it; the catalogue fills it in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PricedItem {
    /// Catalogue id; the rate card names some (piano, hot tub).
    pub id: String,
    /// Volume of one piece in tenths of a cubic foot.
    pub dcf: u32,
    /// One person cannot handle it.
    pub heavy: bool,
    /// Taken apart before the move and put together after it.
    pub needs_assembly: bool,
    /// Pieces.
    pub quantity: u32,
}

/// One end of the move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Stop {
    /// Decides rates (pickup) and taxes (both).
    pub province: Province,
    /// European floor: 0 is the ground, −1 the basement. The distance to the ground counts.
    pub floor: i32,
    /// 0 none, 1 shared, 2 or more: two elevators, or one reserved for the move.
    pub elevator: u32,
    /// Two to three car lengths are free for the truck.
    pub parking: bool,
    /// How hard the way between truck and door is.
    pub accessibility: Accessibility,
}

/// A move, as the duration model sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MoveRequest {
    /// As asked; the model turns long ones into `longDistance` itself.
    pub kind: MoveKind,
    /// Belongings; an id that appears twice counts twice.
    pub items: Vec<PricedItem>,
    /// Paid mates.
    pub mate_count: MateCount,
    /// The customer works as one extra head and costs nothing.
    pub client_as_mate: bool,
    /// Labour only, no truck. Implied by the kind of the same name.
    pub just_mates: bool,
    /// The customer travels in the truck.
    pub ride_along: bool,
    /// From.
    pub pickup: Stop,
    /// To.
    pub dropoff: Stop,
    /// Loaded leg from pickup to drop-off, minutes; zero counts as one.
    pub travel_minutes: u32,
    /// Length of that leg in tenths of a kilometre.
    pub distance_km10: u32,
    /// Extra travel-fee minutes when the crew's hub is the drop-off's; normally 0.
    pub positioning_minutes: u32,
    /// Services beside the move, each once; those without a price on the card make no line.
    pub extra_services: Vec<ExtraService>,
}

/// Everything a price depends on besides the rate card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PriceRequest<'a> {
    /// The move.
    pub job: &'a MoveRequest,
    /// Local calendar day of the start at the pickup. None while nobody chose one: an ordinary day,
    /// in no period.
    pub moving_date: Option<NaiveDate>,
    /// That day is a statutory holiday of the pickup's province.
    pub statutory_holiday: bool,
    /// A discount that was found valid.
    pub discount: Option<&'a Discount>,
    /// Agreed minutes beyond the quoted duration, recorded by staff after the move.
    pub overtime_minutes: u32,
    /// Cents before tax; zero for none.
    pub change_fee: Money,
}

/// A discount, ready to apply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Discount {
    /// As printed on the line.
    pub code: String,
    /// What it takes off.
    pub terms: DiscountTerms,
}

/// What a discount takes off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum DiscountTerms {
    /// A share of the price before tax.
    Percent {
        /// 1 000 basis points are 10 %.
        share: BasisPoints,
        /// Never more than this.
        #[serde(default)]
        max: Option<Money>,
    },
    /// An amount before tax.
    Fixed {
        /// Never more than the price itself.
        amount: Money,
    },
}

impl DiscountTerms {
    /// What it takes off `price`: between zero and `price` (zero for a negative price).
    pub fn off(&self, price: Money) -> Money {
        let wanted = match *self {
            DiscountTerms::Percent { share, max } => {
                let part = price.share(share);
                max.map_or(part, |m| part.min(m))
            }
            DiscountTerms::Fixed { amount } => amount,
        };
        wanted.min(price).max(Money::ZERO)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_discount_stays_between_nothing_and_the_price() {
        let price = Money::from_cents(39_600);
        let percent = |share, max| DiscountTerms::Percent { share: BasisPoints::new(share), max };
        assert_eq!(percent(1_000, None).off(price).cents(), 3_960);
        assert_eq!(percent(1_000, Some(Money::from_cents(2_000))).off(price).cents(), 2_000);
        assert_eq!(percent(20_000, None).off(price), price);
        assert_eq!(percent(-1_000, None).off(price), Money::ZERO);
        assert_eq!(DiscountTerms::Fixed { amount: Money::from_cents(50_000) }.off(price), price);
        assert_eq!(DiscountTerms::Fixed { amount: Money::from_cents(-1) }.off(price), Money::ZERO);
    }

    #[test]
    fn terms_are_stored_as_json() {
        let terms = DiscountTerms::Percent { share: BasisPoints::new(1_000), max: Some(Money::from_cents(5_000)) };
        let json = serde_json::to_string(&terms).unwrap();
        assert_eq!(json, r#"{"kind":"percent","share":"0.1","max":"50.00"}"#);
        assert_eq!(serde_json::from_str::<DiscountTerms>(&json).unwrap(), terms);
    }
}
