//! The file mailer and its mailbox.

use std::sync::Arc;

use crate::support::{clock, mail as letter, pdf, sender};
use kernel::Language;
use mail::{FileMailer, mailbox};
use service::ports::mail::{Content, MailError, Mailer, OutgoingMail};

#[tokio::test]
async fn what_was_written_is_read_back_in_every_language() {
    let dir = tempfile::tempdir().unwrap();
    let mailer = FileMailer::new(dir.path().join("mail"), sender(), clock());
    assert_eq!(mailbox::list(mailer.dir()).unwrap(), [], "no folder yet");
    let long = "Une très longue ligne — ".repeat(80);
    let cases = [
        (
            "fr-1",
            Language::Fr,
            "Votre réservation K7M2QX est confirmée",
            "Bonjour Éloïse,\nà bientôt – 1\u{a0}234,50\u{a0}$\n",
            long.as_str(),
        ),
        ("zh-1", Language::Zh, "您的预订 K7M2QX 已确认", "您好，\n总额 CA$1,234.50\n", "<p>您好，<b>搬家</b></p>"),
        ("en-1", Language::En, "Your quote", "Plain.\n", "<p>Plain.</p>"),
    ];
    for (id, language, subject, text, html) in cases {
        let sent = OutgoingMail {
            subject: subject.to_owned(),
            to_name: "Éloïse 王".to_owned(),
            text: text.to_owned(),
            html: html.to_owned(),
            language,
            attachments: vec![pdf("Contrat de déménagement – été.pdf")],
            ..letter(id)
        };
        assert_eq!(mailer.send(&sent).await.unwrap().queue_id, id);
        let read = mailbox::open(mailer.dir(), id).unwrap().unwrap();
        assert_eq!(read.summary.subject, subject);
        assert_eq!((read.summary.to.as_str(), read.summary.to_name.as_str()), ("ana@example.test", "Éloïse 王"));
        assert_eq!(read.summary.from, "bookings@mail.portage.test");
        assert_eq!(read.summary.date, clock()());
        assert_eq!(read.summary.language, language.code());
        assert_eq!(read.summary.message_type, "bookingConfirmation");
        assert_eq!(read.summary.booking.as_deref(), Some("K7M2QX"));
        assert_eq!(read.text.replace("\r\n", "\n").trim_end(), text.trim_end());
        assert_eq!(read.html.trim_end(), html.trim_end());
        assert_eq!(read.attachments.len(), 1);
        let file = &read.attachments[0];
        assert_eq!(
            (file.file_name.as_str(), file.mime.as_str()),
            ("Contrat de déménagement – été.pdf", "application/pdf")
        );
        assert_eq!(file.bytes, pdf("").bytes().unwrap());
        assert!(mailbox::list(mailer.dir()).unwrap().contains(&read.summary), "the line is the same as the message's");
    }
    assert_eq!(mailbox::list(mailer.dir()).unwrap().len(), 3);
}

#[tokio::test]
async fn sending_again_overwrites_and_leaves_nothing_behind() {
    let dir = tempfile::tempdir().unwrap();
    let mailer = Arc::new(FileMailer::new(dir.path(), sender(), clock()));
    let attempts = (0..20).map(|_| {
        let mailer = Arc::clone(&mailer);
        tokio::spawn(async move { mailer.send(&letter("same")).await })
    });
    for attempt in attempts.collect::<Vec<_>>() {
        attempt.await.unwrap().unwrap();
    }
    let names: Vec<_> = std::fs::read_dir(dir.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["same.eml"]);
}

#[tokio::test]
async fn the_newest_is_first_and_strangers_are_left_out() {
    let dir = tempfile::tempdir().unwrap();
    for (id, at) in [("a", "2027-02-16T14:00:00Z"), ("b", "2027-02-16T15:00:00Z"), ("c", "2027-02-16T14:00:00Z")] {
        let mailer = FileMailer::new(dir.path(), sender(), Arc::new(move || at.parse().unwrap()));
        mailer.send(&letter(id)).await.unwrap();
    }
    std::fs::write(dir.path().join("noise.eml"), "not a message").unwrap();
    std::fs::write(dir.path().join(".half.eml"), "unfinished").unwrap();
    std::fs::write(dir.path().join("notes.txt"), "hello").unwrap();
    let ids: Vec<_> = mailbox::list(dir.path()).unwrap().into_iter().map(|m| m.id).collect();
    assert_eq!(ids, ["b", "c", "a"]);
}

