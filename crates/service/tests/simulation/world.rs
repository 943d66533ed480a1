//! One schedule's world: what the seed decided about it, its clocks, its database, its outside
//! services, and servers that come and go.

use std::{
    fmt,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use chrono::{DateTime, Utc};
use service::{
    Company, Defaults, Mode, Services, jobs,
    ports::{Clock, StoreResult, Unit},
};
use store::testing::Inline;
use tokio::{
    sync::Notify,
    task::{AbortHandle, JoinHandle, spawn_local},
};

use crate::{
    acks::Acks,
    dice::Dice,
    gateway::{Bank, SimGateway},
    outside::{Post, SeededEntropy, ServersStore, SimMailer, SimMaps},
    people,
    time::{Business, Wall},
    trace::Trace,
};

/// How far away the move is when it is booked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lead {
    /// Within 48 hours: paid with the booking.
    Near,
    /// 48 to 72 hours: one charge.
    Merged,
    /// A deposit and a balance.
    Split,
    /// Beyond two months: money in trust.
    Far,
}

/// When the next job is due, and what was written when that was read (see [`World::next_job`]).
struct NextJob {
    read_at: (u64, u64),
    due: Option<DateTime<Utc>>,
}

/// What the seed decided before anything happened.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    pub lead: Lead,
    /// Requests that arrive after the gateway's horizon.
    pub strays: bool,
    /// The gateway knows a repeated request.
    pub request_key: bool,
    /// Declined charges of a thousand.
    pub declines: u64,
    /// Captured charges of a thousand that the bank refuses when they settle.
    pub refused_at_settlement: u64,
    /// Refunds of a thousand that the bank of the card refuses.
    pub refunds_refused: u64,
    /// Charges of a thousand that their cardholders dispute.
    pub disputed: u64,
    /// Deeds of a thousand that are the money desk's.
    pub desk: u64,
    /// Hours until a charge is settled.
    pub settles_after: i64,
    /// Trouble of outside services and database, in per cent of the usual.
    pub trouble: u64,
    /// Longest usual wait for the database, milliseconds.
    pub slow_store: u64,
    /// The business clock stands still unless moved.
    pub still: bool,
    /// Servers, each with one worker or two.
    pub servers: u64,
    /// Events before the world comes to rest.
    pub events: u64,
    /// Room for one move at a time only.
    pub tight: bool,
    /// Customers who do anything.
    pub customers: usize,
}

impl Plan {
    pub fn of(seed: u64) -> Plan {
        let d = Dice::of(seed, "plan");
        Plan {
            lead: d.weighed(&[(3, Lead::Near), (2, Lead::Merged), (4, Lead::Split), (1, Lead::Far)]),
            strays: d.often(200),
            request_key: d.often(300),
            declines: d.weighed(&[(6, 0), (2, 150), (1, 500), (1, 1_000)]),
            refused_at_settlement: d.weighed(&[(7, 0), (2, 100), (1, 400)]),
            refunds_refused: Dice::of(seed, "refused refunds").weighed(&[(24, 0), (1, 300), (1, 900)]),
            disputed: Dice::of(seed, "disputed").weighed(&[(5, 0), (1, 150), (1, 500)]),
            desk: Dice::of(seed, "how much of the desk").weighed(&[(2, 0), (2, 300), (1, 600)]),
            settles_after: d.pick(&[0, 12, 24]),
            trouble: d.pick(&[0, 50, 100, 300]),
            slow_store: d.pick(&[0, 14, 60, 400]),
            still: d.often(500),
            servers: 1 + d.below(2),
            events: 5 + d.below(18),
            tight: d.often(150),
            customers: 1 + usize::from(d.often(300)),
        }
    }
}

pub struct World {
    pub plan: Plan,
    pub trace: Trace,
    pub wall: Arc<Wall>,
    pub clock: Arc<Business>,
    pub db: Arc<Inline>,
    pub bank: Bank,
    pub post: Post,
    pub acks: Acks,
    pub entropy: Dice,
    /// Fates of requests at the gateway.
    pub fates: Dice,
    /// Refunds that are refused.
    pub refusals: Dice,
    /// Charges that are disputed.
    pub quarrels: Dice,
    lags: Dice,
    troubles: Dice,
    calm: AtomicBool,
    next_job: Mutex<Option<NextJob>>,
    /// Workers that hold jobs.
    pub busy: AtomicUsize,
    /// Rung when the business clock was moved.
    pub moved: Notify,
    /// The last time a server was killed or a worker left its jobs behind, in milliseconds of real time.
    pub killed: Mutex<Option<u64>>,
}

