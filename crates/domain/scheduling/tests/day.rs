//! Plans of random days, looked at by a checker that shares no code with the planner; and of days that are known to have a
//! plan for every job.
#![allow(clippy::unwrap_used, missing_docs)]

use std::collections::BTreeSet;

use kernel::chrono::{DateTime, Duration, Utc};
use proptest::prelude::*;
use scheduling::{
    TruckClass,
    day::{Day, DayJob, DayMate, DayTruck, InvalidDay, Lack, Plan, Ways, first_come, plan},
};

/// Where jobs begin and end, km from the hub.
#[derive(Debug, Clone)]
struct Map(Vec<((f64, f64), (f64, f64))>);

fn minutes(a: (f64, f64), b: (f64, f64)) -> u32 {
    // 30 km an hour, and a detour as streets make it.
    ((a.0 - b.0).hypot(a.1 - b.1) * 1.3 * 2.0).ceil() as u32 + 1
}

impl Ways for Map {
    fn out(&self, job: usize) -> u32 {
        minutes((0.0, 0.0), self.0[job].0)
    }
    fn back(&self, job: usize) -> u32 {
        minutes(self.0[job].1, (0.0, 0.0))
    }
    fn between(&self, from: usize, to: usize) -> u32 {
        minutes(self.0[from].1, self.0[to].0)
    }
}

#[derive(Debug, Clone)]
struct World {
    jobs: Vec<DayJob>,
    mates: Vec<DayMate>,
    trucks: Vec<DayTruck>,
    map: Map,
}

impl World {
    fn day(&self) -> Day {
        Day::new(self.jobs.clone(), self.mates.clone(), self.trucks.clone(), &self.map).unwrap()
    }

    /// Nobody can be on both: one begins before whoever was on the other can be there.
    fn clash(&self, a: usize, b: usize) -> bool {
        let (first, second) = if self.jobs[a].from <= self.jobs[b].from { (a, b) } else { (b, a) };
        let way = i64::from(self.map.between(first, second).max(15));
        self.jobs[first].until + Duration::minutes(way) > self.jobs[second].from
    }

    fn lacks(&self, job: usize) -> bool {
        self.jobs[job].today && (self.jobs[job].mates > 0 || self.jobs[job].truck.is_some())
    }

