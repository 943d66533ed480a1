//! `portage ops`: the first member of the operations team, any other, mates, and the end of a role.

use kernel::{Email, MateId, OpsMemberId};
use service::{
    Actor, Error, ErrorCode,
    bookings::crew,
    ports::{
        StoreError,
        members::{Member, MemberRole},
    },
};

use crate::failure::{Done, Failure};
use crate::terminal::{print, runtime};
use crate::{
    args::NewMember,
    config::{Identity, Settings},
    wiring::{Program, SimulatorHost},
};

pub fn add(settings: Settings, new: NewMember) -> Done {
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

/// Takes a role away, whichever it is. Servers that run notice at once; a mate leaves the moves to come.
pub fn remove(settings: Settings, email: Email) -> Done {
    let program = Program::build(settings, SimulatorHost::NotNeeded)?;
    match runtime()?.block_on(crew::dismiss(&program.services, email.clone(), Actor::system())) {
        Ok(member) => {
            Ok(print(&format!("{email} is not {} any more and is signed out everywhere\n", member.role.code())))
        }
        Err(Error::Refused(ErrorCode::NotFound, _)) => Err(Failure::new(format!("{email} is no member"))),
        Err(e) => Err(e.into()),
    }
}
