//! The seeded simulation: the use cases that move money and capacity, unchanged, in one
//! process and in virtual time, among slow and failing outside services, servers that are killed,
//! and people who do things twice. The seed decides everything; a failing seed prints itself and
//! replays to the same step. `docs/decisions/0007-seeded-simulation.md` says why it is built so.
//!
//! `PORTAGE_SIM_SCHEDULES` says how many schedules, `PORTAGE_SIM_SEED` where they begin (alone: that
//! one, with its trace), `PORTAGE_SIM_SURVEY` goes on after failures and lists one seed of each kind. Once the file that
//! `PORTAGE_SIM_STOP` names is there, no schedule begins any more after the first `PORTAGE_SIM_LEAST`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs)]

mod acks;
mod actors;
mod desk;
mod disputes;
mod facts;
mod gateway;
mod judge;
mod outside;
mod people;
mod runner;
mod schedule;
mod trace;
mod wishes;
mod world;

use test_kit::{dice, time};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

use runner::{Enough, Run, run, run_all};

fn number(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|text| text.parse().unwrap_or_else(|_| panic!("{name} must be a number, not {text:?}")))
}

/// Schedules of one run of all tests. Unoptimised code is ten times as slow: there it is a sample.
const USUAL: u64 = if cfg!(debug_assertions) { 100 } else { 20_000 };

#[test]
fn every_schedule_holds() {
    let (first, count) = match (number("PORTAGE_SIM_SEED"), number("PORTAGE_SIM_SCHEDULES")) {
        (Some(seed), None) => {
            let told = run(seed, &people::inhabited(), true);
            println!("{}", told.text);
            println!("{told}");
            assert!(told.violation.is_none(), "{told}");
            return;
        }
        (seed, count) => (seed.unwrap_or(0), count.unwrap_or(USUAL)),
    };
    let file = std::env::var_os("PORTAGE_SIM_STOP").map(std::path::PathBuf::from);
    let enough = file.map(|file| Enough { file, least: number("PORTAGE_SIM_LEAST").unwrap_or(count) });
    let summary = run_all(first, count, std::env::var_os("PORTAGE_SIM_SURVEY").is_some(), enough.as_ref());
    println!("{summary}");
    if let Some(Run { seed, .. }) = summary.failed {
        let again = run(seed, &people::inhabited(), true);
        println!("{}", again.text);
        panic!("seed {seed} fails: {again}\nPORTAGE_SIM_SEED={seed} shows it again");
    }
}

#[test]
fn a_seed_replays_to_the_same_step() {
    let (one, other) = (people::inhabited(), people::inhabited());
    for seed in 1_000_000..1_000_060 {
        let (a, b) = (run(seed, &one, false), run(seed, &other, true));
        assert_eq!((a.hash, a.steps, &a.violation), (b.hash, b.steps, &b.violation), "seed {seed}");
    }
}
