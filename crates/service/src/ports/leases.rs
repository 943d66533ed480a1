//! Who works on a booking's money: one at a time, over all processes on a database.

use chrono::{DateTime, Utc};
use kernel::BookingId;

use super::StoreResult;

/// Leases on the money of bookings. All instants are real time.
pub trait MoneyLeases {
    /// Takes the lease for `holder` until `until` when nobody has it, it ended at or before `wall`,
    /// or `holder` has it already (then it is prolonged). Answers whether `holder` has it now.
    fn take(
        &mut self,
        booking: BookingId,
        holder: &str,
        wall: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> StoreResult<bool>;
    /// When the lease of somebody else ends; none when nobody has it.
    fn held_until(&mut self, booking: BookingId, wall: DateTime<Utc>) -> StoreResult<Option<DateTime<Utc>>>;
    /// Gives the lease back; nothing happens when it is somebody else's by now.
    fn release(&mut self, booking: BookingId, holder: &str) -> StoreResult<()>;
    /// Ends every lease: called once by a process that knows no other is alive. Answers how many.
    fn release_all(&mut self) -> StoreResult<i64>;
}
