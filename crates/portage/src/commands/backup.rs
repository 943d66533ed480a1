//! `portage backup FILE`: a consistent copy while the server runs.

use std::path::PathBuf;

use super::{Done, Failure, print, runtime};
use crate::{
    config::Settings,
    wiring::{Program, Stage},
};

pub fn run(settings: Settings, target: PathBuf) -> Done {
    if target.exists() {
        return Err(Failure::new(format!("{} exists already; a backup overwrites nothing", target.display())));
    }
    let program = Program::build(settings, Stage::Nowhere)?;
    runtime()?.block_on(program.services.store.backup(target.clone()))?;
    let size = std::fs::metadata(&target)?.len();
    Ok(print(&format!("wrote {} ({size} bytes)\n", target.display())))
}