    /// What each mate and truck is on with the plan.
    fn chains(&self, plan: &Plan) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
        let mut mates: Vec<Vec<usize>> = self.mates.iter().map(|m| m.on.clone()).collect();
        let mut trucks: Vec<Vec<usize>> = self.trucks.iter().map(|t| t.on.clone()).collect();
        for one in &plan.assigned {
            for mate in &one.mates {
                mates[*mate].push(one.job);
            }
            if let Some(truck) = one.truck {
                trucks[truck].push(one.job);
            }
        }
        (mates, trucks)
    }

    /// Every rule that a plan breaks.
    fn broken(&self, plan: &Plan) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut seen = BTreeSet::new();
        for one in &plan.assigned {
            let job = &self.jobs[one.job];
            let mates: BTreeSet<usize> = one.mates.iter().copied().collect();
            if !seen.insert(one.job) || !self.lacks(one.job) {
                wrong.push(format!("job {} is planned twice, or lacks nothing", one.job));
            }
            if mates.len() != one.mates.len() || mates.len() != job.mates {
                wrong.push(format!("job {} has {:?}, and lacks {}", one.job, one.mates, job.mates));
            }
            let able = mates.iter().any(|m| self.mates[*m].skills & job.skill != 0);
            if job.mates > 0 && job.skill != 0 && !able {
                wrong.push(format!("job {} has nobody with its skill", one.job));
            }
            match (job.truck, one.truck) {
                (None, None) => {}
                (Some(class), Some(truck)) if self.trucks[truck].class >= class => {}
                other => wrong.push(format!("job {} has the truck {other:?}", one.job)),
            }
        }
        for (job, _) in &plan.open {
            if !seen.insert(*job) {
                wrong.push(format!("job {job} is planned and open"));
            }
        }
        if seen != (0..self.jobs.len()).filter(|j| self.lacks(*j)).collect() {
            wrong.push("some job is neither planned nor open".into());
        }
        let (mates, trucks) = self.chains(plan);
        let before = self.mates.iter().map(|m| m.on.len()).chain(self.trucks.iter().map(|t| t.on.len()));
        for (chain, before) in mates.iter().chain(&trucks).zip(before) {
            for (n, a) in chain.iter().enumerate() {
                for b in chain.iter().take(n).filter(|_| n >= before).filter(|b| self.clash(*a, **b)) {
                    wrong.push(format!("somebody is on {a} and {b}"));
                }
            }
        }
        wrong
    }

    /// The jobs left over that those who are left could do.
    fn forgotten(&self, plan: &Plan) -> Vec<usize> {
        let (mates, trucks) = self.chains(plan);
        let free = |chain: &Vec<usize>, job: usize| chain.iter().all(|other| *other != job && !self.clash(*other, job));
        let could = |job: &usize| {
            let j = &self.jobs[*job];
            let who: Vec<usize> = (0..mates.len()).filter(|m| free(&mates[*m], *job)).collect();
            let able = j.mates == 0 || j.skill == 0 || who.iter().any(|m| self.mates[*m].skills & j.skill != 0);
            let truck = j
                .truck
                .is_none_or(|class| (0..trucks.len()).any(|t| self.trucks[t].class >= class && free(&trucks[t], *job)));
            who.len() >= j.mates && able && truck
        };
        plan.open.iter().map(|(job, _)| *job).filter(could).collect()
    }

    /// Ways from one job to the next that a truck goes without anybody of the next crew, and without time to be fetched at
    /// the hub; and how many ways there are.
    fn unbrought(&self, plan: &Plan) -> (usize, usize) {
        let (mates, trucks) = self.chains(plan);
        let pairs = |chains: &[Vec<usize>]| -> Vec<(usize, usize)> {
            let sorted = chains.iter().map(|chain| {
                let mut chain = chain.clone();
                chain.sort_by_key(|j| self.jobs[*j].from);
                chain
            });
            sorted.flat_map(|chain| chain.windows(2).map(|pair| (pair[0], pair[1])).collect::<Vec<_>>()).collect()
        };
        let crews: BTreeSet<(usize, usize)> = pairs(&mates).into_iter().collect();
        let ways = pairs(&trucks);
        let by_hub = |a: usize, b: usize| {
            let way = i64::from(self.map.back(a) + self.map.out(b));
            self.jobs[a].until + Duration::minutes(way) <= self.jobs[b].from
        };
        let none = ways.iter().filter(|(a, b)| !by_hub(*a, *b) && !crews.contains(&(*a, *b))).count();
        (none, ways.len())
    }

    fn driving(&self, plan: &Plan) -> i64 {
        let (mates, trucks) = self.chains(plan);
        let of = |chain: &Vec<usize>| {
            let mut chain: Vec<usize> = chain.iter().copied().filter(|j| self.jobs[*j].today).collect();
            chain.sort_by_key(|j| self.jobs[*j].from);
            let (Some(first), Some(last)) = (chain.first(), chain.last()) else { return 0 };
            let steps: u32 = chain.windows(2).map(|pair| self.map.between(pair[0], pair[1])).sum();
            i64::from(self.map.out(*first) + steps + self.map.back(*last))
        };
        mates.iter().chain(&trucks).map(of).sum()
    }
}

fn at(minute: i64) -> DateTime<Utc> {
    "2027-07-01T12:00:00Z".parse::<DateTime<Utc>>().unwrap() + Duration::minutes(minute)
}

fn class(n: u8) -> TruckClass {
    TruckClass::ALL[usize::from(n) % 3]
}

