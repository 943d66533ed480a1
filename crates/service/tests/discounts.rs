//! Discount codes: the last use is one client's, however many want it at once, and a code that staff remove stays with the
//! bookings that have it.

use crate::support::{Next, OsEntropy, World, caller, draft, location};
use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, DiscountId, Money, Province, UserId};
use pricing::{DiscountTerms, MoveKind};
use scheduling::BucketKey;
use service::{
    Caller, Error, ErrorCode, Role,
    billing::reconcile,
    bookings::{
        Draft, cancel, create,
        edit::{EditInput, StaffEdit, edit, edit_as_staff, preview},
        status,
    },
    discounts::{self, desk},
    estimates::{self, EstimateInput},
    idempotency::Replayable,
    ports::{
        Entropy as _,
        bookings::{Booking, Location},
        capacity::DayCapacity,
    },
};
use status_machine::{booking::Status, records::CheckoutState};
use store::testing::TestDb;

const CLIENTS: usize = 50;
/// Before tax.
const OFF: Money = Money::from_cents(5_000);

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

fn day(d: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2027, 2, d).unwrap()
}

fn on(d: u32, hour: u32) -> Draft {
    draft(Province::QC, day(d), NaiveTime::from_hms_opt(hour, 0, 0).unwrap())
}

fn with(code: &str, draft: Draft) -> Draft {
    Draft { discount_code: Some(code.to_owned()), ..draft }
}

fn refused(e: &Error) -> Option<ErrorCode> {
    match e {
        Error::Refused(code, _) | Error::ByGateway(code, ..) => Some(*code),
        _ => None,
    }
}

/// 50.00 off every move of 2027, so many times.
fn terms(code: &str, max_uses: Option<i32>) -> desk::Terms {
    let day = |m, d| NaiveDate::from_ymd_opt(2027, m, d).unwrap();
    desk::Terms {
        code: code.to_owned(),
        terms: DiscountTerms::Fixed { amount: OFF },
        valid: (day(1, 1), day(12, 31)),
        bookable: (None, None),
        provinces: Vec::new(),
        kinds: Vec::new(),
        max_uses,
        max_uses_per_customer: None,
        first_booking_only: false,
        disabled: false,
    }
}

