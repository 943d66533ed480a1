//! A whole Portage for one test: the real app over loopback HTTP, a database of its own, the
//! simulators behind the real clients, and people who know how to sign in.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, dead_code, missing_docs)]

pub mod chinese;
pub mod examples;
pub mod golden;
pub mod people;
pub mod places;
pub mod requests;
pub mod schema;

use std::{
    net::TcpListener,
    path::PathBuf,
    sync::{Arc, LazyLock, Mutex},
};

use api::{Limits, Parts, ServerConfig, Tokens, WebApp, routes::Route};
use identity::{Identity, KeySource, MailRequest, PublicUrl, SigningKeys};
use kernel::{
    MateId, OpsMemberId, Province, RateId,
    chrono::{DateTime, Utc},
    uuid::Uuid,
};
use service::{
    Actor, Company, Defaults, Mode, Services, Tx,
    ports::{
        Clock, Entropy, Store, StoreError, Unit,
        capacity::DayCapacity,
        directory::{MateRecord, MateState},
        discounts::StoredDiscount,
        jobs::QueueFigures,
        members::{Member, MemberRole},
        rates::StoredRate,
    },
};
use sha2::{Digest, Sha256};
use simulators::{Carried, Simulators};
use status_machine::At;
use store::testing::TestDb;
use tempfile::TempDir;
pub use test_kit::{answer, bodies};

/// Monday morning in Montreal, nine days before the moves of these tests.
pub const START: &str = "2027-02-08T14:00:00Z";

/// Every row that a program in this mode mounts.
pub fn table(mode: Mode) -> &'static [Route] {
    fn rows(mode: Mode) -> Vec<Route> {
        api::routes::table(mode, simulators::rows()).into_iter().cloned().collect()
    }
    static DEMO: LazyLock<Vec<Route>> = LazyLock::new(|| rows(Mode::Demo));
    static PRODUCTION: LazyLock<Vec<Route>> = LazyLock::new(|| rows(Mode::Production));
    match mode {
        Mode::Demo => &DEMO,
        Mode::Production => &PRODUCTION,
    }
}

/// A clock that moves when told to.
pub struct TestClock(Mutex<DateTime<Utc>>);

impl TestClock {
    pub fn set(&self, to: &str) {
        self.move_to(to.parse().unwrap());
    }

    pub fn move_to(&self, to: DateTime<Utc>) {
        *self.0.lock().unwrap() = to;
    }
}

impl Clock for TestClock {
    fn now(&self) -> DateTime<Utc> {
        *self.0.lock().unwrap()
    }
}

/// Leases of jobs run on real time.
struct WallClock;

impl Clock for WallClock {
    #[allow(clippy::disallowed_methods, reason = "this is the clock")]
    fn now(&self) -> DateTime<Utc> {
        std::time::SystemTime::now().into()
    }
}

/// Bytes nobody else in this run draws; the same from run to run.
struct CountedEntropy(Mutex<u64>);

impl Entropy for CountedEntropy {
    fn fill(&self, out: &mut [u8]) {
        let mut n = self.0.lock().unwrap();
        for chunk in out.chunks_mut(32) {
            *n += 1;
            let block = Sha256::digest(n.to_le_bytes());
            chunk.copy_from_slice(&block[..chunk.len()]);
        }
    }
}

/// What a test may choose.
pub struct Options {
    pub mode: Mode,
    pub limits: Limits,
    pub apps: Vec<WebApp>,
    pub public_url: Option<String>,
    /// Text messages are on.
    pub texts: bool,
    /// None: a SQLite file.
    pub db: Option<TestDb>,
    /// What the clock says at first.
    pub start: DateTime<Utc>,
    /// Who gets an account; hashing a password takes its time.
    pub people: &'static [&'static str],
}

impl Default for Options {
    fn default() -> Self {
        Options {
            mode: Mode::Demo,
            limits: Limits::default(),
            apps: Vec::new(),
            public_url: None,
            texts: false,
            db: None,
            start: START.parse().unwrap(),
            people: &people::SIGNED_IN,
        }
    }
}

