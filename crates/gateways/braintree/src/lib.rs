//! Braintree's card gateway: the client behind [`service::ports::payments::PaymentGateway`], the
//! verification of its webhooks, and a simulator that speaks the same GraphQL protocol.
//!
//! - [`BraintreeGateway`] is what production, sandbox and demo mode all run; demo mode points it at
//!   the [`simulator::Simulator`] over loopback HTTP.
//! - Every operation document lives in `operations/` and is validated against `schema/` by a test,
//!   and by the simulator each time it is sent.
//! - Nothing here schedules, retries or books: an unknown outcome is reported as such
//!   ([`GatewayError::Unknown`](service::ports::payments::GatewayError)) and looked up by order id.
#![warn(missing_docs)]

mod client;
mod config;
mod decline;
mod mapping;
mod notice;
pub mod operations;
mod refunds;
pub mod simulator;
mod transport;
pub mod webhook;
mod wire;

pub use client::BraintreeGateway;
pub use config::{Config, Environment, PINNED_VERSION, Timeouts};
