//! Settings that a company saved.

use kernel::UserId;
use serde_json::{Map, Value, json};
use service::ports::{StoreError, settings::SavedSettings};
use store::testing::TestDb;

use crate::fixtures::*;

on_both_engines!(versions_of_an_area_count_up, what_was_saved_stays_as_it_is);

fn saved(area: &str, version: i32, fields: Value) -> SavedSettings {
    let fields: Map<String, Value> = fields.as_object().unwrap().clone();
    SavedSettings {
        area: area.to_owned(),
        version,
        saved: fields,
        changed_at: at(i64::from(version)),
        changed_by: (version > 1).then(|| UserId(uuid())),
    }
}

async fn versions_of_an_area_count_up(db: TestDb) {
    assert_eq!(read(&db, |u| u.settings().latest("policy")).await, None);
    let all = [
        saved("policy", 1, json!({})),
        saved("policy", 2, json!({ "deposit": "0.25", "provinces": { "QC": { "retention": { "afterFree": "0" } } } })),
        saved("policy", 10, json!({ "depositRetry": [0, 6], "autoRelease": false })),
        saved("company", 3, json!({ "name": "Déménagements O'Roy 搬家", "neq": "" })),
    ];
    let copies = all.clone();
    write(&db, move |u| copies.iter().try_for_each(|one| u.settings().insert(one))).await;
    let [first, second, tenth, company] = all;
    assert_eq!(read(&db, |u| u.settings().latest("policy")).await, Some(tenth.clone()));
    assert_eq!(read(&db, |u| u.settings().latest("company")).await, Some(company));
    assert_eq!(read(&db, |u| u.settings().latest("scheduling")).await, None);
    assert_eq!(read(&db, |u| u.settings().versions("policy", 2)).await, [tenth.clone(), second.clone()]);
    assert_eq!(read(&db, |u| u.settings().versions("policy", 100)).await, [tenth, second, first.clone()]);
    let again = try_write(&db, move |u| u.settings().insert(&first)).await;
    assert!(matches!(again, Err(StoreError::Duplicate(_))), "{again:?}");
    let nowhere = try_write(&db, |u| u.settings().insert(&saved("weather", 1, json!({})))).await;
    assert!(matches!(nowhere, Err(StoreError::Refused(_))), "{nowhere:?}");
}

async fn what_was_saved_stays_as_it_is(db: TestDb) {
    write(&db, |u| u.settings().insert(&saved("company", 1, json!({ "name": "Roy" })))).await;
    let mut stranger = Stranger::at(db.url());
    for change in ["UPDATE settings SET version = 2", "DELETE FROM settings"] {
        assert!(stranger.run(change).is_err(), "{change}");
    }
    assert!(read(&db, |u| u.settings().latest("company")).await.is_some());
}
