//! What must be true, as a function of plain facts. It recomputes what should be from the policy,
//! the calendar and the histories, and never asks the use cases.

mod books;
mod desk;
mod owed;
mod room;

pub use owed::refund_refused;

use std::collections::{BTreeMap, BTreeSet};

use chrono::Duration;
use kernel::{BookingId, Money};
use service::ports::{
    disputes::DisputeState,
    payments::{GatewayKind, GatewayStatus, GatewayTransaction, Payment, PaymentKind},
};
use status_machine::{booking::Status, payment::State};

use crate::{
    acks::Ack,
    facts::{BookingFacts, Facts},
    gateway::short_of,
};

/// True at every moment, whatever is under way.
pub fn always(f: &Facts) -> Result<(), String> {
    let mut moved = BTreeSet::new();
    for t in f.bank.iter().filter(|t| t.kind == GatewayKind::Charge && t.status != GatewayStatus::Declined) {
        check(moved.insert(&t.order_id), || format!("{} was applied twice", t.order_id))?;
    }
    acknowledged(f)?;
    for b in &f.bookings {
        let in_flight = b.payments.iter().filter(|p| matches!(*p.state, State::Processing | State::Unknown)).count();
        check(in_flight <= 1, || format!("{}: {in_flight} charges in flight at once", b.name()))?;
        let unsettled = b.payments.iter().filter(|p| p.kind == PaymentKind::Tip && unsettled(*p.state)).count();
        check(unsettled <= 1, || format!("{}: {unsettled} unsettled tips", b.name()))?;
        books::balanced(b)?;
        desk::once(b)?;
        desk::asked_first(b)?;
    }
    Ok(())
}

fn unsettled(state: State) -> bool {
    !matches!(
        state,
        State::Captured
            | State::Settled
            | State::Refunded
            | State::PartiallyRefunded
            | State::ChargedBack
            | State::Skipped
            | State::Voided
            | State::Failed
    )
}

/// True when nothing is under way and nothing is due.
pub fn at_rest(f: &Facts) -> Result<(), String> {
    always(f)?;
    if let Some(c) = f.checkouts.first() {
        return Err(format!("{} is still being paid for", c.order_id));
    }
    if let Some(job) = f.dead.first() {
        return Err(format!(
            "a job was given up: {} {}: {}",
            job.kind,
            job.payload,
            job.last_error.as_deref().unwrap_or("")
        ));
    }
    belongs(f)?;
    for b in &f.bookings {
        let money = Money2::of(f, b);
        desk::disputes(f, b)?;
        owed::move_money(f, b, money.of_move.plus(b.by_hand(|_| true)))?;
        owed::tip_money(f, b, money.of_tip)?;
        owed::declines(f, b)?;
        books::agree(b, money)?;
        room::held(b)?;
        room::within_the_day(b)?;
        room::invoiced_when_done(b)?;
        room::crew(b)?;
        room::mails(f, b)?;
    }
    room::codes(f)
}

/// True when the desk has finished what waited for it: whoever owes nothing and is owed nothing has no balance, neither as
/// a customer nor in trust.
pub fn finished(f: &Facts) -> Result<(), String> {
    for b in f.bookings.iter().filter(|b| !b.live()) {
        books::closed(b)?;
    }
    Ok(())
}

/// Capacity, half hour by half hour.
pub fn rooms(f: &Facts) -> Result<(), String> {
    room::counted(f)
}

/// A charge that is still asked for.
fn asks(p: &Payment) -> bool {
    matches!(*p.state, State::Scheduled | State::SoftDeclined | State::HardDeclined | State::Failed)
}

