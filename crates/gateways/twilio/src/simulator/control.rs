//! What is to happen to the next messages, and what people write to us.

use std::{sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{LONGEST_DELAY, SimReply, Simulator};

/// What happens to a message.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Outcome {
    /// It is queued, sent and delivered.
    #[default]
    Deliver,
    /// It is sent, and the carrier says no more.
    Silent,
    /// It is sent and does not arrive.
    Undelivered {
        /// Why, `30003`.
        code: i32,
    },
    /// It is taken and never sent.
    Failed {
        /// Why.
        code: i32,
    },
    /// The reports come in the wrong order, each of them twice.
    OutOfOrder,
    /// It is not taken.
    Refuse {
        /// Why, `21614`.
        code: i32,
    },
    /// Too many calls.
    RateLimited {
        /// Seconds of `Retry-After`.
        seconds: u32,
    },
    /// It is taken, and the answer is an error 500.
    #[serde(rename = "error_500_applied")]
    Error500Applied,
    /// It is not taken, and the answer is an error 500.
    #[serde(rename = "error_500")]
    Error500,
    /// It is taken, and the answer is lost.
    LostAfter,
    /// Nothing arrives at the service, and no answer comes.
    LostBefore,
    /// It is taken only after so long, whether its client waits or not.
    SlowBefore {
        /// Milliseconds.
        ms: u64,
    },
}

impl Outcome {
    pub(super) fn wait(&self) -> Duration {
        match self {
            Outcome::SlowBefore { ms } => Duration::from_millis(*ms).min(LONGEST_DELAY),
            _ => Duration::ZERO,
        }
    }
}

/// A command.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Command {
    #[serde(default)]
    outcomes: Vec<Outcome>,
    /// Only of messages to this number.
    number: Option<String>,
    /// Reports wait to be fetched.
    hold: Option<bool>,
}

#[derive(Deserialize)]
struct Inbound {
    from: String,
    body: String,
}

/// What stops all messages to a number, and what lets them through again, as the service itself knows the words.
const STOPS: [&str; 8] = ["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"];
const STARTS: [&str; 3] = ["START", "YES", "UNSTOP"];

impl Simulator {
    pub(super) fn control(&self, body: &[u8]) -> SimReply {
        let command: Command = match serde_json::from_slice(body) {
            Ok(command) => command,
            Err(e) => return SimReply::json(400, &json!({ "detail": format!("no such command: {e}") })),
        };
        let mut core = self.core();
        if let Some(hold) = command.hold {
            core.holds = hold;
        }
        core.queue.extend(command.outcomes.into_iter().map(|outcome| (command.number.clone(), outcome)));
        SimReply::json(200, &json!({ "queued": core.queue.len(), "hold": core.holds }))
    }

    pub(super) fn queued(&self) -> SimReply {
        let core = self.core();
        let queue: Vec<_> =
            core.queue.iter().map(|(number, outcome)| json!({ "number": number, "outcome": outcome })).collect();
        SimReply::json(200, &json!({ "queue": queue, "hold": core.holds }))
    }

    pub(super) fn clear(&self) -> SimReply {
        self.core().queue.clear();
        SimReply::json(200, &json!({ "queued": 0 }))
    }

    /// Somebody writes to us.
    pub(super) fn inbound(self: &Arc<Self>, body: &[u8]) -> SimReply {
        let written: Inbound = match serde_json::from_slice(body) {
            Ok(written) => written,
            Err(e) => return SimReply::json(400, &json!({ "detail": format!("from and body are needed: {e}") })),
        };
        let word = written.body.trim().to_uppercase();
        let mut core = self.core();
        if STOPS.contains(&word.as_str()) {
            core.stopped.insert(written.from.clone());
        } else if STARTS.contains(&word.as_str()) {
            core.stopped.remove(&written.from);
        }
        let sid = core.next_sid();
        core.tell_inbound(&self.inbound, &sid, &written.from, &written.body);
        SimReply::json(200, &json!({ "sid": sid }))
    }
}
