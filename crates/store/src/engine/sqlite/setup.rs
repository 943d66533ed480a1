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
use service::ports::{StoreError, StoreResult, installation::COPY};

use super::{Conn, writer::in_words};
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
    // secure_delete: SQLite overwrites what is deleted. Otherwise secret links of sent mails stay readable in the file.
    conn.batch_execute(
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8000; \
         PRAGMA secure_delete = ON;",
    )?;
    if access == Access::Read {
        // Each reader caches pages of its own; what it does not find there the operating system has.
        conn.batch_execute("PRAGMA query_only = ON; PRAGMA cache_size = -2000;")?;
    }
    Ok(())
}

/// As [`prepare`], without what only a file has.
#[cfg(feature = "testing")]
pub fn in_memory(conn: &mut Conn) -> QueryResult<()> {
    // Small pages: a savepoint copies each page it changes.
    conn.batch_execute("PRAGMA page_size = 1024; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;")
}

/// Writes the tables' conditions `x IN ('a', 'b', 'c')` as `(x='a' OR x='b' OR x='c')`, which is the same:
/// SQLite builds a temporary table for each longer list, each time a row is written. For databases in
/// memory, where that is a tenth of all work.
#[cfg(feature = "testing")]
pub fn spell_out_lists(conn: &mut Conn) -> QueryResult<()> {
    #[derive(diesel::QueryableByName)]
    struct Made {
        #[diesel(sql_type = Text)]
        name: String,
        #[diesel(sql_type = Text)]
        sql: String,
    }
    let tables = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%CHECK%'";
    let tables: Vec<Made> = sql_query(tables).load(conn)?;
    conn.batch_execute("PRAGMA writable_schema = ON;")?;
    for Made { name, sql } in tables {
        sql_query("UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = ?")
            .bind::<Text, _>(spelt_out(&sql))
            .bind::<Text, _>(name)
            .execute(conn)?;
    }
    // Reads the schema again.
    conn.batch_execute("PRAGMA writable_schema = RESET;")
}

#[cfg(feature = "testing")]
fn spelt_out(sql: &str) -> String {
    let mut parts = sql.split(" IN (");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let name = out.split_off(out.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1));
        let (list, rest) = part.split_once(')').unwrap_or((part, ""));
        let equal: Vec<String> = list.split(',').map(|value| format!("{name}={}", value.trim())).collect();
        out.push_str(&format!("({}){rest}", equal.join(" OR ")));
    }
    out
}

#[cfg(feature = "testing")]
pub(crate) mod checks {
    #![allow(clippy::unwrap_used, missing_docs, reason = "checks that the conformance suite runs")]
    use super::*;

    pub fn lists_are_spelt_out() {
        let made = "CREATE TABLE t (a TEXT CHECK (a IN (\n 'x', 'y_z'\n)), CHECK ((state IN (1, 2)) = (b IS NULL)))";
        let want = "CREATE TABLE t (a TEXT CHECK ((a='x' OR a='y_z')), CHECK (((state=1 OR state=2)) = (b IS NULL)))";
        assert_eq!(spelt_out(made), want);
    }

    pub fn what_is_written_over_is_gone_from_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut conn = connect(&path, Access::Write).unwrap();
        let secret = "the-secret-of-a-link";
        conn.batch_execute("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)").unwrap();
        for n in 0..50 {
            conn.batch_execute(&format!("INSERT INTO t VALUES ({n}, '{secret}{n}')")).unwrap();
        }
        let kept = |conn: &mut Conn| {
            conn.batch_execute("PRAGMA wal_checkpoint(TRUNCATE)").unwrap();
            String::from_utf8_lossy(&std::fs::read(&path).unwrap()).contains(secret)
        };
        assert!(kept(&mut conn), "it can be seen at all");
        conn.batch_execute("UPDATE t SET text = '' WHERE id < 25; DELETE FROM t WHERE id >= 25").unwrap();
        assert!(!kept(&mut conn));
    }

    pub fn what_is_spelt_out_refuses_the_same() {
        let mut conn = super::super::memory().unwrap();
        let job = |state: &str| {
            format!(
                "INSERT INTO jobs (id, kind, payload, run_at, attempts, max_attempts, state) \
                 VALUES ('{state}', 'k', '{{}}', 'now', 0, 1, '{state}')"
            )
        };
        conn.batch_execute(&job("queued")).unwrap();
        let refused = conn.batch_execute(&job("resting")).unwrap_err().to_string();
        assert!(refused.contains("CHECK constraint failed"), "{refused}");
        let left = "SELECT COUNT(*) AS n FROM sqlite_schema WHERE type = 'table' AND sql LIKE '% IN (%'";
        assert_eq!(sql_query(left).get_result::<super::super::CountRow>(&mut conn).unwrap().n, 0);
    }
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

