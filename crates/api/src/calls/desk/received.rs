//! Money that staff take by hand.

use actix_web::web;
use kernel::{BookingId, PaymentId};
use serde::Deserialize;
use service::{
    FieldProblem,
    desk::{
        received::{self, PaidBack, Received},
        record::Paid,
    },
    ports::payments::PaidWith,
};
use utoipa::ToSchema;
use validator::Validate;

use super::record::BookingPayments;
use crate::{
    access::AsStaff,
    calls::{
        replies::{Once, Reply},
        values::{Cash, HandMethodCode},
    },
    contract::{CommonError, Record, names, refusals},
    http::{IdempotencyKey, PathId, ValidJson},
    state::State,
};

refusals! {
    /// Why a payment by hand is not written down.
    ReceiveRefusal { Rule: NothingOwed, PaymentRecorded, PaymentInFlight, PeriodClosed }
}

refusals! {
    /// Why a payment by hand stays as it is.
    HandRefusal { Rule: PaymentInFlight, PeriodClosed }
}

refusals! {
    /// Why a refund is not given back by hand.
    PaidBackRefusal { Rule: PaymentNotFailed, PaymentInFlight }
}

refusals! {
    /// Why a payment by hand is not taken out.
    UndoRefusal { Rule: PaymentUndone, PaymentInFlight, InvoiceFrozen, PeriodClosed }
}

/// A payment by hand.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub(super) struct ReceiveRequest {
    #[schema(value_type = HandMethodCode)]
    method: String,
    /// At most what is owed.
    amount: Cash,
    /// Number of the transfer or cheque; not needed for cash.
    #[serde(default)]
    #[validate(length(max = 100))]
    #[schema(max_length = 100)]
    reference: Option<String>,
}

/// A refund by hand that reached the customer.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub(super) struct HandOverRequest {
    /// Number of the transfer or cheque.
    #[serde(default)]
    #[validate(length(max = 100))]
    #[schema(max_length = 100)]
    reference: Option<String>,
}

/// How a refund that the gateway refused was given back.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub(super) struct PaidBackRequest {
    #[schema(value_type = HandMethodCode)]
    method: String,
    /// Number of the transfer or cheque; not needed for cash.
    #[serde(default)]
    #[validate(length(max = 100))]
    #[schema(max_length = 100)]
    reference: Option<String>,
}

/// A payment that was written down by mistake.
#[derive(Debug, Deserialize, ToSchema, Validate)]
pub(super) struct UndoRequest {
    /// Why.
    #[validate(length(min = 1, max = 100))]
    #[schema(min_length = 1, max_length = 100)]
    reason: String,
}

/// A payment that was taken by hand.
pub(super) struct HandPaymentId(PaymentId);
/// A refund that waits to be handed over.
pub(super) struct HandRefundId(PaymentId);

/// A refund that the gateway refused for good.
pub(super) struct RefusedRefundId(PaymentId);

names! {
    RefusedRefundId: Record::RefusedRefund,
    HandPaymentId: Record::HandPayment,
    HandRefundId: Record::HandRefund,
}

fn render(paid: &Paid) -> BookingPayments {
    BookingPayments::from(paid)
}

pub(super) async fn record(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BookingId>,
    key: IdempotencyKey,
    body: ValidJson<ReceiveRequest>,
) -> Reply<Once<BookingPayments, 201>, ReceiveRefusal> {
    let call = format!("POST /api/bookings/{}/payments", id.0);
    let guard = Once::<_, 201>::guard(key, who.0.caller(), &call, &body.body_hash(), render);
    let ReceiveRequest { method, amount, reference } = body.value;
    let method = PaidWith::from_code(&method).ok_or_else(|| CommonError::field("method", FieldProblem::Unknown))?;
    let new = Received { method, amount: amount.0, reference };
    let done = received::record(&state.services, &who.0, id.0, new, guard).await?;
    Ok(Once::of(done, render)?)
}

pub(super) async fn handed_over(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<HandRefundId>,
    key: IdempotencyKey,
    body: ValidJson<HandOverRequest>,
) -> Reply<Once<BookingPayments, 200>, HandRefusal> {
    let call = format!("POST /api/payments/{}/handed-over", id.0.0);
    let guard = Once::<_, 200>::guard(key, who.0.caller(), &call, &body.body_hash(), render);
    let done = received::handed_over(&state.services, &who.0, id.0.0, body.value.reference, guard).await?;
    Ok(Once::of(done, render)?)
}

pub(super) async fn paid_back(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<RefusedRefundId>,
    key: IdempotencyKey,
    body: ValidJson<PaidBackRequest>,
) -> Reply<Once<BookingPayments, 200>, PaidBackRefusal> {
    let call = format!("POST /api/payments/{}/paid-back", id.0.0);
    let guard = Once::<_, 200>::guard(key, who.0.caller(), &call, &body.body_hash(), render);
    let PaidBackRequest { method, reference } = body.value;
    let method = PaidWith::from_code(&method).ok_or_else(|| CommonError::field("method", FieldProblem::Unknown))?;
    let how = PaidBack { method, reference };
    let done = received::pay_back(&state.services, &who.0, id.0.0, how, guard).await?;
    Ok(Once::of(done, render)?)
}

pub(super) async fn undo(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<HandPaymentId>,
    key: IdempotencyKey,
    body: ValidJson<UndoRequest>,
) -> Reply<Once<BookingPayments, 200>, UndoRefusal> {
    let call = format!("POST /api/payments/{}/undo", id.0.0);
    let guard = Once::<_, 200>::guard(key, who.0.caller(), &call, &body.body_hash(), render);
    let done = received::undo(&state.services, &who.0, id.0.0, body.value.reason, guard).await?;
    Ok(Once::of(done, render)?)
}
