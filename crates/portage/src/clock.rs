//! Where the time comes from: the machine, or (demo mode) a file that tests write.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use kernel::chrono::{DateTime, Utc};
use service::ports::Clock;

/// Both databases keep microseconds.
fn microseconds(at: DateTime<Utc>) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(at.timestamp_micros()).unwrap_or(at)
}

/// The machine's clock.
pub struct SystemClock;

impl Clock for SystemClock {
    #[allow(clippy::disallowed_methods, reason = "the one place that looks at the machine's clock")]
    fn now(&self) -> DateTime<Utc> {
        microseconds(SystemTime::now().into())
    }
}

/// A file with one RFC 3339 instant, read at every look, so that days can pass in a test.
pub struct FileClock {
    path: PathBuf,
    last: Mutex<DateTime<Utc>>,
}

/// Why a clock file is of no use.
#[derive(Debug, thiserror::Error)]
pub enum ClockError {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    File(#[from] std::io::Error),
    /// It holds something else.
    #[error("must hold one RFC 3339 instant such as 2027-02-17T14:00:00Z")]
    Form,
}

fn read(path: &Path) -> Result<DateTime<Utc>, ClockError> {
    let text = std::fs::read_to_string(path)?;
    let at = DateTime::parse_from_rfc3339(text.trim()).map_err(|_| ClockError::Form)?;
    Ok(microseconds(at.to_utc()))
}

impl FileClock {
    /// A clock that reads `path`, which must be readable now.
    ///
    /// # Errors
    /// [`ClockError`].
    pub fn open(path: &Path) -> Result<FileClock, ClockError> {
        Ok(FileClock { path: path.to_owned(), last: Mutex::new(read(path)?) })
    }
}

impl Clock for FileClock {
    /// The file's instant; the last good one while somebody is writing it.
    fn now(&self) -> DateTime<Utc> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(at) = read(&self.path) {
            *last = at;
        }
        *last
    }
}

/// A clock as the function the simulators and the mailers take.
pub fn looker(clock: &Arc<dyn Clock>) -> Arc<dyn Fn() -> DateTime<Utc> + Send + Sync> {
    let clock = clock.clone();
    Arc::new(move || clock.now())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_file_is_read_at_every_look_and_half_written_ones_are_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("clock");
        assert!(matches!(FileClock::open(&path), Err(ClockError::File(_))));
        std::fs::write(&path, "soon").unwrap();
        assert!(matches!(FileClock::open(&path), Err(ClockError::Form)));
        std::fs::write(&path, "2027-02-17T09:00:00-05:00\n").unwrap();
        let clock = FileClock::open(&path).unwrap();
        assert_eq!(clock.now().to_rfc3339(), "2027-02-17T14:00:00+00:00");
        std::fs::write(&path, "2027-02-18T").unwrap();
        assert_eq!(clock.now().to_rfc3339(), "2027-02-17T14:00:00+00:00");
        std::fs::write(&path, "2027-02-18T00:00:00.123456789Z").unwrap();
        assert_eq!(clock.now().timestamp_subsec_nanos(), 123_456_000);
    }

    #[test]
    fn the_machines_clock_has_no_nanoseconds() {
        assert_eq!(SystemClock.now().timestamp_subsec_nanos() % 1_000, 0);
    }
}
