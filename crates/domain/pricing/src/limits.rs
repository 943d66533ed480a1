//! The bounds of sensible input, for the border to refuse beyond them.
//!
//! Nothing in this crate panics or wraps outside of them: sums stop at the ends of their
//! integers. Inside of them every result is exact.

use crate::MoveRequest;

/// Most pieces of one item.
pub const MAX_QUANTITY: u32 = 10_000;
/// Most kinds of items in one request.
pub const MAX_ITEMS: usize = 500;
/// Largest volume of one piece, tenths of a cubic foot (10 000 cubic feet, six large trucks).
pub const MAX_ITEM_DCF: u32 = 100_000;
/// Largest distance of a floor to the ground: no house is higher.
pub const MAX_FLOOR: i32 = 200;
/// Most elevators.
pub const MAX_ELEVATORS: u32 = 100;
/// Longest drive, positioning leg or overtime, minutes (over two months).
pub const MAX_MINUTES: u32 = 100_000;
/// Longest distance, tenths of a kilometre (10 000 km).
pub const MAX_DISTANCE_KM10: u32 = 100_000;

/// A request beyond the bounds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field} must be at most {max}")]
pub struct OutOfBounds {
    /// The first field that is.
    pub field: &'static str,
    /// Its largest value.
    pub max: u64,
}

/// Checks all bounds of a move.
pub fn check(job: &MoveRequest) -> Result<(), OutOfBounds> {
    let at_most = |field: &'static str, value: u64, max: u64| {
        if value <= max { Ok(()) } else { Err(OutOfBounds { field, max }) }
    };
    at_most("items", job.items.len() as u64, MAX_ITEMS as u64)?;
    for item in &job.items {
        at_most("quantity", item.quantity.into(), MAX_QUANTITY.into())?;
        at_most("volume", item.dcf.into(), MAX_ITEM_DCF.into())?;
    }
    for stop in [&job.pickup, &job.dropoff] {
        at_most("floor", stop.floor.unsigned_abs().into(), MAX_FLOOR.unsigned_abs().into())?;
        at_most("elevator", stop.elevator.into(), MAX_ELEVATORS.into())?;
    }
    at_most("travelDuration", job.travel_minutes.into(), MAX_MINUTES.into())?;
    at_most("positioningMinutes", job.positioning_minutes.into(), MAX_MINUTES.into())?;
    at_most("distance", job.distance_km10.into(), MAX_DISTANCE_KM10.into())
}
