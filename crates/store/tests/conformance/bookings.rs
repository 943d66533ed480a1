//! Bookings, their history, checkouts, rates, discounts.

use std::collections::BTreeMap;

use kernel::{BookingId, DiscountId, PartnerId, RateId, ShortId, UserId};
use pricing::{DiscountTerms, MoveKind, RateCard};
use service::ports::{
    StoreError,
    checkouts::Checkout,
    discounts::{CodeUse, StoredDiscount},
    history::{Revision, StatusChange},
    lists::{Listing, Order, Start},
    rates::StoredRate,
};
use status_machine::{At, booking::Status, records::CheckoutState};
use store::testing::TestDb;

use crate::fixtures::*;

on_both_engines!(
    a_booking_comes_back_as_it_was,
    a_taken_short_id_is_told_and_the_unit_goes_on,
    an_update_needs_the_version_it_read,
    of_two_updates_of_one_version_one_wins,
    who_locked_a_booking_is_not_stopped_by_who_did_not,
    an_older_row_that_was_put_back_is_written_above_all_others,
    a_list_has_the_newest_move_first_and_no_deleted_one,
    history_keeps_its_order,
    checkouts_move_from_state_to_state_once,
    the_checkout_of_a_key_is_the_one_that_was_not_given_up,
    totals_that_do_not_add_up_are_refused,
    a_booking_needs_its_owner,
    the_newest_card_that_covers_the_day_is_active,
    cards_are_listed_by_name_and_a_version_can_be_removed,
    the_newest_bookings_come_without_deleted_ones,
    discount_codes_meet_whatever_their_case,
    codes_are_found_by_a_part_of_them,
    of_many_takers_of_the_last_use_one_gets_it,
    a_discount_is_changed_by_who_read_it_last,
);

async fn a_booking_comes_back_as_it_was(db: TestDb) {
    let mut made = booking(person(&db).await);
    made.partner_id = Some(PartnerId(uuid()));
    made.completed_at = Some(at(7));
    let (copy, id) = (made.clone(), made.id);
    write(&db, move |u| u.bookings().insert(&copy)).await;
    assert_eq!(read(&db, move |u| u.bookings().get(id)).await.as_ref(), Some(&made));
    assert_eq!(write(&db, move |u| u.bookings().lock(id)).await, Some(made));
    let nobody = BookingId(uuid());
    assert_eq!(read(&db, move |u| u.bookings().get(nobody)).await, None);
    assert_eq!(write(&db, move |u| u.bookings().lock(nobody)).await, None);
}

async fn a_taken_short_id_is_told_and_the_unit_goes_on(db: TestDb) {
    let first = booked(&db).await;
    let taken = first.short_id.clone();
    let mut second = booking(first.user_id);
    let free = std::mem::replace(&mut second.short_id, taken.clone());
    let id = second.id;
    let told = write(&db, move |u| {
        let of_taken = u.bookings().of_short_id(&taken)?;
        let refused = u.bookings().insert(&second);
        second.short_id = free;
        let of_free = u.bookings().of_short_id(&second.short_id)?;
        u.bookings().insert(&second)?;
        Ok((of_taken, matches!(refused, Err(StoreError::Duplicate(_))), of_free))
    })
    .await;
    assert_eq!(told, (Some(first.id), true, None));
    assert!(read(&db, move |u| u.bookings().get(id)).await.is_some());
}

async fn an_update_needs_the_version_it_read(db: TestDb) {
    let mut made = booked(&db).await;
    made.status = Status::Cancelled;
    made.discount_code = None;
    made.cancelled_at = Some(at(9));
    made.details.cancel_reason = Some("déménagement annulé".to_owned());
    let copy = made.clone();
    assert_eq!(write(&db, move |u| u.bookings().update(&copy, 1)).await, 2);
    let copy = made.clone();
    assert!(matches!(try_write(&db, move |u| u.bookings().update(&copy, 1)).await, Err(StoreError::Stale)));
    let (id, owner) = (made.id, made.user_id);
    made.version = 2;
    assert_eq!(read(&db, move |u| u.bookings().get(id)).await, Some(made));
    let unknown = booking(owner);
    assert!(matches!(try_write(&db, move |u| u.bookings().update(&unknown, 1)).await, Err(StoreError::Stale)));
}

