//! Roles of signed-in people.

use kernel::{Email, Language};

use crate::{
    Caller, ErrorCode, Role, ServiceResult, Services, Tx, accounts,
    ports::{
        Unit,
        identity::{Account, SessionEnd},
        members::{Member, MemberRole},
    },
};

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
pub(crate) fn take_away(tx: &mut Tx<'_>, email: &Email) -> ServiceResult<Member> {
    let member = tx.unit.members().by_email(&email.key())?.ok_or(ErrorCode::NotFound)?;
    if !tx.unit.members().remove(&email.key())? {
        return Err(ErrorCode::NotFound.into());
    }
    for account in tx.unit.accounts().of_email(&email.key())?.into_iter().filter(|a| a.email_verified) {
        accounts::end_sessions(tx.unit, account.id, SessionEnd::RoleRemoved, tx.now)?;
    }
    tx.audit("member.remove", member.id, serde_json::to_value(&member).ok(), None)?;
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
