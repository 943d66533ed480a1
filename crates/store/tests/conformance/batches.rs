//! A booking stands on one live paper, its own or its partner's, and an issued paper keeps its bookings.

use kernel::{BookingId, PartnerId};
use service::ports::{
    StoreError, StoreResult, Unit,
    directory::{PartnerRecord, PartnerState},
    invoices::{Invoice, InvoiceId, Purpose},
};
use status_machine::{At, invoice::State};
use store::testing::TestDb;

use crate::{
    fixtures::*,
    periods::{draft, issued},
};

on_both_engines!(
    a_booking_is_on_one_live_paper,
    an_issued_paper_keeps_its_bookings,
    a_partners_papers_are_found,
    what_an_older_program_froze_goes_its_way,
);

async fn partner(db: &TestDb) -> PartnerId {
    let id = PartnerId(uuid());
    let record = PartnerRecord {
        id,
        number: 0,
        name: "Meubles".into(),
        addresses: Vec::new(),
        contacts: Vec::new(),
        rate_name: None,
        net_days: 30,
        language: None,
        state: At::stored(PartnerState::Active),
        version: 1,
        created_at: t0(),
        updated_at: t0(),
    };
    write(db, move |u| u.directory().add_partner(&record)).await;
    id
}

fn batch(partner: PartnerId) -> Invoice {
    let nobody = draft(BookingId(uuid()));
    Invoice { booking_id: None, partner_id: Some(partner), purpose: Purpose::Batch, ..nobody }
}

fn state(i: &Invoice, state: State) -> Invoice {
    Invoice { state: At::stored(state), ..i.clone() }
}

fn put(u: &mut dyn Unit, i: &Invoice, on: &[BookingId]) -> StoreResult<()> {
    u.invoices().insert(i)?;
    u.invoices().put_bookings(i.id, on, true)
}

fn is_taken<T: std::fmt::Debug>(told: &Result<T, StoreError>) {
    assert!(matches!(told, Err(StoreError::Duplicate(_))), "{told:?}");
}

async fn a_booking_is_on_one_live_paper(db: TestDb) {
    let partner = partner(&db).await;
    let [one, two, three] = [booked(&db).await.id, booked(&db).await.id, booked(&db).await.id];
    let own = draft(one);
    let first = own.clone();
    write(&db, move |u| u.invoices().insert(&first)).await;
    // Its own is there first.
    is_taken(&try_write(&db, move |u| put(u, &batch(partner), &[two, one])).await);
    let (held, copy) = (batch(partner), batch(partner));
    let made = held.clone();
    write(&db, move |u| put(u, &made, &[two, three])).await;
    assert_eq!(read(&db, move |u| u.invoices().bookings_of(held.id)).await.len(), 2);
    is_taken(&try_write(&db, move |u| put(u, &copy, &[three])).await);
    is_taken(&try_write(&db, move |u| u.invoices().insert(&draft(two))).await);
    // Given up by the draft, and by a draft that is thrown away.
    write(&db, move |u| u.invoices().put_bookings(held.id, &[three], true)).await;
    write(&db, move |u| u.invoices().insert(&draft(two))).await;
    let thrown = state(&own, State::Deleted);
    write(&db, move |u| u.invoices().update(&thrown)).await;
    write(&db, move |u| u.invoices().put_bookings(held.id, &[three, one], true)).await;
    // All of a booking: its own, and its partner's.
    let found = read(&db, move |u| u.invoices().of_booking(one)).await;
    assert_eq!(found.iter().map(|i| i.purpose).collect::<Vec<_>>(), [Purpose::Move, Purpose::Batch]);
}

