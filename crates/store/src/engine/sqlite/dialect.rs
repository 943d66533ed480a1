//! What SQLite says in its own way. Write transactions are IMMEDIATE and there is one writer, so a
//! row that was read cannot change before the commit: locking is a plain SELECT.

use diesel::prelude::*;

use service::ports::jobs::Kinds;

use super::{Conn, repo::Span};
use crate::{
    columns::{Id, Instant},
    rows::{
        bookings::BookingRow,
        capacities::{BucketRow, HoldRow},
        discounts::DiscountRow,
        identity::AccountRow,
        tokens::{GrantRow, ThrottleRow},
    },
    schema::{accounts, booking_facts, bookings, capacity_buckets, discounts, grants, holds, jobs, sign_in_throttles},
    statement::{Lapsing, OfKinds, Queued, Running},
};

pub fn lock_booking(conn: &mut Conn, id: Id) -> QueryResult<Option<BookingRow>> {
    bookings::table.find(id).select(BookingRow::as_select()).first(conn).optional()
}

/// The facts of a booking: whether a charge was given up, and where its money stands.
pub fn lock_facts(conn: &mut Conn, id: Id) -> QueryResult<Option<(bool, String)>> {
    booking_facts::table
        .find(id)
        .select((booking_facts::payment_problem, booking_facts::payment_state))
        .first(conn)
        .optional()
}

pub fn lock_hold(conn: &mut Conn, id: Id) -> QueryResult<Option<HoldRow>> {
    holds::table.find(id).select(HoldRow::as_select()).first(conn).optional()
}

/// Live holds of a browser or of an origin, in the order of their ids.
pub fn lock_guests_holds(conn: &mut Conn, browser: &str, origin: &str) -> QueryResult<Vec<HoldRow>> {
    holds::table
        .filter(Lapsing)
        .filter(holds::browser.eq(browser).or(holds::origin.eq(origin)))
        .order(holds::id)
        .select(HoldRow::as_select())
        .load(conn)
}

pub fn lock_account(conn: &mut Conn, id: Id) -> QueryResult<Option<AccountRow>> {
    accounts::table.find(id).select(AccountRow::as_select()).first(conn).optional()
}

pub fn lock_discount(conn: &mut Conn, id: Id) -> QueryResult<Option<DiscountRow>> {
    discounts::table.find(id).select(DiscountRow::as_select()).first(conn).optional()
}

pub fn lock_grant(conn: &mut Conn, id: Id) -> QueryResult<Option<GrantRow>> {
    grants::table.find(id).select(GrantRow::as_select()).first(conn).optional()
}

pub fn lock_throttle(conn: &mut Conn, key: &str) -> QueryResult<ThrottleRow> {
    sign_in_throttles::table.find(key).select(ThrottleRow::as_select()).first(conn)
}

/// The buckets of a span, in ascending order.
pub fn lock_buckets(conn: &mut Conn, hub: &str, span: Span, _: i64) -> QueryResult<Vec<BucketRow>> {
    use capacity_buckets as b;
    let (first, last) = (span.first, span.last);
    b::table
        .filter(b::hub.eq(hub))
        .filter(b::date.between(first.0, last.0))
        .filter(b::date.gt(first.0).or(b::bucket.ge(first.1)))
        .filter(b::date.lt(last.0).or(b::bucket.le(last.1)))
        .order((b::date, b::bucket))
        .select(BucketRow::as_select())
        .load(conn)
}

/// The single writer is the lock.
pub const LOCKING: &str = "";

/// Jobs whose worker lost its lease by `wall`, the longest ago first.
pub fn lapsed(conn: &mut Conn, kinds: Kinds, wall: Instant, max: i64) -> QueryResult<Vec<Id>> {
    jobs::table
        .filter(Running)
        .filter(OfKinds(kinds))
        .filter(jobs::locked_until.le(wall))
        .order((jobs::locked_until, jobs::seq))
        .limit(max)
        .select(jobs::id)
        .load(conn)
}

/// Jobs that wait and are due, the oldest first.
pub fn due(conn: &mut Conn, kinds: Kinds, now: Instant, wall: Instant, max: i64) -> QueryResult<Vec<Id>> {
    jobs::table
        .filter(Queued)
        .filter(OfKinds(kinds))
        .filter(jobs::run_at.le(now))
        .filter(jobs::held_until.is_null().or(jobs::held_until.le(wall)))
        .order((jobs::run_at, jobs::seq))
        .limit(max)
        .select(jobs::id)
        .load(conn)
}

/// The single writer is the lock.
pub fn lock_key(_: &mut Conn, _: &str) -> QueryResult<()> {
    Ok(())
}

/// The same.
pub fn lock_calendar(_: &mut Conn, _: &str, _: bool) -> QueryResult<()> {
    Ok(())
}

/// The same.
pub fn lock_books(_: &mut Conn, _: bool) -> QueryResult<()> {
    Ok(())
}
