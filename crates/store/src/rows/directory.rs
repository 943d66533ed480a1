//! Mates, partners and trucks.

use chrono::NaiveDate;
use diesel::prelude::*;
use kernel::{Language, MateId, Money, PartnerId, TruckId};
use scheduling::TruckClass;
use service::ports::{
    StoreResult,
    directory::{MateRecord, PartnerRecord, TruckRecord, TruckState},
};
use status_machine::At;

use crate::{
    columns::{Doc, Id, Instant},
    error::{out_of_range, unknown},
    rows::parse,
    schema::{mates, partners, trucks},
};

#[derive(Queryable, Selectable)]
#[diesel(table_name = mates)]
pub struct MateRow {
    pub seq: i64,
    pub id: Id,
    pub name: String,
    pub address: Option<Doc>,
    pub phone: String,
    pub email: String,
    pub neq: Option<String>,
    pub tps: Option<String>,
    pub tvq: Option<String>,
    pub state: String,
    pub skills: Doc,
    pub languages: Doc,
    pub hubs: Doc,
    pub documents: Doc,
    pub pay_rate_cents: Option<i64>,
    pub version: i32,
    pub created_at: Instant,
    pub updated_at: Instant,
}

impl MateRow {
    pub fn read(self) -> StoreResult<MateRecord> {
        const TABLE: &str = "mates";
        let id = self.id.0;
        Ok(MateRecord {
            id: MateId(id),
            number: self.seq,
            name: self.name,
            address: self.address.map(|a| a.read(TABLE, "address", &id)).transpose()?,
            phone: self.phone,
            email: self.email,
            neq: self.neq,
            tps: self.tps,
            tvq: self.tvq,
            state: At::stored(parse(&self.state, TABLE, "state", &id)?),
            skills: self.skills.read(TABLE, "skills", &id)?,
            languages: self.languages.read(TABLE, "languages", &id)?,
            hubs: self.hubs.read(TABLE, "hubs", &id)?,
            documents: self.documents.read(TABLE, "documents", &id)?,
            pay_rate: self.pay_rate_cents.map(Money::from_cents),
            version: self.version,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
        })
    }
}

/// What is said with the first member of an id.
#[derive(Insertable)]
#[diesel(table_name = mates)]
pub struct NewMateRow {
    pub id: Id,
    pub name: String,
    pub email: String,
    pub state: &'static str,
    pub created_at: Instant,
    pub updated_at: Instant,
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = partners)]
pub struct PartnerRow {
    pub seq: i64,
    pub id: Id,
    pub name: String,
    pub addresses: Doc,
    pub contacts: Doc,
    pub rate_name: Option<String>,
    pub net_days: i32,
    pub language: Option<String>,
    pub state: String,
    pub version: i32,
    pub created_at: Instant,
    pub updated_at: Instant,
}

impl PartnerRow {
    pub fn read(self) -> StoreResult<PartnerRecord> {
        const TABLE: &str = "partners";
        let id = self.id.0;
        Ok(PartnerRecord {
            id: PartnerId(id),
            number: self.seq,
            name: self.name,
            addresses: self.addresses.read(TABLE, "addresses", &id)?,
            contacts: self.contacts.read(TABLE, "contacts", &id)?,
            rate_name: self.rate_name,
            net_days: self.net_days,
            language: self.language.map(|code| parse(&code, TABLE, "language", &id)).transpose()?,
            state: At::stored(parse(&self.state, TABLE, "state", &id)?),
            version: self.version,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
        })
    }
}

/// What is said with the first member or machine of an id.
#[derive(Insertable)]
#[diesel(table_name = partners)]
pub struct NewPartnerRow {
    pub id: Id,
    pub name: String,
    pub state: &'static str,
    pub created_at: Instant,
    pub updated_at: Instant,
}

/// A mate as staff write it down. The number is given by the database.
#[derive(Insertable, AsChangeset)]
#[diesel(table_name = mates, treat_none_as_default_value = false, treat_none_as_null = true)]
pub struct WrittenMateRow {
    pub id: Id,
    pub name: String,
    pub address: Option<Doc>,
    pub phone: String,
    pub email: String,
    pub neq: Option<String>,
    pub tps: Option<String>,
    pub tvq: Option<String>,
    pub state: &'static str,
    pub skills: Doc,
    pub languages: Doc,
    pub hubs: Doc,
    pub documents: Doc,
    pub pay_rate_cents: Option<i64>,
    pub version: i32,
    pub created_at: Instant,
    pub updated_at: Instant,
}

