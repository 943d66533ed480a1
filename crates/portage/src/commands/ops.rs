//! `portage ops`: the first member of the operations team, any other, mates, and the end of a role.

use kernel::{Email, MateId, OpsMemberId};
use service::{
    Actor, Error, ErrorCode, ServiceResult, Services,
    bookings::crew,
    ports::{
        StoreError,
        members::{Member, MemberRole},
    },
};

use crate::failure::{CommandResult, Failure};
use crate::terminal::{print, runtime};
use crate::{
    args::NewMember,
    config::{Identity, Settings},
    wiring::{Program, SimulatorHost},
};

pub fn add(settings: Settings, new: NewMember) -> CommandResult {
    let program = Program::build(settings, SimulatorHost::NotNeeded)?;
    let email = new.email.clone();
    let role = new.role();
    let work = program.services.write(Actor::system(), move |tx| {
        let member = Member {
            id: OpsMemberId(tx.id()),
            email: new.email,
            first_name: new.first_name,
            last_name: new.last_name,
            role,
            partner_id: None,
            mate_id: (role == MemberRole::Mate).then(|| MateId(tx.id())),
            created_at: tx.now,
            version: 1,
        };
        tx.unit.members().insert(&member)?;
        Ok::<_, Error>(tx.audit("member.add", member.id, None, serde_json::to_value(&member).ok())?)
    });
    match runtime()?.block_on(work) {
        Ok(()) => {
            let open = match role {
                MemberRole::Mate => "; bookings can be assigned to them from now on",
                _ => "",
            };
            let home = program.settings.public_url.origin();
            let then = match &program.settings.identity {
                Identity::Embedded { .. } => format!("they sign up at {home}/signup with this address and verify it"),
                Identity::External { issuer, .. } => format!(
                    "they sign in at {home}/signin with this address; it counts once {} vouches for it (email_verified)",
                    issuer.issuer
                ),
            };
            Ok(print(&format!("{email} is now {}{open}; {then}\n", role.code())))
        }
        Err(Error::Store(StoreError::Duplicate(_))) => Err(Failure::new(format!("{email} is a member already"))),
        Err(e) => Err(e.into()),
    }
}

/// Makes whom the settings name an administrator, while nobody is one: how a company begins without a terminal.
///
/// # Errors
/// When the database fails.
pub async fn first(settings: &Settings, services: &Services) -> ServiceResult<()> {
    let Some(email) = settings.first_admin.clone() else { return Ok(()) };
    let made = services
        .write(Actor::system(), move |tx| {
            if tx.unit.members().lock_admins()? > 0 {
                return Ok(false);
            }
            let (before, member) = match tx.unit.members().by_email(&email.key())? {
                Some(known) => {
                    let mut member = Member { role: MemberRole::Admin, ..known.clone() };
                    member.version = tx.unit.members().update(&member)?;
                    (serde_json::to_value(&known).ok(), member)
                }
                None => {
                    let member = Member {
                        id: OpsMemberId(tx.id()),
                        email,
                        first_name: String::new(),
                        last_name: String::new(),
                        role: MemberRole::Admin,
                        partner_id: None,
                        mate_id: None,
                        created_at: tx.now,
                        version: 1,
                    };
                    tx.unit.members().insert(&member)?;
                    (None, member)
                }
            };
            let action = if before.is_some() { "member.update" } else { "member.add" };
            tx.audit(action, member.id, before, serde_json::to_value(&member).ok())?;
            Ok::<_, Error>(true)
        })
        .await;
    match made {
        Ok(true) => {
            tracing::info!("PORTAGE_FIRST_ADMIN names the first administrator: they sign up with that address");
            Ok(())
        }
        // Another process was quicker.
        Ok(false) | Err(Error::Store(StoreError::Duplicate(_))) => Ok(()),
        Err(e) => Err(e),
    }
}

/// Takes a role away, whichever it is. Servers that run notice at once; a mate leaves the moves to come.
pub fn remove(settings: Settings, email: Email) -> CommandResult {
    let program = Program::build(settings, SimulatorHost::NotNeeded)?;
    match runtime()?.block_on(crew::dismiss(&program.services, email.clone(), Actor::system())) {
        Ok(member) => {
            Ok(print(&format!("{email} is not {} any more and is signed out everywhere\n", member.role.code())))
        }
        Err(Error::Refused(ErrorCode::NotFound, _)) => Err(Failure::new(format!("{email} is no member"))),
        Err(e) => Err(e.into()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    async fn staff(s: &Services) -> Vec<(String, MemberRole)> {
        let found = s.store.read(|u| u.members().staff(0, 10).map_err(Error::from)).await.unwrap();
        found.data.into_iter().map(|m| (m.email.to_string(), m.role)).collect()
    }

    #[test]
    fn the_first_administrator_is_whom_the_settings_name_and_only_while_there_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let here = ("PORTAGE_DATA_DIR", folder.path().to_str().unwrap());
        let settings = |email| Settings::from_pairs(&[here, ("PORTAGE_FIRST_ADMIN", email)]).unwrap();
        let program = Program::advance(settings("owner@move.example"), SimulatorHost::NotNeeded).unwrap();
        runtime().unwrap().block_on(async {
            let s = &program.services;
            let admin = vec![("owner@move.example".to_owned(), MemberRole::Admin)];
            first(&Settings::from_pairs(&[here]).unwrap(), s).await.unwrap();
            assert_eq!(staff(s).await, []);
            for _ in 0..2 {
                first(&program.settings, s).await.unwrap();
                assert_eq!(staff(s).await, admin);
            }
            first(&settings("other@move.example"), s).await.unwrap();
            assert_eq!(staff(s).await, admin, "somebody is one already");
        });
        assert!(Settings::from_pairs(&[("PORTAGE_FIRST_ADMIN", "nobody")]).is_err());
    }
}
