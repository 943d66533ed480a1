//! The client against the simulator over HTTP: what the service takes, what it refuses, and every way an answer gets lost.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods, missing_docs)]

mod support;

use std::time::Duration;

use kernel::chrono::{Duration as Days, Utc};
use serde_json::{Value, json};
use service::ports::sms::{KnownSms, OutgoingSms, SmsError, SmsStatus, SmsTrouble, Texter as _};
use support::House;
use twilio::{Config, Timeouts, Twilio, simulator::DEMO_TOKEN};

fn sms(to: &str, body: &str) -> OutgoingSms {
    OutgoingSms {
        to: to.parse().unwrap(),
        body: body.to_owned(),
        callback: "http://localhost/never?send=1".to_owned(),
        valid_seconds: Some(3600),
    }
}

const TO: &str = "+15145550199";

async fn found(house: &House, body: &str) -> Vec<KnownSms> {
    let all = house.client().sent_to(&TO.parse().unwrap(), Utc::now() - Days::minutes(1)).await.unwrap();
    all.into_iter().filter(|m| m.body == body).collect()
}

#[actix_web::test]
async fn a_message_is_taken_read_and_reported() {
    let house = House::start().await;
    house.control(json!({ "hold": true })).await;
    let body = "Rappel: 14 h 30 + « é » & 100 %";
    let taken = house.client().send(&sms(TO, body)).await.unwrap();
    assert_eq!((taken.status, taken.error_code, taken.sid.len()), (SmsStatus::Queued, None, 34));
    let kept = &house.get("messages").await["data"][0];
    assert_eq!((&kept["body"], &kept["to"]), (&json!(body), &json!(TO)), "a plus sign stays one");
    assert_eq!((&kept["validity_period"], &kept["from"]), (&json!(3600), &json!("+15145550100")));
    assert_eq!(found(&house, body).await, std::slice::from_ref(&taken), "it waits, and has no date of sending");
    let reports = house.get("callbacks").await["data"].clone();
    let statuses: Vec<&str> = reports.as_array().unwrap().iter().map(|r| value(r, "MessageStatus")).collect();
    assert_eq!(statuses, ["queued", "sent", "delivered"]);
    let report = &reports[2];
    let form: Vec<(String, String)> = serde_json::from_value(report["form"].clone()).unwrap();
    let (url, signature) = (report["url"].as_str().unwrap(), report["signature"].as_str().unwrap());
    assert!(house.client().signed(url, &form, signature));
    assert!(!house.client().signed("http://localhost/never?send=2", &form, signature));
    let read = house.client().read(&taken.sid).await.unwrap().unwrap();
    assert_eq!(read.status, SmsStatus::Delivered);
    assert_eq!(house.client().read(&format!("SM{}", "f".repeat(32))).await.unwrap(), None);
    assert_eq!(house.client().read("../../x").await.unwrap(), None, "no name of the service");
}

#[actix_web::test]
async fn what_is_made_after_a_restart_is_named_otherwise() {
    let (before, after) = (House::start().await, House::start().await);
    let first = before.client().send(&sms(TO, "One")).await.unwrap();
    let second = after.client().send(&sms(TO, "Two")).await.unwrap();
    // Whoever sent both remembers the first name.
    assert_ne!(first.sid, second.sid);
}

fn value<'a>(report: &'a Value, name: &str) -> &'a str {
    let form = report["form"].as_array().unwrap();
    form.iter().find(|pair| pair[0] == name).unwrap()[1].as_str().unwrap()
}

#[actix_web::test]
async fn reports_are_called_in_with_their_signature() {
    let house = House::start().await;
    let callback = format!("{}/heard?send=7", house.url);
    house.client().send(&OutgoingSms { callback: callback.clone(), ..sms(TO, "hello") }).await.unwrap();
    let heard = house.heard(3).await;
    let statuses: Vec<&str> = heard.iter().map(|h| h.get("MessageStatus")).collect();
    assert_eq!(statuses, ["queued", "sent", "delivered"]);
    assert!(heard.iter().all(|h| house.client().signed(&callback, &h.form, &h.signature)));
}

