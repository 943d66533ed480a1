//! What accountants and customers rely on: when a paper is overdue, how it is paid, in which language it is, and that the
//! file of invoices adds up to the journal.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{BookingId, Language, Money, Province};
use service::{
    Error, ErrorCode, ServiceResult,
    accounts::desk::Contact,
    bookings::{
        Draft, TipInput, contract, create_for, statement, statement_file,
        status::{self, StatusInput},
    },
    desk::{
        accounting::{self, Content},
        credits::{self, NewCredit},
        rows,
    },
    idempotency::Replayable,
    invoices::{
        desk,
        list::{self, InvoiceListQuery},
        sheet::Document,
    },
    ports::{
        bookings::PaidBy,
        capacity::DayCapacity,
        credits::CreditKind,
        invoices::{Invoice, PaperPay, Purpose},
        ledger::Account,
        mail::OutgoingMail,
        payments::{PaidWith, Payment},
    },
};
use status_machine::{booking::Status, invoice::State};
use store::testing::TestDb;

use crate::support::{Next, World, draft};

on_both_engines!(
    issued_and_never_sent_is_overdue_and_reminds_nobody,
    what_is_sent_late_is_reminded_of_a_week_later,
    a_reference_is_a_payment_and_charges_no_card,
    a_paper_is_of_one_language,
    an_unpaid_invoice_says_how_to_pay,
    the_file_of_invoices_adds_up_to_the_journal,
    a_usual_move_is_on_one_page,
);

fn utc(text: &str) -> DateTime<Utc> {
    text.parse().unwrap()
}

fn monday() -> DateTime<Utc> {
    utc("2027-02-08T14:00:00Z")
}

fn nine() -> NaiveTime {
    NaiveTime::from_hms_opt(9, 0, 0).unwrap()
}

fn day(n: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2027, 2, n).unwrap()
}

async fn set(w: &World, id: BookingId, to: Status) -> ServiceResult<()> {
    let said = StatusInput { reason: Some("as it was".into()), ..StatusInput::default() };
    status::set(&w.s, &w.staff(), id, to, said).await.map(drop)
}

fn refused<T: std::fmt::Debug>(told: &ServiceResult<T>) -> Option<ErrorCode> {
    match told {
        Err(Error::Refused(code, _)) => Some(*code),
        _ => None,
    }
}

