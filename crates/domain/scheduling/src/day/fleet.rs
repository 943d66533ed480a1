//! Chains: the jobs of each mate, or of each truck, by their start.

use super::{Day, buffer_between};

/// So often whole days are crossed.
const CROSSINGS: usize = 100;
/// So many jobs are moved to make room for one.
const DEPTH: usize = 8;
/// A job in somebody's chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Leg {
    pub job: usize,
    /// The group whose place is filled; none: they were on it before, and stay.
    pub group: Option<usize>,
}

/// Mates, or trucks, with what they do that day. A group is those who can fill a kind of place: who has a skill, the trucks
/// of a size or larger, everybody.
#[derive(Debug, Clone)]
pub(super) struct Fleet<'a> {
    pub day: &'a Day,
    pub chains: Vec<Vec<Leg>>,
    /// Their jobs of other days.
    beside: Vec<Vec<usize>>,
    /// Who is in a group, by group, then by carrier.
    groups: Vec<Vec<bool>>,
    /// Places of a group that a job has, by group, then by job.
    places: Vec<Vec<usize>>,
    /// Groups by their size, the smallest first: what only few can do is planned first.
    pub by_size: Vec<usize>,
    /// So often whole days are still crossed: where there is far more to do than can be done, it would take too long.
    crossings: usize,
    /// By job: those that somebody of its crew goes straight on to. The truck had better go with them.
    pub straight_on: Vec<Vec<usize>>,
    /// A way outside of `straight_on` without time for the hub costs more.
    pub follows: bool,
}

