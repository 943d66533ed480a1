//! What the table of statuses says about a booking and its present facts. Nothing is changed here.

use chrono::{DateTime, Utc};
use kernel::Language;
use pricing::MoveKind;
use status_machine::{
    Reason, Role as ActorRole,
    booking::{self, Effect, Facts, Guard, Status, passed_completed},
};

use crate::{
    Error, ErrorCode, ServiceResult,
    billing::facts,
    crews,
    ports::{Unit, bookings::Booking, payments::PaymentKind},
};

/// What staff say with a status change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Said {
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

/// Asks the table. False: it has that status already.
///
/// # Errors
/// `transition_refused` naming the allowed targets, `crew_missing`.
pub(super) fn decide(
    u: &mut dyn Unit,
    b: &Booking,
    to: Status,
    role: ActorRole,
    said: &Said,
    now: DateTime<Utc>,
) -> ServiceResult<bool> {
    Ok(effects(u, b, to, role, said, now)?.is_some())
}

pub(super) fn effects(
    u: &mut dyn Unit,
    b: &Booking,
    to: Status,
    role: ActorRole,
    said: &Said,
    now: DateTime<Utc>,
) -> ServiceResult<Option<Vec<Effect>>> {
    let f = table_facts(u, b, to, said, now)?;
    match booking::transition(b.status, to, role, &f) {
        Ok(status_machine::Outcome::Unchanged) => Ok(None),
        // The table would let it, but there are no invoices yet, and both states say that there is one.
        Ok(status_machine::Outcome::Changed(_)) if needs_invoice(to) => Err(ErrorCode::InvoiceNeedsCompleted.into()),
        Ok(status_machine::Outcome::Changed(effects)) => Ok(Some(effects)),
        Err(refused) => {
            let allowed: Vec<&str> = refused.allowed.iter().filter(|a| !needs_invoice(**a)).map(|a| a.code()).collect();
            let code = match refused.reason {
                Reason::Guard(Guard::CrewFree | Guard::CrewRecorded) if to == Status::Assigned => {
                    ErrorCode::CrewMissing
                }
                _ => ErrorCode::TransitionRefused,
            };
            Err(Error::Refused(code, vec![("allowed", allowed.join(",")), ("reason", refused.to_string())]))
        }
    }
}

fn needs_invoice(to: Status) -> bool {
    matches!(to, Status::Invoiced | Status::Payed)
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
    Ok(crews::possible(u, b)?.len())
}

fn table_facts(u: &mut dyn Unit, b: &Booking, to: Status, said: &Said, now: DateTime<Utc>) -> ServiceResult<Facts> {
    let crew = u32::try_from(crew(u, b, to)?).unwrap_or(u32::MAX);
    let rows = u.payments().of_booking(b.id)?;
    let history = u.bookings().status_history(b.id)?;
    let money = facts::facts(b, &rows);
    let last = |to: Status| history.iter().rev().find(|h| h.to == to).map(|h| h.at);
    let mates = u32::from(b.mate_count.get());
    Ok(Facts {
        now,
        start: b.move_at,
        own: true,
        reason_given: said.reason.as_ref().is_some_and(|r| !r.trim().is_empty()),
        payment_reference: said.payment_reference.as_ref().is_some_and(|r| !r.trim().is_empty()),
        crew,
        // Only free mates are chosen, and who is on it is taken for it.
        crew_free: true,
        mate_count: mates,
        delivers_items: matches!(b.move_kind, MoveKind::ItemDelivery | MoveKind::Curbside | MoveKind::WhiteGlove),
        passed_completed: passed_completed(history.iter().map(|h| h.to)),
        completed_at: b.completed_at,
        cancelled_at: b.cancelled_at,
        payed_at: last(Status::Payed),
        invoice_live: false,
        invoice_wanted: false,
        amount_due: money.missing(),
        net_paid: money.net(),
        refunds_open: rows.iter().any(|r| r.kind == PaymentKind::Refund && (facts::open(r) || facts::in_flight(r))),
        capacity_free: true,
        keeps_money: b.details.kept.is_some_and(kernel::Money::is_positive),
        previous: history.iter().rev().find(|h| h.to == Status::Deleted).and_then(|h| h.from),
    })
}
