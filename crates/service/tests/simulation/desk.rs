//! What staff do about money: give back and waive, take by hand and take out again, hand back, add overtime, undo a
//! charge, ask for it once more, give it up, take an invoice back.

use kernel::{BookingId, Money, PaymentId};
use service::{
    Services, Staff,
    billing::facts,
    bookings::consents::staff::ask_again,
    desk::{
        credits::{self, NewCredit},
        failed,
        overtime::{self, NewOvertime},
        received::{self, Received},
        record,
    },
    idempotency::{Guard, Replayable, Request},
    invoices,
    ports::{
        bookings::Booking,
        credits::CreditKind,
        invoices::{Invoice, InvoiceId},
        overtime::OvertimeCause,
        payments::{PaidWith, Payment, PaymentKind},
    },
};
use status_machine::{booking::Status, payment::State};

use crate::{
    acks::Ack,
    actors::{Deed, heard},
    dice::Dice,
    people::staff,
    world::World,
};

/// One deed of the money desk. `key` tells it from all others: it is its idempotency key, and the reason, reference or
/// consent by which it is found again.
#[derive(Debug, Clone, PartialEq)]
pub enum Pressed {
    Give { kind: CreditKind, amount: Money, key: u64 },
    Receive { method: PaidWith, amount: Money, key: u64 },
    HandOver(PaymentId),
    Undo(PaymentId),
    Overtime { minutes: u32, key: u64 },
    Void(PaymentId),
    Retry(PaymentId),
    WriteOff(PaymentId),
    TakeInvoiceBack(InvoiceId),
    AskLonger { minutes: u32 },
    AskAgain,
    AgreedOnTheTelephone,
}

/// How what was given, taken or said is named.
pub fn named(key: u64) -> String {
    format!("deed-{key}")
}

/// What the page of a booking shows to whoever decides.
pub struct Page {
    pub booking: Booking,
    pub rows: Vec<Payment>,
    pub invoices: Vec<Invoice>,
}

impl Page {
    fn some(&self, d: &Dice, wanted: impl Fn(&Payment) -> bool) -> Option<PaymentId> {
        let ids: Vec<PaymentId> = self.rows.iter().filter(|r| wanted(r)).map(|r| r.id).collect();
        (!ids.is_empty()).then(|| d.pick(&ids))
    }

    /// A charge or refund by hand that waits to be handed back.
    pub fn waiting(&self) -> impl Iterator<Item = PaymentId> {
        let waits =
            |r: &&Payment| r.kind == PaymentKind::Refund && r.method.is_by_hand() && *r.state == State::Scheduled;
        self.rows.iter().filter(waits).map(|r| r.id)
    }

    /// Charges that did not come, of a booking that will not take place or did.
    pub fn given_up(&self) -> impl Iterator<Item = PaymentId> {
        let over = !matches!(self.booking.status, Status::Pending | Status::Assigned | Status::Deleted);
        self.rows.iter().filter(move |r| over && r.kind.is_charge() && failed_row(r)).map(|r| r.id)
    }

    /// Something that can be done with it, or that must be refused.
    pub fn choose(&self, d: &Dice, key: u64) -> Pressed {
        let (b, rows) = (&self.booking, &self.rows);
        let held = facts::held(rows).max(Money::ZERO);
        let owed = facts::owed(b, rows);
        let some = |most: Money| {
            let cents = most.cents().max(0);
            let part = i64::try_from(d.below(u64::try_from(cents).unwrap() + 2)).unwrap() + 1;
            // Round parts, all of it, and sometimes a cent too much, which must be refused.
            Money::from_cents(d.weighed(&[(4, part), (3, (cents / 3).max(1)), (2, cents.max(1)), (1, cents + 1)]))
        };
        let by_hand = self.some(d, |r| r.kind.is_charge() && r.method.is_by_hand() && facts::took(r));
        let fresh = self.some(d, |r| r.kind.is_charge() && !r.method.is_by_hand() && *r.state == State::Captured);
        let broken = self.some(d, failed_row);
        let invoice = self.invoices.iter().find(|i| i.is_in_force()).map(|i| i.id);
        let waiting = self.waiting().next();
        let weight = |there: bool, weight: u64| if there { weight } else { 0 };
        match d.weighed(&[
            (weight(held.is_positive(), 5), 0),
            (4, 1),
            (weight(owed.is_positive(), 6), 2),
            (weight(waiting.is_some(), 6), 3),
            (weight(by_hand.is_some(), 3), 4),
            (weight(matches!(b.status, Status::Completed | Status::Assigned), 3), 5),
            (weight(fresh.is_some(), 1), 6),
            (weight(broken.is_some(), 4), 7),
            (weight(broken.is_some(), 2), 8),
            (weight(invoice.is_some(), 3), 9),
            (weight(matches!(b.status, Status::Completed | Status::Assigned), 1), 10),
            (weight(b.details.charges_wait.is_some(), 2), 11),
            (weight(b.is_asked(), 2), 12),
        ]) {
            0 => Pressed::Give { kind: CreditKind::Refund, amount: some(held), key },
            1 => Pressed::Give { kind: CreditKind::Goodwill, amount: some(b.due()), key },
            2 => {
                let method = d.pick(&[PaidWith::Cash, PaidWith::Cash, PaidWith::Etransfer, PaidWith::Cheque]);
                Pressed::Receive { method, amount: some(owed), key }
            }
            3 => Pressed::HandOver(waiting.unwrap()),
            4 => Pressed::Undo(by_hand.unwrap()),
            5 => Pressed::Overtime { minutes: d.pick(&[5, 20, 45, 130]), key },
            6 => Pressed::Void(fresh.unwrap()),
            7 => Pressed::Retry(broken.unwrap()),
            8 => Pressed::WriteOff(broken.unwrap()),
            9 => Pressed::TakeInvoiceBack(invoice.unwrap()),
            10 => Pressed::AskLonger { minutes: d.pick(&[20, 45, 130]) },
            11 => Pressed::AskAgain,
            _ => Pressed::AgreedOnTheTelephone,
        }
    }
}

