//! A day assigned all at once, with a preview.

use actix_web::web;
use kernel::{Language, chrono::NaiveDate};
use serde::{Deserialize, Serialize};
use service::{
    Error,
    dispatch::auto::{self, Applied, DayPlan, OpenJob, PlannedJob, Proposed, ProposedTruck},
    ports::bookings::Booking,
};
use utoipa::ToSchema;
use validator::Validate;

use super::board::{DispatchEnd, hub_of};
use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, Reply},
        values::{CrewReasonCode, HourMinute, OpenJobCode, TruckClassCode},
    },
    contract::refusals,
    http::{ApiError, ValidJson, problem},
    state::State,
};

refusals! {
    /// Why a day is not assigned.
    AutoRefusal { Rule: PlanChanged }
}

/// Which day, and whether it is to be assigned.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub struct AutoRequest {
    /// The hub, by its id.
    #[schema(max_length = 60)]
    hub: String,
    /// The local day.
    #[schema(value_type = String, format = Date)]
    date: NaiveDate,
    /// Assign it; otherwise the plan is answered and nothing is changed.
    #[serde(default)]
    apply: bool,
    /// The version of the plan that was looked at: another one is not carried out. When it is left out, the plan of now is.
    #[serde(default)]
    #[validate(length(max = 64))]
    #[schema(max_length = 64)]
    version: Option<String>,
}

/// Somebody on a planned job.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PlannedMate {
    mate_id: String,
    name: String,
    /// On it already.
    on_it: bool,
    /// What speaks for who is new.
    #[schema(value_type = Vec<CrewReasonCode>)]
    reasons: Vec<&'static str>,
    /// Minutes of driving to the pickup, from the job before or from the hub, of who is new.
    way_minutes: Option<i64>,
}

impl From<&Proposed> for PlannedMate {
    fn from(m: &Proposed) -> PlannedMate {
        PlannedMate {
            mate_id: m.id.to_string(),
            name: m.name.clone(),
            on_it: m.on_it,
            reasons: m.reasons.iter().map(|r| r.code()).collect(),
            way_minutes: m.way,
        }
    }
}

/// The truck of a planned job.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PlannedTruck {
    id: String,
    name: String,
    /// Of a new one.
    #[schema(value_type = Option<TruckClassCode>)]
    size: Option<&'static str>,
    /// On it already.
    on_it: bool,
}

impl From<&ProposedTruck> for PlannedTruck {
    fn from(t: &ProposedTruck) -> PlannedTruck {
        PlannedTruck { id: t.id.to_string(), name: t.name.clone(), size: t.class.map(|c| c.code()), on_it: t.on_it }
    }
}

/// A job of a planned day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DayJob {
    id: String,
    /// The booking's number.
    short_id: String,
    /// The customer.
    customer_name: String,
    /// Local time of the start.
    time: HourMinute,
    /// Local time of the end of the work.
    end_time: HourMinute,
    pickup: DispatchEnd,
    dropoff: DispatchEnd,
    /// Mates the booking pays for.
    mate_count: u8,
}

impl DayJob {
    fn of(b: &Booking, ends_at: kernel::chrono::DateTime<kernel::chrono::Utc>) -> DayJob {
        DayJob {
            id: b.id.to_string(),
            short_id: b.short_id.to_string(),
            customer_name: b.details.customer_name.clone(),
            time: HourMinute(b.move_time),
            end_time: HourMinute(b.zone.local(ends_at).time),
            pickup: (&b.details.pickup).into(),
            dropoff: (&b.details.dropoff).into(),
            mate_count: b.mate_count.get(),
        }
    }
}

/// Why a planned job stayed as it was.
#[derive(Debug, Serialize, ToSchema)]
struct RefusedJob {
    /// As of the call that names a crew.
    code: &'static str,
    /// The same for people.
    detail: String,
}

