//! Calendars by a secret link: read by whoever has one, made and revoked by staff and by mates.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, ETag, EntityTag, Header as _, HeaderName, IfNoneMatch},
    web,
};
use kernel::{
    MateId,
    chrono::{DateTime, Utc},
};
use serde::Serialize;
use service::{
    Role,
    feeds::{self, Made as Link, Standing},
    ports::feeds::FeedId,
};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::{
    links::secrets,
    replies::{Json, Made, NoContent, Reply, made},
};
use crate::{
    access::{AsStaff, Who},
    contract::{DeclaredAnswer, Names, Record, names, refusals},
    endpoint::{Access, Audit, Example, Relation, Route, STAFF},
    hexadecimal::hex,
    http::{PathHub, PathId},
    limits::LimitClass,
    state::State,
};

const CALENDAR: &str = "text/calendar";
/// Whoever may be on a crew: one person can be mate and staff.
const CREWS: Access = Access::Roles(&[Role::Mate, Role::Ops, Role::Admin]);

made! {
    /// A calendar.
    CalendarFile:
        DeclaredAnswer {
            headers: vec![("ETag", "Of these bytes, for `If-None-Match`.")],
            ..DeclaredAnswer::plain(200, "The calendar, in UTC.", CALENDAR)
        },
        DeclaredAnswer::empty(304, "It is what `If-None-Match` names.");
}

refusals! {
    /// Why somebody has no calendar of their own.
    OwnFeedRefusal { Rule: NotFound }
}

secrets! {
    FeedToken: Record::Feed,
}

impl Names for FeedId {
    const RECORD: Record = Record::MadeBy("makeHubFeed");
}

/// A link to the calendar of the mate who calls.
struct OwnFeedId(FeedId);

names! {
    OwnFeedId: Record::MadeBy("makeMyFeed"),
}

/// A link that works, without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StandingFeed {
    /// What it is revoked by.
    id: String,
    /// Who made it.
    made_by: Option<String>,
    made_at: DateTime<Utc>,
}

/// Whether a calendar has a link.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeedState {
    /// The one that works; none: there is none.
    feed: Option<StandingFeed>,
}

impl From<Option<Standing>> for FeedState {
    fn from(found: Option<Standing>) -> FeedState {
        let shown = |f: Standing| StandingFeed { id: f.id.to_string(), made_by: f.by, made_at: f.at };
        FeedState { feed: found.map(shown) }
    }
}

/// A link that was just made.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FeedLink {
    /// What it is revoked by.
    id: String,
    /// A secret: whoever has it reads the calendar. It is told now and never again, only its hash is kept.
    url: String,
    made_at: DateTime<Utc>,
}

impl From<Link> for FeedLink {
    fn from(made: Link) -> FeedLink {
        FeedLink { id: made.id.to_string(), url: made.url, made_at: made.at }
    }
}

async fn read(state: web::Data<State>, req: HttpRequest, id: PathId<FeedToken>) -> Reply<Made<CalendarFile>> {
    let text = feeds::read::file(&state.services, &id.0.0).await?;
    let tag = EntityTag::new_strong(hex(&Sha256::digest(text.as_bytes())));
    // A header that cannot be read asks for the whole.
    let known = match IfNoneMatch::parse(&req) {
        Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|known| known.weak_eq(&tag)),
        Ok(IfNoneMatch::Any) => req.headers().contains_key(header::IF_NONE_MATCH),
        Err(_) => false,
    };
    let mut response = if known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response
        .insert_header(ETag(tag))
        // Asked for each time, so that a revoked link ends at once; kept by nobody on the way.
        .insert_header((header::CACHE_CONTROL, "private, no-cache"))
        .insert_header((HeaderName::from_static("x-robots-tag"), "noindex, nofollow"));
    Ok(Made::new(if known {
        response.finish()
    } else {
        response
            .content_type(format!("{CALENDAR}; charset=utf-8"))
            .insert_header((header::CONTENT_DISPOSITION, "inline; filename=\"calendar.ics\""))
            .body(text)
    }))
}

async fn of_hub(state: web::Data<State>, who: AsStaff, hub: PathHub) -> Reply<Json<FeedState>> {
    Ok(Json(feeds::of_hub(&state.services, &who.0, hub.0).await?.into()))
}

