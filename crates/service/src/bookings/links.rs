//! Links to pay a booking by: mailed, looked up.

use chrono::{DateTime, Utc};
use kernel::BookingId;

pub use super::fresh_link::Sent;
use super::fresh_link::make;
use crate::{
    ServiceResult, Tx,
    mailing::{self, PayLink},
    ports::{Unit, bookings::Booking, identity::TokenPurpose},
};

/// A link that still works, without its secret.
#[derive(Debug, Clone)]
pub struct Link {
    /// When it stops working.
    pub expires_at: DateTime<Utc>,
    /// Whom it was mailed to.
    pub to: String,
}

/// The newest link of a booking, while it works.
///
/// # Errors
/// When the database fails.
pub fn link_of(u: &mut dyn Unit, booking: BookingId, now: DateTime<Utc>) -> ServiceResult<Option<Link>> {
    let found = u.one_time_tokens().unspent_of_booking(booking, TokenPurpose::Pay)?;
    Ok(found.filter(|l| now < l.expires_at).map(|l| Link { expires_at: l.expires_at, to: l.email_key }))
}

/// Makes a link, ends those before it, and mails it to the booking's customer.
///
/// # Errors
/// When the database fails.
pub(super) fn send(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<Sent> {
    tx.unit.one_time_tokens().spend_of_booking(b.id, TokenPurpose::Pay, tx.now)?;
    let (sent, of) = make(tx, b)?;
    mailing::payment_link(tx, b, &of, PayLink { url: &sent.url, amount: sent.amount, until: sent.expires_at })?;
    Ok(sent)
}