impl RefusedJob {
    fn of(e: Error, language: Language) -> RefusedJob {
        let e = ApiError::from(e);
        let detail = problem::body(&e, language)["detail"].as_str().unwrap_or_default().to_owned();
        RefusedJob { code: e.code.row().code, detail }
    }
}

/// A job that has all it needs with the plan.
#[derive(Debug, Serialize, ToSchema)]
struct PlannedDayJob {
    #[serde(flatten)]
    job: DayJob,
    /// Its whole crew, who is on it already first.
    crew: Vec<PlannedMate>,
    /// Its truck; none: it needs none.
    truck: Option<PlannedTruck>,
    /// Why it stayed as it was when the day was assigned; none: it was assigned, or nothing was to be.
    refused: Option<RefusedJob>,
}

/// A job that stays as it is.
#[derive(Debug, Serialize, ToSchema)]
struct OpenDayJob {
    #[serde(flatten)]
    job: DayJob,
    /// Why.
    #[schema(value_type = OpenJobCode)]
    reason: &'static str,
    /// Mates it lacks.
    lacking: usize,
    /// Mates who are free then, where they are too few.
    free: usize,
}

impl From<&OpenJob> for OpenDayJob {
    fn from(o: &OpenJob) -> OpenDayJob {
        OpenDayJob { job: DayJob::of(&o.booking, o.ends_at), reason: o.why.code(), lacking: o.lacking, free: o.free }
    }
}

/// A planned day: what lacks people or a truck, and who and what would go.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DispatchPlan {
    /// Id of the hub.
    hub: &'static str,
    /// The local day.
    #[schema(value_type = String, format = Date)]
    date: NaiveDate,
    /// Names this plan; whoever confirms it sends it along.
    version: String,
    /// It was carried out.
    applied: bool,
    /// By their start.
    jobs: Vec<PlannedDayJob>,
    /// By their start.
    open: Vec<OpenDayJob>,
    /// Driving of all mates and trucks that day besides the moves themselves: from the hub, between jobs, and back.
    driving_minutes: i64,
    /// The same, had each job got the first who were free, in the order of booking.
    listed_driving_minutes: i64,
    /// Jobs which would have had all they need then.
    listed_jobs: usize,
    /// Driving saved for each job that is done, percent; below zero where it is more.
    saved_percent: i64,
}

impl DispatchPlan {
    fn of(plan: &DayPlan, refused: Option<Vec<Option<Error>>>, language: Language) -> DispatchPlan {
        let applied = refused.is_some();
        let mut refused = refused.unwrap_or_default().into_iter();
        let job = |j: &PlannedJob| PlannedDayJob {
            job: DayJob::of(&j.booking, j.ends_at),
            crew: j.crew.iter().map(PlannedMate::from).collect(),
            truck: j.truck.as_ref().map(PlannedTruck::from),
            refused: refused.next().flatten().map(|e| RefusedJob::of(e, language)),
        };
        DispatchPlan {
            hub: plan.hub.id,
            date: plan.date,
            version: plan.version.clone(),
            applied,
            jobs: plan.jobs.iter().map(job).collect(),
            open: plan.open.iter().map(OpenDayJob::from).collect(),
            driving_minutes: plan.driving,
            listed_driving_minutes: plan.listed_driving,
            listed_jobs: plan.listed_jobs,
            saved_percent: plan.saved_percent,
        }
    }
}

pub async fn post(
    state: web::Data<State>,
    who: AsStaff,
    body: ValidJson<AutoRequest>,
) -> Reply<Json<DispatchPlan>, AutoRefusal> {
    let AutoRequest { hub, date, apply, version } = body.value;
    let (hub, language) = (hub_of(hub)?, who.0.caller().language);
    if !apply {
        let plan = auto::preview(&state.services, &who.0, hub, date).await?;
        return Ok(Json(DispatchPlan::of(&plan, None, language)));
    }
    let Applied { plan, refused } = auto::assign(&state.services, &who.0, hub, date, version.as_deref()).await?;
    Ok(Json(DispatchPlan::of(&plan, Some(refused), language)))
}
