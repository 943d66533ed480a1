//! `portage backup FILE`: a consistent copy while the server runs.

use std::path::PathBuf;

use service::ports::StoreError;
use store::OlderDatabase;

use crate::failure::{CommandResult, Failure};
use crate::terminal::{print, runtime};
use crate::{config::Settings, machine, wiring};

pub fn run(settings: Settings, target: PathBuf) -> CommandResult {
    if target.exists() {
        return Err(Failure::new(format!("{} exists already; a backup overwrites nothing", target.display())));
    }
    // Also one of an older version: whoever changes the version wants the copy before.
    let opened = store::open_made(settings.database_url.as_str(), store::Options::default(), OlderDatabase::Taken);
    let database =
        opened.map_err(|e| wiring::cannot_open(&settings, &e))?.ok_or_else(|| wiring::no_database(&settings))?;
    runtime()?.block_on(database.backup(target.clone())).map_err(|e| match e {
        // Whole sentences of the store.
        StoreError::Other(told) => Failure::new(told),
        e => e.into(),
    })?;
    machine::backed_up(&settings.data_dir, &target);
    let size = std::fs::metadata(&target)?.len();
    Ok(print(&format!("wrote {} ({size} bytes)\n", target.display())))
}
