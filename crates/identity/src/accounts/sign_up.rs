//! Signing up: account, password, profile, welcome mail and session in one transaction.

use kernel::{
    UserId,
    chrono::{DateTime, Utc},
};
use secrecy::SecretString;
use service::ports::{
    StoreError, StoreResult, Unit,
    identity::{Account, Credential, EMBEDDED_ISSUER},
    profiles::{BillingAddress, Profile},
};

use super::{
    Failure, FieldCode, FieldError, HashingFailed, SignUp, SignedIn,
    attempts::{mail_from, seconds_until},
    device,
    forms::NewPerson,
    safe_return, sessions,
    verify_email::send_verification,
};
use crate::{Deps, Identity, RequestContext, audit};

/// Why nobody was signed up.
#[derive(Debug, thiserror::Error)]
pub enum SignUpError {
    /// Fields are wrong; an address that has an account is `email: email_taken`.
    #[error("the sign-up form has mistakes")]
    Invalid(Vec<FieldError>),
    /// Too many people signed up from one network within the hour.
    #[error("too many sign-ups from one network")]
    TooMany {
        /// Whole seconds until the next one is looked at.
        retry_after: i64,
    },
    /// Something of ours failed.
    #[error(transparent)]
    Failed(#[from] Failure),
}

impl From<StoreError> for SignUpError {
    fn from(error: StoreError) -> Self {
        SignUpError::Failed(error.into())
    }
}

impl From<HashingFailed> for SignUpError {
    fn from(error: HashingFailed) -> Self {
        SignUpError::Failed(error.into())
    }
}

impl Identity {
    /// Makes an account and signs in with it at once.
    ///
    /// That an address is taken is told: the form could not sign in otherwise, and the person
    /// would be left guessing. The API limits how often one may ask. It is told of an unverified
    /// account too: an owner whose address a stranger took comes by a reset link, which shows that
    /// the address is theirs; a second sign-up shows nothing, and must not cost the first one the
    /// account.
    ///
    /// # Errors
    /// See [`SignUpError`].
    pub async fn sign_up(&self, form: SignUp, context: &RequestContext) -> Result<SignedIn, SignUpError> {
        let redirect_to = safe_return(form.return_to.as_deref());
        let person = form.check().map_err(SignUpError::Invalid)?;
        let hash = self.deps.hasher.hash(person.password.clone()).await?;
        let (deps, now, context) = (self.deps.clone(), self.now(), context.clone());
        // Counted also when the address is taken: whoever asks for many learns who is a customer.
        let address = context.address;
        let counted = self.deps.store.write(move |u| mail_from(u, address, now)).await?;
        if let Err(until) = counted {
            return Err(SignUpError::TooMany { retry_after: seconds_until(until, now) });
        }
        self.deps
            .write_with_mails(move |u, mails| {
                let account =
                    write_account(&deps, u, &person, hash, false, Some(now), now)?.ok_or_else(address_taken)?;
                send_verification(&deps, u, mails, &account, now)?;
                let (_, cookie) = sessions::begin(&deps, u, account.id, context.session.as_deref(), now)?;
                let devices = device::read(&deps, context.device.as_deref(), now);
                let set_cookies =
                    std::iter::once(cookie).chain(device::remember(&deps, &devices, account.id, now)).collect();
                deps.trail(now, Some(account.id), context.request_id).note(u, "account.create", account.id)?;
                Ok(SignedIn { user_id: account.id, email_verified: false, redirect_to, set_cookies })
            })
            .await
    }
}

fn address_taken() -> SignUpError {
    SignUpError::Invalid(vec![FieldError { field: "email", code: FieldCode::EmailTaken }])
}

/// Writes account, password and profile; `None` (the caller must roll back) when the address has
/// an account.
pub(super) fn write_account(
    deps: &Deps,
    u: &mut dyn Unit,
    person: &NewPerson,
    password_hash: String,
    email_verified: bool,
    terms_accepted_at: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> StoreResult<Option<Account>> {
    let id = UserId(deps.entropy.uuid(now));
    let account = Account {
        id,
        issuer: EMBEDDED_ISSUER.to_owned(),
        subject: id.to_string(),
        email: Some(person.email.clone()),
        email_verified,
        terms_accepted_at,
        created_at: now,
        updated_at: now,
        disabled_at: None,
        merged: None,
    };
    let credential = Credential { user_id: id, email_key: person.email.key(), password_hash, password_changed_at: now };
    if !u.accounts().insert(&account)? || !u.accounts().insert_credential(&credential)? {
        return Ok(None);
    }
    u.profiles().insert(&Profile {
        user_id: id,
        first_name: person.first_name.clone(),
        last_name: person.last_name.clone(),
        email: person.email.clone(),
        phone: person.phone.as_ref().map(|p| p.as_str().to_owned()).unwrap_or_default(),
        gender: String::new(),
        occupation: String::new(),
        language: person.language,
        billing_address: BillingAddress { country: "Canada".to_owned(), ..BillingAddress::default() },
        gateway_customer_id: None,
        version: 1,
        updated_at: now,
    })?;
    if email_verified {
        audit::email_shown(u, &*deps.entropy, (id, &person.email), now)?;
    }
    Ok(Some(account))
}

impl NewPerson {
    /// A person made by the program rather than by the form.
    pub(super) fn password(&self) -> &SecretString {
        &self.password
    }
}
