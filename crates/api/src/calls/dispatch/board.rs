//! The board.

use actix_web::web;
use geography::Hub;
use kernel::chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use service::{
    FieldProblem,
    crews::{Clash, ExpiredDocument},
    dispatch::{
        board::{self, AssignedMate, Board, Conflict, Lane, MoveJob},
        hours,
    },
    ports::{bookings::Location, dispatch::TruckUse},
    trucks::TruckClass,
};
use utoipa::ToSchema;

use crate::{
    access::AsStaff,
    calls::{
        geo::Point,
        replies::{Json, Reply},
        values::{BookingStatusCode, DispatchConflictCode, HourMinute, MoveKindCode, TruckClassCode, blank},
    },
    contract::CommonError,
    http::ValidQuery,
    state::State,
};

/// Which jobs are looked at.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DispatchQuery {
    /// Of this hub, by its id; of all when it is left out.
    #[schema(max_length = 60)]
    hub: Option<String>,
    /// First local day; today when it is left out.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<String>, format = Date)]
    from: Option<NaiveDate>,
    /// Last local day, at most 31 days in all; the first when it is left out.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<String>, format = Date)]
    to: Option<NaiveDate>,
}

/// The hub of an id.
///
/// # Errors
/// The field `hub`.
pub fn hub_of(id: String) -> Result<&'static Hub, CommonError> {
    geography::hub(&id).ok_or_else(|| CommonError::field("hub", FieldProblem::Unknown))
}

/// Another job that is in the way.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClashingJob {
    id: String,
    /// The booking's number.
    short_id: String,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    /// The same with the offset of its zone, as people there read it.
    local_start: String,
    local_end: String,
    /// Minutes by truck between the two doors, at least 15.
    way_minutes: i64,
}

impl From<&Clash> for ClashingJob {
    fn from(c: &Clash) -> ClashingJob {
        let local = |at| {
            let local = c.zone.local(at);
            format!("{}T{}", local.date, local.time.format("%H:%M"))
        };
        ClashingJob {
            id: c.booking.to_string(),
            short_id: c.short_id.to_string(),
            starts_at: c.from,
            ends_at: c.until,
            local_start: local(c.from),
            local_end: local(c.until),
            way_minutes: c.way,
        }
    }
}

/// Somebody on a job.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DispatchMate {
    mate_id: String,
    name: String,
    /// When they said that they come; none: they said nothing yet.
    accepted_at: Option<DateTime<Utc>>,
    /// When they began.
    started_at: Option<DateTime<Utc>>,
    /// When they were done.
    finished_at: Option<DateTime<Utc>>,
    /// From the one to the other, minutes.
    worked_minutes: Option<u32>,
}

impl From<&AssignedMate> for DispatchMate {
    fn from(m: &AssignedMate) -> DispatchMate {
        DispatchMate {
            mate_id: m.mate.mate.to_string(),
            name: m.mate.name.clone(),
            accepted_at: m.accepted_at,
            started_at: m.started_at,
            finished_at: m.finished_at,
            worked_minutes: hours::of_mate(m),
        }
    }
}

/// The truck of a job.
#[derive(Debug, Serialize, ToSchema)]
pub struct DispatchTruck {
    id: String,
    /// What people call it.
    name: String,
}

impl From<&TruckUse> for DispatchTruck {
    fn from(t: &TruckUse) -> DispatchTruck {
        DispatchTruck { id: t.truck.to_string(), name: t.name.clone() }
    }
}

/// A paper of a mate or a truck whose last day lies before the job.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EndedPaper {
    /// What it is, as it was written down; of a truck `Inspection` or `Insurance`.
    kind: String,
    /// Its last day.
    #[schema(value_type = String, format = Date)]
    expires_on: NaiveDate,
}

impl From<&ExpiredDocument> for EndedPaper {
    fn from(e: &ExpiredDocument) -> EndedPaper {
        EndedPaper { kind: e.kind.clone(), expires_on: e.last_day }
    }
}

/// Something that is wrong with a job.
#[derive(Debug, Serialize, ToSchema)]
pub struct DispatchConflict {
    #[schema(value_type = DispatchConflictCode)]
    code: &'static str,
    /// The mate or the truck.
    who: Option<String>,
    /// The job it comes of.
    other: Option<ClashingJob>,
    /// The paper that has ended: they may be sent all the same.
    paper: Option<EndedPaper>,
}

impl From<&Conflict> for DispatchConflict {
    fn from(c: &Conflict) -> DispatchConflict {
        DispatchConflict {
            code: c.what.code(),
            who: c.who.clone(),
            other: c.other.as_ref().map(ClashingJob::from),
            paper: c.paper.as_ref().map(EndedPaper::from),
        }
    }
}

/// One end of a job.
#[derive(Debug, Serialize, ToSchema)]
pub struct DispatchEnd {
    /// The whole address.
    address: String,
    city: String,
    coords: Point,
}

impl From<&Location> for DispatchEnd {
    fn from(l: &Location) -> DispatchEnd {
        DispatchEnd { address: l.address.line(), city: l.address.city.clone(), coords: l.coordinates.into() }
    }
}

