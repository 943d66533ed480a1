//! Crews.

use chrono::{DateTime, Utc};
use diesel::{
    dsl::{count, exists, not},
    prelude::*,
};
use kernel::{BookingId, MateId};
use service::ports::{
    StoreResult,
    crews::{CrewMate, Crews, Mate},
    directory::MateState,
};

use super::{Repos, directory, facts};
use crate::{
    columns::{Doc, Id, Instant},
    error::fault,
    rows::crews::{CrewRow, TimeRow},
    schema::{accounts, booking_crews, bookings, crew_times, mates, members},
    statement::OfMembersAddress,
};

const TABLE: &str = "booking_crews";
const TIMES: &str = "crew_times";

impl Crews for Repos<'_> {
    fn mates(&mut self) -> StoreResult<Vec<Mate>> {
        let locked_out = accounts::table
            .filter(OfMembersAddress)
            .filter(accounts::email_verified.eq(true))
            .filter(accounts::disabled_at.is_not_null());
        let rows: Vec<(Id, String, Doc)> = mates::table
            .left_join(members::table)
            .filter(mates::state.eq(MateState::Active.code()))
            .filter(not(exists(locked_out)))
            .order(mates::id)
            .select((mates::id, mates::name, mates::hubs))
            .load(self.conn)
            .map_err(fault("mates"))?;
        rows.into_iter()
            .map(|(id, name, hubs)| Ok(Mate { id: MateId(id.0), name, hubs: hubs.read("mates", "hubs", &id.0)? }))
            .collect()
    }

    fn lock(&mut self) -> StoreResult<()> {
        super::super::dialect::lock_key(self.conn, "crews").map_err(fault(TABLE))
    }

    fn taken(&mut self, half_hours: &[DateTime<Utc>]) -> StoreResult<Vec<MateId>> {
        let (Some(first), Some(last)) = (half_hours.first(), half_hours.last()) else { return Ok(Vec::new()) };
        let ids: Vec<Id> = crew_times::table
            .filter(crew_times::half_hour.between(Instant(*first), Instant(*last)))
            .select(crew_times::mate_id)
            .distinct()
            .order(crew_times::mate_id)
            .load(self.conn)
            .map_err(fault(TIMES))?;
        Ok(ids.into_iter().map(|id| MateId(id.0)).collect())
    }

    fn jobs(&mut self, from: DateTime<Utc>, until: DateTime<Utc>) -> StoreResult<Vec<(MateId, i64)>> {
        let rows: Vec<(Id, i64)> = crew_times::table
            .filter(crew_times::half_hour.ge(Instant(from)))
            .filter(crew_times::half_hour.lt(Instant(until)))
            .group_by(crew_times::mate_id)
            .select((crew_times::mate_id, count(crew_times::booking_id).aggregate_distinct()))
            .order(crew_times::mate_id)
            .load(self.conn)
            .map_err(fault(TIMES))?;
        Ok(rows.into_iter().map(|(id, n)| (MateId(id.0), n)).collect())
    }

    fn of_booking(&mut self, id: BookingId) -> StoreResult<Vec<CrewMate>> {
        let rows: Vec<CrewRow> = booking_crews::table
            .filter(booking_crews::booking_id.eq(Id(id.0)))
            .order((booking_crews::since, booking_crews::mate_id))
            .select(CrewRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        Ok(rows.into_iter().map(CrewMate::from).collect())
    }

    fn times(&mut self, id: BookingId) -> StoreResult<Vec<(MateId, DateTime<Utc>)>> {
        let rows: Vec<(Id, Instant)> = crew_times::table
            .filter(crew_times::booking_id.eq(Id(id.0)))
            .order((crew_times::mate_id, crew_times::half_hour))
            .select((crew_times::mate_id, crew_times::half_hour))
            .load(self.conn)
            .map_err(fault(TIMES))?;
        Ok(rows.into_iter().map(|(mate, at)| (MateId(mate.0), at.0)).collect())
    }

    fn live_of(&mut self, mate: MateId) -> StoreResult<Vec<BookingId>> {
        let ids: Vec<Id> = booking_crews::table
            .inner_join(bookings::table)
            .filter(booking_crews::mate_id.eq(Id(mate.0)))
            .filter(bookings::status.eq_any(["pending", "assigned"]))
            .select(booking_crews::booking_id)
            .order(booking_crews::booking_id)
            .load(self.conn)
            .map_err(fault(TABLE))?;
        Ok(ids.into_iter().map(|id| BookingId(id.0)).collect())
    }

    fn put(&mut self, id: BookingId, mate: &CrewMate, half_hours: &[DateTime<Utc>]) -> StoreResult<()> {
        directory::know_mate(self.conn, mate.mate, mate.name.clone(), "", mate.since)?;
        let (booking_id, mate_id) = (Id(id.0), Id(mate.mate.0));
        let row = CrewRow { booking_id, mate_id, name: mate.name.clone(), since: Instant(mate.since) };
        diesel::insert_into(booking_crews::table).values(row).execute(self.conn).map_err(fault(TABLE))?;
        let times: Vec<TimeRow> =
            half_hours.iter().map(|at| TimeRow { mate_id, half_hour: Instant(*at), booking_id }).collect();
        diesel::insert_into(crew_times::table).values(&times).execute(self.conn).map_err(fault(TIMES))?;
        facts::follow_crew(self.conn, id)
    }

    fn release(&mut self, id: BookingId, mate: MateId) -> StoreResult<()> {
        // The time goes with it, by its foreign key.
        diesel::delete(booking_crews::table.find((Id(id.0), Id(mate.0)))).execute(self.conn).map_err(fault(TABLE))?;
        facts::follow_crew(self.conn, id)
    }
}
