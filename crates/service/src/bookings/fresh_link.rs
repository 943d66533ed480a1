//! Makes a new link to pay a booking by. Whoever makes one sends it to the booking's customer.

use chrono::{DateTime, Duration, Utc};
use kernel::{Email, Money};

use crate::{
    Error, ServiceResult, Tx,
    billing::facts::asked_by_link,
    ports::{
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

/// When a link that is made now stops working.
pub(crate) fn works_until(now: DateTime<Utc>) -> DateTime<Utc> {
    now + LASTS
}

/// Makes a link; answers what tells it from others as well. Those before it work on: their mails may be read first.
///
/// # Errors
/// When the database fails.
pub(crate) fn make(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<(Sent, String)> {
    let to: Email = b
        .details
        .customer_email
        .parse()
        .map_err(|_| Error::Internal(format!("booking {} has no usable e-mail address", b.short_id)))?;
    let rows = tx.unit.payments().of_booking(b.id)?;
    let amount = asked_by_link(b, &rows);
    let (token, token_hash) = secret::fresh(&*tx.services.entropy);
    let expires_at = works_until(tx.now);
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
    Ok((Sent { url, expires_at, amount, to: to.to_string() }, token_hash.0))
}
