//! What a company sets itself up with: discount codes, rate cards, and whom and what else staff keep lists of.

mod common;
mod csv;
mod discounts;
mod mates;
mod partners;
mod rates;
mod trucks;

use crate::endpoint::Route;

/// Their part of the table.
pub fn routes() -> Vec<Route> {
    [discounts::routes(), mates::routes(), partners::routes(), trucks::routes(), rates::routes(), csv::routes()]
        .into_iter()
        .flatten()
        .collect()
}
