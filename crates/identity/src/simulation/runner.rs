//! Runs schedules: one runtime each, one database a thread, as many threads as cores.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use store::testing::Inline;

use super::{
    schedule::{Figures, Schedule},
    trace::Violation,
    world::World,
};

/// How one schedule went.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub seed: u64,
    pub hash: u64,
    pub steps: u64,
    pub violation: Option<Violation>,
    pub text: String,
    figures: Figures,
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.violation {
            None => write!(f, "seed {}: {} steps, hash {:016x}", self.seed, self.steps, self.hash),
            Some(v) => write!(f, "seed {}, step {}: {}", self.seed, v.step, v.why),
        }
    }
}

/// One schedule on a database that is as it was afterwards.
pub(super) fn run(seed: u64, db: &Arc<Inline>, keep_text: bool) -> Run {
    let fork = db.fork();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    let local = tokio::task::LocalSet::new();
    let (world, figures) = runtime.block_on(local.run_until(async {
        let world = World::new(seed, db.clone(), keep_text);
        let figures = Schedule::new(world.clone(), seed).run().await;
        (world, figures)
    }));
    // Every task and every server dies before the database forgets.
    drop(local);
    drop(runtime);
    drop(fork);
    let (hash, steps, text) = world.trace.snapshot();
    Run { seed, hash, steps, violation: world.trace.violation(), text, figures }
}

/// What many schedules came to.
#[derive(Default)]
pub(super) struct Summary {
    schedules: u64,
    steps: u64,
    took: Duration,
    figures: Figures,
    /// The failing seed with the lowest number.
    pub failed: Option<Run>,
    /// One seed of each kind of failure, and how many fail so.
    kinds: BTreeMap<String, (u64, u64, u64)>,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (kind, (seed, step, count)) in &self.kinds {
            writeln!(f, "{count:7} × seed {seed:6} step {step:5}: {kind}")?;
        }
        let Figures { sessions, tokens, links, passwords, strangers, kills } = self.figures;
        write!(
            f,
            "{} schedules, {} steps, {sessions} sessions, {tokens} codes and tokens, {links} links, \
             {passwords} passwords, {strangers} with accounts of both, {kills} kills in {:.1} s",
            self.schedules,
            self.steps,
            self.took.as_secs_f64(),
        )
    }
}

/// A failure without what differs from schedule to schedule.
fn kind(why: &str) -> String {
    let words = why.split(' ').map(|w| if w.chars().any(|c| c.is_ascii_digit()) { "…" } else { w });
    words.collect::<Vec<_>>().join(" ")
}

/// Schedules `first` to `first + count`; ends at the first failure unless it is a survey.
pub(super) fn run_all(first: u64, count: u64, survey: bool) -> Summary {
    let began = Instant::now();
    let (next, end) = (AtomicU64::new(first), AtomicU64::new(first + count));
    let total = Mutex::new(Summary::default());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let db = Inline::new();
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= end.load(Ordering::Relaxed) {
                        return;
                    }
                    let told = run(seed, &db, false);
                    if told.violation.is_some() && !survey {
                        // Lower seeds are still finished: the lowest failing one is the answer.
                        end.fetch_min(seed, Ordering::Relaxed);
                    }
                    total.lock().unwrap().add(told);
                }
            });
        }
    });
    let mut total = total.into_inner().unwrap();
    total.took = began.elapsed();
    total
}

impl Summary {
    fn add(&mut self, run: Run) {
        self.schedules += 1;
        self.steps += run.steps;
        self.figures.sessions += run.figures.sessions;
        self.figures.tokens += run.figures.tokens;
        self.figures.links += run.figures.links;
        self.figures.passwords += run.figures.passwords;
        self.figures.strangers += run.figures.strangers;
        self.figures.kills += run.figures.kills;
        if let Some(v) = &run.violation {
            let known = self.kinds.entry(kind(&v.why)).or_insert((run.seed, v.step, 0));
            known.2 += 1;
            if run.seed < known.0 {
                (known.0, known.1) = (run.seed, v.step);
            }
            if self.failed.as_ref().is_none_or(|f| run.seed < f.seed) {
                self.failed = Some(run);
            }
        }
    }
}
