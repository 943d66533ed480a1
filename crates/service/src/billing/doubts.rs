//! Open differences of the last comparison that leave unclear how much of a booking's money the payment service holds. While
//! there is one, nothing of the booking is charged or refunded automatically, even if our own records all agree: somebody may
//! have written, or deleted, all of them.

use kernel::BookingId;

use super::{difference::Difference, orders};
use crate::{
    Actor, Error, ServiceResult, Services,
    ports::{
        Unit,
        comparisons::{DifferenceId, FoundDifference, Standing},
    },
};

/// One of them.
pub(super) struct Doubt {
    id: DifferenceId,
    difference: Difference,
}

/// The doubts about a booking.
///
/// # Errors
/// When the database fails, or what is kept cannot be read.
pub(super) fn of_booking(u: &mut dyn Unit, id: BookingId) -> ServiceResult<Vec<Doubt>> {
    let read = |found: FoundDifference| {
        let difference: Difference = serde_json::from_value(found.difference)
            .map_err(|e| Error::Internal(format!("difference {}: {e}", found.id)))?;
        Ok(difference.what.is_unclear_at_gateway().then_some(Doubt { id: found.id, difference }))
    };
    u.comparisons().open_of(id)?.into_iter().map(read).filter_map(Result::transpose).collect()
}

/// Looks at each again: an answer that was late, or a notification, may have put it right since. Answers the code of one that is
/// still there; none when all are gone, which is written down.
///
/// # Errors
/// When payment service or database cannot be asked.
pub(super) async fn remaining(s: &Services, doubts: Vec<Doubt>) -> ServiceResult<Option<&'static str>> {
    for Doubt { id, difference } in doubts {
        let found = orders::look(s, &difference.subject).await?;
        if let Some(still) = found.iter().find(|d| d.what.is_unclear_at_gateway()) {
            return Ok(Some(still.what.code()));
        }
        mark_gone(s, id).await?;
    }
    Ok(None)
}

/// Records that a difference was gone when it was compared again.
///
/// # Errors
/// When the database fails.
pub(super) async fn mark_gone(s: &Services, id: DifferenceId) -> ServiceResult<()> {
    s.write(Actor::system(), move |tx| {
        tx.unit.comparisons().settle(id, Standing::Gone, tx.now, None).map(drop).map_err(Error::from)
    })
    .await
}
