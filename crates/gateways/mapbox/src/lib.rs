//! Addresses and routes from outside: Mapbox, or self-hosted OSRM and Photon, or a simulator
//! that speaks Mapbox's wire protocol from Portage's own geography.
//!
//! Demo mode runs [`Mapbox`] against [`simulator::handle`] over loopback HTTP, so that the code
//! of production is the code of every test.
#![warn(missing_docs)]

mod client;
mod http;
mod osrm;
mod osrm_photon;
mod photon;
pub mod simulator;
mod wire;

pub use client::{Mapbox, MapboxConfig};
pub use http::Limits;
pub use osrm_photon::{OsrmPhoton, OsrmPhotonConfig};