pub struct TestApp {
    pub url: String,
    pub http: reqwest::Client,
    pub clock: Arc<TestClock>,
    pub services: Services,
    pub identity: Identity,
    pub mail: PathBuf,
    pub(crate) tokens: Mutex<std::collections::HashMap<&'static str, String>>,
    handle: actix_web::dev::ServerHandle,
    check_jobs: bool,
    // After everything that uses them.
    _db: TestDb,
    _folder: TempDir,
}

impl TestApp {
    pub async fn new() -> TestApp {
        TestApp::with(Options::default()).await
    }

    pub async fn with(options: Options) -> TestApp {
        let db = options.db.unwrap_or_else(TestDb::sqlite);
        let folder = tempfile::tempdir().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let own = format!("http://{}", listener.local_addr().unwrap());
        let public: PublicUrl = options.public_url.unwrap_or_else(|| own.clone()).parse().unwrap();
        let clock = Arc::new(TestClock(Mutex::new(options.start)));
        let entropy: Arc<dyn Entropy> = Arc::new(CountedEntropy(Mutex::new(0)));
        let now: mail::Now = {
            let clock = clock.clone();
            Arc::new(move || clock.now())
        };
        let mailbox = folder.path().join("mail");
        let sender = mail::Sender::new("no-reply@portage.test".parse().unwrap(), "Portage");
        let simulator = Arc::new(
            braintree::simulator::Simulator::open(folder.path().join("braintree.jsonl"), now.clone()).unwrap(),
        );
        let wall: twilio::simulator::SimClock = Arc::new(|| WallClock.now());
        let twilio =
            Arc::new(twilio::simulator::Simulator::new(wall, format!("{}/api/webhooks/twilio", public.origin())));
        let services = Services {
            store: db.store(),
            clock: clock.clone(),
            wall: Arc::new(WallClock),
            entropy: entropy.clone(),
            gateway: Arc::new(gateway(&own).carried_here(simulator.clone(), DateTime::UNIX_EPOCH)),
            maps: Arc::new(
                mapbox::Mapbox::new(mapbox::MapboxConfig::new(
                    format!("{own}/simulators/mapbox"),
                    mapbox::simulator::DEMO_TOKEN.into(),
                ))
                .unwrap(),
            ),
            mailer: Arc::new(mail::FileMailer::new(&mailbox, sender, now.clone())),
            mail_gate: Arc::default(),
            texter: options.texts.then(|| texter(&own)),
            text_gate: Arc::default(),
            defaults: Defaults {
                company: Company {
                    name: "Portage".into(),
                    address: "1 Rue Peel, Montréal".into(),
                    support_email: "help@portage.test".into(),
                    support_phone: "514-555-0100".into(),
                    public_url: public.origin().into(),
                    ..Company::default()
                },
                policy: policy::Settings::default(),
                scheduling: scheduling::Settings::default(),
            },
            settings: Arc::default(),
            mode: options.mode,
            rates: Arc::default(),
            rooms: Arc::default(),
            bell: Arc::default(),
        };
        seed(&services).await;
        let identity = identity(&services, &folder, public.clone());
        let parts = Parts {
            services: services.clone(),
            authenticator: Arc::new(Tokens::new(services.clone(), identity.verifier())),
            identity: Some(identity.clone()),
        };
        let simulators = Simulators::new(Some(Carried { braintree: simulator, twilio }));
        let config = ServerConfig {
            mailbox: Some(mailbox.clone()),
            apps: options.apps,
            limits: options.limits,
            workers: Some(2),
            shutdown_seconds: 1,
            ..ServerConfig::demo(public)
        };
        let running = api::serve(config, parts, simulators::calls(simulators), listener).unwrap();
        let handle = running.server.handle();
        actix_web::rt::spawn(running.server);
        let http = browser();
        let app = TestApp {
            url: own,
            http,
            clock,
            services,
            identity,
            mail: mailbox,
            tokens: Mutex::default(),
            handle,
            check_jobs: true,
            _db: db,
            _folder: folder,
        };
        people::provision(&app, options.people).await;
        app
    }