async fn of_two_updates_of_one_version_one_wins(db: TestDb) {
    let made = booked(&db).await;
    let update = |hub: &str| {
        let mut changed = made.clone();
        changed.hub = hub.to_owned();
        try_write(&db, move |u| u.bookings().update(&changed, 1))
    };
    let (a, b) = tokio::join!(update("laval"), update("quebec"));
    assert!(matches!((&a, &b), (Ok(2), Err(StoreError::Stale)) | (Err(StoreError::Stale), Ok(2))), "{a:?} {b:?}");
}

/// Whoever updates without a lock waits for the row before anything of theirs is written that the owner of the lock needs.
async fn who_locked_a_booking_is_not_stopped_by_who_did_not(db: TestDb) {
    let made = booked(&db).await;
    let (locked, lock) = std::sync::mpsc::channel();
    let (ours, theirs) = (made.clone(), made.clone());
    let owner = try_write(&db, move |u| {
        let held = u.bookings().lock(ours.id)?;
        locked.send(()).ok();
        std::thread::sleep(std::time::Duration::from_millis(400));
        u.bookings().update(&ours, held.map_or(0, |b| b.version))
    });
    let other = async {
        tokio::task::spawn_blocking(move || lock.recv()).await.unwrap().unwrap();
        try_write(&db, move |u| u.bookings().update(&theirs, 1)).await
    };
    let (owner, other) = tokio::join!(owner, other);
    assert!(matches!(owner, Ok(2)), "{owner:?}");
    assert!(matches!(other, Err(StoreError::Stale)), "{other:?}");
}

async fn an_older_row_that_was_put_back_is_written_above_all_others(db: TestDb) {
    let made = booked(&db).await;
    for version in 1..=3 {
        let copy = made.clone();
        assert_eq!(write(&db, move |u| u.bookings().update(&copy, version)).await, version + 1);
    }
    db.execute(&format!("UPDATE bookings SET version = 2 WHERE id = '{}'", made.id));
    let (copy, id) = (made.clone(), made.id);
    // Records of the first three are kept, and the fourth was seen by people.
    assert_eq!(write(&db, move |u| u.bookings().update(&copy, 2)).await, 5);
    let copy = made.clone();
    assert_eq!(write(&db, move |u| u.bookings().update(&copy, 5)).await, 6);
    let kept = |version| read(&db, move |u| u.booking_history().at_version(id, version));
    assert_eq!((kept(2).await.map(|b| b.version), kept(5).await.map(|b| b.version)), (Some(2), Some(5)));
    assert_eq!(kept(6).await.map(|b| b.version), Some(6));
}

async fn a_list_has_the_newest_move_first_and_no_deleted_one(db: TestDb) {
    let (user, other) = (person(&db).await, person(&db).await);
    let ids = write(&db, move |u| {
        let mut ids = Vec::new();
        for (day, status) in [(1, Status::Payed), (3, Status::Pending), (2, Status::Deleted), (2, Status::Cancelled)] {
            let mut made = booking(user);
            made.move_at = at(day * 24 * 60);
            made.status = status;
            u.bookings().insert(&made)?;
            ids.push(made.id);
        }
        u.bookings().insert(&booking(other))?;
        Ok(ids)
    })
    .await;
    let page = |n, per_page| read(&db, move |u| u.bookings().of_user(user, n, per_page));
    let all = page(1, 10).await;
    assert_eq!((all.total, all.data.iter().map(|b| b.id).collect::<Vec<_>>()), (3, vec![ids[1], ids[3], ids[0]]));
    let second = page(2, 2).await;
    assert_eq!((second.total, second.data.iter().map(|b| b.id).collect::<Vec<_>>()), (3, vec![ids[0]]));
    assert_eq!(page(9, 2).await.data, []);
    let stranger = UserId(uuid());
    assert_eq!(read(&db, move |u| u.bookings().of_user(stranger, 1, 10)).await.total, 0);
    // Open is what is pending or assigned and still to come.
    for (minutes, want) in [(0, 1), (3 * 24 * 60 - 1, 1), (3 * 24 * 60, 0)] {
        assert_eq!(read(&db, move |u| u.bookings().open_of_user(user, at(minutes))).await, want, "{minutes}");
    }
}

