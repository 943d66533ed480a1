//! The settings of one program.

use std::{net::SocketAddr, path::PathBuf};

use api::ChatSettings;
use identity::PublicUrl;
use kernel::Email;
use service::{Company, Mode};

use super::{
    adapters::{Identity, Mail, Maps, Payments, Sms},
    place::SettingsFile,
};

/// How log lines look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Everything the program is told, typed.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Demo or production.
    pub mode: Mode,
    /// Where the server listens.
    pub bind: SocketAddr,
    /// Where people reach it.
    pub public_url: PublicUrl,
    /// The database.
    pub database_url: DatabaseUrl,
    /// Keys, demo mails, lock files, the simulator's file.
    pub data_dir: PathBuf,
    /// The file with the time, in demo mode.
    pub clock_file: Option<PathBuf>,
    /// The built web app; none: where it is usually found.
    pub frontend_dir: Option<PathBuf>,
    /// Card payments.
    pub payments: Payments,
    /// Geocoding and routing.
    pub maps: Maps,
    /// E-mail.
    pub mail: Mail,
    /// Text messages.
    pub sms: Sms,
    /// Who signs people in.
    pub identity: Identity,
    /// What texts say about the company.
    pub company: Company,
    /// Who is made an administrator while there is none.
    pub first_admin: Option<Email>,
    /// Chat widget.
    pub chat: ChatSettings,
    /// A reverse proxy stands in front.
    pub behind_proxy: bool,
    /// `/metrics` answers everybody.
    pub metrics_public: bool,
    /// HTTP connections open at once.
    pub max_connections: usize,
    /// HTTP threads; none: one a core.
    pub http_threads: Option<usize>,
    /// Job loops of one process.
    pub job_loops: usize,
    /// Seconds between `/readyz` saying no and the port closing, at shutdown.
    pub drain_seconds: u64,
    /// Seconds running requests get at shutdown.
    pub shutdown_seconds: u64,
    /// Connections to PostgreSQL.
    pub database_connections: u32,
    /// `tracing` filter.
    pub log: String,
    /// Text or JSON.
    pub log_format: LogFormat,
    /// Names in the environment that mean nothing.
    pub unknown: Vec<String>,
    /// What is set and not used, because something else is.
    pub overruled: Vec<String>,
    /// The settings file, and where it was looked for.
    pub file: SettingsFile,
}

/// A database URL; its password is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(pub(super) String);

impl DatabaseUrl {
    /// The URL itself, for the store.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Every process with this URL is on this machine.
    pub fn is_sqlite(&self) -> bool {
        !self.0.starts_with("postgres://") && !self.0.starts_with("postgresql://")
    }

    /// The file of a SQLite database.
    pub fn sqlite_path(&self) -> Option<PathBuf> {
        let path = ["sqlite://", "sqlite::", "sqlite:"].iter().find_map(|p| self.0.strip_prefix(p)).unwrap_or(&self.0);
        self.is_sqlite().then(|| PathBuf::from(path))
    }
}

impl std::fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::fmt::Display for DatabaseUrl {
    /// Without user, password and parameters.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_sqlite() {
            return f.write_str(&self.0);
        }
        let (scheme, rest) = self.0.split_once("://").unwrap_or(("postgres", ""));
        let place = rest.rsplit_once('@').map_or(rest, |(_, place)| place);
        write!(f, "{scheme}://{}", place.split('?').next().unwrap_or_default())
    }
}
