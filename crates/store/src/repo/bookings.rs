//! Bookings. Their history is in `history`, payments under way are in `checkouts`.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::{BookingId, ShortId, UserId};
use service::ports::{
    StoreError, StoreResult,
    bookings::{Booking, Bookings, Page},
    facts::BookingFacts,
    lists::{Counted, Listing, Mark, Order, Slice, Start},
};
use status_machine::booking::Status;

use super::{Repos, checkouts, copies, facts, lists, words};
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::bookings::BookingRow,
    schema::bookings,
    statement::{LiveBooking, update},
};

const TABLE: &str = "bookings";

impl Bookings for Repos<'_> {
    fn insert(&mut self, booking: &Booking) -> StoreResult<()> {
        // DO NOTHING instead of an error: on PostgreSQL an error would end the transaction, and the
        // caller wants to draw another short id and go on.
        let added = diesel::insert_into(bookings::table)
            .values(BookingRow::of(booking)?)
            .on_conflict(bookings::short_id)
            .do_nothing()
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        if added != 1 {
            return Err(StoreError::Duplicate("bookings.short_id".to_owned()));
        }
        copies::begin(self.conn, booking)?;
        facts::begin(self.conn, booking)?;
        words::begin(self.conn, booking)
    }

    fn of_short_id(&mut self, id: &ShortId) -> StoreResult<Option<BookingId>> {
        let found: Option<Id> = bookings::table
            .filter(bookings::short_id.eq(id.as_str()))
            .select(bookings::id)
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        Ok(found.map(|id| BookingId(id.0)))
    }

    fn get(&mut self, id: BookingId) -> StoreResult<Option<Booking>> {
        let row: Option<BookingRow> = bookings::table
            .find(Id(id.0))
            .select(BookingRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(BookingRow::read).transpose()
    }

    fn lock(&mut self, id: BookingId) -> StoreResult<Option<Booking>> {
        let row = super::super::dialect::lock_booking(self.conn, Id(id.0)).map_err(fault(TABLE))?;
        row.map(BookingRow::read).transpose()
    }

    fn update(&mut self, booking: &Booking, expected: i32) -> StoreResult<i32> {
        let old = facts::before(self.conn, booking.id, expected)?.ok_or(StoreError::Stale)?;
        let row = BookingRow { version: expected.saturating_add(1), ..BookingRow::of(booking)? };
        let written = update(bookings::table, bookings::id.eq(row.id).and(bookings::version.eq(expected)), &row)
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        // Of two who read it, the second finds it changed here: the old record is kept by the first.
        if written != 1 {
            return Err(StoreError::Stale);
        }
        copies::follow(self.conn, booking)?;
        // After the row: who has locked it must not wait for a record of somebody who waits for the row.
        let version = facts::keep(self.conn, &old, booking.updated_at)?;
        if version != row.version {
            update(bookings::table, bookings::id.eq(row.id), bookings::version.eq(version))
                .execute(self.conn)
                .map_err(fault(TABLE))?;
        }
        facts::follow(self.conn, booking)?;
        words::follow(self.conn, &old, booking)?;
        Ok(version)
    }

    fn facts(&mut self, id: BookingId) -> StoreResult<Option<BookingFacts>> {
        facts::get(self.conn, id)
    }

    fn listed(&mut self, wanted: &Listing, start: Start, limit: i64) -> StoreResult<Slice<Booking>> {
        lists::listed(self.conn, wanted, start, limit)
    }

    fn listed_beyond(&mut self, wanted: &Listing, order: Order, skip: i64, limit: i64) -> StoreResult<Vec<Booking>> {
        lists::listed_beyond(self.conn, wanted, order, skip, limit)
    }

    fn counted(&mut self, wanted: &Listing, most: i64) -> StoreResult<Counted> {
        lists::counted(self.conn, wanted, most)
    }

    fn marked(&mut self, wanted: &Listing, limit: i64) -> StoreResult<Vec<Mark>> {
        lists::marked(self.conn, wanted, limit)
    }

    fn get_all(&mut self, ids: &[BookingId]) -> StoreResult<Vec<Booking>> {
        lists::of_ids(self.conn, ids)
    }

    fn of_user_from(&mut self, user: UserId, start: Start, limit: i64) -> StoreResult<Slice<Booking>> {
        lists::of_user(self.conn, user, start, limit)
    }

    fn all_of_user(&mut self, user: UserId) -> StoreResult<Vec<BookingId>> {
        let ids: Vec<Id> = bookings::table
            .filter(bookings::user_id.eq(Id(user.0)))
            .order(bookings::id)
            .select(bookings::id)
            .load(self.conn)
            .map_err(fault(TABLE))?;
        Ok(ids.into_iter().map(|id| BookingId(id.0)).collect())
    }

    fn of_user(&mut self, user: UserId, page: i64, per_page: i64) -> StoreResult<Page<Booking>> {
        let per_page = per_page.max(0);
        let skip = page.saturating_sub(1).max(0).saturating_mul(per_page);
        let total = bookings::table
            .filter(bookings::user_id.eq(Id(user.0)))
            .filter(bookings::status.ne("deleted"))
            .count()
            .get_result(self.conn)
            .map_err(fault(TABLE))?;
        let rows: Vec<BookingRow> = bookings::table
            .filter(bookings::user_id.eq(Id(user.0)))
            .filter(bookings::status.ne("deleted"))
            .order((bookings::move_at.desc(), bookings::id.desc()))
            .limit(per_page)
            .offset(skip)
            .select(BookingRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        Ok(Page { data: rows.into_iter().map(BookingRow::read).collect::<StoreResult<_>>()?, total })
    }

    fn open_of_user(&mut self, user: UserId, now: DateTime<Utc>) -> StoreResult<i64> {
        let booked: i64 = bookings::table
            .filter(bookings::user_id.eq(Id(user.0)))
            .filter(LiveBooking)
            .filter(bookings::move_at.gt(Instant(now)))
            .count()
            .get_result(self.conn)
            .map_err(fault(TABLE))?;
        Ok(booked + checkouts::charging_of(self.conn, user)?)
    }

    fn has_other(&mut self, user: UserId, except: BookingId) -> StoreResult<bool> {
        let gone = [Status::Cancelled.code(), Status::Deleted.code()];
        let others = bookings::table
            .filter(bookings::user_id.eq(Id(user.0)))
            .filter(bookings::id.ne(Id(except.0)))
            .filter(bookings::status.ne_all(gone));
        diesel::select(diesel::dsl::exists(others)).get_result(self.conn).map_err(fault(TABLE))
    }

    fn touched_between(&mut self, from: DateTime<Utc>, until: DateTime<Utc>) -> StoreResult<Vec<BookingId>> {
        use crate::schema::{ledger_entries, payment_attempts, payments};
        let (from, until) = (Instant(from), Instant(until));
        let changed = bookings::updated_at.ge(from).and(bookings::updated_at.lt(until));
        let moves = bookings::move_at.ge(from).and(bookings::move_at.lt(until));
        let charged = payments::table
            .inner_join(payment_attempts::table)
            .filter(payment_attempts::created_at.ge(from))
            .filter(payment_attempts::created_at.lt(until))
            .select(payments::booking_id);
        // What was to be charged then and was not: its job may be lost.
        let due = payments::next_attempt_at.ge(from).and(payments::next_attempt_at.lt(until));
        let due = payments::table.filter(due).select(payments::booking_id).load(self.conn);
        // One query each, by its own index; keys are in the order of their making.
        let changed = bookings::table.filter(changed).select(bookings::id).load(self.conn);
        let moves = bookings::table.filter(moves).select(bookings::id).load(self.conn);
        let charged = charged.distinct().load(self.conn);
        let mut ids: BTreeSet<Id> = BTreeSet::new();
        // Money that came or went by hand changes nothing else.
        let posted = ledger_entries::at.ge(from).and(ledger_entries::at.lt(until));
        let posted = ledger_entries::table.filter(posted).select(ledger_entries::booking_id).distinct().load(self.conn);
        for some in [changed, moves, charged, due, posted] {
            ids.extend::<Vec<Id>>(some.map_err(fault(TABLE))?);
        }
        Ok(ids.into_iter().map(|id| BookingId(id.0)).collect())
    }
}
