//! One status for several bookings, with a result for each.

use actix_web::web;
use kernel::Language;
use serde::{Deserialize, Serialize};
use service::{bookings::status, desk::rows};
use status_machine::booking::Status;
use utoipa::ToSchema;
use validator::Validate;

use crate::{
    access::AsStaff,
    calls::{
        bookings::staff::{Fault, StatusRequest},
        replies::{Json, Reply},
        values::{BookingKey, BookingStatusCode, LanguageCode, blank},
    },
    http::{ApiError, ValidJson, problem},
    state::State,
};

/// Which bookings, and what is said of all of them.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub(super) struct BulkStatusRequest {
    /// Bookings; one that is named twice is changed once.
    #[validate(length(min = 1, max = 100))]
    #[schema(min_items = 1, max_items = 100)]
    ids: Vec<BookingKey>,
    /// To.
    #[schema(value_type = BookingStatusCode)]
    status: Status,
    /// Language of the messages that follow.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<LanguageCode>)]
    language: Option<Language>,
    /// Why; some changes need it.
    #[serde(default)]
    #[validate(length(max = 500))]
    #[schema(max_length = 500)]
    reason: Option<String>,
    /// Reference of a payment made elsewhere.
    #[serde(default)]
    #[validate(length(max = 200))]
    #[schema(max_length = 200)]
    payment_reference: Option<String>,
    /// Cancelling: give up what the policy would keep.
    #[serde(default)]
    waive: bool,
    /// Cancelling: whose fault it is; the company's when nothing is said.
    #[serde(default)]
    fault: Option<Fault>,
}

/// What became of one booking.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkResult {
    id: String,
    short_id: Option<String>,
    ok: bool,
    /// The status it has now.
    #[schema(value_type = Option<BookingStatusCode>)]
    status: Option<&'static str>,
    /// Why it was not changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    /// The same for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    /// What it could be given instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed: Option<Vec<String>>,
}

/// What became of each, in the order asked.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkAnswer {
    /// Results.
    data: Vec<BulkResult>,
}

pub(super) async fn set_status(
    state: web::Data<State>,
    who: AsStaff,
    body: ValidJson<BulkStatusRequest>,
) -> Reply<Json<BulkAnswer>> {
    let b = body.value;
    let asked = StatusRequest::of_many(b.status, b.language, b.reason, b.payment_reference, b.waive, b.fault);
    let (to, input) = asked.into_input();
    let language = who.0.caller().language;
    let mut data: Vec<BulkResult> = Vec::new();
    let mut ids = Vec::new();
    for BookingKey(id) in b.ids {
        if ids.contains(&id) {
            continue;
        }
        ids.push(id);
        let done = status::set(&state.services, &who.0, id, to, input.clone()).await;
        data.push(match done {
            Ok(done) => BulkResult {
                id: id.to_string(),
                short_id: Some(done.booking.short_id.to_string()),
                ok: true,
                status: Some(done.booking.status.code()),
                code: None,
                detail: None,
                allowed: None,
            },
            Err(refused) => {
                let known = rows::read(&state.services, &who.0, id).await.ok().map(|r| r.booking);
                let e = ApiError::from(refused);
                let told = problem::body(&e, language);
                let list = told["allowed"].as_array();
                BulkResult {
                    id: id.to_string(),
                    short_id: known.as_ref().map(|b| b.short_id.to_string()),
                    ok: false,
                    status: known.map(|b| b.status.code()),
                    code: Some(e.code.row().code),
                    detail: told["detail"].as_str().map(str::to_owned),
                    allowed: list.map(|l| l.iter().filter_map(|s| s.as_str().map(str::to_owned)).collect()),
                }
            }
        });
    }
    Ok(Json(BulkAnswer { data }))
}
