//! Versions of a rate card: which one counts, and when, on both databases.

use std::collections::BTreeMap;

use crate::support::{OsEntropy, World, draft};
use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{HoldId, Money, Province, Zone};
use pricing::{Discount, DiscountTerms, RateCard};
use service::{
    Actor,
    capacity::{self, CapacityRequest},
    ports::{Entropy as _, rates::StoredRate},
    rates::{self, Standing, preview::compare},
};
use store::testing::TestDb;

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

/// The built-in card with another fee for the truck.
fn card(cents: i64) -> RateCard {
    let mut card = RateCard::builtin();
    card.rates.default.truck_fee_by_tier = [Money::from_cents(cents); 3];
    card
}

async fn load(w: &World, from: Option<&str>, cents: i64) -> StoredRate {
    rates::load(&w.s, Actor::system(), "standard".to_owned(), from.map(at), card(cents)).await.unwrap()
}

async fn standings(w: &World) -> Vec<(i32, Standing)> {
    rates::versions(&w.s, "standard".to_owned()).await.unwrap().into_iter().map(|(r, s)| (r.version, s)).collect()
}

async fn a_planned_card_keeps_its_time(db: TestDb) {
    use Standing::{Active, Past, Planned};
    let w = World::on(db, at("2027-02-08T14:00:00Z")).await;
    let may = load(&w, Some("2027-05-01T04:00:00Z"), 5_500).await;
    w.clock.set(at("2027-03-01T05:00:00Z"));
    let march = load(&w, None, 3_300).await;
    assert_eq!(rates::current(&w.s).await.unwrap().id, march.id);
    assert_eq!(standings(&w).await, [(3, Active), (2, Planned), (1, Past)]);
    // To the instant, not a second later.
    w.clock.set(at("2027-05-01T03:59:59.999999Z"));
    assert_eq!(rates::current(&w.s).await.unwrap().id, march.id);
    w.clock.set(at("2027-05-01T04:00:00Z"));
    assert_eq!(rates::current(&w.s).await.unwrap().id, may.id);
    assert_eq!(standings(&w).await, [(3, Past), (2, Active), (1, Past)]);
    // Two that begin together: the higher one. One that would have begun before counts no more.
    let corrected = load(&w, Some("2027-05-01T04:00:00Z"), 5_600).await;
    load(&w, Some("2027-04-01T04:00:00Z"), 4_400).await;
    assert_eq!(rates::current(&w.s).await.unwrap().id, corrected.id);
    assert_eq!(standings(&w).await, [(5, Past), (4, Active), (3, Past), (2, Past), (1, Past)]);
    // What was stored is as it was stored.
    for stored in [may, march] {
        let id = stored.id;
        assert_eq!(w.read(move |u| u.rates().get(id)).await, Some(stored));
    }
}

/// The price of a kept slot is the one it was kept with.
async fn a_hold_keeps_its_card(db: TestDb) {
    let now = at("2027-02-08T14:00:00Z");
    let w = World::on(db, now).await;
    let (date, time) = (NaiveDate::from_ymd_opt(2027, 2, 17).unwrap(), NaiveTime::from_hms_opt(9, 0, 0).unwrap());
    let wanted = CapacityRequest {
        hub: "montreal".to_owned(),
        date,
        time,
        zone: Zone::MONTREAL,
        starts_at: Zone::MONTREAL.instant(date, time).unwrap(),
        duration_minutes: 120,
        mates: 2,
        tier: 1,
        just_mates: false,
        to_pickup: 15,
        from_dropoff: 15,
        elevator_building: false,
    };
    let (id, rate) = (HoldId(OsEntropy.uuid(now)), rates::current(&w.s).await.unwrap().id);
    w.s.write(Actor::system(), move |tx| {
        let hold = capacity::take(tx, id, &wanted, now + Duration::minutes(15), Some(rate))?;
        tx.unit.capacities().insert_hold(&hold)?;
        Ok::<_, service::Error>(())
    })
    .await
    .unwrap();
    w.clock.set(now + Duration::minutes(1));
    let dearer = load(&w, None, 99_900).await;
    let mut kept = draft(Province::QC, date, time);
    kept.hold_id = Some(id);
    let kept = w.book(kept, None).await.unwrap().booking;
    assert_eq!(kept.details.rate_id, Some(rate));
    let later =
        w.book(draft(Province::QC, date, NaiveTime::from_hms_opt(13, 0, 0).unwrap()), None).await.unwrap().booking;
    assert_eq!(later.details.rate_id, Some(dearer.id));
    assert!(later.total > kept.total, "{} {}", later.total, kept.total);
}

/// Pure: no map, no clock, no change fee; the code counts whatever it is still good for.
async fn a_booking_is_priced_by_two_cards(db: TestDb) {
    let w = World::on(db, at("2027-02-08T14:00:00Z")).await;
    let (date, time) = (NaiveDate::from_ymd_opt(2027, 2, 17).unwrap(), NaiveTime::from_hms_opt(9, 0, 0).unwrap());
    load(&w, None, 3_300).await;
    let booked = w.book(draft(Province::QC, date, time), None).await.unwrap().booking;
    let (mut with_code, mut broken) = (booked.clone(), booked.clone());
    with_code.discount_code = Some("FIVE".to_owned());
    broken.details.items[0].id = "no-such-thing".to_owned();
    let terms = DiscountTerms::Fixed { amount: Money::from_cents(500) };
    let codes = BTreeMap::from([("FIVE".to_owned(), Discount { code: "FIVE".to_owned(), terms })]);
    let found = compare(&[booked.clone(), broken, with_code], &codes, &card(3_300), &card(4_300));
    assert_eq!((found.data.len(), found.failed), (2, 1));
    let (plain, less) = (&found.data[0], &found.data[1]);
    assert_eq!((plain.booking, plain.booked, plain.old), (booked.id, booked.total, booked.total));
    // Ten dollars, with the taxes of Quebec.
    assert!([1_149, 1_150].contains(&plain.difference().cents()), "{plain:?}");
    assert!(less.old < plain.old && less.new < plain.new, "{less:?}");
    assert_eq!(found.new_sum().minus(found.old_sum()), plain.difference().plus(less.difference()));
    assert!(found.worst().is_some());
    assert_eq!(compare(&[], &codes, &card(1), &card(2)).worst(), None);
}

on_both_engines!(a_planned_card_keeps_its_time, a_hold_keeps_its_card, a_booking_is_priced_by_two_cards);
