//! An advisory lock of the session, which the server ends with the connection, however the process
//! ends. A thread of its own looks after the connection: a server that was restarted has forgotten
//! who lives, so whoever does joins again.

use std::{
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread::{self, JoinHandle, sleep},
    time::Duration,
};

use diesel::{
    QueryableByName, RunQueryDsl,
    connection::SimpleConnection,
    result::QueryResult,
    sql_query,
    sql_types::{BigInt, Bool, Double},
};

use crate::{
    OpenError,
    engine::postgres::{Conn, connect},
};

/// Names the lock of living processes ("portlive" in ASCII).
const LIVING: i64 = 0x706f_7274_6c69_7665;

/// The server notices a killed process when it next looks at its connection, which is at once but
/// not the same instant.
const LOOKS: u32 = 4;
const BETWEEN_LOOKS: Duration = Duration::from_millis(75);
/// How often a living process looks whether its connection still stands.
const BETWEEN_PULSES: Duration = Duration::from_millis(500);
/// A server that runs for less than this may not have heard from all who live.
const REJOINED_AFTER: Duration = Duration::from_secs(2);
/// What the end of a process waits for its connection to close.
const PATIENCE: Duration = Duration::from_secs(2);
const TICK: Duration = Duration::from_millis(5);

/// The connection whose session holds the lock.
pub struct Member {
    url: String,
    conn: Option<Conn>,
    keeper: Option<(Sender<()>, JoinHandle<()>)>,
}

#[derive(QueryableByName)]
struct LockTaken {
    #[diesel(sql_type = Bool)]
    taken: bool,
}

#[derive(QueryableByName)]
struct Age {
    #[diesel(sql_type = Double)]
    seconds: f64,
}

fn failed(e: &diesel::result::Error) -> OpenError {
    OpenError::Connect { engine: "postgres", reason: e.to_string() }
}

impl Member {
    pub fn join(url: &str) -> Result<(Member, bool), OpenError> {
        let mut conn = connect(url)?;
        let alone = first(&mut conn).map_err(|e| failed(&e))?;
        if !alone {
            share(&mut conn).map_err(|e| failed(&e))?;
        }
        Ok((Member { url: url.to_owned(), conn: Some(conn), keeper: None }, alone))
    }

    pub fn settle(&mut self, was_alone: bool) -> Result<(), OpenError> {
        let Some(mut conn) = self.conn.take() else { return Ok(()) };
        if was_alone {
            share(&mut conn).and_then(|()| unlock(&mut conn)).map_err(|e| failed(&e))?;
        }
        let (stop, stopped) = channel();
        let url = self.url.clone();
        let keep = move || keep(&url, Some(conn), &stopped);
        let thread = thread::Builder::new().name("presence".to_owned()).spawn(keep);
        let thread = thread.map_err(|e| OpenError::Connect { engine: "postgres", reason: e.to_string() })?;
        self.keeper = Some((stop, thread));
        Ok(())
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        if let Some((stop, thread)) = self.keeper.take() {
            drop(stop);
            // It ends at once, unless its server hangs: then the end of the process ends it.
            let mut waited = Duration::ZERO;
            while !thread.is_finished() && waited < PATIENCE {
                sleep(TICK);
                waited += TICK;
            }
        }
    }
}

/// Until nobody wants it any more: is the session there? If not, another one joins.
fn keep(url: &str, mut conn: Option<Conn>, stopped: &Receiver<()>) {
    while stopped.recv_timeout(BETWEEN_PULSES) == Err(RecvTimeoutError::Timeout) {
        let stands = conn.as_mut().is_some_and(|c| c.batch_execute("SELECT 1").is_ok());
        if stands {
            continue;
        }
        conn = connect(url).ok().and_then(|mut c| share(&mut c).is_ok().then_some(c));
        if conn.is_some() {
            tracing::warn!("the connection that says that this process lives was lost, and made again");
        }
    }
}

fn first(conn: &mut Conn) -> QueryResult<bool> {
    let up = sql_query("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp() - pg_postmaster_start_time()) AS DOUBLE PRECISION) AS seconds")
        .get_result::<Age>(conn)?;
    sleep(REJOINED_AFTER.saturating_sub(Duration::try_from_secs_f64(up.seconds.max(0.0)).unwrap_or(REJOINED_AFTER)));
    for look in 0..LOOKS {
        if look > 0 {
            sleep(BETWEEN_LOOKS);
        }
        let asked = sql_query("SELECT pg_try_advisory_lock($1) AS taken").bind::<BigInt, _>(LIVING);
        if asked.get_result::<LockTaken>(conn)?.taken {
            return Ok(true);
        }
    }
    Ok(false)
}

fn share(conn: &mut Conn) -> QueryResult<()> {
    conn.batch_execute(&format!("SELECT pg_advisory_lock_shared({LIVING})"))
}

fn unlock(conn: &mut Conn) -> QueryResult<()> {
    sql_query("SELECT pg_advisory_unlock($1)").bind::<BigInt, _>(LIVING).execute(conn).map(drop)
}
