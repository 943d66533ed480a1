//! How long a move takes and what it costs: a pure function of the move, the day and a rate
//! card.
//!
//! Everything is an exact integer (cents, centi-minutes, tenths of a cubic foot and of a
//! kilometre, basis points, parts per million) and each figure is rounded once, half up. The
//! numbers live in [`RateCard`]; worked results to the cent are in
//! `fixtures/golden-examples.json`.
//!
//! ```
//! use kernel::{Accessibility, MateCount, Money, Province, chrono::NaiveDate};
//! use pricing::{MoveKind, MoveRequest, PriceRequest, PricedItem, RateCard, Stop, duration, price};
//!
//! let stop = |floor| Stop { province: Province::QC, floor, elevator: 0, parking: true, accessibility: Accessibility::Easy };
//! let job = MoveRequest {
//!     kind: MoveKind::ItemDelivery,
//!     items: vec![PricedItem { id: "couch-3-seats".into(), dcf: 500, heavy: true, needs_assembly: false, quantity: 1 }],
//!     mate_count: MateCount::MIN,
//!     client_as_mate: true,
//!     just_mates: false,
//!     ride_along: false,
//!     pickup: stop(0),
//!     dropoff: stop(1),
//!     travel_minutes: 22,
//!     distance_km10: 126,
//!     positioning_minutes: 0,
//!     extra_services: Vec::new(),
//! };
//! let card = RateCard::builtin();
//! let time = duration(&job, &card);
//! assert_eq!((time.minutes, time.warnings.len()), (60, 0));
//! let day = NaiveDate::from_ymd_opt(2027, 5, 26).unwrap();
//! let request = PriceRequest {
//!     job: &job, moving_date: Some(day), statutory_holiday: false, discount: None, overtime_minutes: 0, change_fee: Money::ZERO,
//! };
//! assert_eq!(price(&request, &time, &card).total.to_string(), "219.60");
//! ```
#![warn(missing_docs)]

mod card;
mod culprits;
mod describe;
mod duration;
mod extras;
mod kind;
pub mod limits;
pub mod line;
mod quote;
mod ratio;
mod request;
mod tax;
mod warning;

pub use card::{
    AccessibilityShares, BASE_PERIOD, CardProblem, DurationRules, InvalidMonthDay, InvalidRateCard, KindRule, Minimum,
    MonthDay, PerKind, Period, PeriodRule, Rate, RateCard, RateOverride, Rates, TaxRule, TaxShare, Taxes,
};
pub use culprits::culprits;
pub use describe::{describe_line, describe_minutes, extra_name};
pub use duration::{Duration, MOST_SUGGESTED_HEADS, Parts, duration};
pub use extras::{ExtraPrices, ExtraService, UnknownExtraService};
pub use kind::{MoveKind, UnknownMoveKind};
pub use line::{ContentType, Line, Unit, UnknownContentType, quantity_of};
pub use quote::{Quote, price};
pub use request::{Discount, DiscountTerms, MoveRequest, PriceRequest, PricedItem, Stop};
pub use tax::{Tax, TaxComponent, TipTerms, tax, tax_rule, tip};
pub use warning::Warning;
