//! SQLite: one file, one writer thread, a few readers.

mod dialect;
#[path = "../../repo/mod.rs"]
mod repo;
pub(crate) mod setup;
mod writer;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use diesel::{
    Connection, OptionalExtension, QueryableByName, RunQueryDsl,
    connection::SimpleConnection,
    r2d2::{ConnectionManager, Pool},
    sql_query,
    sql_types::{BigInt, Text},
};
use diesel_migrations::{EmbeddedMigrations, embed_migrations};
use futures_util::future::BoxFuture;
use service::ports::{
    Store, StoreError, StoreResult,
    store::{Size, Work},
};
use tokio::sync::Semaphore;

use self::{setup::Access, writer::Writer};
use super::{SchemaError, UnitFailure, advance, blocking, guarded, pending, turns};
#[cfg(feature = "testing")]
use crate::statement::Literal;
use crate::{
    OlderDatabase, OpenError, Options,
    error::fault,
    trouble::{Trouble, full},
};

pub type Conn = diesel::SqliteConnection;
type Readers = Pool<ConnectionManager<Conn>>;

const MIGRATIONS: EmbeddedMigrations = embed_migrations!("../../migrations/sqlite");

const ENGINE: &str = "sqlite";

#[derive(QueryableByName)]
struct Named {
    #[diesel(sql_type = Text)]
    name: String,
}

#[derive(QueryableByName)]
struct CountRow {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

/// A database file.
pub struct SqliteStore {
    path: PathBuf,
    writer: Writer,
    readers: Readers,
    turns: Arc<Semaphore>,
    trouble: Trouble,
}

impl SqliteStore {
    pub fn open(path: &Path, options: Options) -> Result<Self, OpenError> {
        // The writer comes first: it makes the file and migrates it.
        migrate(path)?;
        SqliteStore::start(path, options)
    }

    pub fn is_made(path: &Path) -> Result<bool, OpenError> {
        found(path).map(|conn| conn.is_some())
    }

    /// What is there, without a migration; none when there is nothing.
    pub fn open_made(path: &Path, options: Options, older: OlderDatabase) -> Result<Option<Self>, OpenError> {
        let Some(mut conn) = found(path)? else { return Ok(None) };
        match (pending(&mut conn, &MIGRATIONS).map_err(|e| e.on(ENGINE))?, older) {
            (1.., OlderDatabase::Refused) => Err(OpenError::Older { engine: ENGINE }),
            _ => SqliteStore::start(path, options).map(Some),
        }
    }

    fn start(path: &Path, options: Options) -> Result<Self, OpenError> {
        let conn = setup::connect(path, Access::Write)?;
        let trouble = Trouble::default();
        let writer = Writer::start(path.to_owned(), conn, options.queue, trouble.clone());
        let writer = writer.map_err(|e| connect_error(&e))?;
        let readers = Pool::builder()
            .max_size(options.readers.max(1))
            .test_on_check_out(false)
            .connection_customizer(Box::new(setup::Reader))
            .build(ConnectionManager::new(setup::text(path)?))
            .map_err(|e| connect_error(&e))?;
        Ok(SqliteStore { path: path.to_owned(), writer, readers, turns: turns(options.readers), trouble })
    }
}

/// A connection to the file, when it is a database of Portage.
fn found(path: &Path) -> Result<Option<Conn>, OpenError> {
    // An empty file would become a database by being looked at.
    if !path.metadata().is_ok_and(|m| m.is_file() && m.len() > 0) {
        return Ok(None);
    }
    let mut conn = setup::connect(path, Access::Read)?;
    let counted = "SELECT COUNT(*) AS n FROM sqlite_schema WHERE name = '__diesel_schema_migrations'";
    let counted = sql_query(counted).get_result::<CountRow>(&mut conn).map_err(|e| connect_error(&e))?;
    Ok((counted.n > 0).then_some(conn))
}

impl Store for SqliteStore {
    fn read_unit(&self, work: Work) -> BoxFuture<'_, StoreResult<()>> {
        let readers = self.readers.clone();
        Box::pin(blocking(self.turns.clone(), move || read(&readers, work)))
    }

    fn write_unit(&self, work: Work) -> BoxFuture<'_, StoreResult<()>> {
        Box::pin(self.writer.submit(work, Size::Usual))
    }

    fn write_large_unit(&self, work: Work) -> BoxFuture<'_, StoreResult<()>> {
        Box::pin(self.writer.submit(work, Size::Large))
    }

    fn ping(&self) -> BoxFuture<'_, StoreResult<()>> {
        let (readers, path, trouble) = (self.readers.clone(), self.path.clone(), self.trouble.clone());
        Box::pin(async move {
            blocking(self.turns.clone(), move || {
                let mut conn = readers.get().map_err(|_| StoreError::Unavailable)?;
                // A statement that has to read the file.
                sql_query("SELECT COUNT(*) FROM sqlite_schema").execute(&mut conn).map_err(fault("ping"))?;
                may_write(&path, &trouble)
            })
            .await?;
            // The way writes go, with nothing to write.
            self.writer.submit(Box::new(|_| Ok(())), Size::Usual).await
        })
    }

    fn backup(&self, target: PathBuf) -> BoxFuture<'_, StoreResult<()>> {
        let path = self.path.clone();
        Box::pin(async move {
            let copied = tokio::task::spawn_blocking(move || setup::copy(&path, &target)).await;
            copied.map_err(|e| StoreError::Other(format!("the backup ended early: {e}")))?
        })
    }

    fn bytes(&self) -> BoxFuture<'_, StoreResult<u64>> {
        Box::pin(std::future::ready(Ok(crate::facts::file_bytes(&self.path))))
    }

    fn trouble(&self) -> Option<String> {
        self.trouble.message()
    }

    fn put_away(&self) -> BoxFuture<'_, StoreResult<()>> {
        let path = self.path.clone();
        Box::pin(async move {
            let done = tokio::task::spawn_blocking(move || setup::put_away(&path)).await;
            done.map_err(|e| StoreError::Other(format!("the end of the log was not reached: {e}")))?
        })
    }

    fn engine(&self) -> &'static str {
        ENGINE
    }
}

