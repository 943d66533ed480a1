//! Statements that stay prepared.
//!
//! diesel keeps a statement prepared when its type alone tells that its text is always the same. It
//! takes literal SQL and every UPDATE for something that may differ each time, so those that run
//! most often were parsed and planned anew at each call.

use std::marker::PhantomData;

use diesel::{
    Insertable, RunQueryDsl, Table,
    backend::Backend,
    expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping, is_aggregate},
    query_builder::{AsChangeset, AstPass, InsertStatement, Query, QueryFragment, QueryId},
    result::QueryResult,
    sql_types::Bool,
};
use service::ports::jobs::Kinds;

use crate::schema::jobs;

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
    /// Checkouts whose charge is at the gateway.
    Charging: "checkouts.state = 'charging'";
    /// Holds that run out by themselves.
    Lapsing: "holds.state IN ('active', 'extended')";
    /// Holds that take room.
    Live: "holds.state IN ('active', 'extended', 'converted')";
    /// Holds of a booking.
    Converted: "holds.state = 'converted'";
    /// Accounts of a member's address: addresses are ASCII, so that this is `Email::key()`.
    OfMembersAddress: "lower(accounts.email) = members.email_key";
    /// Jobs that wait.
    Queued: "jobs.state = 'queued'";
    /// The same where the table has no name.
    QueuedTarget: "state = 'queued'";
    /// Jobs that somebody works on.
    Running: "jobs.state = 'running'";
    /// Jobs that were done.
    Done: "jobs.state = 'done'";
    /// Jobs that were given up.
    Dead: "jobs.state = 'dead'";
}

/// Jobs of these kinds; as text, so that the statement stays prepared: a list of parameters never does.
#[derive(Debug, Clone, Copy)]
pub struct OfKinds(pub Kinds);

impl Expression for OfKinds {
    type SqlType = Bool;
}

impl<DB: Backend> QueryFragment<DB> for OfKinds {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        let (word, kinds) = match self.0 {
            Kinds::All => {
                out.push_sql("1 = 1");
                return Ok(());
            }
            Kinds::Only(kinds) => ("IN", kinds),
            Kinds::Except(kinds) => ("NOT IN", kinds),
        };
        out.push_sql("jobs.kind ");
        out.push_sql(word);
        for (n, kind) in kinds.iter().enumerate() {
            out.push_sql(if n == 0 { " ('" } else { "', '" });
            // The program's own words; a quote in one of them would be a mistake of ours.
            out.push_sql(kind);
        }
        out.push_sql("')");
        Ok(())
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
