//! The job that hands a text message to the service, once.

use chrono::Duration;
use kernel::{E164, MessageId, Zone};
use serde_json::Value;

use super::{
    ZONE,
    quiet::by_day,
    report::{self, News},
    wishes,
    words::{ARRIVAL_SECONDS, Worded, is_arrival, worded},
};
use crate::{
    Actor, Error, ServiceResult, Services, Tx,
    mailing::delivery::step,
    ports::{
        messages::{Message, MessageState, Recipient, SentText, SmsOutcome},
        sms::{Handover, OutgoingSms, SendId, SmsError, SmsTrouble, Texter},
    },
    secret,
    work::{JobOutcome, Work},
};

/// How long a handing over that nobody answered for may still be on its way, in real time: four times the client's own patience.
const ON_THE_WAY: Duration = Duration::seconds(60);
/// How long a text may wait for a service that takes nothing from us.
const PATIENCE: Duration = Duration::days(1);
/// Handings over in one run of the job: the second after a first that was lost.
const ROUNDS: usize = 2;

/// What is to be done with a text.
enum Step {
    /// Nothing more: it was sent, withheld, or waits for the morning.
    Over,
    /// It will never be sent.
    GivenUp(String),
    /// Look for one that nobody answered for.
    Look { send: Handover, to: E164 },
    /// Hand it over.
    Go { send: SendId, sms: OutgoingSms },
}

/// Sends a text. One that was sent before is left alone.
///
/// # Errors
/// When the service takes nothing for now, or nobody knows whether it did (the job is tried again); when the database fails.
pub(crate) async fn run(s: &Services, id: MessageId) -> ServiceResult<JobOutcome> {
    let Some(texter) = &s.texter else { return Ok(JobOutcome::GivenUp("text messages are switched off".to_owned())) };
    if let Some(until) = s.text_gate.wait(s.wall.now()) {
        return Ok(JobOutcome::Later(until));
    }
    for _ in 0..ROUNDS {
        let told = match s.write(Actor::system(), move |tx| begin(tx, id)).await? {
            Step::Over => return Ok(JobOutcome::Done),
            Step::GivenUp(why) => return Ok(JobOutcome::GivenUp(why)),
            Step::Look { send, to } => {
                let arrives = send.begun_at + ON_THE_WAY;
                if s.wall.now() < arrives {
                    return Ok(JobOutcome::Later(arrives));
                }
                match find_unanswered(s, &**texter, send, &to).await {
                    Ok(true) => return Ok(JobOutcome::Done),
                    // It never arrived there: it is handed over anew.
                    Ok(false) => continue,
                    Err(LookupError::Service(failure)) => Err(failure),
                    Err(LookupError::Ours(failure)) => return Err(failure),
                }
            }
            Step::Go { send, sms } => hand_over(s, &**texter, send, &sms).await?,
        };
        return match told {
            Ok(()) => {
                s.text_gate.open();
                Ok(JobOutcome::Done)
            }
            Err(failure) => failed(s, id, failure).await,
        };
    }
    Err(Error::Internal("the text service loses what it is given".to_owned()))
}

fn zone_of(m: &Message) -> ServiceResult<Zone> {
    let zone = m.values.get(ZONE).and_then(Value::as_str).and_then(|name| name.parse().ok());
    zone.ok_or_else(|| Error::Internal(format!("text {} has no zone", m.id)))
}

