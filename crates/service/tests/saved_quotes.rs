//! A quote by mail: exactly that draft at the same cents until it lapses, for whoever holds the link.

use crate::support::{World, draft, flat::flat};
use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{DiscountId, Language, MateCount, Money, Province};
use pricing::{DiscountTerms, RateCard};
use service::{
    Caller, Error, ErrorCode, ServiceResult,
    bookings::{
        Draft,
        saved::{self, State, Wish},
    },
    estimates::{self, EstimateInput, Explained},
    idempotency::Answer,
    ports::{discounts::StoredDiscount, messages::Wanted, quotes::SavedQuote},
    secret,
};
use store::testing::TestDb;

in_both_worlds!(
    the_price_holds_until_it_lapses,
    the_way_is_that_of_the_quote,
    another_move_has_the_price_of_today,
    a_quote_ends_with_its_code,
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
    let wish = Wish { to: to.parse().unwrap(), draft, kept: KEPT.to_owned() };
    match saved::save(&w.s, who, wish, None).await? {
        Answer::Fresh(quote) => Ok(quote),
        Answer::Replayed { .. } => panic!("replayed"),
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

async fn a_quote_ends_with_its_code(w: World) {
    let day = |d| NaiveDate::from_ymd_opt(2027, 2, d).unwrap();
    let now = w.clock.now_value();
    w.write(move |u| {
        u.discounts().insert(&StoredDiscount {
            id: DiscountId(uuid::Uuid::from_u128(0x5a7)),
            code: "SPRING".into(),
            terms: DiscountTerms::Fixed { amount: Money::from_cents(10_000) },
            valid_from: day(1),
            valid_until: day(28),
            bookable_from: None,
            bookable_until: Some(day(10)),
            max_uses: None,
            max_uses_per_customer: None,
            first_booking_only: false,
            uses: 0,
            provinces: Vec::new(),
            kinds: Vec::new(),
            disabled: false,
            created_at: now,
            version: 1,
        })
    })
    .await;
    let with_code = || Draft { discount_code: Some("spring".into()), ..thursday() };
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
    let kept = w.read(|u| u.messages().listed(&Wanted::default(), 0, 10)).await;
    let text = format!("{:?}", kept.0);
    assert!(text.contains("guest@portage.test") && !text.contains(&token), "{text}");
    let told = w.mailer.sent.lock().unwrap().clone().pop().unwrap();
    assert!(told.text.contains("$574.88") && told.html.contains(&token), "{}", told.text);
    // A signed-in customer may have it at another address, too.
    mail(&w, &w.customer, "elsewhere@portage.test", thursday()).await.unwrap();
    let broken = Wish { to: "a@portage.test".parse().unwrap(), draft: thursday(), kept: "[1]".into() };
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
