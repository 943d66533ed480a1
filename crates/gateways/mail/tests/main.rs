//! The tests of mails and their delivery, in one program: it is linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

mod files;
mod smtp;
mod templates;
