//! Money: which charges a booking still needs, making each at most once, and the ledger.
//!
//! One job a booking (`bill_booking`) reconciles what should be with what is. It is idempotent:
//! whoever changes a booking calls [`settle::settle`] in the same transaction, which rewrites
//! the scheduled rows from the policy and moves the job; the job then charges what is due. A
//! charge is: intent with a unique order id → gateway, outside any transaction → result. An
//! unknown result is looked up by that order id before anything is sent again.

pub mod charge;
pub mod facts;
pub mod ledger;
mod outcome;
pub mod reconcile;
pub mod rows;
pub mod settle;
