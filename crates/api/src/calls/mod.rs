//! The calls, one noun a file. A handler reads: extract, convert, call the service, answer.

pub mod availability;
pub mod bookings;
pub mod books;
pub mod card_link;
pub mod catalogues;
pub mod consent;
pub mod desk;
pub mod discounts;
pub mod dispatch;
pub mod estimates;
mod examples;
pub mod feeds;
pub mod furniture;
pub mod geo;
pub mod holds;
pub mod identity;
pub mod invoices;
mod links;
pub mod logos;
pub mod messages;
pub mod moves;
pub mod pay;
pub mod payments;
pub mod photos;
mod policy_figures;
pub mod prices;
pub mod profiles;
pub mod provider_identity;
pub mod quote_requests;
pub mod quotes;
pub mod rates;
pub mod replies;
pub mod settings;
mod spreadsheet;
pub mod system;
pub mod templates;
pub mod texts;
pub mod texts_by_hand;
pub mod tips;
pub mod unsubscribe;
pub mod values;
pub mod warnings;
pub mod webhooks;

use crate::endpoint::Route;

/// All of them.
pub fn routes() -> Vec<Route> {
    [
        estimates::routes(),
        prices::routes(),
        quotes::routes(),
        quote_requests::routes(),
        discounts::routes(),
        rates::routes(),
        furniture::routes(),
        availability::routes(),
        holds::routes(),
        geo::routes(),
        payments::routes(),
        pay::routes(),
        card_link::routes(),
        consent::routes(),
        desk::lists(),
        bookings::routes(),
        logos::routes(),
        photos::routes(),
        invoices::routes(),
        desk::of_bookings(),
        feeds::routes(),
        dispatch::routes(),
        desk::house(),
        books::routes(),
        catalogues::routes(),
        tips::routes(),
        templates::routes(),
        messages::routes(),
        texts_by_hand::routes(),
        unsubscribe::routes(),
        profiles::routes(),
        provider_identity::routes(),
        settings::routes(),
        identity::routes(),
        system::routes(),
        webhooks::routes(),
        texts::routes(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
