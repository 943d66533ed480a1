//! Reads and writes the history of a booking. Its earlier versions are written by `facts`, whenever a booking is written.

use diesel::prelude::*;
use kernel::BookingId;
use service::ports::{
    StoreResult,
    bookings::Booking,
    history::{BookingHistory, Revision, StatusChange},
};

use super::{Repos, facts};
use crate::{
    columns::Id,
    error::fault,
    rows::history::{RevisionRow, StatusRow},
    schema::{booking_revisions, booking_status_changes},
};

const STATUSES: &str = "booking_status_changes";
const REVISIONS: &str = "booking_revisions";

impl BookingHistory for Repos<'_> {
    fn append_status(&mut self, id: BookingId, change: &StatusChange) -> StoreResult<()> {
        let row = StatusRow::of(id, change);
        diesel::insert_into(booking_status_changes::table).values(row).execute(self.conn).map_err(fault(STATUSES))?;
        Ok(())
    }

    fn status_history(&mut self, id: BookingId) -> StoreResult<Vec<StatusChange>> {
        let rows: Vec<StatusRow> = booking_status_changes::table
            .filter(booking_status_changes::booking_id.eq(Id(id.0)))
            .order(booking_status_changes::seq)
            .select(StatusRow::as_select())
            .load(self.conn)
            .map_err(fault(STATUSES))?;
        rows.into_iter().map(StatusRow::read).collect()
    }

    fn append_revision(&mut self, id: BookingId, revision: &Revision) -> StoreResult<()> {
        let row = RevisionRow::of(id, revision)?;
        diesel::insert_into(booking_revisions::table).values(row).execute(self.conn).map_err(fault(REVISIONS))?;
        Ok(())
    }

    fn revisions(&mut self, id: BookingId) -> StoreResult<Vec<Revision>> {
        let rows: Vec<RevisionRow> = booking_revisions::table
            .filter(booking_revisions::booking_id.eq(Id(id.0)))
            .order(booking_revisions::seq)
            .select(RevisionRow::as_select())
            .load(self.conn)
            .map_err(fault(REVISIONS))?;
        rows.into_iter().map(RevisionRow::read).collect()
    }

    fn at_version(&mut self, id: BookingId, version: i32) -> StoreResult<Option<Booking>> {
        match facts::record_of(self.conn, id, version)? {
            Some(replaced) => Ok(Some(replaced)),
            None => facts::before(self.conn, id, version),
        }
    }
}
