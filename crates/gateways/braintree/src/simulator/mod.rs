//! A stand-in for Braintree that speaks its GraphQL protocol and remembers what it did.
//!
//! It is an outside service that happens to live in our process: it has its own append-only file,
//! answers only what it has written there, and survives a killed server. It moves no money and
//! refuses nothing the real gateway takes; what it takes and the real one does not, is a bug.
//!
//! What decides an outcome, in this order:
//! 1. the input (`schema/subset.graphql`, amounts, nonces, states) as the real gateway would;
//! 2. the queue filled through `control`;
//! 3. the nonce: `fake-processor-declined-*`, `fake-gateway-rejected-*` and the cards that fail
//!    verification are refused when they are **stored**, not when they are charged;
//! 4. otherwise approval. The sandbox's amount table (2000.00 to 2999.99 is declined) is off,
//!    because real moves cost that much; [`Simulator::with_sandbox_amounts`] turns it on.
//!
//! A charge settles twelve hours after its capture by the simulator's clock; before that it can be
//! voided whole, after that refunded in parts. Through `control` its settlement may be declined, and
//! the cardholder may dispute it.
//!
//! An operation may be held back before it is applied, whether its client still waits or not. Until
//! then nothing shows it; when the process dies meanwhile it never happens.
//!
//! Routes, below the prefix the server mounts it at: `POST graphql`, `POST tokenize`,
//! `GET|POST|DELETE control`, `GET transactions`, `GET webhooks`. Serve them with
//! [`Simulator::call`]. `docs/simulated-gateway.md` describes `control`.

mod cards;
mod chaos;
mod charges;
mod control;
mod door;
mod graphql;
mod journal;
mod listing;
mod mutations;
mod outcomes;
mod plan;
mod records;
mod refunds;
mod render;
mod search;
mod settings;
mod state;
mod tokenize;
mod webhooks;

use std::{
    collections::{BTreeMap, HashMap},
    io,
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use chaos::Dice;
use journal::Journal;
use plan::Handling;
use records::Event;
use state::State;

pub use door::SimRequest;
pub use outcomes::{Operation, Outcome};
pub use webhooks::DEMO_KEY;

/// The simulator's look at the time.
pub type SimClock = Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>;

/// What to answer, and how badly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimReply {
    /// HTTP status.
    pub status: u16,
    /// Value of `Content-Type`.
    pub content_type: &'static str,
    /// The body.
    pub body: Vec<u8>,
    /// Wait this long before answering.
    pub delay: Option<Duration>,
    /// Do not answer: close the connection. What was applied stays applied. This is how the
    /// simulator loses an answer without anybody waiting for a time-out.
    pub drop_connection: bool,
}

impl SimReply {
    fn json(status: u16, body: &Value) -> Self {
        SimReply {
            status,
            content_type: "application/json",
            body: body.to_string().into_bytes(),
            delay: None,
            drop_connection: false,
        }
    }

    fn problem(status: u16, code: &str, detail: &str) -> Self {
        let body = json!({ "type": "about:blank", "status": status, "code": code, "detail": detail });
        SimReply { content_type: "application/problem+json", ..SimReply::json(status, &body) }
    }
}

/// State and file, changed together: the file first.
struct Core {
    state: State,
    journal: Journal,
    dice: Dice,
    /// Idempotency keys of what is held back, with the hash of their input.
    in_flight: HashMap<String, String>,
    /// When payments of this life of the process were applied: searches may lag behind.
    applied: HashMap<u64, Instant>,
    /// What chaos did in this life of the process.
    figures: BTreeMap<&'static str, u64>,
}

impl Core {
    /// Writes the events to disk as one unit, then applies them.
    fn commit(&mut self, events: Vec<Event>) -> Result<(), Fault> {
        self.journal.append(&events).map_err(|error| {
            tracing::error!(%error, "the payment simulator cannot write its file");
            Fault::internal("the simulator cannot write its file")
        })?;
        for event in events {
            self.state.apply(event);
        }
        Ok(())
    }
}

/// The simulated gateway. Share it behind an `Arc`.
pub struct Simulator {
    core: Mutex<Core>,
    clock: SimClock,
    sandbox_amounts: bool,
    requests: AtomicU64,
    /// One request is decided and applied at a time, as one process with one book would.
    desk: Mutex<()>,
    /// When the calls that are being worked on arrived.
    pending: door::Pending,
    webhooks_wanted: AtomicBool,
    delivering: AtomicBool,
}

