//! What the embedded identity provider keeps: accounts, passwords, sessions, grants and the
//! tokens that hang on them.
//!
//! Six small repositories, one an aggregate, fetched from the unit of work (`u.accounts()`,
//! `u.sessions()`, `u.grants()`, `u.one_time_tokens()`, `u.sign_in_throttles()`,
//! `u.machine_clients()`). Rules for whoever implements them:
//!
//! - "Not there" is `Ok(None)` or `Ok(false)`, never an error.
//! - A method that answers `bool` is one conditional statement (`UPDATE … WHERE used_at IS NULL`,
//!   `INSERT … ON CONFLICT DO NOTHING`): of two transactions racing, exactly one sees `true`.
//! - No secret is ever stored: a token arrives here as a [`TokenHash`], a password as a PHC string.
//! - Instants are UTC with microseconds; an expiry is exclusive (`now >= expires_at` is expired) and
//!   is judged by the caller, not by the query.

use kernel::{
    BookingId, Email, PartnerId, SessionId, UserId,
    chrono::{DateTime, Utc},
    uuid::Uuid,
};

pub use super::token_purpose::TokenPurpose;

use super::StoreResult;

/// The issuer under which accounts of the embedded provider are kept.
///
/// Not the provider's URL: that changes when an installation moves to another host name, and the
/// accounts must not be lost with it. Accounts of an external provider carry its issuer URL.
pub const EMBEDDED_ISSUER: &str = "embedded";

/// The issuer of people whom staff wrote down ([`crate::accounts::desk`] makes their accounts). Nobody signs in as one: it
/// has no credential, and no provider is called that.
pub const DESK_ISSUER: &str = "desk";

/// A person who can sign in. Unique by (`issuer`, `subject`); e-mail is not a key. Name, telephone
/// and language are the profile's (`u.profiles()`, same id).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Our own id; everything else refers to it.
    pub id: UserId,
    /// [`EMBEDDED_ISSUER`], or the external provider's issuer, byte for byte.
    pub issuer: String,
    /// The provider's name for the person; for the embedded one, `id` as text.
    pub subject: String,
    /// Address, when known. Trust it for permissions only with `email_verified`.
    pub email: Option<Email>,
    /// The person has shown that mail to `email` reaches them.
    pub email_verified: bool,
    /// When the terms were accepted (sign-up); `None` for accounts of an external provider.
    pub terms_accepted_at: Option<DateTime<Utc>>,
    /// When the account was made.
    pub created_at: DateTime<Utc>,
    /// Last change of this row.
    pub updated_at: DateTime<Utc>,
    /// Set: may no longer sign in, and running tokens are refused where they are looked up.
    pub disabled_at: Option<DateTime<Utc>>,
    /// Of [`DESK_ISSUER`] only: whose it became, and when. The database lets only an account with the same address,
    /// verified, take it over, and only once ([`crate::accounts::desk::email_shown`]).
    pub merged: Option<(UserId, DateTime<Utc>)>,
}

/// A password sign-in. Unique by `email_key`, one an account.
#[derive(Clone, PartialEq, Eq)]
pub struct Credential {
    /// Whose.
    pub user_id: UserId,
    /// `Email::key()` of the address typed at sign-in.
    pub email_key: String,
    /// Argon2id in PHC form (`$argon2id$v=19$…`).
    pub password_hash: String,
    /// When the password was last set.
    pub password_changed_at: DateTime<Utc>,
}

impl std::fmt::Debug for Credential {
    // A hash in a log is a hash that can be cracked at leisure.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Credential").field("user_id", &self.user_id).finish_non_exhaustive()
    }
}

/// SHA-256 of an opaque token, in lower-case hexadecimal (64 characters). A store keeps it as text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TokenHash(pub String);

/// Why a session ended before its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SessionEnd {
    /// The person signed out.
    SignedOut,
    /// Somebody signed in with the same browser.
    Replaced,
    /// The password was changed by somebody who knew the old one.
    PasswordChanged,
    /// The password was set by a mailed link.
    PasswordReset,
    /// The account was locked out.
    AccountDisabled,
    /// The person's role was taken away.
    RoleRemoved,
    /// A refresh token issued from it was used twice.
    TokenReused,
    /// The account was made with an address its maker never verified, and the owner of the address
    /// came.
    AddressClaimed,
}

impl SessionEnd {
    /// All of them.
    pub const ALL: [SessionEnd; 8] = [
        SessionEnd::SignedOut,
        SessionEnd::Replaced,
        SessionEnd::PasswordChanged,
        SessionEnd::PasswordReset,
        SessionEnd::AccountDisabled,
        SessionEnd::RoleRemoved,
        SessionEnd::TokenReused,
        SessionEnd::AddressClaimed,
    ];

