//! Secret links to calendars: one of a mate and one of a hub, found by the hash of their secret, and the jobs they show.

use kernel::{BookingId, Language, MateId, OpsMemberId, UserId};
use service::ports::{
    StoreError,
    crews::CrewMate,
    feeds::{Feed, FeedId, FeedOf},
    identity::TokenHash,
    members::{Member, MemberRole},
};
use status_machine::booking::Status;
use store::testing::TestDb;

use crate::fixtures::*;

on_both_engines!(
    a_new_link_takes_the_place_of_the_one_before,
    two_who_make_one_at_once_leave_one,
    a_link_is_of_somebody_who_is_there,
    jobs_are_those_of_the_time_in_order,
);

fn feed(of: FeedOf, hash: &str, by: UserId) -> Feed {
    let token_hash = TokenHash(hash.to_owned());
    Feed { id: FeedId(uuid()), of, token_hash, language: Language::Zh, made_by: by, made_at: t0() }
}

fn hub(id: &str) -> FeedOf {
    FeedOf::Hub(id.to_owned())
}

async fn mate(db: &TestDb) -> MateId {
    let id = MateId(uuid());
    let member = Member {
        id: OpsMemberId(uuid()),
        email: format!("m{}@portage.test", id.0.as_u128() & 0xffff_ffff).parse().unwrap(),
        first_name: "Zoé".to_owned(),
        last_name: "Roy".to_owned(),
        role: MemberRole::Mate,
        partner_id: None,
        mate_id: Some(id),
        created_at: t0(),
        version: 1,
    };
    write(db, move |u| u.members().insert(&member)).await;
    id
}

async fn of(db: &TestDb, of: FeedOf) -> Option<Feed> {
    read(db, move |u| u.feeds().of(&of)).await
}

async fn by_token(db: &TestDb, hash: &str) -> Option<Feed> {
    let hash = TokenHash(hash.to_owned());
    read(db, move |u| u.feeds().by_token(&hash)).await
}

async fn a_new_link_takes_the_place_of_the_one_before(db: TestDb) {
    let (by, mate) = (person(&db).await, mate(&db).await);
    for (n, owner) in [FeedOf::Mate(mate), hub("montreal")].into_iter().enumerate() {
        assert_eq!(of(&db, owner.clone()).await, None);
        let (old, new) = (format!("old-{n}"), format!("new-{n}"));
        let (first, second) = (feed(owner.clone(), &old, by), feed(owner.clone(), &new, by));
        let kept = first.clone();
        write(&db, move |u| u.feeds().put(&kept)).await;
        assert_eq!(of(&db, owner.clone()).await.as_ref(), Some(&first));
        assert_eq!(by_token(&db, &old).await.as_ref(), Some(&first));
        let kept = second.clone();
        write(&db, move |u| u.feeds().put(&kept)).await;
        assert_eq!(of(&db, owner).await.as_ref(), Some(&second));
        assert_eq!((by_token(&db, &old).await, by_token(&db, &new).await.as_ref()), (None, Some(&second)));
        let (gone, there) = (first.id, second.id);
        assert_eq!(read(&db, move |u| u.feeds().get(gone)).await, None);
        assert_eq!(read(&db, move |u| u.feeds().get(there)).await, Some(second));
        assert!(!write(&db, move |u| u.feeds().remove(gone)).await);
        assert!(write(&db, move |u| u.feeds().remove(there)).await);
        assert!(!write(&db, move |u| u.feeds().remove(there)).await);
        assert_eq!(by_token(&db, &new).await, None);
    }
}

async fn two_who_make_one_at_once_leave_one(db: TestDb) {
    let by = person(&db).await;
    let all: Vec<Feed> = (0..8).map(|n| feed(hub("toronto"), &format!("race-{n}"), by)).collect();
    let made = all.clone().into_iter().map(|one| {
        let store = db.store();
        async move { store.write(move |u| u.feeds().put(&one)).await }
    });
    let made: Vec<Result<(), StoreError>> = futures_util::future::join_all(made).await;
    assert!(made.iter().all(Result::is_ok), "{made:?}");
    let last = of(&db, hub("toronto")).await.unwrap();
    for one in all {
        assert_eq!(by_token(&db, &one.token_hash.0).await.is_some(), one == last);
    }
}

async fn a_link_is_of_somebody_who_is_there(db: TestDb) {
    let by = person(&db).await;
    let nobodys = feed(FeedOf::Mate(MateId(uuid())), "a", by);
    let by_nobody = feed(hub("montreal"), "b", UserId(uuid()));
    for wrong in [nobodys, by_nobody] {
        let told = try_write(&db, move |u| u.feeds().put(&wrong)).await;
        assert!(told.is_err(), "{told:?}");
    }
    // A secret opens one calendar.
    let (one, other) = (feed(hub("montreal"), "same", by), feed(hub("toronto"), "same", by));
    write(&db, move |u| u.feeds().put(&one)).await;
    let told = try_write(&db, move |u| u.feeds().put(&other)).await;
    assert!(matches!(told, Err(StoreError::Duplicate(_))), "{told:?}");
}

async fn jobs_are_those_of_the_time_in_order(db: TestDb) {
    let (user, mate) = (person(&db).await, mate(&db).await);
    // Minutes after the first instant, the status, and whether the mate is on it.
    let cases = [
        (50, Status::Assigned, true),
        (-1, Status::Completed, true),
        (0, Status::Completed, true),
        (99, Status::Pending, false),
        (100, Status::Assigned, true),
        (60, Status::Cancelled, true),
        (61, Status::Deleted, true),
        (70, Status::Payed, true),
    ];
    let mut ids: Vec<BookingId> = Vec::new();
    for (n, (minutes, status, on_it)) in cases.into_iter().enumerate() {
        let mut b = booking(user);
        (b.move_at, b.status, b.hub) = (at(minutes), status, "montreal".to_owned());
        ids.push(b.id);
        let half_hour = vec![at(10_000 + 30 * i64::try_from(n).unwrap())];
        write(&db, move |u| {
            u.bookings().insert(&b)?;
            let crew = CrewMate { mate, name: "Zoé Roy".to_owned(), since: t0() };
            if on_it { u.crews().put(b.id, &crew, &half_hour) } else { Ok(()) }
        })
        .await;
    }
    let mut elsewhere = booking(user);
    (elsewhere.move_at, elsewhere.hub) = (at(10), "toronto".to_owned());
    write(&db, move |u| u.bookings().insert(&elsewhere)).await;
    let jobs = async |of: FeedOf, limit| read(&db, move |u| u.feeds().jobs(&of, t0(), at(100), limit)).await;
    assert_eq!(jobs(FeedOf::Mate(mate), 10).await, [ids[2], ids[0], ids[7]]);
    assert_eq!(jobs(FeedOf::Mate(mate), 2).await, [ids[2], ids[0]]);
    assert_eq!(jobs(FeedOf::Mate(MateId(uuid())), 10).await, []);
    assert_eq!(jobs(hub("montreal"), 10).await, [ids[2], ids[0], ids[7], ids[3]]);
    assert_eq!(jobs(hub("montreal"), 1).await, [ids[2]]);
}
