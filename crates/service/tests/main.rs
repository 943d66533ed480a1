//! The tests of the use cases, in one program: one program is linked once, and its tests share a PostgreSQL server.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

/// The allocator of the program itself: faster than the system's, and tests allocate all the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Tests that take a database, on SQLite and on PostgreSQL.
macro_rules! on_both_engines {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $name() { super::$name(store::testing::TestDb::sqlite()).await; })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $name() { super::$name(store::testing::TestDb::postgres()).await; })+
        }
    };
}

/// The same of tests that take the world their file makes of a database.
macro_rules! in_both_worlds {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $name() { super::$name(super::world(store::testing::TestDb::sqlite()).await).await; })+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $name() { super::$name(super::world(store::testing::TestDb::postgres()).await).await; })+
        }
    };
}

mod support;

mod absences;
mod alarms;
mod appointments;
mod assigned_day;
mod batch_invoices;
mod booking;
mod books;
mod calendar;
mod changed_by_hand;
mod commercial;
mod consents;
mod contention;
mod contract;
mod credits;
mod crew_notes;
mod crews;
mod declined;
mod deleted;
mod desk_faults;
mod discounts;
mod dispatch;
mod disputes;
mod edges;
mod failed;
mod faults;
mod feeds;
mod given_outside;
mod hand_back;
mod holds;
mod hostile;
mod invoice_rules;
mod invoices;
mod lanes;
mod mates_jobs;
mod money_desk;
mod money_told;
mod months;
mod overtime;
mod overtime_by_link;
mod paid_by_hand;
mod papers;
mod planted;
mod policy_words;
mod previewed_mails;
mod previews;
mod put_right;
mod quote_requests;
mod rates;
mod received;
mod reconcile;
mod refunds_not_taken;
mod refused_refunds;
mod repaired;
mod saved_quotes;
mod scale;
mod settings;
mod settlement;
mod sick_call;
mod simulated;
mod statement;
mod text_messages;
mod timelines;
mod told;
mod tx;
mod who_gets_what;