    /// As stored.
    pub const fn code(self) -> &'static str {
        match self {
            SessionEnd::SignedOut => "signed_out",
            SessionEnd::Replaced => "replaced",
            SessionEnd::PasswordChanged => "password_changed",
            SessionEnd::PasswordReset => "password_reset",
            SessionEnd::AccountDisabled => "account_disabled",
            SessionEnd::RoleRemoved => "role_removed",
            SessionEnd::TokenReused => "token_reused",
            SessionEnd::AddressClaimed => "address_claimed",
        }
    }

    /// The inverse of [`SessionEnd::code`].
    pub fn from_code(code: &str) -> Option<SessionEnd> {
        SessionEnd::ALL.into_iter().find(|why| why.code() == code)
    }
}

/// A browser's sign-in at the embedded provider. Unique by `token_hash`. Everything issued from it
/// (codes, refresh tokens, access tokens) is worth what the session is worth at that moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Id; also the `sid` claim of what was issued from it.
    pub id: SessionId,
    /// Of the cookie's value.
    pub token_hash: TokenHash,
    /// Whose.
    pub user_id: UserId,
    /// When the password was typed (`auth_time`).
    pub authenticated_at: DateTime<Utc>,
    /// When the session was made.
    pub created_at: DateTime<Utc>,
    /// Last use that was written down (uses close together are not).
    pub last_seen_at: DateTime<Utc>,
    /// Moves on with use.
    pub expires_at: DateTime<Utc>,
    /// When and why it ended before that.
    pub ended: Option<(DateTime<Utc>, SessionEnd)>,
}

impl Session {
    /// Neither ended nor expired.
    pub fn is_live(&self, now: DateTime<Utc>) -> bool {
        self.ended.is_none() && now < self.expires_at
    }
}

/// Names a [`Grant`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GrantId(pub Uuid);

/// An authorization code. Unique by `code_hash`, single use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorizationCode {
    /// Of the code.
    pub code_hash: TokenHash,
    /// What redeeming it opens. The grant's row is written when the code is redeemed, so this
    /// column has no foreign key.
    pub grant_id: GrantId,
    /// To whom it was issued.
    pub client_id: String,
    /// Must be repeated, byte for byte.
    pub redirect_uri: String,
    /// Who signed in.
    pub user_id: UserId,
    /// In which session.
    pub session_id: SessionId,
    /// Granted scopes, separated by single spaces.
    pub scope: String,
    /// Goes into the ID token.
    pub nonce: Option<String>,
    /// PKCE S256.
    pub code_challenge: String,
    /// When the password was typed.
    pub authenticated_at: DateTime<Utc>,
    /// When it was issued.
    pub created_at: DateTime<Utc>,
    /// 60 seconds later.
    pub expires_at: DateTime<Utc>,
    /// Set by the one redemption.
    pub redeemed_at: Option<DateTime<Utc>>,
}

/// What one redeemed code gave: the family of its refresh tokens. Revoking it ends them all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// Id.
    pub id: GrantId,
    /// To which client.
    pub client_id: String,
    /// For whom.
    pub user_id: UserId,
    /// The session it came from. Old sessions are deleted while their grants stay, so this column
    /// has no foreign key.
    pub session_id: SessionId,
    /// Scopes, separated by single spaces.
    pub scope: String,
    /// When the password was typed.
    pub authenticated_at: DateTime<Utc>,
    /// When the code was redeemed.
    pub created_at: DateTime<Utc>,
    /// No refresh token of the family lives longer; rotation does not move it.
    pub expires_at: DateTime<Utc>,
    /// Set: nothing of the family is accepted any more.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// One refresh token of a family. Unique by `token_hash`, single use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefreshToken {
    /// Of the token.
    pub token_hash: TokenHash,
    /// Its family.
    pub grant_id: GrantId,
    /// When it was issued.
    pub created_at: DateTime<Utc>,
    /// Set when it was exchanged for the next one.
    pub spent_at: Option<DateTime<Utc>>,
}

/// A link sent by mail. Unique by `token_hash`, single use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OneTimeToken {
    /// Of the token in the link.
    pub token_hash: TokenHash,
    /// Whose.
    pub user_id: UserId,
    /// For what.
    pub purpose: TokenPurpose,
    /// `Email::key()` of the address it went to: a link proves nothing about a later address.
    pub email_key: String,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// When it stops working.
    pub expires_at: DateTime<Utc>,
    /// Set by the one use, or when a newer link replaced it.
    pub spent_at: Option<DateTime<Utc>>,
    /// The booking, for `Pay`, `Card`, `Consent` and `MovePage`, and for nothing else.
    pub booking_id: Option<BookingId>,
}

