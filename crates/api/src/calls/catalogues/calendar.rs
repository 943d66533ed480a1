//! The calendar of a hub as staff keep it: its week, and the days that differ from it.

use actix_web::web;
use kernel::{Language, Province, chrono::NaiveDate};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    FieldProblem,
    calendar::{
        self, Day, KnownHub,
        desk::{self, Days, Week},
    },
    ports::capacity::DayCapacity,
};
use utoipa::ToSchema;
use validator::Validate;

use super::common::TAG;
use crate::{
    access::AsStaff,
    calls::{
        furniture::LocalizedName,
        replies::{Json, NoContent, Reply, Versioned, versioned},
        values::ProvinceCode,
    },
    contract::{CommonError, refusals},
    endpoint::{Audit, Example, Route, STAFF},
    http::{PathDay, PathHub, ValidJson, ValidQuery, Version},
    state::State,
};

refusals! {
    /// Why a week or a day stays as it was.
    CalendarRefusal { Rule: CapacityTaken }
}

refusals! {
    /// Why a day keeps its own row.
    FollowRefusal { Rule: CapacityTaken, ValidationFailed }
}

/// Where crews and trucks start from.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct HubRecord {
    /// Stable: `kitchener-waterloo`.
    id: &'static str,
    name: LocalizedName,
    #[schema(value_type = ProvinceCode)]
    province: Province,
    /// Zone of its days.
    zone: String,
    /// Somebody works there on some day: it offers slots.
    has_calendar: bool,
    /// A move starts from there within the last day, or later.
    has_jobs: bool,
}

impl From<&KnownHub> for HubRecord {
    fn from(known: &KnownHub) -> HubRecord {
        HubRecord {
            id: known.hub.id,
            name: LocalizedName::of(|language| known.hub.name(language)),
            province: known.hub.province,
            zone: known.hub.zone.to_string(),
            has_calendar: known.has_calendar,
            has_jobs: known.has_jobs,
        }
    }
}

/// All hubs.
#[derive(Debug, Serialize, ToSchema)]
pub struct HubList {
    /// Those with a calendar or with jobs first.
    data: Vec<HubRecord>,
}

/// Trucks by the length of their box.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
struct TrucksBySize {
    /// Of 10 feet.
    #[serde(rename = "10ft")]
    #[schema(minimum = 0, maximum = 1000)]
    ten: u32,
    /// Of 20 feet.
    #[serde(rename = "20ft")]
    #[schema(minimum = 0, maximum = 1000)]
    twenty: u32,
    /// Of 26 feet.
    #[serde(rename = "26ft")]
    #[schema(minimum = 0, maximum = 1000)]
    twenty_six: u32,
}

/// Mates and trucks of a day.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
struct CrewCapacity {
    /// Mates.
    #[schema(minimum = 0, maximum = 1000)]
    mates: u32,
    /// Trucks.
    trucks: TrucksBySize,
}

impl From<DayCapacity> for CrewCapacity {
    fn from(day: DayCapacity) -> CrewCapacity {
        let [ten, twenty, twenty_six] = day.trucks;
        CrewCapacity { mates: day.mates, trucks: TrucksBySize { ten, twenty, twenty_six } }
    }
}

impl From<CrewCapacity> for DayCapacity {
    fn from(sent: CrewCapacity) -> DayCapacity {
        let TrucksBySize { ten, twenty, twenty_six } = sent.trucks;
        DayCapacity { mates: sent.mates, trucks: [ten, twenty, twenty_six] }
    }
}

/// A week.
#[derive(Debug, Deserialize, ToSchema, Validate)]
struct CalendarWeekRequest {
    /// Seven days, Monday first.
    #[validate(length(min = 7, max = 7))]
    #[schema(min_items = 7, max_items = 7)]
    week: Vec<CrewCapacity>,
}

/// A day that differs from its weekday.
#[derive(Debug, Deserialize, ToSchema, Validate)]
struct CalendarDayRequest {
    /// Mates; none: closed.
    #[validate(range(max = 1000))]
    #[schema(minimum = 0, maximum = 1000)]
    mates: u32,
    /// Trucks.
    trucks: TrucksBySize,
    /// Why.
    #[serde(default)]
    #[validate(length(max = 200))]
    #[schema(max_length = 200)]
    reason: String,
}

