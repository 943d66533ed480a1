//! Which starts are free.

use actix_web::web;
use kernel::{
    Coordinates, PostalCode, Province,
    chrono::{DateTime, NaiveDate, Utc},
};
use serde::{Deserialize, Serialize};
use service::{
    FieldProblem,
    availability::{self, Availability, AvailabilityInput},
    moves::Whereabouts,
};
use utoipa::ToSchema;

use super::{
    moves::mates,
    replies::{Json, Reply, WithGuest},
    values::{HourMinute, MoveKindCode, ProvinceCode, blank, whole_second},
};
use crate::{
    access::Who,
    contract::CommonError,
    endpoint::{Access, Example, Route},
    guest::Guest,
    http::ValidQuery,
    limits::LimitClass,
    state::State,
};

/// The move, as far as it decides which starts are free.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AvailabilityQuery {
    /// First local day; today when left out.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<String>, format = Date)]
    date: Option<NaiveDate>,
    /// How many days.
    #[serde(default = "week")]
    #[schema(minimum = 1, maximum = 42, default = 7)]
    days: u32,
    /// Paid mates.
    #[serde(default = "one")]
    #[schema(minimum = 1, maximum = 20, default = 1)]
    mate_count: i64,
    /// Minutes of work.
    #[serde(default = "two_hours")]
    #[schema(minimum = 1, maximum = 1440, default = 120)]
    duration: u32,
    /// No truck.
    #[serde(default)]
    #[schema(default = false)]
    just_mates: bool,
    /// Of the pickup; may be left out when the postal code is given.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<ProvinceCode>)]
    province: Option<Province>,
    /// Of the pickup.
    #[schema(max_length = 200)]
    city: Option<String>,
    /// Of the pickup.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<String>, pattern = "^[A-Za-z][0-9][A-Za-z] ?[0-9][A-Za-z][0-9]$")]
    postal_code: Option<PostalCode>,
    /// Of the pickup.
    #[schema(minimum = -90, maximum = 90)]
    lat: Option<f64>,
    /// Of the pickup.
    #[schema(minimum = -180, maximum = 180)]
    lon: Option<f64>,
    /// Of the drop-off.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<ProvinceCode>)]
    dropoff_province: Option<Province>,
    /// Of the drop-off.
    #[schema(max_length = 200)]
    dropoff_city: Option<String>,
    /// Of the drop-off.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<String>, pattern = "^[A-Za-z][0-9][A-Za-z] ?[0-9][A-Za-z][0-9]$")]
    dropoff_postal_code: Option<PostalCode>,
    /// Size class of the estimate.
    #[schema(minimum = 1, maximum = 3)]
    tier: Option<u8>,
    /// Kind of move.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<MoveKindCode>)]
    move_kind: Option<pricing::MoveKind>,
}

const fn week() -> u32 {
    7
}

const fn one() -> i64 {
    1
}

const fn two_hours() -> u32 {
    120
}

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
    #[serde(serialize_with = "whole_second")]
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

fn input(q: AvailabilityQuery, today: impl Fn(Province) -> NaiveDate) -> Result<AvailabilityInput, CommonError> {
    let province = q.province.or_else(|| q.postal_code.as_ref().map(PostalCode::province));
    let province = province.ok_or_else(|| CommonError::field("province", FieldProblem::Required))?;
    let point = q.lat.zip(q.lon).map(|(lat, lon)| Coordinates::new(lat, lon)).transpose();
    let pickup = Whereabouts {
        province: Some(province),
        city: q.city,
        postal_code: q.postal_code,
        coordinates: point.map_err(|_| CommonError::field("lat", FieldProblem::OutOfRange))?,
    };
    let dropoff = Whereabouts {
        province: q.dropoff_province.or_else(|| q.dropoff_postal_code.as_ref().map(PostalCode::province)),
        city: q.dropoff_city,
        postal_code: q.dropoff_postal_code,
        coordinates: None,
    };
    Ok(AvailabilityInput {
        date: q.date.unwrap_or_else(|| today(province)),
        days: q.days,
        mate_count: mates(q.mate_count, "mateCount")?,
        duration_minutes: q.duration,
        just_mates: q.just_mates,
        tier: q.tier,
        long_distance: q.move_kind == Some(pricing::MoveKind::LongDistance),
        pickup: pickup.place().ok_or_else(|| CommonError::field("province", FieldProblem::Required))?,
        dropoff: dropoff.place(),
    })
}

async fn days(
    state: web::Data<State>,
    who: Who,
    guest: Guest,
    query: ValidQuery<AvailabilityQuery>,
) -> Reply<WithGuest<Json<AvailabilityAnswer>>> {
    let now = state.services.clock.now();
    let input = input(query.value, |p| p.zone().local(now).date)?;
    let found = availability::days(&state.services, input).await?;
    // The cookie is set before the first hold: a browser that lost its first answer then asks again as the same guest.
    Ok(WithGuest(guest, Json(answer(found, who.0.language))))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/availability", Access::Public, days)
            .limited(LimitClass::Guest)
            .doc("availability", "Schedule", "Which starts are free")
            .about("Answers start times only, never how many crews are left. Without a hub near the pickup every day is closed: contact support.")
            .example(Example::query(&[
                ("date", "2027-02-17"),
                ("days", "3"),
                ("mateCount", "2"),
                ("duration", "150"),
                ("justMates", "false"),
                ("province", "QC"),
                ("city", "Montréal"),
                ("postalCode", "H2X 1Y4"),
            ])),
    ]
}
