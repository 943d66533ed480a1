//! Settings that a company changes: what holds for whom, and from when on, on both databases.

use std::sync::Arc;

use crate::support::{World, caller, draft};
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use kernel::{MateCount, Money, Province};
use serde_json::{Map, Value, json};
use service::{
    Caller, Error, ErrorCode, Role, ServiceResult, Services, Staff,
    availability::{self, AvailabilityInput},
    billing::facts::plan_of,
    bookings::draft::Draft,
    moves::place_of,
    payments::payment_plan,
    settings::{
        self, Area,
        desk::{self, SettingsView, Source},
        first_steps::{self, Step},
    },
};
use store::testing::TestDb;

fn now() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

fn date() -> NaiveDate {
    NaiveDate::from_ymd_opt(2027, 2, 17).unwrap()
}

fn time(hour: u32) -> NaiveTime {
    NaiveTime::from_hms_opt(hour, 0, 0).unwrap()
}

fn admin(w: &World) -> Staff {
    let admin: Caller = caller(Role::Admin, w.ops.user.unwrap());
    Staff::prove(&admin).unwrap()
}

fn fields(values: Value) -> Map<String, Value> {
    values.as_object().unwrap().clone()
}

async fn put(w: &World, area: Area, values: Value, expected: i32) -> ServiceResult<SettingsView> {
    desk::put(&w.s, &admin(w), area, fields(values), expected).await
}

fn refused(done: ServiceResult<SettingsView>) -> ErrorCode {
    match done {
        Err(Error::Refused(code, _)) => code,
        other => panic!("{other:?}"),
    }
}

async fn a_booking_keeps_the_policy_it_was_made_with(db: TestDb) {
    let w = World::on(db, now()).await;
    let before = w.book(draft(Province::QC, date(), time(9)), None).await.unwrap().booking;
    assert_eq!((before.details.policy.version.as_str(), before.details.arrival.window_minutes), ("1", 30));
    let (plan, move_at) = (plan_of(&before), before.move_at);
    let promised = availability::arrival_window(before.details.arrival, before.move_time);
    let changed = json!({ "deposit": "0.35", "freeWindow": 12, "depositRetry": [0, 3] });
    put(&w, Area::Policy, changed, 0).await.unwrap();
    put(&w, Area::Scheduling, json!({ "windowMinutes": 60, "opens": "07:00" }), 0).await.unwrap();
    // What was made stays as it was made.
    let kept = w.booking(before.id).await;
    assert_eq!(kept.details, before.details);
    assert_eq!(plan_of(&kept), plan);
    assert_eq!(availability::arrival_window(kept.details.arrival, kept.move_time), promised);
    // Who agreed to the rules of before is not bound by other ones, whatever is pressed first.
    let agreed = Draft { policy_version: Some("1".to_owned()), ..draft(Province::QC, date(), time(13)) };
    match w.book(agreed.clone(), None).await {
        Err(Error::Refused(ErrorCode::TermsChanged, told)) => assert_eq!(told, [("policyVersion", "1.1".to_owned())]),
        other => panic!("{other:?}"),
    }
    let again = Draft { policy_version: Some("1.1".to_owned()), time: time(15), ..agreed };
    w.book(again, None).await.unwrap();
    // What is made now, and what is shown before it is made, follows.
    let after = w.book(draft(Province::QC, date(), time(13)), None).await.unwrap().booking;
    let policy = &after.details.policy;
    assert_eq!((policy.version.as_str(), policy.deposit.to_string()), ("1.1", "0.35".to_owned()));
    // The province's own rule is still in it.
    assert!(policy.retention.review_required);
    let window = availability::arrival_window(after.details.arrival, after.move_time);
    assert_eq!(window, (time(12), time(14)));
    assert_ne!(plan_of(&after).charges.first().map(|c| c.due_at), plan.charges.first().map(|c| c.due_at));
    let (shown, _) = payment_plan(&w.s, Money::from_cents(100_000), move_at, None, None).await.unwrap();
    assert_eq!(shown.charges[0].amount, Money::from_cents(35_000));
    // The jobs of both change nothing of it.
    w.work().await;
    assert_eq!(w.booking(before.id).await.details.policy, before.details.policy);
}

