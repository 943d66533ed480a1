//! Consent: money that went back is charged again, and overtime is added, only after the customer agreed to its exact words.

use crate::support;

use chrono::{Duration, NaiveDate, NaiveTime};
use kernel::{BookingId, Language, Money, Province};
use service::{
    Caller, Error, ErrorCode, FieldProblem, ServiceResult,
    billing::{apart, facts, reconcile},
    bookings::{
        cancel,
        consents::{
            answer::{self, Page, State},
            staff,
        },
        edit::{StaffEdit, edit_as_staff},
        statement, status,
    },
    desk::{
        received::{self, Received},
        record,
    },
    idempotency::Replayable,
    ports::{
        bookings::Booking,
        consents::{AnsweredBy, Consent, Standing},
        payments::PaidWith,
    },
};
use status_machine::booking::Status;
use store::testing::TestDb;
use support::{
    World, draft,
    thursday::{DEPOSIT, TOTAL, lock, start},
};

on_both_engines!(
    nothing_is_charged_again_before_the_customer_agrees,
    a_refusal_cancels_the_move_as_it_was,
    silence_until_the_48_hour_instant_cancels_the_move,
    without_automatic_release_staff_decide,
    inside_48_hours_there_is_a_day_to_answer,
    another_price_asks_again,
    another_card_asks_again,
    cancelled_again_while_it_waits,
    agreed_and_cancelled_again_is_asked_again,
    what_came_by_hand_and_was_taken_out_after_the_cancellation_is_asked_of_no_card,
    paid_by_hand_there_is_nothing_to_ask,
    after_a_lapsed_question_a_part_in_cash_leaves_the_rest_among_the_problems,
    what_did_not_go_back_needs_no_consent,
    a_yes_on_the_telephone_is_kept_with_its_words,
    asked_again_ends_the_link_before,
    links_that_are_forged_or_of_another_kind,
    two_tabs_answer_once,
    an_edit_while_it_waits_charges_nothing,
    the_words_are_in_the_language_of_the_booking,
);

fn said(reason: &str) -> status::StatusInput {
    status::StatusInput { reason: Some(reason.into()), ..status::StatusInput::default() }
}

async fn set(w: &World, id: BookingId, to: Status) {
    status::set(&w.s, &w.staff(), id, to, said("the customer called")).await.unwrap();
}

async fn booked(w: &World) -> BookingId {
    w.flat_rate(50_000).await;
    let date = NaiveDate::from_ymd_opt(2027, 2, 18).unwrap();
    w.book(draft(Province::QC, date, NaiveTime::from_hms_opt(9, 0, 0).unwrap()), None).await.unwrap().booking.id
}

/// Its deposit was charged, the company cancelled, the deposit went back, and an hour later the move is to take place.
async fn taken_back(w: &World) -> BookingId {
    let id = booked(w).await;
    w.clock.set(start() + Duration::hours(30));
    w.work().await;
    assert_eq!(w.gateway.net(), DEPOSIT);
    set(w, id, Status::Cancelled).await;
    w.work().await;
    assert_eq!(w.gateway.net(), 0);
    w.clock.set(start() + Duration::hours(31));
    set(w, id, Status::Pending).await;
    w.work().await;
    id
}

/// The whole was charged at the 48-hour instant, the company cancelled and it went back, and two hours later the move is to take
/// place.
async fn taken_back_inside_48_hours(w: &World) -> BookingId {
    let id = booked(w).await;
    w.clock.set(lock() + Duration::hours(1));
    w.work().await;
    set(w, id, Status::Cancelled).await;
    w.work().await;
    assert_eq!(w.gateway.net(), 0);
    w.clock.set(lock() + Duration::hours(3));
    set(w, id, Status::Pending).await;
    w.work().await;
    id
}

async fn newest(w: &World, id: BookingId) -> Consent {
    w.booking(id).await.details.consents.last().unwrap().clone()
}

/// The secret of the newest link that was mailed.
fn token(w: &World) -> String {
    tokens(w).pop().unwrap()
}

fn tokens(w: &World) -> Vec<String> {
    let sent = w.mailer.sent.lock().unwrap();
    let links = sent.iter().filter_map(|m| m.text.split_once("/consent/"));
    links.map(|(_, rest)| rest.split('?').next().unwrap().to_owned()).collect()
}

