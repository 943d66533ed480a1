//! Files that hold what people told us: nobody but the owner of the process may read them, from
//! their first moment, whatever the process's umask allows.

use std::{
    fs::{File, OpenOptions},
    io,
    path::{Path, PathBuf},
};

/// Links followed before a path counts as a circle.
const LINKS: u32 = 40;

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Opens a file of ours, and makes it when it is missing.
pub fn open(path: &Path) -> io::Result<File> {
    options().create(true).truncate(false).open(path)
}

/// Makes an empty file unless there is one; answers its one true path. An existing file is not
/// opened: closing it would drop the locks SQLite holds on it elsewhere in this process.
pub fn make_file(path: &Path) -> io::Result<PathBuf> {
    let path = resolved(path);
    match options().create_new(true).open(&path) {
        Ok(_) => {}
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
        Err(e) => return Err(e),
    }
    Ok(resolved(&path))
}

/// The path without symbolic links and dots, also where the last file does not exist yet.
pub fn resolved(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        if let Ok(whole) = path.canonicalize() {
            return whole;
        }
        let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned();
        match path.read_link() {
            // A link to a file that is still to be made.
            Ok(target) => path = folder.join(target),
            Err(_) => {
                let name = path.file_name().unwrap_or_default().to_owned();
                return folder.canonicalize().unwrap_or(folder).join(name);
            }
        }
    }
    path
}

#[cfg(all(feature = "testing", unix))]
pub(crate) mod checks {
    #![allow(clippy::unwrap_used, missing_docs, reason = "checks that the conformance suite runs")]
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    pub fn every_way_to_a_file_is_one_path() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        std::fs::create_dir(home.join("a")).unwrap();
        symlink(home.join("a"), home.join("b")).unwrap();
        symlink("a/portage.db", home.join("link.db")).unwrap();
        let ways = [
            home.join("a/portage.db"),
            home.join("b/portage.db"),
            home.join("a/../b/./portage.db"),
            home.join("link.db"),
        ];
        for made in [false, true] {
            for way in &ways {
                assert_eq!(resolved(way), ways[0], "{} (the file exists: {made})", way.display());
            }
            // Made through the link that led to nothing.
            assert_eq!(make_file(&ways[3]).unwrap(), ways[0]);
            assert_eq!(std::fs::metadata(&ways[0]).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}