impl World {
    pub fn new(seed: u64, db: Arc<Inline>, keep_text: bool) -> Arc<World> {
        let plan = Plan::of(seed);
        let wall = Arc::new(Wall::start());
        if plan.tight {
            people::one_crew_only(&db);
        }
        Arc::new(World {
            plan,
            trace: Trace::new(keep_text),
            clock: Arc::new(Business::start(wall.clone(), plan.still)),
            wall,
            db,
            bank: Bank::default(),
            post: Post::default(),
            acks: Acks::default(),
            entropy: Dice::of(seed, "entropy"),
            fates: Dice::of(seed, "fates"),
            refusals: Dice::of(seed, "refusals"),
            quarrels: Dice::of(seed, "quarrels"),
            lags: Dice::of(seed, "lags"),
            troubles: Dice::of(seed, "troubles"),
            calm: AtomicBool::new(false),
            next_job: Mutex::default(),
            busy: AtomicUsize::new(0),
            moved: Notify::new(),
            killed: Mutex::new(None),
        })
    }

    pub fn step(&self, what: fmt::Arguments<'_>) {
        self.trace.step(self.wall.millis(), what);
    }

    /// What has settled by now, or was refused then.
    pub fn settle_charges(&self) {
        self.bank.settle(self.clock.now(), chrono::Duration::hours(self.plan.settles_after));
    }

    pub fn wrong(&self, why: String) {
        self.trace.wrong(why);
    }

    pub fn calm(&self) -> bool {
        self.calm.load(Ordering::Relaxed)
    }

    pub fn set_calm(&self, calm: bool) {
        self.calm.store(calm, Ordering::Relaxed);
    }

    /// Something goes wrong outside; so often in a thousand, as the plan scales it.
    pub fn nasty(&self, per_mille: u64) -> bool {
        !self.calm() && self.troubles.often(per_mille * self.plan.trouble / 100)
    }

    /// The time one call takes, by what is called and by the seed.
    pub async fn lag(&self, what: &str) {
        let millis = match what {
            _ if self.calm() => 0,
            "store" if self.plan.slow_store == 0 => 0,
            "store" if self.lags.often(15) => self.lags.below(4_000),
            "store" => self.lags.below(self.plan.slow_store),
            _ if self.lags.often(100) => self.lags.below(20_000),
            _ => self.lags.below(300),
        };
        // Also without a wait: it brings whoever slept by a timer of its own back to the grid.
        self.wall.pass(millis).await;
    }

    /// When the next job is due that is not held back; asked for often, so it is remembered until
    /// something is written, or for a second.
    pub fn next_job(&self) -> Option<DateTime<Utc>> {
        let written = (self.db.writes(), self.wall.millis() / 1_000);
        let mut known = self.next_job.lock().unwrap();
        match &*known {
            Some(NextJob { read_at, due }) if *read_at == written => *due,
            _ => {
                let wall = self.wall.now();
                let next = self.look(move |u| u.jobs().next_run_at(wall));
                *known = Some(NextJob { read_at: written, due: next });
                next
            }
        }
    }

    /// Looks into the database, without a server.
    pub fn look<T: Send + 'static>(&self, f: impl FnOnce(&mut dyn Unit) -> StoreResult<T> + Send + 'static) -> T {
        let slot = Arc::new(Mutex::new(None));
        let inner = slot.clone();
        let work = Box::new(move |u: &mut dyn Unit| {
            *inner.lock().unwrap() = Some(f(u));
            Ok(())
        });
        self.db.run(work, false).unwrap();
        let told = slot.lock().unwrap().take();
        told.unwrap().unwrap()
    }
}

/// A running program: requests and workers that die together.
pub struct Server {
    pub name: String,
    pub services: Services,
    tasks: Vec<AbortHandle>,
}

