//! Signed calls: what becomes of a message, and what people write.

use std::{
    sync::{Arc, Weak, atomic::Ordering},
    time::Duration,
};

use serde_json::json;
use service::ports::sms::SmsStatus;

use super::{Core, DEMO_ACCOUNT, DEMO_NUMBER, Outcome, Report, SimReply, Simulator, StoredMessage};
use crate::signature::sign;

/// Between two calls.
const PAUSE: Duration = Duration::from_millis(300);
/// A receiver that takes longer has not taken it.
const PATIENCE: Duration = Duration::from_secs(5);

impl Core {
    /// Queues the reports on a message.
    pub(super) fn tell(&mut self, m: &StoredMessage, outcome: &Outcome) {
        let steps: Vec<(SmsStatus, Option<i32>)> = match outcome {
            Outcome::Silent => vec![(SmsStatus::Queued, None), (SmsStatus::Sent, None)],
            Outcome::Undelivered { code } => {
                vec![(SmsStatus::Sent, None), (SmsStatus::Undelivered, Some(*code))]
            }
            Outcome::Failed { code } => vec![(SmsStatus::Failed, Some(*code))],
            Outcome::OutOfOrder => {
                let backwards = [SmsStatus::Delivered, SmsStatus::Sent, SmsStatus::Queued];
                backwards.into_iter().flat_map(|status| [(status, None); 2]).collect()
            }
            _ => vec![(SmsStatus::Queued, None), (SmsStatus::Sent, None), (SmsStatus::Delivered, None)],
        };
        for (status, code) in steps {
            let mut form = vec![
                ("AccountSid", DEMO_ACCOUNT.to_owned()),
                ("ApiVersion", "2010-04-01".to_owned()),
                ("From", m.from.clone()),
                ("MessageSid", m.sid.clone()),
                ("MessageStatus", status.code().to_owned()),
                ("SmsSid", m.sid.clone()),
                ("SmsStatus", status.code().to_owned()),
                ("To", m.to.clone()),
            ];
            form.extend(code.map(|code| ("ErrorCode", code.to_string())));
            self.reports.push_back(Report {
                change: Some((m.sid.clone(), status, code)),
                url: m.callback.clone(),
                form: form.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            });
        }
    }

    /// Queues the call for a text from a customer.
    pub(super) fn tell_inbound(&mut self, url: &str, sid: &str, from: &str, body: &str) {
        let form = [
            ("AccountSid", DEMO_ACCOUNT),
            ("ApiVersion", "2010-04-01"),
            ("Body", body),
            ("From", from),
            ("MessageSid", sid),
            ("NumMedia", "0"),
            ("NumSegments", "1"),
            ("SmsMessageSid", sid),
            ("SmsSid", sid),
            ("SmsStatus", "received"),
            ("To", DEMO_NUMBER),
        ];
        let form = form.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        self.reports.push_back(Report { change: None, url: url.to_owned(), form });
    }

    /// The next report; its status is the message's from then on, unless a later one was reported before.
    fn next(&mut self, now: kernel::chrono::DateTime<kernel::chrono::Utc>) -> Option<Report> {
        let report = self.reports.pop_front()?;
        if let Some((sid, status, code)) = &report.change
            && let Some(m) = self.messages.iter_mut().find(|m| m.sid == *sid)
            && (status.follows(m.status) || m.status == *status)
        {
            (m.status, m.error_code) = (*status, *code);
            if *status != SmsStatus::Queued && *status != SmsStatus::Failed {
                m.sent_at = m.sent_at.or(Some(now));
            }
        }
        Some(report)
    }
}

impl Simulator {
    /// Hands out the reports that are held back, signed: the caller delivers them, in what order and how often they like.
    pub(super) fn take_held_reports(&self) -> SimReply {
        let now = self.now();
        let mut core = self.core();
        let mut data = Vec::new();
        while let Some(report) = core.next(now) {
            let signature = sign(&self.token, &report.url, &report.form);
            data.push(json!({ "url": report.url, "form": report.form, "signature": signature }));
        }
        SimReply::json(200, &json!({ "data": data }))
    }
}

/// Starts a task that reports unless one runs; it ends when there is nothing to report, or with the simulator.
pub(super) fn deliver(simulator: &Arc<Simulator>) {
    let idle = {
        let core = simulator.core();
        core.holds || core.reports.is_empty()
    };
    if idle || simulator.delivering.swap(true, Ordering::AcqRel) {
        return;
    }
    let weak = Arc::downgrade(simulator);
    tokio::spawn(async move {
        let client = reqwest::Client::builder().no_proxy().timeout(PATIENCE).build().unwrap_or_default();
        loop {
            tokio::time::sleep(PAUSE).await;
            if !round(&weak, &client).await {
                break;
            }
        }
    });
}

async fn round(simulator: &Weak<Simulator>, client: &reqwest::Client) -> bool {
    let Some(simulator) = simulator.upgrade() else { return false };
    let now = simulator.now();
    let report = {
        let mut core = simulator.core();
        if core.holds { None } else { core.next(now) }
    };
    let Some(report) = report else {
        simulator.delivering.store(false, Ordering::Release);
        // A report may have come in between.
        deliver(&simulator);
        return false;
    };
    let signature = sign(&simulator.token, &report.url, &report.form);
    drop(simulator);
    if !report.url.is_empty() {
        // The service reports once and does not ask whether the receiver took it.
        let call = client.post(&report.url).header("X-Twilio-Signature", signature).form(&report.form);
        if let Err(error) = call.send().await {
            tracing::debug!(error = %error.without_url(), "a report of the text simulator was not taken");
        }
    }
    true
}
