//! The jobs of a mate, on their telephone. No field of an answer is a price or an e-mail address.

use actix_web::web;
use furniture_catalogue::Catalogue;
use kernel::{
    BookingId, Language,
    chrono::{DateTime, NaiveDate, Utc},
};
use serde::{Deserialize, Serialize};
use service::{
    dispatch::{
        hours,
        jobs::{self, CrewJob, MyJob},
    },
    formats::without_addresses,
    ports::{bookings::Booking, dispatch::Act},
    trucks::TruckClass,
};
use utoipa::ToSchema;
use validator::Validate;

use super::board::{DispatchMate, DispatchTruck};
use crate::{
    access::Who,
    calls::{
        bookings::parts::BookedLocation,
        replies::{Json, NoContent, Reply},
        values::{BookingStatusCode, HourMinute, MoveKindCode, TruckClassCode, blank},
    },
    contract::{Record, names, refusals},
    http::{PathId, ValidJson},
    state::State,
};

/// A booking the caller is on.
pub struct JobId(pub(super) BookingId);

/// The same, begun.
pub struct BegunJobId(BookingId);

names! {
    JobId: Record::MatesJob,
    BegunJobId: Record::MatesBegunJob,
}

refusals! {
    /// Why a job is not shown after an act: it is the mate's no more.
    GoneRefusal { Rule: NotFound }
}

refusals! {
    /// Why a job is not accepted or begun.
    JobRefusal { Rule: TransitionRefused }
}

refusals! {
    /// Why a job is not declined or finished.
    JobEndRefusal { Rule: TransitionRefused, JobOrder }
}

/// When it was done.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub struct JobActRequest {
    /// The instant of the act, where it is told later. What a wrong clock says of a start or an end, ahead of us or from before the
    /// mate came on the job, is replaced by when we heard of it. A yes or a no from before they came on it is refused.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<String>, format = DateTime)]
    at: Option<DateTime<Utc>>,
}

/// Something to carry.
#[derive(Debug, Serialize, ToSchema)]
struct JobItem {
    /// Of the catalogue.
    id: String,
    /// In the language of the answer.
    name: String,
    quantity: u32,
    /// One person cannot handle it.
    heavy: bool,
    /// It is taken apart and put together.
    assembly: bool,
}

impl JobItem {
    fn all(b: &Booking, language: Language) -> Vec<JobItem> {
        let catalogue = Catalogue::builtin();
        let item = |i: &service::ports::bookings::BookedItem| {
            let known = catalogue.get(&i.id);
            JobItem {
                id: i.id.clone(),
                name: known.map_or_else(|| i.id.clone(), |k| k.name.get(language).to_owned()),
                quantity: i.quantity,
                heavy: known.is_some_and(furniture_catalogue::Item::is_heavy),
                assembly: i.assembly.unwrap_or_else(|| known.is_some_and(|k| k.needs_assembly)),
            }
        };
        b.details.items.iter().map(item).collect()
    }
}

/// A job as its crew is told of it, on a screen or on paper.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CrewJobRecord {
    id: String,
    /// The booking's number.
    short_id: String,
    #[schema(value_type = BookingStatusCode)]
    status: &'static str,
    #[schema(value_type = MoveKindCode)]
    move_kind: &'static str,
    /// Local day.
    #[schema(value_type = String, format = Date)]
    date: NaiveDate,
    /// Local time of the start.
    time: HourMinute,
    /// Local time of the end of the work, as planned.
    end_time: HourMinute,
    /// Zone of both.
    zone: String,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    /// Work as planned.
    duration_minutes: u32,
    /// Mates the booking pays for.
    mate_count: u8,
    /// The customer helps.
    client_as_mate: bool,
    /// The customer rides along.
    ride_along: bool,
    /// The customer.
    customer_name: String,
    /// From 24 hours before the start on.
    customer_phone: Option<String>,
    pickup: BookedLocation,
    dropoff: BookedLocation,
    items: Vec<JobItem>,
    /// What the customer wrote, without e-mail addresses.
    comments: String,
    /// What staff wrote for the crew, oldest first; without e-mail addresses. The crew's own notes are asked for by themselves.
    notes: Vec<String>,
    /// Everybody on it.
    crew: Vec<DispatchMate>,
    truck: Option<DispatchTruck>,
    /// The smallest truck it needs; none: it needs none.
    #[schema(value_type = Option<TruckClassCode>)]
    truck_size: Option<&'static str>,
}

/// A job as a mate on it sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MateJob {
    #[serde(flatten)]
    told: CrewJobRecord,
    /// Until when the caller says whether they come; none: they have said so, or nothing is asked any more.
    answer_by: Option<DateTime<Utc>>,
    /// When the caller said that they come.
    accepted_at: Option<DateTime<Utc>>,
    /// When the caller began.
    started_at: Option<DateTime<Utc>>,
    /// When the caller was done.
    finished_at: Option<DateTime<Utc>>,
    /// From the one to the other, minutes; `durationMinutes` is what was planned.
    worked_minutes: Option<u32>,
    /// The caller may still decline it.
    may_decline: bool,
    /// The caller may begin now: from two hours before the start on.
    may_start: bool,
    /// The caller may be done now.
    may_finish: bool,
}

