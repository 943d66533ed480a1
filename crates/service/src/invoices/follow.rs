//! What time and money do to an invoice and to its booking: paid, owed again, overdue, reminded.
//!
//! One job a booking. It looks at everything anew: whoever changes the money of an invoiced booking queues it, and it queues
//! itself for the next instant at which something happens by the clock alone.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money};
use status_machine::{
    Role,
    booking::Status,
    invoice::{Effect, Facts, REMINDER_DAYS, State},
};

use super::{
    issue::{end_of_day, issue, snapshot, step},
    paper,
};
use crate::{
    Actor, Error, ServiceResult, Services, Tx,
    billing::facts::owed,
    bookings::{trail, transition},
    mailing,
    ports::{bookings::Booking, invoices::Invoice, payments::Payment},
    work::Work,
};

/// The job.
///
/// # Errors
/// When the database fails.
pub async fn run(s: &Services, id: BookingId) -> ServiceResult<()> {
    s.write(Actor::system(), move |tx| {
        let Some(mut b) = tx.unit.bookings().lock(id)? else { return Ok::<_, Error>(()) };
        tx.look_at_clock();
        follow(tx, &mut b)
    })
    .await
}

/// Brings status and invoice in line with what is owed, and queues the next look.
fn follow(tx: &mut Tx<'_>, b: &mut Booking) -> ServiceResult<()> {
    let rows = tx.unit.payments().of_booking(b.id)?;
    let left = owed(b, &rows);
    let to = match b.status {
        Status::Invoiced if !left.is_positive() => Some(Status::Payed),
        Status::Payed if left.is_positive() => Some(Status::Invoiced),
        _ => None,
    };
    if let Some(to) = to {
        moved(tx, b, to)?;
    }
    if b.status == Status::Invoiced {
        // Paid without one, and owed again: now there is one.
        issue(tx, b, Role::System)?;
    }
    let standing: Vec<Invoice> = tx.unit.invoices().of_booking(b.id)?.into_iter().filter(Invoice::stands).collect();
    let mut next: Option<DateTime<Utc>> = None;
    for invoice in standing {
        let looked = of_invoice(tx, b, invoice, &rows, left)?;
        next = [next, looked].into_iter().flatten().min();
    }
    match next {
        Some(at) => Ok(tx.enqueue_at(&Work::FollowInvoice { booking_id: b.id }, at)?),
        None => Ok(()),
    }
}

/// The booking takes a step of its own table.
fn moved(tx: &mut Tx<'_>, b: &mut Booking, to: Status) -> ServiceResult<()> {
    let (before, from) = (trail::snapshot(b), b.status);
    if transition::take(tx, b, to, &transition::StatusInput::default(), Money::ZERO)?.is_none() {
        return Ok(());
    }
    if to == Status::Invoiced {
        tracing::warn!(booking = %b.short_id, "money is owed again of a booking that was paid");
    }
    b.updated_at = tx.now;
    b.version = tx.unit.bookings().update(b, b.version)?;
    trail::append(tx, b, from, None)?;
    Ok(tx.audit("booking.status", b.id, Some(before), Some(trail::snapshot(b)))?)
}

/// Steps of one invoice; answers when it is to be looked at again.
fn of_invoice(
    tx: &mut Tx<'_>,
    b: &Booking,
    mut i: Invoice,
    rows: &[Payment],
    left: Money,
) -> ServiceResult<Option<DateTime<Utc>>> {
    let before = snapshot(&i);
    let was = (*i.state, i.reminders);
    let due = i.due_at.unwrap_or(tx.now);
    let late_from = end_of_day(b.zone, due, 0);
    let facts = Facts { nothing_due: !left.is_positive(), past_due: tx.now >= late_from, ..Facts::default() };
    let mut effects: Vec<Effect> = Vec::new();
    if facts.nothing_due && matches!(*i.state, State::Issued | State::Sent | State::Overdue) {
        effects.extend(step(&mut i, State::Paid, Role::System, &facts)?);
        (i.paid_at, i.receipt) = (Some(tx.now), Some(paper::payments(b, rows)));
    } else if !facts.nothing_due && *i.state == State::Paid {
        effects.extend(step(&mut i, State::Sent, Role::System, &facts)?);
        (i.paid_at, i.receipt) = (None, None);
    }
    if *i.state == State::Sent && facts.past_due && !facts.nothing_due {
        effects.extend(step(&mut i, State::Overdue, Role::System, &facts)?);
    }
    for effect in effects {
        match effect {
            // What was paid when it was issued was told with each of its charges.
            Effect::Send(_) if i.paper.as_ref().is_some_and(|p| p.due.is_positive()) => {
                mailing::invoices::payment_received(tx, b, &i)?;
            }
            // Reminders go out below, and only while it is overdue.
            Effect::Send(_) | Effect::ScheduleReminders | Effect::WithdrawReminders => {}
            other => return Err(Error::Internal(format!("nobody carries out {other:?} of an invoice"))),
        }
    }
    let mut next = (*i.state == State::Sent && !facts.nothing_due).then_some(late_from);
    if *i.state == State::Overdue {
        next = reminded(tx, b, &mut i, due, left)?;
    }
    if (*i.state, i.reminders) != was {
        i.updated_at = tx.now;
        i.version = tx.unit.invoices().update(&i)?;
        tx.audit("invoice.follow", i.id, Some(before), Some(snapshot(&i)))?;
    }
    Ok(next)
}

/// Sends the reminder whose day has come, one at a time however long nobody looked; answers when the next one is due.
fn reminded(
    tx: &mut Tx<'_>,
    b: &Booking,
    i: &mut Invoice,
    due: DateTime<Utc>,
    left: Money,
) -> ServiceResult<Option<DateTime<Utc>>> {
    let day = |n: u32| {
        let days = usize::try_from(n).ok().and_then(|n| REMINDER_DAYS.get(n))?;
        Some(end_of_day(b.zone, due, i64::from(*days) - 1))
    };
    let mut passed = i.reminders;
    while day(passed).is_some_and(|at| at <= tx.now) {
        passed += 1;
    }
    if passed > i.reminders {
        i.reminders = passed;
        mailing::invoices::reminder(tx, b, i, left)?;
    }
    Ok(day(passed))
}