prop_compose! {
    fn a_place()(x in -20.0f64..20.0, y in -20.0f64..20.0) -> (f64, f64) { (x, y) }
}

prop_compose! {
    fn a_job()(
        half_hour in 0i64..20, minutes in 30i64..240, mates in 0usize..4, skill in 0u32..6, language in 0u32..3,
        truck in proptest::option::of(0u8..3), today in proptest::bool::weighted(0.95), from in a_place(), to in a_place(),
    ) -> (DayJob, ((f64, f64), (f64, f64))) {
        let start = half_hour * 30 + if today { 0 } else { 24 * 60 - 300 };
        let skill = skill.saturating_sub(2);
        let job = DayJob {
            from: at(start), until: at(start + minutes), mates, skill, language: 1 << language, truck: truck.map(class), today,
        };
        (job, (from, to))
    }
}

prop_compose! {
    /// Some mates and trucks are on some jobs already, as long as they can be on them.
    fn a_world()(
        jobs in proptest::collection::vec(a_job(), 0..40),
        mates in proptest::collection::vec((0u32..4, 0u32..8, 0i64..2_400, proptest::collection::vec(0usize..200, 0..4)), 0..12),
        trucks in proptest::collection::vec((0u8..3, proptest::collection::vec(0usize..200, 0..3)), 0..8),
    ) -> World {
        let (jobs, places): (Vec<_>, Vec<_>) = jobs.into_iter().unzip();
        let mut world = World { jobs, mates: Vec::new(), trucks: Vec::new(), map: Map(places) };
        let on = |world: &World, wished: Vec<usize>| {
            let mut on: Vec<usize> = Vec::new();
            for job in wished.into_iter().filter(|j| *j < world.jobs.len()) {
                if on.iter().all(|other| *other != job && !world.clash(*other, job)) {
                    on.push(job);
                }
            }
            on
        };
        for (skills, languages, minutes_that_week, wished) in mates {
            let on = on(&world, wished);
            world.mates.push(DayMate { on, skills, languages, minutes_that_week });
        }
        for (n, wished) in trucks {
            let on = on(&world, wished);
            world.trucks.push(DayTruck { class: class(n), on });
        }
        world
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn no_plan_breaks_a_rule_or_forgets_a_job(world in a_world()) {
        let day = world.day();
        let made = plan(&day);
        prop_assert_eq!(world.broken(&made), Vec::<String>::new());
        prop_assert_eq!(world.forgotten(&made), Vec::<usize>::new());
        prop_assert_eq!(made.driving.sum(), world.driving(&made));
        prop_assert_eq!(plan(&day), made);
    }

    #[test]
    fn taken_as_they_come_no_rule_is_broken_either(world in a_world()) {
        let order: Vec<usize> = (0..world.jobs.len()).collect();
        let made = first_come(&world.day(), &order);
        prop_assert_eq!(world.broken(&made), Vec::<String>::new());
        prop_assert_eq!(made.driving.sum(), world.driving(&made));
    }
}

/// Numbers that look random and are the same everywhere (Steele, Lea and Flood, 2014: SplitMix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % below
    }

    fn place(&mut self) -> (f64, f64) {
        let mut along = || self.roll(301) as f64 / 10.0 - 15.0;
        (along(), along())
    }
}

