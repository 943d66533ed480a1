//! The calendar: rows by weekday and by date, and bringing the buckets in line with it.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use diesel::{dsl::max, prelude::*};
use service::ports::{StoreResult, calendar::Calendars, capacity::DayCapacity};

use super::{
    super::dialect,
    Repos,
    buckets::{self, Span},
};
use crate::{
    error::fault,
    rows::{
        capacities::{DefaultRow, OverrideRow, WeekRow, day_columns},
        number,
    },
    schema::{calendar_weeks, capacity_buckets, capacity_defaults, capacity_overrides},
};

/// A date and the four largest counters of its buckets.
type Peak = (NaiveDate, Option<i32>, Option<i32>, Option<i32>, Option<i32>);

impl Calendars for Repos<'_> {
    fn lock(&mut self, hub: &str) -> StoreResult<()> {
        dialect::lock_calendar(self.conn, hub, true).map_err(fault("capacity_defaults"))
    }

    fn week(&mut self, hub: &str) -> StoreResult<BTreeMap<u8, DayCapacity>> {
        let rows: Vec<DefaultRow> = capacity_defaults::table
            .filter(capacity_defaults::hub.eq(hub))
            .select(DefaultRow::as_select())
            .load(self.conn)
            .map_err(fault("capacity_defaults"))?;
        rows.iter().map(|r| Ok((number(r.weekday, "capacity_defaults", "weekday", &r.hub)?, r.read()?))).collect()
    }

    fn dates(&mut self, hub: &str, from: NaiveDate) -> StoreResult<BTreeMap<NaiveDate, DayCapacity>> {
        let rows: Vec<OverrideRow> = capacity_overrides::table
            .filter(capacity_overrides::hub.eq(hub))
            .filter(capacity_overrides::date.ge(from))
            .select(OverrideRow::as_select())
            .load(self.conn)
            .map_err(fault("capacity_overrides"))?;
        rows.iter().map(|r| Ok((r.date, r.read()?))).collect()
    }

    fn set_weekday(&mut self, hub: &str, weekday: u8, capacity: DayCapacity) -> StoreResult<()> {
        let [mates, trucks_10, trucks_20, trucks_26] = day_columns(capacity)?;
        let row =
            DefaultRow { hub: hub.to_owned(), weekday: i32::from(weekday), mates, trucks_10, trucks_20, trucks_26 };
        diesel::insert_into(capacity_defaults::table)
            .values(&row)
            .on_conflict((capacity_defaults::hub, capacity_defaults::weekday))
            .do_update()
            .set(&row)
            .execute(self.conn)
            .map(drop)
            .map_err(fault("capacity_defaults"))
    }

    fn reasons(&mut self, hub: &str, from: NaiveDate) -> StoreResult<BTreeMap<NaiveDate, String>> {
        let rows: Vec<(NaiveDate, String)> = capacity_overrides::table
            .filter(capacity_overrides::hub.eq(hub))
            .filter(capacity_overrides::date.ge(from))
            .filter(capacity_overrides::reason.ne(""))
            .select((capacity_overrides::date, capacity_overrides::reason))
            .load(self.conn)
            .map_err(fault("capacity_overrides"))?;
        Ok(rows.into_iter().collect())
    }

    fn week_version(&mut self, hub: &str) -> StoreResult<i32> {
        let version: Option<i32> = calendar_weeks::table
            .filter(calendar_weeks::hub.eq(hub))
            .select(calendar_weeks::version)
            .first(self.conn)
            .optional()
            .map_err(fault("calendar_weeks"))?;
        Ok(version.unwrap_or(0))
    }

    fn count_week(&mut self, hub: &str) -> StoreResult<i32> {
        let version = self.week_version(hub)?.saturating_add(1);
        let row = WeekRow { hub: hub.to_owned(), version };
        diesel::insert_into(calendar_weeks::table)
            .values(&row)
            .on_conflict(calendar_weeks::hub)
            .do_update()
            .set(&row)
            .execute(self.conn)
            .map_err(fault("calendar_weeks"))?;
        Ok(version)
    }

    fn offered(&mut self, hub: &str, dates: &BTreeSet<NaiveDate>) -> StoreResult<BTreeMap<NaiveDate, DayCapacity>> {
        buckets::plans(self.conn, hub, dates)
    }

    fn set_date(&mut self, hub: &str, date: NaiveDate, capacity: DayCapacity, reason: &str) -> StoreResult<()> {
        buckets::write_date(self.conn, hub, date, capacity, reason)
    }

    fn clear_date(&mut self, hub: &str, date: NaiveDate) -> StoreResult<()> {
        let row =
            capacity_overrides::table.filter(capacity_overrides::hub.eq(hub)).filter(capacity_overrides::date.eq(date));
        diesel::delete(row).execute(self.conn).map(drop).map_err(fault("capacity_overrides"))
    }

    fn taken(&mut self, hub: &str, from: NaiveDate) -> StoreResult<BTreeMap<NaiveDate, DayCapacity>> {
        use capacity_buckets as b;
        let rows: Vec<Peak> = b::table
            .filter(b::hub.eq(hub))
            .filter(b::date.ge(from))
            .group_by(b::date)
            .select((
                b::date,
                max(b::mates_used),
                max(b::trucks_10_used),
                max(b::trucks_20_used),
                max(b::trucks_26_used),
            ))
            .load(self.conn)
            .map_err(fault(buckets::TABLE))?;
        let read = |n: Option<i32>, column| number(n.unwrap_or(0), buckets::TABLE, column, &hub);
        rows.into_iter()
            .map(|(date, mates, ten, twenty, twenty_six)| {
                let trucks = [
                    read(ten, "trucks_10_used")?,
                    read(twenty, "trucks_20_used")?,
                    read(twenty_six, "trucks_26_used")?,
                ];
                Ok((date, DayCapacity { mates: read(mates, "mates_used")?, trucks }))
            })
            .collect()
    }

    fn replan(&mut self, hub: &str, from: NaiveDate) -> StoreResult<()> {
        let dates: BTreeSet<NaiveDate> = self.taken(hub, from)?.into_keys().collect();
        let (Some(first), Some(last)) = (dates.first(), dates.last()) else { return Ok(()) };
        // In the order in which those who take capacity lock: we never wait for each other in a circle.
        let span = Span { first: (*first, 0), last: (*last, i32::MAX) };
        dialect::lock_buckets(self.conn, hub, span, 0).map_err(fault(buckets::TABLE))?;
        let plans = buckets::plans(self.conn, hub, &dates)?;
        buckets::in_savepoint(self.conn, |conn| {
            plans.iter().try_for_each(|(date, capacity)| buckets::set_totals(conn, hub, *date, *capacity))
        })
    }
}