impl Simulator {
    /// Opens the simulator on its own file, made if missing, and rebuilds what it knew.
    ///
    /// A last line that was being written when the process died is cut off: it was never answered.
    ///
    /// # Errors
    /// The file cannot be read or written, another process has it open (`WouldBlock`), or a
    /// complete line of it is not the simulator's (`InvalidData`).
    pub fn open(path: impl AsRef<Path>, clock: SimClock) -> io::Result<Simulator> {
        let (journal, past) = Journal::open(path.as_ref())?;
        // After a restart the dice fall differently, and as repeatably.
        let lines = u64::try_from(past.len()).map_err(io::Error::other)?;
        let mut core = Core {
            state: State::default(),
            journal,
            dice: Dice::new(lines),
            in_flight: HashMap::new(),
            applied: HashMap::new(),
            figures: BTreeMap::new(),
        };
        let fresh = past.is_empty();
        for event in past {
            core.state.apply(event);
        }
        if fresh {
            let salt = tokenize::random_hex(16).map_err(io::Error::other)?;
            let opened = vec![Event::Opened { salt }];
            core.journal.append(&opened)?;
            opened.into_iter().for_each(|e| core.state.apply(e));
        }
        if let Some(chaos) = &core.state.settings().chaos {
            core.dice = Dice::new(chaos.seed ^ lines);
        }
        let wanted = core.state.settings().webhook_url.is_some();
        Ok(Simulator {
            core: Mutex::new(core),
            clock,
            sandbox_amounts: false,
            requests: AtomicU64::new(0),
            desk: Mutex::new(()),
            pending: door::Pending::default(),
            webhooks_wanted: AtomicBool::new(wanted),
            delivering: AtomicBool::new(false),
        })
    }

    /// Lets amounts decide as in Braintree's sandbox (2000.00-2999.99 declined with that code,
    /// 3000.00-3000.99 failed, 5001.00 rejected).
    #[must_use]
    pub fn with_sandbox_amounts(mut self) -> Self {
        self.sandbox_amounts = true;
        self
    }

    fn now(&self) -> DateTime<Utc> {
        (self.clock)()
    }

    fn core(&self) -> MutexGuard<'_, Core> {
        // Memory is changed only after the file was, by code that does not panic.
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn request_id(&self) -> String {
        format!("00000000-0000-4000-8000-{:012x}", self.requests.fetch_add(1, Ordering::Relaxed))
    }

    fn desk(&self) -> MutexGuard<'_, ()> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers any request below the simulator's prefix, on this thread: it waits for the disk, and
    /// for as long as the operation is held back. Servers use [`Simulator::call`].
    ///
    /// `path` is what follows the prefix (`graphql`, `/control`), `query` the raw query string,
    /// `header` looks a request header up by its lower-case name.
    pub fn dispatch(
        &self,
        method: &str,
        path: &str,
        query: &str,
        header: &dyn Fn(&str) -> Option<String>,
        body: &[u8],
    ) -> SimReply {
        let method = method.to_ascii_uppercase();
        match (path.trim_matches('/'), method.as_str()) {
            ("graphql", "POST") => {
                self.handle_graphql(header("authorization").as_deref(), header("braintree-version").as_deref(), body)
            }
            ("tokenize", "POST") => self.tokenize(body),
            ("control", "POST") => self.control(body),
            ("control", "GET") => self.queued(),
            ("control", "DELETE") => self.clear_queue(),
            ("transactions", "GET") => self.transactions(query),
            ("webhooks", "GET") => self.webhooks(),
            ("graphql" | "tokenize" | "control" | "transactions" | "webhooks", _) => {
                SimReply::problem(405, "method_not_allowed", "this route does not have that method")
            }
            _ => SimReply::problem(404, "not_found", "the payment simulator has no such route"),
        }
    }
}

/// A GraphQL-level refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    class: &'static str,
    legacy: Option<&'static str>,
    message: String,
}

impl Fault {
    fn validation(legacy: &'static str, message: &str) -> Self {
        Fault { class: "VALIDATION", legacy: Some(legacy), message: message.to_owned() }
    }

    fn not_found(message: &str) -> Self {
        Fault { class: "NOT_FOUND", legacy: None, message: message.to_owned() }
    }

    fn internal(message: &str) -> Self {
        Fault { class: "INTERNAL", legacy: None, message: message.to_owned() }
    }

    fn extensions(&self) -> Value {
        match self.legacy {
            Some(legacy) => json!({ "errorClass": self.class, "legacyCode": legacy }),
            None => json!({ "errorClass": self.class }),
        }
    }
}

/// How an answer is spoiled on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Disruption {
    DropConnection,
    InternalError,
}

/// One request being worked on.
struct Turn {
    now: DateTime<Utc>,
    sandbox_amounts: bool,
    delay: Option<Duration>,
    disruption: Option<Disruption>,
    /// What was decided when it arrived.
    handling: Option<Handling>,
    /// It is delivered a second time.
    twice: bool,
    /// Its search finds nothing that was applied less than this long ago.
    blind: Option<Duration>,
}

impl Turn {
    /// Applies what a handling does to the answer.
    fn follow(&mut self, handling: Handling) {
        self.delay = (!handling.wait.is_zero()).then_some(handling.wait);
        self.twice = handling.twice;
        self.disruption = match handling.outcome {
            Outcome::TimeoutApplied | Outcome::TimeoutNotApplied => Some(Disruption::DropConnection),
            Outcome::Error500 => Some(Disruption::InternalError),
            _ => None,
        };
    }
}
