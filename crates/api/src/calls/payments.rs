//! Cards at the gateway, and the dated charges of a price.

use actix_web::web;
use kernel::{
    BookingId, Zone,
    chrono::{DateTime, Duration, Utc},
};
use policy::{PaymentPlan, PlannedCharge, Settings, Window};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    Caller, FieldProblem, Limit,
    desk::record,
    payments::{self, StoredCustomer},
    ports::cards::Card,
};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    policy_figures::PolicyFigures,
    replies::{Json, Once, Reply},
    values::{Cash, PlanModeCode, ProvinceCode, TermCode, blank},
};
use crate::{
    access::{AsStaff, Who},
    contract::{CommonError, Refusal, refusals},
    endpoint::{Access, Audit, Example, Relation, Route, SIGNED_IN, STAFF},
    http::{IdempotencyKey, PathId, ValidJson},
    limits::LimitClass,
    state::State,
};

refusals! {
    /// Why a card is not stored.
    CardRefusal {
        Rule: PaymentDeclined, PaymentCustomerFailed, PaymentCardFailed, PaymentUnavailable, NotFound, VersionConflict,
            TooManyDeclinedCards, EmailUnknown
    }
}

refusals! {
    /// Why there are no card fields.
    ClientRefusal { Rule: PaymentUnavailable }
}

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
    /// Of the pickup: decides what a cancellation keeps, and the zone texts are written in.
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
    /// Of a price they add up to its total. Of a booking they are what its card was and will be charged for on dates: what came
    /// or went another way is not among them.
    charges: Vec<ChargeAnswer>,
    /// Contiguous; the last one is open.
    cancellation: Vec<CancellationWindow>,
    /// What is true of it, in the order people read it.
    #[schema(value_type = Vec<TermCode>)]
    terms: Vec<&'static str>,
    /// The figures that its terms name.
    policy: PolicyFigures,
    /// Zone texts are written in.
    zone: String,
}

