//! A guest asks a person: staff are told once, take it, book it, and the request knows its booking.

use crate::support::{World, draft};
use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{Language, Province};
use service::{
    Caller, Error, ErrorCode, ServiceResult,
    accounts::desk::Contact,
    bookings::{Created, create_from},
    idempotency::Replayable,
    ports::{
        bookings::PaidBy,
        quote_requests::{CallAt, Obstacle, QuoteRequest, QuoteRequestId, RequestState},
    },
    quote_requests::{self, NewQuoteRequest, QuoteRequestFilter},
};
use store::testing::TestDb;

in_both_worlds!(
    both_are_told_each_in_their_language,
    who_reads_no_mail_is_called,
    staff_take_it_give_it_back_and_end_it,
    a_booking_answers_it,
    a_booking_that_was_paid_at_once_answers_it,
    a_mailbox_and_a_desk_are_not_filled,
    what_ended_is_forgotten,
);

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

async fn world(db: TestDb) -> World {
    let w = World::on(db, monday()).await;
    w.flat_rate(50_000).await;
    // Who takes a request has an account.
    w.person(&w.ops, "Olive Roy", "olive@portage.test", monday()).await;
    w
}

fn wish(email: &str, phone: &str) -> NewQuoteRequest {
    NewQuoteRequest {
        name: " 李雷 ".to_owned(),
        email: email.parse().ok(),
        phone: phone.parse().ok(),
        language: Language::Zh,
        call_at: CallAt::Morning,
        obstacles: vec![Obstacle::HeavyItems, Obstacle::TooFar, Obstacle::HeavyItems],
        draft: "{}".to_owned(),
        move_date: NaiveDate::from_ymd_opt(2027, 2, 18),
        from_city: "Laval".to_owned(),
        to_city: String::new(),
    }
}

