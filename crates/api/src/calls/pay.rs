//! Paying by a link, without signing in.

use actix_web::web;
use kernel::{
    BookingId, Money,
    chrono::{DateTime, NaiveDate, Utc},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::bookings::pay_link::{self, Page, Sent};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    links::{LinkedMove, secrets},
    replies::{Json, Once, Reply},
    values::{Cash, HourMinute, LanguageCode, PayStateCode},
};
use crate::{
    access::{AsStaff, Who},
    contract::{Record, names, refusals},
    endpoint::{Access, Audit, Example, Relation, Route, STAFF},
    http::{IdempotencyKey, PathId, ValidJson},
    limits::LimitClass,
    state::State,
};

refusals! {
    /// Why there are no card fields.
    LookRefusal { Rule: PaymentUnavailable }
}

refusals! {
    /// Why a link is not paid.
    PayRefusal {
        Rule: NothingOwed, LinkEnded, PriceChanged, PaymentDeclined, PaymentCustomerFailed, PaymentCardFailed,
            PaymentInFlight, PaymentUnavailable, TooManyDeclinedCards, VersionConflict, EmailUnknown
    }
}

refusals! {
    /// Why no link is sent.
    LinkRefusal { Rule: PaidByCard, NothingOwed, LinkEnded }
}

secrets! {
    PayToken: Record::PayLink,
}

/// A booking that no card is charged for by itself.
pub(super) struct PaidByHand(BookingId);

names! {
    PaidByHand: Record::PhoneOrder,
}

/// What whoever holds a link is shown: enough to know that it is theirs.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PayPage {
    #[schema(value_type = PayStateCode)]
    state: &'static str,
    short_id: String,
    first_name: String,
    /// Local day of the move.
    #[schema(value_type = String, format = Date)]
    date: NaiveDate,
    time: HourMinute,
    zone: String,
    /// Municipality of the pickup.
    from: String,
    /// Municipality of the drop-off.
    to: String,
    /// Owed now.
    amount: Cash,
    /// What of that had come, and went back to the card; it is paid anew.
    went_back: Cash,
    /// What the card on file is charged for in its time.
    later: Cash,
    /// From when on; none where nothing is charged later.
    later_at: Option<DateTime<Utc>>,
    /// The whole price, tax included.
    total: Cash,
    currency: &'static str,
    #[schema(value_type = LanguageCode)]
    language: kernel::Language,
    /// When the link stops working.
    expires_at: DateTime<Utc>,
    /// For the card fields, while it can be paid.
    client_token: Option<String>,
}

impl From<&Page> for PayPage {
    fn from(p: &Page) -> PayPage {
        let b = &p.booking;
        let LinkedMove { short_id, first_name, date, time, zone, from, to } = LinkedMove::of(b);
        PayPage {
            state: p.state.code(),
            short_id,
            first_name,
            date,
            time,
            zone,
            from,
            to,
            amount: p.amount.into(),
            went_back: p.went_back.into(),
            later: p.later.map_or(Money::ZERO, |(amount, _)| amount).into(),
            later_at: p.later.map(|(_, at)| at),
            total: b.total.into(),
            currency: "CAD",
            language: b.language,
            expires_at: p.expires_at,
            client_token: p.client_token.clone(),
        }
    }
}

/// What `POST /api/pay/{id}` takes.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub(super) struct PayRequest {
    /// Single use, from the card fields.
    #[validate(length(min = 1, max = 200))]
    #[schema(min_length = 1, max_length = 200, example = "fake-valid-nonce")]
    payment_nonce: String,
    /// What the person was shown: never another amount is charged.
    amount: Cash,
}

/// A link that was mailed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PaymentLink {
    /// A secret: whoever has it sees what is paid for, and can pay it. Left out of the answer to a repeated request:
    /// only its hash is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    expires_at: DateTime<Utc>,
    /// Owed now.
    amount: Cash,
    /// Whom it was mailed to.
    sent_to: String,
}

impl From<&Sent> for PaymentLink {
    fn from(s: &Sent) -> PaymentLink {
        PaymentLink {
            url: Some(s.url.clone()),
            expires_at: s.expires_at,
            amount: s.amount.into(),
            sent_to: s.to.clone(),
        }
    }
}

async fn look(state: web::Data<State>, id: PathId<PayToken>) -> Reply<Json<PayPage>, LookRefusal> {
    let page = pay_link::look(&state.services, id.0.0).await?;
    Ok(Json(PayPage::from(&page)))
}

async fn pay(
    state: web::Data<State>,
    who: Who,
    id: PathId<PayToken>,
    body: ValidJson<PayRequest>,
) -> Reply<Json<PayPage>, PayRefusal> {
    let PayRequest { payment_nonce, amount } = body.value;
    let page = pay_link::pay(&state.services, &who.0, id.0.0, payment_nonce, amount.0).await?;
    Ok(Json(PayPage::from(&page)))
}

async fn send(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<PaidByHand>,
    key: IdempotencyKey,
) -> Reply<Once<PaymentLink, 201>, LinkRefusal> {
    let id = id.0.0;
    let render = |sent: &Sent| PaymentLink::from(sent);
    let kept = |sent: &Sent| PaymentLink { url: None, ..PaymentLink::from(sent) };
    let call = format!("POST /api/bookings/{id}/payment-link");
    let guard = Once::<_, 201>::guard(key, who.0.caller(), &call, "", kept);
    let done = pay_link::send_again(&state.services, &who.0, id, guard).await?;
    Ok(Once::of(done, render)?)
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::post("/api/bookings/{id}/payment-link", STAFF, Audit::Action("booking.link"), send)
            .doc("sendPaymentLink", "Back office", "Mail the customer a link to pay what is owed")
            .about("Earlier links of the booking end. It works for seven days, without signing in."),
        Route::get("/api/pay/{id}", Access::Public, look)
            .relation(Relation::WhoeverHasTheLink)
            .limited(LimitClass::Guest)
            .doc("paymentOfLink", "Payments", "What a link is to pay for"),
        Route::post("/api/pay/{id}", Access::Public, Audit::Action("booking.pay"), pay)
            .relation(Relation::WhoeverHasTheLink)
            .limited(LimitClass::Payment)
            .doc("payByLink", "Payments", "Pay what is owed, once")
            .about("The whole of it. The card is charged for this payment and nothing else; a declined one leaves the link as it was.")
            .example(Example::json(json!({ "paymentNonce": "fake-valid-nonce", "amount": "{owed}" }))),
    ]
}
