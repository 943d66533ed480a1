//! One payment for many bookings: a partner pays a paper at once, or a part of it.

use kernel::Money;
use serde_json::json;

use super::{
    batch::{BatchInvoice, file, held},
    issue::snapshot,
    record::File,
};
use crate::{
    Error, ErrorCode, FieldProblem, Limit, ServiceResult, Services, Staff, Tx,
    billing::{by_hand, charge::before_action, facts, lease},
    bookings::trail,
    idempotency::{self, Guard, Replayable},
    ports::{
        invoices::InvoiceId,
        payments::{PaidWith, Payment},
    },
    work::Work,
};

/// The longest reference, characters.
pub const LONGEST_REFERENCE: usize = 100;

/// A payment as it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// How.
    pub method: PaidWith,
    /// At most what is owed for all of them.
    pub amount: Money,
    /// Number of the transfer or cheque; free for cash.
    pub reference: Option<String>,
}

impl Received {
    fn checked(self) -> ServiceResult<Received> {
        let reference = self.reference.map(|t| t.trim().to_owned()).filter(|t| !t.is_empty());
        let problem = match &reference {
            _ if !self.method.is_by_hand() => Some(("method", FieldProblem::Unknown)),
            _ if !self.amount.is_positive() => Some(("amount", FieldProblem::AtLeast(Limit::CENT))),
            None if self.method.needs_reference() => Some(("reference", FieldProblem::Required)),
            Some(text) if text.chars().count() > LONGEST_REFERENCE => Some(("reference", FieldProblem::TooLong)),
            _ => None,
        };
        match problem {
            Some((field, problem)) => Err(Error::field(field, problem)),
            None => Ok(Received { reference, ..self }),
        }
    }

    /// The same transfer or cheque, still with us.
    fn is(&self, row: &Payment) -> bool {
        let folded = |t: &Option<String>| t.as_ref().map(|t| t.to_lowercase());
        let counts = row.kind.is_charge() && facts::took(row);
        counts
            && *row.state != status_machine::payment::State::Refunded
            && row.method == self.method
            && folded(&row.reference) == folded(&self.reference)
    }
}

/// `POST /invoices/batch/{id}/payments`: cash, a transfer or a cheque for the paper. It settles its bookings in the order of
/// their moves; what is less than the whole leaves the last ones owed.
///
/// # Errors
/// `not_found`, also for a draft and for one that was taken back; `nothing_owed`; `payment_in_flight` while money of one of
/// its bookings is at the gateway; `payment_recorded` when a payment of this method and reference is on one of them; the
/// fields `method`, `amount` and `reference`; `period_closed`.
pub async fn record(
    s: &Services,
    staff: &Staff,
    id: InvoiceId,
    new: Received,
    guard: Option<Guard<File>>,
) -> ServiceResult<Replayable<File>> {
    let new = new.checked()?;
    let members = s.store.read(move |u| u.invoices().bookings_of(id)).await;
    let members: Result<Vec<kernel::BookingId>, crate::ports::StoreError> = members;
    for booking in members? {
        before_action(s, booking).await?;
    }
    let asked_at = s.clock.now();
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let held = held(tx, id)?.filter(|h| h.invoice.is_in_force()).ok_or(ErrorCode::NotFound)?;
            spread(tx, held, &new)
        })
    })
    .await
}

fn spread(tx: &mut Tx<'_>, mut held: BatchInvoice, new: &Received) -> ServiceResult<File> {
    let mut open: Vec<Money> = Vec::with_capacity(held.members.len());
    for b in &held.members {
        if lease::under_way(tx.unit, b.id)? {
            return Err(ErrorCode::PaymentInFlight.into());
        }
        let rows = tx.unit.payments().of_booking(b.id)?;
        if new.reference.is_some() && rows.iter().any(|r| new.is(r)) {
            return Err(ErrorCode::PaymentRecorded.into());
        }
        open.push(facts::owed(b, &rows));
    }
    let owed: Money = open.iter().copied().sum();
    if !owed.is_positive() {
        return Err(ErrorCode::NothingOwed.into());
    }
    if new.amount > owed {
        return Err(Error::field("amount", FieldProblem::AtMost(owed.into())));
    }
    let mut left = new.amount;
    for (b, own) in held.members.iter_mut().zip(open) {
        let amount = left.min(own);
        if !amount.is_positive() {
            continue;
        }
        left = left.minus(amount);
        let before = trail::snapshot(b);
        by_hand::take(tx, b, amount, new.method, new.reference.clone())?;
        let mut after = trail::snapshot(b);
        after["payment"] = json!({ "method": new.method.code(), "amount": amount, "reference": new.reference });
        tx.audit("booking.receive", b.id, Some(before), Some(after))?;
    }
    let mut told = snapshot(&held.invoice);
    told["payment"] = json!({ "method": new.method.code(), "amount": new.amount, "reference": new.reference });
    tx.audit("invoice.receive", held.invoice.id, Some(snapshot(&held.invoice)), Some(told))?;
    if let Some(booking_id) = held.members.iter().map(|b| b.id).min() {
        tx.enqueue(&Work::FollowInvoice { booking_id })?;
    }
    let services = tx.services.clone();
    file(tx.unit, &services, held)
}