/// Attempts since the last success, by whoever is counted: an address (whether or not an account
/// has it, so that being held up says nothing about who has an account), an address and a network,
/// a browser, a mailbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignInThrottle {
    /// Of what is counted: no address stands in the database because somebody tried it.
    pub key: TokenHash,
    /// Attempts that did not succeed (an attempt counts from the moment it starts).
    pub failures: i32,
    /// The newest attempt.
    pub last_attempt_at: DateTime<Utc>,
    /// No attempt is looked at before this; for the attempts at an account over all networks, when they
    /// are forgotten; for the mails of a network, when its hour ends.
    pub locked_until: Option<DateTime<Utc>>,
}

/// A partner's machine that fetches its own tokens (`client_credentials`). Unique by `client_id`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MachineClient {
    /// Public name, for example `partner-3f9c…`.
    pub client_id: String,
    /// Of the secret (256 random bits, so a plain hash is enough).
    pub secret_hash: TokenHash,
    /// On whose behalf it acts.
    pub partner_id: PartnerId,
    /// What people call it.
    pub name: String,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// Set: gets no more tokens.
    pub disabled_at: Option<DateTime<Utc>>,
}

/// Accounts and their passwords.
pub trait Accounts {
    /// Writes a new account; `false` (and nothing written) when (`issuer`, `subject`) exists.
    fn insert(&mut self, account: &Account) -> StoreResult<bool>;
    /// By our id.
    fn get(&mut self, id: UserId) -> StoreResult<Option<Account>>;
    /// By our id, locked until the transaction ends (on PostgreSQL `FOR NO KEY UPDATE`): whatever
    /// gives a person rights (a session) and whatever takes them away (a new password) passes here
    /// one after the other.
    fn lock(&mut self, id: UserId) -> StoreResult<Option<Account>>;
    /// One transaction at a time per address (`Email::key()`), until it ends: who decides whose a booking for an
    /// address is, and who gives an address to the account that has shown it.
    fn lock_address(&mut self, email_key: &str) -> StoreResult<()>;
    /// Those with an address (`Email::key()`), verified or not, oldest first. More than one with an
    /// external provider, and when an address changed hands.
    fn of_email(&mut self, email_key: &str) -> StoreResult<Vec<Account>>;
    /// By the provider's name for the person.
    fn by_subject(&mut self, issuer: &str, subject: &str) -> StoreResult<Option<Account>>;
    /// New address, as an external provider tells it, or a verification of the present one.
    fn set_email(&mut self, id: UserId, email: Option<&Email>, verified: bool, at: DateTime<Utc>) -> StoreResult<()>;
    /// The account of [`DESK_ISSUER`] became another one: one with the same address, verified; else the database refuses.
    fn set_merged(&mut self, id: UserId, into: UserId, at: DateTime<Utc>) -> StoreResult<()>;
    /// Locks the account out (`Some`) or lets it in again (`None`).
    fn set_disabled(&mut self, id: UserId, disabled_at: Option<DateTime<Utc>>, at: DateTime<Utc>) -> StoreResult<()>;
    /// Writes a new password sign-in; `false` (and nothing written) when the address has one.
    fn insert_credential(&mut self, credential: &Credential) -> StoreResult<bool>;
    /// The password sign-in of an address (`Email::key()`).
    fn credential(&mut self, email_key: &str) -> StoreResult<Option<Credential>>;
    /// The password sign-in of an account.
    fn credential_of(&mut self, id: UserId) -> StoreResult<Option<Credential>>;
    /// Takes the password sign-in away; `false` when there is none. The address is free again.
    fn delete_credential(&mut self, id: UserId) -> StoreResult<bool>;
    /// New password; `false` when the account has no password sign-in.
    fn set_password(&mut self, id: UserId, password_hash: &str, at: DateTime<Utc>) -> StoreResult<bool>;
}

/// Browser sessions of the embedded provider.
pub trait Sessions {
    /// Writes a new session.
    fn insert(&mut self, session: &Session) -> StoreResult<()>;
    /// By the hash of the cookie's value.
    fn by_token(&mut self, token: &TokenHash) -> StoreResult<Option<Session>>;
    /// By id.
    fn get(&mut self, id: SessionId) -> StoreResult<Option<Session>>;
    /// Used again: new `last_seen_at` and `expires_at`.
    fn touch(&mut self, id: SessionId, seen_at: DateTime<Utc>, expires_at: DateTime<Utc>) -> StoreResult<()>;
    /// Ends one; no error when it is gone, and what has ended keeps its time and reason.
    fn end(&mut self, id: SessionId, why: SessionEnd, at: DateTime<Utc>) -> StoreResult<()>;
    /// Ends all of a person's.
    fn end_of_user(&mut self, user: UserId, why: SessionEnd, at: DateTime<Utc>) -> StoreResult<()>;
    /// Deletes what expired before `before` (whether or not it had ended earlier); how many.
    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<usize>;
}

