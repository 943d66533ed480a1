//! A letter leaves: the job that renders it, hands it to the relay and keeps what came of it.

use chrono::{DateTime, Duration, Utc};
use kernel::{Email, MessageId};
use serde_json::{Map, Value};

use super::{calendar, commercial, delivery::step, identity, invoices, render::Rendered, repeat, values, wording};
use crate::{
    Actor, Error, ServiceResult, Services, Tx,
    ports::{
        mail::{IN_FLIGHT, IN_FLIGHT_AGAIN, MailError, OutgoingMail, TWICE, UNCLEAR},
        messages::{HandedOver, Message, MessageState, SentText},
        sms::SmsTrouble,
        templates::TemplateText,
    },
    sms,
    work::{JobOutcome, Kind},
};

/// How long a message may wait for a relay that takes nothing from us.
const PATIENCE: Duration = Duration::days(3);
/// Where a message keeps when it was handed over the last time; shown by no template.
const HANDED_OVER: &str = "handedOverAt";

/// The job: renders and hands over. A message sent before is left alone. One that the relay refuses for
/// good, or of which it left open twice whether it took it, is given up, with its values: an operator may have it tried again,
/// or dropped. A program that ended before the relay's answer was written down left it open, too. `asked_for`: nobody tried
/// this job yet, or a person has it tried again.
///
/// # Errors
/// When the relay refuses for now (the job is tried again) or the database fails.
pub async fn send(s: &Services, id: MessageId, asked_for: bool) -> ServiceResult<JobOutcome> {
    let message = s.store.read(move |u| u.messages().get(id).map_err(Error::from)).await?;
    let Some(m) = message.filter(|m| m.state == MessageState::Queued) else { return Ok(JobOutcome::Done) };
    let Some(to) = m.recipient.email().cloned() else { return Ok(JobOutcome::GivenUp("this is no letter".to_owned())) };
    if let Some(until) = s.mail_gate.wait(s.wall.now()) {
        return Ok(JobOutcome::Later(until));
    }
    let unsubscribe = commercial::one_click(&m);
    let whose = to.clone();
    if unsubscribe.is_some() && s.store.read(move |u| commercial::stopped(u, &whose).map_err(Error::from)).await? {
        s.write(Actor::system(), move |tx| withhold(tx, id)).await?;
        return Ok(JobOutcome::Done);
    }
    let mut before = m.last_error.clone().unwrap_or_default();
    let was_cut = [IN_FLIGHT, IN_FLIGHT_AGAIN].contains(&before.as_str());
    if was_cut && s.mailer.replaces() {
        before.clear();
    }
    // Where nobody knows whether the relay took it, it goes out once more, after a while, and never again by itself.
    let unclear = is_unclear(&before);
    if before.starts_with(TWICE) && !asked_for {
        return Ok(JobOutcome::GivenUp(before));
    }
    if was_cut && !before.is_empty() {
        let why = MailError::Unknown("the program ended before it was answered".to_owned());
        return not_taken(s, id, &before, &why, m.values).await;
    }
    if let Some(until) = m.values.get(HANDED_OVER).and_then(Value::as_str).filter(|_| unclear).and_then(pause_after) {
        let left = until - s.clock.now();
        // The job itself waits as long; a program that was killed before that was written down comes back at once.
        if left > Duration::zero() && !asked_for {
            return Ok(JobOutcome::Later(s.wall.now() + left));
        }
    }
    let state = m.state;
    let own = m.values.clone();
    let written_at = m.created_at;
    let Composed { mail, kept, left, same_again } = composed(s, m, to, unsubscribe).await?;
    // From here on the relay may have this very letter: whatever staff make of its template meanwhile, no other one goes out
    // for it, and a program that is killed leaves behind that nobody knows.
    let mark = if unclear { IN_FLIGHT_AGAIN } else { IN_FLIGHT };
    let frozen = same_again.clone();
    let marked = move |tx: &mut Tx<'_>| tx.unit.messages().handing_over(id, mark, &frozen).map_err(Error::from);
    if !s.write(Actor::system(), marked).await? {
        return Ok(JobOutcome::Done);
    }
    let sent = s.mailer.send(&mail).await;
    if matches!(sent, Ok(_) | Err(MailError::Permanent(_))) {
        s.mail_gate.open();
    }
    let accepted = match sent {
        Ok(accepted) => accepted,
        Err(why @ MailError::Unknown(_)) => return not_taken(s, id, &before, &why, same_again).await,
        Err(why @ MailError::Misconfigured(_)) => {
            tracing::error!(error = %why, "no mail goes out until the settings of the relay are mended");
            let next = s.mail_gate.close(&why.to_string(), s.wall.now());
            let given_up = not_taken(s, id, &before, &why, own).await?;
            // No fault of the message, so it costs none of its tries; but no message waits for ever.
            let old = s.clock.now() >= written_at + PATIENCE;
            return Ok(if old { given_up } else { JobOutcome::Later(next) });
        }
        Err(why) => return not_taken(s, id, &before, &why, own).await,
    };
    let told = HandedOver { provider_id: accepted.queue_id, text: kept, values: left, at: s.clock.now() };
    s.write(Actor::system(), move |tx| {
        let mut state = state;
        if step(id, &mut state, MessageState::Sent) {
            tx.unit.messages().handed_over(id, state, &told)?;
        }
        Ok::<_, Error>(())
    })
    .await?;
    Ok(JobOutcome::Done)
}