/// Whether there is room to write. After a write that failed one is tried that changes nothing, so that the file is
/// of use again as soon as there is room, also where nobody else writes.
fn may_write(path: &Path, trouble: &Trouble) -> StoreResult<()> {
    if let Some(why) = full(path) {
        trouble.met(&why);
        return Err(StoreError::Unavailable);
    }
    if trouble.message().is_some() {
        setup::try_to_write(path).map_err(|why| {
            trouble.met(&why);
            StoreError::Unavailable
        })?;
        trouble.over();
    }
    Ok(())
}

/// One deferred transaction: in WAL mode its first read fixes the view.
fn read(readers: &Readers, work: Work) -> StoreResult<()> {
    let mut conn = readers.get().map_err(|_| StoreError::Busy)?;
    conn.transaction(|conn| guarded(work, &mut repo::Repos { conn, writes: false })).map_err(UnitFailure::into_error)
}

/// Migrates in one immediate transaction: a second process waits and finds nothing left to do.
pub fn migrate(path: &Path) -> Result<Vec<String>, OpenError> {
    change_schema(path, |conn| {
        let done = advance(conn, MIGRATIONS)?;
        repo::refill(conn)?;
        Ok(done)
    })
}

fn change_schema(
    path: &Path,
    change: impl FnOnce(&mut Conn) -> Result<Vec<String>, SchemaError>,
) -> Result<Vec<String>, OpenError> {
    let mut conn = setup::connect(path, Access::Write)?;
    unbound(&mut conn, change).map_err(|e| e.on(ENGINE))
}

/// Changes the schema in one transaction, with foreign keys off: a table that is made anew is dropped once, which would
/// take the rows that name it along. That is the way SQLite's own pages tell; before the commit every reference is looked
/// up.
fn unbound(
    conn: &mut Conn,
    change: impl FnOnce(&mut Conn) -> Result<Vec<String>, SchemaError>,
) -> Result<Vec<String>, SchemaError> {
    // Has no effect inside a transaction.
    conn.batch_execute("PRAGMA foreign_keys = OFF;")?;
    let done = conn.immediate_transaction(|conn| {
        let done = change(conn)?;
        if !done.is_empty() {
            let dangling = "SELECT \"table\" AS name FROM pragma_foreign_key_check LIMIT 1";
            if let Some(table) = sql_query(dangling).get_result::<Named>(conn).optional()? {
                return Err(SchemaError::Dangling(table.name));
            }
        }
        Ok(done)
    });
    conn.batch_execute("PRAGMA foreign_keys = ON;")?;
    done
}

fn connect_error(e: &impl ToString) -> OpenError {
    OpenError::Connect { engine: ENGINE, reason: e.to_string() }
}

/// One unit of work on a connection that is given, for [`crate::testing::Inline`].
#[cfg(feature = "testing")]
pub fn unit(conn: &mut Conn, work: Work, writes: bool) -> StoreResult<()> {
    // With one connection every view is consistent.
    if !writes {
        return guarded(work, &mut repo::Repos { conn, writes }).map_err(UnitFailure::into_error);
    }
    let say = |conn: &mut Conn, sql| Literal(sql).execute(conn).map_err(|e| UnitFailure::Db(e).into_error());
    say(conn, "SAVEPOINT unit")?;
    let ended = guarded(work, &mut repo::Repos { conn, writes });
    if ended.is_err() {
        say(conn, "ROLLBACK TO unit")?;
    }
    say(conn, "RELEASE unit")?;
    ended.map_err(UnitFailure::into_error)
}

/// Date, half hour, and what is taken of mates and of each class of trucks, where it is not nothing.
#[cfg(feature = "testing")]
pub fn taken(conn: &mut Conn, hub: &str) -> diesel::QueryResult<Vec<(chrono::NaiveDate, i32, [i32; 4])>> {
    use crate::schema::capacity_buckets as b;
    use diesel::{BoolExpressionMethods as _, ExpressionMethods as _, QueryDsl as _};
    let some = b::mates_used.ne(0).or(b::trucks_10_used.ne(0)).or(b::trucks_20_used.ne(0)).or(b::trucks_26_used.ne(0));
    let rows = b::table
        .filter(b::hub.eq(hub))
        .filter(some)
        .select((b::date, b::bucket, b::mates_used, b::trucks_10_used, b::trucks_20_used, b::trucks_26_used))
        .load::<(_, _, i32, i32, i32, i32)>(conn)?;
    Ok(rows.into_iter().map(|(date, n, mates, a, b, c)| (date, n, [mates, a, b, c])).collect())
}

/// A migrated database in memory, with this one connection.
#[cfg(feature = "testing")]
pub fn memory() -> Result<Conn, OpenError> {
    let mut conn = Conn::establish(":memory:").map_err(|e| connect_error(&e))?;
    setup::in_memory(&mut conn).map_err(|e| connect_error(&e))?;
    let failed = |reason: String| OpenError::Migrate { engine: "sqlite", reason };
    unbound(&mut conn, |conn| advance(conn, MIGRATIONS)).map_err(|e| failed(e.to_string()))?;
    setup::spell_out_lists(&mut conn).map_err(|e| failed(e.to_string()))?;
    Ok(conn)
}

/// For the schema dump.
pub fn reader(path: &Path) -> Result<Conn, OpenError> {
    setup::connect(path, Access::Read)
}
