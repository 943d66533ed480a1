//! Making the simulator misbehave on command: `docs/simulated-gateway.md` describes it.

use std::sync::atomic::Ordering;

use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

use super::chaos::{Chaos, Dice, LONGEST_DELAY_MS};
use super::outcomes::{Operation, Outcome};
use super::records::{DisputeState, DisputeStep, Event, Fate, Payment};
use super::settings::Settings;
use super::state::{State, read_id};
use super::{Core, SimReply, Simulator};

/// More of one entry is a mistake.
const MOST_TIMES: usize = 1_000;

/// A member that may be null, which is something else than its absence.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<Option<T>>, D::Error> {
    Option::<T>::deserialize(from).map(Some)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Command {
    #[serde(alias = "customer")]
    customer_id: Option<String>,
    /// For entries that name none themselves.
    #[serde(default)]
    operation: Operation,
    #[serde(default)]
    outcomes: Vec<Entry>,
    outcome: Option<Entry>,
    /// For entries that name none themselves.
    #[serde(default, alias = "delayAfterMs")]
    delay_ms: u64,
    #[serde(default)]
    delay_before_ms: u64,
    /// For entries that name none themselves.
    times: Option<usize>,
    #[serde(default)]
    twice: bool,

    #[serde(default, deserialize_with = "given")]
    chaos: Option<Option<Chaos>>,
    request_keys: Option<bool>,
    duplicate_checking: Option<bool>,
    #[serde(default, deserialize_with = "given")]
    webhook_url: Option<Option<String>>,
    webhooks_twice: Option<bool>,
    webhooks_out_of_order: Option<bool>,
    #[serde(default)]
    settle: Vec<String>,
    #[serde(default)]
    disputes: Vec<DisputeCommand>,
}

/// A plain word, or everything about it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Word(Outcome),
    Full(FullEntry),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FullEntry {
    outcome: Outcome,
    operation: Option<Operation>,
    delay_before_ms: Option<u64>,
    #[serde(alias = "delayMs")]
    delay_after_ms: Option<u64>,
    times: Option<usize>,
    #[serde(default)]
    twice: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DisputeCommand {
    transaction_id: String,
    state: DisputeState,
}

impl Command {
    fn queued(&mut self) -> Result<Vec<Event>, String> {
        let entries = std::mem::take(&mut self.outcomes).into_iter().chain(self.outcome.take());
        entries.map(|entry| self.event(entry)).collect()
    }

    fn event(&self, entry: Entry) -> Result<Event, String> {
        let entry = match entry {
            Entry::Full(entry) => entry,
            Entry::Word(outcome) => FullEntry {
                outcome,
                operation: None,
                delay_before_ms: None,
                delay_after_ms: None,
                times: None,
                twice: false,
            },
        };
        let operation = entry.operation.unwrap_or(self.operation);
        if !operation.takes(entry.outcome) {
            return Err("that outcome means nothing for that operation".to_owned());
        }
        let delay_before_ms = entry.delay_before_ms.unwrap_or(self.delay_before_ms);
        let delay_ms = entry.delay_after_ms.unwrap_or(self.delay_ms);
        let times = entry.times.or(self.times).unwrap_or(1);
        if delay_before_ms.max(delay_ms) > LONGEST_DELAY_MS || !(1..=MOST_TIMES).contains(&times) {
            return Err("a delay is at most ten minutes, and times from 1 to 1000".to_owned());
        }
        Ok(Event::Queued {
            operation,
            key: self.customer_id.clone().unwrap_or_default(),
            outcomes: vec![entry.outcome; times],
            delay_ms,
            delay_before_ms,
            twice: entry.twice || self.twice,
        })
    }

    /// The settings after this command; `None` when it is not about them.
    fn settings(&mut self, before: &Settings) -> Result<Option<Settings>, String> {
        let mut after = before.clone();
        let asked = [self.request_keys, self.duplicate_checking, self.webhooks_twice, self.webhooks_out_of_order];
        let [keys, checking, twice, order] = asked;
        after.request_keys = keys.unwrap_or(after.request_keys);
        after.duplicate_checking = checking.unwrap_or(after.duplicate_checking);
        after.webhooks_twice = twice.unwrap_or(after.webhooks_twice);
        after.webhooks_out_of_order = order.unwrap_or(after.webhooks_out_of_order);
        let touched = asked.iter().any(Option::is_some) || self.chaos.is_some() || self.webhook_url.is_some();
        if let Some(chaos) = self.chaos.take() {
            if let Some(why) = chaos.as_ref().and_then(Chaos::problem) {
                return Err(why.to_owned());
            }
            after.chaos = chaos;
        }
        if let Some(url) = self.webhook_url.take() {
            if url.as_ref().is_some_and(|u| reqwest::Url::parse(u).is_err()) {
                return Err("webhookUrl is not a URL".to_owned());
            }
            after.webhook_url = url;
        }
        Ok(touched.then_some(after))
    }
}

/// A charge by either of its ids.
fn charge<'a>(state: &'a State, id: &str) -> Result<&'a Payment, String> {
    let legacy = read_id(id).map_or_else(|| id.to_owned(), |(_, legacy)| legacy);
    let found = state.payment(&legacy).filter(|p| !p.is_refund() && p.decline.is_none());
    found.ok_or_else(|| format!("{id} is no charge that was captured"))
}

