//! Cards at the gateway, and the dated charges of a price.

use actix_web::{http::StatusCode, web};
use kernel::{
    Zone,
    chrono::{DateTime, Duration, Utc},
};
use policy::{PaymentPlan, PlannedCharge, Window};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use service::{
    Caller, ErrorCode, FieldProblem,
    payments::{self, StoredCustomer},
    ports::cards::Card,
};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    replies::{Reply, guard, json, ok, once},
    values::{Cash, PlanModeCode, ProvinceCode, blank},
};
use crate::{
    access::Who,
    doc::Doc,
    endpoint::Route,
    endpoint::{Access, CUSTOMERS},
    http::{ApiError, IdempotencyKey, ValidJson},
    limits::LimitClass,
    state::State,
};

/// What `POST /api/booking/payment-plan` takes.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub struct PlanRequest {
    /// Tax included.
    total: Cash,
    /// Start of the move.
    move_at: DateTime<Utc>,
    /// When it is booked; now when left out.
    #[serde(default)]
    booked_at: Option<DateTime<Utc>>,
    /// Of the pickup: decides the zone texts are written in.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<ProvinceCode>)]
    province: Option<kernel::Province>,
}

/// A dated charge.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChargeAnswer {
    /// `deposit`, `balance`, `full`.
    kind: &'static str,
    /// When.
    due_at: DateTime<Utc>,
    /// Dollars.
    amount: Cash,
}

impl From<&PlannedCharge> for ChargeAnswer {
    fn from(c: &PlannedCharge) -> ChargeAnswer {
        ChargeAnswer { kind: c.kind.code(), due_at: c.due_at, amount: c.amount.into() }
    }
}

/// A stretch of time in which a cancellation keeps the same amount.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CancellationWindow {
    /// From.
    from: DateTime<Utc>,
    /// Until; none = open.
    until: Option<DateTime<Utc>>,
    /// `until` itself belongs to it.
    until_inclusive: bool,
    /// What is kept.
    kept: Cash,
}

impl From<&Window> for CancellationWindow {
    fn from(w: &Window) -> CancellationWindow {
        CancellationWindow { from: w.from, until: w.until, until_inclusive: w.until_inclusive, kept: w.kept.into() }
    }
}

/// The dated consequences of a booking.
#[derive(Debug, Serialize, ToSchema)]
pub struct PlanAnswer {
    /// How it is charged.
    #[schema(value_type = PlanModeCode)]
    mode: &'static str,
    /// They add up to the total.
    charges: Vec<ChargeAnswer>,
    /// Contiguous; the last one is open.
    cancellation: Vec<CancellationWindow>,
    /// Zone texts are written in.
    zone: String,
}

impl PlanAnswer {
    /// A plan for a move in `zone`.
    pub fn new(plan: &PaymentPlan, zone: Zone) -> PlanAnswer {
        PlanAnswer {
            mode: plan.mode.code(),
            charges: plan.charges.iter().map(ChargeAnswer::from).collect(),
            cancellation: plan.cancellation.iter().map(CancellationWindow::from).collect(),
            zone: zone.to_string(),
        }
    }
}

/// A token for the browser's card fields.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClientTokenAnswer {
    /// Opaque.
    client_token: String,
}

/// What `POST /api/payment` takes.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub struct CustomerRequest {
    /// The signed-in person; another one does not exist for them.
    #[serde(default)]
    #[validate(length(max = 60))]
    #[schema(max_length = 60)]
    user_id: Option<String>,
    /// Single use, from the card fields.
    #[validate(length(min = 1, max = 200))]
    #[schema(min_length = 1, max_length = 200, example = "fake-valid-nonce")]
    payment_nonce: String,
}

/// What `POST /api/payment/card` takes.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub struct CardRequest {
    /// Single use, from the card fields.
    #[validate(length(min = 1, max = 200))]
    #[schema(min_length = 1, max_length = 200, example = "fake-valid-nonce")]
    payment_nonce: String,
    /// The gateway's key of the person; nobody else's is accepted.
    #[serde(default)]
    #[validate(length(max = 200))]
    #[schema(max_length = 200)]
    customer_id: Option<String>,
}

/// A stored card.
#[derive(Debug, Serialize, ToSchema)]
pub struct CardAnswer {
    /// `visa`, …
    brand: String,
    /// Last four digits.
    last4: String,
    /// `MM/YYYY`.
    expiry: String,
}

impl From<&Card> for CardAnswer {
    fn from(c: &Card) -> CardAnswer {
        CardAnswer { brand: c.brand.clone(), last4: c.last4.clone(), expiry: c.expiry.clone() }
    }
}

/// A customer at the gateway.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CustomerAnswer {
    /// The gateway's key.
    customer_id: String,
    /// The card that is charged.
    card: CardAnswer,
}

