//! What we wrote under one order id, and which deeds of the gateway that explains. A deed is ours when our own records
//! name it by its key; that its amount is the same proves nothing: anybody can give a charge back in the gateway's control
//! panel, and such a refund has the order id of its charge.

use kernel::{BookingId, Money, PaymentId};
use status_machine::payment::State;

use super::{audit::File, facts::FULL, ledger, lost};
use crate::{
    ServiceResult,
    ports::{
        Unit,
        disputes::DisputeState,
        payments::{Attempt, AttemptState, GatewayKind, GatewayStatus, GatewayTransaction, Payment, PaymentKind},
    },
};

const BACK: &str = "-back-";
const MORE: &str = "-more-";

/// The order id that we give a refund made outside: the gateway lists it under the order id of its charge, which is taken.
pub(super) fn back_order(order: &str, transaction: &str) -> String {
    format!("{order}{BACK}{transaction}")
}

/// The order id that we give the part of a charge which the gateway took beyond the amount we noted.
pub(super) fn more_order(order: &str, transaction: &str) -> String {
    format!("{order}{MORE}{transaction}")
}

/// The gateway's order id for one of [`back_order`] or [`more_order`]; none for any other.
pub(super) fn base_of(order: &str) -> Option<&str> {
    [BACK, MORE].into_iter().find_map(|mark| order.split_once(mark)).map(|(base, _)| base)
}

pub(super) fn moved(t: &GatewayTransaction) -> bool {
    matches!(t.status, GatewayStatus::Captured | GatewayStatus::Settled | GatewayStatus::Voided)
}

/// What an attempt was sent as. Its order id says of a refund that it is one, whatever the row reads by now: somebody may have
/// changed that in the database.
pub(super) fn kind_of(attempt: &Attempt, payment: &Payment) -> PaymentKind {
    let refund = PaymentKind::Refund;
    if attempt.order_id.split('-').nth(1) == Some(refund.code()) { refund } else { payment.kind }
}

/// The fact that an attempt is posted as.
pub(super) fn fact_of(attempt: &Attempt, payment: &Payment) -> String {
    format!("{}:{}", ledger::word(kind_of(attempt, payment)), attempt.order_id)
}

fn is_applied(attempt: &Attempt) -> bool {
    attempt.state == AttemptState::Applied
}

/// The row and transaction of an attempt on which payment service, ledger and row agree, while its own record is
/// missing or says that it was refused, lost or is under way (its outcome is written with its entry). It is nobody
/// else's money.
pub(super) fn unrecorded_attempt(
    u: &mut dyn Unit,
    order: &str,
    found: &[GatewayTransaction],
) -> ServiceResult<Option<(Payment, GatewayTransaction)>> {
    let changed = u.payments().attempt(order)?;
    if changed.as_ref().is_some_and(is_applied) {
        return Ok(None);
    }
    for t in found.iter().filter(|t| moved(t)) {
        let refund = matches!(t.kind, GatewayKind::Refund { .. });
        let (word, amount) = if refund { ("refund", t.amount.negated()) } else { ("capture", t.amount) };
        let fact = format!("{word}:{order}");
        if u.books().moved_at_gateway(std::slice::from_ref(&fact))?.remove(&fact) != Some(amount) {
            continue;
        }
        for row in u.payments().of_transaction(&t.id)? {
            let same = row.amount == t.amount
                && (row.kind == PaymentKind::Refund) == refund
                && changed.as_ref().is_none_or(|a| (a.payment_id, a.amount) == (row.id, t.amount))
                && !u.payments().attempts_of(row.id)?.iter().any(is_applied);
            if same {
                return Ok(Some((row, t.clone())));
            }
        }
    }
    Ok(None)
}

