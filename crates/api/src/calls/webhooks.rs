//! What outside services tell us by themselves. Whoever knows the address may call; what counts is
//! the signature.

use actix_web::{HttpRequest, HttpResponse, http::header, web};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{ErrorCode, FieldProblem, billing::settlement};
use utoipa::ToSchema;

use super::replies::{Reply, ok};
use crate::{
    doc::{Doc, Param},
    endpoint::Access,
    endpoint::Route,
    http::{ApiError, body},
    limits::LimitClass,
    state::State,
};

/// Characters of a signature; the payload is bounded by the body.
const LONGEST_SIGNATURE: usize = 4096;

/// A notification of the card gateway.
#[derive(Deserialize, ToSchema)]
struct BraintreeForm {
    /// `public key|HMAC-SHA1 in hex`, one or more pairs joined by `&`.
    #[schema(max_length = 4096)]
    bt_signature: String,
    /// Base64 of XML, with its line breaks: the signature is over them, too.
    #[schema(max_length = 131072)]
    bt_payload: String,
}

/// The gateway's question whether this address is ours.
#[derive(Deserialize)]
struct Challenge {
    bt_challenge: String,
}

/// It was taken.
#[derive(Debug, Serialize, ToSchema)]
pub struct Taken {
    /// Always true.
    taken: bool,
}

async fn braintree(req: HttpRequest, state: web::Data<State>, payload: web::Payload) -> Reply {
    let text = body::form(&req, payload).await?;
    let form = web::Query::<BraintreeForm>::from_query(&text)
        .map_err(|_| ApiError::malformed("bt_signature and bt_payload are needed"))?;
    if form.bt_signature.len() > LONGEST_SIGNATURE {
        return Err(ApiError::malformed("bt_signature is longer than 4096 characters"));
    }
    settlement::notified(&state.services, &form.bt_signature, &form.bt_payload).await?;
    ok(&Taken { taken: true })
}

async fn challenge(req: HttpRequest, state: web::Data<State>) -> Result<HttpResponse, ApiError> {
    let asked = web::Query::<Challenge>::from_query(req.query_string())
        .map_err(|_| ApiError::malformed("bt_challenge is needed"))?;
    let answer = state.services.gateway.answer_challenge(&asked.bt_challenge);
    let answer = answer.ok_or_else(|| ApiError::field("bt_challenge", FieldProblem::Invalid))?;
    Ok(HttpResponse::Ok().insert_header((header::CONTENT_TYPE, "text/plain; charset=utf-8")).body(answer))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/webhooks/braintree", Access::Public, challenge).limited(LimitClass::Guest).doc(
            Doc::new("braintreeChallenge", "Webhooks", "The card gateway asks whether this address is ours")
                .param(
                    Param::query(
                        "bt_challenge",
                        "20 to 32 lower-case hex digits.",
                        json!({ "type": "string", "pattern": "^[0-9a-f]{20,32}$" }),
                    )
                    .required(),
                )
                .answers_plain(200, "The challenge, signed.", Some("text/plain")),
        ),
        Route::post("/api/webhooks/braintree", Access::Public, braintree).limited(LimitClass::Guest).doc(
            Doc::new("braintreeWebhook", "Webhooks", "The card gateway tells what became of a charge")
                .form::<BraintreeForm>()
                .answers::<Taken>(200, "Taken; what follows from it follows by itself.")
                .refuses(&[ErrorCode::Forbidden]),
        ),
    ]
}
