//! `portage accounts`: who may sign in.

use kernel::Email;
use service::{Actor, Error, ErrorCode, ServiceResult, accounts};

use crate::failure::{CommandResult, Failure};
use crate::terminal::{print, runtime};
use crate::{
    config::Settings,
    wiring::{Program, SimulatorHost},
};

/// Locks everybody with this address out. Servers that run notice at once.
pub fn disable(settings: Settings, email: Email) -> CommandResult {
    let program = Program::build(settings, SimulatorHost::NotNeeded)?;
    let work = accounts::disable(&program.services, email.clone(), Actor::system());
    tell(runtime()?.block_on(work), &email, "is locked out, and signed out everywhere")
}

/// Lets them in again.
pub fn enable(settings: Settings, email: Email) -> CommandResult {
    let program = Program::build(settings, SimulatorHost::NotNeeded)?;
    let work = accounts::enable(&program.services, email.clone(), Actor::system());
    tell(runtime()?.block_on(work), &email, "may sign in again")
}

fn tell(done: ServiceResult<usize>, email: &Email, what: &str) -> CommandResult {
    match done {
        Ok(1) => Ok(print(&format!("{email} {what}\n"))),
        Ok(several) => Ok(print(&format!("{email} {what} ({several} accounts have this address)\n"))),
        Err(Error::Refused(ErrorCode::NotFound, _)) => Err(Failure::new(format!("no account has the address {email}"))),
        Err(e) => Err(e.into()),
    }
}
