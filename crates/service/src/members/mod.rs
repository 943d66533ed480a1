//! Roles of signed-in people.

use kernel::{Email, Language};

use crate::{
    Caller, ErrorCode, Role, ServiceResult, Tx, accounts,
    ports::{
        StoreResult, Unit,
        identity::{Account, SessionEnd},
        members::{Member, MemberRole},
    },
};

/// What a signed-in person may do, and on whose behalf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Membership {
    /// The role.
    pub role: Role,
    /// The partner whose person it is.
    pub partner: Option<kernel::PartnerId>,
    /// The mate it is.
    pub mate: Option<kernel::MateId>,
}

impl Membership {
    const CUSTOMER: Membership = Membership { role: Role::Customer, partner: None, mate: None };

    /// The membership of an account: that of the member with the same verified e-mail, else a customer's.
    ///
    /// # Errors
    /// When the database fails.
    pub fn of(u: &mut dyn Unit, account: &Account) -> StoreResult<Membership> {
        // Roles count only for an address the person has shown to be theirs.
        let Some(email) = account.email.as_ref().filter(|_| account.email_verified) else {
            return Ok(Membership::CUSTOMER);
        };
        let Some(member) = u.members().by_email(&email.key())? else { return Ok(Membership::CUSTOMER) };
        let role = match member.role {
            MemberRole::Ops => Role::Ops,
            MemberRole::Admin => Role::Admin,
            MemberRole::Partner => Role::Partner,
            MemberRole::Mate => Role::Mate,
        };
        Ok(Membership { role, partner: member.partner_id, mate: member.mate_id })
    }

    /// The caller who is this account.
    pub fn caller(self, account: &Account, language: Language, request_id: Option<String>) -> Caller {
        let Membership { role, partner, mate } = self;
        Caller { role, user: Some(account.id), partner, mate, language, network: None, request_id }
    }
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
    end_sessions_of(tx, email, SessionEnd::RoleRemoved)?;
    tx.audit("member.remove", member.id, serde_json::to_value(&member).ok(), None)?;
    Ok(member)
}

/// Ends the sessions of whoever has shown that the address is theirs.
///
/// # Errors
/// When the database fails.
pub(crate) fn end_sessions_of(tx: &mut Tx<'_>, email: &Email, why: SessionEnd) -> ServiceResult<()> {
    for account in tx.unit.accounts().of_email(&email.key())?.into_iter().filter(|a| a.email_verified) {
        accounts::end_sessions(tx.unit, account.id, why, tx.now)?;
    }
    Ok(())
}
