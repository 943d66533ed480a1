//! Links by which a customer stores another card without signing in: made and mailed.

use chrono::{DateTime, Duration, Utc};
use kernel::Email;

use super::{queue::queue_to_customer, values};
use crate::{
    Error, ServiceResult, Tx,
    ports::{
        bookings::Booking,
        identity::{OneTimeToken, TokenHash, TokenPurpose},
    },
    secret,
};

/// How long a link works.
const LASTS: Duration = Duration::days(7);

/// A link that was made.
pub(crate) struct CardLink {
    /// Where it leads: a secret.
    pub url: String,
    /// What is kept of that.
    pub hash: TokenHash,
    /// When it stops working.
    pub expires_at: DateTime<Utc>,
    /// Whose mailbox it goes to.
    pub to: Email,
}

/// Makes one. Those before it work on: any of the mails that somebody has leads to the same.
///
/// # Errors
/// When the database fails.
pub(crate) fn make(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<CardLink> {
    let to: Email = b
        .details
        .customer_email
        .parse()
        .map_err(|_| Error::Internal(format!("booking {} has no usable e-mail address", b.short_id)))?;
    let (token, hash) = secret::fresh(&*tx.services.entropy);
    let expires_at = tx.now + LASTS;
    tx.unit.one_time_tokens().insert(&OneTimeToken {
        token_hash: hash.clone(),
        user_id: b.user_id,
        purpose: TokenPurpose::Card,
        email_key: to.key(),
        created_at: tx.now,
        expires_at,
        spent_at: None,
        booking_id: Some(b.id),
    })?;
    let url = format!("{}/card/{token}?lang={}", tx.services.public_url(), b.language);
    Ok(CardLink { url, hash, expires_at, to })
}

/// Makes one and mails it: `cardLink`.
///
/// # Errors
/// When the database fails.
pub(crate) fn send(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<CardLink> {
    let link = make(tx, b)?;
    queue_to_customer(tx, b, "cardLink", &link.hash.0, values::card_link(b, &link.url, link.expires_at))?;
    Ok(link)
}