fn guest() -> Caller {
    Caller::guest(Language::En)
}

async fn says(w: &World, token: &str, agree: bool) -> ServiceResult<Page> {
    answer::answer(&w.s, &guest(), token.to_owned(), agree).await
}

fn code<T: std::fmt::Debug>(done: ServiceResult<T>) -> ErrorCode {
    match done {
        Err(Error::Refused(code, _)) => code,
        other => panic!("{other:?}"),
    }
}

async fn sound(w: &World) {
    let report = reconcile::run(&w.s, start() - Duration::days(1), start() + Duration::days(90)).await.unwrap();
    assert_eq!(report.differences, Vec::<String>::new(), "{:#?}", w.gateway.seen());
    assert_eq!(w.read(|u| u.jobs().dead(9)).await, []);
}

fn state(b: &Booking) -> (Status, bool) {
    (b.status, b.details.charges_wait.is_some())
}

async fn nothing_is_charged_again_before_the_customer_agrees(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = taken_back(&w).await;
    let b = w.booking(id).await;
    assert_eq!(state(&b), (Status::Pending, true));
    let asked = newest(&w, id).await;
    assert_eq!((asked.standing, asked.amount.cents()), (Standing::Asked, TOTAL));
    assert_eq!((asked.expires_at, asked.sent_to.as_str()), (lock(), "ana@portage.test"));
    for word in [b.short_id.as_str(), "February 18, 2027", "$114.98", "$574.88", "1111", "February 16, 2027, 9:00 a.m."]
    {
        assert!(asked.text.contains(word), "{word}: {}", asked.text);
    }
    // Its time is taken, and the daily comparison finds nothing wrong while it waits.
    sound(&w).await;
    w.clock.set(lock() - Duration::minutes(1));
    w.work().await;
    assert_eq!(w.gateway.net(), 0);
    let shown = answer::look(&w.s, token(&w)).await.unwrap();
    assert_eq!((shown.state, &shown.consent.text, shown.releases), (State::Asked, &asked.text, true));
    let agreed = says(&w, &token(&w), true).await.unwrap();
    assert_eq!((agreed.state, agreed.consent.how), (State::Agreed, Some(AnsweredBy::Link)));
    assert_eq!(agreed.consent.answered_at, Some(lock() - Duration::minutes(1)));
    w.work().await;
    assert_eq!(w.gateway.net(), 0, "not before its instant");
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.net(), TOTAL);
    // The same answer again, and the page after it: told, and nothing is charged twice.
    assert_eq!(code(says(&w, &token(&w), true).await), ErrorCode::NotFound, "its time is over");
    let b = w.booking(id).await;
    assert_eq!(state(&b), (Status::Pending, false));
    assert_eq!(newest(&w, id).await.text, asked.text);
    let told = statement::statement(&w.s, &w.customer, id).await.unwrap();
    let is_yes =
        |r: &&statement::Row| matches!(r.fact, statement::Fact::Agreed { kind: "recharge", how: AnsweredBy::Link });
    assert_eq!(told.rows.iter().find(is_yes).unwrap().amount.cents(), TOTAL);
    assert_eq!(told.balance, Money::ZERO);
    sound(&w).await;
}

async fn a_refusal_cancels_the_move_as_it_was(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = taken_back(&w).await;
    let page = says(&w, &token(&w), false).await.unwrap();
    assert_eq!(page.state, State::Refused);
    let b = w.booking(id).await;
    assert_eq!(
        (b.status, b.details.kept, b.details.cancel_reason.as_deref()),
        (Status::Cancelled, Some(Money::ZERO), Some("consent_refused"))
    );
    assert!(w.read(move |u| u.capacities().hold_of_booking(id)).await.is_none(), "its time is free");
    // The lost answer is asked for again; a yes from another tab comes too late.
    assert_eq!(says(&w, &token(&w), false).await.unwrap().state, State::Refused);
    assert_eq!(code(says(&w, &token(&w), true).await), ErrorCode::ConsentAnswered);
    w.clock.set(lock() + Duration::days(1));
    w.work().await;
    assert_eq!(w.gateway.net(), 0);
    sound(&w).await;
}

