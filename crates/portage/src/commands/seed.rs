//! `portage seed --demo`.

use crate::failure::CommandResult;
use crate::terminal::{print, runtime};
use crate::{
    config::Settings,
    demo,
    demo_accounts::{ACCOUNTS, PASSWORD},
    installation,
    wiring::{Program, SimulatorHost},
};

pub fn run(settings: Settings) -> CommandResult {
    let program = Program::advance(settings, SimulatorHost::NotNeeded)?;
    runtime()?.block_on(async {
        installation::settle(&program.settings, &program.services).await?;
        demo::seed(&program).await
    })?;
    let accounts: Vec<&str> = ACCOUNTS.iter().map(|a| a.email).collect();
    Ok(print(&format!("demo data is there; sign in as {} with {PASSWORD}\n", accounts.join(", "))))
}
