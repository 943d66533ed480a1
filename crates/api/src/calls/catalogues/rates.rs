//! Rate cards as staff keep them.

use actix_web::web;
use kernel::{
    RateId,
    chrono::{DateTime, NaiveDate, Utc},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use service::rates::{
    desk::{self, NewCard, NewVersion, RateCardView},
    preview::{self, Preview, PricedExample, RatePreviewInput, Repriced},
};
use utoipa::ToSchema;
use validator::Validate;

use super::common::{PageQuery, TAG};
use crate::{
    access::AsStaff,
    calls::{
        examples,
        moves::MoveRequestBody,
        rates::{with_cents, with_dollars},
        replies::{Json, NoContent, Once, Reply, Versioned, versioned},
        values::{Cash, RateStateCode},
    },
    contract::{CommonError, Names, Record, refusals},
    endpoint::{Audit, Example, Route, STAFF},
    http::{IdempotencyKey, PathId, ValidJson, ValidQuery, Version},
    state::State,
};

impl Names for RateId {
    const RECORD: Record = Record::Rate;
}

refusals! {
    /// Why no bookings are priced.
    PreviewRefusal { Rule: NoRate }
}

refusals! {
    /// Why a version stays.
    RemoveRefusal { Rule: RateInUse }
}

/// The next version of a rate card.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
struct RateCardRequest {
    /// The figures, all of them, as `GET /api/rates/{id}` gives them. Amounts are decimal strings, or whole cents.
    #[schema(value_type = BTreeMap<String, Value>)]
    card: Map<String, Value>,
    /// In force from; at once when it is left out.
    #[serde(default)]
    effective_from: Option<DateTime<Utc>>,
    /// Name of a new card; the name of the card that is changed when it is left out.
    #[serde(default)]
    #[validate(length(max = 100))]
    #[schema(max_length = 100)]
    name: Option<String>,
}

/// The first version of a rate card.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
struct NewRateCardRequest {
    /// Its name; `standard`, the card that moves are priced with, when it is left out.
    #[serde(default)]
    #[validate(length(max = 100))]
    #[schema(max_length = 100)]
    name: Option<String>,
    /// The figures; those that come with the program when they are left out.
    #[serde(default)]
    #[schema(value_type = Option<BTreeMap<String, Value>>)]
    card: Option<Map<String, Value>>,
    /// In force from; at once when it is left out.
    #[serde(default)]
    effective_from: Option<DateTime<Utc>>,
}

/// Which bookings to price, and by which card.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
struct RatePreviewRequest {
    /// The figures, as for a new version; those of the version itself when they are left out.
    #[serde(default)]
    #[schema(value_type = Option<BTreeMap<String, Value>>)]
    card: Option<Map<String, Value>>,
    /// How many bookings, the newest first.
    #[serde(default = "two_hundred")]
    #[validate(range(min = 1, max = 1000))]
    #[schema(minimum = 1, maximum = 1000, default = 200)]
    n: i64,
    /// Moves that nobody booked, to be priced as well. A discount code does not count here.
    #[serde(default)]
    #[validate(nested)]
    #[schema(max_items = 20)]
    examples: Vec<MoveRequestBody>,
}

const fn two_hundred() -> i64 {
    200
}

/// A version of a rate card.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RateVersion {
    id: String,
    name: String,
    /// Counts up with each change of the named card.
    version: i32,
    /// In force from.
    effective_from: DateTime<Utc>,
    /// Until another version takes its place, or it ends; none = open.
    effective_to: Option<DateTime<Utc>>,
    #[schema(value_type = RateStateCode)]
    state: &'static str,
}

impl RateVersion {
    fn of(shown: &RateCardView) -> RateVersion {
        let rate = &shown.rate;
        RateVersion {
            id: rate.id.to_string(),
            name: rate.name.clone(),
            version: rate.version,
            effective_from: rate.effective_from,
            effective_to: shown.until,
            state: shown.state.code(),
        }
    }
}

/// A page of the versions of all rate cards.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RateVersions {
    /// Rows: by name, and of each name the highest version first.
    data: Vec<RateVersion>,
    /// Of how many.
    total: i64,
    /// From 1.
    page: i64,
    /// Rows a page.
    per_page: i64,
}

