//! The calendar, its buckets, and holds.

use std::collections::BTreeSet;

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{BookingId, HoldId};
use scheduling::{BucketKey, Capacity, TruckClass};
use service::ports::{
    StoreResult,
    calendar::Calendars,
    capacity::{Capacities, DayCapacity, Drift, Hold, Holder},
};

use super::{
    super::{Conn, dialect},
    Repos,
    buckets::{self, Span},
    holds,
};
use crate::error::fault;

impl Capacities for Repos<'_> {
    fn set_default(&mut self, hub: &str, weekday: u8, capacity: DayCapacity) -> StoreResult<()> {
        Calendars::set_weekday(self, hub, weekday, capacity)
    }

    fn set_override(&mut self, hub: &str, date: NaiveDate, capacity: DayCapacity) -> StoreResult<()> {
        buckets::in_savepoint(self.conn, |conn| {
            buckets::write_date(conn, hub, date, capacity, "")?;
            let plans = buckets::plans(conn, hub, &BTreeSet::from([date]))?;
            plans.iter().try_for_each(|(date, there)| buckets::set_totals(conn, hub, *date, *there))
        })
    }

    fn planned(&mut self, hub: &str, date: NaiveDate) -> StoreResult<DayCapacity> {
        let plans = buckets::plans(self.conn, hub, &BTreeSet::from([date]))?;
        Ok(plans.get(&date).copied().unwrap_or(DayCapacity { mates: 0, trucks: [0; 3] }))
    }

    fn view(&mut self, hub: &str, asked: &[BucketKey]) -> StoreResult<Vec<Capacity>> {
        let keys: BTreeSet<BucketKey> = asked.iter().copied().collect();
        let Some(span) = Span::over(&keys) else { return Ok(Vec::new()) };
        let stored = buckets::stored(self.conn, hub, span)?;
        let missing: BTreeSet<BucketKey> = keys.into_iter().filter(|k| !stored.contains_key(k)).collect();
        let plans = buckets::plans(self.conn, hub, &buckets::dates(&missing))?;
        let of_plan = |key: &BucketKey| plans.get(&key.date).map_or_else(Capacity::default, untouched);
        Ok(asked.iter().map(|key| stored.get(key).copied().unwrap_or_else(|| of_plan(key))).collect())
    }

    fn make(&mut self, hub: &str, asked: &[BucketKey]) -> StoreResult<()> {
        let keys: BTreeSet<BucketKey> = asked.iter().copied().collect();
        let Some(span) = Span::over(&keys) else { return Ok(()) };
        let stored = buckets::stored(self.conn, hub, span)?;
        let missing: BTreeSet<BucketKey> = keys.into_iter().filter(|k| !stored.contains_key(k)).collect();
        if missing.is_empty() { Ok(()) } else { buckets::make(self.conn, hub, &missing) }
    }

    fn lock(&mut self, hub: &str, asked: &[BucketKey]) -> StoreResult<Vec<Capacity>> {
        let keys: BTreeSet<BucketKey> = asked.iter().copied().collect();
        let Some(span) = Span::over(&keys) else { return Ok(Vec::new()) };
        let many = i64::try_from(keys.len()).unwrap_or(i64::MAX);
        let lock = |conn: &mut Conn| {
            let rows = dialect::lock_buckets(conn, hub, span, many).map_err(fault(buckets::TABLE))?;
            buckets::by_key(&rows)
        };
        let mut locked = lock(self.conn)?;
        if !keys.iter().all(|key| locked.contains_key(key)) {
            self.make(hub, asked)?;
            locked = lock(self.conn)?;
        }
        Ok(asked.iter().map(|key| locked.get(key).copied().unwrap_or_default()).collect())
    }

    fn add(&mut self, hub: &str, asked: &[BucketKey], mates: i32, truck: Option<(TruckClass, i32)>) -> StoreResult<()> {
        let keys: BTreeSet<BucketKey> = asked.iter().copied().collect();
        buckets::add(self.conn, hub, &keys, buckets::change(mates, truck))
    }

    fn insert_hold(&mut self, hold: &Hold) -> StoreResult<()> {
        holds::insert(self.conn, hold)
    }

    fn hold(&mut self, id: HoldId) -> StoreResult<Option<Hold>> {
        holds::get(self.conn, id, self.writes)
    }

    fn hold_of_booking(&mut self, id: BookingId) -> StoreResult<Option<Hold>> {
        holds::of_booking(self.conn, id)
    }

    fn kept_by(&mut self, holder: &Holder) -> StoreResult<Vec<Hold>> {
        holds::kept_by(self.conn, holder, self.writes)
    }

    fn update_hold(&mut self, hold: &Hold) -> StoreResult<()> {
        holds::update(self.conn, hold)
    }

    fn lapsed(&mut self, now: DateTime<Utc>, limit: i64) -> StoreResult<Vec<Hold>> {
        holds::lapsed(self.conn, now, limit)
    }

    fn drift(&mut self) -> StoreResult<Vec<String>> {
        let taken = holds::taken(self.conn)?;
        let drifts = buckets::differences(self.conn, None, taken)?;
        Ok(drifts.iter().map(ToString::to_string).collect())
    }

    fn drift_between(&mut self, first: NaiveDate, last: NaiveDate) -> StoreResult<Vec<Drift>> {
        let taken = holds::taken_between(self.conn, first, last)?;
        buckets::differences(self.conn, Some((first, last)), taken)
    }

    fn days(&mut self) -> StoreResult<Option<(NaiveDate, NaiveDate)>> {
        buckets::days(self.conn)
    }

    fn recount(&mut self, drift: &Drift) -> StoreResult<()> {
        buckets::recount(self.conn, drift)
    }
}

fn untouched(plan: &DayCapacity) -> Capacity {
    Capacity { mates_total: plan.mates, mates_used: 0, trucks_total: plan.trucks, trucks_used: [0; 3] }
}
