//! Facts about a database: version, size, whether we may write, and its clock.

use std::path::Path;

use chrono::{DateTime, Utc};
use diesel::{
    QueryableByName, RunQueryDsl,
    connection::SimpleConnection,
    sql_query,
    sql_types::{BigInt, Bool, Text},
};

use crate::{OpenError, engine, open::Target, private};

/// What is known about a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatabaseInfo {
    /// `SQLite 3.50.4`, `PostgreSQL 15.6`.
    pub version: String,
    /// Size on disk.
    pub bytes: u64,
    /// We may write, and make the tables of a newer version.
    pub writable: bool,
    /// Names this very database among all of its servers: a dump that is restored elsewhere has another
    /// place. None for a file, which keeps no name of its own.
    pub place: Option<String>,
    /// What its clock said when it was asked; none for a file.
    pub clock: Option<DateTime<Utc>>,
}

#[derive(QueryableByName)]
struct Version {
    #[diesel(sql_type = Text)]
    version: String,
}

#[derive(QueryableByName)]
struct Server {
    #[diesel(sql_type = Text)]
    version: String,
    #[diesel(sql_type = BigInt)]
    bytes: i64,
    #[diesel(sql_type = Text)]
    place: String,
    #[diesel(sql_type = Bool)]
    writable: bool,
}

const SERVER: &str = "
    SELECT current_setting('server_version') AS version,
        pg_database_size(current_database()) AS bytes,
        d.oid || '/' || COALESCE(current_schema(), '') AS place,
        NOT pg_is_in_recovery() AND COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false) AS writable
    FROM pg_database d WHERE d.datname = current_database()";
/// Some hosted servers keep it to themselves; then the database's own number has to do.
const CLUSTER: &str = "SELECT system_identifier::text AS version FROM pg_control_system()";

/// Asks the database; nothing is made and nothing is changed. None when there is no such file yet. Blocks.
///
/// # Errors
/// [`OpenError`] when the database cannot be reached.
pub fn facts(url: &str) -> Result<Option<DatabaseInfo>, OpenError> {
    match Target::parse(url)? {
        Target::Sqlite(path) => of_file(&path),
        Target::Postgres(url) => of_server(&url).map(Some),
    }
}

fn of_file(path: &Path) -> Result<Option<DatabaseInfo>, OpenError> {
    if !path.is_file() {
        return Ok(None);
    }
    let failed = |e: diesel::result::Error| OpenError::Connect { engine: "sqlite", reason: e.to_string() };
    let mut conn = engine::sqlite::reader(path)?;
    let asked = sql_query("SELECT sqlite_version() AS version").get_result::<Version>(&mut conn);
    let version = format!("SQLite {}", asked.map_err(failed)?.version);
    let writable = conn.batch_execute("PRAGMA query_only = OFF; BEGIN IMMEDIATE; ROLLBACK;").is_ok();
    Ok(Some(DatabaseInfo { version, bytes: file_bytes(path), writable, place: None, clock: None }))
}

/// The file with the log of what is not in it yet.
pub fn file_bytes(path: &Path) -> u64 {
    let mut log = private::resolved(path).into_os_string();
    log.push("-wal");
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |m| m.len());
    size(path) + size(Path::new(&log))
}

fn of_server(url: &str) -> Result<DatabaseInfo, OpenError> {
    let failed = |e: diesel::result::Error| OpenError::Connect { engine: "postgres", reason: e.to_string() };
    let mut conn = engine::postgres::connect(url)?;
    let clock =
        sql_query(engine::postgres::CLOCK).get_result::<engine::postgres::ClockRow>(&mut conn).map_err(failed)?;
    let server = sql_query(SERVER).get_result::<Server>(&mut conn).map_err(failed)?;
    let cluster = sql_query(CLUSTER).get_result::<Version>(&mut conn).map_or_else(|_| String::new(), |c| c.version);
    Ok(DatabaseInfo {
        version: format!("PostgreSQL {}", server.version),
        bytes: u64::try_from(server.bytes).unwrap_or_default(),
        writable: server.writable,
        place: Some(format!("{cluster}/{}", server.place)),
        clock: clock.instant(),
    })
}
