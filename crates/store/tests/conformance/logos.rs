//! Logos: found with their file, and erased when nobody names them.

use kernel::UserId;
use service::ports::{
    StoreError,
    logos::{Logo, LogoId},
};
use store::testing::TestDb;

use crate::fixtures::*;

on_both_engines!(a_logo_is_kept_as_it_came, what_nobody_names_is_erased, what_is_no_logo_is_refused);

fn logo(by: UserId, minutes: i64, bytes: u32) -> Logo {
    Logo { id: LogoId(uuid()), added_by: by, added_at: at(minutes), width: 640, height: 240, bytes }
}

async fn kept(db: &TestDb, one: &Logo) -> bool {
    let id = one.id;
    read(db, move |u| u.logos().exists(id)).await
}

async fn a_logo_is_kept_as_it_came(db: TestDb) {
    let by = person(&db).await;
    // Every byte there is, zero first.
    let file: Vec<u8> = (0..=u8::MAX).cycle().take(100_000).collect();
    let (one, sent) = (logo(by, 0, 100_000), file.clone());
    let (id, new) = (one.id, one.clone());
    write(&db, move |u| u.logos().insert(&new, &sent)).await;
    assert!(kept(&db, &one).await);
    assert_eq!(read(&db, move |u| u.logos().file(id)).await, Some(file));
    let other = logo(by, 0, 3);
    assert!(!kept(&db, &other).await);
    assert_eq!(read(&db, move |u| u.logos().file(other.id)).await, None);
}

async fn what_nobody_names_is_erased(db: TestDb) {
    let by = person(&db).await;
    let all = [logo(by, 0, 3), logo(by, 1, 3), logo(by, 9, 3)];
    let (new, named) = (all.clone(), all[0].id);
    write(&db, move |u| new.iter().try_for_each(|one| u.logos().insert(one, &[1, 2, 3]))).await;
    assert_eq!(write(&db, move |u| u.logos().purge(at(5), &[named])).await, 1);
    for (one, stays) in all.iter().zip([true, false, true]) {
        assert_eq!(kept(&db, one).await, stays);
    }
    // None is named at first.
    assert_eq!(write(&db, move |u| u.logos().purge(at(5), &[])).await, 1);
    assert!(!kept(&db, &all[0]).await && kept(&db, &all[2]).await);
}

async fn what_is_no_logo_is_refused(db: TestDb) {
    let by = person(&db).await;
    let wide = Logo { width: 641, ..logo(by, 0, 3) };
    for wrong in [logo(UserId(uuid()), 0, 3), logo(by, 0, 4), wide] {
        let told = try_write(&db, move |u| u.logos().insert(&wrong, &[1, 2, 3])).await;
        assert!(told.is_err());
    }
    let once = logo(by, 0, 3);
    let again = once.clone();
    write(&db, move |u| u.logos().insert(&once, &[1, 2, 3])).await;
    let told = try_write(&db, move |u| u.logos().insert(&again, &[1, 2, 3])).await;
    assert!(matches!(told, Err(StoreError::Duplicate(_))), "{told:?}");
}
