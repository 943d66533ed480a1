//! Which installation a database belongs to.

use chrono::{DateTime, Utc};

use super::StoreResult;
use crate::mode::Mode;

/// The place of a copy that `portage backup` made: no database has it.
pub const COPY: &str = "copy";

/// Who works on this database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installation {
    /// What for. A demo never works on a company's database.
    pub mode: Mode,
    /// Names this very database, see `store::Facts::place`; [`COPY`] in a backup.
    pub place: String,
    /// Where people reach the site.
    pub public_url: String,
    /// Since when.
    pub adopted_at: DateTime<Utc>,
}

/// The one row.
pub trait Installations {
    /// None before the first server has worked on the database.
    fn get(&mut self) -> StoreResult<Option<Installation>>;
    /// Writes it, over what was there.
    fn put(&mut self, installation: &Installation) -> StoreResult<()>;
}
