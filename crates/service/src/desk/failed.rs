//! Charges that did not come, and refunds that did not leave: why, what is tried next, and what staff do about them.

use kernel::{BookingId, Exact, Money, PaymentId};
use serde_json::json;
use status_machine::payment::{Facts, State};

use super::{
    received::{audited, of_payment, too_long_reason, trimmed_or_none},
    record::{Paid, paid},
};
use crate::{
    Error, ErrorCode, FieldProblem, ServiceResult, Services, Staff, Tx,
    billing::{
        apart::{given_back_by_bank, to_be_written_off, went_apart},
        charge,
        facts::{
            NO_CARD, NOT_TAKEN, SETTLEMENT_DECLINED, VOIDED, can_go_back, due_now, is_charged_by_itself, is_given_up,
            live, may_be_charged, open, owed, took, waits_for_consent,
        },
        lease, ledger,
        rows::{scheduled, step},
        settle,
        trouble::{problem, solved},
    },
    bookings::{queries::visible_locked, trail},
    idempotency::{self, Guard, Replayable},
    ports::{
        Unit,
        bookings::Booking,
        facts::VOID,
        failed::{Press, WriteOff},
        payments::{Attempt, AttemptState, PaidWith, Payment, PaymentKind},
        tips::TipKind,
    },
};

/// Why a charge failed, as far as the bank says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureReason {
    /// There is no card to charge.
    NoCard,
    /// Not enough money, or no credit left.
    Funds,
    /// The card is over.
    Expired,
    /// The card is lost or stolen, or its account closed.
    Lost,
    /// Its number or code is wrong.
    Wrong,
    /// The bank said no; it may say yes another time.
    Refused,
    /// The bank said no for good.
    RefusedForGood,
    /// The bank took it and refused it when it settled.
    Settlement,
    /// The gateway did not give it back.
    NotReturned,
    /// The gateway gave it back, and the bank did not take it.
    NotTaken,
    /// Somebody of the staff undid the charge.
    Voided,
    /// It came by hand, and nobody said yet that it was handed back.
    ToHandBack,
}

impl FailureReason {
    /// All of them.
    pub const ALL: [FailureReason; 12] = [
        FailureReason::NoCard,
        FailureReason::Funds,
        FailureReason::Expired,
        FailureReason::Lost,
        FailureReason::Wrong,
        FailureReason::Refused,
        FailureReason::RefusedForGood,
        FailureReason::Settlement,
        FailureReason::NotReturned,
        FailureReason::NotTaken,
        FailureReason::Voided,
        FailureReason::ToHandBack,
    ];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            FailureReason::NoCard => "no_card",
            FailureReason::Funds => "insufficient_funds",
            FailureReason::Expired => "card_expired",
            FailureReason::Lost => "card_lost",
            FailureReason::Wrong => "card_wrong",
            FailureReason::Refused => "refused",
            FailureReason::RefusedForGood => "refused_for_good",
            FailureReason::Settlement => "settlement_declined",
            FailureReason::NotReturned => "refund_refused",
            FailureReason::NotTaken => "refund_declined",
            FailureReason::Voided => "voided",
            FailureReason::ToHandBack => "to_hand_back",
        }
    }

    fn of(row: &Payment, attempts: &[Attempt]) -> FailureReason {
        let last = attempts.iter().rev().find(|a| a.state == AttemptState::Declined);
        let code = last.and_then(|a| a.code.as_deref());
        match (row.last_message.as_deref(), code) {
            _ if row.waits_for_a_hand() => FailureReason::ToHandBack,
            (Some(NOT_TAKEN), _) => FailureReason::NotTaken,
            _ if row.kind == PaymentKind::Refund => FailureReason::NotReturned,
            (Some(VOIDED), _) => FailureReason::Voided,
            (Some(NO_CARD), _) => FailureReason::NoCard,
            (_, Some(SETTLEMENT_DECLINED)) => FailureReason::Settlement,
            // Codes of the processor (`payments-braintree.md` §5).
            (_, Some("2001" | "2002" | "2003")) => FailureReason::Funds,
            (_, Some("2004" | "2006")) => FailureReason::Expired,
            (_, Some("2007" | "2009" | "2012" | "2013" | "2047")) => FailureReason::Lost,
            (_, Some("2005" | "2010")) => FailureReason::Wrong,
            _ if row.state == State::HardDeclined => FailureReason::RefusedForGood,
            _ => FailureReason::Refused,
        }
    }
}