async fn silence_until_the_48_hour_instant_cancels_the_move(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = taken_back(&w).await;
    w.clock.set(lock() - Duration::seconds(1));
    w.work().await;
    assert_eq!(w.booking(id).await.status, Status::Pending);
    w.clock.set(lock());
    w.work().await;
    let b = w.booking(id).await;
    assert_eq!((b.status, b.details.cancel_reason.as_deref()), (Status::Cancelled, Some("consent_missing")));
    assert_eq!(newest(&w, id).await.standing, Standing::Lapsed);
    assert_eq!(code(answer::look(&w.s, token(&w)).await), ErrorCode::NotFound);
    assert_eq!(code(says(&w, &token(&w), true).await), ErrorCode::NotFound);
    let told =
        w.mailer.sent.lock().unwrap().iter().rev().find(|m| m.text.contains("Nobody answered in time")).is_some();
    assert!(told, "the customer reads why");
    w.work().await;
    assert_eq!(w.gateway.net(), 0);
    sound(&w).await;
    // Taken back once more, it is asked again: nothing went back since, but nothing was agreed to either.
    w.clock.set(lock() + Duration::hours(2));
    set(&w, id, Status::Pending).await;
    w.work().await;
    assert_eq!(state(&w.booking(id).await), (Status::Pending, true));
    assert_eq!(w.gateway.net(), 0);
    assert_eq!(says(&w, &token(&w), true).await.unwrap().state, State::Agreed);
    w.work().await;
    assert_eq!(w.gateway.net(), TOTAL, "at once: the 48-hour instant is past");
    sound(&w).await;
}

/// The company's settings let nothing go by itself.
async fn without_automatic_release_staff_decide(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = taken_back(&w).await;
    w.write(move |u| {
        let mut b = u.bookings().get(id)?.unwrap();
        b.details.policy.auto_release = false;
        let version = b.version;
        u.bookings().update(&b, version)
    })
    .await;
    w.clock.set(lock());
    w.work().await;
    let b = w.booking(id).await;
    assert_eq!((state(&b), b.details.payment_problem), ((Status::Pending, true), true));
    assert_eq!(w.gateway.net(), 0);
    sound(&w).await;
    // Asked again, on the day before the move.
    w.clock.set(lock() + Duration::hours(24));
    let Replayable::Fresh(sent) = staff::ask_again(&w.s, &w.staff(), id, None).await.unwrap() else { panic!() };
    assert_eq!(sent.expires_at, lock() + Duration::hours(48));
    w.work().await;
    says(&w, &token(&w), true).await.unwrap();
    w.work().await;
    let b = w.booking(id).await;
    assert_eq!((w.gateway.net(), b.details.payment_problem), (TOTAL, false));
    assert_eq!(code(staff::ask_again(&w.s, &w.staff(), id, None).await), ErrorCode::ConsentNotNeeded);
    sound(&w).await;
}

/// Charged as a whole, cancelled by the company inside 48 hours, and taken back.
async fn inside_48_hours_there_is_a_day_to_answer(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = taken_back_inside_48_hours(&w).await;
    let asked = newest(&w, id).await;
    assert_eq!(asked.expires_at, lock() + Duration::hours(27));
    assert!(asked.text.contains("as soon as I agree"), "{}", asked.text);
    // A customer's cancellation while it waits keeps what is held, which is nothing, and charges nothing.
    let preview = cancel::preview(&w.s, &w.customer, id).await.unwrap().outcome;
    assert_eq!((preview.kept, preview.to_charge, preview.refund), (Money::ZERO, Money::ZERO, Money::ZERO));
    w.clock.set(lock() + Duration::hours(26));
    w.work().await;
    assert_eq!(w.gateway.net(), 0);
    says(&w, &token(&w), true).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.net(), TOTAL);
    sound(&w).await;
}

async fn price(w: &World, id: BookingId, cents: i64) {
    let edit = StaffEdit { amount: Some(Money::from_cents(cents)), ..StaffEdit::default() };
    edit_as_staff(&w.s, &w.staff(), id, edit, None).await.unwrap();
}

