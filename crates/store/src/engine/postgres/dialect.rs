//! What PostgreSQL says in its own way: row locks, SKIP LOCKED, advisory locks.

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
    statement::{Lapsing, OfKinds, OneParameterQuery, Queued, Running},
};

pub fn lock_booking(conn: &mut Conn, id: Id) -> QueryResult<Option<BookingRow>> {
    bookings::table.find(id).select(BookingRow::as_select()).for_update().first(conn).optional()
}

/// The facts of a booking: whether a charge was given up, and where its money stands.
pub fn lock_facts(conn: &mut Conn, id: Id) -> QueryResult<Option<(bool, String)>> {
    booking_facts::table
        .find(id)
        .select((booking_facts::payment_problem, booking_facts::payment_state))
        .for_no_key_update()
        .first(conn)
        .optional()
}

pub fn lock_hold(conn: &mut Conn, id: Id) -> QueryResult<Option<HoldRow>> {
    holds::table.find(id).select(HoldRow::as_select()).for_update().first(conn).optional()
}

/// Live holds of a browser or of an origin, locked in the order of their ids.
pub fn lock_guests_holds(conn: &mut Conn, browser: &str, origin: &str) -> QueryResult<Vec<HoldRow>> {
    holds::table
        .filter(Lapsing)
        .filter(holds::browser.eq(browser).or(holds::origin.eq(origin)))
        .order(holds::id)
        .select(HoldRow::as_select())
        .for_update()
        .load(conn)
}

pub fn lock_account(conn: &mut Conn, id: Id) -> QueryResult<Option<AccountRow>> {
    accounts::table.find(id).select(AccountRow::as_select()).for_no_key_update().first(conn).optional()
}

pub fn lock_discount(conn: &mut Conn, id: Id) -> QueryResult<Option<DiscountRow>> {
    discounts::table.find(id).select(DiscountRow::as_select()).for_no_key_update().first(conn).optional()
}

pub fn lock_grant(conn: &mut Conn, id: Id) -> QueryResult<Option<GrantRow>> {
    grants::table.find(id).select(GrantRow::as_select()).for_update().first(conn).optional()
}

pub fn lock_throttle(conn: &mut Conn, key: &str) -> QueryResult<ThrottleRow> {
    sign_in_throttles::table.find(key).select(ThrottleRow::as_select()).for_update().first(conn)
}

/// The buckets of a span, locked in ascending order: two transactions never wait in a circle. None is locked
/// where one of so many is missing.
pub fn lock_buckets(conn: &mut Conn, hub: &str, span: Span, many: i64) -> QueryResult<Vec<BucketRow>> {
    use capacity_buckets as b;
    let (first, last) = (span.first, span.last);
    let other = diesel::alias!(capacity_buckets as made);
    let made = other
        .filter(other.field(b::hub).eq(hub))
        .filter(other.field(b::date).between(first.0, last.0))
        .filter(other.field(b::date).gt(first.0).or(other.field(b::bucket).ge(first.1)))
        .filter(other.field(b::date).lt(last.0).or(other.field(b::bucket).le(last.1)))
        .count()
        .single_value();
    b::table
        .filter(made.ge(many))
        .filter(b::hub.eq(hub))
        .filter(b::date.between(first.0, last.0))
        .filter(b::date.gt(first.0).or(b::bucket.ge(first.1)))
        .filter(b::date.lt(last.0).or(b::bucket.le(last.1)))
        .order((b::date, b::bucket))
        .select(BucketRow::as_select())
        .for_update()
        .load(conn)
}

/// How a claim passes over jobs that somebody else is claiming.
pub const LOCKING: &str = " FOR UPDATE SKIP LOCKED";

/// Jobs whose worker lost its lease by `wall`, the longest ago first; none that somebody else is claiming right now.
pub fn lapsed(conn: &mut Conn, kinds: Kinds, wall: Instant, max: i64) -> QueryResult<Vec<Id>> {
    jobs::table
        .filter(Running)
        .filter(OfKinds(kinds))
        .filter(jobs::locked_until.le(wall))
        .order((jobs::locked_until, jobs::seq))
        .limit(max)
        .select(jobs::id)
        .for_update()
        .skip_locked()
        .load(conn)
}

/// Jobs that wait and are due, the oldest first; none that somebody else is claiming right now.
pub fn due(conn: &mut Conn, kinds: Kinds, now: Instant, wall: Instant, max: i64) -> QueryResult<Vec<Id>> {
    jobs::table
        .filter(Queued)
        .filter(OfKinds(kinds))
        .filter(jobs::run_at.le(now))
        .filter(jobs::held_until.is_null().or(jobs::held_until.le(wall)))
        .order((jobs::run_at, jobs::seq))
        .limit(max)
        .select(jobs::id)
        .for_update()
        .skip_locked()
        .load(conn)
}

/// One transaction at a time per key, until it ends.
pub fn lock_key(conn: &mut Conn, key: &str) -> QueryResult<()> {
    OneParameterQuery("SELECT pg_advisory_xact_lock(hashtextextended(", key, ", 0))").execute(conn).map(drop)
}

/// The calendar of a hub until the transaction ends: many may make buckets from it, one may change it.
pub fn lock_calendar(conn: &mut Conn, hub: &str, changes: bool) -> QueryResult<()> {
    let lock = if changes {
        "SELECT pg_advisory_xact_lock(hashtextextended('calendar:' || "
    } else {
        "SELECT pg_advisory_xact_lock_shared(hashtextextended('calendar:' || "
    };
    OneParameterQuery(lock, hub, ", 0))").execute(conn).map(drop)
}

/// The books until the transaction ends: many may post at once, one may close a month or reopen it. The triggers of the
/// tables take the same lock.
pub fn lock_books(conn: &mut Conn, changes: bool) -> QueryResult<()> {
    let lock = if changes {
        "SELECT pg_advisory_xact_lock(hashtextextended("
    } else {
        "SELECT pg_advisory_xact_lock_shared(hashtextextended("
    };
    OneParameterQuery(lock, "books", ", 0))").execute(conn).map(drop)
}
