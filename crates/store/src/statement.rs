//! Statements that stay prepared.
//!
//! diesel keeps a statement prepared when its type alone tells that its text is always the same. It
//! takes literal SQL and every UPDATE for something that may differ each time, so those that run
//! most often were parsed and planned anew at each call.

mod among;
mod jobs;
mod words;

use std::marker::PhantomData;

use chrono::NaiveDate;
use diesel::{
    Insertable, RunQueryDsl, Table,
    backend::Backend,
    expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping, is_aggregate},
    query_builder::{AsChangeset, AstPass, InsertStatement, Query, QueryFragment, QueryId},
    result::QueryResult,
    serialize::ToSql,
    sql_types::{Bool, Date, HasSqlType, Integer, Text},
};

pub use self::{
    among::Among,
    jobs::{Enqueued, Next, OfKinds},
    words::NewWords,
};
use crate::schema::capacity_buckets;
pub(crate) use among::among;

/// A pattern of `LIKE … ESCAPE '\\'` for what contains a text: a per cent sign in it is one.
pub fn containing(part: &str) -> String {
    let escaped = part.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    format!("%{escaped}%")
}

/// Conditions as text, not as parameters: the engines must see that a partial index covers them.
/// Each is a type of its own, by which statements are told apart.
macro_rules! conditions {
    ($($(#[$doc:meta])* $name:ident: $sql:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, diesel::query_builder::QueryId)]
        pub struct $name;

        impl diesel::expression::Expression for $name {
            type SqlType = diesel::sql_types::Bool;
        }

        impl<DB: diesel::backend::Backend> diesel::query_builder::QueryFragment<DB> for $name {
            fn walk_ast<'b>(
                &'b self,
                mut out: diesel::query_builder::AstPass<'_, 'b, DB>,
            ) -> diesel::result::QueryResult<()> {
                out.push_sql($sql);
                Ok(())
            }
        }

        impl<T> diesel::expression::AppearsOnTable<T> for $name {}
        impl<T> diesel::expression::SelectableExpression<T> for $name {}

        impl<G> diesel::expression::ValidGrouping<G> for $name {
            type IsAggregate = diesel::expression::is_aggregate::Never;
        }
    )*};
}

conditions! {
    /// Bookings that will take place.
    LiveBooking: "bookings.status IN ('pending', 'assigned')";
    /// Bookings that will take place and have nobody.
    Unassigned: "booking_facts.unassigned";
    /// Bookings of a version that wrote no words.
    Wordless: "booking_facts.words_version = 0";
    /// Checkouts whose charge is at the gateway.
    Charging: "checkouts.state = 'charging'";
    /// Holds that run out by themselves.
    Lapsing: "holds.state IN ('active', 'extended')";
    /// Holds that take room.
    Live: "holds.state IN ('active', 'extended', 'converted')";
    /// Holds of a booking.
    Converted: "holds.state = 'converted'";
    /// Lines of the trust account.
    OfTrust: "ledger_lines.account = 'trust'";
    /// Accounts of a member's address: addresses are ASCII, so that this is `Email::key()`.
    OfMembersAddress: "lower(accounts.email) = members.email_key";
    /// Text messages of which more will be told.
    OpenSends: "NOT sms_sends.is_over";
    /// Jobs that wait.
    Queued: "jobs.state = 'queued'";
    /// Jobs that somebody works on.
    Running: "jobs.state = 'running'";
    /// Jobs that were done.
    Done: "jobs.state = 'done'";
    /// Jobs that were given up.
    Dead: "jobs.state = 'dead'";
}

/// `UPDATE table SET changes WHERE condition`: as [`diesel::update`], but kept prepared, by its text. For
/// changes whose text is always the same: no field of them is left out when it is `None`.
pub fn update<T, C, W>(table: T, condition: W, changes: C) -> Update<T, C::Changeset, W>
where
    T: Table,
    C: AsChangeset<Target = T>,
    W: AppearsOnTable<T> + Expression<SqlType = Bool>,
{
    Update { table: table.from_clause(), target: PhantomData, changes: changes.as_changeset(), condition }
}

/// See [`update`].
pub struct Update<T: Table, C, W> {
    table: T::FromClause,
    target: PhantomData<T>,
    changes: C,
    condition: W,
}

impl<T: Table, C, W> Update<T, C, W> {
    /// With what is read of the rows that were changed.
    pub fn returning<R: SelectableExpression<T>>(self, columns: R) -> Returning<Self, R> {
        Returning { update: self, columns }
    }
}

impl<DB, T, C, W> QueryFragment<DB> for Update<T, C, W>
where
    DB: Backend,
    T: Table,
    T::FromClause: QueryFragment<DB>,
    C: QueryFragment<DB>,
    W: QueryFragment<DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql("UPDATE ");
        self.table.walk_ast(out.reborrow())?;
        out.push_sql(" SET ");
        self.changes.walk_ast(out.reborrow())?;
        out.push_sql(" WHERE ");
        self.condition.walk_ast(out)
    }
}

impl<T: Table, C, W> QueryId for Update<T, C, W> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<T: Table, C, W, Conn> RunQueryDsl<Conn> for Update<T, C, W> {}

/// See [`Update::returning`].
pub struct Returning<U, R> {
    update: U,
    columns: R,
}

impl<DB: Backend, U: QueryFragment<DB>, R: QueryFragment<DB>> QueryFragment<DB> for Returning<U, R> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.update.walk_ast(out.reborrow())?;
        out.push_sql(" RETURNING ");
        self.columns.walk_ast(out)
    }
}

impl<U, R> QueryId for Returning<U, R> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<U, R: Expression> Query for Returning<U, R> {
    type SqlType = R::SqlType;
}

