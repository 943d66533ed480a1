//! One suite, run on both engines: what the ports promise holds on SQLite and on PostgreSQL.
#![allow(missing_docs)]
#![cfg(test)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

/// Mounts each test once per engine.
macro_rules! on_both_engines {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $name() {
                super::$name(store::testing::TestDb::sqlite()).await;
            })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $name() {
                super::$name(store::testing::TestDb::postgres()).await;
            })+
        }
    };
}

mod absences;
mod batches;
mod bookings;
mod capacity;
mod checks;
mod crew_photos;
mod crews;
mod desk;
mod feeds;
mod fixtures;
mod identity;
mod jobs;
mod lists;
mod logos;
mod mail_wishes;
mod money;
mod outage;
mod people;
mod periods;
mod photos;
mod presence;
mod private;
mod quote_requests;
mod quotes;
mod schema;
mod settings;
mod sms;
mod tallies;
mod templates;
mod transactions;
mod widened;
