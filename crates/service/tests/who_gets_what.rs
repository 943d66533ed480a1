//! One booking, three who read about it: a customer in Chinese, a mate in French, a partner in English. Each gets every
//! word, date and amount of every message in their own language, and nobody another's.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use kernel::{Language, PartnerId, Province, is_han, uuid::Uuid};
use service::{
    accounts::desk::Contact,
    bookings::{
        create_for,
        status::{self, StatusInput},
    },
    idempotency::Replayable,
    invoices::{
        batch::{self, NewBatch},
        batch_steps, desk,
    },
    ports::{
        bookings::PaidBy,
        directory::{Contact as Person, MateRecord, PartnerRecord, PartnerState},
        mail::OutgoingMail,
    },
};
use status_machine::{At, booking::Status};
use store::testing::TestDb;

use crate::support::{World, draft, mate};

in_both_worlds!(each_reads_their_own_language);

async fn world(db: TestDb) -> World {
    let begins: DateTime<Utc> = "2027-02-08T14:00:00Z".parse().unwrap();
    let w = World::on(db, begins).await;
    w.flat_rate(50_000).await;
    w
}

async fn english_partner(w: &World) -> PartnerId {
    let id = PartnerId(Uuid::from_u128(0x7b01));
    let now = w.clock.now_value();
    let record = PartnerRecord {
        id,
        number: 0,
        name: "Laurel Furniture".into(),
        addresses: vec![draft(Province::QC, NaiveDate::MIN, NaiveTime::MIN).pickup.address],
        contacts: vec![Person { name: "Paula Gage".into(), email: "paula@laurel.test".into(), phone: String::new() }],
        rate_name: None,
        net_days: 30,
        language: Some(Language::En),
        state: At::stored(PartnerState::Active),
        version: 1,
        created_at: now,
        updated_at: now,
    };
    w.write(move |u| u.directory().add_partner(&record)).await;
    id
}

/// Only the first two mates are there, and both speak French.
async fn french_mates(w: &World) {
    w.only_mates(2).await;
    w.write(|u| {
        for n in 1..=2 {
            let known = u.directory().mate(mate(n))?.unwrap();
            u.directory().update_mate(&MateRecord { languages: vec![Language::Fr], ..known })?;
        }
        Ok(())
    })
    .await;
}

/// What a reader sees of a mail, without addresses of links.
fn read(mail: &OutgoingMail) -> String {
    let words = mail.text.split_whitespace().filter(|word| !word.contains("://")).collect::<Vec<_>>().join(" ");
    format!("{} {words}", mail.subject)
}

async fn each_reads_their_own_language(w: World) {
    let (partner, _) = (english_partner(&w).await, french_mates(&w).await);
    let contact = Contact {
        email: "li@portage.test".parse().unwrap(),
        first_name: "Lei".into(),
        last_name: "Li".into(),
        phone: "514-555-0101".parse().unwrap(),
        language: Language::Zh,
    };
    let day = NaiveDate::from_ymd_opt(2027, 2, 16).unwrap();
    let wanted = draft(Province::QC, day, NaiveTime::from_hms_opt(9, 0, 0).unwrap());
    let how = (PaidBy::Invoice, Some(partner));
    let id = match create_for(&w.s, &w.staff(), contact, how, wanted, None).await.unwrap() {
        Replayable::Fresh(made) => made.booking.id,
        Replayable::Replayed { .. } => panic!("replayed"),
    };
    let set = async |to: Status| status::set(&w.s, &w.staff(), id, to, StatusInput::default()).await.map(drop).unwrap();
    set(Status::Assigned).await;
    w.work().await;
    w.clock.set("2027-03-02T15:00:00Z".parse().unwrap());
    set(Status::Completed).await;
    w.work().await;
    let period = (NaiveDate::from_ymd_opt(2027, 2, 1).unwrap(), NaiveDate::from_ymd_opt(2027, 2, 28).unwrap());
    let new = NewBatch { period, bookings: None, language: None };
    let paper = batch::draft(&w.s, &w.staff(), partner, new).await.unwrap();
    batch_steps::issue(&w.s, &w.staff(), paper.invoice.id).await.unwrap();
    desk::send(&w.s, &w.staff(), paper.invoice.id).await.unwrap();
    w.work().await;

    let sent = w.mailer.sent.lock().unwrap().clone();
    let to = |who: &str| sent.iter().filter(|mail| mail.to.as_str().starts_with(who)).collect::<Vec<_>>();
    let kinds = |mails: &[&OutgoingMail]| mails.iter().map(|m| m.message_type.clone()).collect::<Vec<_>>();
    let (customer, crew, buyer) = (to("li@"), to("mate"), to("paula@"));
    assert_eq!(customer.len() + crew.len() + buyer.len(), sent.len(), "somebody else was told");
    for kind in ["bookingConfirmation", "mateAssigned"] {
        assert!(kinds(&customer).iter().any(|k| k == kind), "{:?}", kinds(&customer));
    }
    assert_eq!((kinds(&crew), kinds(&buyer)), (vec!["mateJob".to_owned(); 2], vec!["partnerInvoice".to_owned()]));

    for mail in customer {
        let text = read(mail);
        // Their partner gets the invoice.
        assert!(!text.contains("发票"), "{text}");
        assert_eq!(text.contains("合作方付款"), mail.message_type == "bookingConfirmation", "{text}");
        assert_eq!(mail.language, Language::Zh, "{}", mail.message_type);
        assert!(text.chars().any(is_han) && mail.html.contains("lang=\"zh-Hans\""), "{text}");
        for other in ["Hello", "Bonjour", "February", "février", "p.m.", "Questions"] {
            assert!(!text.contains(other), "{}: {other}: {text}", mail.message_type);
        }
    }
    for mail in crew {
        let text = read(mail);
        assert_eq!(mail.language, Language::Fr);
        assert!(text.contains("Bonjour") && text.contains("16 février 2027"), "{text}");
        assert!(mail.html.contains("lang=\"fr-CA\"") && !text.chars().any(is_han), "{text}");
        for other in ["Hello", "February", "$", "574,", "574."] {
            assert!(!text.contains(other), "{other}: {text}");
        }
    }
    for mail in buyer {
        let text = read(mail);
        assert_eq!(mail.language, Language::En);
        assert!(text.contains("Hello") && text.contains("February") && text.contains("$574.88"), "{text}");
        assert!(mail.html.contains("lang=\"en-CA\"") && !text.chars().any(is_han), "{text}");
        for other in ["Bonjour", "février"] {
            assert!(!text.contains(other), "{other}: {text}");
        }
    }
}
