//! What the booking desk keeps: words, notes, kept lists, the team, and the trail from its end.

use kernel::{NoteId, OpsMemberId, ViewId};
use serde_json::json;
use service::ports::{
    StoreError,
    audit::{AuditRow, Trail},
    lists::{Counted, Listing, Order, Start},
    members::{Member, MemberRole},
    notes::{Note, Visibility},
    quote_requests::WantedRequests,
    views::SavedView,
    words,
};
use store::testing::TestDb;

use crate::{fixtures::*, quote_requests::request};

on_both_engines!(
    words_follow_the_booking,
    what_the_version_before_wrote_is_found,
    what_had_no_names_of_provinces_is_found_by_them,
    where_the_money_of_old_bookings_stands_is_worked_out_anew,
    a_list_is_counted_no_further_than_it_has_to,
    notes_stay_in_their_order,
    lists_are_kept_for_one_or_for_all,
    the_trail_is_read_from_its_end,
    the_team_is_counted,
);

async fn words_follow_the_booking(db: TestDb) {
    let made = booked(&db).await;
    let id = made.id;
    let found = |value: &str| {
        let wanted = Listing { words: words::search_words(value), ..Listing::default() };
        let page = read(&db, move |u| u.bookings().listed(&wanted, Start::First(Order::MoveAt), 9));
        async { page.await.data.len() }
    };
    for value in ["zoe leveque", "李雷", "雷", "514 555 0100", "trois rivieres", "ete10", made.short_id.as_str()] {
        assert_eq!(found(value).await, 1, "{value}");
    }
    // A province by its name in each language, and by its code; a code without its accents.
    for value in ["quebec", "Québec", "魁北克", "魁北克省", "Q.C.", "qc", "lévêque, québec", "ETE", "été"]
    {
        assert_eq!(found(value).await, 1, "{value}");
    }
    // The short id as people read it aloud, and the telephone number however it is divided.
    let (first, second) = made.short_id.as_str().split_at(3);
    for value in [format!("{first} {second}"), format!("{first}-{second}")] {
        assert_eq!(found(&value).await, 1, "{value}");
    }
    for value in ["555 01 00", "0015145550100"] {
        assert_eq!(found(value).await, 1, "{value}");
    }
    for value in ["ontario", "安大略", "安大略省", "quebec ontario"] {
        assert_eq!(found(value).await, 0, "{value}");
    }
    let mut other = made.clone();
    other.details.customer_name = "Anaïs Côté".to_owned();
    write(&db, move |u| u.bookings().update(&other, 1)).await;
    assert_eq!((found("cote").await, found("leveque").await, found("zoe@portage.test").await), (1, 0, 1));
    // Nothing of the old words is left, and no word is there twice.
    let mine = format!("SELECT word AS text FROM booking_words WHERE booking_id = '{id}' ORDER BY 1");
    let kept = Stranger::at(db.url()).texts(&mine);
    let b = read(&db, move |u| u.bookings().get(id)).await.unwrap();
    let mut want: Vec<String> = words::of_booking(&b).into_iter().collect();
    let mut kept_sorted = kept.clone();
    want.sort();
    kept_sorted.sort();
    assert_eq!(kept_sorted, want);
    let whole = Listing { words: words::search_words("anais cot"), whole_words: true, ..Listing::default() };
    assert!(read(&db, move |u| u.bookings().marked(&whole, 9)).await.is_empty());
}

/// The form of search before wrote `ł` and the apostrophe as they are, and no name without its signs.
async fn what_the_version_before_wrote_is_found(db: TestDb) {
    let made = booked(&db).await;
    let mut named = made.clone();
    named.details.customer_name = "Seán O’Neil".to_owned();
    write(&db, move |u| u.bookings().update(&named, 1)).await;
    let asks = request("Lech Wałęsa-Roy", 0);
    let id = asks.id;
    write(&db, move |u| u.quote_requests().insert(&asks)).await;
    let mut stranger = Stranger::at(db.url());
    for sql in [
        "DELETE FROM booking_words WHERE word = 'oneil'",
        "UPDATE booking_facts SET words_version = 1",
        "UPDATE quote_requests SET found_by = 'lech wałesa-roy'",
        "DELETE FROM __diesel_schema_migrations WHERE version = '20261129000200'",
    ] {
        assert_eq!(stranger.run(sql).unwrap(), 1, "{sql}");
    }
    assert_eq!(store::migrate(db.url()).unwrap().len(), 1);
    let db = db.reopened();
    for typed in ["oneil", "O'Neil", "neil"] {
        let wanted = Listing { words: words::search_words(typed), ..Listing::default() };
        let found = read(&db, move |u| u.bookings().listed(&wanted, Start::First(Order::MoveAt), 9)).await.data;
        assert_eq!(found.iter().map(|b| b.id).collect::<Vec<_>>(), [made.id], "{typed}");
    }
    for typed in ["walesa", "Wałęsa", "walesaroy", "walesa roy"] {
        let wanted = WantedRequests { words: words::search_words(typed), ..WantedRequests::default() };
        let (found, _) = read(&db, move |u| u.quote_requests().listed(&wanted, 0, 9)).await;
        assert_eq!(found.iter().map(|r| r.id).collect::<Vec<_>>(), [id], "{typed}");
    }
}

