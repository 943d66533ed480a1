//! Catalogues as files for spreadsheets, both ways: a company that comes from another tool brings what it has.

mod accepted;
mod amounts;
mod calls;
mod discounts;
mod lists;
mod mates;
mod partners;
mod rates;
mod read;
mod sheet;
mod trucks;

use crate::endpoint::Route;

/// Their part of the table.
pub(super) fn routes() -> Vec<Route> {
    [discounts::routes(), mates::routes(), partners::routes(), trucks::routes(), rates::routes()]
        .into_iter()
        .flatten()
        .collect()
}
