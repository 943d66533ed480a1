//! The seeded simulation of sessions: everything that gives somebody a right and everything that
//! takes it away, unchanged, in one process and in virtual time, among servers that are killed, a
//! database that is slow, busy or answers nobody, and people who do things twice. The seed decides
//! everything; a failing seed prints itself and replays to the same step.
//! `docs/decisions/0007-seeded-simulation.md` says why it is built so.
//!
//! `PORTAGE_SIM_SCHEDULES` says how many schedules, `PORTAGE_SIM_SEED` where they begin (alone: that
//! one, with its trace), `PORTAGE_SIM_SURVEY` goes on after failures and lists one seed of each kind.
#![allow(clippy::print_stdout)]

mod actors;
mod browser;
mod company;
mod judge;
mod model;
mod outside;
mod protocol;
mod rights;
mod runner;
mod schedule;
mod trace;
mod world;

use runner::{Run, run, run_all};
use store::testing::Inline;
// Numbers and clocks are those of the simulation of money.
use test_kit::{dice, time};

fn number(name: &str) -> Option<u64> {
    let read = |text: String| text.parse().unwrap_or_else(|_| panic!("{name} must be a number, not {text:?}"));
    std::env::var(name).ok().map(read)
}

/// Schedules of one run of all tests. Unoptimised code is ten times as slow: there it is a sample.
const USUAL: u64 = if cfg!(debug_assertions) { 40 } else { 20_000 };

#[test]
fn no_right_outlives_its_session() {
    let (first, count) = match (number("PORTAGE_SIM_SEED"), number("PORTAGE_SIM_SCHEDULES")) {
        (Some(seed), None) => {
            let told = run(seed, &Inline::new(), true);
            println!("{}", told.text);
            println!("{told}");
            assert!(told.violation.is_none(), "{told}");
            return;
        }
        (seed, count) => (seed.unwrap_or(0), count.unwrap_or(USUAL)),
    };
    let summary = run_all(first, count, std::env::var_os("PORTAGE_SIM_SURVEY").is_some());
    println!("{summary}");
    if let Some(Run { seed, .. }) = summary.failed {
        let again = run(seed, &Inline::new(), true);
        println!("{}", again.text);
        panic!("seed {seed} fails: {again}\nPORTAGE_SIM_SEED={seed} shows it again");
    }
}

#[test]
fn a_seed_replays_to_the_same_step() {
    let (one, other) = (Inline::new(), Inline::new());
    for seed in 1_000_000..1_000_010 {
        let (a, b) = (run(seed, &one, false), run(seed, &other, true));
        assert_eq!((a.hash, a.steps, &a.violation), (b.hash, b.steps, &b.violation), "seed {seed}");
    }
}
