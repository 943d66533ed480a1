//! The use cases of Portage, one folder a noun, and the ports they need.
//!
//! A use case reads: authorise, load, decide (call a pure crate), write, enqueue. It writes through
//! a [`Tx`], which [`Services::write`] makes: transaction, actor and instant in one. Decisions are
//! pure functions beside it; orchestration is tested on a real SQLite file.

pub mod accounts;
pub mod availability;
pub mod billing;
pub mod bookings;
pub mod calendar;
mod caller;
pub mod capacity;
pub mod clocks;
mod context;
pub mod crews;
pub mod desk;
pub mod discounts;
pub mod dispatch;
mod error;
pub mod estimates;
pub mod feeds;
pub mod formats;
pub mod geo;
pub mod holds;
pub mod idempotency;
pub mod imports;
pub mod invoices;
pub mod jobs;
mod limit;
pub mod mailing;
pub mod mates;
pub mod members;
mod mode;
pub mod moves;
pub mod outbox;
pub mod partners;
pub mod payments;
pub mod photos;

pub mod ports;
pub mod profiles;
pub mod quote_requests;
pub mod rates;
pub mod room;
pub mod secret;
pub mod settings;
pub mod sms;
pub mod templates;
pub mod terms;
pub mod texts;
pub mod tips;
pub mod trucks;
mod tx;
pub mod unsubscribe;
pub mod work;

pub use caller::{Actor, Caller, Role, Staff};
pub use context::Services;
pub use error::{Alternative, Error, ErrorCode, FieldError, FieldProblem, Params, ServiceResult};
pub use limit::Limit;
pub use mode::Mode;
pub use settings::{cache::Defaults, company::Company};
pub use tx::Tx;
