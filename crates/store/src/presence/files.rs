//! Lock files beside the database file, released by the system however a process ends. They lie
//! beside the file itself, after symbolic links, so that every way to it leads to the same locks.

use std::{
    fs::{File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use super::Role;
use crate::{
    OpenError,
    private::{self, resolved},
};

/// Held by the one server, exclusively.
const SERVER: &str = ".server.lock";
/// Shared by everybody who works on jobs; held exclusively while the first one takes up what was left.
const WORK: &str = ".work.lock";

/// What one process holds.
pub struct Locks {
    _server: Option<File>,
    work: File,
}

impl Locks {
    pub fn join(path: &Path, role: Role) -> Result<(Locks, bool), OpenError> {
        let failed = |e: io::Error| OpenError::Connect { engine: "sqlite", reason: format!("its lock files: {e}") };
        // The file first: only what exists has one name for all.
        let database = private::make_file(path).map_err(|e| OpenError::file(path, &e))?;
        let server = match role {
            Role::Worker => None,
            Role::Server => {
                let file = private::open(&beside(&database, SERVER)).map_err(failed)?;
                if !try_lock(&file).map_err(failed)? {
                    return Err(OpenError::Taken { database });
                }
                Some(file)
            }
        };
        let work = private::open(&beside(&database, WORK)).map_err(failed)?;
        let alone = server.is_some() && try_lock(&work).map_err(failed)?;
        if !alone {
            work.lock_shared().map_err(failed)?;
        }
        Ok((Locks { _server: server, work }, alone))
    }

    pub fn settle(&mut self, was_alone: bool) -> Result<(), OpenError> {
        if !was_alone {
            return Ok(());
        }
        self.work
            .unlock()
            .and_then(|()| self.work.lock_shared())
            .map_err(|e| OpenError::Connect { engine: "sqlite", reason: format!("its lock files: {e}") })
    }
}

fn beside(database: &Path, ending: &str) -> PathBuf {
    let mut name = resolved(database).into_os_string();
    name.push(ending);
    PathBuf::from(name)
}

/// False when another process has it.
fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(e)) => Err(e),
    }
}