/// A deed of which payment service and ledger say the same, while the record of our attempt has another amount, or
/// another key than payment service and row: the two outweigh it. Its row, and the transaction.
pub(super) fn misnoted(
    u: &mut dyn Unit,
    order: &str,
    found: &[GatewayTransaction],
) -> ServiceResult<Option<(Payment, GatewayTransaction)>> {
    let Some(attempt) = u.payments().attempt(order)?.filter(is_applied) else { return Ok(None) };
    let Some(row) = u.payments().get(attempt.payment_id)? else { return Ok(None) };
    let by_key = |key: &Option<String>| found.iter().find(|t| Some(&t.id) == key.as_ref());
    let Some(t) = by_key(&attempt.transaction_id).or_else(|| by_key(&row.transaction_id)) else { return Ok(None) };
    let fact = fact_of(&attempt, &row);
    let posted = u.books().moved_at_gateway(std::slice::from_ref(&fact))?.remove(&fact);
    let refund = matches!(t.kind, GatewayKind::Refund { .. });
    let made = if refund { t.amount.negated() } else { t.amount };
    let ours = matches!(t.status, GatewayStatus::Captured | GatewayStatus::Settled) && posted == Some(made);
    let differs = attempt.amount != t.amount || attempt.transaction_id.as_ref() != Some(&t.id);
    Ok((ours && differs).then(|| (row, t.clone())))
}

/// Where the disputes of a charge stand; read only of what counts as disputed.
fn disputes_of(u: &mut dyn Unit, attempt: &Attempt, payment: &Payment) -> ServiceResult<Vec<DisputeState>> {
    let disputed = attempt.state == AttemptState::Applied && *payment.state == State::ChargedBack;
    if !disputed || payment.kind == PaymentKind::Refund {
        return Ok(Vec::new());
    }
    let all = u.disputes().of_booking(payment.booking_id)?.into_iter();
    Ok(all.filter(|d| d.payment_id == payment.id).map(|d| d.state).collect())
}

/// What we wrote under one order id.
pub(super) struct OrderRecord {
    pub attempt: Attempt,
    pub booking: BookingId,
    pub kind: PaymentKind,
    /// What the ledger moved at the gateway account.
    pub posted: Option<Money>,
    /// Of a refund: the applied attempt of the charge that it returns. Read by [`OrderRecord::of`] only.
    pub charge: Option<Attempt>,
    /// Where the disputes of a charge stand.
    disputes: Vec<DisputeState>,
    /// Every refund of the charge that we asked for or wrote down. Read by [`OrderRecord::of`] only.
    asked: Vec<Attempt>,
    /// The gateway's keys of refunds whose row names them and whose attempt is missing. Read by [`OrderRecord::of`] only.
    named: Vec<String>,
    /// Dollars written down under [`more_order`]. Read by [`OrderRecord::of`] only.
    more: Money,
}

impl OrderRecord {
    /// From one page of a window: without the records of its charge, which would be a query for each attempt.
    pub fn in_window(
        u: &mut dyn Unit,
        attempt: Attempt,
        payment: &Payment,
        posted: Option<Money>,
    ) -> ServiceResult<OrderRecord> {
        let disputes = disputes_of(u, &attempt, payment)?;
        let (booking, kind) = (payment.booking_id, kind_of(&attempt, payment));
        let (asked, named, more) = (Vec::new(), Vec::new(), Money::ZERO);
        Ok(OrderRecord { attempt, booking, kind, posted, charge: None, disputes, asked, named, more })
    }

