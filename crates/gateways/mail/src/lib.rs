//! E-mail: an SMTP relay in production, `.eml` files and a mailbox to read them in demo mode.
//!
//! Both build the same message, byte for byte what a relay would get, so the demo shows what
//! customers would receive. A message's id is the caller's and the same for every attempt: people
//! and relays recognise a re-send, and the file mailer overwrites instead of duplicating.
#![warn(missing_docs)]

mod classify;
mod conversation;
mod file;
pub mod mailbox;
mod message;
mod sender;
mod smtp;

pub use file::FileMailer;
pub use sender::{Now, Sender};
pub use smtp::{SmtpMailer, goes_elsewhere_in_plain_text};
