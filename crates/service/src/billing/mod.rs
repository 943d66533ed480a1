//! Money: which charges a booking still needs, making each at most once, and the ledger.
//!
//! One job a booking (`bill_booking`) reconciles what should be with what is. It is idempotent:
//! whoever changes a booking calls [`settle::settle`] in the same transaction, which rewrites
//! the scheduled rows from the policy and moves the job; the job then charges what is due. A
//! charge is: intent with a unique order id → gateway, outside any transaction → result.
//!
//! Whoever sends anything holds the booking's [`lease`]. An order id is sent once, ever: an unknown
//! result is looked up until it is known, or until it is certain that nothing can arrive any more;
//! then it counts as lost, another attempt has another order id, and [`late`] keeps watching. A captured
//! charge may still be refused when it settles: [`settlement`].

pub(crate) mod anew;
pub mod apart;
pub mod at_once;
pub mod audit;
pub mod balanced;
pub mod by_hand;
pub(crate) mod by_trail;
pub mod charge;
pub mod compare;
pub mod dates;
pub mod difference;
mod difference_words;
mod dispute_records;
pub(crate) mod disputes;
mod doubts;
pub mod facts;
pub(crate) mod given_up;
pub mod hand_back;
pub(crate) mod history;
pub(crate) mod judge;
pub(crate) mod known;
pub mod late;
pub mod lease;
pub mod ledger;
pub mod looks;
mod lost;
pub mod mend;
mod misnamed;
pub mod misread;
pub(crate) mod order_id;
pub(crate) mod orders;
pub(crate) mod outcome;
pub(crate) mod outside;
pub(crate) mod put_right;
pub mod reconcile;
pub(crate) mod refund_settlement;
pub mod remedy;
pub mod repair;
pub mod returns;
pub mod rows;
mod set_back;
mod set_off;
pub mod settle;
pub mod settlement;
pub mod tips;
pub(crate) mod trail;
pub(crate) mod trouble;
pub(crate) mod upfront;
pub(crate) mod write_offs;
mod write_row;
