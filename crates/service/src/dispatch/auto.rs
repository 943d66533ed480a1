//! A day assigned all at once: a plan to look at, and what becomes of it when somebody says so.
//!
//! The plan is made by [`scheduling::day`]; each of its jobs is then named as staff name one by hand ([`super::name`]), so that
//! mails, history and refusals are those of any crew.

use chrono::{DateTime, NaiveDate, Utc};
use geography::Hub;
use kernel::{MateId, TruckId};
use scheduling::{
    TruckClass,
    day::{Assignment, Lack, Plan, Ways as _, first_come, plan},
};
use serde_json::json;

use super::{
    day::{Gathered, StaffedJob, gather, language_bit},
    name::{ExpectedState, Named, name},
    suggest::{NEAR, Reason},
};
use crate::{
    Error, ErrorCode, ServiceResult, Services, Staff,
    crews::{free::ends_at, skills},
    ports::{bookings::Booking, dispatch::TruckUse},
    secret,
};

/// Why a job got no crew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnassignedReason {
    /// No truck that is large enough is free then.
    NoTruck,
    /// Nobody who can do what is heavy is free then.
    NoSkill,
    /// Fewer mates are free then than it lacks.
    TooFew,
    /// It has begun, or should have: staff name its crew by hand.
    Begun,
}

impl UnassignedReason {
    /// All of them.
    pub const ALL: [UnassignedReason; 4] =
        [UnassignedReason::NoTruck, UnassignedReason::NoSkill, UnassignedReason::TooFew, UnassignedReason::Begun];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            UnassignedReason::NoTruck => "no_truck",
            UnassignedReason::NoSkill => "no_skill",
            UnassignedReason::TooFew => "too_few",
            UnassignedReason::Begun => "begun",
        }
    }
}

/// Somebody who would be on a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// Who.
    pub id: MateId,
    /// Name.
    pub name: String,
    /// On it already.
    pub on_it: bool,
    /// What speaks for who is new.
    pub reasons: Vec<Reason>,
    /// Minutes of driving to the pickup, from the job before or from the hub, of who is new.
    pub way: Option<i64>,
}

/// A truck that would be on a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposedTruck {
    /// Which.
    pub id: TruckId,
    /// Name.
    pub name: String,
    /// The class of who is new.
    pub class: Option<TruckClass>,
    /// On it already.
    pub on_it: bool,
}

/// A job that would have all it needs.
#[derive(Debug, Clone)]
pub struct PlannedJob {
    /// The booking.
    pub booking: Booking,
    /// The end of the work.
    pub ends_at: DateTime<Utc>,
    /// Its whole crew: who is on it already first.
    pub crew: Vec<Proposed>,
    /// Its truck; none: it needs none.
    pub truck: Option<ProposedTruck>,
}

/// A job that stays as it is.
#[derive(Debug, Clone)]
pub struct OpenJob {
    /// The booking.
    pub booking: Booking,
    /// The end of the work.
    pub ends_at: DateTime<Utc>,
    /// Why.
    pub why: UnassignedReason,
    /// Mates it lacks.
    pub lacking: usize,
    /// Mates who are free then, where they are too few.
    pub free: usize,
}

/// A day as it would be.
#[derive(Debug, Clone)]
pub struct DayPlan {
    /// The hub.
    pub hub: &'static Hub,
    /// The local day.
    pub date: NaiveDate,
    /// Names exactly this plan: who confirms it says what they saw.
    pub version: String,
    /// The jobs that somebody or something is sent to, by their start.
    pub jobs: Vec<PlannedJob>,
    /// The jobs that lack somebody still, by their start.
    pub open: Vec<OpenJob>,
    /// Minutes of driving of all mates and trucks that day, without the moves themselves.
    pub driving: i64,
    /// The same, had each job got the first who were free, in the order of booking.
    pub listed_driving: i64,
    /// Jobs which would have had all they need then.
    pub listed_jobs: usize,
    /// Driving saved for each job that is done, percent.
    pub saved_percent: i64,
}

/// What became of the jobs of a plan, in its order.
#[derive(Debug)]
pub struct Applied {
    /// The plan.
    pub plan: DayPlan,
    /// By job: why it stayed as it was, if it did.
    pub refused: Vec<Option<Error>>,
}

