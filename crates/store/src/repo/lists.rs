//! Pages of lists of bookings, each from a row on.

use std::collections::HashMap;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use diesel::{
    dsl::{IntoBoxed, Select, count},
    prelude::*,
};
use kernel::{BookingId, UserId};
use service::ports::{
    StoreResult,
    bookings::Booking,
    lists::{Counted, Cursor, Listing, Mark, Order, Slice, Start},
};

use super::super::Conn;
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::{bookings::BookingRow, parse},
    schema::{booking_facts, booking_words, bookings},
    statement::{Unassigned, among},
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

/// The columns of a row's place: key, start, when it was booked, status.
type Place = (Id, Instant, Instant, String);
type PlaceColumns =
    (booking_facts::booking_id, booking_facts::move_at, booking_facts::created_at, booking_facts::status);
type Narrowed<'a> = IntoBoxed<'a, Select<booking_facts::table, PlaceColumns>, Engine>;

/// A column between two values, as far as they are given.
macro_rules! within {
    ($query:ident, $span:expr, $column:path, $as:expr) => {
        if let Some(least) = $span.least {
            $query = $query.filter($column.ge($as(least)));
        }
        if let Some(most) = $span.most {
            $query = $query.filter($column.le($as(most)));
        }
    };
}

/// A column that has a value, if one is asked for.
macro_rules! equal {
    ($query:ident, $wanted:expr, $column:path) => {
        if let Some(wanted) = $wanted {
            $query = $query.filter($column.eq(wanted));
        }
    };
}

/// A number beyond what a column holds is beyond all of its values.
fn int(n: u32) -> i32 {
    i32::try_from(n).unwrap_or(i32::MAX)
}

fn day(date: NaiveDate) -> NaiveDate {
    date
}

/// What is wanted, by the narrow rows alone.
fn narrowed(wanted: &Listing) -> Narrowed<'_> {
    use booking_facts as f;
    let mut query = f::table.select((f::booking_id, f::move_at, f::created_at, f::status)).into_boxed::<Engine>();
    query = if wanted.statuses.is_empty() {
        query.filter(f::status.ne("deleted"))
    } else {
        query.filter(f::status.eq_any(wanted.statuses.iter().map(|s| s.code())))
    };
    if !wanted.payment_states.is_empty() {
        query = query.filter(f::payment_state.eq_any(wanted.payment_states.iter().map(|s| s.code())));
    }
    if !wanted.paid_by.is_empty() {
        query = query.filter(f::paid_by.eq_any(wanted.paid_by.iter().map(|by| by.code())));
    }
    if !wanted.kinds.is_empty() {
        query = query.filter(f::move_kind.eq_any(wanted.kinds.iter().map(|k| k.code())));
    }
    query = match wanted.unassigned {
        Some(true) => query.filter(Unassigned),
        Some(false) => query.filter(diesel::dsl::not(Unassigned)),
        None => query,
    };
    for word in &wanted.words {
        query =
            match wanted.whole_words {
                true => query.filter(f::booking_id.eq_any(
                    booking_words::table.filter(booking_words::word.eq(word)).select(booking_words::booking_id),
                )),
                // Every text that begins with it is between it and itself with the last of all characters.
                false => query.filter(
                    f::booking_id.eq_any(
                        booking_words::table
                            .filter(booking_words::word.ge(word))
                            .filter(booking_words::word.lt(format!("{word}\u{10ffff}")))
                            .select(booking_words::booking_id),
                    ),
                ),
            };
    }
    if let Some((date, time)) = wanted.slot {
        query = query.filter(f::move_date.eq(date)).filter(f::move_time.eq(time));
    }
    let (from, before) = around(wanted);
    if let Some(from) = from {
        query = query.filter(f::move_at.ge(Instant(from)));
    }
    if let Some(before) = before {
        query = query.filter(f::move_at.lt(Instant(before)));
    }
    if let Some(from) = wanted.created_from {
        query = query.filter(f::created_at.ge(Instant(from)));
    }
    if let Some(before) = wanted.created_before {
        query = query.filter(f::created_at.lt(Instant(before)));
    }
    within!(query, wanted.days, f::move_date, day);
    within!(query, wanted.distance_km10, f::distance_km10, int);
    within!(query, wanted.duration, f::duration_minutes, int);
    within!(query, wanted.mates, f::mate_count, int);
    within!(query, wanted.tiers, f::tier, int);
    equal!(query, wanted.partner.map(|p| Some(Id(p.0))), f::partner_id);
    equal!(query, wanted.ride_along, f::ride_along);
    equal!(query, wanted.just_mates, f::just_mates);
    equal!(query, wanted.client_as_mate, f::client_as_mate);
    equal!(query, wanted.province.map(|p| p.code()), f::province);
    equal!(query, wanted.hub.as_deref(), f::hub);
    query
}

