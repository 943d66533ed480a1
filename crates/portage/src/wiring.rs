//! Putting the parts together: which adapter stands behind each port.

mod texts;

use std::{
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    sync::Arc,
};

use api::{Extra, Parts, PaymentsProvider, ServerConfig, SignIn, Tokens, WebApp};
use identity::{AUDIENCE, CLIENT_ID, Identity, KeySource, MailRequest, SigningKeys, TokenVerifier};
use kernel::{
    Email,
    chrono::{DateTime, Utc},
};
use secrecy::ExposeSecret as _;
use service::{
    Actor, Defaults, Services, Tx,
    mailing::{self, NewMessage},
    ports::{Clock, Entropy, Store, StoreResult, Unit, mail::Mailer, maps::Maps, payments::PaymentGateway},
    work::Lanes,
};
use simulators::{Carried, Simulators};
use store::OlderDatabase;

use crate::{
    clock::{FileClock, SystemClock, looker},
    config::{self, Settings},
    demo_accounts,
    entropy::OsEntropy,
    failure::Failure,
    machine,
    observed::Observed,
    privacy,
    remembered::CachedMaps,
    terminal::runtime,
};

/// The merchant account and keys the simulator is called with; it takes any.
const SIMULATED: &str = braintree::simulator::DEMO_KEY;
/// Where the built web apps are, seen from the working directory.
const BUILT_APP: &str = "frontend/apps/book/dist";
const BUILT_DASHBOARD: &str = "frontend/apps/ops/dist";

/// Where the simulators answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SimulatorHost {
    /// In this process, which listens here.
    ThisProcess(SocketAddr),
    /// In another process.
    OtherProcess(SocketAddr),
    /// None: for commands that call no outside service.
    NotNeeded,
}

impl SimulatorHost {
    /// The simulators' own address over loopback, whatever interface the site is served on.
    fn address(self) -> SocketAddr {
        match self {
            SimulatorHost::ThisProcess(at) | SimulatorHost::OtherProcess(at) if at.ip().is_unspecified() => {
                SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), at.port())
            }
            SimulatorHost::ThisProcess(at) | SimulatorHost::OtherProcess(at) => at,
            SimulatorHost::NotNeeded => SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 9),
        }
    }
}

/// A wired program.
pub struct Program {
    /// Its settings.
    pub settings: Settings,
    /// Use cases.
    pub services: Services,
    /// The embedded identity provider, unless an external one is used.
    pub identity: Option<Identity>,
    /// The simulators this process carries.
    pub simulators: Option<Carried>,
    verifier: TokenVerifier,
}

/// The file of the payment simulator: its own, as an outside service would have.
pub fn simulator_file(data_dir: &Path) -> PathBuf {
    data_dir.join("simulators").join("braintree.jsonl")
}

/// Opens the payment simulator on its file.
///
/// # Errors
/// `WouldBlock` when another process has it.
pub fn open_simulator(settings: &Settings, clock: &Arc<dyn Clock>) -> io::Result<Arc<braintree::simulator::Simulator>> {
    braintree::simulator::Simulator::open(simulator_file(&settings.data_dir), looker(clock)).map(Arc::new)
}

/// The clock the settings ask for.
///
/// # Errors
/// When the clock file is of no use.
pub fn clock(settings: &Settings) -> Result<Arc<dyn Clock>, Failure> {
    match &settings.clock_file {
        None => Ok(Arc::new(SystemClock)),
        Some(path) => match FileClock::open(path) {
            Ok(clock) => Ok(Arc::new(clock)),
            Err(e) => Err(Failure::new(format!("PORTAGE_CLOCK_FILE: {} {e}", path.display()))),
        },
    }
}

