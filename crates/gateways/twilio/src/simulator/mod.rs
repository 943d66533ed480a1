//! A stand-in for Twilio that speaks its protocol: it takes messages, lists and reads them, reports what becomes of them by signed calls, and
//! lets people answer STOP and START. In memory: it starts anew with its process, as no message of it reached anybody.
//!
//! Below the prefix the server mounts it at:
//! - `POST|GET 2010-04-01/Accounts/{sid}/Messages.json`, `GET …/Messages/{sid}.json`: the service's own calls;
//! - `POST control {"outcomes": […], "number"?, "hold"?}` queues what happens to the next messages (see [`Outcome`]); `GET`, `DELETE`;
//! - `POST inbound {"from", "body"}`: somebody writes to us;
//! - `GET messages`: what it has, `GET callbacks`: the reports it holds back, signed.
//!
//! The numbers of the service's test credentials are refused as there: +15005550001 to +15005550009.

mod callbacks;
mod control;
mod messages;

use std::{
    collections::{BTreeSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use kernel::chrono::{DateTime, Utc};
use secrecy::SecretString;
use serde::Serialize;
use serde_json::{Value, json};
use service::ports::sms::SmsStatus;

pub use control::Outcome;

/// The account that the demo signs in with.
pub const DEMO_ACCOUNT: &str = "AC00000000000000000000000000000000";
/// Its token.
pub const DEMO_TOKEN: &str = "portage-demo";
/// The number that its messages are from.
pub const DEMO_NUMBER: &str = "+15145550100";

/// Messages that are kept: the newest.
const MOST: usize = 1_000;

/// The simulator's look at the time; an outside service goes by real time.
pub type SimClock = Arc<dyn Fn() -> DateTime<Utc> + Send + Sync>;

/// One HTTP request below the simulator's prefix.
#[derive(Debug, Clone, Default)]
pub struct SimRequest {
    /// `GET`, `POST`, …
    pub method: String,
    /// What follows the prefix.
    pub path: String,
    /// The raw query string.
    pub query: String,
    /// The header `Authorization`.
    pub authorization: Option<String>,
    /// The body.
    pub body: Vec<u8>,
}

/// What to answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimReply {
    /// HTTP status.
    pub status: u16,
    /// The body, JSON.
    pub body: Vec<u8>,
    /// Value of `Retry-After`.
    pub retry_after: Option<u32>,
    /// Do not answer: close the connection.
    pub drop_connection: bool,
}

impl SimReply {
    fn json(status: u16, body: &Value) -> SimReply {
        SimReply { status, body: body.to_string().into_bytes(), retry_after: None, drop_connection: false }
    }

    fn error(status: u16, code: i32, message: &str) -> SimReply {
        let more = format!("https://www.twilio.com/docs/errors/{code}");
        SimReply::json(status, &json!({ "code": code, "message": message, "more_info": more, "status": status }))
    }
}

/// A message in the simulator's memory.
#[derive(Debug, Clone, Serialize)]
struct StoredMessage {
    sid: String,
    from: String,
    to: String,
    body: String,
    #[serde(serialize_with = "status")]
    status: SmsStatus,
    error_code: Option<i32>,
    segments: usize,
    validity_period: Option<u32>,
    callback: String,
    created_at: DateTime<Utc>,
    sent_at: Option<DateTime<Utc>>,
}

fn status<S: serde::Serializer>(status: &SmsStatus, s: S) -> Result<S::Ok, S::Error> {
    s.serialize_str(status.code())
}

/// A call of ours that is still to be made.
#[derive(Debug, Clone)]
struct Report {
    /// The message it changes, when it is made: its status and error code.
    change: Option<(String, SmsStatus, Option<i32>)>,
    url: String,
    form: Vec<(String, String)>,
}

#[derive(Default)]
struct Core {
    messages: VecDeque<StoredMessage>,
    /// What happens to the next messages; to those of a number alone, where one is named.
    queue: VecDeque<(Option<String>, Outcome)>,
    reports: VecDeque<Report>,
    stopped: BTreeSet<String>,
    /// Reports wait until somebody fetches them.
    holds: bool,
    made: u64,
    /// Another number each time it is begun: what it makes then is not named like what it made before, as whoever uses it
    /// remembers those names.
    begun: u64,
}

/// The simulated service. Share it behind an `Arc`.
pub struct Simulator {
    core: Mutex<Core>,
    clock: SimClock,
    /// Where it tells what people write.
    inbound: String,
    token: SecretString,
    delivering: AtomicBool,
}

impl Simulator {
    /// An empty one. `inbound` is where it tells what people write to us.
    pub fn new(clock: SimClock, inbound: impl Into<String>) -> Simulator {
        let mut begun = [0; 8];
        // Where the system has no randomness, names of two runs may be the same.
        let _ = aws_lc_rs::rand::fill(&mut begun);
        let core = Core { begun: u64::from_ne_bytes(begun), ..Core::default() };
        Simulator {
            core: Mutex::new(core),
            clock,
            inbound: inbound.into(),
            token: DEMO_TOKEN.to_owned().into(),
            delivering: AtomicBool::new(false),
        }
    }

    fn now(&self) -> DateTime<Utc> {
        (self.clock)()
    }

    fn core(&self) -> MutexGuard<'_, Core> {
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn signs_in(authorization: Option<&str>) -> bool {
        let pair = STANDARD.encode(format!("{DEMO_ACCOUNT}:{DEMO_TOKEN}"));
        authorization.and_then(|header| header.strip_prefix("Basic ")).is_some_and(|told| told == pair)
    }

    /// Answers a request. What is held back goes on when the client does not wait for it any more.
    pub async fn call(self: Arc<Self>, request: SimRequest) -> SimReply {
        let (path, method) = (request.path.trim_matches('/').to_owned(), request.method.to_ascii_uppercase());
        let ours = format!("2010-04-01/Accounts/{DEMO_ACCOUNT}/Messages");
        let reply = match path.strip_prefix("2010-04-01/") {
            Some(_) if !Self::signs_in(request.authorization.as_deref()) => {
                SimReply::error(401, 20003, "Authentication Error - invalid username")
            }
            Some(_) => match (path.strip_prefix(&ours).unwrap_or("?"), method.as_str()) {
                (".json", "POST") => {
                    let simulator = self.clone();
                    // The work goes on when the caller has gone.
                    let work = tokio::spawn(async move { simulator.take(&request.body).await });
                    work.await.unwrap_or_else(|_| SimReply::error(500, 20500, "the simulator failed"))
                }
                (".json", "GET") => self.list(&request.query),
                (one, "GET") => self.one(one.trim_start_matches('/').trim_end_matches(".json")),
                _ => SimReply::error(404, 20404, "The requested resource was not found"),
            },
            None => match (path.as_str(), method.as_str()) {
                ("control", "POST") => self.control(&request.body),
                ("control", "GET") => self.queued(),
                ("control", "DELETE") => self.clear(),
                ("inbound", "POST") => self.inbound(&request.body),
                ("messages", "GET") => self.all(),
                ("callbacks", "GET") => self.take_held_reports(),
                _ => SimReply::error(404, 20404, "The text simulator has no such route"),
            },
        };
        callbacks::deliver(&self);
        reply
    }
}

/// What is waited for at most, so that a test ends.
const LONGEST_DELAY: Duration = Duration::from_secs(60);
