//! One paper for many moves of a partner: a booking is on one only, the figures are the books', and it is paid as a whole.

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{Address, BookingId, Language, Money, PartnerId, Province, uuid::Uuid};
use service::{
    Caller, Error, ErrorCode, FieldProblem, Role, ServiceResult, Staff,
    accounts::desk::Contact,
    billing::reconcile,
    bookings::{
        create_for,
        status::{self, StatusInput},
    },
    desk::{
        accounting::{self, Content},
        aged,
        books::ZONE,
        credits::{self, NewCredit},
        months,
    },
    idempotency::Replayable,
    invoices::{
        batch::{self, NewBatch},
        batch_payment::{self, Received},
        batch_steps, desk,
        list::{self, InvoiceListQuery},
        record::File,
        sheet::Document,
    },
    ports::{
        bookings::PaidBy,
        capacity::DayCapacity,
        credits::CreditKind,
        directory::{Contact as Person, PartnerRecord, PartnerState},
        invoices::{Edits, Invoice, InvoiceId, Purpose},
        ledger::Account,
        payments::PaidWith,
    },
};
use status_machine::{At, booking::Status, invoice::State};
use store::testing::TestDb;

use crate::support::{World, draft, people::administrator};

on_both_engines!(
    one_paper_for_the_moves_of_a_month,
    moves_of_one_instant_stand_by_their_short_ids,
    a_part_is_paid_and_then_the_rest,
    taken_back_with_one_credit_note,
    what_is_given_back_of_one_booking_has_a_credit_note_of_the_partner,
    a_draft_takes_and_gives_up_bookings,
    a_booking_is_on_one_paper_whoever_comes_first,
    papers_of_several_partners_at_once_have_numbers_without_gaps,
    what_is_owed_becomes_overdue_and_the_partner_is_reminded,
    a_closed_month_takes_none,
    it_is_the_partners_and_no_customers,
    what_the_bank_took_back_is_owed_for_its_booking,
    the_paper_of_one_booking_goes_to_who_pays_it,
);

fn monday() -> DateTime<Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

fn after() -> DateTime<Utc> {
    "2027-03-02T15:00:00Z".parse().unwrap()
}

fn february() -> (NaiveDate, NaiveDate) {
    (day(1), day(28))
}

fn day(n: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2027, 2, n).unwrap()
}

fn contact(n: u32) -> Contact {
    Contact {
        email: format!("buyer{n}@portage.test").parse().unwrap(),
        first_name: "Camille".into(),
        last_name: format!("Caron {n}"),
        phone: "514-555-0199".parse().unwrap(),
        language: Language::Zh,
    }
}

/// A furniture store with thirty days.
async fn partner(w: &World, n: u128) -> PartnerId {
    let id = PartnerId(Uuid::from_u128(0x7a00 + n));
    let now = w.clock.now_value();
    let address = Address {
        street: "1200 Avenue Bernard".into(),
        city: "Montréal".into(),
        province: Province::QC,
        postal_code: "H2V 1V3".parse().unwrap(),
        unit: String::new(),
        country: "Canada".into(),
        full_address: String::new(),
    };
    let record = PartnerRecord {
        id,
        number: 0,
        name: format!("Meubles {n}"),
        addresses: vec![address],
        contacts: vec![
            Person { name: "Nobody".into(), email: String::new(), phone: "514-555-0100".into() },
            Person { name: "Paul Gagnon".into(), email: "paul@meubles.test".into(), phone: String::new() },
        ],
        rate_name: None,
        net_days: 30,
        language: None,
        state: At::stored(PartnerState::Active),
        version: 1,
        created_at: now,
        updated_at: now,
    };
    w.write(move |u| u.directory().add_partner(&record)).await;
    id
}

