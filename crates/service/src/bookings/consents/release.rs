//! What follows when a consent question ends without a yes.

use kernel::Money;

use crate::{
    Actor, ServiceResult, Tx,
    billing::{facts::live, trouble},
    bookings::cancellation,
    mailing::alerts::{self, Alert, AlertSubject as AlertAbout},
    ports::{
        bookings::Booking,
        consents::{Consent, ConsentSubject},
    },
};

/// A move to come that is not agreed to is cancelled, where the company's settings release what is not paid.
pub(super) fn releases(b: &Booking) -> bool {
    policy::after_ladder(&b.details.policy, policy::ChargeKind::Full) == policy::LadderEnd::AutoCancel
}

/// What follows when a question ends without a yes.
pub(super) fn without(tx: &mut Tx<'_>, b: &mut Booking, c: &Consent, why: &'static str) -> ServiceResult<()> {
    if matches!(c.about, ConsentSubject::Recharge { .. }) {
        let kept = b.details.charges_wait.map_or(Money::ZERO, |waits| waits.kept);
        // It is the program that cancels, whoever did not agree.
        tx.actor = Actor { request_id: tx.actor.request_id.clone(), ..Actor::system() };
        if releases(b) && live(b) && tx.now < b.move_at {
            cancellation::release_unasked(tx, b, kept, why)?;
        } else {
            trouble::problem(tx, b)?;
        }
    }
    let kind = if why == "consent_refused" { "alert.consentRefused" } else { "alert.consentMissing" };
    let page = format!("bookings/{}", b.id);
    let alert = Alert {
        key: format!("consent:{}", c.id),
        kind,
        about: Some(AlertAbout::Amount(c.amount)),
        everybody: true,
        when: None,
        page: &page,
    };
    alerts::tell(tx, b, &alert)
}
