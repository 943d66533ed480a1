//! Charges that failed.

use actix_web::web;
use kernel::{
    PaymentId,
    chrono::{DateTime, Utc},
};
use serde::{Deserialize, Serialize};
use service::desk::{
    failed::{self, Failure, RetriedPayment},
    record::Paid,
};
use utoipa::ToSchema;
use validator::Validate;

use super::record::BookingPayments;
use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, Once, Reply},
        values::{BookingStatusCode, Cash, FailedStateCode, FailureCode, PaidWithCode, PaymentKindCode},
    },
    contract::{Record, names, refusals},
    http::{IdempotencyKey, PathId, ValidJson, ValidQuery},
    state::State,
};

refusals! {
    /// Why a charge is not tried again.
    RetryRefusal { Rule: PaymentNotFailed, ChargedBack, PaymentInFlight, ConsentAwaited, NothingOwed, CardRequired, CardRefused }
}

refusals! {
    /// Why a charge is not undone.
    VoidRefusal { Rule: AlreadySettled, NothingToReturn, PaymentInFlight }
}

refusals! {
    /// Why a charge is not given up.
    WriteOffRefusal { Rule: PaymentNotFailed, NothingOwed, WriteOffEarly, PaymentInFlight, PeriodClosed }
}

/// Which page.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct FailedQuery {
    /// Page, from 1.
    #[serde(default = "first")]
    #[schema(minimum = 1, maximum = 1_000_000, default = 1)]
    page: i64,
    /// Rows a page.
    #[serde(default = "fifty")]
    #[schema(minimum = 1, maximum = 100, default = 50)]
    per_page: i64,
}

const fn first() -> i64 {
    1
}

const fn fifty() -> i64 {
    50
}

/// A charge that failed, a refund that the gateway did not take, or one that waits to be handed back.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FailedCharge {
    id: String,
    booking_id: String,
    short_id: String,
    #[schema(value_type = BookingStatusCode)]
    status: &'static str,
    customer: String,
    #[schema(value_type = PaymentKindCode)]
    kind: &'static str,
    amount: Cash,
    /// How it came, and goes back.
    #[schema(value_type = PaidWithCode)]
    method: &'static str,
    #[schema(value_type = FailedStateCode)]
    state: &'static str,
    #[schema(value_type = FailureCode)]
    reason: &'static str,
    /// What the bank or the gateway said, in its own words.
    message: Option<String>,
    card_last4: Option<String>,
    /// Attempts so far.
    attempts: i32,
    due_at: DateTime<Utc>,
    /// When it is tried again by itself; left out when it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_attempt_at: Option<DateTime<Utc>>,
    /// It can be tried again with the card there is.
    can_retry: bool,
    /// It can be written off.
    can_write_off: bool,
    /// It is a refund that the gateway refused for good: the money can be given back by hand.
    can_pay_back: bool,
    /// It waits to be handed back: `POST /payments/{id}/handed-over` says that it was.
    can_hand_over: bool,
    /// A link for another card can be sent for it.
    can_send_link: bool,
}

/// A page of failed charges.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FailedCharges {
    /// Rows.
    data: Vec<FailedCharge>,
    /// Of how many.
    total: i64,
    /// From 1.
    page: i64,
    /// Rows a page.
    per_page: i64,
}

impl From<&Failure> for FailedCharge {
    fn from(f: &Failure) -> FailedCharge {
        let (p, b) = (&f.payment, &f.booking);
        FailedCharge {
            id: p.id.to_string(),
            booking_id: b.id.to_string(),
            short_id: b.short_id.to_string(),
            status: b.status.code(),
            customer: b.details.customer_name.clone(),
            kind: p.kind.code(),
            amount: p.amount.into(),
            method: p.method.code(),
            state: p.state.code(),
            reason: f.why.code(),
            message: p.last_message.clone(),
            card_last4: p.card_last4.clone(),
            attempts: p.attempts,
            due_at: p.due_at,
            // A charge that was refused for good is not tried again then: it is given up.
            next_attempt_at: p.next_attempt_at.filter(|_| p.state.code() != "hard_declined"),
            can_retry: f.can_retry,
            can_write_off: f.can_write_off,
            can_pay_back: f.can_pay_back,
            can_hand_over: f.can_hand_over,
            can_send_link: f.can_send_link,
        }
    }
}

/// Why it is done.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub(super) struct ReasonRequest {
    /// For colleagues; the trail keeps it.
    #[validate(length(min = 1, max = 500))]
    #[schema(min_length = 1, max_length = 500)]
    reason: String,
}

/// One attempt was made.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChargeAsked {
    /// The charge or refund.
    payment_id: String,
    /// Whose; its payments say what came of it.
    booking_id: String,
}

impl From<&RetriedPayment> for ChargeAsked {
    fn from(a: &RetriedPayment) -> ChargeAsked {
        ChargeAsked { payment_id: a.payment.to_string(), booking_id: a.booking.to_string() }
    }
}

/// A charge that failed, of a move that is to come.
pub(super) struct FailedId(PaymentId);
/// A charge that failed, of a booking that ended.
pub(super) struct LostId(PaymentId);
/// A charge that has not settled.
pub(super) struct FreshId(PaymentId);

names! {
    FailedId: Record::FailedCharge,
    LostId: Record::LostCharge,
    FreshId: Record::FreshCharge,
}

fn render(paid: &Paid) -> BookingPayments {
    BookingPayments::from(paid)
}

fn charge_asked(asked: &RetriedPayment) -> ChargeAsked {
    ChargeAsked::from(asked)
}

pub(super) async fn list(
    state: web::Data<State>,
    who: AsStaff,
    query: ValidQuery<FailedQuery>,
) -> Reply<Json<FailedCharges>> {
    let FailedQuery { page, per_page } = query.value;
    let found = failed::list(&state.services, &who.0, page, per_page).await?;
    let data = found.data.iter().map(FailedCharge::from).collect();
    Ok(Json(FailedCharges { data, total: found.total, page, per_page }))
}

pub(super) async fn retry(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<FailedId>,
    key: IdempotencyKey,
) -> Reply<Once<ChargeAsked, 200>, RetryRefusal> {
    let call = format!("POST /api/payments/{}/retry", id.0.0);
    let guard = Once::<_, 200>::guard(key, who.0.caller(), &call, "", charge_asked);
    let done = failed::retry(&state.services, &who.0, id.0.0, guard).await?;
    Ok(Once::of(done, charge_asked)?)
}

pub(super) async fn void(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<FreshId>,
    key: IdempotencyKey,
    body: ValidJson<ReasonRequest>,
) -> Reply<Once<BookingPayments, 200>, VoidRefusal> {
    let call = format!("POST /api/payments/{}/void", id.0.0);
    let guard = Once::<_, 200>::guard(key, who.0.caller(), &call, &body.body_hash(), render);
    let done = failed::void(&state.services, &who.0, id.0.0, body.value.reason, guard).await?;
    Ok(Once::of(done, render)?)
}

pub(super) async fn write_off(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<LostId>,
    key: IdempotencyKey,
    body: ValidJson<ReasonRequest>,
) -> Reply<Once<BookingPayments, 200>, WriteOffRefusal> {
    let call = format!("POST /api/payments/{}/write-off", id.0.0);
    let guard = Once::<_, 200>::guard(key, who.0.caller(), &call, &body.body_hash(), render);
    let done = failed::write_off(&state.services, &who.0, id.0.0, body.value.reason, guard).await?;
    Ok(Once::of(done, render)?)
}