impl PlanAnswer {
    /// A plan for a move in `zone`, made with `settings`.
    pub fn new(plan: &PaymentPlan, zone: Zone, settings: &Settings) -> PlanAnswer {
        PlanAnswer {
            terms: policy::sentences(settings, plan).iter().map(|sentence| sentence.term.code()).collect(),
            policy: settings.into(),
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

/// What `POST /api/bookings/{id}/card` takes.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub struct NonceRequest {
    /// Single use, from the card fields.
    #[validate(length(min = 1, max = 200))]
    #[schema(min_length = 1, max_length = 200, example = "fake-valid-nonce")]
    payment_nonce: String,
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

fn answer(c: &StoredCustomer) -> CustomerAnswer {
    CustomerAnswer { customer_id: c.customer_id.clone(), card: (&c.card).into() }
}

/// About thirty years either way: further away is a mistake, and date arithmetic stays far from its ends.
fn sane(name: &str, at: DateTime<Utc>, now: DateTime<Utc>) -> Result<DateTime<Utc>, CommonError> {
    let far = Duration::days(11_000);
    if (at - now).abs() > far {
        let [first, last] = [now - far, now + far].map(|at| Limit::Date(at.date_naive()));
        Err(CommonError::field(name, FieldProblem::Between(first, last)))
    } else {
        Ok(at)
    }
}

async fn plan(state: web::Data<State>, body: ValidJson<PlanRequest>) -> Reply<Json<PlanAnswer>> {
    let b = body.value;
    let now = state.services.clock.now();
    let total = b.total.0;
    if total.is_negative() || total.cents() > 100_000_000 {
        let most = Limit::Money(kernel::Money::from_cents(100_000_000));
        return Err(Refusal::field("total", FieldProblem::Between(Limit::NOTHING, most)));
    }
    let move_at = sane("moveAt", b.move_at, now)?;
    let booked_at = b.booked_at.map(|at| sane("bookedAt", at, now)).transpose()?;
    let (plan, policy) = payments::payment_plan(&state.services, total, move_at, booked_at, b.province).await?;
    Ok(Json(PlanAnswer::new(&plan, b.province.map_or(Zone::MONTREAL, kernel::Province::zone), &policy)))
}

async fn client(state: web::Data<State>, who: Who) -> Reply<Json<ClientTokenAnswer>, ClientRefusal> {
    Ok(Json(ClientTokenAnswer { client_token: payments::client_token(&state.services, &who.0).await? }))
}

/// The body may name a person, who must be the caller.
fn check_is_caller(caller: &Caller, named: Option<&str>) -> Result<(), CardRefusal> {
    match named.map(str::trim).filter(|n| !n.is_empty()) {
        Some(id) if caller.user.is_none_or(|u| u.to_string() != id.to_lowercase()) => Err(CardRefusal::NotFound),
        _ => Ok(()),
    }
}

type CustomerOnce = Once<CustomerAnswer>;

async fn customer(
    state: web::Data<State>,
    who: Who,
    key: IdempotencyKey,
    body: ValidJson<CustomerRequest>,
) -> Reply<CustomerOnce, CardRefusal> {
    check_is_caller(&who.0, body.value.user_id.as_deref())?;
    let guard = CustomerOnce::guard(key, &who.0, "POST /api/payment", &body.body_hash(), answer);
    let done = payments::create_customer(&state.services, &who.0, body.value.payment_nonce, guard).await?;
    Ok(Once::of(done, answer)?)
}

async fn card(
    state: web::Data<State>,
    who: Who,
    key: IdempotencyKey,
    body: ValidJson<CardRequest>,
) -> Reply<CustomerOnce, CardRefusal> {
    let guard = CustomerOnce::guard(key, &who.0, "POST /api/payment/card", &body.body_hash(), answer);
    let CardRequest { payment_nonce, customer_id } = body.value;
    let customer_id = customer_id.filter(|id| !id.trim().is_empty());
    let done = payments::add_card(&state.services, &who.0, payment_nonce, customer_id, guard).await?;
    Ok(Once::of(done, answer)?)
}

async fn card_of_customer(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BookingId>,
    key: IdempotencyKey,
    body: ValidJson<NonceRequest>,
) -> Reply<CustomerOnce, CardRefusal> {
    let call = format!("POST /api/bookings/{}/card", id.0);
    let guard = CustomerOnce::guard(key, who.0.caller(), &call, &body.body_hash(), answer);
    let done = record::store_card(&state.services, &who.0, id.0, body.value.payment_nonce, guard).await?;
    Ok(Once::of(done, answer)?)
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    let plan_of = json!({ "total": "574.88", "moveAt": "2027-02-17T14:00:00Z", "province": "QC" });
    let nonce = |nonce: &str| Example::json(json!({ "paymentNonce": nonce }));
    vec![
        Route::post("/api/booking/payment-plan", Access::Public, Audit::Looks, plan)
            .limited(LimitClass::Guest)
            .doc("paymentPlan", "Estimates", "The dated charges of a price, and what a cancellation keeps when")
            .example(Example::json(plan_of)),
        Route::post("/api/payment/client", SIGNED_IN, Audit::Looks, client)
            .relation(Relation::Own)
            .limited(LimitClass::Payment)
            .doc("paymentClient", "Payments", "A token for the browser's card fields"),
        Route::post("/api/payment", SIGNED_IN, Audit::Action("card.store"), customer)
            .relation(Relation::Own)
            .limited(LimitClass::Payment)
            .doc("createPaymentCustomer", "Payments", "Store the first card")
            .about("A refusal's `detail` is what the gateway said.")
            .example(nonce("fake-valid-nonce")),
        Route::post("/api/payment/card", SIGNED_IN, Audit::Action("card.store"), card)
            .relation(Relation::Own)
            .limited(LimitClass::Payment)
            .doc("addCard", "Payments", "Store another card: it is the one charged from now on")
            .about("Declined charges are tried again with it at once.")
            .example(nonce("fake-valid-mastercard-nonce")),
        Route::post("/api/bookings/{id}/card", STAFF, Audit::Action("card.store"), card_of_customer)
            .limited(LimitClass::Payment)
            .doc("addCardOfCustomer", "Back office", "Store a card for the customer of a booking, who agrees to it")
            .about("It is the one charged from now on. Declined charges are tried again with it at once.")
            .example(nonce("fake-valid-nonce")),
    ]
}
