//! Invoices and credit notes: drafted from a booking, numbered and frozen, sent, paid, taken back.
//!
//! An invoice moves no money and earns nothing: a move earns its price when it is done, a cancellation what it keeps. An
//! invoice says so on paper, with a number of a sequence without gaps.

pub mod batch;
pub mod batch_paper;
pub mod batch_payment;
pub mod batch_steps;
pub mod contract;
pub(crate) mod days;
pub mod desk;
pub mod follow;
pub mod issue;
pub mod list;
pub mod paper;
pub(crate) mod pay;
pub mod record;
pub mod sheet;
mod told;
pub mod whose;
