//! Crews by name: the exact time of mates and trucks, and what mates did.

use chrono::{DateTime, NaiveDate, Utc};
use diesel::prelude::*;
use kernel::{BookingId, MateId, TruckId};
use service::ports::{
    StoreResult,
    crews::CrewMate,
    dispatch::{Act, Dispatches, Done, Span, TruckUse},
};

use super::Repos;
use crate::{
    columns::{Id, Instant},
    error::{fault, unknown},
    rows::crews::{ActRow, CrewRow, CrewSpanRow, TruckSpanRow},
    schema::{booking_crews, bookings, crew_acts, crew_spans, truck_spans},
};

const MATES: &str = "crew_spans";
const TRUCKS: &str = "truck_spans";
const ACTS: &str = "crew_acts";
/// More in one statement would be more than SQLite binds.
const AT_ONCE: usize = 500;
/// Bookings that do not take place.
const NOT_TO_BE: [&str; 2] = ["cancelled", "deleted"];

fn keys(ids: &[BookingId]) -> Vec<Id> {
    ids.iter().map(|id| Id(id.0)).collect()
}

fn span((booking, from, until): (Id, Instant, Instant)) -> Span {
    Span { booking: BookingId(booking.0), from: from.0, until: until.0 }
}

impl Dispatches for Repos<'_> {
    fn take_mate(&mut self, mate: MateId, span: Span) -> StoreResult<()> {
        let row = CrewSpanRow {
            booking_id: Id(span.booking.0),
            mate_id: Id(mate.0),
            from_at: Instant(span.from),
            until_at: Instant(span.until),
        };
        diesel::insert_into(crew_spans::table).values(row).execute(self.conn).map(drop).map_err(fault(MATES))
    }

    fn mate_spans(&mut self, from: DateTime<Utc>, until: DateTime<Utc>) -> StoreResult<Vec<(MateId, Span)>> {
        let rows: Vec<(Id, (Id, Instant, Instant))> = crew_spans::table
            .filter(crew_spans::until_at.gt(Instant(from)))
            .filter(crew_spans::from_at.lt(Instant(until)))
            .order((crew_spans::mate_id, crew_spans::from_at))
            .select((crew_spans::mate_id, (crew_spans::booking_id, crew_spans::from_at, crew_spans::until_at)))
            .load(self.conn)
            .map_err(fault(MATES))?;
        Ok(rows.into_iter().map(|(mate, row)| (MateId(mate.0), span(row))).collect())
    }

    fn take_truck(&mut self, truck: &TruckUse, span: Span) -> StoreResult<()> {
        let row = TruckSpanRow {
            booking_id: Id(span.booking.0),
            truck_id: Id(truck.truck.0),
            name: truck.name.clone(),
            from_at: Instant(span.from),
            until_at: Instant(span.until),
        };
        diesel::insert_into(truck_spans::table).values(row).execute(self.conn).map(drop).map_err(fault(TRUCKS))
    }

    fn release_truck(&mut self, id: BookingId) -> StoreResult<()> {
        diesel::delete(truck_spans::table.find(Id(id.0))).execute(self.conn).map(drop).map_err(fault(TRUCKS))
    }

    fn truck_spans(&mut self, from: DateTime<Utc>, until: DateTime<Utc>) -> StoreResult<Vec<(TruckId, Span)>> {
        let rows: Vec<(Id, (Id, Instant, Instant))> = truck_spans::table
            .filter(truck_spans::until_at.gt(Instant(from)))
            .filter(truck_spans::from_at.lt(Instant(until)))
            .order((truck_spans::truck_id, truck_spans::from_at))
            .select((truck_spans::truck_id, (truck_spans::booking_id, truck_spans::from_at, truck_spans::until_at)))
            .load(self.conn)
            .map_err(fault(TRUCKS))?;
        Ok(rows.into_iter().map(|(truck, row)| (TruckId(truck.0), span(row))).collect())
    }

    fn trucks_of(&mut self, ids: &[BookingId]) -> StoreResult<Vec<(BookingId, TruckUse)>> {
        let mut found = Vec::new();
        for some in keys(ids).chunks(AT_ONCE) {
            let rows: Vec<(Id, Id, String)> = truck_spans::table
                .filter(truck_spans::booking_id.eq_any(some))
                .select((truck_spans::booking_id, truck_spans::truck_id, truck_spans::name))
                .load(self.conn)
                .map_err(fault(TRUCKS))?;
            let used =
                |(id, truck, name): (Id, Id, String)| (BookingId(id.0), TruckUse { truck: TruckId(truck.0), name });
            found.extend(rows.into_iter().map(used));
        }
        Ok(found)
    }

    fn crews_of(&mut self, ids: &[BookingId]) -> StoreResult<Vec<(BookingId, CrewMate)>> {
        let mut found = Vec::new();
        for some in keys(ids).chunks(AT_ONCE) {
            let rows: Vec<CrewRow> = booking_crews::table
                .filter(booking_crews::booking_id.eq_any(some))
                .order((booking_crews::booking_id, booking_crews::since, booking_crews::mate_id))
                .select(CrewRow::as_select())
                .load(self.conn)
                .map_err(fault("booking_crews"))?;
            found.extend(rows.into_iter().map(|row| (BookingId(row.booking_id.0), CrewMate::from(row))));
        }
        Ok(found)
    }

    fn of_days(
        &mut self,
        hub: Option<&str>,
        first: NaiveDate,
        last: NaiveDate,
        limit: i64,
    ) -> StoreResult<Vec<BookingId>> {
        let days = bookings::table
            .filter(bookings::move_date.between(first, last))
            .filter(bookings::status.ne_all(NOT_TO_BE))
            .order((bookings::move_at, bookings::id))
            .limit(limit);
        let ids: Vec<Id> = match hub {
            Some(hub) => days.filter(bookings::hub.eq(hub)).select(bookings::id).load(self.conn),
            None => days.select(bookings::id).load(self.conn),
        }
        .map_err(fault("bookings"))?;
        Ok(ids.into_iter().map(|id| BookingId(id.0)).collect())
    }

    fn has_jobs(&mut self, hub: &str, since: DateTime<Utc>) -> StoreResult<bool> {
        let found: Option<Id> = bookings::table
            .filter(bookings::hub.eq(hub))
            .filter(bookings::move_at.ge(Instant(since)))
            .filter(bookings::status.ne_all(NOT_TO_BE))
            .select(bookings::id)
            .first(self.conn)
            .optional()
            .map_err(fault("bookings"))?;
        Ok(found.is_some())
    }

    fn jobs_of(&mut self, mate: MateId, from: DateTime<Utc>, limit: i64) -> StoreResult<Vec<BookingId>> {
        let ids: Vec<Id> = booking_crews::table
            .inner_join(bookings::table)
            .filter(booking_crews::mate_id.eq(Id(mate.0)))
            .filter(bookings::move_at.ge(Instant(from)))
            .filter(bookings::status.ne_all(NOT_TO_BE))
            .order((bookings::move_at, bookings::id))
            .limit(limit)
            .select(bookings::id)
            .load(self.conn)
            .map_err(fault("booking_crews"))?;
        Ok(ids.into_iter().map(|id| BookingId(id.0)).collect())
    }

    fn acts_of(&mut self, ids: &[BookingId]) -> StoreResult<Vec<Done>> {
        let mut found = Vec::new();
        for some in keys(ids).chunks(AT_ONCE) {
            let rows: Vec<ActRow> = crew_acts::table
                .filter(crew_acts::booking_id.eq_any(some))
                .order((crew_acts::at, crew_acts::told_at, crew_acts::mate_id))
                .select(ActRow::as_select())
                .load(self.conn)
                .map_err(fault(ACTS))?;
            for row in rows {
                let act = Act::from_code(&row.act).ok_or_else(|| unknown(ACTS, "act", &row.booking_id.0, &row.act))?;
                found.push(Done {
                    booking: BookingId(row.booking_id.0),
                    mate: MateId(row.mate_id.0),
                    act,
                    at: row.at.0,
                    told_at: row.told_at.0,
                });
            }
        }
        Ok(found)
    }

    fn write_act(&mut self, done: &Done) -> StoreResult<bool> {
        let row = ActRow {
            booking_id: Id(done.booking.0),
            mate_id: Id(done.mate.0),
            act: done.act.code().to_owned(),
            at: Instant(done.at),
            told_at: Instant(done.told_at),
        };
        let written = diesel::insert_into(crew_acts::table)
            .values(row)
            .on_conflict_do_nothing()
            .execute(self.conn)
            .map_err(fault(ACTS))?;
        Ok(written == 1)
    }
}