/// A row of the list.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The charge, or a refund that was not taken.
    pub payment: Payment,
    /// Whose.
    pub booking: Booking,
    /// Why.
    pub why: FailureReason,
    /// The customer's card could be tried again.
    pub can_retry: bool,
    /// It can be given up.
    pub can_write_off: bool,
    /// It is a refund that the gateway refused: somebody can give the money back by hand.
    pub can_pay_back: bool,
    /// It is a refund of what came by hand: somebody hands it back.
    pub can_hand_over: bool,
    /// The customer can be sent a link to pay it with another card.
    pub can_send_link: bool,
}

/// A page of the list.
#[derive(Debug, Clone)]
pub struct Failures {
    /// The one that was due last first.
    pub data: Vec<Failure>,
    /// Of how many.
    pub total: i64,
}

/// `GET /payments/failed`.
///
/// # Errors
/// When the database fails.
pub async fn list(s: &Services, _: &Staff, page: i64, per_page: i64) -> ServiceResult<Failures> {
    s.store
        .read(move |u| {
            let skip = page.saturating_sub(1).saturating_mul(per_page);
            let (rows, total) = u.failed().listed(skip, per_page)?;
            let mut data = Vec::with_capacity(rows.len());
            for payment in rows {
                let Some(booking) = u.bookings().get(payment.booking_id)? else { continue };
                let attempts = u.payments().attempts_of(payment.id)?;
                let can_hand_over = payment.waits_for_a_hand();
                let can_retry = !can_hand_over && chargeable(u, &booking, &payment)?.is_none();
                data.push(Failure {
                    why: FailureReason::of(&payment, &attempts),
                    can_retry,
                    can_hand_over,
                    can_pay_back: payment.kind == PaymentKind::Refund && is_given_up(&payment) && can_retry,
                    can_write_off: payment.kind.is_charge() && !live(&booking),
                    can_send_link: may_be_charged(&booking, &u.payments().of_booking(booking.id)?, &payment),
                    payment,
                    booking,
                });
            }
            Ok::<_, Error>(Failures { data, total })
        })
        .await
}

fn failed(row: &Payment) -> bool {
    matches!(*row.state, State::SoftDeclined | State::HardDeclined | State::Failed)
}

/// Why a charge cannot be tried again now; none when it can.
fn chargeable(u: &mut dyn Unit, b: &Booking, row: &Payment) -> ServiceResult<Option<ErrorCode>> {
    if !row.kind.is_charge() {
        return Ok(not_held(&u.payments().of_booking(b.id)?, row));
    }
    // A card is never asked for what nobody owes.
    if !may_be_charged(b, &u.payments().of_booking(b.id)?, row) {
        return Ok(Some(ErrorCode::NothingOwed));
    }
    let Some(card) = u.cards().current(b.user_id)? else { return Ok(Some(ErrorCode::CardRequired)) };
    let attempts = u.payments().attempts_of(row.id)?;
    // Networks fine whoever asks a card again that was refused for good.
    let refused = row.state == State::HardDeclined && !charge::is_new(&card, &attempts);
    Ok(refused.then_some(ErrorCode::CardRefused))
}

/// Why a refund that the gateway refused cannot be given any more: its charge does not hold it.
fn not_held(rows: &[Payment], refund: &Payment) -> Option<ErrorCode> {
    if refund.state != State::Failed || can_go_back(rows, refund) {
        return None;
    }
    let with_bank = |c: &Payment| Some(c.id) == refund.refund_of && c.state == State::ChargedBack;
    Some(if rows.iter().any(with_bank) { ErrorCode::ChargedBack } else { ErrorCode::PaymentNotFailed })
}

/// The payment that was retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetriedPayment {
    /// The charge or refund.
    pub payment: PaymentId,
    /// Whose.
    pub booking: BookingId,
}

