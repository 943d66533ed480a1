//! Requests for a quote: kept as they came, found by words and state, changed by one at a time, forgotten after their end.

use chrono::Duration;
use kernel::{Language, UserId};
use service::ports::{
    StoreError,
    quote_requests::{CallAt, Obstacle, QuoteRequest, QuoteRequestId, RequestState, WantedRequests},
};
use store::testing::TestDb;

use crate::fixtures::*;

on_both_engines!(a_request_is_kept_as_it_came, requests_are_found, one_change_at_a_time, what_ended_goes);

pub fn request(name: &str, minutes: i64) -> QuoteRequest {
    QuoteRequest {
        id: QuoteRequestId(uuid()),
        state: RequestState::New,
        name: name.to_owned(),
        email: Some("Zoe.Roy@portage.test".parse().unwrap()),
        phone: Some("+1 (514) 555-0101".parse().unwrap()),
        language: Language::Zh,
        call_at: CallAt::Evening,
        obstacles: vec![Obstacle::TooFar, Obstacle::HeavyItems],
        draft: "{\"comments\":\"une lampe — 灯\"}".to_owned(),
        move_date: Some(date("2027-02-18")),
        from_city: "Montréal".to_owned(),
        to_city: "Québec".to_owned(),
        taken_by: None,
        booking_id: None,
        made_at: at(minutes),
        changed_at: at(minutes),
        version: 1,
    }
}

async fn kept(db: &TestDb, requests: &[QuoteRequest]) {
    let requests = requests.to_vec();
    write(db, move |u| requests.iter().try_for_each(|r| u.quote_requests().insert(r))).await;
}

async fn get(db: &TestDb, id: QuoteRequestId) -> Option<QuoteRequest> {
    read(db, move |u| u.quote_requests().get(id)).await
}

async fn a_request_is_kept_as_it_came(db: TestDb) {
    let whole = request("Zoé Roy", 0);
    let bare = QuoteRequest { email: None, move_date: None, from_city: String::new(), ..request("李雷", 1) };
    kept(&db, &[whole.clone(), bare.clone()]).await;
    assert_eq!(get(&db, whole.id).await, Some(whole));
    assert_eq!(get(&db, bare.id).await, Some(bare));
    assert_eq!(get(&db, QuoteRequestId(uuid())).await, None);
    // Nobody could be answered; a booking that is none.
    let mute = QuoteRequest { email: None, phone: None, ..request("Nobody", 2) };
    let refused = try_write(&db, move |u| u.quote_requests().insert(&mute)).await;
    assert!(matches!(refused, Err(StoreError::Refused(_))), "{refused:?}");
    let booked = QuoteRequest { state: RequestState::Booked, ..request("Nothing", 3) };
    let refused = try_write(&db, move |u| u.quote_requests().insert(&booked)).await;
    assert!(matches!(refused, Err(StoreError::Refused(_))), "{refused:?}");
}

async fn requests_are_found(db: TestDb) {
    let staff = person(&db).await;
    let zoe = request("Zoé Roy", 0);
    let li = QuoteRequest {
        state: RequestState::Answering,
        taken_by: Some(staff),
        email: None,
        phone: Some("438 555 0199".parse().unwrap()),
        ..request("李雷 100%", 1)
    };
    kept(&db, &[zoe.clone(), li.clone()]).await;
    let listed = async |wanted: WantedRequests, skip: i64, limit: i64| {
        let (rows, total) = read(&db, move |u| u.quote_requests().listed(&wanted, skip, limit)).await;
        (rows.into_iter().map(|r| r.id).collect::<Vec<_>>(), total)
    };
    let all = WantedRequests::default();
    assert_eq!(listed(all.clone(), 0, 10).await, (vec![li.id, zoe.id], 2), "the newest first");
    assert_eq!(listed(all.clone(), 1, 1).await, (vec![zoe.id], 2));
    assert_eq!(listed(all.clone(), 2, 10).await, (vec![], 2));
    let state = |state| WantedRequests { state: Some(state), ..WantedRequests::default() };
    assert_eq!(listed(state(RequestState::New), 0, 10).await, (vec![zoe.id], 1));
    assert_eq!(listed(state(RequestState::Closed), 0, 10).await, (vec![], 0));
    let taken = |user: UserId| WantedRequests { taken_by: Some(user), ..WantedRequests::default() };
    assert_eq!(listed(taken(staff), 0, 10).await, (vec![li.id], 1));
    let words = |words: &[&str]| WantedRequests {
        words: words.iter().map(|w| (*w).to_owned()).collect(),
        ..WantedRequests::default()
    };
    for (typed, found) in [
        (vec!["zoe", "quebec"], vec![zoe.id]),
        (vec!["5145550101"], vec![zoe.id]),
        (vec!["李雷"], vec![li.id]),
        (vec!["0%"], vec![li.id]),
        (vec!["zoe", "4385550199"], vec![]),
        (vec!["_"], vec![]),
        (vec!["montreal"], vec![li.id, zoe.id]),
    ] {
        assert_eq!(listed(words(&typed), 0, 10).await.0, found, "{typed:?}");
    }
}

async fn one_change_at_a_time(db: TestDb) {
    let (staff, b) = (person(&db).await, booked(&db).await);
    let (one, other) = (request("Zoé Roy", 0), request("Max Roy", 1));
    kept(&db, &[one.clone(), other.clone()]).await;
    let taken =
        QuoteRequest { state: RequestState::Answering, taken_by: Some(staff), changed_at: at(5), ..one.clone() };
    let to = taken.clone();
    assert_eq!(write(&db, move |u| u.quote_requests().update(&to)).await, 2);
    assert_eq!(get(&db, one.id).await, Some(QuoteRequest { version: 2, ..taken.clone() }));
    let late = taken.clone();
    let refused = try_write(&db, move |u| u.quote_requests().update(&late)).await;
    assert!(matches!(refused, Err(StoreError::Stale)), "{refused:?}");
    let done = QuoteRequest { state: RequestState::Booked, booking_id: Some(b.id), version: 2, ..taken };
    let to = done.clone();
    assert_eq!(write(&db, move |u| u.quote_requests().update(&to)).await, 3);
    assert_eq!(get(&db, one.id).await, Some(QuoteRequest { version: 3, ..done }));
    // A booking comes of one request.
    let twice = QuoteRequest { state: RequestState::Booked, booking_id: Some(b.id), ..other };
    assert!(try_write(&db, move |u| u.quote_requests().update(&twice)).await.is_err());
}

async fn what_ended_goes(db: TestDb) {
    let open = request("Open", 0);
    let old = QuoteRequest { state: RequestState::Closed, ..request("Old", 0) };
    let fresh = QuoteRequest { state: RequestState::Closed, changed_at: at(60), ..request("Fresh", 0) };
    kept(&db, &[open.clone(), old.clone(), fresh.clone()]).await;
    let before = t0() + Duration::minutes(60);
    assert_eq!(write(&db, move |u| u.quote_requests().purge(before)).await, 1);
    assert!(get(&db, old.id).await.is_none());
    assert!(get(&db, open.id).await.is_some() && get(&db, fresh.id).await.is_some());
}