async fn history_keeps_its_order(db: TestDb) {
    let made = booked(&db).await;
    let id = made.id;
    let change = |from, to, reason: Option<&str>| StatusChange {
        from,
        to,
        actor: Some(UserId(made.user_id.0)),
        role: Some(status_machine::Role::Ops),
        at: t0(),
        reason: reason.map(str::to_owned),
    };
    // All at one instant: the order is that of writing.
    let changes = vec![
        change(None, Status::Pending, None),
        change(Some(Status::Pending), Status::Assigned, Some("équipe")),
        change(Some(Status::Assigned), Status::Pending, None),
    ];
    let revisions: Vec<Revision> = (1..=3)
        .map(|version| Revision {
            version,
            at: t0(),
            actor: None,
            role: Some(status_machine::Role::System),
            changes: serde_json::json!({ "moveTime": ["10:00", version] }),
        })
        .collect();
    let (c, r) = (changes.clone(), revisions.clone());
    write(&db, move |u| {
        c.iter().try_for_each(|c| u.booking_history().append_status(id, c))?;
        r.iter().try_for_each(|r| u.booking_history().append_revision(id, r))
    })
    .await;
    let told =
        read(&db, move |u| Ok((u.booking_history().status_history(id)?, u.booking_history().revisions(id)?))).await;
    assert_eq!(told, (changes, revisions));
}

async fn checkouts_move_from_state_to_state_once(db: TestDb) {
    let user = person(&db).await;
    let checkout = |order: &str, minutes, key: Option<&str>| {
        let id = BookingId(uuid());
        Checkout {
            booking_id: id,
            subject: id,
            user_id: user,
            order_id: order.to_owned(),
            state: At::charging(),
            plan: serde_json::json!({ "total": "574.88" }),
            idempotency: key.map(|k| ("user/POST".to_owned(), k.to_owned())),
            created_at: at(minutes),
            sent_at: at(minutes + 1),
        }
    };
    let (first, second, third) = (checkout("a", 1, Some("k")), checkout("b", 3, Some("k")), checkout("c", 2, None));
    let id = first.booking_id;
    let all = [first.clone(), second.clone(), third.clone()];
    write(&db, move |u| all.iter().try_for_each(|c| u.checkouts().insert(c))).await;
    assert_eq!(read(&db, move |u| u.checkouts().get(id)).await, Some(first.clone()));
    assert_eq!(read(&db, |u| u.checkouts().by_key("user/POST", "k")).await, Some(second.clone()));
    assert_eq!(read(&db, |u| u.checkouts().by_key("user/POST", "other")).await, None);
    assert_eq!(read(&db, |u| u.checkouts().in_state(CheckoutState::Charging)).await, [first, third, second]);
    let set = || try_write(&db, move |u| u.checkouts().set_state(id, CheckoutState::Charging, CheckoutState::Booked));
    let (a, b) = tokio::join!(set(), set());
    assert!(a.unwrap() ^ b.unwrap(), "exactly one moves it");
    assert_eq!(read(&db, |u| u.checkouts().in_state(CheckoutState::Booked)).await.len(), 1);
    let again = checkout("a", 9, None);
    assert!(matches!(try_write(&db, move |u| u.checkouts().insert(&again)).await, Err(StoreError::Duplicate(_))));
}

/// A key that was freed is given again within the same instant of the clock: what was declined before is not its checkout,
/// whichever of the two has the greater id.
async fn the_checkout_of_a_key_is_the_one_that_was_not_given_up(db: TestDb) {
    let user = person(&db).await;
    for (key, over, stays) in [("first", CheckoutState::Declined, 0), ("second", CheckoutState::Abandoned, 1)] {
        let mut ids = [uuid(), uuid()];
        ids.sort();
        let made: [Checkout; 2] = std::array::from_fn(|n| Checkout {
            booking_id: BookingId(ids[n]),
            subject: BookingId(ids[n]),
            user_id: user,
            order_id: format!("{key}-{n}"),
            state: At::stored(if n == stays { CheckoutState::Booked } else { over }),
            plan: serde_json::json!({}),
            idempotency: Some(("user/POST".to_owned(), key.to_owned())),
            created_at: at(1),
            sent_at: at(if n == stays { 3 } else { 2 }),
        });
        let known = made[stays].clone();
        write(&db, move |u| made.iter().try_for_each(|c| u.checkouts().insert(c))).await;
        assert_eq!(read(&db, move |u| u.checkouts().by_key("user/POST", key)).await, Some(known));
    }
}

async fn totals_that_do_not_add_up_are_refused(db: TestDb) {
    let mut wrong = booking(person(&db).await);
    wrong.total = cents(1);
    let told = try_write(&db, move |u| u.bookings().insert(&wrong)).await;
    assert!(matches!(&told, Err(StoreError::Refused(name)) if name.contains("bookings_total")), "{told:?}");
}

