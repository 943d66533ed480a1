//! Rows of the facts that lists of bookings filter by, and of earlier versions of bookings.

use chrono::{NaiveDate, NaiveTime};
use diesel::prelude::*;
use service::ports::{StoreResult, bookings::Booking, facts::PaymentState, words};

use crate::{
    columns::{Doc, Id, Instant},
    error::out_of_range,
    schema::{booking_facts, booking_records},
};

#[derive(Insertable)]
#[diesel(table_name = booking_facts, treat_none_as_default_value = false)]
pub struct FactsRow {
    pub booking_id: Id,
    pub created_at: Instant,
    pub crew_size: i32,
    #[diesel(embed)]
    pub copied: CopiedRow,
}

/// What changes with the booking.
#[derive(Insertable, AsChangeset)]
#[diesel(table_name = booking_facts, treat_none_as_default_value = false, treat_none_as_null = true)]
pub struct CopiedRow {
    pub status: &'static str,
    pub move_at: Instant,
    pub payment_problem: bool,
    pub payment_state: &'static str,
    pub move_date: NaiveDate,
    pub move_time: NaiveTime,
    pub hub: String,
    pub province: &'static str,
    pub move_kind: &'static str,
    pub mate_count: i32,
    pub duration_minutes: i32,
    pub distance_km10: i32,
    pub tier: i32,
    pub partner_id: Option<Id>,
    pub client_as_mate: bool,
    pub just_mates: bool,
    pub ride_along: bool,
    pub words_version: i32,
    pub paid_by: &'static str,
}

impl CopiedRow {
    pub fn of(b: &Booking, state: PaymentState) -> StoreResult<CopiedRow> {
        Ok(CopiedRow {
            status: b.status.code(),
            move_at: Instant(b.move_at),
            payment_problem: b.details.payment_problem,
            payment_state: state.code(),
            move_date: b.move_date,
            move_time: b.move_time,
            hub: b.hub.clone(),
            province: b.province.code(),
            move_kind: b.move_kind.code(),
            mate_count: i32::from(b.mate_count.get()),
            duration_minutes: i32::try_from(b.duration_minutes)
                .map_err(out_of_range("booking_facts.duration_minutes"))?,
            distance_km10: i32::try_from(b.distance_km10).map_err(out_of_range("booking_facts.distance_km10"))?,
            tier: i32::from(b.tier),
            partner_id: b.partner_id.map(|p| Id(p.0)),
            client_as_mate: b.client_as_mate,
            just_mates: b.just_mates,
            ride_along: b.ride_along,
            words_version: words::VERSION,
            paid_by: b.details.paid_by.code(),
        })
    }
}

#[derive(Insertable)]
#[diesel(table_name = booking_records)]
pub struct RecordRow {
    pub booking_id: Id,
    pub version: i32,
    pub replaced_at: Instant,
    pub record: Doc,
}
