//! Consent asked by a link, without signing in, and what staff do about it.

use actix_web::web;
use kernel::{
    BookingId,
    chrono::{DateTime, NaiveDate, Utc},
    uuid::Uuid,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    FieldProblem,
    bookings::consents::{
        Sent,
        answer::{self, Page},
        staff,
    },
    desk::{overtime, record::Record as Found},
    ports::overtime::OvertimeCause,
};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    desk::{overtime::BegunBooking, rows::StaffBooking},
    links::{LinkedMove, secrets},
    replies::{Json, Once, Reply},
    values::{Cash, ConsentKindCode, ConsentStateCode, HourMinute, LanguageCode, OvertimeCauseCode},
};
use crate::{
    access::{AsStaff, Who},
    contract::{CommonError, Record, names, refusals},
    endpoint::{Access, Audit, Example, Relation, Route, STAFF},
    http::{IdempotencyKey, PathId, ValidJson},
    limits::LimitClass,
    state::State,
};

refusals! {
    /// Why an answer is not taken.
    AnswerRefusal { Rule: ConsentAnswered, PaymentInFlight, EditClosed, OvertimeFree, OvertimeCap, NoRate }
}

refusals! {
    /// Why nobody is asked.
    AskRefusal { Rule: ConsentNotNeeded }
}

refusals! {
    /// Why nobody is asked for overtime.
    AskOvertimeRefusal { Rule: ConsentNotNeeded, OvertimeClosed, OvertimeFree, OvertimeCap, NoRate }
}

refusals! {
    /// Why a yes is not written down.
    RecordRefusal {
        Rule: ConsentNotNeeded, ConsentOutdated, PaymentInFlight, EditClosed, OvertimeFree, OvertimeCap, NoRate
    }
}

secrets! {
    ConsentToken: Record::ConsentLink,
}

/// A booking whose charges wait for its customer.
pub(super) struct WaitingBooking(BookingId);

names! {
    WaitingBooking: Record::WaitsForConsent,
}

/// What whoever holds the link is asked.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsentPage {
    #[schema(value_type = ConsentStateCode)]
    state: &'static str,
    #[schema(value_type = ConsentKindCode)]
    kind: &'static str,
    short_id: String,
    first_name: String,
    /// Local day of the move.
    #[schema(value_type = String, format = Date)]
    date: NaiveDate,
    time: HourMinute,
    zone: String,
    /// Municipality of the pickup.
    from: String,
    /// Municipality of the drop-off.
    to: String,
    /// The exact words that are agreed to, a line each; left out when they do not hold any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Charged in all.
    amount: Cash,
    currency: &'static str,
    #[schema(value_type = LanguageCode)]
    language: kernel::Language,
    /// Until when it can be answered.
    expires_at: DateTime<Utc>,
    answered_at: Option<DateTime<Utc>>,
    /// Without a yes the move is cancelled.
    releases: bool,
}

impl From<&Page> for ConsentPage {
    fn from(p: &Page) -> ConsentPage {
        let c = &p.consent;
        let LinkedMove { short_id, first_name, date, time, zone, from, to } = LinkedMove::of(&p.booking);
        let holds = matches!(p.state, answer::State::Asked | answer::State::Agreed | answer::State::Refused);
        ConsentPage {
            state: p.state.code(),
            kind: c.about.code(),
            short_id,
            first_name,
            date,
            time,
            zone,
            from,
            to,
            text: holds.then(|| c.text.clone()),
            amount: c.amount.into(),
            currency: "CAD",
            language: c.language,
            expires_at: c.expires_at,
            answered_at: c.answered_at,
            releases: p.releases,
        }
    }
}

/// What `POST /api/consent/{id}` takes.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConsentAnswer {
    /// True: they agree to the words they were shown.
    agree: bool,
}

/// A question that was mailed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsentSent {
    id: String,
    /// A secret. Left out of the answer to a repeated request: only its hash is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    /// Until when it can be answered.
    expires_at: DateTime<Utc>,
    /// Charged in all.
    amount: Cash,
    /// The exact words, a line each.
    text: String,
    /// Whom it was mailed to.
    sent_to: String,
}

impl From<&Sent> for ConsentSent {
    fn from(s: &Sent) -> ConsentSent {
        ConsentSent {
            id: s.id.to_string(),
            url: Some(s.url.clone()),
            expires_at: s.expires_at,
            amount: s.amount.into(),
            text: s.text.clone(),
            sent_to: s.to.clone(),
        }
    }
}

/// A yes that was said on the telephone.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub(super) struct ConsentNote {
    /// Which question was read out; the newest that waits when left out.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Uuid)]
    consent_id: Option<Uuid>,
    /// Who agreed, and when.
    #[validate(length(min = 1, max = 500))]
    #[schema(min_length = 1, max_length = 500)]
    note: String,
}

