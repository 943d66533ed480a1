//! Who works on a booking's money.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::BookingId;
use service::ports::{StoreResult, leases::MoneyLeases};

use super::Repos;
use crate::{
    columns::{Id, Instant},
    error::fault,
    schema::money_leases,
    statement::update,
};

const TABLE: &str = "money_leases";

impl MoneyLeases for Repos<'_> {
    fn take(
        &mut self,
        booking: BookingId,
        holder: &str,
        wall: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> StoreResult<bool> {
        let ours = || (money_leases::holder.eq(holder), money_leases::held_until.eq(Instant(until)));
        let free = money_leases::held_until.le(Instant(wall)).or(money_leases::holder.eq(holder));
        let known = money_leases::booking_id.eq(Id(booking.0)).and(free);
        if update(money_leases::table, known, ours()).execute(self.conn).map_err(fault(TABLE))? == 1 {
            return Ok(true);
        }
        // There is no row, or another holder has it. Of several that insert at once, the first wins.
        let written = diesel::insert_into(money_leases::table)
            .values((money_leases::booking_id.eq(Id(booking.0)), ours()))
            .on_conflict(money_leases::booking_id)
            .do_nothing()
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(written == 1)
    }

    fn held_until(&mut self, booking: BookingId, wall: DateTime<Utc>) -> StoreResult<Option<DateTime<Utc>>> {
        let until: Option<Instant> =
            QueryDsl::filter(money_leases::table.find(Id(booking.0)), money_leases::held_until.gt(Instant(wall)))
                .select(money_leases::held_until)
                .first(self.conn)
                .optional()
                .map_err(fault(TABLE))?;
        Ok(until.map(|at| at.0))
    }

    fn release(&mut self, booking: BookingId, holder: &str) -> StoreResult<()> {
        diesel::delete(QueryDsl::filter(money_leases::table.find(Id(booking.0)), money_leases::holder.eq(holder)))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn release_all(&mut self) -> StoreResult<i64> {
        let gone = diesel::delete(money_leases::table).execute(self.conn).map_err(fault(TABLE))?;
        Ok(i64::try_from(gone).unwrap_or(i64::MAX))
    }
}
