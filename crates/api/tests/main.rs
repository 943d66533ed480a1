//! Every test of the HTTP interface, in one program: one program is linked once, and its tests share a PostgreSQL server.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

/// The allocator of the program itself: faster than the system's, and tests allocate all the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod support;

mod addresses;
mod answers;
mod authorisation;
mod batch_invoices;
mod bookings;
mod books;
mod borders;
mod bounds;
mod calendar;
mod card_links;
mod catalogue_csv;
mod catalogues;
mod chat;
mod consents;
mod contention;
mod crew_notes;
mod desk_cards;
mod desk_lists;
mod desk_record;
mod desk_tools;
mod discounts;
mod dispatch;
mod errors;
mod estimates;
mod every_message;
mod examples;
mod explained;
mod extras;
mod feeds;
mod forged;
mod guests;
mod head;
mod identity;
mod invoices;
mod logos;
mod messages;
mod openapi;
mod overtime;
mod pages;
mod phone_orders;
mod photos;
mod prices;
mod promises;
mod quote_requests;
mod quotes;
mod races;
mod rate_cards;
mod reconciliation;
mod refunds;
mod sessions;
mod settings;
mod strangers;
mod templates;
mod text_messages;
mod texts_by_hand;
mod timelines;
mod unsubscribe;
mod webhooks;
mod whole;
