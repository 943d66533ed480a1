//! Mates and partners.

use diesel::prelude::*;
use kernel::{MateId, Money, PartnerId};
use service::ports::{
    StoreResult,
    directory::{MateRecord, MateState, PartnerRecord, PartnerState},
};

use crate::{
    columns::{Doc, Id, Instant},
    error::unknown,
    schema::{mates, partners},
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
            state: MateState::from_code(&self.state).ok_or_else(|| unknown(TABLE, "state", &id, &self.state))?,
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
            state: PartnerState::from_code(&self.state).ok_or_else(|| unknown(TABLE, "state", &id, &self.state))?,
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
