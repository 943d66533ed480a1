//! A job as an appointment (iCalendar, RFC 5545): with the identity it has in mails, never with a price or an e-mail address.

use std::fmt;

use chrono::{DateTime, Utc};
use icalendar::{Component as _, Event, EventLike as _, EventStatus, Property};
use kernel::{Language, MateId};
use status_machine::booking::Status;

use super::read::FeedBooking;
use crate::{
    Error, ServiceResult,
    crews::free::ends_at,
    dispatch::jobs::BEHIND,
    formats::without_addresses,
    mailing::{
        calendar::{sequence, uid},
        changes::access,
        crews::{PHONE_FROM, phone},
        values::address,
    },
    ports::bookings::{Booking, Location},
    texts::text,
};

/// How the file ends.
pub(super) const END: &str = "END:VCALENDAR\r\n";
/// How often programs may read it again.
const EVERY: &str = "PT1H";

/// How the file begins. It has no `METHOD`: nobody is invited.
pub(super) fn head(title: &str) -> ServiceResult<String> {
    let title = plain(title);
    let mut every = Property::new("REFRESH-INTERVAL", EVERY);
    every.add_parameter("VALUE", "DURATION");
    let mut out = "BEGIN:VCALENDAR\r\n".to_owned();
    for property in [
        Property::new("VERSION", "2.0"),
        Property::new("PRODID", "-//Portage//Portage//EN"),
        Property::new("CALSCALE", "GREGORIAN"),
        Property::new("X-WR-CALNAME", title),
        every,
        Property::new("X-PUBLISHED-TTL", EVERY),
    ] {
        let line: String = property.try_into().map_err(unwritten)?;
        out.push_str(&line);
    }
    Ok(out)
}

/// The job is on the list of its mates still.
pub(super) fn is_current(b: &Booking, now: DateTime<Utc>) -> bool {
    b.move_at >= now - BEHIND
}

/// As a mate on it sees it. How one gets in, who it is and what staff wrote is told while the job is on their list: who
/// looks back needs when and where it was.
pub(super) fn of_mate(
    told: &FeedBooking,
    mate: MateId,
    l: Language,
    home: &str,
    now: DateTime<Utc>,
) -> ServiceResult<String> {
    let (b, d) = (&told.booking, &told.booking.details);
    let current = is_current(b, now);
    let mut lines = address_lines(b, l, current);
    lines.extend(crew(told, l));
    let telephone = phone(b, now).filter(|_| current);
    if current {
        lines.push(labelled("feed.customer", l, &without_addresses(&d.customer_name)));
        lines.extend(telephone.map(|number| labelled("feed.phone", l, number)));
        lines.extend(told.notes.iter().map(|note| labelled("feed.note", l, &without_addresses(&note.text))));
    }
    let since = told.crew.iter().filter(|m| m.mate == mate).map(|m| m.since);
    let news = told.notes.iter().map(|note| note.created_at).chain(since);
    let news = news.chain(telephone.map(|_| b.move_at - PHONE_FROM));
    // What is taken out again is a change as well.
    let news = news.chain((!current).then(|| b.move_at + BEHIND));
    let job = text("feed.job", l).replace("{number}", &b.short_id.to_string());
    let job = job.replace("{from}", &d.pickup.address.city).replace("{to}", &d.dropoff.address.city);
    let url = format!("{home}/dashboard/my-jobs/{}?lang={l}", b.id);
    let revised = news.fold(b.updated_at, Ord::max);
    let mut event = event(b, &job, &lines, &url, revised);
    event.status(EventStatus::Confirmed);
    finished(&event)
}

/// As the back office sees it: nobody of it is busy because of it.
pub(super) fn of_hub(told: &FeedBooking, l: Language, home: &str) -> ServiceResult<String> {
    let b = &told.booking;
    let status = text(&format!("feed.status.{}", b.status.code()), l);
    let names = names(told, l);
    let who = if names.is_empty() { text("feed.noCrew", l) } else { &names };
    let mut lines = address_lines(b, l, false);
    lines.extend(crew(told, l));
    lines.push(labelled("feed.status", l, status));
    let url = format!("{home}/dashboard/bookings/{}?lang={l}", b.id);
    let revised = told.crew.iter().map(|m| m.since).fold(b.updated_at, Ord::max);
    let mut event = event(b, &format!("{} · {status} · {who}", b.short_id), &lines, &url, revised);
    event.status(if b.status == Status::Pending { EventStatus::Tentative } else { EventStatus::Confirmed });
    event.add_property("TRANSP", "TRANSPARENT");
    finished(&event)
}

fn event(b: &Booking, summary: &str, lines: &[String], url: &str, revised: DateTime<Utc>) -> Event {
    let mut event = Event::new();
    event
        .uid(&uid(b))
        .sequence(sequence(b))
        // Without a METHOD it says when what is told was last changed, so that the same jobs are the same bytes.
        .timestamp(revised)
        .last_modified(revised)
        .starts(b.move_at)
        .ends(ends_at(b))
        .summary(&plain(summary))
        .location(&plain(&address(&b.details.pickup.address)))
        .description(&plain(&format!("{}\n{url}", lines.join("\n"))))
        .url(url);
    event
}

fn finished(event: &Event) -> ServiceResult<String> {
    event.try_into_string().map_err(unwritten)
}

fn unwritten(e: fmt::Error) -> Error {
    Error::Internal(format!("a calendar: {e}"))
}

/// The lines of both addresses, each with how one gets in if `with_access`.
fn address_lines(b: &Booking, l: Language, with_access: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for (key, end) in [("feed.pickup", &b.details.pickup), ("feed.dropoff", &b.details.dropoff)] {
        lines.push(labelled(key, l, &address(&end.address)));
        if with_access {
            lines.push(labelled("feed.access", l, &way(end, l)));
        }
    }
    lines
}

fn way(end: &Location, l: Language) -> String {
    let way = access(end, l);
    if end.details.is_empty() { way } else { format!("{way} · {}", without_addresses(&end.details)) }
}

fn crew(told: &FeedBooking, l: Language) -> Vec<String> {
    let names = names(told, l);
    let mut lines = Vec::new();
    if !names.is_empty() {
        lines.push(labelled("feed.crew", l, &names));
    }
    lines.extend(told.truck.as_ref().map(|truck| labelled("feed.truck", l, truck)));
    lines
}

fn names(told: &FeedBooking, l: Language) -> String {
    let gap = if l == Language::Zh { "、" } else { ", " };
    told.crew.iter().map(|m| m.name.as_str()).collect::<Vec<_>>().join(gap)
}

fn labelled(key: &str, l: Language, what: &str) -> String {
    text(key, l).replace("{x}", what)
}

/// What people typed, without the characters that no text of a calendar may have. A line's end stays one.
fn plain(typed: &str) -> String {
    typed
        .replace("\r\n", "\n")
        .chars()
        .map(|c| if c == '\r' { '\n' } else { c })
        .filter(|c| *c == '\n' || !c.is_control())
        .collect()
}