async fn make_for_hub(state: web::Data<State>, who: AsStaff, hub: PathHub) -> Reply<Json<FeedLink, 201>> {
    Ok(Json(feeds::make_for_hub(&state.services, &who.0, hub.0).await?.into()))
}

async fn of_mate(state: web::Data<State>, who: AsStaff, id: PathId<MateId>) -> Reply<Json<FeedState>> {
    Ok(Json(feeds::of_mate(&state.services, &who.0, id.0).await?.into()))
}

async fn make_for_mate(state: web::Data<State>, who: AsStaff, id: PathId<MateId>) -> Reply<Json<FeedLink, 201>> {
    Ok(Json(feeds::make_for_mate(&state.services, &who.0, id.0).await?.into()))
}

async fn revoke(state: web::Data<State>, who: AsStaff, id: PathId<FeedId>) -> Reply<NoContent> {
    feeds::revoke(&state.services, &who.0, id.0).await?;
    Ok(NoContent)
}

async fn own(state: web::Data<State>, who: Who) -> Reply<Json<FeedState>, OwnFeedRefusal> {
    Ok(Json(feeds::own(&state.services, &who.0).await?.into()))
}

async fn make_own(state: web::Data<State>, who: Who) -> Reply<Json<FeedLink, 201>, OwnFeedRefusal> {
    Ok(Json(feeds::make_own(&state.services, &who.0).await?.into()))
}

async fn revoke_own(state: web::Data<State>, who: Who, id: PathId<OwnFeedId>) -> Reply<NoContent> {
    feeds::revoke_own(&state.services, &who.0, id.0.0).await?;
    Ok(NoContent)
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    const TAG: &str = "Calendar feeds";
    const HUB: &[(&str, &str)] = &[("hub", "montreal")];
    const ENDS: &str = "The link before ends. The secret is in this answer only.";
    vec![
        Route::get("/api/feeds/{id}/calendar.ics", Access::Public, read)
            .relation(Relation::WhoeverHasTheLink)
            .limited(LimitClass::Guest)
            .doc("calendarFeed", TAG, "The jobs of a mate or of a hub, for a calendar program")
            .about(
                "iCalendar (RFC 5545), from 30 days back to 365 days ahead, at most 5,000 jobs. A job keeps its `UID` and raises \
                 its `SEQUENCE`, as in the customer's mails; one that was cancelled, or is somebody else's now, is left out. No \
                 price and no e-mail address; the customer's telephone number for a mate only, from 24 hours before the start on. \
                 404 for a link that was revoked or of somebody who has left.",
            ),
        Route::delete("/api/feeds/{id}", STAFF, Audit::Action("feed.revoke"), revoke).doc(
            "revokeFeed",
            TAG,
            "End the link to the calendar of a hub or of a mate",
        ),
        Route::get("/api/calendar/{hub}/feed", STAFF, of_hub)
            .doc("hubFeed", TAG, "Whether the calendar of a hub has a link")
            .example(Example::default().at(HUB)),
        Route::post("/api/calendar/{hub}/feed", STAFF, Audit::Action("feed.make"), make_for_hub)
            .doc("makeHubFeed", TAG, "Make a link to the calendar of a hub, in the language of the request")
            .about(ENDS)
            .example(Example::default().at(HUB)),
        Route::get("/api/mate/{id}/feed", STAFF, of_mate).doc(
            "mateFeed",
            TAG,
            "Whether the calendar of a mate has a link",
        ),
        Route::post("/api/mate/{id}/feed", STAFF, Audit::Action("feed.make"), make_for_mate)
            .doc("makeMateFeed", TAG, "Make a link to the calendar of a mate, in the mate's language")
            .about(ENDS),
        Route::get("/api/jobs/feed", CREWS, own)
            .relation(Relation::Own)
            .doc("myFeed", TAG, "Whether one's own calendar has a link"),
        Route::post("/api/jobs/feed", CREWS, Audit::Action("feed.make"), make_own)
            .relation(Relation::Own)
            .doc("makeMyFeed", TAG, "Make a link to one's own calendar")
            .about(ENDS),
        Route::delete("/api/jobs/feed/{id}", CREWS, Audit::Action("feed.revoke"), revoke_own)
            .relation(Relation::Own)
            .doc("revokeMyFeed", TAG, "End the link to one's own calendar"),
    ]
}
