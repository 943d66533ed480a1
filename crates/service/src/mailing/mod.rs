//! Messages to people: queued in the transaction that causes them, with their values frozen;
//! rendered and sent by a job.

pub(crate) mod alerts;
pub mod batches;
mod blocks;
pub(crate) mod calendar;
pub(crate) mod card_links;
pub mod catalogue;
pub(crate) mod changes;
pub mod commercial;
pub(crate) mod crews;
pub(crate) mod drafted;
pub mod gate;
mod identity;
pub mod invoices;
pub(crate) mod papers;
mod queue;
pub(crate) mod quote_requests;
pub(crate) mod quotes;
pub mod reminders;
mod render;
pub(crate) mod repeat;
mod sample;
pub(crate) mod values;
mod wording;

use chrono::{DateTime, Duration, Utc};
use kernel::{Email, MessageId, Money};
use policy::{Cancellation, PaymentPlan};
use serde_json::{Map, Value};
use status_machine::booking::Status;

use self::changes::Before;
use crate::{
    Actor, Error, ServiceResult, Services, Tx,
    billing::facts::{SETTLEMENT_DECLINED, owed},
    ports::{
        bookings::Booking,
        invoices::Invoice,
        mail::{MailError, OutgoingMail, UNCLEAR},
        messages::{HandedOver, Message, MessageState, SentText},
        payments::{Attempt, Payment, PaymentKind},
        sms::SmsTrouble,
        templates::TemplateText,
        tips::Tip,
    },
    sms, texts,
    work::Ran,
};

pub use commercial::TRIED;
pub use gate::{Gate, Shut};
use queue::about;
pub use queue::{NewMessage, queue};
pub use render::{Rendered, render};
pub(crate) use render::{filled, partials, shipped};
pub(crate) use values::{ConsentLink, PayLink};

/// How long a message may wait for a relay that takes nothing from us.
const PATIENCE: Duration = Duration::days(3);

/// Wait after the `n`th failure of a message: relays that are busy ask for minutes, one that is down may
/// need a weekend.
pub(crate) fn retry_in(failures: i32) -> Duration {
    match failures {
        ..=1 => Duration::minutes(1),
        2 => Duration::minutes(5),
        3 => Duration::minutes(15),
        4 => Duration::minutes(30),
        5 => Duration::hours(1),
        6 => Duration::hours(2),
        _ => Duration::hours(4),
    }
}

/// `bookingConfirmation`.
///
/// # Errors
/// When the database fails.
pub fn booking_confirmed(tx: &mut Tx<'_>, b: &Booking, plan: &PaymentPlan, tip: Option<&Tip>) -> ServiceResult<()> {
    let values = invoices::with_contract("bookingConfirmation", b, values::confirmation(tx.services, b, plan, tip));
    about(tx, b, "bookingConfirmation", "1", values).map(drop)
}

/// `bookingConfirmation` again, of the booking as it is now, once a minute; whether it was queued.
///
/// # Errors
/// When the database fails.
pub fn booking_confirmed_again(
    tx: &mut Tx<'_>,
    b: &Booking,
    plan: &PaymentPlan,
    tip: Option<&Tip>,
    minute: DateTime<Utc>,
) -> ServiceResult<bool> {
    let values = confirmed_since(tx, b, plan, tip);
    about(tx, b, "bookingConfirmation", &format!("again:{}", minute.timestamp()), values)
}

/// `bookingConfirmation` of a booking whose cancellation was taken back: once for each time. It has the appointment that
/// the cancellation took out of the customer's calendar.
///
/// # Errors
/// When the database fails.
pub(crate) fn booking_taken_back(
    tx: &mut Tx<'_>,
    b: &Booking,
    plan: &PaymentPlan,
    tip: Option<&Tip>,
) -> ServiceResult<()> {
    let values = confirmed_since(tx, b, plan, tip);
    about(tx, b, "bookingConfirmation", &format!("back:{}", b.version), values).map(drop)
}