fn check(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// Captured minus returned at the gateway, for one booking.
#[derive(Debug, Clone, Copy)]
struct Money2 {
    of_move: Money,
    of_tip: Money,
}

impl Money2 {
    fn of(f: &Facts, b: &BookingFacts) -> Money2 {
        let tips: BTreeSet<&str> = b
            .payments
            .iter()
            .filter(|p| p.kind == PaymentKind::Tip)
            .flat_map(|p| b.attempts.iter().filter(move |a| a.payment_id == p.id))
            .map(|a| a.order_id.as_str())
            .collect();
        let mut money = Money2 { of_move: Money::ZERO, of_tip: Money::ZERO };
        for t in f.bank.iter().filter(|t| short_of(&t.order_id) == b.short() && t.kind == GatewayKind::Charge) {
            let left = left(f, t);
            if tips.contains(t.order_id.as_str()) {
                money.of_tip = money.of_tip.plus(left);
            } else {
                money.of_move = money.of_move.plus(left);
            }
        }
        money
    }
}

/// What a charge still holds.
fn left(f: &Facts, charge: &GatewayTransaction) -> Money {
    if !matches!(charge.status, GatewayStatus::Captured | GatewayStatus::Settled) {
        return Money::ZERO;
    }
    let gone = |t: &&GatewayTransaction| {
        matches!(&t.kind, GatewayKind::Refund { of } if *of == charge.id) && t.status != GatewayStatus::Declined
    };
    let gone: Money = f.bank.iter().filter(gone).map(|t| t.amount).sum();
    let lost = f.disputes.iter().filter(|d| d.transaction_id == charge.id && d.state == DisputeState::Lost);
    charge.amount.minus(gone).minus(lost.map(|d| d.amount).sum())
}

/// Every capture is written down with a booking, or was returned.
fn belongs(f: &Facts) -> Result<(), String> {
    let known: BTreeSet<&str> = f.bookings.iter().flat_map(|b| &b.attempts).map(|a| a.order_id.as_str()).collect();
    for t in f.bank.iter().filter(|t| t.kind == GatewayKind::Charge) {
        let left = left(f, t);
        check(left.is_zero() || known.contains(t.order_id.as_str()), || {
            format!("{} of {} is held and belongs to no booking", left, t.order_id)
        })?;
    }
    Ok(())
}

/// Nothing that was acknowledged is missing, and one press of one key is one booking.
fn acknowledged(f: &Facts) -> Result<(), String> {
    let by_id: BTreeMap<BookingId, &BookingFacts> = f.bookings.iter().map(|b| (b.booking.id, b)).collect();
    for ack in &f.acks {
        let (Ack::Booked { id, .. }
        | Ack::Edited { id, .. }
        | Ack::Moved { id, .. }
        | Ack::Tipped { id, .. }
        | Ack::Gave { id, .. }
        | Ack::Took { id, .. }
        | Ack::Longer { id, .. }) = ack;
        let Some(b) = by_id.get(id) else { return Err(format!("{ack:?}, but there is no such booking")) };
        match ack {
            Ack::Booked { key, .. } => {
                // Two tabs share a hold, and with it its booking; two customers share nothing.
                let own = |key: &str| key.rsplit_once('-').map(|(wizard, _)| wizard.to_owned());
                check(own(b.key()) == own(key), || format!("{key} was told of {}, which {} made", b.name(), b.key()))?;
            }
            Ack::Edited { version, .. } => {
                check(b.booking.version >= *version, || format!("{}: version {version} was acknowledged", b.name()))?;
            }
            Ack::Moved { to, .. } => {
                let was = b.history.iter().any(|h| h.to == *to);
                check(was, || format!("{}: {to:?} was acknowledged and never happened", b.name()))?;
            }
            Ack::Gave { key, .. } | Ack::Took { key, .. } | Ack::Longer { key, .. } => {
                check(desk::stands(b, *key), || format!("{}: {ack:?} and it is not there", b.name()))?;
            }
            Ack::Tipped { version, .. } => {
                let kept = b.tip.as_ref().is_some_and(|t| t.version >= *version);
                check(kept, || format!("{}: tip version {version} was acknowledged", b.name()))?;
            }
        }
    }
    for (n, a) in f.bookings.iter().enumerate() {
        for b in f.bookings.iter().skip(n + 1).filter(|b| b.key() == a.key()) {
            // A key is remembered for a day.
            let apart = (a.booking.created_at - b.booking.created_at).abs();
            check(apart >= Duration::hours(24), || format!("{} made two bookings", a.key()))?;
        }
    }
    Ok(())
}

impl BookingFacts {
    fn short(&self) -> &str {
        self.booking.short_id.as_str()
    }

    /// The comments of a booking name the key of the button that made it.
    fn key(&self) -> &str {
        &self.booking.details.comments
    }

    fn name(&self) -> String {
        format!("{} ({:?})", self.booking.short_id, self.booking.status)
    }

    fn live(&self) -> bool {
        matches!(self.booking.status, Status::Pending | Status::Assigned)
    }

    /// It was done, as far as its status says.
    fn done(&self) -> bool {
        matches!(self.booking.status, Status::Completed | Status::Invoiced | Status::Payed)
    }
}