async fn code(w: &World, code: &str, max_uses: Option<i32>) -> DiscountId {
    match desk::add(&w.s, &w.staff(), terms(code, max_uses), None).await.unwrap() {
        Replayable::Fresh(standing) => standing.discount.id,
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

/// Somebody with a card.
async fn somebody(w: &World, name: &str) -> Caller {
    let who = caller(Role::Customer, UserId(OsEntropy.uuid(monday())));
    w.person(&who, &format!("{name} Tester"), &format!("{name}@portage.test"), monday()).await;
    w.card_of(&who).await;
    who
}

async fn booked(w: &World, who: &Caller, draft: Draft) -> Result<Box<Booking>, Error> {
    match Box::pin(create(&w.s, who, draft, None, None)).await? {
        Replayable::Fresh(made) => Ok(Box::new(made.booking)),
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

/// As its customer changes it.
async fn edited(w: &World, id: BookingId, input: EditInput) -> Result<Box<Booking>, Error> {
    Ok(Box::new(Box::pin(edit(&w.s, &w.customer, id, input, None)).await?.booking))
}

async fn stored(w: &World, id: BookingId) -> Box<Booking> {
    Box::new(w.booking(id).await)
}

/// Half hours of mates that bookings and holds of these days have taken.
async fn mates_taken(w: &World) -> u32 {
    let keys: Vec<BucketKey> =
        (8..20).flat_map(|d| (0..50).map(move |index| BucketKey { date: day(d), index })).collect();
    w.read(move |u| u.capacities().view("montreal", &keys)).await.iter().map(|c| c.mates_used).sum()
}

async fn bookings_of(w: &World, crowd: &[Caller]) -> i64 {
    let mut all = 0;
    for who in crowd {
        let user = who.user.unwrap();
        all += w.read(move |u| u.bookings().of_user(user, 1, 10)).await.total;
    }
    all
}

async fn sound(w: &World) {
    w.work().await;
    let report = reconcile::run(&w.s, monday() - Duration::days(1), monday() + Duration::days(90)).await.unwrap();
    assert_eq!(report.differences, Vec::<String>::new(), "{:#?}", w.gateway.seen());
    assert_eq!(w.gateway.repeated(), Vec::<String>::new());
    assert_eq!(w.read(|u| u.capacities().drift()).await, Vec::<String>::new());
    assert!(w.read(|u| u.checkouts().in_state(CheckoutState::Charging)).await.is_empty());
}

/// Of two uses one is gone; each of the crowd wants the other, for a move of theirs.
async fn race(w: &World, crowd: &[Caller], name: &'static str, wish: fn(u32) -> Draft, at_once: bool) {
    let id = code(w, name, Some(2)).await;
    let empty = mates_taken(w).await;
    let first = booked(w, &w.customer, with(name, wish(0))).await.unwrap();
    let (one, charged, theirs) = (mates_taken(w).await, w.gateway.charges().len(), bookings_of(w, crowd).await);
    let tries: Vec<_> = (0_u32..)
        .zip(crowd)
        .map(|(n, who)| {
            let (s, who) = (w.s.clone(), who.clone());
            let spelled = if n % 2 == 0 { name.to_owned() } else { format!(" {} ", name.to_lowercase()) };
            tokio::spawn(async move { create(&s, &who, with(&spelled, wish(n)), None, None).await })
        })
        .collect();
    let mut won = Vec::new();
    for (who, task) in crowd.iter().zip(tries) {
        match task.await.unwrap() {
            Ok(Replayable::Fresh(made)) => won.push(made.booking),
            Ok(Replayable::Replayed { .. }) => panic!("replayed"),
            Err(e) => assert_eq!(refused(&e), Some(ErrorCode::DiscountInvalid), "{who:?}: {e:?}"),
        }
    }
    assert_eq!(won.len(), 1, "{name}");
    let winner = &won[0];
    assert_eq!((winner.discount_code.as_deref(), winner.details.discount), (Some(name), OFF));
    // Both uses are counted, and are those of the two bookings there are.
    let standing = desk::get(&w.s, &w.staff(), id).await.unwrap();
    assert_eq!((standing.discount.uses, standing.state), (2, desk::State::Exhausted));
    let uses = desk::uses(&w.s, &w.staff(), id, (1, 100)).await.unwrap();
    let mut of: Vec<_> = uses.data.iter().map(|u| u.used.booking).collect();
    let mut there = [first.id, winner.id];
    of.sort();
    there.sort();
    assert_eq!((uses.total, of.as_slice()), (2, there.as_slice()));
    assert!(uses.data.iter().all(|u| u.used.returned_at.is_none() && u.off == Some(OFF)), "{uses:?}");
    // The losers have no booking, were charged nothing and keep nobody's time.
    assert_eq!(bookings_of(w, crowd).await, theirs + 1);
    let expected = if at_once { vec![winner.total.cents()] } else { Vec::new() };
    assert_eq!(w.gateway.charges()[charged..], expected[..]);
    assert_eq!(mates_taken(w).await - one, one - empty);
    // What stopped them was the code alone.
    let loser = crowd.iter().zip(0_u32..).find(|(who, _)| who.user != Some(winner.user_id)).unwrap();
    let plain = booked(w, loser.0, wish(loser.1)).await.unwrap();
    assert_eq!(plain.discount_code, None);
    sound(w).await;
}

/// On five days, so that nothing but the code is contended; and within 48 hours, where money moves with the booking.
async fn one_of_fifty_has_the_last_use(db: TestDb) {
    let w = World::on(db, monday()).await;
    w.flat_rate(50_000).await;
    w.calendar(DayCapacity { mates: 200, trucks: [100; 3] }).await;
    let mut crowd = Vec::new();
    for n in 0..CLIENTS {
        crowd.push(somebody(&w, &format!("racer{n}")).await);
    }
    race(&w, &crowd, "LAST", |n| on(15 + n % 5, 9), false).await;
    assert_eq!(w.gateway.charges(), Vec::<i64>::new());
    race(&w, &crowd, "LASTSOON", |_| on(9, 13), true).await;
}

/// The last use is somebody else's again when it was never paid for.
async fn a_declined_card_leaves_the_last_use_to_others(db: TestDb) {
    let w = World::on(db, monday()).await;
    w.flat_rate(50_000).await;
    let other = somebody(&w, "other").await;
    let id = code(&w, "LAST", Some(1)).await;
    w.gateway.queue(&[Next::Soft]);
    let declined = booked(&w, &w.customer, with("LAST", on(9, 13))).await.unwrap_err();
    assert_eq!(refused(&declined), Some(ErrorCode::PaymentDeclined));
    assert_eq!(desk::get(&w.s, &w.staff(), id).await.unwrap().discount.uses, 0);
    let theirs = booked(&w, &other, with("LAST", on(9, 13))).await.unwrap();
    assert_eq!((theirs.details.discount, w.gateway.net()), (OFF, theirs.total.cents()));
    let again = booked(&w, &w.customer, with("LAST", on(9, 13))).await.unwrap_err();
    assert_eq!(refused(&again), Some(ErrorCode::DiscountInvalid));
    sound(&w).await;
}

/// How people write the removed code.
const SPELLINGS: [&str; 3] = ["\u{c9}T\u{c9}27", "\u{e9}t\u{e9}27", " \u{c9}t\u{e9}27 "];

/// Nobody gets it any more: not by a price, a look-up or a booking, however it is written.
async fn is_refused_everywhere(w: &World) {
    for spelled in SPELLINGS {
        let found = discounts::lookup(&w.s, spelled.to_owned(), day(18)).await.unwrap_err();
        assert_eq!(refused(&found), Some(ErrorCode::DiscountNotFound), "{spelled}");
        let asked = EstimateInput {
            saved_quote: None,
            job: on(18, 9).job(15, 50),
            moving_date: Some(day(18)),
            discount_code: Some(spelled.to_owned()),
        };
        let told = estimates::estimate(&w.s, &w.customer, asked).await.unwrap().estimate;
        assert_eq!((told.discount_refused, told.discount_code, told.quote.discount), (true, None, Money::ZERO));
        let made = booked(w, &w.customer, with(spelled, on(17, 13))).await.unwrap_err();
        assert_eq!(refused(&made), Some(ErrorCode::DiscountInvalid), "{spelled}");
    }
}

fn discount_line(b: &Booking) -> Option<Money> {
    b.details.lines.iter().find(|l| l.content == "discount").map(|l| l.amount)
}

fn spelled(code: &str) -> Option<Option<String>> {
    Some(Some(code.to_owned()))
}

/// With each booking that it was used in, before it was removed.
async fn removed(w: &World, drafts: Vec<Draft>) -> (DiscountId, Vec<Booking>) {
    w.flat_rate(50_000).await;
    let id = code(w, SPELLINGS[1], None).await;
    let mut all = Vec::new();
    for (n, draft) in drafts.into_iter().enumerate() {
        let made = booked(w, &w.customer, with(SPELLINGS[n % SPELLINGS.len()], draft)).await.unwrap();
        all.push(w.booking(made.id).await);
    }
    desk::remove(&w.s, &w.staff(), id, None).await.unwrap();
    for b in &all {
        assert_eq!((b.total.cents(), discount_line(b)), (51_739, Some(OFF.negated())));
        assert_eq!(*stored(w, b.id).await, *b, "removing touches no booking");
    }
    (id, all)
}

async fn a_removed_code_stays_with_its_edited_bookings(db: TestDb) {
    let w = World::on(db, monday()).await;
    let (id, all) = removed(&w, vec![on(18, 9)]).await;
    let kept = &all[0];
    let made = booked(&w, &w.customer, on(16, 9)).await.unwrap();
    let plain = stored(&w, made.id).await;
    is_refused_everywhere(&w).await;

    // Words alone: its code in another spelling is no change, so that a newer card does not count either.
    w.clock.set(monday() + Duration::minutes(1));
    w.flat_rate(90_000).await;
    let input = EditInput {
        comments: Some("The gate is blue.".into()),
        discount_code: spelled(SPELLINGS[2]),
        ..EditInput::default()
    };
    let worded = edited(&w, kept.id, input).await.unwrap();
    assert_eq!(worded.details.comments, "The gate is blue.");
    assert_eq!(
        (worded.total, &worded.details.lines, worded.details.rate_version),
        (kept.total, &kept.details.lines, kept.details.rate_version)
    );
    // Another day is priced anew, with the code it has.
    w.clock.set(monday() + Duration::minutes(2));
    w.flat_rate(50_000).await;
    for (n, code) in (22_u32..).zip(SPELLINGS) {
        let input = EditInput { date: Some(day(n)), discount_code: spelled(code), ..EditInput::default() };
        let moved = edited(&w, kept.id, input).await.unwrap();
        assert_eq!(
            (moved.move_date, moved.discount_code.as_deref(), discount_line(&moved), moved.total),
            (day(n), Some(SPELLINGS[0]), Some(OFF.negated()), kept.total),
            "{code}"
        );
    }
    let staff = StaffEdit::from(EditInput { date: Some(day(18)), ..EditInput::default() });
    let moved = Box::pin(edit_as_staff(&w.s, &w.staff(), kept.id, staff, None)).await.unwrap().booking;
    assert_eq!((discount_line(&moved), moved.total), (Some(OFF.negated()), kept.total));

    // A booking without it cannot take it, and one that gives it up does not have it back.
    let take = || EditInput { discount_code: spelled(SPELLINGS[0]), ..EditInput::default() };
    assert_eq!(refused(&edited(&w, plain.id, take()).await.unwrap_err()), Some(ErrorCode::DiscountInvalid));
    assert_eq!(*stored(&w, plain.id).await, *plain);
    let without = EditInput { discount_code: Some(None), ..EditInput::default() };
    let dearer = edited(&w, kept.id, without).await.unwrap();
    assert_eq!((dearer.discount_code.as_deref(), dearer.total.cents()), (None, 57_488));
    assert_eq!(desk::get(&w.s, &w.staff(), id).await.unwrap().discount.uses, 0);
    assert_eq!(refused(&edited(&w, kept.id, take()).await.unwrap_err()), Some(ErrorCode::DiscountInvalid));
    is_refused_everywhere(&w).await;
    sound(&w).await;
}

/// Called off, and on again: the use goes back and returns with the booking.
async fn a_removed_code_stays_with_its_cancelled_bookings(db: TestDb) {
    let w = World::on(db, monday()).await;
    let (id, all) = removed(&w, vec![on(18, 9), on(19, 9)]).await;
    let (kept, called_off) = (&all[0], &all[1]);
    let standing = async || {
        let standing = desk::get(&w.s, &w.staff(), id).await.unwrap();
        (standing.discount.uses, standing.state)
    };
    assert_eq!(standing().await, (2, desk::State::Disabled));
    Box::pin(cancel::cancel(&w.s, &w.customer, called_off.id)).await.unwrap();
    assert_eq!(standing().await, (1, desk::State::Disabled));
    let gone = stored(&w, called_off.id).await;
    assert_eq!((&gone.discount_code, &gone.details.lines), (&called_off.discount_code, &called_off.details.lines));
    is_refused_everywhere(&w).await;
    // Every use was returned once; who used it is told all the same.
    let uses = desk::uses(&w.s, &w.staff(), id, (1, 10)).await.unwrap();
    let mut told: Vec<_> = uses.data.iter().map(|u| (u.short_id.clone(), u.off, u.used.returned_at)).collect();
    told.sort();
    let now = Some(w.clock.now_value());
    let mut want = [(kept, None), (called_off, now)].map(|(b, back)| (Some(b.short_id.clone()), Some(OFF), back));
    want.sort();
    assert_eq!((uses.total, told.as_slice()), (2, want.as_slice()));

    let said = status::StatusInput { reason: Some("they move after all".into()), ..status::StatusInput::default() };
    Box::pin(status::set(&w.s, &w.staff(), called_off.id, Status::Pending, said)).await.unwrap();
    let back = stored(&w, called_off.id).await;
    assert_eq!(
        (back.status, back.total, discount_line(&back)),
        (Status::Pending, called_off.total, Some(OFF.negated()))
    );
    assert_eq!(standing().await, (2, desk::State::Disabled));
    // Removed twice is removed once, and the name is not free for another code.
    desk::remove(&w.s, &w.staff(), id, None).await.unwrap();
    let audits = w.read(move |u| u.audits().of_subject("discount", &id.to_string())).await;
    let mut actions: Vec<&str> = audits.iter().map(|a| a.action.as_str()).collect();
    actions.sort_unstable();
    assert_eq!(actions, ["discount.add", "discount.remove"]);
    let taken = desk::add(&w.s, &w.staff(), terms(SPELLINGS[2], None), None).await.unwrap_err();
    assert_eq!(refused(&taken), Some(ErrorCode::DiscountCodeTaken));
    is_refused_everywhere(&w).await;
    sound(&w).await;
}

/// A code for homes in Quebec and five days is on three bookings. What changes neither day, kind nor province keeps it, even
/// after it was removed; what does is judged by its terms, and a move that they do not allow has the price without it.
async fn a_code_is_judged_again_where_the_move_is_another(db: TestDb) {
    let w = World::on(db, monday()).await;
    w.flat_rate(50_000).await;
    let narrow = desk::Terms {
        valid: (day(15), day(19)),
        bookable: (None, Some(day(8))),
        provinces: vec![Province::QC],
        kinds: vec![MoveKind::Residential],
        max_uses: Some(3),
        ..terms("NARROW", None)
    };
    let id = match desk::add(&w.s, &w.staff(), narrow, None).await.unwrap() {
        Replayable::Fresh(standing) => standing.discount.id,
        Replayable::Replayed { .. } => panic!("replayed"),
    };
    let mut all = Vec::new();
    for n in [16, 17, 18] {
        all.push(booked(&w, &w.customer, with("NARROW", on(n, 9))).await.unwrap());
    }
    desk::remove(&w.s, &w.staff(), id, None).await.unwrap();
    // The day after, when nobody may book with it any more.
    w.clock.set(monday() + Duration::hours(16));
    let uses = async || desk::get(&w.s, &w.staff(), id).await.unwrap().discount.uses;
    let has = |b: &Booking| (b.discount_code.is_some(), discount_line(b).is_some());
    assert_eq!(uses().await, 3);

    let upstairs = Location { floor: 2, ..location(Province::QC) };
    for (what, input) in [
        ("words", EditInput { comments: Some("The gate is blue.".into()), ..EditInput::default() }),
        ("a floor", EditInput { pickup: Some(upstairs), ..EditInput::default() }),
        ("another time", EditInput { time: NaiveTime::from_hms_opt(13, 0, 0), ..EditInput::default() }),
        ("another day of its days", EditInput { date: Some(day(19)), ..EditInput::default() }),
    ] {
        let kept = edited(&w, all[2].id, input).await.unwrap();
        assert_eq!(has(&kept), (true, true), "{what}");
    }
    assert_eq!(uses().await, 3);

    // A day beyond its days, by the customer, who is shown it before.
    let before = stored(&w, all[2].id).await;
    let later = || EditInput { date: Some(day(22)), discount_code: spelled("narrow"), ..EditInput::default() };
    let shown = Box::pin(preview(&w.s, &w.customer, all[2].id, later())).await.unwrap();
    assert_eq!((has(&shown.booking), shown.new_total > shown.old_total), ((false, false), true));
    assert_eq!((*stored(&w, all[2].id).await, uses().await), (*before, 3), "a preview changes nothing");
    let input = EditInput { expected_total: Some(shown.new_total), ..later() };
    let moved = edited(&w, all[2].id, input).await.unwrap();
    assert_eq!((has(&moved), moved.total, uses().await), ((false, false), shown.new_total, 2));

    // A pickup in another province.
    let (pickup, dropoff) = (Some(location(Province::ON)), Some(location(Province::ON)));
    let elsewhere = edited(&w, all[1].id, EditInput { pickup, dropoff, ..EditInput::default() }).await.unwrap();
    assert_eq!((elsewhere.province, has(&elsewhere), uses().await), (Province::ON, (false, false), 1));

    // Another kind, by staff.
    let input = EditInput { kind: Some(MoveKind::Commercial), ..EditInput::default() };
    let wish = StaffEdit::from(input);
    let office = Box::pin(edit_as_staff(&w.s, &w.staff(), all[0].id, wish, None)).await.unwrap().booking;
    assert_eq!((office.move_kind, has(&office), uses().await), (MoveKind::Commercial, (false, false), 0));
    sound(&w).await;
}

on_both_engines!(
    a_code_is_judged_again_where_the_move_is_another,
    one_of_fifty_has_the_last_use,
    a_declined_card_leaves_the_last_use_to_others,
    a_removed_code_stays_with_its_edited_bookings,
    a_removed_code_stays_with_its_cancelled_bookings,
);
