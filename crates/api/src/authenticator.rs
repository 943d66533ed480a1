//! Who stands behind a token.

use futures_util::future::BoxFuture;
use identity::Proof;
use kernel::{Email, Language};
use service::{Caller, ErrorCode, Role};

use crate::http::{codes::HttpCode, problem::ApiError};

/// Why a token names nobody.
#[derive(Debug)]
pub enum Unknown {
    /// The token is not good.
    BadToken,
    /// It was good until the person's role was taken away. This is their present role.
    RoleTaken(Role),
    /// It cannot be checked now (an outside provider or the database does not answer).
    Unavailable(String),
}

impl From<Unknown> for ApiError {
    fn from(e: Unknown) -> ApiError {
        match e {
            Unknown::BadToken | Unknown::RoleTaken(_) => HttpCode::InvalidToken.into(),
            Unknown::Unavailable(why) => {
                tracing::warn!(why, "a token could not be checked");
                ApiError { retry_after: Some(1), ..ErrorCode::Busy.into() }
            }
        }
    }
}

/// The outcome of a proof of identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProofOutcome {
    /// The embedded provider vouches for nothing that we do not know.
    Nothing,
    /// The proof is not good, too old, or about somebody else.
    Refused,
    /// What the account has now.
    Account {
        /// Its address, when the provider gave one.
        email: Option<Email>,
        /// The provider vouches for the address.
        email_verified: bool,
    },
}

/// Turns a bearer token into a person with a role.
pub trait Authenticator: Send + Sync {
    /// The caller behind `token`.
    fn caller<'a>(
        &'a self,
        token: &'a str,
        language: Language,
        request_id: Option<String>,
    ) -> BoxFuture<'a, Result<Caller, Unknown>>;

    /// Takes over what an external provider vouches for about the caller.
    fn learn<'a>(&'a self, caller: &'a Caller, proof: &'a Proof) -> BoxFuture<'a, Result<ProofOutcome, Unknown>>;
}
