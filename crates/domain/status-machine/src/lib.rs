//! The states of Portage's records and the steps between them.
//!
//! Each machine is a table of rules: from, to, who, what must be true, what follows. Deciding a
//! step is pure: the caller loads the facts, asks, writes the status and its history row, and
//! enqueues the effects, all in one transaction. A step that is not in the table is refused with
//! the steps that are possible; asking for the present state changes nothing.
//!
//! A row holds its state as an [`At`], which only a step of its table changes.
//!
//! States have no order on purpose (no `Ord`, no numbers): compare by name or match.
#![warn(missing_docs)]

mod at;
#[macro_use]
mod codes;
pub mod booking;
pub mod hold;
pub mod invoice;
mod message_kind;
pub mod payment;
pub mod records;
mod role;
mod step;
pub mod task;

pub use at::At;
pub use codes::UnknownCode;
pub use message_kind::MessageKind;
pub use role::Role;
pub use step::{Outcome, Reason, Refused, Rule};
