//! What staff do with any booking.

use actix_web::web;
use kernel::{
    BookingId, Language,
    chrono::{DateTime, Utc},
};
use policy::CancelledBy;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use service::{
    bookings::{
        cancel, confirmation, edit,
        history::{self, Event, EventKind},
        status::{self, StatusInput},
    },
    desk::record,
    ports::{acted, ledger::Entry},
};
use status_machine::booking::Status;
use utoipa::ToSchema;
use validator::Validate;

use super::{
    customer::{CancellationAnswer, CurrentEnds, EditPreviewAnswer, PreviewRefusal},
    draft::{RuleRefusal, StaffEditRequest},
};
use crate::{
    access::AsStaff,
    calls::{
        desk::rows::StaffBooking,
        replies::{Json, Reply, Versioned, versioned},
        values::{BookingStatusCode, Cash, LanguageCode, blank},
    },
    contract::refusals,
    http::{IfMatch, PathId, ValidJson, ValidQuery, Version},
    state::State,
};

refusals! {
    /// Why a booking does not move along.
    StatusRefusal {
        Rule: TransitionRefused, InvoiceNeedsCompleted, CrewMissing, PaymentUnavailable, PaymentInFlight, SlotGone, DiscountInvalid,
        RequestInFlight, PeriodClosed, InvoiceExists
    }
}

refusals! {
    /// Why a booking is not deleted.
    DeleteRefusal { Rule: TransitionRefused, PaymentInFlight }
}

refusals! {
    /// Why a booking is not changed by staff, besides the rules of a move.
    StaffEditRefusal { Rule: EditClosed, OvertimeOnly, DiscountLocked, PaymentInFlight, TipInvalid, TipLocked }
}

refusals! {
    /// Why a change by staff has no price, besides the rules of a move.
    StaffPreviewRefusal {
        Rule: EditClosed, OvertimeOnly, DiscountLocked, TipInvalid, TipLocked, PaymentInFlight, VersionConflict
    }
}

refusals! {
    /// Why no confirmation is sent again.
    ConfirmationRefusal { Rule: NothingToConfirm }
}

type StaffBookingReply<E = ()> = Reply<Versioned<StaffBooking>, E>;
type DeletionReply = Reply<Versioned<StaffBooking>, DeleteRefusal>;

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
    /// Cancelling: whose fault it is; the company's when nothing is said.
    #[serde(default)]
    fault: Option<Fault>,
}

impl StatusRequest {
    /// The same request for several bookings.
    pub fn of_many(
        status: Status,
        language: Option<Language>,
        reason: Option<String>,
        payment_reference: Option<String>,
        waive: bool,
        fault: Option<Fault>,
    ) -> StatusRequest {
        StatusRequest { status, language, reason, payment_reference, waive, customers_wish: false, fault }
    }

    /// The new status and the service's input.
    pub fn into_input(self) -> (Status, StatusInput) {
        let input = StatusInput {
            reason: self.reason,
            payment_reference: self.payment_reference,
            waive: self.waive,
            customers_wish: self.customers_wish || self.fault == Some(Fault::Customer),
            language: self.language,
        };
        (self.status, input)
    }
}

/// Whose fault a cancellation is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Fault {
    /// Nothing is kept.
    #[default]
    Company,
    /// The policy decides what is kept; a customer who did not appear as well.
    Customer,
}

/// What staff want to know of a cancellation.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct CancellationQuery {
    /// Whose fault it is.
    #[serde(default)]
    fault: Fault,
    /// What the policy would keep is given up.
    #[serde(default)]
    waive: bool,
}

/// What cancelling now by staff would do.
#[derive(Debug, Serialize, ToSchema)]
pub struct StaffCancellationAnswer {
    #[serde(flatten)]
    outcome: CancellationAnswer,
    fault: Fault,
    waived: bool,
}

/// What is on its way to the customer again.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfirmationAnswer {
    /// Template.
    message_type: &'static str,
    /// To which address.
    recipient: String,
    /// False: it was asked for within this minute already.
    queued: bool,
}

/// One thing that happened.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEvent {
    /// When.
    at: DateTime<Utc>,
    /// Who; none for the system.
    actor: Option<String>,
    /// Their name; none for the system, and for who has no profile.
    actor_name: Option<String>,
    /// In which role.
    role: &'static str,
    /// Of an edit: the version that was replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<i32>,
    /// `status`, `edit`, `charge`, `byHand`, `credit`, `message`.
    kind: &'static str,
    /// From and to; field by field; amount and outcome; amount, method and reference; amount and reason; template and state.
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

/// An entry of the ledger.
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
    /// They sum to zero, unless somebody changed one.
    lines: Vec<LedgerLine>,
    /// Their debits are their credits. False: somebody changed a line in the database.
    balanced: bool,
}

/// The entries of a booking, oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub struct LedgerAnswer {
    /// Entries.
    data: Vec<LedgerEntry>,
}

