//! Records for the tests. Ids count up; nothing is random.

use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::uuid::Uuid;
use kernel::{
    Accessibility, Address, BookingId, Coordinates, HoldId, JobId, Language, MateCount, Money, PaymentId, Province,
    ShortId, UserId, Zone,
};
use scheduling::{BucketKey, TruckClass};
use service::ports::{
    StoreResult, Unit,
    bookings::{BookedItem, Booking, BookingDetails, Location, Survey},
    capacity::Hold,
    identity::{Account, EMBEDDED_ISSUER},
    jobs::NewJob,
    payments::{Payment, PaymentKind},
    priced::{BookedLine, BookedTax, Tax},
    rooms::Rooms,
};
use store::testing::TestDb;

static NEXT: AtomicU64 = AtomicU64::new(1);

/// A new id.
pub fn uuid() -> Uuid {
    Uuid::from_u128(0x0190_0000_0000_7000_8000_0000_0000_0000 + u128::from(NEXT.fetch_add(1, Ordering::Relaxed)))
}

/// An instant with microseconds.
pub fn t0() -> DateTime<Utc> {
    "2027-02-01T15:00:00.123456Z".parse().unwrap()
}

/// Minutes after [`t0`].
pub fn at(minutes: i64) -> DateTime<Utc> {
    t0() + Duration::minutes(minutes)
}

pub fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

pub fn time(text: &str) -> NaiveTime {
    text.parse().unwrap()
}

pub fn cents(n: i64) -> Money {
    Money::from_cents(n)
}

/// Runs a write unit that must succeed.
pub async fn write<T: Send + 'static>(
    db: &TestDb,
    f: impl FnOnce(&mut dyn Unit) -> StoreResult<T> + Send + 'static,
) -> T {
    db.store().write(f).await.unwrap()
}

/// Runs a write unit that may fail.
pub async fn try_write<T: Send + 'static>(
    db: &TestDb,
    f: impl FnOnce(&mut dyn Unit) -> StoreResult<T> + Send + 'static,
) -> StoreResult<T> {
    db.store().write(f).await
}

/// Runs a read unit that must succeed.
pub async fn read<T: Send + 'static>(
    db: &TestDb,
    f: impl FnOnce(&mut dyn Unit) -> StoreResult<T> + Send + 'static,
) -> T {
    db.store().read(f).await.unwrap()
}

pub fn account(id: UserId) -> Account {
    Account {
        id,
        issuer: EMBEDDED_ISSUER.to_owned(),
        subject: id.to_string(),
        email: Some(format!("p{}@portage.test", id.0.as_u128() & 0xffff_ffff).parse().unwrap()),
        email_verified: false,
        terms_accepted_at: Some(t0()),
        created_at: t0(),
        updated_at: t0(),
        disabled_at: None,
        merged: None,
    }
}

/// A person who is in the database.
pub async fn person(db: &TestDb) -> UserId {
    let id = UserId(uuid());
    write(db, move |u| u.accounts().insert(&account(id)).map(|_| id)).await
}

fn location(street: &str, city: &str, postal_code: &str) -> Location {
    Location {
        address: Address {
            street: street.to_owned(),
            unit: "4½".to_owned(),
            city: city.to_owned(),
            province: Province::QC,
            postal_code: postal_code.parse().unwrap(),
            country: "Canada".to_owned(),
            full_address: String::new(),
        },
        // Not a round number in binary: it must come back bit for bit.
        coordinates: Coordinates { lat: 45.501_688_900_000_004, lon: -73.567_256_1 },
        floor: -1,
        elevator: 2,
        parking: true,
        accessibility: Accessibility::Difficult,
        details: "Sonnez deux fois\n按两次门铃 🛋️".to_owned(),
        category: "apartment".to_owned(),
    }
}

/// A booking of `user`, pending, that fills every field.
pub fn booking(user: UserId) -> Booking {
    let id = uuid();
    let n = id.as_u128();
    let bytes = [n, n / 30, n / 900, n / 27_000, n / 810_000, 7].map(|b| u8::try_from(b % 30).unwrap());
    Booking {
        id: BookingId(id),
        short_id: ShortId::from_entropy(bytes),
        user_id: user,
        partner_id: None,
        status: status_machine::booking::Status::Pending,
        version: 1,
        language: Language::Fr,
        created_at: t0(),
        updated_at: t0(),
        move_at: at(14 * 24 * 60),
        move_date: date("2027-02-15"),
        move_time: time("10:00:00"),
        zone: Zone::TORONTO,
        hub: "montreal".to_owned(),
        province: Province::QC,
        move_kind: pricing::MoveKind::Residential,
        mate_count: MateCount::new(2).unwrap(),
        client_as_mate: true,
        just_mates: false,
        ride_along: true,
        duration_minutes: 150,
        distance_km10: 123,
        tier: 2,
        amount: cents(50_000),
        tax: cents(7_488),
        total: cents(57_488),
        discount_code: Some("ÉTÉ10".to_owned()),
        details: details(),
        completed_at: None,
        cancelled_at: None,
    }
}