    /// Runs what is due until nothing is.
    pub async fn run_jobs(&self) {
        for _ in 0..200 {
            if service::jobs::run_due(&self.services, "test").await.unwrap() == 0 {
                return;
            }
        }
        panic!("the queue does not run dry");
    }

    /// The secret of the newest link that was mailed whose path begins so.
    pub async fn mailed_secret(&self, path: &str) -> String {
        let mails = self.get(people::GUEST, "/simulators/mailbox/messages").await.expect(200).body;
        for mail in mails["data"].as_array().unwrap() {
            let one = format!("/simulators/mailbox/messages/{}", mail["id"].as_str().unwrap());
            let body = self.get(people::GUEST, &one).await.expect(200).body;
            if let Some(link) = body["text"].as_str().unwrap().split_whitespace().find(|word| word.contains(path)) {
                return link.rsplit_once(path).unwrap().1.split('?').next().unwrap().to_owned();
            }
        }
        panic!("no link to {path} was mailed")
    }

    /// The mate that somebody is, by their id.
    pub async fn mate_of(&self, who: &str) -> String {
        let email: kernel::Email = people::email(who).parse().unwrap();
        let found = self.services.store.read(move |u| u.members().by_email(&email.key()));
        let member: Result<_, StoreError> = found.await;
        member.unwrap().unwrap().mate_id.unwrap().to_string()
    }

    /// Empties the directory of its mates.
    pub async fn nobody_works_here(&self) {
        self.services
            .store
            .write(|u| {
                for mate in u.directory().mates()? {
                    u.directory().update_mate(&MateRecord { state: At::stored(MateState::Archived), ..mate })?;
                }
                Ok::<_, StoreError>(())
            })
            .await
            .unwrap();
    }

    /// For tests about something else than what the jobs do.
    pub fn leave_jobs(&mut self) {
        self.check_jobs = false;
    }

    pub async fn audit_rows(&self, request_id: &str) -> i64 {
        let id = request_id.to_owned();
        self.services
            .store
            .read(move |u| u.audits().count_for_request(&id).map_err(service::Error::from))
            .await
            .unwrap()
    }

    /// Makes every row of the audit trail one about its request (it is read by subject only, and
    /// append only), and reads the actions of one.
    pub async fn trail_by_request(&self) -> impl AsyncFn(String) -> Vec<String> {
        self._db.execute("DROP TRIGGER audit_rows_no_update");
        self._db.execute(
            "UPDATE audit_rows SET subject_kind = 'request', subject_id = request_id WHERE request_id IS NOT NULL",
        );
        async move |request: String| {
            let rows = self.services.store.read(move |u| u.audits().of_subject("request", &request)).await;
            rows.map_err(|e: StoreError| e).unwrap().into_iter().map(|row| row.action).collect()
        }
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        let (store, now) = (self.services.store.clone(), self.clock.now());
        // The command is sent at once; the server ends when its runtime runs again.
        drop(self.handle.stop(false));
        let wanted = self.check_jobs && !std::thread::panicking();
        let due = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let figures: Result<QueueFigures, StoreError> = store.read(move |u| u.jobs().figures(now)).await;
                figures.map(|f| (f.due, f.dead)).unwrap_or_default()
            })
        })
        .join()
        .unwrap();
        if wanted {
            assert_eq!(due, (0, 0), "jobs were left (due, dead): call run_jobs()");
        }
    }
}

/// A client like a browser: it follows nothing by itself. Each request has a connection of its own:
/// the server closes idle ones after five seconds, and on a busy machine a request may be written to
/// one in the moment in which it is closed. (Browsers send it again; a POST cannot be sent again by us.)
pub fn browser() -> reqwest::Client {
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        // Nothing here is by TLS; reading the machine's certificates for each client takes as long as a test.
        .tls_certs_only([])
        .pool_max_idle_per_host(0)
        .build()
        .unwrap()
}

fn texter(own: &str) -> Arc<dyn service::ports::sms::Texter> {
    let config = twilio::Config {
        base_url: format!("{own}/simulators/twilio/2010-04-01"),
        account_sid: twilio::simulator::DEMO_ACCOUNT.into(),
        auth_token: twilio::simulator::DEMO_TOKEN.to_owned().into(),
        sender: twilio::simulator::DEMO_NUMBER.into(),
        timeouts: twilio::Timeouts::default(),
    };
    Arc::new(twilio::Twilio::new(config).unwrap())
}

