//! Finds, among a booking's consents, what its customer was asked.

use super::{
    bookings::Booking,
    consents::{Consent, ConsentSubject, Standing},
    identity::TokenHash,
};

impl Booking {
    /// The question that a link was made for.
    pub fn consent_of(&self, link: &TokenHash) -> Option<&Consent> {
        self.details.consents.iter().find(|c| c.link == link.0)
    }

    /// The newest question about charging again what went back.
    pub fn recharge(&self) -> Option<&Consent> {
        self.details.consents.iter().rev().find(|c| matches!(c.about, ConsentSubject::Recharge { .. }))
    }

    /// A question waits for its answer.
    pub fn is_asked(&self) -> bool {
        self.details.consents.iter().any(|c| c.standing == Standing::Asked)
    }
}
