//! Making the simulator misbehave on command.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::records::Event;
use super::{SimReply, Simulator};

/// What the next matching operation will do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Goes through.
    Approve,
    /// The bank says no; another attempt may go through (2001, insufficient funds).
    SoftDecline,
    /// The bank says no for good (2004, expired card).
    HardDecline,
    /// It is done, and the answer gets lost.
    TimeoutApplied,
    /// It is not done, and no answer comes.
    TimeoutNotApplied,
    /// HTTP 500; it is not done.
    #[serde(rename = "error_500")]
    Error500,
}

/// Which operation a queued outcome waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    /// The charge of a card (the default).
    #[default]
    Charge,
    /// A refund or a void.
    Refund,
    /// The storing of a card; a decline is a failed verification.
    Vault,
    /// The making of a customer; only time-outs and errors mean anything.
    Customer,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Command {
    customer_id: Option<String>,
    #[serde(default)]
    operation: Operation,
    #[serde(default)]
    outcomes: Vec<Outcome>,
    outcome: Option<Outcome>,
    #[serde(default)]
    delay_ms: u64,
}

/// Longer waits would only hold threads.
const LONGEST_DELAY_MS: u64 = 600_000;

impl Simulator {
    /// `POST control`: queues outcomes for a customer, or for everybody without `customerId`.
    pub(super) fn control(&self, body: &[u8]) -> SimReply {
        let command: Command = match serde_json::from_slice(body) {
            Ok(command) => command,
            Err(error) => return SimReply::problem(422, "invalid", &format!("control: {error}")),
        };
        let mut outcomes = command.outcomes;
        outcomes.extend(command.outcome);
        if outcomes.is_empty() || command.delay_ms > LONGEST_DELAY_MS {
            return SimReply::problem(422, "invalid", "name at least one outcome, and a delay of at most ten minutes");
        }
        let key = command.customer_id.unwrap_or_default();
        let event = Event::Queued { operation: command.operation, key, outcomes, delay_ms: command.delay_ms };
        if let Err(fault) = self.core().commit(vec![event]) {
            return SimReply::problem(500, "internal", &fault.message);
        }
        self.queued()
    }

    /// `GET control`: what is still queued.
    pub(super) fn queued(&self) -> SimReply {
        let core = self.core();
        let mut rows: Vec<(String, Value)> = core
            .state
            .queues()
            .map(|(operation, key, queue)| {
                let outcomes: Vec<Outcome> = queue.iter().map(|q| q.outcome).collect();
                let customer = if key.is_empty() { Value::Null } else { key.into() };
                (key.to_owned(), json!({ "customerId": customer, "operation": operation, "outcomes": outcomes }))
            })
            .collect();
        rows.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.to_string().cmp(&b.1.to_string())));
        let rows: Vec<Value> = rows.into_iter().map(|(_, row)| row).collect();
        SimReply::json(200, &json!({ "queued": rows }))
    }

    /// `DELETE control`: forgets everything queued.
    pub(super) fn clear_queue(&self) -> SimReply {
        match self.core().commit(vec![Event::QueueCleared]) {
            Ok(()) => SimReply::json(200, &json!({ "queued": [] })),
            Err(fault) => SimReply::problem(500, "internal", &fault.message),
        }
    }
}
