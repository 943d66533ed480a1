//! A guest who cannot book by themselves asks a person, and staff answer.

use actix_web::web;
use kernel::{
    Email, Language, Phone,
    chrono::{DateTime, NaiveDate, Utc},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    FieldProblem,
    ports::quote_requests::{CallAt, Obstacle, QuoteRequest, QuoteRequestId, RequestState},
    quote_requests::{self, Entry, NewQuoteRequest, QuoteRequestFilter},
};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    bookings::draft::BookingDraft,
    examples,
    replies::{Json, Once, Reply, Versioned, WithGuest, versioned},
    values::{CallAtCode, LanguageCode, ObstacleCode, QuoteRequestStateCode, blank},
};
use crate::{
    access::{AsStaff, Who},
    contract::{CommonError, Names, Record, refusals},
    endpoint::{Access, Audit, Example, Route, STAFF},
    guest::Guest,
    http::{IdempotencyKey, PathId, ValidJson, ValidQuery, Version, problem::Field},
    limits::LimitClass,
    state::State,
};

const TAG: &str = "Back office";

refusals! {
    /// Why a request is not taken.
    QuoteRequestRefusal { Rule: QuoteRequestLimit }
}

impl Names for QuoteRequestId {
    const RECORD: Record = Record::MadeBy("askPerson");
}

/// What `POST /api/quote-requests` takes.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub(super) struct QuoteRequestBody {
    /// Who asks.
    #[validate(length(max = 100))]
    #[schema(max_length = 100)]
    name: String,
    /// Where they read mail. This or a telephone number must be there.
    #[serde(default)]
    #[validate(length(max = 254))]
    #[schema(value_type = Option<String>, format = Email, max_length = 254)]
    email: Option<String>,
    /// Where they are called.
    #[serde(default)]
    #[validate(length(max = 40))]
    #[schema(max_length = 40)]
    phone: Option<String>,
    /// Language of the answer; the caller's when left out.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<LanguageCode>)]
    language: Option<Language>,
    /// When they want to be called; at any time of the day when left out.
    #[serde(default)]
    #[schema(value_type = Option<CallAtCode>)]
    call_at: Option<String>,
    /// Why they could not book, as they were told.
    #[serde(default)]
    #[validate(length(max = 7))]
    #[schema(value_type = Vec<ObstacleCode>, max_items = 7)]
    obstacles: Vec<String>,
    /// The draft as it is; it may lack anything. What is agreed to is not looked at.
    #[validate(nested)]
    booking_request: BookingDraft,
}

/// A request that reached us.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuoteRequestReceipt {
    id: String,
    made_at: DateTime<Utc>,
    /// A confirmation was mailed; not to who left a telephone number alone.
    confirmed: bool,
}

impl From<&QuoteRequest> for QuoteRequestReceipt {
    fn from(r: &QuoteRequest) -> QuoteRequestReceipt {
        QuoteRequestReceipt { id: r.id.to_string(), made_at: r.made_at, confirmed: r.email.is_some() }
    }
}

/// A request in the list.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuoteRequestEntry {
    id: String,
    #[schema(value_type = QuoteRequestStateCode)]
    state: &'static str,
    name: String,
    email: Option<String>,
    phone: Option<String>,
    #[schema(value_type = LanguageCode)]
    language: Language,
    #[schema(value_type = CallAtCode)]
    call_at: &'static str,
    /// Why it could not be booked online.
    #[schema(value_type = Vec<ObstacleCode>)]
    obstacles: Vec<&'static str>,
    /// Local day of the move, as far as it is known.
    #[schema(value_type = Option<String>, format = Date)]
    date: Option<NaiveDate>,
    /// Municipality of the pickup; empty while it is not known.
    from: String,
    /// Municipality of the drop-off; empty while it is not known.
    to: String,
    /// Name of who took it.
    taken_by: Option<String>,
    /// The booking it became.
    booking_id: Option<String>,
    /// Number of that booking.
    booking: Option<String>,
    made_at: DateTime<Utc>,
    changed_at: DateTime<Utc>,
    version: i32,
}

