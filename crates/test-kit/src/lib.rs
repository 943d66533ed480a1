//! What tests of several crates need: numbers and clocks of the seeded simulations, a rate card without surprises, calls
//! over HTTP, and the payment timelines of `fixtures/policy-examples.json` as people live through them. It panics where a
//! test should fail. No program depends on it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    reason = "only tests call it: what goes wrong here has to fail them"
)]
#![allow(async_fn_in_trait, reason = "a test awaits what its own thread does")]

pub mod answer;
pub mod bodies;
pub mod dice;
pub mod flat;
pub mod time;
pub mod timelines;
