//! One stuck job delays no other lane and no other loop; a job that panics takes nobody along; on
//! both databases.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use crate::support::{HandClock, OsEntropy, World, draft};
use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use kernel::{JobId, Language, Province};
use service::{
    Actor, Error, ErrorCode, Services,
    billing::settlement,
    jobs::{self, Lane},
    mailing::{self, NewMessage},
    ports::{
        Entropy as _,
        jobs::{Job, NewJob},
        mail::{Accepted, Attachment, MailError, Mailer, OutgoingMail},
        messages::{Message, MessageFilter, MessageState},
        templates::TemplateText,
    },
    templates,
    work::{JobOutcome, Kind, Lanes},
};
use status_machine::{At, booking::Status};
use store::testing::TestDb;
use tokio::task::JoinHandle;

/// A relay that does what it is told with the n-th letter.
struct Relay {
    letters: AtomicUsize,
    subjects: Mutex<Vec<String>>,
    files: Mutex<Vec<Vec<Attachment>>>,
    how: fn(usize) -> How,
    replaces: bool,
}

#[derive(Clone, Copy)]
enum How {
    Takes,
    NeverAnswers,
    Panics,
    /// "Come back later."
    Busy,
    /// Has the whole letter, and hangs up.
    HangsUp,
    /// "No such person."
    Refuses,
    /// "Who are you?"
    ShutsUsOut,
}

impl Relay {
    fn that(how: fn(usize) -> How) -> Relay {
        let (letters, subjects, files) = (AtomicUsize::new(0), Mutex::default(), Mutex::default());
        Relay { letters, subjects, files, how, replaces: false }
    }
}

#[async_trait]
impl Mailer for Relay {
    async fn send(&self, letter: &OutgoingMail) -> Result<Accepted, MailError> {
        self.subjects.lock().unwrap().push(letter.subject.clone());
        self.files.lock().unwrap().push(letter.attachments.clone());
        match (self.how)(self.letters.fetch_add(1, Ordering::SeqCst)) {
            How::Takes => Ok(Accepted { queue_id: "test".into() }),
            How::NeverAnswers => std::future::pending().await,
            How::Panics => panic!("the relay's answer made no sense"),
            How::Busy => Err(MailError::Transient("421 come back later".into())),
            How::HangsUp => Err(MailError::Unknown("the connection was reset".into())),
            How::Refuses => Err(MailError::Permanent("550 no such person".into())),
            How::ShutsUsOut => Err(MailError::Misconfigured("535 wrong password".into())),
        }
    }

    fn replaces(&self) -> bool {
        self.replaces
    }
}

fn now() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

/// A world with a letter to send.
async fn with_a_letter(db: TestDb, how: fn(usize) -> How) -> (World, Arc<Relay>) {
    with_a_letter_for(db, Relay::that(how)).await
}

async fn with_a_letter_for(db: TestDb, relay: Relay) -> (World, Arc<Relay>) {
    let mut w = World::on(db, now()).await;
    let relay = Arc::new(relay);
    w.s.mailer = relay.clone();
    booked(&w, 17).await;
    (w, relay)
}

/// Makes a booking, and with it a letter.
async fn booked(w: &World, day: u32) {
    let (date, time) = (NaiveDate::from_ymd_opt(2027, 2, day).unwrap(), NaiveTime::from_hms_opt(9, 0, 0).unwrap());
    w.book(draft(Province::QC, date, time), None).await.unwrap();
}

/// A job that ends at once.
async fn quick(w: &World, kind: &'static str) {
    let job = NewJob {
        id: JobId(OsEntropy.uuid(now())),
        kind: kind.to_owned(),
        payload: serde_json::json!({ "holdId": OsEntropy.uuid(now()), "bookingId": OsEntropy.uuid(now()) }),
        run_at: now(),
        dedup_key: None,
        held_until: None,
        max_attempts: 1,
    };
    w.write(move |u| u.jobs().enqueue(&job)).await;
    w.s.bell.ring(Lanes::ALL);
}

async fn due(w: &World) -> i64 {
    w.read(|u| u.jobs().figures(now())).await.due
}

