//! Pages of lists of bookings, each from a row on.

use diesel::prelude::*;
use kernel::{BookingId, UserId};
use service::ports::{
    StoreResult,
    bookings::Booking,
    lists::{Cursor, Listing, Order, Slice, Start},
};

use super::super::Conn;
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::bookings::BookingRow,
    schema::{booking_facts, bookings},
    statement::Unassigned,
};

const TABLE: &str = "booking_facts";

type Engine = <Conn as diesel::Connection>::Backend;

/// The rows after `start` in its order. `at >= x AND (at > x OR id > y)` and not `at > x OR (at = x AND id > y)`: the
/// first condition is one both engines begin to read the index at.
macro_rules! paged {
    ($query:expr, $start:expr, $at:path, $id:path) => {{
        let mut query = $query;
        let descending = matches!($start.order(), Order::MoveAtDescending | Order::CreatedAtDescending);
        if let Start::After(cursor) = $start {
            let (at, id) = (Instant(cursor.at), Id(cursor.id.0));
            query = if descending {
                query.filter($at.le(at)).filter($at.lt(at).or($id.lt(id)))
            } else {
                query.filter($at.ge(at)).filter($at.gt(at).or($id.gt(id)))
            };
        }
        if descending { query.order(($at.desc(), $id.desc())) } else { query.order(($at.asc(), $id.asc())) }
    }};
}

fn by_move(order: Order) -> bool {
    matches!(order, Order::MoveAt | Order::MoveAtDescending)
}

/// One row more than asked for tells whether there is a next page.
fn slice(mut rows: Vec<BookingRow>, order: Order, limit: usize) -> StoreResult<Slice<Booking>> {
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(|last| Cursor {
        order,
        at: if by_move(order) { last.move_at.0 } else { last.created_at.0 },
        id: BookingId(last.id.0),
    });
    Ok(Slice { data: rows.into_iter().map(BookingRow::read).collect::<StoreResult<_>>()?, next })
}

/// Rows asked for, and one more.
fn sizes(limit: i64) -> (usize, i64) {
    let limit = limit.max(1);
    (usize::try_from(limit).unwrap_or(usize::MAX), limit.saturating_add(1))
}

pub fn listed(conn: &mut Conn, wanted: &Listing, start: Start, limit: i64) -> StoreResult<Slice<Booking>> {
    let mut query =
        booking_facts::table.inner_join(bookings::table).select(BookingRow::as_select()).into_boxed::<Engine>();
    query = if wanted.statuses.is_empty() {
        query.filter(booking_facts::status.ne("deleted"))
    } else {
        query.filter(booking_facts::status.eq_any(wanted.statuses.iter().map(|s| s.code())))
    };
    if !wanted.payment_states.is_empty() {
        query = query.filter(booking_facts::payment_state.eq_any(wanted.payment_states.iter().map(|s| s.code())));
    }
    query = match wanted.unassigned {
        Some(true) => query.filter(Unassigned),
        Some(false) => query.filter(diesel::dsl::not(Unassigned)),
        None => query,
    };
    if let Some(from) = wanted.moves_from {
        query = query.filter(booking_facts::move_at.ge(Instant(from)));
    }
    if let Some(before) = wanted.moves_before {
        query = query.filter(booking_facts::move_at.lt(Instant(before)));
    }
    let query = if by_move(start.order()) {
        paged!(query, start, booking_facts::move_at, booking_facts::booking_id)
    } else {
        paged!(query, start, booking_facts::created_at, booking_facts::booking_id)
    };
    let (limit, one_more) = sizes(limit);
    let rows: Vec<BookingRow> = query.limit(one_more).load(conn).map_err(fault(TABLE))?;
    slice(rows, start.order(), limit)
}

pub fn of_user(conn: &mut Conn, user: UserId, start: Start, limit: i64) -> StoreResult<Slice<Booking>> {
    let query = bookings::table
        .filter(bookings::user_id.eq(Id(user.0)))
        .filter(bookings::status.ne("deleted"))
        .select(BookingRow::as_select())
        .into_boxed::<Engine>();
    let query = if by_move(start.order()) {
        paged!(query, start, bookings::move_at, bookings::id)
    } else {
        paged!(query, start, bookings::created_at, bookings::id)
    };
    let (limit, one_more) = sizes(limit);
    let rows: Vec<BookingRow> = query.limit(one_more).load(conn).map_err(fault("bookings"))?;
    slice(rows, start.order(), limit)
}
