//! Calendar rows, buckets and holds.

use chrono::{NaiveDate, NaiveTime};
use diesel::prelude::*;
use kernel::{BookingId, HoldId, RateId};
use scheduling::{BucketKey, Capacity, TruckClass};
use service::ports::{
    StoreResult,
    capacity::{DayCapacity, Hold, Holder},
};

use super::{number, parse};
use crate::{
    columns::{Doc, Id, Instant},
    error::{out_of_range, unknown},
    schema::{calendar_weeks, capacity_buckets, capacity_defaults, capacity_overrides, holds},
};
use status_machine::At;

/// The four numbers of a calendar day as columns: mates, then trucks by class.
pub fn day_columns(capacity: DayCapacity) -> StoreResult<[i32; 4]> {
    let column = |n: u32| i32::try_from(n).map_err(out_of_range("capacity"));
    let [ten, twenty, twenty_six] = capacity.trucks;
    Ok([column(capacity.mates)?, column(ten)?, column(twenty)?, column(twenty_six)?])
}

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = capacity_defaults, primary_key(hub, weekday))]
pub struct DefaultRow {
    pub hub: String,
    pub weekday: i32,
    pub mates: i32,
    pub trucks_10: i32,
    pub trucks_20: i32,
    pub trucks_26: i32,
}

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = capacity_overrides, primary_key(hub, date))]
pub struct OverrideRow {
    pub hub: String,
    pub date: NaiveDate,
    pub mates: i32,
    pub trucks_10: i32,
    pub trucks_20: i32,
    pub trucks_26: i32,
    pub reason: String,
}

#[derive(Insertable, AsChangeset)]
#[diesel(table_name = calendar_weeks, primary_key(hub))]
pub struct WeekRow {
    pub hub: String,
    pub version: i32,
}

impl DefaultRow {
    pub fn read(&self) -> StoreResult<DayCapacity> {
        day("capacity_defaults", &self.hub, [self.mates, self.trucks_10, self.trucks_20, self.trucks_26])
    }
}

impl OverrideRow {
    pub fn read(&self) -> StoreResult<DayCapacity> {
        day("capacity_overrides", &self.hub, [self.mates, self.trucks_10, self.trucks_20, self.trucks_26])
    }
}

fn day(table: &'static str, hub: &String, columns: [i32; 4]) -> StoreResult<DayCapacity> {
    let [mates, ten, twenty, twenty_six] = columns;
    let read = |n, column| number(n, table, column, hub);
    Ok(DayCapacity {
        mates: read(mates, "mates")?,
        trucks: [read(ten, "trucks_10")?, read(twenty, "trucks_20")?, read(twenty_six, "trucks_26")?],
    })
}

#[derive(Debug, Queryable, Selectable, Insertable)]
#[diesel(table_name = capacity_buckets, treat_none_as_default_value = false)]
pub struct BucketRow {
    pub hub: String,
    pub date: NaiveDate,
    pub bucket: i32,
    pub mates_total: i32,
    pub mates_used: i32,
    pub trucks_10_total: i32,
    pub trucks_10_used: i32,
    pub trucks_20_total: i32,
    pub trucks_20_used: i32,
    pub trucks_26_total: i32,
    pub trucks_26_used: i32,
}

impl BucketRow {
    /// A bucket nobody has taken anything of.
    pub fn untouched(hub: &str, key: BucketKey, plan: DayCapacity) -> StoreResult<Self> {
        let [mates, ten, twenty, twenty_six] = day_columns(plan)?;
        Ok(BucketRow {
            hub: hub.to_owned(),
            date: key.date,
            bucket: i32::from(key.index),
            mates_total: mates,
            mates_used: 0,
            trucks_10_total: ten,
            trucks_10_used: 0,
            trucks_20_total: twenty,
            trucks_20_used: 0,
            trucks_26_total: twenty_six,
            trucks_26_used: 0,
        })
    }

    /// How people name it in messages.
    pub fn label(&self) -> String {
        format!("{} {} #{}", self.hub, self.date, self.bucket)
    }

    pub fn key(&self) -> StoreResult<BucketKey> {
        Ok(BucketKey { date: self.date, index: number(self.bucket, "capacity_buckets", "bucket", &self.label())? })
    }

