//! What the use cases need from outside: repositories behind one unit of work, the outside
//! services, the clock and entropy. Adapters live in `store` and in `gateways/*`.

pub mod absences;
mod asked;
pub mod audit;
pub mod bookings;
pub mod books;
pub mod calendar;
pub mod capacity;
pub mod cards;
pub mod clock;
pub mod comparisons;
pub mod consents;
pub mod copies;
pub mod credits;
pub mod crew_photos;
pub mod crews;
pub mod decline;
pub mod directory;
pub mod discounts;
pub mod dispatch;
pub mod disputes;
pub mod facts;
pub mod failed;
pub mod feeds;
pub mod idempotency;
pub mod identity;
pub mod installation;
pub mod invoices;
pub mod jobs;
pub mod leases;
pub mod ledger;
pub mod lists;
pub mod logos;
pub mod mail;
pub mod mail_wishes;
pub mod maps;
pub mod members;
pub mod messages;
pub mod notes;
pub mod overtime;
pub mod owed;
mod paid_with;
pub mod payment_kind;
pub mod payments;
pub mod periods;
pub mod photos;
pub mod priced;
pub mod profiles;
pub mod quote_requests;
pub mod quotes;
pub mod rates;
pub mod rooms;
pub mod settings;
pub mod sms;
pub mod store;
mod store_error;
pub mod strays;
pub mod tallies;
pub mod templates;
pub mod tips;
pub mod token_purpose;
pub mod views;
pub mod words;

pub use clock::{Clock, Entropy};
pub use store::{Store, Unit};
pub use store_error::{StoreError, StoreResult};

/// Hands each repository, with the name a unit of work has for it and the port it stands in, to a macro: the unit itself is made so, and what
/// implements it. A repository that is not in this list does not exist for use cases.
#[macro_export]
macro_rules! repositories {
    ($made:ident) => {
        $made! {
            absences: Absences in absences,
            accounts: Accounts in identity,
            audits: Audits in audit,
            bookings: Bookings in bookings,
            books: Books in books,
            calendars: Calendars in calendar,
            capacities: Capacities in capacity,
            cards: Cards in cards,
            comparisons: Comparisons in comparisons,
            crew_photos: CrewPhotos in crew_photos,
            crews: Crews in crews,
            directory: Directory in directory,
            discounts: Discounts in discounts,
            dispatches: Dispatches in dispatch,
            disputes: Disputes in disputes,
            failed: Failed in failed,
            feeds: Feeds in feeds,
            grants: Grants in identity,
            idempotency: Idempotency in idempotency,
            installation: Installations in installation,
            invoices: Invoices in invoices,
            jobs: Jobs in jobs,
            ledger: Ledgers in ledger,
            logos: Logos in logos,
            machine_clients: MachineClients in identity,
            mail_wishes: MailWishes in mail_wishes,
            members: Members in members,
            messages: Messages in messages,
            money_leases: MoneyLeases in leases,
            notes: Notes in notes,
            one_time_tokens: OneTimeTokens in identity,
            payments: Payments in payments,
            periods: Periods in periods,
            photos: Photos in photos,
            profiles: Profiles in profiles,
            quote_requests: QuoteRequests in quote_requests,
            quotes: Quotes in quotes,
            rates: Rates in rates,
            sessions: Sessions in identity,
            settings: Settings in settings,
            sign_in_throttles: SignInThrottles in identity,
            sms: SmsLog in sms,
            strays: Strays in strays,
            tallies: Tallies in tallies,
            templates: Templates in templates,
            tips: Tips in tips,
            views: Views in views,
        }
    };
}
pub(crate) use repositories;
