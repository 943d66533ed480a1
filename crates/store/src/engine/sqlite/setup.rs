//! Connections to the file, and copies of it.

use std::{fs::File, path::Path, thread, time::Duration};

use diesel::{
    Connection, RunQueryDsl,
    connection::SimpleConnection,
    r2d2::{CustomizeConnection, Error},
    result::QueryResult,
    sql_query,
    sql_types::Text,
};
use service::ports::{StoreError, StoreResult};

use super::Conn;
use crate::{OpenError, error::fault, private};

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads only; a write is an error.
    Read,
    /// Reads and writes.
    Write,
}

/// Sets a connection up. `busy_timeout` first: switching to WAL may itself meet a lock. FULL: an
/// acknowledged commit survives a loss of power.
fn prepare(conn: &mut Conn, access: Access) -> QueryResult<()> {
    conn.batch_execute("PRAGMA busy_timeout = 5000;")?;
    // The switch to WAL does not always wait as other statements do.
    let mut tries = 0;
    while let Err(e) = conn.batch_execute("PRAGMA journal_mode = WAL;") {
        tries += 1;
        if tries == 50 {
            return Err(e);
        }
        thread::sleep(Duration::from_millis(100));
    }
    conn.batch_execute(
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000;",
    )?;
    if access == Access::Read {
        conn.batch_execute("PRAGMA query_only = ON;")?;
    }
    Ok(())
}

/// As [`prepare`], without what only a file has.
#[cfg(feature = "testing")]
pub fn in_memory(conn: &mut Conn) -> QueryResult<()> {
    conn.batch_execute("PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;")
}

pub fn connect(path: &Path, access: Access) -> Result<Conn, OpenError> {
    let failed = |reason: String| OpenError::Connect { engine: "sqlite", reason };
    // SQLite would make the file as the umask has it; -wal and -shm take the mode of the file.
    private::make_file(path).map_err(|e| OpenError::file(path, &e))?;
    let mut conn = Conn::establish(text(path)?).map_err(|e| failed(e.to_string()))?;
    prepare(&mut conn, access).map_err(|e| failed(e.to_string()))?;
    Ok(conn)
}

/// SQLite takes paths as UTF-8.
pub fn text(path: &Path) -> Result<&str, OpenError> {
    path.to_str().ok_or(OpenError::UnknownUrl("the path is not valid UTF-8"))
}

/// Sets up the readers of the pool.
#[derive(Debug)]
pub struct Reader;

impl CustomizeConnection<Conn, Error> for Reader {
    fn on_acquire(&self, conn: &mut Conn) -> Result<(), Error> {
        prepare(conn, Access::Read).map_err(Error::QueryError)
    }
}

/// A consistent copy while others read and write. It gets its name only when it is whole.
pub fn copy(path: &Path, target: &Path) -> StoreResult<()> {
    let told = |e: &dyn std::fmt::Display| StoreError::Other(format!("cannot write the backup: {e}"));
    if target.exists() {
        return Err(StoreError::Other(format!("the backup {} exists already", target.display())));
    }
    let mut partial = target.as_os_str().to_owned();
    partial.push(".partial");
    let partial = Path::new(&partial);
    if partial.exists() {
        std::fs::remove_file(partial).map_err(|e| told(&e))?;
    }
    // Empty, and nobody else's: what SQLite makes itself has the mode of the umask.
    private::open(partial).map_err(|e| told(&e))?;
    let name = partial.to_str().ok_or_else(|| StoreError::Other("the backup's path is not valid UTF-8".to_owned()))?;
    let mut conn = connect(path, Access::Write).map_err(|e| told(&e))?;
    sql_query("VACUUM INTO ?").bind::<Text, _>(name).execute(&mut conn).map_err(fault("backup"))?;
    File::open(partial).and_then(|f| f.sync_all()).map_err(|e| told(&e))?;
    std::fs::rename(partial, target).map_err(|e| told(&e))
}
