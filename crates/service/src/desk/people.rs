//! The operations team: who is on it, who comes and who goes.

use kernel::{Email, Language, OpsMemberId};
use serde_json::json;

use crate::{
    Error, ErrorCode, FieldProblem, ServiceResult, Services, Staff, Tx,
    bookings::trail::Names,
    idempotency::{self, Guard, Replayable},
    mailing::{self, NewMessage},
    members,
    ports::{
        Unit,
        bookings::Page,
        identity::SessionEnd,
        members::{Member, MemberRole},
    },
    settings,
};

/// The longest name, characters.
const LONGEST_NAME: usize = 100;

/// Somebody of the team.
#[derive(Debug, Clone, PartialEq)]
pub struct Colleague {
    /// As a member.
    pub member: Member,
    /// They have signed up with their address and verified it.
    pub is_active: bool,
}

/// Names and rights, as they are written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rights {
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// They may also restore and configure.
    pub admin: bool,
}

impl Rights {
    fn checked(self) -> ServiceResult<Rights> {
        let read = |field: &str, text: &str| match text.trim() {
            "" => Err(Error::field(field, FieldProblem::Required)),
            t if t.chars().count() > LONGEST_NAME => Err(Error::field(field, FieldProblem::TooLong)),
            t => Ok(t.to_owned()),
        };
        Ok(Rights {
            first_name: read("firstName", &self.first_name)?,
            last_name: read("lastName", &self.last_name)?,
            admin: self.admin,
        })
    }

    const fn role(&self) -> MemberRole {
        if self.admin { MemberRole::Admin } else { MemberRole::Ops }
    }
}

fn colleague(u: &mut dyn Unit, member: Member) -> ServiceResult<Colleague> {
    let accounts = u.accounts().of_email(&member.email.key())?;
    Ok(Colleague { is_active: accounts.iter().any(|a| a.email_verified && a.disabled_at.is_none()), member })
}

const fn is_staff(m: &Member) -> bool {
    matches!(m.role, MemberRole::Ops | MemberRole::Admin)
}

/// A page of the team, by name.
///
/// # Errors
/// When the database fails.
pub async fn list(s: &Services, _: &Staff, page: i64, per_page: i64) -> ServiceResult<Page<Colleague>> {
    s.store
        .read(move |u| {
            let found = u.members().staff(page.saturating_sub(1).saturating_mul(per_page), per_page)?;
            let data = found.data.into_iter().map(|m| colleague(u, m)).collect::<ServiceResult<_>>()?;
            Ok(Page { data, total: found.total })
        })
        .await
}

/// Takes somebody into the team and invites them by mail. Who is a mate already stays one. Only an administrator makes
/// another.
///
/// # Errors
/// `member_exists` when they are on the team or a partner's, `forbidden`, the fields.
pub async fn add(
    s: &Services,
    staff: &Staff,
    email: Email,
    rights: Rights,
    language: Language,
    guard: Option<Guard<Colleague>>,
) -> ServiceResult<Replayable<Colleague>> {
    if rights.admin && !staff.is_admin() {
        return Err(ErrorCode::Forbidden.into());
    }
    let (rights, asked_at) = (rights.checked()?, s.clock.now());
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let known = tx.unit.members().by_email(&email.key())?;
            let member = match known {
                Some(mate) if mate.role == MemberRole::Mate => {
                    let before = serde_json::to_value(&mate).ok();
                    let mut member = named(mate, &rights);
                    member.version = tx.unit.members().update(&member)?;
                    tx.audit("member.add", member.id, before, serde_json::to_value(&member).ok())?;
                    member
                }
                Some(_) => return Err(ErrorCode::MemberExists.into()),
                None => {
                    let member = Member {
                        id: OpsMemberId(tx.id()),
                        email,
                        first_name: rights.first_name.clone(),
                        last_name: rights.last_name.clone(),
                        role: rights.role(),
                        partner_id: None,
                        mate_id: None,
                        created_at: tx.now,
                        version: 1,
                    };
                    match tx.unit.members().insert(&member) {
                        // Somebody else was quicker.
                        Err(crate::ports::StoreError::Duplicate(_)) => return Err(ErrorCode::MemberExists.into()),
                        added => added?,
                    }
                    tx.audit("member.add", member.id, None, serde_json::to_value(&member).ok())?;
                    member
                }
            };
            invite(tx, &member, language)?;
            colleague(tx.unit, member)
        })
    })
    .await
}

