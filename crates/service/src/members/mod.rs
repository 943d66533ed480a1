//! Roles of signed-in people, and the audit trail of what they do.

use chrono::{DateTime, Utc};
use kernel::{AuditId, Email, Language, UserId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Caller, ErrorCode, Role, ServiceResult, Services, accounts,
    ports::{
        Unit,
        audit::AuditRow,
        identity::{Account, SessionEnd},
        members::{Member, MemberRole},
    },
};

/// Who did something, as the audit trail keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    /// None for guests and the system.
    pub user: Option<UserId>,
    /// Role code, or `system`.
    pub role: String,
    /// The request.
    pub request_id: Option<String>,
}

impl Actor {
    /// A caller.
    pub fn caller(c: &Caller) -> Actor {
        Actor { user: c.user, role: c.role.code().to_owned(), request_id: c.request_id.clone() }
    }

    /// A person in a role.
    pub fn of(user: UserId, role: &str, request_id: Option<&str>) -> Actor {
        Actor { user: Some(user), role: role.to_owned(), request_id: request_id.map(str::to_owned) }
    }

    /// The program itself.
    pub fn system() -> Actor {
        Actor { user: None, role: "system".to_owned(), request_id: None }
    }
}

/// Writes an audit row in the transaction of the change.
///
/// # Errors
/// When the database fails.
#[allow(clippy::too_many_arguments, reason = "one row, column by column")]
pub fn audit(
    u: &mut dyn Unit,
    s: &Services,
    at: DateTime<Utc>,
    by: Actor,
    action: &str,
    subject: (&str, &str),
    before: Option<Value>,
    after: Option<Value>,
) -> ServiceResult<()> {
    u.audits().append(&AuditRow {
        id: AuditId(s.entropy.uuid(at)),
        at,
        actor: by.user,
        role: by.role,
        action: action.to_owned(),
        subject_kind: subject.0.to_owned(),
        subject_id: subject.1.to_owned(),
        before,
        after,
        request_id: by.request_id,
    })?;
    Ok(())
}

/// The caller behind a signed-in account: the role of the member with the same verified e-mail,
/// else customer.
///
/// # Errors
/// When the database fails.
pub async fn caller(
    s: &Services,
    account: Account,
    language: Language,
    request_id: Option<String>,
) -> ServiceResult<Caller> {
    let id = account.id;
    let (role, partner, mate) = s.store.read(move |u| member_of(u, &account)).await?;
    Ok(Caller { role, user: Some(id), partner, mate, language, network: None, request_id })
}

/// Takes a member's role away. Roles are looked up at every call, so the right is gone with this
/// commit; the person's sessions end too, and signing in again is as a customer.
///
/// # Errors
/// `not_found` when nobody with this address is a member.
pub(crate) fn take_away(
    u: &mut dyn Unit,
    s: &Services,
    email: &Email,
    by: &Actor,
    now: DateTime<Utc>,
) -> ServiceResult<Member> {
    let member = u.members().by_email(&email.key())?.ok_or(ErrorCode::NotFound)?;
    if !u.members().remove(&email.key())? {
        return Err(ErrorCode::NotFound.into());
    }
    for account in u.accounts().of_email(&email.key())?.into_iter().filter(|a| a.email_verified) {
        accounts::end_sessions(u, account.id, SessionEnd::RoleRemoved, now)?;
    }
    let (subject, before) = (member.id.to_string(), serde_json::to_value(&member).ok());
    audit(u, s, now, by.clone(), "member.remove", ("member", &subject), before, None)?;
    Ok(member)
}

type Membership = (Role, Option<kernel::PartnerId>, Option<kernel::MateId>);

fn member_of(u: &mut dyn Unit, account: &Account) -> ServiceResult<Membership> {
    // Roles count only for an address the person has shown to be theirs.
    let Some(email) = account.email.as_ref().filter(|_| account.email_verified) else {
        return Ok((Role::Customer, None, None));
    };
    let Some(member) = u.members().by_email(&email.key())? else { return Ok((Role::Customer, None, None)) };
    let role = match member.role {
        MemberRole::Ops => Role::Ops,
        MemberRole::Admin => Role::Admin,
        MemberRole::Partner => Role::Partner,
        MemberRole::Mate => Role::Mate,
    };
    Ok((role, member.partner_id, member.mate_id))
}
