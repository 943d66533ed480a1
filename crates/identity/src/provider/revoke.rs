//! Token revocation (RFC 7009).

use oauth2::basic::BasicErrorResponseType as Kind;
use service::ports::StoreError;

use super::{
    params::Params,
    token::{ProviderAnswer, TokenError, error_answer},
};
use crate::{CLIENT_ID, Identity, secret};

impl Identity {
    /// Revokes the family of a refresh token. An unknown token is fine: it is no good already.
    pub async fn revoke(&self, form: &str) -> ProviderAnswer {
        let bad = |description| error_answer(400, Kind::InvalidRequest, Some(description));
        let Ok(params) = Params::parse(form) else { return bad("the request is too long") };
        if params.once().is_err() {
            return bad("a parameter is repeated");
        }
        if params.get("client_id") != Some(CLIENT_ID) {
            return error_answer(400, Kind::InvalidClient, Some("unknown client"));
        }
        let Some(token) = params.get("token") else { return bad("token is missing") };
        if token.matches('.').count() == 2 {
            // Access tokens are checked without asking us, so they cannot be called back; they end
            // by themselves in 15 minutes.
            let kind = Kind::Extension("unsupported_token_type".to_owned());
            return error_answer(400, kind, Some("only refresh tokens can be revoked"));
        }
        let (hash, now) = (secret::hash(token), self.now());
        let done = self
            .deps
            .store
            .write(move |u| match u.grants().refresh(&hash)? {
                Some(token) => u.grants().revoke(token.grant_id, now),
                None => Ok(()),
            })
            .await;
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
