//! Who lives on a database.

use std::{thread, time::Duration};

use store::{OpenError, Presence, Role, testing::TestDb};

/// A process that another test starts has our files for the instant between its fork and its program: then it is
/// tried again.
fn join(db: &TestDb) -> Presence {
    for _ in 0..40 {
        match Presence::join(db.url(), Role::Server) {
            Err(OpenError::Taken { .. }) => thread::sleep(Duration::from_millis(50)),
            other => return other.unwrap(),
        }
    }
    panic!("{} stays taken", db.url())
}

/// On PostgreSQL servers share a database; on SQLite workers share it with the one server.
fn another(db: &TestDb) -> Presence {
    let role = if db.store().engine() == "sqlite" { Role::Worker } else { Role::Server };
    Presence::join(db.url(), role).unwrap()
}

#[test]
fn the_first_is_alone_until_it_has_settled() {
    for db in TestDb::both() {
        let mut first = join(&db);
        assert!(first.alone());
        thread::scope(|threads| {
            let second = threads.spawn(|| another(&db));
            thread::sleep(Duration::from_millis(500));
            assert!(!second.is_finished(), "it waits until what was left is looked after");
            first.settle().unwrap();
            let second = second.join().unwrap();
            assert!(!second.alone());
            drop(first);
            assert!(!join(&db).alone(), "the second lives");
            drop(second);
        });
        assert!(join(&db).alone(), "everybody is gone");
    }
}

#[test]
fn another_database_is_another_place() {
    let (one, two) = (TestDb::both(), TestDb::both());
    for (one, two) in one.iter().zip(&two) {
        let _here = join(one);
        assert!(join(two).alone());
    }
}

/// The lock belongs to the file, not to the way somebody names it.
#[cfg(unix)]
#[test]
fn one_sqlite_file_has_one_server_by_whatever_path() {
    let db = TestDb::sqlite();
    let file = std::path::Path::new(db.url().strip_prefix("sqlite://").unwrap());
    let (elsewhere, folder) = (tempfile::tempdir().unwrap(), file.parent().unwrap());
    std::os::unix::fs::symlink(file, elsewhere.path().join("linked.db")).unwrap();
    std::os::unix::fs::symlink(folder, elsewhere.path().join("linked")).unwrap();
    let name = file.file_name().unwrap();
    let here = join(&db);
    for way in [
        file.to_owned(),
        folder.join(".").join("..").join(folder.file_name().unwrap()).join(name),
        elsewhere.path().join("linked.db"),
        elsewhere.path().join("linked").join(name),
    ] {
        let url = format!("sqlite://{}", way.display());
        match Presence::join(&url, Role::Server) {
            Err(OpenError::Taken { database }) => assert_eq!(database, file.canonicalize().unwrap()),
            other => panic!("{url}: {:?}", other.map(|p| p.alone())),
        }
    }
    drop(here);
    let linked = format!("sqlite://{}", elsewhere.path().join("linked.db").display());
    assert!(Presence::join(&linked, Role::Server).unwrap().alone());
}
