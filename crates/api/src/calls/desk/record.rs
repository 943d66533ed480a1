//! What belongs to one booking, for staff.

use actix_web::web;
use kernel::{
    BookingId, Language, Money,
    chrono::{DateTime, NaiveDate, Utc},
};
use serde::{Deserialize, Serialize};
use service::{
    billing::facts::never_came,
    desk::record::{self, Customer, Move, Paid},
    ports::{
        messages::Message,
        payments::{Attempt, Payment},
        sms::SmsTrouble,
    },
};
use utoipa::ToSchema;

use super::{
    credits::{CreditRecord, MostCredit},
    rows::StaffBooking,
};
use crate::{
    access::AsStaff,
    calls::{
        bookings::{parts::failure_code, record::BookingRecord},
        payments::PlanAnswer,
        replies::{Json, Reply, Versioned, versioned},
        values::{
            BookingStatusCode, Cash, ChannelCode, HourMinute, LanguageCode, PaidWithCode, PaymentStateCode,
            SmsTroubleCode,
        },
    },
    http::{PathId, ValidQuery},
    state::State,
};

/// Whose booking it is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomerBrief {
    id: String,
    first_name: String,
    last_name: String,
    /// In the order of their script.
    name: String,
    email: String,
    phone: String,
    #[schema(value_type = Option<LanguageCode>)]
    language: Option<Language>,
    /// They have shown that mail reaches them.
    email_verified: bool,
    /// A card can be charged.
    has_card: bool,
}

/// A move of a customer, in short.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MoveBrief {
    id: String,
    short_id: String,
    #[schema(value_type = BookingStatusCode)]
    status: &'static str,
    starts_at: DateTime<Utc>,
    #[schema(value_type = String, format = Date)]
    date: NaiveDate,
    time: HourMinute,
    zone: String,
    /// Address of the pickup.
    from: String,
    /// Address of the drop-off.
    to: String,
    total: Cash,
    /// Still owed.
    owed: Cash,
    #[schema(value_type = PaymentStateCode)]
    payment_state: &'static str,
}

impl From<&Move> for MoveBrief {
    fn from(m: &Move) -> MoveBrief {
        let b = &m.booking;
        MoveBrief {
            id: b.id.to_string(),
            short_id: b.short_id.to_string(),
            status: b.status.code(),
            starts_at: b.move_at,
            date: b.move_date,
            time: HourMinute(b.move_time),
            zone: b.zone.to_string(),
            from: b.details.pickup.address.line(),
            to: b.details.dropoff.address.line(),
            total: b.total.into(),
            owed: m.owed.into(),
            payment_state: m.payment_state.code(),
        }
    }
}

/// The customer of a booking, with all their moves.
#[derive(Debug, Serialize, ToSchema)]
pub struct BookingCustomer {
    /// Who.
    customer: CustomerBrief,
    /// Open money of the moves that are listed.
    owes: Cash,
    /// The newest move first, at most 100.
    data: Vec<MoveBrief>,
    /// How many they have.
    total: i64,
}

impl From<&Customer> for BookingCustomer {
    fn from(c: &Customer) -> BookingCustomer {
        let p = c.profile.as_ref();
        let text = |of: fn(&service::ports::profiles::Profile) -> String| p.map(of).unwrap_or_default();
        BookingCustomer {
            customer: CustomerBrief {
                id: c.id.to_string(),
                first_name: text(|p| p.first_name.clone()),
                last_name: text(|p| p.last_name.clone()),
                name: text(|p| p.full_name()),
                email: text(|p| p.email.to_string()),
                phone: text(|p| p.phone.clone()),
                language: p.map(|p| p.language),
                email_verified: c.email_verified,
                has_card: c.has_card,
            },
            owes: c.owes.into(),
            data: c.moves.iter().map(MoveBrief::from).collect(),
            total: c.total,
        }
    }
}

/// One call to the gateway.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttemptRecord {
    order_id: String,
    amount: Cash,
    /// `sent`, `applied`, `declined`, `not_applied`, `lost`.
    state: &'static str,
    created_at: DateTime<Utc>,
    /// When the outcome was known.
    resolved_at: Option<DateTime<Utc>>,
}

/// A charge or refund, with what was tried.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentRecord {
    id: String,
    /// `deposit`, `balance`, `full`, `difference`, `tip`, `overtime`, `cancellation_fee`, `refund`, …
    kind: &'static str,
    /// Where it stands.
    state: &'static str,
    amount: Cash,
    due_at: DateTime<Utc>,
    /// When it is tried again.
    next_attempt_at: Option<DateTime<Utc>>,
    /// When money moved.
    settled_at: Option<DateTime<Utc>>,
    card_last4: Option<String>,
    /// `card`, or by hand; a refund by hand waits until somebody says that it was handed over.
    #[schema(value_type = PaidWithCode)]
    method: &'static str,
    /// Number of the transfer or cheque, or whatever was written down with it.
    reference: Option<String>,
    /// True of a payment by hand that was written down by mistake as a whole, and of the refund that takes one out of the
    /// books: no money moved. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    never_came: Option<bool>,
    /// What the bank said last, while no money moved.
    message: Option<String>,
    /// What Portage itself says instead, as a code: `settlement_declined`, `refund_declined`, `no_card`, `never_answered`, `voided`.
    #[serde(skip_serializing_if = "Option::is_none")]
    message_code: Option<&'static str>,
    /// The charge a refund returns.
    refund_of: Option<String>,
    /// What of a charge went back by another hand, is owed still and can be written off.
    write_off: Option<Cash>,
    /// Oldest first.
    attempts: Vec<AttemptRecord>,
}

