//! The tests of the use cases, in one program: one program is linked once, and its tests share a PostgreSQL server.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

mod absences;
mod booking;
mod calendar;
mod contention;
mod crews;
mod declined;
mod edges;
mod faults;
mod holds;
mod hostile;
mod lanes;
mod paid_by_hand;
mod papers;
mod planted;
mod rates;
mod reconcile;
mod settings;
mod settlement;
mod simulated;
mod timelines;
mod told;
mod tx;
