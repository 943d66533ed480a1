//! Believable bookings, as many as wanted: each is one that the program made (the demo's history), of somebody else, at
//! another address, on another day. They are written as the program writes them, so that the facts and words that lists
//! go by stand in their tables.

mod books;

use std::sync::Arc;

use kernel::{
    BookingId, Email, Money, PaymentId, ShortId, UserId,
    chrono::{DateTime, Days, Duration, NaiveDate, Utc},
};
use service::ports::{
    Store, StoreError,
    bookings::Booking,
    identity::{Account, DESK_ISSUER},
    lists::{Listing, Order, Start},
    payments::{PaidWith, Payment, PaymentKind},
};
use status_machine::{At, booking::Status, payment::State};

/// Bookings of one transaction. Few: SQLite goes through its journal of the open savepoint at the end of each statement,
/// so 500 take several times as long for each booking.
const BATCH: u64 = 50;
/// The demo has fewer.
const MOST_TEMPLATES: i64 = 200;
/// So many bookings are of one customer.
const MOVES_OF_ONE: u64 = 3;
/// Moves are this long ago at most, and this far ahead.
const PAST: u64 = 1_000;
const AHEAD: u64 = 180;
/// Days over which they are spread.
pub const DAYS: u64 = PAST + AHEAD;
/// Days before and after today without a move, where the books are made too.
const AROUND: i64 = 16;

const FIRST: [&str; 40] = [
    "Camille",
    "Léa",
    "Noah",
    "Zoé",
    "Olivier",
    "Émilie",
    "Félix",
    "Chloé",
    "William",
    "Florence",
    "Liam",
    "Béatrice",
    "Thomas",
    "Rosalie",
    "Nathan",
    "Juliette",
    "Samuel",
    "Maëlle",
    "Antoine",
    "Éloïse",
    "Rachel",
    "David",
    "Sarah",
    "Michael",
    "Jessica",
    "Daniel",
    "Hannah",
    "Joshua",
    "Priya",
    "Arjun",
    "Fatima",
    "Omar",
    "Mei",
    "Wei",
    "Jun",
    "Li",
    "Sofía",
    "Mateo",
    "Anh",
    "Kenji",
];
const LAST: [&str; 60] = [
    "Tremblay",
    "Gagnon",
    "Roy",
    "Côté",
    "Bouchard",
    "Gauthier",
    "Morin",
    "Lavoie",
    "Fortin",
    "Gagné",
    "Ouellet",
    "Pelletier",
    "Bélanger",
    "Lévesque",
    "Bergeron",
    "Leblanc",
    "Paquette",
    "Girard",
    "Simard",
    "Boucher",
    "Caron",
    "Beaulieu",
    "Cloutier",
    "Dubé",
    "Poirier",
    "Fournier",
    "Lapointe",
    "Leclerc",
    "Lefebvre",
    "Poulin",
    "Smith",
    "Brown",
    "Martin",
    "Wilson",
    "Taylor",
    "Campbell",
    "MacDonald",
    "Anderson",
    "Thompson",
    "Singh",
    "Patel",
    "Khan",
    "Nguyen",
    "Tran",
    "Chen",
    "Wang",
    "Li",
    "Zhang",
    "Liu",
    "Huang",
    "Kim",
    "Park",
    "Garcia",
    "Rodriguez",
    "Lopez",
    "Goldberg",
    "Kowalski",
    "Rossi",
    "O'Brien",
    "Haddad",
];
const STREETS: [&str; 30] = [
    "Rue Saint-Denis",
    "Avenue du Mont-Royal Est",
    "Rue Sherbrooke Ouest",
    "Boulevard Saint-Laurent",
    "Rue Ontario Est",
    "Rue Jean-Talon Est",
    "Avenue Papineau",
    "Rue Rachel Est",
    "Boulevard Décarie",
    "Rue Beaubien Est",
    "King Street West",
    "Queen Street East",
    "Bloor Street West",
    "Yonge Street",
    "Dundas Street West",
    "College Street",
    "Spadina Avenue",
    "Bathurst Street",
    "Eglinton Avenue East",
    "Danforth Avenue",
    "Main Street",
    "Broadway",
    "Granville Street",
    "Hastings Street East",
    "Commercial Drive",
    "Kingsway",
    "17 Avenue SW",
    "Macleod Trail",
    "Elbow Drive SW",
    "Centre Street North",
];
const AREAS: [u64; 8] = [514, 438, 450, 416, 647, 604, 778, 403];
const HOSTS: [&str; 6] = [
    "example.test",
    "mail.example.test",
    "home.example.test",
    "work.example.test",
    "qc.example.test",
    "on.example.test",
];

