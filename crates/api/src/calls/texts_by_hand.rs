//! Texts that staff send by hand.

use actix_web::web;
use kernel::{BookingId, Language};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::desk::texts::{self, Report, TextRequest};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    replies::{Once, Reply},
    values::{LanguageCode, TextRejectionCode},
};
use crate::{
    access::AsStaff,
    endpoint::{Audit, Example, Route, STAFF},
    http::{IdempotencyKey, ValidJson},
    state::State,
};

/// What is brought.
#[derive(Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
struct TextDelivery {
    /// Its number.
    #[serde(rename = "taskID")]
    #[validate(length(max = 60))]
    #[schema(max_length = 60)]
    task_id: Option<String>,
    /// Where it is brought.
    #[validate(length(max = 300))]
    #[schema(max_length = 300)]
    address: Option<String>,
    /// For whoever gets it.
    #[validate(length(max = 500))]
    #[schema(max_length = 500)]
    notes: Option<String>,
    /// Who brings it.
    #[validate(length(max = 120))]
    #[schema(max_length = 120)]
    mate_name: Option<String>,
    /// `2027-09-17`, written as its language does; anything else stays as it is.
    #[validate(length(max = 60))]
    #[schema(max_length = 60)]
    date: Option<String>,
    /// Between when and when.
    #[validate(length(max = 60))]
    #[schema(max_length = 60)]
    time_range: Option<String>,
}

/// One text.
#[derive(Debug, Deserialize, Serialize, ToSchema, Validate)]
struct TextRow {
    /// `deliveryScheduled`.
    #[validate(length(max = 60))]
    #[schema(max_length = 60)]
    message_type: String,
    /// From whom it comes.
    #[validate(length(max = 120))]
    #[schema(max_length = 120)]
    partner_name: Option<String>,
    /// To whom.
    #[validate(length(max = 120))]
    #[schema(max_length = 120)]
    customer_name: Option<String>,
    /// Their number; that of the booking when left out.
    #[validate(length(max = 40))]
    #[schema(max_length = 40)]
    phone_number: Option<String>,
    /// What is brought.
    #[validate(nested)]
    delivery: Option<TextDelivery>,
    /// The booking it is about: what is known of that needs not be said.
    #[serde(rename = "bookingId")]
    #[schema(value_type = Option<uuid::Uuid>)]
    booking_id: Option<BookingId>,
    /// That of the booking, else of this request, when left out.
    #[schema(value_type = Option<LanguageCode>)]
    language: Option<Language>,
}

impl From<TextRow> for TextRequest {
    fn from(row: TextRow) -> TextRequest {
        let TextDelivery { task_id, address, notes, mate_name, date, time_range } = row.delivery.unwrap_or_default();
        let said = [
            ("partner_name", row.partner_name),
            ("customer_name", row.customer_name),
            ("taskID", task_id),
            ("address", address),
            ("notes", notes),
            ("mate_name", mate_name),
            ("date", date),
            ("time_range", time_range),
        ];
        TextRequest {
            kind: row.message_type,
            booking: row.booking_id,
            number: row.phone_number.unwrap_or_default(),
            language: row.language,
            values: said.into_iter().filter_map(|(key, value)| Some((key, value?))).collect(),
        }
    }
}

/// Texts to send.
#[derive(Debug, Deserialize, ToSchema, Validate)]
struct TextsRequest {
    /// One text a row.
    #[validate(length(min = 1, max = 200), nested)]
    #[schema(min_items = 1, max_items = 200)]
    data: Vec<TextRow>,
}

/// A row that is not sent.
#[derive(Debug, Serialize, ToSchema)]
pub struct RejectedText {
    /// Which, from 0.
    index: usize,
    #[schema(value_type = TextRejectionCode)]
    code: &'static str,
}

/// What became of the rows: those that were accepted are on their way.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TextsReport {
    /// Texts that are on their way.
    accepted: usize,
    /// The others.
    rejected: Vec<RejectedText>,
    /// `GET /messages?report=` tells what became of each text.
    report_id: String,
}

impl From<&Report> for TextsReport {
    fn from(r: &Report) -> TextsReport {
        let rejected = r.rejected.iter().map(|(index, why)| RejectedText { index: *index, code: why.code() });
        TextsReport { accepted: r.accepted, rejected: rejected.collect(), report_id: r.id.to_string() }
    }
}

async fn send(
    state: web::Data<State>,
    who: AsStaff,
    key: IdempotencyKey,
    body: ValidJson<TextsRequest>,
) -> Reply<Once<TextsReport, 202>> {
    let render = |report: &Report| TextsReport::from(report);
    let guard = Once::<_, 202>::guard(key, who.0.caller(), "POST /api/sms/send", &body.body_hash(), render);
    let rows = body.value.data.into_iter().map(TextRequest::from).collect();
    let done = texts::send(&state.services, &who.0, rows, guard).await?;
    Ok(Once::of(done, render)?)
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::post("/api/sms/send", STAFF, Audit::Action("sms.send"), send)
            .doc("sendTexts", "Back office", "Send texts: one message a row")
            .about(
                "A row that cannot be sent is told of and keeps no other back. Texts go by day where their reader is, and none to who wrote \
                 STOP. The same request again, with the same key, sends nothing more.",
            )
            .example(Example::json(json!({ "data": [{
                "message_type": "deliveryScheduled",
                "partner_name": "Meubles Laurier",
                "customer_name": "Camille Tremblay",
                "phone_number": "514 555-0142",
                "delivery": { "taskID": "CA7F2K", "address": "1000 Rue Sherbrooke O, Montréal", "date": "2027-03-18", "time_range": "9:00 – 10:00" },
                "language": "en"
            }] }))),
    ]
}