async fn an_issued_paper_keeps_its_bookings(db: TestDb) {
    let partner = partner(&db).await;
    let [one, two] = [booked(&db).await.id, booked(&db).await.id];
    let first = batch(partner);
    let (id, made) = (first.id, first.clone());
    write(&db, move |u| put(u, &made, &[one])).await;
    let numbered = issued(&first, 1, t0());
    let (kept, written) = (numbered.clone(), numbered.clone());
    let version = write(&db, move |u| u.invoices().update(&written)).await;
    for on in [vec![two], vec![one, two], Vec::new()] {
        let told = try_write(&db, move |u| u.invoices().put_bookings(id, &on, true)).await;
        assert!(told.is_err(), "{told:?}");
    }
    assert_eq!(read(&db, move |u| u.invoices().bookings_of(id)).await, [one]);
    let other = Invoice { partner_id: Some(PartnerId(uuid())), version, ..numbered.clone() };
    assert!(try_write(&db, move |u| u.invoices().update(&other)).await.is_err(), "whose it is, is frozen");
    // Taken back, the booking is free; and its credit note stands on nothing that is live.
    let void = Invoice { version, ..state(&kept, State::Void) };
    write(&db, move |u| u.invoices().update(&void)).await;
    let blank = batch(partner);
    let note =
        Invoice { id: InvoiceId(uuid()), purpose: Purpose::CreditNote, credits: Some(id), ..issued(&blank, 2, t0()) };
    let (note_id, copy) = (note.id, note.clone());
    write(&db, move |u| {
        u.invoices().insert(&copy)?;
        u.invoices().put_bookings(copy.id, &[one], false)
    })
    .await;
    assert_eq!(read(&db, move |u| u.invoices().notes_of(id)).await.iter().map(|n| n.id).collect::<Vec<_>>(), [note_id]);
    write(&db, move |u| put(u, &batch(partner), &[one])).await;
    // An invoice is a booking's or a partner's.
    let both = Invoice { booking_id: Some(two), ..batch(partner) };
    assert!(try_write(&db, move |u| u.invoices().insert(&both)).await.is_err());
    let neither = Invoice { partner_id: None, ..batch(partner) };
    assert!(try_write(&db, move |u| u.invoices().insert(&neither)).await.is_err());
}

async fn a_partners_papers_are_found(db: TestDb) {
    use service::ports::invoices::InvoiceFilter;
    let (ours, other) = (partner(&db).await, partner(&db).await);
    let [one, two, strange] = [booked(&db).await, booked(&db).await, booked(&db).await];
    let date = one.move_date;
    for (b, status) in [(&one, "completed"), (&two, "completed"), (&strange, "assigned")] {
        let (id, status) = (b.id, status.parse().unwrap());
        write(&db, move |u| {
            let mut b = u.bookings().get(id)?.unwrap();
            (b.partner_id, b.status) = (Some(ours), status);
            let version = b.version;
            u.bookings().update(&b, version)
        })
        .await;
    }
    let uninvoiced = async |partner, from, to| read(&db, move |u| u.invoices().uninvoiced(partner, from, to, 9)).await;
    assert_eq!(uninvoiced(ours, date, date).await.len(), 2);
    assert_eq!(uninvoiced(other, date, date).await, []);
    assert_eq!(uninvoiced(ours, date.succ_opt().unwrap(), date.succ_opt().unwrap()).await, []);
    let (paper, own) = (batch(ours), draft(two.id));
    let on = one.id;
    write(&db, move |u| {
        put(u, &paper, &[on])?;
        u.invoices().insert(&own)
    })
    .await;
    assert_eq!(uninvoiced(ours, date, date).await, []);
    let listed = |partner| InvoiceFilter { partner: Some(partner), ..InvoiceFilter::default() };
    assert_eq!(read(&db, move |u| u.invoices().listed(&listed(ours), 0, 9)).await.len(), 2);
    assert_eq!(read(&db, move |u| u.invoices().listed(&listed(other), 0, 9)).await.len(), 0);
}

/// Papers have fields that came later, and the database refuses every change of a paper that was frozen.
async fn what_an_older_program_froze_goes_its_way(db: TestDb) {
    let made = draft(booked(&db).await.id);
    let first = made.clone();
    write(&db, move |u| u.invoices().insert(&first)).await;
    let as_issued = issued(&made, 1, t0());
    let mut paper = serde_json::to_value(as_issued.paper.as_ref().unwrap()).unwrap();
    paper.as_object_mut().unwrap().remove("logo").unwrap();
    let old = format!(
        "UPDATE invoices SET state = 'issued', series = '2027', place = 1, number = '{}', paper = '{paper}', \
         issued_at = created_at WHERE id = '{}'",
        as_issued.number.as_ref().unwrap(),
        made.id.0
    );
    assert_eq!(Stranger::at(db.url()).run(&old), Ok(1));
    let stored = read(&db, move |u| u.invoices().get(made.id)).await.unwrap();
    assert_eq!(stored.paper, as_issued.paper);
    let sent = Invoice { sent_at: Some(t0()), ..state(&stored, State::Sent) };
    let version = write(&db, move |u| u.invoices().update(&sent)).await;
    let mut other = Invoice { version, ..stored };
    other.paper.as_mut().unwrap().note = "changed".into();
    assert!(try_write(&db, move |u| u.invoices().update(&other)).await.is_err(), "what is frozen stays");
}
