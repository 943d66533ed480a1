//! Steps of a booking: what the table of statuses says about it and its present facts.

use chrono::{DateTime, Utc};
use kernel::{Language, Money};
use pricing::MoveKind;
use status_machine::{
    Outcome, Reason, Role as ActorRole,
    booking::{self, Effect, Facts, Guard, Status, passed_completed},
};

use crate::{
    Error, ErrorCode, ServiceResult, Tx,
    billing::facts,
    capacity::{self, capacity_of},
    crews,
    ports::{
        Unit,
        bookings::{Booking, PaidBy},
        invoices::Invoice,
    },
};

/// What staff say with a status change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StatusInput {
    /// Why.
    pub reason: Option<String>,
    /// Reference of a payment made elsewhere.
    pub payment_reference: Option<String>,
    /// Give up what the policy would keep.
    pub waive: bool,
    /// The customer did not appear or asked for it: judged as the customer's cancellation.
    pub customers_wish: bool,
    /// Language of messages.
    pub language: Option<Language>,
}

/// Takes a step of the table as the present actor, and answers what follows from it; none when the booking has
/// that status already. Changes the value only; who calls this writes it, and the row of its history. `kept` is
/// what a cancellation keeps.
///
/// # Errors
/// `transition_refused` naming the allowed targets, `crew_missing`, `slot_gone`.
pub(crate) fn take(
    tx: &mut Tx<'_>,
    b: &mut Booking,
    to: Status,
    said: &StatusInput,
    kept: Money,
) -> ServiceResult<Option<Vec<Effect>>> {
    let f = table_facts(tx, b, to, said, kept)?;
    take_as(tx.actor.acts_as()?, b, to, &f)
}

/// As [`take`], for somebody else than the present actor. The one place where a booking's status changes.
pub(super) fn take_as(role: ActorRole, b: &mut Booking, to: Status, f: &Facts) -> ServiceResult<Option<Vec<Effect>>> {
    match booking::transition(b.status, to, role, f) {
        Ok(Outcome::Unchanged) => Ok(None),
        Ok(Outcome::Changed(effects)) => {
            b.status = to;
            Ok(Some(effects))
        }
        Err(refused) => {
            let allowed: Vec<&str> = refused.allowed.iter().map(|a| a.code()).collect();
            let code = match refused.reason {
                Reason::Guard(Guard::CrewFree | Guard::CrewRecorded) if to == Status::Assigned => {
                    ErrorCode::CrewMissing
                }
                Reason::Guard(Guard::CapacityFree) => return Err(ErrorCode::SlotGone.into()),
                _ if to == Status::Invoiced && !f.passed_completed => {
                    return Err(ErrorCode::InvoiceNeedsCompleted.into());
                }
                _ => ErrorCode::TransitionRefused,
            };
            Err(Error::Refused(
                code,
                vec![
                    ("allowed", allowed.join(",")),
                    ("reason", refused.to_string()),
                    ("from", refused.from.code().to_owned()),
                    ("to", refused.to.code().to_owned()),
                    ("guard", code_of(refused.reason).to_owned()),
                ],
            ))
        }
    }
}

/// Who is on the booking, or could be: a crew is formed with the step, so the table is told of it before.
fn crew(u: &mut dyn Unit, b: &Booking, to: Status) -> ServiceResult<usize> {
    let recorded = u.crews().of_booking(b.id)?.len();
    let may_form = matches!(b.status, Status::Pending | Status::Completed);
    // A cancellation of a live booking is never refused, so it names no alternatives.
    if recorded > 0 || !may_form || to == Status::Cancelled && facts::live(b) {
        return Ok(recorded);
    }
    if to == Status::Assigned {
        u.crews().lock()?;
    }
    crews::possible(u, b)
}

/// What a booking that ended gave back must be there again; the others have theirs.
fn capacity_free(u: &mut dyn Unit, b: &Booking, now: DateTime<Utc>) -> ServiceResult<bool> {
    if facts::live(b) || now >= b.move_at {
        return Ok(true);
    }
    capacity::is_free(u, &capacity_of(b))
}

fn table_facts(tx: &mut Tx<'_>, b: &Booking, to: Status, said: &StatusInput, kept: Money) -> ServiceResult<Facts> {
    let crew = crew(tx.unit, b, to)?;
    let facts = facts_now(tx.unit, b, tx.now, crew)?;
    Ok(Facts {
        // A mate comes here with a job of theirs only: `dispatch::jobs` asked.
        own: tx.actor.user == Some(b.user_id) || tx.actor.role == Some(ActorRole::Mate),
        reason_given: said.reason.as_ref().is_some_and(|r| !r.trim().is_empty()),
        payment_reference: said.payment_reference.as_ref().is_some_and(|r| !r.trim().is_empty()),
        keeps_money: kept.is_positive(),
        ..facts
    })
}

