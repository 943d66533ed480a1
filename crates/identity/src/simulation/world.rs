//! One schedule's world: what the seed decided about it, its clocks, its database, its mail, and
//! servers that come and go.

use std::{
    path::PathBuf,
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, OnceLock},
};

use kernel::chrono::{DateTime, Utc};
use service::{
    Services,
    ports::{Clock, Entropy, Store, StoreError, StoreResult, Unit, identity::TokenPurpose, store::Work},
};
use store::testing::Inline;
use tokio::task::{AbortHandle, JoinHandle, spawn_local};

use super::{
    dice::Dice,
    judge::Judge,
    model::{Model, Span, Target},
    outside::services,
    rights::DidEnd,
    time::{Business, Wall},
    trace::Trace,
};
use crate::{
    Identity, KeySource, MailRequest, SigningKeys,
    testing::{SITE, param},
};

/// What the seed decided before anything happened.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plan {
    /// Trouble of the database, in per cent of the usual.
    pub trouble: u64,
    /// Longest usual wait for the database, milliseconds.
    pub slow_store: u64,
    /// The business clock stands still unless moved.
    pub still: bool,
    pub events: u64,
}

impl Plan {
    fn of(seed: u64) -> Plan {
        let d = Dice::of(seed, "plan");
        Plan {
            trouble: d.pick(&[0, 50, 100, 300]),
            slow_store: d.pick(&[0, 14, 60, 400]),
            still: d.often(500),
            events: 12 + d.below(40),
        }
    }
}

pub(super) struct World {
    pub plan: Plan,
    pub trace: Trace,
    pub wall: Arc<Wall>,
    pub clock: Arc<Business>,
    pub db: Arc<Inline>,
    model: Mutex<Model>,
    judge: Judge,
    /// Mails of the unit of work that runs now.
    staged: Mutex<Vec<MailRequest>>,
    entropy: Dice,
    lags: Dice,
    troubles: Dice,
    post: Dice,
}

/// The same for all schedules: making a key takes longer than a schedule.
pub(super) fn keys() -> SigningKeys {
    static KEYS: OnceLock<SigningKeys> = OnceLock::new();
    let make = || SigningKeys::load(&KeySource::Folder(tempfile::tempdir().unwrap().path().to_owned())).unwrap();
    KEYS.get_or_init(make).clone()
}

impl World {
    pub fn new(seed: u64, db: Arc<Inline>, keep_text: bool) -> Arc<World> {
        let plan = Plan::of(seed);
        let wall = Arc::new(Wall::start());
        let clock = Arc::new(Business::start(wall.clone(), plan.still));
        Arc::new(World {
            plan,
            trace: Trace::new(keep_text),
            judge: Judge::new(&db, &clock, seed),
            clock,
            wall,
            db,
            model: Mutex::new(Model::new()),
            staged: Mutex::default(),
            entropy: Dice::of(seed, "entropy"),
            lags: Dice::of(seed, "lags"),
            troubles: Dice::of(seed, "troubles"),
            post: Dice::of(seed, "post"),
        })
    }

    pub fn step(&self, what: std::fmt::Arguments<'_>) {
        self.trace.step(self.wall.millis(), what);
    }

    pub fn wrong(&self, why: String) {
        self.trace.wrong(why);
    }

    pub fn model(&self) -> MutexGuard<'_, Model> {
        // One thread: whoever has it gives it back before anything waits.
        self.model.try_lock().unwrap()
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Looks at everything; `all`: also at what was found to have ended before.
    pub fn look(&self, all: bool) {
        if !self.trace.broken()
            && let Err(why) = self.judge.look(&mut self.model(), self.now(), all)
        {
            self.wrong(why);
        }
    }

    async fn lag(&self) {
        let millis = match self.plan.slow_store {
            0 => 0,
            _ if self.lags.often(15) => self.lags.below(4_000),
            usual => self.lags.below(usual),
        };
        self.wall.pass(millis).await;
    }

    fn nasty(&self, per_mille: u64) -> bool {
        self.troubles.often(per_mille * self.plan.trouble / 100)
    }

    /// A mail was committed: its link is in the mailbox some day.
    fn deliver(&self, mail: &MailRequest) {
        let reset = mail.template == "passwordReset";
        let url = mail.values[if reset { "resetUrl" } else { "verifyUrl" }].as_str().unwrap();
        let token = param(url, "token").unwrap();
        let expires = mail.expires_at;
        let late = self.post.weighed(&[(6, 0), (3, 20_000), (1, 600_000)]);
        let arrives = self.wall.millis() + self.post.below(late + 1);
        let purpose = if reset { TokenPurpose::ResetPassword } else { TokenPurpose::VerifyEmail };
        self.step(format_args!("mail {purpose:?}, arrives at {arrives}"));
        self.model().add_link(token, reset, mail.user_id, expires, arrives);
    }
}

