//! Token revocation (RFC 7009).

use oauth2::basic::BasicErrorResponseType as Kind;
use service::ports::{StoreError, StoreResult, Unit, identity::GrantId};

use super::{
    params::Params,
    token::{ProviderAnswer, TokenError, error_answer},
};
use crate::{CLIENT_ID, Identity, secret};

impl Identity {
    /// Revokes what one redeemed code gave, named by a refresh token or an access token of it: none
    /// of its tokens is good any more. An unknown token is fine: it is no good already, and leaves nothing on record.
    pub async fn revoke(&self, form: &str, request_id: Option<String>) -> ProviderAnswer {
        let bad = |description| error_answer(400, Kind::InvalidRequest, Some(description));
        let Ok(params) = Params::parse(form) else { return bad("the request is too long") };
        if params.once().is_err() {
            return bad("a parameter is repeated");
        }
        if params.get("client_id") != Some(CLIENT_ID) {
            return error_answer(400, Kind::InvalidClient, Some("unknown client"));
        }
        let Some(token) = params.get("token") else { return bad("token is missing") };
        let by_access_token = self.verifier().verify(token).await.ok().and_then(|t| t.issued).map(|i| i.grant);
        let (hash, now, deps) = (secret::hash(token), self.now(), self.deps.clone());
        let revoke = move |u: &mut dyn Unit| -> StoreResult<()> {
            let grant: Option<GrantId> = match by_access_token {
                Some(grant) => Some(grant),
                None => u.grants().refresh(&hash)?.map(|t| t.grant_id),
            };
            let grant = grant.map(|id| u.grants().get(id)).transpose()?.flatten();
            let Some(grant) = grant.filter(|g| g.revoked_at.is_none()) else { return Ok(()) };
            u.grants().revoke(grant.id, now)?;
            deps.trail(now, Some(grant.user_id), request_id).note(u, "grant.revoke", grant.id.0)
        };
        let done = self.deps.store.write(revoke).await;
        match done {
            Ok(()) => ProviderAnswer { status: 200, body: serde_json::json!({}), www_authenticate: None },
            Err(error) => {
                let error: StoreError = error;
                tracing::error!(%error, "revocation failed");
                TokenError::from(error).answer()
            }
        }
    }
}
