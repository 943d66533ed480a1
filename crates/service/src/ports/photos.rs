//! Photos of what is special about a move.
//!
//! They are kept in the database, beside the bookings: a copy made by `portage backup`, or by the tools of
//! PostgreSQL, has them, a restored one finds them, and each of several servers can show them. They are
//! small (`picture` makes them so), and the bytes are read one photo at a time.

use chrono::{DateTime, Utc};
use kernel::{BookingId, UserId};

use super::StoreResult;

kernel::typed_ids! {
    /// A photo of what is special about a move.
    PhotoId
}

/// A photo, without its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Photo {
    /// Key.
    pub id: PhotoId,
    /// Of which move.
    pub booking_id: BookingId,
    /// Who added it.
    pub added_by: UserId,
    /// When.
    pub added_at: DateTime<Utc>,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Bytes of the file.
    pub bytes: u32,
}

/// Photos.
pub trait Photos {
    /// Adds a photo with its file, a JPEG of `photo.bytes` bytes.
    fn insert(&mut self, photo: &Photo, jpeg: &[u8]) -> StoreResult<()>;
    /// One photo.
    fn get(&mut self, id: PhotoId) -> StoreResult<Option<Photo>>;
    /// Its file.
    fn file(&mut self, id: PhotoId) -> StoreResult<Option<Vec<u8>>>;
    /// Those of a booking, oldest first.
    fn of_booking(&mut self, id: BookingId) -> StoreResult<Vec<Photo>>;
    /// Erases one; false when it is gone.
    fn delete(&mut self, id: PhotoId) -> StoreResult<bool>;
    /// Erases photos, at most `most`, of moves that began before `before`, whatever became of them; how many.
    fn purge(&mut self, before: DateTime<Utc>, most: i64) -> StoreResult<usize>;
}