async fn ask(w: &World, who: &Caller, wish: NewQuoteRequest) -> ServiceResult<QuoteRequest> {
    match quote_requests::ask(&w.s, who, wish, None).await? {
        Replayable::Fresh(request) => Ok(request),
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

async fn asked(w: &World) -> QuoteRequest {
    ask(w, &Caller::guest(Language::En), wish("li@portage.test", "514-555-0101")).await.unwrap()
}

async fn both_are_told_each_in_their_language(w: World) {
    let request = asked(&w).await;
    assert_eq!((request.name.as_str(), request.state), ("李雷", RequestState::New));
    assert_eq!(request.obstacles, [Obstacle::TooFar, Obstacle::HeavyItems]);
    w.work().await;
    let sent = w.mailer.sent.lock().unwrap().clone();
    let to = |kind: &str| sent.iter().filter(|mail| mail.message_type == kind).cloned().collect::<Vec<_>>();
    let (guest, staff) = (to("quoteRequestReceived"), to("quoteRequestAlert"));
    assert_eq!((guest.len(), staff.len(), sent.len()), (1, 1, 2));
    assert_eq!(guest[0].to.as_str(), "li@portage.test");
    assert!(guest[0].text.contains("我们会在上午致电给您。"), "{}", guest[0].text);
    // Anybody may type any address: none of their words travel.
    for word in ["李雷", "514-555-0101", "Laval"] {
        assert!(!guest[0].text.contains(word) && !guest[0].html.contains(word), "{}", guest[0].text);
    }
    assert_eq!(staff[0].to.as_str(), "help@portage.test");
    for said in [
        "李雷",
        "in the morning",
        "the two addresses are too far apart; some items need a special arrangement",
        "Laval → not said yet",
        "February 18, 2027",
        &format!("/dashboard/quote-requests/{}", request.id),
    ] {
        assert!(staff[0].text.contains(said), "{said}: {}", staff[0].text);
    }
    // How to reach them is read in the dashboard.
    assert!(!staff[0].text.contains("555-0101") && !staff[0].text.contains("li@"), "{}", staff[0].text);
}

async fn who_reads_no_mail_is_called(w: World) {
    let guest = Caller::guest(Language::Fr);
    ask(&w, &guest, wish("", "514-555-0101")).await.unwrap();
    w.work().await;
    let kinds: Vec<_> = w.mailer.sent.lock().unwrap().iter().map(|mail| mail.message_type.clone()).collect();
    assert_eq!(kinds, ["quoteRequestAlert"]);
    for (wish, field) in
        [(wish("", ""), "email"), (NewQuoteRequest { name: "  ".to_owned(), ..wish("li@portage.test", "") }, "name")]
    {
        let refused = ask(&w, &guest, wish).await.unwrap_err();
        assert!(matches!(&refused, Error::Invalid(f) if f.len() == 1 && f[0].field == field), "{refused:?}");
    }
}

async fn staff_take_it_give_it_back_and_end_it(w: World) {
    let (staff, request) = (w.staff(), asked(&w).await);
    let put = async |to: RequestState, version: i32| quote_requests::put(&w.s, &staff, request.id, to, version).await;
    let taken = put(RequestState::Answering, 1).await.unwrap();
    assert_eq!((taken.request.state, taken.request.taken_by), (RequestState::Answering, w.ops.user));
    assert!(taken.taken_by.is_some());
    let late = put(RequestState::Closed, 1).await.unwrap_err();
    assert!(matches!(late, Error::Refused(ErrorCode::VersionConflict, _)), "{late}");
    let mine = QuoteRequestFilter { mine: true, ..QuoteRequestFilter::default() };
    assert_eq!(quote_requests::list(&w.s, &staff, mine.clone(), 1, 10).await.unwrap().total, 1);
    let back = put(RequestState::New, 2).await.unwrap();
    assert_eq!((back.request.state, back.request.taken_by), (RequestState::New, None));
    assert_eq!(quote_requests::list(&w.s, &staff, mine, 1, 10).await.unwrap().total, 0);
    // To be booked takes a booking.
    let refused = put(RequestState::Booked, 3).await.unwrap_err();
    assert!(matches!(&refused, Error::Invalid(f) if f[0].field == "state"), "{refused:?}");
    let ended = put(RequestState::Closed, 3).await.unwrap();
    assert_eq!((ended.request.state, ended.request.taken_by), (RequestState::Closed, w.ops.user));
    let again = put(RequestState::Answering, 4).await.unwrap();
    assert_eq!(again.request.version, 5);
    let found = QuoteRequestFilter { value: Some("514 555-0101 LAVAL".to_owned()), ..QuoteRequestFilter::default() };
    assert_eq!(quote_requests::list(&w.s, &staff, found, 1, 10).await.unwrap().total, 1);
    let missing = quote_requests::get(&w.s, &staff, QuoteRequestId(uuid::Uuid::nil())).await.unwrap_err();
    assert!(matches!(missing, Error::Refused(ErrorCode::NotFound, _)), "{missing}");
}

async fn order(w: &World, email: &str, paid_by: PaidBy, day: u32, answers: QuoteRequestId) -> ServiceResult<Created> {
    let contact = Contact {
        email: email.parse().unwrap(),
        first_name: "Lei".into(),
        last_name: "Li".into(),
        phone: "514-555-0101".parse().unwrap(),
        language: Language::Zh,
    };
    let day = NaiveDate::from_ymd_opt(2027, 2, day).unwrap();
    let wanted = draft(Province::QC, day, NaiveTime::from_hms_opt(9, 0, 0).unwrap());
    match create_from(&w.s, &w.staff(), contact, (paid_by, None), Some(answers), wanted, None).await? {
        Replayable::Fresh(made) => Ok(made),
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

async fn a_booking_answers_it(w: World) {
    let request = asked(&w).await;
    let nowhere = order(&w, "li@portage.test", PaidBy::Link, 18, QuoteRequestId(uuid::Uuid::nil())).await.unwrap_err();
    assert!(matches!(&nowhere, Error::Invalid(f) if f[0].field == "quoteRequestId"), "{nowhere:?}");
    let made = order(&w, "li@portage.test", PaidBy::Link, 18, request.id).await.unwrap();
    let found = quote_requests::get(&w.s, &w.staff(), request.id).await.unwrap();
    assert_eq!((found.request.state, found.request.booking_id), (RequestState::Booked, Some(made.booking.id)));
    assert_eq!((found.booking, found.request.taken_by), (Some(made.booking.short_id.to_string()), w.ops.user));
    // It stays what it became: nobody takes it back, and another booking leaves it.
    let refused = quote_requests::put(&w.s, &w.staff(), request.id, RequestState::New, 2).await.unwrap_err();
    assert!(matches!(&refused, Error::Invalid(f) if f[0].field == "state"), "{refused:?}");
    order(&w, "li@portage.test", PaidBy::Link, 19, request.id).await.unwrap();
    let found = quote_requests::get(&w.s, &w.staff(), request.id).await.unwrap();
    assert_eq!((found.request.booking_id, found.request.version), (Some(made.booking.id), 2));
}

async fn a_booking_that_was_paid_at_once_answers_it(w: World) {
    let request = asked(&w).await;
    let customer = w.customer.user.unwrap();
    let email = w.read(move |u| u.profiles().get(customer)).await.unwrap().email.to_string();
    // Tomorrow: everything is charged while it is booked.
    let made = order(&w, &email, PaidBy::Card, 9, request.id).await.unwrap();
    assert_eq!(made.plan.mode, policy::Mode::FullAtOnce);
    let found = quote_requests::get(&w.s, &w.staff(), request.id).await.unwrap();
    assert_eq!(found.request.booking_id, Some(made.booking.id));
}

async fn a_mailbox_and_a_desk_are_not_filled(w: World) {
    let from = |network: &str| Caller { network: Some(network.to_owned()), ..Caller::guest(Language::En) };
    let often = |e: &Error| matches!(e, Error::Refused(ErrorCode::QuoteRequestLimit, _));
    for n in 0..3 {
        let one = wish("Li@portage.test", &format!("514-555-020{n}"));
        ask(&w, &from(&format!("192.0.2.{n}")), one).await.unwrap();
    }
    for (email, phone) in [("li@PORTAGE.test", ""), ("li@portage.test", "514-555-0300")] {
        let refused = ask(&w, &from("192.0.2.9"), wish(email, phone)).await.unwrap_err();
        assert!(often(&refused), "{refused}");
    }
    for n in 0..20 {
        ask(&w, &from("198.51.100.7"), wish(&format!("g{n}@portage.test"), "")).await.unwrap();
    }
    let refused = ask(&w, &from("198.51.100.7"), wish("g20@portage.test", "")).await.unwrap_err();
    assert!(often(&refused), "{refused}");
    // What was refused counted nothing, and a day later it is another day.
    for _ in 0..3 {
        ask(&w, &from("192.0.2.10"), wish("", "514-555-0300")).await.unwrap();
    }
    w.clock.set(w.clock.now_value() + Duration::days(1));
    ask(&w, &from("198.51.100.7"), wish("li@portage.test", "514-555-0300")).await.unwrap();
    w.work().await;
}

async fn what_ended_is_forgotten(w: World) {
    let (open, ended) = (asked(&w).await, asked(&w).await);
    quote_requests::put(&w.s, &w.staff(), ended.id, RequestState::Closed, 1).await.unwrap();
    service::jobs::schedule_housekeeping(&w.s).await.unwrap();
    let is_there = async |id| quote_requests::get(&w.s, &w.staff(), id).await.is_ok();
    w.clock.set(monday() + Duration::days(89));
    w.work().await;
    assert!(is_there(open.id).await && is_there(ended.id).await);
    w.clock.set(monday() + Duration::days(92));
    w.work().await;
    assert!(is_there(open.id).await && !is_there(ended.id).await);
}
