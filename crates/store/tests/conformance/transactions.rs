//! Units of work: all or nothing, one view, and no thread lost.

use std::sync::mpsc;

use futures_util::future::join_all;
use kernel::UserId;
use service::ports::{StoreError, StoreResult, store::Size};
use store::testing::TestDb;

use crate::fixtures::*;

on_both_engines!(
    an_error_undoes_everything,
    a_read_unit_cannot_write,
    a_panic_undoes_its_unit_only,
    a_large_unit_is_kept_whole_or_not_at_all,
    ok_means_written,
    a_read_unit_has_one_view,
    writers_of_one_row_wait_for_each_other,
    a_begun_unit_is_finished_without_its_caller,
    what_was_acknowledged_survives_a_restart,
    a_store_dropped_inside_its_own_unit_closes,
    a_backup_is_a_whole_database,
    answers_to_a_ping,
);

async fn jobs(db: &TestDb) -> i64 {
    read(db, |u| u.jobs().figures(at(0))).await.due
}

async fn an_error_undoes_everything(db: TestDb) {
    let user = person(&db).await;
    let made = booking(user);
    let id = made.id;
    let told: Result<(), StoreError> = try_write(&db, move |u| {
        u.bookings().insert(&made)?;
        u.jobs().enqueue(&job("x", at(0), None))?;
        Err(StoreError::Stale)
    })
    .await;
    assert!(matches!(told, Err(StoreError::Stale)), "the unit's own reason comes back");
    assert_eq!((read(&db, move |u| u.bookings().get(id)).await, jobs(&db).await), (None, 0));
}

async fn a_read_unit_cannot_write(db: TestDb) {
    let told = db.store().read(|u| u.jobs().enqueue(&job("x", at(0), None))).await;
    assert!(matches!(told, Err(StoreError::Other(_))), "{told:?}");
    assert_eq!(jobs(&db).await, 0);
}

async fn a_panic_undoes_its_unit_only(db: TestDb) {
    let unit = |n: i64| {
        try_write(&db, move |u| {
            u.jobs().enqueue(&job("x", at(0), None))?;
            assert!(n % 3 != 0, "this unit is meant to panic");
            Ok(())
        })
    };
    let told = join_all((0..30).map(unit)).await;
    for (n, told) in told.iter().enumerate() {
        assert_eq!(told.is_ok(), n % 3 != 0, "{n}: {told:?}");
    }
    assert_eq!(jobs(&db).await, 20);
    let read: StoreResult<()> = db.store().read(|_| panic!("this unit is meant to panic")).await;
    assert!(matches!(read, Err(StoreError::Other(_))));
    assert_eq!(jobs(&db).await, 20);
}

/// Among others that are handed in at the same time.
async fn a_large_unit_is_kept_whole_or_not_at_all(db: TestDb) {
    let unit = |n: i64| {
        let (store, size) = (db.store(), if n % 2 == 0 { Size::Large } else { Size::Usual });
        async move {
            let written = store.write_of(size, move |u| {
                (0..10).try_for_each(|_| u.jobs().enqueue(&job("x", at(0), None)).map(drop))?;
                assert!(n % 5 != 0, "this unit is meant to panic");
                if n % 3 == 0 { Err(StoreError::Stale) } else { Ok(()) }
            });
            written.await
        }
    };
    let told = join_all((0..30).map(unit)).await;
    let mut kept = 0;
    for (n, told) in told.iter().enumerate() {
        match (n % 5, n % 3) {
            (0, _) => assert!(matches!(told, Err(StoreError::Other(_))), "{n}: {told:?}"),
            (_, 0) => assert!(matches!(told, Err(StoreError::Stale)), "{n}: {told:?}"),
            _ => {
                assert!(told.is_ok(), "{n}: {told:?}");
                kept += 10;
            }
        }
    }
    assert_eq!(jobs(&db).await, kept);
}

/// A unit that overlooks a failed statement and ends well: on SQLite the rest of it is written, on
/// PostgreSQL nothing is. Either way the answer says which.
async fn ok_means_written(db: TestDb) {
    let orphan = booking(UserId(uuid()));
    let told = try_write(&db, move |u| {
        u.jobs().enqueue(&job("x", at(0), None))?;
        let _ = u.bookings().insert(&orphan);
        Ok(())
    })
    .await;
    assert_eq!(told.is_ok(), jobs(&db).await == 1, "{told:?}");
    assert_eq!(told.is_ok(), db.store().engine() == "sqlite");
    write(&db, |u| u.jobs().enqueue(&job("y", at(0), None))).await;
}

async fn a_read_unit_has_one_view(db: TestDb) {
    let (began, wait_for_begin) = mpsc::channel();
    let (written, wait_for_write) = mpsc::channel();
    let reader = db.store();
    let view = tokio::spawn(async move {
        let unit = reader.read(move |u| {
            let before = u.jobs().figures(at(0))?.due;
            began.send(()).unwrap();
            wait_for_write.recv().unwrap();
            Ok::<_, StoreError>((before, u.jobs().figures(at(0))?.due))
        });
        unit.await
    });
    tokio::task::spawn_blocking(move || wait_for_begin.recv().unwrap()).await.unwrap();
    write(&db, |u| u.jobs().enqueue(&job("x", at(0), None))).await;
    written.send(()).unwrap();
    assert_eq!(view.await.unwrap().unwrap(), (0, 0));
    assert_eq!(jobs(&db).await, 1);
}

