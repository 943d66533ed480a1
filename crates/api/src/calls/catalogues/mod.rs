//! What a company sets itself up with: its settings and first steps, discount codes, rate cards, its calendar, and whom and
//! what else staff keep lists of.

mod absences;
mod calendar;
mod common;
mod csv;
mod discounts;
mod first_steps;
mod mates;
mod partners;
mod rates;
mod settings;
mod trucks;

use crate::endpoint::Route;

/// Their part of the table.
pub fn routes() -> Vec<Route> {
    [
        discounts::routes(),
        mates::routes(),
        partners::routes(),
        trucks::routes(),
        rates::routes(),
        calendar::routes(),
        absences::routes(),
        settings::routes(),
        first_steps::routes(),
        csv::routes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
