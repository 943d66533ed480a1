//! Files and folders with people's data are for the account that runs Portage alone: made so,
//! whatever the umask allows, and tightened at start where an older version (or a copy made by
//! hand) left them open to others.

use std::{
    fs::{self, File, OpenOptions},
    io,
    path::{Path, PathBuf},
};

use crate::config::Settings;

/// Opens a file, and makes it when it is missing.
pub fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Makes a folder and what is missing above it. Those that are there stay as they are.
pub fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Whether [`make_folder`] would succeed; nothing is made.
pub fn may_make_folder(path: &Path) -> io::Result<()> {
    let whole = std::path::absolute(path)?;
    let Some(there) = whole.ancestors().find(|p| p.exists()) else { return Ok(()) };
    if !there.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotADirectory, format!("{} is no folder", there.display())));
    }
    #[cfg(unix)]
    rustix::fs::access(there, rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK)?;
    Ok(())
}

/// A file or folder that others could read until now.
#[derive(Debug, PartialEq, Eq)]
pub struct ExposedFile {
    /// Which file or folder.
    pub path: PathBuf,
    /// Its permissions as they were, such as `644`.
    pub mode: String,
    /// Why it could not be tightened.
    pub failed: Option<String>,
}

/// Closes what is open to others: the data directory with everything in it, and the database's
/// files wherever they are. The folder of a database elsewhere is not ours to close.
pub fn tighten(settings: &Settings) -> Vec<ExposedFile> {
    let mut found = Vec::new();
    if let Some(database) = settings.database_url.sqlite_path() {
        let database = database.canonicalize().unwrap_or(database);
        for ending in ["", "-wal", "-shm", ".server.lock", ".work.lock"] {
            let mut name = database.clone().into_os_string();
            name.push(ending);
            close(Path::new(&name), &mut found);
        }
    }
    walk(&settings.data_dir, shared(&settings.data_dir), &mut found);
    found
}

/// A folder that is plainly not Portage's alone: closing it would lock others out. What is in it
/// is still ours when it bears our names.
fn shared(folder: &Path) -> bool {
    let Ok(folder) = folder.canonicalize() else { return true };
    let here = std::env::current_dir().and_then(|d| d.canonicalize());
    folder.parent().is_none() || is_sticky(&folder) || here.is_ok_and(|h| h.starts_with(&folder))
}

/// What Portage keeps in its data directory.
const OURS: [&str; 6] = ["keys", "mail", "simulators", "portage.lock", "portage.address", "portage.backup"];

fn walk(folder: &Path, shared: bool, found: &mut Vec<ExposedFile>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    if !shared {
        close(folder, found);
    }
    for entry in entries.flatten() {
        let ours = !shared || OURS.iter().any(|name| entry.file_name() == *name);
        // Neither through links, nor the links themselves.
        match entry.file_type() {
            Ok(kind) if ours && kind.is_dir() => walk(&entry.path(), false, found),
            Ok(kind) if ours && kind.is_file() => close(&entry.path(), found),
            _ => {}
        }
    }
}

#[cfg(unix)]
fn is_sticky(folder: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    fs::metadata(folder).is_ok_and(|m| m.permissions().mode() & 0o1000 != 0)
}

#[cfg(not(unix))]
fn is_sticky(_: &Path) -> bool {
    true
}

#[cfg(unix)]
fn close(path: &Path, found: &mut Vec<ExposedFile>) {
    use std::os::unix::fs::PermissionsExt as _;
    let Ok(about) = fs::metadata(path) else { return };
    let mode = about.permissions().mode() & 0o777;
    let wanted = if about.is_dir() { 0o700 } else { 0o600 };
    if mode & !wanted == 0 || found.iter().any(|l| l.path == path) {
        return;
    }
    let failed = fs::set_permissions(path, fs::Permissions::from_mode(mode & wanted)).err().map(|e| e.to_string());
    found.push(ExposedFile { path: path.to_owned(), mode: format!("{mode:o}"), failed });
}

#[cfg(not(unix))]
fn close(_: &Path, _: &mut Vec<ExposedFile>) {}

/// Closes what is open, and says so in the log.
pub fn enforce(settings: &Settings) {
    let found = tighten(settings);
    for loose in found.iter().filter(|l| l.failed.is_some()) {
        tracing::warn!(
            path = %loose.path.display(), mode = loose.mode, reason = loose.failed,
            "others on this machine may read people's data here, and it cannot be changed"
        );
    }
    let closed: Vec<String> =
        found.iter().filter(|l| l.failed.is_none()).map(|l| format!("{} ({})", l.path.display(), l.mode)).collect();
    if let Some((first, rest)) = closed.split_first() {
        let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
        tracing::warn!("others on this machine could read people's data until now; closed to them: {first}{more}");
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    fn settings(folder: &Path, database: &Path) -> Settings {
        let (folder, database) = (folder.display().to_string(), database.display().to_string());
        Settings::from_pairs(&[
            ("PORTAGE_DATA_DIR", &folder),
            ("PORTAGE_DATABASE_URL", &format!("sqlite://{database}")),
        ])
        .unwrap()
    }

    fn loosen(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn what_was_open_is_closed_and_told_once() {
        let (data, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let mails = data.path().join("mail");
        fs::create_dir(&mails).unwrap();
        let (mail, database) = (mails.join("a.eml"), elsewhere.path().join("portage.db"));
        let stranger = elsewhere.path().join("notes");
        for file in [&mail, &database, &stranger] {
            fs::write(file, "x").unwrap();
            loosen(file, 0o644);
        }
        for folder in [data.path(), &mails, elsewhere.path()] {
            loosen(folder, 0o755);
        }
        let s = settings(data.path(), &database);
        let mut found: Vec<(PathBuf, String)> = tighten(&s).into_iter().map(|l| (l.path, l.mode)).collect();
        found.sort();
        let mut want = vec![
            (data.path().to_owned(), "755".to_owned()),
            (mails.clone(), "755".to_owned()),
            (mail.clone(), "644".to_owned()),
            (database.canonicalize().unwrap(), "644".to_owned()),
        ];
        want.sort();
        assert_eq!(found, want);
        assert_eq!([mode(data.path()), mode(&mails), mode(&mail), mode(&database)], [0o700, 0o700, 0o600, 0o600]);
        assert_eq!([mode(elsewhere.path()), mode(&stranger)], [0o755, 0o644], "not ours");
        assert_eq!(tighten(&s), []);
    }

    #[test]
    fn a_folder_of_everybody_stays_one() {
        let shared = tempfile::tempdir().unwrap();
        loosen(shared.path(), 0o1777);
        let (keys, stranger) = (shared.path().join("keys"), shared.path().join("notes"));
        for folder in [&keys, &stranger] {
            fs::create_dir(folder).unwrap();
            loosen(folder, 0o755);
        }
        let found = tighten(&settings(shared.path(), &shared.path().join("portage.db")));
        assert_eq!(found.iter().map(|l| l.path.clone()).collect::<Vec<_>>(), [keys.as_path()]);
        assert_eq!([mode(shared.path()), mode(&stranger), mode(&keys)], [0o1777, 0o755, 0o700]);
    }

    #[test]
    fn what_is_made_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        make_folder(&inner).unwrap();
        make_folder(&inner).unwrap();
        drop(open(&inner.join("f")).unwrap());
        assert_eq!([mode(&folder.path().join("a")), mode(&inner), mode(&inner.join("f"))], [0o700, 0o700, 0o600]);
    }
}