async fn ordered(w: &World, partner: PartnerId, province: Province, n: u32) -> BookingId {
    let wanted = draft(province, day(n), NaiveTime::from_hms_opt(9, 0, 0).unwrap());
    let how = (PaidBy::Invoice, Some(partner));
    match create_for(&w.s, &w.staff(), contact(n), how, wanted, None).await.unwrap() {
        Replayable::Fresh(made) => made.booking.id,
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

async fn set(w: &World, id: BookingId, to: Status) -> ServiceResult<()> {
    let said = StatusInput { reason: Some("as it was".into()), ..StatusInput::default() };
    status::set(&w.s, &w.staff(), id, to, said).await.map(drop)
}

/// Moves of 500.00 before tax, one a day from the 16th on, that were done.
async fn done(w: &World, partner: PartnerId, provinces: &[Province]) -> Vec<BookingId> {
    w.flat_rate(50_000).await;
    let mut ids = Vec::new();
    for (n, province) in (16..).zip(provinces) {
        ids.push(ordered(w, partner, *province, n).await);
    }
    for id in &ids {
        set(w, *id, Status::Assigned).await.unwrap();
    }
    w.clock.set(after());
    for id in &ids {
        set(w, *id, Status::Completed).await.unwrap();
    }
    w.work().await;
    ids
}

fn refused<T: std::fmt::Debug>(told: &ServiceResult<T>) -> Option<ErrorCode> {
    match told {
        Err(Error::Refused(code, _)) => Some(*code),
        _ => None,
    }
}

fn field<T: std::fmt::Debug>(told: &ServiceResult<T>) -> Option<(String, FieldProblem)> {
    match told {
        Err(Error::Invalid(fields)) => fields.first().map(|f| (f.field.clone(), f.problem)),
        _ => None,
    }
}

fn whole() -> NewBatch {
    NewBatch { period: february(), bookings: None, language: None }
}

async fn drafted(w: &World, partner: PartnerId) -> File {
    batch::draft(&w.s, &w.staff(), partner, whole()).await.unwrap()
}

async fn issued(w: &World, partner: PartnerId) -> File {
    let id = drafted(w, partner).await.invoice.id;
    let done = batch_steps::issue(&w.s, &w.staff(), id).await.unwrap();
    w.work().await;
    done
}

async fn now(w: &World, id: InvoiceId) -> File {
    batch::get(&w.s, &w.staff(), id).await.unwrap()
}

async fn statuses(w: &World, ids: &[BookingId]) -> Vec<Status> {
    let mut all = Vec::new();
    for id in ids {
        all.push(w.booking(*id).await.status);
    }
    all
}

async fn paid(w: &World, id: InvoiceId, cents: i64, reference: &str) -> ServiceResult<File> {
    let new =
        Received { method: PaidWith::Cheque, amount: Money::from_cents(cents), reference: Some(reference.to_owned()) };
    match batch_payment::record(&w.s, &w.staff(), id, new, None).await? {
        Replayable::Fresh(file) => Ok(file),
        Replayable::Replayed { .. } => panic!("replayed"),
    }
}

async fn posted(w: &World, ids: &[BookingId], account: Account) -> i64 {
    let mut sum = 0;
    for id in ids.iter().copied() {
        let entries = w.read(move |u| u.ledger().of_booking(id)).await;
        let lines = entries.iter().flat_map(|e| e.lines().to_vec()).filter(|l| l.account == account);
        sum += lines.map(|l| l.amount.cents()).sum::<i64>();
    }
    sum
}

/// Earned, and of each tax, by the books.
async fn books(w: &World, ids: &[BookingId]) -> [i64; 4] {
    let mut all = [0; 4];
    for (sum, account) in all.iter_mut().zip([Account::Revenue, Account::Gst, Account::Qst, Account::Hst]) {
        *sum = -posted(w, ids, account).await;
    }
    all
}

/// The same by every paper of the partner: invoices less credit notes.
async fn papers(w: &World, partner: PartnerId) -> [i64; 4] {
    let wish = InvoiceListQuery { partner: Some(partner), ..InvoiceListQuery::default() };
    let listed = list::page(&w.s, &w.staff(), wish, 1, 100).await.unwrap();
    let mut all = [0; 4];
    for line in listed.data {
        let Some(paper) = line.invoice.paper else { continue };
        let sign = if line.invoice.purpose == Purpose::CreditNote { -1 } else { 1 };
        let of =
            |code: &str| -> i64 { paper.taxes.iter().filter(|t| t.tax.code() == code).map(|t| t.amount.cents()).sum() };
        for (sum, part) in all.iter_mut().zip([paper.subtotal.cents(), of("gst"), of("qst"), of("hst")]) {
            *sum += sign * part;
        }
    }
    all
}

async fn sound(w: &World) {
    let report = reconcile::run(&w.s, monday() - Duration::days(1), w.clock.now_value() + Duration::days(1)).await;
    assert_eq!(report.unwrap().differences, Vec::<String>::new());
    assert_eq!(w.read(|u| u.jobs().dead(9)).await, []);
}

fn mails(w: &World) -> Vec<(String, usize)> {
    let sent = w.mailer.sent.lock().unwrap();
    let ours = sent.iter().filter(|m| m.message_type == "partnerInvoice");
    ours.map(|m| (m.to.to_string(), m.attachments.len())).collect()
}

async fn one_paper_for_the_moves_of_a_month(db: TestDb) {
    use Province::{ON, QC};
    let w = World::on(db, monday()).await;
    let store = partner(&w, 1).await;
    let ids = done(&w, store, &[QC, QC, ON]).await;
    let found = batch::uninvoiced(&w.s, &w.staff(), store, february()).await.unwrap();
    assert_eq!(found.bookings.iter().map(|m| m.part.id).collect::<Vec<_>>(), ids);
    let (_, taxes, subtotal, total) = &found.sums;
    assert_eq!((subtotal.cents(), total.cents(), found.due), (150_000, 2 * 57_488 + 56_500, *total));
    let told: Vec<_> = taxes.iter().map(|t| (t.province, t.tax.code(), t.amount.cents())).collect();
    assert_eq!(told, [(Some(ON), "hst", 6_500), (Some(QC), "gst", 5_000), (Some(QC), "qst", 9_976)]);
    let drafted = drafted(&w, store).await;
    assert_eq!((drafted.invoice.number.as_ref(), *drafted.invoice.state), (None, State::Draft));
    assert_eq!((drafted.paper.language, drafted.paper.buyer.name.as_str()), (Language::Fr, "Meubles 1"));
    assert_eq!(statuses(&w, &ids).await, [Status::Completed; 3]);
    let done = batch_steps::issue(&w.s, &w.staff(), drafted.invoice.id).await.unwrap();
    assert_eq!(done.invoice.number_text(), "2027-000001");
    assert_eq!(done.invoice.due_at, Some(after() + Duration::days(30)));
    w.work().await;
    assert_eq!(statuses(&w, &ids).await, [Status::Invoiced; 3]);
    // Issued once, however often it is asked for.
    let again = batch_steps::issue(&w.s, &w.staff(), drafted.invoice.id).await.unwrap();
    assert_eq!(again.invoice.number, done.invoice.number);
    assert_eq!(papers(&w, store).await, books(&w, &ids).await);
    assert_eq!(batch::uninvoiced(&w.s, &w.staff(), store, february()).await.unwrap().bookings.len(), 0);
    // The partner owes it, once, and has time.
    let aged = aged::at(&w.s, &w.staff(), w.clock.now_value()).await.unwrap();
    let owes: Vec<_> = aged.debtors.iter().map(|d| (d.partner, d.total, d.debts.len())).collect();
    assert_eq!(owes, [(Some(store), done.paper.total, 3)]);
    assert_eq!((aged.by_age[0], aged.owed.minus(aged.held)), (done.paper.total, aged.accounts));
    let late = aged::at(&w.s, &w.staff(), after() + Duration::days(32)).await.unwrap();
    assert_eq!(late.by_age[1], done.paper.total);
    // Accountants read it booking by booking.
    let file = accounting::month(&w.s, &w.staff(), "2027-03".parse().unwrap(), Content::Invoices, Language::En).await;
    let file = file.unwrap();
    assert_eq!((file.len(), file.iter().map(|p| p.amount).sum::<Money>()), (11, Money::ZERO));
    for id in &ids {
        let short = w.booking(*id).await.short_id.as_str().to_owned();
        let own = file.iter().filter(|p| p.description.starts_with(&short));
        assert_eq!(own.clone().count(), if w.booking(*id).await.province == ON { 3 } else { 4 });
        assert!(own.clone().all(|p| p.number == "2027-000001" && p.name == "Meubles 1"));
        assert_eq!(own.map(|p| p.amount).sum::<Money>(), Money::ZERO);
    }
    // The same bytes, whatever becomes of the partner.
    let first = batch::download(&w.s, &w.staff(), done.invoice.id, Document::Invoice).await.unwrap();
    w.write(move |u| {
        let record = u.directory().partner(store)?.unwrap();
        u.directory().update_partner(&PartnerRecord { name: "Somebody else".into(), ..record })
    })
    .await;
    let second = batch::download(&w.s, &w.staff(), done.invoice.id, Document::Invoice).await.unwrap();
    assert!(first.bytes.starts_with(b"%PDF-") && first.bytes == second.bytes);
    // The message with it names the partner as the paper does, and says how to pay.
    desk::send(&w.s, &w.staff(), done.invoice.id).await.unwrap();
    w.work().await;
    let mail = w.mailer.sent.lock().unwrap().iter().find(|m| m.message_type == "partnerInvoice").cloned().unwrap();
    assert!(mail.text.contains("Meubles 1") && !mail.text.contains("Somebody else"), "{}", mail.text);
    assert!(mail.text.contains("2027-000001") && mail.text.contains("Par chèque à l’ordre de"), "{}", mail.text);
    assert_eq!(first.name, format!("{}-invoice.pdf", done.invoice.id));
    sound(&w).await;
}

async fn moves_of_one_instant_stand_by_their_short_ids(db: TestDb) {
    let w = World::on(db, monday()).await;
    w.flat_rate(50_000).await;
    w.calendar(DayCapacity { mates: 20, trucks: [9, 9, 9] }).await;
    let store = partner(&w, 1).await;
    let mut ids = Vec::new();
    for (n, on) in (100..).zip([17, 16, 16, 16, 16, 16]) {
        let wanted = draft(Province::QC, day(on), NaiveTime::from_hms_opt(9, 0, 0).unwrap());
        let how = (PaidBy::Invoice, Some(store));
        match create_for(&w.s, &w.staff(), contact(n), how, wanted, None).await.unwrap() {
            Replayable::Fresh(made) => ids.push(made.booking.id),
            Replayable::Replayed { .. } => panic!("replayed"),
        }
    }
    for id in &ids {
        set(&w, *id, Status::Assigned).await.unwrap();
    }
    w.clock.set(after());
    for id in &ids {
        set(&w, *id, Status::Completed).await.unwrap();
    }
    let mut wanted = Vec::new();
    for id in &ids {
        let b = w.booking(*id).await;
        wanted.push((b.move_at, b.short_id.as_str().to_owned()));
    }
    wanted.sort();
    let wanted: Vec<String> = wanted.into_iter().map(|(_, short)| short).collect();
    let found = batch::uninvoiced(&w.s, &w.staff(), store, february()).await.unwrap();
    assert_eq!(found.bookings.iter().map(|m| m.part.short_id.clone()).collect::<Vec<_>>(), wanted);
    let drafted = drafted(&w, store).await;
    let shown: Vec<&str> = drafted.paper.lines.iter().map(|l| l.description.split(' ').next().unwrap()).collect();
    assert_eq!(shown, wanted);
    let again = now(&w, drafted.invoice.id).await;
    assert_eq!(again.paper.lines, drafted.paper.lines);
}

async fn a_part_is_paid_and_then_the_rest(db: TestDb) {
    let w = World::on(db, monday()).await;
    let store = partner(&w, 1).await;
    let ids = done(&w, store, &[Province::QC; 3]).await;
    let id = drafted(&w, store).await.invoice.id;
    assert_eq!(refused(&paid(&w, id, 100, "0").await), Some(ErrorCode::NotFound), "a draft");
    let sent = desk::send(&w.s, &w.staff(), id).await.unwrap();
    assert_eq!((*sent.invoice.state, sent.queued, sent.recipient()), (State::Sent, true, "paul@meubles.test".into()));
    w.work().await;
    assert_eq!(mails(&w), [("paul@meubles.test".to_owned(), 2)]);
    {
        let all = w.mailer.sent.lock().unwrap();
        let mail = all.iter().find(|m| m.message_type == "partnerInvoice").unwrap();
        let names: Vec<&str> = mail.attachments.iter().map(|a| a.file_name.as_str()).collect();
        assert_eq!(names, ["2027-000001-invoice.pdf", "2027-000001.csv"]);
        let rows = String::from_utf8(mail.attachments[1].bytes().unwrap()).unwrap();
        assert_eq!(rows.lines().count(), 4);
        assert!(rows.contains(",500.00,25.00,49.88,0.00,574.88"), "{rows}");
        assert!(mail.text.contains("2027-000001"), "{}", mail.text);
    }
    let most = FieldProblem::AtMost(Money::from_cents(3 * 57_488).into());
    assert_eq!(field(&paid(&w, id, 3 * 57_488 + 1, "1").await), Some(("amount".into(), most)));
    assert_eq!(field(&paid(&w, id, 5, " ").await), Some(("reference".into(), FieldProblem::Required)));
    // A cheque for one move and a half: the first ones are settled, none is payed.
    let half = paid(&w, id, 57_488 + 30_000, "00077").await.unwrap();
    assert_eq!(half.bookings.iter().map(|m| m.due.cents()).collect::<Vec<_>>(), [0, 27_488, 57_488]);
    w.work().await;
    assert_eq!(statuses(&w, &ids).await, [Status::Invoiced; 3]);
    let file = now(&w, id).await;
    assert_eq!((*file.invoice.state, file.due.cents()), (State::Sent, 27_488 + 57_488));
    assert_eq!(refused(&paid(&w, id, 1, "00077").await), Some(ErrorCode::PaymentRecorded));
    paid(&w, id, 27_488 + 57_488, "00078").await.unwrap();
    w.work().await;
    assert_eq!(statuses(&w, &ids).await, [Status::Payed; 3]);
    let file = now(&w, id).await;
    assert_eq!((*file.invoice.state, file.due), (State::Paid, Money::ZERO));
    // The receipt has two cheques, not four payments.
    let receipt = file.invoice.receipt.unwrap();
    let told: Vec<_> = receipt.iter().map(|p| (p.reference.as_deref().unwrap(), p.amount.cents())).collect();
    assert_eq!(told, [("00077", 87_488), ("00078", 84_976)]);
    assert!(batch::download(&w.s, &w.staff(), id, Document::Receipt).await.is_ok());
    assert_eq!(mails(&w).len(), 2, "and that it is paid");
    assert_eq!(refused(&paid(&w, id, 1, "00079").await), Some(ErrorCode::NothingOwed));
    assert_eq!(
        refused(&desk::take_back(&w.s, &w.staff(), id, "Late".into()).await),
        Some(ErrorCode::TransitionRefused)
    );
    assert_eq!(posted(&w, &ids, Account::Customer).await, 0);
    sound(&w).await;
}

async fn taken_back_with_one_credit_note(db: TestDb) {
    let w = World::on(db, monday()).await;
    let store = partner(&w, 1).await;
    let ids = done(&w, store, &[Province::QC, Province::ON]).await;
    let first = issued(&w, store).await.invoice;
    assert_eq!(refused(&set(&w, ids[0], Status::Completed).await), Some(ErrorCode::TransitionRefused));
    let back = desk::take_back(&w.s, &w.staff(), first.id, "Wrong month".into()).await.unwrap();
    assert_eq!((*back.invoice.state, back.due), (State::Void, Money::ZERO));
    assert_eq!(statuses(&w, &ids).await, [Status::Completed; 2]);
    let notes: Vec<&Invoice> = back.all.iter().filter(|i| i.purpose == Purpose::CreditNote).collect();
    assert_eq!(notes.len(), 1);
    assert_eq!((notes[0].number_text().as_str(), notes[0].total), ("CN-2027-000001", first.total));
    assert_eq!(papers(&w, store).await, [0; 4]);
    let note = batch::download(&w.s, &w.staff(), notes[0].id, Document::Invoice).await.unwrap();
    assert_eq!(note.name, format!("{}-credit-note.pdf", notes[0].id));
    for id in [first.id, notes[0].id] {
        let told = desk::take_back(&w.s, &w.staff(), id, "Again".into()).await;
        assert_eq!(refused(&told), Some(ErrorCode::TransitionRefused));
    }
    let next = issued(&w, store).await;
    assert_eq!((next.invoice.number_text().as_str(), next.bookings.len()), ("2027-000002", 2));
    assert_eq!(papers(&w, store).await, books(&w, &ids).await);
    w.work().await;
    sound(&w).await;
}

async fn what_is_given_back_of_one_booking_has_a_credit_note_of_the_partner(db: TestDb) {
    let w = World::on(db, monday()).await;
    let store = partner(&w, 1).await;
    let ids = done(&w, store, &[Province::QC, Province::ON, Province::QC]).await;
    let id = issued(&w, store).await.invoice.id;
    for (booking, cents) in [(ids[0], 1_999), (ids[1], 333), (ids[0], 1)] {
        let new =
            NewCredit { kind: CreditKind::Goodwill, amount: Money::from_cents(cents), reason: "A scratch".into() };
        credits::give(&w.s, &w.staff(), booking, new, None).await.unwrap();
        w.work().await;
        assert_eq!(papers(&w, store).await, books(&w, &ids).await, "{cents}");
    }
    let file = now(&w, id).await;
    assert_eq!(file.all.len(), 4);
    assert!(file.all.iter().all(|i| i.partner_id == Some(store) && i.booking_id.is_none()));
    assert_eq!(file.due.cents(), 2 * 57_488 + 56_500 - 1_999 - 333 - 1);
    // What is left of each is taken back, and no more.
    desk::take_back(&w.s, &w.staff(), id, "All of it".into()).await.unwrap();
    assert_eq!(papers(&w, store).await, [0; 4]);
    w.work().await;
    // The next has what is owed now.
    issued(&w, store).await;
    assert_eq!(papers(&w, store).await, books(&w, &ids).await);
    sound(&w).await;
}

async fn a_draft_takes_and_gives_up_bookings(db: TestDb) {
    let w = World::on(db, monday()).await;
    let (store, other) = (partner(&w, 1).await, partner(&w, 2).await);
    let ids = done(&w, store, &[Province::QC; 3]).await;
    let staff = w.staff();
    let two = NewBatch { bookings: Some(ids[..2].to_vec()), language: Some(Language::Zh), ..whole() };
    let strange = batch::draft(&w.s, &staff, other, two.clone()).await;
    assert_eq!(field(&strange), Some(("bookings".into(), FieldProblem::Unknown)));
    let none = batch::draft(&w.s, &staff, other, whole()).await;
    assert_eq!(field(&none), Some(("bookings".into(), FieldProblem::Required)));
    let draft = batch::draft(&w.s, &staff, store, two).await.unwrap();
    let (id, paper) = (draft.invoice.id, &draft.paper);
    assert_eq!((paper.language, paper.total.cents(), paper.lines.len()), (Language::Zh, 2 * 57_488, 2));
    // They are on it, so that no other has them.
    assert_eq!(refused(&desk::draft(&w.s, &staff, ids[0]).await), Some(ErrorCode::InvoiceExists));
    assert_eq!(refused(&set(&w, ids[0], Status::Invoiced).await), Some(ErrorCode::InvoiceExists));
    let both = batch::draft(&w.s, &staff, store, NewBatch { bookings: Some(ids.clone()), ..whole() }).await;
    assert_eq!(refused(&both), Some(ErrorCode::InvoiceExists));
    // One that has a draft of its own is not offered.
    let own = desk::draft(&w.s, &staff, ids[2]).await.unwrap().invoice.id;
    let found = batch::uninvoiced(&w.s, &staff, store, february()).await.unwrap();
    assert!(found.bookings.is_empty());
    let told = batch::set_bookings(&w.s, &staff, id, ids.clone(), 1).await;
    assert_eq!(refused(&told), Some(ErrorCode::InvoiceExists));
    assert_eq!(refused(&desk::discard(&w.s, &staff, own, Some(7)).await), Some(ErrorCode::VersionConflict));
    desk::discard(&w.s, &staff, own, None).await.unwrap();
    let more = batch::set_bookings(&w.s, &staff, id, ids.clone(), 1).await.unwrap();
    assert_eq!((more.bookings.len(), more.paper.total.cents(), more.invoice.version), (3, 3 * 57_488, 2));
    let stale = batch::set_bookings(&w.s, &staff, id, ids[..1].to_vec(), 1).await;
    assert!(matches!(stale, Err(Error::Store(_))), "{stale:?}");
    // The partner's own number of a booking, and one of the order.
    let edits = Edits {
        reference: "PO-7".into(),
        descriptions: [(ids[1].to_string(), "SO-1234".to_owned())].into(),
        language: Some(Language::En),
        ..Edits::default()
    };
    let changed = desk::edit(&w.s, &staff, id, edits.clone(), 2).await.unwrap();
    assert_eq!((changed.paper.language, changed.paper.reference.as_str()), (Language::En, "PO-7"));
    assert!(changed.paper.lines[1].description.ends_with("SO-1234"), "{:?}", changed.paper.lines[1]);
    assert_eq!(changed.paper.period, Some(february()));
    let fewer = batch::set_bookings(&w.s, &staff, id, ids[1..].to_vec(), 3).await.unwrap();
    assert_eq!(fewer.bookings[0].part.reference, "SO-1234");
    assert_eq!(desk::draft(&w.s, &staff, ids[0]).await.unwrap().paper.total.cents(), 57_488);
    assert!(batch_steps::issue(&w.s, &staff, id).await.is_ok());
    let late = batch::set_bookings(&w.s, &staff, id, ids[2..].to_vec(), 5).await;
    assert_eq!(refused(&late), Some(ErrorCode::InvoiceFrozen));
    assert_eq!(refused(&desk::edit(&w.s, &staff, id, edits, 5).await), Some(ErrorCode::InvoiceFrozen));
    assert_eq!(refused(&desk::discard(&w.s, &staff, id, None).await), Some(ErrorCode::TransitionRefused));
    w.work().await;
    sound(&w).await;
}

async fn a_booking_is_on_one_paper_whoever_comes_first(db: TestDb) {
    let w = World::on(db, monday()).await;
    let store = partner(&w, 1).await;
    let ids = done(&w, store, &[Province::QC; 4]).await;
    for round in 0..4 {
        let mut tasks = Vec::new();
        for n in 0..8_usize {
            let (s, staff, ids) = (w.s.clone(), w.staff(), ids.clone());
            tasks.push(tokio::spawn(async move {
                loop {
                    // Some take all, in another order; some one by itself; some issue one at once.
                    let mut mine = ids.clone();
                    mine.rotate_left(n % 4);
                    let told = match n % 4 {
                        0 | 1 => {
                            let new = NewBatch { bookings: Some(mine), ..whole() };
                            batch::draft(&s, &staff, store, new).await.map(|f| Some(f.invoice.id))
                        }
                        2 => desk::draft(&s, &staff, mine[0]).await.map(|f| Some(f.invoice.id)),
                        _ => status::set(&s, &staff, mine[0], Status::Invoiced, StatusInput::default())
                            .await
                            .map(|_| None),
                    };
                    match told {
                        Err(Error::Store(e)) if e.passes() => {}
                        other => return other,
                    }
                }
            }));
        }
        let mut made = Vec::new();
        for task in tasks {
            match task.await.unwrap() {
                Ok(id) => made.extend(id),
                Err(Error::Refused(ErrorCode::InvoiceExists, _)) => {}
                Err(Error::Invalid(fields)) => assert_eq!(fields[0].field, "bookings", "one of them is invoiced"),
                Err(e) => panic!("round {round}: {e}"),
            }
        }
        for id in ids.iter().copied() {
            let all = w.read(move |u| u.invoices().of_booking(id)).await;
            let own = all.iter().filter(|i| i.purpose != Purpose::CreditNote);
            let live = own.filter(|i| status_machine::invoice::is_live(*i.state)).count();
            assert!(live <= 1, "round {round}: {live} papers of {id}");
            for i in all.iter().filter(|i| i.is_in_force()) {
                desk::take_back(&w.s, &w.staff(), i.id, "Again".into()).await.unwrap();
            }
        }
        for id in made {
            let gone = desk::discard(&w.s, &w.staff(), id, None).await;
            assert!(gone.is_ok() || refused(&gone).is_some(), "{gone:?}");
        }
    }
    // And the database says the same to whoever asks nobody.
    let first = drafted(&w, store).await.invoice;
    let copied: Result<(), service::ports::StoreError> =
        w.s.store
            .write(move |u| {
                let copy = Invoice { id: InvoiceId(Uuid::from_u128(0xb0b)), ..first };
                u.invoices().insert(&copy)?;
                u.invoices().put_bookings(copy.id, &[ids[0]], true)
            })
            .await;
    assert!(matches!(copied, Err(service::ports::StoreError::Duplicate(_))), "{copied:?}");
}

async fn papers_of_several_partners_at_once_have_numbers_without_gaps(db: TestDb) {
    let w = World::on(db, monday()).await;
    let mut drafts = Vec::new();
    for n in 0..4 {
        let store = partner(&w, n).await;
        w.clock.set(monday());
        w.flat_rate(50_000).await;
        let first = 16 + u32::try_from(n).unwrap() * 2;
        let ids = [ordered(&w, store, Province::QC, first).await, ordered(&w, store, Province::QC, first + 1).await];
        for id in ids {
            set(&w, id, Status::Assigned).await.unwrap();
        }
        w.clock.set(after());
        for id in ids {
            set(&w, id, Status::Completed).await.unwrap();
        }
        drafts.push(drafted(&w, store).await.invoice.id);
    }
    let mut tasks = Vec::new();
    for (n, id) in drafts.iter().copied().enumerate().flat_map(|d| [d, d, d]) {
        let (s, staff) = (w.s.clone(), w.staff());
        tasks.push(tokio::spawn(async move {
            loop {
                let told = match n % 2 {
                    0 => batch_steps::issue(&s, &staff, id).await,
                    _ => desk::send(&s, &staff, id).await,
                };
                match told {
                    Ok(file) => return file.invoice.number.unwrap().place,
                    Err(Error::Store(e)) if e.passes() => {}
                    // Somebody else wrote it between the look and the locks.
                    Err(Error::Store(service::ports::StoreError::Stale)) => {}
                    Err(e) => panic!("{e}"),
                }
            }
        }));
    }
    let mut places = Vec::new();
    for task in tasks {
        places.push(task.await.unwrap());
    }
    places.sort_unstable();
    assert_eq!(places, [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]);
    w.work().await;
    sound(&w).await;
}

async fn what_is_owed_becomes_overdue_and_the_partner_is_reminded(db: TestDb) {
    let w = World::on(db, monday()).await;
    let store = partner(&w, 1).await;
    let ids = done(&w, store, &[Province::QC; 2]).await;
    let id = drafted(&w, store).await.invoice.id;
    desk::send(&w.s, &w.staff(), id).await.unwrap();
    w.work().await;
    let end = |days: u64| {
        let due = ZONE.local(after()).date + chrono::Days::new(30 + days + 1);
        ZONE.instant(due, NaiveTime::MIN).unwrap()
    };
    w.clock.set(end(0) - Duration::minutes(1));
    w.work().await;
    assert_eq!(*now(&w, id).await.invoice.state, State::Sent);
    w.clock.set(end(0));
    w.work().await;
    assert_eq!((*now(&w, id).await.invoice.state, mails(&w).len()), (State::Overdue, 1));
    for (days, reminders) in [(6, 1), (13, 2), (29, 3)] {
        w.clock.set(end(days));
        w.work().await;
        assert_eq!((now(&w, id).await.invoice.reminders, mails(&w).len()), (reminders, 1 + reminders as usize));
    }
    {
        let all = w.mailer.sent.lock().unwrap();
        let last = all.iter().rfind(|m| m.message_type == "partnerInvoice").unwrap();
        assert!(last.text.contains("dont l’échéance était le"), "{}", last.text);
        let subjects: Vec<&str> =
            all.iter().filter(|m| m.message_type == "partnerInvoice").map(|m| m.subject.as_str()).collect();
        let [first, reminders @ ..] = subjects.as_slice() else { panic!("{subjects:?}") };
        assert!(first.starts_with("Facture du "), "{first}");
        assert!(reminders.iter().all(|s| s.starts_with("Rappel : la facture ")), "{reminders:?}");
        assert!(!all.iter().any(|m| m.message_type == "invoiceReminder" || m.message_type == "invoiceSent"));
    }
    let left = now(&w, id).await.due.cents();
    paid(&w, id, left, "9").await.unwrap();
    w.work().await;
    assert_eq!((*now(&w, id).await.invoice.state, statuses(&w, &ids).await), (State::Paid, vec![Status::Payed; 2]));
    sound(&w).await;
}

async fn a_closed_month_takes_none(db: TestDb) {
    let w = World::on(db, monday()).await;
    let store = partner(&w, 1).await;
    let ids = done(&w, store, &[Province::QC; 2]).await;
    let standing = issued(&w, store).await.invoice;
    let admin = Staff::prove(&Caller { role: Role::Admin, ..w.ops.clone() }).unwrap();
    w.clock.set("2027-04-02T15:00:00Z".parse().unwrap());
    for month in ["2027-02", "2027-03"] {
        months::close(&w.s, &admin, month.parse().unwrap()).await.unwrap();
    }
    // A server whose clock is behind.
    w.clock.set(after());
    assert_eq!(refused(&paid(&w, standing.id, 100, "1").await), Some(ErrorCode::PeriodClosed));
    let back = desk::take_back(&w.s, &w.staff(), standing.id, "Wrong".into()).await;
    assert_eq!(refused(&back), Some(ErrorCode::PeriodClosed));
    assert_eq!(statuses(&w, &ids).await, [Status::Invoiced; 2]);
    w.clock.set("2027-04-02T15:00:00Z".parse().unwrap());
    desk::take_back(&w.s, &w.staff(), standing.id, "Wrong".into()).await.unwrap();
    let draft = drafted(&w, store).await.invoice.id;
    w.clock.set(after());
    assert_eq!(refused(&batch_steps::issue(&w.s, &w.staff(), draft).await), Some(ErrorCode::PeriodClosed));
    assert_eq!(statuses(&w, &ids).await, [Status::Completed; 2]);
    w.clock.set("2027-04-02T15:00:00Z".parse().unwrap());
    let done = batch_steps::issue(&w.s, &w.staff(), draft).await.unwrap();
    assert_eq!(done.invoice.number_text(), "2027-000002");
}

async fn it_is_the_partners_and_no_customers(db: TestDb) {
    let w = World::on(db, monday()).await;
    let store = partner(&w, 1).await;
    let ids = done(&w, store, &[Province::QC; 2]).await;
    let id = issued(&w, store).await.invoice.id;
    let owner = w.booking(ids[0]).await.user_id;
    let customer = crate::support::caller(Role::Customer, owner);
    assert_eq!(refused(&desk::of_booking(&w.s, &customer, ids[0]).await), Some(ErrorCode::NotFound));
    let file = desk::download(&w.s, &customer, ids[0], Some(id), Document::Invoice).await;
    assert_eq!(refused(&file), Some(ErrorCode::NotFound));
    // Staff find it with the booking.
    let staff = w.staff();
    let found = desk::of_booking(&w.s, staff.caller(), ids[0]).await.unwrap();
    assert_eq!((found.invoice.id, found.bookings.len(), found.about().starts_with("P-")), (id, 2, true));
    assert!(desk::download(&w.s, staff.caller(), ids[1], None, Document::Invoice).await.is_ok());
    // By its number, by a booking on it, and in the partner's list.
    let short = w.booking(ids[1]).await.short_id.as_str().to_owned();
    for value in ["2027-000001".to_owned(), short, "meubles".to_owned()] {
        let wish = InvoiceListQuery { value: Some(value.clone()), ..InvoiceListQuery::default() };
        let found = list::page(&w.s, &staff, wish, 1, 10).await.unwrap();
        assert_eq!(found.data.iter().map(|l| (l.invoice.id, l.bookings)).collect::<Vec<_>>(), [(id, 2)], "{value}");
        assert_eq!(found.data[0].due.cents(), 2 * 57_488);
    }
    // Somebody without an address gets nothing, and nothing is issued for it.
    desk::take_back(&w.s, &staff, id, "Again".into()).await.unwrap();
    w.write(move |u| {
        let record = u.directory().partner(store)?.unwrap();
        u.directory().update_partner(&PartnerRecord { contacts: Vec::new(), ..record })
    })
    .await;
    let draft = drafted(&w, store).await.invoice.id;
    let told = desk::send(&w.s, &staff, draft).await;
    assert_eq!(field(&told), Some(("contacts".into(), FieldProblem::Required)));
    assert_eq!(*now(&w, draft).await.invoice.state, State::Draft);
}

async fn what_the_bank_took_back_is_owed_for_its_booking(db: TestDb) {
    let w = World::on(db, monday()).await;
    let store = partner(&w, 1).await;
    let ids = done(&w, store, &[Province::QC; 2]).await;
    let id = issued(&w, store).await.invoice.id;
    paid(&w, id, 2 * 57_488, "12").await.unwrap();
    w.work().await;
    assert_eq!(*now(&w, id).await.invoice.state, State::Paid);
    let boss = administrator(&w).await;
    let alerts = || {
        let sent = w.mailer.sent.lock().unwrap();
        let told = sent.iter().filter(|m| m.message_type == "opsAlert" && m.text.contains("Money is owed again"));
        told.map(|m| (m.to.clone(), m.text.contains("$574.88"))).collect::<Vec<_>>()
    };
    // The part of one booking is taken out again: a mistake.
    let booking = ids[1];
    let rows = w.read(move |u| u.payments().of_booking(booking)).await;
    let row = rows.iter().find(|r| r.kind.is_charge() && r.settled_at.is_some()).unwrap();
    service::desk::received::undo(&w.s, &w.staff(), row.id, "Not ours".into(), None).await.unwrap();
    w.work().await;
    let file = now(&w, id).await;
    assert_eq!((*file.invoice.state, file.due.cents(), file.invoice.receipt), (State::Sent, 57_488, None));
    assert_eq!(statuses(&w, &ids).await, [Status::Payed, Status::Invoiced]);
    assert_eq!(alerts(), [(boss, true)], "who administers is told, once");
    // It is not taken back while a part of it is paid.
    let back = desk::take_back(&w.s, &w.staff(), id, "No".into()).await;
    assert_eq!(refused(&back), Some(ErrorCode::TransitionRefused));
    paid(&w, id, 57_488, "13").await.unwrap();
    w.work().await;
    assert_eq!(statuses(&w, &ids).await, [Status::Payed; 2]);
    assert_eq!(*now(&w, id).await.invoice.state, State::Paid);
    sound(&w).await;
}

/// A booking that its partner pays has a paper of its own as well: it is mailed to the partner, who is reminded of it, in
/// the partner's language. Whose move it was reads nothing of it.
async fn the_paper_of_one_booking_goes_to_who_pays_it(db: TestDb) {
    let w = World::on(db, monday()).await;
    let store = partner(&w, 1).await;
    let id = done(&w, store, &[Province::QC]).await[0];
    let drafted = desk::draft(&w.s, &w.staff(), id).await.unwrap();
    assert_eq!((drafted.recipient().as_str(), drafted.paper.language), ("paul@meubles.test", Language::Fr));
    let sent = desk::send(&w.s, &w.staff(), drafted.invoice.id).await.unwrap();
    assert!(sent.queued && sent.paper.buyer.name == "Meubles 1");
    w.work().await;
    // Thirty days later, and some more.
    w.clock.set(after() + Duration::days(45));
    w.work().await;
    let all = w.mailer.sent.lock().unwrap().clone();
    let about: Vec<_> = all.iter().filter(|m| m.message_type.to_lowercase().contains("invoice")).collect();
    assert!(about.len() >= 2, "sent, and reminded of");
    for mail in about {
        assert_eq!((mail.message_type.as_str(), mail.to.as_str()), ("partnerInvoice", "paul@meubles.test"));
        assert!(mail.language == Language::Fr && mail.text.contains("574,88"), "{}", mail.text);
        assert!(!mail.text.contains("/pay/"), "{}", mail.text);
    }
}
