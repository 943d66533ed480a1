//! Adds overtime to a booking: one line, then taxes and total anew.

use chrono::{DateTime, Duration, Utc};
use kernel::Money;
use serde_json::json;
use status_machine::booking::Status;

use super::{
    quote::booked_line,
    rewrite::{job, reprice},
    trail,
};
use crate::{
    Error, ErrorCode, ServiceResult, Tx,
    billing::{ledger, settle},
    estimates,
    mailing::{self, changes::AmountsBefore},
    ports::{Unit, bookings::Booking, history::Revision, priced::BookedLine, rates::StoredRate},
};

/// Whether a line is the one of overtime.
fn is_overtime(line: &BookedLine) -> bool {
    line.code == pricing::line::code::OVERTIME
}

/// Before tax, what overtime costs so far.
fn billed(b: &Booking) -> Money {
    b.details.lines.iter().filter(|l| is_overtime(l)).map(|l| l.amount).sum()
}

/// The booking with so many minutes more, priced with the card it was booked with, and by how much that raises its
/// price before tax. All its minutes count together: a second quarter of an hour is no second grace.
///
/// # Errors
/// `overtime_free` when nothing more is billed; `overtime_cap` above what the law of the province lets a price grow.
pub(crate) fn with(b: &Booking, minutes: u32, rate: &StoredRate) -> ServiceResult<(Booking, Money)> {
    let before: u32 = b.details.overtime.iter().map(|o| o.minutes).sum();
    let line = estimates::overtime(&job(b), b.move_date, before.saturating_add(minutes), &rate.card, b.language)?;
    let old = billed(b);
    let Some((line, how)) = line.filter(|(l, _)| l.amount > old) else { return Err(ErrorCode::OvertimeFree.into()) };
    let agreed = b.amount.minus(old);
    let most = policy::max_overrun(&b.details.policy, b.province, agreed);
    if let Some(most) = most.filter(|most| line.amount > *most) {
        let params = vec![
            ("province", b.province.code().to_owned()),
            ("difference", most.minus(old).max(Money::ZERO).to_string()),
            ("amount", line.amount.minus(old).to_string()),
        ];
        return Err(Error::Refused(ErrorCode::OvertimeCap, params));
    }
    let added = line.amount.minus(old);
    let mut new = b.clone();
    new.details.lines.retain(|l| !is_overtime(l));
    // Its factor stands in no column of a paper: the sentence names it.
    new.details.lines.push(BookedLine { explanation: Some(how), ..booked_line(&line, b.language) });
    reprice(&mut new, agreed.plus(line.amount));
    Ok((new, added))
}

/// Priced anew for another reason, a booking keeps its overtime as it was agreed.
pub(super) fn carry(new: &mut Booking, old: &Booking) {
    if let Some(line) = old.details.lines.iter().find(|l| is_overtime(l))
        && !new.details.lines.iter().any(is_overtime)
    {
        new.details.lines.push(line.clone());
        let amount = new.amount.plus(line.amount);
        reprice(new, amount);
    }
}

/// Writes a booking whose newest overtime is `b`'s last: record, revision, books, charge, message, audit.
///
/// # Errors
/// When the database fails.
pub(crate) fn write(tx: &mut Tx<'_>, before: &Booking, b: &mut Booking) -> ServiceResult<()> {
    b.updated_at = tx.now;
    b.version = tx.unit.bookings().update(b, before.version)?;
    let minutes = |b: &Booking| b.details.overtime.iter().map(|o| o.minutes).sum::<u32>();
    let changes = json!({
        "overtimeMinutes": { "before": minutes(before), "after": minutes(b) },
        "total": { "before": before.total, "after": b.total },
    });
    let revision = Revision {
        version: before.version,
        at: tx.now,
        actor: tx.actor.user,
        role: tx.actor.role,
        changes: changes.clone(),
    };
    tx.unit.booking_history().append_revision(b.id, &revision)?;
    let owed_before = AmountsBefore::of(tx.unit, b.id)?;
    ledger::overtime(tx, before, b)?;
    settle::settle(tx, b)?;
    mailing::booking_edited(tx, before, b, Money::ZERO, &changes, owed_before)?;
    let (was, mut is) = (trail::snapshot(before), trail::snapshot(b));
    is["overtime"] = json!(b.details.overtime.last());
    Ok(tx.audit("booking.overtime", b.id, Some(was), Some(is))?)
}

/// For so long after its completion: later the customer has long paid and cannot check it.
pub(super) const AFTERWARDS: Duration = Duration::days(7);

/// From the start of the move on, and for some days after its completion.
///
/// # Errors
/// `edit_closed`.
pub(crate) fn open(b: &Booking, now: DateTime<Utc>) -> ServiceResult<()> {
    match b.status {
        Status::Completed if b.completed_at.is_none_or(|done| now <= done + AFTERWARDS) => Ok(()),
        Status::Assigned if now >= b.move_at => Ok(()),
        _ => Err(ErrorCode::EditClosed.into()),
    }
}

/// The card the move was booked with, or the one in force for bookings from before it was kept.
///
/// # Errors
/// `no_rate`.
pub(crate) fn card_of(u: &mut dyn Unit, b: &Booking) -> ServiceResult<StoredRate> {
    let kept = match b.details.rate_id {
        Some(id) => u.rates().get(id)?,
        None => None,
    };
    match kept {
        Some(card) => Ok(card),
        None => u.rates().active(None, b.created_at)?.ok_or_else(|| ErrorCode::NoRate.into()),
    }
}