impl Server {
    pub fn start(world: &Arc<World>, name: String) -> Server {
        let services = Services {
            store: Arc::new(ServersStore { db: world.db.clone(), world: world.clone() }),
            clock: world.clock.clone(),
            wall: world.wall.clone(),
            entropy: Arc::new(SeededEntropy(world.clone())),
            gateway: Arc::new(SimGateway(world.clone())),
            maps: Arc::new(SimMaps(world.clone())),
            mailer: Arc::new(SimMailer(world.clone())),
            mail_gate: Arc::default(),
            texter: None,
            text_gate: Arc::default(),
            defaults: Defaults {
                company: Company {
                    name: "Portage".into(),
                    address: "1 rue du Test, Montréal".into(),
                    support_email: "help@portage.test".into(),
                    support_phone: "514 555-0100".into(),
                    public_url: "http://localhost:8080".into(),
                    ..Company::default()
                },
                ..Defaults::default()
            },
            settings: Arc::default(),
            mode: Mode::Production,
            rates: Arc::default(),
            rooms: Arc::default(),
            bell: Arc::default(),
        };
        world.step(format_args!("{name} starts"));
        let mut server = Server { name, services, tasks: Vec::new() };
        // On the heap: a future of this size is not moved from hand to hand.
        let worker = Box::pin(work(world.clone(), server.services.clone(), server.name.clone()));
        server.spawn(world, worker);
        server
    }

    /// Runs something in this server until it ends or the server is killed.
    pub fn spawn(&mut self, world: &Arc<World>, task: impl Future<Output = ()> + 'static) -> JoinHandle<()> {
        self.tasks.retain(|t| !t.is_finished());
        let world = world.clone();
        let handle = spawn_local(async move {
            let ended = spawn_local(task);
            let _guard = Abort(ended.abort_handle());
            if let Err(e) = ended.await
                && e.is_panic()
            {
                world.wrong(format!("a use case panicked: {e}"));
            }
        });
        self.tasks.push(handle.abort_handle());
        handle
    }

    /// Everything that ran in it is gone at once; what was committed stays.
    pub fn kill(self, world: &World) {
        world.step(format_args!("{} is killed", self.name));
        for task in &self.tasks {
            task.abort();
        }
        *world.killed.lock().unwrap() = Some(world.wall.millis());
    }
}

/// Aborts with its owner.
struct Abort(AbortHandle);

impl Drop for Abort {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A worker that has, or looks for, jobs.
struct Busy<'w>(&'w World);

impl Busy<'_> {
    fn at(world: &World) -> Busy<'_> {
        world.busy.fetch_add(1, Ordering::Relaxed);
        Busy(world)
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A worker: what is due, then a nap until something may be.
async fn work(world: Arc<World>, s: Services, who: String) {
    loop {
        // A worker that died leaves jobs whose lease runs out by real time, and nobody rings for them.
        let lately = world.killed.lock().unwrap().is_some_and(|at| world.wall.millis() < at + 180_000);
        let due = |world: &World| world.next_job().is_some_and(|at| at <= world.clock.now());
        if lately || due(&world) {
            let busy = Busy::at(&world);
            let ran = jobs::run_due(&s, &who).await;
            drop(busy);
            match ran {
                Ok(0) => {}
                Ok(n) => {
                    world.step(format_args!("{who} ran {n} jobs"));
                    continue;
                }
                Err(e) => {
                    // What it had claimed waits for the end of its lease.
                    world.step(format_args!("{who} cannot work: {e}"));
                    *world.killed.lock().unwrap() = Some(world.wall.millis());
                }
            }
        }
        // Jobs may be held back by real time while money is under way; then it looks more often.
        let longest: u64 = match (lately || world.bank.on_their_way() > 0, world.calm()) {
            (true, false) => 10_000,
            (true, true) => 45_000,
            _ => 90_000,
        };
        let now = world.clock.now();
        let nap = world
            .next_job()
            .filter(|at| world.clock.runs() || *at <= now)
            .map_or(longest, |at| u64::try_from((at - now).num_milliseconds()).unwrap_or(0).clamp(50, longest));
        tokio::select! {
            biased;
            () = s.bell.rung(None) => {}
            () = world.moved.notified() => {}
            () = world.wall.pass(nap) => {}
        }
    }
}
