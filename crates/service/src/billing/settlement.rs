//! What becomes of a charge after its capture: the bank may refuse it when it settles, hours later.
//! The money is gone then, although everybody was told it had been taken.
//!
//! The gateway tells us by a webhook, which may be late, lost, repeated or out of order, and by its
//! own list. So a notification is only a reason to look; what is booked is what the gateway's list
//! says when it is asked. Without one every charge is looked at when it should have settled.

use chrono::{DateTime, Duration, Utc};
use status_machine::payment::State;

use super::{
    facts::{SETTLEMENT_DECLINED, open, took},
    lease, ledger, looks, outcome, settle,
};
use crate::{
    Error, ErrorCode, ServiceResult, Services, mailing,
    ports::{
        Unit,
        bookings::Booking,
        payments::{
            Attempt, AttemptState, GatewayStatus, GatewayTransaction, NotificationRefused, Payment, PaymentKind, Topic,
        },
    },
    work::Ran,
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
        (Topic::SettlementDeclined, Some(order_id)) => {
            suspect(s, &order_id).await?;
            s.bell.notify_one();
        }
        (Topic::Dispute, order) => {
            tracing::error!(
                kind = notice.kind,
                order,
                "a charge is disputed: answer it in the gateway's control panel"
            );
        }
        (_, order) => tracing::info!(kind = notice.kind, order, "a notification that needs nothing done"),
    }
    Ok(())
}

/// A charge that has not settled yet is looked at again.
const AGAIN: Duration = Duration::days(1);
/// After so long it has settled at any bank, or somebody was told why not.
const LAST_LOOK: Duration = Duration::days(10);

/// Queues a look at an order id that the daily comparison found to differ.
///
/// # Errors
/// When the database fails.
pub async fn suspect(s: &Services, order_id: &str) -> ServiceResult<()> {
    let (ctx, order) = (s.clone(), order_id.to_owned());
    s.store.write(move |u| looks::at_charge(u, &ctx, &order, ctx.clock.now())).await
}

/// The job: asks the gateway what became of a captured charge, and books it when the bank refused it.
/// Waits while other money of the booking is under way.
///
/// # Errors
/// When the gateway cannot be asked or the database fails.
pub async fn look(s: &Services, order_id: String) -> ServiceResult<Ran> {
    let found = s.gateway.find_by_order(&order_id).await.map_err(|e| Error::Internal(format!("look-up: {e}")))?;
    let (ctx, now) = (s.clone(), s.clock.now());
    let ran = s.store.write(move |u| book(u, &ctx, &order_id, &found, now)).await?;
    s.bell.notify_one();
    Ok(ran)
}

fn book(
    u: &mut dyn Unit,
    s: &Services,
    order_id: &str,
    found: &[GatewayTransaction],
    now: DateTime<Utc>,
) -> ServiceResult<Ran> {
    let Some((attempt, row)) = taken(u, order_id)? else { return Ok(Ran::Done) };
    let ours = |t: &&GatewayTransaction| Some(&t.id) == attempt.transaction_id.as_ref();
    match found.iter().find(ours).map(|t| t.status) {
        Some(GatewayStatus::Declined) => {}
        Some(GatewayStatus::Captured | GatewayStatus::Pending) if now < attempt.created_at + LAST_LOOK => {
            looks::at_charge(u, s, order_id, now + AGAIN)?;
            return Ok(Ran::Done);
        }
        // Settled, or voided or returned meanwhile.
        _ => return Ok(Ran::Done),
    }
    let Some(booking) = u.bookings().lock(row.booking_id)? else {
        return Err(Error::Internal(format!("booking {} vanished", row.booking_id)));
    };
    if lease::under_way(u, row.booking_id)? {
        return Ok(Ran::Later(lease::next_look(s, s.wall.now())));
    }
    // Read again under the lock: another worker may have booked it meanwhile.
    match taken(u, order_id)? {
        Some((attempt, row)) => reversed(u, s, booking, attempt, row, now).map(|()| Ran::Done),
        None => Ok(Ran::Done),
    }
}

/// The attempt and its charge, if we believe that it took money.
fn taken(u: &mut dyn Unit, order_id: &str) -> ServiceResult<Option<(Attempt, Payment)>> {
    let Some(attempt) = u.payments().attempt(order_id)?.filter(|a| a.state == AttemptState::Applied) else {
        return Ok(None);
    };
    Ok(u.payments().get(attempt.payment_id)?.filter(took).map(|row| (attempt, row)))
}

/// Takes the money out of the books again. The charge counts as given up: the staff see it, and they
/// or a new card set it going again (`statuses.md` §3, failed).
fn reversed(
    u: &mut dyn Unit,
    s: &Services,
    mut booking: Booking,
    mut attempt: Attempt,
    mut row: Payment,
    now: DateTime<Utc>,
) -> ServiceResult<()> {
    ledger::settlement_declined(u, s, &booking, &row, &attempt.order_id, now)?;
    attempt.state = AttemptState::Declined;
    attempt.code = Some(SETTLEMENT_DECLINED.to_owned());
    attempt.resolved_at = Some(now);
    u.payments().resolve_attempt(&attempt)?;
    row.state = State::Failed;
    (row.settled_at, row.transaction_id, row.next_attempt_at) = (None, None, None);
    row.last_message = Some("the bank refused the charge when it settled".into());
    row.version = u.payments().update(&row)?;
    // What was to be returned of it is not held any more.
    for refund in u.payments().of_booking(booking.id)? {
        if refund.refund_of == Some(row.id) && open(&refund) {
            settle::skip(u, refund)?;
        }
    }
    if row.kind == PaymentKind::Tip
        && let Some(mut tip) = u.tips().of_booking(booking.id)?.filter(|t| t.payment_id == Some(row.id))
    {
        (tip.is_paid, tip.payment_id, tip.updated_at) = (false, None, now);
        tip.version += 1;
        u.tips().put(&tip)?;
    }
    outcome::problem(u, &mut booking, now)?;
    mailing::payment_failed(u, s, &booking, &row, now)?;
    tracing::error!(order = attempt.order_id, amount = %row.amount, "a captured charge was refused at its settlement");
    settle::settle(u, s, &booking, now)
}
