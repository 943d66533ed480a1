//! Another card by a link, without signing in.

use actix_web::web;
use kernel::{
    BookingId,
    chrono::{DateTime, NaiveDate, Utc},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::payments::card_link::{self, CardPage, SentLink};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    links::{LinkedMove, secrets},
    replies::{Json, Once, Reply},
    values::{CardLinkStateCode, Cash, HourMinute, LanguageCode},
};
use crate::{
    access::{AsStaff, Who},
    contract::{Record, refusals},
    endpoint::{Access, Audit, Example, Relation, Route, STAFF},
    http::{IdempotencyKey, PathId, ValidJson},
    limits::LimitClass,
    state::State,
};

refusals! {
    /// Why there are no card fields.
    CardLookRefusal { Rule: PaymentUnavailable }
}

refusals! {
    /// Why no card is stored.
    CardLinkRefusal {
        Rule: LinkEnded, PriceChanged, PaymentDeclined, PaymentCustomerFailed, PaymentCardFailed, PaymentInFlight,
            PaymentUnavailable, TooManyDeclinedCards, VersionConflict, EmailUnknown
    }
}

refusals! {
    /// Why no link is sent.
    SendRefusal { Rule: LinkEnded }
}

secrets! {
    CardToken: Record::CardLink,
}

/// What a link is for.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CardLinkPage {
    #[schema(value_type = CardLinkStateCode)]
    state: &'static str,
    short_id: String,
    first_name: String,
    #[schema(value_type = String, format = Date)]
    date: NaiveDate,
    time: HourMinute,
    zone: String,
    /// Municipality of the pickup.
    from: String,
    /// Municipality of the drop-off.
    to: String,
    /// Charged as soon as a card is stored.
    amount: Cash,
    currency: &'static str,
    #[schema(value_type = LanguageCode)]
    language: kernel::Language,
    /// When the link stops working.
    expires_at: DateTime<Utc>,
    /// For the card fields, while a card can be stored.
    client_token: Option<String>,
}

impl From<&CardPage> for CardLinkPage {
    fn from(p: &CardPage) -> CardLinkPage {
        let b = &p.booking;
        let LinkedMove { short_id, first_name, date, time, zone, from, to } = LinkedMove::of(b);
        CardLinkPage {
            state: p.state.code(),
            short_id,
            first_name,
            date,
            time,
            zone,
            from,
            to,
            amount: p.amount.into(),
            currency: "CAD",
            language: b.language,
            expires_at: p.expires_at,
            client_token: p.client_token.clone(),
        }
    }
}

/// What `POST /api/card/{id}` takes.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub(super) struct CardLinkRequest {
    /// Single use, from the card fields.
    #[validate(length(min = 1, max = 200))]
    #[schema(min_length = 1, max_length = 200, example = "fake-valid-nonce")]
    payment_nonce: String,
    /// What the person was shown: never another amount is charged by it.
    amount: Cash,
}

/// A link that was mailed.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CardLinkSent {
    /// A secret. Left out of the answer to a repeated request: only its hash is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    expires_at: DateTime<Utc>,
    /// Whom it was mailed to.
    sent_to: String,
}

impl From<&SentLink> for CardLinkSent {
    fn from(s: &SentLink) -> CardLinkSent {
        CardLinkSent { url: Some(s.url.clone()), expires_at: s.expires_at, sent_to: s.to.clone() }
    }
}

async fn look(state: web::Data<State>, id: PathId<CardToken>) -> Reply<Json<CardLinkPage>, CardLookRefusal> {
    let page = card_link::look(&state.services, id.0.0).await?;
    Ok(Json(CardLinkPage::from(&page)))
}

async fn store(
    state: web::Data<State>,
    who: Who,
    id: PathId<CardToken>,
    body: ValidJson<CardLinkRequest>,
) -> Reply<Json<CardLinkPage>, CardLinkRefusal> {
    let CardLinkRequest { payment_nonce, amount } = body.value;
    let page = card_link::store(&state.services, &who.0, id.0.0, payment_nonce, amount.0).await?;
    Ok(Json(CardLinkPage::from(&page)))
}

async fn send(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<BookingId>,
    key: IdempotencyKey,
) -> Reply<Once<CardLinkSent, 201>, SendRefusal> {
    let render = |sent: &SentLink| CardLinkSent::from(sent);
    let kept = |sent: &SentLink| CardLinkSent { url: None, ..CardLinkSent::from(sent) };
    let call = format!("POST /api/bookings/{}/card-link", id.0);
    let guard = Once::<_, 201>::guard(key, who.0.caller(), &call, "", kept);
    let done = card_link::send(&state.services, &who.0, id.0, guard).await?;
    Ok(Once::of(done, render)?)
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::post("/api/bookings/{id}/card-link", STAFF, Audit::Action("booking.card_link"), send)
            .doc("sendCardLink", "Back office", "Mail the customer a link for another card")
            .about("It works for seven days, without signing in. What was declined is charged as soon as a card is stored."),
        Route::get("/api/card/{id}", Access::Public, look)
            .relation(Relation::WhoeverHasTheLink)
            .limited(LimitClass::Guest)
            .doc("cardOfLink", "Payments", "What a link for another card is about"),
        Route::post("/api/card/{id}", Access::Public, Audit::Action("card.store"), store)
            .relation(Relation::WhoeverHasTheLink)
            .limited(LimitClass::Payment)
            .doc("storeCardByLink", "Payments", "Store another card, and charge what was declined with it at once")
            .about("It is the card charged from now on. When the bank refuses the charge the link works on, for another card.")
            .example(Example::json(json!({ "paymentNonce": "fake-valid-nonce", "amount": "0.00" }))),
    ]
}
