//! `portage migrate`.

use super::{Done, Failure, print};
use crate::config::Settings;

pub fn run(settings: &Settings) -> Done {
    if let Some(folder) = settings.database_url.sqlite_path().as_deref().and_then(std::path::Path::parent) {
        std::fs::create_dir_all(folder)?;
    }
    let applied = store::migrate(settings.database_url.as_str())
        .map_err(|e| Failure::new(format!("PORTAGE_DATABASE_URL ({}): {e}", settings.database_url)))?;
    let told = match applied.as_slice() {
        [] => "the database is at this version already\n".to_owned(),
        names => names.iter().map(|n| format!("applied {n}\n")).collect(),
    };
    Ok(print(&told))
}
