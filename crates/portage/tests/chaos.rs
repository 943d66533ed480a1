//! A hostile world: customers who press twice and act from stale tabs, staff who change their minds,
//! a gateway that is slow before it applies, loses, repeats, declines and disputes, servers and
//! workers that are killed, and a clock that races through weeks. When everything has come to rest,
//! the money is right to the cent.
//!
//! Both databases at the same time, for two minutes; `PORTAGE_CHAOS_MINUTES` says for how long
//! (`just chaos 30`), `PORTAGE_CHAOS_SEED` repeats the dice of a run.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs)]

#[path = "chaos/money.rs"]
mod money;
#[path = "chaos/people.rs"]
mod people;
mod support;
#[path = "chaos/verdict.rs"]
mod verdict;
#[path = "chaos/world.rs"]
mod world;

use std::{sync::atomic::Ordering, time::Duration};

use kernel::chrono::{DateTime, Utc};
use store::testing::TestDb;
use support::server::Site;
use world::World;

const START: &str = "2027-02-01T13:00:00Z";

fn seed() -> u64 {
    let told = std::env::var("PORTAGE_CHAOS_SEED").ok().and_then(|s| s.parse().ok());
    let seed = told.unwrap_or_else(|| {
        let mut bytes = [0; 8];
        getrandom::fill(&mut bytes).expect("randomness");
        u64::from_le_bytes(bytes) >> 1
    });
    println!("PORTAGE_CHAOS_SEED={seed}");
    seed
}

fn time() -> Duration {
    let minutes = std::env::var("PORTAGE_CHAOS_MINUTES").ok().and_then(|m| m.parse::<f64>().ok());
    Duration::from_secs_f64(minutes.unwrap_or(2.0) * 60.0)
}

async fn live_through(name: &'static str, site: Site, servers: usize) {
    let now: DateTime<Utc> = START.parse().unwrap();
    let world = World::start(name, seed(), site, now, servers).await;
    people::store_card(&world).await;
    let mut tasks = tokio::task::JoinSet::new();
    tasks.spawn(world::race(world.clone()));
    tasks.spawn(world::kills(world.clone()));
    tasks.spawn(world::moods(world.clone()));
    for salt in 10..13 {
        tasks.spawn(people::customer(world.clone(), salt));
    }
    for salt in 20..22 {
        tasks.spawn(people::staff(world.clone(), salt));
    }
    tokio::time::sleep(time()).await;
    world.running.store(false, Ordering::SeqCst);
    tasks.join_all().await;
    verdict::rest(&world).await;
    verdict::judge(&world).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn money_is_right_after_chaos_on_sqlite() {
    live_through("sqlite", Site::new(START), 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn money_is_right_after_chaos_on_postgres() {
    let db = TestDb::postgres();
    live_through("postgres", Site::new(START).on_database(db.url().to_owned()), 2).await;
}