async fn another_price_asks_again(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = taken_back(&w).await;
    let first = token(&w);
    price(&w, id, 60_000).await;
    // Before the job has run: what the person was shown does not hold.
    let told = says(&w, &first, true).await.unwrap();
    assert_eq!(told.state, State::Replaced);
    w.work().await;
    let b = w.booking(id).await;
    assert_eq!(state(&b), (Status::Pending, true));
    let standings: Vec<Standing> = b.details.consents.iter().map(|c| c.standing).collect();
    assert_eq!(standings, [Standing::Replaced, Standing::Asked]);
    assert!(newest(&w, id).await.text.contains("$689.85"));
    assert_eq!((tokens(&w).len(), answer::look(&w.s, first.clone()).await.unwrap().state), (2, State::Replaced));
    // A change of something else asks nothing anew.
    let note = StaffEdit { notes: Some("Rings twice".into()), ..StaffEdit::default() };
    edit_as_staff(&w.s, &w.staff(), id, note, None).await.unwrap();
    w.work().await;
    assert_eq!(tokens(&w).len(), 2);
    assert_eq!(says(&w, &first, true).await.unwrap().state, State::Replaced, "the old link moves nothing");
    assert!(w.booking(id).await.details.charges_wait.is_some());
    says(&w, &token(&w), true).await.unwrap();
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.net(), 68_985);
    sound(&w).await;
}

async fn another_card_asks_again(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = taken_back(&w).await;
    service::payments::add_card(&w.s, &w.customer, "another-nonce".into(), None, None).await.unwrap();
    w.work().await;
    assert_eq!(tokens(&w).len(), 2);
    assert_ne!(newest(&w, id).await.text, w.booking(id).await.details.consents[0].text);
}

async fn cancelled_again_while_it_waits(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = taken_back(&w).await;
    let link = token(&w);
    let done = cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    assert_eq!((done.outcome.kept, done.outcome.to_charge), (Money::ZERO, Money::ZERO));
    assert_eq!(answer::look(&w.s, link.clone()).await.unwrap().state, State::Ended);
    let told = says(&w, &link, true).await.unwrap();
    assert_eq!((told.state, w.booking(id).await.status), (State::Ended, Status::Cancelled));
    w.work().await;
    w.clock.set(lock() + Duration::hours(1));
    w.work().await;
    assert_eq!(w.gateway.net(), 0);
    sound(&w).await;
}

async fn agreed_and_cancelled_again_is_asked_again(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = taken_back(&w).await;
    says(&w, &token(&w), true).await.unwrap();
    w.work().await;
    set(&w, id, Status::Cancelled).await;
    w.work().await;
    set(&w, id, Status::Pending).await;
    w.work().await;
    assert_eq!((state(&w.booking(id).await), tokens(&w).len()), ((Status::Pending, true), 2));
    says(&w, &token(&w), true).await.unwrap();
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.net(), TOTAL);
    sound(&w).await;
}

/// A run of chaos: the transfer that a cancellation had kept never came, and its fee waited for ever for a customer who was
/// asked for nothing any more, on no list.
async fn what_came_by_hand_and_was_taken_out_after_the_cancellation_is_asked_of_no_card(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = taken_back_inside_48_hours(&w).await;
    let by_hand = async |cents: i64, method: PaidWith| {
        let came = Received { method, amount: Money::from_cents(cents), reference: Some(format!("{cents}")) };
        received::record(&w.s, &w.staff(), id, came, None).await.unwrap();
        w.work().await;
    };
    by_hand(40_000, PaidWith::Etransfer).await;
    let done = cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    assert_eq!((done.outcome.kept.cents(), done.outcome.to_charge), (40_000, Money::ZERO));
    let rows = w.read(move |u| u.payments().of_booking(id)).await;
    let transfer = rows.iter().find(|r| r.method == PaidWith::Etransfer).unwrap().id;
    received::undo(&w.s, &w.staff(), transfer, "It never came".into(), None).await.unwrap();
    for hours in [4, 60] {
        w.clock.set(lock() + Duration::hours(hours));
        w.work().await;
        assert_eq!(w.gateway.net(), 0);
        let rows = w.read(move |u| u.payments().of_booking(id)).await;
        assert!(!rows.iter().any(|r| r.kind.is_charge() && facts::open(r)), "{rows:?}");
        let b = w.booking(id).await;
        assert_eq!((b.details.payment_problem, b.details.kept.unwrap().cents()), (true, 40_000));
        assert_eq!(apart::owed_by_people(&b, &rows).cents(), 40_000);
        sound(&w).await;
    }
    assert!(record::get(&w.s, &w.staff(), id).await.unwrap().payable_by_link);
    by_hand(40_000, PaidWith::Cash).await;
    assert!(!w.booking(id).await.details.payment_problem);
    sound(&w).await;
}

