//! What every handler can reach.

use std::{
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

use identity::Identity;
use service::Services;
use tokio::sync::Semaphore;

use crate::{authenticator::Authenticator, config::ServerConfig, files::Files, http::bodies::Bodies, limits::Limiter};

/// The parts the program is wired from.
#[derive(Clone)]
pub struct Parts {
    /// Use cases.
    pub services: Services,
    /// Checks bearer tokens.
    pub authenticator: Arc<dyn Authenticator>,
    /// The embedded identity provider; none when an external one is used.
    pub identity: Option<Identity>,
}

/// One server's state, shared by its workers.
pub struct State {
    /// Use cases.
    pub services: Services,
    /// Checks bearer tokens.
    pub authenticator: Arc<dyn Authenticator>,
    /// The embedded identity provider.
    pub identity: Option<Identity>,
    /// The API document as text. It is made from the table of routes, which names every handler, so that it is handed
    /// down; it is made when somebody first asks for it.
    pub document: fn() -> &'static str,
    /// Settings.
    pub config: ServerConfig,
    /// Call counters.
    pub limiter: Limiter,
    /// The built app's files.
    pub files: Files,
    /// Bodies that are being read.
    pub bodies: Bodies,
    /// Files that are being read.
    pub uploads: Bodies,
    /// Photos are made ready one at a time: each takes a core, and memory by its pixels.
    pub darkroom: Arc<Semaphore>,
    /// Set before the server stops: `/readyz` says so, so that a proxy sends nothing more.
    pub draining: AtomicBool,
}

impl State {
    /// Puts the parts together.
    pub fn new(config: ServerConfig, parts: Parts, document: fn() -> &'static str) -> State {
        let mut secret = [0; 32];
        parts.services.entropy.fill(&mut secret);
        State {
            services: parts.services,
            authenticator: parts.authenticator,
            identity: parts.identity,
            document,
            limiter: Limiter::new(config.limits, secret),
            files: Files::default(),
            bodies: Bodies::usual(),
            uploads: Bodies::files(),
            darkroom: Arc::new(Semaphore::new(1)),
            draining: AtomicBool::new(false),
            config,
        }
    }

    /// Folder of the demo mails.
    pub fn mailbox(&self) -> Option<&PathBuf> {
        self.config.mailbox.as_ref()
    }
}
