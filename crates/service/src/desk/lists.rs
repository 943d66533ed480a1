//! Staff's lists of bookings: filtered, searched, sorted, page by page.

use std::collections::HashSet;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Zone};
use status_machine::booking::Status;

use super::rows::{Row, row};
use crate::{
    ServiceResult, Services, Staff,
    ports::{
        Unit,
        lists::{Counted, Listing, Mark, Order},
        words,
    },
};

/// Rows of a list are counted no further.
pub const MOST_COUNTED: i64 = 10_000;
/// Of what is found these are put in the order of how well they match.
pub const MOST_RANKED: i64 = 1_000;

/// A page of a list.
#[derive(Debug, Clone)]
pub struct Rows {
    /// The rows.
    pub data: Vec<Row>,
    /// Of how many.
    pub counted: Counted,
}

/// Which page, from 1, of how many rows each.
#[derive(Debug, Clone, Copy)]
pub struct Paging {
    /// Page.
    pub page: i64,
    /// Rows.
    pub per_page: i64,
}

impl Paging {
    fn skip(self) -> i64 {
        self.page.saturating_sub(1).saturating_mul(self.per_page)
    }
}

/// What a list of bookings is filtered by. Days of booking are Montreal's.
#[derive(Debug, Clone, Default)]
pub struct BookingListQuery {
    /// The filters that need no clock.
    pub listing: Listing,
    /// Booked on this day or later.
    pub created_from: Option<NaiveDate>,
    /// Booked on this day or before.
    pub created_to: Option<NaiveDate>,
    /// The move begins within so many hours from now.
    pub within_hours: Option<u32>,
    /// Moves of today and later.
    pub from_today: bool,
    /// Words to find, as somebody typed them.
    pub value: Option<String>,
}

impl BookingListQuery {
    /// The list that is meant at `now`; none when nothing can be in it.
    ///
    /// Deleted bookings are an administrator's.
    pub(super) fn listing(self, staff: &Staff, now: DateTime<Utc>) -> Option<Listing> {
        let midnight = |date: NaiveDate| Zone::MONTREAL.instant(date, NaiveTime::MIN).ok();
        let mut listing = self.listing;
        if !staff.is_admin() && !listing.statuses.is_empty() {
            listing.statuses.retain(|s| *s != Status::Deleted);
            if listing.statuses.is_empty() {
                return None;
            }
        }
        if let Some(value) = self.value {
            listing.words = words::search_words(&value);
            if listing.words.is_empty() {
                return None;
            }
        }
        listing.created_from = self.created_from.and_then(midnight);
        listing.created_before = self.created_to.and_then(|d| d.succ_opt()).and_then(midnight);
        if self.from_today {
            listing.moves_from = midnight(Zone::MONTREAL.local(now).date);
        }
        if let Some(hours) = self.within_hours {
            listing.moves_from = Some(now);
            listing.moves_before = Some(now + Duration::hours(i64::from(hours)));
        }
        Some(listing)
    }
}

/// A page of what is wished for.
///
/// # Errors
/// When the database fails.
pub async fn page(
    s: &Services,
    staff: &Staff,
    query: BookingListQuery,
    order: Order,
    paging: Paging,
) -> ServiceResult<Rows> {
    let (staff, now) = (staff.clone(), s.clock.now());
    let Some(listing) = query.listing(&staff, now) else { return Ok(nothing()) };
    s.store
        .read(move |u| {
            let counted = u.bookings().counted(&listing, MOST_COUNTED)?;
            let found = u.bookings().listed_beyond(&listing, order, paging.skip(), paging.per_page)?;
            let data = found.into_iter().map(|b| row(u, &staff, b, now)).collect::<ServiceResult<_>>()?;
            Ok(Rows { data, counted })
        })
        .await
}

/// How many bookings are as wished for.
///
/// # Errors
/// When the database fails.
pub async fn count(s: &Services, staff: &Staff, query: BookingListQuery) -> ServiceResult<Counted> {
    let Some(listing) = query.listing(staff, s.clock.now()) else { return Ok(nothing().counted) };
    s.store.read(move |u| Ok(u.bookings().counted(&listing, MOST_COUNTED)?)).await
}

fn nothing() -> Rows {
    Rows { data: Vec::new(), counted: Counted { total: 0, is_exact: true } }
}

/// A page of what is found, the best match first: where every word is a whole one before where some only begin one; then
/// what is still to come, the next move first, then what is over, the last first.
///
/// # Errors
/// When the database fails.
pub async fn best(s: &Services, staff: &Staff, query: BookingListQuery, paging: Paging) -> ServiceResult<Rows> {
    let (staff, now) = (staff.clone(), s.clock.now());
    let Some(listing) = query.listing(&staff, now) else { return Ok(nothing()) };
    s.store
        .read(move |u| {
            let ids = ranked(u, listing.clone(), now)?;
            let most = usize::try_from(MOST_RANKED).unwrap_or(usize::MAX);
            let counted = u.bookings().counted(&listing, MOST_RANKED)?;
            let (skip, many) = (paging.skip(), paging.per_page);
            let at = |n: i64| usize::try_from(n).unwrap_or(usize::MAX);
            let shown: Vec<BookingId> = ids.into_iter().take(most).skip(at(skip)).take(at(many)).collect();
            let found = u.bookings().get_all(&shown)?;
            let data = found.into_iter().map(|b| row(u, &staff, b, now)).collect::<ServiceResult<_>>()?;
            Ok(Rows { data, counted })
        })
        .await
}

fn ranked(u: &mut dyn Unit, mut listing: Listing, now: DateTime<Utc>) -> ServiceResult<Vec<BookingId>> {
    let begun = u.bookings().marked(&listing, MOST_RANKED)?;
    listing.whole_words = true;
    let mut all = u.bookings().marked(&listing, MOST_RANKED)?;
    let whole: HashSet<BookingId> = all.iter().map(|m| m.id).collect();
    all.extend(begun.into_iter().filter(|m| !whole.contains(&m.id)));
    all.sort_by_key(|m| (!whole.contains(&m.id), nearness(m, now), m.id));
    Ok(all.into_iter().map(|m| m.id).collect())
}

/// What is to come before what is over, and of each the nearest first.
fn nearness(mark: &Mark, now: DateTime<Utc>) -> (bool, i64) {
    let comes = matches!(mark.status, Status::Pending | Status::Assigned) && mark.move_at >= now;
    (!comes, (mark.move_at - now).num_milliseconds().saturating_abs())
}
