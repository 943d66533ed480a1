//! From a bearer token to a caller: the identity provider says who, our own database says what
//! they may do.

use futures_util::future::BoxFuture;
use identity::{
    TokenVerifier, VerifyError,
    accounts::{Directory, ResolveError},
};
use kernel::Language;
use service::{Caller, Role, Services, members};

use crate::access::{Authenticator, Unknown};

/// Tokens of the embedded or an external provider.
pub struct Tokens {
    services: Services,
    verifier: TokenVerifier,
    directory: Directory,
}

impl Tokens {
    /// Checks tokens with `verifier`; accounts and roles are looked up in the store of `services`.
    pub fn new(services: Services, verifier: TokenVerifier) -> Tokens {
        let directory = Directory::new(services.store.clone(), services.clock.clone(), services.entropy.clone());
        Tokens { services, verifier, directory }
    }

    async fn resolve(&self, token: &str, language: Language, request_id: Option<String>) -> Result<Caller, Unknown> {
        let verified = self.verifier.verify(token).await.map_err(|e| match e {
            VerifyError::Rejected(why) => {
                tracing::debug!(%why, "a token was refused");
                Unknown::BadToken
            }
            VerifyError::Unavailable(why) => Unknown::Unavailable(why),
        })?;
        if verified.client {
            let partner = self.directory.partner(&verified).await.map_err(unknown)?;
            return Ok(Caller { role: Role::Partner, user: None, partner: Some(partner), mate: None, language, network: None, request_id });
        }
        let account = self.directory.resolve(&verified).await.map_err(unknown)?;
        members::caller(&self.services, account, language, request_id).await.map_err(|e| Unknown::Unavailable(e.to_string()))
    }
}

fn unknown(e: ResolveError) -> Unknown {
    match e {
        ResolveError::NoAccount => Unknown::BadToken,
        ResolveError::Store(e) => Unknown::Unavailable(e.to_string()),
    }
}

impl Authenticator for Tokens {
    fn caller<'a>(
        &'a self,
        token: &'a str,
        language: Language,
        request_id: Option<String>,
    ) -> BoxFuture<'a, Result<Caller, Unknown>> {
        Box::pin(self.resolve(token, language, request_id))
    }
}