async fn until(what: &str, mut done: impl AsyncFnMut() -> bool) {
    for _ in 0..500 {
        if done().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{what} did not happen within five seconds");
}

fn start(s: &Services) -> Vec<JoinHandle<()>> {
    let work = |lane: Lane| jobs::work_lane(s.clone(), lane.code().to_owned(), lane, std::future::pending());
    Lane::ALL.into_iter().map(|lane| tokio::spawn(work(lane))).collect()
}

async fn a_stuck_lane_delays_no_other(db: TestDb) {
    let (w, relay) = with_a_letter(db, |_| How::NeverAnswers).await;
    let loops = start(&w.s);
    until("the letter", async || relay.letters.load(Ordering::SeqCst) == 1).await;
    for kind in [Kind::ExpireHold.code(), Kind::BillBooking.code(), Kind::ExpireHold.code()] {
        quick(&w, kind).await;
    }
    until("the other lanes' work", async || due(&w).await == 0).await;
    // And it stays in its own lane.
    booked(&w, 18).await;
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!((due(&w).await, relay.letters.load(Ordering::SeqCst)), (1, 1));
    loops.iter().for_each(JoinHandle::abort);
}

/// What only compares, about charges of days ago, is waited for by nobody: a charge that is due does not
/// wait for it, however much of it there is.
async fn a_comparison_delays_no_charge(db: TestDb) {
    let (w, _) = with_a_letter(db, |_| How::Takes).await;
    w.gateway.answer_no_look_up();
    for n in 0..20 {
        settlement::suspect(&w.s, &format!("AAAAAA-full-{n}")).await.unwrap();
    }
    quick(&w, Kind::Housekeeping.code()).await;
    quick(&w, Kind::BillBooking.code()).await;
    let loops = start(&w.s);
    until("the charge", async || w.read(|u| u.jobs().figures_of(Lane::Money.kinds(), now())).await.due == 0).await;
    assert!(w.read(|u| u.jobs().figures_of(Lane::Comparison.kinds(), now())).await.due >= 20);
    loops.iter().for_each(JoinHandle::abort);
}

/// A loop that is stuck holds one job, not those behind it.
async fn one_claim_at_a_time(db: TestDb) {
    let (w, relay) = with_a_letter(db, |n| if n == 0 { How::NeverAnswers } else { How::Takes }).await;
    for day in [18, 19, 22] {
        booked(&w, day).await;
    }
    let work = |who: &str| tokio::spawn(jobs::work(w.s.clone(), who.to_owned(), std::future::pending()));
    let first = work("first");
    until("the first letter", async || relay.letters.load(Ordering::SeqCst) == 1).await;
    let second = work("second");
    until("the other letters", async || relay.letters.load(Ordering::SeqCst) == 4 && due(&w).await == 0).await;
    first.abort();
    second.abort();
}

async fn a_panic_ends_no_loop(db: TestDb) {
    // The first letter always makes it panic, all others go.
    let (w, relay) = with_a_letter(db, |n| if n % 2 == 0 { How::Panics } else { How::Takes }).await;
    let loops = start(&w.s);
    until("the first attempt", async || relay.letters.load(Ordering::SeqCst) == 1).await;
    until("the retry", async || {
        let far = "9999-01-01T00:00:00Z".parse().unwrap();
        w.read(move |u| u.jobs().next_run_of(Lane::Mail.kinds(), far, far)).await.is_some_and(|at| at > now())
    })
    .await;
    booked(&w, 18).await;
    until("the second letter", async || relay.letters.load(Ordering::SeqCst) == 2).await;
    assert!(loops.iter().all(|l| !l.is_finished()), "a loop ended");
    loops.iter().for_each(JoinHandle::abort);
}

async fn what_panics_for_ever_is_buried(db: TestDb) {
    let w = World::on(db, now()).await;
    w.gateway.panic_over_the_list("the list made no sense");
    let job = NewJob {
        id: JobId(OsEntropy.uuid(now())),
        kind: Kind::Compare.code().to_owned(),
        payload: serde_json::json!({}),
        run_at: now(),
        dedup_key: None,
        held_until: None,
        max_attempts: 3,
    };
    w.write(move |u| u.jobs().enqueue(&job)).await;
    for _ in 0..9 {
        jobs::run_due(&w.s, "test").await.unwrap();
        w.clock.set(w.clock.now_value() + chrono::Duration::hours(1));
    }
    let dead = w.read(|u| u.jobs().dead(5)).await;
    assert_eq!(dead.len(), 1, "{dead:?}");
    assert_eq!((dead[0].kind.as_str(), dead[0].attempts, dead[0].max_attempts), (Kind::Compare.code(), 3, 3));
    assert!(dead[0].last_error.as_ref().unwrap().contains("the list made no sense"), "{dead:?}");
}

/// A relay's code that panics may have handed the letter over: it is tried once more, and then a person decides.
async fn what_panics_for_ever_is_given_up(db: TestDb) {
    let (w, relay) = with_a_letter(db, |_| How::Panics).await;
    for _ in 0..90 {
        jobs::run_due(&w.s, "test").await.unwrap();
        if !w.read(|u| u.jobs().dead(1)).await.is_empty() {
            break;
        }
        w.clock.set(w.clock.now_value() + chrono::Duration::hours(1));
    }
    let dead = w.read(|u| u.jobs().dead(5)).await;
    assert_eq!(dead.len(), 1, "{dead:?}");
    assert_eq!((dead[0].kind.as_str(), dead[0].attempts), (Kind::SendMessage.code(), 4));
    assert!(dead[0].last_error.as_ref().unwrap().contains("did not say whether it took it"), "{dead:?}");
    assert_eq!(relay.letters.load(Ordering::SeqCst), 2);
}

/// Seed 8545 of the simulation: a letter whose workers had been killed was given up after one failure.
async fn a_killed_worker_costs_a_letter_no_attempt(db: TestDb) {
    let (w, relay) = with_a_letter(db, |n| if n == 0 { How::Panics } else { How::Takes }).await;
    let (now, wall) = (w.clock.now_value(), w.s.wall.now());
    for n in 0..9 {
        let (who, mail) = (format!("killed-{n}"), Lane::Mail.kinds());
        let job = w.write(move |u| u.jobs().claim_one(now, wall, DateTime::UNIX_EPOCH, &who, mail)).await;
        assert_eq!(job.unwrap().kind, Kind::SendMessage.code());
    }
    for after in [0, 2, 8] {
        w.clock.set(now + chrono::Duration::minutes(after));
        jobs::run_due(&w.s, "test").await.unwrap();
    }
    assert_eq!(w.read(|u| u.jobs().dead(5)).await, []);
    assert_eq!(relay.letters.load(Ordering::SeqCst), 2);
}

async fn dead(w: &World, most: i64) -> Vec<Job> {
    w.read(move |u| u.jobs().dead(most)).await
}

async fn message_of(w: &World, job: &Job) -> Message {
    let id = job.payload["messageId"].as_str().unwrap().parse().unwrap();
    w.read(move |u| u.messages().get(id)).await.unwrap()
}

/// Nobody knows whether it was taken: it goes out once more, whatever is said in between, and then a person decides.
async fn a_letter_whose_answer_is_lost_twice_waits_for_a_person(db: TestDb) {
    let how = |n| match n {
        0 | 2 => How::HangsUp,
        1 => How::Busy,
        _ => How::Takes,
    };
    let (w, relay) = with_a_letter(db, how).await;
    for (after, letters) in [(0, 1), (5, 2), (30, 3), (24 * 60, 3)] {
        w.clock.set(now() + chrono::Duration::minutes(after));
        jobs::run_due(&w.s, "test").await.unwrap();
        assert_eq!(relay.letters.load(Ordering::SeqCst), letters, "after {after} minutes");
        if after == 0 {
            // The relay may have the letter: whatever becomes of its template, the same one goes out again.
            let which = templates::TemplateKey::of("bookingConfirmation", "en").unwrap();
            let text = TemplateText {
                subject: "Another letter".into(),
                text: "Hello".into(),
                html: "<p>Hello</p>".into(),
                attachment: false,
            };
            templates::put(&w.s, &w.staff(), which, text, false, None).await.unwrap();
        }
    }
    let subjects = relay.subjects.lock().unwrap().clone();
    assert_eq!(subjects.iter().filter(|subject| **subject == subjects[0]).count(), 3, "{subjects:?}");
    let given_up = dead(&w, 9).await;
    assert_eq!(given_up.len(), 1);
    assert!(given_up[0].last_error.as_ref().unwrap().contains("did not say whether it took it"), "{given_up:?}");
    // As after a kill between what is said of the letter and the end of its job.
    let again = mailing::send(&w.s, message_of(&w, &given_up[0]).await.id, false).await.unwrap();
    assert!(matches!(again, JobOutcome::GivenUp(_)), "only a person has it sent again");
    assert_eq!(relay.letters.load(Ordering::SeqCst), 3);
    jobs::retry(&w.s, given_up[0].id, Actor::system()).await.unwrap();
    jobs::run_due(&w.s, "test").await.unwrap();
    assert_eq!(*message_of(&w, &given_up[0]).await.state, MessageState::Sent);
}

/// A worker is killed once the relay has so many letters; an hour later nobody waits for its leases any more.
async fn killed(w: &World, relay: &Relay, wall: &HandClock, letters: usize) {
    let s = w.s.clone();
    let life = tokio::spawn(async move { jobs::run_due(&s, &format!("life {letters}")).await });
    until("the letter", async || relay.letters.load(Ordering::SeqCst) == letters).await;
    life.abort();
    assert!(life.await.unwrap_err().is_cancelled());
    wall.set(wall.now_value() + chrono::Duration::hours(1));
}

/// The relay has the letter, and the program is killed before it writes that down: the letter goes out once more, not at
/// once, and after a second such end a person decides.
async fn a_letter_whose_worker_is_killed_goes_out_once_more(db: TestDb) {
    let (mut w, relay) = with_a_letter(db, |n| if n < 2 { How::NeverAnswers } else { How::Takes }).await;
    let wall = Arc::new(HandClock::at(w.s.wall.now()));
    w.s.wall = wall.clone();
    let sent = |after: i64, letters: usize| {
        assert_eq!(relay.letters.load(Ordering::SeqCst), letters, "after {after} minutes");
    };
    let killed_at = async |after: i64, letters: usize| {
        w.clock.set(now() + chrono::Duration::minutes(after));
        killed(&w, &relay, &wall, letters).await;
    };
    let quiet_at = async |after: i64, letters: usize| {
        w.clock.set(now() + chrono::Duration::minutes(after));
        jobs::run_due(&w.s, "next").await.unwrap();
        sent(after, letters);
    };
    killed_at(0, 1).await;
    quiet_at(1, 1).await;
    killed_at(10, 2).await;
    quiet_at(11, 2).await;
    quiet_at(600, 2).await;
    let given_up = dead(&w, 9).await;
    assert_eq!(given_up.len(), 1);
    let message = message_of(&w, &given_up[0]).await;
    assert!(message.last_error.unwrap().contains("the program ended before it was answered"));
    assert_eq!(message.attempts, 2);
    // A person has it sent again: the same letter.
    jobs::retry(&w.s, given_up[0].id, Actor::system()).await.unwrap();
    jobs::run_due(&w.s, "next").await.unwrap();
    assert_eq!(*message_of(&w, &given_up[0]).await.state, MessageState::Sent);
    let subjects = relay.subjects.lock().unwrap().clone();
    assert_eq!(subjects.iter().filter(|subject| **subject == subjects[0]).count(), 3, "{subjects:?}");
}

/// A folder takes the same letter in the place of the one before: however often the program is killed while it writes one,
/// nobody need decide anything.
async fn a_letter_in_a_folder_is_put_there_again_after_every_kill(db: TestDb) {
    let how = |n| if n < 4 { How::NeverAnswers } else { How::Takes };
    let (mut w, folder) = with_a_letter_for(db, Relay { replaces: true, ..Relay::that(how) }).await;
    let wall = Arc::new(HandClock::at(w.s.wall.now()));
    w.s.wall = wall.clone();
    for letters in 1..=4 {
        killed(&w, &folder, &wall, letters).await;
    }
    jobs::run_due(&w.s, "next").await.unwrap();
    assert_eq!(dead(&w, 9).await, []);
    let (all, _) = w.read(|u| u.messages().listed(&MessageFilter::default(), 0, 9)).await;
    assert!(all.iter().all(|m| *m.state == MessageState::Sent), "{all:?}");
}

/// A program that is killed between what is said of a letter and the pause of its job comes back to it at once, and waits all
/// the same.
async fn a_letter_that_may_have_come_waits_after_every_start(db: TestDb) {
    let how = |n| if n == 0 { How::HangsUp } else { How::Takes };
    let (w, relay) = with_a_letter(db, how).await;
    jobs::run_due(&w.s, "test").await.unwrap();
    let (all, _) = w.read(|u| u.messages().listed(&MessageFilter::default(), 0, 9)).await;
    let id = all.iter().find(|m| m.last_error.is_some()).unwrap().id;
    for (after, letters) in [(0, 1), (2, 2)] {
        w.clock.set(now() + chrono::Duration::minutes(after));
        let ran = mailing::send(&w.s, id, false).await.unwrap();
        assert_eq!(relay.letters.load(Ordering::SeqCst), letters, "after {after} minutes");
        assert_eq!(matches!(ran, JobOutcome::Later(_)), after == 0, "{ran:?}");
    }
    let sent = w.read(move |u| u.messages().get(id)).await.unwrap();
    assert_eq!((*sent.state, sent.values.get("handedOverAt")), (MessageState::Sent, None));
}

/// A letter goes out once more with the contract that went along the first time, whatever became of its booking meanwhile.
async fn a_letter_that_may_have_come_keeps_its_contract(db: TestDb) {
    let (w, relay) = with_a_letter(db, |n| if n == 0 { How::HangsUp } else { How::Takes }).await;
    jobs::run_due(&w.s, "test").await.unwrap();
    let (all, _) = w.read(|u| u.messages().listed(&MessageFilter::default(), 0, 9)).await;
    let m = all.into_iter().find(|m| m.last_error.is_some()).unwrap();
    let booking = m.booking_id.unwrap();
    w.write(move |u| {
        let mut b = u.bookings().get(booking)?.unwrap();
        b.status = Status::Cancelled;
        u.bookings().update(&b, b.version)
    })
    .await;
    w.clock.set(now() + chrono::Duration::minutes(2));
    mailing::send(&w.s, m.id, false).await.unwrap();
    let files = relay.files.lock().unwrap().clone();
    let (first, second) = (files.first().unwrap(), files.last().unwrap());
    let names: Vec<&str> = first.iter().map(|file| file.file_name.as_str()).collect();
    assert!(names.iter().any(|name| name.ends_with("-contract.pdf")), "{names:?}");
    assert_eq!(first, second);
    let sent = w.read(move |u| u.messages().get(m.id)).await.unwrap();
    assert_eq!((*sent.state, sent.values.get("contractAsSent")), (MessageState::Sent, None));
}

async fn what_a_relay_refuses_for_good_waits_for_a_person(db: TestDb) {
    let (w, relay) = with_a_letter(db, |n| if n == 1 { How::Takes } else { How::Refuses }).await;
    let list = async || dead(&w, 9).await;
    jobs::run_due(&w.s, "test").await.unwrap();
    let given_up = list().await;
    assert_eq!((given_up.len(), relay.letters.load(Ordering::SeqCst)), (1, 1), "one try: {given_up:?}");
    assert!(given_up[0].last_error.as_ref().unwrap().contains("550 no such person"), "{given_up:?}");
    // As an operator reads it: for which booking, and to whom without telling whom.
    let [listed] = jobs::listed(&w.s, 9).await.unwrap().try_into().unwrap();
    let message = message_of(&w, &given_up[0]).await;
    assert!(message.last_error.as_ref().unwrap().contains("550 no such person"), "{message:?}");
    assert_eq!((message.attempts, message.text.as_ref(), *message.state), (1, None, MessageState::Queued));
    assert_eq!(listed.message, Some((message.message_type.clone(), message.recipient.masked())));
    assert!(!message.recipient.masked().contains(message.recipient.as_str()));
    assert_eq!((listed.made, listed.next), (Some(message.created_at), None));
    assert_eq!(listed.booking.as_deref(), message.values["bookingShortId"].as_str());
    assert!(listed.booking.is_some());
    // Tried again with all it said.
    jobs::retry(&w.s, given_up[0].id, Actor::system()).await.unwrap();
    jobs::run_due(&w.s, "test").await.unwrap();
    assert_eq!(list().await, []);
    let sent = message_of(&w, &given_up[0]).await;
    assert_eq!((*sent.state, sent.attempts, sent.last_error), (MessageState::Sent, 2, None));
    assert_eq!(sent.provider_id.as_deref(), Some("test"));
    let (text, short_id) = (sent.text.unwrap(), message.values["bookingShortId"].as_str().unwrap());
    assert!(text.body.contains(short_id) && !text.subject.is_empty(), "what was sent is kept: {text:?}");
    // Another is dropped, and forgotten.
    booked(&w, 18).await;
    jobs::run_due(&w.s, "test").await.unwrap();
    let given_up = list().await;
    assert_ne!(message_of(&w, &given_up[0]).await.values, serde_json::json!({}));
    jobs::discard(&w.s, given_up[0].id, Actor::system()).await.unwrap();
    assert_eq!(list().await, []);
    let dropped = message_of(&w, &given_up[0]).await;
    assert_eq!((*dropped.state, dropped.values), (MessageState::Dead, serde_json::json!({})));
    let twice = jobs::discard(&w.s, given_up[0].id, Actor::system()).await;
    assert!(matches!(twice, Err(Error::Refused(ErrorCode::NotFound, _))), "{twice:?}");
    jobs::run_due(&w.s, "test").await.unwrap();
    assert_eq!(relay.letters.load(Ordering::SeqCst), 3);
}

/// What is kept of a message opens no account.
async fn the_kept_text_has_no_secret_link(db: TestDb) {
    let w = World::on(db, now()).await;
    let links = [
        ("passwordReset", "resetUrl", "http://localhost/resetpassword?token=s3cret"),
        ("welcome", "verifyUrl", "http://localhost/identity/verify?token=s3cret"),
        ("emailChange", "confirmUrl", "http://localhost/identity/change-email?token=s3cret"),
        ("quoteSaved", "quoteUrl", "http://localhost/?quote=s3cret"),
        ("paymentLink", "payUrl", "http://localhost/pay/s3cret"),
        ("consentRequest", "consentUrl", "http://localhost/consent/s3cret"),
    ];
    for (template, key, link) in links {
        let message = NewMessage {
            dedup_key: template.to_owned(),
            booking_id: None,
            user_id: None,
            message_type: template.to_owned(),
            language: Language::Fr,
            to: "zoe@portage.test".parse().unwrap(),
            to_name: "Zoé".to_owned(),
            values: serde_json::json!({ key: link, "customerFirstName": "Zoé" }),
        };
        w.s.write(Actor::system(), move |tx| mailing::queue(tx, message)).await.unwrap();
        let later = now() + chrono::Duration::hours(1);
        let job = w.write(move |u| u.jobs().claim_one(now(), now(), later, "x", Lane::Mail.kinds())).await.unwrap();
        let id = job.payload["messageId"].as_str().unwrap().parse().unwrap();
        mailing::send(&w.s, id, true).await.unwrap();
        assert!(w.mailer.sent.lock().unwrap().last().unwrap().text.contains(link), "it was sent");
        let kept = message_of(&w, &job).await.text.unwrap();
        assert!(kept.body.contains("•••"), "{kept:?}");
        // An address that nobody has confirmed yet is not told whose account asked.
        assert_eq!(kept.body.contains("Zoé"), template != "emailChange", "{kept:?}");
        assert!(!kept.body.contains("s3cret") && !kept.subject.contains("s3cret"), "{kept:?}");
    }
}

async fn wrong_settings_pause_all_mail_and_cost_nothing_but_one_try(db: TestDb) {
    let (mut w, relay) = with_a_letter(db, |n| if n < 2 { How::ShutsUsOut } else { How::Takes }).await;
    let wall = Arc::new(HandClock::at(now()));
    w.s.wall = wall.clone();
    for day in [18, 19] {
        booked(&w, day).await;
    }
    let after = async |minutes: i64| {
        wall.set(now() + chrono::Duration::minutes(minutes));
        w.clock.set(now() + chrono::Duration::minutes(minutes));
        while jobs::run_due(&w.s, "test").await.unwrap() > 0 {}
        relay.letters.load(Ordering::SeqCst)
    };
    assert_eq!(after(1).await, 1, "one finds out for all");
    let shut = w.s.mail_gate.shut().unwrap();
    assert!(shut.why.contains("535 wrong password"), "{shut:?}");
    assert_eq!(after(4).await, 1);
    assert_eq!(after(7).await, 2, "one tries for all");
    assert_eq!(w.s.mail_gate.shut().unwrap().since, shut.since);
    // The settings are mended: everything goes out, and nothing was given up.
    assert_eq!(after(20).await, 5);
    assert_eq!((w.s.mail_gate.shut(), due(&w).await), (None, 0));
    assert_eq!(dead(&w, 9).await, []);
}

/// The settings are wrong for a night; every message has tried for all others a dozen times.
async fn whoever_tried_for_all_goes_out_with_them(db: TestDb) {
    let (mut w, relay) = with_a_letter(db, |n| if n < 100 { How::ShutsUsOut } else { How::Takes }).await;
    let wall = Arc::new(HandClock::at(now()));
    w.s.wall = wall.clone();
    booked(&w, 18).await;
    let mut at = now();
    while relay.letters.load(Ordering::SeqCst) < 100 {
        at += chrono::Duration::minutes(1);
        wall.set(at);
        w.clock.set(at);
        while jobs::run_due(&w.s, "test").await.unwrap() > 0 {}
        assert!(at < now() + chrono::Duration::hours(9), "{}", relay.letters.load(Ordering::SeqCst));
    }
    for _ in 0..6 {
        at += chrono::Duration::minutes(1);
        wall.set(at);
        w.clock.set(at);
        while jobs::run_due(&w.s, "test").await.unwrap() > 0 {}
    }
    assert_eq!((w.s.mail_gate.shut(), relay.letters.load(Ordering::SeqCst)), (None, 102), "all of them");
    assert_eq!(dead(&w, 9).await, []);
}

async fn wrong_settings_give_a_message_up_after_three_days(db: TestDb) {
    let (mut w, relay) = with_a_letter(db, |_| How::ShutsUsOut).await;
    let wall = Arc::new(HandClock::at(now()));
    w.s.wall = wall.clone();
    let mut at = now();
    while dead(&w, 1).await.is_empty() {
        at += chrono::Duration::minutes(20);
        wall.set(at);
        w.clock.set(at);
        jobs::run_due(&w.s, "test").await.unwrap();
        assert!(at < now() + chrono::Duration::days(5), "never given up");
    }
    let (given_up, hours) = (dead(&w, 9).await, (at - now()).num_hours());
    assert!((70..=73).contains(&hours), "given up after {hours} hours");
    assert!(given_up[0].last_error.as_ref().unwrap().contains("535 wrong password"), "{given_up:?}");
    assert!(relay.letters.load(Ordering::SeqCst) > 100, "it was tried all the time");
}

/// The operator mends the settings and starts the program again.
async fn a_start_tries_the_mail_that_waits(db: TestDb) {
    let (mut w, relay) = with_a_letter(db, |n| if n == 0 { How::ShutsUsOut } else { How::Takes }).await;
    w.s.wall = Arc::new(HandClock::at(now()));
    for day in [18, 19] {
        booked(&w, day).await;
    }
    let run = async |s: &Services| {
        while jobs::run_due(s, "test").await.unwrap() > 0 {}
        relay.letters.load(Ordering::SeqCst)
    };
    assert_eq!(run(&w.s).await, 1);
    let again = Services { mail_gate: Arc::default(), ..w.s.clone() };
    jobs::try_mail_again(&again).await.unwrap();
    assert_eq!(run(&again).await, 4, "all three, without a wait");
}

/// A copy of a database: what is due was sent by the original, or was under way there.
async fn what_adoption_takes_off_is_forgotten(db: TestDb) {
    let (w, relay) = with_a_letter(db, |_| How::Takes).await;
    booked(&w, 18).await;
    let (at, until) = (now(), now() + chrono::Duration::minutes(1));
    let claimed = w.write(move |u| u.jobs().claim_one(at, at, until, "killed", Lane::Mail.kinds())).await.unwrap();
    let other = w.write(move |u| u.jobs().claim_one(at, at, until, "killed", Lane::Mail.kinds())).await.unwrap();
    let (first, second) = (message_of(&w, &claimed).await, message_of(&w, &other).await);
    assert_ne!(first.values, serde_json::json!({}));
    // One had been sent when the copy was made, and its job did not know yet.
    w.write(move |u| u.messages().set_state(second.id, At::stored(MessageState::Sent), at)).await;
    booked(&w, 19).await;
    let taken = w.s.write(Actor::system(), |tx| jobs::take_off_due(tx, Lane::Mail)).await.unwrap();
    assert_eq!(taken, 3);
    let queued = w.read(move |u| u.messages().of_booking(second.booking_id.unwrap())).await;
    assert_eq!(queued.iter().map(|m| m.state).collect::<Vec<_>>(), [MessageState::Sent]);
    let dropped = message_of(&w, &claimed).await;
    assert_eq!((*dropped.state, dropped.values), (MessageState::Dead, serde_json::json!({})));
    w.clock.set(at + chrono::Duration::hours(2));
    jobs::run_due(&w.s, "test").await.unwrap();
    assert_eq!(relay.letters.load(Ordering::SeqCst), 0, "nothing is sent");
}

/// A relay that is busy for a weekend.
async fn a_message_is_tried_for_three_days(db: TestDb) {
    let (w, _) = with_a_letter(db, |_| How::Busy).await;
    let mut last = now();
    while let Some(at) = w.next_job().await {
        last = at;
        w.clock.set(at);
        jobs::run_due(&w.s, "test").await.unwrap();
        if !dead(&w, 1).await.is_empty() {
            break;
        }
    }
    let (hours, given_up) = ((last - now()).num_hours(), dead(&w, 9).await);
    assert!((70..=73).contains(&hours), "given up after {hours} hours");
    assert_eq!(given_up.iter().map(|job| job.attempts).collect::<Vec<_>>(), [24]);
}

on_both_engines!(
    a_stuck_lane_delays_no_other,
    a_comparison_delays_no_charge,
    one_claim_at_a_time,
    a_panic_ends_no_loop,
    what_panics_for_ever_is_buried,
    what_panics_for_ever_is_given_up,
    a_killed_worker_costs_a_letter_no_attempt,
    a_letter_whose_answer_is_lost_twice_waits_for_a_person,
    a_letter_whose_worker_is_killed_goes_out_once_more,
    a_letter_in_a_folder_is_put_there_again_after_every_kill,
    a_letter_that_may_have_come_waits_after_every_start,
    a_letter_that_may_have_come_keeps_its_contract,
    what_a_relay_refuses_for_good_waits_for_a_person,
    the_kept_text_has_no_secret_link,
    wrong_settings_pause_all_mail_and_cost_nothing_but_one_try,
    a_message_is_tried_for_three_days,
    whoever_tried_for_all_goes_out_with_them,
    wrong_settings_give_a_message_up_after_three_days,
    a_start_tries_the_mail_that_waits,
    what_adoption_takes_off_is_forgotten,
);
