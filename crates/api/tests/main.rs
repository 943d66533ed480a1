//! Every test of the HTTP interface, in one program: one program is linked once, and its tests share a PostgreSQL server.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod support;

mod addresses;
mod answers;
mod authorisation;
mod bookings;
mod borders;
mod bounds;
mod calendar;
mod catalogue_csv;
mod catalogues;
mod chat;
mod contention;
mod desk_cards;
mod desk_lists;
mod desk_record;
mod desk_tools;
mod discounts;
mod errors;
mod estimates;
mod examples;
mod explained;
mod extras;
mod forged;
mod guests;
mod head;
mod identity;
mod logos;
mod openapi;
mod overtime;
mod pages;
mod phone_orders;
mod photos;
mod prices;
mod promises;
mod races;
mod rate_cards;
mod refunds;
mod sessions;
mod settings;
mod strangers;
mod timelines;
mod webhooks;
mod whole;