    pub fn read(&self) -> StoreResult<Capacity> {
        let read = |n, column| number(n, "capacity_buckets", column, &self.label());
        Ok(Capacity {
            mates_total: read(self.mates_total, "mates_total")?,
            mates_used: read(self.mates_used, "mates_used")?,
            trucks_total: [
                read(self.trucks_10_total, "trucks_10_total")?,
                read(self.trucks_20_total, "trucks_20_total")?,
                read(self.trucks_26_total, "trucks_26_total")?,
            ],
            trucks_used: [
                read(self.trucks_10_used, "trucks_10_used")?,
                read(self.trucks_20_used, "trucks_20_used")?,
                read(self.trucks_26_used, "trucks_26_used")?,
            ],
        })
    }
}

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = holds, treat_none_as_default_value = false, treat_none_as_null = true)]
pub struct HoldRow {
    pub id: Id,
    pub hub: String,
    pub date: NaiveDate,
    pub time: NaiveTime,
    pub zone: String,
    pub starts_at: Instant,
    pub occupied_from: Instant,
    pub occupied_until: Instant,
    pub mates: i32,
    pub truck_feet: Option<i32>,
    pub buckets: Doc,
    pub duration_minutes: i32,
    pub state: String,
    pub expires_at: Instant,
    pub rate_id: Option<Id>,
    pub booking_id: Option<Id>,
    pub created_at: Instant,
    pub browser: Option<String>,
    pub origin: Option<String>,
}

impl HoldRow {
    pub fn of(h: &Hold) -> StoreResult<Self> {
        let feet = |class: TruckClass| i32::try_from(class.feet()).map_err(out_of_range("holds.truck_feet"));
        Ok(HoldRow {
            id: Id(h.id.0),
            hub: h.hub.clone(),
            date: h.date,
            time: h.time,
            zone: h.zone.name().to_owned(),
            starts_at: Instant(h.starts_at),
            occupied_from: Instant(h.from),
            occupied_until: Instant(h.until),
            mates: i32::try_from(h.mates).map_err(out_of_range("holds.mates"))?,
            truck_feet: h.truck.map(feet).transpose()?,
            buckets: Doc::of(&h.buckets)?,
            duration_minutes: i32::try_from(h.duration_minutes).map_err(out_of_range("holds.duration_minutes"))?,
            state: h.state.code().to_owned(),
            expires_at: Instant(h.expires_at),
            rate_id: h.rate_id.map(|r| Id(r.0)),
            booking_id: h.booking_id.map(|b| Id(b.0)),
            created_at: Instant(h.created_at),
            browser: h.holder.as_ref().map(|w| w.browser.clone()),
            origin: h.holder.as_ref().map(|w| w.origin.clone()),
        })
    }

    pub fn read(self) -> StoreResult<Hold> {
        const TABLE: &str = "holds";
        let id = self.id.0;
        Ok(Hold {
            id: HoldId(id),
            hub: self.hub,
            date: self.date,
            time: self.time,
            zone: parse(&self.zone, TABLE, "zone", &id)?,
            starts_at: self.starts_at.0,
            from: self.occupied_from.0,
            until: self.occupied_until.0,
            mates: number(self.mates, TABLE, "mates", &id)?,
            truck: self.truck_feet.map(|feet| truck(feet, &id)).transpose()?,
            buckets: self.buckets.read(TABLE, "buckets", &id)?,
            duration_minutes: number(self.duration_minutes, TABLE, "duration_minutes", &id)?,
            state: At::stored(parse(&self.state, TABLE, "state", &id)?),
            expires_at: self.expires_at.0,
            rate_id: self.rate_id.map(|r| RateId(r.0)),
            booking_id: self.booking_id.map(|b| BookingId(b.0)),
            created_at: self.created_at.0,
            holder: self.browser.zip(self.origin).map(|(browser, origin)| Holder { browser, origin }),
        })
    }
}

/// The class of a truck stored by the length of its box.
pub fn truck(feet: i32, hold: &impl ToString) -> StoreResult<TruckClass> {
    let class = TruckClass::ALL.into_iter().find(|c| i32::try_from(c.feet()) == Ok(feet));
    class.ok_or_else(|| unknown("holds", "truck_feet", hold, &feet.to_string()))
}
