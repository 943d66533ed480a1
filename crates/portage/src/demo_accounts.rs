//! The accounts of the demo, all with the same public password, and why production refuses a database that has them.

use service::{
    Mode,
    ports::{Store, StoreError, StoreResult, Unit, members::MemberRole},
};

use crate::failure::Failure;

/// Of every demo account.
pub const PASSWORD: &str = "portage-demo-2027";

/// A demo account.
pub struct DemoAccount {
    /// Address and name to sign in with.
    pub email: &'static str,
    /// Given name and family name.
    pub name: (&'static str, &'static str),
    /// A customer has none.
    pub role: Option<MemberRole>,
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

/// Which demo accounts are in the database: everybody knows their password, and one is an administrator.
///
/// # Errors
/// When the database fails.
pub async fn found_in(store: &dyn Store) -> Result<Vec<&'static str>, StoreError> {
    store.read(present).await
}

/// # Errors
/// In production, when demo accounts are there; when the database fails.
pub async fn refuse_in_production(mode: Mode, store: &dyn Store) -> Result<(), Failure> {
    if mode != Mode::Production {
        return Ok(());
    }
    match found_in(store).await?.as_slice() {
        [] => Ok(()),
        found => Err(Failure::new(seeded(found))),
    }
}

/// What is wrong with a production database that has demo accounts, and what to do.
pub fn seeded(found: &[&str]) -> String {
    format!(
        "this database was seeded with demo accounts, whose password is public ({}): production needs a database of \
         its own; name an empty one in PORTAGE_DATABASE_URL (or another PORTAGE_DATA_DIR)",
        found.join(", ")
    )
}

/// The demo accounts that are there, as people who sign in or as members of the team.
fn present(u: &mut dyn Unit) -> StoreResult<Vec<&'static str>> {
    let mut found = Vec::new();
    for demo in &ACCOUNTS {
        // All of them are good addresses, written as keys are.
        if u.accounts().credential(demo.email)?.is_some() || u.members().by_email(demo.email)?.is_some() {
            found.push(demo.email);
        }
    }
    Ok(found)
}
