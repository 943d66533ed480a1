//! The calendar file behind a secret link. The file is the whole state: a calendar program that reads it again drops
//! what is not in it any more. So a job that was cancelled, or that somebody else does now, is left out:
//! `STATUS:CANCELLED` would keep a place and a name before somebody who is not to see them, and programs that do not
//! know it would show a move that does not take place.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use kernel::{BookingId, Language, MateId};

use super::{event, here, works};
use crate::{
    ErrorCode, ServiceResult, Services,
    mailing::crews,
    ports::{
        Unit,
        bookings::Booking,
        crews::CrewMate,
        feeds::{Feed, FeedOf},
        notes::{Note, Visibility},
    },
    secret, settings,
    texts::text,
};

/// So long after its start a job is shown still.
const BEHIND: Duration = Duration::days(30);
/// So far ahead jobs are shown: as far as anybody books.
const AHEAD: Duration = Duration::days(365);
/// The most jobs of a file, the nearest first: a dozen a day, or about four megabytes.
const MOST: i64 = 5_000;
/// Bookings in memory at a time.
const AT_ONCE: usize = 100;

/// A booking with what is told of it.
pub(super) struct FeedBooking {
    pub booking: Booking,
    /// Who goes.
    pub crew: Vec<CrewMate>,
    /// With which truck.
    pub truck: Option<String>,
    /// What staff wrote for the crew, oldest first.
    pub notes: Vec<Note>,
}

/// The calendar of a link, as RFC 5545 has it. Times are in UTC: no program needs to know the zones of British Columbia and
/// Alberta, which changed in 2026.
///
/// # Errors
/// `not_found` when the link never was, has ended, or belongs to somebody who has left.
pub async fn file(s: &Services, token: &str) -> ServiceResult<String> {
    let (hash, now, home) = (secret::hash(token), s.clock.now(), s.public_url().to_owned());
    let company = settings::in_force(s).await?.company.name.clone();
    s.store
        .read(move |u| {
            let feed = u.feeds().by_token(&hash)?.ok_or(ErrorCode::NotFound)?;
            if !works(u, &feed)? {
                return Err(ErrorCode::NotFound.into());
            }
            write(u, &feed, &company, &home, now)
        })
        .await
}

fn write(u: &mut dyn Unit, feed: &Feed, company: &str, home: &str, now: DateTime<Utc>) -> ServiceResult<String> {
    let (language, title, mate) = match &feed.of {
        FeedOf::Mate(id) => {
            let record = here(u, *id)?.ok_or(ErrorCode::NotFound)?;
            let language = crews::language_of(u, &record)?;
            (language, text("feed.mateTitle", language).to_owned(), Some(*id))
        }
        FeedOf::Hub(id) => {
            let name = geography::hub(id).map_or(id.as_str(), |hub| hub.name(feed.language));
            (feed.language, text("feed.hubTitle", feed.language).replace("{hub}", name), None)
        }
    };
    let ids = u.feeds().jobs(&feed.of, now - BEHIND, now + AHEAD, MOST)?;
    let mut out = event::head(&title.replace("{company}", company))?;
    for some in ids.chunks(AT_ONCE) {
        for told in feed_bookings(u, some, mate, now)? {
            out.push_str(&one(&told, mate, language, home, now)?);
        }
    }
    out.push_str(event::END);
    Ok(out)
}

fn one(
    told: &FeedBooking,
    mate: Option<MateId>,
    language: Language,
    home: &str,
    now: DateTime<Utc>,
) -> ServiceResult<String> {
    match mate {
        Some(mate) => event::of_mate(told, mate, language, home, now),
        None => event::of_hub(told, language, home),
    }
}

/// Reads these bookings, in this order. A mate gets the notes of jobs that are still on their list.
fn feed_bookings(
    u: &mut dyn Unit,
    ids: &[BookingId],
    mate: Option<MateId>,
    now: DateTime<Utc>,
) -> ServiceResult<Vec<FeedBooking>> {
    let mut crews: BTreeMap<BookingId, Vec<CrewMate>> = BTreeMap::new();
    for (id, on_it) in u.dispatches().crews_of(ids)? {
        crews.entry(id).or_default().push(on_it);
    }
    let mut trucks: BTreeMap<BookingId, String> =
        u.dispatches().trucks_of(ids)?.into_iter().map(|(id, truck)| (id, truck.name)).collect();
    let mut found = Vec::new();
    for booking in u.bookings().get_all(ids)? {
        let mut notes = Vec::new();
        if mate.is_some() && event::is_current(&booking, now) {
            notes = u.notes().of_booking(booking.id)?;
            notes.retain(|n| n.visibility == Visibility::Crew && n.mate.is_none() && !n.text.is_empty());
        }
        let (crew, truck) = (crews.remove(&booking.id).unwrap_or_default(), trucks.remove(&booking.id));
        found.push(FeedBooking { booking, crew, truck, notes });
    }
    Ok(found)
}
