//! The service's own calls: a message is taken, listed, read.

use std::collections::BTreeMap;

use kernel::{
    E164,
    chrono::{DateTime, NaiveDate, Utc},
    segments,
};
use serde_json::{Value, json};
use service::ports::sms::SmsStatus;
use url::form_urlencoded;

use super::{Core, DEMO_ACCOUNT, DEMO_NUMBER, MOST, Outcome, SimReply, Simulator, StoredMessage};

/// Characters of a message.
const LONGEST: usize = 1600;
/// Messages a page, unless more are asked for.
const PAGE: usize = 50;

/// The numbers of the service's test credentials, each with its refusal.
const REFUSED: [(&str, i32); 5] = [
    ("+15005550001", 21211),
    ("+15005550002", 21612),
    ("+15005550003", 21408),
    ("+15005550004", 21610),
    ("+15005550009", 21614),
];

fn rfc2822(at: DateTime<Utc>) -> String {
    at.format("%a, %d %b %Y %H:%M:%S +0000").to_string()
}

fn message_json(m: &StoredMessage) -> Value {
    json!({
        "sid": m.sid, "account_sid": DEMO_ACCOUNT, "messaging_service_sid": null, "from": m.from, "to": m.to, "body": m.body,
        "status": m.status.code(), "direction": "outbound-api", "num_segments": m.segments.to_string(), "num_media": "0",
        "price": null, "price_unit": null, "error_code": m.error_code, "error_message": null,
        "date_created": rfc2822(m.created_at), "date_updated": rfc2822(m.created_at), "date_sent": m.sent_at.map(rfc2822),
        "api_version": "2010-04-01", "uri": format!("/2010-04-01/Accounts/{DEMO_ACCOUNT}/Messages/{}.json", m.sid),
    })
}

fn parameters(text: &[u8]) -> BTreeMap<String, String> {
    form_urlencoded::parse(text).into_owned().collect()
}

/// The refusal of an invalid message, whoever sends it.
fn find_mistake(form: &BTreeMap<String, String>) -> Option<SimReply> {
    let field = |name: &str| form.get(name).map_or("", String::as_str);
    let (to, from, body) = (field("To"), field("From"), field("Body"));
    if body.is_empty() {
        return Some(SimReply::error(400, 21602, "Message body is required."));
    }
    if body.chars().count() > LONGEST {
        return Some(SimReply::error(400, 21617, "The concatenated message body exceeds the 1600 character limit."));
    }
    if let Some((_, code)) = REFUSED.iter().find(|(number, _)| *number == to) {
        return Some(SimReply::error(400, *code, &format!("The 'To' number {to} cannot be sent to.")));
    }
    // Only as the networks write it: a plus sign that was sent as it is arrives as a space.
    if to.parse::<E164>().ok().is_none_or(|number| number.as_str() != to) {
        return Some(SimReply::error(400, 21211, &format!("The 'To' number {to} is not a valid phone number.")));
    }
    match from {
        "+15005550001" => Some(SimReply::error(400, 21212, "The 'From' number is not a valid phone number.")),
        "+15005550008" => Some(SimReply::error(400, 21611, "The queue of this 'From' number is full.")),
        DEMO_NUMBER | "+15005550006" => None,
        _ => Some(SimReply::error(400, 21606, "The 'From' number is not one of your account.")),
    }
}

impl Core {
    pub(super) fn next_sid(&mut self) -> String {
        self.made += 1;
        format!("SM{:016x}{:016x}", self.begun, self.made)
    }

    /// What happens to a message to this number.
    fn outcome(&mut self, to: &str) -> Outcome {
        let at = self.queue.iter().position(|(number, _)| number.as_deref().is_none_or(|number| number == to));
        at.and_then(|at| self.queue.remove(at)).map(|(_, outcome)| outcome).unwrap_or_default()
    }
}