    /// With all that is on record about its charge.
    pub fn of(u: &mut dyn Unit, attempt: Attempt, payment: &Payment) -> ServiceResult<OrderRecord> {
        let fact = fact_of(&attempt, payment);
        let posted = u.books().moved_at_gateway(std::slice::from_ref(&fact))?.remove(&fact);
        let mut known = OrderRecord::in_window(u, attempt, payment, posted)?;
        if known.is_applied()
            && posted.is_some_and(|posted| posted != known.expected_amount())
            && let Some(file) = lost::files(u, &[payment.booking_id])?.pop()
            && File::of(&file).entry_stands(&fact)
        {
            // What its entry said wrongly was corrected.
            known.posted = Some(known.expected_amount());
        }
        let charge = if known.is_refund() { payment.refund_of } else { Some(payment.id) };
        let Some(charge) = charge else { return Ok(known) };
        // With what is gone from it made up again.
        let Some(file) = lost::files(u, &[payment.booking_id])?.pop() else { return Ok(known) };
        let attempts_of = |id: PaymentId| file.attempts.iter().filter(move |a| a.payment_id == id);
        // Nothing but a refund returns a charge, whatever its row reads.
        for row in file.rows.iter().filter(|r| r.refund_of == Some(charge) && r.id != charge) {
            if row.settled_at.is_some() && !attempts_of(row.id).any(is_applied) {
                known.named.extend(row.transaction_id.clone());
            }
            known.asked.extend(attempts_of(row.id).cloned());
        }
        if known.is_refund() {
            known.charge = attempts_of(charge).find(|a| is_applied(a)).cloned();
        } else if let Some(transaction) = &known.attempt.transaction_id {
            let beside = u.payments().attempt(&more_order(&known.attempt.order_id, transaction))?;
            known.more = beside.filter(|a| a.state == AttemptState::Applied).map_or(Money::ZERO, |a| a.amount);
        }
        Ok(known)
    }

    pub fn is_refund(&self) -> bool {
        self.kind == PaymentKind::Refund
    }

    pub fn is_disputed(&self, state: DisputeState) -> bool {
        self.disputes.contains(&state)
    }

    /// The amount that its entry should move at the gateway account.
    pub fn expected_amount(&self) -> Money {
        if self.is_refund() { self.attempt.amount.negated() } else { self.attempt.amount }
    }

    pub fn is_applied(&self) -> bool {
        self.attempt.state == AttemptState::Applied
    }

    /// True when this transaction is the one of our attempt.
    pub fn names(&self, t: &GatewayTransaction) -> bool {
        self.attempt.transaction_id.as_ref() == Some(&t.id)
    }

    /// True when our records name this refund or void by its key. A whole refund that is being sent has no key yet and is
    /// recognised by its amount.
    pub fn asks(&self, t: &GatewayTransaction) -> bool {
        let asks = |a: &Attempt| match *a.state {
            // One that was made up again has no key.
            AttemptState::Applied => a.transaction_id.as_ref().map_or(a.amount == t.amount, |id| *id == t.id),
            AttemptState::Sent => a.code.as_deref() == Some(FULL) && a.amount == t.amount,
            _ => false,
        };
        self.asked.iter().any(asks) || self.named.contains(&t.id)
    }

    /// What the gateway should have moved by this transaction of ours.
    pub fn expected(&self, t: &GatewayTransaction) -> Money {
        let whole = self.attempt.amount.plus(self.more);
        if self.is_refund() || t.status == GatewayStatus::Voided {
            return if self.is_refund() { self.attempt.amount } else { t.amount };
        }
        let less: Money = self
            .asked
            .iter()
            .filter(|a| a.state == AttemptState::Applied && a.transaction_id.as_ref() == Some(&t.id))
            .map(|a| a.amount)
            .sum();
        // A void that was not made is told under its own order id.
        if less < whole { whole.minus(less) } else { whole }
    }

    /// What was done for it stands elsewhere than under its order id. A void leaves no transaction of its own: the charge
    /// itself is marked; when it came after the settlement it became a refund, under the order id of the charge. What was
    /// written down beside a charge or a refund stands under their order id.
    pub fn elsewhere(&self, list: &[GatewayTransaction]) -> bool {
        let took_less = |t: &GatewayTransaction| {
            self.charge.as_ref().is_some_and(|c| t.amount.plus(self.attempt.amount) <= c.amount)
        };
        let there = |t: &GatewayTransaction| match (&t.kind, self.is_refund()) {
            (GatewayKind::Charge, true) => t.status == GatewayStatus::Voided || (moved(t) && took_less(t)),
            (GatewayKind::Refund { .. }, true) => moved(t),
            (GatewayKind::Charge, false) => moved(t) && base_of(&self.attempt.order_id).is_some(),
            (GatewayKind::Refund { .. }, false) => false,
        };
        list.iter().any(|t| self.names(t) && there(t))
    }
}