/// A full day: crews of one or two go from job to job without a break, so that everybody is needed all day. Which crew had
/// which job is not told.
fn full_day(seed: u64, crews: usize, two: bool) -> World {
    let mut dice = Dice(seed);
    let mut world = World { jobs: Vec::new(), mates: Vec::new(), trucks: Vec::new(), map: Map(Vec::new()) };
    let mut made = Vec::new();
    for n in 0..crews {
        let size = class(n as u8);
        world.trucks.push(DayTruck { class: size, on: Vec::new() });
        let many = if two && n % 2 == 0 { 2 } else { 1 };
        world.mates.extend((0..many).map(|_| DayMate::default()));
        let (mut time, mut here) = (0, None);
        for _ in 0..5 {
            let (from, to) = (dice.place(), dice.place());
            if let Some(here) = here {
                time += i64::from(minutes(here, from).max(15));
            }
            let until = time + 40 + dice.roll(50) as i64;
            let truck = (dice.roll(4) > 0).then_some(size);
            let job =
                DayJob { from: at(time), until: at(until), mates: many, skill: 0, language: 1, truck, today: true };
            made.push((job, (from, to)));
            (time, here) = (until, Some(to));
        }
    }
    for n in (1..made.len()).rev() {
        made.swap(n, dice.roll(n as u64 + 1) as usize);
    }
    (world.jobs, world.map.0) = made.into_iter().unzip();
    world
}

#[test]
fn a_full_day_leaves_no_job_over_and_drives_less() {
    for seed in 0..6 {
        let world = full_day(seed, 40, false);
        let day = world.day();
        let made = plan(&day);
        assert_eq!((world.broken(&made), made.open.as_slice()), (vec![], [].as_slice()), "seed {seed}");
        assert_eq!(made.assigned.len(), 200);
        let order: Vec<usize> = (0..200).collect();
        let listed = first_come(&day, &order);
        let a_job = |plan: &Plan| plan.driving.sum() * 1_000 / plan.assigned.len() as i64;
        assert!(a_job(&made) * 10 <= a_job(&listed) * 9, "seed {seed}: {} of {}", a_job(&made), a_job(&listed));
        let (unbrought, ways) = world.unbrought(&made);
        assert!(unbrought * 100 <= ways * 3, "seed {seed}: {unbrought} of {ways}");
    }
}

#[test]
fn crews_of_two_meet_again_and_again() {
    for seed in 10..14 {
        let world = full_day(seed, 20, true);
        let made = plan(&world.day());
        assert_eq!((world.broken(&made), made.open.as_slice()), (vec![], [].as_slice()), "seed {seed}");
    }
}

#[test]
fn a_day_that_is_half_assigned_is_completed() {
    // Every third job has its people from a plan of the whole, and everybody is needed all day: what is best around them is
    // not known to be found, but hardly anything may be left.
    let mut open = Vec::new();
    for seed in 20..28 {
        let mut world = full_day(seed, 20, false);
        let whole = plan(&world.day());
        for one in whole.assigned.iter().step_by(3) {
            for mate in &one.mates {
                world.mates[*mate].on.push(one.job);
            }
            if let Some(truck) = one.truck {
                world.trucks[truck].on.push(one.job);
            }
            (world.jobs[one.job].mates, world.jobs[one.job].truck) = (0, None);
        }
        let made = plan(&world.day());
        assert_eq!((world.broken(&made), world.forgotten(&made)), (vec![], vec![]), "seed {seed}");
        open.push(made.open.len());
    }
    assert!(open.iter().sum::<usize>() <= 8, "left over of 67 each: {open:?}");
}

fn job(start: i64, length: i64) -> DayJob {
    DayJob { from: at(start), until: at(start + length), mates: 1, skill: 0, language: 1, truck: None, today: true }
}

fn here(jobs: Vec<DayJob>, mates: Vec<DayMate>, trucks: Vec<DayTruck>) -> World {
    let map = Map(vec![((0.0, 0.0), (0.0, 0.0)); jobs.len()]);
    World { jobs, mates, trucks, map }
}

#[test]
fn fifteen_minutes_lie_between_two_jobs_and_not_fewer() {
    let lone = vec![DayMate::default()];
    let fits = here(vec![job(0, 60), job(75, 60)], lone.clone(), vec![]);
    assert_eq!(plan(&fits.day()).open, []);
    let close = here(vec![job(0, 60), job(74, 60)], lone, vec![]);
    assert_eq!(plan(&close.day()).open, [(1, Lack::Mates(0))]);
}