/// What the table asks about the booking itself; nobody said anything yet.
fn facts_now(u: &mut dyn Unit, b: &Booking, now: DateTime<Utc>, crew: usize) -> ServiceResult<Facts> {
    let crew = u32::try_from(crew).unwrap_or(u32::MAX);
    let capacity_free = capacity_free(u, b, now)?;
    let rows = u.payments().of_booking(b.id)?;
    let history = u.booking_history().status_history(b.id)?;
    let money = facts::facts(b, &rows);
    let last = |to: Status| history.iter().rev().find(|h| h.to == to).map(|h| h.at);
    let mates = u32::from(b.mate_count.get());
    Ok(Facts {
        now,
        start: b.move_at,
        own: false,
        reason_given: false,
        payment_reference: false,
        crew,
        // Only free mates are chosen, and who is on it is taken for it.
        crew_free: crew > 0,
        mate_count: mates,
        delivers_items: matches!(b.move_kind, MoveKind::ItemDelivery | MoveKind::Curbside | MoveKind::WhiteGlove),
        passed_completed: passed_completed(history.iter().map(|h| h.to)),
        completed_at: b.completed_at,
        cancelled_at: b.cancelled_at,
        payed_at: last(Status::Payed),
        invoice_live: u.invoices().of_booking(b.id)?.iter().any(Invoice::is_in_force),
        // Partners pay by invoice, and whoever asked for one.
        invoice_wanted: b.partner_id.is_some() || b.details.paid_by == PaidBy::Invoice,
        // What was written off is not asked for any more.
        amount_due: facts::owed(b, &rows),
        net_paid: money.net(),
        refunds_open: facts::is_to_go_back(&rows),
        capacity_free,
        keeps_money: false,
        previous: history.iter().rev().find(|h| h.to == Status::Deleted).and_then(|h| h.from),
    })
}

/// What must be said with a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Why.
    Reason,
    /// Reference of a payment made elsewhere.
    PaymentReference,
}

impl Need {
    /// As the field of a status change is called.
    pub const fn code(self) -> &'static str {
        match self {
            Need::Reason => "reason",
            Need::PaymentReference => "paymentReference",
        }
    }
}

/// A status that a booking may be given now, or why not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The status.
    pub to: Status,
    /// Code of what stands in the way; none = it is allowed.
    pub refused: Option<&'static str>,
    /// What has to be said with it.
    pub needs: Vec<Need>,
}

const NO_SUCH_STEP: &str = "no_such_step";
const NOT_FOR_ROLE: &str = "not_for_role";

/// Code of what stands in the way of a step.
const fn code_of(reason: Reason<Guard>) -> &'static str {
    match reason {
        Reason::NoSuchStep => NO_SUCH_STEP,
        Reason::NotForRole => NOT_FOR_ROLE,
        Reason::Guard(guard) => guard.code(),
    }
}

impl Step {
    /// Every code that [`Step::refused`] can hold: what stands in the way of any status, and the guards of the table.
    pub fn refusals() -> impl Iterator<Item = &'static str> {
        let guards = Guard::ALL.iter().map(|guard| guard.code());
        [NO_SUCH_STEP, NOT_FOR_ROLE].into_iter().chain(guards)
    }
}

/// Every other status, as somebody of this role may give it now. Nothing is locked and nothing is changed: what is allowed
/// here may be refused a moment later.
///
/// # Errors
/// When the database fails.
pub(crate) fn steps(u: &mut dyn Unit, b: &Booking, role: ActorRole, now: DateTime<Utc>) -> ServiceResult<Vec<Step>> {
    let recorded = u.crews().of_booking(b.id)?.len();
    let crew = match b.status {
        Status::Pending | Status::Completed if recorded == 0 => crews::possible(u, b)?,
        _ => recorded,
    };
    let said = Facts { reason_given: true, payment_reference: true, ..facts_now(u, b, now, crew)? };
    let reopened = said.passed_completed && matches!(b.status, Status::Pending | Status::Assigned);
    let refused = |to: Status, f: &Facts| {
        // As `status::to_invoiced` and `status::to_payed`.
        let to = if to == Status::Invoiced && reopened { Status::Completed } else { to };
        let pays = to == Status::Payed && f.payment_reference;
        let f = if pays { &Facts { amount_due: Money::ZERO, ..*f } } else { f };
        booking::transition(b.status, to, role, f).err().map(|e| code_of(e.reason))
    };
    let silent = [
        (Need::Reason, Facts { reason_given: false, ..said }),
        (Need::PaymentReference, Facts { payment_reference: false, ..said }),
    ];
    let others = Status::ALL.iter().copied().filter(|to| *to != b.status);
    Ok(others
        .map(|to| {
            let why = refused(to, &said);
            let missing = silent.iter().filter(|(_, without)| why.is_none() && refused(to, without).is_some());
            Step { to, refused: why, needs: missing.map(|(need, _)| *need).collect() }
        })
        .collect())
}
