//! The standard rate card as last read.

use std::{
    sync::{Arc, RwLock},
    time::Duration,
};

use chrono::{DateTime, Utc};
use tokio::time::Instant;

use crate::ports::rates::StoredRate;

/// How long a card read from the database is trusted. Another replica's change is seen after
/// at most this long; bookings store the version they used, so nothing drifts.
const FRESH_FOR: Duration = Duration::from_secs(1);

/// The standard card as last read: prices are asked for far more often than they change.
#[derive(Default)]
pub struct Cache {
    slot: RwLock<Option<Read>>,
}

/// What was read, and when it is to be read again.
pub(super) struct Read {
    /// Real time of the reading.
    pub(super) at: Instant,
    /// It was in force from this business instant on.
    pub(super) from: DateTime<Utc>,
    /// Another version begins: until then, of the business clock.
    pub(super) until: Option<DateTime<Utc>>,
    pub(super) rate: Arc<StoredRate>,
}

impl Cache {
    pub(super) fn fresh(&self, now: DateTime<Utc>) -> Option<Arc<StoredRate>> {
        let slot = self.slot.read().ok()?;
        let read = slot.as_ref()?;
        let in_force = read.from <= now && read.until.is_none_or(|end| now < end);
        (read.at.elapsed() < FRESH_FOR && in_force).then(|| read.rate.clone())
    }

    pub(super) fn put(&self, read: Read) {
        if let Ok(mut slot) = self.slot.write() {
            *slot = Some(read);
        }
    }

    /// Forgets what was read, after a change made here.
    pub fn clear(&self) {
        if let Ok(mut slot) = self.slot.write() {
            *slot = None;
        }
    }
}
