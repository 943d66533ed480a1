//! A quote by mail: exactly that draft at the same cents until it lapses, for whoever holds the link.

use crate::support::{World, draft, flat::flat};
use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{DiscountId, Language, MateCount, Money, Province};
use pricing::{DiscountTerms, RateCard};
use service::{
    Caller, Error, ErrorCode, ServiceResult,
    bookings::{
        Draft,
        saved::{self, NewSavedQuote, State},
    },
    estimates::{self, EstimateInput, Explained},
    idempotency::Replayable,
    ports::{discounts::StoredDiscount, messages::MessageFilter, quotes::SavedQuote},
    secret,
};
use store::testing::TestDb;

in_both_worlds!(
    the_price_holds_until_it_lapses,
    the_way_is_that_of_the_quote,
    another_move_has_the_price_of_today,
    a_quote_ends_with_its_code,
    a_quote_keeps_the_terms_of_its_code,
    a_promise_is_beyond_the_last_use,
    a_promise_is_kept_when_it_is_paid_at_once,
    a_code_that_was_promised_is_not_removed,
    what_a_code_asks_of_its_customer_is_asked_by_the_kept_terms,
    a_quote_that_is_mailed_again_ends_when_the_first_does,
    a_mailbox_is_not_filled,
    the_secret_is_in_the_mail_alone,
    what_lapsed_is_forgotten,
);

async fn world(db: TestDb) -> World {
    let w = World::on(db, "2027-02-08T14:00:00Z".parse().unwrap()).await;
    w.flat_rate(50_000).await;
    w
}

fn thursday() -> Draft {
    draft(Province::QC, NaiveDate::from_ymd_opt(2027, 2, 18).unwrap(), NaiveTime::from_hms_opt(9, 0, 0).unwrap())
}

const KEPT: &str = r#"{"mateCount":2,"ownItems":"une lampe « fragile »"}"#;

