//! What the simulator knows, rebuilt from its file and indexed.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::Money;

use super::outcomes::{Operation, Outcome};
use super::records::{Customer, Event, Method, Nonce, Payment, legacy_id};
use super::settings::Settings;

/// A rejected duplicate is the same charge within this time.
const DUPLICATE_WINDOW: TimeDelta = TimeDelta::seconds(30);
/// How long an idempotency key stands for its payment.
const KEY_LIFE: TimeDelta = TimeDelta::days(30);

/// The kinds of global id.
pub(super) const CUSTOMER: &str = "customer";
pub(super) const METHOD: &str = "paymentmethod_cc";
pub(super) const TRANSACTION: &str = "transaction";
pub(super) const REFUND: &str = "refund";

/// The opaque id of GraphQL.
pub(super) fn global_id(kind: &str, legacy: &str) -> String {
    STANDARD_NO_PAD.encode(format!("{kind}_{legacy}"))
}

/// Kind and legacy id of a global id.
pub(super) fn read_id(id: &str) -> Option<(&'static str, String)> {
    let text = String::from_utf8(STANDARD_NO_PAD.decode(id).ok()?).ok()?;
    let (kind, legacy) = text.rsplit_once('_')?;
    let kind = [CUSTOMER, METHOD, TRANSACTION, REFUND].into_iter().find(|k| *k == kind)?;
    Some((kind, legacy.to_owned()))
}

/// A queued outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct QueuedOutcome {
    pub outcome: Outcome,
    /// Before the operation is applied.
    pub delay_before_ms: u64,
    /// After it, before the answer.
    pub delay_ms: u64,
    /// The request is delivered twice.
    pub twice: bool,
}

#[derive(Default)]
pub(super) struct State {
    salt: String,
    last_seq: u64,
    customers: BTreeMap<u64, Customer>,
    methods: HashMap<String, Method>,
    nonces: HashMap<String, (Nonce, bool)>,
    payments: BTreeMap<u64, Payment>,
    by_order: HashMap<String, Vec<u64>>,
    by_key: HashMap<String, u64>,
    refunds_of: HashMap<String, Vec<u64>>,
    queues: HashMap<(Operation, String), VecDeque<QueuedOutcome>>,
    settings: Settings,
    notified: HashSet<String>,
}

fn seq_of(legacy: &str) -> Option<u64> {
    legacy.strip_prefix("sim").and_then(|n| n.parse().ok()).filter(|seq| legacy_id(*seq) == legacy)
}

impl State {
    pub(super) fn apply(&mut self, event: Event) {
        match event {
            Event::Opened { salt } => self.salt = salt,
            Event::Customer(customer) => {
                self.last_seq = self.last_seq.max(customer.seq);
                self.customers.insert(customer.seq, customer);
            }
            Event::Nonce(nonce) => {
                self.nonces.insert(nonce.nonce.clone(), (nonce, false));
            }
            Event::NonceUsed { nonce } => {
                if let Some((_, used)) = self.nonces.get_mut(&nonce) {
                    *used = true;
                }
            }
            Event::Method(method) => {
                self.last_seq = self.last_seq.max(method.seq);
                self.methods.insert(legacy_id(method.seq), method);
            }
            Event::Payment(payment) => self.add_payment(*payment),
            Event::Voided { payment, at } => {
                if let Some(p) = seq_of(&payment).and_then(|s| self.payments.get_mut(&s)) {
                    p.voided_at = Some(at);
                }
            }
            Event::Settled { payment, at, declined } => {
                if let Some(p) = seq_of(&payment).and_then(|s| self.payments.get_mut(&s)) {
                    p.settled = Some(super::records::Settled { at, declined });
                }
            }
            Event::Disputed { payment, step } => {
                if let Some(p) = seq_of(&payment).and_then(|s| self.payments.get_mut(&s)) {
                    p.disputes.push(step);
                }
            }
            Event::Queued { operation, key, outcomes, delay_ms, delay_before_ms, twice } => {
                let queue = self.queues.entry((operation, key)).or_default();
                queue.extend(outcomes.into_iter().map(|outcome| QueuedOutcome {
                    outcome,
                    delay_before_ms,
                    delay_ms,
                    twice,
                }));
            }
            Event::Unqueued { operation, key } => {
                if let Some(queue) = self.queues.get_mut(&(operation, key)) {
                    queue.pop_front();
                }
            }
            Event::QueueCleared => self.queues.clear(),
            Event::Settings(settings) => self.settings = *settings,
            Event::Notified { notices } => self.notified.extend(notices),
        }
    }

    fn add_payment(&mut self, payment: Payment) {
        let seq = payment.seq;
        self.last_seq = self.last_seq.max(seq);
        if let Some(order) = &payment.order_id {
            self.by_order.entry(order.clone()).or_default().push(seq);
        }
        if let Some(key) = &payment.request_key {
            self.by_key.insert(key.key.clone(), seq);
        }
        if let Some(of) = &payment.refund_of {
            self.refunds_of.entry(of.clone()).or_default().push(seq);
        }
        self.payments.insert(seq, payment);
    }

    /// The number of the next customer, card or payment.
    pub(super) fn next_seq(&self) -> u64 {
        self.last_seq + 1
    }

    /// Key of the card fingerprints.
    pub(super) fn salt(&self) -> &str {
        &self.salt
    }

    pub(super) fn customer(&self, legacy: &str) -> Option<&Customer> {
        self.customers.get(&seq_of(legacy)?)
    }

