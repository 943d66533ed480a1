//! What an external identity provider vouches for. Access tokens often carry no address, and the
//! provider's userinfo endpoint refuses tokens that were issued for our API: then the browser hands over
//! the ID token of the sign-in, and, where that has no address either, a token userinfo takes.

use actix_web::web;
use identity::Proof;
use serde::{Deserialize, Serialize};
use service::{ErrorCode, FieldProblem};
use utoipa::ToSchema;
use validator::Validate;

use super::replies::{Reply, ok};
use crate::{
    access::Who,
    authenticator::Learned,
    doc::Doc,
    endpoint::CUSTOMERS,
    endpoint::Route,
    http::{ApiError, HttpCode, ValidJson},
    limits::LimitClass,
    state::State,
};

/// Proofs by the external identity provider.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub struct IdentityProof {
    /// The ID token of the sign-in, at most ten minutes old.
    #[serde(default)]
    #[schema(max_length = 16000)]
    id_token: Option<String>,
    /// An access token the provider's userinfo endpoint takes; needed where the ID token has no e-mail.
    #[serde(default)]
    #[schema(max_length = 16000)]
    access_token: Option<String>,
}

/// What is known of the signed-in person now.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProviderIdentity {
    /// Their address; null when the provider has told none.
    email: Option<String>,
    /// The provider vouches for it: a role counts for such an address only.
    email_verified: bool,
}

async fn put(state: web::Data<State>, who: Who, body: ValidJson<IdentityProof>) -> Reply {
    let IdentityProof { id_token, access_token } = body.value;
    let proof = Proof { id_token, access_token };
    match state.authenticator.learn(&who.0, &proof).await? {
        Learned::Nothing => Err(HttpCode::PathNotFound.into()),
        Learned::Refused => Err(ApiError::field("idToken", FieldProblem::Invalid)),
        Learned::Account { email, email_verified } => {
            ok(&ProviderIdentity { email: email.map(|e| e.to_string()), email_verified })
        }
    }
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::put("/api/profiles/identity", CUSTOMERS, put).relation("own").limited(LimitClass::Token).doc(
            Doc::new("learnIdentity", "Profile", "Hand over what the external identity provider says about oneself")
                .about("With the embedded provider there is nothing to hand over, and this path does not exist.")
                .body::<IdentityProof>()
                .answers::<ProviderIdentity>(200, "What is known now.")
                .refuses(&[ErrorCode::NotFound, ErrorCode::Busy]),
        ),
    ]
}