/// The form of search before had only the code of a province, and a discount code with its accents.
async fn what_had_no_names_of_provinces_is_found_by_them(db: TestDb) {
    let made = booked(&db).await;
    let code = crate::bookings::discount("ÉTÉ-ŒUF", pricing::DiscountTerms::Fixed { amount: cents(500) }, None);
    write(&db, move |u| u.discounts().insert(&code)).await;
    let mut stranger = Stranger::at(db.url());
    stranger
        .run_all(
            "DELETE FROM booking_words WHERE word IN ('quebec', '魁北克');
             UPDATE booking_facts SET words_version = 2;
             ALTER TABLE discounts DROP COLUMN found_by;
             DELETE FROM __diesel_schema_migrations WHERE version = '20261129000300'",
        )
        .unwrap();
    assert_eq!(store::migrate(db.url()).unwrap().len(), 1);
    let db = db.reopened();
    for typed in ["quebec", "Québec", "魁北克"] {
        let wanted = Listing { words: words::search_words(typed), ..Listing::default() };
        let found = read(&db, move |u| u.bookings().listed(&wanted, Start::First(Order::MoveAt), 9)).await.data;
        assert_eq!(found.iter().map(|b| b.id).collect::<Vec<_>>(), [made.id], "{typed}");
    }
    for typed in ["ete", "ÉTÉ", "oeuf", "œuf"] {
        assert_eq!(read(&db, move |u| u.discounts().page(typed, 0, 9)).await.total, 1, "{typed}");
    }
}

/// The version before wrote where the money of a booking stands without what was waived of it.
async fn where_the_money_of_old_bookings_stands_is_worked_out_anew(db: TestDb) {
    let id = booked(&db).await.id;
    let right = read(&db, move |u| u.bookings().facts(id)).await.unwrap().payment_state;
    let mut stranger = Stranger::at(db.url());
    for sql in [
        "UPDATE booking_facts SET payment_state = 'partially_refunded'",
        "DELETE FROM __diesel_schema_migrations WHERE version = '20261130000100'",
    ] {
        assert_eq!(stranger.run(sql).unwrap(), 1, "{sql}");
    }
    let stored = "SELECT payment_state AS text FROM booking_facts";
    assert_eq!(stranger.texts(stored), ["partially_refunded"]);
    assert_eq!(store::migrate(db.url()).unwrap().len(), 1);
    assert_eq!(stranger.texts(stored), [right.code()]);
}

async fn a_list_is_counted_no_further_than_it_has_to(db: TestDb) {
    for _ in 0..7 {
        booked(&db).await;
    }
    let counted = |most| read(&db, move |u| u.bookings().counted(&Listing::default(), most));
    assert_eq!(counted(7).await, Counted { total: 7, is_exact: true });
    assert_eq!(counted(6).await, Counted { total: 6, is_exact: false });
    let beyond = |skip| read(&db, move |u| u.bookings().listed_beyond(&Listing::default(), Order::CreatedAt, skip, 5));
    assert_eq!((beyond(0).await.len(), beyond(5).await.len(), beyond(7).await.len()), (5, 2, 0));
    let all = beyond(0).await;
    let turned: Vec<_> = all.iter().rev().map(|b| b.id).chain([kernel::BookingId(uuid())]).collect();
    let got = read(&db, move |u| u.bookings().get_all(&turned)).await;
    assert_eq!(got, all.into_iter().rev().collect::<Vec<_>>());
}

async fn notes_stay_in_their_order(db: TestDb) {
    let id = booked(&db).await.id;
    let note = |text: &str, visibility| Note {
        id: NoteId(uuid()),
        booking_id: id,
        visibility,
        text: text.to_owned(),
        author: None,
        role: Some(status_machine::Role::Ops),
        created_at: t0(),
        mate: None,
    };
    let all = [note("one", Visibility::Staff), note("two", Visibility::Staff), note("三", Visibility::Crew)];
    let copy = all.clone();
    write(&db, move |u| copy.iter().try_for_each(|n| u.notes().append(n))).await;
    assert_eq!(read(&db, move |u| u.notes().of_booking(id)).await, all);
    assert_eq!(read(&db, move |u| u.notes().newest_for_staff(id)).await, Some(all[1].clone()));
}