impl Simulator {
    pub(super) async fn take(&self, body: &[u8]) -> SimReply {
        let form = parameters(body);
        if let Some(refused) = find_mistake(&form) {
            return refused;
        }
        let field = |name: &str| form.get(name).cloned().unwrap_or_default();
        let outcome = self.core().outcome(&field("To"));
        match outcome {
            Outcome::Refuse { code } => return SimReply::error(400, code, "It is refused, as was asked for."),
            Outcome::RateLimited { seconds } => {
                let reply = SimReply::error(429, 20429, "Too Many Requests");
                return SimReply { retry_after: Some(seconds), ..reply };
            }
            Outcome::Error500 => return SimReply::error(500, 20500, "An internal server error has occurred"),
            Outcome::LostBefore => return SimReply { drop_connection: true, ..SimReply::json(200, &Value::Null) },
            _ => {}
        }
        tokio::time::sleep(outcome.wait()).await;
        let now = self.now();
        let mut core = self.core();
        if core.stopped.contains(&field("To")) {
            return SimReply::error(400, 21610, "Attempt to send to unsubscribed recipient");
        }
        let kept = StoredMessage {
            sid: core.next_sid(),
            from: field("From"),
            to: field("To"),
            segments: segments(&field("Body")).parts,
            body: field("Body"),
            status: SmsStatus::Queued,
            error_code: None,
            validity_period: field("ValidityPeriod").parse().ok(),
            callback: field("StatusCallback"),
            created_at: now,
            sent_at: None,
        };
        let answer = SimReply::json(201, &message_json(&kept));
        core.tell(&kept, &outcome);
        core.messages.push_front(kept);
        core.messages.truncate(MOST);
        match outcome {
            Outcome::LostAfter => SimReply { drop_connection: true, ..answer },
            Outcome::Error500Applied => SimReply::error(500, 20500, "An internal server error has occurred"),
            _ => answer,
        }
    }

    /// A page, the newest first.
    pub(super) fn list(&self, query: &str) -> SimReply {
        let asked = parameters(query.as_bytes());
        let number = |name: &str, usual: usize| asked.get(name).and_then(|n| n.parse().ok()).unwrap_or(usual);
        let (size, page): (usize, usize) = (number("PageSize", PAGE).clamp(1, 1000), number("Page", 0));
        let day = |name: &str| asked.get(name).and_then(|day| day.parse::<NaiveDate>().ok());
        // A message that waits has no date of sending: the filter leaves it out.
        let sent = |m: &&StoredMessage| match (day("DateSent>"), m.sent_at) {
            (None, _) => true,
            (Some(from), at) => at.is_some_and(|at| at.date_naive() >= from),
        };
        let core = self.core();
        let found: Vec<&StoredMessage> =
            core.messages.iter().filter(|m| asked.get("To").is_none_or(|to| *to == m.to)).filter(sent).collect();
        let begin = page.saturating_mul(size);
        let data: Vec<Value> = found.iter().skip(begin).take(size).map(|m| message_json(m)).collect();
        let more = found.len() > begin + size;
        let next = more.then(|| {
            let mut next = form_urlencoded::Serializer::new(String::new());
            next.extend_pairs(asked.iter().filter(|(name, _)| *name != "Page"));
            next.append_pair("Page", &(page + 1).to_string());
            format!("/2010-04-01/Accounts/{DEMO_ACCOUNT}/Messages.json?{}", next.finish())
        });
        let answer = json!({ "messages": data, "page": page, "page_size": size, "next_page_uri": next });
        SimReply::json(200, &answer)
    }

    pub(super) fn one(&self, sid: &str) -> SimReply {
        match self.core().messages.iter().find(|m| m.sid == sid) {
            Some(message) => SimReply::json(200, &message_json(message)),
            None => SimReply::error(404, 20404, "The requested resource was not found"),
        }
    }

    /// All messages, for tests and the demo.
    pub(super) fn all(&self) -> SimReply {
        let core = self.core();
        let stopped: Vec<&String> = core.stopped.iter().collect();
        SimReply::json(200, &json!({ "total": core.messages.len(), "data": core.messages, "stopped": stopped }))
    }
}