async fn a_booking_needs_its_owner(db: TestDb) {
    let orphan = booking(UserId(uuid()));
    let told = try_write(&db, move |u| u.bookings().insert(&orphan)).await;
    assert!(matches!(&told, Err(StoreError::Other(text)) if text.contains("bookings")), "{told:?}");
}

async fn the_newest_card_that_covers_the_day_is_active(db: TestDb) {
    let rate = |name: &str, version, from, to: Option<i64>| StoredRate {
        id: RateId(uuid()),
        name: name.to_owned(),
        version,
        effective_from: at(from),
        effective_to: to.map(at),
        card: RateCard::builtin(),
    };
    let cards = [rate("standard", 1, 0, None), rate("standard", 2, 100, Some(200)), rate("été", 1, 0, Some(50))];
    let all = cards.clone();
    write(&db, move |u| all.iter().try_for_each(|r| u.rates().insert(r))).await;
    let active = |name: Option<&'static str>, minutes| read(&db, move |u| u.rates().active(name, at(minutes)));
    assert_eq!(active(None, 0).await.as_ref(), Some(&cards[0]));
    assert_eq!(active(None, 100).await.as_ref(), Some(&cards[1]));
    assert_eq!(active(None, 200).await.as_ref(), Some(&cards[0]), "the end is exclusive");
    assert_eq!(active(None, -1).await, None);
    assert_eq!(active(Some("été"), 49).await.as_ref(), Some(&cards[2]));
    assert_eq!(active(Some("été"), 50).await, None);
    let latest = |name: &'static str| read(&db, move |u| u.rates().latest_version(name));
    assert_eq!((latest("standard").await, latest("été").await, latest("none").await), (Some(2), Some(1), None));
    let (id, again) = (cards[1].id, rate("standard", 2, 0, None));
    assert_eq!(read(&db, move |u| u.rates().get(id)).await.as_ref(), Some(&cards[1]));
    assert!(matches!(try_write(&db, move |u| u.rates().insert(&again)).await, Err(StoreError::Duplicate(_))));
}

async fn cards_are_listed_by_name_and_a_version_can_be_removed(db: TestDb) {
    let rate = |name: &str, version, from| StoredRate {
        id: RateId(uuid()),
        name: name.to_owned(),
        version,
        effective_from: at(from),
        effective_to: None,
        card: RateCard::builtin(),
    };
    // Letters that the engines put in different places.
    let made =
        [rate("standard", 1, 0), rate("été", 1, 0), rate("Zone", 1, 0), rate("standard", 2, 100), rate("a", 7, 0)];
    let all = made.clone();
    write(&db, move |u| all.iter().try_for_each(|r| u.rates().insert(r))).await;
    let order = [&made[2], &made[4], &made[3], &made[0], &made[1]].map(Clone::clone);
    assert_eq!(read(&db, |u| u.rates().all()).await, order);
    let (id, nobody) = (made[3].id, RateId(uuid()));
    let removed =
        write(&db, move |u| Ok((u.rates().remove(id)?, u.rates().remove(id)?, u.rates().remove(nobody)?))).await;
    assert_eq!(removed, (true, false, false));
    assert_eq!(read(&db, move |u| u.rates().get(id)).await, None);
    assert_eq!(read(&db, |u| u.rates().latest_version("standard")).await, Some(1));
    assert_eq!(read(&db, |u| u.rates().all()).await.len(), 4);
}

/// As the preview of a rate card asks for them.
async fn the_newest_bookings_come_without_deleted_ones(db: TestDb) {
    let user = person(&db).await;
    let ids = write(&db, move |u| {
        let mut ids = Vec::new();
        for (minutes, status) in [
            (20, Status::Cancelled),
            (40, Status::Pending),
            (30, Status::Deleted),
            (10, Status::Completed),
            (50, Status::Assigned),
        ] {
            let mut made = booking(user);
            (made.created_at, made.status) = (at(minutes), status);
            u.bookings().insert(&made)?;
            ids.push(made.id);
        }
        Ok(ids)
    })
    .await;
    let newest = |limit| {
        read(&db, move |u| u.bookings().listed(&Listing::default(), Start::First(Order::CreatedAtDescending), limit))
    };
    let all: Vec<BookingId> = newest(10).await.data.iter().map(|b| b.id).collect();
    assert_eq!(all, [ids[4], ids[1], ids[0], ids[3]]);
    let two: Vec<BookingId> = newest(2).await.data.iter().map(|b| b.id).collect();
    assert_eq!(two, [ids[4], ids[1]]);
}