impl<'a> Fleet<'a> {
    fn new(day: &'a Day, on: Vec<&[usize]>, groups: Vec<Vec<bool>>, places: Vec<Vec<usize>>) -> Fleet<'a> {
        let mut by_size: Vec<usize> = (0..groups.len()).collect();
        by_size.sort_by_key(|g| groups[*g].iter().filter(|is| **is).count());
        let (mut chains, mut beside) = (Vec::new(), Vec::new());
        for jobs in on {
            let (mut today, others): (Vec<usize>, Vec<usize>) = jobs.iter().partition(|j| day.jobs[**j].today);
            today.sort_by_key(|j| (day.jobs[*j].from, *j));
            chains.push(today.into_iter().map(|job| Leg { job, group: None }).collect());
            beside.push(others);
        }
        let straight_on = vec![Vec::new(); day.jobs.len()];
        Fleet { day, chains, beside, groups, places, by_size, crossings: CROSSINGS, straight_on, follows: false }
    }

    /// The mates: a group for each skill that some job asks for, then everybody.
    pub fn mates(day: &'a Day) -> Fleet<'a> {
        let lacking = |j: usize| day.lacks(j) && day.jobs[j].mates > 0;
        let mut skills: Vec<u32> = (0..day.jobs.len()).filter(|j| lacking(*j)).map(|j| day.jobs[j].skill).collect();
        skills.retain(|skill| *skill != 0);
        skills.sort_unstable();
        skills.dedup();
        let mut groups: Vec<Vec<bool>> =
            skills.iter().map(|skill| day.mates.iter().map(|m| m.skills & skill != 0).collect()).collect();
        groups.push(vec![true; day.mates.len()]);
        let each = |places: &dyn Fn(usize) -> usize| {
            (0..day.jobs.len()).map(|j| if lacking(j) { places(j) } else { 0 }).collect::<Vec<usize>>()
        };
        let mut places: Vec<Vec<usize>> =
            skills.iter().map(|skill| each(&|j| usize::from(day.jobs[j].skill == *skill))).collect();
        places.push(each(&|j| day.jobs[j].mates - usize::from(day.jobs[j].skill != 0)));
        Fleet::new(day, day.mates.iter().map(|m| m.on.as_slice()).collect(), groups, places)
    }

    /// The trucks: a group for each class that some job asks for, of that class and larger.
    pub fn trucks(day: &'a Day) -> Fleet<'a> {
        let lacking = |j: usize| day.jobs[j].truck.filter(|_| day.lacks(j));
        let mut classes: Vec<_> = (0..day.jobs.len()).filter_map(lacking).collect();
        // Of two that as many trucks can do, the larger first.
        classes.sort_unstable_by(|a, b| b.cmp(a));
        classes.dedup();
        let groups = classes.iter().map(|class| day.trucks.iter().map(|t| t.class >= *class).collect()).collect();
        let all = 0..day.jobs.len();
        let places = classes
            .iter()
            .map(|class| all.clone().map(|j| usize::from(lacking(j) == Some(*class))).collect())
            .collect();
        Fleet::new(day, day.trucks.iter().map(|t| t.on.as_slice()).collect(), groups, places)
    }

    /// Places of a group that a job has.
    pub fn places(&self, group: usize, job: usize) -> usize {
        self.places[group][job]
    }

    /// Who is in a group, by their places.
    pub fn members(&self, group: usize) -> Vec<usize> {
        (0..self.chains.len()).filter(|c| self.groups[group][*c]).collect()
    }

    /// None of their jobs of other days is in the way.
    pub fn rested(&self, carrier: usize, job: usize) -> bool {
        self.beside[carrier].iter().all(|other| self.day.clear(*other, job))
    }

    /// They can be on it besides what they do.
    pub fn fits(&self, carrier: usize, job: usize) -> bool {
        self.rested(carrier, job) && self.chains[carrier].iter().all(|leg| self.day.clear(leg.job, job))
    }

    /// The place in the chain of a job that fits.
    fn place(&self, carrier: usize, job: usize) -> usize {
        let from = self.day.jobs[job].from;
        self.chains[carrier].partition_point(|leg| self.day.jobs[leg.job].from < from)
    }

    /// Minutes from one job, or the hub, to the next one, or the hub. Far more than any day has, where there is no such way.
    pub fn leg(&self, first: Option<usize>, second: Option<usize>) -> i64 {
        const NEVER: i64 = 1_000_000;
        match (first, second) {
            (None, None) => 0,
            (None, Some(job)) => i64::from(self.day.out[job]),
            (Some(job), None) => i64::from(self.day.back[job]),
            (Some(first), Some(second)) => self.day.way(first, second).unwrap_or(NEVER),
        }
    }

    /// Minutes of driving a job brings along; fewer where a truck stays with its crew.
    pub fn added(&self, carrier: usize, job: usize) -> i64 {
        let (chain, at) = (&self.chains[carrier], self.place(carrier, job));
        let before = at.checked_sub(1).map(|n| chain[n].job);
        let after = chain.get(at).map(|leg| leg.job);
        self.cost(before, Some(job)) + self.cost(Some(job), after) - self.cost(before, after)
    }

    /// Puts a job that fits into a chain.
    pub fn put(&mut self, carrier: usize, job: usize, group: usize) {
        let at = self.place(carrier, job);
        self.chains[carrier].insert(at, Leg { job, group: Some(group) });
    }

    /// Takes everybody off a job who was planned for it.
    pub fn release(&mut self, job: usize) {
        for chain in &mut self.chains {
            chain.retain(|leg| leg.job != job || leg.group.is_none());
        }
    }

    /// Puts so many of a group on a job, those that `rank` orders first. False: fewer are free, and nobody was put on it.
    pub fn send<K: Ord>(
        &mut self,
        (job, group, places): (usize, usize, usize),
        rank: impl Fn(&Fleet<'a>, usize) -> K,
    ) -> bool {
        let mut free: Vec<usize> = self.members(group).into_iter().filter(|c| self.fits(*c, job)).collect();
        if free.len() < places {
            return false;
        }
        free.sort_by_key(|c| (rank(self, *c), *c));
        for carrier in free.into_iter().take(places) {
            self.put(carrier, job, group);
        }
        true
    }

    /// Fills all places of a job, or none.
    pub fn send_all<K: Ord>(&mut self, job: usize, rank: impl Fn(&Fleet<'a>, usize) -> K) -> bool {
        for group in self.by_size.clone() {
            let places = self.places(group, job);
            if places > 0 && !self.send((job, group, places), &rank) {
                self.release(job);
                return false;
            }
        }
        true
    }

    /// As [`Fleet::send_all`]; who is planned for something else then may be given it, when somebody else can do theirs.
    pub fn press(&mut self, job: usize) -> bool {
        for group in self.by_size.clone() {
            for _ in 0..self.places(group, job) {
                let mut moved = vec![false; self.day.jobs.len()];
                if !self.press_one((job, group), &mut moved, DEPTH) {
                    self.release(job);
                    return false;
                }
            }
        }
        true
    }

    /// Somebody who is free or becomes free by an exchange, or one whose only job in the way goes to somebody else. `moved` has the jobs that were tried.
    fn press_one(&mut self, (job, group): (usize, usize), moved: &mut [bool], depth: usize) -> bool {
        let members = self.members(group);
        let free = members.iter().copied().filter(|c| self.fits(*c, job));
        if let Some((_, carrier)) = free.map(|c| (self.added(c, job), c)).min() {
            self.put(carrier, job, group);
            return true;
        }
        if self.cross((job, group)) {
            return true;
        }
        if depth == 0 {
            return false;
        }
        for carrier in members {
            let mut in_the_way = self.chains[carrier].iter().filter(|leg| !self.day.clear(leg.job, job));
            let (Some(leg), None) = (in_the_way.next().copied(), in_the_way.next()) else { continue };
            let Some(theirs) = leg.group.filter(|_| leg.job != job && !moved[leg.job]) else { continue };
            if !self.rested(carrier, job) {
                continue;
            }
            moved[leg.job] = true;
            self.chains[carrier].retain(|other| *other != leg);
            self.put(carrier, job, group);
            if self.press_one((leg.job, theirs), moved, depth - 1) {
                return true;
            }
            self.chains[carrier].retain(|other| other.job != job);
            self.put(carrier, leg.job, theirs);
        }
        false
    }

    /// Somebody takes a job and then the rest of another's day, who takes over the rest of theirs.
    fn cross(&mut self, (job, group): (usize, usize)) -> bool {
        let Some(left) = self.crossings.checked_sub(1) else { return false };
        self.crossings = left;
        for a in self.members(group).into_iter().filter(|a| self.rested(*a, job)).collect::<Vec<_>>() {
            for b in (0..self.chains.len()).filter(|b| *b != a) {
                let Some((i, j)) = self.crossing(job, a, b) else { continue };
                let (end_a, end_b) = (self.chains[a].split_off(i), self.chains[b].split_off(j));
                self.chains[a].push(Leg { job, group: Some(group) });
                self.chains[a].extend(end_b);
                self.chains[b].extend(end_a);
                return true;
            }
        }
        false
    }

    /// Where two days are cut so that a job fits between the first of one and the second of the other.
    fn crossing(&self, job: usize, a: usize, b: usize) -> Option<(usize, usize)> {
        let before = |leg: &&Leg| self.day.way(leg.job, job).is_some();
        let behind = |leg: &&Leg| self.day.way(job, leg.job).is_some();
        let most = self.chains[a].iter().take_while(before).count();
        let least = self.chains[b].len() - self.chains[b].iter().rev().take_while(behind).count();
        let (first_a, first_b) = (self.movable(a, b), self.movable(b, a));
        let pairs =
            (first_a..=most).rev().flat_map(|i| (least.max(first_b)..=self.chains[b].len()).map(move |j| (i, j)));
        pairs.into_iter().find(|cut| self.swap_fits(a, b, *cut))
    }

    /// From where on the rest of somebody's day can be given to another one: only what was planned, and what they can do.
    fn movable(&self, from: usize, to: usize) -> usize {
        let may = |leg: &&Leg| leg.group.is_some_and(|g| self.groups[g][to]) && self.rested(to, leg.job);
        self.chains[from].len() - self.chains[from].iter().rev().take_while(may).count()
    }

    /// A planned job that is in the way of another one of the same chain: steps are planned pair by pair, and a way past a
    /// third door may be shorter than the straight one.
    pub fn broken(&self) -> Option<usize> {
        let in_the_way = |carrier: usize, leg: &Leg| {
            let others = self.chains[carrier].iter().filter(|other| other.job != leg.job);
            !self.rested(carrier, leg.job) || others.into_iter().any(|other| !self.day.clear(leg.job, other.job))
        };
        (0..self.chains.len()).find_map(|carrier| {
            let planned = self.chains[carrier].iter().rev().filter(|leg| leg.group.is_some());
            planned.into_iter().find(|leg| in_the_way(carrier, leg)).map(|leg| leg.job)
        })
    }

    /// Minutes of driving of all.
    pub fn driving(&self) -> i64 {
        self.chains.iter().map(|chain| self.driving_of(chain)).sum()
    }

    fn driving_of(&self, chain: &[Leg]) -> i64 {
        let (Some(first), Some(last)) = (chain.first(), chain.last()) else { return 0 };
        let steps: i64 = chain
            .windows(2)
            .map(|pair| match pair {
                // Crews that were named by hand may be closer to each other than the way allows: it is driven all the same.
                [a, b] => self.day.way(a.job, b.job).unwrap_or(i64::from(buffer_between(0))),
                _ => 0,
            })
            .sum();
        self.leg(None, Some(first.job)) + steps + self.leg(Some(last.job), None)
    }

    /// Exchanges jobs as long as that saves driving; `rounds` bounds how often everything is looked at.
    pub fn improve(&mut self, rounds: usize) {
        for _ in 0..rounds {
            let moved = self.move_jobs() | self.swap_jobs();
            if !self.swap_ends() && !moved {
                return;
            }
        }
    }

    /// Gives single jobs to somebody who drives less for them.
    fn move_jobs(&mut self) -> bool {
        let mut better = false;
        for carrier in 0..self.chains.len() {
            let mut at = 0;
            while let Some(leg) = self.chains[carrier].get(at).copied() {
                at += 1;
                let Some(group) = leg.group else { continue };
                self.chains[carrier].remove(at - 1);
                let saved = self.added(carrier, leg.job);
                let others = self.members(group).into_iter().filter(|c| *c != carrier && self.fits(*c, leg.job));
                let best = others.map(|c| (self.added(c, leg.job), c)).min().filter(|(added, _)| *added < saved);
                let to = best.map_or(carrier, |(_, c)| c);
                self.put(to, leg.job, group);
                if best.is_some() {
                    better = true;
                    at -= 1;
                }
            }
        }
        better
    }

    /// Two exchange one job each: looked at where a truck had better stay with its crew, and the rest of its day cannot change.
    fn swap_jobs(&mut self) -> bool {
        let mut better = false;
        if self.straight_on.iter().all(Vec::is_empty) {
            return better;
        }
        for a in 0..self.chains.len() {
            for b in a + 1..self.chains.len() {
                while let Some([mine, theirs]) = self.better_exchange(a, b) {
                    self.chains[a] = mine;
                    self.chains[b] = theirs;
                    better = true;
                }
            }
        }
        better
    }

    /// The days of two with one job exchanged, if that costs less.
    fn better_exchange(&self, a: usize, b: usize) -> Option<[Vec<Leg>; 2]> {
        let now = self.cost_of(&self.chains[a]) + self.cost_of(&self.chains[b]);
        for (i, mine) in self.chains[a].iter().enumerate() {
            for (j, theirs) in self.chains[b].iter().enumerate() {
                let swapped = [self.exchanged(a, i, *theirs), self.exchanged(b, j, *mine)];
                if let [Some(x), Some(y)] = swapped
                    && self.cost_of(&x) + self.cost_of(&y) < now
                {
                    return Some([x, y]);
                }
            }
        }
        None
    }

    /// Somebody's day with another job instead of one, where both were planned and they can do it.
    fn exchanged(&self, carrier: usize, at: usize, leg: Leg) -> Option<Vec<Leg>> {
        let chain = &self.chains[carrier];
        let may = chain[at].group.is_some() && leg.group.is_some_and(|group| self.groups[group][carrier]);
        let clear = |(n, other): (usize, &Leg)| n == at || self.day.clear(other.job, leg.job);
        if !may || !chain.iter().enumerate().all(clear) || !self.rested(carrier, leg.job) {
            return None;
        }
        let mut chain = chain.clone();
        chain.remove(at);
        let from = self.day.jobs[leg.job].from;
        chain.insert(chain.partition_point(|other| self.day.jobs[other.job].from < from), leg);
        Some(chain)
    }

    fn cost_of(&self, chain: &[Leg]) -> i64 {
        let ends = std::iter::once(None).chain(chain.iter().map(|leg| Some(leg.job)));
        let starts = chain.iter().map(|leg| Some(leg.job)).chain([None]);
        ends.zip(starts).map(|(first, second)| self.cost(first, second)).sum()
    }

    /// Two exchange the rest of their days.
    fn swap_ends(&mut self) -> bool {
        let mut better = false;
        for a in 0..self.chains.len() {
            for b in a + 1..self.chains.len() {
                while let Some((i, j)) = self.best_swap(a, b) {
                    let (end_a, end_b) = (self.chains[a].split_off(i), self.chains[b].split_off(j));
                    self.chains[a].extend(end_b);
                    self.chains[b].extend(end_a);
                    better = true;
                }
            }
        }
        better
    }

    /// From where on two should exchange the rest of their days.
    fn best_swap(&self, a: usize, b: usize) -> Option<(usize, usize)> {
        let (first_a, first_b) = (self.movable(a, b), self.movable(b, a));
        let (chain_a, chain_b) = (&self.chains[a], &self.chains[b]);
        let job = |chain: &[Leg], n: usize| chain.get(n).map(|leg| leg.job);
        let last = |chain: &[Leg], n: usize| n.checked_sub(1).and_then(|n| job(chain, n));
        let mut best: Option<(i64, usize, usize)> = None;
        for i in first_a..=chain_a.len() {
            for j in first_b..=chain_b.len() {
                let (ends, starts) = ((last(chain_a, i), last(chain_b, j)), (job(chain_a, i), job(chain_b, j)));
                let now = self.cost(ends.0, starts.0) + self.cost(ends.1, starts.1);
                let then = self.cost(ends.0, starts.1) + self.cost(ends.1, starts.0);
                let saves = now - then;
                if saves > best.map_or(0, |(saved, ..)| saved) && self.swap_fits(a, b, (i, j)) {
                    best = Some((saves, i, j));
                }
            }
        }
        best.map(|(_, i, j)| (i, j))
    }

    /// Each can go from all of their own jobs before the cut to all of the other's behind it.
    fn swap_fits(&self, a: usize, b: usize, (i, j): (usize, usize)) -> bool {
        let follows = |head: &[Leg], end: &[Leg]| {
            head.iter().all(|one| end.iter().all(|other| self.day.way(one.job, other.job).is_some()))
        };
        follows(&self.chains[a][..i], &self.chains[b][j..]) && follows(&self.chains[b][..j], &self.chains[a][i..])
    }
}
