//! The SMTP mailer against a relay on loopback that misbehaves on command.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::{clock, mail as letter, pdf, sender};
use mail::SmtpMailer;
use service::ports::mail::{Accepted, MailError, Mailer, OutgoingMail};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// What the relay does at one moment of the conversation.
#[derive(Clone, Copy, Debug)]
enum Act {
    Say(&'static str),
    HangUp,
    Stall,
    /// The usual answer, long after the client's patience.
    Late,
}

/// The moment at which it leaves the script of a good relay.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Moment {
    Greeting,
    Auth,
    From,
    Rcpt,
    Data,
    AfterData,
}

#[derive(Default)]
struct RelayLog {
    hello: String,
    messages: Vec<String>,
}

struct Relay {
    url: String,
    seen: Arc<Mutex<RelayLog>>,
}

async fn relay(twist: Option<(Moment, Act)>, credentials: &str) -> Relay {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://{credentials}127.0.0.1:{}", listener.local_addr().unwrap().port());
    let seen = Arc::new(Mutex::new(RelayLog::default()));
    let state = Arc::clone(&seen);
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(converse(socket, twist, Arc::clone(&state)));
        }
    });
    Relay { url, seen }
}

async fn converse(socket: TcpStream, twist: Option<(Moment, Act)>, seen: Arc<Mutex<RelayLog>>) -> Option<()> {
    let (read, mut write) = socket.into_split();
    let mut lines = BufReader::new(read).lines();
    let answer = async |write: &mut tokio::net::tcp::OwnedWriteHalf, moment: Option<Moment>, usual: &str| {
        let act = twist.filter(|(at, _)| Some(*at) == moment).map_or(Act::Say(""), |(_, act)| act);
        match act {
            Act::Say("") => write.write_all(format!("{usual}\r\n").as_bytes()).await.ok(),
            Act::Say(other) => write.write_all(format!("{other}\r\n").as_bytes()).await.ok(),
            Act::HangUp => None,
            Act::Late => {
                tokio::time::sleep(Duration::from_millis(4_000)).await;
                write.write_all(format!("{usual}\r\n").as_bytes()).await.ok()
            }
            Act::Stall => {
                tokio::time::sleep(Duration::from_secs(60)).await;
                None
            }
        }
    };
    answer(&mut write, Some(Moment::Greeting), "220 relay ready").await?;
    while let Some(line) = lines.next_line().await.ok()? {
        let command = line.to_ascii_uppercase();
        if let Some(name) = command.strip_prefix("EHLO ") {
            seen.lock().unwrap().hello = name.to_owned();
            answer(&mut write, None, "250-relay\r\n250-AUTH PLAIN LOGIN\r\n250 SIZE 20000000").await?;
        } else if command.starts_with("AUTH") {
            answer(&mut write, Some(Moment::Auth), "235 welcome").await?;
        } else if command.starts_with("MAIL FROM") {
            answer(&mut write, Some(Moment::From), "250 ok").await?;
        } else if command.starts_with("RCPT TO") {
            answer(&mut write, Some(Moment::Rcpt), "250 ok").await?;
        } else if command == "DATA" {
            answer(&mut write, Some(Moment::Data), "354 go on").await?;
            if matches!(twist, Some((Moment::Data, _))) {
                continue;
            }
            let mut body = String::new();
            while let Some(line) = lines.next_line().await.ok()? {
                if line == "." {
                    break;
                }
                body.push_str(&line);
                body.push('\n');
            }
            seen.lock().unwrap().messages.push(body);
            answer(&mut write, Some(Moment::AfterData), "250 2.0.0 queued as 4Xy7Q").await?;
        } else if command == "QUIT" {
            answer(&mut write, None, "221 bye").await?;
            return Some(());
        } else {
            answer(&mut write, None, "250 ok").await?;
        }
    }
    Some(())
}

fn mailer(relay: &Relay) -> SmtpMailer {
    SmtpMailer::from_url(&relay.url, sender(), clock()).unwrap().with_limit(Duration::from_millis(800))
}

#[tokio::test]
async fn a_good_relay_takes_it_and_its_reference_is_kept() {
    let relay = relay(None, "").await;
    let mailer = mailer(&relay);
    let Accepted { queue_id } = mailer.send(&letter("msg-1")).await.unwrap();
    assert!(queue_id.contains("queued as 4Xy7Q"), "{queue_id}");
    mailer.send(&letter("msg-2")).await.unwrap();
    let seen = relay.seen.lock().unwrap();
    assert_eq!(seen.messages.len(), 2);
    assert_eq!(seen.hello, "MAIL.PORTAGE.TEST", "no machine's name in the greeting");
    let head = seen.messages[0].split("\n\n").next().unwrap();
    for wanted in [
        "Message-ID: <msg-1@mail.portage.test>",
        "Date: Tue, 16 Feb 2027 14:00:00 +0000",
        "Auto-Submitted: auto-generated",
        "Content-Language: en",
        "Subject: Your booking K7M2QX is confirmed",
        "multipart/alternative",
    ] {
        assert!(head.contains(wanted), "{wanted} in\n{head}");
    }
}