/// By what was said of a letter the last time, the relay may have it already. That it is being handed over for the first time
/// does not count: it is looked at apart.
fn is_unclear(said: &str) -> bool {
    said.starts_with(UNCLEAR) && said != IN_FLIGHT
}

/// Until when a letter waits that was handed over at this instant, while nobody knows whether the relay took it.
fn pause_after(handed_over: &str) -> Option<DateTime<Utc>> {
    Some(handed_over.parse::<DateTime<Utc>>().ok()? + Kind::SendMessage.pause(1))
}

/// A letter as it goes out, and what is kept of it.
struct Composed {
    mail: OutgoingMail,
    /// The text that is kept once it was taken.
    kept: SentText,
    /// What is then kept of its values.
    left: Value,
    /// The values by which the very same letter goes out again.
    same_again: Value,
}

async fn composed(s: &Services, m: Message, to: Email, unsubscribe: Option<String>) -> ServiceResult<Composed> {
    let mut same_again = m.values.clone();
    let (rendered, kept, attaches) = match repeat::words(&m.values) {
        Some(again) => (again.clone(), whole(&again), true),
        None => {
            let words = wording::of_message(s, &m).await?;
            let rendered = wording::rendered(&m, &words, &m.values)?;
            let kept = sent_text(&m, &words, &rendered)?;
            same_again = wording::with(&m.values, &words);
            (rendered, kept, words.attachment)
        }
    };
    let mut attachments = if attaches { invoices::attachments(s, &m, &mut same_again).await? } else { Vec::new() };
    attachments.extend(calendar::attachment(&m)?);
    let left = values_to_keep(&m.values, attaches);
    let said = |key: &str| m.values.get(key).and_then(Value::as_str).map(str::to_owned);
    let mail = OutgoingMail {
        message_id: m.id.to_string(),
        written_at: Some(m.created_at),
        to,
        subject: rendered.subject,
        text: rendered.text,
        html: rendered.html,
        language: m.language,
        attachments,
        booking: said("bookingShortId"),
        from_name: said("companyName"),
        reply_to: said(values::REPLY_TO).and_then(|address| address.parse::<Email>().ok()),
        unsubscribe,
        to_name: m.recipient_name,
        message_type: m.message_type,
    };
    if let Some(values) = same_again.as_object_mut() {
        values.insert(HANDED_OVER.to_owned(), s.clock.now().to_rfc3339().into());
    }
    Ok(Composed { mail, kept, left, same_again })
}

/// Stands between the first answer that was missing and what the relay said the last time.
const THEN: &str = "; then: ";

