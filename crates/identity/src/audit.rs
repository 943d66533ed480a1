//! Audit rows of the account calls.

use std::fmt::Display;

use kernel::{
    AuditId, Email, UserId,
    chrono::{DateTime, Utc},
};
use service::{
    Actor,
    accounts::desk,
    ports::{Entropy, StoreResult, Unit, audit::AuditRow, members::MemberRole},
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
            None => Actor::system().role,
            Some(user) => Some(MemberRole::acts_as(role_of(u, user)?)),
        };
        u.audits().append(&AuditRow {
            id: AuditId(self.entropy.uuid(self.at)),
            at: self.at,
            actor: self.actor,
            role,
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

/// A person's role now: the member's with the same verified address; none: a customer.
pub(crate) fn role_of(u: &mut dyn Unit, user: UserId) -> StoreResult<Option<MemberRole>> {
    let account = u.accounts().get(user)?;
    let email = account.filter(|a| a.email_verified).and_then(|a| a.email);
    let member = match email {
        Some(email) => u.members().by_email(&email.key())?,
        None => None,
    };
    Ok(member.map(|m| m.role))
}
