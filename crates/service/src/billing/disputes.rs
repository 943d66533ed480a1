//! A cardholder disputes a charge: the bank takes the money until it has decided, and gives it to one of the two.
//!
//! What is booked is what the gateway says when it is asked, so that notifications may come twice and in any order. While
//! a dispute is open nothing is charged again: the money counts as held. When it is lost, its amount left us as a refund
//! does; it is owed again, and asked for by nobody but people.

use chrono::{DateTime, Utc};
use kernel::{Money, PaymentId};
use status_machine::payment::{Facts, State};

use super::{
    facts::{live, open, owed, returned_of, took},
    ledger,
    returns::{promised, return_now},
    rows::{scheduled, step},
    settle, trouble,
};
use crate::{
    Error, ServiceResult, Tx,
    mailing::alerts::{self, Alert, AlertSubject},
    ports::{
        bookings::Booking,
        disputes::{Dispute, DisputeId, DisputeState},
        facts::CHARGEBACK,
        ledger::{Account, Entry},
        payments::{GatewayDispute, Payment, PaymentKind},
    },
};

/// Brings our books in line with what the gateway says of a dispute. The booking is locked, and none of its money is at the
/// gateway.
///
/// # Errors
/// When the database fails.
pub(super) fn book(tx: &mut Tx<'_>, b: &mut Booking, charge: PaymentId, told: &GatewayDispute) -> ServiceResult<()> {
    let booked = booked(tx, b, told)?;
    let mut dispute = match (tx.unit.disputes().of_gateway(&told.id)?, booked) {
        (Some(known), _) => known,
        (None, Some((state, _))) => noted_again(tx, b, charge, told, state)?,
        (None, None) => opened(tx, b, charge, told)?,
    };
    let as_told = booked.filter(|(state, _)| *state == told.state);
    if dispute.state != told.state && as_told.is_some() {
        // It was decided and booked as the gateway says: somebody changed our record of it.
        let right = decided(dispute, told.state, tx.now);
        tx.unit.disputes().update(&right)?;
        return settle::settle(tx, b);
    }
    match (dispute.state, told.state) {
        (DisputeState::Opened, DisputeState::Won) => won(tx, b, &dispute)?,
        (DisputeState::Opened, DisputeState::Lost) => book_lost(tx, b, &dispute)?,
        (is, says) if is != says => {
            tracing::error!(dispute = told.id, "the gateway says {says:?} of a dispute that ended {is:?}");
            return Ok(());
        }
        _ => {}
    }
    let before = dispute.clone();
    dispute = decided(dispute, told.state, tx.now);
    if as_told.is_some_and(|(_, amount)| amount == Some(told.amount)) {
        // Ledger and gateway outweigh the record.
        dispute.amount = told.amount;
    }
    dispute.reply_by = told.reply_by.or(dispute.reply_by);
    dispute.case_number = told.case_number.clone().or(dispute.case_number);
    if dispute != before {
        tx.unit.disputes().update(&dispute)?;
    }
    if dispute.state != before.state {
        settle::settle(tx, b)?;
        alerts::tell(tx, b, &alert(&dispute))?;
    }
    // A refund that the gateway had refused may have ended with the charge.
    trouble::solved(tx, b)
}

fn decided(dispute: Dispute, state: DisputeState, now: DateTime<Utc>) -> Dispute {
    let decided_at = (state != DisputeState::Opened).then(|| dispute.decided_at.unwrap_or(now));
    Dispute { state, decided_at, ..dispute }
}

/// Where a dispute stands by what was booked of it, whatever its record says, and the amount that was posted; none when nothing
/// was booked.
fn booked(tx: &mut Tx<'_>, b: &Booking, told: &GatewayDispute) -> ServiceResult<Option<(DisputeState, Option<Money>)>> {
    let reference = format!("{CHARGEBACK}{}", told.id);
    let back = tx.unit.payments().of_booking(b.id)?.iter().any(|r| r.reference.as_ref() == Some(&reference));
    let entries = tx.unit.ledger().of_booking(b.id)?;
    let posted = |kind: &str| {
        let fact = format!("{kind}:{}", told.id);
        entries.iter().find(|e| e.fact_key == fact).map(Entry::debited)
    };
    let lost = posted(ledger::DISPUTE_LOST);
    if back || lost.is_some() {
        return Ok(Some((DisputeState::Lost, lost)));
    }
    let won = posted(ledger::DISPUTE_WON).map(|amount| (DisputeState::Won, Some(amount)));
    Ok(won.or_else(|| Some((DisputeState::Opened, Some(posted(ledger::DISPUTE_OPENED)?)))))
}

/// The record of a dispute that was booked before, and whose record is gone.
fn noted_again(
    tx: &mut Tx<'_>,
    b: &Booking,
    charge: PaymentId,
    told: &GatewayDispute,
    state: DisputeState,
) -> ServiceResult<Dispute> {
    let mut dispute = decided(noted(tx, b, charge, told), state, tx.now);
    for entry in tx.unit.ledger().of_booking(b.id)? {
        let Some(version) = ledger::fee_version(&entry, &told.id) else { continue };
        let fees = entry.lines().iter().filter(|l| l.account == Account::Fees);
        dispute.fee = dispute.fee.plus(fees.map(|l| l.amount).sum());
        // A fee is posted once a version.
        dispute.version = dispute.version.max(version.saturating_add(1));
    }
    tx.unit.disputes().insert(&dispute)?;
    Ok(dispute)
}

