//! Portage over HTTP: a thin actix-web adapter around `service` and `identity`.
//!
//! Every call is a [`endpoint::Route`] of one table: method, path, who may, handler, an example.
//! What it takes, answers and refuses is told by the handler's types ([`contract`]). The table
//! mounts the app, feeds the tests and makes the OpenAPI document. Whoever starts the server may
//! add rows ([`Extra`]): the simulators of a demo. No rule of the business lives here.
#![warn(missing_docs)]

pub mod access;
pub mod auth;
pub mod authenticator;
pub mod calls;
pub mod client;
pub mod config;
pub mod connections;
pub mod contract;
mod counters;
mod doc;
mod docs_page;
pub mod endpoint;
mod files;
pub mod frontend;
mod guest;
mod hexadecimal;
pub mod http;
pub mod limits;
mod metrics;
mod middleware;
pub mod openapi;
pub mod pages;
pub mod routes;
mod server;
mod state;
mod web_pages;

pub use auth::Tokens;
pub use config::{ChatProvider, ChatSettings, Machine, PaymentsProvider, ServerConfig, SignIn, WebApp};
pub use limits::Limits;
pub use openapi::openapi;
pub use routes::Extra;
pub use server::{Running, build_app, serve};
pub use state::{Parts, State};