/// Everything that is decided before the service is asked, and the handing over written down.
fn begin(tx: &mut Tx<'_>, id: MessageId) -> ServiceResult<Step> {
    // Whoever else learns something of this text waits from here on.
    let sends = tx.unit.sms().of_message(id)?;
    let Some(m) = tx.unit.messages().get(id)?.filter(|m| m.state == MessageState::Queued) else {
        return Ok(Step::Over);
    };
    let Recipient::Phone(number) = &m.recipient else { return Ok(Step::Over) };
    let Ok(to) = number.parse::<E164>() else {
        return give_up(tx, &m, SmsTrouble::NoNumber, "this is no telephone number that a network knows");
    };
    if let Some(send) = sends.into_iter().next().filter(|send| send.sid.is_none() && !send.is_over) {
        return Ok(Step::Look { send, to });
    }
    if wishes::stopped(tx.unit, &to)? {
        withhold(tx, &m, SmsTrouble::Stopped)?;
        return Ok(Step::Over);
    }
    let at = by_day(zone_of(&m)?, tx.now);
    let arrival = is_arrival(&m.message_type);
    if arrival && at > m.created_at + Duration::seconds(i64::from(ARRIVAL_SECONDS)) {
        withhold(tx, &m, SmsTrouble::TooLate)?;
        return Ok(Step::Over);
    }
    if at > tx.now {
        tx.enqueue_at(&Work::SendSms { message_id: id }, at)?;
        return Ok(Step::Over);
    }
    let Worded { body, kept } = worded(tx.unit, &m)?;
    let segments = i32::try_from(kernel::segments(&body).parts).unwrap_or(i32::MAX);
    let send = Handover {
        id: SendId(tx.id()),
        message_id: id,
        begun_at: tx.services.wall.now(),
        made_at: tx.now,
        body_hash: secret::hash(&body).0,
        sid: None,
        status: None,
        error_code: None,
        is_over: false,
    };
    tx.unit.messages().worded(id, &SentText { subject: String::new(), body: kept, html: String::new() }, segments)?;
    tx.unit.sms().begin(&send)?;
    let callback = format!("{}/api/webhooks/twilio?send={}", tx.services.public_url(), send.id);
    let valid_seconds = arrival.then_some(ARRIVAL_SECONDS);
    Ok(Step::Go { send: send.id, sms: OutgoingSms { to, body, callback, valid_seconds } })
}

async fn hand_over(
    s: &Services,
    texter: &dyn Texter,
    send: SendId,
    sms: &OutgoingSms,
) -> ServiceResult<Result<(), SmsError>> {
    match texter.send(sms).await {
        Ok(known) => {
            s.write(Actor::system(), move |tx| report::learn(tx, send, &News::of(&known))).await?;
            Ok(Ok(()))
        }
        // It stays open, and is looked for.
        Err(unknown @ SmsError::Unknown(_)) => Ok(Err(unknown)),
        Err(refused) => {
            s.write(Actor::system(), move |tx| close_handover(tx, send)).await?;
            Ok(Err(refused))
        }
    }
}

/// Closes a handover of which nothing came.
fn close_handover(tx: &mut Tx<'_>, send: SendId) -> ServiceResult<()> {
    if let Some(send) = tx.unit.sms().by_id(send)?.filter(|send| send.sid.is_none()) {
        tx.unit.sms().update(&Handover { is_over: true, ..send })?;
    }
    Ok(())
}

enum LookupError {
    Service(SmsError),
    Ours(Error),
}

/// Looks for a message whose handover got no answer: the service's oldest one of these words to this number that is not
/// known yet. If there is none, the handover failed.
async fn find_unanswered(s: &Services, texter: &dyn Texter, send: Handover, to: &E164) -> Result<bool, LookupError> {
    let known = texter.sent_to(to, send.begun_at).await.map_err(LookupError::Service)?;
    s.write(Actor::system(), move |tx| {
        // A report may have told meanwhile.
        if tx.unit.sms().by_id(send.id)?.is_none_or(|send| send.sid.is_some()) {
            return Ok::<_, Error>(true);
        }
        for sms in known.iter().rev().filter(|sms| secret::hash(&sms.body).0 == send.body_hash) {
            if tx.unit.sms().by_sid(&sms.sid)?.is_none() {
                report::learn(tx, send.id, &News::of(sms))?;
                return Ok(true);
            }
        }
        close_handover(tx, send.id)?;
        Ok(false)
    })
    .await
    .map_err(LookupError::Ours)
}

