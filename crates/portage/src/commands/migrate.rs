//! `portage migrate`.

use crate::failure::CommandResult;
use crate::terminal::print;
use crate::{config::Settings, privacy, wiring};

pub fn run(settings: &Settings) -> CommandResult {
    if let Some(folder) = settings.database_url.sqlite_path().as_deref().and_then(std::path::Path::parent) {
        privacy::make_folder(folder)?;
    }
    let applied = store::migrate(settings.database_url.as_str()).map_err(|e| wiring::cannot_open(settings, &e))?;
    let told = match applied.as_slice() {
        [] => "the database is at this version already\n".to_owned(),
        names => names.iter().map(|n| format!("applied {n}\n")).collect(),
    };
    Ok(print(&told))
}