/// What was said of the first answer that was missing, without later answers. [`TWICE`] is dropped: a person had the letter sent
/// again.
fn first_unclear(before: &str) -> String {
    let first = before.split(THEN).next().unwrap_or(before);
    first.strip_prefix(TWICE).map_or_else(|| first.to_owned(), |detail| format!("{UNCLEAR}{detail}"))
}

/// Writes down that the relay did not take it, or did not say whether it did; what becomes of the job. `before` is what was
/// said the last time, `values` are those that count from now on.
async fn not_taken(
    s: &Services,
    id: MessageId,
    before: &str,
    why: &MailError,
    values: Value,
) -> ServiceResult<JobOutcome> {
    let unclear = is_unclear(before);
    let said = match why {
        MailError::Unknown(detail) if unclear => format!("{TWICE}: {detail}"),
        MailError::Unknown(_) => why.to_string(),
        _ if unclear => format!("{}{THEN}{why}", first_unclear(before)),
        _ => why.to_string(),
    };
    let told = said.clone();
    s.write(Actor::system(), move |tx| tx.unit.messages().not_taken(id, &told, &values).map_err(Error::from)).await?;
    match why {
        MailError::Transient(_) => Err(Error::Internal(why.to_string())),
        MailError::Unknown(_) if !unclear => Err(Error::Internal(why.to_string())),
        MailError::Unknown(_) | MailError::Permanent(_) | MailError::Misconfigured(_) => Ok(JobOutcome::GivenUp(said)),
    }
}

/// Its recipient stopped such mail: it is not sent, and nobody need do anything about it.
fn withhold(tx: &mut Tx<'_>, id: MessageId) -> ServiceResult<()> {
    match tx.unit.messages().get(id)? {
        Some(m) if m.state == MessageState::Queued => sms::send::withhold(tx, &m, SmsTrouble::Unsubscribed),
        _ => Ok(()),
    }
}

/// The values that are kept of a sent message: which files were attached, for sending it again.
fn values_to_keep(values: &Value, attaches: bool) -> Value {
    let mut kept = Map::new();
    if attaches {
        invoices::carry_over(values, &mut kept);
    }
    calendar::carry_over(values, &mut kept);
    Value::Object(kept)
}

/// Values that are links by which whoever holds them enters an account or takes up a draft.
const SECRET_LINKS: [&str; 9] = [
    "resetUrl",
    "verifyUrl",
    "confirmUrl",
    "quoteUrl",
    "payUrl",
    "updateCardUrl",
    "cardUrl",
    "consentUrl",
    identity::LINK,
];

/// A page of the dashboard without anything after its path: who opens it has to sign in.
fn needs_sign_in(url: &str) -> bool {
    let path = url.splitn(4, '/').nth(3).unwrap_or_default();
    path.starts_with("dashboard/") && !path.contains(['?', '#'])
}

fn whole(sent: &Rendered) -> SentText {
    SentText { subject: sent.subject.clone(), body: sent.text.clone(), html: sent.html.clone() }
}

/// The text that is kept of a message: as it was sent, without secret links.
fn sent_text(m: &Message, words: &TemplateText, sent: &Rendered) -> ServiceResult<SentText> {
    let is_secret =
        |key: &&str| m.values.get(*key).is_some_and(|v| !v.is_null() && !v.as_str().is_some_and(needs_sign_in));
    if !SECRET_LINKS.iter().any(is_secret) {
        return Ok(whole(sent));
    }
    let mut values = m.values.clone();
    for key in SECRET_LINKS.iter().filter(|key| is_secret(key)) {
        values[*key] = Value::from(repeat::HIDDEN);
    }
    let hidden = wording::rendered(m, words, &values)?;
    Ok(whole(&hidden))
}

#[cfg(test)]
mod tests {
    use super::needs_sign_in;

    #[test]
    fn a_page_that_asks_who_it_is_opens_nothing() {
        assert!(needs_sign_in("https://book.example/dashboard/my-jobs/0190aaaa"));
        for opens in ["https://book.example/dashboard/join?token=x", "https://book.example/email/confirm?token=x", "x"]
        {
            assert!(!needs_sign_in(opens), "{opens}");
        }
    }
}