/// An act under way. When it is dropped before it is over, nobody knows what it did.
pub(super) struct Act {
    w: Arc<World>,
    targets: Vec<Target>,
    pub from: u64,
    began: DateTime<Utc>,
    over: bool,
}

impl Act {
    pub fn begin(w: &Arc<World>, targets: Vec<Target>) -> Act {
        let from = w.model().begin(&targets);
        Act { w: w.clone(), from, targets, began: w.now(), over: false }
    }

    /// From its beginning until now.
    pub fn span(&self) -> Span {
        Span { from: self.began, until: self.w.now() }
    }

    pub fn over(&mut self, m: &mut Model, how: impl Fn(&Target) -> DidEnd) {
        self.over = true;
        m.end(&self.targets, self.from, how);
    }
}

impl Drop for Act {
    fn drop(&mut self) {
        if !self.over {
            self.w.model().end(&self.targets, self.from, |_| DidEnd::Perhaps);
        }
    }
}

/// One server's way to the database. A server that is killed while it waits here has either not
/// begun its unit or finished it; it may not hear of that.
struct ServersStore(Arc<World>);

type UnitFuture<'s> = Pin<Box<dyn Future<Output = StoreResult<()>> + Send + 's>>;

impl Store for ServersStore {
    fn read_unit(&self, work: Work) -> UnitFuture<'_> {
        Box::pin(async move {
            self.0.lag().await;
            if self.0.nasty(4) {
                return Err(StoreError::Busy);
            }
            self.0.db.run(work, false)
        })
    }

    fn write_unit(&self, work: Work) -> UnitFuture<'_> {
        let w = &self.0;
        Box::pin(async move {
            w.lag().await;
            if w.nasty(6) {
                return Err(StoreError::Busy);
            }
            w.staged.lock().unwrap().clear();
            let done = w.db.run(work, true);
            let mails = std::mem::take(&mut *w.staged.lock().unwrap());
            if done.is_ok() {
                mails.iter().for_each(|mail| w.deliver(mail));
            }
            w.lag().await;
            // Committed, and nobody is told.
            if done.is_ok() && w.nasty(10) { Err(StoreError::Unavailable) } else { done }
        })
    }

    fn ping(&self) -> UnitFuture<'_> {
        self.0.db.ping()
    }

    fn backup(&self, target: PathBuf) -> UnitFuture<'_> {
        self.0.db.backup(target)
    }

    fn engine(&self) -> &'static str {
        "sqlite"
    }
}

/// Bytes of the seed.
pub(super) struct Seeded<F>(pub F);

impl<F: Fn() -> u64 + Send + Sync> Entropy for Seeded<F> {
    fn fill(&self, out: &mut [u8]) {
        for chunk in out.chunks_mut(8) {
            chunk.copy_from_slice(&(self.0)().to_le_bytes()[..chunk.len()]);
        }
    }
}

/// A running program: requests that die together.
pub(super) struct Server {
    pub name: String,
    pub identity: Identity,
    pub services: Services,
    tasks: Vec<AbortHandle>,
}

impl Server {
    pub fn start(w: &Arc<World>, name: String) -> Server {
        w.step(format_args!("{name} starts"));
        let store: Arc<dyn Store> = Arc::new(ServersStore(w.clone()));
        let random = w.clone();
        let entropy: Arc<dyn Entropy> = Arc::new(Seeded(move || random.entropy.next()));
        let letters = w.clone();
        let outbox = move |_: &mut dyn Unit, mail: &MailRequest, _: DateTime<Utc>| {
            letters.staged.lock().unwrap().push(mail.clone());
            Ok(())
        };
        let site = SITE.parse().unwrap();
        let identity = Identity::new(store.clone(), w.clock.clone(), entropy.clone(), Arc::new(outbox), keys(), site)
            .with_cheap_passwords();
        let services = services(store, w.clock.clone(), w.wall.clone(), entropy);
        Server { name, identity, services, tasks: Vec::new() }
    }

    /// Runs something in this server until it ends or the server is killed.
    pub fn spawn(&mut self, w: &Arc<World>, task: impl Future<Output = ()> + 'static) -> JoinHandle<()> {
        self.tasks.retain(|t| !t.is_finished());
        let w = w.clone();
        let handle = spawn_local(async move {
            let ended = spawn_local(task);
            let _guard = Abort(ended.abort_handle());
            if let Err(e) = ended.await
                && e.is_panic()
            {
                w.wrong(format!("a use case panicked: {e}"));
            }
        });
        self.tasks.push(handle.abort_handle());
        handle
    }

    /// Everything that ran in it is gone at once; what was committed stays.
    pub fn kill(self, w: &World) {
        w.step(format_args!("{} is killed", self.name));
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}

/// Aborts with its owner.
struct Abort(AbortHandle);

impl Drop for Abort {
    fn drop(&mut self) {
        self.0.abort();
    }
}