/// From which day to which.
#[derive(Debug, Deserialize, ToSchema)]
struct CalendarSpanQuery {
    /// First local day.
    #[schema(value_type = String, format = Date)]
    from: NaiveDate,
    /// Last local day, at most 400 days in all.
    #[schema(value_type = String, format = Date)]
    to: NaiveDate,
}

/// The week of a hub.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalendarWeek {
    /// Id of the hub.
    hub: &'static str,
    /// Zone of its days.
    zone: String,
    /// Whose holidays it has.
    #[schema(value_type = ProvinceCode)]
    province: Province,
    /// The day it is there.
    #[schema(value_type = String, format = Date)]
    today: NaiveDate,
    /// Seven days, Monday first.
    #[schema(min_items = 7, max_items = 7)]
    week: Vec<CrewCapacity>,
    /// How often it was written; 0 = never.
    version: i32,
}

impl From<Week> for CalendarWeek {
    fn from(w: Week) -> CalendarWeek {
        CalendarWeek {
            hub: w.hub.id,
            zone: w.hub.zone.to_string(),
            province: w.hub.province,
            today: w.today,
            week: w.week.into_iter().map(CrewCapacity::from).collect(),
            version: w.version,
        }
    }
}

/// That a day differs from its weekday.
#[derive(Debug, Serialize, ToSchema)]
struct DayOverride {
    /// Why; may be empty.
    reason: String,
}

/// A statutory holiday.
#[derive(Debug, Serialize, ToSchema)]
struct DayHoliday {
    /// Stable: `canada_day`.
    code: &'static str,
    /// In the language of the answer.
    name: &'static str,
}

/// A day of a hub.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalendarDay {
    /// Local day.
    #[schema(value_type = String, format = Date)]
    date: NaiveDate,
    /// By the week, or by its own row.
    planned: CrewCapacity,
    /// Who and what is away.
    absent: CrewCapacity,
    /// Planned less absent, never below 0.
    offered: CrewCapacity,
    /// The most that is taken at one time.
    taken: CrewCapacity,
    /// None when it follows its weekday.
    #[serde(rename = "override")]
    special: Option<DayOverride>,
    /// Nobody works: no mates are planned, or nobody ever works on this day.
    closed: bool,
    /// The statutory holiday it is.
    holiday: Option<DayHoliday>,
}

impl CalendarDay {
    fn of(day: &Day, province: Province, language: Language) -> CalendarDay {
        let holiday = service::calendar::holiday(province, day.date);
        CalendarDay {
            date: day.date,
            planned: day.planned.into(),
            absent: day.absent.into(),
            offered: day.offered().into(),
            taken: day.taken.into(),
            special: day.special.then(|| DayOverride { reason: day.reason.clone() }),
            closed: day.planned.mates == 0 || holiday.is_some_and(|h| h.closed),
            holiday: holiday.map(|h| DayHoliday { code: h.code, name: h.name(language) }),
        }
    }
}

/// Days of a hub.
#[derive(Debug, Serialize, ToSchema)]
pub struct CalendarDays {
    /// Id of the hub.
    hub: &'static str,
    /// Zone of its days.
    zone: String,
    /// Whose holidays it has.
    #[schema(value_type = ProvinceCode)]
    province: Province,
    /// The day it is there.
    #[schema(value_type = String, format = Date)]
    today: NaiveDate,
    /// In order.
    days: Vec<CalendarDay>,
}

impl CalendarDays {
    fn of(found: &Days, language: Language) -> CalendarDays {
        let province = found.hub.province;
        CalendarDays {
            hub: found.hub.id,
            zone: found.hub.zone.to_string(),
            province,
            today: found.today,
            days: found.days.iter().map(|day| CalendarDay::of(day, province, language)).collect(),
        }
    }
}

async fn hubs(state: web::Data<State>, who: AsStaff) -> Reply<Json<HubList>> {
    let known = calendar::hubs(&state.services, &who.0).await?;
    Ok(Json(HubList { data: known.iter().map(HubRecord::from).collect() }))
}

