//! Demo data: prices, crews, mates, codes and five accounts, so that everything can be tried at once.
//! Writing it twice changes nothing that people changed since, save the calendar of crews.

mod accounts;
mod asked;
mod calendar;
mod codes;
mod crews;
mod directory;
pub mod history;
mod stories;

use kernel::{
    RateId,
    chrono::{DateTime, Utc},
};
use service::{
    Actor, Error, Mode, ServiceResult, Services, Tx,
    ports::rates::{STANDARD, StoredRate},
};

use crate::{failure::Failure, wiring::Program};

/// Whether the database was never seeded: it can price nothing at `now`.
///
/// # Errors
/// When the database fails.
pub async fn is_empty(s: &Services, now: DateTime<Utc>) -> ServiceResult<bool> {
    s.store.read(move |u| Ok::<_, Error>(u.rates().active(None, now)?.is_none())).await
}

/// Writes what is missing.
///
/// # Errors
/// In production, and when the database fails.
pub async fn seed(program: &Program) -> Result<(), Failure> {
    let s = &program.services;
    if s.mode == Mode::Production {
        return Err(Failure::new(
            "demo accounts have a public password: seed --demo needs PORTAGE_MODE=demo".to_owned(),
        ));
    }
    s.write(Actor::system(), |tx| {
        rates(tx)?;
        calendar::write(tx.unit, tx.now)?;
        codes::write(tx)
    })
    .await?;
    s.rates.clear();
    if let Some(identity) = &program.identity {
        accounts::write(identity, s).await?;
    }
    accounts::crews(s).await?;
    Ok(s.write(Actor::system(), directory::write).await?)
}

fn rates(tx: &mut Tx<'_>) -> ServiceResult<()> {
    if tx.unit.rates().active(None, tx.now)?.is_some() {
        return Ok(());
    }
    let id = RateId(tx.id());
    tx.unit.rates().insert(&StoredRate {
        id,
        name: STANDARD.to_owned(),
        version: 1,
        // Long ago: a test may set the clock to any day.
        effective_from: DateTime::UNIX_EPOCH,
        effective_to: None,
        card: pricing::RateCard::builtin(),
    })?;
    Ok(())
}
