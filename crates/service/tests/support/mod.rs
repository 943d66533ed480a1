//! A whole Portage without a network: a real SQLite file, a clock that is moved by hand, and
//! stand-ins for the outside services only.
#![allow(
    clippy::disallowed_methods,
    dead_code,
    unused_imports,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs
)]

mod gateway;
mod outside;
pub mod people;
pub mod texter;
pub mod thursday;

use std::sync::Arc;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use kernel::{
    Accessibility, Address, BookingId, Coordinates, Language, MateCount, MateId, Money, OpsMemberId, Province, RateId,
    TruckId, UserId,
};
use pricing::RateCard;
use scheduling::TruckClass;
use service::{
    Caller, Company, Defaults, Mode, Role, Services, Staff,
    billing::compare,
    bookings::{Created, Draft, TipInput, create},
    desk::record,
    idempotency::Replayable,
    jobs,
    ports::{
        Entropy as _, Store, Unit,
        bookings::{BookedItem, Booking, Location},
        capacity::DayCapacity,
        cards::Card,
        directory::{MateRecord, MateState, TruckRecord, TruckState},
        identity::{Account, EMBEDDED_ISSUER},
        members::{Member, MemberRole},
        profiles::{BillingAddress, Profile},
        rates::StoredRate,
    },
};
use status_machine::At;
use uuid::Uuid;

pub use gateway::{FakeGateway, Next};
pub use outside::{FakeMailer, HandClock, OsEntropy, StraightMaps};
pub use test_kit::flat;

pub struct World {
    pub s: Services,
    pub clock: Arc<HandClock>,
    pub gateway: Arc<FakeGateway>,
    pub mailer: Arc<FakeMailer>,
    pub customer: Caller,
    pub ops: Caller,
    pub db: store::testing::TestDb,
}

pub fn caller(role: Role, user: UserId) -> Caller {
    Caller {
        role,
        user: Some(user),
        partner: None,
        mate: None,
        language: Language::En,
        network: None,
        request_id: None,
    }
}

impl World {
    /// Somebody of operations, with the proof of it.
    pub fn staff(&self) -> Staff {
        Staff::prove(&self.ops).unwrap()
    }

    /// Has payment service and ledger compared, as staff do on the page, and what that found.
    pub async fn compared(&self) -> compare::Last {
        compare::ask(&self.s, &self.staff()).await.unwrap();
        self.work().await;
        compare::last(&self.s, &self.staff()).await.unwrap().unwrap()
    }

    pub async fn new(now: DateTime<Utc>) -> World {
        Self::on(store::testing::TestDb::sqlite(), now).await
    }

    pub async fn on(db: store::testing::TestDb, now: DateTime<Utc>) -> World {
        let clock = Arc::new(HandClock::at(now));
        let gateway = Arc::new(FakeGateway::new(clock.clone()));
        let mailer = Arc::new(FakeMailer::default());
        let s = Services {
            store: db.store(),
            clock: clock.clone(),
            wall: Arc::new(outside::WallClock),
            entropy: Arc::new(OsEntropy),
            gateway: gateway.clone(),
            maps: Arc::new(StraightMaps),
            mailer: mailer.clone(),
            mail_gate: Arc::default(),
            texter: None,
            text_gate: Arc::default(),
            defaults: Defaults {
                company: Company {
                    name: "Portage".into(),
                    address: "1 rue du Test, Montréal".into(),
                    support_email: "help@portage.test".into(),
                    support_phone: "514 555-0100".into(),
                    public_url: "http://localhost:8080".into(),
                    ..Company::default()
                },
                ..Defaults::default()
            },
            settings: Arc::default(),
            mode: Mode::Demo,
            rates: Arc::default(),
            rooms: Arc::default(),
            bell: Arc::default(),
        };
        let customer = caller(Role::Customer, UserId(OsEntropy.uuid(now)));
        let ops = caller(Role::Ops, UserId(OsEntropy.uuid(now)));
        let world = World { s, clock, gateway, mailer, customer, ops, db };
        world.person(&world.customer, "Ana Roy", "ana@portage.test", now).await;
        world.card().await;
        world.calendar(DayCapacity { mates: 20, trucks: [5, 5, 5] }).await;
        world.mates(1..=20).await;
        world.rate(RateCard::builtin(), now - Duration::days(1)).await;
        world
    }

    /// Runs a statement past all repositories, as somebody with the database's own tools.
    pub fn execute(&self, sql: &str) {
        self.db.execute(sql);
    }

    /// The same of a change to lines of the ledger: what holds it back is put aside for it.
    pub fn tampers(&self, change: &str) {
        let sql = match self.db.store().engine() {
            "postgres" => format!(
                "ALTER TABLE ledger_lines DISABLE TRIGGER ledger_lines_append_only; {change};
                 ALTER TABLE ledger_lines ENABLE TRIGGER ledger_lines_append_only"
            ),
            _ => format!(
                "DROP TRIGGER ledger_lines_no_update; DROP TRIGGER ledger_lines_no_delete; {change};
                 CREATE TRIGGER ledger_lines_no_update BEFORE UPDATE ON ledger_lines
                 BEGIN SELECT RAISE(ABORT, 'ledger_lines is append only'); END;
                 CREATE TRIGGER ledger_lines_no_delete BEFORE DELETE ON ledger_lines
                 BEGIN SELECT RAISE(ABORT, 'ledger_lines is append only'); END"
            ),
        };
        self.execute(&sql);
    }

