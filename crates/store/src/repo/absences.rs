//! Absences of mates and trucks.

use chrono::NaiveDate;
use diesel::prelude::*;
use kernel::{AbsenceId, MateId};
use service::ports::{
    StoreResult,
    absences::{Absence, Absences, Absentee},
};

use super::{super::Conn, Repos};
use crate::{columns::Id, error::fault, rows::absences::AbsenceRow, schema::absences};

const TABLE: &str = "absences";

/// Those of a hub, or of all, that have a day from `first` to `last`.
pub fn between(conn: &mut Conn, hub: Option<&str>, first: NaiveDate, last: NaiveDate) -> StoreResult<Vec<Absence>> {
    let touching = absences::table
        .filter(absences::first_day.le(last))
        .filter(absences::last_day.ge(first))
        .order((absences::first_day, absences::id));
    let rows: Vec<AbsenceRow> = match hub {
        Some(hub) => touching.filter(absences::hub.eq(hub)).select(AbsenceRow::as_select()).load(conn),
        None => touching.select(AbsenceRow::as_select()).load(conn),
    }
    .map_err(fault(TABLE))?;
    rows.into_iter().map(AbsenceRow::read).collect()
}

impl Absences for Repos<'_> {
    fn insert(&mut self, absence: &Absence) -> StoreResult<()> {
        let row = AbsenceRow::of(absence)?;
        diesel::insert_into(absences::table).values(row).execute(self.conn).map(drop).map_err(fault(TABLE))
    }

    fn get(&mut self, id: AbsenceId) -> StoreResult<Option<Absence>> {
        let row: Option<AbsenceRow> = absences::table
            .find(Id(id.0))
            .select(AbsenceRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(AbsenceRow::read).transpose()
    }

    fn remove(&mut self, id: AbsenceId) -> StoreResult<bool> {
        let gone = diesel::delete(absences::table.find(Id(id.0))).execute(self.conn).map_err(fault(TABLE))?;
        Ok(gone == 1)
    }

    fn between(&mut self, hub: Option<&str>, first: NaiveDate, last: NaiveDate) -> StoreResult<Vec<Absence>> {
        between(self.conn, hub, first, last)
    }

    fn of(&mut self, who: Absentee, first: NaiveDate, last: NaiveDate) -> StoreResult<Vec<Absence>> {
        let touching = absences::table
            .filter(absences::first_day.le(last))
            .filter(absences::last_day.ge(first))
            .order((absences::first_day, absences::id));
        let rows: Vec<AbsenceRow> = match who {
            Absentee::Mate(mate) => {
                touching.filter(absences::mate_id.eq(Id(mate.0))).select(AbsenceRow::as_select()).load(self.conn)
            }
            Absentee::Truck(truck, _) => {
                touching.filter(absences::truck_id.eq(Id(truck.0))).select(AbsenceRow::as_select()).load(self.conn)
            }
        }
        .map_err(fault(TABLE))?;
        rows.into_iter().map(AbsenceRow::read).collect()
    }

    fn mates_away(&mut self, date: NaiveDate) -> StoreResult<Vec<MateId>> {
        let ids: Vec<Option<Id>> = absences::table
            .filter(absences::first_day.le(date))
            .filter(absences::last_day.ge(date))
            .filter(absences::mate_id.is_not_null())
            .select(absences::mate_id)
            .distinct()
            .order(absences::mate_id)
            .load(self.conn)
            .map_err(fault(TABLE))?;
        Ok(ids.into_iter().flatten().map(|id| MateId(id.0)).collect())
    }
}
