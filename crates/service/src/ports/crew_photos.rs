//! Photos that a crew takes before and after a move. Kept in the database for the reasons the customer's are (`photos`), and
//! apart from those: no customer sees them.

use chrono::{DateTime, Utc};
use kernel::{BookingId, MateId};

use super::{StoreResult, photos::PhotoId};

/// Whether a photo of the crew shows the state before or after the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PhotoStage {
    /// Before the work.
    Before,
    /// After the work.
    After,
}

impl PhotoStage {
    /// Both.
    pub const ALL: [PhotoStage; 2] = [PhotoStage::Before, PhotoStage::After];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            PhotoStage::Before => "before",
            PhotoStage::After => "after",
        }
    }

    /// The stage of a code.
    pub fn from_code(code: &str) -> Option<PhotoStage> {
        PhotoStage::ALL.into_iter().find(|s| s.code() == code)
    }
}

/// A photo, without its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CrewPhoto {
    /// Key.
    pub id: PhotoId,
    /// Of which move.
    pub booking_id: BookingId,
    /// Who took it.
    pub mate: MateId,
    /// Before or after the work.
    pub stage: PhotoStage,
    /// When it was taken.
    pub taken_at: DateTime<Utc>,
    /// When it reached us.
    pub added_at: DateTime<Utc>,
    /// SHA-256 of the file as it was sent, hex.
    pub digest: String,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Bytes of the file.
    pub bytes: u32,
}

/// Photos of crews.
pub trait CrewPhotos {
    /// Adds a photo with its file, a JPEG of `photo.bytes` bytes. `Duplicate` when this mate has sent this file for this stage
    /// of this move.
    fn insert(&mut self, photo: &CrewPhoto, jpeg: &[u8]) -> StoreResult<()>;
    /// One photo.
    fn get(&mut self, id: PhotoId) -> StoreResult<Option<CrewPhoto>>;
    /// Its file.
    fn file(&mut self, id: PhotoId) -> StoreResult<Option<Vec<u8>>>;
    /// Those of a booking, the first taken first.
    fn of_booking(&mut self, id: BookingId) -> StoreResult<Vec<CrewPhoto>>;
    /// Erases one; false when it is gone.
    fn delete(&mut self, id: PhotoId) -> StoreResult<bool>;
    /// Erases photos, at most `most`, of moves that began before `before`, whatever became of them; how many.
    fn purge(&mut self, before: DateTime<Utc>, most: i64) -> StoreResult<usize>;
}
