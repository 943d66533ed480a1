//! A checked and priced change of a booking, and writing it.

use chrono::{DateTime, Utc};
use kernel::Money;
use policy::ChargeKind;
use serde_json::Value;

use super::{
    checkout::CodeChange,
    crew,
    draft::TipInput,
    queries::{Detail, detail_of},
    trail,
};
use crate::{
    ErrorCode, ServiceResult, Tx,
    billing::{at_once, facts::facts, lease, ledger, settle, write_offs},
    capacity::CapacityRequest,
    crews, discounts,
    mailing::{self, changes::AmountsBefore},
    ports::{Unit, bookings::Booking, history::Revision},
    tips,
};

/// An edited booking.
pub type Edited = Detail;

/// A checked and priced edit.
#[derive(Debug, Clone)]
pub(super) struct Prepared {
    pub old: Booking,
    pub new: Booking,
    pub fee: Money,
    pub wanted: Option<CapacityRequest>,
    pub charge_now: Option<(ChargeKind, Money)>,
    /// Held beyond what it costs then, as it was when this was worked out.
    pub too_much: Money,
    pub code: CodeChange,
    pub changes: Value,
    /// Another tip.
    pub tip: Option<TipInput>,
    /// What staff wrote down with it.
    pub note: Option<String>,
}

impl Prepared {
    /// Nothing of the booking or its tip would be different, and nobody wrote a note.
    pub(super) fn is_nothing(&self) -> bool {
        let mut as_before = self.new.clone();
        // The 48-hour instant passes by itself.
        as_before.details.lock_entered = self.old.details.lock_entered;
        self.tip.is_none() && self.note.is_none() && as_before == self.old
    }
}

/// Money may have moved since the edit was prepared, which changes no version of the booking: what
/// is charged with the edit was worked out from the payments as they were.
///
/// # Errors
/// `payment_in_flight` while an outcome is not known, `version_conflict` when it is to be worked
/// out again.
pub(super) fn still_holds(u: &mut dyn Unit, p: &Prepared, now: DateTime<Utc>) -> ServiceResult<()> {
    // Another edit is being paid for; it would be dropped if the booking changed now.
    if u.checkouts().of_subject(p.old.id)?.is_some() {
        return Err(ErrorCode::PaymentInFlight.into());
    }
    let rows = u.payments().of_booking(p.old.id)?;
    let f = facts(&p.old, &rows);
    // The 48-hour instant may have come while the edit was prepared.
    if f.is_locked(&p.old.details.policy, now) != p.new.details.lock_entered {
        return Err(ErrorCode::VersionConflict.into());
    }
    if p.new.total == p.old.total && p.new.move_at == p.old.move_at && p.charge_now.is_none() {
        return Ok(());
    }
    if lease::under_way(u, p.old.id)? {
        return Err(ErrorCode::PaymentInFlight.into());
    }
    let settled = at_once::of_change(&p.old, &p.new, &rows, now);
    if (settled.charge_now, settled.refund) != (p.charge_now, p.too_much) {
        return Err(ErrorCode::VersionConflict.into());
    }
    Ok(())
}

/// Writes the booking as a change makes it. Its money is settled by whoever calls this.
///
/// # Errors
/// When the database fails.
pub(super) fn write(tx: &mut Tx<'_>, old: &Booking, new: &mut Booking) -> ServiceResult<()> {
    new.updated_at = tx.now;
    write_offs::trim(tx, new)?;
    new.version = tx.unit.bookings().update(new, old.version)?;
    Ok(())
}

/// Writes a prepared edit: record, revision, code uses, charges, message, audit.
pub(super) fn apply(tx: &mut Tx<'_>, p: &Prepared) -> ServiceResult<Edited> {
    let mut booking = p.new.clone();
    let lost = crews::follow(tx, (&p.old, &booking), p.wanted.is_some())?;
    if lost.is_some() {
        crew::go_back(&mut booking)?;
    }
    write(tx, &p.old, &mut booking)?;
    if let Some(why) = lost {
        crew::gone_back(tx, &booking, why)?;
    }
    if let Some(code) = p.code.take {
        discounts::take(tx, code, booking.id, booking.user_id)?;
    }
    if let Some(code) = p.code.give_back {
        discounts::give_back(tx, code, booking.id)?;
    }
    let revision = Revision {
        version: p.old.version,
        at: tx.now,
        actor: tx.actor.user,
        role: tx.actor.role,
        changes: p.changes.clone(),
    };
    tx.unit.booking_history().append_revision(booking.id, &revision)?;
    if let Some(text) = &p.note {
        trail::note_of_record(tx, &booking, text)?;
    }
    let before = AmountsBefore::of(tx.unit, booking.id)?;
    ledger::follow_to_trust(tx, &booking)?;
    settle::settle(tx, &mut booking)?;
    mailing::reminders::schedule(tx, &booking)?;
    match &p.tip {
        Some(typed) => tips::given_with(tx, &booking, typed)?,
        None => tips::follow(tx, &booking)?,
    }
    mailing::booking_edited(tx, &p.old, &booking, p.fee, &p.changes, before)?;
    let (before, after) = (trail::snapshot(&p.old), trail::snapshot(&booking));
    tx.audit("booking.edit", booking.id, Some(before), Some(after))?;
    detail_of(tx.unit, booking, tx.now)
}
