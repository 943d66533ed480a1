//! What time and money do to an invoice and to its booking: paid, owed again, overdue, reminded.
//!
//! One job a booking; of a booking on its partner's paper it looks at all that stand there, for they are paid together. It
//! looks at everything anew: whoever changes the money of an invoiced booking queues it, and it queues itself for the next
//! instant at which something happens by the clock alone.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money, Zone};
use status_machine::{
    Role,
    booking::Status,
    invoice::{Effect, Facts, State},
};

use super::{
    batch_paper,
    days::{end_of_day, reminder_at},
    issue::{batch_of, issue, snapshot, step},
    paper,
    whose::{billed, home, partner_of},
};
use crate::{
    Actor, Error, ServiceResult, Services, Tx,
    billing::{dates, facts::owed},
    bookings::{effects, trail, transition},
    mailing,
    ports::{
        Unit,
        bookings::Booking,
        directory::PartnerRecord,
        invoices::{Invoice, InvoiceId, PaperPayment},
    },
    work::Work,
};

/// The job.
///
/// # Errors
/// When the database fails.
pub async fn run(s: &Services, id: BookingId) -> ServiceResult<()> {
    s.write(Actor::system(), move |tx| {
        if let Some(batch) = standing_batch(tx.unit, id)? {
            return follow_batch(tx, batch);
        }
        let Some(mut b) = tx.unit.bookings().lock(id)? else { return Ok::<_, Error>(()) };
        tx.look_at_clock();
        follow(tx, &mut b)
    })
    .await
}

/// The paper of its partner that a booking stands on.
fn standing_batch(u: &mut dyn Unit, id: BookingId) -> ServiceResult<Option<InvoiceId>> {
    let Some(b) = u.bookings().get(id)? else { return Ok(None) };
    Ok(batch_of(u, &b)?.filter(Invoice::is_in_force).map(|i| i.id))
}

/// The bookings of a partner's paper are paid when all of it is; what is owed again is owed for the booking it was paid for.
fn follow_batch(tx: &mut Tx<'_>, id: InvoiceId) -> ServiceResult<()> {
    let ids = tx.unit.invoices().bookings_of(id)?;
    let mut members: Vec<(Booking, Money)> = Vec::with_capacity(ids.len());
    let mut receipt: Vec<PaperPayment> = Vec::new();
    // In the order of their keys, in which everybody locks them.
    for id in &ids {
        let Some(b) = tx.unit.bookings().lock(*id)? else { continue };
        let rows = tx.unit.payments().of_booking(b.id)?;
        receipt.extend(paper::payments(&b, &rows));
        let left = owed(&b, &rows);
        members.push((b, left));
    }
    tx.look_at_clock();
    let Some(invoice) = tx.unit.invoices().get(id)?.filter(Invoice::is_in_force) else { return Ok(()) };
    let left: Money = members.iter().map(|m| m.1).sum();
    for (b, own) in &mut members {
        match b.status {
            Status::Invoiced if !left.is_positive() => moved(tx, b, Status::Payed)?,
            Status::Payed if own.is_positive() => moved(tx, b, Status::Invoiced)?,
            _ => {}
        }
    }
    let partner = partner_of(tx.unit, &invoice)?;
    let of = InvoiceContext {
        zone: home(),
        to: InvoiceRecipient::Partner(&partner),
        receipt: batch_paper::together(receipt),
        left,
    };
    match (of_invoice(tx, &of, invoice)?, ids.first()) {
        (Some(at), Some(first)) => Ok(tx.enqueue_at(&Work::FollowInvoice { booking_id: *first }, at)?),
        _ => Ok(()),
    }
}

/// Who gets an invoice.
enum InvoiceRecipient<'a> {
    Customer(&'a Booking),
    Partner(&'a PartnerRecord),
}

/// What decides the next step of an invoice.
struct InvoiceContext<'a> {
    /// The zone of its days.
    zone: Zone,
    to: InvoiceRecipient<'a>,
    /// Everything that was paid.
    receipt: Vec<PaperPayment>,
    /// What is owed.
    left: Money,
}

