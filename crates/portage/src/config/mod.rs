//! Settings: environment variables over an optional file, every mistake told at once.
//!
//! A setting has one name: `PORTAGE_PUBLIC_URL` in the environment is `public_url` in
//! `portage.toml`. Values are text everywhere; [`Settings::load`] gives them their types.

mod adapters;
mod keys;
mod problems;
mod production;
mod source;
mod usable;

use std::{net::SocketAddr, path::PathBuf};

use api::{ChatProvider, ChatSettings};
use identity::PublicUrl;
use service::{Company, Mode};

pub use adapters::{Identity, Mail, Maps, Payments};
pub use keys::KEYS;
pub use problems::Problems;
use source::Source;

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
    /// Who signs people in.
    pub identity: Identity,
    /// What texts say about the company.
    pub company: Company,
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
    /// Names in the environment or the file that mean nothing.
    pub unknown: Vec<String>,
}

/// A database URL; its password is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl(String);

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

impl Settings {
    /// What is allowed, but should not happen unnoticed.
    pub fn warnings(&self) -> Vec<String> {
        let mut list: Vec<String> = self.unknown.iter().map(|name| keys::no_such(name)).collect();
        if self.mode == Mode::Demo && !self.bind.ip().is_loopback() {
            list.push(format!(
                "PORTAGE_MODE is demo, and PORTAGE_BIND={} can be reached from other machines: everybody may sign in as an \
                 administrator with the public demo password, read every e-mail, and pay with simulated cards; say \
                 PORTAGE_MODE=production, or listen on 127.0.0.1",
                self.bind
            ));
        }
        if self.mode == Mode::Production && self.payments.is_sandbox() {
            list.push(
                "PORTAGE_PAYMENTS_SANDBOX_IN_PRODUCTION: the payment gateway is a sandbox; customers book, and no real \
                 money is taken"
                    .to_owned(),
            );
        }
        list
    }

    /// From the environment and `portage.toml` (or the file `PORTAGE_CONFIG` names).
    ///
    /// # Errors
    /// Every problem there is, each naming its variable and what to do.
    pub fn load() -> Result<Settings, Problems> {
        let settings = Settings::of(Source::environment()?)?;
        let mut p = Problems::default();
        usable::check(&settings, &mut p);
        settings.unless(p)
    }

    /// From given variables only.
    #[cfg(test)]
    pub fn from_pairs(pairs: &[(&str, &str)]) -> Result<Settings, Problems> {
        Settings::of(Source::pairs(pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()))))
    }

    fn of(source: Source) -> Result<Settings, Problems> {
        let mut p = Problems::default();
        let mode = source
            .choice(&mut p, "mode", &[("demo", Mode::Demo), ("production", Mode::Production)])
            .unwrap_or(Mode::Demo);
        let bind = source.parse(&mut p, "bind", "an address and port such as 127.0.0.1:8080").unwrap_or(DEFAULT_BIND);
        let data_dir = PathBuf::from(source.text("data_dir").unwrap_or_else(|| "data".to_owned()));
        let settings = Settings {
            mode,
            bind,
            public_url: public_url(&source, &mut p, bind),
            database_url: database_url(&source, &mut p, &data_dir),
            clock_file: source.text("clock_file").map(PathBuf::from),
            frontend_dir: source.text("frontend_dir").map(PathBuf::from),
            payments: Payments::read(&source, &mut p, mode),
            maps: Maps::read(&source, &mut p, mode),
            mail: Mail::read(&source, &mut p, mode),
            identity: Identity::read(&source, &mut p),
            company: company(&source, &mut p, mode),
            chat: chat(&source, &mut p),
            behind_proxy: source.flag(&mut p, "behind_proxy"),
            metrics_public: source.flag(&mut p, "metrics_public"),
            max_connections: source.number(&mut p, "max_connections", 64..=1_000_000).unwrap_or(4096),
            http_threads: source.number(&mut p, "http_threads", 1..=1024),
            job_loops: source.number(&mut p, "job_loops", 1..=64).unwrap_or(2),
            drain_seconds: source.number(&mut p, "drain_seconds", 0..=300).unwrap_or(0) as u64,
            shutdown_seconds: source.number(&mut p, "shutdown_seconds", 0..=600).unwrap_or(15) as u64,
            database_connections: source.number(&mut p, "database_connections", 1..=1000).map_or(16, |n| n as u32),
            log: source.text("log").unwrap_or_else(|| "info,actix_server=warn,access=off".to_owned()),
            log_format: source
                .choice(&mut p, "log_format", &[("text", LogFormat::Text), ("json", LogFormat::Json)])
                .unwrap_or(LogFormat::Text),
            unknown: source.unknown(),
            data_dir,
        };
        production::check(&settings, &mut p);
        settings.unless(p)
    }

    /// These settings, unless there are problems: beside them stand the names that mean nothing, one of which is
    /// perhaps the cause.
    fn unless(self, mut p: Problems) -> Result<Settings, Problems> {
        for name in &self.unknown {
            p.note(&keys::no_such(name));
        }
        p.into_result(self)
    }
}

