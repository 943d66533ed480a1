//! What the use cases need from outside: repositories behind one unit of work, the outside
//! services, the clock and entropy. Adapters live in `store` and in `gateways/*`.

pub mod absences;
pub mod acted;
mod asked;
pub mod audit;
pub mod bookings;
pub mod books;
pub mod calendar;
pub mod cancelled;
pub mod capacity;
pub mod cards;
pub mod checkouts;
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
pub mod history;
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
/// implements it. The repositories stand by area; the words of an area are the documentation of its accessors. A repository that is not in this
/// list does not exist for use cases.
#[macro_export]
macro_rules! repositories {
    ($made:ident) => {
        $made! {
            "People: accounts and how they sign in, staff, and the records of mates, partners and trucks." {
                accounts: Accounts in identity,
                sessions: Sessions in identity,
                grants: Grants in identity,
                one_time_tokens: OneTimeTokens in identity,
                sign_in_throttles: SignInThrottles in identity,
                machine_clients: MachineClients in identity,
                members: Members in members,
                profiles: Profiles in profiles,
                directory: Directory in directory,
            }
            "Bookings and what is written beside one." {
                bookings: Bookings in bookings,
                booking_history: BookingHistory in history,
                checkouts: Checkouts in checkouts,
                notes: Notes in notes,
                photos: Photos in photos,
                tips: Tips in tips,
            }
            "Money: cards, charges, the books." {
                cards: Cards in cards,
                payments: Payments in payments,
                money_leases: MoneyLeases in leases,
                ledger: Ledgers in ledger,
                books: Books in books,
                periods: Periods in periods,
                invoices: Invoices in invoices,
                disputes: Disputes in disputes,
                failed: Failed in failed,
                strays: Strays in strays,
                comparisons: Comparisons in comparisons,
            }
            "Capacity: how many crews there are, and who is on which job." {
                calendars: Calendars in calendar,
                absences: Absences in absences,
                capacities: Capacities in capacity,
                crews: Crews in crews,
                crew_photos: CrewPhotos in crew_photos,
                dispatches: Dispatches in dispatch,
                feeds: Feeds in feeds,
            }
            "Messages to customers." {
                messages: Messages in messages,
                sms: SmsLog in sms,
                mail_wishes: MailWishes in mail_wishes,
                templates: Templates in templates,
            }
            "Catalogue: what is offered and asked for." {
                rates: Rates in rates,
                discounts: Discounts in discounts,
                quotes: Quotes in quotes,
                quote_requests: QuoteRequests in quote_requests,
            }
            "Operations: jobs, settings and what keeps the program itself in order." {
                jobs: Jobs in jobs,
                idempotency: Idempotency in idempotency,
                tallies: Tallies in tallies,
                audits: Audits in audit,
                installation: Installations in installation,
                settings: Settings in settings,
                logos: Logos in logos,
                views: Views in views,
            }
        }
    };
}
pub(crate) use repositories;
