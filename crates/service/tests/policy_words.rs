//! What customers agree to names the figures of their own booking, whatever the company has saved since.

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use documents::Sheet;
use kernel::{BookingId, Language, Money, Province};
use serde_json::{Value, json};
use service::{
    Caller, Role, Staff,
    bookings::confirmation,
    payments::payment_plan,
    ports::mail::Content,
    settings::{Area, desk},
    terms,
};
use store::testing::TestDb;

use crate::support::{World, caller, draft};

on_both_engines!(a_booking_is_told_its_own_figures, a_province_is_shown_what_it_keeps, a_move_of_tomorrow_is_told_why);

/// A word of each language that only the shipped figures have.
const SHIPPED: [&str; 5] = ["20%", "20 %", "80%", "80 %", "24 h"];

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

fn thursday() -> NaiveDate {
    NaiveDate::from_ymd_opt(2027, 2, 18).unwrap()
}

fn time(hour: u32) -> NaiveTime {
    NaiveTime::from_hms_opt(hour, 0, 0).unwrap()
}

async fn put(w: &World, values: Value) {
    let admin: Caller = caller(Role::Admin, w.ops.user.unwrap());
    let fields = values.as_object().unwrap().clone();
    desk::put(&w.s, &Staff::prove(&admin).unwrap(), Area::Policy, fields, 0).await.unwrap();
}

fn other_figures() -> Value {
    json!({
        "deposit": "0.5", "freeWindow": 12, "lockWindow": 72, "changeFee": "0.1",
        "retention": { "afterFree": "0.5", "afterLock": "0.9" },
    })
}

async fn booked(w: &World, language: Language, hour: u32) -> BookingId {
    let mut wanted = draft(Province::ON, thursday(), time(hour));
    wanted.language = Some(language);
    let id = w.book(wanted, None).await.unwrap().booking.id;
    w.work().await;
    id
}

fn plain(text: &str) -> String {
    text.replace('\u{a0}', " ")
}

/// Text, HTML and contract of the newest message of a kind.
fn said(w: &World, kind: &str) -> [String; 3] {
    let mails = w.mailer.sent.lock().unwrap();
    let mail = mails.iter().rfind(|m| m.message_type == kind).unwrap();
    let notes =
        |sheets: &Vec<Sheet>| sheets.iter().flat_map(|sheet| sheet.notes.clone()).collect::<Vec<_>>().join("\n");
    let contract = mail.attachments.iter().find_map(|a| match &a.content {
        Content::Sheets(sheets) => Some(notes(sheets)),
        _ => None,
    });
    [plain(&mail.text), plain(&mail.html), plain(&contract.unwrap_or_default())]
}

async fn a_booking_is_told_its_own_figures(db: TestDb) {
    let w = World::on(db, monday()).await;
    w.flat_rate(50_000).await;
    let old = booked(&w, Language::En, 9).await;
    let [before, _, contract] = said(&w, "bookingConfirmation");
    assert!(before.contains("A deposit of 20% of the total estimate is charged 24 hours after booking"), "{before}");
    put(&w, other_figures()).await;
    for (language, hour, figures) in [
        (Language::En, 11, ["50%", "12 hours", "72 hours", "90%", "extra 10%"]),
        (Language::Fr, 13, ["50 %", "12 heures", "72 heures", "90 %", "coûter 10 %"]),
        (Language::Zh, 15, ["50%", "12 小时", "72 小时", "90%", "总额的 10%"]),
    ] {
        let id = booked(&w, language, hour).await;
        let [text, html, contract] = said(&w, "bookingConfirmation");
        for figure in figures {
            assert!(text.contains(figure) && html.contains(figure), "{figure} in\n{text}");
        }
        assert!(contract.contains(figures[1]) && contract.contains(figures[4]), "{contract}");
        for shipped in SHIPPED.into_iter().chain(["48 h", "24 小时", "48 小时"]) {
            assert!(![&text, &contract].iter().any(|told| told.contains(shipped)), "{shipped} in\n{text}\n{contract}");
        }
        // The words that were agreed to are kept with their figures.
        let kept = w.booking(id).await.details;
        assert!(kept.guidelines_text.iter().any(|sentence| plain(sentence).contains(figures[1])));
        assert!(kept.guidelines_text.iter().all(|sentence| text.contains(&plain(sentence))), "{text}");
    }
    // What was booked before is told what it was told then.
    confirmation::send_again(&w.s, &w.staff(), old).await.unwrap();
    w.work().await;
    let [again, _, contract_again] = said(&w, "bookingConfirmation");
    let policy = w.booking(old).await.details.policy;
    let told = terms::words(policy::Term::Deposit, &policy, Language::En);
    assert!(before.contains(&told) && again.contains(&told), "{again}");
    assert!(again.contains("may cost an extra 20% of the total") && !again.contains("50%"), "{again}");
    assert!(contract.contains("24 hours after booking") && contract_again.contains("24 hours after booking"));
}

async fn a_province_is_shown_what_it_keeps(db: TestDb) {
    let w = World::on(db, monday()).await;
    put(
        &w,
        json!({ "provinces": { "QC": { "retention": { "afterFree": "0", "afterLock": "0", "mode": "actual_costs" } } } }),
    )
    .await;
    let move_at = monday() + Duration::days(10);
    for (province, keeps) in [(Province::QC, false), (Province::ON, true)] {
        let total = Money::from_cents(100_000);
        let (plan, policy) = payment_plan(&w.s, total, move_at, None, Some(province)).await.unwrap();
        assert_eq!(plan.cancellation.iter().any(|window| window.kept.is_positive()), keeps, "{province}");
        let told = terms::sentences(&policy, &plan, Language::En).join(" ");
        assert_eq!(told.contains("you pay only the expenses and the work done"), !keeps, "{told}");
        assert_eq!(told.contains("not refundable"), keeps, "{told}");
    }
}

async fn a_move_of_tomorrow_is_told_why(db: TestDb) {
    let w = World::on(db, monday()).await;
    put(&w, other_figures()).await;
    let wanted = draft(Province::ON, NaiveDate::from_ymd_opt(2027, 2, 10).unwrap(), time(10));
    w.book(wanted, None).await.unwrap();
    w.work().await;
    let [text, html, _] = said(&w, "fullPaymentCharged");
    let why = "Your move is within the next 72 hours, so the full amount was charged to your card when you booked.";
    assert!(text.contains(why) && html.contains(why), "{text}");
    let [text, ..] = said(&w, "bookingConfirmation");
    assert!(text.contains("If you cancel within 72 hours of the move, 90% of the total is kept."), "{text}");
}