fn payment(all: &[Payment], p: &Payment, attempts: &[Attempt], write_off: Option<Money>) -> PaymentRecord {
    let attempt = |a: &Attempt| AttemptRecord {
        order_id: a.order_id.clone(),
        amount: a.amount.into(),
        state: a.state.code(),
        created_at: a.created_at,
        resolved_at: a.resolved_at,
    };
    PaymentRecord {
        id: p.id.to_string(),
        kind: p.kind.code(),
        state: p.state.code(),
        amount: p.amount.into(),
        due_at: p.due_at,
        next_attempt_at: p.next_attempt_at,
        settled_at: p.settled_at,
        card_last4: p.card_last4.clone(),
        method: p.method.code(),
        reference: p.written_reference().map(str::to_owned),
        never_came: never_came(all, p).then_some(true),
        message: p.last_message.clone().filter(|_| p.settled_at.is_none()),
        message_code: failure_code(p),
        refund_of: p.refund_of.map(|id| id.to_string()),
        write_off: write_off.map(Cash::from),
        attempts: attempts.iter().map(attempt).collect(),
    }
}

/// The money of a booking: what happened, and what comes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookingPayments {
    /// Oldest first.
    data: Vec<PaymentRecord>,
    payment_plan: PlanAnswer,
    /// What staff gave back or waived, oldest first.
    credits: Vec<CreditRecord>,
    /// What of that counts: what is owed is the price less this.
    credited: Cash,
    /// How much more can be given back.
    most: MostCredit,
    /// Captured minus returned, tip aside.
    net_paid: Cash,
    /// Still owed.
    owed: Cash,
}

impl From<&Paid> for BookingPayments {
    fn from(p: &Paid) -> BookingPayments {
        let of = |id| p.write_offs.iter().find(|w| w.0 == id).map(|w| w.1);
        let all: Vec<Payment> = p.data.iter().map(|(row, _)| row.clone()).collect();
        BookingPayments {
            data: p.data.iter().map(|(row, attempts)| payment(&all, row, attempts, of(row.id))).collect(),
            payment_plan: PlanAnswer::new(&p.plan, p.zone, &p.policy),
            credits: p.credits.iter().map(CreditRecord::from).collect(),
            credited: p.credited.into(),
            most: p.most.into(),
            net_paid: p.net_paid.into(),
            owed: p.owed.into(),
        }
    }
}

/// A message about a booking.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessageRecord {
    id: String,
    /// Template.
    message_type: String,
    #[schema(value_type = ChannelCode)]
    channel: &'static str,
    #[schema(value_type = LanguageCode)]
    language: Language,
    recipient: String,
    /// `queued`, `sent`, `failed`, `dead`, …
    state: &'static str,
    created_at: DateTime<Utc>,
    /// When the relay took it.
    sent_at: Option<DateTime<Utc>>,
    /// How often it was handed over.
    attempts: i32,
    /// What was said the last time, when it was not taken.
    last_error: Option<String>,
    /// The relay's name for it.
    provider_id: Option<String>,
    /// As it was sent; none before, and none of a text.
    subject: Option<String>,
    /// Plain text as it was sent, without the links that open accounts.
    text: Option<String>,
    /// Parts a text is sent and billed as; none before it was handed over.
    segments: Option<i32>,
    /// Why a text was not sent, or did not arrive.
    #[schema(value_type = Option<SmsTroubleCode>)]
    trouble: Option<&'static str>,
}

impl From<&Message> for MessageRecord {
    fn from(m: &Message) -> MessageRecord {
        MessageRecord {
            id: m.id.to_string(),
            message_type: m.message_type.clone(),
            channel: m.channel().code(),
            language: m.language,
            recipient: m.recipient.to_string(),
            state: m.state.code(),
            created_at: m.created_at,
            sent_at: m.sent_at,
            attempts: m.attempts,
            last_error: m.trouble_said().map(str::to_owned),
            provider_id: m.provider_id.clone(),
            subject: m.text.as_ref().map(|t| t.subject.clone()).filter(|subject| !subject.is_empty()),
            text: m.text.as_ref().map(|t| t.body.clone()),
            segments: m.segments,
            trouble: m.trouble.map(SmsTrouble::code),
        }
    }
}

/// Messages about a booking, oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct BookingMessages {
    /// Messages.
    data: Vec<MessageRecord>,
}

/// Which version.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct VersionQuery {
    /// Its number.
    #[schema(minimum = 1, maximum = 1_000_000)]
    number: i32,
}

pub(in crate::calls) async fn get(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BookingId>,
) -> Reply<Versioned<StaffBooking>> {
    let found = record::get(&state.services, &who.0, id.0).await?;
    versioned(found.row.booking.version, StaffBooking::record_in(&found, who.0.caller().language))
}

pub(super) async fn customer(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BookingId>,
) -> Reply<Json<BookingCustomer>> {
    let found = record::customer(&state.services, &who.0, id.0).await?;
    Ok(Json(BookingCustomer::from(&found)))
}

pub(super) async fn payments(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BookingId>,
) -> Reply<Json<BookingPayments>> {
    let found = record::payments(&state.services, &who.0, id.0).await?;
    Ok(Json(BookingPayments::from(&found)))
}

pub(super) async fn messages(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BookingId>,
) -> Reply<Json<BookingMessages>> {
    let found = record::messages(&state.services, &who.0, id.0).await?;
    Ok(Json(BookingMessages { data: found.iter().map(MessageRecord::from).collect() }))
}

pub(super) async fn version(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BookingId>,
    query: ValidQuery<VersionQuery>,
) -> Reply<Json<BookingRecord>> {
    let found = record::version(&state.services, &who.0, id.0, query.value.number).await?;
    Ok(Json(BookingRecord::replaced(&found).with_lines_in(&found, who.0.caller().language)))
}
