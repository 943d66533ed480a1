//! Colleagues.

use kernel::{Email, OpsMemberId};
use service::ports::{
    Entropy as _,
    members::{Member, MemberRole},
};

use super::{OsEntropy, World};

/// An administrator whose address is confirmed, who is told of what must be looked at.
pub async fn administrator(w: &World) -> Email {
    let email: Email = "boss@portage.test".parse().unwrap();
    let now = w.clock.now_value();
    let member = Member {
        id: OpsMemberId(OsEntropy.uuid(now)),
        email: email.clone(),
        first_name: "Bea".into(),
        last_name: "Boss".into(),
        role: MemberRole::Admin,
        partner_id: None,
        mate_id: None,
        created_at: now,
        version: 1,
    };
    w.write(move |u| u.members().insert(&member)).await;
    w.shown("Bea Boss", email.as_str()).await;
    email
}