async fn writers_of_one_row_wait_for_each_other(db: TestDb) {
    let id = booked(&db).await.id;
    let writers = (0..100).map(|_| {
        try_write(&db, move |u| {
            let mut made = u.bookings().lock(id)?.unwrap();
            made.duration_minutes += 1;
            u.bookings().update(&made, made.version)
        })
    });
    let mut versions: Vec<i32> = join_all(writers).await.into_iter().map(Result::unwrap).collect();
    versions.sort_unstable();
    assert_eq!(versions, (2..=101).collect::<Vec<_>>());
    assert_eq!(read(&db, move |u| u.bookings().get(id)).await.unwrap().duration_minutes, 250);
}

async fn a_begun_unit_is_finished_without_its_caller(db: TestDb) {
    let (began, wait_for_begin) = mpsc::channel();
    let (go, wait_for_go) = mpsc::channel();
    let store = db.store();
    let caller = tokio::spawn(async move {
        let unit = store.write(move |u| {
            began.send(()).unwrap();
            wait_for_go.recv().unwrap();
            u.jobs().enqueue(&job("x", at(0), None))
        });
        unit.await
    });
    tokio::task::spawn_blocking(move || wait_for_begin.recv().unwrap()).await.unwrap();
    caller.abort();
    assert!(caller.await.unwrap_err().is_cancelled());
    go.send(()).unwrap();
    // The next unit comes after it, or beside it on PostgreSQL: wait for the row itself.
    for _ in 0..500 {
        if jobs(&db).await == 1 {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the unit was lost");
}

async fn what_was_acknowledged_survives_a_restart(db: TestDb) {
    let told = join_all((0..300).map(|_| try_write(&db, |u| u.jobs().enqueue(&job("x", at(0), None))))).await;
    assert!(told.iter().all(Result::is_ok));
    let db = db.reopened();
    assert_eq!(jobs(&db).await, 300);
}

async fn a_store_dropped_inside_its_own_unit_closes(db: TestDb) {
    let url = db.url().to_owned();
    let store = store::open(&url, store::Options::default()).unwrap();
    let last = store.clone();
    let unit = store.write_unit(Box::new(move |u| {
        u.jobs().enqueue(&job("x", at(0), None)).unwrap();
        drop(last);
        Ok(())
    }));
    unit.await.unwrap();
    drop(store);
    assert_eq!(jobs(&db).await, 1);
}

async fn a_backup_is_a_whole_database(db: TestDb) {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("copie 备份.db");
    for _ in 0..20 {
        booked(&db).await;
    }
    let writing = join_all((0..50).map(|_| try_write(&db, |u| u.jobs().enqueue(&job("x", at(0), None)))));
    let store = db.store();
    let (told, _) = tokio::join!(store.backup(target.clone()), writing);
    if store.engine() == "postgres" {
        assert!(matches!(&told, Err(StoreError::Other(text)) if text.contains("pg_dump")), "{told:?}");
        return;
    }
    told.unwrap();
    let again = store.backup(target.clone()).await;
    assert!(matches!(&again, Err(StoreError::Other(text)) if text.contains("exists already")), "{again:?}");
    let url = format!("sqlite://{}", target.display());
    assert_eq!(store::schema_dump(&url).unwrap(), store::schema_dump(db.url()).unwrap());
    let mut copy = Stranger::at(&url);
    assert_eq!(copy.texts("SELECT CAST(COUNT(*) AS TEXT) AS text FROM bookings"), ["20"]);
    assert_eq!(copy.texts("SELECT integrity_check AS text FROM pragma_integrity_check"), ["ok"]);
    assert_eq!(
        std::fs::read_dir(folder.path())
            .unwrap()
            .filter(|e| e.as_ref().unwrap().path().to_string_lossy().ends_with(".partial"))
            .count(),
        0
    );
}

async fn answers_to_a_ping(db: TestDb) {
    db.store().ping().await.unwrap();
    assert_eq!(db.store().engine(), if db.url().starts_with("sqlite") { "sqlite" } else { "postgres" });
}

#[tokio::test]
async fn connections_the_server_closed_are_replaced() {
    let db = TestDb::postgres();
    join_all((0..8).map(|_| try_write(&db, |u| u.jobs().enqueue(&job("x", at(0), None))))).await;
    let mut stranger = Stranger::at(db.url());
    let ended = stranger.texts(
        "SELECT CAST(pg_terminate_backend(pid) AS TEXT) AS text FROM pg_stat_activity \
         WHERE datname = current_database() AND pid <> pg_backend_pid()",
    );
    assert!(!ended.is_empty());
    for _ in 0..8 {
        write(&db, |u| u.jobs().enqueue(&job("x", at(0), None))).await;
    }
    assert_eq!(jobs(&db).await, 16);
}

#[tokio::test]
async fn a_file_somebody_else_writes_is_busy_and_recovers() {
    let db = TestDb::sqlite();
    let mut stranger = Stranger::at(db.url());
    stranger.run("BEGIN IMMEDIATE").unwrap();
    let told = try_write(&db, |u| u.jobs().enqueue(&job("x", at(0), None))).await;
    assert!(matches!(told, Err(StoreError::Busy)), "{told:?}");
    assert_eq!(jobs(&db).await, 0, "reading goes on");
    stranger.run("ROLLBACK").unwrap();
    write(&db, |u| u.jobs().enqueue(&job("x", at(0), None))).await;
}

#[test]
fn a_wrong_url_makes_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let before = std::fs::read_dir(".").unwrap().count();
    for url in ["mysql://root@h/db", "postgress://h/db", "sqlite://", ""] {
        assert!(store::open(url, store::Options::default()).is_err(), "{url}");
    }
    assert_eq!(std::fs::read_dir(".").unwrap().count(), before);
    let missing = format!("sqlite://{}", folder.path().join("no/such/folder/portage.db").display());
    let told = store::open(&missing, store::Options::default()).err().unwrap().to_string();
    assert!(told.contains("does not exist"), "{told}");
}
