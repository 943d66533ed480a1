//! Settings: environment variables over an optional file, every mistake told at once.
//!
//! A setting has one name: `PORTAGE_PUBLIC_URL` in the environment is `public_url` in
//! `portage.toml`. Values are text everywhere; [`Settings::load`] gives them their types.

mod adapters;
mod keys;
mod place;
mod problems;
mod production;
mod settings;
mod source;
mod usable;

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
};

use api::{ChatProvider, ChatSettings};
use identity::PublicUrl;
use service::{Company, Mode};

pub use adapters::{Identity, Mail, Maps, Payments, Sms};
pub use keys::KEYS;
pub use place::SettingsFile;
pub use problems::Problems;
pub use settings::{DatabaseUrl, LogFormat, Settings};
use source::Source;

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
        if self.mode == Mode::Production && self.behind_proxy && !self.bind.ip().is_loopback() {
            list.push(format!(
                "PORTAGE_BEHIND_PROXY is true, and PORTAGE_BIND={} can be reached from other machines: who reaches it past \
                 the proxy gives any address as their own, and has no limits. Listen on 127.0.0.1, or see to it that only \
                 the proxy gets to the port (a firewall; a container that publishes it on 127.0.0.1)",
                self.bind
            ));
        }
        list.extend(self.overruled.iter().cloned());
        if self.mode == Mode::Production && self.payments.is_sandbox() {
            list.push(
                "PORTAGE_PAYMENTS_SANDBOX_IN_PRODUCTION: the payment gateway is a sandbox; customers book, and no real \
                 money is taken"
                    .to_owned(),
            );
        }
        list
    }

    /// From the environment and the settings file: the one that is named, that `PORTAGE_CONFIG` names, `portage.toml`
    /// in the working directory, or that of an installation.
    ///
    /// # Errors
    /// Every problem there is, each naming its variable and what to do.
    pub fn load(named: Option<&Path>) -> Result<Settings, Problems> {
        let settings = Settings::of(Source::environment(named)?)?;
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
        for (line, advice) in &source.strange {
            p.general(line, advice);
        }
        let mode = source
            .choice(&mut p, "mode", &[("demo", Mode::Demo), ("production", Mode::Production)])
            .unwrap_or(Mode::Demo);
        let bind = source.parse(&mut p, "bind", "an address and port such as 127.0.0.1:8080").unwrap_or(DEFAULT_BIND);
        let data_dir = PathBuf::from(source.text("data_dir").unwrap_or_else(|| "data".to_owned()));
        let payments = Payments::read(&source, &mut p, mode);
        let elsewhere = matches!(&payments, Payments::Simulator(s) if s.elsewhere.is_some());
        let settings = Settings {
            mode,
            bind,
            public_url: public_url(&source, &mut p, bind),
            database_url: database_url(&source, &mut p, &data_dir),
            clock_file: source.text("clock_file").map(PathBuf::from),
            frontend_dir: source.text("frontend_dir").map(PathBuf::from),
            payments,
            maps: Maps::read(&source, &mut p, mode),
            mail: Mail::read(&source, &mut p, mode),
            sms: Sms::read(&source, &mut p, mode, elsewhere),
            identity: Identity::read(&source, &mut p),
            company: company(&source, &mut p, mode),
            first_admin: source.parse(&mut p, "first_admin", "an e-mail address"),
            chat: chat(&source, &mut p, mode),
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
            overruled: Maps::overruled(&source).into_iter().collect(),
            file: source.file.clone(),
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
    } else if !is_readable(&text) {
        p.add(
            "database_url",
            "cannot be read: postgres://USER:PASSWORD@HOST:PORT/DATABASE, where / in a name or a password is written %2F, \
             @ %40, : %3A, # %23 and % %25",
        );
    }
    DatabaseUrl(text)
}

/// Whether the parts of the address of a PostgreSQL database can be told apart: a slash in a password ends
/// the machine's name too early.
fn is_readable(url: &str) -> bool {
    let Some((_, address)) = url.split_once("://").filter(|(scheme, _)| scheme.starts_with("postgres")) else {
        return true;
    };
    let (machines, path) = address.split_once('/').unwrap_or((address, ""));
    let machines = machines.rsplit_once('@').map_or(machines, |(_, machines)| machines);
    let port = |machine: &str| machine.rsplit_once(':').filter(|_| !machine.ends_with(']')).map(|(_, p)| p.to_owned());
    let ports = machines.split(',').filter_map(port).all(|p| p.bytes().all(|b| b.is_ascii_digit()));
    ports && !path.split('?').next().unwrap_or_default().contains('@')
}

fn company(source: &Source, p: &mut Problems, mode: Mode) -> Company {
    let demo = |text: &str| if mode == Mode::Demo { text.to_owned() } else { String::new() };
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
        // Nobody's: their check digits are right. A company that is real enters its own under Settings.
        gst_number: demo("123456782RT0001"),
        qst_number: demo("1224002901TQ0001"),
        ..Company::default()
    }
}

fn chat(source: &Source, p: &mut Problems, mode: Mode) -> ChatSettings {
    if mode == Mode::Demo && source.text("chat_provider").is_none() {
        return ChatSettings::simulator();
    }
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
