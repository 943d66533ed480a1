//! Records of mates and partners. Until issue 11 has their pages, a record is made with the first member or machine that
//! names its id, and says what that one said.

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{Address, Language, MateId, Money, PartnerId};
use serde::{Deserialize, Serialize};

use super::StoreResult;

/// Where a mate stands (`domain/statuses.md` §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MateState {
    /// Asked to come.
    Invited,
    /// May be sent.
    Active,
    /// Not sent for some time.
    Paused,
    /// Gone; kept for the moves he was on.
    Archived,
}

impl MateState {
    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            MateState::Invited => "invited",
            MateState::Active => "active",
            MateState::Paused => "paused",
            MateState::Archived => "archived",
        }
    }

    /// The state of a code.
    pub fn from_code(code: &str) -> Option<MateState> {
        [MateState::Invited, MateState::Active, MateState::Paused, MateState::Archived]
            .into_iter()
            .find(|s| s.code() == code)
    }
}

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

/// A mate. Of these, `name`, `email` and `state` have values today; issue 11's form fills the others in.
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
    pub state: MateState,
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

/// Where a partner stands (`domain/statuses.md` §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PartnerState {
    /// Works with us.
    Active,
    /// No new tasks.
    Suspended,
    /// Gone.
    Archived,
}

impl PartnerState {
    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            PartnerState::Active => "active",
            PartnerState::Suspended => "suspended",
            PartnerState::Archived => "archived",
        }
    }

    /// The state of a code.
    pub fn from_code(code: &str) -> Option<PartnerState> {
        [PartnerState::Active, PartnerState::Suspended, PartnerState::Archived].into_iter().find(|s| s.code() == code)
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

/// A partner company. Of these, `name` (where it has a machine) and `state` have values today; issue 11's form fills the
/// others in.
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
    /// Where it stands.
    pub state: PartnerState,
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

/// Mates and partners.
pub trait Directory {
    /// One mate.
    fn mate(&mut self, id: MateId) -> StoreResult<Option<MateRecord>>;
    /// One partner.
    fn partner(&mut self, id: PartnerId) -> StoreResult<Option<PartnerRecord>>;
}
