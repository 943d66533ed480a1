//! The contract: with the confirmation and with each change, in French first where Quebec wants it, to the cent.

use crate::support;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use documents::Sheet;
use kernel::{BookingId, Language, Province};
use service::{
    ErrorCode,
    bookings::{TipInput, cancel, contract, statement_file, status},
    ports::mail::Content,
};
use status_machine::booking::Status;
use store::testing::TestDb;
use support::{World, draft};

on_both_engines!(
    it_goes_with_the_confirmation_in_french_first,
    it_says_what_is_charged_and_kept_when,
    it_is_of_the_day_its_message_was_written,
    it_names_who_comes,
    it_is_its_owners_and_ends_with_the_booking,
    its_account_is_a_file_too,
);

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

async fn booked(w: &World, province: Province, language: Language) -> BookingId {
    w.flat_rate(50_000).await;
    let mut wanted =
        draft(province, NaiveDate::from_ymd_opt(2027, 2, 18).unwrap(), NaiveTime::from_hms_opt(9, 0, 0).unwrap());
    wanted.language = Some(language);
    let tip = TipInput { kind: "amount".into(), value: "20".into() };
    w.book(wanted, Some(tip)).await.unwrap().booking.id
}

/// The sheets that went with the newest message of a kind, and the name of their file.
fn sent(w: &World, kind: &str) -> Option<(String, Vec<Sheet>)> {
    let mails = w.mailer.sent.lock().unwrap();
    let mail = mails.iter().rfind(|m| m.message_type == kind)?;
    mail.attachments.iter().find_map(|a| match &a.content {
        Content::Sheets(sheets) => Some((a.file_name.clone(), sheets.clone())),
        _ => None,
    })
}

fn everything(s: &Sheet) -> String {
    let mut all = vec![s.title.clone(), s.issuer.clone(), s.lead.clone(), s.footer.clone()];
    all.extend(s.facts.iter().map(|(label, value)| format!("{label} {value}")));
    all.extend(s.blocks.iter().flat_map(|b| b.lines.clone()));
    all.extend(s.rows.iter().map(|r| format!("{} {} {}", r.description, r.detail, r.amount)));
    all.extend(s.totals.iter().map(|t| format!("{} {}", t.label, t.amount)));
    all.extend(s.notes.clone());
    all.join("\n").replace('\u{a0}', " ")
}

async fn it_goes_with_the_confirmation_in_french_first(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked(&w, Province::QC, Language::Zh).await;
    w.work().await;
    let (name, sheets) = sent(&w, "bookingConfirmation").unwrap();
    assert_eq!(name, format!("{id}-contract.pdf"));
    assert_eq!(sheets.iter().map(|s| s.language).collect::<Vec<_>>(), [Language::Fr, Language::Zh]);
    let [french, chinese] = [everything(&sheets[0]), everything(&sheets[1])];
    assert!(french.starts_with("Contrat de déménagement") && chinese.starts_with("搬家合同"));
    assert!(french.contains("Le même contrat suit"), "{french}");
    for (text, amounts) in [
        (&french, ["500,00 $", "25,00 $", "49,88 $", "574,88 $", "114,98 $", "459,90 $", "20,00 $"]),
        (&chinese, ["CA$500.00", "CA$25.00", "CA$49.88", "CA$574.88", "CA$114.98", "CA$459.90", "CA$20.00"]),
    ] {
        for amount in amounts {
            assert!(text.contains(amount), "{amount} in\n{text}");
        }
        assert!(!text.contains('{') && !text.contains('…'), "{text}");
    }
    // Each line is told in each language, from the same price.
    assert_eq!(sheets[0].rows.len(), sheets[1].rows.len());
    for (one, other) in sheets[0].rows.iter().zip(&sheets[1].rows) {
        assert!(!one.description.is_empty() && one.description != other.description, "{one:?}");
    }
    let bytes = documents::pdf_of(&sheets).unwrap();
    assert!(bytes.starts_with(b"%PDF-") && bytes.len() < 250_000, "{} bytes", bytes.len());
    // Elsewhere one language is enough, and in Quebec French alone is.
    for (province, language, want) in
        [(Province::ON, Language::En, vec![Language::En]), (Province::QC, Language::Fr, vec![Language::Fr])]
    {
        booked(&w, province, language).await;
        w.work().await;
        let (_, sheets) = sent(&w, "bookingConfirmation").unwrap();
        assert_eq!(sheets.iter().map(|s| s.language).collect::<Vec<_>>(), want, "{province}");
        assert!(!everything(&sheets[0]).contains("Le même contrat suit"));
    }
}

