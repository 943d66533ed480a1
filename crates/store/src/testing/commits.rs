//! Measures what a database can do on its own: the yardstick of the benchmarks.

use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use diesel::{
    Connection as _, PgConnection, QueryResult, RunQueryDsl as _, SqliteConnection, connection::SimpleConnection as _,
    sql_query,
};

/// As the store's own writer sets it.
const DURABLE: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;";
const TABLE: &str = "CREATE TABLE yardstick (id INTEGER PRIMARY KEY, caller INTEGER NOT NULL, what TEXT NOT NULL)";
const ROW: &str = "INSERT INTO yardstick (id, caller, what) VALUES";

/// Commits of one small row each, on the disk when they are counted, by so many callers at once until `stop`.
/// `url` is that of an empty database. On SQLite the callers share one connection, which is the fastest way: with
/// one each they would sleep while another one holds the lock.
///
/// # Errors
/// What the database says.
pub fn durable_commits(url: &str, callers: u64, stop: &AtomicBool) -> Result<u64, String> {
    let told = |e: diesel::result::Error| e.to_string();
    match url.strip_prefix("sqlite://") {
        Some(path) => {
            let mut conn = SqliteConnection::establish(path).map_err(|e| e.to_string())?;
            conn.batch_execute(DURABLE).and_then(|()| conn.batch_execute(TABLE)).map_err(told)?;
            let conn = Mutex::new(conn);
            let insert = |(): &mut (), sql: &str| {
                sql_query(sql).execute(&mut *conn.lock().unwrap_or_else(PoisonError::into_inner))
            };
            count(callers, stop, || Ok(()), insert)
        }
        None => {
            let connect = || PgConnection::establish(url).map_err(|e| e.to_string());
            connect()?.batch_execute(TABLE).map_err(told)?;
            count(callers, stop, connect, |conn, sql| sql_query(sql).execute(conn))
        }
    }
}

/// Has PostgreSQL look at how its rows are spread, as it does by itself within minutes; SQLite never does here.
///
/// # Errors
/// What the database says.
pub fn analyze(url: &str) -> Result<(), String> {
    if url.starts_with("sqlite://") {
        return Ok(());
    }
    let mut conn = PgConnection::establish(url).map_err(|e| e.to_string())?;
    conn.batch_execute("ANALYZE").map_err(|e| e.to_string())
}

fn count<C>(
    callers: u64,
    stop: &AtomicBool,
    connect: impl Fn() -> Result<C, String> + Sync,
    insert: impl Fn(&mut C, &str) -> QueryResult<usize> + Sync,
) -> Result<u64, String> {
    let next = AtomicU64::new(1);
    let call = &|caller: u64| -> Result<u64, String> {
        let mut conn = connect()?;
        let mut done = 0;
        while !stop.load(Ordering::Relaxed) {
            let id = next.fetch_add(1, Ordering::Relaxed);
            insert(&mut conn, &format!("{ROW} ({id}, {caller}, 'a row')")).map_err(|e| e.to_string())?;
            done += 1;
        }
        Ok(done)
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..callers).map(|caller| scope.spawn(move || call(caller))).collect();
        threads.into_iter().map(|t| t.join().map_err(|_| "a caller panicked".to_owned())?).sum()
    })
}
