//! What becomes of a charge after its capture: the bank may refuse it when it settles, hours later.
//! The money is gone then, although everybody was told it had been taken.
//!
//! The gateway tells us by a webhook, which may be late, lost, repeated or out of order, and by its
//! own list. So a notification is only a reason to look; what is booked is what the gateway's list
//! says when it is asked. Without one every charge is looked at until it has settled. A dispute comes weeks later: it is
//! looked at when the gateway, or the daily comparison, tells of it.

use status_machine::payment::{Facts, State};

use super::{
    disputes,
    facts::{REFUSED, SETTLEMENT_DECLINED, open, took},
    late, lease, ledger, looks, refund_settlement,
    rows::{self, step},
    settle, trouble,
};
use crate::{
    Actor, Error, ErrorCode, ServiceResult, Services, Tx, mailing,
    ports::{
        Unit,
        bookings::Booking,
        payments::{
            Attempt, AttemptState, DISPUTE_LOST, DISPUTE_OPEN, DISPUTE_WON, GatewayDispute, GatewayKind, GatewayStatus,
            GatewayTransaction, NotificationRefused, Payment, PaymentKind, Topic,
        },
    },
    work::JobOutcome,
};

/// Takes a notification of the gateway: checks its signature and queues a look at what it is about.
/// The same one may come any number of times, in any order.
///
/// # Errors
/// [`ErrorCode::Forbidden`] when it is not from the gateway, [`ErrorCode::NotFound`] when the gateway
/// sends none; when the database fails.
pub async fn notified(s: &Services, signature: &str, payload: &str) -> ServiceResult<()> {
    let notice = s.gateway.notification(signature, payload).map_err(|refused| match refused {
        NotificationRefused::NotOurs(why) => {
            tracing::warn!(why, "a notification of the payment service was refused");
            ErrorCode::Forbidden
        }
        NotificationRefused::Unsupported => ErrorCode::NotFound,
    })?;
    match (notice.topic, notice.order_id) {
        (Topic::Settled | Topic::SettlementDeclined | Topic::RefundFailed | Topic::Dispute, Some(order_id)) => {
            suspect(s, &order_id).await?;
        }
        (Topic::Dispute, None) => {
            tracing::error!(
                kind = notice.kind,
                "a charge of nobody's is disputed: answer it in the gateway's control panel"
            );
        }
        (_, order) => tracing::info!(kind = notice.kind, order, "a notification that needs nothing done"),
    }
    Ok(())
}

/// Queues a look at an order id that somebody told us about: the gateway, or the daily comparison that found it to differ.
///
/// # Errors
/// When the database fails.
pub async fn suspect(s: &Services, order_id: &str) -> ServiceResult<()> {
    let order = order_id.to_owned();
    s.write(Actor::system(), move |tx| looks::at_charge(tx, &order, tx.now)).await
}

/// The job: asks the gateway what became of a captured charge, or of a refund, and books that it settled, that the bank refused
/// it, or that its cardholder disputes it. Waits while other money of the booking is under way.
///
/// # Errors
/// When the gateway cannot be asked or the database fails.
pub async fn look(s: &Services, order_id: String) -> ServiceResult<JobOutcome> {
    let found = s.gateway.find_by_order(&order_id).await.map_err(|e| Error::Internal(format!("look-up: {e}")))?;
    // What was given up, or refused, and is made after all.
    if late::found_late(s, &order_id, &found).await? {
        return Ok(JobOutcome::Done);
    }
    let disputed = |t: &GatewayTransaction| {
        matches!(t.code.as_deref(), Some(DISPUTE_OPEN | DISPUTE_WON | DISPUTE_LOST)) && t.kind == GatewayKind::Charge
    };
    let told = match found.iter().any(disputed) {
        true => s.gateway.disputes(&order_id).await.map_err(|e| Error::Internal(format!("disputes: {e}")))?,
        false => Vec::new(),
    };
    s.write(Actor::system(), move |tx| book(tx, &order_id, &found, &told)).await
}

