//! Which processes live on a database: one server on a SQLite file with any number of workers,
//! any number of both on PostgreSQL. Whoever joins and finds nobody else may take up what the dead
//! left; a process that lives is never mistaken for a dead one, whatever folder it was started in.

mod files;
mod postgres;

use crate::{OpenError, open::Target};

/// What a process does with the database it joins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Serves the site: on SQLite there is one at a time.
    Server,
    /// Works on jobs.
    Worker,
}

/// A process says that it lives, until this value is dropped (or the process ends, however it does).
pub struct Presence {
    place: Place,
    alone: bool,
}

enum Place {
    Files(files::Locks),
    Server(postgres::Member),
}

impl Presence {
    /// Joins the processes on this database; the SQLite file is made when it is missing. Blocks, for
    /// some milliseconds, or while the first of several processes that start together looks after
    /// what was left. On a PostgreSQL server that was itself started a moment ago it waits until
    /// processes that lived before have had the time to join again.
    ///
    /// # Errors
    /// [`OpenError::Taken`] when another server has the SQLite file; others when the file or the
    /// server cannot be reached.
    pub fn join(url: &str, role: Role) -> Result<Presence, OpenError> {
        match Target::parse(url)? {
            Target::Sqlite(path) => {
                let (locks, alone) = files::Locks::join(&path, role)?;
                Ok(Presence { place: Place::Files(locks), alone })
            }
            Target::Postgres(url) => {
                let (member, alone) = postgres::Member::join(&url)?;
                Ok(Presence { place: Place::Server(member), alone })
            }
        }
    }

    /// Nobody else lived on this database when this process joined; whoever starts meanwhile waits
    /// for [`Presence::settle`].
    #[must_use]
    pub fn alone(&self) -> bool {
        self.alone
    }

    /// What was left by the dead is looked after: others may join. From now on a lost connection to
    /// PostgreSQL is made again, and this process joins again.
    ///
    /// # Errors
    /// [`OpenError`] when the connection was lost, or the lock file cannot be used.
    pub fn settle(&mut self) -> Result<(), OpenError> {
        let was_alone = std::mem::take(&mut self.alone);
        match &mut self.place {
            Place::Files(locks) => locks.settle(was_alone),
            Place::Server(member) => member.settle(was_alone),
        }
    }
}