impl From<&Entry> for QuoteRequestEntry {
    fn from(e: &Entry) -> QuoteRequestEntry {
        let r = &e.request;
        QuoteRequestEntry {
            id: r.id.to_string(),
            state: r.state.code(),
            name: r.name.clone(),
            email: r.email.as_ref().map(ToString::to_string),
            phone: r.phone.as_ref().map(ToString::to_string),
            language: r.language,
            call_at: r.call_at.code(),
            obstacles: r.obstacles.iter().map(|o| o.code()).collect(),
            date: r.move_date,
            from: r.from_city.clone(),
            to: r.to_city.clone(),
            taken_by: e.taken_by.clone(),
            booking_id: r.booking_id.map(|id| id.to_string()),
            booking: e.booking.clone(),
            made_at: r.made_at,
            changed_at: r.changed_at,
            version: r.version,
        }
    }
}

/// A request with its draft.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuoteRequestRecord {
    #[serde(flatten)]
    entry: QuoteRequestEntry,
    /// The draft as it was sent, without what is agreed to.
    booking_request: BookingDraft,
}

impl QuoteRequestRecord {
    fn of(e: &Entry) -> Result<QuoteRequestRecord, CommonError> {
        let booking_request = serde_json::from_str(&e.request.draft)
            .map_err(|error| CommonError::internal(format!("the draft of request {}: {error}", e.request.id)))?;
        Ok(QuoteRequestRecord { entry: QuoteRequestEntry::from(e), booking_request })
    }
}

/// A page of requests.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuoteRequestList {
    /// The newest first.
    data: Vec<QuoteRequestEntry>,
    /// Of how many.
    total: i64,
    /// From 1.
    page: i64,
    /// Rows a page.
    per_page: i64,
}

/// Which requests.
#[derive(Debug, Deserialize, ToSchema)]
struct QuoteRequestQuery {
    /// Page, from 1.
    #[serde(default = "first")]
    #[schema(minimum = 1, maximum = 1_000_000, default = 1)]
    page: i64,
    /// Rows a page.
    #[serde(default = "fifty")]
    #[schema(minimum = 1, maximum = 100, default = 50)]
    per_page: i64,
    /// Only those that stand so.
    #[schema(value_type = Option<QuoteRequestStateCode>)]
    state: Option<String>,
    /// Only those that whoever asks has taken.
    #[serde(default)]
    mine: bool,
    /// Only those with these words in name, address, telephone number or municipalities.
    #[schema(max_length = 254)]
    value: Option<String>,
}

const fn first() -> i64 {
    1
}

const fn fifty() -> i64 {
    50
}

/// Where a request is to stand.
#[derive(Debug, Deserialize, ToSchema, Validate)]
struct QuoteRequestUpdate {
    /// `answering`: whoever asks takes it. `new`: nobody has it. `closed`: it ends without a booking. `booked` comes with
    /// the booking alone.
    #[schema(value_type = QuoteRequestStateCode)]
    state: String,
}

/// What was sent, checked: empty is nothing sent.
fn read<T: std::str::FromStr>(field: &str, sent: Option<&String>, wrong: &mut Vec<Field>) -> Option<T> {
    let text = sent.map(|text| text.trim()).filter(|text| !text.is_empty())?;
    let value = text.parse().ok();
    if value.is_none() {
        wrong.push(Field::new(field, FieldProblem::Invalid));
    }
    value
}

fn wish(body: QuoteRequestBody, language: Language) -> Result<NewQuoteRequest, CommonError> {
    let mut wrong = Vec::new();
    let email: Option<Email> = read("email", body.email.as_ref(), &mut wrong);
    let phone: Option<Phone> = read("phone", body.phone.as_ref(), &mut wrong);
    let call_at = body.call_at.as_deref().map_or(Some(CallAt::Anytime), CallAt::from_code);
    if call_at.is_none() {
        wrong.push(Field::new("callAt", FieldProblem::Unknown));
    }
    let obstacles: Option<Vec<_>> = body.obstacles.iter().map(|code| Obstacle::from_code(code)).collect();
    if obstacles.is_none() {
        wrong.push(Field::new("obstacles", FieldProblem::Unknown));
    }
    let (Some(call_at), Some(obstacles), true) = (call_at, obstacles, wrong.is_empty()) else {
        return Err(CommonError::invalid(wrong));
    };
    let draft = body.booking_request.for_a_person();
    let (move_date, from_city, to_city) = draft.outline();
    let draft =
        serde_json::to_string(&draft).map_err(|e| CommonError::internal(format!("a draft has no JSON form: {e}")))?;
    Ok(NewQuoteRequest {
        name: body.name,
        email,
        phone,
        language: body.language.unwrap_or(language),
        call_at,
        obstacles,
        draft,
        move_date,
        from_city,
        to_city,
    })
}

