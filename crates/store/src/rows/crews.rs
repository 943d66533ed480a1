//! Crews and the time they are taken for.

use diesel::prelude::*;
use kernel::MateId;
use service::ports::crews::CrewMate;

use crate::{
    columns::{Id, Instant},
    schema::{booking_crews, crew_acts, crew_spans, crew_times, truck_spans},
};

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = booking_crews)]
pub struct CrewRow {
    pub booking_id: Id,
    pub mate_id: Id,
    pub name: String,
    pub since: Instant,
}

impl From<CrewRow> for CrewMate {
    fn from(r: CrewRow) -> Self {
        CrewMate { mate: MateId(r.mate_id.0), name: r.name, since: r.since.0 }
    }
}

#[derive(Insertable)]
#[diesel(table_name = crew_times)]
pub struct TimeRow {
    pub mate_id: Id,
    pub half_hour: Instant,
    pub booking_id: Id,
}

#[derive(Insertable)]
#[diesel(table_name = crew_spans)]
pub struct CrewSpanRow {
    pub booking_id: Id,
    pub mate_id: Id,
    pub from_at: Instant,
    pub until_at: Instant,
}

#[derive(Insertable)]
#[diesel(table_name = truck_spans)]
pub struct TruckSpanRow {
    pub booking_id: Id,
    pub truck_id: Id,
    pub name: String,
    pub from_at: Instant,
    pub until_at: Instant,
}

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = crew_acts)]
pub struct ActRow {
    pub booking_id: Id,
    pub mate_id: Id,
    pub act: String,
    pub at: Instant,
    pub told_at: Instant,
}
