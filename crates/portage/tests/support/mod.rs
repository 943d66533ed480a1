//! What the tests of the whole program share.

#[allow(dead_code, reason = "not every test is a customer")]
pub mod customer;
#[allow(dead_code, reason = "not every test has outside services")]
pub mod front;
#[allow(dead_code, reason = "not every test runs a server")]
pub mod server;

use std::path::{Path, PathBuf};

/// The root of the repository.
#[allow(dead_code, reason = "not every test looks at the tree")]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// Files of a folder and below, without what is built or installed.
#[allow(dead_code, reason = "not every test walks the tree")]
pub fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    const SKIPPED: [&str; 8] =
        ["target", "node_modules", "dist", ".git", "data", "test-results", "playwright-report", ".vite"];
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).map(|d| d.flatten().map(|e| e.path()).collect()).unwrap_or_default();
    entries.sort();
    for path in entries {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() && !SKIPPED.contains(&name.as_str()) {
            files(&path, found);
        } else if path.is_file() {
            found.push(path);
        }
    }
}
