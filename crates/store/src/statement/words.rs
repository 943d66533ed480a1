//! The words of a booking, in one statement.

use diesel::{
    RunQueryDsl,
    backend::Backend,
    query_builder::{AstPass, QueryFragment, QueryId},
    result::QueryResult,
    serialize::ToSql,
    sql_types::{HasSqlType, Text},
};

use crate::columns::{Id, SqlId};

/// Adds words to a booking that has none of them, at least one. Kept prepared for each number of words: diesel prepares an
/// INSERT of several rows anew each time.
#[derive(Debug, Clone, Copy)]
pub struct NewWords<'a> {
    pub booking: &'a Id,
    pub words: &'a [&'a str],
}

impl<DB> QueryFragment<DB> for NewWords<'_>
where
    DB: Backend + HasSqlType<Text> + HasSqlType<SqlId>,
    str: ToSql<Text, DB>,
    Id: ToSql<SqlId, DB>,
{
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        out.push_sql("INSERT INTO booking_words (word, booking_id) VALUES ");
        for (n, word) in self.words.iter().enumerate() {
            out.push_sql(if n == 0 { "(" } else { ", (" });
            out.push_bind_param::<Text, _>(*word)?;
            out.push_sql(", ");
            out.push_bind_param::<SqlId, _>(self.booking)?;
            out.push_sql(")");
        }
        Ok(())
    }
}

impl QueryId for NewWords<'_> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<Conn> RunQueryDsl<Conn> for NewWords<'_> {}