fn place(location: &service::ports::bookings::Location) -> BookedLocation {
    let mut shown = location.clone();
    shown.details = without_addresses(&shown.details);
    BookedLocation::from(&shown)
}

impl CrewJobRecord {
    pub fn of(told: &CrewJob, language: Language) -> CrewJobRecord {
        let (job, b) = (&told.job, &told.job.booking);
        CrewJobRecord {
            id: b.id.to_string(),
            short_id: b.short_id.to_string(),
            status: b.status.code(),
            move_kind: b.move_kind.code(),
            date: b.move_date,
            time: HourMinute(b.move_time),
            end_time: HourMinute(b.zone.local(job.ends_at).time),
            zone: b.zone.to_string(),
            starts_at: b.move_at,
            ends_at: job.ends_at,
            duration_minutes: b.duration_minutes,
            mate_count: b.mate_count.get(),
            client_as_mate: b.client_as_mate,
            ride_along: b.ride_along,
            customer_name: without_addresses(&b.details.customer_name),
            customer_phone: told.phone.clone(),
            pickup: place(&b.details.pickup),
            dropoff: place(&b.details.dropoff),
            items: JobItem::all(b, language),
            comments: without_addresses(&b.details.comments),
            notes: told.notes.iter().map(|note| without_addresses(note)).collect(),
            crew: job.crew.iter().map(DispatchMate::from).collect(),
            truck: job.truck.as_ref().map(DispatchTruck::from),
            truck_size: (!b.just_mates).then(|| TruckClass::for_tier(b.tier).code()),
        }
    }
}

impl MateJob {
    fn of(my: &MyJob, language: Language) -> MateJob {
        MateJob {
            told: CrewJobRecord::of(&my.told, language),
            answer_by: my.answer_by,
            accepted_at: my.mine.accepted_at,
            started_at: my.mine.started_at,
            finished_at: my.mine.finished_at,
            worked_minutes: hours::of_mate(&my.mine),
            may_decline: my.may_decline,
            may_start: my.may_start,
            may_finish: my.may_finish,
        }
    }
}

/// The jobs of a mate.
#[derive(Debug, Serialize, ToSchema)]
pub struct MateJobs {
    /// By their start, from those that began a day and a half ago on; no more than 200.
    data: Vec<MateJob>,
}

pub async fn list(state: web::Data<State>, who: Who) -> Reply<Json<MateJobs>> {
    let found = jobs::list(&state.services, &who.0).await?;
    Ok(Json(MateJobs { data: found.iter().map(|job| MateJob::of(job, who.0.language)).collect() }))
}

pub async fn one(state: web::Data<State>, who: Who, id: PathId<JobId>) -> Reply<Json<MateJob>> {
    let found = jobs::one(&state.services, &who.0, id.0.0).await?;
    Ok(Json(MateJob::of(&found, who.0.language)))
}

async fn act(
    state: &State,
    who: &Who,
    id: BookingId,
    act: Act,
    said: JobActRequest,
) -> Result<Option<MateJob>, service::Error> {
    let done = jobs::act(&state.services, &who.0, id, act, said.at).await?;
    Ok(done.as_ref().map(|job| MateJob::of(job, who.0.language)))
}

fn still_theirs(job: Option<MateJob>) -> Result<Json<MateJob>, GoneRefusal> {
    job.map(Json).ok_or(GoneRefusal::NotFound)
}

pub async fn accept(
    state: web::Data<State>,
    who: Who,
    id: PathId<JobId>,
    body: ValidJson<JobActRequest>,
) -> Reply<Json<MateJob>, (GoneRefusal, JobRefusal)> {
    Ok(still_theirs(act(&state, &who, id.0.0, Act::Accept, body.value).await?)?)
}

pub async fn decline(
    state: web::Data<State>,
    who: Who,
    id: PathId<JobId>,
    body: ValidJson<JobActRequest>,
) -> Reply<NoContent, JobEndRefusal> {
    act(&state, &who, id.0.0, Act::Decline, body.value).await?;
    Ok(NoContent)
}

pub async fn start(
    state: web::Data<State>,
    who: Who,
    id: PathId<JobId>,
    body: ValidJson<JobActRequest>,
) -> Reply<Json<MateJob>, (GoneRefusal, JobRefusal)> {
    Ok(still_theirs(act(&state, &who, id.0.0, Act::Start, body.value).await?)?)
}

pub async fn finish(
    state: web::Data<State>,
    who: Who,
    id: PathId<BegunJobId>,
    body: ValidJson<JobActRequest>,
) -> Reply<Json<MateJob>, (GoneRefusal, JobEndRefusal)> {
    Ok(still_theirs(act(&state, &who, id.0.0, Act::Finish, body.value).await?)?)
}
