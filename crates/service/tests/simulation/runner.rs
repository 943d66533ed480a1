//! Runs schedules: one runtime each, one database a thread, as many threads as cores.

use std::{
    collections::BTreeMap,
    fmt,
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use store::testing::Inline;

use crate::{
    gateway::Figures,
    people,
    schedule::{Deeds, Schedule},
    trace::{Log, Violation},
    world::World,
};

/// How one schedule went.
#[derive(Debug, Clone)]
pub struct Run {
    pub seed: u64,
    pub hash: u64,
    pub steps: u64,
    pub violation: Option<Violation>,
    pub text: String,
    pub figures: Figures,
    pub deeds: Deeds,
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
pub fn run(seed: u64, db: &Arc<Inline>, keep_text: bool) -> Run {
    let fork = db.fork();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    // Handlers of requests stay on their thread, as they do in the real program.
    let local = tokio::task::LocalSet::new();
    let (world, deeds) = runtime.block_on(local.run_until(async {
        let world = World::new(seed, db.clone(), keep_text);
        let _log = keep_text.then(|| tracing::subscriber::set_default(Log(world.clone())));
        let deeds = Schedule::new(world.clone(), seed).run().await;
        (world, deeds)
    }));
    // Every task and every server dies before the database forgets.
    drop(local);
    drop(runtime);
    drop(fork);
    let (hash, steps, text) = world.trace.told();
    Run { seed, hash, steps, violation: world.trace.violation(), text, figures: world.bank.figures(), deeds }
}

/// What many schedules came to.
#[derive(Default)]
pub struct Summary {
    pub schedules: u64,
    pub steps: u64,
    pub took: Duration,
    figures: Figures,
    deeds: Deeds,
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
        write!(
            f,
            "{} schedules, {} steps, {} bookings, {} charges, {} refunds, {} declines, {} refused at settlement, {} kills in {:.1} s",
            self.schedules,
            self.steps,
            self.deeds.bookings,
            self.figures.charges,
            self.figures.refunds,
            self.figures.declines,
            self.figures.unsettled,
            self.deeds.kills,
            self.took.as_secs_f64(),
        )
    }
}

/// A failure without what differs from booking to booking.
fn kind(why: &str) -> String {
    let words = why.split(' ').map(|w| {
        let odd = w.chars().any(|c| c.is_ascii_digit()) || (w.len() == 6 && w.chars().all(|c| c.is_ascii_uppercase()));
        if odd { "…" } else { w }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// How often a long run says how far it is.
const TELL: u64 = 50_000;

/// When a run of many schedules ends before all of them: once `file` is there, and no fewer than `least` were run. Whoever runs
/// other tests meanwhile makes that file when they have ended.
pub struct Enough {
    pub file: PathBuf,
    pub least: u64,
}

impl Enough {
    fn reached(&self, begun: u64) -> bool {
        begun >= self.least && self.file.exists()
    }
}

/// Schedules `first` to `first + count`; ends at the first failure unless it is a survey, or when it is enough.
pub fn run_all(first: u64, count: u64, survey: bool, enough: Option<&Enough>) -> Summary {
    let began = Instant::now();
    let (next, end) = (AtomicU64::new(first), AtomicU64::new(first + count));
    let total = Mutex::new(Summary::default());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let db = people::inhabited();
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= end.load(Ordering::Relaxed) || enough.is_some_and(|e| e.reached(seed - first)) {
                        return;
                    }
                    let told = run(seed, &db, false);
                    if told.violation.is_some() && !survey {
                        // Lower seeds are still finished: the lowest failing one is the answer.
                        end.fetch_min(seed, Ordering::Relaxed);
                    }
                    let mut total = total.lock().unwrap();
                    total.add(told);
                    if total.schedules % TELL == 0 {
                        total.took = began.elapsed();
                        println!("so far: {total}");
                    }
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
        self.deeds.bookings += run.deeds.bookings;
        self.deeds.kills += run.deeds.kills;
        self.figures.charges += run.figures.charges;
        self.figures.refunds += run.figures.refunds;
        self.figures.declines += run.figures.declines;
        self.figures.unsettled += run.figures.unsettled;
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
