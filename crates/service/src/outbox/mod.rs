//! Every message to somebody as staff see it: where it stands, what it said, and what can be done about it.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{BookingId, Email, JobId, MessageId, ShortId, uuid::Uuid};
use serde_json::json;

use crate::{
    Error, ErrorCode, ServiceResult, Services, Staff,
    mailing::{self, repeat},
    ports::{
        StoreResult, Unit,
        jobs::Job,
        messages::{Channel, Message, MessageFilter, MessageState},
    },
    sms,
    work::Work,
};

/// Jobs that were given up, more than anybody leaves on the list.
const MOST_GIVEN_UP: i64 = 1_000;

/// Where a message stands, as staff ask about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Not handed over yet.
    Waiting,
    /// Not taken so far, and tried again by itself.
    Retrying,
    /// Tried no more, until somebody says so.
    GivenUp,
    /// The relay has it.
    Sent,
    /// It arrived.
    Delivered,
    /// The network, or a carrier, could not deliver it.
    Undelivered,
    /// It was not sent, for a reason that nobody need do anything about: a STOP, or news that are old.
    Withheld,
    /// Staff took it off the list.
    Dropped,
}

impl Standing {
    /// All of them.
    pub const ALL: [Standing; 8] = [
        Standing::Waiting,
        Standing::Retrying,
        Standing::GivenUp,
        Standing::Sent,
        Standing::Delivered,
        Standing::Undelivered,
        Standing::Withheld,
        Standing::Dropped,
    ];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Standing::Waiting => "waiting",
            Standing::Retrying => "retrying",
            Standing::GivenUp => "given_up",
            Standing::Sent => "sent",
            Standing::Delivered => "delivered",
            Standing::Undelivered => "undelivered",
            Standing::Withheld => "withheld",
            Standing::Dropped => "dropped",
        }
    }

    /// The standing of a code.
    pub fn from_code(code: &str) -> Option<Standing> {
        Standing::ALL.into_iter().find(|standing| standing.code() == code)
    }

    fn of(m: &Message, is_given_up: bool) -> Standing {
        match *m.state {
            MessageState::Sent => Standing::Sent,
            MessageState::Delivered => Standing::Delivered,
            MessageState::Dead if m.trouble.is_some() => Standing::Withheld,
            MessageState::Dead => Standing::Dropped,
            MessageState::Failed => Standing::Undelivered,
            MessageState::Queued if is_given_up => Standing::GivenUp,
            MessageState::Queued if m.attempts > 0 => Standing::Retrying,
            MessageState::Queued => Standing::Waiting,
        }
    }
}

/// What a list of messages is filtered by.
#[derive(Debug, Clone, Default)]
pub struct OutboxFilter {
    /// Only messages with this standing.
    pub standing: Option<Standing>,
    /// Only of this channel.
    pub channel: Option<Channel>,
    /// Only of this type.
    pub message_type: Option<String>,
    /// Only messages to an address with these letters, or about the booking with this number.
    pub value: Option<String>,
    /// Only texts of this bulk send by staff.
    pub report: Option<Uuid>,
}

/// A message with what is known of it.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The message.
    pub message: Message,
    /// Where it stands.
    pub standing: Standing,
    /// Number of the booking it is about.
    pub booking: Option<String>,
    /// Somebody of the staff tried it out on themselves.
    pub is_trial: bool,
    /// It can be sent again as it was.
    pub can_repeat: bool,
}

/// A page of the list.
#[derive(Debug, Clone)]
pub struct Entries {
    /// The newest first.
    pub data: Vec<Entry>,
    /// Of how many.
    pub total: i64,
}

/// A message that is sent again.
#[derive(Debug, Clone)]
pub struct ResentMessage {
    /// The recipient's address.
    pub recipient: String,
    /// False: it was requested within this minute already, and is on its way.
    pub queued: bool,
}

/// The messages whose job was given up, with that job.
fn given_up(u: &mut dyn Unit) -> ServiceResult<BTreeMap<MessageId, JobId>> {
    let jobs = u.jobs().dead(MOST_GIVEN_UP)?;
    let message = |job: &Job| match Work::of(job) {
        Ok(Work::SendMessage { message_id } | Work::SendSms { message_id }) => Some((message_id, job.id)),
        _ => None,
    };
    Ok(jobs.iter().filter_map(message).collect())
}

fn entry(u: &mut dyn Unit, m: Message, given_up: &BTreeMap<MessageId, JobId>) -> StoreResult<Entry> {
    let booking = match m.booking_id {
        Some(id) => u.bookings().get(id)?.map(|b| b.short_id.to_string()),
        None => None,
    };
    Ok(Entry {
        standing: Standing::of(&m, given_up.contains_key(&m.id)),
        booking,
        is_trial: m.dedup_key.starts_with(mailing::TRIED),
        can_repeat: repeat::is_whole(&m),
        message: m,
    })
}