pub(super) fn book(
    tx: &mut Tx<'_>,
    order_id: &str,
    found: &[GatewayTransaction],
    told: &[GatewayDispute],
) -> ServiceResult<JobOutcome> {
    if let Some(later @ JobOutcome::Later(_)) = refund_settlement::book(tx, order_id, found)? {
        return Ok(later);
    }
    let Some((attempt, row)) = applied_charge(tx.unit, order_id)? else { return Ok(JobOutcome::Done) };
    let ours = |t: &&GatewayTransaction| Some(&t.id) == attempt.transaction_id.as_ref();
    let Some(status) = found.iter().find(ours).map(|t| t.status) else { return Ok(JobOutcome::Done) };
    match status {
        GatewayStatus::Declined | GatewayStatus::Settled => {}
        GatewayStatus::Captured | GatewayStatus::Pending => {
            if tx.now < attempt.created_at + looks::LAST_LOOK {
                looks::at_settlement_again(tx, order_id, attempt.created_at)?;
            }
            return Ok(JobOutcome::Done);
        }
        // Returned meanwhile.
        GatewayStatus::Voided => return Ok(JobOutcome::Done),
    }
    let Some(mut booking) = tx.unit.bookings().lock(row.booking_id)? else {
        return Err(Error::Internal(format!("booking {} vanished", row.booking_id)));
    };
    // Read again under the lock: another worker may have booked it meanwhile.
    let Some((attempt, mut row)) = applied_charge(tx.unit, order_id)? else { return Ok(JobOutcome::Done) };
    if status == GatewayStatus::Settled && *row.state == State::Captured {
        step(&mut row, State::Settled, &Facts::default())?;
        row.version = tx.unit.payments().update(&row)?;
    }
    let told: Vec<&GatewayDispute> =
        told.iter().filter(|d| Some(&d.transaction_id) == attempt.transaction_id.as_ref()).collect();
    if status == GatewayStatus::Settled && told.is_empty() {
        return Ok(JobOutcome::Done);
    }
    if lease::under_way(tx.unit, row.booking_id)? {
        return Ok(JobOutcome::Later(lease::next_look(tx.services, tx.services.wall.now())));
    }
    if status == GatewayStatus::Declined {
        return reversed(tx, booking, attempt, row, REFUSED).map(|()| JobOutcome::Done);
    }
    for dispute in told {
        disputes::book(tx, &mut booking, row.id, dispute)?;
    }
    Ok(JobOutcome::Done)
}

/// The attempt and its charge, if it is booked as applied.
pub(super) fn applied_charge(u: &mut dyn Unit, order_id: &str) -> ServiceResult<Option<(Attempt, Payment)>> {
    let Some(attempt) = u.payments().attempt(order_id)?.filter(|a| a.state == AttemptState::Applied) else {
        return Ok(None);
    };
    Ok(u.payments().get(attempt.payment_id)?.filter(took).map(|row| (attempt, row)))
}

/// The payment service knows nothing of a charge that counts as taken: it is taken out of the books as one that the bank
/// refused. False: it does not count as taken any more, or more than its settlement became of it.
///
/// # Errors
/// When the database fails.
pub(super) fn never_made(tx: &mut Tx<'_>, order_id: &str) -> ServiceResult<bool> {
    let Some((attempt, row)) = applied_charge(tx.unit, order_id)?.filter(|(_, row)| may_be_taken_out(row)) else {
        return Ok(false);
    };
    let Some(booking) = tx.unit.bookings().lock(row.booking_id)? else { return Ok(false) };
    reversed(tx, booking, attempt, row, "the payment service has no such charge").map(|()| true)
}

/// Of which nothing went back and which nobody disputes: there something else would have to be undone first.
pub(super) fn may_be_taken_out(row: &Payment) -> bool {
    matches!(*row.state, State::Captured | State::Settled)
}

/// Takes the money out of the books again. The charge counts as given up: the staff see it, and they
/// or a new card set it going again (`statuses.md` §3, failed).
fn reversed(
    tx: &mut Tx<'_>,
    mut booking: Booking,
    mut attempt: Attempt,
    mut row: Payment,
    why: &str,
) -> ServiceResult<()> {
    ledger::settlement_declined(tx, &booking, &row, &attempt.order_id)?;
    rows::end(&mut attempt, AttemptState::Declined)?;
    attempt.code = Some(SETTLEMENT_DECLINED.to_owned());
    attempt.resolved_at = Some(tx.now);
    tx.unit.payments().resolve_attempt(&attempt)?;
    step(&mut row, State::Failed, &Facts { taken_back: true, ..Facts::default() })?;
    (row.settled_at, row.transaction_id, row.next_attempt_at) = (None, None, None);
    row.last_message = Some(why.to_owned());
    row.version = tx.unit.payments().update(&row)?;
    // What was to be returned of it is not held any more. Settling ends what the gateway had refused to return.
    for refund in tx.unit.payments().of_booking(booking.id)? {
        if refund.refund_of == Some(row.id) && open(&refund) {
            settle::skip(tx, refund)?;
        }
    }
    if row.kind == PaymentKind::Tip
        && let Some(mut tip) = tx.unit.tips().of_booking(booking.id)?.filter(|t| t.payment_id == Some(row.id))
    {
        (tip.is_paid, tip.payment_id, tip.updated_at) = (false, None, tx.now);
        tip.version += 1;
        tx.unit.tips().put(&tip)?;
    }
    mailing::payment_failed(tx, &booking, &row)?;
    tracing::error!(order = attempt.order_id, amount = %row.amount, why, "a captured charge was taken out of the books");
    settle::settle(tx, &mut booking)?;
    // After it: settling may find that a refund which was the trouble before is none any more.
    if row.kind == PaymentKind::Tip { Ok(()) } else { trouble::problem(tx, &mut booking) }
}
