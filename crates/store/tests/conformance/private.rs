//! Nobody else on the machine reads what people told us.
#![cfg(unix)]

use std::{os::unix::fs::PermissionsExt as _, path::Path};

use service::ports::StoreError;
use store::{Options, Presence, Role};

use crate::fixtures::*;

/// Every file of the folder with its mode, in order.
fn modes(folder: &Path) -> Vec<(String, u32)> {
    let mode = |e: std::fs::DirEntry| {
        (e.file_name().to_string_lossy().into_owned(), e.metadata().unwrap().permissions().mode() & 0o777)
    };
    let mut all: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| mode(e.unwrap())).collect();
    all.sort();
    all
}

#[tokio::test]
async fn the_database_its_journal_and_its_copies_are_for_us_alone() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("portage.db").display());
    let here = Presence::join(&url, Role::Server).unwrap();
    let store = store::open(&url, Options::default()).unwrap();
    store.write(|u| u.jobs().enqueue(&job("x", at(0), None))).await.map_err(|e: StoreError| e).unwrap();
    store.backup(folder.path().join("copy.db")).await.unwrap();
    let names =
        ["copy.db", "portage.db", "portage.db-shm", "portage.db-wal", "portage.db.server.lock", "portage.db.work.lock"];
    assert_eq!(modes(folder.path()), names.map(|n| (n.to_owned(), 0o600)));
    drop(here);
}
