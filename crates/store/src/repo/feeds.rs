//! Secret links to calendars.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::BookingId;
use service::ports::{
    StoreResult,
    feeds::{Feed, FeedId, FeedOf, Feeds},
    identity::TokenHash,
};

use super::Repos;
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::feeds::FeedRow,
    schema::{booking_crews, bookings, calendar_feeds as f},
};

const TABLE: &str = "calendar_feeds";
/// Bookings that do not take place.
const NOT_TO_BE: [&str; 2] = ["cancelled", "deleted"];

impl Feeds for Repos<'_> {
    fn put(&mut self, feed: &Feed) -> StoreResult<()> {
        let (row, new) = (FeedRow::from(feed), FeedRow::from(feed));
        let new = (
            f::id.eq(new.id),
            f::token_hash.eq(new.token_hash),
            f::language.eq(new.language),
            f::made_by.eq(new.made_by),
            f::made_at.eq(new.made_at),
        );
        // One statement: of two who make one at once, the later one has it, and nobody fails.
        let insert = diesel::insert_into(f::table).values(row);
        match &feed.of {
            FeedOf::Mate(_) => insert.on_conflict(f::mate_id).do_update().set(new).execute(self.conn),
            FeedOf::Hub(_) => insert.on_conflict(f::hub).do_update().set(new).execute(self.conn),
        }
        .map(drop)
        .map_err(fault(TABLE))
    }

    fn get(&mut self, id: FeedId) -> StoreResult<Option<Feed>> {
        let row: Option<FeedRow> = f::table
            .filter(f::id.eq(Id(id.0)))
            .select(FeedRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(FeedRow::read).transpose()
    }

    fn of(&mut self, of: &FeedOf) -> StoreResult<Option<Feed>> {
        let all = f::table.select(FeedRow::as_select());
        let row: Option<FeedRow> = match of {
            FeedOf::Mate(id) => all.filter(f::mate_id.eq(Id(id.0))).first(self.conn),
            FeedOf::Hub(hub) => all.filter(f::hub.eq(hub)).first(self.conn),
        }
        .optional()
        .map_err(fault(TABLE))?;
        row.map(FeedRow::read).transpose()
    }

    fn by_token(&mut self, hash: &TokenHash) -> StoreResult<Option<Feed>> {
        let row: Option<FeedRow> = f::table
            .filter(f::token_hash.eq(&hash.0))
            .select(FeedRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(FeedRow::read).transpose()
    }

    fn remove(&mut self, id: FeedId) -> StoreResult<bool> {
        let gone = diesel::delete(f::table.filter(f::id.eq(Id(id.0)))).execute(self.conn).map_err(fault(TABLE))?;
        Ok(gone == 1)
    }

    fn jobs(
        &mut self,
        of: &FeedOf,
        from: DateTime<Utc>,
        until: DateTime<Utc>,
        limit: i64,
    ) -> StoreResult<Vec<BookingId>> {
        let order = (bookings::move_at, bookings::id);
        let ids: Vec<Id> = match of {
            FeedOf::Mate(mate) => booking_crews::table
                .inner_join(bookings::table)
                .filter(booking_crews::mate_id.eq(Id(mate.0)))
                .filter(bookings::move_at.ge(Instant(from)))
                .filter(bookings::move_at.lt(Instant(until)))
                .filter(bookings::status.ne_all(NOT_TO_BE))
                .order(order)
                .limit(limit)
                .select(bookings::id)
                .load(self.conn),
            FeedOf::Hub(hub) => bookings::table
                .filter(bookings::hub.eq(hub))
                .filter(bookings::move_at.ge(Instant(from)))
                .filter(bookings::move_at.lt(Instant(until)))
                .filter(bookings::status.ne_all(NOT_TO_BE))
                .order(order)
                .limit(limit)
                .select(bookings::id)
                .load(self.conn),
        }
        .map_err(fault("bookings"))?;
        Ok(ids.into_iter().map(|id| BookingId(id.0)).collect())
    }
}
