//! A letter leaves: the job that renders it, hands it to the relay and keeps what came of it.

use chrono::Duration;
use kernel::{Email, MessageId};
use serde_json::{Map, Value};

use super::{calendar, commercial, identity, invoices, render::Rendered, repeat, values, wording};
use crate::{
    Actor, Error, ServiceResult, Services, Tx,
    ports::{
        mail::{IN_FLIGHT, IN_FLIGHT_AGAIN, MailError, OutgoingMail, UNCLEAR},
        messages::{HandedOver, Message, MessageState, SentText},
        sms::SmsTrouble,
        templates::TemplateText,
    },
    sms,
    work::Ran,
};

/// How long a message may wait for a relay that takes nothing from us.
const PATIENCE: Duration = Duration::days(3);

/// The job: renders and hands over. A message sent before is left alone. One that the relay refuses for
/// good, or of which it left open twice whether it took it, is given up, with its values: an operator may have it tried again,
/// or dropped. A program that ended before the relay's answer was written down left it open, too.
///
/// # Errors
/// When the relay refuses for now (the job is tried again) or the database fails.
pub async fn send(s: &Services, id: MessageId) -> ServiceResult<Ran> {
    let message = s.store.read(move |u| u.messages().get(id).map_err(Error::from)).await?;
    let Some(m) = message.filter(|m| m.state == MessageState::Queued) else { return Ok(Ran::Done) };
    let Some(to) = m.recipient.email().cloned() else { return Ok(Ran::GivenUp("this is no letter".to_owned())) };
    if let Some(until) = s.mail_gate.wait(s.wall.now()) {
        return Ok(Ran::Later(until));
    }
    let unsubscribe = commercial::one_click(&m);
    let whose = to.clone();
    if unsubscribe.is_some() && s.store.read(move |u| commercial::stopped(u, &whose).map_err(Error::from)).await? {
        s.write(Actor::system(), move |tx| withhold(tx, id)).await?;
        return Ok(Ran::Done);
    }
    let before = m.last_error.clone().unwrap_or_default();
    let broken_off = [IN_FLIGHT, IN_FLIGHT_AGAIN].contains(&before.as_str());
    // What was said before, while nobody knew whether the relay had taken it: it goes out once more, and never again.
    let unclear = before.starts_with(UNCLEAR) && before != IN_FLIGHT;
    if broken_off {
        let why = MailError::Unknown("the program ended before it was answered".to_owned());
        let (said, values) = (why.to_string(), m.values);
        s.write(Actor::system(), move |tx| tx.unit.messages().not_taken(id, &said, &values).map_err(Error::from))
            .await?;
        return left_open(&why, unclear);
    }
    let mut same_again = m.values.clone();
    let (rendered, kept, attaches) = match repeat::words(&m.values) {
        Some(again) => (again.clone(), whole(&again), true),
        None => {
            let words = wording::of(s, &m).await?;
            let rendered = wording::rendered(&m, &words, &m.values)?;
            let kept = kept(&m, &words, &rendered)?;
            same_again = wording::with(&m.values, &words);
            (rendered, kept, words.attachment)
        }
    };
    let mut attachments = if attaches { invoices::attachments(s, &m).await? } else { Vec::new() };
    attachments.extend(calendar::attachment(&m)?);
    let left = left(&m.values, attaches);
    let said = |key: &str| m.values.get(key).and_then(Value::as_str).map(str::to_owned);
    let (booking, from_name) = (said("bookingShortId"), said("companyName"));
    let reply_to = said(values::REPLY_TO).and_then(|address| address.parse::<Email>().ok());
    let mail = OutgoingMail {
        message_id: id.to_string(),
        written_at: Some(m.created_at),
        to,
        to_name: m.recipient_name,
        subject: rendered.subject,
        text: rendered.text,
        html: rendered.html,
        language: m.language,
        message_type: m.message_type,
        attachments,
        booking,
        from_name,
        reply_to,
        unsubscribe,
    };
    // From here on the relay may have this very letter: whatever staff make of its template meanwhile, no other one goes out
    // for it, and a program that is killed leaves behind that nobody knows.
    let mark = if unclear { IN_FLIGHT_AGAIN } else { IN_FLIGHT };
    let frozen = same_again.clone();
    let marked = move |tx: &mut Tx<'_>| tx.unit.messages().handing_over(id, mark, &frozen).map_err(Error::from);
    if !s.write(Actor::system(), marked).await? {
        return Ok(Ran::Done);
    }
    let sent = s.mailer.send(&mail).await;
    if let Err(e) = &sent {
        let asked = matches!(e, MailError::Unknown(_));
        let why = if unclear && !asked { format!("{before}; then: {e}") } else { e.to_string() };
        let values = if asked { same_again } else { m.values.clone() };
        s.write(Actor::system(), move |tx| tx.unit.messages().not_taken(id, &why, &values).map_err(Error::from))
            .await?;
    }
    let provider_id = match sent {
        Ok(accepted) => {
            s.mail_gate.open();
            accepted.queue_id
        }
        Err(e @ MailError::Permanent(_)) => {
            s.mail_gate.open();
            return Ok(Ran::GivenUp(e.to_string()));
        }
        Err(e @ MailError::Misconfigured(_)) => {
            tracing::error!(error = %e, "no mail goes out until the settings of the relay are mended");
            let next = s.mail_gate.close(&e.to_string(), s.wall.now());
            // No fault of the message, so it costs none of its tries; but no message waits for ever.
            let old = s.clock.now() >= m.created_at + PATIENCE;
            return Ok(if old { Ran::GivenUp(e.to_string()) } else { Ran::Later(next) });
        }
        Err(e @ MailError::Unknown(_)) => return left_open(&e, unclear),
        Err(e @ MailError::Transient(_)) => return Err(Error::Internal(e.to_string())),
    };
    let told = HandedOver { provider_id, text: kept, values: left, at: s.clock.now() };
    s.write(Actor::system(), move |tx| {
        let mut state = m.state;
        if state.go(MessageState::Sent) {
            tx.unit.messages().handed_over(id, state, &told)?;
        }
        Ok::<_, Error>(())
    })
    .await?;
    Ok(Ran::Done)
}

/// Nobody knows whether the relay took it: it is tried once more, after a while; where that was done, a person decides.
fn left_open(why: &MailError, unclear: bool) -> ServiceResult<Ran> {
    if unclear { Ok(Ran::GivenUp(why.to_string())) } else { Err(Error::Internal(why.to_string())) }
}

/// Its recipient stopped such mail: it is not sent, and nobody need do anything about it.
fn withhold(tx: &mut Tx<'_>, id: MessageId) -> ServiceResult<()> {
    match tx.unit.messages().get(id)? {
        Some(m) if m.state == MessageState::Queued => sms::send::withhold(tx, &m, SmsTrouble::Unsubscribed),
        _ => Ok(()),
    }
}

/// What is kept of the values of a message that was sent: which files went along, for whoever sends it again.
fn left(values: &Value, attaches: bool) -> Value {
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
fn kept(m: &Message, words: &TemplateText, sent: &Rendered) -> ServiceResult<SentText> {
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