/// A job on the board.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DispatchJob {
    id: String,
    /// The booking's number.
    short_id: String,
    #[schema(value_type = BookingStatusCode)]
    status: &'static str,
    /// Hub of the crew.
    hub: String,
    /// The customer.
    customer_name: String,
    #[schema(value_type = MoveKindCode)]
    move_kind: &'static str,
    /// Local day.
    #[schema(value_type = String, format = Date)]
    date: NaiveDate,
    /// Local time of the start.
    time: HourMinute,
    /// Local time of the end of the work.
    end_time: HourMinute,
    /// Zone of both.
    zone: String,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    /// From when on somebody is under way: loading and the way from the depot.
    occupied_from: DateTime<Utc>,
    /// Until when: the way back.
    occupied_until: DateTime<Utc>,
    duration_minutes: u32,
    /// Mates the booking pays for.
    mate_count: u8,
    /// The smallest truck it needs; none: it needs none.
    #[schema(value_type = Option<TruckClassCode>)]
    truck_size: Option<&'static str>,
    pickup: DispatchEnd,
    dropoff: DispatchEnd,
    /// Who goes, the longest on it first.
    crew: Vec<DispatchMate>,
    /// With which truck.
    truck: Option<DispatchTruck>,
    /// What is wrong.
    conflicts: Vec<DispatchConflict>,
}

impl From<&MoveJob> for DispatchJob {
    fn from(job: &MoveJob) -> DispatchJob {
        let b = &job.booking;
        DispatchJob {
            id: b.id.to_string(),
            short_id: b.short_id.to_string(),
            status: b.status.code(),
            hub: b.hub.clone(),
            customer_name: b.details.customer_name.clone(),
            move_kind: b.move_kind.code(),
            date: b.move_date,
            time: HourMinute(b.move_time),
            end_time: HourMinute(b.zone.local(job.ends_at).time),
            zone: b.zone.to_string(),
            starts_at: b.move_at,
            ends_at: job.ends_at,
            occupied_from: job.occupied_from,
            occupied_until: job.occupied_until,
            duration_minutes: b.duration_minutes,
            mate_count: b.mate_count.get(),
            truck_size: (!b.just_mates).then(|| TruckClass::for_tier(b.tier).code()),
            pickup: (&b.details.pickup).into(),
            dropoff: (&b.details.dropoff).into(),
            crew: job.crew.iter().map(DispatchMate::from).collect(),
            truck: job.truck.as_ref().map(DispatchTruck::from),
            conflicts: job.conflicts.iter().map(DispatchConflict::from).collect(),
        }
    }
}

/// A mate who may be sent.
#[derive(Debug, Serialize, ToSchema)]
struct MateLane {
    id: String,
    name: String,
    /// The days they are away.
    #[schema(value_type = Vec<String>)]
    away: Vec<NaiveDate>,
}

/// A truck that may be sent.
#[derive(Debug, Serialize, ToSchema)]
struct TruckLane {
    id: String,
    name: String,
    #[schema(value_type = TruckClassCode)]
    size: &'static str,
    /// The days it is away.
    #[schema(value_type = Vec<String>)]
    away: Vec<NaiveDate>,
}

/// The board.
#[derive(Debug, Serialize, ToSchema)]
pub struct DispatchBoard {
    /// Id of the hub; none: all.
    hub: Option<&'static str>,
    /// Where its crews and trucks start from; none: all hubs.
    depot: Option<Point>,
    /// Zone of its days.
    zone: String,
    /// Today there.
    #[schema(value_type = String, format = Date)]
    today: NaiveDate,
    /// First day.
    #[schema(value_type = String, format = Date)]
    from: NaiveDate,
    /// Last day.
    #[schema(value_type = String, format = Date)]
    to: NaiveDate,
    /// By their start; no more than 1000.
    jobs: Vec<DispatchJob>,
    /// Who may be sent, by name.
    mates: Vec<MateLane>,
    /// What may be sent, by name.
    trucks: Vec<TruckLane>,
    /// Jobs that lack people, nobody or fewer than they pay for, by their ids.
    unassigned: Vec<String>,
}

impl From<&Board> for DispatchBoard {
    fn from(b: &Board) -> DispatchBoard {
        let truck = |(lane, class): &(Lane<kernel::TruckId>, TruckClass)| TruckLane {
            id: lane.id.to_string(),
            name: lane.name.clone(),
            size: class.code(),
            away: lane.away.clone(),
        };
        let mate = |lane: &Lane<kernel::MateId>| MateLane {
            id: lane.id.to_string(),
            name: lane.name.clone(),
            away: lane.away.clone(),
        };
        DispatchBoard {
            hub: b.hub.map(|h| h.id),
            depot: b.hub.map(|h| h.center.into()),
            zone: b.zone.to_string(),
            today: b.today,
            from: b.first,
            to: b.last,
            jobs: b.jobs.iter().map(DispatchJob::from).collect(),
            mates: b.mates.iter().map(mate).collect(),
            trucks: b.trucks.iter().map(truck).collect(),
            unassigned: b.unassigned.iter().map(ToString::to_string).collect(),
        }
    }
}

pub async fn get(
    state: web::Data<State>,
    who: AsStaff,
    query: ValidQuery<DispatchQuery>,
) -> Reply<Json<DispatchBoard>> {
    let DispatchQuery { hub, from, to } = query.value;
    let hub = hub.filter(|id| !id.is_empty()).map(hub_of).transpose()?;
    let found = board::board(&state.services, &who.0, hub, (from, to)).await?;
    Ok(Json(DispatchBoard::from(&found)))
}
