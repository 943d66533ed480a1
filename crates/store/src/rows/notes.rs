//! Rows of notes.

use diesel::prelude::*;
use kernel::{BookingId, MateId, NoteId, UserId};
use service::ports::{
    StoreResult, acted,
    notes::{Note, Visibility},
};

use crate::{
    columns::{Id, Instant},
    error::{bad, unknown},
    schema::booking_notes,
};

const TABLE: &str = "booking_notes";

#[derive(Queryable, Selectable, Insertable)]
#[diesel(table_name = booking_notes, treat_none_as_default_value = false)]
pub struct NoteRow {
    pub id: Id,
    pub booking_id: Id,
    pub visibility: String,
    pub body: String,
    pub author: Option<Id>,
    pub role: String,
    pub created_at: Instant,
    pub mate_id: Option<Id>,
}

impl From<&Note> for NoteRow {
    fn from(n: &Note) -> NoteRow {
        NoteRow {
            id: Id(n.id.0),
            booking_id: Id(n.booking_id.0),
            visibility: n.visibility.code().to_owned(),
            body: n.text.clone(),
            author: n.author.map(|a| Id(a.0)),
            role: acted::code(n.role).to_owned(),
            created_at: Instant(n.created_at),
            mate_id: n.mate.map(|m| Id(m.0)),
        }
    }
}

impl NoteRow {
    pub fn read(self) -> StoreResult<Note> {
        let id = self.id.0;
        let visibility = Visibility::from_code(&self.visibility);
        Ok(Note {
            id: NoteId(id),
            booking_id: BookingId(self.booking_id.0),
            visibility: visibility.ok_or_else(|| unknown(TABLE, "visibility", &id, &self.visibility))?,
            text: self.body,
            author: self.author.map(|a| UserId(a.0)),
            role: acted::role_of(&self.role).map_err(bad(TABLE, "role", &id))?,
            created_at: self.created_at.0,
            mate: self.mate_id.map(|m| MateId(m.0)),
        })
    }
}
