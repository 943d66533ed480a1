//! The tests of the whole program and of the repository, in one program: it is linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

mod architecture;
mod crowd;
mod documents;
mod floors;
mod guards;
mod older;
mod operated;
mod operator;
mod outage;
mod program;
mod provider;
mod quote;
mod rates;
mod restored;
