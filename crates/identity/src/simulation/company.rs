//! What the company does: roles, closed accounts, and what it has done once a day.

use kernel::{Email, OpsMemberId};
use service::{
    Actor, Error, ErrorCode, Services, accounts, bookings,
    ports::{
        StoreError,
        members::{Member, MemberRole},
    },
};
use std::sync::Arc;

use super::{
    browser::ADDRESS,
    model::Target,
    rights::DidEnd,
    world::{Act, World},
};

/// Something the company does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Office {
    Disable,
    Enable,
    Give,
    Dismiss,
    /// The member's row is removed with the database's own tools.
    ByHand,
    Purge,
}

pub(super) async fn run(w: Arc<World>, s: Services, office: Office) {
    let email: Email = ADDRESS.parse().unwrap();
    let target = match office {
        Office::Disable => Some(Target::Disable),
        Office::Enable => Some(Target::Enable),
        Office::Give => Some(Target::Give),
        Office::Dismiss => Some(Target::Dismiss),
        Office::ByHand => Some(Target::ByHand),
        Office::Purge => None,
    };
    let mut act = Act::begin(&w, target.into_iter().collect());
    let told: Result<(), Error> = match office {
        Office::Disable => accounts::disable(&s, email, Actor::system()).await.map(drop),
        Office::Enable => accounts::enable(&s, email, Actor::system()).await.map(drop),
        Office::Give => give(&s, email).await.map_err(Error::from),
        Office::Dismiss => bookings::crew::dismiss(&s, email, Actor::system()).await.map(drop),
        Office::ByHand => by_hand(&s, email).await.map_err(Error::from),
        Office::Purge => {
            let now = s.clock.now();
            s.store.write(move |u| accounts::forget(u, now)).await.map(drop).map_err(Error::from)
        }
    };
    let how = match &told {
        Ok(()) => Some(DidEnd::Surely),
        // Nobody has the address, or the role is there already.
        Err(Error::Refused(ErrorCode::NotFound, _)) => Some(DidEnd::No),
        Err(Error::Store(StoreError::Duplicate(_))) if office == Office::Give => Some(DidEnd::No),
        Err(Error::Store(e)) if e.passes() && w.plan.trouble > 0 => None,
        Err(e) => {
            w.wrong(format!("the company's {office:?} answered 500: {e}"));
            None
        }
    };
    if let Some(how) = how {
        act.over(&mut w.model(), |_| how);
    }
    drop(act);
    w.step(format_args!("company: {office:?}: {how:?}"));
    w.look(false);
}

async fn give(s: &Services, email: Email) -> Result<(), StoreError> {
    let (now, id) = (s.clock.now(), s.entropy.uuid(s.clock.now()));
    let member = Member {
        id: OpsMemberId(id),
        email,
        first_name: "Ana".into(),
        last_name: "Roy".into(),
        role: MemberRole::Ops,
        partner_id: None,
        mate_id: None,
        created_at: now,
        version: 1,
    };
    s.store.write(move |u| u.members().insert(&member)).await
}

async fn by_hand(s: &Services, email: Email) -> Result<(), StoreError> {
    s.store.write(move |u| u.members().remove(&email.key()).map(drop)).await
}