    /// Runs what is due while real time stands still: what waits for an outcome is not looked at again, however
    /// slow the machine is.
    pub async fn work_at_once(&self) {
        let mut s = self.s.clone();
        s.wall = Arc::new(HandClock::at(s.wall.now()));
        service::jobs::run_due(&s, "w").await.unwrap();
    }

    /// A truck of a hub, in use; its name is its number.
    pub async fn truck(&self, n: u128, class: TruckClass, hub: &str) -> TruckId {
        let (id, now) = (TruckId(Uuid::from_u128(0x7000 + n)), self.clock.now_value());
        let record = TruckRecord {
            id,
            name: format!("Truck {n}"),
            class,
            hub: hub.to_owned(),
            plate: String::new(),
            inspected_until: None,
            insured_until: None,
            state: TruckState::Active,
            version: 1,
            created_at: now,
            updated_at: now,
        };
        self.write(move |u| u.directory().add_truck(&record)).await;
        id
    }

    /// Somebody with an account chooses their language.
    pub async fn speaks(&self, user: UserId, language: Language) {
        self.write(move |u| {
            let mut profile = u.profiles().get(user)?.unwrap();
            profile.language = language;
            let version = profile.version;
            u.profiles().update(&profile, version)
        })
        .await;
    }

    pub async fn person(&self, who: &Caller, name: &str, email: &str, now: DateTime<Utc>) {
        let (first, last) = name.split_once(' ').unwrap();
        let (id, email): (UserId, kernel::Email) = (who.user.unwrap(), email.parse().unwrap());
        let account = Account {
            id,
            issuer: EMBEDDED_ISSUER.into(),
            subject: id.to_string(),
            email: Some(email.clone()),
            email_verified: true,
            terms_accepted_at: Some(now),
            created_at: now,
            updated_at: now,
            disabled_at: None,
            merged: None,
        };
        let profile = Profile {
            user_id: id,
            first_name: first.into(),
            last_name: last.into(),
            email,
            phone: "514 555-0199".into(),
            gender: String::new(),
            occupation: String::new(),
            language: Language::En,
            billing_address: BillingAddress::default(),
            gateway_customer_id: Some("cus_1".into()),
            version: 1,
            updated_at: now,
        };
        self.write(move |u| {
            u.accounts().insert(&account)?;
            u.profiles().insert(&profile)
        })
        .await;
    }

    /// Somebody has shown that an address is theirs.
    pub async fn shown(&self, name: &str, email: &str) -> UserId {
        let now = self.clock.now_value();
        let who = caller(Role::Ops, UserId(OsEntropy.uuid(now)));
        self.person(&who, name, email, now).await;
        who.user.unwrap()
    }

    pub async fn card(&self) {
        self.card_of(&self.customer).await;
    }

    pub async fn card_of(&self, who: &Caller) {
        let card = Card {
            id: Uuid::new_v4(),
            user_id: who.user.unwrap(),
            method_id: format!("pm_{}", Uuid::new_v4()),
            brand: "visa".into(),
            last4: "1111".into(),
            expiry: "12/2030".into(),
            usable: true,
            created_at: self.clock.now_value(),
        };
        self.write(move |u| u.cards().insert(&card)).await;
    }

    /// Mates of the directory, by number; the lower comes first among equals.
    pub async fn mates(&self, numbers: std::ops::RangeInclusive<u128>) {
        let now = self.clock.now_value();
        self.write(move |u| {
            for n in numbers {
                // Who had left is back.
                if let Some(known) = u.directory().mate(mate(n))? {
                    u.directory().update_mate(&MateRecord { state: At::stored(MateState::Active), ..known })?;
                    continue;
                }
                u.members().insert(&Member {
                    id: OpsMemberId(Uuid::from_u128(0xad00 + n)),
                    email: mate_email(n),
                    first_name: format!("Mate{n}"),
                    last_name: "Tester".into(),
                    role: MemberRole::Mate,
                    partner_id: None,
                    mate_id: Some(mate(n)),
                    created_at: now,
                    version: 1,
                })?;
            }
            Ok(())
        })
        .await;
    }

    /// Leaves only the first so many mates.
    pub async fn only_mates(&self, many: u128) {
        self.write(move |u| {
            for n in many + 1..=20 {
                let Some(gone) = u.directory().mate(mate(n))? else { continue };
                u.directory().update_mate(&MateRecord { state: At::stored(MateState::Archived), ..gone })?;
            }
            Ok(())
        })
        .await;
    }

