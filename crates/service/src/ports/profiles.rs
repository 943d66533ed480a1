//! The person behind an account.

use chrono::{DateTime, Utc};
use kernel::{Email, Language, UserId};
use serde::{Deserialize, Serialize};

use super::StoreResult;

/// Billing address as the specification names its fields.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct BillingAddress {
    /// Civic number.
    pub unit: String,
    /// Street.
    pub street_name: String,
    /// Apartment.
    pub apt_unit: String,
    /// Municipality.
    pub city: String,
    /// Postal code.
    pub postal_code: String,
    /// Province.
    pub province: String,
    /// Country, `Canada` by default.
    pub country: String,
}

/// A user profile (specification §3).
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// Key.
    pub user_id: UserId,
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// E-mail of the account.
    pub email: Email,
    /// Phone as typed, may be empty.
    pub phone: String,
    /// Free text, may be empty.
    pub gender: String,
    /// Free text, may be empty.
    pub occupation: String,
    /// Language of mails.
    pub language: Language,
    /// Where invoices go.
    pub billing_address: BillingAddress,
    /// The gateway's key of this customer, once one was made.
    pub gateway_customer_id: Option<String>,
    /// Counts up with each change.
    pub version: i32,
    /// Last change.
    pub updated_at: DateTime<Utc>,
}

impl Profile {
    /// First and last name, in the order of their script.
    pub fn full_name(&self) -> String {
        kernel::full_name(&self.first_name, &self.last_name)
    }
}

/// Profiles.
pub trait Profiles {
    /// One profile.
    fn get(&mut self, id: UserId) -> StoreResult<Option<Profile>>;
    /// Adds.
    fn insert(&mut self, profile: &Profile) -> StoreResult<()>;
    /// Writes if the stored version equals `expected`; answers the new version, else `Stale`.
    fn update(&mut self, profile: &Profile, expected: i32) -> StoreResult<i32>;
}
