//! A chosen time, kept during checkout.

use actix_web::web;
use kernel::{
    HoldId,
    chrono::{DateTime, NaiveDate, Utc},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    availability::arrival_window,
    holds::{self, HoldInput},
    ports::capacity::Hold,
    settings::{self, cache::InForce},
};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    moves::{MoveRequestBody, PartialAddress, mates},
    replies::{Json, NoContent, Once, Reply, WithGuest},
    values::{ArrivalWindow, HourMinute, blank},
};
use crate::{
    access::Who,
    contract::refusals,
    endpoint::{Access, Audit, Example, Relation, Route},
    guest::Guest,
    http::{IdempotencyKey, PathId, ValidJson},
    limits::LimitClass,
    state::State,
};

refusals! {
    /// Why a time is not kept.
    HoldRefusal {
        Rule: SlotGone, HoldTooLarge, DatePast, DateClosed, TooSoon, TooFarAhead, NotASlot, TooLong, AreaUnserved,
            ContactSupport, NoRate
    }
}

refusals! {
    /// Why a time is not kept any longer.
    ExtendRefusal { Rule: SlotGone }
}

/// What `POST /api/holds` takes.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub struct HoldRequest {
    /// Local day at the pickup.
    #[schema(value_type = String, format = Date, example = "2027-02-17")]
    date: NaiveDate,
    /// Local start, one of `GET /api/availability`.
    time: HourMinute,
    /// Paid mates.
    #[validate(range(min = 1, max = 20))]
    #[schema(minimum = 1, maximum = 20)]
    mate_count: i64,
    /// Minutes of work.
    #[validate(range(min = 1, max = 1440))]
    #[schema(minimum = 1, maximum = 1440)]
    duration: u32,
    /// No truck.
    #[serde(default)]
    just_mates: bool,
    /// Size class of the estimate, when known: decides the truck.
    #[serde(default)]
    #[validate(range(min = 1, max = 3))]
    #[schema(minimum = 1, maximum = 3)]
    tier: Option<u8>,
    /// From where.
    #[validate(nested)]
    pickup_address: PartialAddress,
    /// To where, when known.
    #[serde(default)]
    #[validate(nested)]
    dropoff_address: Option<PartialAddress>,
    /// The hold this one replaces.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<String>, format = Uuid)]
    replaces: Option<HoldId>,
    /// The move as `POST /api/booking/estimate` was asked for it: crew, minutes, truck and size
    /// class are then those of its estimate, whatever `mateCount`, `duration`, `justMates` and
    /// `tier` say.
    #[serde(default)]
    #[validate(nested)]
    estimate: Option<MoveRequestBody>,
}

/// A kept time.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HoldAnswer {
    /// Key: whoever knows it may release it or book with it.
    id: String,
    /// When it lapses.
    expires_at: DateTime<Utc>,
    /// Start of the move.
    starts_at: DateTime<Utc>,
    /// Local day.
    #[schema(value_type = String, format = Date)]
    date: NaiveDate,
    /// Local start.
    time: HourMinute,
    /// When the crew arrives.
    arrival_window: ArrivalWindow,
    /// Zone of both.
    zone: String,
}

fn answer(h: &Hold, settings: &InForce) -> HoldAnswer {
    HoldAnswer {
        id: h.id.to_string(),
        expires_at: h.expires_at,
        starts_at: h.starts_at,
        date: h.date,
        time: HourMinute(h.time),
        arrival_window: arrival_window(settings.scheduling.arrival(), h.time).into(),
        zone: h.zone.to_string(),
    }
}

async fn create(
    state: web::Data<State>,
    who: Who,
    guest: Guest,
    key: IdempotencyKey,
    body: ValidJson<HoldRequest>,
) -> Reply<WithGuest<Once<HoldAnswer, 201>>, HoldRefusal> {
    let settings = settings::in_force(&state.services).await?;
    let render = move |h: &Hold| answer(h, &settings);
    let request = guest.request(key, "POST /api/holds", &body.body_hash());
    let guard = Once::<_, 201>::guarded(request, render.clone());
    let b = body.value;
    let input = HoldInput {
        date: b.date,
        time: b.time.0,
        mate_count: mates(b.mate_count, "mateCount")?,
        duration_minutes: b.duration,
        just_mates: b.just_mates,
        tier: b.tier,
        pickup: b.pickup_address.place("pickupAddress")?,
        dropoff: b.dropoff_address.as_ref().map(|d| d.place("dropoffAddress")).transpose()?,
        replaces: b.replaces,
        job: b.estimate.map(|e| e.job()).transpose()?,
        holder: Some(guest.holder()),
    };
    let done = holds::create(&state.services, &who.0, input, guard).await?;
    Ok(WithGuest(guest, Once::of(done, render)?))
}

async fn release(state: web::Data<State>, id: PathId<HoldId>) -> Reply<NoContent> {
    holds::release(&state.services, id.0).await?;
    Ok(NoContent)
}

async fn extend(state: web::Data<State>, id: PathId<HoldId>) -> Reply<Json<HoldAnswer>, ExtendRefusal> {
    let settings = settings::in_force(&state.services).await?;
    Ok(Json(answer(&holds::extend(&state.services, id.0).await?, &settings)))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    let example = json!({
        "date": "2027-02-17", "time": "09:00", "mateCount": 2, "duration": 150, "justMates": false,
        "pickupAddress": { "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4" }
    });
    vec![
        Route::post("/api/holds", Access::Public, Audit::Unrecorded, create)
            .limited(LimitClass::Hold)
            .doc("createHold", "Schedule", "Keep a time during checkout")
            .about("Kept for a quarter of an hour. The price is locked with it. A time that is gone comes with free ones near it. A browser (told by the cookie `portage_guest`, which the answer sets) keeps one time: another one replaces it. What one address keeps leaves at least half of a day's starts to others; the oldest goes first.")
            .example(Example::json(example)),
        Route::delete("/api/holds/{id}", Access::Public, Audit::Unrecorded, release)
            .relation(Relation::WhoeverKnowsTheId)
            .limited(LimitClass::Hold)
            .doc("releaseHold", "Schedule", "Give a kept time back"),
        Route::post("/api/holds/{id}/extend", Access::Public, Audit::Unrecorded, extend)
            .relation(Relation::WhoeverKnowsTheId)
            .limited(LimitClass::Hold)
            .doc("extendHold", "Schedule", "Keep a time ten minutes longer, once"),
    ]
}
