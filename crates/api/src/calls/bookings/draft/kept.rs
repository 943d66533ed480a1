//! A draft as it is kept for a person to look at.

use kernel::{PlaceCategory, chrono::NaiveDate};
use serde::{Serialize, Serializer};

use super::{BookingDraft, DraftAddress};

/// A kind of place by its code.
pub(super) fn category_code<S: Serializer>(category: &Option<PlaceCategory>, s: S) -> Result<S::Ok, S::Error> {
    category.map(PlaceCategory::code).serialize(s)
}

impl BookingDraft {
    /// As it is kept for a person to look at: without what opens something, and what is agreed to when it is booked.
    pub fn for_a_person(self) -> BookingDraft {
        BookingDraft {
            hold_id: None,
            saved_quote: None,
            expected_total: None,
            guidelines_agreed: None,
            guidelines_version: None,
            policy_version: None,
            survey: None,
            booking_request: None,
            tip_request: None,
            ..self
        }
    }

    /// Local day of the move, and the municipalities of both ends; empty where one is not known.
    pub fn outline(&self) -> (Option<NaiveDate>, String, String) {
        let city = |end: &Option<DraftAddress>| end.as_ref().map(DraftAddress::municipality).unwrap_or_default();
        (self.date, city(&self.pickup), city(&self.dropoff))
    }
}
