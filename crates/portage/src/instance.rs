//! Who else runs on this data directory: two lock files, released by the system however a process
//! ends.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Seek as _, Write as _},
    net::SocketAddr,
    path::{Path, PathBuf},
};

const SERVER: &str = "portage.lock";
const WORKERS: &str = "workers.lock";
const ADDRESS: &str = "portage.address";

fn open(folder: &Path, name: &str) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(folder.join(name))
}

/// What a running server holds.
pub struct ServerLock {
    folder: PathBuf,
    /// None when another server holds it (replicas on PostgreSQL may share a directory).
    server: Option<File>,
    /// Nobody else, worker or server, was alive when we started.
    pub alone: bool,
    _workers: File,
}

impl ServerLock {
    /// Takes the server's place in `folder`, and looks whether anybody else is there.
    ///
    /// # Errors
    /// When the lock files cannot be written.
    pub fn take(folder: &Path) -> io::Result<ServerLock> {
        let server = exclusive(open(folder, SERVER)?)?;
        let workers = open(folder, WORKERS)?;
        let nobody_works = match workers.try_lock() {
            Ok(()) => {
                workers.unlock()?;
                true
            }
            Err(TryLockError::WouldBlock) => false,
            Err(TryLockError::Error(e)) => return Err(e),
        };
        workers.lock_shared()?;
        Ok(ServerLock { folder: folder.to_owned(), alone: server.is_some() && nobody_works, server, _workers: workers })
    }

    /// Another server has this directory.
    pub fn is_taken(&self) -> bool {
        self.server.is_none()
    }

    /// Tells other commands on this machine where this server is.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn announce(&self, address: SocketAddr) -> io::Result<()> {
        if self.is_taken() {
            return Ok(());
        }
        let mut file = open(&self.folder, ADDRESS)?;
        file.set_len(0)?;
        file.rewind()?;
        writeln!(file, "{address}")
    }
}

fn exclusive(file: File) -> io::Result<Option<File>> {
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(e)) => Err(e),
    }
}

/// Held by `portage worker` for its life.
pub struct WorkerLock {
    _file: File,
}

impl WorkerLock {
    /// Says that a worker lives here.
    ///
    /// # Errors
    /// When the lock file cannot be written.
    pub fn take(folder: &Path) -> io::Result<WorkerLock> {
        let file = open(folder, WORKERS)?;
        file.lock_shared()?;
        Ok(WorkerLock { _file: file })
    }
}

/// Where the server of this directory last said it was.
pub fn announced(folder: &Path) -> Option<SocketAddr> {
    std::fs::read_to_string(folder.join(ADDRESS)).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_first_is_alone_the_second_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let first = ServerLock::take(folder.path()).unwrap();
        assert!(first.alone && !first.is_taken());
        first.announce("127.0.0.1:8080".parse().unwrap()).unwrap();
        let second = ServerLock::take(folder.path()).unwrap();
        assert!(!second.alone && second.is_taken());
        second.announce("127.0.0.1:1".parse().unwrap()).unwrap();
        assert_eq!(announced(folder.path()).unwrap().port(), 8080);
        drop((first, second));
        assert!(ServerLock::take(folder.path()).unwrap().alone);
    }

    #[test]
    fn a_living_worker_means_not_alone() {
        let folder = tempfile::tempdir().unwrap();
        let worker = WorkerLock::take(folder.path()).unwrap();
        let server = ServerLock::take(folder.path()).unwrap();
        assert!(!server.alone && !server.is_taken());
        drop((worker, server));
        assert!(ServerLock::take(folder.path()).unwrap().alone);
    }
}