fn gateway(own: &str) -> braintree::BraintreeGateway {
    braintree::BraintreeGateway::new(braintree::Config {
        endpoint: format!("{own}/simulators/braintree/graphql"),
        public_key: braintree::simulator::DEMO_KEY.into(),
        private_key: braintree::simulator::DEMO_KEY.to_owned().into(),
        merchant_account_id: "simulator_cad".into(),
        environment: braintree::Environment::Simulator,
        api_request_key: true,
        timeouts: braintree::Timeouts::default(),
    })
    .unwrap()
}

fn identity(services: &Services, folder: &TempDir, public: PublicUrl) -> Identity {
    let keys = SigningKeys::load(&KeySource::Folder(folder.path().join("keys"))).unwrap();
    let ctx = services.clone();
    let outbox = move |u: &mut dyn Unit, m: &MailRequest, now: DateTime<Utc>| {
        let message = service::mailing::NewMessage {
            dedup_key: m.dedup_key.clone(),
            booking_id: None,
            user_id: Some(m.user_id),
            message_type: m.template.to_owned(),
            language: m.language,
            to: m.to.clone(),
            to_name: m.to_name.clone(),
            values: m.values.clone(),
        };
        Tx::within(u, &ctx, Actor::system(), |tx| {
            tx.now = now;
            service::mailing::queue(tx, message)
        })
    };
    Identity::new(
        services.store.clone(),
        services.clock.clone(),
        services.entropy.clone(),
        Arc::new(outbox),
        keys,
        public,
    )
    .with_cheap_passwords()
}

async fn seed(s: &Services) {
    let (now, rate_id, discount_id) = (s.clock.now(), s.entropy.uuid(s.clock.now()), s.entropy.uuid(s.clock.now()));
    s.store
        .write(move |u| {
            let from: DateTime<Utc> = "2026-01-01T00:00:00Z".parse().unwrap();
            u.rates().insert(&StoredRate {
                id: RateId(rate_id),
                name: "standard".into(),
                version: 1,
                effective_from: from,
                effective_to: None,
                card: pricing::RateCard::builtin(),
            })?;
            for hub in ["montreal", "toronto", "vancouver", "calgary"] {
                for weekday in 0..7 {
                    u.capacities().set_default(hub, weekday, DayCapacity { mates: 8, trucks: [3, 3, 2] })?;
                }
            }
            // As many as the calendar has; of fixed ids, so that nobody else's change. One more is a person.
            for n in 1..8 {
                u.members().insert(&Member {
                    id: OpsMemberId(Uuid::from_u128(0xad00 + n)),
                    email: format!("mate{n}@portage.test").parse().unwrap(),
                    first_name: format!("Mate{n}"),
                    last_name: "Tester".into(),
                    role: MemberRole::Mate,
                    partner_id: None,
                    mate_id: Some(MateId(Uuid::from_u128(0xae00 + n))),
                    created_at: now,
                    version: 1,
                })?;
            }
            u.discounts().insert(&StoredDiscount {
                id: kernel::DiscountId(discount_id),
                code: "WELCOME10".into(),
                terms: pricing::DiscountTerms::Percent { share: kernel::BasisPoints::new(1_000), max: None },
                valid_from: "2026-01-01".parse().unwrap(),
                valid_until: "2028-12-31".parse().unwrap(),
                bookable_from: None,
                bookable_until: None,
                max_uses: None,
                max_uses_per_customer: None,
                first_booking_only: false,
                uses: 0,
                provinces: vec![Province::QC, Province::ON],
                kinds: Vec::new(),
                disabled: false,
                created_at: now,
                version: 1,
            })?;
            Ok::<_, StoreError>(())
        })
        .await
        .unwrap();
}

/// Keeps `Store` in scope for the inherent methods on `dyn Store`.
pub fn is_store(_: &dyn Store) {}
