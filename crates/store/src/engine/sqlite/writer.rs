//! The one writer: a thread with a bounded queue. What waits shares one IMMEDIATE transaction, a
//! savepoint each, and one commit; nobody is answered before it. Sharing is faster than a commit
//! each and fairer than connections that poll for a lock.

use std::{
    collections::VecDeque,
    future::Future,
    path::{Path, PathBuf},
    thread::{self, JoinHandle},
};

use diesel::{
    Connection,
    connection::{AnsiTransactionManager, TransactionManager},
};
use service::ports::{
    StoreError, StoreResult,
    store::{Size, Work},
};
use tokio::sync::{mpsc, oneshot};

use super::{
    Conn, repo,
    setup::{self, Access},
};
use crate::{
    engine::{UnitFailure, closed, guarded},
    error::is_contention,
    trouble::Trouble,
};

/// Units that share a commit at most.
const BATCH: usize = 128;

type Manager = AnsiTransactionManager;
type ReplySender = oneshot::Sender<StoreResult<()>>;

struct Command {
    work: Work,
    size: Size,
    answer: ReplySender,
}

/// The way to the writer thread; dropping it waits for what was handed in.
pub struct Writer {
    queue: Option<mpsc::Sender<Command>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub fn start(path: PathBuf, conn: Conn, queue: usize, trouble: Trouble) -> std::io::Result<Writer> {
        let (sender, receiver) = mpsc::channel(queue.max(1));
        let work = move || run(&path, conn, receiver, &trouble);
        let thread = thread::Builder::new().name("sqlite-writer".to_owned()).spawn(work)?;
        Ok(Writer { queue: Some(sender), thread: Some(thread) })
    }

    /// Hands a unit in and waits for its commit. A unit whose caller has gone away before it began
    /// is not begun; once begun it is finished.
    pub fn submit(&self, work: Work, size: Size) -> impl Future<Output = StoreResult<()>> + Send + use<> {
        let queue = self.queue.clone();
        async move {
            let (answer, told) = oneshot::channel();
            let queue = queue.ok_or_else(closed)?;
            queue.send(Command { work, size, answer }).await.map_err(|_| closed())?;
            drop(queue);
            told.await.map_err(|_| closed())?
        }
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.queue.take());
        if let Some(thread) = self.thread.take() {
            // A unit of work may hold the last reference to the store; a thread cannot wait for itself.
            if thread.thread().id() != thread::current().id() && thread.join().is_err() {
                tracing::error!("the writer thread panicked");
            }
        }
    }
}

fn run(path: &Path, conn: Conn, mut queue: mpsc::Receiver<Command>, trouble: &Trouble) {
    let mut conn = Some(conn);
    let mut waiting = VecDeque::new();
    while let Some(first) = waiting.pop_front().or_else(|| queue.blocking_recv()) {
        waiting.push_front(first);
        while waiting.len() < BATCH {
            match queue.try_recv() {
                Ok(command) => waiting.push_back(command),
                Err(_) => break,
            }
        }
        let mut usable = match conn.take() {
            Some(conn) => conn,
            None => match setup::connect(path, Access::Write) {
                Ok(conn) => conn,
                Err(e) => {
                    tracing::error!(reason = %e, "the writer cannot reach its database");
                    trouble.met(&e.to_string());
                    waiting.drain(..).for_each(|c| tell(c.answer, Err(StoreError::Busy)));
                    continue;
                }
            },
        };
        let ended_well = match waiting.pop_front_if(|c| c.size == Size::Large) {
            Some(command) => large(&mut usable, command, trouble),
            None => batch(&mut usable, &mut waiting, trouble),
        };
        // A connection whose transaction failed as a whole is not trusted again.
        if ended_well {
            conn = Some(usable);
        }
    }
}

