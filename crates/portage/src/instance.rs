//! Which server has this data directory, and where it answers: a lock file, released by the system
//! however a process ends. Who works on the database is `store::Presence`'s to know.

use std::{
    fs::{File, TryLockError},
    io::{self, Seek as _, Write as _},
    net::SocketAddr,
    path::{Path, PathBuf},
};

use crate::privacy;

const SERVER: &str = "portage.lock";
const ADDRESS: &str = "portage.address";

/// What a running server holds.
pub struct ServerLock {
    folder: PathBuf,
    /// None when another server holds it (replicas on PostgreSQL may share a directory).
    server: Option<File>,
}

impl ServerLock {
    /// Takes the server's place in `folder`.
    ///
    /// # Errors
    /// When the lock file cannot be written.
    pub fn take(folder: &Path) -> io::Result<ServerLock> {
        let file = privacy::open(&folder.join(SERVER))?;
        let server = match file.try_lock() {
            Ok(()) => Some(file),
            Err(TryLockError::WouldBlock) => None,
            Err(TryLockError::Error(e)) => return Err(e),
        };
        Ok(ServerLock { folder: folder.to_owned(), server })
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
        let mut file = privacy::open(&self.folder.join(ADDRESS))?;
        file.set_len(0)?;
        file.rewind()?;
        writeln!(file, "{address}")
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
    fn the_second_is_told_and_announces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let first = ServerLock::take(folder.path()).unwrap();
        assert!(!first.is_taken());
        first.announce("127.0.0.1:8080".parse().unwrap()).unwrap();
        let second = ServerLock::take(folder.path()).unwrap();
        assert!(second.is_taken());
        second.announce("127.0.0.1:1".parse().unwrap()).unwrap();
        assert_eq!(announced(folder.path()).unwrap().port(), 8080);
        drop((first, second));
        assert!(!ServerLock::take(folder.path()).unwrap().is_taken());
    }
}