    /// By global id.
    pub(super) fn customer_by_id(&self, id: &str) -> Option<&Customer> {
        read_id(id).filter(|(kind, _)| *kind == CUSTOMER).and_then(|(_, legacy)| self.customer(&legacy))
    }

    /// Newest first.
    pub(super) fn customers(&self) -> impl Iterator<Item = &Customer> {
        self.customers.values().rev()
    }

    pub(super) fn method(&self, legacy: &str) -> Option<&Method> {
        self.methods.get(legacy)
    }

    /// A nonce, and whether it was used.
    pub(super) fn nonce(&self, nonce: &str) -> Option<(&Nonce, bool)> {
        self.nonces.get(nonce).map(|(n, used)| (n, *used))
    }

    pub(super) fn payment(&self, legacy: &str) -> Option<&Payment> {
        self.payments.get(&seq_of(legacy)?)
    }

    /// A charge by global id.
    pub(super) fn charge_by_id(&self, id: &str) -> Option<&Payment> {
        let (kind, legacy) = read_id(id)?;
        self.payment(&legacy).filter(|p| kind == TRANSACTION && !p.is_refund())
    }

    /// Newest first.
    pub(super) fn payments(&self) -> impl DoubleEndedIterator<Item = &Payment> {
        self.payments.values().rev()
    }

    /// Those older than a number, newest first: what lies before a page is not looked at.
    pub(super) fn payments_before(&self, seq: u64) -> impl Iterator<Item = &Payment> {
        self.payments.range(..seq).rev().map(|(_, payment)| payment)
    }

    /// Those with this order id, newest first.
    pub(super) fn payments_of_order(&self, order: &str) -> Vec<&Payment> {
        let seqs = self.by_order.get(order).map(Vec::as_slice).unwrap_or_default();
        seqs.iter().rev().filter_map(|s| self.payments.get(s)).collect()
    }

    /// The payment a key stands for; after its life it may be used for another.
    pub(super) fn payment_by_request_key(&self, key: &str, now: DateTime<Utc>) -> Option<&Payment> {
        let payment = self.by_key.get(key).and_then(|s| self.payments.get(s))?;
        (now.signed_duration_since(payment.at) <= KEY_LIFE).then_some(payment)
    }

    /// How the simulator was told to behave.
    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Was this webhook sent?
    pub(super) fn notified(&self, notice: &str) -> bool {
        self.notified.contains(notice)
    }

    /// Refunds of a charge, newest first.
    pub(super) fn refunds_of(&self, legacy: &str) -> Vec<&Payment> {
        let seqs = self.refunds_of.get(legacy).map(Vec::as_slice).unwrap_or_default();
        seqs.iter().rev().filter_map(|s| self.payments.get(s)).collect()
    }

    /// What of a charge has not been given back.
    pub(super) fn refundable(&self, charge: &Payment, now: DateTime<Utc>) -> Money {
        let refunds = self.refunds_of(&charge.legacy_id());
        let returned = refunds.iter().filter(|r| r.holds(now)).map(|r| r.amount).sum();
        charge.amount.minus(returned)
    }

    /// The charge that makes a new one a duplicate.
    pub(super) fn duplicate(&self, order: &str, amount: Money, method: &str, now: DateTime<Utc>) -> Option<&Payment> {
        self.payments_of_order(order).into_iter().find(|p| {
            !p.is_refund()
                && p.amount == amount
                && p.method.as_deref() == Some(method)
                && p.holds(now)
                && now.signed_duration_since(p.at) < DUPLICATE_WINDOW
        })
    }

    /// The next queued outcome for an operation: the customer's own queue first (under the gateway's
    /// ids, Portage's or the e-mail address), then everybody's; a void first asks its own queue, then
    /// that of refunds. Operation and key are needed to take it off.
    pub(super) fn queued(
        &self,
        operation: Operation,
        customer: Option<&Customer>,
    ) -> Option<(Operation, String, QueuedOutcome)> {
        let mut keys = Vec::new();
        if let Some(customer) = customer {
            let legacy = legacy_id(customer.seq);
            keys.push(global_id(CUSTOMER, &legacy));
            keys.push(legacy);
            keys.extend(customer.user_ref.clone());
            keys.extend(customer.email.clone());
        }
        keys.push(String::new());
        keys.into_iter().find_map(|key| {
            operation.queues().iter().find_map(|operation| {
                let front = *self.queues.get(&(*operation, key.clone()))?.front()?;
                Some((*operation, key.clone(), front))
            })
        })
    }

    /// Everything still queued.
    pub(super) fn queues(&self) -> impl Iterator<Item = (Operation, &str, &VecDeque<QueuedOutcome>)> {
        self.queues.iter().filter(|(_, q)| !q.is_empty()).map(|((operation, key), q)| (*operation, key.as_str(), q))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_go_both_ways_and_nothing_else_is_one() {
        for kind in [CUSTOMER, METHOD, TRANSACTION, REFUND] {
            assert_eq!(read_id(&global_id(kind, "sim00042")), Some((kind, "sim00042".to_owned())));
        }
        for bad in ["", "sim00042", "dHJhbnNhY3Rpb24", "!!", "YWxpZW5fMQ"] {
            assert_eq!(read_id(bad), None, "{bad}");
        }
        assert_eq!(
            (seq_of("sim00042"), seq_of("sim42"), seq_of("42"), seq_of("sim123456")),
            (Some(42), None, None, Some(123_456))
        );
    }
}
