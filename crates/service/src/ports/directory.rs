//! Records of mates, partners and trucks. A mate or partner whom a member or a machine names first has a record from then
//! on, which says what that one said.

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{Address, Language, MateId, Money, PartnerId, TruckId};
use scheduling::TruckClass;
use serde::{Deserialize, Serialize};
use status_machine::At;
pub use status_machine::records::{MateState, PartnerState};

use super::StoreResult;

/// A licence or the like that ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MateDocument {
    /// What it is.
    pub kind: String,
    /// Its number.
    pub number: String,
    /// Its last day.
    pub expires_on: NaiveDate,
}

/// A mate.
#[derive(Debug, Clone, PartialEq)]
pub struct MateRecord {
    /// Key.
    pub id: MateId,
    /// What people read, [`MateRecord::short_id`].
    pub number: i64,
    /// First and last name.
    pub name: String,
    /// Where they live.
    pub address: Option<Address>,
    /// Telephone; may be empty.
    pub phone: String,
    /// Address; empty for who left before addresses were kept.
    pub email: String,
    /// Quebec enterprise number.
    pub neq: Option<String>,
    /// GST registration.
    pub tps: Option<String>,
    /// QST registration.
    pub tvq: Option<String>,
    /// Where they stand.
    pub state: At<MateState>,
    /// What they can do: pianos, heavy items.
    pub skills: Vec<String>,
    /// Languages they speak.
    pub languages: Vec<Language>,
    /// Hubs they work from; empty = any.
    pub hubs: Vec<String>,
    /// What ends.
    pub documents: Vec<MateDocument>,
    /// Pay an hour.
    pub pay_rate: Option<Money>,
    /// Counts up with each change.
    pub version: i32,
    /// When the record was made.
    pub created_at: DateTime<Utc>,
    /// Last change.
    pub updated_at: DateTime<Utc>,
}

impl MateRecord {
    /// `M-0042`.
    pub fn short_id(&self) -> String {
        format!("M-{:04}", self.number)
    }
}

/// Whom one asks at a partner's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Contact {
    /// Who.
    pub name: String,
    /// Address; may be empty.
    #[serde(default)]
    pub email: String,
    /// Telephone; may be empty.
    #[serde(default)]
    pub phone: String,
}

/// A partner company.
#[derive(Debug, Clone, PartialEq)]
pub struct PartnerRecord {
    /// Key.
    pub id: PartnerId,
    /// What people read, [`PartnerRecord::short_id`].
    pub number: i64,
    /// Name; empty until somebody says it.
    pub name: String,
    /// Where goods are fetched and invoices go.
    pub addresses: Vec<Address>,
    /// Whom one asks.
    pub contacts: Vec<Contact>,
    /// The rate card by name; none = the company's own.
    pub rate_name: Option<String>,
    /// Days an invoice may wait.
    pub net_days: i32,
    /// Of its papers; none until somebody says it.
    pub language: Option<Language>,
    /// Where it stands.
    pub state: At<PartnerState>,
    /// Counts up with each change.
    pub version: i32,
    /// When the record was made.
    pub created_at: DateTime<Utc>,
    /// Last change.
    pub updated_at: DateTime<Utc>,
}

impl PartnerRecord {
    /// `P-0007`.
    pub fn short_id(&self) -> String {
        format!("P-{:04}", self.number)
    }
}

/// Where a truck stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TruckState {
    /// Drives.
    Active,
    /// In the workshop for some time.
    Paused,
    /// Gone.
    Archived,
}

impl TruckState {
    /// All of them.
    pub const ALL: [TruckState; 3] = [TruckState::Active, TruckState::Paused, TruckState::Archived];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            TruckState::Active => "active",
            TruckState::Paused => "paused",
            TruckState::Archived => "archived",
        }
    }

    /// The state of a code.
    pub fn from_code(code: &str) -> Option<TruckState> {
        TruckState::ALL.into_iter().find(|s| s.code() == code)
    }
}

/// A truck.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TruckRecord {
    /// Key.
    pub id: TruckId,
    /// What people call it; no other truck of its hub that drives is called so.
    pub name: String,
    /// Its class.
    pub class: TruckClass,
    /// Hub it stands at.
    pub hub: String,
    /// Licence plate; may be empty.
    pub plate: String,
    /// Last day of its inspection.
    pub inspected_until: Option<NaiveDate>,
    /// Last day of its insurance.
    pub insured_until: Option<NaiveDate>,
    /// Where it stands.
    pub state: TruckState,
    /// Counts up with each change.
    pub version: i32,
    /// When the record was made.
    pub created_at: DateTime<Utc>,
    /// Last change.
    pub updated_at: DateTime<Utc>,
}

/// Mates, partners and trucks.
pub trait Directory {
    /// One mate.
    fn mate(&mut self, id: MateId) -> StoreResult<Option<MateRecord>>;
    /// All mates, by name.
    fn mates(&mut self) -> StoreResult<Vec<MateRecord>>;
    /// Adds a mate; answers the number they get. That of the record given is not looked at.
    fn add_mate(&mut self, mate: &MateRecord) -> StoreResult<i64>;
    /// Writes everything but the number if the stored version equals `mate.version`; answers the new version, else
    /// `Stale`.
    fn update_mate(&mut self, mate: &MateRecord) -> StoreResult<i32>;
    /// One partner.
    fn partner(&mut self, id: PartnerId) -> StoreResult<Option<PartnerRecord>>;
    /// All partners, by name.
    fn partners(&mut self) -> StoreResult<Vec<PartnerRecord>>;
    /// Adds a partner, as [`Directory::add_mate`].
    fn add_partner(&mut self, partner: &PartnerRecord) -> StoreResult<i64>;
    /// As [`Directory::update_mate`].
    fn update_partner(&mut self, partner: &PartnerRecord) -> StoreResult<i32>;
    /// One truck.
    fn truck(&mut self, id: TruckId) -> StoreResult<Option<TruckRecord>>;
    /// All trucks, by hub and name.
    fn trucks(&mut self) -> StoreResult<Vec<TruckRecord>>;
    /// Adds a truck; `Duplicate` when another one of the hub that is not archived has its name.
    fn add_truck(&mut self, truck: &TruckRecord) -> StoreResult<()>;
    /// Writes it if the stored version equals `truck.version`; answers the new version, else `Stale`; `Duplicate` as above.
    fn update_truck(&mut self, truck: &TruckRecord) -> StoreResult<i32>;
}
