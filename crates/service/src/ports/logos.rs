//! Logos that a company uploaded. Its settings name the one it shows.

use chrono::{DateTime, Utc};
use kernel::UserId;

use super::StoreResult;

kernel::typed_ids! {
    /// A logo that was uploaded.
    LogoId
}

/// A logo, without its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logo {
    /// Key.
    pub id: LogoId,
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

/// Logos.
pub trait Logos {
    /// Adds a logo with its file, a PNG of `logo.bytes` bytes.
    fn insert(&mut self, logo: &Logo, png: &[u8]) -> StoreResult<()>;
    /// Whether there is such a one.
    fn exists(&mut self, id: LogoId) -> StoreResult<bool>;
    /// Its file.
    fn file(&mut self, id: LogoId) -> StoreResult<Option<Vec<u8>>>;
    /// Erases those that were added before `before`, but for these; how many.
    fn purge(&mut self, before: DateTime<Utc>, kept: &[LogoId]) -> StoreResult<usize>;
}
