//! A whole plan, made in one of several ways; the best of them counts.

use std::cmp::Reverse;

use super::{Assignment, Day, Driving, Lack, Plan, fleet::Fleet, pool::OpenPlaces};

/// So often everything is looked at for exchanges that save driving.
const ROUNDS: usize = 20;

/// In which order jobs are tried. It matters where there are more than can be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Who is done first: most jobs fit.
    End,
    /// Who begins first.
    Start,
    /// Large crews last, then by the end.
    Small,
    /// Large crews first: what is hardest to place.
    Large,
}

/// Ways to plan, in the order they are tried. `true`: gaps before jobs that somebody is on already are filled first, which
/// spares those who are free all day.
const WAYS: [(Order, bool); 8] = [
    (Order::End, false),
    (Order::End, true),
    (Order::Start, false),
    (Order::Start, true),
    (Order::Small, false),
    (Order::Small, true),
    (Order::Large, false),
    (Order::Large, true),
];

/// On days with more jobs than this only the first [`FEW_WAYS`] are tried.
const MANY_JOBS: usize = 400;
const FEW_WAYS: usize = 2;

/// A day with what was chosen so far.
#[derive(Debug, Clone)]
pub(super) struct Attempt<'a> {
    mates: Fleet<'a>,
    trucks: Fleet<'a>,
    /// The jobs that lack somebody, by the order they are tried in.
    order: Vec<usize>,
    /// Has all it lacks, by job.
    done: Vec<bool>,
}

/// The plan with the most jobs, of those the one with the least driving. Others are tried only where something is left over.
pub(super) fn best(day: &Day) -> Attempt<'_> {
    let mut best = Attempt::new(day, WAYS[0]);
    let ways = if day.jobs.len() > MANY_JOBS { FEW_WAYS } else { WAYS.len() };
    for way in &WAYS[1..ways] {
        if best.is_whole() {
            break;
        }
        let other = Attempt::new(day, *way);
        if other.worth() > best.worth() {
            best = other;
        }
    }
    best.keep_trucks();
    best
}

/// Each gets the first who are free, as they stand on the list.
pub(super) fn first_come<'a>(day: &'a Day, order: &[usize]) -> Attempt<'a> {
    let order = order.iter().copied().filter(|job| *job < day.jobs.len() && day.lacks(*job)).collect();
    let mut made = Attempt { order, ..Attempt::empty(day) };
    for job in made.order.clone() {
        made.done[job] = made.trucks.send_all(job, |_, truck| (day.trucks[truck].class, truck))
            && made.mates.send_all(job, |_, mate| mate);
        made.settle(job);
    }
    made
}

