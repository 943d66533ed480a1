//! The repositories, written once and compiled once per engine: `super` is the engine, with its
//! `Conn` and its `dialect` (the few statements each says in its own way).

mod absences;
mod accounts;
mod astray;
mod audits;
mod bookings;
mod books;
mod buckets;
mod calendars;
mod capacities;
mod cards;
mod checkouts;
mod comparisons;
mod copies;
mod crew_photos;
mod crews;
mod directory;
mod discounts;
mod dispatches;
mod disputes;
mod facts;
mod failed;
mod feeds;
mod files;
mod grants;
mod history;
mod holds;
mod idempotency;
mod installation;
mod invoices;
mod jobs;
mod ledger;
mod lists;
mod logos;
mod mail_wishes;
mod members;
mod messages;
mod money_leases;
mod notes;
mod payments;
mod periods;
mod photos;
mod profiles;
mod quote_requests;
mod quotes;
mod rates;
mod sessions;
mod settings;
mod sign_in;
mod sms;
mod strays;
mod tallies;
mod templates;
mod tips;
mod views;
mod words;

use service::ports::Unit;

pub use self::{buckets::Span, words::refill};
use super::Conn;

/// Every repository trait is implemented on this one value: a connection inside a transaction.
pub struct Repos<'c> {
    pub(super) conn: &'c mut Conn,
    /// A write unit: rows that will be changed are locked when they are read.
    pub(super) writes: bool,
}

macro_rules! unit {
    ($($area:literal { $($accessor:ident: $repository:ident in $port:ident,)+ })+) => {
        impl Unit for Repos<'_> {
            $($(fn $accessor(&mut self) -> &mut dyn service::ports::$port::$repository {
                self
            })+)+
        }
    };
}

service::repositories!(unit);