async fn week_of(state: web::Data<State>, who: AsStaff, hub: PathHub) -> Reply<Versioned<CalendarWeek>> {
    let found = desk::week(&state.services, &who.0, hub.0).await?;
    versioned(found.version, found.into())
}

async fn put_week(
    state: web::Data<State>,
    who: AsStaff,
    hub: PathHub,
    version: Version,
    body: ValidJson<CalendarWeekRequest>,
) -> Reply<Versioned<CalendarWeek>, CalendarRefusal> {
    let sent: Vec<DayCapacity> = body.value.week.into_iter().map(DayCapacity::from).collect();
    let week: [DayCapacity; 7] = sent.try_into().map_err(|_| CommonError::field("week", FieldProblem::Invalid))?;
    let done = desk::put_week(&state.services, &who.0, hub.0, week, version.0).await?;
    versioned(done.version, done.into())
}

async fn days(
    state: web::Data<State>,
    who: AsStaff,
    hub: PathHub,
    query: ValidQuery<CalendarSpanQuery>,
) -> Reply<Json<CalendarDays>> {
    let CalendarSpanQuery { from, to } = query.value;
    let found = desk::days(&state.services, &who.0, hub.0, from, to).await?;
    Ok(Json(CalendarDays::of(&found, who.0.caller().language)))
}

async fn put_day(
    state: web::Data<State>,
    who: AsStaff,
    hub: PathHub,
    date: PathDay,
    body: ValidJson<CalendarDayRequest>,
) -> Reply<Json<CalendarDay>, CalendarRefusal> {
    let CalendarDayRequest { mates, trucks, reason } = body.value;
    let planned = CrewCapacity { mates, trucks }.into();
    let done = desk::put_day(&state.services, &who.0, hub.0, date.0, planned, reason).await?;
    Ok(Json(CalendarDay::of(&done, hub.0.province, who.0.caller().language)))
}

async fn follow_week(
    state: web::Data<State>,
    who: AsStaff,
    hub: PathHub,
    date: PathDay,
) -> Reply<NoContent, FollowRefusal> {
    desk::follow_week(&state.services, &who.0, hub.0, date.0).await?;
    Ok(NoContent)
}

/// Their part of the table.
pub(super) fn routes() -> Vec<Route> {
    const HUB: &[(&str, &str)] = &[("hub", "montreal")];
    const DAY: &[(&str, &str)] = &[("hub", "montreal"), ("date", "2027-07-01")];
    let crew = |mates: u32, trucks: u32| json!({ "mates": mates, "trucks": { "10ft": trucks, "20ft": trucks, "26ft": trucks } });
    let week: Vec<_> = [24, 24, 24, 24, 24, 32, 14].into_iter().map(|mates| crew(mates, 4)).collect();
    let mut day = crew(48, 8);
    day["reason"] = json!("Moving day");
    vec![
        Route::get("/api/hubs", STAFF, hubs).doc("hubs", TAG, "Where crews and trucks start from"),
        Route::get("/api/calendar/{hub}/week", STAFF, week_of)
            .doc("calendarWeek", TAG, "The week of a hub")
            .example(Example::default().at(HUB)),
        Route::put("/api/calendar/{hub}/week", STAFF, Audit::Action("calendar.week"), put_week)
            .doc("changeCalendarWeek", TAG, "Write the week of a hub anew")
            .about(
                "From today on, for days that have no row of their own. Refused when some day would have less than is \
                 taken: `shortfalls` says which, and by how much.",
            )
            .example(Example::json(json!({ "week": week })).at(HUB)),
        Route::get("/api/calendar/{hub}", STAFF, days)
            .doc("calendarDays", TAG, "Days of a hub: planned, away, offered and taken")
            .example(Example::query(&[("from", "2027-06-28"), ("to", "2027-07-04")]).at(HUB)),
        Route::put("/api/calendar/{hub}/{date}", STAFF, Audit::Action("calendar.day"), put_day)
            .doc("changeCalendarDay", TAG, "Give a day its own mates and trucks")
            .example(Example::json(day).at(DAY)),
        Route::delete("/api/calendar/{hub}/{date}", STAFF, Audit::Action("calendar.follow_week"), follow_week)
            .doc("followCalendarWeek", TAG, "Have a day follow its week again")
            .example(Example::default().at(DAY)),
    ]
}