/// What a day would look like. Nothing is changed, and nothing is locked.
///
/// # Errors
/// When the database fails.
pub async fn preview(s: &Services, _: &Staff, hub: &'static Hub, date: NaiveDate) -> ServiceResult<DayPlan> {
    let now = s.clock.now();
    let gathered = s.store.read(move |u| gather(u, hub, date, now)).await?;
    let made = tokio::task::spawn_blocking(move || plan_day(hub, date, &gathered)).await;
    made.map_err(|e| Error::Internal(e.to_string()))
}

/// Assigns a day as it is planned now, job by job; what somebody did to one of them meanwhile is left as they did it. With
/// `seen`, only the plan of that version is carried out.
///
/// # Errors
/// `plan_changed` when the plan of now is another one than was seen.
pub async fn assign(
    s: &Services,
    staff: &Staff,
    hub: &'static Hub,
    date: NaiveDate,
    seen: Option<&str>,
) -> ServiceResult<Applied> {
    let plan = preview(s, staff, hub, date).await?;
    if seen.is_some_and(|version| version != plan.version) {
        return Err(ErrorCode::PlanChanged.into());
    }
    carry_out(s, staff, plan).await
}

/// Carries a plan out, job by job. One that was changed since it was planned stays as it is.
///
/// # Errors
/// When the database fails at the end; what the jobs were refused with is answered.
pub async fn carry_out(s: &Services, staff: &Staff, plan: DayPlan) -> ServiceResult<Applied> {
    let (hub, date) = (plan.hub, plan.date);
    let mut refused = Vec::new();
    for job in &plan.jobs {
        let b = &job.booking;
        let seen = ExpectedState::Plan {
            version: b.version,
            crew: job.crew.iter().filter(|m| m.on_it).map(|m| m.id).collect(),
            truck: job.truck.as_ref().filter(|truck| truck.on_it).map(|truck| truck.id),
        };
        let mates = job.crew.iter().map(|m| m.id).collect();
        let truck = job.truck.as_ref().map(|truck| truck.id).into();
        let done = name(s, staff, b.id, Named { mates, truck, seen }).await;
        if let Err(e) = &done {
            tracing::info!(booking = %b.short_id, error = %e, "a planned job stays as it was");
        }
        refused.push(done.err());
    }
    let assigned: Vec<_> = plan.jobs.iter().zip(&refused).filter(|(_, e)| e.is_none()).collect();
    let after = json!({
        "hub": hub.id,
        "date": date,
        "assigned": assigned.iter().map(|(job, _)| &job.booking.short_id).collect::<Vec<_>>(),
        "refused": refused.iter().flatten().count(),
        "open": plan.open.len(),
    });
    let subject = format!("{}/{date}", hub.id);
    s.write(staff.actor(), move |tx| Ok::<_, Error>(tx.audit("dispatch.auto", subject, None, Some(after))?)).await?;
    Ok(Applied { plan, refused })
}

fn plan_day(hub: &'static Hub, date: NaiveDate, g: &Gathered) -> DayPlan {
    let planned = plan(&g.day);
    let mut order: Vec<usize> = (0..g.jobs.len()).collect();
    order.sort_by_key(|n| (g.jobs[*n].booking.created_at, g.jobs[*n].booking.id));
    let listed = first_come(&g.day, &order);
    let mut jobs = Vec::new();
    for one in &planned.assigned {
        jobs.push(proposed(g, &planned, one));
    }
    let open_job = |n: usize, why: UnassignedReason, free: usize| {
        let b = &g.jobs[n].booking;
        let lacking = usize::from(b.mate_count.get()).saturating_sub(g.jobs[n].crew.len());
        OpenJob { booking: b.clone(), ends_at: ends_at(b), why, lacking, free }
    };
    let left = planned.open.iter().map(|(n, lack)| match lack {
        Lack::Truck => open_job(*n, UnassignedReason::NoTruck, 0),
        Lack::Skill => open_job(*n, UnassignedReason::NoSkill, 0),
        Lack::Mates(free) => open_job(*n, UnassignedReason::TooFew, *free),
    });
    let begun = (0..g.jobs.len()).filter(|n| g.jobs[*n].late).map(|n| open_job(n, UnassignedReason::Begun, 0));
    let mut open: Vec<OpenJob> = left.chain(begun).collect();
    open.sort_by_key(|job| (job.booking.move_at, job.booking.id));
    DayPlan {
        hub,
        date,
        version: version(hub, date, &jobs),
        jobs,
        open,
        driving: planned.driving.sum(),
        listed_driving: listed.driving.sum(),
        listed_jobs: listed.assigned.len(),
        saved_percent: saved(g, &planned, &listed),
    }
}

