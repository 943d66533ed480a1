//! Who lives in this world, and what is in its database before anything happens.

use std::sync::Arc;

use chrono::{DateTime, Duration, Utc};
use kernel::{
    Accessibility, Address, BasisPoints, Coordinates, DiscountId, Language, MateId, OpsMemberId, Province, RateId,
    UserId,
};
use pricing::{DiscountTerms, RateCard};
use service::{
    Caller, Role,
    ports::{
        StoreResult, Unit,
        bookings::Location,
        capacity::DayCapacity,
        cards::Card,
        discounts::StoredDiscount,
        identity::{Account, EMBEDDED_ISSUER},
        maps::PlaceSuggestion,
        members::{Member, MemberRole},
        profiles::{BillingAddress, Profile},
        rates::StoredRate,
    },
};
use store::testing::Inline;
use uuid::Uuid;

use crate::time::business_start;

/// Customers of every world.
pub const CUSTOMERS: usize = 2;
/// The code people may use.
pub const CODE: &str = "SPRING";
/// Where every crew comes from.
pub const HUB: &str = "montreal";

pub fn customer(n: usize) -> Caller {
    caller(Role::Customer, u128::try_from(n).unwrap() + 1)
}

pub fn staff() -> Caller {
    caller(Role::Ops, 0xff)
}

/// Who may take back what was deleted.
pub fn admin() -> Caller {
    caller(Role::Admin, 0xff)
}

fn caller(role: Role, n: u128) -> Caller {
    Caller {
        role,
        user: Some(UserId(Uuid::from_u128(n))),
        partner: None,
        mate: None,
        language: Language::En,
        network: None,
        request_id: None,
    }
}

/// A migrated database with its people, cards, calendar and prices.
pub fn inhabited() -> Arc<Inline> {
    let db = Inline::new();
    db.run(Box::new(|u| seed(u).map_err(|e| panic!("{e}"))), true).unwrap();
    db
}

/// Room for one move at a time.
pub fn one_crew_only(db: &Inline) {
    let work = |u: &mut dyn Unit| {
        for weekday in 0..7 {
            u.capacities().set_default(HUB, weekday, DayCapacity { mates: 2, trucks: [1, 1, 1] }).unwrap();
        }
        Ok(())
    };
    db.run(Box::new(work), true).unwrap();
}

fn seed(u: &mut dyn Unit) -> StoreResult<()> {
    let now = business_start() - Duration::days(1);
    for n in 0..CUSTOMERS {
        person(u, &customer(n), &format!("ana{n}@portage.test"), now)?;
        u.cards().insert(&Card {
            id: Uuid::from_u128(0xca00 + n as u128),
            user_id: customer(n).user.unwrap(),
            method_id: format!("pm_first_{n}"),
            brand: "visa".into(),
            last4: "1111".into(),
            expiry: "12/2030".into(),
            usable: true,
            created_at: now,
        })?;
    }
    person(u, &staff(), "ops@portage.test", now)?;
    for weekday in 0..7 {
        u.capacities().set_default(HUB, weekday, DayCapacity { mates: 8, trucks: [2, 2, 2] })?;
    }
    // Fewer than the calendar has: some crews are too small, and sometimes nobody is free.
    for n in 1..=5 {
        u.members().insert(&Member {
            id: OpsMemberId(Uuid::from_u128(0xad00 + n)),
            email: format!("mate{n}@portage.test").parse().unwrap(),
            first_name: format!("Mate{n}"),
            last_name: "Tester".into(),
            role: MemberRole::Mate,
            partner_id: None,
            mate_id: Some(MateId(Uuid::from_u128(0xae00 + n))),
            created_at: now,
            version: 1,
        })?;
    }
    u.rates().insert(&StoredRate {
        id: RateId(Uuid::from_u128(0x4a7e)),
        name: "standard".into(),
        version: 1,
        effective_from: now,
        effective_to: None,
        card: RateCard::builtin(),
    })?;
    u.discounts().insert(&StoredDiscount {
        id: DiscountId(Uuid::from_u128(0xd15c)),
        code: CODE.into(),
        terms: DiscountTerms::Percent { share: BasisPoints::new(1_000), max: None },
        valid_from: now.date_naive(),
        valid_until: (now + Duration::days(300)).date_naive(),
        bookable_from: None,
        bookable_until: None,
        max_uses: Some(3),
        max_uses_per_customer: None,
        first_booking_only: false,
        uses: 0,
        provinces: Vec::new(),
        kinds: Vec::new(),
        disabled: false,
        created_at: now,
        version: 1,
    })
}

fn person(u: &mut dyn Unit, who: &Caller, email: &str, now: DateTime<Utc>) -> StoreResult<()> {
    let id = who.user.unwrap();
    let email: kernel::Email = email.parse().unwrap();
    u.accounts().insert(&Account {
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
    })?;
    u.profiles().insert(&Profile {
        user_id: id,
        first_name: "Ana".into(),
        last_name: "Roy".into(),
        email,
        phone: "514 555-0199".into(),
        gender: String::new(),
        occupation: String::new(),
        language: Language::En,
        billing_address: BillingAddress::default(),
        gateway_customer_id: Some("cus_1".into()),
        version: 1,
        updated_at: now,
    })
}

/// Everybody moves within one house in the middle of Montréal.
pub fn home() -> Location {
    let p = place();
    Location {
        address: Address {
            street: p.street,
            unit: String::new(),
            city: p.city,
            province: Province::QC,
            postal_code: p.postal_code.unwrap(),
            country: "Canada".into(),
            full_address: String::new(),
        },
        coordinates: p.coordinates,
        floor: 0,
        elevator: 0,
        parking: true,
        accessibility: Accessibility::Easy,
        details: String::new(),
        category: String::new(),
    }
}

pub fn place() -> PlaceSuggestion {
    PlaceSuggestion {
        full_address: "1200 Rue Peel, Montréal, QC H3B 2T6, Canada".into(),
        street: "1200 Rue Peel".into(),
        city: "Montréal".into(),
        province: Some(Province::QC),
        postal_code: Some("H3B 2T6".parse().unwrap()),
        country: "Canada".into(),
        coordinates: Coordinates::new(45.4995, -73.5721).unwrap(),
    }
}