fn details() -> BookingDetails {
    BookingDetails {
        pickup: location("1200 Rue Peel", "Montréal", "H3B 2T6"),
        dropoff: location("1 Rue des Érables", "Trois-Rivières", "G8T 1A1"),
        items: vec![BookedItem { id: "sofa-3".to_owned(), quantity: 2, assembly: Some(false) }],
        total_dcf: 4_500,
        big_items: 1,
        small_items: 12,
        travel_minutes: 25,
        lines: vec![BookedLine {
            content: "regular".to_owned(),
            code: "labour".to_owned(),
            description: "2 aidants × 2 h 30".to_owned(),
            quantity: "2.50".parse().unwrap(),
            unit: "hour".to_owned(),
            unit_price: cents(11_800),
            multiplier: "1.00".parse().unwrap(),
            own_factor: Some("1.00".parse().unwrap()),
            date_factor: Some("1.00".parse().unwrap()),
            explanation: Some("2 h 30 × 118,00 $ l’heure = 295,00 $.".to_owned()),
            period: "base".to_owned(),
            amount: cents(29_500),
        }],
        original_amount: cents(55_000),
        discount: cents(5_000),
        tax_type: "gst+qst".to_owned(),
        tax_rate: kernel::Ppm::new(149_750),
        taxes: vec![BookedTax { name: Tax::Gst, rate: kernel::Ppm::new(50_000), amount: cents(2_500) }],
        rate_id: None,
        rate_version: 3,
        change_fees: Money::ZERO,
        guidelines_version: "2026-11".to_owned(),
        guidelines_text: vec!["Cancelling is free.".to_owned()],
        guidelines_agreed_at: t0(),
        policy: policy::Settings::default(),
        lock_entered: false,
        customer_name: "Zoë Lévêque 李雷".to_owned(),
        customer_email: "zoe@portage.test".to_owned(),
        customer_phone: "+1 (514) 555-0100".to_owned(),
        comments: "O'Brien; DROP TABLE bookings; --".to_owned(),
        notes: String::new(),
        survey: Some(Survey { source: "other".to_owned(), specify: "un ami".to_owned() }),
        cancel_reason: None,
        cancelled_by: None,
        kept: None,
        payment_problem: false,
        credits: Vec::new(),
        overtime: Vec::new(),
        consents: Vec::new(),
        charges_wait: None,
        write_offs: Vec::new(),
        asked: String::new(),
        agreed: None,
        rooms: Rooms { bedrooms: 3, stairs: 1, ..Rooms::default() },
        extra_services: vec!["piano".to_owned()],
        assembly: Some(2),
        paid_by: service::ports::bookings::PaidBy::OnSite,
        arrival: scheduling::Arrival { opens: time("07:30:00"), window_minutes: 45 },
    }
}

/// A booking that is in the database, with its owner.
pub async fn booked(db: &TestDb) -> Booking {
    let user = person(db).await;
    let booking = booking(user);
    let copy = booking.clone();
    write(db, move |u| u.bookings().insert(&copy)).await;
    booking
}

pub fn payment(booking: BookingId, kind: PaymentKind) -> Payment {
    Payment {
        id: PaymentId(uuid()),
        booking_id: booking,
        kind,
        state: status_machine::At::scheduled(),
        amount: cents(11_498),
        due_at: at(60),
        attempts: 0,
        next_attempt_at: Some(at(60)),
        refund_of: None,
        transaction_id: None,
        card_last4: None,
        last_message: None,
        settled_at: None,
        version: 1,
        created_at: t0(),
        method: service::ports::payments::PaidWith::Card,
        reference: None,
    }
}

pub fn key(day: &str, index: u16) -> BucketKey {
    BucketKey { date: date(day), index }
}