impl WrittenMateRow {
    pub fn of(m: &MateRecord, version: i32) -> StoreResult<Self> {
        Ok(WrittenMateRow {
            id: Id(m.id.0),
            name: m.name.clone(),
            address: m.address.as_ref().map(Doc::of).transpose()?,
            phone: m.phone.clone(),
            email: m.email.clone(),
            neq: m.neq.clone(),
            tps: m.tps.clone(),
            tvq: m.tvq.clone(),
            state: m.state.code(),
            skills: Doc::of(&m.skills)?,
            languages: Doc::of(&m.languages)?,
            hubs: Doc::of(&m.hubs)?,
            documents: Doc::of(&m.documents)?,
            pay_rate_cents: m.pay_rate.map(Money::cents),
            version,
            created_at: Instant(m.created_at),
            updated_at: Instant(m.updated_at),
        })
    }
}

/// A partner as staff write it down. The number is given by the database.
#[derive(Insertable, AsChangeset)]
#[diesel(table_name = partners, treat_none_as_default_value = false, treat_none_as_null = true)]
pub struct WrittenPartnerRow {
    pub id: Id,
    pub name: String,
    pub addresses: Doc,
    pub contacts: Doc,
    pub rate_name: Option<String>,
    pub net_days: i32,
    pub language: Option<&'static str>,
    pub state: &'static str,
    pub version: i32,
    pub created_at: Instant,
    pub updated_at: Instant,
}

impl WrittenPartnerRow {
    pub fn of(p: &PartnerRecord, version: i32) -> StoreResult<Self> {
        Ok(WrittenPartnerRow {
            id: Id(p.id.0),
            name: p.name.clone(),
            addresses: Doc::of(&p.addresses)?,
            contacts: Doc::of(&p.contacts)?,
            rate_name: p.rate_name.clone(),
            net_days: p.net_days,
            language: p.language.map(Language::code),
            state: p.state.code(),
            version,
            created_at: Instant(p.created_at),
            updated_at: Instant(p.updated_at),
        })
    }
}

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = trucks, treat_none_as_default_value = false, treat_none_as_null = true)]
pub struct TruckRow {
    pub id: Id,
    pub name: String,
    pub feet: i32,
    pub hub: String,
    pub plate: String,
    pub inspected_until: Option<NaiveDate>,
    pub insured_until: Option<NaiveDate>,
    pub state: String,
    pub version: i32,
    pub created_at: Instant,
    pub updated_at: Instant,
}

const TRUCKS: &str = "trucks";

impl TruckRow {
    pub fn of(t: &TruckRecord, version: i32) -> StoreResult<Self> {
        Ok(TruckRow {
            id: Id(t.id.0),
            name: t.name.clone(),
            feet: i32::try_from(t.class.feet()).map_err(out_of_range("trucks.feet"))?,
            hub: t.hub.clone(),
            plate: t.plate.clone(),
            inspected_until: t.inspected_until,
            insured_until: t.insured_until,
            state: t.state.code().to_owned(),
            version,
            created_at: Instant(t.created_at),
            updated_at: Instant(t.updated_at),
        })
    }

    pub fn read(self) -> StoreResult<TruckRecord> {
        let id = self.id.0;
        let class = TruckClass::ALL.into_iter().find(|c| i32::try_from(c.feet()) == Ok(self.feet));
        Ok(TruckRecord {
            id: TruckId(id),
            name: self.name,
            class: class.ok_or_else(|| unknown(TRUCKS, "feet", &id, &self.feet.to_string()))?,
            hub: self.hub,
            plate: self.plate,
            inspected_until: self.inspected_until,
            insured_until: self.insured_until,
            state: TruckState::from_code(&self.state).ok_or_else(|| unknown(TRUCKS, "state", &id, &self.state))?,
            version: self.version,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
        })
    }
}
