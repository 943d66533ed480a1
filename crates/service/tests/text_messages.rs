//! Text messages: sent once, by day, to whoever wants them, whatever the service answers and in whatever order it reports.

use std::sync::Arc;

use crate::support::{
    self, HandClock, Next, World, draft, mate,
    texter::{FakeTexter, How},
};
use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, E164, Language, Province, UserId};
use pricing::MoveKind;
use service::{
    Caller, ErrorCode, Role,
    bookings::Draft,
    dispatch::{
        jobs,
        name::{self, Named},
    },
    outbox::{self, Entry, OutboxFilter, Standing},
    ports::{
        dispatch::Act,
        messages::{Channel, Message, MessageState},
        sms::{SendId, SmsError, SmsStatus, SmsTrouble},
    },
    sms::{self, Report, wishes},
    work::Work,
};
use store::testing::TestDb;

in_both_worlds!(
    a_reminder_is_sent_once_by_text_and_followed,
    reports_in_any_order_end_in_the_right_state,
    nothing_is_sent_in_the_night,
    what_nobody_answered_for_is_looked_for_before_it_is_sent_again,
    who_stops_texts_gets_none_until_they_start_again,
    each_refusal_is_acted_upon,
    a_handset_out_of_reach_is_tried_once_more,
    the_last_but_one_decline_is_told_by_text,
    a_delivery_is_told_step_by_step,
    what_nobody_reported_is_asked_for,
    without_a_service_nothing_is_queued,
);

struct Texting {
    w: World,
    texter: Arc<FakeTexter>,
}

/// Monday morning.
async fn world(db: TestDb) -> Texting {
    let mut w = World::on(db, instant("2027-02-08T14:00:00Z")).await;
    let texter = Arc::new(FakeTexter::default());
    w.s.texter = Some(texter.clone());
    Texting { w, texter }
}

