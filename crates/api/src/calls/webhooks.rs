//! What outside services tell us by themselves. Whoever knows the address may call; what counts is
//! the signature.

use actix_web::{HttpResponse, web};
use serde::{Deserialize, Serialize};
use service::{FieldProblem, billing::settlement};
use utoipa::ToSchema;

use super::replies::{Json, Made, Reply, made};
use crate::{
    contract::{CommonError, DeclaredAnswer, Refusal, refusals},
    endpoint::{Access, Audit, Example, Route},
    http::{ValidQuery, body::Form},
    limits::LimitClass,
    state::State,
};

refusals! {
    /// Why a notification is not taken.
    NotificationRefusal { Rule: Forbidden }
}

made! {
    /// The answer to a challenge.
    Signed: DeclaredAnswer::plain(200, "The challenge, signed.", "text/plain");
}

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
#[derive(Deserialize, ToSchema)]
struct Challenge {
    /// 20 to 32 lower-case hex digits.
    #[schema(pattern = "^[0-9a-f]{20,32}$", max_length = 4096, required = true)]
    bt_challenge: Option<String>,
}

/// It was taken.
#[derive(Debug, Serialize, ToSchema)]
pub struct Taken {
    /// Always true.
    taken: bool,
}

async fn braintree(state: web::Data<State>, form: Form<BraintreeForm>) -> Reply<Json<Taken>, NotificationRefusal> {
    let form = web::Query::<BraintreeForm>::from_query(&form.text)
        .map_err(|_| CommonError::malformed("bt_signature and bt_payload are needed"))?;
    if form.bt_signature.len() > LONGEST_SIGNATURE {
        return Err(CommonError::malformed("bt_signature is longer than 4096 characters").into());
    }
    settlement::notified(&state.services, &form.bt_signature, &form.bt_payload).await?;
    Ok(Json(Taken { taken: true }))
}

async fn challenge(state: web::Data<State>, query: ValidQuery<Challenge>) -> Reply<Made<Signed>> {
    let asked = query.value.bt_challenge.ok_or_else(|| CommonError::malformed("bt_challenge is needed"))?;
    let answer = state.services.gateway.answer_challenge(&asked);
    let answer = answer.ok_or_else(|| Refusal::field("bt_challenge", FieldProblem::Invalid))?;
    Ok(Made::new(HttpResponse::Ok().content_type("text/plain; charset=utf-8").body(answer)))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/webhooks/braintree", Access::Public, challenge)
            .limited(LimitClass::Guest)
            .doc("braintreeChallenge", "Webhooks", "The card gateway asks whether this address is ours")
            .example(Example::query(&[("bt_challenge", "20f9f8ed05f77439fe955c977e4c8a53")])),
        Route::post("/api/webhooks/braintree", Access::Public, Audit::Unrecorded, braintree)
            .limited(LimitClass::Guest)
            .doc("braintreeWebhook", "Webhooks", "The card gateway tells what became of a charge")
            .example(Example::form(&[("bt_signature", "{bt_signature}"), ("bt_payload", "{bt_payload}")])),
    ]
}