/// A version of a rate card with its figures.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RateCardRecord {
    #[serde(flatten)]
    rate: RateVersion,
    /// The figures of the duration and price model, money as decimal strings.
    #[schema(value_type = BTreeMap<String, Value>)]
    card: Value,
    /// The highest version of the name: what a change names in `If-Match`.
    latest_version: i32,
}

impl RateCardRecord {
    fn of(shown: &RateCardView) -> RateCardRecord {
        // Only a map with keys that are not text could fail, and the card has none.
        let card = with_dollars(serde_json::to_value(&shown.rate.card).unwrap_or_default());
        RateCardRecord { rate: RateVersion::of(shown), card, latest_version: shown.latest }
    }
}

/// Of the whole name and not of the version: a new version changes where the others stand, and when they end.
fn answer(shown: &RateCardView) -> Reply<Versioned<RateCardRecord>> {
    versioned(shown.latest, RateCardRecord::of(shown))
}

/// A booking priced by two cards.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepricedBooking {
    booking_id: String,
    short_id: String,
    #[schema(value_type = String, format = Date)]
    move_date: NaiveDate,
    /// The total that was booked.
    booked: Cash,
    /// The total by the standard card in force.
    old: Cash,
    /// The total by the other card.
    new: Cash,
    /// New less old.
    difference: Cash,
}

impl RepricedBooking {
    fn of(b: &Repriced) -> RepricedBooking {
        RepricedBooking {
            booking_id: b.booking.to_string(),
            short_id: b.short_id.as_str().to_owned(),
            move_date: b.move_date,
            booked: b.booked.into(),
            old: b.old.into(),
            new: b.new.into(),
            difference: b.difference().into(),
        }
    }
}

/// A move that nobody booked, priced by two cards.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RepricedExample {
    /// The total with tax by the standard card in force.
    old: Cash,
    /// The total with tax by the other card.
    new: Cash,
    /// New less old.
    difference: Cash,
    /// Minutes by the standard card in force.
    old_duration: u32,
    /// Minutes by the other card.
    new_duration: u32,
}

impl RepricedExample {
    fn of(e: &PricedExample) -> RepricedExample {
        RepricedExample {
            old: e.old.0.into(),
            new: e.new.0.into(),
            difference: e.new.0.minus(e.old.0).into(),
            old_duration: e.old.1,
            new_duration: e.new.1,
        }
    }
}

/// By how much the total of a booking differs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TotalDifference {
    booking_id: String,
    difference: Cash,
}

/// Bookings priced by the standard card in force and by another one.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RatePreview {
    /// The newest booking first.
    data: Vec<RepricedBooking>,
    /// Bookings that were priced.
    count: usize,
    /// Bookings that could not be priced; they are left out.
    failed: usize,
    /// All old totals.
    old_sum: Cash,
    /// All new totals.
    new_sum: Cash,
    /// New less old.
    difference: Cash,
    /// The booking that would change most, up or down; none without bookings.
    worst: Option<TotalDifference>,
    /// The example moves, in the order in which they were sent.
    examples: Vec<RepricedExample>,
}

impl RatePreview {
    fn of(p: &Preview) -> RatePreview {
        let (old, new) = (p.old_sum(), p.new_sum());
        let one =
            |b: &Repriced| TotalDifference { booking_id: b.booking.to_string(), difference: b.difference().into() };
        RatePreview {
            data: p.data.iter().map(RepricedBooking::of).collect(),
            count: p.data.len(),
            failed: p.failed,
            old_sum: old.into(),
            new_sum: new.into(),
            difference: new.minus(old).into(),
            worst: p.worst().map(one),
            examples: p.examples.iter().map(RepricedExample::of).collect(),
        }
    }
}

async fn list(state: web::Data<State>, who: AsStaff, query: ValidQuery<PageQuery>) -> Reply<Json<RateVersions>> {
    let PageQuery { page, per_page } = query.value;
    let found = desk::list(&state.services, &who.0, (page, per_page)).await?;
    let data = found.data.iter().map(RateVersion::of).collect();
    Ok(Json(RateVersions { data, total: found.total, page, per_page }))
}