impl<'a> Attempt<'a> {
    fn empty(day: &'a Day) -> Attempt<'a> {
        let done = vec![false; day.jobs.len()];
        Attempt { mates: Fleet::mates(day), trucks: Fleet::trucks(day), order: Vec::new(), done }
    }

    fn new(day: &'a Day, (order, gaps): (Order, bool)) -> Attempt<'a> {
        let mut jobs: Vec<usize> = (0..day.jobs.len()).filter(|job| day.lacks(*job)).collect();
        jobs.sort_by_key(|job| {
            let j = &day.jobs[*job];
            let (first, places) = match order {
                Order::End => (j.until, 0),
                Order::Start => (j.from, 0),
                Order::Small => (j.until, j.mates),
                Order::Large => (j.until, usize::MAX - j.mates),
            };
            (places, first, *job)
        });
        let mut made = Attempt { order: jobs, ..Attempt::empty(day) };
        for job in made.order.clone() {
            made.done[job] = true;
        }
        let larger_last = |truck: usize, _: &[usize]| (day.trucks[truck].class.index() * 1_000 + truck) as i64;
        cover(&mut made.trucks, &made.order, &mut made.done, gaps, &larger_last);
        cover(&mut made.mates, &made.order, &mut made.done, gaps, &|mate, path| likes(day, mate, path));
        for job in made.order.clone() {
            made.settle(job);
        }
        while let Some(job) = made.trucks.broken().or_else(|| made.mates.broken()) {
            made.done[job] = false;
            made.settle(job);
        }
        made.fill();
        made.trucks.improve(ROUNDS);
        made.mates.improve(ROUNDS);
        // An exchange may have left somebody free.
        made.fill();
        made
    }

    /// What is not done has nobody.
    fn settle(&mut self, job: usize) {
        if !self.done[job] {
            self.trucks.release(job);
            self.mates.release(job);
        }
    }

    /// Sends those who are left to what is left, until nothing can be done any more.
    fn fill(&mut self) {
        let mut again = true;
        while again {
            again = false;
            for job in self.order.clone() {
                if self.done[job] {
                    continue;
                }
                let near = |fleet: &Fleet<'_>, carrier: usize| fleet.added(carrier, job);
                self.done[job] = self.trucks.send_all(job, near) && self.mates.send_all(job, near);
                self.settle(job);
                if !self.done[job] {
                    self.done[job] = self.trucks.press(job) && self.mates.press(job);
                    self.settle(job);
                }
                again |= self.done[job];
            }
        }
    }

    /// Trucks stay with crews that go straight on, and go nowhere without anybody who brings them, where that can be; what is
    /// done stays done.
    fn keep_trucks(&mut self) {
        self.trucks.follow(&self.mates);
        self.trucks.improve(ROUNDS);
        // Where a truck cannot go with a crew, somebody may go with the truck.
        self.mates.accompany(&self.trucks);
        self.mates.improve(ROUNDS);
        self.trucks.follow(&self.mates);
        self.trucks.improve(ROUNDS);
        // An exchange may have left a truck free.
        self.fill();
    }

    fn is_whole(&self) -> bool {
        self.order.iter().all(|job| self.done[*job])
    }

    fn driving(&self) -> Driving {
        Driving { mates: self.mates.driving(), trucks: self.trucks.driving() }
    }

    fn worth(&self) -> (usize, Reverse<i64>) {
        (self.order.iter().filter(|job| self.done[**job]).count(), Reverse(self.driving().sum()))
    }

    /// Why a job that is not done has nobody.
    fn lack(&self, job: usize) -> Lack {
        let free =
            |fleet: &Fleet<'_>, group: usize| fleet.members(group).into_iter().filter(|c| fleet.fits(*c, job)).count();
        let short = |fleet: &Fleet<'_>, group: usize| free(fleet, group) < fleet.places(group, job);
        if self.trucks.by_size.iter().any(|group| short(&self.trucks, *group)) {
            return Lack::Truck;
        }
        // Everybody is the last of the groups of mates.
        let everybody = self.mates.by_size.len() - 1;
        if (0..everybody).any(|group| short(&self.mates, group)) {
            return Lack::Skill;
        }
        Lack::Mates(free(&self.mates, everybody))
    }

    /// What was chosen.
    pub fn plan(&self) -> Plan {
        let day = self.mates.day;
        let on = |fleet: &Fleet<'_>, job: usize| -> Vec<usize> {
            let chosen = |c: &usize| fleet.chains[*c].iter().any(|leg| leg.job == job && leg.group.is_some());
            (0..fleet.chains.len()).filter(chosen).collect()
        };
        let mut plan = Plan { assigned: Vec::new(), open: Vec::new(), driving: self.driving() };
        for job in (0..day.jobs.len()).filter(|job| day.lacks(*job)) {
            if self.done[job] {
                let truck = on(&self.trucks, job).first().copied();
                plan.assigned.push(Assignment { job, mates: on(&self.mates, job), truck });
            } else {
                plan.open.push((job, self.lack(job)));
            }
        }
        plan
    }
}

/// Less is better: whose customers' languages they do not speak, then much work for who had much this week.
fn likes(day: &Day, mate: usize, path: &[usize]) -> i64 {
    const LANGUAGE: i64 = 1_000_000_000;
    let (who, work) = (&day.mates[mate], |job: usize| (day.jobs[job].until - day.jobs[job].from).num_minutes());
    let foreign = path.iter().filter(|job| day.jobs[**job].language & who.languages == 0).count();
    let minutes: i64 = path.iter().map(|job| work(*job)).sum();
    foreign as i64 * LANGUAGE + minutes * who.minutes_that_week.clamp(0, 10_000)
}

/// Fills the places of all jobs that are not given up, group by group; what cannot be filled is given up.
fn cover(fleet: &mut Fleet<'_>, order: &[usize], done: &mut [bool], gaps: bool, like: &dyn Fn(usize, &[usize]) -> i64) {
    for group in fleet.by_size.clone() {
        let places = |job: &usize| (*job, fleet.places(group, *job));
        let mut wanted: Vec<OpenPlaces> = order.iter().filter(|job| done[**job]).map(places).collect();
        wanted.retain(|(_, places)| *places > 0);
        if gaps {
            let left = fleet.fill_gaps(group, &wanted);
            let still = |job: usize| left.iter().find(|(other, _)| *other == job).map(|(_, places)| (job, *places));
            wanted = wanted.iter().filter_map(|(job, _)| still(*job)).collect();
        }
        for (job, places) in fleet.pool(group, &wanted, like) {
            if !fleet.send((job, group, places), |fleet, carrier| fleet.added(carrier, job)) {
                fleet.release(job);
                done[job] = false;
            }
        }
    }
}
