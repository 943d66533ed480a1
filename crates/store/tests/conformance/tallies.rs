//! What is counted by account and by network.

use service::ports::StoreResult;
use store::testing::TestDb;

use crate::fixtures::*;

on_both_engines!(tallies_count_every_one, tallies_nobody_looks_at_are_forgotten);

async fn count(db: &TestDb, key: &'static str, minutes: i64) -> StoreResult<usize> {
    try_write(db, move |u| {
        let mut instants = u.tallies().lock(key, at(minutes))?;
        instants.push(at(minutes));
        u.tallies().put(key, &instants)?;
        Ok(instants.len())
    })
    .await
}

async fn tallies_count_every_one(db: TestDb) {
    let told = futures_util::future::join_all((0..20).map(|_| count(&db, "a", 1))).await;
    let mut lengths: Vec<usize> = told.into_iter().map(Result::unwrap).collect();
    lengths.sort_unstable();
    assert_eq!(lengths, (1..=20).collect::<Vec<_>>());
    assert_eq!(write(&db, |u| u.tallies().lock("a", at(2))).await, vec![at(1); 20]);
    assert!(write(&db, |u| u.tallies().lock("b", at(2))).await.is_empty());
    write(&db, |u| u.tallies().put("a", &[])).await;
    assert!(write(&db, |u| u.tallies().lock("a", at(2))).await.is_empty());
}

async fn tallies_nobody_looks_at_are_forgotten(db: TestDb) {
    assert_eq!(count(&db, "old", 1).await.unwrap(), 1);
    assert_eq!(count(&db, "new", 5).await.unwrap(), 1);
    assert_eq!(write(&db, |u| u.tallies().purge(at(1))).await, 0);
    assert_eq!(write(&db, |u| u.tallies().purge(at(5))).await, 1);
    assert!(write(&db, |u| u.tallies().lock("old", at(6))).await.is_empty());
    assert_eq!(write(&db, |u| u.tallies().lock("new", at(6))).await, [at(5)]);
}
