//! Which starts are free.

use actix_web::web;
use kernel::{
    Coordinates, PostalCode, Province,
    chrono::{DateTime, NaiveDate, Utc},
};
use serde::Serialize;
use serde_json::json;
use service::{
    ErrorCode, FieldProblem,
    availability::{self, Availability, AvailabilityInput},
    moves::Whereabouts,
};
use utoipa::ToSchema;

use super::{
    moves::mates,
    replies::{Reply, ok},
    values::HourMinute,
};
use crate::{
    access::Who,
    doc::{Doc, Param},
    endpoint::Access,
    endpoint::Route,
    guest::Guest,
    http::{ApiError, HttpCode, Query},
    limits::LimitClass,
    state::State,
};

/// Starts by day.
#[derive(Debug, Serialize, ToSchema)]
pub struct AvailabilityAnswer {
    /// Zone of `date` and `time`.
    zone: String,
    /// Crew hub; none: no crews near, contact support.
    hub: Option<String>,
    /// In order.
    days: Vec<AvailableDay>,
}

/// One local day.
#[derive(Debug, Serialize, ToSchema)]
pub struct AvailableDay {
    /// Local day.
    #[schema(value_type = String, format = Date)]
    date: NaiveDate,
    /// Nobody works.
    closed: bool,
    /// The holiday of that day, in the language of the answer.
    holiday: Option<String>,
    /// Starts.
    slots: Vec<AvailableSlot>,
}

/// One start.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AvailableSlot {
    /// Local time.
    time: HourMinute,
    /// The instant.
    starts_at: DateTime<Utc>,
    /// May be chosen now.
    available: bool,
}

fn answer(a: Availability, language: kernel::Language) -> AvailabilityAnswer {
    let slot = |s: &availability::Slot| AvailableSlot {
        time: HourMinute(s.time),
        starts_at: s.starts_at,
        available: s.available,
    };
    AvailabilityAnswer {
        zone: a.zone.to_string(),
        hub: a.hub,
        days: a
            .days
            .iter()
            .map(|d| AvailableDay {
                date: d.date,
                closed: d.closed,
                holiday: d.holiday.as_ref().map(|h| h.name(language).to_string()),
                slots: d.slots.iter().map(slot).collect(),
            })
            .collect(),
    }
}

fn input(q: &Query, today: impl Fn(Province) -> NaiveDate) -> Result<AvailabilityInput, ApiError> {
    let small = |n: i64| u32::try_from(n).unwrap_or_default();
    let postal_code = q.value::<PostalCode>("postalCode")?;
    let province = q.value::<Province>("province")?.or_else(|| postal_code.as_ref().map(PostalCode::province));
    let province = province.ok_or_else(|| ApiError::field("province", FieldProblem::Required))?;
    let point = match (q.text("lat"), q.text("lon")) {
        (Some(_), Some(_)) => {
            let point = Coordinates::new(q.decimal("lat")?, q.decimal("lon")?);
            Some(point.map_err(|_| ApiError::field("lat", FieldProblem::OutOfRange))?)
        }
        _ => None,
    };
    let kind = q.value::<pricing::MoveKind>("moveKind")?;
    let pickup = Whereabouts {
        province: Some(province),
        city: q.text("city").map(str::to_owned),
        postal_code,
        coordinates: point,
    };
    if pickup.city.as_ref().is_some_and(|c| c.chars().count() > 200) {
        return Err(ApiError::field("city", FieldProblem::TooLong));
    }
    let dropoff_code = q.value::<PostalCode>("dropoffPostalCode")?;
    let dropoff_province =
        q.value::<Province>("dropoffProvince")?.or_else(|| dropoff_code.as_ref().map(PostalCode::province));
    let dropoff = Whereabouts {
        province: dropoff_province,
        city: q.text("dropoffCity").map(str::to_owned),
        postal_code: dropoff_code,
        coordinates: None,
    };
    Ok(AvailabilityInput {
        date: q.value("date")?.unwrap_or_else(|| today(province)),
        days: small(q.integer("days", 1, i64::from(availability::MAX_DAYS))?.unwrap_or(7)),
        mate_count: mates(q.integer("mateCount", 1, 20)?.unwrap_or(1), "mateCount")?,
        duration_minutes: small(q.integer("duration", 1, 1440)?.unwrap_or(120)),
        just_mates: q.flag("justMates")?,
        tier: q.integer("tier", 1, 3)?.and_then(|t| u8::try_from(t).ok()),
        long_distance: kind == Some(pricing::MoveKind::LongDistance),
        pickup: pickup.place().ok_or_else(|| ApiError::field("province", FieldProblem::Required))?,
        dropoff: dropoff.place(),
    })
}

async fn days(state: web::Data<State>, who: Who, guest: Guest, query: Query) -> Reply {
    let now = state.services.clock.now();
    let input = input(&query, |p| p.zone().local(now).date)?;
    // Before the first hold: a browser whose first answer is lost asks again as the same.
    Ok(guest.remember(ok(&answer(availability::days(&state.services, input).await?, who.0.language))?))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    let text = |max: u32| json!({ "type": "string", "maxLength": max });
    let code = json!({ "type": "string", "pattern": "^[A-Za-z][0-9][A-Za-z] ?[0-9][A-Za-z][0-9]$" });
    let provinces = json!({ "$ref": "#/components/schemas/Province" });
    vec![Route::get("/api/availability", Access::Public, days).limited(LimitClass::Guest).doc(
        Doc::new("availability", "Schedule", "Which starts are free")
            .about("Answers start times only, never how many crews are left. Without a hub near the pickup every day is closed: contact support.")
            .param(Param::query("date", "First local day; today when left out.", json!({ "type": "string", "format": "date" })))
            .param(Param::query("days", "How many days.", json!({ "type": "integer", "minimum": 1, "maximum": 42, "default": 7 })))
            .param(Param::query("mateCount", "Paid mates.", json!({ "type": "integer", "minimum": 1, "maximum": 20, "default": 1 })))
            .param(Param::query("duration", "Minutes of work.", json!({ "type": "integer", "minimum": 1, "maximum": 1440, "default": 120 })))
            .param(Param::query("justMates", "No truck.", json!({ "type": "boolean", "default": false })))
            .param(Param::query("province", "Of the pickup; may be left out when the postal code is given.", provinces.clone()))
            .param(Param::query("city", "Of the pickup.", text(200)))
            .param(Param::query("postalCode", "Of the pickup.", code.clone()))
            .param(Param::query("lat", "Of the pickup.", json!({ "type": "number", "minimum": -90, "maximum": 90 })))
            .param(Param::query("lon", "Of the pickup.", json!({ "type": "number", "minimum": -180, "maximum": 180 })))
            .param(Param::query("dropoffProvince", "Of the drop-off.", provinces))
            .param(Param::query("dropoffCity", "Of the drop-off.", text(200)))
            .param(Param::query("dropoffPostalCode", "Of the drop-off.", code))
            .param(Param::query("tier", "Size class of the estimate.", json!({ "type": "integer", "minimum": 1, "maximum": 3 })))
            .param(Param::query("moveKind", "Kind of move.", json!({ "$ref": "#/components/schemas/MoveKind" })))
            .answers::<AvailabilityAnswer>(200, "The days.")
            .refuses(&[ErrorCode::ValidationFailed])
            .refuses_http(&[HttpCode::MalformedRequest]),
    )]
}
