//! Booking rows.

use chrono::{NaiveDate, NaiveTime};
use diesel::prelude::*;
use kernel::{BookingId, MateCount, Money, PartnerId, UserId};
use service::ports::{StoreResult, bookings::Booking};

use super::{number, parse, some, time};
use crate::{
    columns::{Doc, Id, Instant},
    error::{bad, out_of_range},
    schema::bookings,
};

const TABLE: &str = "bookings";

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = bookings, treat_none_as_default_value = false, treat_none_as_null = true)]
pub struct BookingRow {
    pub id: Id,
    pub short_id: String,
    pub user_id: Id,
    pub partner_id: Option<Id>,
    pub status: String,
    pub version: i32,
    pub language: String,
    pub created_at: Instant,
    pub updated_at: Instant,
    pub move_at: Instant,
    pub move_date: NaiveDate,
    pub move_time: NaiveTime,
    pub zone: String,
    pub hub: String,
    pub province: String,
    pub move_kind: String,
    pub mate_count: i32,
    pub client_as_mate: bool,
    pub just_mates: bool,
    pub ride_along: bool,
    pub duration_minutes: i32,
    pub distance_km10: i32,
    pub tier: i32,
    pub amount_cents: i64,
    pub tax_cents: i64,
    pub total_cents: i64,
    pub discount_code: Option<String>,
    pub details: Doc,
    pub completed_at: Option<Instant>,
    pub cancelled_at: Option<Instant>,
    pub search: String,
}

impl BookingRow {
    pub fn of(b: &Booking) -> StoreResult<Self> {
        Ok(BookingRow {
            id: Id(b.id.0),
            short_id: b.short_id.as_str().to_owned(),
            user_id: Id(b.user_id.0),
            partner_id: b.partner_id.map(|p| Id(p.0)),
            status: b.status.code().to_owned(),
            version: b.version,
            language: b.language.code().to_owned(),
            created_at: Instant(b.created_at),
            updated_at: Instant(b.updated_at),
            move_at: Instant(b.move_at),
            move_date: b.move_date,
            move_time: b.move_time,
            zone: b.zone.name().to_owned(),
            hub: b.hub.clone(),
            province: b.province.code().to_owned(),
            move_kind: b.move_kind.code().to_owned(),
            mate_count: i32::from(b.mate_count.get()),
            client_as_mate: b.client_as_mate,
            just_mates: b.just_mates,
            ride_along: b.ride_along,
            duration_minutes: i32::try_from(b.duration_minutes).map_err(out_of_range("bookings.duration_minutes"))?,
            distance_km10: i32::try_from(b.distance_km10).map_err(out_of_range("bookings.distance_km10"))?,
            tier: i32::from(b.tier),
            amount_cents: b.amount.cents(),
            tax_cents: b.tax.cents(),
            total_cents: b.total.cents(),
            discount_code: b.discount_code.clone(),
            details: Doc::of(&b.details)?,
            completed_at: some(b.completed_at),
            cancelled_at: some(b.cancelled_at),
            search: b.search_text(),
        })
    }

    pub fn read(self) -> StoreResult<Booking> {
        let id = self.id.0;
        Ok(Booking {
            id: BookingId(id),
            short_id: parse(&self.short_id, TABLE, "short_id", &id)?,
            user_id: UserId(self.user_id.0),
            partner_id: self.partner_id.map(|p| PartnerId(p.0)),
            status: parse(&self.status, TABLE, "status", &id)?,
            version: self.version,
            language: parse(&self.language, TABLE, "language", &id)?,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
            move_at: self.move_at.0,
            move_date: self.move_date,
            move_time: self.move_time,
            zone: parse(&self.zone, TABLE, "zone", &id)?,
            hub: self.hub,
            province: parse(&self.province, TABLE, "province", &id)?,
            move_kind: parse(&self.move_kind, TABLE, "move_kind", &id)?,
            mate_count: MateCount::new(i64::from(self.mate_count)).map_err(bad(TABLE, "mate_count", &id))?,
            client_as_mate: self.client_as_mate,
            just_mates: self.just_mates,
            ride_along: self.ride_along,
            duration_minutes: number(self.duration_minutes, TABLE, "duration_minutes", &id)?,
            distance_km10: number(self.distance_km10, TABLE, "distance_km10", &id)?,
            tier: number(self.tier, TABLE, "tier", &id)?,
            amount: Money::from_cents(self.amount_cents),
            tax: Money::from_cents(self.tax_cents),
            total: Money::from_cents(self.total_cents),
            discount_code: self.discount_code,
            details: self.details.read(TABLE, "details", &id)?,
            completed_at: time(self.completed_at),
            cancelled_at: time(self.cancelled_at),
        })
    }
}