fn instant(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn thursday() -> Draft {
    draft(Province::QC, NaiveDate::from_ymd_opt(2027, 2, 18).unwrap(), NaiveTime::from_hms_opt(9, 0, 0).unwrap())
}

impl Texting {
    async fn booked(&self, draft: Draft) -> BookingId {
        self.w.book(draft, None).await.unwrap().booking.id
    }

    async fn at(&self, text: &str) {
        self.w.clock.set(instant(text));
        self.w.work().await;
    }

    /// Runs what is due; what is held back in real time stays.
    async fn run(&self) {
        while service::jobs::run_due(&self.w.s, "test").await.unwrap() > 0 {}
    }

    /// The texts about a booking, the oldest first.
    async fn texts(&self, id: BookingId) -> Vec<Message> {
        let all = self.w.read(move |u| u.messages().of_booking(id)).await;
        all.into_iter().filter(|m| m.channel() == Channel::Sms).collect()
    }

    async fn listed(&self, standing: Standing) -> Vec<Entry> {
        let asked = OutboxFilter { standing: Some(standing), channel: Some(Channel::Sms), ..OutboxFilter::default() };
        outbox::list(&self.w.s, &self.w.staff(), asked, 1, 50).await.unwrap().data
    }

    async fn reported(&self, n: usize, status: &str, error_code: Option<i32>) {
        sms::reported(&self.w.s, self.texter.report(n, status, error_code)).await.unwrap();
    }

    async fn writes(&self, sid: &str, body: &str) -> Option<String> {
        let written =
            wishes::Written { sid: sid.into(), from: "+15145550199".into(), body: body.into(), opt_out: None };
        wishes::written(&self.w.s, written).await.unwrap()
    }
}

/// 72 hours before the move of [`thursday`].
const REMINDER: &str = "2027-02-15T14:00:00Z";

async fn a_reminder_is_sent_once_by_text_and_followed(t: Texting) {
    let id = t.booked(thursday()).await;
    t.at("2027-02-15T13:59:00Z").await;
    assert!(t.texts(id).await.is_empty());
    t.at(REMINDER).await;
    assert_eq!(t.texter.bodies(), ["Reminder: your move is on February 18, 2027, 8:30 a.m. - 9:30 a.m."]);
    let sent = t.texts(id).await.remove(0);
    assert_eq!((*sent.state, sent.segments, sent.attempts), (MessageState::Sent, Some(1), 1));
    assert_eq!(
        (sent.recipient.as_str(), sent.provider_id.as_deref()),
        ("+15145550199", Some("SM00000000000000000000000000000001"))
    );
    assert_eq!(sent.text.as_ref().map(|text| text.body.clone()), t.texter.bodies().pop());
    // The same job once more, and the same reminder asked for once more.
    t.w.s.write(service::Actor::system(), move |tx| tx.enqueue(&Work::SendSms { message_id: sent.id })).await.unwrap();
    service::mailing::reminders::remind(&t.w.s, id, 72).await.unwrap();
    t.w.work().await;
    assert_eq!(t.texter.bodies().len(), 1);
    t.reported(0, "sent", None).await;
    t.reported(0, "delivered", None).await;
    let there = t.texts(id).await.remove(0);
    assert_eq!(
        (*there.state, there.sent_at, there.values),
        (MessageState::Delivered, Some(instant(REMINDER)), serde_json::json!({}))
    );
    assert_eq!(t.listed(Standing::Delivered).await.len(), 1);
    assert!(t.listed(Standing::Sent).await.is_empty());
    t.at("2027-02-17T14:00:00Z").await;
    assert_eq!(t.texter.bodies().len(), 2, "and a day before");
}

async fn reports_in_any_order_end_in_the_right_state(t: Texting) {
    let id = t.booked(thursday()).await;
    t.at(REMINDER).await;
    for status in ["delivered", "sent", "delivered", "queued", "undelivered", "accepted", "teleported"] {
        t.reported(0, status, None).await;
        assert_eq!(t.texts(id).await[0].state, MessageState::Delivered, "after {status}");
    }
    // One that is not ours, and one of ours under a name that is not.
    let strange = Report { send: None, ..t.texter.report(0, "failed", Some(30005)) };
    sms::reported(&t.w.s, Report { sid: format!("SM{}", "e".repeat(32)), ..strange.clone() }).await.unwrap();
    let renamed = Report { sid: format!("SM{}", "d".repeat(32)), ..t.texter.report(0, "failed", None) };
    sms::reported(&t.w.s, renamed).await.unwrap();
    let nobodys = Report { send: Some(SendId(uuid::Uuid::nil())), sid: "SM1".into(), ..strange };
    sms::reported(&t.w.s, nobodys).await.unwrap();
    assert_eq!(t.texts(id).await[0].state, MessageState::Delivered);
    assert_eq!(t.texter.bodies().len(), 1);
    // Many at once, on both databases.
    t.at("2027-02-17T14:00:00Z").await;
    let all = ["sent", "delivered", "sent", "queued", "sending", "sent", "delivered", "accepted"].repeat(3);
    futures_util::future::join_all(all.into_iter().map(|status| t.reported(1, status, None))).await;
    assert_eq!(t.texts(id).await[1].state, MessageState::Delivered);
    let refused = sms::prove(&t.w.s, "https://x", &[], "wrong").unwrap_err();
    assert!(
        matches!(refused, service::Error::Refused(ErrorCode::Forbidden, _))
            && sms::prove(&t.w.s, "", &[], "right").is_ok()
    );
}

async fn nothing_is_sent_in_the_night(t: Texting) {
    let id = t.booked(thursday()).await;
    // Nobody worked when the reminder was due; it is ten in the evening in Montréal.
    t.at("2027-02-16T03:00:00Z").await;
    let waits = t.texts(id).await.remove(0);
    assert_eq!((*waits.state, waits.attempts, t.listed(Standing::Waiting).await.len()), (MessageState::Queued, 0, 1));
    t.at("2027-02-16T12:59:59Z").await;
    assert!(t.texter.bodies().is_empty());
    t.at("2027-02-16T13:00:00Z").await;
    assert_eq!(t.texter.bodies().len(), 1, "eight in the morning");
    assert_eq!(t.texts(id).await[0].state, MessageState::Sent);
}

async fn what_nobody_answered_for_is_looked_for_before_it_is_sent_again(mut t: Texting) {
    let wall = Arc::new(HandClock::at(t.w.s.wall.now()));
    t.w.s.wall = wall.clone();
    let id = t.booked(thursday()).await;
    for (how, taken, handed) in [(How::LosesAnswer, 1, 1), (How::LosesRequest, 2, 2)] {
        t.texter.queue([how]);
        let begun = if handed == 1 { REMINDER } else { "2027-02-17T14:00:00Z" };
        t.w.clock.set(instant(begun));
        t.run().await;
        let unknown = t.texts(id).await.pop().unwrap();
        assert_eq!((*unknown.state, unknown.attempts), (MessageState::Queued, 1));
        assert!(unknown.last_error.unwrap().contains("nobody knows"));
        // A minute later by the business clock, and it may still be on its way.
        t.w.clock.set(instant(begun) + Duration::minutes(2));
        t.run().await;
        assert_eq!(t.texts(id).await.pop().unwrap().state, MessageState::Queued);
        wall.set(wall.now_value() + Duration::seconds(61));
        t.w.work().await;
        let sent = t.texts(id).await.pop().unwrap();
        assert_eq!((*sent.state, t.texter.bodies().len()), (MessageState::Sent, taken), "never twice");
        let sends = t.w.read(move |u| u.sms().of_message(sent.id)).await;
        assert_eq!((sends.len(), sends[0].sid.is_some()), (handed, true));
    }
    // A report may come before anybody looked: it says what the answer would have said.
    let other = t.booked(Draft { time: NaiveTime::from_hms_opt(13, 0, 0).unwrap(), ..thursday() }).await;
    t.texter.queue([How::LosesAnswer]);
    t.w.clock.set(instant("2027-02-17T18:00:00Z"));
    t.run().await;
    t.reported(2, "delivered", None).await;
    assert_eq!(t.texts(other).await[0].state, MessageState::Delivered);
    wall.set(wall.now_value() + Duration::seconds(61));
    t.at("2027-02-17T18:02:00Z").await;
    assert_eq!(t.texter.bodies().len(), 3);
}

async fn who_stops_texts_gets_none_until_they_start_again(t: Texting) {
    let id = t.booked(thursday()).await;
    assert_eq!(t.writes("SM1", "Stop").await, None, "the service answers its own word");
    t.at(REMINDER).await;
    let kept_back = t.texts(id).await.remove(0);
    assert_eq!(
        (*kept_back.state, kept_back.trouble, kept_back.attempts),
        (MessageState::Dead, Some(SmsTrouble::Stopped), 0)
    );
    assert_eq!(t.listed(Standing::Withheld).await.len(), 1);
    assert!(t.listed(Standing::Dropped).await.is_empty() && t.texter.bodies().is_empty());
    let found = service::desk::record::get(&t.w.s, &t.w.staff(), id).await.unwrap();
    assert!(found.texts_stopped, "staff see it");
    t.writes("SM2", "START").await;
    t.writes("SM1", "Stop").await;
    assert!(!service::desk::record::get(&t.w.s, &t.w.staff(), id).await.unwrap().texts_stopped, "the first came twice");
    t.at("2027-02-17T14:00:00Z").await;
    assert_eq!(t.texter.bodies().len(), 1);
    for (sid, word, answered) in [("SM3", "ARRÊT", "START"), ("SM4", "退订", "START")] {
        let answer = t.writes(sid, word).await.unwrap();
        assert!(answer.contains(answered) && answer.contains("Portage"), "{answer}");
        assert_eq!(t.writes(sid, word).await, None, "once");
        let phone: E164 = "+15145550199".parse().unwrap();
        assert!(t.w.read(move |u| wishes::stopped(u, &phone)).await);
    }
    assert_eq!(t.writes("SM5", "Merci, à demain").await, None);
}

fn refusal(trouble: SmsTrouble) -> How {
    How::Refuses(SmsError::Refused { code: 1, trouble, why: "no".into() })
}

async fn each_refusal_is_acted_upon(mut t: Texting) {
    let wall = Arc::new(HandClock::at(t.w.s.wall.now()));
    t.w.s.wall = wall.clone();
    let at = |hour| Draft { time: NaiveTime::from_hms_opt(hour, 0, 0).unwrap(), ..thursday() };
    let typed = |number: &str| Draft { phone: Some(number.parse().unwrap()), ..at(10) };
    let (nowhere, landline, stopped) =
        (t.booked(typed("555-0199")).await, t.booked(at(11)).await, t.booked(at(12)).await);
    let (busy, shut) = (t.booked(at(13)).await, t.booked(at(14)).await);
    t.texter.queue([
        refusal(SmsTrouble::NotMobile),
        refusal(SmsTrouble::Stopped),
        How::Refuses(SmsError::NotTaken { why: "429".into(), wait: Some(std::time::Duration::from_secs(7)) }),
        How::Takes,
        How::Refuses(SmsError::Misconfigured("401".into())),
    ]);
    let one = async |id: BookingId| t.texts(id).await.remove(0);
    t.w.clock.set(instant("2027-02-15T15:00:00Z"));
    t.w.work().await;
    assert_eq!(one(nowhere).await.trouble, Some(SmsTrouble::NoNumber));
    assert_eq!(t.listed(Standing::GivenUp).await.len(), 1);
    t.w.clock.set(instant("2027-02-15T16:00:00Z"));
    t.w.work().await;
    assert_eq!(
        (one(landline).await.trouble, t.listed(Standing::GivenUp).await.len()),
        (Some(SmsTrouble::NotMobile), 2)
    );
    t.w.clock.set(instant("2027-02-15T17:00:00Z"));
    t.w.work().await;
    let told = one(stopped).await;
    assert_eq!(
        (*told.state, told.trouble),
        (MessageState::Dead, Some(SmsTrouble::Stopped)),
        "the service knew of a STOP"
    );
    t.writes("SM9", "START").await;
    // Too many calls: not before it says so, and none of its tries is lost.
    t.w.clock.set(instant("2027-02-15T18:00:00Z"));
    t.run().await;
    assert_eq!((one(busy).await.state.code(), t.texter.bodies().len()), ("queued", 0));
    wall.set(wall.now_value() + Duration::seconds(8));
    t.w.work().await;
    assert_eq!((one(busy).await.state.code(), t.texter.bodies().len()), ("sent", 1));
    // Wrong settings: nothing goes out until they are mended, and nothing is lost.
    t.w.clock.set(instant("2027-02-15T19:00:00Z"));
    t.run().await;
    assert!(t.w.s.text_gate.shut().unwrap().why.contains("401") && t.w.s.mail_gate.shut().is_none());
    assert_eq!(one(shut).await.state, MessageState::Queued);
    wall.set(wall.now_value() + Duration::minutes(6));
    t.w.work().await;
    assert_eq!((one(shut).await.state.code(), t.w.s.text_gate.shut()), ("sent", None));
    // Staff have a landline tried again, by now a mobile's.
    let again = outbox::retry(&t.w.s, &t.w.staff(), one(landline).await.id).await.unwrap();
    assert_eq!(again.standing, Standing::Retrying);
    t.w.work().await;
    assert_eq!((one(landline).await.state.code(), one(landline).await.trouble), ("sent", None));
}

async fn a_handset_out_of_reach_is_tried_once_more(t: Texting) {
    let id = t.booked(thursday()).await;
    t.at(REMINDER).await;
    t.reported(0, "sent", None).await;
    t.reported(0, "undelivered", Some(30003)).await;
    assert_eq!(t.texts(id).await[0].state, MessageState::Queued);
    t.at("2027-02-15T14:09:00Z").await;
    assert_eq!(t.texter.bodies().len(), 1);
    t.at("2027-02-15T14:10:00Z").await;
    assert_eq!((t.texter.bodies().len(), t.texts(id).await[0].state.code()), (2, "sent"));
    t.reported(0, "undelivered", Some(30003)).await;
    assert_eq!(t.texts(id).await[0].state, MessageState::Sent, "a report of the first says nothing of the second");
    t.reported(1, "undelivered", Some(30003)).await;
    let lost = t.texts(id).await.remove(0);
    assert_eq!((*lost.state, lost.trouble, lost.attempts), (MessageState::Failed, Some(SmsTrouble::Unreachable), 2));
    t.at("2027-02-15T16:00:00Z").await;
    assert_eq!((t.texter.bodies().len(), t.listed(Standing::Undelivered).await.len()), (2, 1));
}

async fn the_last_but_one_decline_is_told_by_text(t: Texting) {
    let id = t.booked(thursday()).await;
    t.w.gateway.queue(&[Next::Soft; 20]);
    // The deposit after a day, and then six, 24 and 48 hours later.
    for hours in [24, 30, 48, 72] {
        t.w.clock.set(instant("2027-02-08T14:00:00Z") + Duration::hours(hours) + Duration::minutes(1));
        t.w.work().await;
        let told = t.texter.bodies().len();
        assert_eq!(told, usize::from(hours >= 48), "after {hours} hours");
    }
    let body = t.texter.bodies().remove(0);
    let (words, link) = body.split_once("http").unwrap();
    assert_eq!((words, link.contains("/card/")), ("Your card was declined. Please update it: ", true));
    let kept = t.texts(id).await.remove(0).text.unwrap().body;
    assert!(kept.ends_with("•••") && !kept.contains("/card/"), "{kept}");
    t.reported(0, "delivered", None).await;
    assert_eq!(t.texts(id).await[0].values, serde_json::json!({}), "the link is forgotten");
}

async fn a_delivery_is_told_step_by_step(t: Texting) {
    let french = Draft { kind: Some(MoveKind::ItemDelivery), language: Some(Language::Fr), ..thursday() };
    let (id, moved) = (t.booked(french).await, t.booked(thursday()).await);
    for booking in [id, moved] {
        let mates = if booking == id { vec![mate(1), mate(2)] } else { vec![mate(3), mate(4)] };
        name::name(&t.w.s, &t.w.staff(), booking, Named::now(mates, None)).await.unwrap();
    }
    t.w.work().await;
    let me = |n: u128| Caller {
        mate: Some(mate(n)),
        ..support::caller(Role::Mate, UserId(uuid::Uuid::from_u128(0x3a00 + n)))
    };
    t.at("2027-02-18T13:30:00Z").await;
    let before = t.texter.bodies().len();
    for n in [1, 2, 1] {
        jobs::act(&t.w.s, &me(n), id, Act::Start, None).await.unwrap();
    }
    jobs::act(&t.w.s, &me(3), moved, Act::Start, None).await.unwrap();
    t.w.work().await;
    assert_eq!(t.texter.bodies().len(), before + 1, "once, and of the delivery only");
    assert_eq!(t.texter.taken.lock().unwrap().last().unwrap().0.valid_seconds, Some(3600));
    t.w.clock.set(instant("2027-02-18T16:00:00Z"));
    jobs::act(&t.w.s, &me(1), id, Act::Finish, None).await.unwrap();
    jobs::act(&t.w.s, &me(2), id, Act::Finish, None).await.unwrap();
    t.w.work().await;
    let told: Vec<(String, String)> = t
        .texts(id)
        .await
        .into_iter()
        .filter(|m| m.message_type != "moveReminder")
        .map(|m| (m.message_type, m.text.unwrap().body))
        .collect();
    let expected = [
        ("deliveryScheduled", "Portage : livraison prévue le 18 février 2027, 8 h 30 - 9 h 30."),
        ("deliveryOnTheWay", "Mate1 Tester est en route, arrivée 8 h 30 - 9 h 30."),
        ("deliveryCompleted", "Votre livraison de Portage est terminée. Merci!"),
    ];
    assert_eq!(told, expected.map(|(kind, body)| (kind.to_owned(), body.to_owned())));
    assert!(t.texts(moved).await.iter().all(|m| m.message_type == "moveReminder"));
}

async fn what_nobody_reported_is_asked_for(t: Texting) {
    let id = t.booked(thursday()).await;
    t.at(REMINDER).await;
    let sweep = async || {
        t.w.s.write(service::Actor::system(), |tx| tx.enqueue(&Work::SweepSms {})).await.unwrap();
        t.w.work().await;
    };
    t.texter.taken.lock().unwrap()[0].1.status = SmsStatus::Delivered;
    t.w.clock.set(instant("2027-02-16T13:59:00Z"));
    sweep().await;
    assert_eq!(t.texts(id).await[0].state, MessageState::Sent, "a report may still come");
    t.w.clock.set(instant("2027-02-16T14:01:00Z"));
    sweep().await;
    assert_eq!(t.texts(id).await[0].state, MessageState::Delivered);
    // A carrier that says nothing: sent is all that is known.
    t.at("2027-02-17T14:00:00Z").await;
    t.w.clock.set(instant("2027-02-18T14:01:00Z"));
    sweep().await;
    let silent = t.texts(id).await.remove(1);
    assert_eq!(
        (*silent.state, silent.values),
        (MessageState::Sent, serde_json::json!({})),
        "and what it was filled with is forgotten"
    );
}

async fn without_a_service_nothing_is_queued(mut t: Texting) {
    t.w.s.texter = None;
    let id = t.booked(thursday()).await;
    t.at(REMINDER).await;
    assert!(t.texts(id).await.is_empty());
    let refused = sms::prove(&t.w.s, "", &[], "right").unwrap_err();
    assert!(matches!(refused, service::Error::Refused(ErrorCode::NotFound, _)));
}