/// Codes, and the refresh tokens they opened.
pub trait Grants {
    /// Writes a new code.
    fn insert_code(&mut self, code: &AuthorizationCode) -> StoreResult<()>;
    /// By hash, redeemed or not.
    fn code(&mut self, code: &TokenHash) -> StoreResult<Option<AuthorizationCode>>;
    /// Marks it redeemed; `false` when it already was.
    fn redeem_code(&mut self, code: &TokenHash, at: DateTime<Utc>) -> StoreResult<bool>;
    /// Writes a new grant.
    fn insert(&mut self, grant: &Grant) -> StoreResult<()>;
    /// By id. On PostgreSQL with a row lock (`FOR UPDATE`) until the transaction ends, so that
    /// revoking and refreshing never cross.
    fn get(&mut self, id: GrantId) -> StoreResult<Option<Grant>>;
    /// Revokes one, when it exists and is not revoked yet.
    fn revoke(&mut self, id: GrantId, at: DateTime<Utc>) -> StoreResult<()>;
    /// Revokes what came from a session.
    fn revoke_of_session(&mut self, session: SessionId, at: DateTime<Utc>) -> StoreResult<()>;
    /// Revokes all of a person's.
    fn revoke_of_user(&mut self, user: UserId, at: DateTime<Utc>) -> StoreResult<()>;
    /// Writes a new refresh token.
    fn insert_refresh(&mut self, token: &RefreshToken) -> StoreResult<()>;
    /// By hash, spent or not.
    fn refresh(&mut self, token: &TokenHash) -> StoreResult<Option<RefreshToken>>;
    /// Marks it spent; `false` when it already was.
    fn spend_refresh(&mut self, token: &TokenHash, at: DateTime<Utc>) -> StoreResult<bool>;
    /// Deletes grants (with their refresh tokens) and codes that expired before `before`; how many
    /// grants and codes.
    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<usize>;
}

/// Links in mails.
pub trait OneTimeTokens {
    /// Writes a new one.
    fn insert(&mut self, token: &OneTimeToken) -> StoreResult<()>;
    /// By hash, spent or not.
    fn get(&mut self, token: &TokenHash) -> StoreResult<Option<OneTimeToken>>;
    /// Marks it spent; `false` when it already was.
    fn spend(&mut self, token: &TokenHash, at: DateTime<Utc>) -> StoreResult<bool>;
    /// The newest unspent one of a person and purpose; whether it has expired is the caller's question.
    fn unspent(&mut self, user: UserId, purpose: TokenPurpose) -> StoreResult<Option<OneTimeToken>>;
    /// Marks all unspent ones of a person and purpose spent.
    fn spend_of_user(&mut self, user: UserId, purpose: TokenPurpose, at: DateTime<Utc>) -> StoreResult<()>;
    /// The newest unspent one about a booking; whether it has expired is the caller's question.
    fn unspent_of_booking(&mut self, booking: BookingId, purpose: TokenPurpose) -> StoreResult<Option<OneTimeToken>>;
    /// Marks all unspent ones about a booking spent.
    fn spend_of_booking(&mut self, booking: BookingId, purpose: TokenPurpose, at: DateTime<Utc>) -> StoreResult<()>;
    /// Deletes what expired before `before`; how many.
    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<usize>;
}

/// Counters of sign-in attempts.
pub trait SignInThrottles {
    /// A counter, made with no failures (`last_attempt_at = now`) when it is
    /// missing, and locked until the transaction ends (on PostgreSQL: insert on conflict do nothing,
    /// then select for update).
    fn lock(&mut self, key: &TokenHash, now: DateTime<Utc>) -> StoreResult<SignInThrottle>;
    /// Writes the counter got from [`SignInThrottles::lock`].
    fn put(&mut self, throttle: &SignInThrottle) -> StoreResult<()>;
    /// Forgets one; no error when it is unknown.
    fn clear(&mut self, key: &TokenHash) -> StoreResult<()>;
    /// Deletes counters whose newest attempt was before `before`; how many.
    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<usize>;
}

/// Partners' machines.
pub trait MachineClients {
    /// Writes a new one; `false` (and nothing written) when the name is taken.
    fn insert(&mut self, client: &MachineClient) -> StoreResult<bool>;
    /// By public name.
    fn get(&mut self, client_id: &str) -> StoreResult<Option<MachineClient>>;
    /// Those of one partner, oldest first.
    fn of_partner(&mut self, partner: PartnerId) -> StoreResult<Vec<MachineClient>>;
    /// Disables (`Some`) or enables (`None`); `false` when there is no such client.
    fn set_disabled(&mut self, client_id: &str, disabled_at: Option<DateTime<Utc>>) -> StoreResult<bool>;
}