fn noted(tx: &mut Tx<'_>, b: &Booking, charge: PaymentId, told: &GatewayDispute) -> Dispute {
    Dispute {
        id: DisputeId(tx.id()),
        booking_id: b.id,
        payment_id: charge,
        gateway_id: told.id.clone(),
        state: DisputeState::Opened,
        amount: told.amount,
        fee: Money::ZERO,
        reason: told.reason.clone(),
        case_number: told.case_number.clone(),
        reply_by: told.reply_by,
        opened_at: tx.now,
        decided_at: None,
        evidence: Vec::new(),
        version: 1,
    }
}

fn alert(d: &Dispute) -> Alert<'_> {
    let kind = match d.state {
        DisputeState::Opened => "alert.disputeOpened",
        DisputeState::Won => "alert.disputeWon",
        DisputeState::Lost => "alert.disputeLost",
    };
    Alert {
        key: format!("dispute:{}:{}", d.gateway_id, d.state.code()),
        kind,
        about: Some(AlertSubject::Amount(d.amount)),
        everybody: false,
        when: d.reply_by.filter(|_| d.state == DisputeState::Opened).map(|at| ("alert.until", at)),
        page: "failed-charges",
    }
}

fn charge_of(tx: &mut Tx<'_>, id: PaymentId) -> ServiceResult<Payment> {
    let row = tx.unit.payments().get(id)?.filter(took);
    row.ok_or_else(|| Error::Internal(format!("the disputed charge {id} took nothing")))
}

/// The money is with the bank. What was to go back of the charge waits for what it decides.
fn opened(tx: &mut Tx<'_>, b: &mut Booking, charge: PaymentId, told: &GatewayDispute) -> ServiceResult<Dispute> {
    let mut row = charge_of(tx, charge)?;
    if *row.state == State::Captured {
        // Only what has settled is disputed.
        step(&mut row, State::Settled, &Facts::default())?;
    }
    step(&mut row, State::ChargedBack, &Facts::default())?;
    row.version = tx.unit.payments().update(&row)?;
    for refund in tx.unit.payments().of_booking(b.id)? {
        // Settling ends what the gateway had refused to give back: it is taken off the balance, or goes back once this is won.
        if refund.refund_of == Some(row.id) && open(&refund) {
            settle::skip(tx, refund)?;
        }
    }
    let dispute = noted(tx, b, row.id, told);
    tx.unit.disputes().insert(&dispute)?;
    ledger::dispute_opened(tx, b, &row, &dispute)?;
    settle::settle(tx, b)?;
    alerts::tell(tx, b, &alert(&dispute))?;
    tracing::error!(booking = %b.short_id, amount = %dispute.amount, "a charge is disputed");
    Ok(dispute)
}

/// The charge stands where it stood, unless another dispute of it is open or lost.
fn won(tx: &mut Tx<'_>, b: &Booking, dispute: &Dispute) -> ServiceResult<()> {
    let mut row = charge_of(tx, dispute.payment_id)?;
    ledger::dispute_won(tx, b, &row, dispute)?;
    let others = tx.unit.disputes().of_booking(b.id)?;
    let disputed = |d: &Dispute| {
        d.payment_id == row.id && d.id != dispute.id && matches!(d.state, DisputeState::Opened | DisputeState::Lost)
    };
    if others.iter().any(disputed) {
        return Ok(());
    }
    let back = returned_of(&tx.unit.payments().of_booking(b.id)?, &row);
    let stood = match back {
        back if back >= row.amount => State::Refunded,
        back if back.is_positive() => State::PartiallyRefunded,
        _ => State::Settled,
    };
    step(&mut row, stood, &Facts::default())?;
    tx.unit.payments().update(&row)?;
    // Before the 48-hour instant nothing else remembers that staff promised some of it back.
    let rows = tx.unit.payments().of_booking(b.id)?;
    let promised = if live(b) { promised(tx, b, &rows)? } else { Money::ZERO };
    return_now(tx, b, promised)
}

/// Books that the bank gave the money back: a refund that nobody sent. A tip that was returned so is no longer paid.
fn book_lost(tx: &mut Tx<'_>, b: &mut Booking, dispute: &Dispute) -> ServiceResult<()> {
    let charge = charge_of(tx, dispute.payment_id)?;
    let mut back = scheduled(tx, b.id, PaymentKind::Refund, dispute.amount, tx.now);
    let done = Facts { at_gateway: true, ..Facts::default() };
    for state in [State::Processing, State::Captured, State::Settled] {
        step(&mut back, state, &done)?;
    }
    back.refund_of = Some(charge.id);
    back.reference = Some(format!("{CHARGEBACK}{}", dispute.gateway_id));
    back.card_last4.clone_from(&charge.card_last4);
    (back.settled_at, back.next_attempt_at) = (Some(tx.now), None);
    tx.unit.payments().insert(&back)?;
    ledger::dispute_lost(tx, b, &charge, &back, dispute)?;
    if charge.kind == PaymentKind::Tip
        && let Some(mut tip) = tx.unit.tips().of_booking(b.id)?.filter(|t| t.payment_id == Some(charge.id))
    {
        (tip.is_paid, tip.payment_id, tip.updated_at) = (false, None, tx.now);
        tip.version += 1;
        tx.unit.tips().put(&tip)?;
    }
    let rows = tx.unit.payments().of_booking(b.id)?;
    if owed(b, &rows).is_positive() {
        trouble::problem(tx, b)?;
    }
    Ok(())
}
