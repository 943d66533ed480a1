//! Who lives on a database.

use std::{thread, time::Duration};

use store::{Presence, testing::TestDb};

fn join(db: &TestDb) -> Presence {
    Presence::join(db.url()).unwrap().unwrap()
}

#[test]
fn sqlite_has_its_lock_file_instead() {
    assert!(Presence::join(TestDb::sqlite().url()).unwrap().is_none());
}

#[test]
fn the_first_is_alone_until_it_has_settled() {
    let db = TestDb::postgres();
    let mut first = join(&db);
    assert!(first.alone());
    thread::scope(|threads| {
        let second = threads.spawn(|| join(&db));
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

#[test]
fn another_database_of_the_server_is_another_place() {
    let (one, two) = (TestDb::postgres(), TestDb::postgres());
    let _here = join(&one);
    assert!(join(&two).alone());
}