/// What a confirmation says some time after the booking was made: nothing that has passed, and no charge of money that went
/// back before its customer agreed.
fn confirmed_since(tx: &Tx<'_>, b: &Booking, plan: &PaymentPlan, tip: Option<&Tip>) -> Map<String, Value> {
    let mut values = values::confirmation(tx.services, b, plan, tip);
    if plan.free_until().is_none_or(|(until, _)| until < tx.now) {
        values.remove("freeCancellationUntil");
    }
    if b.details.charges_wait.is_some() {
        for key in ["depositAmount", "depositDueAt", "balanceAmount", "balanceDueAt"] {
            values.remove(key);
        }
        values.insert("howPaid".into(), texts::text("howPaid.waits", b.language).into());
    }
    invoices::with_contract("bookingConfirmation", b, values)
}

/// `paymentLink`, once a link: `of` tells one from another.
///
/// # Errors
/// When the database fails.
pub(crate) fn payment_link(tx: &mut Tx<'_>, b: &Booking, of: &str, link: PayLink<'_>) -> ServiceResult<()> {
    about(tx, b, "paymentLink", of, values::payment_link(b, &link)).map(drop)
}

/// `consentRequest`, once a link: `of` tells one from another.
///
/// # Errors
/// When the database fails.
pub(crate) fn consent_request(tx: &mut Tx<'_>, b: &Booking, of: &str, link: &ConsentLink<'_>) -> ServiceResult<()> {
    about(tx, b, "consentRequest", of, values::consent(b, link)).map(drop)
}

/// `depositCharged`, `balanceCharged`, `fullPaymentCharged`, `tipCharged` or `refundIssued`.
///
/// # Errors
/// When the database fails.
pub fn payment_made(tx: &mut Tx<'_>, b: &Booking, row: &Payment) -> ServiceResult<()> {
    let kind = match row.kind {
        PaymentKind::Deposit => "depositCharged",
        PaymentKind::Full => "fullPaymentCharged",
        PaymentKind::Balance | PaymentKind::Difference | PaymentKind::Overtime | PaymentKind::CancellationFee => {
            "balanceCharged"
        }
        PaymentKind::Tip => "tipCharged",
        PaymentKind::Refund => "refundIssued",
        // Neither is charged or returned by the gateway: whoever gives it away or pays it says so.
        PaymentKind::Goodwill | PaymentKind::Claim => return Ok(()),
    };
    let rows = tx.unit.payments().of_booking(b.id)?;
    // The bank may have refused it when it settled, which its customer was told: taken again, it is told again.
    let refused = |a: &Attempt| a.code.as_deref() == Some(SETTLEMENT_DECLINED);
    let version = match tx.unit.payments().attempts_of(row.id)?.into_iter().filter(refused).count() {
        0 => row.id.to_string(),
        n => format!("{}:{n}", row.id),
    };
    about(tx, b, kind, &version, values::payment(b, row, &rows, tx.now)).map(drop)
}

/// `paymentFailed`, with a link for another card, after each declined attempt at what is owed. A tip is owed by nobody: it is tried again and then shown
/// to staff, and nobody is reminded of it.
///
/// # Errors
/// When the database fails.
pub fn payment_failed(tx: &mut Tx<'_>, b: &Booking, row: &Payment) -> ServiceResult<()> {
    if row.kind == PaymentKind::Tip {
        return Ok(());
    }
    let link = card_links::make(tx, b)?;
    let fresh = about(
        tx,
        b,
        "paymentFailed",
        &format!("{}:{}", row.id, row.attempts),
        values::declined(b, row, &link.url, tx.now),
    )?;
    if fresh { sms::events::declined(tx, b, row, &link.url) } else { Ok(()) }
}

/// `bookingEdited`, where there is something to tell.
///
/// # Errors
/// When the database fails.
pub fn booking_edited(
    tx: &mut Tx<'_>,
    old: &Booking,
    new: &Booking,
    fee: Money,
    changes: &Value,
    before: Before,
) -> ServiceResult<()> {
    let rows = tx.unit.payments().of_booking(new.id)?;
    let mut list = changes::list(old, new, changes);
    list.extend(before.changed_to(Before::of(tx.unit, new.id)?, new.language));
    // Nothing but what is the staff's business, or theirs to know already.
    if list.is_empty() && !fee.is_positive() {
        return Ok(());
    }
    let values = invoices::with_contract("bookingEdited", new, values::edited(old, new, fee, &list, &rows, tx.now));
    about(tx, new, "bookingEdited", &new.version.to_string(), values).map(drop)
}

