//! Holds: reservations of capacity.

use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use diesel::prelude::*;
use kernel::{BookingId, HoldId};
use service::ports::{
    StoreError, StoreResult,
    capacity::{Hold, Holder},
};

use super::{
    super::{Conn, dialect},
    buckets::{CapacityTotals, change, signed, tally},
};
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::capacities::HoldRow,
    schema::holds,
    statement::{self, Converted, Lapsing, Live},
};

const TABLE: &str = "holds";
/// Holds read at a time in the recount.
const CHUNK: i64 = 1_000;

pub fn insert(conn: &mut Conn, hold: &Hold) -> StoreResult<()> {
    diesel::insert_into(holds::table).values(HoldRow::of(hold)?).execute(conn).map_err(fault(TABLE))?;
    Ok(())
}

pub fn get(conn: &mut Conn, id: HoldId, lock: bool) -> StoreResult<Option<Hold>> {
    let id = Id(id.0);
    let row = if lock {
        dialect::lock_hold(conn, id)
    } else {
        holds::table.find(id).select(HoldRow::as_select()).first(conn).optional()
    };
    row.map_err(fault(TABLE))?.map(HoldRow::read).transpose()
}

pub fn of_booking(conn: &mut Conn, id: BookingId) -> StoreResult<Option<Hold>> {
    let row: Option<HoldRow> = holds::table
        .filter(holds::booking_id.eq(Id(id.0)))
        .filter(Converted)
        .order((holds::created_at.desc(), holds::id.desc()))
        .select(HoldRow::as_select())
        .first(conn)
        .optional()
        .map_err(fault(TABLE))?;
    row.map(HoldRow::read).transpose()
}

pub fn kept_by(conn: &mut Conn, holder: &Holder, lock: bool) -> StoreResult<Vec<Hold>> {
    let found = if lock {
        // Two calls of one origin would each count without the other's.
        dialect::lock_key(conn, &format!("holds of {}", holder.origin)).map_err(fault(TABLE))?;
        dialect::lock_guests_holds(conn, &holder.browser, &holder.origin)
    } else {
        holds::table
            .filter(Lapsing)
            .filter(holds::browser.eq(&holder.browser).or(holds::origin.eq(&holder.origin)))
            .order(holds::id)
            .select(HoldRow::as_select())
            .load(conn)
    };
    let mut holds = found.map_err(fault(TABLE))?.into_iter().map(HoldRow::read).collect::<StoreResult<Vec<_>>>()?;
    holds.sort_by_key(|h| (h.created_at, h.id));
    Ok(holds)
}

pub fn update(conn: &mut Conn, hold: &Hold) -> StoreResult<()> {
    let row = HoldRow::of(hold)?;
    let written = statement::update(holds::table, holds::id.eq(row.id), &row).execute(conn).map_err(fault(TABLE))?;
    if written == 1 { Ok(()) } else { Err(StoreError::Stale) }
}

pub fn lapsed(conn: &mut Conn, now: DateTime<Utc>, limit: i64) -> StoreResult<Vec<Hold>> {
    let rows: Vec<HoldRow> = holds::table
        .filter(Lapsing)
        .filter(holds::expires_at.le(Instant(now)))
        .order((holds::expires_at, holds::id))
        .limit(limit)
        .select(HoldRow::as_select())
        .load(conn)
        .map_err(fault(TABLE))?;
    rows.into_iter().map(HoldRow::read).collect()
}

/// What live holds take in each bucket, read in chunks: every booking keeps its hold.
pub fn taken(conn: &mut Conn) -> StoreResult<CapacityTotals> {
    let mut taken = CapacityTotals::new();
    let mut after = Id(kernel::uuid::Uuid::nil());
    loop {
        let rows: Vec<HoldRow> = holds::table
            .filter(Live)
            .filter(holds::id.gt(after))
            .order(holds::id)
            .limit(CHUNK)
            .select(HoldRow::as_select())
            .load(conn)
            .map_err(fault(TABLE))?;
        let Some(last) = rows.last() else { return Ok(taken) };
        after = last.id;
        for row in rows {
            let hold = row.read()?;
            let columns = change(signed(hold.mates)?, hold.truck.map(|class| (class, 1)));
            tally(&mut taken, &hold.hub, &hold.buckets, columns);
        }
    }
}

/// The same of holds that may take something of these local days, read at once: they are as many as moves of those days.
pub fn taken_between(conn: &mut Conn, first: NaiveDate, last: NaiveDate) -> StoreResult<CapacityTotals> {
    // No job is longer than a day, and no zone is further from UTC.
    let instant = |date: NaiveDate| Instant(date.and_time(NaiveTime::MIN).and_utc());
    let rows: Vec<HoldRow> = holds::table
        .filter(Live)
        .filter(holds::occupied_until.ge(instant(first - Days::new(1))))
        .filter(holds::occupied_until.lt(instant(last + Days::new(4))))
        .select(HoldRow::as_select())
        .load(conn)
        .map_err(fault(TABLE))?;
    let mut taken = CapacityTotals::new();
    for row in rows {
        let hold = row.read()?;
        let columns = change(signed(hold.mates)?, hold.truck.map(|class| (class, 1)));
        tally(&mut taken, &hold.hub, &hold.buckets, columns);
    }
    Ok(taken)
}
