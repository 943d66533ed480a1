//! What an external identity provider vouches for. Access tokens often carry no address, and the
//! provider's userinfo endpoint refuses tokens that were issued for our API: then the browser hands over
//! the ID token of the sign-in, and, where that has no address either, a token userinfo takes.

use actix_web::web;
use identity::Proof;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::FieldProblem;
use utoipa::ToSchema;
use validator::Validate;

use super::replies::{Json, Reply};
use crate::{
    access::Who,
    authenticator::{ProofOutcome, Unknown},
    contract::{CommonError, Refusal, refusals},
    endpoint::{Audit, Example, Relation, Route, SIGNED_IN},
    http::{HttpCode, ValidJson},
    limits::LimitClass,
    state::State,
};

refusals! {
    /// Why nothing is learned.
    IdentityRefusal { Http: PathNotFound, InvalidToken }
}

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

impl From<Unknown> for Refusal<IdentityRefusal> {
    fn from(e: Unknown) -> Self {
        match e {
            Unknown::BadToken | Unknown::RoleTaken(_) => IdentityRefusal::InvalidToken.into(),
            Unknown::Unavailable(why) => {
                tracing::warn!(why, "a proof of identity could not be checked");
                CommonError::busy().into()
            }
        }
    }
}

async fn put(
    state: web::Data<State>,
    who: Who,
    body: ValidJson<IdentityProof>,
) -> Reply<Json<ProviderIdentity>, IdentityRefusal> {
    let IdentityProof { id_token, access_token } = body.value;
    let proof = Proof { id_token, access_token };
    match state.authenticator.learn(&who.0, &proof).await? {
        ProofOutcome::Nothing => Err(IdentityRefusal::PathNotFound.into()),
        ProofOutcome::Refused => Err(Refusal::field("idToken", FieldProblem::Invalid)),
        ProofOutcome::Account { email, email_verified } => {
            Ok(Json(ProviderIdentity { email: email.map(|e| e.to_string()), email_verified }))
        }
    }
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    // With the embedded provider, which the tests have, there is nothing to hand over.
    let example =
        Example { refused: Some(HttpCode::PathNotFound), ..Example::json(json!({ "idToken": "eyJhbGciOi…" })) };
    vec![
        Route::put("/api/profiles/identity", SIGNED_IN, Audit::Unrecorded, put)
            .relation(Relation::Own)
            .limited(LimitClass::Token)
            .doc("learnIdentity", "Profile", "Hand over what the external identity provider says about oneself")
            .about("With the embedded provider there is nothing to hand over, and this path does not exist.")
            .example(example),
    ]
}