fn named(member: Member, rights: &Rights) -> Member {
    Member { first_name: rights.first_name.clone(), last_name: rights.last_name.clone(), role: rights.role(), ..member }
}

/// The invitation: a right counts for whoever shows that the address is theirs, so it holds no secret.
fn invite(tx: &mut Tx<'_>, m: &Member, language: Language) -> ServiceResult<()> {
    let by = Names::default().of(tx.unit, tx.actor.user)?;
    let by = match by {
        Some(colleague) => colleague,
        None => settings::company(tx.unit, &tx.services.defaults)?.name,
    };
    let home = tx.services.public_url();
    let values = json!({
        "lang": language.code(),
        "customerFirstName": m.first_name,
        "customerFullName": kernel::full_name(&m.first_name, &m.last_name),
        "inviterName": by,
        "invitedEmail": m.email,
        // Signing up leads on to the dashboard, as signing in there does, and not to a customer's own pages.
        "inviteUrl": format!("{home}/signup?lang={language}&returnTo=/dashboard"),
        "dashboardUrl": format!("{home}/dashboard?lang={language}"),
    });
    mailing::queue(
        tx,
        NewMessage {
            dedup_key: format!("{}:opsInvite:{}", m.id, m.version),
            booking_id: None,
            user_id: None,
            message_type: "opsInvite".to_owned(),
            language,
            to: m.email.clone(),
            to_name: kernel::full_name(&m.first_name, &m.last_name),
            values,
        },
    )?;
    Ok(())
}

/// Another name or another right, by an administrator.
///
/// # Errors
/// `not_found`, `version_conflict`, `last_admin`, the fields.
pub async fn put(
    s: &Services,
    staff: &Staff,
    id: OpsMemberId,
    rights: Rights,
    version: i32,
) -> ServiceResult<Colleague> {
    administrator(staff)?;
    let rights = rights.checked()?;
    s.write(staff.actor(), move |tx| {
        let admins = tx.unit.members().lock_admins()?;
        let old = tx.unit.members().get(id)?.filter(is_staff).ok_or(ErrorCode::NotFound)?;
        if old.version != version {
            return Err(ErrorCode::VersionConflict.into());
        }
        if old.role == MemberRole::Admin && !rights.admin && admins <= 1 {
            return Err(ErrorCode::LastAdmin.into());
        }
        let before = serde_json::to_value(&old).ok();
        let mut member = named(old, &rights);
        member.version = tx.unit.members().update(&member)?;
        tx.audit("member.update", id, before, serde_json::to_value(&member).ok())?;
        colleague(tx.unit, member)
    })
    .await
}

fn administrator(staff: &Staff) -> ServiceResult<()> {
    if staff.is_admin() { Ok(()) } else { Err(ErrorCode::Forbidden.into()) }
}

/// Somebody leaves the team: the right ends at once, and their sessions. Who is a mate as well stays one. `expected` is the
/// version that was read; none: whichever it has.
///
/// # Errors
/// `not_found`, `version_conflict`, `last_admin`.
pub async fn remove(s: &Services, staff: &Staff, id: OpsMemberId, expected: Option<i32>) -> ServiceResult<()> {
    administrator(staff)?;
    s.write(staff.actor(), move |tx| {
        let admins = tx.unit.members().lock_admins()?;
        let old = tx.unit.members().get(id)?.filter(is_staff).ok_or(ErrorCode::NotFound)?;
        if expected.is_some_and(|version| version != old.version) {
            return Err(ErrorCode::VersionConflict.into());
        }
        if old.role == MemberRole::Admin && admins <= 1 {
            return Err(ErrorCode::LastAdmin.into());
        }
        if old.mate_id.is_none() {
            members::take_away(tx, &old.email)?;
            return Ok(());
        }
        let before = serde_json::to_value(&old).ok();
        let mut mate = Member { role: MemberRole::Mate, ..old };
        mate.version = tx.unit.members().update(&mate)?;
        members::end_sessions_of(tx, &mate.email, SessionEnd::RoleRemoved)?;
        Ok::<_, Error>(tx.audit("member.remove", id, before, serde_json::to_value(&mate).ok())?)
    })
    .await
}