/// Between which instants the moves begin. Local days say it within a day, in every zone: the index is by instants.
fn around(wanted: &Listing) -> (Option<DateTime<Utc>>, Option<DateTime<Utc>>) {
    let midnight = |date: NaiveDate, days: i64| {
        date.checked_add_signed(Duration::days(days)).map(|d| d.and_time(NaiveTime::MIN).and_utc())
    };
    let first = wanted.days.least.or(wanted.slot.map(|s| s.0)).and_then(|d| midnight(d, -1));
    let last = wanted.days.most.or(wanted.slot.map(|s| s.0)).and_then(|d| midnight(d, 2));
    let earliest = [wanted.moves_from, first].into_iter().flatten().max();
    (earliest, [wanted.moves_before, last].into_iter().flatten().min())
}

/// The places of a list's rows, from one of them on.
fn places(conn: &mut Conn, wanted: &Listing, start: Start, skip: i64, limit: i64) -> StoreResult<Vec<Place>> {
    let query = narrowed(wanted);
    let query = if by_move(start.order()) {
        paged!(query, start, booking_facts::move_at, booking_facts::booking_id)
    } else {
        paged!(query, start, booking_facts::created_at, booking_facts::booking_id)
    };
    query.offset(skip.max(0)).limit(limit.max(0)).load(conn).map_err(fault(TABLE))
}

pub fn listed(conn: &mut Conn, wanted: &Listing, start: Start, limit: i64) -> StoreResult<Slice<Booking>> {
    let (limit, one_more) = sizes(limit);
    let mut places = places(conn, wanted, start, 0, one_more)?;
    let more = places.len() > limit;
    places.truncate(limit);
    let order = start.order();
    let next = places.last().filter(|_| more).map(|(id, move_at, created_at, _)| Cursor {
        order,
        at: if by_move(order) { move_at.0 } else { created_at.0 },
        id: BookingId(id.0),
    });
    Ok(Slice { data: in_order(conn, places.iter().map(|p| p.0).collect())?, next })
}

pub fn listed_beyond(
    conn: &mut Conn,
    wanted: &Listing,
    order: Order,
    skip: i64,
    limit: i64,
) -> StoreResult<Vec<Booking>> {
    let places = places(conn, wanted, Start::First(order), skip, limit)?;
    in_order(conn, places.iter().map(|p| p.0).collect())
}

pub fn counted(conn: &mut Conn, wanted: &Listing, most: i64) -> StoreResult<Counted> {
    // By its index, no further than the first row that is not counted.
    let beyond = places(conn, wanted, Start::First(Order::MoveAtDescending), most, 1)?;
    if !beyond.is_empty() {
        return Ok(Counted { total: most, is_exact: false });
    }
    let query = narrowed(wanted);
    let total = query.select(count(booking_facts::booking_id)).first(conn).map_err(fault(TABLE))?;
    Ok(Counted { total, is_exact: true })
}

pub fn marked(conn: &mut Conn, wanted: &Listing, limit: i64) -> StoreResult<Vec<Mark>> {
    let places = places(conn, wanted, Start::First(Order::MoveAtDescending), 0, limit)?;
    let mark = |(id, move_at, _, status): Place| {
        let status = parse(&status, TABLE, "status", &id.0)?;
        Ok(Mark { id: BookingId(id.0), move_at: move_at.0, status })
    };
    places.into_iter().map(mark).collect()
}

pub fn of_ids(conn: &mut Conn, ids: &[BookingId]) -> StoreResult<Vec<Booking>> {
    in_order(conn, ids.iter().map(|id| Id(id.0)).collect())
}

/// The bookings of these keys, in their order.
fn in_order(conn: &mut Conn, ids: Vec<Id>) -> StoreResult<Vec<Booking>> {
    let rows: Vec<BookingRow> = bookings::table
        .filter(among!(bookings::id, &ids[..]))
        .select(BookingRow::as_select())
        .load(conn)
        .map_err(fault("bookings"))?;
    let mut by_id: HashMap<Id, BookingRow> = rows.into_iter().map(|row| (row.id, row)).collect();
    ids.iter().filter_map(|id| by_id.remove(id)).map(BookingRow::read).collect()
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