pub fn discount(code: &str, terms: DiscountTerms, max_uses: Option<i32>) -> StoredDiscount {
    StoredDiscount {
        id: DiscountId(uuid()),
        code: code.to_owned(),
        terms,
        valid_from: date("2027-01-01"),
        valid_until: date("2027-12-31"),
        bookable_from: None,
        bookable_until: None,
        max_uses,
        max_uses_per_customer: None,
        first_booking_only: false,
        uses: 0,
        provinces: vec![kernel::Province::QC],
        kinds: vec![MoveKind::Residential, MoveKind::WhiteGlove],
        disabled: false,
        created_at: t0(),
        version: 1,
    }
}

async fn discount_codes_meet_whatever_their_case(db: TestDb) {
    let percent = DiscountTerms::Percent { share: kernel::BasisPoints::new(1_000), max: Some(cents(2_000)) };
    let made =
        [discount("ÉTÉ10", percent, None), discount("FIXE", DiscountTerms::Fixed { amount: cents(500) }, Some(0))];
    let all = made.clone();
    write(&db, move |u| all.iter().try_for_each(|d| u.discounts().insert(d))).await;
    assert_eq!(read(&db, |u| u.discounts().by_code(" été10 ")).await.as_ref(), Some(&made[0]));
    assert_eq!(read(&db, |u| u.discounts().by_code("fixe")).await.as_ref(), Some(&made[1]));
    assert_eq!(read(&db, |u| u.discounts().by_code("nope")).await, None);
    let same = discount("Été10", DiscountTerms::Fixed { amount: cents(1) }, None);
    let told = write(&db, move |u| Ok(matches!(u.discounts().insert(&same), Err(StoreError::Duplicate(_))))).await;
    assert!(told);
    let ids = (made[0].id, made[1].id);
    let user = person(&db).await;
    let (one, other) = (code_use(ids.0, user), code_use(ids.0, user));
    let taken = write(&db, move |u| {
        Ok((
            u.discounts().take_use(&one)?,
            u.discounts().take_use(&CodeUse { discount: ids.1, ..one })?,
            u.discounts().take_use(&CodeUse { discount: DiscountId(uuid()), ..one })?,
            u.discounts().take_use(&other)?,
        ))
    })
    .await;
    assert_eq!(taken, (true, false, false, true));
    let count =
        || read(&db, move |u| Ok((u.discounts().get(ids.0)?.unwrap().uses, u.discounts().uses_of_user(ids.0, user)?)));
    assert_eq!(count().await, (2, 2));
    // Given back twice is given back once.
    for _ in 0..2 {
        write(&db, move |u| u.discounts().return_use(ids.0, one.booking, at(9))).await;
    }
    assert_eq!(count().await, (1, 1));
    let listed = read(&db, move |u| u.discounts().uses(ids.0, 0, 10)).await;
    let returned: BTreeMap<_, _> = listed.data.iter().map(|u| (u.booking, u.returned_at)).collect();
    assert_eq!((listed.total, returned[&one.booking], returned[&other.booking]), (2, Some(at(9)), None));
    // A cancellation that is taken back has its use again.
    assert!(write(&db, move |u| u.discounts().take_use(&one)).await);
    assert_eq!(count().await, (2, 2));
    // A use that was promised counts beyond the limit, and is the first of all that go.
    let promised = code_use(ids.1, user);
    assert!(write(&db, move |u| u.discounts().take_promised_use(&promised)).await);
    let limited = || read(&db, move |u| Ok(u.discounts().get(ids.1)?.unwrap().uses));
    assert_eq!(limited().await, made[1].max_uses.unwrap() + 1);
    assert!(!write(&db, move |u| u.discounts().take_use(&code_use(ids.1, user))).await);
    write(&db, move |u| u.discounts().return_use(ids.1, promised.booking, at(9))).await;
    assert_eq!(limited().await, made[1].max_uses.unwrap());
    assert!(!write(&db, move |u| u.discounts().take_use(&code_use(ids.1, user))).await);
    assert!(!write(&db, move |u| u.discounts().take_promised_use(&code_use(DiscountId(uuid()), user))).await);
    let heir = person(&db).await;
    write(&db, move |u| u.discounts().hand_over(user, heir)).await;
    assert_eq!(count().await, (2, 0));
    assert_eq!(read(&db, move |u| u.discounts().uses_of_user(ids.0, heir)).await, 2);
}

fn code_use(discount: DiscountId, user: UserId) -> CodeUse {
    CodeUse { discount, booking: BookingId(uuid()), user, taken_at: t0(), returned_at: None }
}

