//! One account a role, all with the same public password.

use identity::{Identity, accounts::Provision};
use kernel::{Email, Language, MateId, OpsMemberId, PartnerId};
use service::{
    Services,
    members::{self, Actor},
    ports::{
        StoreResult, Unit,
        members::{Member, MemberRole},
    },
};

use crate::failure::Failure;

/// Of every demo account.
pub const PASSWORD: &str = "portage-demo-2027";

/// A demo account.
pub struct DemoAccount {
    /// Address and name to sign in with.
    pub email: &'static str,
    name: (&'static str, &'static str),
    role: Option<MemberRole>,
}

const fn account(email: &'static str, name: (&'static str, &'static str), role: Option<MemberRole>) -> DemoAccount {
    DemoAccount { email, name, role }
}

/// All of them, the customer first.
pub const ACCOUNTS: [DemoAccount; 5] = [
    account("customer@portage.test", ("Camille", "Tremblay"), None),
    account("ops@portage.test", ("Olivia", "Singh"), Some(MemberRole::Ops)),
    account("admin@portage.test", ("Adrien", "Roy"), Some(MemberRole::Admin)),
    account("partner@portage.test", ("Priya", "Chen"), Some(MemberRole::Partner)),
    account("mate@portage.test", ("Mathieu", "Gagnon"), Some(MemberRole::Mate)),
];

/// The rest of the crews. They are in the directory, so that bookings can be assigned to them, and have
/// no accounts: nobody signs in as one of them.
const MATES: [(&str, (&str, &str)); 11] = [
    ("samuel.cote@portage.test", ("Samuel", "Côté")),
    ("wei.zhang@portage.test", ("Wei", "Zhang")),
    ("amara.diallo@portage.test", ("Amara", "Diallo")),
    ("liam.macdonald@portage.test", ("Liam", "MacDonald")),
    ("jade.bouchard@portage.test", ("Jade", "Bouchard")),
    ("harpreet.gill@portage.test", ("Harpreet", "Gill")),
    ("noah.levesque@portage.test", ("Noah", "Lévesque")),
    ("mei.lin@portage.test", ("Mei", "Lin")),
    ("karim.haddad@portage.test", ("Karim", "Haddad")),
    ("emma.fraser@portage.test", ("Emma", "Fraser")),
    ("diego.morales@portage.test", ("Diego", "Morales")),
];

/// The demo accounts that are there, as people who sign in or as members of the team.
pub fn present(u: &mut dyn Unit) -> StoreResult<Vec<&'static str>> {
    let mut found = Vec::new();
    for demo in &ACCOUNTS {
        // All of them are good addresses, written as keys are.
        if u.accounts().credential(demo.email)?.is_some() || u.members().by_email(demo.email)?.is_some() {
            found.push(demo.email);
        }
    }
    Ok(found)
}

/// Adds the mates who are missing.
pub async fn crews(s: &Services) -> Result<(), Failure> {
    for (address, name) in MATES {
        let (ctx, email) = (s.clone(), address.parse::<Email>()?);
        s.store.write(move |u| member(u, &ctx, email, name, MemberRole::Mate)).await?;
    }
    Ok(())
}

/// Makes the accounts that are missing and gives them their roles.
pub async fn write(identity: &Identity, s: &Services) -> Result<(), Failure> {
    for demo in &ACCOUNTS {
        let email: Email = demo.email.parse()?;
        let wanted = Provision {
            email: email.clone(),
            password: PASSWORD.to_owned().into(),
            first_name: demo.name.0.to_owned(),
            last_name: demo.name.1.to_owned(),
            phone: "514-555-0123".parse().ok(),
            language: Language::En,
            email_verified: true,
        };
        identity.provision(wanted).await?;
        if let Some(role) = demo.role {
            let (ctx, name) = (s.clone(), demo.name);
            s.store.write(move |u| member(u, &ctx, email, name, role)).await?;
        }
    }
    Ok(())
}

fn member(
    u: &mut dyn Unit,
    s: &Services,
    email: Email,
    name: (&str, &str),
    role: MemberRole,
) -> service::ServiceResult<()> {
    if u.members().by_email(&email.key())?.is_some() {
        return Ok(());
    }
    let now = s.clock.now();
    let id = || s.entropy.uuid(now);
    let member = Member {
        id: OpsMemberId(id()),
        email,
        first_name: name.0.to_owned(),
        last_name: name.1.to_owned(),
        role,
        partner_id: (role == MemberRole::Partner).then(|| PartnerId(id())),
        mate_id: (role == MemberRole::Mate).then(|| MateId(id())),
        created_at: now,
        version: 1,
    };
    u.members().insert(&member)?;
    let subject = member.id.to_string();
    members::audit(
        u,
        s,
        now,
        Actor::system(),
        "member.add",
        ("member", &subject),
        None,
        serde_json::to_value(&member).ok(),
    )
}
