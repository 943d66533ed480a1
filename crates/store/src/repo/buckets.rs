//! Capacity buckets as a table: reading a span, making what is missing, taking and giving back.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{Datelike, NaiveDate};
use diesel::prelude::*;
use scheduling::{BucketKey, Capacity, TruckClass};
use service::ports::{
    StoreError, StoreResult,
    absences::lacking,
    capacity::{DayCapacity, Drift},
};

use super::{
    super::{Conn, dialect},
    absences,
};
use crate::{
    error::{fault, out_of_range},
    rows::capacities::{BucketRow, DefaultRow, OverrideRow, day_columns},
    schema::{capacity_buckets, capacity_defaults, capacity_overrides},
    statement::{AllFit, update},
};

pub const TABLE: &str = "capacity_buckets";

/// The half hours from the first to the last key, both included. A booking's keys follow each
/// other, so the span is exactly them; a list with holes reads (and locks) a few rows more.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    pub first: (NaiveDate, i32),
    pub last: (NaiveDate, i32),
}

impl Span {
    pub fn over(keys: &BTreeSet<BucketKey>) -> Option<Span> {
        let end = |key: &BucketKey| (key.date, i32::from(key.index));
        Some(Span { first: end(keys.first()?), last: end(keys.last()?) })
    }
}

/// What there is on each of the dates, in order: override, else weekday default, else nothing; less what is away.
pub fn plans(conn: &mut Conn, hub: &str, dates: &BTreeSet<NaiveDate>) -> StoreResult<BTreeMap<NaiveDate, DayCapacity>> {
    let (Some(first), Some(last)) = (dates.first(), dates.last()) else { return Ok(BTreeMap::new()) };
    let defaults: Vec<DefaultRow> = capacity_defaults::table
        .filter(capacity_defaults::hub.eq(hub))
        .select(DefaultRow::as_select())
        .load(conn)
        .map_err(fault("capacity_defaults"))?;
    let overrides: Vec<OverrideRow> = capacity_overrides::table
        .filter(capacity_overrides::hub.eq(hub))
        .filter(capacity_overrides::date.between(*first, *last))
        .select(OverrideRow::as_select())
        .load(conn)
        .map_err(fault("capacity_overrides"))?;
    let mut weekdays = HashMap::new();
    for row in &defaults {
        weekdays.insert(row.weekday, row.read()?);
    }
    let mut days = HashMap::new();
    for row in &overrides {
        days.insert(row.date, row.read()?);
    }
    let away = absences::between(conn, Some(hub), *first, *last)?;
    let nothing = DayCapacity { mates: 0, trucks: [0; 3] };
    let weekday = |date: NaiveDate| i32::try_from(date.weekday().num_days_from_monday()).unwrap_or_default();
    let planned =
        |date: &NaiveDate| days.get(date).or_else(|| weekdays.get(&weekday(*date))).copied().unwrap_or(nothing);
    Ok(dates.iter().map(|date| (*date, planned(date).without(lacking(&away, *date)))).collect())
}

pub fn dates(keys: &BTreeSet<BucketKey>) -> BTreeSet<NaiveDate> {
    keys.iter().map(|k| k.date).collect()
}

/// The stored buckets of a span.
pub fn stored(conn: &mut Conn, hub: &str, span: Span) -> StoreResult<BTreeMap<BucketKey, Capacity>> {
    let (first, last) = (span.first, span.last);
    let rows: Vec<BucketRow> = capacity_buckets::table
        .filter(capacity_buckets::hub.eq(hub))
        .filter(capacity_buckets::date.between(first.0, last.0))
        .filter(capacity_buckets::date.gt(first.0).or(capacity_buckets::bucket.ge(first.1)))
        .filter(capacity_buckets::date.lt(last.0).or(capacity_buckets::bucket.le(last.1)))
        .select(BucketRow::as_select())
        .load(conn)
        .map_err(fault(TABLE))?;
    by_key(&rows)
}

pub fn by_key(rows: &[BucketRow]) -> StoreResult<BTreeMap<BucketKey, Capacity>> {
    rows.iter().map(|row| Ok((row.key()?, row.read()?))).collect()
}

/// Makes the rows that are missing, from the plan. Two transactions that make the same ones meet
/// in ascending order, so neither waits for the other in a circle.
pub fn make(conn: &mut Conn, hub: &str, missing: &BTreeSet<BucketKey>) -> StoreResult<()> {
    // Whoever changes the calendar brings the buckets he sees in line: none is made unseen meanwhile.
    dialect::lock_calendar(conn, hub, false).map_err(fault(TABLE))?;
    let plans = plans(conn, hub, &dates(missing))?;
    let nothing = DayCapacity { mates: 0, trucks: [0; 3] };
    let rows = missing
        .iter()
        .map(|key| BucketRow::untouched(hub, *key, plans.get(&key.date).copied().unwrap_or(nothing)))
        .collect::<StoreResult<Vec<_>>>()?;
    diesel::insert_into(capacity_buckets::table)
        .values(&rows)
        .on_conflict_do_nothing()
        .execute(conn)
        .map_err(fault(TABLE))?;
    Ok(())
}

