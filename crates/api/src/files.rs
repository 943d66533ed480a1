//! Built files of the web apps, kept in memory.

use std::{
    collections::HashMap,
    path::PathBuf,
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

use actix_web::web;

/// Built files in memory, shared by all responses: a file read anew for each response would be held
/// once for every client that does not take it.
#[derive(Default)]
pub struct Files(Mutex<HashMap<PathBuf, CachedFile>>);

struct CachedFile {
    /// The file's modification time: a new build overwrites a name.
    changed: SystemTime,
    bytes: web::Bytes,
}

/// Larger files are not cached: they are read as they are sent.
const LARGEST_KEPT: u64 = 2 * 1024 * 1024;

/// The most bytes of all files; the whole app has a tenth of it.
const MOST_KEPT: usize = 24 * 1024 * 1024;

impl Files {
    /// The content of a file; none when it is too large, or gone.
    pub(crate) async fn bytes(&self, file: PathBuf) -> Option<web::Bytes> {
        let about = tokio::fs::metadata(&file).await.ok().filter(|m| m.len() <= LARGEST_KEPT)?;
        let changed = about.modified().ok()?;
        let known = |all: &HashMap<PathBuf, CachedFile>| {
            all.get(&file).filter(|kept| kept.changed == changed).map(|kept| kept.bytes.clone())
        };
        if let Some(bytes) = known(&self.0.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Some(bytes);
        }
        let bytes = web::Bytes::from(tokio::fs::read(&file).await.ok()?);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.values().map(|kept| kept.bytes.len()).sum::<usize>() + bytes.len() > MOST_KEPT {
            all.clear();
        }
        all.insert(file, CachedFile { changed, bytes: bytes.clone() });
        Some(bytes)
    }
}
