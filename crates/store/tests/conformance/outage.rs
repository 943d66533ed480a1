//! A PostgreSQL server that goes away and comes back: whoever asks meanwhile is told to come again,
//! soon; afterwards all is as before, with nothing started anew.

use std::time::{Duration, Instant};

use futures_util::future::join_all;
use service::ports::{Store, StoreError, StoreResult};
use store::{Options, Presence, Role, testing::Cluster};

use crate::fixtures::*;

async fn enqueue(store: &dyn Store) -> StoreResult<()> {
    store.write(|u| u.jobs().enqueue(&job("x", at(0), None))).await
}

async fn queued(store: &dyn Store) -> i64 {
    store.read(|u| u.jobs().figures(at(1))).await.unwrap().due
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_server_that_went_away_is_told_as_that_and_found_again() {
    let cluster = Cluster::new().unwrap();
    let store = store::open(&cluster.url("postgres"), Options::default()).unwrap();
    join_all((0..8).map(|_| enqueue(&*store))).await.into_iter().for_each(|r| r.unwrap());
    // One unit is in the midst of its work when the server goes.
    let (half_way, goes_on) = (tokio::sync::oneshot::channel::<()>(), std::sync::mpsc::channel::<()>());
    let caught = {
        let (store, begun, wait) = (store.clone(), half_way.0, goes_on.1);
        tokio::spawn(async move {
            store
                .write(move |u| {
                    u.jobs().enqueue(&job("lost", at(0), None))?;
                    begun.send(()).unwrap();
                    wait.recv().unwrap();
                    u.jobs().enqueue(&job("lost", at(0), None))
                })
                .await
        })
    };
    half_way.1.await.unwrap();
    cluster.stop().unwrap();
    goes_on.0.send(()).unwrap();
    assert!(matches!(caught.await.unwrap(), Err(StoreError::Unavailable)));

    let began = Instant::now();
    let told = join_all((0..40).map(|_| enqueue(&*store))).await;
    assert!(told.iter().all(|t| matches!(t, Err(e) if e.passes())), "{told:?}");
    assert!(told.iter().any(|t| matches!(t, Err(StoreError::Unavailable))), "{told:?}");
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    assert!(matches!(store.ping().await, Err(StoreError::Unavailable)));

    cluster.start().unwrap();
    let began = Instant::now();
    while store.ping().await.is_err() {
        assert!(began.elapsed() < Duration::from_secs(10), "it is not found again");
    }
    enqueue(&*store).await.unwrap();
    assert_eq!(queued(&*store).await, 9, "what was under way was rolled back");
}

/// A restart of the server ends the sessions that say who lives: whoever lives says so again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_lives_is_known_after_a_restart_of_the_server() {
    let cluster = Cluster::new().unwrap();
    let url = cluster.url("postgres");
    let mut first = Presence::join(&url, Role::Server).unwrap();
    assert!(first.alone());
    first.settle().unwrap();
    cluster.stop().unwrap();
    cluster.start().unwrap();
    let second = Presence::join(&url, Role::Server).unwrap();
    assert!(!second.alone(), "the first lives");
    drop(second);
    drop(first);
    assert!(Presence::join(&url, Role::Server).unwrap().alone());
}

/// Neither a pause of the disk nor a lock of somebody else's is "ready".
#[tokio::test]
async fn ready_means_that_writing_goes_and_writes_nothing() {
    let db = store::testing::TestDb::sqlite();
    let file = std::path::PathBuf::from(db.url().strip_prefix("sqlite://").unwrap());
    let seen = |ending: &str| {
        let about = std::fs::metadata(format!("{}{ending}", file.display())).unwrap();
        (about.len(), about.modified().unwrap())
    };
    enqueue(&*db.store()).await.unwrap();
    let before = (seen(""), seen("-wal"));
    for _ in 0..5 {
        db.store().ping().await.unwrap();
    }
    assert!(before == (seen(""), seen("-wal")), "looking changed the files");
    let mut stranger = Stranger::at(db.url());
    stranger.run("BEGIN IMMEDIATE").unwrap();
    assert!(matches!(db.store().ping().await, Err(StoreError::Busy)), "reading goes, writing does not");
    stranger.run("ROLLBACK").unwrap();
    db.store().ping().await.unwrap();
}