/// What to add in each bucket: mates, then trucks by class; negative gives back.
pub fn change(mates: i32, truck: Option<(TruckClass, i32)>) -> [i32; 4] {
    let mut columns = [mates, 0, 0, 0];
    if let Some((class, n)) = truck {
        // Three classes, 0 to 2, after the mates.
        columns[class.index() + 1] = n;
    }
    columns
}

/// Adds in every bucket or in none, one statement for each run of neighbours. What does not fit is refused, by
/// the statement and, should two who locked nothing meet, by a CHECK; a bucket that was never made has no room
/// either.
pub fn add(conn: &mut Conn, hub: &str, keys: &BTreeSet<BucketKey>, columns: [i32; 4]) -> StoreResult<()> {
    let runs = runs(keys);
    let add = |conn: &mut Conn| runs.iter().try_for_each(|run| add_run(conn, hub, *run, columns));
    // A refusal undoes its part only, and the unit may go on: a single statement does that by itself.
    if runs.len() > 1 { in_savepoint(conn, add) } else { add(conn).map_err(Failed::into_error) }
}

fn add_run(conn: &mut Conn, hub: &str, run: Run, columns: [i32; 4]) -> Result<(), Failed> {
    use capacity_buckets as b;
    let [mates, ten, twenty, twenty_six] = columns;
    let of_run = b::hub.eq(hub).and(b::date.eq(run.date)).and(b::bucket.between(run.first, run.last));
    let changes = (
        b::mates_used.eq(b::mates_used + mates),
        b::trucks_10_used.eq(b::trucks_10_used + ten),
        b::trucks_20_used.eq(b::trucks_20_used + twenty),
        b::trucks_26_used.eq(b::trucks_26_used + twenty_six),
    );
    let all_fit = AllFit { hub, date: run.date, first: run.first, last: run.last, columns };
    if update(b::table, of_run.and(all_fit), changes).execute(conn)? == 0 {
        return Err(Failed::Store(StoreError::Refused("capacity_buckets: no room, or not planned".to_owned())));
    }
    Ok(())
}

/// Neighbouring buckets of one day: the first and the last.
#[derive(Debug, Clone, Copy)]
struct Run {
    date: NaiveDate,
    first: i32,
    last: i32,
}

fn runs(keys: &BTreeSet<BucketKey>) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for key in keys {
        let index = i32::from(key.index);
        match runs.last_mut() {
            Some(run) if run.date == key.date && run.last + 1 == index => run.last = index,
            _ => runs.push(Run { date: key.date, first: index, last: index }),
        }
    }
    runs
}

/// Writes the calendar's row of a date.
pub fn write_date(conn: &mut Conn, hub: &str, date: NaiveDate, capacity: DayCapacity, reason: &str) -> StoreResult<()> {
    let [mates, trucks_10, trucks_20, trucks_26] = day_columns(capacity)?;
    let reason = reason.to_owned();
    let row = OverrideRow { hub: hub.to_owned(), date, mates, trucks_10, trucks_20, trucks_26, reason };
    diesel::insert_into(capacity_overrides::table)
        .values(&row)
        .on_conflict((capacity_overrides::hub, capacity_overrides::date))
        .do_update()
        .set(&row)
        .execute(conn)
        .map(drop)
        .map_err(fault("capacity_overrides"))
}

/// New totals for the buckets of one day that exist already.
pub fn set_totals(conn: &mut Conn, hub: &str, date: NaiveDate, capacity: DayCapacity) -> Result<(), Failed> {
    use capacity_buckets as b;
    let [mates, ten, twenty, twenty_six] = day_columns(capacity)?;
    diesel::update(b::table.filter(b::hub.eq(hub)).filter(b::date.eq(date)))
        .set((
            b::mates_total.eq(mates),
            b::trucks_10_total.eq(ten),
            b::trucks_20_total.eq(twenty),
            b::trucks_26_total.eq(twenty_six),
        ))
        .execute(conn)?;
    Ok(())
}

/// The failure of a savepoint: the database's, or ours.
pub enum Failed {
    Db(diesel::result::Error),
    Store(StoreError),
}

