//! The words every other crate of Portage shares: money, rates, places, people's
//! contact details, languages, typed ids and zoned time.
//!
//! Pure: no I/O, no clock, no randomness. Values that need a rule to be valid have
//! private fields and a constructor that refuses; whoever holds one holds the proof.
#![warn(missing_docs)]

mod category;
mod contact;
mod crew;
mod exact;
mod gsm;
mod ids;
mod language;
mod money;
mod must;
mod place;
mod province_names;
mod rate;
mod text;
mod zone;

pub use category::{PlaceCategory, UnknownPlaceCategory};
pub use contact::{E164, Email, InvalidEmail, InvalidPhone, NotE164, Phone, masked_number, without_addresses};
pub use crew::{InvalidMateCount, MateCount};
pub use exact::{Exact, NotExact};
pub use gsm::{Encoding, Segments, in_gsm, segments};
pub use ids::*;
pub use language::{Language, UnknownLanguage};
pub use money::{Currency, Money, MoneyError};
pub use must::{Bounds, Measure, Must};
pub use place::{
    Accessibility, Address, Coordinates, InvalidCoordinates, InvalidPostalCode, PostalCode, Province,
    UnknownAccessibility, UnknownProvince,
};
pub use rate::{BasisPoints, Ppm, RateError, ceil_to, round_half_up};
pub use text::{fold, fold_name, full_name, greeted, is_han, searchable, sought, words};
pub use zone::{LocalTime, UnknownZone, Zone, ZoneError};

/// Re-exported so that dependants agree on one chrono.
pub use chrono;
/// Re-exported so that dependants agree on one uuid.
pub use uuid;