async fn codes_are_found_by_a_part_of_them(db: TestDb) {
    let fixed = DiscountTerms::Fixed { amount: cents(500) };
    let mut made: Vec<_> =
        ["ÉTÉ-10", "FALL_10", "FALLX10", "100%"].map(|code| discount(code, fixed.clone(), None)).into();
    for (n, one) in (0..).zip(&mut made) {
        one.created_at = at(n);
    }
    let all = made.clone();
    write(&db, move |u| all.iter().try_for_each(|d| u.discounts().insert(d))).await;
    let codes = async |part: &'static str, skip| {
        let page = read(&db, move |u| u.discounts().page(part, skip, 2)).await;
        (page.data.into_iter().map(|d| d.code).collect::<Vec<_>>(), page.total)
    };
    assert_eq!(codes("", 0).await, (vec!["100%".to_owned(), "FALLX10".to_owned()], 4));
    assert_eq!(codes("", 2).await, (vec!["FALL_10".to_owned(), "ÉTÉ-10".to_owned()], 4));
    assert_eq!(codes("fall_", 0).await, (vec!["FALL_10".to_owned()], 1));
    assert_eq!(codes("%", 0).await, (vec!["100%".to_owned()], 1));
    for typed in ["été", "ETE", "ete-1"] {
        assert_eq!(codes(typed, 0).await, (vec!["ÉTÉ-10".to_owned()], 1), "{typed}");
    }
    assert_eq!(codes("none", 0).await, (Vec::new(), 0));
    let (id, key) = (made[0].id, made[1].id);
    assert!(write(&db, move |u| u.discounts().remove(id)).await);
    assert!(!write(&db, move |u| u.discounts().remove(id)).await);
    let used = code_use(key, person(&db).await);
    assert!(write(&db, move |u| u.discounts().take_use(&used)).await);
    assert!(try_write(&db, move |u| u.discounts().remove(key)).await.is_err(), "its uses name it");
}

async fn of_many_takers_of_the_last_use_one_gets_it(db: TestDb) {
    let made = discount("UNE", DiscountTerms::Fixed { amount: cents(500) }, Some(1));
    let id = made.id;
    write(&db, move |u| u.discounts().insert(&made)).await;
    let user = person(&db).await;
    let takers = (0..20).map(|_| try_write(&db, move |u| u.discounts().take_use(&code_use(id, user))));
    let got: Vec<bool> = futures_util::future::join_all(takers).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(got.iter().filter(|g| **g).count(), 1);
}

async fn a_discount_is_changed_by_who_read_it_last(db: TestDb) {
    let mut made = discount("DEUX", DiscountTerms::Fixed { amount: cents(500) }, Some(2));
    let (copy, id) = (made.clone(), made.id);
    let used = code_use(id, person(&db).await);
    write(&db, move |u| {
        u.discounts().insert(&copy)?;
        u.discounts().take_use(&used)
    })
    .await;
    (made.terms, made.disabled, made.max_uses, made.provinces) =
        (DiscountTerms::Percent { share: kernel::BasisPoints::new(1_000), max: None }, true, None, Vec::new());
    (made.bookable_from, made.bookable_until) = (Some(date("2026-12-01")), Some(date("2027-01-31")));
    (made.max_uses_per_customer, made.first_booking_only) = (Some(2), true);
    let copy = made.clone();
    made.version = write(&db, move |u| u.discounts().update(&copy)).await;
    // A use is no edit, and an edit takes none back.
    made.uses = 1;
    assert_eq!((made.version, read(&db, |u| u.discounts().by_code("deux")).await.as_ref()), (2, Some(&made)));
    let stale = StoredDiscount { version: 1, ..made.clone() };
    assert!(matches!(try_write(&db, move |u| u.discounts().update(&stale)).await, Err(StoreError::Stale)));
    let fewer = StoredDiscount { max_uses: Some(0), ..made.clone() };
    let told = try_write(&db, move |u| u.discounts().update(&fewer)).await;
    assert!(matches!(&told, Err(StoreError::Refused(name)) if name.contains("discounts_uses")), "{told:?}");
    assert_eq!(read(&db, |u| u.discounts().by_code("deux")).await, Some(made));
}

#[test]
fn fixtures_draw_distinct_short_ids() {
    let ids: std::collections::HashSet<ShortId> = (0..500).map(|_| booking(UserId(uuid())).short_id).collect();
    assert_eq!(ids.len(), 500);
}