fn answer(c: &StoredCustomer) -> Value {
    json(CustomerAnswer { customer_id: c.customer_id.clone(), card: (&c.card).into() })
}

/// About thirty years either way: further away is a mistake, and date arithmetic stays far from its ends.
fn sane(name: &str, at: DateTime<Utc>, now: DateTime<Utc>) -> Result<DateTime<Utc>, ApiError> {
    if (at - now).abs() > Duration::days(11_000) {
        Err(ApiError::field(name, FieldProblem::OutOfRange))
    } else {
        Ok(at)
    }
}

async fn plan(state: web::Data<State>, body: ValidJson<PlanRequest>) -> Reply {
    let b = body.value;
    let now = state.services.clock.now();
    let total = b.total.0;
    if total.is_negative() || total.cents() > 100_000_000 {
        return Err(ApiError::field("total", FieldProblem::OutOfRange));
    }
    let move_at = sane("moveAt", b.move_at, now)?;
    let booked_at = b.booked_at.map(|at| sane("bookedAt", at, now)).transpose()?;
    let plan = payments::payment_plan(&state.services, total, move_at, booked_at);
    ok(&PlanAnswer::new(&plan, b.province.map_or(Zone::MONTREAL, kernel::Province::zone)))
}

async fn client(state: web::Data<State>, who: Who) -> Reply {
    ok(&ClientTokenAnswer { client_token: payments::client_token(&state.services, &who.0).await? })
}

/// The body may name the person; it must be the caller.
fn own(caller: &Caller, named: Option<&str>) -> Result<(), ApiError> {
    match named.map(str::trim).filter(|n| !n.is_empty()) {
        Some(id) if caller.user.is_none_or(|u| u.to_string() != id.to_lowercase()) => Err(ErrorCode::NotFound.into()),
        _ => Ok(()),
    }
}

async fn customer(state: web::Data<State>, who: Who, key: IdempotencyKey, body: ValidJson<CustomerRequest>) -> Reply {
    own(&who.0, body.value.user_id.as_deref())?;
    let guard = guard(key, &who.0, "POST /api/payment", &body.body_hash(), StatusCode::OK, answer);
    once(
        payments::create_customer(&state.services, &who.0, body.value.payment_nonce, guard).await?,
        StatusCode::OK,
        answer,
    )
}

async fn card(state: web::Data<State>, who: Who, key: IdempotencyKey, body: ValidJson<CardRequest>) -> Reply {
    let guard = guard(key, &who.0, "POST /api/payment/card", &body.body_hash(), StatusCode::OK, answer);
    let CardRequest { payment_nonce, customer_id } = body.value;
    let customer_id = customer_id.filter(|id| !id.trim().is_empty());
    once(payments::add_card(&state.services, &who.0, payment_nonce, customer_id, guard).await?, StatusCode::OK, answer)
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    const CARD: &[ErrorCode] = &[
        ErrorCode::PaymentDeclined,
        ErrorCode::PaymentCustomerFailed,
        ErrorCode::PaymentCardFailed,
        ErrorCode::PaymentUnavailable,
        ErrorCode::NotFound,
        ErrorCode::VersionConflict,
        ErrorCode::TooManyDeclinedCards,
    ];
    vec![
        Route::post("/api/booking/payment-plan", Access::Public, plan).limited(LimitClass::Guest).doc(
            Doc::new("paymentPlan", "Estimates", "The dated charges of a price, and what a cancellation keeps when")
                .body::<PlanRequest>()
                .answers::<PlanAnswer>(200, "The plan."),
        ),
        Route::post("/api/payment/client", CUSTOMERS, client).relation("own").limited(LimitClass::Payment).doc(
            Doc::new("paymentClient", "Payments", "A token for the browser's card fields")
                .answers::<ClientTokenAnswer>(200, "The token.")
                .refuses(&[ErrorCode::PaymentUnavailable]),
        ),
        Route::post("/api/payment", CUSTOMERS, customer).relation("own").limited(LimitClass::Payment).doc(
            Doc::new("createPaymentCustomer", "Payments", "Store the first card")
                .about("A refusal's `detail` is what the gateway said.")
                .body::<CustomerRequest>()
                .idempotent()
                .answers::<CustomerAnswer>(200, "Stored.")
                .refuses(CARD),
        ),
        Route::post("/api/payment/card", CUSTOMERS, card).relation("own").limited(LimitClass::Payment).doc(
            Doc::new("addCard", "Payments", "Store another card: it is the one charged from now on")
                .about("Declined charges are tried again with it at once.")
                .body::<CardRequest>()
                .idempotent()
                .answers::<CustomerAnswer>(200, "Stored.")
                .refuses(CARD),
        ),
    ]
}
