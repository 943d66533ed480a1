//! The people of the demo: an account a role, and crews.

use identity::{Identity, accounts::Provision};
use kernel::{Email, Language, MateId, OpsMemberId, PartnerId};
use service::{
    Actor, ServiceResult, Services, Tx,
    ports::members::{Member, MemberRole},
};

use super::stories::Person;
use crate::{
    demo_accounts::{ACCOUNTS, PASSWORD},
    failure::Failure,
};

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