/// `POST /payments/{id}/retry`: one more attempt, now. Whoever presses while another attempt is under way, or was a moment
/// ago, gets none of their own.
///
/// # Errors
/// `not_found`; `payment_not_failed`; `charged_back` for what the bank took back after a dispute; `payment_in_flight`; `consent_awaited`; `card_required` and `card_refused` when only another card can do.
pub async fn retry(
    s: &Services,
    staff: &Staff,
    id: PaymentId,
    guard: Option<Guard<RetriedPayment>>,
) -> ServiceResult<Replayable<RetriedPayment>> {
    let asked_at = s.clock.now();
    if let Some(request) = guard.as_ref().map(|g| g.request.clone())
        && let Some((status, body)) = s.store.read(move |u| request.replay(u, asked_at)).await?
    {
        return Ok(Replayable::Replayed { status, body });
    }
    let seen = s.store.read(move |u| Ok::<_, Error>(u.payments().get(id)?)).await?.ok_or(ErrorCode::NotFound)?;
    let booking = seen.booking_id;
    let lease = lease::wait(s, booking, lease::PATIENCE).await?.ok_or(ErrorCode::PaymentInFlight)?;
    let (owner, by) = (lease.clone(), staff.clone());
    let pressed = s
        .write(staff.actor(), move |tx| {
            idempotency::once(tx, guard, asked_at, |tx| {
                let b = visible_locked(tx.unit, by.caller(), booking)?;
                owner.hold(tx)?;
                tx.look_at_clock();
                press(tx, &b, &seen)?;
                Ok(RetriedPayment { payment: id, booking })
            })
        })
        .await;
    match pressed {
        Ok(answer @ Replayable::Fresh(_)) => {
            // What comes of it stands at the charge, and is worked on by the booking's job when this process ends here.
            if let Err(failure) = charge::owned(s, booking, lease).await {
                tracing::warn!(%booking, error = %failure, "a charge that staff asked for was not finished at once");
            }
            Ok(answer)
        }
        other => {
            lease.give_back(s).await?;
            other
        }
    }
}

fn press(tx: &mut Tx<'_>, b: &Booking, seen: &Payment) -> ServiceResult<()> {
    let mut row = tx.unit.payments().get(seen.id)?.ok_or(ErrorCode::NotFound)?;
    let rows = tx.unit.payments().of_booking(b.id)?;
    if !failed(&row) && given_back_by_bank(&rows, &row).is_positive() {
        // Charging a card again for it is what the dispute was about.
        return Err(ErrorCode::ChargedBack.into());
    }
    if !failed(&row) {
        return Err(ErrorCode::PaymentNotFailed.into());
    }
    if waits_for_consent(b, &row) {
        return Err(ErrorCode::ConsentAwaited.into());
    }
    if row.version != seen.version || lease::under_way(tx.unit, b.id)? {
        return Err(ErrorCode::PaymentInFlight.into());
    }
    if let Some(why) = chargeable(tx.unit, b, &row)? {
        return Err(why.into());
    }
    let before = json!({ "state": row.state.code(), "attempts": row.attempts });
    let press = Press { payment_id: row.id, number: row.attempts + 1, at: tx.now, by: tx.actor.user };
    tx.unit.failed().press(&press)?;
    row.next_attempt_at = Some(due_now(tx.now));
    tx.unit.payments().update(&row)?;
    settle::wake(tx, b)?;
    let after = json!({ "booking": b.short_id, "kind": row.kind.code(), "amount": row.amount });
    Ok(tx.audit("booking.retry_charge", b.id, Some(before), Some(after))?)
}

/// Why it is done, in words.
fn reason(text: String) -> ServiceResult<String> {
    let Some(reason) = trimmed_or_none(Some(text)) else { return Err(Error::field("reason", FieldProblem::Required)) };
    if too_long_reason(&reason) {
        return Err(Error::field("reason", FieldProblem::TooLong));
    }
    Ok(reason)
}

/// `POST /payments/{id}/void`: a charge that has not settled is undone as a whole. What it was for is owed still, and asked
/// for by staff or another card; who wants to give it away gives a refund.
///
/// # Errors
/// `not_found`, also for what took no money by card; `already_settled`; `nothing_to_return` when some of it goes back
/// already; the field `reason`; `payment_in_flight`.
pub async fn void(
    s: &Services,
    staff: &Staff,
    id: PaymentId,
    why: String,
    guard: Option<Guard<Paid>>,
) -> ServiceResult<Replayable<Paid>> {
    let why = reason(why)?;
    let (staff, asked_at) = (staff.clone(), s.clock.now());
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let by_card = |r: &Payment| r.kind.is_charge() && r.method == PaidWith::Card && took(r);
            let (mut b, charge) = of_payment(tx, &staff, id, by_card)?;
            if *charge.state != State::Captured {
                return Err(ErrorCode::AlreadySettled.into());
            }
            let rows = tx.unit.payments().of_booking(b.id)?;
            if rows.iter().any(|r| r.refund_of == Some(charge.id) && (open(r) || r.is_given_back())) {
                return Err(ErrorCode::NothingToReturn.into());
            }
            let before = trail::snapshot(&b);
            let mut back = scheduled(tx, b.id, PaymentKind::Refund, charge.amount, tx.now);
            (back.refund_of, back.reference) = (Some(charge.id), Some(VOID.to_owned()));
            tx.unit.payments().insert(&back)?;
            if !b.details.paid_by.is_by_hand() {
                ask_again(tx, &mut b, &charge)?;
            }
            settle::settle(tx, &mut b)?;
            let told = json!({ "kind": charge.kind.code(), "amount": charge.amount, "reason": why });
            audited(tx, "booking.void_charge", &b, before, "void", told)?;
            paid(tx.unit, b, tx.now)
        })
    })
    .await
}

