//! Bookings: made, looked at, changed, cancelled.

pub mod cancel;
pub mod ceiling;
pub mod checkout;
pub mod create;
pub mod draft;
pub mod edit;
pub mod edit_checkout;
pub mod history;
pub mod quote;
pub mod queries;
mod replay;
pub mod status;

pub use create::{Created, create};
pub use draft::{Draft, TipInput};
