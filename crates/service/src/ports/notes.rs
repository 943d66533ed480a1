//! What staff write about a booking, for each other or for its crew, and what its crew writes on the job. Nobody else reads it.

use chrono::{DateTime, Utc};
use kernel::{BookingId, MateId, NoteId, UserId};
use status_machine::Role;

use super::StoreResult;

/// Who reads a note beside staff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Nobody.
    Staff,
    /// The mates on the booking.
    Crew,
}

impl Visibility {
    /// All of them.
    pub const ALL: [Visibility; 2] = [Visibility::Staff, Visibility::Crew];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Visibility::Staff => "staff",
            Visibility::Crew => "crew",
        }
    }

    /// The visibility of a code.
    pub fn from_code(code: &str) -> Option<Visibility> {
        Visibility::ALL.into_iter().find(|v| v.code() == code)
    }
}

/// A note.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Key.
    pub id: NoteId,
    /// The booking it is about.
    pub booking_id: BookingId,
    /// Who reads it.
    pub visibility: Visibility,
    /// The text; empty where staff cleared the note of the record.
    pub text: String,
    /// Who wrote it.
    pub author: Option<UserId>,
    /// In which role; none for guests.
    pub role: Option<Role>,
    /// When it was written; a telephone without signal tells it later.
    pub created_at: DateTime<Utc>,
    /// The mate who wrote it on the job; none: staff wrote it.
    pub mate: Option<MateId>,
}

/// Notes: append only.
pub trait Notes {
    /// Adds.
    fn append(&mut self, note: &Note) -> StoreResult<()>;
    /// Those of a booking, oldest first.
    fn of_booking(&mut self, id: BookingId) -> StoreResult<Vec<Note>>;
    /// The newest one for staff.
    fn newest_for_staff(&mut self, id: BookingId) -> StoreResult<Option<Note>>;
}