#[test]
fn what_is_left_over_says_why() {
    let large = DayJob { truck: Some(TruckClass::TwentySixFoot), ..job(0, 60) };
    let piano = DayJob { skill: 2, ..job(0, 60) };
    let crowd = DayJob { mates: 4, ..job(300, 60) };
    let small = DayTruck { class: TruckClass::TenFoot, on: vec![] };
    let mates = vec![DayMate { skills: 1, ..DayMate::default() }; 3];
    let world = here(vec![large, piano, crowd], mates, vec![small]);
    assert_eq!(plan(&world.day()).open, [(0, Lack::Truck), (1, Lack::Skill), (2, Lack::Mates(3))]);
}

#[test]
fn the_one_who_speaks_the_language_goes() {
    let jobs = vec![DayJob { language: 2, ..job(0, 60) }, DayJob { language: 4, ..job(0, 60) }];
    let speaks = |languages| DayMate { languages, ..DayMate::default() };
    let world = here(jobs, vec![speaks(4), speaks(2), speaks(1)], vec![]);
    let made = plan(&world.day());
    assert_eq!(made.assigned.iter().map(|a| a.mates.clone()).collect::<Vec<_>>(), [[1], [0]]);
}

#[test]
fn somebody_on_a_job_that_is_not_there_is_refused() {
    let mates = vec![DayMate { on: vec![1], ..DayMate::default() }];
    assert_eq!(Day::new(vec![job(0, 60)], mates, vec![], &Map(vec![])).err(), Some(InvalidDay));
}

/// Two crews of one go from a first job to a second one, half an hour's driving away from the hub. The second job of each
/// begins next to where the first one of the other ends.
fn two_crews(second: i64, class: TruckClass, classes: [TruckClass; 2]) -> Plan {
    let (north, south) = ((10.0, 0.0), (10.0, 3.0));
    let lacks_truck = |start| DayJob { mates: 0, truck: Some(TruckClass::TenFoot), ..job(start, 60) };
    let last = DayJob { truck: Some(class), ..lacks_truck(second) };
    let world = World {
        jobs: vec![lacks_truck(0), lacks_truck(0), last, lacks_truck(second)],
        mates: [vec![0, 2], vec![1, 3]].map(|on| DayMate { on, ..DayMate::default() }).to_vec(),
        trucks: classes.map(|class| DayTruck { class, on: vec![] }).to_vec(),
        map: Map(vec![(north, north), (south, south), (south, south), (north, north)]),
    };
    let made = plan(&world.day());
    assert_eq!((world.broken(&made), made.open.as_slice()), (vec![], [].as_slice()));
    assert_eq!(made.driving.sum(), world.driving(&made));
    made
}

#[test]
fn a_truck_stays_with_a_crew_that_goes_straight_on() {
    let (ten, large) = (TruckClass::TenFoot, TruckClass::TwentySixFoot);
    let trucks = |plan: &Plan| plan.assigned.iter().map(|a| a.truck.unwrap()).collect::<Vec<_>>();
    // 30 minutes: too few for the hub and out again, which is 56.
    let close = trucks(&two_crews(90, ten, [ten; 2]));
    assert_eq!((close[0], close[1]), (close[2], close[3]), "{close:?}");
    // Where the second job needs the larger truck, its crew has it from the first one on, whichever of the two it is.
    for classes in [[ten, large], [large, ten]] {
        let sized = trucks(&two_crews(90, large, classes));
        assert_eq!((sized[0], sized[1]), (sized[2], sized[3]), "{sized:?}");
        assert_eq!(classes[sized[2]], large);
    }
    // With time for the hub the truck that is next door goes.
    let far = trucks(&two_crews(120, ten, [ten; 2]));
    assert_eq!((far[0], far[1]), (far[3], far[2]), "{far:?}");
}
