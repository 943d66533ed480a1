//! What the service tells of a text: in its answer, by a report, when it is asked. The newest news counts, in whatever order they come.

use chrono::{DateTime, Duration, Utc};

use super::wishes;
use crate::{
    Actor, Error, ErrorCode, ServiceResult, Services, Tx,
    mailing::delivery::step,
    ports::{
        messages::{Message, MessageState, SmsOutcome},
        sms::{Handover, KnownSms, Reason, SendId, SmsStatus, SmsTrouble},
    },
    work::Work,
};

/// How long a text that did not arrive rests before it is handed over once more.
const REST: Duration = Duration::minutes(10);
/// Handings over of one text.
const MOST_SENDS: usize = 2;

/// What was learnt of a handing over.
#[derive(Debug, Clone)]
pub(super) struct News {
    pub sid: String,
    pub status: SmsStatus,
    pub error_code: Option<i32>,
}

impl News {
    pub(super) fn of(known: &KnownSms) -> News {
        News { sid: known.sid.clone(), status: known.status, error_code: known.error_code }
    }
}

/// A report of the service.
#[derive(Debug, Clone)]
pub struct Report {
    /// Which handing over we told it to report with; none: it was not sent by this program.
    pub send: Option<SendId>,
    /// The service's name of the text.
    pub sid: String,
    /// What became of it, as the service writes it.
    pub status: String,
    /// Why it did not arrive.
    pub error_code: Option<i32>,
}

/// Takes a report that the service signed. The same one may come any number of times, in any order; one of a text that is not ours changes nothing.
///
/// # Errors
/// When the database fails.
pub async fn reported(s: &Services, report: Report) -> ServiceResult<()> {
    let Some(status) = SmsStatus::from_code(&report.status) else {
        tracing::info!(status = report.status, "a report of a text that says nothing new");
        return Ok(());
    };
    let news = News { sid: report.sid, status, error_code: report.error_code };
    s.write(Actor::system(), move |tx| {
        let known = match tx.unit.sms().by_sid(&news.sid)? {
            Some(send) => Some(send.id),
            None => report.send,
        };
        match known {
            Some(send) => learn(tx, send, &news),
            None => {
                tracing::info!(sid = news.sid, "a report of a text that is not ours");
                Ok(())
            }
        }
    })
    .await
}

/// Whether a call was made by the service: `url` is the address it was told, `parameters` everything it sent.
///
/// # Errors
/// `not_found` while texts are off; `forbidden` when somebody else made it.
pub fn prove(s: &Services, url: &str, parameters: &[(String, String)], signature: &str) -> ServiceResult<()> {
    let texter = s.texter.as_ref().ok_or(ErrorCode::NotFound)?;
    if texter.signed(url, parameters, signature) {
        return Ok(());
    }
    tracing::warn!("a call that the text service did not sign was refused");
    Err(ErrorCode::Forbidden.into())
}

/// Writes down what was learnt of a handing over, and what follows from it for its text.
///
/// # Errors
/// When the database fails.
pub(super) fn learn(tx: &mut Tx<'_>, send: SendId, news: &News) -> ServiceResult<()> {
    let Some(known) = tx.unit.sms().by_id(send)? else { return Ok(()) };
    // Whoever else learns something of this text waits from here on, and what was read before is read again.
    let sends = tx.unit.sms().of_message(known.message_id)?;
    let Some(mut known) = sends.iter().find(|s| s.id == send).cloned() else { return Ok(()) };
    if known.sid.as_ref().is_some_and(|sid| *sid != news.sid) {
        tracing::error!(sid = news.sid, "a report names one of our texts and another name of the service's");
        return Ok(());
    }
    if known.status.is_some_and(|old| !news.status.follows(old)) {
        return Ok(());
    }
    known.sid = Some(news.sid.clone());
    (known.status, known.error_code) = (Some(news.status), news.error_code);
    known.is_over = news.status.is_final();
    tx.unit.sms().update(&known)?;
    // Of an earlier handing over nothing follows any more.
    if sends.first().is_none_or(|newest| newest.id != send) {
        return Ok(());
    }
    let Some(m) = tx.unit.messages().get(known.message_id)? else { return Ok(()) };
    follow(tx, &m, &known, sends.len())
}

fn follow(tx: &mut Tx<'_>, m: &Message, send: &Handover, sends: usize) -> ServiceResult<()> {
    let mut state = m.state;
    let mut sent_at = m.sent_at;
    if state == MessageState::Queued {
        sent_at = Some(tx.now);
        if !step(m.id, &mut state, MessageState::Sent) {
            return Ok(());
        }
    }
    let (mut trouble, mut forget) = (None, false);
    match send.status {
        Some(SmsStatus::Delivered | SmsStatus::Read) => {
            if !step(m.id, &mut state, MessageState::Delivered) {
                return Ok(());
            }
            forget = true;
        }
        Some(SmsStatus::Undelivered | SmsStatus::Failed | SmsStatus::Canceled) => {
            if !step(m.id, &mut state, MessageState::Failed) {
                return Ok(());
            }
            let why = reason(tx, send.error_code);
            if why.alarm {
                tracing::error!(code = send.error_code, "the text service has something against our account");
            }
            if why.again && sends < MOST_SENDS && step(m.id, &mut state, MessageState::Queued) {
                sent_at = None;
                tx.enqueue_at(&Work::SendSms { message_id: m.id }, tx.now + REST)?;
            } else {
                (trouble, forget) = (Some(why.trouble), true);
                if why.trouble == SmsTrouble::Stopped {
                    wishes::from_refusal(tx, m, send)?;
                }
            }
        }
        _ => {}
    }
    let outcome = SmsOutcome { state, sent_at, provider_id: send.sid.clone(), trouble, last_error: None, forget };
    Ok(tx.unit.messages().sms_outcome(m.id, &outcome)?)
}

fn reason(tx: &Tx<'_>, code: Option<i32>) -> Reason {
    let refused = Reason { trouble: SmsTrouble::Refused, again: false, alarm: false };
    match (&tx.services.texter, code) {
        (Some(texter), Some(code)) => texter.reason(code),
        _ => refused,
    }
}

/// Nothing more will be told of it; what it was filled with is forgotten.
pub(super) fn close(tx: &mut Tx<'_>, send: SendId, until: DateTime<Utc>) -> ServiceResult<()> {
    let Some(known) = tx.unit.sms().by_id(send)?.filter(|send| !send.is_over) else { return Ok(()) };
    let sends = tx.unit.sms().of_message(known.message_id)?;
    let newest = sends.first().is_some_and(|newest| newest.id == send);
    if let Some(m) = tx.unit.messages().get(known.message_id)?.filter(|m| newest && m.state == MessageState::Sent) {
        let outcome = SmsOutcome {
            state: m.state,
            sent_at: m.sent_at,
            provider_id: m.provider_id,
            trouble: m.trouble,
            last_error: m.last_error,
            forget: true,
        };
        tx.unit.messages().sms_outcome(m.id, &outcome)?;
    }
    if known.made_at < until {
        tx.unit.sms().update(&Handover { is_over: true, ..known })?;
    }
    Ok::<_, Error>(())
}