    pub async fn calendar(&self, capacity: DayCapacity) {
        self.write(move |u| {
            for hub in ["montreal", "vancouver", "calgary", "toronto"] {
                for weekday in 0..7 {
                    u.capacities().set_default(hub, weekday, capacity)?;
                }
            }
            Ok(())
        })
        .await;
    }

    pub async fn rate(&self, card: RateCard, from: DateTime<Utc>) {
        let id = RateId(OsEntropy.uuid(self.clock.now_value()));
        self.write(move |u| {
            let version = u.rates().active(None, from)?.map_or(1, |r| r.version + 1);
            u.rates().insert(&StoredRate {
                id,
                name: "standard".into(),
                version,
                effective_from: from,
                effective_to: None,
                card: card.clone(),
            })
        })
        .await;
        self.s.rates.clear();
    }

    /// See [`flat::flat`].
    pub async fn flat_rate(&self, amount: i64) {
        self.rate(flat::flat(amount), self.clock.now_value() - Duration::seconds(1)).await;
    }

    pub async fn write<T: Send + 'static>(
        &self,
        f: impl FnOnce(&mut dyn Unit) -> service::ports::StoreResult<T> + Send + 'static,
    ) -> T {
        self.s.store.write(f).await.unwrap()
    }

    pub async fn read<T: Send + 'static>(
        &self,
        f: impl FnOnce(&mut dyn Unit) -> service::ports::StoreResult<T> + Send + 'static,
    ) -> T {
        self.s.store.read(f).await.unwrap()
    }

    pub async fn book(&self, draft: Draft, tip: Option<TipInput>) -> service::ServiceResult<Created> {
        match create(&self.s, &self.customer, draft, tip, None).await? {
            Replayable::Fresh(created) => Ok(created),
            Replayable::Replayed { .. } => panic!("replayed"),
        }
    }

    pub async fn booking(&self, id: BookingId) -> Booking {
        self.read(move |u| u.bookings().get(id)).await.unwrap()
    }

    /// The customer agrees on the telephone that what went back is charged again.
    pub async fn agrees(&self, id: BookingId) {
        record::consent(&self.s, &self.staff(), id, None, "on the telephone".into(), None).await.unwrap();
        self.work().await;
    }

    /// Runs jobs until none is due.
    pub async fn work(&self) {
        for _ in 0..200 {
            if jobs::run_due(&self.s, "test").await.unwrap() > 0 {
                continue;
            }
            // What waits for the gateway waits in real time.
            if self.next_job().await.is_none_or(|at| at > self.clock.now_value()) {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("the queue does not come to rest");
    }

    pub async fn next_job(&self) -> Option<DateTime<Utc>> {
        self.read(|u| u.jobs().next_run_at("9999-01-01T00:00:00Z".parse().unwrap())).await
    }

    pub fn store(&self) -> &Arc<dyn Store> {
        &self.s.store
    }
}

pub fn mate(n: u128) -> MateId {
    MateId(Uuid::from_u128(0xae00 + n))
}

pub fn mate_email(n: u128) -> kernel::Email {
    format!("mate{n}@portage.test").parse().unwrap()
}

pub fn location(province: Province) -> Location {
    let (street, city, postal, lat, lon) = match province {
        Province::BC => ("1055 Canada Place", "Vancouver", "V6C 0C3", 49.2888, -123.1111),
        Province::AB => ("101 9 Avenue SW", "Calgary", "T2P 1J9", 51.0447, -114.0631),
        Province::ON => ("290 Bremner Boulevard", "Toronto", "M5V 3L9", 43.6426, -79.3871),
        _ => ("1200 Rue Peel", "Montréal", "H3B 2T6", 45.4995, -73.5721),
    };
    Location {
        address: Address {
            street: street.into(),
            unit: String::new(),
            city: city.into(),
            province,
            postal_code: postal.parse().unwrap(),
            country: "Canada".into(),
            full_address: String::new(),
        },
        coordinates: Coordinates::new(lat, lon).unwrap(),
        floor: 0,
        elevator: 0,
        parking: true,
        accessibility: Accessibility::Easy,
        details: String::new(),
        category: String::new(),
    }
}

/// A small move of two mates.
pub fn draft(province: Province, date: NaiveDate, time: NaiveTime) -> Draft {
    Draft {
        pickup: location(province),
        dropoff: location(province),
        kind: None,
        items: vec![
            BookedItem { id: "box-medium-3-1".into(), quantity: 10, assembly: None },
            BookedItem { id: "nightstand".into(), quantity: 1, assembly: None },
        ],
        mate_count: MateCount::new(2).unwrap(),
        client_as_mate: false,
        just_mates: false,
        ride_along: false,
        date,
        time,
        discount_code: None,
        guidelines_agreed: true,
        guidelines_version: None,
        policy_version: None,
        comments: String::new(),
        extras: service::bookings::draft::Extras::default(),
        survey: None,
        hold_id: None,
        phone: None,
        language: None,
        expected_total: None,
        saved_quote: None,
    }
}