fn failed_row(r: &Payment) -> bool {
    matches!(*r.state, State::SoftDeclined | State::HardDeclined | State::Failed)
}

fn once<T>(key: u64) -> Option<Guard<T>> {
    let request = Request { scope: "staff".into(), key: named(key), body_hash: "body".into() };
    Some(Guard { request, render: Box::new(|_: &T| (200, serde_json::Value::Null)) })
}

/// Does it, and writes down what was acknowledged.
pub async fn press(w: &World, s: &Services, deed: &Deed, pressed: &Pressed, id: BookingId) {
    let by = Staff::prove(&staff()).unwrap();
    let why = || "by the seed".to_owned();
    // Whether it was done before does not matter: it was acknowledged.
    fn known<T>(answer: Replayable<T>) {
        drop(answer);
    }
    let done = match *pressed {
        Pressed::Give { kind, amount, key } => {
            let new = NewCredit { kind, amount, reason: named(key) };
            let done = heard(w, deed, Box::pin(credits::give(s, &by, id, new, once(key))).await).map(known);
            done.map(|()| w.acks.add(Ack::Gave { id, key }))
        }
        Pressed::Receive { method, amount, key } => {
            let new = Received { method, amount, reference: Some(named(key)) };
            let done = heard(w, deed, Box::pin(received::record(s, &by, id, new, once(key))).await).map(known);
            done.map(|()| w.acks.add(Ack::Took { id, key }))
        }
        Pressed::HandOver(payment) => {
            heard(w, deed, Box::pin(received::handed_over(s, &by, payment, None, None)).await).map(known)
        }
        Pressed::Undo(payment) => {
            heard(w, deed, Box::pin(received::undo(s, &by, payment, why(), None)).await).map(known)
        }
        Pressed::Overtime { minutes, key } => {
            let new = NewOvertime { minutes, cause: OvertimeCause::Access, consent: Some(named(key)) };
            let done = heard(w, deed, Box::pin(overtime::add(s, &by, id, new, once(key))).await).map(known);
            done.map(|()| w.acks.add(Ack::Longer { id, key }))
        }
        Pressed::Void(payment) => heard(w, deed, Box::pin(failed::void(s, &by, payment, why(), None)).await).map(known),
        Pressed::Retry(payment) => heard(w, deed, Box::pin(failed::retry(s, &by, payment, None)).await).map(known),
        Pressed::WriteOff(payment) => {
            heard(w, deed, Box::pin(failed::write_off(s, &by, payment, why(), None)).await).map(known)
        }
        Pressed::AskLonger { minutes } => {
            let asked = Box::pin(overtime::ask(s, &by, id, minutes, OvertimeCause::Elevator, None)).await;
            heard(w, deed, asked).map(known)
        }
        Pressed::AskAgain => heard(w, deed, Box::pin(ask_again(s, &by, id, None)).await).map(known),
        Pressed::AgreedOnTheTelephone => {
            heard(w, deed, Box::pin(record::consent(s, &by, id, None, why(), None)).await).map(known)
        }
        Pressed::TakeInvoiceBack(invoice) => {
            heard(w, deed, Box::pin(invoices::desk::take_back(s, &by, invoice, why())).await).map(drop)
        }
    };
    if done.is_some() {
        w.step(format_args!("{pressed:?} done"));
    }
}