pub fn keys(day: &str, indexes: std::ops::Range<u16>) -> Vec<BucketKey> {
    indexes.map(|index| key(day, index)).collect()
}

pub fn hold(buckets: Vec<BucketKey>, mates: u32, truck: Option<TruckClass>) -> Hold {
    Hold {
        id: HoldId(uuid()),
        hub: "montreal".to_owned(),
        date: date("2027-02-15"),
        time: time("10:30:00"),
        zone: Zone::TORONTO,
        starts_at: at(100),
        from: at(55),
        until: at(300),
        mates,
        truck,
        buckets,
        duration_minutes: 150,
        state: status_machine::At::active(),
        expires_at: at(15),
        rate_id: None,
        booking_id: None,
        created_at: t0(),
        holder: None,
    }
}

pub fn job(kind: &str, run_at: DateTime<Utc>, dedup_key: Option<&str>) -> NewJob {
    NewJob {
        id: JobId(uuid()),
        kind: kind.to_owned(),
        payload: serde_json::json!({ "kind": kind, "名": ["é", 1, null] }),
        run_at,
        dedup_key: dedup_key.map(str::to_owned),
        held_until: None,
        max_attempts: 5,
    }
}

/// A connection of a stranger, past all repositories.
pub enum Stranger {
    Sqlite(diesel::SqliteConnection),
    Postgres(diesel::PgConnection),
}

#[derive(diesel::QueryableByName)]
struct Text {
    #[diesel(sql_type = diesel::sql_types::Text)]
    text: String,
}

/// A step of SQLite's plan.
#[derive(diesel::QueryableByName)]
struct Step {
    #[diesel(sql_type = diesel::sql_types::Text)]
    detail: String,
}

/// A line of PostgreSQL's plan.
#[derive(diesel::QueryableByName)]
struct Line {
    #[diesel(sql_type = diesel::sql_types::Text, column_name = "QUERY PLAN")]
    line: String,
}

impl Stranger {
    pub fn at(url: &str) -> Stranger {
        use diesel::Connection;
        match url.strip_prefix("sqlite://") {
            Some(path) => Stranger::Sqlite(diesel::SqliteConnection::establish(path).unwrap()),
            None => Stranger::Postgres(diesel::PgConnection::establish(url).unwrap()),
        }
    }

    pub fn run(&mut self, sql: &str) -> diesel::QueryResult<usize> {
        use diesel::RunQueryDsl;
        match self {
            Stranger::Sqlite(c) => diesel::sql_query(sql).execute(c),
            Stranger::Postgres(c) => diesel::sql_query(sql).execute(c),
        }
    }

    /// Several statements, one after the other.
    pub fn run_all(&mut self, sql: &str) -> diesel::QueryResult<()> {
        use diesel::connection::SimpleConnection;
        match self {
            Stranger::Sqlite(c) => c.batch_execute(sql),
            Stranger::Postgres(c) => c.batch_execute(sql),
        }
    }

    /// How the engine would answer, on PostgreSQL without reading whole tables.
    pub fn plans(&mut self, queries: &[&str]) -> Vec<String> {
        use diesel::RunQueryDsl;
        if let Stranger::Postgres(c) = self {
            diesel::connection::SimpleConnection::batch_execute(
                c,
                "SET enable_seqscan = off; SET enable_bitmapscan = off",
            )
            .unwrap();
        }
        let mut plan = |query: &str| -> Vec<String> {
            match self {
                Stranger::Sqlite(c) => {
                    let steps: Vec<Step> = diesel::sql_query(format!("EXPLAIN QUERY PLAN {query}")).load(c).unwrap();
                    steps.into_iter().map(|s| s.detail).collect()
                }
                Stranger::Postgres(c) => {
                    let steps: Vec<Line> = diesel::sql_query(format!("EXPLAIN {query}")).load(c).unwrap();
                    steps.into_iter().map(|s| s.line).collect()
                }
            }
        };
        queries.iter().map(|query| plan(query)).map(|steps| steps.join(" / ")).collect()
    }

    /// Rows of one column called `text`.
    pub fn texts(&mut self, sql: &str) -> Vec<String> {
        use diesel::RunQueryDsl;
        let rows: Vec<Text> = match self {
            Stranger::Sqlite(c) => diesel::sql_query(sql).load(c).unwrap(),
            Stranger::Postgres(c) => diesel::sql_query(sql).load(c).unwrap(),
        };
        rows.into_iter().map(|r| r.text).collect()
    }
}
