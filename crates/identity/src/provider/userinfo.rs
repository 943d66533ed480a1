//! The userinfo endpoint.

use oauth2::basic::BasicErrorResponseType as Kind;
use serde::Serialize;
use service::ports::StoreError;

use super::{
    claims::Particulars,
    token::{ProviderAnswer, TokenError, error_answer, ok},
};
use crate::{Identity, accounts::is_live};

#[derive(Serialize)]
struct UserInfo {
    sub: String,
    #[serde(flatten)]
    particulars: Particulars,
}

impl Identity {
    /// What the scopes of an access token tell about its person. `authorization` is the header.
    pub async fn userinfo(&self, authorization: Option<&str>) -> ProviderAnswer {
        let token = authorization.and_then(|h| h.split_once(' ')).filter(|(s, _)| s.eq_ignore_ascii_case("bearer"));
        let Some((_, token)) = token else { return challenge("Bearer realm=\"portage\"") };
        let invalid = "Bearer realm=\"portage\", error=\"invalid_token\"";
        let Ok(token) = self.verifier().verify(token.trim()).await else { return challenge(invalid) };
        if !token.scopes.iter().any(|s| s == "openid") {
            let kind = Kind::Extension("insufficient_scope".to_owned());
            return ProviderAnswer {
                www_authenticate: Some(
                    "Bearer realm=\"portage\", error=\"insufficient_scope\", scope=\"openid\"".into(),
                ),
                ..error_answer(403, kind, None)
            };
        }
        let (Ok(user), scopes) = (token.subject.parse(), token.scopes.join(" ")) else { return challenge(invalid) };
        // Machines have no particulars.
        let Some(issued) = token.issued.clone() else { return challenge(invalid) };
        let now = self.now();
        let found = self
            .deps
            .store
            .read(move |u| {
                if !is_live(u, &issued, user, now)? {
                    return Ok(None);
                }
                let Some(account) = u.accounts().get(user)?.filter(|a| a.disabled_at.is_none()) else {
                    return Ok(None);
                };
                Particulars::of(u, &account, &scopes).map(Some)
            })
            .await;
        match found {
            Ok(Some(particulars)) => ok(&UserInfo { sub: token.subject, particulars }),
            Ok(None) => challenge(invalid),
            Err(error) => {
                let error: StoreError = error;
                tracing::error!(%error, "userinfo failed");
                TokenError::from(error).answer()
            }
        }
    }
}

fn challenge(header: &str) -> ProviderAnswer {
    let kind = Kind::Extension("invalid_token".to_owned());
    ProviderAnswer { www_authenticate: Some(header.to_owned()), ..error_answer(401, kind, None) }
}