async fn paid_by_hand_there_is_nothing_to_ask(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = taken_back(&w).await;
    let link = token(&w);
    let cash = Received { method: PaidWith::Cash, amount: Money::from_cents(TOTAL), reference: None };
    received::record(&w.s, &w.staff(), id, cash, None).await.unwrap();
    w.work().await;
    let b = w.booking(id).await;
    assert_eq!((state(&b), newest(&w, id).await.standing), ((Status::Pending, false), Standing::Replaced));
    assert_eq!(says(&w, &link, true).await.unwrap().state, State::Replaced);
    w.clock.set(lock() + Duration::hours(1));
    w.work().await;
    assert_eq!((w.gateway.net(), w.booking(id).await.status), (0, Status::Pending));
    sound(&w).await;
}

/// The question lapsed after the move had begun, so nothing was released; what is still owed stays in front of staff.
async fn after_a_lapsed_question_a_part_in_cash_leaves_the_rest_among_the_problems(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = taken_back(&w).await;
    w.clock.set(w.booking(id).await.move_at + Duration::hours(1));
    w.work().await;
    let b = w.booking(id).await;
    assert_eq!((state(&b), b.details.payment_problem), ((Status::Pending, true), true));
    for (cents, still) in [(TOTAL - 17, true), (17, false)] {
        let cash = Received { method: PaidWith::Cash, amount: Money::from_cents(cents), reference: None };
        received::record(&w.s, &w.staff(), id, cash, None).await.unwrap();
        w.work().await;
        assert_eq!(w.booking(id).await.details.payment_problem, still, "{cents} cents came");
    }
    assert_eq!(w.gateway.net(), 0);
    sound(&w).await;
}

/// Nothing was charged before it was cancelled: taken back, it is charged as it was agreed when it was booked.
async fn what_did_not_go_back_needs_no_consent(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = booked(&w).await;
    w.clock.set(start() + Duration::hours(1));
    set(&w, id, Status::Cancelled).await;
    w.work().await;
    w.clock.set(start() + Duration::hours(2));
    set(&w, id, Status::Pending).await;
    w.work().await;
    let b = w.booking(id).await;
    assert_eq!((state(&b), b.details.consents.len()), ((Status::Pending, false), 0));
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.net(), TOTAL);
    sound(&w).await;
}

async fn write_down(w: &World, id: BookingId, which: Option<uuid::Uuid>, note: &str) -> ServiceResult<Booking> {
    let done = record::consent(&w.s, &w.staff(), id, which, note.into(), None).await?;
    match done {
        Replayable::Fresh(record) => Ok(record.detail.booking),
        Replayable::Replayed { .. } => panic!("no key was sent"),
    }
}

async fn a_yes_on_the_telephone_is_kept_with_its_words(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = taken_back(&w).await;
    let asked = newest(&w, id).await;
    let field = write_down(&w, id, Some(asked.id), "  ").await;
    assert!(matches!(&field, Err(Error::Invalid(f)) if f[0].field == "note" && f[0].problem == FieldProblem::Required));
    let b = write_down(&w, id, Some(asked.id), "Ana Roy, at ten").await.unwrap();
    let kept = b.details.consents.last().unwrap();
    assert_eq!(
        (kept.standing, kept.how, kept.note.as_str()),
        (Standing::Agreed, Some(AnsweredBy::Telephone), "Ana Roy, at ten")
    );
    assert_eq!((&kept.text, kept.written_by), (&asked.text, w.ops.user));
    // Pressed twice, and by somebody whose page is old.
    assert_eq!(code(write_down(&w, id, Some(asked.id), "again").await), ErrorCode::ConsentOutdated);
    assert_eq!(code(write_down(&w, id, None, "again").await), ErrorCode::ConsentNotNeeded);
    // The link shows that it is done.
    assert_eq!(answer::look(&w.s, token(&w)).await.unwrap().state, State::Agreed);
    w.clock.set(lock());
    w.work().await;
    assert_eq!(w.gateway.net(), TOTAL);
    sound(&w).await;
}

