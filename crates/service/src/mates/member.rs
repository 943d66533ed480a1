//! The right of a mate to sign in as one: it hangs on the address in their record.

use kernel::{Email, OpsMemberId};

use crate::{
    Error, ErrorCode, ServiceResult, Tx, members,
    ports::{
        directory::{MateRecord, MateState},
        identity::SessionEnd,
        members::{Member, MemberRole},
    },
};

/// What the record says now is what counts: a new address has the right, an old one loses it, and nobody who is archived
/// keeps it. Staff who are mates as well stay staff.
///
/// # Errors
/// `member_exists` when the address is another mate's, or a partner's person's.
pub(super) fn follow(tx: &mut Tx<'_>, old: Option<&MateRecord>, new: &MateRecord) -> ServiceResult<()> {
    let address = |m: &MateRecord| (m.state != MateState::Archived).then(|| m.email.parse::<Email>().ok()).flatten();
    let wanted = address(new);
    if let Some(before) = old.and_then(address)
        && wanted.as_ref().map(Email::key) != Some(before.key())
    {
        leave(tx, new, &before)?;
    }
    let Some(email) = wanted else { return Ok(()) };
    let (first_name, last_name) = new.name.split_once(' ').unwrap_or((new.name.as_str(), ""));
    let (first_name, last_name) = (first_name.to_owned(), last_name.to_owned());
    match tx.unit.members().by_email(&email.key())? {
        None => {
            let member = Member {
                id: OpsMemberId(tx.id()),
                email,
                first_name,
                last_name,
                role: MemberRole::Mate,
                partner_id: None,
                mate_id: Some(new.id),
                created_at: tx.now,
                version: 1,
            };
            tx.unit.members().insert(&member)?;
            trail(tx, "member.add", None, &member)
        }
        Some(known) if known.mate_id == Some(new.id) => {
            let named = Member { first_name, last_name, ..known.clone() };
            // The name of staff is changed on the page of the team.
            if known.role != MemberRole::Mate || named == known { Ok(()) } else { write(tx, &known, named) }
        }
        Some(known) if known.mate_id.is_none() && known.role != MemberRole::Partner => {
            let mate = Member { mate_id: Some(new.id), ..known.clone() };
            write(tx, &known, mate)
        }
        Some(_) => Err(ErrorCode::MemberExists.into()),
    }
}

/// The address is the mate's no more.
fn leave(tx: &mut Tx<'_>, mate: &MateRecord, email: &Email) -> ServiceResult<()> {
    let Some(known) = tx.unit.members().by_email(&email.key())?.filter(|m| m.mate_id == Some(mate.id)) else {
        return Ok(());
    };
    match known.role {
        MemberRole::Mate => members::take_away(tx, email).map(drop),
        MemberRole::Ops | MemberRole::Admin | MemberRole::Partner => {
            let staff = Member { mate_id: None, ..known.clone() };
            write(tx, &known, staff)?;
            members::end_sessions_of(tx, email, SessionEnd::RoleRemoved)
        }
    }
}

fn write(tx: &mut Tx<'_>, old: &Member, mut new: Member) -> ServiceResult<()> {
    new.version = tx.unit.members().update(&new)?;
    trail(tx, "member.update", Some(old), &new)
}

fn trail(tx: &mut Tx<'_>, action: &str, old: Option<&Member>, new: &Member) -> ServiceResult<()> {
    let text = |m: &Member| serde_json::to_value(m).map_err(|e| Error::Internal(e.to_string()));
    let before = old.map(text).transpose()?;
    Ok(tx.audit(action, new.id, before, Some(text(new)?))?)
}