/// Overtime that the customer is asked for.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub(super) struct AskOvertime {
    /// Beyond what was agreed; the rate card's free minutes and steps are applied.
    #[validate(range(min = 1, max = 1440))]
    #[schema(minimum = 1, maximum = 1440)]
    minutes: u32,
    /// Why the move took longer.
    #[schema(value_type = OvertimeCauseCode)]
    cause: String,
}

async fn look(state: web::Data<State>, id: PathId<ConsentToken>) -> Reply<Json<ConsentPage>> {
    let page = answer::look(&state.services, id.0.0).await?;
    Ok(Json(ConsentPage::from(&page)))
}

async fn reply(
    state: web::Data<State>,
    who: Who,
    id: PathId<ConsentToken>,
    body: ValidJson<ConsentAnswer>,
) -> Reply<Json<ConsentPage>, AnswerRefusal> {
    let page = answer::answer(&state.services, &who.0, id.0.0, body.value.agree).await?;
    Ok(Json(ConsentPage::from(&page)))
}

fn sent(sent: &Sent) -> ConsentSent {
    ConsentSent::from(sent)
}

fn consent_sent(sent: &Sent) -> ConsentSent {
    ConsentSent { url: None, ..ConsentSent::from(sent) }
}

async fn ask(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<WaitingBooking>,
    key: IdempotencyKey,
) -> Reply<Once<ConsentSent, 201>, AskRefusal> {
    let id = id.0.0;
    let call = format!("POST /api/bookings/{id}/consent-link");
    let guard = Once::<_, 201>::guard(key, who.0.caller(), &call, "", consent_sent);
    let done = staff::ask_again(&state.services, &who.0, id, guard).await?;
    Ok(Once::of(done, sent)?)
}

async fn ask_overtime(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BegunBooking>,
    key: IdempotencyKey,
    body: ValidJson<AskOvertime>,
) -> Reply<Once<ConsentSent, 201>, AskOvertimeRefusal> {
    let id = id.0.0;
    let call = format!("POST /api/bookings/{id}/overtime/consent-link");
    let guard = Once::<_, 201>::guard(key, who.0.caller(), &call, &body.body_hash(), consent_sent);
    let AskOvertime { minutes, cause } = body.value;
    let cause = OvertimeCause::from_code(&cause).ok_or_else(|| CommonError::field("cause", FieldProblem::Unknown))?;
    let done = overtime::ask(&state.services, &who.0, id, minutes, cause, guard).await?;
    Ok(Once::of(done, sent)?)
}

async fn record(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<WaitingBooking>,
    key: IdempotencyKey,
    body: ValidJson<ConsentNote>,
) -> Reply<Once<StaffBooking, 200>, RecordRefusal> {
    let id = id.0.0;
    let render = |found: &Found| StaffBooking::record(found);
    let call = format!("POST /api/bookings/{id}/consent");
    let guard = Once::<_, 200>::guard(key, who.0.caller(), &call, &body.body_hash(), render);
    let ConsentNote { consent_id, note } = body.value;
    let done = service::desk::record::consent(&state.services, &who.0, id, consent_id, note, guard).await?;
    Ok(Once::of(done, render)?)
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::post("/api/bookings/{id}/consent-link", STAFF, Audit::Action("booking.consent_link"), ask)
            .doc("askConsent", "Back office", "Ask the customer again whether money that went back may be charged again")
            .about("A cancellation that is taken back asks by itself. The link of the question before ends."),
        Route::post("/api/bookings/{id}/consent", STAFF, Audit::Action("booking.consent"), record)
            .doc("recordConsent", "Back office", "Write down that the customer agreed on the telephone")
            .about("To the words of the question as they stand at the booking. What waited for it happens.")
            .example(Example::json(json!({ "note": "Ana Roy, on the telephone at ten" }))),
        Route::post(
            "/api/bookings/{id}/overtime/consent-link",
            STAFF,
            Audit::Action("booking.consent_link"),
            ask_overtime,
        )
        .doc("askOvertime", "Back office", "Ask the customer by mail for time beyond what was agreed")
        .about("Nothing is added until they agree. The link works for seven days, without signing in.")
        .example(Example::json(json!({ "minutes": 45, "cause": "elevator" }))),
        Route::get("/api/consent/{id}", Access::Public, look)
            .relation(Relation::WhoeverHasTheLink)
            .limited(LimitClass::Guest)
            .doc("consentOfLink", "Payments", "What a link asks to agree to"),
        Route::post("/api/consent/{id}", Access::Public, Audit::Action("booking.consent"), reply)
            .relation(Relation::WhoeverHasTheLink)
            .limited(LimitClass::Payment)
            .doc("answerConsent", "Payments", "Agree, or do not agree")
            .about("Once: the same answer again is told again, another one is refused. Where what was asked does not hold any more nothing is agreed to, and the customer is asked again by another mail.")
            .example(Example::json(json!({ "agree": true }))),
    ]
}
