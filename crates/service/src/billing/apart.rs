//! Amounts that are owed but never charged to a card automatically, because they were reversed outside Portage: staff ask
//! for them.

use chrono::{DateTime, Utc};
use kernel::Money;
use status_machine::booking::Status;

use super::facts::{is_charged_by_itself, is_of_tip, live, net, owed, returned_of, took};
use crate::ports::{
    bookings::Booking,
    consents::{Consent, ConsentSubject, Standing},
    credits::CreditKind,
    payments::{Payment, PaymentKind},
};

/// What is owed and no card is charged for: see [`asked_by_people_only`]. It is a problem of the booking until it is
/// paid or given away.
pub fn owed_by_people(b: &Booking, rows: &[Payment]) -> Money {
    asked_by_people_only(b, rows).minus(b.written_off()).max(Money::ZERO).min(owed(b, rows))
}

/// Part of the amount owed that was reversed outside Portage ([`left_apart`]) and not written off.
pub fn owed_since_it_went_back(b: &Booking, rows: &[Payment]) -> Money {
    left_apart(b, rows).minus(b.written_off()).max(Money::ZERO).min(owed(b, rows))
}

/// Cancelled before its customer agreed that money which went back is charged again.
pub fn ended_unagreed(b: &Booking) -> bool {
    matches!(b.status, Status::Cancelled | Status::Deleted) && b.details.charges_wait.is_some()
}

/// What the bank gave back of a charge that the cardholder disputed.
pub fn given_back_by_bank(rows: &[Payment], charge: &Payment) -> Money {
    rows.iter().filter(|r| r.is_chargeback() && r.refund_of == Some(charge.id)).map(|r| r.amount).sum()
}

/// Amount of a charge that was reversed outside Portage: a chargeback, a refund made in the gateway's panel, or one
/// that the gateway made after the same money had been given back by hand.
pub fn went_apart(rows: &[Payment], charge: &Payment) -> Money {
    let of_this = |r: &&Payment| (r.is_chargeback() || r.is_twice()) && r.refund_of == Some(charge.id);
    rows.iter().filter(of_this).map(|r| r.amount).sum()
}

/// Amount of a charge that was reversed outside Portage, is still owed and can be written off. Zero for a tip, and while an
/// open charge of a live booking will collect it: goodwill lowers that charge instead.
pub fn to_be_written_off(b: &Booking, rows: &[Payment], charge: &Payment) -> Money {
    if !took(charge) || charge.kind == PaymentKind::Tip || (live(b) && is_charged_by_itself(rows)) {
        return Money::ZERO;
    }
    went_apart(rows, charge).min(owed_since_it_went_back(b, rows))
}

/// Part of the amount due that is never charged automatically: [`left_apart`]. If the booking [`ended_unagreed`], at least
/// all that is missing of the retained amount, such as a transfer that never came.
pub fn asked_by_people_only(b: &Booking, rows: &[Payment]) -> Money {
    let apart = left_apart(b, rows);
    if ended_unagreed(b) { apart.max(b.retained().minus(net(b, rows))) } else { apart }
}

/// What was written off, what the bank took back after a dispute, and what went back by another hand than ours, unless it was
/// paid by hand or by a link since, given away or written off. Charging a card for that again is what the dispute was about, and
/// nobody agreed to it.
pub fn left_apart(b: &Booking, rows: &[Payment]) -> Money {
    let left = |r: &&Payment| (r.is_chargeback() || r.is_twice()) && !is_of_tip(r, rows) && !is_consented(b, r);
    let paid = |r: &&Payment| took(r) && r.kind != PaymentKind::Tip && (r.method.is_by_hand() || r.is_by_link());
    // What is given away of a cancellation's fee lowers that, and what was given away before does not lower the fee.
    let ended = matches!(b.status, Status::Cancelled | Status::Deleted);
    let given = b.details.credits.iter().filter(|c| c.kind == CreditKind::Goodwill && !c.ended);
    let given = given.filter(|c| c.of_cancellation == ended).map(|c| (c.at, 1_u8, c.amount.negated()));
    // What went back is written off by its charge, which took money; a charge that was given up took none.
    let of_taken = |payment| rows.iter().any(|r| r.id == payment && took(r));
    let written_off =
        b.details.write_offs.iter().filter(|w| of_taken(w.payment)).map(|w| (w.at, 1_u8, w.amount.negated()));
    let moved = |r: &Payment, n: u8, amount: Money| r.settled_at.map(|at| (at, n, amount));
    let mut all: Vec<(DateTime<Utc>, u8, Money)> =
        rows.iter().filter(left).filter_map(|r| moved(r, 0, r.amount)).chain(given).chain(written_off).collect();
    // A payment by hand that was taken out again never came.
    let came = |r: &Payment| if r.method.is_by_hand() { r.amount.minus(returned_of(rows, r)) } else { r.amount };
    all.extend(rows.iter().filter(paid).filter_map(|r| moved(r, 1, came(r).negated())));
    all.sort_by_key(|(at, n, _)| (*at, *n));
    // What came before something went back was for something else.
    let asked = all.iter().fold(Money::ZERO, |asked, (_, _, amount)| asked.plus(*amount).max(Money::ZERO));
    asked.plus(b.written_off())
}

/// What went back by another hand belongs to what a customer was asked to agree to since, when their booking was taken back.
fn is_consented(b: &Booking, row: &Payment) -> bool {
    let agreed = |c: &Consent| {
        c.standing == Standing::Agreed
            && matches!(c.about, ConsentSubject::Recharge { .. })
            && c.answered_at.is_some_and(|at| row.settled_at.is_some_and(|left| left <= at))
    };
    // Cancelled again before they answered it is owed as before.
    let asked = b.details.charges_wait.is_some() && !matches!(b.status, Status::Cancelled | Status::Deleted);
    row.is_twice() && (asked || b.details.consents.iter().any(agreed))
}
