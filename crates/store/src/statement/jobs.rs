//! The statements of the queue: which job is next, and several jobs at once.

use std::slice;

use diesel::{
    RunQueryDsl,
    backend::Backend,
    expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping, is_aggregate},
    query_builder::{AstPass, QueryFragment, QueryId},
    result::QueryResult,
    serialize::ToSql,
    sql_types::{Bool, HasSqlType, Integer, Nullable, Text},
};
use service::ports::jobs::Kinds;

use super::{Queued, Running};
use crate::{
    columns::{Doc, Id, Instant, SqlDoc, SqlId, SqlInstant},
    rows::jobs::NewJobRow,
    schema::jobs,
};

/// Jobs of these kinds; as text, so that the statement stays prepared: a list of parameters never does.
#[derive(Debug, Clone, Copy)]
pub struct OfKinds(pub Kinds);

impl Expression for OfKinds {
    type SqlType = Bool;
}

impl<DB: Backend> QueryFragment<DB> for OfKinds {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.push(&mut out);
        Ok(())
    }
}

impl OfKinds {
    fn push<DB: Backend>(self, out: &mut AstPass<'_, '_, DB>) {
        let Kinds::Only(kinds) = self.0 else { return out.push_sql("1 = 1") };
        out.push_sql("jobs.kind IN ");
        for (n, kind) in kinds.iter().enumerate() {
            out.push_sql(if n == 0 { "('" } else { "', '" });
            // The program's own words; a quote in one of them would be a mistake of ours.
            out.push_sql(kind);
        }
        out.push_sql("')");
    }
}

impl QueryId for OfKinds {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl AppearsOnTable<jobs::table> for OfKinds {}
impl SelectableExpression<jobs::table> for OfKinds {}

impl<G> ValidGrouping<G> for OfKinds {
    type IsAggregate = is_aggregate::Never;
}

/// The one job to be claimed next: of those whose worker lost its lease the longest ago, else of those that wait
/// and are due the oldest. None that lost so many workers that it pauses, and none that somebody else is claiming.
#[derive(Debug, Clone, Copy)]
pub struct Next {
    pub kinds: OfKinds,
    /// The business clock: what is due.
    pub now: Instant,
    /// Real time: leases, and what is held back.
    pub wall: Instant,
    /// As many lost workers make it pause.
    pub lost: i32,
    /// How the engine locks the row it finds, and passes over locked ones.
    pub locking: &'static str,
}

impl Expression for Next {
    type SqlType = Bool;
}

impl<DB> QueryFragment<DB> for Next
where
    DB: Backend + HasSqlType<Integer> + HasSqlType<SqlInstant>,
    i32: ToSql<Integer, DB>,
    Instant: ToSql<SqlInstant, DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql("jobs.id = COALESCE((SELECT jobs.id FROM jobs WHERE ");
        Running.walk_ast(out.reborrow())?;
        out.push_sql(" AND ");
        self.kinds.walk_ast(out.reborrow())?;
        out.push_sql(" AND jobs.locked_until <= ");
        out.push_bind_param::<SqlInstant, _>(&self.wall)?;
        out.push_sql(" AND jobs.attempts - jobs.failures < ");
        out.push_bind_param::<Integer, _>(&self.lost)?;
        out.push_sql(" ORDER BY jobs.locked_until, jobs.seq LIMIT 1");
        out.push_sql(self.locking);
        out.push_sql("), (");
        match self.kinds.0 {
            // Locked rows are passed over: each kind by itself would lock one that is not taken.
            Kinds::Only([first, others @ ..]) if self.locking.is_empty() => {
                out.push_sql("SELECT id FROM (SELECT * FROM (");
                self.due(Kinds::Only(slice::from_ref(first)), out.reborrow())?;
                for kind in others {
                    out.push_sql(") UNION ALL SELECT * FROM (");
                    self.due(Kinds::Only(slice::from_ref(kind)), out.reborrow())?;
                }
                out.push_sql(")) AS due ORDER BY run_at, seq LIMIT 1");
            }
            kinds => {
                out.push_sql("SELECT id FROM (");
                self.due(kinds, out.reborrow())?;
                out.push_sql(") AS due");
            }
        }
        out.push_sql("))");
        Ok(())
    }
}

