//! Money that staff give back, or waive.
//!
//! Either lowers what is owed, so that nothing is charged again; the price and its lines stay as they were agreed. A
//! *refund* moves money at once: newest charge first, never above what is held. A *goodwill* returns only what was
//! paid beyond what is then owed.

use kernel::{BookingId, Money};
use serde_json::json;

use super::record::{CreditLimits, Paid, paid};
use crate::{
    Error, ErrorCode, FieldProblem, Limit, ServiceResult, Services, Staff,
    billing::{dates, lease, ledger, returns, settle, trouble},
    bookings::{queries::visible_locked, trail},
    idempotency::{self, Guard, Replayable},
    invoices::issue,
    ports::{
        bookings::Booking,
        credits::{Credit, CreditKind},
    },
};

/// The longest reason, characters.
pub const LONGEST: usize = 500;

/// A credit as it was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCredit {
    /// How.
    pub kind: CreditKind,
    /// Tax included.
    pub amount: Money,
    /// Why; the customer reads it.
    pub reason: String,
}

/// `POST /bookings/{id}/refunds`.
///
/// # Errors
/// `not_found`; `payment_in_flight` while money of the booking is at the gateway; the field `amount` when it is more than
/// can be given (the record tells how much that is); `nothing_to_return` when nothing is held, or something is still owed:
/// that is lowered by goodwill.
pub async fn give(
    s: &Services,
    staff: &Staff,
    id: BookingId,
    new: NewCredit,
    guard: Option<Guard<Paid>>,
) -> ServiceResult<Replayable<Paid>> {
    let reason = new.reason.trim().to_owned();
    let problem = match reason.chars().count() {
        0 => Some(("reason", FieldProblem::Required)),
        n if n > LONGEST => Some(("reason", FieldProblem::TooLong)),
        _ if !new.amount.is_positive() => Some(("amount", FieldProblem::AtLeast(Limit::CENT))),
        _ => None,
    };
    if let Some((field, problem)) = problem {
        return Err(Error::field(field, problem));
    }
    // What was sent and is not known yet is asked for first, as before every decision about money.
    crate::billing::charge::before_action(s, id).await?;
    let (staff, asked_at) = (staff.clone(), s.clock.now());
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let mut b = visible_locked(tx.unit, staff.caller(), id)?;
            if lease::under_way(tx.unit, id)? {
                return Err(ErrorCode::PaymentInFlight.into());
            }
            // A credit is dated, also where it moves nothing yet: not into a month that is closed.
            dates::of_writing(tx)?;
            let before = b.clone();
            let rows = tx.unit.payments().of_booking(id)?;
            let most = CreditLimits::of(&b, &rows);
            let most = match new.kind {
                CreditKind::Refund => most.refund,
                CreditKind::Goodwill => most.goodwill,
            };
            if !most.is_positive() {
                return Err(ErrorCode::NothingToReturn.into());
            }
            if new.amount > most {
                return Err(Error::field("amount", FieldProblem::AtMost(most.into())));
            }
            let of_cancellation = b.status == status_machine::booking::Status::Cancelled;
            let (kind, amount, by) = (new.kind, new.amount, tx.actor.user);
            b.details.credits.push(Credit { kind, amount, reason, at: tx.now, by, of_cancellation, ended: false });
            write(tx, &before, b, kind, amount)
        })
    })
    .await
}

fn write(
    tx: &mut crate::Tx<'_>,
    before: &Booking,
    mut b: Booking,
    kind: CreditKind,
    amount: Money,
) -> ServiceResult<Paid> {
    b.updated_at = tx.now;
    b.version = tx.unit.bookings().update(&b, before.version)?;
    ledger::credit(tx, before, &b)?;
    let reason = b.details.credits.last().map(|c| c.reason.clone()).unwrap_or_default();
    issue::credited(tx, before, &b, &reason)?;
    if kind == CreditKind::Refund {
        returns::return_now(tx, &b, amount)?;
    }
    settle::settle(tx, &mut b)?;
    // What was owed may be given away with it.
    trouble::solved(tx, &mut b)?;
    let credit = json!({ "kind": kind.code(), "amount": amount });
    let (was, mut is) = (trail::snapshot(before), trail::snapshot(&b));
    is["credit"] = credit;
    tx.audit("booking.credit", b.id, Some(was), Some(is))?;
    paid(tx.unit, b, tx.now)
}