/// Whoever calls this may be in a runtime, which cannot wait for another one on its own thread.
fn not_a_demo(settings: &Settings, store: &dyn Store) -> Result<(), Failure> {
    let ask = || runtime()?.block_on(demo_accounts::refuse_in_production(settings.mode, store));
    std::thread::scope(|scope| scope.spawn(ask).join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

impl Program {
    /// Brings the database to this version, or makes it, and then does as [`Program::build`].
    ///
    /// # Errors
    /// As [`Program::build`].
    pub fn advance(settings: Settings, stage: SimulatorHost) -> Result<Program, Failure> {
        let clock = clock(&settings)?;
        Program::advance_by(settings, stage, clock)
    }

    /// As [`Program::advance`], by another clock than the settings ask for.
    ///
    /// # Errors
    /// As [`Program::build`].
    pub fn advance_by(settings: Settings, stage: SimulatorHost, clock: Arc<dyn Clock>) -> Result<Program, Failure> {
        make_folders(&settings)?;
        store::migrate(settings.database_url.as_str()).map_err(|e| cannot_open(&settings, &e))?;
        Program::build_by(settings, stage, clock)
    }

    /// Opens the database that is there, loads the keys, makes the clients of outside services.
    /// Nothing is called yet. A database of an older version is refused, and in production one with demo accounts.
    ///
    /// # Errors
    /// What stands in the way, with what to do.
    pub fn build(settings: Settings, stage: SimulatorHost) -> Result<Program, Failure> {
        let clock = clock(&settings)?;
        Program::build_by(settings, stage, clock)
    }

    fn build_by(settings: Settings, stage: SimulatorHost, clock: Arc<dyn Clock>) -> Result<Program, Failure> {
        let entropy: Arc<dyn Entropy> = Arc::new(OsEntropy);
        let options = store::Options { connections: settings.database_connections, ..store::Options::default() };
        make_folders(&settings)?;
        let store = store::open_made(settings.database_url.as_str(), options, OlderDatabase::Refused)
            .map_err(|e| cannot_open(&settings, &e))?
            .ok_or_else(|| no_database(&settings))?;
        not_a_demo(&settings, &*store)?;
        let elsewhere = matches!(&settings.payments, config::Payments::Simulator(s) if s.elsewhere.is_some());
        let simulators = match (stage, settings.mode) {
            (SimulatorHost::ThisProcess(_), service::Mode::Demo) if !elsewhere => {
                Some(self::simulators(&settings, &clock)?)
            }
            _ => None,
        };
        // Since when, in real time, as the requests to it wander by.
        let carried = simulators.as_ref().map(|s| (s.braintree.clone(), SystemClock.now()));
        let mut company = settings.company.clone();
        company.public_url = settings.public_url.origin().to_owned();
        let services = Services {
            store: store.clone(),
            clock: clock.clone(),
            wall: Arc::new(SystemClock),
            entropy: entropy.clone(),
            gateway: Arc::new(Observed(gateway(&settings, stage, carried)?)),
            maps: Arc::new(CachedMaps::new(Arc::new(Observed(maps(&settings, stage)?)))),
            mailer: Arc::new(Observed(mailer(&settings, &clock)?)),
            mail_gate: Arc::default(),
            texter: texts::texter(&settings, stage)?,
            text_gate: Arc::default(),
            defaults: Defaults {
                company,
                policy: policy::Settings::default(),
                scheduling: scheduling::Settings::default(),
            },
            settings: Arc::default(),
            mode: settings.mode,
            rates: Arc::default(),
            rooms: Arc::default(),
            bell: Arc::default(),
        };
        let (identity, verifier) = match &settings.identity {
            config::Identity::External { issuer, .. } => {
                let verifier = TokenVerifier::external(issuer.clone(), clock.clone())
                    .map_err(|e| Failure::new(format!("PORTAGE_OIDC_ISSUER: {e}")))?;
                (None, verifier)
            }
            config::Identity::Embedded { keys } => {
                let source = match keys {
                    Some(pem) => KeySource::Pem(pem.clone()),
                    None => KeySource::Folder(settings.data_dir.join("keys")),
                };
                let keys = SigningKeys::load(&source)?;
                let identity = Identity::new(
                    store,
                    clock,
                    entropy,
                    Arc::new(Outbox(services.clone())),
                    keys,
                    settings.public_url.clone(),
                );
                let verifier = identity.verifier();
                (Some(identity), verifier)
            }
        };
        Ok(Program { settings, services, identity, verifier, simulators })
    }

    /// What the HTTP server is made of.
    pub fn parts(&self) -> Parts {
        Parts {
            services: self.services.clone(),
            authenticator: Arc::new(Tokens::new(self.services.clone(), self.verifier.clone())),
            identity: self.identity.clone(),
        }
    }

    /// The simulators' rows; production mounts none of them.
    pub fn extra(&self) -> Extra {
        simulators::calls(Simulators::new(self.simulators.clone()))
    }

    /// How the HTTP server is set up.
    pub fn server_config(&self) -> ServerConfig {
        let s = &self.settings;
        let (sign_in, issuer, client_id, audience) = match &s.identity {
            config::Identity::External { issuer: e, consent } => {
                (SignIn::External { consent: *consent }, e.issuer.clone(), e.client_id.clone(), e.audience.clone())
            }
            config::Identity::Embedded { .. } => {
                (SignIn::Embedded, s.public_url.issuer(), CLIENT_ID.to_owned(), AUDIENCE.to_owned())
            }
        };
        ServerConfig {
            issuer,
            client_id,
            audience,
            sign_in,
            apps: apps(s),
            mailbox: s.mail.smtp_url.is_none().then(|| config::Mail::folder(&s.data_dir)),
            limits: api::Limits { behind_proxy: s.behind_proxy, ..api::Limits::default() },
            metrics_for_all: s.metrics_public,
            payments: match &s.payments {
                config::Payments::Simulator(_) => PaymentsProvider::Simulator,
                config::Payments::Braintree(c) => PaymentsProvider::Braintree {
                    environment: match c.environment {
                        braintree::Environment::Production => "production".to_owned(),
                        braintree::Environment::Sandbox | braintree::Environment::Simulator => "sandbox".to_owned(),
                    },
                },
            },
            chat: s.chat.clone(),
            max_connections: s.max_connections,
            workers: s.http_threads,
            shutdown_seconds: s.shutdown_seconds,
            machine: machine::of(s),
            ..ServerConfig::demo(s.public_url.clone())
        }
    }
}

/// The folder of the built customer app, if it was built.
pub fn frontend(settings: &Settings) -> Option<PathBuf> {
    settings.frontend_dir.clone().or_else(|| built([Some(PathBuf::from(BUILT_APP)), frontend_beside_program()]))
}

/// Every built web app, each with the path it is mounted under. The folder of the customer app may hold another one
/// in a folder named as its path.
fn apps(settings: &Settings) -> Vec<WebApp> {
    let ops = match &settings.frontend_dir {
        Some(folder) => built([Some(folder.join("dashboard")), None]),
        None => built([
            Some(PathBuf::from(BUILT_DASHBOARD)),
            frontend_beside_program().map(|folder| folder.join("dashboard")),
        ]),
    };
    frontend(settings).map(WebApp::book).into_iter().chain(ops.map(WebApp::ops)).collect()
}

/// The folder `frontend` beside the program.
fn frontend_beside_program() -> Option<PathBuf> {
    std::env::current_exe().ok()?.parent().map(|folder| folder.join("frontend"))
}

/// The first folder with a built app in it.
fn built(places: [Option<PathBuf>; 2]) -> Option<PathBuf> {
    places.into_iter().flatten().find(|folder| folder.join("index.html").is_file())
}

/// Why the database is of no use, with the setting that names it.
pub fn cannot_open(settings: &Settings, e: &store::OpenError) -> Failure {
    Failure::new(format!("PORTAGE_DATABASE_URL ({}): {e}", settings.database_url))
}

/// A command in the wrong folder must not make an empty database and find nothing wrong with it.
pub fn no_database(s: &Settings) -> Failure {
    let path = s.database_url.sqlite_path().and_then(|p| std::path::absolute(p).ok());
    let place = path.map_or_else(|| s.database_url.to_string(), |p| p.display().to_string());
    Failure::new(format!(
        "there is no database at {place}, and none was made; {}. Name the settings of the server with --config FILE, or run \
         this in the folder of its portage.toml; portage migrate makes a new database",
        s.file
    ))
}

/// Folders of the data directory and the database; what is open to others is closed.
pub fn make_folders(settings: &Settings) -> Result<(), Failure> {
    let database = settings.database_url.sqlite_path().and_then(|p| p.parent().map(Path::to_owned));
    for folder in [Some(settings.data_dir.clone()), database].into_iter().flatten() {
        privacy::make_folder(&folder)
            .map_err(|e| Failure::new(format!("PORTAGE_DATA_DIR: {} cannot be made: {e}", folder.display())))?;
    }
    privacy::enforce(settings);
    Ok(())
}

/// The simulators this process carries.
///
/// # Errors
/// When another process carries them, or their file is of no use.
pub fn simulators(settings: &Settings, clock: &Arc<dyn Clock>) -> Result<Carried, Failure> {
    let opened = open_simulator(settings, clock);
    let twilio = texts::simulator(settings);
    opened.map(|braintree| Carried { braintree, twilio }).map_err(|e| {
        let file = simulator_file(&settings.data_dir);
        match e.kind() {
            io::ErrorKind::WouldBlock => Failure::new(format!(
                "another Portage uses {}; stop it, or name another PORTAGE_DATA_DIR",
                settings.data_dir.display()
            )),
            _ => Failure::new(format!("the payment simulator cannot use {}: {e}", file.display())),
        }
    })
}

/// The client of the card gateway; `carried`: the simulator in this process, and since when.
///
/// # Errors
/// When the settings are of no use.
pub fn gateway(
    settings: &Settings,
    stage: SimulatorHost,
    carried: Option<(Arc<braintree::simulator::Simulator>, DateTime<Utc>)>,
) -> Result<Arc<dyn PaymentGateway>, Failure> {
    let config = match &settings.payments {
        config::Payments::Braintree(config) => return Ok(Arc::new(braintree::BraintreeGateway::new(config.clone())?)),
        config::Payments::Simulator(simulated) => braintree::Config {
            endpoint: simulated
                .elsewhere
                .clone()
                .unwrap_or_else(|| format!("http://{}/simulators/braintree/graphql", stage.address())),
            public_key: SIMULATED.to_owned(),
            private_key: SIMULATED.to_owned().into(),
            merchant_account_id: SIMULATED.to_owned(),
            environment: braintree::Environment::Simulator,
            api_request_key: simulated.request_key,
            timeouts: simulated.timeouts,
        },
    };
    let gateway = braintree::BraintreeGateway::new(config)?;
    Ok(Arc::new(match carried {
        Some((simulator, at)) => gateway.carried_here(simulator, at),
        None => gateway,
    }))
}

/// The client of the maps service.
///
/// # Errors
/// When the settings are of no use.
pub fn maps(settings: &Settings, stage: SimulatorHost) -> Result<Arc<dyn Maps>, Failure> {
    let config = match &settings.maps {
        config::Maps::OsrmPhoton { routing, geocoding } => {
            let config = mapbox::OsrmPhotonConfig {
                osrm_url: routing.clone(),
                photon_url: geocoding.clone(),
                limits: mapbox::Limits::default(),
            };
            return Ok(Arc::new(mapbox::OsrmPhoton::new(config)?));
        }
        config::Maps::Mapbox { url, token, permanent } => {
            mapbox::MapboxConfig { permanent: *permanent, ..mapbox::MapboxConfig::new(url.clone(), token.clone()) }
        }
        config::Maps::Simulator => mapbox::MapboxConfig::new(
            format!("http://{}/simulators/mapbox", stage.address()),
            mapbox::simulator::DEMO_TOKEN.to_owned().into(),
        ),
    };
    Ok(Arc::new(mapbox::Mapbox::new(config)?))
}

/// Who mails are from.
///
/// # Errors
/// When no address is configured.
pub fn sender(settings: &Settings) -> Result<mail::Sender, Failure> {
    let company = &settings.company;
    let from = match (&settings.mail.from, company.support_email.parse::<Email>()) {
        (Some(from), _) => from.clone(),
        (None, Ok(support)) => support,
        (None, Err(_)) => return Err(Failure::new("PORTAGE_COMPANY_EMAIL must be an e-mail address".to_owned())),
    };
    let mut sender = mail::Sender::new(from, company.name.clone());
    sender.reply_to.clone_from(&settings.mail.reply_to);
    Ok(sender)
}

fn mailer(settings: &Settings, clock: &Arc<dyn Clock>) -> Result<Arc<dyn Mailer>, Failure> {
    let sender = sender(settings)?;
    match &settings.mail.smtp_url {
        None => Ok(Arc::new(mail::FileMailer::new(config::Mail::folder(&settings.data_dir), sender, looker(clock)))),
        Some(url) => mail::SmtpMailer::from_url(url.expose_secret(), sender, looker(clock))
            .map(|m| Arc::new(m) as Arc<dyn Mailer>)
            .map_err(|e| Failure::new(format!("PORTAGE_SMTP_URL: {e}"))),
    }
}

/// Mails of the account pages go the way of all others: a message and its job, in the
/// transaction that causes them.
struct Outbox(Services);

impl identity::Outbox for Outbox {
    fn queue(&self, u: &mut dyn Unit, mail: &MailRequest, now: DateTime<Utc>) -> StoreResult<()> {
        let message = NewMessage {
            dedup_key: mail.dedup_key.clone(),
            booking_id: None,
            user_id: Some(mail.user_id),
            message_type: mail.template.to_owned(),
            language: mail.language,
            to: mail.to.clone(),
            to_name: mail.to_name.clone(),
            values: mail.values.clone(),
        };
        Tx::within(u, &self.0, Actor::system(), |tx| {
            tx.now = now;
            mailing::queue(tx, message)
        })
    }

    fn committed(&self) {
        self.0.bell.ring(Lanes::ALL);
    }
}
