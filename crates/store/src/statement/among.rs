//! `column IN (keys)` that is kept prepared where there is one key.

use diesel::{
    backend::Backend,
    expression::{AppearsOnTable, Expression, SelectableExpression, ValidGrouping, is_aggregate},
    query_builder::{AstPass, QueryFragment, QueryId},
    result::QueryResult,
};

/// A condition: the column is one of some keys (a slice). On SQLite each key is a parameter, so that the text of the statement
/// depends on their number, and diesel does not keep it prepared. With one key, which is the usual case, this is an equation, and
/// the statement stays prepared.
macro_rules! among {
    ($column:expr, $keys:expr) => {
        match $keys {
            [key] => $crate::statement::Among::One($column.eq(key)),
            keys => $crate::statement::Among::Some($column.eq_any(keys)),
        }
    };
}
pub(crate) use among;

/// See [`among!`].
#[derive(Debug, Clone, Copy)]
pub enum Among<O, S> {
    One(O),
    Some(S),
}

impl<O, S> Expression for Among<O, S>
where
    O: Expression,
{
    /// Of a column that may be null, this may be null.
    type SqlType = O::SqlType;
}

impl<DB: Backend, O: QueryFragment<DB>, S: QueryFragment<DB>> QueryFragment<DB> for Among<O, S> {
    fn walk_ast<'b>(&'b self, out: AstPass<'_, 'b, DB>) -> QueryResult<()> {
        match self {
            Among::One(one) => one.walk_ast(out),
            Among::Some(some) => some.walk_ast(out),
        }
    }
}

impl<O, S> QueryId for Among<O, S> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<T, O, S> AppearsOnTable<T> for Among<O, S>
where
    O: AppearsOnTable<T>,
    S: AppearsOnTable<T>,
{
}

impl<T, O, S> SelectableExpression<T> for Among<O, S>
where
    O: SelectableExpression<T>,
    S: SelectableExpression<T>,
{
}

impl<G, O, S> ValidGrouping<G> for Among<O, S> {
    type IsAggregate = is_aggregate::Never;
}
