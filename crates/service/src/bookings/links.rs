//! Links to pay a booking by: made, mailed, looked up.

use chrono::{DateTime, Duration, Utc};
use kernel::{BookingId, Email, Money};

use crate::{
    Error, ServiceResult, Tx,
    billing::facts::asked_by_link,
    mailing::{self, PayLink},
    ports::{
        Unit,
        bookings::Booking,
        identity::{OneTimeToken, TokenPurpose},
    },
    secret,
};

/// How long a link works.
const LASTS: Duration = Duration::days(7);

/// A link that was mailed.
#[derive(Debug, Clone)]
pub struct Sent {
    /// Where it leads: a secret.
    pub url: String,
    /// When it stops working.
    pub expires_at: DateTime<Utc>,
    /// What is owed now.
    pub amount: Money,
    /// Whom it was mailed to.
    pub to: String,
}

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
    let to: Email = b
        .details
        .customer_email
        .parse()
        .map_err(|_| Error::Internal(format!("booking {} has no usable e-mail address", b.short_id)))?;
    let rows = tx.unit.payments().of_booking(b.id)?;
    let amount = asked_by_link(b, &rows);
    tx.unit.one_time_tokens().spend_of_booking(b.id, TokenPurpose::Pay, tx.now)?;
    let (token, token_hash) = secret::fresh(&*tx.services.entropy);
    let expires_at = tx.now + LASTS;
    tx.unit.one_time_tokens().insert(&OneTimeToken {
        token_hash: token_hash.clone(),
        user_id: b.user_id,
        purpose: TokenPurpose::Pay,
        email_key: to.key(),
        created_at: tx.now,
        expires_at,
        spent_at: None,
        booking_id: Some(b.id),
    })?;
    let url = format!("{}/pay/{token}?lang={}", tx.services.public_url(), b.language);
    mailing::payment_link(tx, b, &token_hash.0, PayLink { url: &url, amount, until: expires_at })?;
    Ok(Sent { url, expires_at, amount, to: to.to_string() })
}