/// A relay that says each answer byte by byte, for most of the client's patience, and asks for name and password by LOGIN.
async fn dripping(each: Duration) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://user:secret@127.0.0.1:{}", listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        let (socket, _) = listener.accept().await.unwrap();
        let (read, mut write) = socket.into_split();
        let mut lines = BufReader::new(read).lines();
        let mut say = async |text: &str| {
            for byte in text.bytes().chain(*b"\r\n") {
                tokio::time::sleep(each / (text.len() as u32 + 2)).await;
                write.write_all(&[byte]).await.unwrap();
            }
        };
        say("220 relay ready").await;
        while let Ok(Some(line)) = lines.next_line().await {
            match line.to_ascii_uppercase().split([' ', ':']).next().unwrap() {
                "EHLO" => say("250-relay\r\n250 AUTH LOGIN").await,
                "AUTH" => say("334 VXNlcm5hbWU6").await,
                // The name, and the password, in base64.
                "C2VJCMV0" => say("235 welcome").await,
                "DATA" => {
                    say("354 go on").await;
                    while lines.next_line().await.unwrap().is_some_and(|line| line != ".") {}
                    say("250 queued as D1").await;
                }
                "QUIT" => return,
                name if name.starts_with("DXNL") => say("334 UGFzc3dvcmQ6").await,
                _ => say("250 ok").await,
            }
        }
    });
    url
}

#[tokio::test]
async fn a_relay_that_drips_is_given_each_step_its_time() {
    let patience = Duration::from_millis(1_000);
    let mailer = |url: &str| SmtpMailer::from_url(url, sender(), clock()).unwrap().with_limit(patience);
    // Two answers are waited for at once where it is reached, and three where it asks for name and password.
    let url = dripping(patience * 7 / 10).await;
    let Accepted { queue_id } = mailer(&url).send(&letter("msg-drip")).await.unwrap();
    assert!(queue_id.contains("queued as D1"), "{queue_id}");
    // Who takes far longer for each is given up.
    let url = dripping(patience * 5).await;
    let refused = mailer(&url).send(&letter("msg-drip")).await.unwrap_err();
    assert!(matches!(refused, MailError::Transient(_)), "{refused}");
}

#[tokio::test]
async fn refusals_are_sorted() {
    #[derive(Debug, PartialEq)]
    enum Sort {
        Transient,
        Unknown,
        Permanent,
        Misconfigured,
    }
    let table = [
        (Moment::Greeting, Act::Say("421 too busy"), Sort::Transient),
        (Moment::Greeting, Act::Say("554 no service here"), Sort::Misconfigured),
        (Moment::Greeting, Act::HangUp, Sort::Transient),
        (Moment::From, Act::Say("451 local error"), Sort::Transient),
        (Moment::From, Act::Say("530 authentication required"), Sort::Misconfigured),
        (Moment::From, Act::Say("550 not allowed to send as this"), Sort::Misconfigured),
        (Moment::Rcpt, Act::Say("450 greylisted"), Sort::Transient),
        (Moment::Rcpt, Act::Say("452 too many recipients"), Sort::Transient),
        (Moment::Rcpt, Act::Say("550 no such user"), Sort::Permanent),
        (Moment::Rcpt, Act::Say("553 bad address"), Sort::Permanent),
        (Moment::Data, Act::Say("421 closing"), Sort::Transient),
        // Positive, and not what was asked for.
        (Moment::Data, Act::Say("250 what now"), Sort::Transient),
        (Moment::AfterData, Act::Say("354 still more"), Sort::Unknown),
        (Moment::AfterData, Act::Say("251 somewhere else"), Sort::Unknown),
        (Moment::AfterData, Act::Say("552 too big"), Sort::Permanent),
        (Moment::AfterData, Act::Say("554 rejected as spam"), Sort::Permanent),
        (Moment::AfterData, Act::Say("451 try later"), Sort::Transient),
        // Unknown outcome: the message may have been taken.
        (Moment::AfterData, Act::HangUp, Sort::Unknown),
        (Moment::AfterData, Act::Stall, Sort::Unknown),
        (Moment::From, Act::Stall, Sort::Transient),
        (Moment::Rcpt, Act::Say("what?"), Sort::Transient),
    ];
    for (moment, act, want) in table {
        let relay = relay(Some((moment, act)), "").await;
        let error = mailer(&relay).send(&letter("refused")).await.unwrap_err();
        let got = match &error {
            MailError::Transient(_) => Sort::Transient,
            MailError::Unknown(_) => Sort::Unknown,
            MailError::Permanent(_) => Sort::Permanent,
            MailError::Misconfigured(_) => Sort::Misconfigured,
        };
        assert_eq!(got, want, "{moment:?} {act:?}: {error}");
        if let Act::Say(reply) = act
            && reply.len() > 6
        {
            assert!(error.to_string().contains(&reply[4..]), "the relay's words are told: {error}");
        }
    }
}