impl<U, R, Conn> RunQueryDsl<Conn> for Returning<U, R> {}

/// `INSERT INTO table … ON CONFLICT (target) DO UPDATE SET changes`, kept prepared, by its text.
pub fn upsert<T, V, C>(
    table: T,
    row: V,
    target: &'static [&'static str],
    changes: C,
) -> Upsert<InsertStatement<T, V::Values>, C::Changeset>
where
    T: Table,
    V: Insertable<T>,
    C: AsChangeset<Target = T>,
{
    Upsert { insert: diesel::insert_into(table).values(row), target, changes: changes.as_changeset() }
}

/// See [`upsert`].
pub struct Upsert<I, C> {
    insert: I,
    target: &'static [&'static str],
    changes: C,
}

impl<DB: Backend, I: QueryFragment<DB>, C: QueryFragment<DB>> QueryFragment<DB> for Upsert<I, C> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.insert.walk_ast(out.reborrow())?;
        out.push_sql(" ON CONFLICT (");
        for (n, column) in self.target.iter().enumerate() {
            if n > 0 {
                out.push_sql(", ");
            }
            out.push_identifier(column)?;
        }
        out.push_sql(") DO UPDATE SET ");
        self.changes.walk_ast(out)
    }
}

impl<I, C> QueryId for Upsert<I, C> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<I, C, Conn> RunQueryDsl<Conn> for Upsert<I, C> {}

/// `INSERT INTO table … ON CONFLICT DO NOTHING`, kept prepared, by its text: one row was written, or it was there.
pub fn unless_there<T, V>(table: T, row: V) -> UnlessThere<InsertStatement<T, V::Values>>
where
    T: Table,
    V: Insertable<T>,
{
    UnlessThere(diesel::insert_into(table).values(row))
}

/// See [`unless_there`].
pub struct UnlessThere<I>(I);

impl<DB: Backend, I: QueryFragment<DB>> QueryFragment<DB> for UnlessThere<I> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        self.0.walk_ast(out.reborrow())?;
        out.push_sql(" ON CONFLICT DO NOTHING");
        Ok(())
    }
}

impl<I> QueryId for UnlessThere<I> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<I, Conn> RunQueryDsl<Conn> for UnlessThere<I> {}

/// A question of one parameter, kept prepared: what stands before it, the parameter, what stands after it.
#[derive(Debug, Clone, Copy)]
pub struct OneParameterQuery<'a>(pub &'static str, pub &'a str, pub &'static str);

impl<DB> QueryFragment<DB> for OneParameterQuery<'_>
where
    DB: Backend + HasSqlType<Text>,
    str: ToSql<Text, DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql(self.0);
        out.push_bind_param::<Text, _>(self.1)?;
        out.push_sql(self.2);
        Ok(())
    }
}

impl QueryId for OneParameterQuery<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Conn> RunQueryDsl<Conn> for OneParameterQuery<'_> {}

/// Whether every half hour of a run is there and has room for what is added.
#[derive(Debug, Clone, Copy)]
pub struct AllFit<'a> {
    pub hub: &'a str,
    pub date: NaiveDate,
    pub first: i32,
    pub last: i32,
    /// Mates, then trucks by class.
    pub columns: [i32; 4],
}

impl Expression for AllFit<'_> {
    type SqlType = Bool;
}

impl<DB> QueryFragment<DB> for AllFit<'_>
where
    DB: Backend + HasSqlType<Text> + HasSqlType<Integer> + HasSqlType<Date>,
    str: ToSql<Text, DB>,
    i32: ToSql<Integer, DB>,
    NaiveDate: ToSql<Date, DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        const COUNTERS: [[&str; 2]; 4] = [
            [" AND other.mates_used + ", " BETWEEN 0 AND other.mates_total"],
            [" AND other.trucks_10_used + ", " BETWEEN 0 AND other.trucks_10_total"],
            [" AND other.trucks_20_used + ", " BETWEEN 0 AND other.trucks_20_total"],
            [" AND other.trucks_26_used + ", " BETWEEN 0 AND other.trucks_26_total"],
        ];
        out.push_sql("(SELECT COUNT(*) FROM capacity_buckets AS other WHERE other.hub = ");
        out.push_bind_param::<Text, _>(self.hub)?;
        out.push_sql(" AND other.date = ");
        out.push_bind_param::<Date, _>(&self.date)?;
        out.push_sql(" AND other.bucket BETWEEN ");
        out.push_bind_param::<Integer, _>(&self.first)?;
        out.push_sql(" AND ");
        out.push_bind_param::<Integer, _>(&self.last)?;
        for ([before, after], n) in COUNTERS.iter().zip(&self.columns) {
            out.push_sql(before);
            out.push_bind_param::<Integer, _>(n)?;
            out.push_sql(after);
        }
        out.push_sql(") = ");
        out.push_bind_param::<Integer, _>(&self.last)?;
        out.push_sql(" - ");
        out.push_bind_param::<Integer, _>(&self.first)?;
        out.push_sql(" + 1");
        Ok(())
    }
}

impl QueryId for AllFit<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl AppearsOnTable<capacity_buckets::table> for AllFit<'_> {}

impl<G> ValidGrouping<G> for AllFit<'_> {
    type IsAggregate = is_aggregate::Never;
}

/// Literal SQL that is kept prepared.
#[cfg(feature = "testing")]
#[derive(Debug, Clone, Copy)]
pub struct Literal(pub &'static str);

#[cfg(feature = "testing")]
impl<DB: Backend> QueryFragment<DB> for Literal {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql(self.0);
        Ok(())
    }
}

#[cfg(feature = "testing")]
impl QueryId for Literal {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

#[cfg(feature = "testing")]
impl<Conn> RunQueryDsl<Conn> for Literal {}