async fn asked_again_ends_the_link_before(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = taken_back(&w).await;
    let first = token(&w);
    staff::ask_again(&w.s, &w.staff(), id, None).await.unwrap();
    w.work().await;
    assert_ne!(token(&w), first);
    assert_eq!(says(&w, &first, true).await.unwrap().state, State::Replaced);
    assert!(w.booking(id).await.details.charges_wait.is_some());
    assert_eq!(says(&w, &token(&w), true).await.unwrap().state, State::Agreed);
}

async fn links_that_are_forged_or_of_another_kind(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = taken_back(&w).await;
    let mut forged = token(&w);
    let last = if forged.ends_with('A') { 'B' } else { 'A' };
    forged.pop();
    forged.push(last);
    assert_eq!(code(answer::look(&w.s, forged.clone()).await), ErrorCode::NotFound);
    assert_eq!(code(says(&w, &forged, true).await), ErrorCode::NotFound);
    // A link for another card answers nothing, and this one stores no card.
    let Replayable::Fresh(card) = service::payments::card_link::send(&w.s, &w.staff(), id, None).await.unwrap() else {
        panic!()
    };
    let of_card = card.url.rsplit_once("/card/").unwrap().1.split('?').next().unwrap().to_owned();
    assert_eq!(code(says(&w, &of_card, true).await), ErrorCode::NotFound);
    assert_eq!(code(service::payments::card_link::look(&w.s, token(&w)).await), ErrorCode::NotFound);
    assert!(w.booking(id).await.details.charges_wait.is_some());
}

async fn two_tabs_answer_once(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = taken_back(&w).await;
    let link = token(&w);
    let (yes, no) = tokio::join!(says(&w, &link, true), says(&w, &link, false));
    let standing = newest(&w, id).await.standing;
    match standing {
        Standing::Agreed => {
            assert_eq!(yes.unwrap().state, State::Agreed);
            assert_eq!(code(no), ErrorCode::ConsentAnswered);
        }
        Standing::Refused => {
            assert_eq!(no.unwrap().state, State::Refused);
            assert_eq!(code(yes), ErrorCode::ConsentAnswered);
        }
        other => panic!("{other:?}"),
    }
    w.work().await;
    sound(&w).await;
}

/// Moved to tomorrow, the whole would be due with the change.
async fn an_edit_while_it_waits_charges_nothing(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = taken_back(&w).await;
    let mut edit = StaffEdit::default();
    edit.change.date = NaiveDate::from_ymd_opt(2027, 2, 11);
    edit_as_staff(&w.s, &w.staff(), id, edit, None).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.net(), 0);
    let asked = newest(&w, id).await;
    assert!(asked.text.contains("February 11, 2027"), "{}", asked.text);
    sound(&w).await;
    says(&w, &token(&w), true).await.unwrap();
    w.work().await;
    assert_eq!(w.gateway.net(), TOTAL);
    sound(&w).await;
}

async fn the_words_are_in_the_language_of_the_booking(db: TestDb) {
    let w = World::on(db, start()).await;
    let id = taken_back(&w).await;
    for (language, word) in [(Language::Fr, "J’accepte que ma carte"), (Language::Zh, "我同意从我尾号为 1111")]
    {
        w.write(move |u| {
            let mut b = u.bookings().get(id)?.unwrap();
            b.language = language;
            let version = b.version;
            u.bookings().update(&b, version)
        })
        .await;
        staff::ask_again(&w.s, &w.staff(), id, None).await.unwrap();
        let asked = newest(&w, id).await;
        assert!(asked.text.contains(word) && asked.language == language, "{}", asked.text);
        assert!(!asked.text.contains('{'), "{}", asked.text);
        w.work().await;
        assert!(w.mailer.sent.lock().unwrap().last().unwrap().text.contains(word));
    }
}
