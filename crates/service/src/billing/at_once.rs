//! The amount that a change of a booking charges at once, and what has been paid beyond the new price.

use chrono::{DateTime, Utc};
use kernel::Money;
use policy::EditSettlement;

use super::{
    apart::asked_by_people_only,
    facts::{captured, facts, refunded},
};
use crate::ports::{bookings::Booking, payments::Payment};

/// What the change of `old` into `new` charges with itself; `rows` are as they were before it. Just what settling would ask
/// for at once after it: what only people ask for is charged to no card. What is to go back still goes back.
///
/// What is too much is a mark of the money as it stood, to be compared. How much of it goes back is said by the rows that
/// settling plans.
pub fn of_change(old: &Booking, new: &Booking, rows: &[Payment], now: DateTime<Utc>) -> EditSettlement {
    let (total, move_at, lock_entered) = (new.due(), new.move_at, new.details.lock_entered);
    let f = policy::Facts { total, move_at, lock_entered, ..facts(old, rows) };
    let settled = policy::settle_edit(&new.details.policy, &f, now);
    // What is paid by hand is owed then, and charged by nobody.
    // And what the customer has not agreed to waits for their answer.
    let by_nobody = new.details.paid_by.is_by_hand() || new.details.charges_wait.is_some();
    let amount = amount_to_charge(new, &f, rows);
    let charge_now = settled.charge_now.filter(|_| !by_nobody && amount.is_positive()).map(|(kind, _)| (kind, amount));
    EditSettlement { charge_now, ..settled }
}

/// How much of the missing money a card is charged for.
fn amount_to_charge(new: &Booking, f: &policy::Facts, rows: &[Payment]) -> Money {
    // A price that falls ends what was written off, as far as that is not owed any more.
    let not_held = new.due().minus(captured(rows).minus(refunded(rows))).max(Money::ZERO);
    let left = f.missing().minus(new.written_off().min(not_held));
    let by_people = asked_by_people_only(new, rows).minus(new.written_off());
    left.minus(by_people).max(Money::ZERO)
}
