//! What staff write about a booking.

use diesel::prelude::*;
use kernel::BookingId;
use service::ports::{
    StoreResult,
    notes::{Note, Notes, Visibility},
};

use super::Repos;
use crate::{columns::Id, error::fault, rows::notes::NoteRow, schema::booking_notes};

const TABLE: &str = "booking_notes";

impl Notes for Repos<'_> {
    fn append(&mut self, note: &Note) -> StoreResult<()> {
        let row = NoteRow::from(note);
        diesel::insert_into(booking_notes::table).values(row).execute(self.conn).map(drop).map_err(fault(TABLE))
    }

    fn of_booking(&mut self, id: BookingId) -> StoreResult<Vec<Note>> {
        let rows: Vec<NoteRow> = booking_notes::table
            .filter(booking_notes::booking_id.eq(Id(id.0)))
            .order(booking_notes::seq)
            .select(NoteRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(NoteRow::read).collect()
    }

    fn newest_for_staff(&mut self, id: BookingId) -> StoreResult<Option<Note>> {
        let row: Option<NoteRow> = booking_notes::table
            .filter(booking_notes::booking_id.eq(Id(id.0)))
            .filter(booking_notes::visibility.eq(Visibility::Staff.code()))
            .order(booking_notes::seq.desc())
            .select(NoteRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(NoteRow::read).transpose()
    }
}