async fn mail(w: &World, who: &Caller, to: &str, draft: Draft) -> ServiceResult<SavedQuote> {
    let wish = NewSavedQuote { to: to.parse().unwrap(), draft, kept: KEPT.to_owned() };
    match saved::save(&w.s, who, wish, None).await? {
        Replayable::Fresh(saved) => Ok(saved.quote),
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

/// Mails it and answers the secret of the link that came.
async fn mailed(w: &World, draft: Draft) -> String {
    mail(w, &Caller::guest(Language::En), "guest@portage.test", draft).await.unwrap();
    newest_link(w).await
}

async fn newest_link(w: &World) -> String {
    w.work().await;
    let mails = w.mailer.sent.lock().unwrap().clone();
    let text = mails.iter().rfind(|mail| mail.message_type == "quoteSaved").unwrap().text.clone();
    let link = text.split_whitespace().find(|word| word.contains("/saved/")).unwrap();
    link.rsplit_once("/saved/").unwrap().1.split('?').next().unwrap().to_owned()
}

/// Everything is twice as dear from now on.
async fn dearer(w: &World) {
    w.rate(flat(100_000), w.clock.now_value() - Duration::milliseconds(1)).await;
}

fn wanted(draft: &Draft, token: &str) -> EstimateInput {
    EstimateInput {
        job: draft.job(15, 62),
        moving_date: Some(draft.date),
        discount_code: draft.discount_code.clone(),
        saved_quote: Some(secret::hash(token)),
    }
}

async fn estimated(w: &World, draft: &Draft, token: &str) -> Explained {
    estimates::estimate(&w.s, &Caller::guest(Language::En), wanted(draft, token)).await.unwrap()
}

fn taken_up(draft: Draft, token: &str) -> Draft {
    Draft { saved_quote: Some(secret::hash(token)), ..draft }
}

async fn cents(w: &World, draft: Draft) -> i64 {
    w.book(draft, None).await.unwrap().booking.total.cents()
}

async fn the_price_holds_until_it_lapses(w: World) {
    let token = mailed(&w, thursday()).await;
    dearer(&w).await;
    let page = saved::look(&w.s, &token).await.unwrap();
    assert_eq!(
        (page.state, page.quote.total, page.quote.draft.as_str()),
        (State::Open, Money::from_cents(57_488), KEPT)
    );
    assert_eq!(page.quote.valid_until, w.clock.now_value() + Duration::days(7));
    // The estimate says so and until when, whatever way the browser told; without the link it is the price of today.
    let told = estimated(&w, &thursday(), &token).await;
    assert_eq!((told.estimate.quote.total.cents(), told.kept_until), (57_488, Some(page.quote.valid_until)));
    let told = estimated(&w, &thursday(), "x").await;
    assert_eq!((told.estimate.quote.total.cents(), told.kept_until), (114_975, None));
    // To the last second; then not any more, and the link says so.
    w.clock.set(page.quote.valid_until - Duration::seconds(1));
    let shown = Draft { expected_total: Some(Money::from_cents(57_488)), ..taken_up(thursday(), &token) };
    assert_eq!(cents(&w, shown.clone()).await, 57_488);
    w.clock.set(page.quote.valid_until);
    assert_eq!(saved::look(&w.s, &token).await.unwrap().state, State::Lapsed);
    assert_eq!(estimated(&w, &thursday(), &token).await.kept_until, None);
    let later = Draft { time: NaiveTime::from_hms_opt(13, 0, 0).unwrap(), ..shown };
    let refused = w.book(later.clone(), None).await.unwrap_err();
    assert!(matches!(refused, Error::Refused(ErrorCode::PriceChanged, _)), "{refused}");
    assert_eq!(cents(&w, Draft { expected_total: None, ..later }).await, 114_975);
}

async fn the_way_is_that_of_the_quote(w: World) {
    w.rate(RateCard::builtin(), w.clock.now_value() - Duration::milliseconds(500)).await;
    let token = mailed(&w, thursday()).await;
    let quote = saved::look(&w.s, &token).await.unwrap().quote;
    assert_eq!((quote.travel_minutes, quote.distance_km10), (15, 62));
    // The map may have another way by now: the browser tells one of two hours.
    let by = async |token: &str| {
        let asked = EstimateInput { job: thursday().job(120, 1_500), ..wanted(&thursday(), token) };
        estimates::estimate(&w.s, &Caller::guest(Language::En), asked).await.unwrap().estimate.quote.total
    };
    assert_eq!(by(&token).await, quote.total);
    assert!(by("x").await > quote.total);
}

async fn another_move_has_the_price_of_today(w: World) {
    let token = mailed(&w, thursday()).await;
    dearer(&w).await;
    let hour = |h| NaiveTime::from_hms_opt(h, 0, 0).unwrap();
    // The price does not depend on the hour, so neither does the quote.
    assert_eq!(cents(&w, taken_up(Draft { time: hour(13), ..thursday() }, &token)).await, 57_488);
    let mut more = thursday();
    more.items[0].quantity += 1;
    let others = [
        more,
        Draft { date: NaiveDate::from_ymd_opt(2027, 2, 19).unwrap(), ..thursday() },
        Draft { mate_count: MateCount::new(3).unwrap(), time: hour(10), ..thursday() },
        draft(Province::ON, NaiveDate::from_ymd_opt(2027, 2, 18).unwrap(), hour(9)),
    ];
    for other in others {
        assert_eq!(estimated(&w, &other, &token).await.kept_until, None, "{other:?}");
        let booked = w.book(taken_up(other.clone(), &token), None).await.unwrap().booking;
        assert!(booked.amount.cents() > 90_000, "{} {other:?}", booked.amount);
    }
}

const CODE: DiscountId = DiscountId(uuid::Uuid::from_u128(0x5a7));

fn day(d: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2027, 2, d).unwrap()
}

/// 100.00 off a move in February: 574.88 is 459.90 then.
fn spring(now: DateTime<Utc>) -> StoredDiscount {
    StoredDiscount {
        id: CODE,
        code: "SPRING".into(),
        terms: DiscountTerms::Fixed { amount: Money::from_cents(10_000) },
        valid_from: day(1),
        valid_until: day(28),
        bookable_from: None,
        bookable_until: None,
        max_uses: None,
        max_uses_per_customer: None,
        first_booking_only: false,
        uses: 0,
        provinces: Vec::new(),
        kinds: Vec::new(),
        disabled: false,
        created_at: now,
        version: 1,
    }
}

async fn with_spring(w: &World, change: impl FnOnce(&mut StoredDiscount)) {
    let mut code = spring(w.clock.now_value());
    change(&mut code);
    w.write(move |u| u.discounts().insert(&code)).await;
}

fn with_code() -> Draft {
    Draft { discount_code: Some("spring".into()), ..thursday() }
}

/// Staff change the code.
async fn changed(w: &World, change: impl FnOnce(&mut StoredDiscount)) {
    let mut code = spring_now(w).await;
    change(&mut code);
    w.write(move |u| u.discounts().update(&code)).await;
}

async fn spring_now(w: &World) -> StoredDiscount {
    w.read(|u| u.discounts().get(CODE)).await.unwrap()
}

/// What was written of the code's promises.
async fn promises(w: &World) -> Vec<service::ports::audit::AuditRow> {
    let rows = w.read(|u| u.audits().of_subject("discount", &CODE.to_string())).await;
    rows.into_iter().filter(|row| row.action == "discount.promised").collect()
}

/// The draft's total by its estimate, by its crew's card and by its day in the calendar: they are one.
async fn told(w: &World, draft: &Draft, token: &str) -> i64 {
    let guest = Caller::guest(Language::En);
    let by_estimate = estimated(w, draft, token).await.estimate.quote.total;
    let crews = estimates::crews::crews(&w.s, &guest, wanted(draft, token)).await.unwrap();
    let crew = crews.iter().find(|c| c.mates == draft.mate_count).unwrap();
    let asked = EstimateInput { moving_date: None, ..wanted(draft, token) };
    let days = estimates::days::prices(&w.s, &guest, asked, day(10), 20).await.unwrap().days;
    let day = days.iter().find(|d| d.date == draft.date).unwrap();
    assert!(day.open);
    assert_eq!((crew.total, day.total), (by_estimate, by_estimate), "{draft:?}");
    by_estimate.cents()
}

/// What staff make of a code.
type Change = Box<dyn Fn(&mut StoredDiscount)>;

async fn a_quote_keeps_the_terms_of_its_code(w: World) {
    with_spring(&w, |_| {}).await;
    let token = mailed(&w, with_code()).await;
    let quote = saved::look(&w.s, &token).await.unwrap().quote;
    assert_eq!(quote.total, Money::from_cents(45_990));
    dearer(&w).await;
    // What staff make of the code, what the move costs whoever comes without the link, and the hour it is booked for.
    let half = DiscountTerms::Percent { share: kernel::BasisPoints::new(5_000), max: Some(Money::from_cents(20_000)) };
    let changes: [(Change, i64, Option<u32>); 7] = [
        (Box::new(|d| d.terms = DiscountTerms::Fixed { amount: Money::from_cents(5_000) }), 109_226, Some(9)),
        (Box::new(move |d| d.terms = half.clone()), 91_980, None),
        (Box::new(|d| d.bookable_until = Some(day(1))), 114_975, Some(12)),
        (Box::new(|d| (d.valid_from, d.valid_until) = (day(20), day(28))), 114_975, None),
        (Box::new(|d| d.provinces = vec![Province::BC]), 114_975, None),
        (Box::new(|d| d.disabled = true), 114_975, None),
        (Box::new(|d| (d.disabled, d.max_uses) = (false, Some(2))), 114_975, Some(15)),
    ];
    for (n, (change, today, hour)) in changes.into_iter().enumerate() {
        changed(&w, change).await;
        assert_eq!(told(&w, &with_code(), &token).await, 45_990, "change {n}");
        assert_eq!(told(&w, &with_code(), "x").await, today, "change {n}");
        // A changed move has the terms of today, as it has the card of today.
        let other = Draft { date: day(19), ..with_code() };
        assert_eq!(told(&w, &other, &token).await, today, "change {n}");
        let shown = Some(Money::from_cents(45_990));
        if let Some(hour) = hour {
            let time = NaiveTime::from_hms_opt(hour, 0, 0).unwrap();
            let mine = Draft { time, expected_total: shown, ..taken_up(with_code(), &token) };
            assert_eq!(cents(&w, mine).await, 45_990, "change {n}");
        }
        // Mailed again from its link it is the same promise.
        let again = Draft { expected_total: shown, ..taken_up(with_code(), &token) };
        let again = mail(&w, &Caller::guest(Language::En), &format!("g{n}@portage.test"), again).await.unwrap();
        assert_eq!((again.total, again.valid_until), (quote.total, quote.valid_until));
    }
    assert_eq!((spring_now(&w).await.uses, promises(&w).await.len()), (3, 3));
    // To the last second.
    w.clock.set(quote.valid_until);
    changed(&w, |d| (d.max_uses, d.valid_from, d.provinces) = (None, day(1), Vec::new())).await;
    changed(&w, |d| d.bookable_until = None).await;
    assert_eq!(told(&w, &with_code(), &token).await, 91_980);
}

async fn a_promise_is_beyond_the_last_use(w: World) {
    with_spring(&w, |d| d.max_uses = Some(1)).await;
    let token = mailed(&w, with_code()).await;
    let hour = |h| NaiveTime::from_hms_opt(h, 0, 0).unwrap();
    assert_eq!(cents(&w, Draft { time: hour(10), ..with_code() }).await, 45_990);
    let refused = w.book(Draft { time: hour(11), ..with_code() }, None).await.unwrap_err();
    assert!(matches!(refused, Error::Refused(ErrorCode::DiscountInvalid, _)), "{refused}");
    assert_eq!(promises(&w).await.len(), 0);
    let promised = w.book(taken_up(with_code(), &token), None).await.unwrap().booking;
    assert_eq!((promised.total.cents(), spring_now(&w).await.uses), (45_990, 2));
    let trail = promises(&w).await;
    assert_eq!(trail.len(), 1);
    assert_eq!(trail[0].after.as_ref().unwrap()["maxUses"], 1);
    // Nobody else has more for it, and staff may change the rest of the code.
    let refused = w.book(Draft { time: hour(11), ..with_code() }, None).await.unwrap_err();
    assert!(matches!(refused, Error::Refused(ErrorCode::DiscountInvalid, _)), "{refused}");
    changed(&w, |d| d.valid_until = day(27)).await;
    // A booking that is cancelled gives its use back, whichever of the two it is: one is left, which is the most.
    service::bookings::cancel::cancel(&w.s, &w.customer, promised.id).await.unwrap();
    assert_eq!(spring_now(&w).await.uses, 1);
    let refused = w.book(Draft { time: hour(11), ..with_code() }, None).await.unwrap_err();
    assert!(matches!(refused, Error::Refused(ErrorCode::DiscountInvalid, _)), "{refused}");
}

async fn a_promise_is_kept_when_it_is_paid_at_once(w: World) {
    with_spring(&w, |_| {}).await;
    let soon = Draft { date: day(9), time: NaiveTime::from_hms_opt(13, 0, 0).unwrap(), ..with_code() };
    let token = mailed(&w, soon.clone()).await;
    changed(&w, |d| d.disabled = true).await;
    w.gateway.queue(&[crate::support::Next::Soft]);
    let declined = w.book(taken_up(soon.clone(), &token), None).await.unwrap_err();
    assert!(matches!(declined, Error::Refused(ErrorCode::PaymentDeclined, _)), "{declined}");
    assert_eq!(spring_now(&w).await.uses, 0, "its use is given back");
    let booked = w.book(taken_up(soon, &token), None).await.unwrap().booking;
    assert_eq!((booked.total.cents(), w.gateway.net()), (45_990, 45_990));
    assert_eq!(spring_now(&w).await.uses, 1);
}

async fn a_code_that_was_promised_is_not_removed(w: World) {
    with_spring(&w, |_| {}).await;
    let token = mailed(&w, with_code()).await;
    service::discounts::desk::remove(&w.s, &w.staff(), CODE, None).await.unwrap();
    assert!(spring_now(&w).await.disabled, "nobody has used it, but somebody was promised to");
    assert_eq!(told(&w, &with_code(), &token).await, 45_990);
    assert_eq!(cents(&w, taken_up(with_code(), &token)).await, 45_990);
    assert_eq!(spring_now(&w).await.uses, 1);
}

async fn what_a_code_asks_of_its_customer_is_asked_by_the_kept_terms(w: World) {
    with_spring(&w, |d| d.max_uses_per_customer = Some(1)).await;
    let token = mailed(&w, with_code()).await;
    // Staff ask for more since.
    cents(&w, Draft { date: day(17), ..thursday() }).await;
    changed(&w, |d| (d.first_booking_only, d.max_uses_per_customer) = (true, None)).await;
    assert_eq!(cents(&w, taken_up(with_code(), &token)).await, 45_990);
    // Once each, as the mail was made: a link is no second time.
    let later = Draft { time: NaiveTime::from_hms_opt(13, 0, 0).unwrap(), ..taken_up(with_code(), &token) };
    let refused = w.book(later, None).await.unwrap_err();
    assert!(matches!(refused, Error::Refused(ErrorCode::DiscountInvalid, _)), "{refused}");
}

async fn a_quote_ends_with_its_code(w: World) {
    with_spring(&w, |d| d.bookable_until = Some(day(10))).await;
    let token = mailed(&w, with_code()).await;
    let quote = saved::look(&w.s, &token).await.unwrap().quote;
    // The last day one may book with it ends at midnight in Montréal.
    assert_eq!(quote.valid_until, "2027-02-11T05:00:00Z".parse::<DateTime<Utc>>().unwrap());
    assert_eq!(quote.total, Money::from_cents(45_990));
    w.clock.set(quote.valid_until - Duration::seconds(1));
    assert_eq!(cents(&w, taken_up(with_code(), &token)).await, 45_990);
    // And with the move itself.
    w.clock.set("2027-02-14T14:00:00Z".parse().unwrap());
    let token = mailed(&w, thursday()).await;
    let quote = saved::look(&w.s, &token).await.unwrap().quote;
    assert_eq!(quote.valid_until, "2027-02-18T14:00:00Z".parse::<DateTime<Utc>>().unwrap());
}

async fn a_quote_that_is_mailed_again_ends_when_the_first_does(w: World) {
    let token = mailed(&w, thursday()).await;
    let first = saved::look(&w.s, &token).await.unwrap().quote;
    dearer(&w).await;
    w.clock.set(w.clock.now_value() + Duration::days(3));
    let shown = Draft { expected_total: Some(first.total), ..taken_up(thursday(), &token) };
    let second = mail(&w, &Caller::guest(Language::Fr), "other@portage.test", shown).await.unwrap();
    assert_eq!((second.total, second.valid_until, second.language), (first.total, first.valid_until, Language::Fr));
    // Another total than was shown is not mailed.
    let wrong = Draft { expected_total: Some(first.total), ..thursday() };
    let refused = mail(&w, &Caller::guest(Language::En), "guest@portage.test", wrong).await.unwrap_err();
    assert!(matches!(refused, Error::Refused(ErrorCode::PriceChanged, _)), "{refused}");
}

async fn a_mailbox_is_not_filled(w: World) {
    let from = |network: &str| Caller { network: Some(network.to_owned()), ..Caller::guest(Language::En) };
    let often = |e: &Error| matches!(e, Error::Refused(ErrorCode::QuoteMailLimit, _));
    for n in 0..5 {
        mail(&w, &from(&format!("192.0.2.{n}")), "Guest@portage.test", thursday()).await.unwrap();
    }
    let refused = mail(&w, &from("192.0.2.9"), "guest@PORTAGE.test", thursday()).await.unwrap_err();
    assert!(often(&refused), "{refused}");
    for n in 0..20 {
        mail(&w, &from("198.51.100.7"), &format!("g{n}@portage.test"), thursday()).await.unwrap();
    }
    let refused = mail(&w, &from("198.51.100.7"), "g20@portage.test", thursday()).await.unwrap_err();
    assert!(often(&refused), "{refused}");
    w.work().await;
    assert_eq!(w.mailer.sent.lock().unwrap().clone().len(), 25);
    // What was refused counted nothing, and a day later it is another day.
    mail(&w, &from("192.0.2.9"), "g20@portage.test", thursday()).await.unwrap();
    w.clock.set(w.clock.now_value() + Duration::days(1));
    mail(&w, &from("198.51.100.7"), "guest@portage.test", thursday()).await.unwrap();
}

async fn the_secret_is_in_the_mail_alone(w: World) {
    let token = mailed(&w, thursday()).await;
    let wrong = saved::look(&w.s, &"x".repeat(43)).await.unwrap_err();
    assert!(matches!(wrong, Error::Refused(ErrorCode::NotFound, _)), "{wrong}");
    let kept = w.read(|u| u.messages().listed(&MessageFilter::default(), 0, 10)).await;
    let text = format!("{:?}", kept.0);
    assert!(text.contains("guest@portage.test") && !text.contains(&token), "{text}");
    let told = w.mailer.sent.lock().unwrap().clone().pop().unwrap();
    assert!(told.text.contains("$574.88") && told.html.contains(&token), "{}", told.text);
    // A signed-in customer may have it at another address, too.
    mail(&w, &w.customer, "elsewhere@portage.test", thursday()).await.unwrap();
    let broken = NewSavedQuote { to: "a@portage.test".parse().unwrap(), draft: thursday(), kept: "[1]".into() };
    let refused = saved::save(&w.s, &w.customer, broken, None).await.unwrap_err();
    assert!(matches!(&refused, Error::Invalid(fields) if fields[0].field == "draft"), "{refused}");
}

async fn what_lapsed_is_forgotten(w: World) {
    let token = mailed(&w, thursday()).await;
    let until = saved::look(&w.s, &token).await.unwrap().quote.valid_until;
    service::jobs::schedule_housekeeping(&w.s).await.unwrap();
    w.clock.set(until + Duration::days(29));
    w.work().await;
    assert_eq!(saved::look(&w.s, &token).await.unwrap().state, State::Lapsed);
    w.clock.set(until + Duration::days(31));
    w.work().await;
    assert!(saved::look(&w.s, &token).await.is_err());
}