/// What a refusal means for the text.
async fn failed(s: &Services, id: MessageId, failure: SmsError) -> ServiceResult<JobOutcome> {
    let why = failure.to_string();
    let said = why.clone();
    let Some(m) = s
        .write(Actor::system(), move |tx| {
            let Some(m) = tx.unit.messages().get(id)?.filter(|m| m.state == MessageState::Queued) else {
                return Ok(None);
            };
            tx.unit.messages().sms_outcome(id, &SmsOutcome { last_error: Some(said), ..unsent(&m) })?;
            Ok::<_, Error>(Some(m))
        })
        .await?
    else {
        return Ok(JobOutcome::Done);
    };
    let old = s.clock.now() >= m.created_at + PATIENCE;
    match failure {
        SmsError::NotTaken { wait: Some(wait), .. } if !old => {
            s.text_gate.open();
            let wait = Duration::from_std(wait).unwrap_or(PATIENCE);
            Ok(JobOutcome::Later(s.wall.now() + wait))
        }
        SmsError::NotTaken { .. } | SmsError::Unknown(_) => Err(Error::Internal(why)),
        SmsError::Misconfigured(_) => {
            tracing::error!(error = why, "no text goes out until its settings or our account are mended");
            let next = s.text_gate.close(&why, s.wall.now());
            // No fault of the text, so it costs none of its tries; but none waits for ever.
            Ok(if old { JobOutcome::GivenUp(why) } else { JobOutcome::Later(next) })
        }
        SmsError::Refused { trouble: SmsTrouble::Stopped, .. } => {
            s.text_gate.open();
            s.write(Actor::system(), move |tx| refused_by_wish(tx, id)).await?;
            Ok(JobOutcome::Done)
        }
        SmsError::Refused { trouble, .. } => {
            s.text_gate.open();
            let step = s.write(Actor::system(), move |tx| give_up(tx, &m, trouble, &why)).await?;
            Ok(match step {
                Step::GivenUp(why) => JobOutcome::GivenUp(why),
                Step::Over | Step::Look { .. } | Step::Go { .. } => JobOutcome::Done,
            })
        }
    }
}

/// As it stands before the service has it.
fn unsent(m: &Message) -> SmsOutcome {
    SmsOutcome {
        state: m.state,
        sent_at: None,
        provider_id: None,
        trouble: m.trouble,
        last_error: m.last_error.clone(),
        forget: false,
    }
}

/// It is for staff to see; they may have it tried again.
fn give_up(tx: &mut Tx<'_>, m: &Message, trouble: SmsTrouble, why: &str) -> ServiceResult<Step> {
    let outcome = SmsOutcome { trouble: Some(trouble), last_error: Some(why.to_owned()), ..unsent(m) };
    tx.unit.messages().sms_outcome(m.id, &outcome)?;
    Ok(Step::GivenUp(why.to_owned()))
}

/// It is not sent, and nobody need do anything about it.
pub(crate) fn withhold(tx: &mut Tx<'_>, m: &Message, trouble: SmsTrouble) -> ServiceResult<()> {
    let mut state = m.state;
    if step(m.id, &mut state, MessageState::Failed) && step(m.id, &mut state, MessageState::Dead) {
        let outcome = SmsOutcome { state, trouble: Some(trouble), last_error: None, forget: true, ..unsent(m) };
        tx.unit.messages().sms_outcome(m.id, &outcome)?;
    }
    Ok(())
}

/// The service knows of a STOP that did not reach us.
fn refused_by_wish(tx: &mut Tx<'_>, id: MessageId) -> ServiceResult<()> {
    let Some(m) = tx.unit.messages().get(id)?.filter(|m| m.state == MessageState::Queued) else { return Ok(()) };
    if let Ok(phone) = m.recipient.as_str().parse::<E164>() {
        wishes::keep(tx, format!("refused:{id}"), phone, true)?;
    }
    withhold(tx, &m, SmsTrouble::Stopped)
}
