//! What the use cases need from outside: repositories behind one unit of work, the outside
//! services, the clock and entropy. Adapters live in `store` and in `gateways/*`.

pub mod audit;
pub mod bookings;
pub mod calendar;
pub mod capacity;
pub mod cards;
pub mod clock;
pub mod crews;
pub mod directory;
pub mod discounts;
pub mod facts;
pub mod idempotency;
pub mod identity;
pub mod installation;
pub mod jobs;
pub mod leases;
pub mod ledger;
pub mod lists;
pub mod mail;
pub mod maps;
pub mod members;
pub mod messages;
pub mod payment_kind;
pub mod payments;
pub mod profiles;
pub mod rates;
pub mod rooms;
pub mod store;
pub mod strays;
pub mod tallies;
pub mod tips;
pub mod token_purpose;

pub use clock::{Clock, Entropy};
pub use store::{Store, StoreError, StoreResult, Unit};