#[tokio::test]
async fn wrong_credentials_are_our_settings() {
    for (reply, misconfigured) in
        [("535 5.7.8 bad credentials", true), ("534 too weak", true), ("454 try later", false)]
    {
        let relay = relay(Some((Moment::Auth, Act::Say(reply))), "user:p%40ss@").await;
        let error = mailer(&relay).send(&letter("auth")).await.unwrap_err();
        assert_eq!(matches!(error, MailError::Misconfigured(_)), misconfigured, "{error}");
        assert_eq!(matches!(error, MailError::Transient(_)), !misconfigured, "{error}");
        assert!(!error.to_string().contains("p@ss"));
    }
}

#[tokio::test]
async fn after_a_lost_answer_the_same_message_goes_out_again() {
    let relay = relay(Some((Moment::AfterData, Act::HangUp)), "").await;
    let written_at = Some("2027-02-15T23:59:30Z".parse().unwrap());
    let sent = OutgoingMail { attachments: vec![pdf("contract.pdf")], written_at, ..letter("twice") };
    for at in ["2027-02-16T14:00:00Z", "2027-02-17T09:30:00Z"] {
        let clock: mail::Now = Arc::new(move || at.parse().unwrap());
        let mailer = SmtpMailer::from_url(&relay.url, sender(), clock).unwrap().with_limit(Duration::from_millis(800));
        assert!(matches!(mailer.send(&sent).await, Err(MailError::Unknown(_))));
    }
    let seen = relay.seen.lock().unwrap();
    assert_eq!(seen.messages.len(), 2, "one attempt each, none behind the caller's back");
    assert!(seen.messages.iter().all(|m| m.contains("Message-ID: <twice@mail.portage.test>")));
    assert!(seen.messages[0].contains("Date: Mon, 15 Feb 2027 23:59:30 +0000"), "when it was written");
    assert_eq!(seen.messages[0], seen.messages[1], "byte for byte, its date and the boundaries of its parts as well");
}

/// A relay whose answers come after the client's patience, and which refuses every message: the late answer
/// to one must never be read as the acceptance of the next.
#[tokio::test]
async fn a_late_answer_is_never_taken_for_the_next_messages() {
    for moment in [Moment::Greeting, Moment::From, Moment::Rcpt, Moment::Data, Moment::AfterData] {
        let relay = relay(Some((moment, Act::Late)), "").await;
        let mailer = mailer(&relay);
        let all = (0..4).map(|n| {
            let mailer = &mailer;
            async move {
                tokio::time::sleep(Duration::from_millis(n * 500)).await;
                mailer.send(&letter("late")).await
            }
        });
        for told in futures_util::future::join_all(all).await {
            let right = match moment {
                Moment::AfterData => matches!(told, Err(MailError::Unknown(_))),
                _ => matches!(told, Err(MailError::Transient(_))),
            };
            assert!(right, "{moment:?}: {told:?}");
        }
    }
}

#[tokio::test]
async fn nobody_there_is_transient() {
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
    let mailer = SmtpMailer::from_url(&format!("smtp://127.0.0.1:{free}"), sender(), clock()).unwrap();
    assert!(matches!(mailer.send(&letter("x")).await, Err(MailError::Transient(_))));
}

#[test]
fn it_is_made_and_dropped_outside_of_any_executor() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let relay = runtime.block_on(relay(None, ""));
    let mailer = mailer(&relay);
    assert!(runtime.block_on(mailer.send(&letter("x"))).is_ok());
    drop(runtime);
    drop(mailer);
}

#[test]
fn bad_urls_are_told_without_their_secrets() {
    let cases = [
        ("", false),
        ("not a url", false),
        ("http://user:hunter2@relay.test", false),
        ("smtp://user:hunter2@relay.test:25", false),
        ("smtp://user:hunter2@relay.test:587?tls=opportunistic", false),
        ("smtp://user:hunter2@relay.test:587?tls=nonsense", false),
        ("smtp://user:hunter2@relay.test:587?tls=required", true),
        ("smtps://user:hunter2@relay.test:465", true),
        ("smtp://user:hunter2@127.0.0.1:1025", true),
        ("smtp://user:hunter2@localhost:1025", true),
        ("smtp://127.0.0.1:1025", true),
    ];
    for (url, good) in cases {
        match SmtpMailer::from_url(url, sender(), clock()) {
            Ok(_) => assert!(good, "{url}"),
            Err(MailError::Misconfigured(text)) => {
                assert!(!good, "{url}: {text}");
                assert!(!text.contains("hunter2"));
            }
            Err(other) => panic!("{url}: {other}"),
        }
    }
}