/// A write that changes nothing, and goes to the disk like every other.
pub fn try_to_write(path: &Path) -> Result<(), String> {
    #[derive(diesel::QueryableByName)]
    struct Number {
        #[diesel(sql_type = diesel::sql_types::Integer)]
        user_version: i32,
    }
    let mut conn = connect(path, Access::Write).map_err(|e| in_words(&e))?;
    let kept = sql_query("PRAGMA user_version").get_result::<Number>(&mut conn).map_err(|e| in_words(&e))?;
    conn.batch_execute(&format!("PRAGMA user_version = {}", kept.user_version)).map_err(|e| in_words(&e))
}

/// The log goes into the file, and is empty then. Somebody else who reads the file may keep it from being emptied.
pub fn put_away(path: &Path) -> StoreResult<()> {
    let mut conn = connect(path, Access::Write).map_err(|e| StoreError::Other(e.to_string()))?;
    conn.batch_execute("PRAGMA busy_timeout = 1000; PRAGMA wal_checkpoint(TRUNCATE);").map_err(fault("wal_checkpoint"))
}

/// A consistent copy while others read and write. It gets its name only when it is whole; what could not be
/// finished does not stay.
pub fn copy(path: &Path, target: &Path) -> StoreResult<()> {
    if target.exists() {
        return Err(StoreError::Other(format!("the backup {} exists already", target.display())));
    }
    let mut partial = target.as_os_str().to_owned();
    partial.push(".partial");
    let partial = Path::new(&partial);
    remove(partial);
    let made = write_copy(path, partial, target);
    if made.is_err() {
        remove(partial);
    }
    made
}

/// With what SQLite writes beside it.
fn remove(partial: &Path) {
    for ending in ["", "-journal", "-wal", "-shm"] {
        let mut name = partial.as_os_str().to_owned();
        name.push(ending);
        // Most of them are not there; what cannot be removed is told when it is written.
        drop(std::fs::remove_file(name));
    }
}

fn write_copy(path: &Path, partial: &Path, target: &Path) -> StoreResult<()> {
    let told = |e: &dyn std::fmt::Display| {
        let why = e.to_string();
        let why = match ["full", "No space left", "os error 28"].iter().any(|words| why.contains(words)) {
            true => format!("no space left on the disk of {}", target.display()),
            false => why,
        };
        StoreError::Other(format!("cannot write the backup: {why}"))
    };
    // Empty, and nobody else's: what SQLite makes itself has the mode of the umask.
    private::open(partial).map_err(|e| told(&e))?;
    let name = partial.to_str().ok_or_else(|| StoreError::Other("the backup's path is not valid UTF-8".to_owned()))?;
    let mut conn = connect(path, Access::Write).map_err(|e| told(&e))?;
    sql_query("VACUUM INTO ?").bind::<Text, _>(name).execute(&mut conn).map_err(|e| told(&e))?;
    mark_as_copy(partial).map_err(|e| told(&e))?;
    File::open(partial).and_then(|f| f.sync_all()).map_err(|e| told(&e))?;
    std::fs::rename(partial, target).map_err(|e| told(&e))
}

/// A copy belongs to no installation: whoever starts it is asked first (`portage adopt`).
fn mark_as_copy(copy: &Path) -> Result<(), OpenError> {
    let mut conn = connect(copy, Access::Write)?;
    let failed = |e: diesel::result::Error| OpenError::Connect { engine: super::ENGINE, reason: e.to_string() };
    let written = "SELECT COUNT(*) AS n FROM sqlite_schema WHERE type = 'table' AND name = 'installation'";
    let written = sql_query(written).get_result::<super::CountRow>(&mut conn).map_err(failed)?;
    // An older database may not say yet whose it is.
    let marked = match written.n {
        0 => Ok(0),
        _ => sql_query("UPDATE installation SET place = ?").bind::<Text, _>(COPY).execute(&mut conn),
    };
    // Back to a file without a log beside it.
    marked.and_then(|_| sql_query("PRAGMA journal_mode = DELETE").execute(&mut conn)).map_err(failed)?;
    Ok(())
}
