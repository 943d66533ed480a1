//! Bookings: made, looked at, changed, cancelled.

mod before;
pub mod cancel;
pub mod cancellation;
pub mod ceiling;
mod change;
mod checkout;
pub mod confirmation;
pub mod create;
pub mod crew;
pub mod draft;
pub mod edit;
mod edit_checkout;
pub mod effects;
mod extras;
mod finish;
pub mod history;
mod links;
mod made;
pub(crate) mod overtime;
mod paid_booking;
mod paid_edit;
mod paid_link;
pub mod pay_link;
pub mod queries;
pub mod quote;
pub mod recovery;
mod replay;
mod rewrite;
mod same;
pub mod statement;
pub mod status;
pub(crate) mod trail;
pub(crate) mod transition;

pub use create::{Created, create, create_for};
pub use draft::{Draft, TipInput};
pub(crate) use rewrite::job;
