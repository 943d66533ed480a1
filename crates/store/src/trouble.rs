//! Remembers why a database cannot be used at the moment, in words, for the readiness check.

use std::{
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// With less than this on its disk a database is as good as full: its log grows in larger steps.
#[cfg(unix)]
const LEAST_FREE: u64 = 1024 * 1024;

/// What was said the last time; shared by those who meet trouble and those who are asked.
#[derive(Debug, Clone, Default)]
pub struct Trouble(Arc<Mutex<Option<String>>>);

impl Trouble {
    fn state(&self) -> MutexGuard<'_, Option<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on, until it is [`over`](Trouble::over).
    pub fn met(&self, why: &str) {
        *self.state() = Some(why.split_whitespace().collect::<Vec<_>>().join(" "));
    }

    pub fn over(&self) {
        *self.state() = None;
    }

    pub fn message(&self) -> Option<String> {
        self.state().clone()
    }
}

/// Why nothing more can be written beside this file, if that is so.
#[cfg(unix)]
pub fn full(file: &Path) -> Option<String> {
    let folder = file.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let about = rustix::fs::statvfs(folder).ok()?;
    let free = about.f_bavail.saturating_mul(about.f_frsize);
    // Some file systems know neither their size nor what is left.
    (about.f_blocks > 0 && free < LEAST_FREE)
        .then(|| format!("no space left: {} kB on the disk of {}", free / 1024, folder.display()))
}

/// Left to the first write that fails.
#[cfg(not(unix))]
pub fn full(_: &Path) -> Option<String> {
    None
}