/// Ordered on the telephone for a day of February.
async fn ordered(w: &World, by: PaidBy, province: Province, on: u32, language: Language) -> BookingId {
    let contact = Contact {
        email: format!("buyer{on}@portage.test").parse().unwrap(),
        first_name: "Camille".into(),
        last_name: format!("Caron {on}"),
        phone: "514-555-0199".parse().unwrap(),
        language,
    };
    let wanted = Draft { language: Some(language), ..draft(province, day(on), nine()) };
    match create_for(&w.s, &w.staff(), contact, (by, None), wanted, None).await.unwrap() {
        Replayable::Fresh(made) => made.booking.id,
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

/// A move of 18 February that was done and is owed as a whole.
pub async fn done(w: &World, by: PaidBy, language: Language) -> BookingId {
    w.flat_rate(50_000).await;
    let id = ordered(w, by, Province::QC, 18, language).await;
    set(w, id, Status::Assigned).await.unwrap();
    w.clock.set(utc("2027-02-18T22:00:00Z"));
    set(w, id, Status::Completed).await.unwrap();
    w.work().await;
    id
}

async fn all(w: &World, id: BookingId) -> Vec<Invoice> {
    w.read(move |u| u.invoices().of_booking(id)).await
}

async fn payments(w: &World, id: BookingId) -> Vec<Payment> {
    w.read(move |u| u.payments().of_booking(id)).await
}

fn mails(w: &World, kind: &str) -> Vec<OutgoingMail> {
    w.mailer.sent.lock().unwrap().iter().filter(|m| m.message_type == kind).cloned().collect()
}

/// The states in which a list shows the papers that it finds in a state.
async fn listed(w: &World, state: State) -> Vec<State> {
    let wish = InvoiceListQuery { states: vec![state], ..InvoiceListQuery::default() };
    let found = list::page(&w.s, &w.staff(), wish.clone(), 1, 20).await.unwrap();
    assert_eq!(found.counted.total, i64::try_from(found.data.len()).unwrap());
    assert_eq!(list::export(&w.s, &w.staff(), wish).await.unwrap().len(), found.data.len());
    found.data.iter().map(|line| line.state).collect()
}

async fn issued_and_never_sent_is_overdue_and_reminds_nobody(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = done(&w, PaidBy::Invoice, Language::En).await;
    set(&w, id, Status::Invoiced).await.unwrap();
    w.work().await;
    assert_eq!((listed(&w, State::Issued).await, listed(&w, State::Overdue).await), (vec![State::Issued], vec![]));
    // Due on its day, which ends at midnight in Montreal.
    w.clock.set(utc("2027-02-19T04:59:00Z"));
    w.work().await;
    assert_eq!((listed(&w, State::Issued).await, listed(&w, State::Overdue).await), (vec![State::Issued], vec![]));
    w.clock.set(utc("2027-02-19T05:00:00Z"));
    w.work().await;
    assert_eq!((listed(&w, State::Issued).await, listed(&w, State::Overdue).await), (vec![], vec![State::Overdue]));
    let record = desk::of_booking(&w.s, w.staff().caller(), id).await.unwrap();
    assert_eq!(record.state_of(&record.invoice), State::Overdue);
    for days in [8, 15, 31, 90] {
        w.clock.set(utc("2027-02-19T05:00:00Z") + Duration::days(days));
        w.work().await;
    }
    assert_eq!(mails(&w, "invoiceReminder").len(), 0);
    // It may still be sent, taken back or paid: the step that it takes is that of an issued one.
    desk::send(&w.s, &w.staff(), record.invoice.id).await.unwrap();
    w.work().await;
    assert_eq!(*all(&w, id).await[0].state, State::Overdue);
}

async fn what_is_sent_late_is_reminded_of_a_week_later(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = done(&w, PaidBy::Invoice, Language::En).await;
    set(&w, id, Status::Invoiced).await.unwrap();
    let invoice = all(&w, id).await.remove(0);
    // Sixty days after it was due.
    let sent = utc("2027-04-19T14:00:00Z");
    w.clock.set(sent);
    w.work().await;
    desk::send(&w.s, &w.staff(), invoice.id).await.unwrap();
    for minutes in [0, 1, 5, 60] {
        w.clock.set(sent + Duration::minutes(minutes));
        w.work().await;
    }
    let now = all(&w, id).await.remove(0);
    assert_eq!((*now.state, now.reminders, now.due_at), (State::Overdue, 0, invoice.due_at));
    assert_eq!((mails(&w, "invoiceSent").len(), mails(&w, "invoiceReminder").len()), (1, 0));
    // From the days after it was sent on, at midnight in Montreal.
    for (n, at) in ["2027-04-26T04:00:00Z", "2027-05-03T04:00:00Z", "2027-05-19T04:00:00Z"].into_iter().enumerate() {
        w.clock.set(utc(at) - Duration::minutes(1));
        w.work().await;
        assert_eq!(mails(&w, "invoiceReminder").len(), n, "{at}");
        w.clock.set(utc(at));
        w.work().await;
        assert_eq!(mails(&w, "invoiceReminder").len(), n + 1, "{at}");
    }
}

/// A booking by card whose balance was declined, and would be tried again: the transfer of it ends that.
async fn a_reference_is_a_payment_and_charges_no_card(db: TestDb) {
    let w = World::on(db, monday()).await;
    w.flat_rate(50_000).await;
    let id = w.book(draft(Province::QC, day(18), nine()), None).await.unwrap().booking.id;
    w.clock.set(monday() + Duration::hours(25));
    w.work().await;
    w.gateway.usually(Next::Soft);
    w.clock.set(utc("2027-02-16T14:00:00Z"));
    w.work().await;
    set(&w, id, Status::Assigned).await.unwrap();
    w.clock.set(utc("2027-02-18T14:30:00Z"));
    set(&w, id, Status::Completed).await.unwrap();
    set(&w, id, Status::Invoiced).await.unwrap();
    let open = payments(&w, id).await.into_iter().filter(service::billing::facts::open).count();
    assert_eq!((open, w.gateway.net()), (1, 11_498));
    w.gateway.usually(Next::Approve);
    // Without the money or a reference it is not paid.
    assert_eq!(refused(&set(&w, id, Status::Payed).await), Some(ErrorCode::TransitionRefused));
    let step = |steps: &[status::Step]| steps.iter().find(|s| s.to == Status::Payed).cloned().unwrap();
    let offered = step(&rows::read(&w.s, &w.staff(), id).await.unwrap().steps);
    assert_eq!((offered.refused, offered.needs), (None, vec![status::Need::PaymentReference]));
    let charges = w.gateway.charges();
    let said = || StatusInput { payment_reference: Some(" CA-778 ".into()), ..StatusInput::default() };
    let long = StatusInput { payment_reference: Some("9".repeat(101)), ..StatusInput::default() };
    let told = status::set(&w.s, &w.staff(), id, Status::Payed, long).await;
    assert!(matches!(&told, Err(Error::Invalid(f)) if f[0].field == "paymentReference"), "{told:?}");
    // Pressed twice, and at once.
    let staff = w.staff();
    let (a, b) = tokio::join!(
        status::set(&w.s, &staff, id, Status::Payed, said()),
        status::set(&w.s, &staff, id, Status::Payed, said()),
    );
    assert!(a.is_ok() && b.is_ok(), "{a:?} {b:?}");
    status::set(&w.s, &w.staff(), id, Status::Payed, said()).await.unwrap();
    for days in [0, 1, 2, 8, 31] {
        w.clock.set(w.clock.now_value() + Duration::days(days));
        w.work().await;
    }
    let by_hand: Vec<_> = payments(&w, id).await.into_iter().filter(|r| r.method == PaidWith::Etransfer).collect();
    assert_eq!(by_hand.len(), 1);
    assert_eq!((by_hand[0].amount.cents(), by_hand[0].reference.as_deref()), (45_990, Some("CA-778")));
    assert_eq!(w.booking(id).await.status, Status::Payed);
    assert_eq!(*all(&w, id).await[0].state, State::Paid);
    assert_eq!((w.gateway.charges(), mails(&w, "paymentReceived").len()), (charges, 1));
    let entries = w.read(move |u| u.ledger().of_booking(id)).await;
    let bank: i64 = entries
        .iter()
        .flat_map(|e| e.lines().to_vec())
        .filter(|l| l.account == Account::Bank)
        .map(|l| l.amount.cents())
        .sum();
    assert_eq!((bank, w.gateway.net()), (45_990, 11_498));
}

async fn a_paper_is_of_one_language(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = done(&w, PaidBy::Invoice, Language::Fr).await;
    let english = StatusInput { language: Some(Language::En), reason: Some("again".into()), ..StatusInput::default() };
    for to in [Status::Assigned, Status::Completed, Status::Invoiced] {
        status::set(&w.s, &w.staff(), id, to, english.clone()).await.unwrap();
    }
    // That of the messages of a step is not the booking's.
    assert_eq!(w.booking(id).await.language, Language::Fr);
    let paper = all(&w, id).await.remove(0).paper.unwrap();
    assert_eq!(paper.language, Language::Fr);
    assert!(paper.lines.iter().any(|line| line.description.contains("Camion")), "{:?}", paper.lines);
    // One whose lines are kept in another language is told in its own all the same.
    let note = all(&w, id).await.remove(0).id;
    desk::take_back(&w.s, &w.staff(), note, "Wrong".into()).await.unwrap();
    w.write(move |u| {
        let mut b = u.bookings().get(id)?.unwrap();
        b.language = Language::En;
        let version = b.version;
        u.bookings().update(&b, version)
    })
    .await;
    set(&w, id, Status::Invoiced).await.unwrap();
    let paper = all(&w, id).await.into_iter().rfind(Invoice::is_in_force).unwrap().paper.unwrap();
    assert_eq!(paper.language, Language::En);
    for line in &paper.lines {
        let french = ["aidants", "Déplacement", "heures", "\u{a0}$"];
        assert!(!french.iter().any(|word| line.description.contains(word) || line.detail.contains(word)), "{line:?}");
    }
}

async fn an_unpaid_invoice_says_how_to_pay(db: TestDb) {
    let w = World::on(db, monday()).await;
    let id = done(&w, PaidBy::Invoice, Language::Fr).await;
    let drafted = desk::draft(&w.s, &w.staff(), id).await.unwrap();
    desk::send(&w.s, &w.staff(), drafted.invoice.id).await.unwrap();
    w.work().await;
    assert_eq!(all(&w, id).await[0].paper.as_ref().unwrap().pay, Some(PaperPay::ByLink));
    for (kind, at) in [("invoiceSent", "2027-02-20T14:00:00Z"), ("invoiceReminder", "2027-02-26T14:00:00Z")] {
        w.clock.set(utc(at));
        w.work().await;
        let mail = mails(&w, kind).remove(0);
        for said in ["Comment payer", "lien sécurisé", "Par chèque à l’ordre de", "2027-000001", "574,88"] {
            assert!(mail.text.contains(said) && mail.html.contains(said), "{kind}: {said}\n{}", mail.text);
        }
        let link = mail.text.split_whitespace().find(|word| word.contains("/pay/")).unwrap().to_owned();
        let link = link.rsplit('/').next().unwrap().split('?').next().unwrap().to_owned();
        let page = service::bookings::pay_link::look(&w.s, link).await.unwrap();
        assert_eq!(page.amount.cents(), 57_488, "{kind}");
    }
    // Paid: nothing is said of it any more.
    let said = StatusInput { payment_reference: Some("CA-1".into()), ..StatusInput::default() };
    status::set(&w.s, &w.staff(), id, Status::Payed, said).await.unwrap();
    w.work().await;
    desk::send(&w.s, &w.staff(), drafted.invoice.id).await.unwrap();
    w.work().await;
    assert!(!mails(&w, "invoiceSent").remove(1).text.contains("Comment payer"));
}

/// How many pages a file has.
fn pages(file: &[u8]) -> usize {
    let marks: [&[u8]; 2] = [b"/Type /Page\n", b"/Type/Page/"];
    marks.iter().map(|mark| file.windows(mark.len()).filter(|w| w == mark).count()).sum()
}

/// Contract (French first in Quebec, another language on a page of its own), invoice, receipt and statement.
async fn a_usual_move_is_on_one_page(db: TestDb) {
    let w = World::on(db, monday()).await;
    w.flat_rate(50_000).await;
    let staff = w.staff();
    let caller = staff.caller();
    let mut booked = Vec::new();
    for (n, language) in (17..).zip(Language::ALL) {
        let tip = TipInput { kind: "amount".into(), value: "20".into() };
        let wanted = Draft { language: Some(language), ..draft(Province::QC, day(n), nine()) };
        let id = w.book(wanted, Some(tip)).await.unwrap().booking.id;
        let file = contract::download(&w.s, caller, id).await.unwrap().bytes;
        assert_eq!(pages(&file), if language == Language::Fr { 1 } else { 2 }, "{language}: contract");
        booked.push((id, language));
    }
    w.clock.set(monday() + Duration::hours(26));
    w.work().await;
    for (id, _) in &booked {
        set(&w, *id, Status::Assigned).await.unwrap();
    }
    w.clock.set(utc("2027-02-19T23:00:00Z"));
    for (id, language) in booked {
        set(&w, id, Status::Completed).await.unwrap();
        let draft = desk::download(&w.s, caller, id, None, Document::Invoice).await.unwrap().bytes;
        set(&w, id, Status::Invoiced).await.unwrap();
        let issued = desk::download(&w.s, caller, id, None, Document::Invoice).await.unwrap().bytes;
        let said = StatusInput { payment_reference: Some(format!("CA-{language}")), ..StatusInput::default() };
        status::set(&w.s, &staff, id, Status::Payed, said).await.unwrap();
        w.work().await;
        let receipt = desk::download(&w.s, caller, id, None, Document::Receipt).await.unwrap().bytes;
        let words: fn(&statement::Row, Language) -> String = |row, _| format!("{:?}", row.amount);
        let statement = statement_file::download(&w.s, caller, id, words).await.unwrap().bytes;
        for (what, file) in [("draft", draft), ("invoice", issued), ("receipt", receipt), ("statement", statement)] {
            assert_eq!(pages(&file), 1, "{language}: {what}");
        }
    }
}

/// The same throws on every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// Bookings that are done, invoiced, taken back, credited and invoiced anew at any time, and some never invoiced.
async fn the_file_of_invoices_adds_up_to_the_journal(db: TestDb) {
    let w = World::on(db, monday()).await;
    w.flat_rate(50_000).await;
    w.calendar(DayCapacity { mates: 40, trucks: [20, 20, 20] }).await;
    let mut dice = Dice(20_270_218);
    let mut ids = Vec::new();
    for n in [11, 12, 13, 15, 16, 17, 18, 19, 20, 22, 23, 24] {
        let province = [Province::QC, Province::ON][usize::try_from(dice.below(2)).unwrap()];
        ids.push(ordered(&w, PaidBy::Invoice, province, n, Language::En).await);
    }
    for id in &ids {
        set(&w, *id, Status::Assigned).await.unwrap();
    }
    let mut voids = 0;
    for at in [
        "2027-02-25T16:00:00Z",
        "2027-02-27T16:00:00Z",
        "2027-03-02T16:00:00Z",
        "2027-03-20T16:00:00Z",
        "2027-04-02T16:00:00Z",
    ] {
        w.clock.set(utc(at));
        for id in &ids {
            let status = w.booking(*id).await.status;
            let to = match (status, dice.below(4)) {
                (Status::Assigned, 0 | 1) => Some(Status::Completed),
                (Status::Completed, 0 | 1) => Some(Status::Invoiced),
                _ => None,
            };
            if let Some(to) = to {
                set(&w, *id, to).await.unwrap();
            } else if status == Status::Invoiced && dice.below(2) == 0 {
                let standing = all(&w, *id).await.into_iter().find(Invoice::is_in_force).unwrap();
                desk::take_back(&w.s, &w.staff(), standing.id, "Wrong".into()).await.unwrap();
                voids += 1;
            } else if matches!(status, Status::Invoiced | Status::Completed) {
                let amount = Money::from_cents(1 + i64::try_from(dice.below(3_000)).unwrap());
                let credit = NewCredit { kind: CreditKind::Goodwill, amount, reason: "late".into() };
                credits::give(&w.s, &w.staff(), *id, credit, None).await.unwrap();
            }
        }
        w.work().await;
    }
    assert!(voids > 2, "{voids}");
    let notes = |all: Vec<Invoice>| all.iter().filter(|i| i.purpose == Purpose::CreditNote).count();
    let mut written = 0;
    for id in &ids {
        written += notes(all(&w, *id).await);
    }
    assert!(written > voids, "{written}");
    let said = [Account::Revenue, Account::CancellationRevenue, Account::Gst, Account::Qst, Account::Hst];
    let mut apart = 0;
    for month in ["2027-02", "2027-03", "2027-04"] {
        let mut sums = Vec::new();
        for content in [Content::Journal, Content::Invoices] {
            let file =
                accounting::month(&w.s, &w.staff(), month.parse().unwrap(), content, Language::Zh).await.unwrap();
            let (mut own, mut entries) = (BTreeMap::new(), BTreeMap::new());
            for p in &file {
                *entries.entry((p.date, p.number.clone())).or_insert(0) += p.amount.cents();
                if said.contains(&p.account) {
                    *own.entry(p.account).or_insert(0) += p.amount.cents();
                }
            }
            assert!(entries.values().all(|sum| *sum == 0), "{entries:?}");
            apart += file.iter().filter(|p| p.number.starts_with('N')).count();
            own.retain(|_, cents| *cents != 0);
            sums.push(own);
        }
        assert_eq!(sums[0], sums[1], "{month}");
    }
    assert!(apart > 5, "{apart}");
}