/// Runs what waits in one transaction and answers; false when the transaction itself failed. Then
/// everybody who took part is told to try again, and who has not begun stays in `waiting`.
fn batch(conn: &mut Conn, waiting: &mut VecDeque<Command>, trouble: &Trouble) -> bool {
    if let Err(e) = Manager::begin_transaction_sql(conn, "BEGIN IMMEDIATE") {
        tracing::warn!(reason = %e, "the writer cannot begin");
        waiting.drain(..).for_each(|c| tell(c.answer, Err(StoreError::Busy)));
        return false;
    }
    let mut done: Vec<(ReplySender, StoreResult<()>)> = Vec::with_capacity(waiting.len());
    let mut broken = None;
    while let Some(Command { work, answer, .. }) = waiting.pop_front_if(|c| c.size == Size::Usual) {
        if answer.is_closed() {
            continue;
        }
        let ended = conn.transaction(|conn| {
            let depth = depth(conn);
            let ended = guarded(work, &mut repo::Repos { conn: &mut *conn, writes: true });
            // A panic inside a nested savepoint would leave it open, and the rollback would stop there.
            if depth == self::depth(conn) {
                ended
            } else {
                Err(UnitFailure::Db(diesel::result::Error::BrokenTransactionManager))
            }
        });
        match ended {
            Ok(()) => done.push((answer, Ok(()))),
            Err(UnitFailure::Db(e)) => {
                done.push((answer, Err(StoreError::Busy)));
                broken = Some(e);
                break;
            }
            Err(ended) => done.push((answer, Err(ended.into_error()))),
        }
    }
    let committed = match broken {
        Some(e) => Err(e),
        None => Manager::commit_transaction(conn),
    };
    match committed {
        Ok(()) => {
            done.into_iter().for_each(|(answer, result)| tell(answer, result));
            true
        }
        Err(e) => {
            tracing::error!(reason = %e, "a shared commit failed");
            keep_in_mind(&e, trouble);
            // The connection is dropped, which rolls back what is open.
            for (answer, result) in done {
                tell(answer, result.and(Err(StoreError::Busy)));
            }
            false
        }
    }
}

/// Runs a large unit in a transaction of its own and answers; false when the transaction itself failed. At the end of each
/// statement SQLite goes through what an open savepoint keeps, so that in one twice the rows take four times as long.
fn large(conn: &mut Conn, Command { work, answer, .. }: Command, trouble: &Trouble) -> bool {
    if answer.is_closed() {
        return true;
    }
    if let Err(e) = Manager::begin_transaction_sql(conn, "BEGIN IMMEDIATE") {
        tracing::warn!(reason = %e, "the writer cannot begin");
        tell(answer, Err(StoreError::Busy));
        return false;
    }
    let begun = depth(conn);
    let ended = guarded(work, &mut repo::Repos { conn: &mut *conn, writes: true });
    if depth(conn) != begun {
        // A panic inside a nested savepoint left it open. The connection is dropped, which rolls everything back.
        tell(answer, ended.map_err(UnitFailure::into_error).and(Err(StoreError::Busy)));
        return false;
    }
    let closed = match &ended {
        Ok(()) => Manager::commit_transaction(conn),
        Err(_) => Manager::rollback_transaction(conn),
    };
    match closed {
        Ok(()) => {
            tell(answer, ended.map_err(UnitFailure::into_error));
            true
        }
        Err(e) => {
            tracing::error!(reason = %e, "the end of a large unit failed");
            keep_in_mind(&e, trouble);
            tell(answer, Err(StoreError::Busy));
            false
        }
    }
}

/// A failure that does not pass by itself is told to operators.
fn keep_in_mind(e: &diesel::result::Error, trouble: &Trouble) {
    if !is_contention(e) {
        trouble.met(&in_words(e));
    }
}

/// What the database says when a write fails; a full disk in the words that people use.
pub fn in_words(e: &impl ToString) -> String {
    let told = e.to_string();
    if told.contains("full") { "no space left on its disk".to_owned() } else { told }
}

fn depth(conn: &mut Conn) -> Option<u32> {
    let status = Manager::transaction_manager_status_mut(conn);
    status.transaction_depth().ok().flatten().map(std::num::NonZeroU32::get)
}

fn tell(answer: ReplySender, result: StoreResult<()>) {
    // The caller may have gone away meanwhile.
    let _ = answer.send(result);
}
