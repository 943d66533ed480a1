//! Commercial e-mail: it can be stopped by a press and comes again by another; what a booking needs is mailed all the same.

use chrono::{Duration, NaiveDate, NaiveTime};
use kernel::{Email, Language, Province};
use service::{
    Caller, Error, ErrorCode,
    bookings::{
        Draft,
        saved::{self, NewSavedQuote},
    },
    desk::record,
    idempotency::Replayable,
    outbox::{self, Entry, OutboxFilter, Standing},
    ports::{mail::OutgoingMail, mail_wishes::WishWay, sms::SmsTrouble},
    unsubscribe::{self, Page},
};
use store::testing::TestDb;

use crate::support::{World, draft};

in_both_worlds!(
    it_is_stopped_and_taken_back,
    what_waits_when_somebody_stops_it_is_not_sent,
    to_look_changes_nothing_and_a_guess_is_nothing,
    links_are_forgotten_and_wishes_stay,
);

async fn world(db: TestDb) -> World {
    let w = World::on(db, "2027-02-08T14:00:00Z".parse().unwrap()).await;
    w.flat_rate(50_000).await;
    w
}

fn thursday() -> Draft {
    draft(Province::QC, NaiveDate::from_ymd_opt(2027, 2, 18).unwrap(), NaiveTime::from_hms_opt(9, 0, 0).unwrap())
}

const ANA: &str = "ana@portage.test";

