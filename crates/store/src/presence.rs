//! Which processes live on a PostgreSQL database: each holds an advisory lock of its session, which
//! the server ends with the connection, however the process ends.
//!
//! SQLite needs none of this: one server has its folder, and says so with a lock file.

use std::{thread::sleep, time::Duration};

use diesel::{QueryableByName, RunQueryDsl, connection::SimpleConnection, result::QueryResult, sql_query, sql_types::{BigInt, Bool}};

use crate::{
    OpenError,
    engine::postgres::{Conn, connect},
    open::Target,
};

/// Names the lock of living processes ("portlive" in ASCII).
const LIVING: i64 = 0x706f_7274_6c69_7665;

/// The server notices a killed process when it next looks at its connection, which is at once but
/// not the same instant.
const LOOKS: u32 = 4;
const BETWEEN_LOOKS: Duration = Duration::from_millis(75);

/// A process says that it lives, until this value is dropped.
pub struct Presence {
    conn: Conn,
    alone: bool,
}

#[derive(QueryableByName)]
struct Answer {
    #[diesel(sql_type = Bool)]
    taken: bool,
}

impl Presence {
    /// Joins the processes on this database. None on SQLite. Blocks, for some milliseconds, or
    /// while the first of several processes that start together looks after what was left.
    ///
    /// # Errors
    /// [`OpenError`] when the server cannot be reached.
    pub fn join(url: &str) -> Result<Option<Presence>, OpenError> {
        let Target::Postgres(url) = Target::parse(url)? else { return Ok(None) };
        let mut conn = connect(&url)?;
        let failed = |e: diesel::result::Error| OpenError::Connect { engine: "postgres", reason: e.to_string() };
        let alone = first(&mut conn).map_err(failed)?;
        if !alone {
            share(&mut conn).map_err(failed)?;
        }
        Ok(Some(Presence { conn, alone }))
    }

    /// Nobody else lived on this database when this process joined; whoever starts meanwhile waits
    /// for [`Presence::settle`].
    #[must_use]
    pub fn alone(&self) -> bool {
        self.alone
    }

    /// What was left by the dead is looked after: others may join.
    ///
    /// # Errors
    /// [`OpenError`] when the connection was lost.
    pub fn settle(&mut self) -> Result<(), OpenError> {
        if !self.alone {
            return Ok(());
        }
        self.alone = false;
        share(&mut self.conn)
            .and_then(|()| sql_query("SELECT pg_advisory_unlock($1)").bind::<BigInt, _>(LIVING).execute(&mut self.conn))
            .map(drop)
            .map_err(|e| OpenError::Connect { engine: "postgres", reason: e.to_string() })
    }
}

fn first(conn: &mut Conn) -> QueryResult<bool> {
    for look in 0..LOOKS {
        if look > 0 {
            sleep(BETWEEN_LOOKS);
        }
        let asked = sql_query("SELECT pg_try_advisory_lock($1) AS taken").bind::<BigInt, _>(LIVING);
        if asked.get_result::<Answer>(conn)?.taken {
            return Ok(true);
        }
    }
    Ok(false)
}

fn share(conn: &mut Conn) -> QueryResult<()> {
    conn.batch_execute(&format!("SELECT pg_advisory_lock_shared({LIVING})"))
}