impl InvoiceContext<'_> {
    fn tell_paid(&self, tx: &mut Tx<'_>, i: &Invoice) -> ServiceResult<()> {
        match self.to {
            InvoiceRecipient::Customer(b) => mailing::invoices::payment_received(tx, b, i),
            InvoiceRecipient::Partner(partner) => mailing::batches::payment_received(tx, partner, i),
        }
    }

    fn remind(&self, tx: &mut Tx<'_>, i: &Invoice) -> ServiceResult<()> {
        match self.to {
            InvoiceRecipient::Customer(b) => mailing::invoices::reminder(tx, b, i, self.left),
            InvoiceRecipient::Partner(partner) => mailing::batches::reminder(tx, partner, i, self.left),
        }
    }
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
    let standing: Vec<Invoice> =
        tx.unit.invoices().of_booking(b.id)?.into_iter().filter(Invoice::is_in_force).collect();
    let mut next: Option<DateTime<Utc>> = None;
    let billed = billed(tx.unit, b)?;
    let to = billed.as_ref().map_or(InvoiceRecipient::Customer(b), InvoiceRecipient::Partner);
    let of = InvoiceContext { zone: b.zone, to, receipt: paper::payments(b, &rows), left };
    for invoice in standing {
        let looked = of_invoice(tx, &of, invoice)?;
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
    let Some(effects) = transition::take(tx, b, to, &transition::StatusInput::default(), Money::ZERO)? else {
        return Ok(());
    };
    if to == Status::Invoiced {
        tracing::warn!(booking = %b.short_id, "money is owed again of a booking that was paid");
    }
    b.updated_at = tx.now;
    b.version = tx.unit.bookings().update(b, b.version)?;
    trail::append(tx, b, from, None)?;
    for effect in effects {
        effects::carry_out(tx, b, effect)?;
    }
    Ok(tx.audit("booking.status", b.id, Some(before), Some(trail::snapshot(b)))?)
}

/// Steps of one invoice; answers when it is to be looked at again.
fn of_invoice(tx: &mut Tx<'_>, of: &InvoiceContext<'_>, mut i: Invoice) -> ServiceResult<Option<DateTime<Utc>>> {
    let before = snapshot(&i);
    let was = (*i.state, i.reminders);
    let due = i.due_at.unwrap_or(tx.now);
    let late_from = end_of_day(of.zone, due, 0);
    let facts = Facts { nothing_due: !of.left.is_positive(), past_due: tx.now >= late_from, ..Facts::default() };
    let mut effects: Vec<Effect> = Vec::new();
    if facts.nothing_due && matches!(*i.state, State::Issued | State::Sent | State::Overdue) {
        effects.extend(step(&mut i, State::Paid, Role::System, &facts)?);
        (i.paid_at, i.receipt) = (Some(dates::of_fact(tx)?), Some(of.receipt.clone()));
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
                of.tell_paid(tx, &i)?;
            }
            // Reminders go out below, and only while it is overdue.
            Effect::Send(_) | Effect::ScheduleReminders | Effect::WithdrawReminders => {}
            other => return Err(Error::Internal(format!("nobody carries out {other:?} of an invoice"))),
        }
    }
    let mut next = (*i.state == State::Sent && !facts.nothing_due).then_some(late_from);
    if *i.state == State::Overdue {
        next = reminded(tx, of, &mut i)?;
    }
    if (*i.state, i.reminders) != was {
        i.updated_at = tx.now;
        i.version = tx.unit.invoices().update(&i)?;
        tx.audit("invoice.follow", i.id, Some(before), Some(snapshot(&i)))?;
    }
    Ok(next)
}

/// Sends the reminder whose day has come, one at a time however long nobody looked; answers when the next one is due. Of a
/// paper that was never sent there is none.
fn reminded(tx: &mut Tx<'_>, of: &InvoiceContext<'_>, i: &mut Invoice) -> ServiceResult<Option<DateTime<Utc>>> {
    let mut passed = i.reminders;
    while reminder_at(i, of.zone, passed).is_some_and(|at| at <= tx.now) {
        passed += 1;
    }
    if passed > i.reminders {
        i.reminders = passed;
        of.remind(tx, i)?;
    }
    Ok(reminder_at(i, of.zone, passed))
}