async fn ask(
    state: web::Data<State>,
    who: Who,
    guest: Guest,
    key: IdempotencyKey,
    body: ValidJson<QuoteRequestBody>,
) -> Reply<WithGuest<Once<QuoteRequestReceipt, 201>>, QuoteRequestRefusal> {
    let render = |request: &QuoteRequest| QuoteRequestReceipt::from(request);
    let request = guest.request(key, "POST /api/quote-requests", &body.body_hash());
    let guard = Once::<_, 201>::guarded(request, render);
    let wish = wish(body.value, who.0.language)?;
    let done = quote_requests::ask(&state.services, &who.0, wish, guard).await?;
    Ok(WithGuest(guest, Once::of(done, render)?))
}

async fn list(
    state: web::Data<State>,
    who: AsStaff,
    query: ValidQuery<QuoteRequestQuery>,
) -> Reply<Json<QuoteRequestList>> {
    let QuoteRequestQuery { page, per_page, state: standing, mine, value } = query.value;
    let standing = standing.filter(|code| !code.is_empty()).map(|code| {
        RequestState::from_code(&code).ok_or_else(|| service::Error::field("state", FieldProblem::Unknown))
    });
    let asked = QuoteRequestFilter { state: standing.transpose()?, mine, value };
    let found = quote_requests::list(&state.services, &who.0, asked, page, per_page).await?;
    let data = found.data.iter().map(QuoteRequestEntry::from).collect();
    Ok(Json(QuoteRequestList { data, total: found.total, page, per_page }))
}

async fn get(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<QuoteRequestId>,
) -> Reply<Versioned<QuoteRequestRecord>> {
    let found = quote_requests::get(&state.services, &who.0, id.0).await?;
    versioned(found.request.version, QuoteRequestRecord::of(&found)?)
}

async fn put(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<QuoteRequestId>,
    version: Version,
    body: ValidJson<QuoteRequestUpdate>,
) -> Reply<Versioned<QuoteRequestRecord>> {
    let to = RequestState::from_code(&body.value.state);
    let to = to.ok_or_else(|| CommonError::field("state", FieldProblem::Unknown))?;
    let done = quote_requests::put(&state.services, &who.0, id.0, to, version.0).await?;
    versioned(done.request.version, QuoteRequestRecord::of(&done)?)
}

/// Their part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::post("/api/quote-requests", Access::Public, Audit::Action("quote_request.ask"), ask)
            .limited(LimitClass::Guest)
            .doc("askPerson", "Estimates", "Ask a person for a quote, where a move cannot be booked online")
            .about("Staff are told and answer in the language that was asked for. Nothing is booked. Three a day that name one address or one number, twenty from a network.")
            .example(Example::json(json!({
                "name": "Camille Caron",
                "email": "{unique_email}",
                "callAt": "morning",
                "obstacles": ["heavy_items"],
                "bookingRequest": examples::draft("2027-03-17")
            }))),
        Route::get("/api/quote-requests", STAFF, list)
            .doc("quoteRequests", TAG, "Requests for a quote, the newest first")
            .example(Example::query(&[("page", "1"), ("per_page", "10"), ("state", "new")])),
        Route::get("/api/quote-requests/{id}", STAFF, get)
            .doc("quoteRequest", TAG, "A request for a quote with its draft")
            .about("What `POST /api/bookings` with `quoteRequestId` books is linked to it."),
        Route::put("/api/quote-requests/{id}", STAFF, Audit::Action("quote_request.update"), put)
            .doc("updateQuoteRequest", TAG, "Take a request for a quote, give it back or end it")
            .example(Example::json(json!({ "state": "answering" }))),
    ]
}
