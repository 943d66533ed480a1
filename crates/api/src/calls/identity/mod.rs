//! The embedded identity provider over HTTP.

mod accounts;
mod forms;
mod protocol;
mod shared;

use crate::endpoint::Route;

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    let mut all = protocol::routes();
    all.extend(accounts::routes());
    all
}