async fn it_says_what_is_charged_and_kept_when(db: TestDb) {
    let w = World::on(db, monday()).await;
    booked(&w, Province::ON, Language::En).await;
    w.work().await;
    let text = everything(&sent(&w, "bookingConfirmation").unwrap().1[0]);
    for said in [
        "Fixed price: $565.00, taxes included",
        "Moving day February 18, 2027",
        "HST (13%) $65.00",
        "Deposit, charged on February 9, 2027, 9:00 a.m. (Montreal time) $113.00",
        "Balance, charged on February 16, 2027, 9:00 a.m. (Montreal time) $452.00",
        "Until February 9, 2027, 9:00 a.m. (Montreal time) you may cancel free of charge.",
        "If you cancel after that and until February 16, 2027, 9:00 a.m. (Montreal time), $113.00 is kept.",
        "If you cancel from February 16, 2027, 9:00 a.m. (Montreal time) on, $565.00 is kept.",
        "You agreed to the guidelines",
    ] {
        assert!(text.contains(said), "{said} in\n{text}");
    }
    assert!(!text.contains(".m.."), "{text}");
}

async fn it_is_of_the_day_its_message_was_written(db: TestDb) {
    let w = World::on(db, monday()).await;
    booked(&w, Province::QC, Language::Fr).await;
    // The relay took nothing until the next day: what goes out then is what would have gone out at once.
    w.clock.set(monday() + chrono::Duration::hours(20));
    w.work().await;
    let text = everything(&sent(&w, "bookingConfirmation").unwrap().1[0]);
    assert!(text.contains("En date du 8 février 2027"), "{text}");
    let mails = w.mailer.sent.lock().unwrap();
    let mail = mails.iter().find(|m| m.message_type == "bookingConfirmation").unwrap();
    assert_eq!(mail.written_at, Some(monday()));
}

async fn it_names_who_comes(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked(&w, Province::QC, Language::Fr).await;
    w.work().await;
    assert!(everything(&sent(&w, "bookingConfirmation").unwrap().1[0]).contains("personnes nommées avant"));
    let said = status::StatusInput { reason: Some("now".into()), ..status::StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Assigned, said).await.unwrap();
    let crew = w.read(move |u| u.crews().of_booking(id)).await;
    assert!(!crew.is_empty());
    service::bookings::confirmation::send_again(&w.s, &w.staff(), id).await.unwrap();
    w.work().await;
    let text = everything(&sent(&w, "bookingConfirmation").unwrap().1[0]);
    assert!(crew.iter().all(|mate| text.contains(&mate.name)), "{text}");
}

async fn it_is_its_owners_and_ends_with_the_booking(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked(&w, Province::QC, Language::En).await;
    let file = contract::download(&w.s, &w.customer, id).await.unwrap();
    assert_eq!(file.name, format!("{id}-contract.pdf"));
    assert!(file.bytes.starts_with(b"%PDF-"));
    assert_eq!(contract::download(&w.s, &w.ops, id).await.unwrap().bytes, file.bytes);
    let other = support::caller(service::Role::Customer, kernel::UserId(kernel::uuid::Uuid::from_u128(0x0c)));
    let refused = contract::download(&w.s, &other, id).await.unwrap_err();
    assert!(matches!(refused, service::Error::Refused(ErrorCode::NotFound, _)), "{refused}");
    // Cancelled before its confirmation left: there is no contract any more.
    cancel::cancel(&w.s, &w.customer, id).await.unwrap();
    w.work().await;
    assert!(w.mailer.sent.lock().unwrap().iter().any(|m| m.message_type == "bookingConfirmation"));
    assert_eq!(sent(&w, "bookingConfirmation"), None);
}

/// The account of a booking as a file says what its page says, in the reader's language.
async fn its_account_is_a_file_too(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = booked(&w, Province::QC, Language::En).await;
    w.clock.set(monday() + chrono::Duration::hours(25));
    w.work().await;
    let words = |row: &service::bookings::statement::Row, _: Language| format!("{:?}", row.fact);
    let file = statement_file::download(&w.s, &w.customer, id, words).await.unwrap();
    assert_eq!(file.name, format!("{id}-statement.pdf"));
    assert!(file.bytes.starts_with(b"%PDF-"));
    let other = support::caller(service::Role::Customer, kernel::UserId(kernel::uuid::Uuid::from_u128(0x0c)));
    let refused = statement_file::download(&w.s, &other, id, words).await.unwrap_err();
    assert!(matches!(refused, service::Error::Refused(ErrorCode::NotFound, _)), "{refused}");
}