/// Asks for a quote by mail; nothing is sent yet. Whether who asks reads that nothing will be.
async fn wished(w: &World, to: &str) -> bool {
    let wish = NewSavedQuote { to: to.parse().unwrap(), draft: thursday(), kept: "{}".to_owned() };
    match saved::save(&w.s, &Caller::guest(Language::En), wish, None).await.unwrap() {
        Replayable::Fresh(saved) => saved.withheld,
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

fn sent(w: &World, kind: &str) -> Vec<OutgoingMail> {
    w.mailer.sent.lock().unwrap().iter().filter(|mail| mail.message_type == kind).cloned().collect()
}

/// The secret of the link in a mail.
fn secret(mail: &OutgoingMail) -> String {
    let link = mail.text.split_whitespace().find(|word| word.contains("/unsubscribe/")).unwrap();
    link.rsplit_once("/unsubscribe/").unwrap().1.split('?').next().unwrap().to_owned()
}

async fn say(w: &World, token: &str, stops: bool) -> Page {
    let guest = Caller::guest(Language::En);
    unsubscribe::say(&w.s, &guest, token.to_owned(), stops, WishWay::Page).await.unwrap()
}

async fn look(w: &World, token: &str) -> Page {
    unsubscribe::look(&w.s, token.to_owned()).await.unwrap()
}

async fn listed(w: &World, standing: Standing) -> Vec<Entry> {
    let asked =
        OutboxFilter { standing: Some(standing), message_type: Some("quoteSaved".into()), ..OutboxFilter::default() };
    outbox::list(&w.s, &w.staff(), asked, 1, 50).await.unwrap().data
}

async fn it_is_stopped_and_taken_back(w: World) {
    wished(&w, ANA).await;
    w.work().await;
    let first = sent(&w, "quoteSaved").remove(0);
    let token = secret(&first);
    assert_eq!(first.unsubscribe, Some(format!("http://localhost:8080/api/unsubscribe/{token}/one-click")));
    assert!(first.html.contains(&format!("/unsubscribe/{token}")), "{}", first.html);
    let page = look(&w, &token).await;
    let told = (page.email.as_str(), page.is_stopped, page.company.as_str(), page.language);
    assert_eq!(told, (ANA, false, "Portage", Language::En));
    // What is kept of the mail opens nothing.
    let kept = listed(&w, Standing::Sent).await.remove(0).message.text.unwrap();
    assert!(!kept.body.contains(&token) && !kept.html.contains(&token) && kept.body.contains("•••"), "{}", kept.body);
    // Twice is once.
    assert!(say(&w, &token, true).await.is_stopped && say(&w, &token, true).await.is_stopped);
    assert!(wished(&w, "Ana@portage.test").await);
    let id = w.book(thursday(), None).await.unwrap().booking.id;
    w.work().await;
    assert_eq!(sent(&w, "quoteSaved").len(), 1, "the second was not sent");
    let withheld = listed(&w, Standing::Withheld).await;
    assert_eq!(withheld.len(), 1);
    assert_eq!(withheld[0].message.trouble, Some(SmsTrouble::Unsubscribed));
    assert_eq!(withheld[0].message.values, serde_json::json!({}), "its links are forgotten");
    // What the booking needs goes all the same, and staff see what was wished.
    let confirmation = sent(&w, "bookingConfirmation").remove(0);
    assert_eq!((confirmation.to.as_str(), confirmation.unsubscribe), (ANA, None));
    assert!(record::get(&w.s, &w.staff(), id).await.unwrap().mails_stopped);
    // Another address is another person.
    assert!(!wished(&w, "other@portage.test").await);
    w.work().await;
    assert_eq!(sent(&w, "quoteSaved").len(), 2);
    assert!(!say(&w, &token, false).await.is_stopped);
    assert!(!wished(&w, ANA).await);
    w.work().await;
    assert_eq!(sent(&w, "quoteSaved").len(), 3);
    assert!(!record::get(&w.s, &w.staff(), id).await.unwrap().mails_stopped);
}

async fn what_waits_when_somebody_stops_it_is_not_sent(w: World) {
    wished(&w, ANA).await;
    w.work().await;
    let token = secret(&sent(&w, "quoteSaved")[0]);
    wished(&w, ANA).await;
    assert_eq!(listed(&w, Standing::Waiting).await.len(), 1);
    say(&w, &token, true).await;
    w.work().await;
    assert_eq!((sent(&w, "quoteSaved").len(), listed(&w, Standing::Withheld).await.len()), (1, 1));
}

async fn to_look_changes_nothing_and_a_guess_is_nothing(w: World) {
    wished(&w, ANA).await;
    w.work().await;
    let token = secret(&sent(&w, "quoteSaved")[0]);
    for _ in 0..3 {
        assert!(!look(&w, &token).await.is_stopped);
    }
    let address: Email = ANA.parse().unwrap();
    assert_eq!(w.read(move |u| u.mail_wishes().wish_of(&address)).await, None);
    for guess in ["x".repeat(43), String::new(), token.to_uppercase()] {
        let refused = unsubscribe::look(&w.s, guess.clone()).await;
        assert!(matches!(refused, Err(Error::Refused(ErrorCode::NotFound, _))), "{guess}");
        let guest = Caller::guest(Language::En);
        let refused = unsubscribe::say(&w.s, &guest, guess, true, WishWay::OneClick).await;
        assert!(matches!(refused, Err(Error::Refused(ErrorCode::NotFound, _))));
    }
    say(&w, &token, true).await;
    // The trail says what was done, and of nobody's address.
    let link = w.read(move |u| u.mail_wishes().link(&service::secret::hash(&token))).await.unwrap();
    let trail = w.read(move |u| u.audits().of_subject("mail", &link.id.to_string())).await;
    assert_eq!(trail.len(), 1);
    assert_eq!(trail[0].after, Some(serde_json::json!({ "stops": true, "way": "page" })));
}

async fn links_are_forgotten_and_wishes_stay(w: World) {
    wished(&w, ANA).await;
    w.work().await;
    let token = secret(&sent(&w, "quoteSaved")[0]);
    say(&w, &token, true).await;
    let made = w.clock.now_value();
    w.clock.set(made + Duration::days(399));
    service::jobs::schedule_housekeeping(&w.s).await.unwrap();
    w.work().await;
    // The law asks for sixty days.
    assert!(look(&w, &token).await.is_stopped);
    w.clock.set(made + Duration::days(402));
    w.work().await;
    assert!(unsubscribe::look(&w.s, token).await.is_err());
    let address: Email = ANA.parse().unwrap();
    assert!(w.read(move |u| u.mail_wishes().wish_of(&address)).await.is_some_and(|wish| wish.stops));
}