impl Next {
    /// The job of these kinds that waits and is due the oldest. In the order of an index where it is one kind: what is due
    /// of the others is not gone through.
    fn due<'b, DB>(&'b self, kinds: Kinds, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()>
    where
        DB: Backend + HasSqlType<SqlInstant>,
        Instant: ToSql<SqlInstant, DB>,
    {
        out.push_sql("SELECT jobs.id, jobs.run_at, jobs.seq FROM jobs WHERE ");
        Queued.walk_ast(out.reborrow())?;
        out.push_sql(" AND ");
        OfKinds(kinds).push(&mut out);
        out.push_sql(" AND jobs.run_at <= ");
        out.push_bind_param::<SqlInstant, _>(&self.now)?;
        out.push_sql(" AND (jobs.held_until IS NULL OR jobs.held_until <= ");
        out.push_bind_param::<SqlInstant, _>(&self.wall)?;
        out.push_sql(") ORDER BY jobs.run_at, jobs.seq LIMIT 1");
        out.push_sql(self.locking);
        Ok(())
    }
}

impl QueryId for Next {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl AppearsOnTable<jobs::table> for Next {}

impl<G> ValidGrouping<G> for Next {
    type IsAggregate = is_aggregate::Never;
}

/// Queues jobs; the queued job of the same key becomes the new one, and keeps its id. Kept prepared for each
/// number of rows. No two rows may have the same key.
#[derive(Clone, Copy)]
pub struct Enqueued<'a>(pub &'a [NewJobRow]);

const QUEUE: &str = "INSERT INTO jobs (id, kind, payload, run_at, dedup_key, attempts, failures, max_attempts, state, \
    last_error, held_until) VALUES ";
const MOVE: &str = " ON CONFLICT (dedup_key) WHERE state = 'queued' DO UPDATE SET kind = excluded.kind, \
    payload = excluded.payload, run_at = excluded.run_at, attempts = excluded.attempts, \
    failures = excluded.failures, max_attempts = excluded.max_attempts, last_error = excluded.last_error, \
    held_until = excluded.held_until";

impl<DB> QueryFragment<DB> for Enqueued<'_>
where
    DB: Backend
        + HasSqlType<Text>
        + HasSqlType<Integer>
        + HasSqlType<SqlId>
        + HasSqlType<SqlDoc>
        + HasSqlType<SqlInstant>,
    str: ToSql<Text, DB>,
    String: ToSql<Text, DB>,
    i32: ToSql<Integer, DB>,
    Id: ToSql<SqlId, DB>,
    Doc: ToSql<SqlDoc, DB>,
    Instant: ToSql<SqlInstant, DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql(QUEUE);
        for (n, job) in self.0.iter().enumerate() {
            out.push_sql(if n == 0 { "(" } else { ", (" });
            out.push_bind_param::<SqlId, _>(&job.id)?;
            out.push_sql(", ");
            out.push_bind_param::<Text, _>(&job.kind)?;
            out.push_sql(", ");
            out.push_bind_param::<SqlDoc, _>(&job.payload)?;
            out.push_sql(", ");
            out.push_bind_param::<SqlInstant, _>(&job.run_at)?;
            out.push_sql(", ");
            out.push_bind_param::<Nullable<Text>, _>(&job.dedup_key)?;
            for number in [&job.attempts, &job.failures, &job.max_attempts] {
                out.push_sql(", ");
                out.push_bind_param::<Integer, _>(number)?;
            }
            out.push_sql(", ");
            out.push_bind_param::<Text, _>(job.state)?;
            out.push_sql(", ");
            out.push_bind_param::<Nullable<Text>, _>(&job.last_error)?;
            out.push_sql(", ");
            out.push_bind_param::<Nullable<SqlInstant>, _>(&job.held_until)?;
            out.push_sql(")");
        }
        out.push_sql(MOVE);
        Ok(())
    }
}

impl QueryId for Enqueued<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Conn> RunQueryDsl<Conn> for Enqueued<'_> {}
