//! Who goes where on one day: crews and trucks for the jobs that lack them.
//!
//! Starts are promised to customers, so a day is no tour to be found but a set of chains: who is done with one job can go to
//! those that begin after the way to them. Mates who have nothing yet are alike, and to cover all jobs with their chains at
//! the least driving is a transportation problem, solved exactly ([`plan`]). Who is on some job already, needs a skill, or has
//! the larger truck is planned around that, and the whole is made better as long as an exchange saves driving. A truck then
//! stays with a crew that goes straight on from one job to the next, without time for the hub between them, unless that costs
//! an hour of driving more or the truck is too small; it goes straight on without anybody of the next crew only where
//! nothing else was found, one to three of a hundred ways on a day on which everybody is needed.
//!
//! The rules, kept by every plan: a job gets all the mates it lacks or none; one of them has the skill it asks for; its truck
//! has its class or a larger one; between two jobs of one mate or truck lies the real way, at least 15 minutes
//! ([`buffer_between`]); what somebody is on already stays. The same day always has the same plan.

mod attempt;
mod fleet;
mod pool;
mod together;
mod transport;

use kernel::chrono::{DateTime, Utc};

use crate::{buffer_between, occupancy::TruckClass};

/// A job: one that lacks somebody, or one that somebody is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayJob {
    /// Start of the work.
    pub from: DateTime<Utc>,
    /// End of the work.
    pub until: DateTime<Utc>,
    /// Mates it lacks.
    pub mates: usize,
    /// Skills of which one of these mates needs one, as bits; none: it asks for no skill.
    pub skill: u32,
    /// The customer's language, as a bit.
    pub language: u32,
    /// The smallest truck that does, where it lacks one.
    pub truck: Option<TruckClass>,
    /// Of this day; one of another day is only kept free of what is in its way, and nobody is chosen for it.
    pub today: bool,
}

/// A mate who is there that day.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DayMate {
    /// The jobs they are on, by their places in [`Day::jobs`].
    pub on: Vec<usize>,
    /// Skills, as bits.
    pub skills: u32,
    /// Languages, as bits.
    pub languages: u32,
    /// Minutes of work of the week so far.
    pub minutes_that_week: i64,
}

/// A truck that is there that day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayTruck {
    /// Its class.
    pub class: TruckClass,
    /// The jobs it is on, by their places in [`Day::jobs`].
    pub on: Vec<usize>,
}

/// A day does not fit together: a mate or truck is on a job that it does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a mate or truck is on a job that is not among those of the day")]
pub struct InvalidDay;

/// A day of one hub.
#[derive(Debug, Clone)]
pub struct Day {
    jobs: Vec<DayJob>,
    mates: Vec<DayMate>,
    trucks: Vec<DayTruck>,
    /// Minutes from the hub to the pickup, and from the drop-off to the hub.
    out: Vec<u32>,
    back: Vec<u32>,
    /// Minutes from the drop-off of the first to the pickup of the second; none where the second begins too early.
    between: Vec<Option<u32>>,
}

/// Minutes by truck, as [`Day::new`] asks for them.
pub trait Ways {
    /// From the hub to the pickup of a job.
    fn out(&self, job: usize) -> u32;
    /// From the drop-off of a job to the hub.
    fn back(&self, job: usize) -> u32;
    /// From the drop-off of one job to the pickup of another.
    fn between(&self, from: usize, to: usize) -> u32;
}

impl Day {
    /// A day. The way between two jobs is asked for where somebody could go it.
    ///
    /// # Errors
    /// When somebody is on a job that is not there.
    pub fn new(
        jobs: Vec<DayJob>,
        mates: Vec<DayMate>,
        trucks: Vec<DayTruck>,
        ways: &impl Ways,
    ) -> Result<Day, InvalidDay> {
        let on = mates.iter().flat_map(|m| &m.on).chain(trucks.iter().flat_map(|t| &t.on));
        if on.copied().any(|job| job >= jobs.len()) {
            return Err(InvalidDay);
        }
        let all = 0..jobs.len();
        let least = i64::from(buffer_between(0)) * 60;
        let pairs = all.clone().flat_map(|a| all.clone().map(move |b| (a, b)));
        let between = pairs.map(|(a, b)| {
            let gap = jobs[b].from.timestamp() - jobs[a].until.timestamp();
            let minutes = || ways.between(a, b);
            (gap >= least && a != b).then(minutes).filter(|way| gap >= i64::from(buffer_between(*way)) * 60)
        });
        let between = between.collect();
        let (out, back) = (all.clone().map(|j| ways.out(j)).collect(), all.map(|j| ways.back(j)).collect());
        Ok(Day { jobs, mates, trucks, out, back, between })
    }

    /// Its jobs.
    #[must_use]
    pub fn jobs(&self) -> &[DayJob] {
        &self.jobs
    }

    /// Its mates.
    #[must_use]
    pub fn mates(&self) -> &[DayMate] {
        &self.mates
    }

    /// Minutes of the way from one job to a later one; none when somebody cannot be on both in this order.
    fn way(&self, first: usize, second: usize) -> Option<i64> {
        self.between[first * self.jobs.len() + second].map(i64::from)
    }

    /// Somebody can be on both.
    fn clear(&self, a: usize, b: usize) -> bool {
        self.way(a, b).is_some() || self.way(b, a).is_some()
    }

    /// Between the two there is time for the way to the hub and out again.
    fn allows_hub(&self, first: usize, second: usize) -> bool {
        let gap = self.jobs[second].from.timestamp() - self.jobs[first].until.timestamp();
        gap >= i64::from(self.back[first] + self.out[second]) * 60
    }

    /// Something is missing, and it is a job of this day.
    fn lacks(&self, job: usize) -> bool {
        let j = &self.jobs[job];
        j.today && (j.mates > 0 || j.truck.is_some())
    }
}

/// Who and what goes to a job, besides those who are on it already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The job, by its place.
    pub job: usize,
    /// Mates, by their places, in this order; as many as it lacks.
    pub mates: Vec<usize>,
    /// The truck, where it lacks one.
    pub truck: Option<usize>,
}

/// Why nobody is sent to a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lack {
    /// No truck that is large enough is free then.
    Truck,
    /// Nobody with the skill it asks for is free then.
    Skill,
    /// So many mates are free then, fewer than it lacks.
    Mates(usize),
}

/// Minutes of driving without what was to be moved on board: from the hub, between jobs, and back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Driving {
    /// Of all mates together.
    pub mates: i64,
    /// Of all trucks together.
    pub trucks: i64,
}

impl Driving {
    /// Of people and trucks together.
    #[must_use]
    pub const fn sum(self) -> i64 {
        self.mates + self.trucks
    }
}

/// What is planned for a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// By job.
    pub assigned: Vec<Assignment>,
    /// The jobs that lack somebody still, and why; by job.
    pub open: Vec<(usize, Lack)>,
    /// Driving of the whole day, that of the jobs which were not planned included.
    pub driving: Driving,
}

/// Plans a day: as many jobs as can be, then as little driving as can be.
#[must_use]
pub fn plan(day: &Day) -> Plan {
    attempt::best(day).plan()
}

/// What comes of it when jobs are taken in this order and each gets the first who are free, as a list is worked through by
/// hand. [`plan`] is compared with it.
#[must_use]
pub fn first_come(day: &Day, order: &[usize]) -> Plan {
    attempt::first_come(day, order).plan()
}
