//! Bookings: made, looked at, changed, cancelled.

pub mod cancel;
pub mod ceiling;
pub mod checkout;
pub mod create;
pub mod crew;
pub mod draft;
pub mod edit;
pub mod edit_checkout;
pub mod history;
pub mod queries;
pub mod quote;
pub mod recovery;
mod replay;
mod rewrite;
mod same;
pub mod status;

pub use create::{Created, create};
pub use draft::{Draft, TipInput};
