//! Overtime.

use actix_web::web;
use kernel::{
    BookingId,
    chrono::{DateTime, Utc},
};
use serde::{Deserialize, Deserializer, Serialize};
use service::{
    FieldProblem,
    desk::{
        overtime::{self, NewOvertime},
        record::Record as Found,
    },
    ports::overtime::{Overtime, OvertimeCause},
};
use utoipa::ToSchema;
use validator::Validate;

use super::rows::StaffBooking;
use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, Once, Reply},
        values::{Cash, OvertimeCauseCode},
    },
    contract::{CommonError, Record, names, refusals},
    http::{IdempotencyKey, PathId, ValidJson, ValidQuery},
    state::State,
};

refusals! {
    /// Why no time is added.
    OvertimeRefusal { Rule: OvertimeClosed, OvertimeFree, OvertimeCap, NoRate, PaymentInFlight, PeriodClosed }
}

/// A booking whose move has begun.
pub(in crate::calls) struct BegunBooking(pub(in crate::calls) BookingId);

names! {
    BegunBooking: Record::Begun,
}

/// How much time.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub(super) struct OvertimeQuery {
    /// Minutes beyond what was agreed.
    #[validate(range(min = 1, max = 1440))]
    #[schema(minimum = 1, maximum = 1440)]
    minutes: u32,
}

/// Time that the customer agreed to.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub(super) struct OvertimeRequest {
    /// Beyond what was agreed; the rate card's free minutes and steps are applied.
    #[validate(range(min = 1, max = 1440))]
    #[schema(minimum = 1, maximum = 1440)]
    minutes: u32,
    /// Why the move took longer.
    #[schema(value_type = OvertimeCauseCode)]
    cause: String,
    /// The customer said yes. A text is a yes as well, and is kept: who said it, and how.
    #[serde(default, deserialize_with = "consent")]
    #[schema(value_type = bool)]
    consent: Option<String>,
    /// Who said yes, and how.
    #[serde(default)]
    #[validate(length(max = 500))]
    #[schema(max_length = 500)]
    consent_note: Option<String>,
}

/// Texts that are no yes, in the languages of the staff, and as a form or a script would send them.
const NO: [&str; 10] = ["no", "non", "n", "false", "faux", "off", "0", "否", "不", "不同意"];

/// `true`, or a text that says something other than no.
fn consent<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let is_yes = |text: &String| {
        let said = text.trim().to_lowercase();
        !said.is_empty() && !NO.contains(&said.as_str())
    };
    let said = match serde_json::Value::deserialize(from)? {
        serde_json::Value::Bool(yes) => yes.then(String::new),
        serde_json::Value::String(text) => Some(text).filter(is_yes),
        _ => None,
    };
    Ok(said)
}

/// Time that was added, and the customer's yes to it.
#[derive(Debug, Serialize, ToSchema)]
pub struct OvertimeRecord {
    /// As it was counted.
    minutes: u32,
    #[schema(value_type = OvertimeCauseCode)]
    cause: &'static str,
    /// Who said yes, and how; empty when only the yes was written down.
    consent: String,
    /// By how much the price before tax rose.
    amount: Cash,
    at: DateTime<Utc>,
}

impl From<&Overtime> for OvertimeRecord {
    fn from(o: &Overtime) -> OvertimeRecord {
        OvertimeRecord {
            minutes: o.minutes,
            cause: o.cause.code(),
            consent: o.consent.clone(),
            amount: o.amount.into(),
            at: o.at,
        }
    }
}

/// What the time would cost.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OvertimePreview {
    /// Before tax.
    amount: Cash,
    tax: Cash,
    /// `amount` and `tax`.
    total: Cash,
    /// Total of the booking with it.
    new_total: Cash,
}

pub(super) async fn preview(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BegunBooking>,
    query: ValidQuery<OvertimeQuery>,
) -> Reply<Json<OvertimePreview>, OvertimeRefusal> {
    let p = overtime::preview(&state.services, &who.0, id.0.0, query.value.minutes).await?;
    let total = p.amount.plus(p.tax);
    Ok(Json(OvertimePreview {
        amount: p.amount.into(),
        tax: p.tax.into(),
        total: total.into(),
        new_total: p.new_total.into(),
    }))
}

pub(super) async fn add(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BegunBooking>,
    key: IdempotencyKey,
    body: ValidJson<OvertimeRequest>,
) -> Reply<Once<StaffBooking, 201>, OvertimeRefusal> {
    let render = |found: &Found| StaffBooking::record(found);
    let call = format!("POST /api/bookings/{}/overtime", id.0.0);
    let guard = Once::<_, 201>::guard(key, who.0.caller(), &call, &body.body_hash(), render);
    let OvertimeRequest { minutes, cause, consent, consent_note } = body.value;
    let cause = OvertimeCause::from_code(&cause).ok_or_else(|| CommonError::field("cause", FieldProblem::Unknown))?;
    let consent = consent.map(|said| consent_note.filter(|note| !note.trim().is_empty()).unwrap_or(said));
    let new = NewOvertime { minutes, cause, consent };
    let done = overtime::add(&state.services, &who.0, id.0.0, new, guard).await?;
    Ok(Once::of(done, render)?)
}
