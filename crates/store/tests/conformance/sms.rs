//! Text messages: handings over, and wishes.

use kernel::{E164, MessageId};
use serde_json::json;
use service::ports::{
    messages::{Message, MessageFilter, MessageState, Recipient, SentText, SmsOutcome},
    sms::{Handover, SendId, SmsPreference, SmsStatus, SmsTrouble},
};
use status_machine::At;
use store::testing::TestDb;

use crate::fixtures::*;

on_both_engines!(
    a_handing_over_is_kept_before_anybody_answers,
    what_became_of_a_text_is_kept,
    the_newest_wish_of_a_number_counts,
);

fn text(dedup: &str) -> Message {
    Message {
        id: MessageId(uuid()),
        dedup_key: dedup.to_owned(),
        booking_id: None,
        user_id: None,
        message_type: "moveReminder".to_owned(),
        language: kernel::Language::Zh,
        recipient: Recipient::Phone("+15145550199".to_owned()),
        recipient_name: "李".to_owned(),
        values: json!({ "zone": "America/Toronto" }),
        state: At::stored(MessageState::Queued),
        created_at: at(0),
        sent_at: None,
        attempts: 0,
        last_error: None,
        provider_id: None,
        text: None,
        segments: None,
        trouble: None,
    }
}

async fn queued(db: &TestDb, dedup: &str) -> Message {
    let made = text(dedup);
    let copy = made.clone();
    write(db, move |u| u.messages().insert_once(&copy)).await;
    made
}

fn send(message: MessageId, minutes: i64) -> Handover {
    Handover {
        id: SendId(uuid()),
        message_id: message,
        begun_at: at(minutes + 1),
        made_at: at(minutes),
        body_hash: "ab".repeat(32),
        sid: None,
        status: None,
        error_code: None,
        is_over: false,
    }
}

async fn a_handing_over_is_kept_before_anybody_answers(db: TestDb) {
    let made = queued(&db, "a").await.id;
    let (first, second) = (send(made, 0), send(made, 5));
    let all = [first.clone(), second.clone()];
    write(&db, move |u| all.iter().try_for_each(|s| u.sms().begin(s))).await;
    assert_eq!(read(&db, move |u| u.sms().of_message(made)).await, [second.clone(), first.clone()], "the newest first");
    assert_eq!(read(&db, |u| u.sms().open_between(at(0), at(9), 9)).await, [], "nobody knows their names yet");
    let id = first.id;
    let over = Handover { is_over: true, ..first };
    let named = Handover {
        sid: Some("SM1".into()),
        status: Some(SmsStatus::PartlyDelivered),
        error_code: Some(30003),
        ..second.clone()
    };
    let copies = [over.clone(), named.clone()];
    write(&db, move |u| copies.iter().try_for_each(|s| u.sms().update(s))).await;
    assert_eq!(read(&db, move |u| u.sms().by_id(id)).await, Some(over));
    assert_eq!(read(&db, |u| u.sms().by_sid("SM1")).await, Some(named.clone()));
    assert_eq!(read(&db, |u| u.sms().by_sid("SM2")).await, None);
    assert_eq!(read(&db, |u| u.sms().open_between(at(5), at(6), 9)).await, [named]);
    assert_eq!(read(&db, |u| u.sms().open_between(at(6), at(9), 9)).await, []);
    // No two of ours have one name of the service's.
    let twin = Handover { sid: Some("SM1".into()), ..send(made, 7) };
    assert!(try_write(&db, move |u| u.sms().begin(&twin)).await.is_err());
}

async fn what_became_of_a_text_is_kept(db: TestDb) {
    let made = queued(&db, "a").await;
    let id = made.id;
    let said = SentText { subject: String::new(), body: "提醒：•••".into(), html: String::new() };
    let copy = said.clone();
    write(&db, move |u| u.messages().worded(id, &copy, 2)).await;
    let waits = Message { attempts: 1, text: Some(said), segments: Some(2), ..made };
    assert_eq!(read(&db, move |u| u.messages().get(id)).await, Some(waits.clone()));
    for (state, trouble, forget) in [
        (MessageState::Sent, None, false),
        (MessageState::Delivered, None, true),
        (MessageState::Failed, Some(SmsTrouble::NotMobile), true),
        (MessageState::Dead, Some(SmsTrouble::Stopped), true),
    ] {
        let told = SmsOutcome {
            state: At::stored(state),
            sent_at: (state != MessageState::Dead).then(|| at(3)),
            provider_id: Some("SM1".into()),
            trouble,
            last_error: trouble.map(|_| "no".to_owned()),
            forget,
        };
        let copy = told.clone();
        write(&db, move |u| u.messages().sms_outcome(id, &copy)).await;
        let kept = read(&db, move |u| u.messages().get(id)).await.unwrap();
        assert_eq!((*kept.state, kept.trouble, kept.sent_at), (state, trouble, told.sent_at));
        assert_eq!((kept.provider_id, kept.last_error), (told.provider_id, told.last_error));
        assert_eq!(kept.values == json!({}), forget);
        for other in MessageState::ALL {
            let wanted = MessageFilter { state: Some(*other), ..MessageFilter::default() };
            let (rows, total) = read(&db, move |u| u.messages().listed(&wanted, 0, 9)).await;
            assert_eq!((rows.len(), total == 1), (usize::from(*other == state), *other == state), "{other}");
        }
        let wanted = MessageFilter { troubled: Some(true), ..MessageFilter::default() };
        assert_eq!(read(&db, move |u| u.messages().listed(&wanted, 0, 9)).await.1, i64::from(trouble.is_some()));
    }
    assert!(Stranger::at(db.url()).run("UPDATE messages SET arrival = 'lost'").is_err());
}

async fn the_newest_wish_of_a_number_counts(db: TestDb) {
    let phone: E164 = "+15145550199".parse().unwrap();
    let wish = |sid: &str, stops| SmsPreference { sid: sid.to_owned(), phone: phone.clone(), stops, at: at(0) };
    let of = async || {
        let phone = phone.clone();
        read(&db, move |u| u.sms().wish_of(&phone)).await
    };
    assert_eq!(of().await, None);
    for (sid, stops, fresh, counts) in
        [("SM1", true, true, true), ("SM2", false, true, false), ("SM1", true, false, false), ("SM3", true, true, true)]
    {
        let made = wish(sid, stops);
        assert_eq!(write(&db, move |u| u.sms().wish(&made)).await, fresh);
        assert_eq!(of().await.map(|wish| wish.stops), Some(counts), "after {sid}");
    }
    let other: E164 = "+15145550198".parse().unwrap();
    assert_eq!(read(&db, move |u| u.sms().wish_of(&other)).await, None);
    assert!(Stranger::at(db.url()).run("UPDATE sms_wishes SET stops = stops").is_err(), "append only");
    assert!(Stranger::at(db.url()).run("DELETE FROM sms_wishes").is_err());
}