/// Numbers that are the same in every run.
pub struct Dice(u64);

impl Dice {
    /// Those of a number.
    pub const fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    fn roll(&mut self) -> u64 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Less than `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.roll() % n
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[usize::try_from(self.below(all.len() as u64)).unwrap()]
    }

    /// A key as the program makes them: the instant, then chance.
    fn key(&mut self, at: DateTime<Utc>) -> String {
        let (ms, chance) = (u64::try_from(at.timestamp_millis()).unwrap_or(0), self.roll());
        format!(
            "{:08x}-{:04x}-7{:03x}-8{:03x}-{:012x}",
            ms >> 16,
            ms & 0xffff,
            chance & 0xfff,
            (chance >> 12) & 0xfff,
            self.roll() & 0xffff_ffff_ffff
        )
    }

    fn short_id(&mut self) -> ShortId {
        let bytes = self.roll().to_be_bytes();
        ShortId::from_entropy([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5]])
    }
}

/// Somebody who moves.
#[derive(Clone)]
struct Person {
    id: UserId,
    name: String,
    email: String,
    phone: String,
}

/// Makes bookings out of those there are.
pub struct Maker {
    store: Arc<dyn Store>,
    templates: Vec<Booking>,
    today: NaiveDate,
    dice: Dice,
    person: Option<Person>,
    made: u64,
    /// Whether attempts and entries are written too.
    with_books: bool,
}

/// One booking, and what belongs to it.
struct Made {
    account: Option<Account>,
    booking: Booking,
    payment: Option<Payment>,
}

impl Maker {
    /// Begins with what the database has.
    pub async fn on(store: Arc<dyn Store>, now: DateTime<Utc>) -> Maker {
        let newest = Start::First(Order::CreatedAtDescending);
        let read: Result<Vec<Booking>, StoreError> =
            store.read(move |u| Ok(u.bookings().listed(&Listing::default(), newest, MOST_TEMPLATES)?.data)).await;
        let templates = read.unwrap();
        assert!(templates.len() > 20, "the demo has a history");
        Maker { store, templates, today: now.date_naive(), dice: Dice(2027), person: None, made: 0, with_books: false }
    }

    /// With the attempt behind each payment and the entries of capture and completion; and with nothing that changes or
    /// moves around today.
    pub fn with_books(self) -> Maker {
        Maker { with_books: true, ..self }
    }

    /// How many there are when there are so many more.
    pub async fn up_to(&mut self, total: u64) {
        while self.made < total {
            let with_books = self.with_books;
            let some: Vec<Made> = (self.made..total.min(self.made + BATCH)).map(|n| self.one(n)).collect();
            self.made += some.len() as u64;
            let written: Result<(), StoreError> = self
                .store
                .write(move |u| {
                    for one in &some {
                        if let Some(account) = &one.account {
                            u.accounts().insert(account)?;
                        }
                        match u.bookings().insert(&one.booking) {
                            // One in some thousand short ids is somebody's already: that booking is left out.
                            Err(StoreError::Duplicate(_)) => continue,
                            inserted => inserted?,
                        }
                        if let Some(payment) = &one.payment {
                            u.payments().insert(payment)?;
                            if with_books {
                                books::write(u, &one.booking, payment)?;
                            }
                        }
                    }
                    Ok(())
                })
                .await;
            written.unwrap();
        }
    }

    fn one(&mut self, n: u64) -> Made {
        let which = self.dice.below(self.templates.len() as u64);
        let mut b = self.templates[usize::try_from(which).unwrap()].clone();
        let mut day = self.today - Days::new(PAST) + Days::new(self.dice.below(DAYS));
        if self.with_books && day.signed_duration_since(self.today).num_days().abs() <= AROUND {
            day = day + Days::new(2 * AROUND.unsigned_abs() + 1);
        }
        let move_at = b.zone.instant(day, b.move_time).unwrap_or(b.move_at);
        b.created_at = move_at - Duration::hours(i64::try_from(30 + self.dice.below(1_400)).unwrap());
        if self.with_books {
            let known = self.today - Days::new(AROUND.unsigned_abs());
            b.created_at = b.created_at.min(b.zone.instant(known, b.move_time).unwrap_or(b.created_at));
        }
        b.updated_at = b.created_at;
        b.id = BookingId(self.dice.key(b.created_at).parse().unwrap());
        b.short_id = self.dice.short_id();
        (b.move_date, b.move_at, b.version) = (day, move_at, 1);
        let account = self.somebody(n, b.created_at);
        let person = self.person.clone().unwrap();
        b.user_id = person.id;
        let d = &mut b.details;
        (d.customer_name, d.customer_email, d.customer_phone) = (person.name, person.email, person.phone);
        for end in [&mut d.pickup, &mut d.dropoff] {
            let code = format!("{}{}B{}", end.address.postal_code.fsa(), self.dice.below(10), self.dice.below(10));
            end.address.street = format!("{} {}", 10 + self.dice.below(9_900), self.dice.of(&STREETS));
            end.address.postal_code = code.parse().unwrap();
            end.address.full_address = String::new();
        }
        let is_over = day < self.today;
        let chance = self.dice.below(100);
        b.status = match (is_over, chance) {
            (_, 0) => Status::Deleted,
            (_, 1..9) => Status::Cancelled,
            (true, 9..14) => Status::Completed,
            (true, 14..18) => Status::Invoiced,
            (true, _) => Status::Payed,
            (false, 9..55) => Status::Assigned,
            (false, _) => Status::Pending,
        };
        b.completed_at = (is_over && chance >= 9).then_some(move_at + Duration::hours(4));
        b.cancelled_at = (1..9).contains(&chance).then_some(b.created_at + Duration::hours(12));
        b.details.payment_problem = chance == 40;
        let payment = (b.completed_at.is_some() && b.status != Status::Deleted).then(|| self.paid(&b));
        Made { account, booking: b, payment }
    }

    /// The customer of the booking of this number; their account when they are new.
    fn somebody(&mut self, n: u64, at: DateTime<Utc>) -> Option<Account> {
        if self.person.is_some() && !n.is_multiple_of(MOVES_OF_ONE) {
            return None;
        }
        let (first, last) = (self.dice.of(&FIRST), self.dice.of(&LAST));
        let ascii = kernel::fold(&format!("{first}.{last}")).replace([' ', '\''], "");
        let email = format!("{ascii}{n}@{}", self.dice.of(&HOSTS));
        let area = AREAS[usize::try_from(self.dice.below(AREAS.len() as u64)).unwrap()];
        let phone = format!("+1{area}{:03}{:04}", 200 + self.dice.below(800), self.dice.below(10_000));
        let id = UserId(self.dice.key(at).parse().unwrap());
        self.person = Some(Person { id, name: format!("{first} {last}"), email: email.clone(), phone });
        Some(Account {
            id,
            issuer: DESK_ISSUER.to_owned(),
            subject: id.to_string(),
            email: Some(email.parse::<Email>().unwrap()),
            email_verified: false,
            terms_accepted_at: None,
            created_at: at,
            updated_at: at,
            disabled_at: None,
            merged: None,
        })
    }

    /// The whole price, by card, when the move was done.
    fn paid(&mut self, b: &Booking) -> Payment {
        let at = b.move_at - Duration::hours(48);
        Payment {
            id: PaymentId(self.dice.key(at).parse().unwrap()),
            booking_id: b.id,
            kind: PaymentKind::Full,
            state: At::stored(State::Captured),
            amount: b.total.max(Money::from_cents(1)),
            due_at: at,
            attempts: 1,
            next_attempt_at: None,
            refund_of: None,
            transaction_id: Some(format!("sim{:016x}", self.dice.roll())),
            card_last4: Some("1111".to_owned()),
            last_message: None,
            settled_at: Some(at),
            version: 1,
            created_at: at,
            method: PaidWith::Card,
            reference: None,
        }
    }
}