impl Failed {
    fn into_error(self) -> StoreError {
        match self {
            Failed::Db(e) => fault(TABLE)(e),
            Failed::Store(e) => e,
        }
    }
}

impl From<diesel::result::Error> for Failed {
    fn from(e: diesel::result::Error) -> Self {
        Failed::Db(e)
    }
}

impl From<StoreError> for Failed {
    fn from(e: StoreError) -> Self {
        Failed::Store(e)
    }
}

/// Runs `work` in a savepoint, so that a refusal undoes its part only and the unit may go on.
pub fn in_savepoint(conn: &mut Conn, work: impl FnOnce(&mut Conn) -> Result<(), Failed>) -> StoreResult<()> {
    conn.transaction(work).map_err(Failed::into_error)
}

/// Sums of the capacity that live holds take, for the recount.
pub type CapacityTotals = HashMap<(String, NaiveDate, i32), [i64; 4]>;

/// Adds one hold to the recount.
pub fn tally(taken: &mut CapacityTotals, hub: &str, keys: &[BucketKey], columns: [i32; 4]) {
    for key in keys {
        let sum = taken.entry((hub.to_owned(), key.date, i32::from(key.index))).or_default();
        for (total, n) in sum.iter_mut().zip(columns) {
            *total += i64::from(n);
        }
    }
}

/// Days of buckets that are looked at; all without.
pub type Days = Option<(NaiveDate, NaiveDate)>;

/// Buckets whose counters differ from the recount, in order.
pub fn differences(conn: &mut Conn, days: Days, mut taken: CapacityTotals) -> StoreResult<Vec<Drift>> {
    use capacity_buckets as b;
    let used = b::mates_used.gt(0).or(b::trucks_10_used.gt(0)).or(b::trucks_20_used.gt(0)).or(b::trucks_26_used.gt(0));
    let mut of_days =
        b::table.filter(used).order((b::hub, b::date, b::bucket)).select(BucketRow::as_select()).into_boxed();
    if let Some((first, last)) = days {
        of_days = of_days.filter(b::date.between(first, last));
    }
    let rows: Vec<BucketRow> = of_days.load(conn).map_err(fault(TABLE))?;
    let mut told = Vec::new();
    for row in rows {
        let counted = [row.mates_used, row.trucks_10_used, row.trucks_20_used, row.trucks_26_used].map(i64::from);
        let expected = taken.remove(&(row.hub.clone(), row.date, row.bucket)).unwrap_or_default();
        if counted != expected {
            told.push(Drift { hub: row.hub, date: row.date, bucket: row.bucket, counted, held: expected });
        }
    }
    let uncounted = |((hub, date, bucket), held): ((String, NaiveDate, i32), [i64; 4])| {
        let looked_at = days.is_none_or(|(first, last)| (first..=last).contains(&date)) && held != [0; 4];
        looked_at.then_some(Drift { hub, date, bucket, counted: [0; 4], held })
    };
    let mut uncounted: Vec<Drift> = taken.into_iter().filter_map(uncounted).collect();
    uncounted.sort();
    told.extend(uncounted);
    Ok(told)
}

/// The first and the last day of all buckets.
pub fn days(conn: &mut Conn) -> StoreResult<Days> {
    use capacity_buckets as b;
    let first: Option<NaiveDate> =
        b::table.select(b::date).order(b::date).first(conn).optional().map_err(fault(TABLE))?;
    let last: Option<NaiveDate> =
        b::table.select(b::date).order(b::date.desc()).first(conn).optional().map_err(fault(TABLE))?;
    Ok(first.zip(last))
}

/// Has the counters of a bucket say what holds take; what does not fit is refused by a CHECK.
pub fn recount(conn: &mut Conn, drift: &Drift) -> StoreResult<()> {
    use capacity_buckets as b;
    let mut used = [0_i32; 4];
    for (used, held) in used.iter_mut().zip(drift.held) {
        *used = i32::try_from(held).map_err(out_of_range("held"))?;
    }
    let [mates, ten, twenty, twenty_six] = used;
    let counted = (
        b::mates_used.eq(mates),
        b::trucks_10_used.eq(ten),
        b::trucks_20_used.eq(twenty),
        b::trucks_26_used.eq(twenty_six),
    );
    in_savepoint(conn, |conn| {
        diesel::update(b::table.find((drift.hub.as_str(), drift.date, drift.bucket)))
            .set(counted)
            .execute(conn)
            .map(drop)
            .map_err(|e| Failed::Store(fault(TABLE)(e)))
    })
}

/// A hold's mates as an addition.
pub fn signed(mates: u32) -> StoreResult<i32> {
    i32::try_from(mates).map_err(out_of_range("mates"))
}
