//! Text messages by Twilio: the client behind [`service::ports::sms::Texter`], the check of what the service signs, and a simulator that
//! speaks the same protocol.
//!
//! - [`Twilio`] is what production and demo mode both run; demo mode points it at the [`simulator::Simulator`] over loopback HTTP.
//! - To send is not idempotent there: an answer that got lost is reported as unknown and looked up by its recipient and its words.
//!   Nothing here sends twice by itself.
//!
//! Sources: `twilio/twilio-oai` (`twilio_api_v2010.json`), `twilio/twilio-python` (`request_validator.py`), and the pages on error codes
//! and on tracking messages of Twilio's documentation.
#![warn(missing_docs)]

mod client;
mod config;
mod errors;
mod signature;
pub mod simulator;
mod wire;

pub use client::Twilio;
pub use config::{Config, Timeouts};
pub use errors::reason;
pub use signature::{is_signed, sign};
