//! Who works for the company: roles never come from an identity provider, only from here.

use chrono::{DateTime, Utc};
use kernel::{Email, MateId, OpsMemberId, PartnerId};
use serde::{Deserialize, Serialize};

use super::{StoreResult, bookings::Page};

/// What a member may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemberRole {
    /// Operations staff.
    Ops,
    /// Staff who may also restore and configure.
    Admin,
    /// A partner company's person.
    Partner,
    /// A mate.
    Mate,
}

impl MemberRole {
    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            MemberRole::Ops => "ops",
            MemberRole::Admin => "admin",
            MemberRole::Partner => "partner",
            MemberRole::Mate => "mate",
        }
    }

    /// In which role somebody acts who is this, or no member: a customer then.
    pub const fn acts_as(member: Option<MemberRole>) -> status_machine::Role {
        match member {
            None => status_machine::Role::Customer,
            Some(MemberRole::Ops) => status_machine::Role::Ops,
            Some(MemberRole::Admin) => status_machine::Role::Admin,
            Some(MemberRole::Partner) => status_machine::Role::Partner,
            Some(MemberRole::Mate) => status_machine::Role::Mate,
        }
    }

    /// The role of a code.
    pub fn from_code(code: &str) -> Option<MemberRole> {
        [MemberRole::Ops, MemberRole::Admin, MemberRole::Partner, MemberRole::Mate]
            .into_iter()
            .find(|r| r.code() == code)
    }
}

/// A person matched by verified e-mail.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// Key.
    pub id: OpsMemberId,
    /// Unique by its key form.
    pub email: Email,
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// Role.
    pub role: MemberRole,
    /// The partner they belong to, for partner people.
    pub partner_id: Option<PartnerId>,
    /// The mate they are, for mates.
    pub mate_id: Option<MateId>,
    /// When they were added.
    pub created_at: DateTime<Utc>,
    /// Counts up with each change.
    pub version: i32,
}

/// Members.
pub trait Members {
    /// By the e-mail's key form.
    fn by_email(&mut self, email_key: &str) -> StoreResult<Option<Member>>;
    /// By key.
    fn get(&mut self, id: OpsMemberId) -> StoreResult<Option<Member>>;
    /// Operations staff and administrators, by name; how many there are.
    fn staff(&mut self, skip: i64, limit: i64) -> StoreResult<Page<Member>>;
    /// How many administrators there are. Until the unit of work ends nobody else counts them.
    fn lock_admins(&mut self) -> StoreResult<i64>;
    /// Adds; `Duplicate` when the e-mail is taken. The first member that names a mate or a partner makes the record
    /// of that mate or partner (see [`super::directory`]).
    fn insert(&mut self, member: &Member) -> StoreResult<()>;
    /// Writes name, role, partner and mate if the stored version equals `member.version`; answers the new version, else
    /// `Stale`. The address stays: it is who somebody is.
    fn update(&mut self, member: &Member) -> StoreResult<i32>;
    /// Removes by the e-mail's key form; `false` when nobody has it.
    fn remove(&mut self, email_key: &str) -> StoreResult<bool>;
}
