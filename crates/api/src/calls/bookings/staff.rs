//! What staff do with any booking.

use actix_web::web;
use kernel::{
    BookingId, Language,
    chrono::{DateTime, Utc},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use service::{
    bookings::{
        edit,
        history::{self, Event, What},
        queries,
        status::{self, Said},
    },
    crews,
    ports::ledger::Entry,
};
use status_machine::booking::Status;
use utoipa::ToSchema;
use validator::Validate;

use super::{
    customer::ends,
    draft::{RuleRefusal, StaffEditRequest},
    record::BookingRecord,
};
use crate::{
    access::Who,
    calls::{
        replies::{Json, Reply, Versioned, versioned},
        values::{BookingStatusCode, Cash, LanguageCode, blank},
    },
    contract::refusals,
    http::{PathId, ValidJson, Version},
    state::State,
};

refusals! {
    /// Why a booking does not move along.
    StatusRefusal { Rule: TransitionRefused, CrewMissing, PaymentUnavailable, SlotGone, RequestInFlight }
}

refusals! {
    /// Why a booking is not deleted.
    DeleteRefusal { Rule: TransitionRefused }
}

refusals! {
    /// Why a booking is not changed by staff, besides the rules of a move.
    StaffEditRefusal { Rule: EditClosed, DiscountLocked }
}

type Seen<E = ()> = Reply<Versioned<BookingRecord>, E>;

/// What `PUT /api/bookings/status/{id}` takes.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub struct StatusRequest {
    /// To.
    #[schema(value_type = BookingStatusCode)]
    status: Status,
    /// Language of the messages that follow.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<LanguageCode>)]
    language: Option<Language>,
    /// Why; some changes need it.
    #[serde(default)]
    #[validate(length(max = 500))]
    #[schema(max_length = 500)]
    reason: Option<String>,
    /// Reference of a payment made elsewhere.
    #[serde(default)]
    #[validate(length(max = 200))]
    #[schema(max_length = 200)]
    payment_reference: Option<String>,
    /// Cancelling: give up what the policy would keep.
    #[serde(default)]
    waive: bool,
    /// Cancelling: judge it as the customer's own.
    #[serde(default)]
    customers_wish: bool,
}

/// One thing that happened.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEvent {
    /// When.
    at: DateTime<Utc>,
    /// Who; none for the system.
    actor: Option<String>,
    /// In which role.
    role: String,
    /// `status`, `edit`, `charge`, `message`.
    kind: &'static str,
    /// From and to; field by field; amount and outcome; template and state.
    #[schema(value_type = Object)]
    what: Value,
}

/// What happened, oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryAnswer {
    /// Events.
    data: Vec<HistoryEvent>,
}

/// One line of an entry.
#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerLine {
    /// `gateway`, `customer`, `revenue`, `gst`, …
    account: &'static str,
    /// Debit positive, credit negative.
    amount: Cash,
}

/// A balanced entry.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerEntry {
    /// Key.
    id: String,
    /// When the fact happened.
    at: DateTime<Utc>,
    /// `capture`, `refund`, …
    kind: String,
    /// The charge or refund behind it.
    payment_id: Option<String>,
    /// They sum to zero.
    lines: Vec<LedgerLine>,
}

/// The entries of a booking, oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerAnswer {
    /// Entries.
    data: Vec<LedgerEntry>,
}

fn event(e: Event) -> HistoryEvent {
    use serde_json::json;
    let (kind, what) = match e.what {
        What::Status { from, to, reason } => {
            ("status", json!({ "from": from.map(Status::code), "to": to.code(), "reason": reason }))
        }
        What::Edit { changes } => ("edit", changes),
        What::Charge { kind, amount, state, order_id } => {
            ("charge", json!({ "kind": kind.code(), "amount": amount, "state": state.code(), "orderId": order_id }))
        }
        What::Message { message_type, state } => ("message", json!({ "messageType": message_type, "state": state })),
    };
    HistoryEvent { at: e.at, actor: e.actor.map(|a| a.to_string()), role: e.role, kind, what }
}

fn entry(e: &Entry) -> LedgerEntry {
    LedgerEntry {
        id: e.id.to_string(),
        at: e.at,
        kind: e.kind.clone(),
        payment_id: e.payment_id.map(|p| p.to_string()),
        lines: e.lines().iter().map(|l| LedgerLine { account: l.account.code(), amount: l.amount.into() }).collect(),
    }
}

pub(super) async fn set_status(
    state: web::Data<State>,
    who: Who,
    id: PathId<BookingId>,
    body: ValidJson<StatusRequest>,
) -> Seen<StatusRefusal> {
    let b = body.value;
    let said = Said {
        reason: b.reason,
        payment_reference: b.payment_reference,
        waive: b.waive,
        customers_wish: b.customers_wish,
        language: b.language,
    };
    let done = status::set(&state.services, &who.0, id.0, b.status, said).await?;
    let crew = crews::of(&state.services, id.0).await?;
    versioned(done.version, BookingRecord::moved(&done, &crew))
}

pub(super) async fn remove(state: web::Data<State>, who: Who, id: PathId<BookingId>) -> Seen<DeleteRefusal> {
    let done = status::set(&state.services, &who.0, id.0, Status::Deleted, Said::default()).await?;
    versioned(done.version, BookingRecord::row(&done, true))
}

pub(super) async fn detail(state: web::Data<State>, who: Who, id: PathId<BookingId>) -> Seen {
    let found = queries::detail(&state.services, &who.0, id.0).await?;
    versioned(found.booking.version, BookingRecord::detail(&found, true))
}

pub(super) async fn change(
    state: web::Data<State>,
    who: Who,
    id: PathId<BookingId>,
    version: Version,
    body: ValidJson<StaffEditRequest>,
) -> Seen<(RuleRefusal, StaffEditRefusal)> {
    let old = ends(&state.services, &who.0, id.0).await?;
    let input = body.value.edit((&old.0, &old.1))?;
    let done = edit::edit(&state.services, &who.0, id.0, input, Some(version.0)).await?;
    versioned(done.booking.version, BookingRecord::detail(&done, true))
}

pub(super) async fn history(state: web::Data<State>, who: Who, id: PathId<BookingId>) -> Reply<Json<HistoryAnswer>> {
    let events = history::history(&state.services, &who.0, id.0).await?;
    Ok(Json(HistoryAnswer { data: events.into_iter().map(event).collect() }))
}

pub(super) async fn ledger(state: web::Data<State>, who: Who, id: PathId<BookingId>) -> Reply<Json<LedgerAnswer>> {
    let entries = history::ledger(&state.services, &who.0, id.0).await?;
    Ok(Json(LedgerAnswer { data: entries.iter().map(entry).collect() }))
}