#[actix_web::test]
async fn each_refusal_is_sorted() {
    let house = House::start().await;
    let client = house.client();
    for (to, code, trouble) in [
        ("+15005550001", 21211, SmsTrouble::NoNumber),
        ("+15005550002", 21612, SmsTrouble::Unreachable),
        ("+15005550003", 21408, SmsTrouble::Account),
        ("+15005550004", 21610, SmsTrouble::Stopped),
        ("+15005550009", 21614, SmsTrouble::NotMobile),
    ] {
        let refused = client.send(&sms(to, "x")).await.unwrap_err();
        let SmsError::Refused { code: c, trouble: t, why } = &refused else { panic!("{to}: {refused:?}") };
        assert_eq!((*c, *t), (code, trouble));
        assert!(!why.contains(to), "no number in the words: {why}");
    }
    house.control(json!({ "outcomes": [{ "outcome": "rate_limited", "seconds": 7 }] })).await;
    let limited = client.send(&sms(TO, "x")).await.unwrap_err();
    assert!(matches!(limited, SmsError::NotTaken { wait: Some(w), .. } if w == Duration::from_secs(7)), "{limited:?}");
    for config in [
        Config { auth_token: "wrong".to_owned().into(), ..house.config() },
        Config { account_sid: format!("AC{}", "1".repeat(32)), ..house.config() },
        Config { sender: "+15145550000".into(), ..house.config() },
        Config { base_url: format!("{}/elsewhere", house.url), ..house.config() },
    ] {
        let refused = Twilio::new(config).unwrap().send(&sms(TO, "x")).await.unwrap_err();
        assert!(matches!(&refused, SmsError::Misconfigured(_)), "{refused:?}");
        assert!(!refused.to_string().contains(DEMO_TOKEN));
    }
    assert_eq!(house.get("messages").await["total"], 0);
}

#[actix_web::test]
async fn what_nobody_answered_for_is_unknown_and_found_again() {
    let house = House::start().await;
    house.control(json!({ "hold": true })).await;
    let impatient = house.with(Timeouts { connect: Duration::from_secs(5), total: Duration::from_millis(300) });
    for (body, outcome, exists) in [
        ("lost", json!({ "outcome": "lost_after" }), true),
        ("500, taken", json!({ "outcome": "error_500_applied" }), true),
        ("500", json!({ "outcome": "error_500" }), false),
        ("never there", json!({ "outcome": "lost_before" }), false),
        ("slow", json!({ "outcome": "slow_before", "ms": 900 }), true),
    ] {
        house.control(json!({ "outcomes": [outcome] })).await;
        let unknown = impatient.send(&sms(TO, body)).await.unwrap_err();
        assert!(matches!(unknown, SmsError::Unknown(_)), "{body}: {unknown:?}");
        if body == "slow" {
            assert_eq!(found(&house, body).await, [], "it is still under way");
            tokio::time::sleep(Duration::from_millis(1500)).await;
        }
        assert_eq!(found(&house, body).await.len(), usize::from(exists), "{body}");
    }
    // Nobody listens there: it was not sent for certain.
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let nobody = Config { base_url: format!("http://{closed}/2010-04-01"), ..house.config() };
    let refused = Twilio::new(nobody).unwrap().send(&sms(TO, "x")).await.unwrap_err();
    assert!(matches!(refused, SmsError::NotTaken { wait: None, .. }), "{refused:?}");
}

#[actix_web::test]
async fn a_long_list_is_read_page_by_page() {
    let house = House::start().await;
    house.control(json!({ "hold": true })).await;
    let client = house.client();
    client.send(&sms(TO, "the first")).await.unwrap();
    for n in 0..130 {
        client.send(&sms(if n % 2 == 0 { TO } else { "+15145550198" }, &format!("no. {n}"))).await.unwrap();
        client.send(&sms(TO, &format!("again {n}"))).await.unwrap();
    }
    assert_eq!(found(&house, "the first").await.len(), 1, "on the second page");
}

#[actix_web::test]
async fn who_writes_stop_is_not_written_to_until_start() {
    let house = House::start().await;
    let client = house.client();
    house.post("inbound", json!({ "from": TO, "body": " stop " })).await;
    let refused = client.send(&sms(TO, "x")).await.unwrap_err();
    assert!(matches!(refused, SmsError::Refused { code: 21610, trouble: SmsTrouble::Stopped, .. }), "{refused:?}");
    client.send(&sms("+15145550198", "x")).await.unwrap();
    house.post("inbound", json!({ "from": TO, "body": "START" })).await;
    client.send(&sms(TO, "x")).await.unwrap();
    let heard = house.heard(2).await;
    let told: Vec<(&str, &str)> =
        heard.iter().filter(|h| h.has("Body")).map(|h| (h.get("Body"), h.get("From"))).collect();
    assert_eq!(told, [(" stop ", TO), ("START", TO)]);
}
