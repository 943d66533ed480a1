//! The repositories, written once and compiled once per engine: `super` is the engine, with its
//! `Conn` and its `dialect` (the few statements each says in its own way).

mod accounts;
mod audits;
mod bookings;
mod buckets;
mod calendars;
mod capacities;
mod cards;
mod checkouts;
mod crews;
mod directory;
mod discounts;
mod facts;
mod grants;
mod holds;
mod idempotency;
mod installation;
mod jobs;
mod ledger;
mod lists;
mod members;
mod messages;
mod money_leases;
mod payments;
mod profiles;
mod rates;
mod sessions;
mod sign_in;
mod strays;
mod tallies;
mod tips;

use service::ports::{
    Unit,
    audit::Audits,
    bookings::Bookings,
    calendar::Calendars,
    capacity::Capacities,
    cards::Cards,
    crews::Crews,
    directory::Directory,
    discounts::Discounts,
    idempotency::Idempotency,
    identity::{Accounts, Grants, MachineClients, OneTimeTokens, Sessions, SignInThrottles},
    installation::Installations,
    jobs::Jobs,
    leases::MoneyLeases,
    ledger::Ledgers,
    members::Members,
    messages::Messages,
    payments::Payments,
    profiles::Profiles,
    rates::Rates,
    strays::Strays,
    tallies::Tallies,
    tips::Tips,
};

pub use self::buckets::Span;
use super::Conn;

/// Every repository trait is implemented on this one value: a connection inside a transaction.
pub struct Repos<'c> {
    pub(super) conn: &'c mut Conn,
    /// A write unit: rows that will be changed are locked when they are read.
    pub(super) writes: bool,
}

impl Unit for Repos<'_> {
    fn accounts(&mut self) -> &mut dyn Accounts {
        self
    }
    fn audits(&mut self) -> &mut dyn Audits {
        self
    }
    fn bookings(&mut self) -> &mut dyn Bookings {
        self
    }
    fn calendars(&mut self) -> &mut dyn Calendars {
        self
    }
    fn capacities(&mut self) -> &mut dyn Capacities {
        self
    }
    fn cards(&mut self) -> &mut dyn Cards {
        self
    }
    fn crews(&mut self) -> &mut dyn Crews {
        self
    }
    fn directory(&mut self) -> &mut dyn Directory {
        self
    }
    fn discounts(&mut self) -> &mut dyn Discounts {
        self
    }
    fn grants(&mut self) -> &mut dyn Grants {
        self
    }
    fn idempotency(&mut self) -> &mut dyn Idempotency {
        self
    }
    fn installation(&mut self) -> &mut dyn Installations {
        self
    }
    fn jobs(&mut self) -> &mut dyn Jobs {
        self
    }
    fn ledger(&mut self) -> &mut dyn Ledgers {
        self
    }
    fn machine_clients(&mut self) -> &mut dyn MachineClients {
        self
    }
    fn members(&mut self) -> &mut dyn Members {
        self
    }
    fn messages(&mut self) -> &mut dyn Messages {
        self
    }
    fn money_leases(&mut self) -> &mut dyn MoneyLeases {
        self
    }
    fn one_time_tokens(&mut self) -> &mut dyn OneTimeTokens {
        self
    }
    fn payments(&mut self) -> &mut dyn Payments {
        self
    }
    fn profiles(&mut self) -> &mut dyn Profiles {
        self
    }
    fn rates(&mut self) -> &mut dyn Rates {
        self
    }
    fn sessions(&mut self) -> &mut dyn Sessions {
        self
    }
    fn sign_in_throttles(&mut self) -> &mut dyn SignInThrottles {
        self
    }
    fn strays(&mut self) -> &mut dyn Strays {
        self
    }
    fn tallies(&mut self) -> &mut dyn Tallies {
        self
    }
    fn tips(&mut self) -> &mut dyn Tips {
        self
    }
}
