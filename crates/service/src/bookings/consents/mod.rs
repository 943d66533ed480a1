//! What a customer has to agree to before money moves: that money which went back is charged again, because a cancellation
//! was taken back, and time beyond what was agreed. They are asked by a mail in their language with a link that needs no
//! account; what they agree to is kept with its exact words. Staff may write down a yes that was said on the telephone.
//!
//! The words are worked out anew whenever something of the booking changed, and when the answer comes: an answer to words
//! that do not hold any more moves nothing, and the customer is asked again.

pub mod answer;
pub(crate) mod follow;
mod release;
pub mod staff;
mod wording;

use chrono::{DateTime, Duration, Utc};
use kernel::{Email, Money, uuid::Uuid};
use serde_json::json;

use super::trail;
use crate::{
    Error, ErrorCode, ServiceResult, Tx,
    billing::{
        apart::left_apart,
        facts::{held, in_flight, is_of_tip, lock_at, took},
        ledger,
    },
    mailing::{self, ConsentLink},
    ports::{
        Unit,
        bookings::Booking,
        consents::{Consent, ConsentSubject, Standing},
        identity::{OneTimeToken, TokenHash, TokenPurpose},
        payments::{Payment, PaymentKind},
    },
    secret,
    work::Work,
};

/// How long overtime can be agreed to by a link.
const OVERTIME: Duration = Duration::days(7);
/// The least time to answer when charges wait, as far as the move leaves it.
const LEAST: Duration = Duration::hours(24);

/// A question that was mailed.
#[derive(Debug, Clone)]
pub struct Sent {
    /// Which.
    pub id: Uuid,
    /// Where the link leads: a secret.
    pub url: String,
    /// Until when it can be answered.
    pub expires_at: DateTime<Utc>,
    /// What is charged in all.
    pub amount: Money,
    /// The exact words.
    pub text: String,
    /// Whom it was mailed to.
    pub to: String,
}

/// What went back of a cancelled booking and would be charged again when it is taken back; none when nothing is. Money
/// that was asked about before and not agreed to, or agreed to and not charged before it was cancelled again, counts.
pub(super) fn to_recharge(u: &mut dyn Unit, b: &Booking) -> ServiceResult<Option<Money>> {
    let Some(since) = b.cancelled_at.filter(|_| !b.details.paid_by.is_by_hand()) else { return Ok(None) };
    let rows = u.payments().of_booking(b.id)?;
    let entries = u.ledger().of_booking(b.id)?;
    let undone = |r: &Payment| entries.iter().any(|e| e.kind == ledger::UNDONE && e.payment_id == Some(r.id));
    let left = |r: &&Payment| r.is_given_back() && (r.settled_at.is_some() || in_flight(r));
    // What somebody gave back at the gateway before, and nobody paid since, is charged again by the same yes.
    let apart = left_apart(b, &rows) > b.written_off();
    let later = |r: &Payment| r.created_at >= since || (apart && r.is_twice());
    let went = |r: &&Payment| later(r) && left(r) && !is_of_tip(r, &rows) && !r.is_chargeback() && !undone(r);
    let back: Money = rows.iter().filter(went).map(|r| r.amount).sum();
    let back = back.plus(carried(b, &rows));
    let missing = b.due().minus(b.written_off()).minus(held(&rows));
    Ok(back.min(missing).is_positive().then_some(back))
}

/// What waited before, or was agreed to and not charged since.
fn carried(b: &Booking, rows: &[Payment]) -> Money {
    if let Some(waits) = b.details.charges_wait {
        return waits.back;
    }
    let Some(before) = b.recharge() else { return Money::ZERO };
    let charged = |at: DateTime<Utc>| {
        let is_of_move = |r: &&Payment| r.kind.is_charge() && r.kind != PaymentKind::Tip && took(r);
        rows.iter().filter(is_of_move).any(|r| r.settled_at.is_some_and(|when| when >= at))
    };
    let open = before.answered_at.filter(|_| before.standing == Standing::Agreed).is_some_and(|at| !charged(at));
    match before.about {
        ConsentSubject::Recharge { back } if open => back,
        _ => Money::ZERO,
    }
}

/// Until when a question can be answered. Charges wait until the 48-hour instant, and where that is near or past for a day,
/// but never beyond the start of the move.
fn until(b: &Booking, about: &ConsentSubject, now: DateTime<Utc>) -> DateTime<Utc> {
    match about {
        ConsentSubject::Recharge { .. } if now < b.move_at => lock_at(b).max(now + LEAST).min(b.move_at),
        ConsentSubject::Recharge { .. } => now + OVERTIME,
        ConsentSubject::Overtime { .. } => {
            let closes = b.completed_at.map(|done| done + super::overtime::AFTERWARDS);
            closes.map_or(now + OVERTIME, |closes| closes.min(now + OVERTIME))
        }
    }
}

