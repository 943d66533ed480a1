//! Audit rows of the account calls.

use kernel::{
    AuditId, Email, UserId,
    chrono::{DateTime, Utc},
};
use service::{
    accounts::desk,
    ports::{Entropy, StoreResult, Unit, audit::AuditRow},
};

use crate::Deps;

impl Deps {
    /// Appends what `actor` (or, with none, the program) did to the thing named by `action`'s
    /// first half (`session.begin` is about a session). Neither before nor after is kept: there is
    /// nothing in an account's life that is not either a secret or told by the action itself.
    pub(crate) fn audit(
        &self,
        u: &mut dyn Unit,
        now: DateTime<Utc>,
        actor: Option<UserId>,
        action: &str,
        subject: &str,
        request_id: Option<String>,
    ) -> StoreResult<()> {
        let role = match actor {
            None => "system",
            Some(user) => role_of(u, user)?,
        };
        u.audits().append(&AuditRow {
            id: AuditId(self.entropy.uuid(now)),
            at: now,
            actor,
            role: role.to_owned(),
            action: action.to_owned(),
            subject_kind: action.split('.').next().unwrap_or(action).to_owned(),
            subject_id: subject.to_owned(),
            before: None,
            after: None,
            request_id,
        })
    }
}

/// [`desk::email_shown`], with a row of the trail for each account that became this one.
pub(crate) fn email_shown(
    u: &mut dyn Unit,
    entropy: &dyn Entropy,
    (id, email): (UserId, &Email),
    now: DateTime<Utc>,
) -> StoreResult<()> {
    for kept in desk::email_shown(u, id, email, now)? {
        let role = role_of(u, id)?.to_owned();
        u.audits().append(&AuditRow {
            id: AuditId(entropy.uuid(now)),
            at: now,
            actor: Some(id),
            role,
            action: "account.merge".to_owned(),
            subject_kind: "account".to_owned(),
            subject_id: kept.to_string(),
            before: None,
            after: None,
            request_id: None,
        })?;
    }
    Ok(())
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
