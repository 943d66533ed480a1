//! Mailed quotes: found by the hash of their secret, and forgotten when they lapsed long ago.

use chrono::Duration;
use kernel::{BasisPoints, DiscountId, Language, Province, RateId, Zone};
use pricing::{DiscountTerms, MoveKind, RateCard};
use service::ports::{
    StoreError,
    discounts::StoredDiscount,
    identity::TokenHash,
    quotes::{QuoteId, SavedQuote},
    rates::StoredRate,
};
use store::testing::TestDb;

use crate::{bookings::discount, fixtures::*};

on_both_engines!(a_quote_is_found_by_its_secret, what_lapsed_goes, a_quote_keeps_its_code);

/// The card that quotes are priced with.
async fn card(db: &TestDb) -> RateId {
    let rate = StoredRate {
        id: RateId(uuid()),
        name: "standard".into(),
        version: 1,
        effective_from: t0(),
        effective_to: None,
        card: RateCard::builtin(),
    };
    let id = rate.id;
    write(db, move |u| u.rates().insert(&rate)).await;
    id
}

fn quote(rate_id: RateId, hash: &str, days: i64) -> SavedQuote {
    SavedQuote {
        id: QuoteId(uuid()),
        token_hash: TokenHash(hash.to_owned()),
        email: "Zoe.Roy@portage.test".parse().unwrap(),
        language: Language::Fr,
        draft: "{\"ownItems\":\"une lampe — 灯\"}".to_owned(),
        digest: "d1".to_owned(),
        rate_id,
        discount: None,
        travel_minutes: 25,
        distance_km10: 62,
        move_date: date("2027-02-18"),
        move_time: time("09:30"),
        zone: Zone::VANCOUVER,
        from_city: "Montréal".to_owned(),
        to_city: "Québec".to_owned(),
        total: cents(57_488),
        made_at: t0(),
        valid_until: t0() + Duration::days(days),
    }
}

async fn by_token(db: &TestDb, hash: &str) -> Option<SavedQuote> {
    let hash = TokenHash(hash.to_owned());
    read(db, move |u| u.quotes().by_token(&hash)).await
}

async fn a_quote_is_found_by_its_secret(db: TestDb) {
    let rate = card(&db).await;
    let (one, other) = (quote(rate, "one", 7), quote(rate, "other", 7));
    let kept = [one.clone(), other.clone()];
    write(&db, move |u| kept.iter().try_for_each(|q| u.quotes().insert(q))).await;
    assert_eq!(by_token(&db, "one").await, Some(one));
    assert_eq!(by_token(&db, "other").await, Some(other));
    assert_eq!(by_token(&db, "none").await, None);
    let again = quote(rate, "one", 7);
    let refused = try_write(&db, move |u| u.quotes().insert(&again)).await;
    assert!(matches!(refused, Err(StoreError::Duplicate(_))), "{refused:?}");
    // Of a card that is not there.
    let nowhere = quote(RateId(uuid()), "nowhere", 7);
    assert!(try_write(&db, move |u| u.quotes().insert(&nowhere)).await.is_err());
}

async fn what_lapsed_goes(db: TestDb) {
    let rate = card(&db).await;
    let kept = [quote(rate, "old", 1), quote(rate, "new", 2)];
    write(&db, move |u| kept.iter().try_for_each(|q| u.quotes().insert(q))).await;
    let before = t0() + Duration::days(2);
    assert_eq!(write(&db, move |u| u.quotes().purge(before)).await, 1);
    assert!(by_token(&db, "old").await.is_none() && by_token(&db, "new").await.is_some());
}

async fn a_quote_keeps_its_code(db: TestDb) {
    let rate = card(&db).await;
    let mut code =
        discount("ÉTÉ-27", DiscountTerms::Percent { share: BasisPoints::new(1_250), max: Some(cents(9_900)) }, Some(3));
    (code.provinces, code.kinds) = (vec![Province::QC], vec![MoveKind::Commercial]);
    (code.bookable_until, code.first_booking_only) = (Some(date("2027-02-20")), true);
    let with = SavedQuote { discount: Some(code.clone()), ..quote(rate, "with", 7) };
    let (added, kept, other) = (code.clone(), with.clone(), quote(rate, "without", 7));
    write(&db, move |u| {
        u.discounts().insert(&added)?;
        u.quotes().insert(&kept)?;
        u.quotes().insert(&other)
    })
    .await;
    // As it was, whatever becomes of the code.
    let changed = StoredDiscount { disabled: true, ..code.clone() };
    write(&db, move |u| u.discounts().update(&changed)).await;
    assert_eq!(by_token(&db, "with").await, Some(with));
    assert_eq!(by_token(&db, "without").await.unwrap().discount, None);
    let (id, none) = (code.id, DiscountId(uuid()));
    assert_eq!(read(&db, move |u| Ok((u.quotes().name_code(id)?, u.quotes().name_code(none)?))).await, (true, false));
    assert!(try_write(&db, move |u| u.discounts().remove(id)).await.is_err(), "a quote names it");
    let before = t0() + Duration::days(8);
    write(&db, move |u| u.quotes().purge(before)).await;
    assert!(write(&db, move |u| u.discounts().remove(id)).await);
}