async fn get(state: web::Data<State>, who: AsStaff, id: PathId<RateId>) -> Reply<Versioned<RateCardRecord>> {
    answer(&desk::get(&state.services, &who.0, id.0).await?)
}

async fn add(
    state: web::Data<State>,
    who: AsStaff,
    key: IdempotencyKey,
    body: ValidJson<NewRateCardRequest>,
) -> Reply<Once<RateCardRecord, 201>> {
    let render = RateCardRecord::of;
    let guard = Once::<_, 201>::guard(key, who.0.caller(), "POST /api/rates", &body.body_hash(), render);
    let NewRateCardRequest { name, card, effective_from } = body.value;
    let new = NewCard { card: card.map(|card| with_cents(Value::Object(card))), from: effective_from, name };
    let done = desk::begin(&state.services, &who.0, new, guard).await?;
    Ok(Once::of(done, render)?)
}

async fn put(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<RateId>,
    version: Version,
    body: ValidJson<RateCardRequest>,
) -> Reply<Versioned<RateCardRecord>> {
    let RateCardRequest { card, effective_from, name } = body.value;
    let new = NewVersion { card: with_cents(Value::Object(card)), from: effective_from, name };
    answer(&desk::put(&state.services, &who.0, id.0, new, version.0).await?)
}

async fn preview(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<RateId>,
    body: ValidJson<RatePreviewRequest>,
) -> Reply<Json<RatePreview>, PreviewRefusal> {
    let RatePreviewRequest { card, n, examples } = body.value;
    let asked = RatePreviewInput {
        card: card.map(|card| with_cents(Value::Object(card))),
        n,
        examples: examples.iter().map(|one| Ok((one.job()?, one.moving_date))).collect::<Result<_, CommonError>>()?,
    };
    let found = preview::preview(&state.services, &who.0, id.0, asked).await?;
    Ok(Json(RatePreview::of(&found)))
}

async fn remove(state: web::Data<State>, who: AsStaff, id: PathId<RateId>) -> Reply<NoContent, RemoveRefusal> {
    desk::remove(&state.services, &who.0, id.0).await?;
    Ok(NoContent)
}

/// Their part of the table.
pub(super) fn routes() -> Vec<Route> {
    let card = with_dollars(serde_json::to_value(pricing::RateCard::builtin()).unwrap_or_default());
    vec![
        Route::get("/api/rates", STAFF, list)
            .doc("rates", TAG, "Versions of all rate cards: by name, the highest version first")
            .example(Example::query(&[("page", "1"), ("per_page", "10")])),
        Route::post("/api/rates", STAFF, Audit::Action("rate.begin"), add)
            .doc("addRate", TAG, "Add the first version of a rate card")
            .about(
                "A new company begins with the figures that come with the program, and changes them: whether they are its \
                 own is said by `POST /api/first-steps/prices`, or by saving a version.",
            )
            .example(Example::json(json!({ "name": "{unique}" }))),
        Route::get("/api/rates/{id}", STAFF, get)
            .doc("rate", TAG, "A version of a rate card with its figures")
            .about("The `ETag` is the highest version of the name: a newer version changes where this one stands."),
        Route::put("/api/rates/{id}", STAFF, Audit::Action("rate.load"), put)
            .doc("changeRate", TAG, "Add a version of a rate card, or a card of a new name")
            .about(
                "No version is ever changed: bookings keep the one they were priced with. `If-Match` names the highest \
                 version of the card that is changed. Every mistake is named by its place, `card.rates.ON.km_fee`.",
            )
            .example(Example::json(json!({ "card": card }))),
        Route::delete("/api/rates/{id}", STAFF, Audit::Action("rate.remove"), remove).doc(
            "removeRate",
            TAG,
            "Remove a version that is still to come",
        ),
        Route::post("/api/rates/{id}/preview", STAFF, Audit::Looks, preview)
            .doc("previewRate", TAG, "Price the newest bookings, and example moves, by the standard card in force and by another one")
            .about("Bookings by the job, the day, the discount code and the way they were booked with, without a change fee.")
            .example(Example::json(json!({ "n": 10, "examples": [examples::estimate()] }))),
    ]
}
