//! Papers of mates and trucks that end: administrators are told once, a month before.

use crate::support::{World, mate};
use chrono::{DateTime, Duration, NaiveDate, Utc};
use kernel::{OpsMemberId, TruckId};
use scheduling::TruckClass;
use service::ports::{
    directory::{MateDocument, MateRecord, TruckRecord, TruckState},
    members::{Member, MemberRole},
};
use uuid::Uuid;

fn at(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// An administrator, and somebody of the desk. Another administrator was invited and has not confirmed the address: whoever
/// reads there is told nothing.
pub(crate) async fn with_staff(w: World) -> World {
    let person = |n: u128, email: &str, role| Member {
        id: OpsMemberId(Uuid::from_u128(0xbd00 + n)),
        email: email.parse().unwrap(),
        first_name: "Zoé".into(),
        last_name: "Chef".into(),
        role,
        partner_id: None,
        mate_id: None,
        created_at: w.clock.now_value(),
        version: 1,
    };
    let all = [
        person(1, "chef@portage.test", MemberRole::Admin),
        person(2, "desk@portage.test", MemberRole::Ops),
        person(3, "invited@portage.test", MemberRole::Admin),
        person(4, "typed@portage.test", MemberRole::Admin),
    ];
    w.write(move |u| all.iter().try_for_each(|m| u.members().insert(m))).await;
    for shown in ["chef@portage.test", "desk@portage.test"] {
        w.shown("Zoé Chef", shown).await;
    }
    // An account that was made with the address, and never showed it.
    let typed = w.shown("Zoé Chef", "typed@portage.test").await;
    w.write(move |u| {
        let email = "typed@portage.test".parse().unwrap();
        u.accounts().set_email(typed, Some(&email), false, at("2027-02-08T14:00:00Z"))
    })
    .await;
    w
}

async fn paper(w: &World, last_day: &str) {
    let last_day = day(last_day);
    w.write(move |u| {
        let known = u.directory().mate(mate(1))?.unwrap();
        let documents =
            vec![MateDocument { kind: "Driving licence".into(), number: "L1".into(), expires_on: last_day }];
        u.directory().update_mate(&MateRecord { documents, ..known }).map(drop)
    })
    .await;
}

async fn a_day_passes(w: &World) {
    w.clock.set(w.clock.now_value() + Duration::days(1));
    w.work().await;
}

fn told(w: &World) -> Vec<(String, String)> {
    let sent = w.mailer.sent.lock().unwrap();
    let about = sent.iter().filter(|m| m.message_type == "papersEnd");
    about.map(|m| (m.to.to_string(), m.subject.replace('\u{a0}', " "))).collect()
}

#[tokio::test]
async fn a_paper_that_ends_is_spoken_of_once_a_month_before() {
    let w = with_staff(World::new(at("2027-02-08T14:00:00Z")).await).await;
    service::jobs::schedule_housekeeping(&w.s).await.unwrap();
    paper(&w, "2027-03-11").await;
    w.work().await;
    assert_eq!(told(&w), [], "31 days are left");
    a_day_passes(&w).await;
    let once = told(&w);
    assert_eq!(once.len(), 1, "{once:?}");
    assert_eq!(once[0].0, "chef@portage.test");
    assert!(once[0].1.starts_with("Driving licence of Mate1 Tester (M-") && once[0].1.contains("2027"), "{once:?}");
    for _ in 0..40 {
        a_day_passes(&w).await;
    }
    assert_eq!(told(&w).len(), 1, "neither the days before nor those after are another reason");
    paper(&w, "2028-03-11").await;
    a_day_passes(&w).await;
    assert_eq!(told(&w).len(), 1, "it was renewed");
    w.clock.set(at("2028-02-20T14:00:00Z"));
    w.work().await;
    assert_eq!(told(&w).len(), 2, "and ends a year later");
}

#[tokio::test]
async fn a_truck_has_papers_too_and_who_is_gone_has_none() {
    let now = at("2027-02-08T14:00:00Z");
    let w = with_staff(World::new(now).await).await;
    service::jobs::schedule_housekeeping(&w.s).await.unwrap();
    let truck = |n: u128, name: &str, state| TruckRecord {
        id: TruckId(Uuid::from_u128(0xcd00 + n)),
        name: name.into(),
        class: TruckClass::TwentyFoot,
        hub: "montreal".into(),
        plate: String::new(),
        inspected_until: Some(day("2027-02-20")),
        insured_until: Some(day("2027-02-01")),
        state,
        version: 1,
        created_at: now,
        updated_at: now,
    };
    let both = [truck(1, "Big Red", TruckState::Active), truck(2, "Sold", TruckState::Archived)];
    w.write(move |u| both.iter().try_for_each(|t| u.directory().add_truck(t))).await;
    w.work().await;
    let mut subjects: Vec<String> = told(&w).into_iter().map(|(_, subject)| subject).collect();
    subjects.sort();
    assert_eq!(subjects.len(), 2, "{subjects:?}");
    assert!(subjects[0].starts_with("Inspection of Big Red") && subjects[1].starts_with("Insurance of Big Red"));
    a_day_passes(&w).await;
    assert_eq!(told(&w).len(), 2);
}
