//! Whose files they are. What root makes among the files of another account, that account cannot read afterwards, and
//! the server stops at it.

#[cfg(unix)]
use std::{os::unix::fs::MetadataExt as _, path::Path};

use crate::config::Settings;

/// Refuses root where the data belongs to somebody else.
///
/// # Errors
/// What to say instead.
#[cfg(unix)]
pub fn check(settings: &Settings) -> Result<(), String> {
    if !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    let database = settings.database_url.sqlite_path();
    let folder = database.as_deref().and_then(Path::parent).filter(|f| !f.as_os_str().is_empty());
    for place in [database.as_deref(), folder, Some(settings.data_dir.as_path())].into_iter().flatten() {
        // What is not there belongs to nobody yet.
        let Ok(about) = std::fs::metadata(place) else { continue };
        // Everybody's folder, such as /tmp, may belong to anybody.
        if about.uid() != 0 && !(about.is_dir() && about.mode() & 0o1000 != 0) {
            let (place, owner) = (place.display(), name(about.uid()));
            return Err(format!(
                "this is root, and {place} belongs to {owner}, who could not read what root makes there. Nothing was \
                 done; run it as that account: sudo -u {owner} portage …"
            ));
        }
    }
    Ok(())
}

/// There is no root.
#[cfg(not(unix))]
pub fn check(_: &Settings) -> Result<(), String> {
    Ok(())
}

/// Of an account; its number, as sudo takes it, where it has no name.
#[cfg(unix)]
fn name(uid: u32) -> String {
    let accounts = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let named = accounts.lines().find_map(|line| {
        let mut fields = line.split(':');
        let name = fields.next()?;
        (fields.nth(1)?.parse() == Ok(uid)).then(|| name.to_owned())
    });
    named.unwrap_or_else(|| format!("'#{uid}'"))
}
