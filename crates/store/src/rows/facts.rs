//! What lists of bookings go by, and records as they were.

use diesel::prelude::*;

use crate::{
    columns::{Doc, Id, Instant},
    schema::{booking_facts, booking_records},
};

#[derive(Insertable)]
#[diesel(table_name = booking_facts)]
pub struct FactsRow {
    pub booking_id: Id,
    pub status: &'static str,
    pub move_at: Instant,
    pub created_at: Instant,
    pub payment_problem: bool,
    pub payment_state: &'static str,
    pub crew_size: i32,
}

#[derive(Insertable)]
#[diesel(table_name = booking_records)]
pub struct RecordRow {
    pub booking_id: Id,
    pub version: i32,
    pub replaced_at: Instant,
    pub record: Doc,
}
