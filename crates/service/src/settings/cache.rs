//! The settings in force, as last read.

use std::{
    sync::{Arc, RwLock},
    time::Duration,
};

use tokio::time::Instant;

use super::company::Company;

/// How long settings read from the database are trusted. A change made by another replica is seen after at most this
/// long; bookings store what they were made with, so nothing drifts.
const FRESH_FOR: Duration = Duration::from_secs(1);

/// What holds as long as nobody saved something else.
#[derive(Debug, Clone, Default)]
pub struct Defaults {
    /// Of the environment.
    pub company: Company,
    /// The program's.
    pub policy: policy::Settings,
    /// The program's.
    pub scheduling: scheduling::Settings,
}

/// What holds now.
#[derive(Debug, Clone, PartialEq)]
pub struct InForce {
    /// Company facts.
    pub company: Company,
    /// The policy new bookings are made under.
    pub policy: policy::Settings,
    /// The calendar rules.
    pub scheduling: scheduling::Settings,
}

/// The settings as last read: nearly every request asks for them, and they change a few times a year.
#[derive(Default)]
pub struct Cache(RwLock<Option<(Instant, Arc<InForce>)>>);

impl Cache {
    pub(super) fn fresh(&self) -> Option<Arc<InForce>> {
        let slot = self.0.read().ok()?;
        let (at, known) = slot.as_ref()?;
        (at.elapsed() < FRESH_FOR).then(|| known.clone())
    }

    /// Keeps what a reading that began at this instant of real time has found.
    pub(super) fn put(&self, at: Instant, read: Arc<InForce>) {
        if let Ok(mut slot) = self.0.write() {
            *slot = Some((at, read));
        }
    }

    /// Forgets what was read, after a change made here.
    pub fn clear(&self) {
        if let Ok(mut slot) = self.0.write() {
            *slot = None;
        }
    }
}