/// `GET /messages`.
///
/// # Errors
/// When the database fails.
pub async fn list(s: &Services, _: &Staff, filter: OutboxFilter, page: i64, per_page: i64) -> ServiceResult<Entries> {
    s.store
        .read(move |u| {
            let given_up = given_up(u)?;
            let ids: BTreeSet<MessageId> = given_up.keys().copied().collect();
            let filter = message_filter(u, filter, ids)?;
            let skip = page.saturating_sub(1).saturating_mul(per_page);
            let (rows, total) = u.messages().listed(&filter, skip, per_page)?;
            let data = rows.into_iter().map(|m| entry(u, m, &given_up)).collect::<StoreResult<_>>()?;
            Ok::<_, Error>(Entries { data, total })
        })
        .await
}

fn message_filter(
    u: &mut dyn Unit,
    filter: OutboxFilter,
    given_up: BTreeSet<MessageId>,
) -> ServiceResult<MessageFilter> {
    let value = filter.value.map(|value| value.trim().to_owned()).filter(|value| !value.is_empty());
    let short: Option<ShortId> = value.as_deref().and_then(|value| value.to_uppercase().parse().ok());
    let booking: Option<BookingId> = match short {
        Some(short) => u.bookings().of_short_id(&short)?,
        None => None,
    };
    let (state, tried) = match filter.standing {
        None => (None, None),
        Some(Standing::Waiting) => (Some(MessageState::Queued), Some(false)),
        Some(Standing::Retrying) => (Some(MessageState::Queued), Some(true)),
        Some(Standing::GivenUp) => (Some(MessageState::Queued), None),
        Some(Standing::Sent) => (Some(MessageState::Sent), None),
        Some(Standing::Delivered) => (Some(MessageState::Delivered), None),
        Some(Standing::Undelivered) => (Some(MessageState::Failed), None),
        Some(Standing::Withheld | Standing::Dropped) => (Some(MessageState::Dead), None),
    };
    let troubled = match filter.standing {
        Some(Standing::Withheld) => Some(true),
        Some(Standing::Dropped) => Some(false),
        _ => None,
    };
    let waits = matches!(filter.standing, Some(Standing::Waiting | Standing::Retrying));
    Ok(MessageFilter {
        state,
        tried,
        troubled,
        channel: filter.channel,
        message_type: filter.message_type,
        keys: filter.report.map(sms::keys_of),
        recipient: value.filter(|_| booking.is_none()),
        booking,
        among: (filter.standing == Some(Standing::GivenUp)).then(|| given_up.iter().copied().collect()),
        without: if waits { given_up.into_iter().collect() } else { Vec::new() },
    })
}

/// `GET /messages/{id}`.
///
/// # Errors
/// `not_found`.
pub async fn get(s: &Services, _: &Staff, id: MessageId) -> ServiceResult<Entry> {
    s.store
        .read(move |u| {
            let message = u.messages().get(id)?.ok_or(ErrorCode::NotFound)?;
            let given_up = given_up(u)?;
            Ok::<_, Error>(entry(u, message, &given_up)?)
        })
        .await
}

/// `POST /messages/{id}/retry`: a message that was given up is handed over again, from the beginning.
///
/// # Errors
/// `not_found`; `message_not_given_up`.
pub async fn retry(s: &Services, staff: &Staff, id: MessageId) -> ServiceResult<Entry> {
    s.write(staff.actor(), move |tx| {
        let message = tx.unit.messages().get(id)?.ok_or(ErrorCode::NotFound)?;
        let mut waiting = given_up(tx.unit)?;
        let job = waiting.remove(&id).ok_or(ErrorCode::MessageNotGivenUp)?;
        if !tx.revive(job)? {
            return Err(ErrorCode::MessageNotGivenUp.into());
        }
        let told = json!({ "messageType": message.message_type, "attempts": message.attempts });
        tx.audit("message.retry", id, Some(told), None)?;
        Ok::<_, Error>(entry(tx.unit, message, &waiting)?)
    })
    .await
}

/// `POST /messages/{id}/again`: what was sent, word for word, to the same address or a copy to another. The same message
/// is sent again once a minute to an address.
///
/// # Errors
/// `not_found`; `message_not_whole` when it was not sent, or what is kept of it is not all that it said.
pub async fn resend(s: &Services, staff: &Staff, id: MessageId, to: Option<Email>) -> ServiceResult<ResentMessage> {
    s.write(staff.actor(), move |tx| {
        let message = tx.unit.messages().get(id)?.ok_or(ErrorCode::NotFound)?;
        if !repeat::is_whole(&message) {
            return Err(ErrorCode::MessageNotWhole.into());
        }
        let is_copy = to.as_ref().is_some_and(|to| message.recipient.email().is_none_or(|sent| to.key() != sent.key()));
        let told = json!({ "messageType": message.message_type, "copy": is_copy });
        let (recipient, queued) = repeat::queue(tx, message, to)?;
        tx.audit("message.again", id, None, Some(told))?;
        Ok::<_, Error>(ResentMessage { recipient: recipient.to_string(), queued })
    })
    .await
}