fn proposed(g: &Gathered, planned: &Plan, one: &Assignment) -> PlannedJob {
    let StaffedJob { booking, crew, truck, .. } = &g.jobs[one.job];
    let stays =
        crew.iter().map(|m| Proposed { id: m.mate, name: m.name.clone(), on_it: true, reasons: Vec::new(), way: None });
    let asked = skills::required_skills(booking);
    let comes = one.mates.iter().map(|n| {
        let (who, able) = (&g.mates[*n], &g.day.mates()[*n]);
        let way = way_to(g, planned, *n, one.job);
        let mut reasons = Vec::new();
        if able.skills & asked != 0 {
            reasons.push(Reason::Skilled);
        }
        if able.languages & language_bit(booking.language) != 0 {
            reasons.push(Reason::Language);
        }
        if way <= NEAR {
            reasons.push(Reason::Near);
        }
        Proposed { id: who.id, name: who.name.clone(), on_it: false, reasons, way: Some(way) }
    });
    let has = |t: &TruckUse| ProposedTruck { id: t.truck, name: t.name.clone(), class: None, on_it: true };
    let gets = one.truck.map(|n| &g.trucks[n]).map(|t| ProposedTruck {
        id: t.id,
        name: t.name.clone(),
        class: Some(t.class),
        on_it: false,
    });
    PlannedJob {
        ends_at: ends_at(booking),
        crew: stays.chain(comes).collect(),
        truck: truck.as_ref().map(has).or(gets),
        booking: booking.clone(),
    }
}

/// Minutes of driving of a mate to a job: from the one before it that day, else from the hub.
fn way_to(g: &Gathered, planned: &Plan, mate: usize, job: usize) -> i64 {
    let jobs = g.day.jobs();
    let new = planned.assigned.iter().filter(|one| one.mates.contains(&mate)).map(|one| one.job);
    let all = g.day.mates()[mate].on.iter().copied().chain(new);
    let before = all.filter(|n| jobs[*n].today && jobs[*n].from < jobs[job].from).max_by_key(|n| jobs[*n].from);
    i64::from(before.map_or_else(|| g.ways.out(job), |before| g.ways.between(before, job)))
}

/// Driving saved for each job that is done, percent: both plans have the jobs that somebody is on already, and may do
/// different numbers of the others.
fn saved(g: &Gathered, planned: &Plan, listed: &Plan) -> i64 {
    let on: std::collections::BTreeSet<usize> = g.day.mates().iter().flat_map(|m| m.on.iter().copied()).collect();
    let before = on.into_iter().filter(|n| g.day.jobs()[*n].today).count();
    let jobs = |plan: &Plan| i64::try_from(before + plan.assigned.len()).unwrap_or(i64::MAX);
    let (ours, theirs) = (planned.driving.sum() * jobs(listed), listed.driving.sum() * jobs(planned));
    if theirs == 0 { 0 } else { 100 - (100 * ours + theirs / 2) / theirs }
}

/// A digest of what would be done to which version of which booking.
fn version(hub: &Hub, date: NaiveDate, jobs: &[PlannedJob]) -> String {
    let mut text = format!("{} {date}\n", hub.id);
    for job in jobs {
        text.push_str(&format!("{} {}", job.booking.id, job.booking.version));
        for mate in &job.crew {
            text.push_str(&format!(" {}", mate.id));
        }
        if let Some(truck) = &job.truck {
            text.push_str(&format!(" with {}", truck.id));
        }
        text.push('\n');
    }
    secret::hash(&text).0
}
