//! Runs a repair that staff requested for a difference.

use serde_json::json;

use super::{
    compare::{DifferenceView, shown},
    difference::Difference,
    doubts::mark_gone,
    lease, repair,
};
use crate::{
    Error, ErrorCode, ServiceResult, Services, Staff, Tx,
    idempotency::{self, Guard, Replayable},
    ports::{
        StoreError,
        comparisons::{DifferenceId, Standing},
        payments::GatewayTransaction,
    },
};

/// `POST /reconciliation/{id}/repair`.
///
/// # Errors
/// `not_found`, also where nothing puts it right by itself; `repair_changed` when it is not there any more, was repaired,
/// or would be repaired by something else than what was said; `payment_in_flight` while money of the booking is at the
/// gateway.
pub async fn mend(
    s: &Services,
    staff: &Staff,
    id: DifferenceId,
    guard: Option<Guard<DifferenceView>>,
) -> ServiceResult<Replayable<DifferenceView>> {
    let was = s
        .store
        .read(move |u| {
            let found = u.comparisons().found(id)?.ok_or(ErrorCode::NotFound)?;
            shown(u, found)
        })
        .await?;
    if was.repair.is_none() {
        return Err(ErrorCode::NotFound.into());
    }
    let mut at_gateway = Vec::new();
    if was.found.standing == Standing::Open {
        if !repair::still_there(s, &was.difference).await? {
            mark_gone(s, id).await?;
            return Err(ErrorCode::RepairChanged.into());
        }
        at_gateway = repair::at_gateway(s, &was.difference).await?;
    }
    let asked_at = s.clock.now();
    let answer = s
        .write(staff.actor(), move |tx| idempotency::once(tx, guard, asked_at, |tx| mended(tx, id, &at_gateway)))
        .await?;
    if matches!(answer, Replayable::Fresh(_))
        && let Err(e) = look_beside(s, &was).await
    {
        tracing::warn!(error = %e, "what else a repair put right is not known yet");
    }
    Ok(answer)
}

fn mended(tx: &mut Tx<'_>, id: DifferenceId, at_gateway: &[GatewayTransaction]) -> ServiceResult<DifferenceView> {
    let found = tx.unit.comparisons().found(id)?.ok_or(ErrorCode::NotFound)?;
    let was = shown(tx.unit, found)?;
    let Some(said) = was.repair.as_ref().filter(|_| was.found.standing == Standing::Open) else {
        return Err(ErrorCode::RepairChanged.into());
    };
    // A row that only reads as if it were at the gateway is what is put right.
    if let Some(booking) = was.found.booking
        && !was.difference.what.is_of_row()
        && lease::under_way(tx.unit, booking)?
    {
        return Err(ErrorCode::PaymentInFlight.into());
    }
    match repair::carry_out(tx, &was.difference, said, at_gateway) {
        Ok(true) => {}
        // What it would post stands there already.
        Ok(false) | Err(Error::Store(StoreError::Duplicate(_))) => return Err(ErrorCode::RepairChanged.into()),
        Err(failure) => return Err(failure),
    }
    tx.unit.comparisons().settle(id, Standing::Repaired, tx.now, tx.actor.user)?;
    let done = json!({ "difference": was.difference, "repair": said });
    tx.audit("difference.repair", id, None, Some(done))?;
    let found = tx.unit.comparisons().found(id)?.ok_or(ErrorCode::NotFound)?;
    shown(tx.unit, found)
}

/// One fault is often told twice, by the gateway and by the books: what went with it is not there any more.
async fn look_beside(s: &Services, repaired: &DifferenceView) -> ServiceResult<()> {
    let (comparison, own) = (repaired.found.comparison, repaired.found.id);
    let (booking, subject) = (repaired.found.booking, repaired.difference.subject.clone());
    let others = s
        .store
        .read(move |u| {
            let most = i64::try_from(super::compare::MOST_KEPT).unwrap_or(i64::MAX);
            let mut all = u.comparisons().found_by(comparison, most)?;
            // A newer comparison may hold a copy of the same difference: that is settled, too.
            if let Some(newest) = u.comparisons().last()?.filter(|newest| newest.id != comparison) {
                all.extend(u.comparisons().found_by(newest.id, most)?);
            }
            let mut others: Vec<(DifferenceId, Difference)> = Vec::new();
            for found in all.into_iter().filter(|f| f.id != own && f.standing == Standing::Open) {
                let other = shown(u, found)?;
                let beside = (booking.is_some() && other.found.booking == booking)
                    || (!subject.is_empty() && other.difference.subject == subject);
                if beside {
                    others.push((other.found.id, other.difference));
                }
            }
            Ok::<_, Error>(others)
        })
        .await?;
    for (id, difference) in others {
        if !repair::still_there(s, &difference).await? {
            mark_gone(s, id).await?;
        }
    }
    Ok(())
}
