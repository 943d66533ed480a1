//! From a bearer token to a caller: the identity provider says who, our own database says what
//! they may do. Both are asked anew at every call: there is no memory that could outlive a session,
//! an account or a role.

use futures_util::future::BoxFuture;
use identity::{
    Proof, TokenVerifier, VerifyError,
    accounts::{Directory, ResolveError},
};
use kernel::Language;
use service::{
    Caller, Role, Services,
    members::Membership,
    ports::{StoreError, identity::Account},
};

use crate::authenticator::{Authenticator, ProofOutcome, Unknown};

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

    async fn learn_about(&self, caller: &Caller, proof: &Proof) -> Result<ProofOutcome, Unknown> {
        let Some(user) = caller.user else { return Ok(ProofOutcome::Nothing) };
        let account = self.services.store.read(move |u| u.accounts().get(user)).await;
        let account: Option<Account> = account.map_err(|e: StoreError| Unknown::Unavailable(e.to_string()))?;
        let Some(account) = account else { return Err(Unknown::BadToken) };
        match self.verifier.vouched(&account.subject, proof).await {
            Ok(None) => Ok(ProofOutcome::Nothing),
            Ok(Some(told)) => {
                let account = self.directory.learn(told, caller.request_id.clone()).await.map_err(unknown)?;
                Ok(ProofOutcome::Account { email: account.email, email_verified: account.email_verified })
            }
            Err(VerifyError::Rejected(why)) => {
                tracing::debug!(%why, "a proof of identity was refused");
                Ok(ProofOutcome::Refused)
            }
            Err(VerifyError::Unavailable(why)) => Err(Unknown::Unavailable(why)),
        }
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
            return Ok(Caller {
                role: Role::Partner,
                user: None,
                partner: Some(partner),
                mate: None,
                language,
                network: None,
                request_id,
            });
        }
        let (account, membership) = self.directory.resolve_with(&verified, Membership::of).await.map_err(unknown)?;
        let caller = membership.caller(&account, language, request_id);
        let still = verified.issued.is_none_or(|issued| issued.is_still(caller.role.code()));
        if still { Ok(caller) } else { Err(Unknown::RoleTaken(caller.role)) }
    }
}

fn unknown(e: ResolveError) -> Unknown {
    match e {
        ResolveError::NoAccount => Unknown::BadToken,
        // The next sign-in gives a customer's token.
        ResolveError::RoleTaken => Unknown::RoleTaken(Role::Customer),
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

    fn learn<'a>(&'a self, caller: &'a Caller, proof: &'a Proof) -> BoxFuture<'a, Result<ProofOutcome, Unknown>> {
        Box::pin(self.learn_about(caller, proof))
    }
}
