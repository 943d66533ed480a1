//! Chains for those who are alike, all at once: a transportation problem.
//!
//! A job with places for two is reached by two and left by two. A carrier that is free all day starts at the hub, one
//! with a job starts where that job ends. From a job a carrier goes to a later job or home.

use super::{
    fleet::{Fleet, Leg},
    transport::{Transport, matched},
};

/// Weight of a minute of driving; a minute of waiting decides between ways that are equally long.
const DRIVING: i64 = 1_000;

/// A job, and how many carriers of a group it still needs.
pub(super) type OpenPlaces = (usize, usize);

/// Where a chain begins, and whose it is.
enum Start {
    /// At the hub; this many carriers.
    Hub(u16),
    /// Where a job ends that a carrier has already.
    Behind { carrier: usize, job: usize },
}

impl Fleet<'_> {
    /// Fills the places of a group, job by job, each wholly or not at all, with as little driving as possible. Answers
    /// what is left. Gaps before jobs that a carrier has already are not used: see [`Fleet::fill_gaps`].
    pub fn pool(
        &mut self,
        group: usize,
        wanted: &[OpenPlaces],
        like: &dyn Fn(usize, &[usize]) -> i64,
    ) -> Vec<OpenPlaces> {
        let day = self.day;
        let rested = |c: &usize| wanted.iter().all(|(job, _)| self.rested(*c, *job));
        let (free, busy): (Vec<usize>, Vec<usize>) =
            self.members(group).into_iter().filter(rested).partition(|c| self.chains[*c].is_empty());
        let mut starts = Vec::new();
        if let Ok(many @ 1..) = u16::try_from(free.len()) {
            starts.push(Start::Hub(many));
        }
        for carrier in busy {
            if let Some(leg) = self.chains[carrier].last() {
                starts.push(Start::Behind { carrier, job: leg.job });
            }
        }
        let many = starts.len();
        let wait = |first: usize, second: usize| {
            (day.jobs[second].from - day.jobs[first].until).num_minutes().clamp(0, DRIVING - 1)
        };
        let go = |first: usize, second: usize| day.way(first, second).map(|way| way * DRIVING + wait(first, second));
        // Column 0 is home; the others, and the rows behind the starts, are the jobs.
        let mut t = Transport::new(many + wanted.len(), wanted.len() + 1, |row, column| {
            let to = column.checked_sub(1).map(|n| wanted[n].0);
            match (starts.get(row), to) {
                (Some(Start::Hub(_)), None) => Some(0),
                (Some(Start::Hub(_)), Some(to)) => Some(i64::from(day.out[to]) * DRIVING),
                (Some(Start::Behind { job, .. }), None) => Some(i64::from(day.back[*job]) * DRIVING),
                (Some(Start::Behind { carrier, job }), Some(to)) => {
                    self.fits(*carrier, to).then(|| go(*job, to)).flatten()
                }
                (None, None) => Some(i64::from(day.back[wanted[row - many].0]) * DRIVING),
                (None, Some(to)) => go(wanted[row - many].0, to),
            }
        });
        t.add_column(0);
        for (row, start) in starts.iter().enumerate() {
            t.add_row(row);
            t.begin(row, 0, if let Start::Hub(many) = start { *many } else { 1 });
        }
        let mut left = Vec::new();
        for (n, (job, places)) in wanted.iter().enumerate() {
            let before = (*places > 1).then(|| t.clone());
            t.add_column(n + 1);
            t.add_row(many + n);
            if (0..*places).all(|_| t.augment(many + n, n + 1)) {
                continue;
            }
            match before {
                Some(before) => t = before,
                None => t.drop_last(),
            }
            left.push((*job, *places));
        }
        let mut paths = Vec::new();
        let mut unsent = t;
        for (row, start) in starts.iter().enumerate() {
            match start {
                Start::Hub(free) => {
                    let walks = (0..*free).map(|_| walk(&mut unsent, row, many));
                    paths.extend(walks.filter(|path| !path.is_empty()));
                }
                Start::Behind { carrier, .. } => {
                    let legs = walk(&mut unsent, row, many).into_iter();
                    self.chains[*carrier].extend(legs.map(|n| Leg { job: wanted[n].0, group: Some(group) }));
                }
            }
        }
        let paths: Vec<Vec<usize>> =
            paths.into_iter().map(|path| path.into_iter().map(|n| wanted[n].0).collect()).collect();
        // Any of them can have any path: who is better for it has it.
        let names = matched(paths.len(), free.len(), |path, who| like(free[who], &paths[path]));
        for (path, who) in paths.into_iter().zip(names) {
            self.chains[free[who]] = path.into_iter().map(|job| Leg { job, group: Some(group) }).collect();
        }
        left
    }

    /// Fills carriers' gaps between the hub and a job, or between two jobs: each with as many of the wanted as fit, then
    /// with the least driving. Answers what is left.
    pub fn fill_gaps(&mut self, group: usize, wanted: &[OpenPlaces]) -> Vec<OpenPlaces> {
        let mut wanted = wanted.to_vec();
        wanted.sort_by_key(|(job, _)| (self.day.jobs[*job].from, *job));
        for carrier in self.members(group) {
            let stops: Vec<usize> = self.chains[carrier].iter().map(|leg| leg.job).collect();
            let mut before = None;
            for after in stops {
                for n in self.gap(carrier, (before, after), &wanted) {
                    wanted[n].1 -= 1;
                    self.put(carrier, wanted[n].0, group);
                }
                before = Some(after);
            }
        }
        wanted.retain(|(_, places)| *places > 0);
        wanted
    }

    /// The most jobs for a gap, by their places among the wanted: the longest path, by start.
    fn gap(&self, carrier: usize, (before, after): (Option<usize>, usize), wanted: &[OpenPlaces]) -> Vec<usize> {
        let day = self.day;
        let inside =
            |job: usize| day.way(job, after).is_some() && before.is_none_or(|first| day.way(first, job).is_some());
        let fitting = |n: &usize| wanted[*n].1 > 0 && inside(wanted[*n].0) && self.fits(carrier, wanted[*n].0);
        let open: Vec<usize> = (0..wanted.len()).filter(fitting).collect();
        // By job: how many up to it, less driving, and the one before.
        let mut best: Vec<(i64, i64, Option<usize>)> = Vec::new();
        for (at, n) in open.iter().enumerate() {
            let job = wanted[*n].0;
            let mut here = (1, -self.leg(before, Some(job)), None);
            for (earlier, m) in open[..at].iter().enumerate() {
                let Some(way) = day.way(wanted[*m].0, job) else { continue };
                let (count, saved, _) = best[earlier];
                if (count + 1, saved - way) > (here.0, here.1) {
                    here = (count + 1, saved - way, Some(earlier));
                }
            }
            best.push(here);
        }
        let ends = (0..best.len()).max_by_key(|at| {
            let (count, saved, _) = best[*at];
            (count, saved - self.leg(Some(wanted[open[*at]].0), Some(after)))
        });
        let mut path = Vec::new();
        let mut at = ends;
        while let Some(here) = at {
            path.push(open[here]);
            at = best[here].2;
        }
        path
    }
}

/// Follows one unit from a row home, and takes it out; the jobs on its way by their places among the wanted.
fn walk(t: &mut Transport, start: usize, many: usize) -> Vec<usize> {
    let (mut path, mut row) = (Vec::new(), start);
    while let Some(column) = t.take(row) {
        let Some(n) = column.checked_sub(1) else { break };
        path.push(n);
        row = many + n;
    }
    path
}
