//! Accounts made by the program: demo data and tests.

use kernel::{Email, Language, Phone, UserId};
use secrecy::SecretString;
use service::ports::StoreError;

use super::{FieldCode, FieldError, SignUpError, forms::NewPerson, sign_up::write_account};
use crate::{Identity, password};

/// An account to have.
#[derive(Debug, Clone)]
pub struct Provision {
    /// Address.
    pub email: Email,
    /// Password, under the same rules as at sign-up. It is hashed at the lowest cost until somebody signs in with it, so it
    /// must be a published one or a random one that nobody is told; never a person's own.
    pub password: SecretString,
    /// Given name.
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// Telephone.
    pub phone: Option<Phone>,
    /// Language of mails.
    pub language: Language,
    /// Counts as verified: needed for roles.
    pub email_verified: bool,
}

impl Identity {
    /// Makes an account unless the address has one; its id, and whether it was made now. Sends no
    /// mail and changes nothing of an account that exists.
    ///
    /// # Errors
    /// See [`SignUpError`].
    pub async fn provision(&self, wanted: Provision) -> Result<(UserId, bool), SignUpError> {
        password::judge(&wanted.password, Some(&wanted.email))
            .map_err(|code| SignUpError::Invalid(vec![FieldError { field: "password", code }]))?;
        let key = wanted.email.key();
        let known = self
            .deps
            .store
            .read(move |u| u.accounts().credential(&key))
            .await
            .map_err(|e: StoreError| SignUpError::from(e))?;
        if let Some(credential) = known {
            return Ok((credential.user_id, false));
        }
        let verified = wanted.email_verified;
        let person = NewPerson {
            email: wanted.email,
            password: wanted.password,
            first_name: wanted.first_name,
            last_name: wanted.last_name,
            phone: wanted.phone,
            language: wanted.language,
        };
        let hash = self.deps.hasher.hash_lightly(person.password().clone()).await?;
        let (deps, now) = (self.deps.clone(), self.now());
        self.deps
            .store
            .write(move |u| {
                let account = write_account(&deps, u, &person, hash, verified, Some(now), now)?.ok_or_else(|| {
                    SignUpError::Invalid(vec![FieldError { field: "email", code: FieldCode::EmailTaken }])
                })?;
                deps.trail(now, None, None).note(u, "account.provision", account.id)?;
                Ok((account.id, true))
            })
            .await
    }
}
