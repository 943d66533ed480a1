//! Signed notifications of what became of charges after their capture, and of refunds.

use std::{
    sync::{Arc, Weak, atomic::Ordering},
    time::Duration,
};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Value, json};

use super::records::{DisputeState, Event, Payment};
use super::{SimReply, Simulator, door::blocking};
use crate::webhook::WebhookVerifier;

/// Public and private key its webhooks are signed with: those the demo calls it with.
pub const DEMO_KEY: &str = "portage-demo";
/// Between two looks for what is due.
const PAUSE: Duration = Duration::from_millis(100);
/// A receiver that takes longer has not taken it.
const PATIENCE: Duration = Duration::from_secs(5);
/// Characters of a line of base64, as the real ones have.
const LINE: usize = 76;

/// One notification; the same one has the same id for ever.
struct Notice {
    id: String,
    kind: &'static str,
    at: DateTime<Utc>,
    subject: String,
    transaction: String,
}

fn element(name: &str, text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!("<{name}>{text}</{name}>")
}

fn transaction(payment: &Payment, status: &str) -> String {
    let mut inner = element("id", &payment.legacy_id());
    inner += &element("status", status);
    inner += &element("amount", &payment.amount.to_string());
    inner += &element("currency-iso-code", &payment.currency);
    inner += &payment.order_id.as_deref().map(|o| element("order-id", o)).unwrap_or_default();
    format!("<transaction>{inner}</transaction>")
}

/// The notifications of one payment as of `now`.
fn notices(payment: &Payment, now: DateTime<Utc>) -> Vec<Notice> {
    let legacy = payment.legacy_id();
    let notice = |kind: &'static str, at: DateTime<Utc>, subject: String| Notice {
        id: format!("{kind}:{legacy}"),
        kind,
        at,
        subject,
        transaction: legacy.clone(),
    };
    let mut all = Vec::new();
    if payment.is_refund() {
        // There is no notification that a charge settled.
        if payment.status(now) == "SETTLEMENT_DECLINED" {
            all.push(notice("refund_failed", payment.settles_at(), transaction(payment, "settlement_declined")));
        }
        return all;
    }
    match payment.status(now) {
        "SETTLED" => all.push(notice("transaction_settled", payment.settles_at(), transaction(payment, "settled"))),
        "SETTLEMENT_DECLINED" => all.push(notice(
            "transaction_settlement_declined",
            payment.settles_at(),
            transaction(payment, "settlement_declined"),
        )),
        _ => {}
    }
    for step in payment.dispute(now) {
        let (kind, status) = match step.state {
            DisputeState::Opened => ("dispute_opened", "open"),
            DisputeState::Won => ("dispute_won", "won"),
            DisputeState::Lost => ("dispute_lost", "lost"),
        };
        let inner = [
            element("id", &format!("d{legacy}")),
            element("kind", "chargeback"),
            element("status", status),
            element("amount-disputed", &payment.amount.to_string()),
            transaction(payment, "settled"),
        ];
        all.push(notice(kind, step.at, format!("<dispute>{}</dispute>", inner.concat())));
    }
    all
}

impl Notice {
    fn xml(&self) -> String {
        let at = self.at.to_rfc3339_opts(SecondsFormat::Secs, true);
        format!(
            "<notification><timestamp type=\"datetime\">{at}</timestamp>{}<subject>{}</subject></notification>",
            element("kind", self.kind),
            self.subject
        )
    }

    /// `bt_signature` and `bt_payload`.
    fn signed(&self) -> (String, String) {
        let encoded = STANDARD.encode(self.xml());
        let mut payload = String::with_capacity(encoded.len() + encoded.len() / LINE + 1);
        for line in encoded.as_bytes().chunks(LINE) {
            payload.extend(line.iter().map(|b| char::from(*b)));
            payload.push('\n');
        }
        let signature = WebhookVerifier::new(DEMO_KEY, DEMO_KEY.to_owned().into()).sign(&payload);
        (signature, payload)
    }
}

/// Notifications to be sent.
struct Outgoing {
    url: String,
    /// Their ids.
    notices: Vec<String>,
    /// Signature and payload of each, in the order of sending.
    forms: Vec<(String, String)>,
}

impl Simulator {
    /// Everything due, in the order in which it happened.
    fn due(&self) -> Vec<Notice> {
        let (now, core) = (self.now(), self.core());
        let mut all: Vec<Notice> = core.state.payments().rev().flat_map(|p| notices(p, now)).collect();
        all.sort_by_key(|n| n.at);
        all
    }

    /// `GET webhooks`: all notifications there are so far, oldest first, sent or not.
    pub(super) fn webhooks(&self) -> SimReply {
        let due = self.due();
        let core = self.core();
        let data: Vec<Value> = due
            .iter()
            .map(|n| {
                let (signature, payload) = n.signed();
                json!({
                    "id": n.id, "kind": n.kind, "legacyId": n.transaction, "at": super::render::instant(n.at),
                    "sent": core.state.notified(&n.id), "signature": signature, "payload": payload, "xml": n.xml(),
                })
            })
            .collect();
        SimReply::json(200, &json!({ "total": data.len(), "data": data }))
    }

    /// The notifications to send now.
    fn outgoing(&self) -> Option<Outgoing> {
        let settings = self.core().state.settings().clone();
        let url = settings.webhook_url?;
        let mut due = self.due();
        {
            let core = self.core();
            due.retain(|n| !core.state.notified(&n.id));
        }
        if settings.webhooks_out_of_order {
            due.reverse();
        }
        let times = if settings.webhooks_twice { 2 } else { 1 };
        let forms = due.iter().flat_map(|n| std::iter::repeat_n(n.signed(), times)).collect();
        Some(Outgoing { url, notices: due.into_iter().map(|n| n.id).collect(), forms })
    }

    fn record_sent(&self, notices: Vec<String>) {
        if !notices.is_empty()
            && let Err(fault) = self.core().commit(vec![Event::Notified { notices }])
        {
            tracing::warn!(fault.message, "webhooks will be sent again");
        }
    }
}

/// Starts to send webhooks where they are wanted and no task sends them yet. The task ends when they
/// are not wanted any more, or with the simulator.
pub(super) fn deliver(simulator: &Arc<Simulator>) {
    if !simulator.webhooks_wanted.load(Ordering::Acquire) || simulator.delivering.swap(true, Ordering::AcqRel) {
        return;
    }
    let simulator = Arc::downgrade(simulator);
    tokio::spawn(async move {
        let client = reqwest::Client::builder().no_proxy().timeout(PATIENCE).build().unwrap_or_default();
        while round(&simulator, &client).await {
            tokio::time::sleep(PAUSE).await;
        }
        if let Some(simulator) = simulator.upgrade() {
            simulator.delivering.store(false, Ordering::Release);
        }
    });
}

async fn round(simulator: &Weak<Simulator>, client: &reqwest::Client) -> bool {
    let Some(Some(Outgoing { url, notices, forms })) = blocking(simulator, Simulator::outgoing).await else {
        return false;
    };
    for (signature, payload) in forms {
        let form = [("bt_signature", signature), ("bt_payload", payload)];
        // The simulator does not ask whether the receiver took it.
        if let Err(error) = client.post(&url).form(&form).send().await {
            tracing::debug!(%error, "a webhook was not taken");
        }
    }
    blocking(simulator, move |s| s.record_sent(notices)).await.is_some()
}