impl Simulator {
    /// `POST control`.
    pub(super) fn control(&self, body: &[u8]) -> SimReply {
        let invalid = |why: &str| SimReply::problem(422, "invalid", why);
        let command: Command = match serde_json::from_slice(body) {
            Ok(command) => command,
            Err(error) => return invalid(&format!("control: {error}")),
        };
        let _alone = self.desk();
        let events = match self.events(command) {
            Ok(events) if events.is_empty() => return invalid("control: nothing is asked for"),
            Ok(events) => events,
            Err(why) => return invalid(&format!("control: {why}")),
        };
        let mut core = self.core();
        let before = core.state.settings().chaos.clone();
        if let Err(fault) = core.commit(events) {
            return SimReply::problem(500, "internal", &fault.message);
        }
        let Core { state, dice, .. } = &mut *core;
        if let Some(chaos) = state.settings().chaos.as_ref().filter(|c| before.as_ref() != Some(c)) {
            *dice = Dice::new(chaos.seed);
        }
        self.webhooks_wanted.store(state.settings().webhook_url.is_some(), Ordering::Release);
        drop(core);
        self.queued()
    }

    fn events(&self, mut command: Command) -> Result<Vec<Event>, String> {
        let (now, core) = (self.now(), self.core());
        let mut events = command.queued()?;
        let settings = command.settings(core.state.settings())?;
        events.extend(settings.map(|s| Event::Settings(Box::new(s))));
        for id in &command.settle {
            let charge = charge(&core.state, id)?;
            if charge.status(now) != "SUBMITTED_FOR_SETTLEMENT" {
                return Err(format!("{id} does not wait for its settlement"));
            }
            let declined = charge.fate == Some(Fate::SettlementDecline);
            events.push(Event::Settled { payment: charge.legacy_id(), at: now, declined });
        }
        for wanted in &command.disputes {
            let charge = charge(&core.state, &wanted.transaction_id)?;
            let last = charge.dispute(now).last().map(|s| s.state);
            let follows = match wanted.state {
                DisputeState::Opened => last.is_none() && charge.status(now) == "SETTLED",
                DisputeState::Won | DisputeState::Lost => last == Some(DisputeState::Opened),
            };
            if !follows {
                return Err(format!(
                    "{}: only what is settled is disputed, and won or lost once",
                    wanted.transaction_id
                ));
            }
            let step = DisputeStep { state: wanted.state, at: now };
            events.push(Event::Disputed { payment: charge.legacy_id(), step });
        }
        Ok(events)
    }

    /// `GET control`: what is still queued, and how the simulator behaves.
    pub(super) fn queued(&self) -> SimReply {
        let core = self.core();
        let mut rows: Vec<(String, Value)> = core
            .state
            .queues()
            .map(|(operation, key, queue)| {
                let outcomes: Vec<Outcome> = queue.iter().map(|q| q.outcome).collect();
                let delays: Vec<[u64; 2]> = queue.iter().map(|q| [q.delay_before_ms, q.delay_ms]).collect();
                let customer = if key.is_empty() { Value::Null } else { key.into() };
                let row = json!({
                    "customerId": customer, "operation": operation, "outcomes": outcomes, "delaysMs": delays,
                });
                (key.to_owned(), row)
            })
            .collect();
        rows.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.to_string().cmp(&b.1.to_string())));
        let rows: Vec<Value> = rows.into_iter().map(|(_, row)| row).collect();
        let mut answer = serde_json::to_value(core.state.settings()).unwrap_or_default();
        answer["queued"] = rows.into();
        SimReply::json(200, &answer)
    }

    /// `DELETE control`: forgets everything queued, and behaves again as at first.
    pub(super) fn clear_queue(&self) -> SimReply {
        let _alone = self.desk();
        let cleared = self.core().commit(vec![Event::QueueCleared, Event::Settings(Box::default())]);
        match cleared {
            Ok(()) => {
                self.webhooks_wanted.store(false, Ordering::Release);
                self.queued()
            }
            Err(fault) => SimReply::problem(500, "internal", &fault.message),
        }
    }
}
