//! Audit rows of the account calls.

use std::fmt::Display;

use kernel::{
    AuditId, Email, UserId,
    chrono::{DateTime, Utc},
};
use service::{
    accounts::desk,
    ports::{Entropy, StoreResult, Unit, audit::AuditRow},
};

use crate::Deps;

/// What all rows that one change writes have in common: who acts (none = the program), when, at which request.
pub(crate) struct Trail<'e> {
    pub(crate) entropy: &'e dyn Entropy,
    pub(crate) at: DateTime<Utc>,
    pub(crate) actor: Option<UserId>,
    pub(crate) request_id: Option<String>,
}

impl Trail<'_> {
    /// Appends what was done to the thing named by `action`'s first half (`session.begin` is about a session). Neither
    /// before nor after is kept: there is nothing in an account's life that is not either a secret or told by the action
    /// itself.
    pub(crate) fn note(&self, u: &mut dyn Unit, action: &str, subject: impl Display) -> StoreResult<()> {
        let role = match self.actor {
            None => "system",
            Some(user) => role_of(u, user)?,
        };
        u.audits().append(&AuditRow {
            id: AuditId(self.entropy.uuid(self.at)),
            at: self.at,
            actor: self.actor,
            role: role.to_owned(),
            action: action.to_owned(),
            subject_kind: action.split('.').next().unwrap_or(action).to_owned(),
            subject_id: subject.to_string(),
            before: None,
            after: None,
            request_id: self.request_id.clone(),
        })
    }
}

impl Deps {
    /// For the rows of what `actor` does now.
    pub(crate) fn trail(&self, now: DateTime<Utc>, actor: Option<UserId>, request_id: Option<String>) -> Trail<'_> {
        Trail { entropy: &*self.entropy, at: now, actor, request_id }
    }
}

/// [`desk::email_shown`], with a row of the trail for each account that became this one.
pub(crate) fn email_shown(
    u: &mut dyn Unit,
    entropy: &dyn Entropy,
    (id, email): (UserId, &Email),
    now: DateTime<Utc>,
) -> StoreResult<()> {
    let trail = Trail { entropy, at: now, actor: Some(id), request_id: None };
    desk::email_shown(u, id, email, now)?.iter().try_for_each(|kept| trail.note(u, "account.merge", kept))
}

/// Whoever has no other role.
pub(crate) const CUSTOMER: &str = "customer";

/// The code of a person's role now: the member's with the same verified address, else customer.
pub(crate) fn role_of(u: &mut dyn Unit, user: UserId) -> StoreResult<&'static str> {
    let account = u.accounts().get(user)?;
    let email = account.filter(|a| a.email_verified).and_then(|a| a.email);
    let member = match email {
        Some(email) => u.members().by_email(&email.key())?,
        None => None,
    };
    Ok(member.map_or(CUSTOMER, |m| m.role.code()))
}