/// What a charge was for is asked for by staff or another card. It stands where a charge stands that the gateway made and
/// the bank did not pay.
fn ask_again(tx: &mut Tx<'_>, b: &mut Booking, charge: &Payment) -> ServiceResult<()> {
    let mut again = scheduled(tx, b.id, charge.kind, charge.amount, tx.now);
    step(&mut again, State::Processing, &Facts { at_gateway: true, ..Facts::default() })?;
    step(&mut again, State::Failed, &Facts::default())?;
    again.next_attempt_at = None;
    again.last_message = Some(VOIDED.to_owned());
    again.card_last4.clone_from(&charge.card_last4);
    tx.unit.payments().insert(&again)?;
    // A tip is nobody's debt.
    if charge.kind == PaymentKind::Tip { Ok(()) } else { problem(tx, b) }
}

/// `POST /payments/{id}/write-off`: what will not come is not asked for any more. A move that is to come is not given up so:
/// its price is lowered by goodwill.
///
/// # Errors
/// `not_found`; `payment_not_failed`; `nothing_owed` for what went back and was paid, given away or written off since; `write_off_early` before the move was done or cancelled; the field `reason`;
/// `payment_in_flight`.
pub async fn write_off(
    s: &Services,
    staff: &Staff,
    id: PaymentId,
    why: String,
    guard: Option<Guard<Paid>>,
) -> ServiceResult<Replayable<Paid>> {
    let why = reason(why)?;
    let (staff, asked_at) = (staff.clone(), s.clock.now());
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let (mut b, row) = of_payment(tx, &staff, id, |r| r.kind.is_charge())?;
            let rows = tx.unit.payments().of_booking(b.id)?;
            // What the bank gave back after a dispute, or somebody at the payment service, stands on the charge itself: no
            // other row asks for it.
            let apart = went_apart(&rows, &row);
            if !failed(&row) && !apart.is_positive() {
                return Err(ErrorCode::PaymentNotFailed.into());
            }
            // Before the 48-hour instant goodwill lowers the charge that is still to come.
            if live(&b) && (!apart.is_positive() || is_charged_by_itself(&rows)) {
                return Err(ErrorCode::WriteOffEarly.into());
            }
            let before = trail::snapshot(&b);
            let amount = match failed(&row) {
                _ if row.kind == PaymentKind::Tip => Money::ZERO,
                true => row.amount.min(owed(&b, &rows)),
                false => to_be_written_off(&b, &rows, &row),
            };
            if failed(&row) {
                settle::skip(tx, row.clone())?;
            } else if !amount.is_positive() {
                return Err(ErrorCode::NothingOwed.into());
            }
            let told = json!({ "kind": row.kind.code(), "amount": amount, "reason": why });
            if row.kind == PaymentKind::Tip && failed(&row) {
                forget_tip(tx, &b)?;
            }
            if amount.is_positive() {
                let given_up = WriteOff { payment: row.id, amount, reason: why, at: tx.now, by: tx.actor.user };
                b.details.write_offs.push(given_up);
                b.updated_at = tx.now;
                b.version = tx.unit.bookings().update(&b, b.version)?;
                ledger::write_off(tx, &b, &row, amount)?;
            }
            settle::settle(tx, &mut b)?;
            solved(tx, &mut b)?;
            audited(tx, "booking.write_off", &b, before, "writeOff", told)?;
            paid(tx.unit, b, tx.now)
        })
    })
    .await
}

/// A tip is a gift: what will not come was not given.
fn forget_tip(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    if let Some(mut tip) = tx.unit.tips().of_booking(b.id)?.filter(|t| !t.is_paid) {
        (tip.kind, tip.value) = (TipKind::Amount, Exact::new(0, 0));
        (tip.amount, tip.updated_at) = (Money::ZERO, tx.now);
        tip.version += 1;
        tx.unit.tips().put(&tip)?;
    }
    Ok(())
}