async fn lists_are_kept_for_one_or_for_all(db: TestDb) {
    let (me, other) = (person(&db).await, person(&db).await);
    let view = |owner, name: &str, shared| SavedView {
        id: ViewId(uuid()),
        owner,
        name: name.to_owned(),
        shared,
        filters: json!({ "hub": "montreal" }),
        sort: None,
        value: Some("Roy".to_owned()),
        version: 1,
        created_at: t0(),
        updated_at: t0(),
    };
    let (mut a, b, c) = (view(me, "A", false), view(other, "B", true), view(other, "C", false));
    let copies = [c.clone(), b.clone(), a.clone()];
    write(&db, move |u| copies.iter().try_for_each(|v| u.views().insert(v))).await;
    assert_eq!(read(&db, move |u| u.views().seen_by(me)).await, [a.clone(), b.clone()]);
    (a.name, a.value, a.sort) = ("Z".to_owned(), None, Some("-moveAt".to_owned()));
    let copy = a.clone();
    a.version = write(&db, move |u| u.views().update(&copy)).await;
    let (id, copy) = (a.id, SavedView { version: 1, ..a.clone() });
    assert_eq!(read(&db, move |u| u.views().get(id)).await, Some(a));
    let stale = try_write(&db, move |u| u.views().update(&copy)).await;
    assert!(matches!(stale, Err(StoreError::Stale)), "{stale:?}");
    assert!(write(&db, move |u| u.views().remove(id)).await);
    assert!(!write(&db, move |u| u.views().remove(id)).await);
}

async fn the_trail_is_read_from_its_end(db: TestDb) {
    let (me, other) = (person(&db).await, person(&db).await);
    let row = |actor, minutes, kind: &str, id: &str| AuditRow {
        id: kernel::AuditId(uuid()),
        at: at(minutes),
        actor: Some(actor),
        role: Some(status_machine::Role::Ops),
        action: format!("{kind}.x"),
        subject_kind: kind.to_owned(),
        subject_id: id.to_owned(),
        before: None,
        after: None,
        request_id: None,
    };
    let all = [
        row(me, 0, "booking", "1"),
        row(other, 1, "booking", "2"),
        row(me, 2, "member", "1"),
        row(me, 3, "booking", "1"),
    ];
    let copy = all.clone();
    write(&db, move |u| copy.iter().try_for_each(|r| u.audits().append(r))).await;
    let asked =
        |wanted: Trail| read(&db, move |u| Ok((u.audits().newest(&wanted, 0, 9)?, u.audits().counted(&wanted, 2)?)));
    let (rows, counted) = asked(Trail::default()).await;
    assert_eq!((rows, counted), (all.iter().rev().cloned().collect(), Counted { total: 2, is_exact: false }));
    let mine = Trail { actors: Some(vec![me]), subject_kind: Some("booking".to_owned()), ..Trail::default() };
    assert_eq!(asked(mine).await, (vec![all[3].clone(), all[0].clone()], Counted { total: 2, is_exact: true }));
    let between =
        Trail { from: Some(at(1)), before: Some(at(3)), subject_id: Some("1".to_owned()), ..Trail::default() };
    assert_eq!(asked(between).await.0, [all[2].clone()]);
    let last = read(&db, |u| u.audits().last_number()).await;
    let changes = read(&db, move |u| u.audits().changes_from(last - 1, 9)).await;
    let told: Vec<(&str, &str)> = changes.iter().map(|c| (c.kind.as_str(), c.id.as_str())).collect();
    assert_eq!(told, [("member", "1"), ("booking", "1")]);
}

async fn the_team_is_counted(db: TestDb) {
    let member = |name: &str, role| Member {
        id: OpsMemberId(uuid()),
        email: format!("{}@portage.test", name.to_lowercase()).parse().unwrap(),
        first_name: name.to_owned(),
        last_name: "Roy".to_owned(),
        role,
        partner_id: None,
        mate_id: None,
        created_at: t0(),
        version: 1,
    };
    let (a, b, c) = (member("B", MemberRole::Admin), member("A", MemberRole::Ops), member("C", MemberRole::Partner));
    let copies = [a.clone(), b.clone(), c];
    write(&db, move |u| copies.iter().try_for_each(|m| u.members().insert(m))).await;
    let team = read(&db, |u| u.members().staff(0, 9)).await;
    assert_eq!((team.data, team.total), (vec![b.clone(), a.clone()], 2));
    assert_eq!(read(&db, |u| u.members().staff(1, 9)).await.data, [a]);
    assert_eq!(write(&db, |u| u.members().lock_admins()).await, 1);
    let id = b.id;
    assert_eq!(read(&db, move |u| u.members().get(id)).await, Some(b));
}