/// `bookingEdited` of a tip alone, while the move is to come: it is a record of its own, saved beside the booking. What is
/// given after the move is told of when it was charged.
///
/// # Errors
/// When the database fails.
pub(crate) fn tip_changed(tx: &mut Tx<'_>, b: &Booking, before: Before, tip: &Tip) -> ServiceResult<()> {
    let list = before.changed_to(Before::of(tx.unit, b.id)?, b.language);
    if list.is_empty() || !matches!(b.status, Status::Pending | Status::Assigned) {
        return Ok(());
    }
    let rows = tx.unit.payments().of_booking(b.id)?;
    about(
        tx,
        b,
        "bookingEdited",
        &format!("tip:{}", tip.version),
        values::edited(b, b, Money::ZERO, &list, &rows, tx.now),
    )
    .map(drop)
}

/// `bookingCancelled`.
///
/// # Errors
/// When the database fails.
pub fn booking_cancelled(tx: &mut Tx<'_>, b: &Booking, outcome: &Cancellation) -> ServiceResult<()> {
    let rows = tx.unit.payments().of_booking(b.id)?;
    let mut values = values::cancelled(b, outcome, owed(b, &rows), tx.now);
    if outcome.kept.is_positive()
        && let Some(invoice) = tx.unit.invoices().of_booking(b.id)?.into_iter().rfind(Invoice::stands)
    {
        // The paper that goes along says that there is a link.
        invoices::with_ways(tx, b, &invoice, &rows, &mut values)?;
        invoices::attach("bookingCancelled", &invoice, &mut values);
    }
    about(tx, b, "bookingCancelled", &b.version.to_string(), values).map(drop)
}

/// The job: renders and hands over. A message sent before is left alone. One that the relay refuses for
/// good, or of which it left open twice whether it took it, is given up, with its values: an operator may have it tried again,
/// or dropped.
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
    let mut said_with = None;
    let (rendered, kept, attaches) = match repeat::words(&m.values) {
        Some(again) => (again.clone(), whole(&again), true),
        None => {
            let words = wording::of(s, &m).await?;
            let rendered = wording::rendered(&m, &words, &m.values)?;
            let kept = kept(&m, &words, &rendered)?;
            let attaches = words.attachment;
            said_with = Some(words);
            (rendered, kept, attaches)
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
    let sent = s.mailer.send(&mail).await;
    // What was said before, while nobody knew whether the relay had taken it: it goes out once more, and never again.
    let unclear = m.last_error.filter(|before| before.starts_with(UNCLEAR));
    if let Err(e) = &sent {
        let why = match &unclear {
            Some(before) if !matches!(e, MailError::Unknown(_)) => format!("{before}; then: {e}"),
            _ => e.to_string(),
        };
        // The relay may have this very letter: whatever staff make of its template meanwhile, no other one goes out for it.
        let values =
            said_with.filter(|_| matches!(e, MailError::Unknown(_))).map(|words| wording::with(&m.values, &words));
        s.write(Actor::system(), move |tx| {
            tx.unit.messages().not_taken(id, &why, values.as_ref()).map_err(Error::from)
        })
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
        Err(e @ MailError::Unknown(_)) if unclear.is_some() => return Ok(Ran::GivenUp(e.to_string())),
        Err(e @ (MailError::Transient(_) | MailError::Unknown(_))) => return Err(Error::Internal(e.to_string())),
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
    use super::*;

    #[test]
    fn a_page_that_asks_who_it_is_opens_nothing() {
        assert!(needs_sign_in("https://book.example/dashboard/my-jobs/0190aaaa"));
        for opens in ["https://book.example/dashboard/join?token=x", "https://book.example/email/confirm?token=x", "x"]
        {
            assert!(!needs_sign_in(opens), "{opens}");
        }
    }
}
