//! One account a role, all with the same public password.

use identity::{Identity, accounts::Provision};
use kernel::{Email, Language, MateId, OpsMemberId, PartnerId};
use service::{
    Actor, ServiceResult, Services, Tx,
    ports::{
        StoreResult, Unit,
        members::{Member, MemberRole},
    },
};

use super::stories::Person;
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

/// The account of a customer of the demo's history, with a password that nobody is told.
pub fn customer(person: &Person, password: String) -> Result<Provision, Failure> {
    Ok(Provision {
        email: person.email.parse()?,
        password: password.into(),
        first_name: person.name.0.to_owned(),
        last_name: person.name.1.to_owned(),
        phone: Some(person.phone.parse()?),
        language: person.language,
        email_verified: true,
    })
}

/// Adds the mates who are missing.
pub async fn crews(s: &Services) -> Result<(), Failure> {
    for (address, name) in MATES {
        let email = address.parse::<Email>()?;
        s.write(Actor::system(), move |tx| member(tx, email, name, MemberRole::Mate)).await?;
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
            s.write(Actor::system(), move |tx| member(tx, email, demo.name, role)).await?;
        }
    }
    Ok(())
}

fn member(tx: &mut Tx<'_>, email: Email, name: (&str, &str), role: MemberRole) -> ServiceResult<()> {
    if tx.unit.members().by_email(&email.key())?.is_some() {
        return Ok(());
    }
    let member = Member {
        id: OpsMemberId(tx.id()),
        email,
        first_name: name.0.to_owned(),
        last_name: name.1.to_owned(),
        role,
        partner_id: (role == MemberRole::Partner).then(|| PartnerId(tx.id())),
        mate_id: (role == MemberRole::Mate).then(|| MateId(tx.id())),
        created_at: tx.now,
        version: 1,
    };
    tx.unit.members().insert(&member)?;
    Ok(tx.audit("member.add", member.id, None, serde_json::to_value(&member).ok())?)
}