#[tokio::test]
async fn ids_never_leave_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    let inside = dir.path().join("mail");
    let mailer = FileMailer::new(&inside, sender(), clock());
    mailer.send(&letter("../escape")).await.unwrap();
    assert!(!dir.path().join("escape.eml").exists());
    assert_eq!(mailbox::list(&inside).unwrap().len(), 1);
    std::fs::copy(inside.join("=2E.=2Fescape.eml"), dir.path().join("outside.eml")).unwrap();
    for id in ["../outside", "..", "", "none", "/etc/passwd"] {
        assert_eq!(mailbox::open(&inside, id).unwrap(), None, "{id}");
    }
}

#[tokio::test]
async fn a_message_may_have_another_name_and_another_reply_address() {
    let dir = tempfile::tempdir().unwrap();
    let mailer = FileMailer::new(dir.path(), sender(), clock());
    let usual = letter("usual");
    let own = OutgoingMail {
        from_name: Some("Roy".to_owned()),
        reply_to: Some("mtl@roy.test".parse().unwrap()),
        ..letter("own")
    };
    let head = |id: &str| {
        let raw = std::fs::read_to_string(dir.path().join(format!("{id}.eml"))).unwrap();
        raw.split("\r\n\r\n").next().unwrap().to_owned()
    };
    for mail in [&usual, &own] {
        mailer.send(mail).await.unwrap();
    }
    assert!(head("usual").contains("<support@portage.test>"), "{}", head("usual"));
    let told = head("own");
    assert!(told.contains("<mtl@roy.test>") && !told.contains("support@portage.test"), "{told}");
    assert!(told.contains("From: Roy <bookings@mail.portage.test>") || told.contains("From: \"Roy\" <"), "{told}");
}

#[tokio::test]
async fn a_mail_program_is_told_how_such_mail_is_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let mailer = FileMailer::new(dir.path(), sender(), clock());
    let url = format!("https://portage.test/api/unsubscribe/{}/one-click", "a-_4".repeat(11));
    let stoppable = OutgoingMail { unsubscribe: Some(url.clone()), ..letter("stoppable") };
    let head = |id: &str| {
        let raw = std::fs::read_to_string(dir.path().join(format!("{id}.eml"))).unwrap();
        // A long line may be folded.
        raw.split("\r\n\r\n").next().unwrap().replace("\r\n ", " ")
    };
    for mail in [&stoppable, &letter("usual")] {
        mailer.send(mail).await.unwrap();
    }
    let told = head("stoppable");
    assert!(told.contains(&format!("List-Unsubscribe: <{url}>")), "{told}");
    assert!(told.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"), "{told}");
    assert!(!head("usual").contains("List-Unsubscribe"));
}

#[tokio::test]
async fn no_value_adds_a_header() {
    let dir = tempfile::tempdir().unwrap();
    let mailer = FileMailer::new(dir.path(), sender(), clock());
    let attack = "x\r\nBcc: eve@example.test\r\nX-Evil: 1";
    let sent = OutgoingMail {
        subject: attack.to_owned(),
        to_name: attack.to_owned(),
        message_type: attack.to_owned(),
        booking: Some(attack.to_owned()),
        from_name: Some(attack.to_owned()),
        attachments: vec![pdf(attack)],
        ..letter("inject")
    };
    mailer.send(&sent).await.unwrap();
    let raw = std::fs::read_to_string(dir.path().join("inject.eml")).unwrap();
    for line in raw.lines() {
        assert!(!line.starts_with("Bcc:") && !line.starts_with("X-Evil:"), "{line}");
    }
    let head = raw.split("\r\n\r\n").next().unwrap();
    assert!(head.contains("Message-ID: <inject@mail.portage.test>"), "{head}");
    assert!(head.contains("Auto-Submitted: auto-generated"));
    assert!(head.contains("Reply-To: "));
}

#[tokio::test]
async fn what_relays_would_refuse_is_refused_here() {
    let dir = tempfile::tempdir().unwrap();
    let mailer = FileMailer::new(dir.path(), sender(), clock());
    let mut huge = letter("huge");
    huge.attachments = vec![pdf("a.pdf")];
    huge.attachments[0].content = Content::Bytes(vec![7; 9 * 1024 * 1024]);
    for bad in [huge, letter("")] {
        assert!(matches!(mailer.send(&bad).await, Err(MailError::Permanent(_))));
    }
    let blocked = dir.path().join("file");
    std::fs::write(&blocked, "").unwrap();
    let nowhere = FileMailer::new(blocked, sender(), clock());
    assert!(matches!(nowhere.send(&letter("x")).await, Err(MailError::Transient(_))));
}