const DEFAULT_BIND: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 8080);

/// `http://localhost:<port of bind>` when nothing is said.
fn public_url(source: &Source, p: &mut Problems, bind: SocketAddr) -> PublicUrl {
    let here = format!("http://localhost:{}", bind.port());
    let text = source.text("public_url").unwrap_or(here);
    text.parse().unwrap_or_else(|e: identity::InvalidPublicUrl| {
        p.wrong("public_url", &text, &e.to_string());
        UNUSED_URL.parse().unwrap_or_else(|_| unreachable!("a constant"))
    })
}

/// Stands in for a refused URL until all problems are told; never used.
const UNUSED_URL: &str = "http://localhost:8080";

fn database_url(source: &Source, p: &mut Problems, data_dir: &std::path::Path) -> DatabaseUrl {
    let text =
        source.text("database_url").unwrap_or_else(|| format!("sqlite://{}", data_dir.join("portage.db").display()));
    if let Some(scheme) = text.split_once("://").map(|(s, _)| s)
        && !["sqlite", "postgres", "postgresql"].contains(&scheme)
    {
        // The value is not repeated: it may hold a password.
        p.add("database_url", "must begin with sqlite:// or postgres://");
    }
    DatabaseUrl(text)
}

fn company(source: &Source, p: &mut Problems, mode: Mode) -> Company {
    let mut fact = |key: &'static str, demo: &str| match (source.text(key), mode) {
        (Some(text), _) => text,
        (None, Mode::Demo) => demo.to_owned(),
        (None, Mode::Production) => {
            p.missing(key, "messages to customers name it");
            String::new()
        }
    };
    Company {
        name: fact("company_name", "Portage"),
        address: fact("company_address", "1 Place Ville Marie, Montréal QC H3B 2C4"),
        support_email: fact("company_email", "support@portage.test"),
        support_phone: fact("company_phone", "514-555-0100"),
        public_url: String::new(),
    }
}

fn chat(source: &Source, p: &mut Problems) -> ChatSettings {
    let named = source.text("chat_provider").unwrap_or_else(|| ChatProvider::None.code().to_owned());
    let provider = ChatProvider::from_code(&named).unwrap_or_else(|| {
        p.wrong(
            "chat_provider",
            &named,
            &format!("must be one of {}", ChatProvider::ALL.map(ChatProvider::code).join(", ")),
        );
        ChatProvider::None
    });
    let (base_url, website_token) = (source.text("chat_base_url"), source.text("chat_website_token"));
    if provider == ChatProvider::Chatwoot {
        for (key, value) in [("chat_base_url", &base_url), ("chat_website_token", &website_token)] {
            if value.is_none() {
                p.missing(key, "PORTAGE_CHAT_PROVIDER is chatwoot");
            }
        }
    }
    let list = source.text("chat_origins").unwrap_or_default();
    let mut origins: Vec<String> = list.split([',', ' ']).filter(|o| !o.is_empty()).map(str::to_owned).collect();
    for origin in origins.iter().filter(|o| o.parse::<PublicUrl>().is_err()) {
        p.wrong("chat_origins", origin, "must be a list of origins such as https://chat.example");
    }
    // Where it runs is where it loads from: that need not be said twice.
    match base_url.as_deref().map(|url| (url, url.parse::<PublicUrl>())) {
        Some((_, Ok(url))) if provider != ChatProvider::None => origins.push(url.origin().to_owned()),
        Some((text, Err(_))) => p.wrong("chat_base_url", text, "must be an address such as https://chat.example"),
        _ => {}
    }
    ChatSettings { provider, base_url, website_token, origins }
}

#[cfg(test)]
mod tests;