/// Asks: the question is kept with its words, and mailed with a link. A question of the same kind that waits is replaced.
///
/// # Errors
/// `consent_not_needed` when there is nothing to ask; of overtime what keeps it from being added.
pub(crate) fn ask(tx: &mut Tx<'_>, b: &mut Booking, about: ConsentSubject) -> ServiceResult<Sent> {
    let to: Email = b
        .details
        .customer_email
        .parse()
        .map_err(|_| Error::Internal(format!("booking {} has no usable e-mail address", b.short_id)))?;
    if let ConsentSubject::Overtime { minutes, .. } = about {
        // Why it cannot be asked is told by its own name.
        let rate = super::overtime::card_of(tx.unit, b)?;
        super::overtime::with(b, minutes, &rate)?;
    }
    let expires_at = until(b, &about, tx.now);
    let of = (b.language, tx.now, expires_at);
    let words = wording::of_booking(tx.unit, b, &about, of)?.ok_or(ErrorCode::ConsentNotNeeded)?;
    for waiting in open_questions(b).into_iter().filter(|c| c.about.code() == about.code()) {
        close(tx, b, waiting.id, Standing::Replaced)?;
    }
    let (token, hash) = secret::fresh(&*tx.services.entropy);
    tx.unit.one_time_tokens().insert(&OneTimeToken {
        token_hash: hash.clone(),
        user_id: b.user_id,
        purpose: TokenPurpose::Consent,
        email_key: to.key(),
        created_at: tx.now,
        expires_at,
        spent_at: None,
        booking_id: Some(b.id),
    })?;
    let consent = Consent {
        id: tx.id(),
        about,
        standing: Standing::Asked,
        text: words.text,
        language: b.language,
        amount: words.amount,
        asked_at: tx.now,
        asked_by: tx.actor.user,
        sent_to: to.to_string(),
        link: hash.0.clone(),
        expires_at,
        answered_at: None,
        how: None,
        written_by: None,
        note: String::new(),
    };
    b.details.consents.push(consent.clone());
    write(tx, b)?;
    let url = format!("{}/consent/{token}?lang={}", tx.services.public_url(), b.language);
    let if_not = match (is_recharge(&consent), release::releases(b)) {
        (true, true) => "consent.ifNot.release",
        (true, false) => "consent.ifNot.hold",
        (false, _) => "consent.ifNot.overtime",
    };
    let link = ConsentLink { url: &url, text: &consent.text, until: expires_at, if_not };
    mailing::consent_request(tx, b, &hash.0, &link)?;
    tx.enqueue_at(&Work::FollowConsent { booking_id: b.id }, expires_at)?;
    Ok(Sent { id: consent.id, url, expires_at, amount: consent.amount, text: consent.text, to: to.to_string() })
}

fn is_recharge(c: &Consent) -> bool {
    matches!(c.about, ConsentSubject::Recharge { .. })
}

/// Questions that wait for their answer.
fn open_questions(b: &Booking) -> Vec<Consent> {
    b.details.consents.iter().filter(|c| c.standing == Standing::Asked).cloned().collect()
}

/// The question is not asked any more: its link ends. Written by the caller.
fn close(tx: &mut Tx<'_>, b: &mut Booking, id: Uuid, standing: Standing) -> ServiceResult<()> {
    if let Some(found) = b.details.consents.iter_mut().find(|c| c.id == id) {
        found.standing = standing;
        tx.unit.one_time_tokens().spend(&TokenHash(found.link.clone()), tx.now)?;
    }
    Ok(())
}

fn write(tx: &mut Tx<'_>, b: &mut Booking) -> ServiceResult<()> {
    b.updated_at = tx.now;
    b.version = tx.unit.bookings().update(b, b.version)?;
    Ok(())
}

/// The audit row of what was asked or answered last: never the secret, never an address.
pub(crate) fn audited(tx: &mut Tx<'_>, action: &str, b: &Booking) -> ServiceResult<()> {
    let mut after = trail::snapshot(b);
    let newest = b.details.consents.iter().max_by_key(|c| c.answered_at.unwrap_or(c.asked_at));
    after["consent"] = json!(newest.map(|c| json!({
        "id": c.id,
        "kind": c.about.code(),
        "standing": c.standing.code(),
        "amount": c.amount,
        "language": c.language,
        "text": c.text,
        "how": c.how.map(|how| how.code()),
        "expiresAt": c.expires_at,
    })));
    Ok(tx.audit(action, b.id, None, Some(after))?)
}