async fn of_two_who_save_at_once_one_is_told(db: TestDb) {
    let w = World::on(db, now()).await;
    let saving = (0..4).map(|n| {
        let (s, staff, values) = (w.s.clone(), admin(&w), fields(json!({ "freeWindow": 10 + n })));
        tokio::spawn(async move { desk::put(&s, &staff, Area::Policy, values, 0).await })
    });
    let (mut saved, mut told) = (0, 0);
    for task in saving.collect::<Vec<_>>() {
        match task.await.unwrap() {
            Ok(shown) => {
                assert_eq!(shown.version, 1);
                saved += 1;
            }
            done => {
                assert_eq!(refused(done), ErrorCode::VersionConflict);
                told += 1;
            }
        }
    }
    assert_eq!((saved, told), (1, 3));
    let all = desk::versions(&w.s, &w.staff(), Area::Policy).await.unwrap();
    assert_eq!(all.len(), 1);
}

async fn another_replica_sees_a_change_within_a_second(db: TestDb) {
    let w = World::on(db, now()).await;
    let other = Services { settings: Arc::default(), ..w.s.clone() };
    assert_eq!(settings::in_force(&other).await.unwrap().company.name, "Portage");
    put(&w, Area::Company, json!({ "name": "Roy" }), 0).await.unwrap();
    assert_eq!(settings::in_force(&w.s).await.unwrap().company.name, "Roy", "here it is seen at once");
    let patience = tokio::time::Instant::now() + std::time::Duration::from_secs(3);
    while settings::in_force(&other).await.unwrap().company.name != "Roy" {
        assert!(tokio::time::Instant::now() < patience, "it is never seen");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let seen = settings::in_force(&other).await.unwrap();
    let company = &seen.company;
    assert_eq!(
        (company.public_url.as_str(), company.address.as_str()),
        ("http://localhost:8080", "1 rue du Test, Montréal")
    );
}

async fn a_field_that_is_not_saved_follows_its_default_again(db: TestDb) {
    let w = World::on(db, now()).await;
    let saved = put(&w, Area::Company, json!({ "name": "Roy", "supportPhone": "514-555-0142" }), 0).await.unwrap();
    assert_eq!(
        (saved.version, saved.sources["name"], saved.sources["address"]),
        (1, Source::Saved, Source::Environment)
    );
    assert_eq!(saved.sources["neq"], Source::Default);
    // The same again is no version.
    let same = put(&w, Area::Company, json!({ "supportPhone": "514-555-0142", "name": " Roy " }), 1).await.unwrap();
    assert_eq!(same.version, 1);
    let back = put(&w, Area::Company, json!({ "name": null, "supportPhone": "514-555-0142" }), 1).await.unwrap();
    assert_eq!((back.version, &back.values["name"], back.sources["name"]), (2, &json!("Portage"), Source::Environment));
    assert_eq!(back.saved.keys().collect::<Vec<_>>(), ["supportPhone"]);
    let versions = desk::versions(&w.s, &w.staff(), Area::Company).await.unwrap();
    assert_eq!(versions.iter().map(|v| (v.version, v.saved.len())).collect::<Vec<_>>(), [(2, 1), (1, 2)]);
    // Nothing was written for what is no change, and nothing for what is refused.
    let trail = w.read(|u| u.audits().of_subject("settings", "company")).await;
    assert_eq!(trail.iter().map(|row| row.action.as_str()).collect::<Vec<_>>(), ["settings.change"; 2]);
    assert_eq!(refused(put(&w, Area::Company, json!({}), 1).await), ErrorCode::VersionConflict);
    let ops = desk::put(&w.s, &w.staff(), Area::Company, Map::new(), 2).await;
    assert_eq!(refused(ops), ErrorCode::Forbidden);
}

async fn free_starts_follow_the_working_day(db: TestDb) {
    let w = World::on(db, now()).await;
    let place = crate::support::location(Province::QC);
    let input = AvailabilityInput {
        date: date(),
        days: 1,
        mate_count: MateCount::new(2).unwrap(),
        duration_minutes: 120,
        just_mates: false,
        tier: Some(1),
        long_distance: false,
        pickup: place_of(&place.address, place.coordinates),
        dropoff: None,
    };
    let starts = async |input: &AvailabilityInput| {
        let found = availability::days(&w.s, input.clone()).await.unwrap();
        let free = found.days[0].slots.iter().filter(|slot| slot.available).map(|slot| slot.time);
        free.collect::<Vec<_>>()
    };
    let usual = starts(&input).await;
    assert_eq!((usual.first(), usual.get(1)), (Some(&time(8)), NaiveTime::from_hms_opt(8, 30, 0).as_ref()));
    let day = json!({ "opens": "10:00", "stepMinutes": 60, "horizonDays": 9 });
    put(&w, Area::Scheduling, day, 0).await.unwrap();
    let now = starts(&input).await;
    assert_eq!((now.first(), now.get(1)), (Some(&time(10)), Some(&time(11))));
    // Ten days ahead is beyond the horizon of nine.
    let later = AvailabilityInput { date: date().succ_opt().unwrap(), ..input };
    assert_eq!(starts(&later).await, []);
    let early = w.book(draft(Province::QC, date(), time(9)), None).await;
    assert!(matches!(early, Err(Error::Refused(ErrorCode::NotASlot, _))), "{early:?}");
}

async fn mails_name_the_company_in_force(db: TestDb) {
    let w = World::on(db, now()).await;
    w.book(draft(Province::QC, date(), time(9)), None).await.unwrap();
    let facts = json!({
        "name": "Déménagements Roy", "supportEmail": "aide@roy.test", "gstNumber": "123456782RT0001",
        "replyTo": { "montreal": "mtl@roy.test" },
    });
    put(&w, Area::Company, facts, 0).await.unwrap();
    w.book(draft(Province::QC, date(), time(13)), None).await.unwrap();
    w.work().await;
    let sent = w.mailer.sent.lock().unwrap().clone();
    let confirmations: Vec<_> = sent.iter().filter(|m| m.message_type == "bookingConfirmation").collect();
    let [old, new] = confirmations.as_slice() else { panic!("{}", confirmations.len()) };
    // What was queued before says what held then.
    let (old, new) = if old.text.contains("Déménagements Roy") { (new, old) } else { (old, new) };
    assert_eq!((old.from_name.as_deref(), old.reply_to.as_ref()), (Some("Portage"), None));
    assert_eq!(new.from_name.as_deref(), Some("Déménagements Roy"));
    assert_eq!(new.reply_to.as_ref().map(|a| a.as_str()), Some("mtl@roy.test"));
    for text in [&new.text, &new.html] {
        assert!(text.contains("aide@roy.test") && text.contains("GST 123456782RT0001"), "{text}");
        assert!(text.contains("http://localhost:8080/"), "links are the installation's");
    }
    assert!(!old.text.contains("GST 1"));
}

async fn first_steps_are_done_one_by_one(db: TestDb) {
    let w = World::on(db, now()).await;
    let done = async || {
        let steps = first_steps::show(&w.s, &w.staff()).await.unwrap();
        steps.into_iter().filter(|(_, done)| *done).map(|(step, _)| step).collect::<Vec<_>>()
    };
    // The world of a test has a calendar and mates; its card nobody wrote.
    assert_eq!(done().await, [Step::Calendar, Step::People]);
    first_steps::confirm_prices(&w.s, &w.staff()).await.unwrap();
    first_steps::confirm_prices(&w.s, &w.staff()).await.unwrap();
    assert_eq!(done().await, [Step::Prices, Step::Calendar, Step::People]);
    let trail = w.read(|u| u.audits().of_subject("first_steps", "prices")).await;
    assert_eq!(trail.len(), 1, "the second time changed nothing");
    put(&w, Area::Company, json!({ "name": "Roy" }), 0).await.unwrap();
    w.book(draft(Province::QC, date(), time(9)), None).await.unwrap();
    assert_eq!(done().await, Step::ALL);
    w.only_mates(0).await;
    assert!(!done().await.contains(&Step::People));
}

/// What staff are told is theirs to do, not the sentence that customers read where there are no prices.
async fn prices_are_confirmed_once_there_are_some(db: TestDb) {
    let w = World::on(db, now()).await;
    w.write(|u| {
        for rate in u.rates().versions("standard")? {
            u.rates().remove(rate.id)?;
        }
        Ok(())
    })
    .await;
    let told = first_steps::confirm_prices(&w.s, &w.staff()).await;
    assert!(matches!(told, Err(Error::Refused(ErrorCode::RateMissing, _))), "{told:?}");
    w.flat_rate(50_000).await;
    first_steps::confirm_prices(&w.s, &w.staff()).await.unwrap();
}

on_both_engines!(
    prices_are_confirmed_once_there_are_some,
    a_booking_keeps_the_policy_it_was_made_with,
    of_two_who_save_at_once_one_is_told,
    another_replica_sees_a_change_within_a_second,
    a_field_that_is_not_saved_follows_its_default_again,
    free_starts_follow_the_working_day,
    mails_name_the_company_in_force,
    first_steps_are_done_one_by_one,
);