fn event(e: Event) -> HistoryEvent {
    use serde_json::json;
    let version = match &e.what {
        EventKind::Edit { version, .. } => Some(*version),
        _ => None,
    };
    let (kind, what) = match e.what {
        EventKind::Status { from, to, reason } => {
            ("status", json!({ "from": from.map(Status::code), "to": to.code(), "reason": reason }))
        }
        EventKind::Edit { changes, .. } => ("edit", changes),
        EventKind::Crew { before, after } => ("edit", json!({ "crew": { "before": before, "after": after } })),
        EventKind::Charge { kind, amount, state, order_id } => {
            ("charge", json!({ "kind": kind.code(), "amount": amount, "state": state.code(), "orderId": order_id }))
        }
        EventKind::ByHand { kind, method, amount, reference, taken_out } => {
            let mut told =
                json!({ "kind": kind.code(), "amount": amount, "method": method.code(), "reference": reference });
            if taken_out {
                told["neverCame"] = true.into();
            }
            ("byHand", told)
        }
        EventKind::Credit(c) => ("credit", json!({ "kind": c.kind.code(), "amount": c.amount, "reason": c.reason })),
        EventKind::Message { message_type, state } => {
            ("message", json!({ "messageType": message_type, "state": state }))
        }
    };
    HistoryEvent {
        at: e.at,
        actor: e.actor.map(|a| a.to_string()),
        actor_name: e.actor_name,
        role: acted::code(e.role),
        version,
        kind,
        what,
    }
}

fn entry(e: &Entry) -> LedgerEntry {
    LedgerEntry {
        id: e.id.to_string(),
        at: e.at,
        kind: e.kind.clone(),
        payment_id: e.payment_id.map(|p| p.to_string()),
        lines: e.lines().iter().map(|l| LedgerLine { account: l.account.code(), amount: l.amount.into() }).collect(),
        balanced: e.is_balanced(),
    }
}

pub(super) async fn set_status(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BookingId>,
    version: IfMatch,
    body: ValidJson<StatusRequest>,
) -> StaffBookingReply<StatusRefusal> {
    let (to, input) = body.value.into_input();
    let done = status::set_as_read(&state.services, &who.0, id.0, to, input, version.0).await?;
    let found = record::after(&state.services, &who.0, done).await?;
    versioned(found.row.booking.version, StaffBooking::record_in(&found, who.0.caller().language))
}

pub(super) async fn remove(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BookingId>,
    version: IfMatch,
) -> DeletionReply {
    let input = StatusInput::default();
    let done = status::set_as_read(&state.services, &who.0, id.0, Status::Deleted, input, version.0).await?;
    let found = record::after(&state.services, &who.0, done).await?;
    versioned(found.row.booking.version, StaffBooking::record_in(&found, who.0.caller().language))
}

pub(super) async fn change(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BookingId>,
    version: Version,
    body: ValidJson<StaffEditRequest>,
) -> StaffBookingReply<(RuleRefusal, StaffEditRefusal)> {
    let old = CurrentEnds::of(&state.services, who.0.caller(), id.0).await?;
    let input = body.value.edit(old.both())?;
    edit::edit_as_staff(&state.services, &who.0, id.0, input, Some(version.0)).await?;
    let found = record::get(&state.services, &who.0, id.0).await?;
    versioned(found.row.booking.version, StaffBooking::record_in(&found, who.0.caller().language))
}

pub(super) async fn preview(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BookingId>,
    body: ValidJson<StaffEditRequest>,
) -> Reply<Json<EditPreviewAnswer>, (RuleRefusal, StaffPreviewRefusal)> {
    let old = CurrentEnds::of(&state.services, who.0.caller(), id.0).await?;
    let input = body.value.edit(old.both())?;
    let p = edit::preview_as_staff(&state.services, &who.0, id.0, input).await?;
    Ok(Json(EditPreviewAnswer::new(&p, true)))
}

pub(super) async fn cancellation(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BookingId>,
    query: ValidQuery<CancellationQuery>,
) -> Reply<Json<StaffCancellationAnswer>, PreviewRefusal> {
    let CancellationQuery { fault, waive } = query.value;
    let by = match fault {
        Fault::Company => CancelledBy::Company,
        Fault::Customer => CancelledBy::Customer,
    };
    let p = cancel::preview_as_staff(&state.services, &who.0, id.0, by, waive).await?;
    Ok(Json(StaffCancellationAnswer { outcome: CancellationAnswer::of(&p), fault, waived: waive }))
}

pub(super) async fn confirm(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BookingId>,
) -> Reply<Json<ConfirmationAnswer>, ConfirmationRefusal> {
    let sent = confirmation::send_again(&state.services, &who.0, id.0).await?;
    Ok(Json(ConfirmationAnswer { message_type: "bookingConfirmation", recipient: sent.recipient, queued: sent.queued }))
}

pub(super) async fn history(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BookingId>,
) -> Reply<Json<HistoryAnswer>> {
    let events = history::history(&state.services, who.0.caller(), id.0).await?;
    Ok(Json(HistoryAnswer { data: events.into_iter().map(event).collect() }))
}

pub(super) async fn ledger(state: web::Data<State>, who: AsStaff, id: PathId<BookingId>) -> Reply<Json<LedgerAnswer>> {
    let entries = history::ledger(&state.services, who.0.caller(), id.0).await?;
    Ok(Json(LedgerAnswer { data: entries.iter().map(entry).collect() }))
}
