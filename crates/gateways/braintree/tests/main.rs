//! The tests of the gateway and its simulator, in one program: it is linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

mod answers;
mod disputes;
mod gateway;
mod hostile;
mod killed;
mod schema;
mod simulator;
