//! Who asks.

use kernel::{Language, MateId, PartnerId, UserId};
use serde::Serialize;

use crate::{ErrorCode, ServiceResult};

/// What a caller may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Nobody signed in.
    Guest,
    /// A signed-in customer.
    Customer,
    /// A mate.
    Mate,
    /// A partner company's person or machine.
    Partner,
    /// Operations staff.
    Ops,
    /// Staff who may also restore and configure.
    Admin,
}

impl Role {
    /// All roles, least first.
    pub const ALL: [Role; 6] = [Role::Guest, Role::Customer, Role::Mate, Role::Partner, Role::Ops, Role::Admin];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Role::Guest => "guest",
            Role::Customer => "customer",
            Role::Mate => "mate",
            Role::Partner => "partner",
            Role::Ops => "ops",
            Role::Admin => "admin",
        }
    }

    /// Operations staff or administrator.
    pub const fn is_staff(self) -> bool {
        matches!(self, Role::Ops | Role::Admin)
    }
}

/// The person (or nobody) a use case runs for, and in which language to answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Caller {
    /// What they may do.
    pub role: Role,
    /// Who they are; none for guests.
    pub user: Option<UserId>,
    /// Their partner, for partner people.
    pub partner: Option<PartnerId>,
    /// The mate they are, for mates.
    pub mate: Option<MateId>,
    /// Language of answers.
    pub language: Language,
    /// The network they call from, for what is bounded by address: an IPv4 address or an IPv6 /64.
    /// None for calls from this machine itself.
    pub network: Option<String>,
    /// The request, for audit rows and logs.
    pub request_id: Option<String>,
}

impl Caller {
    /// Nobody signed in.
    pub fn guest(language: Language) -> Caller {
        Caller { role: Role::Guest, user: None, partner: None, mate: None, language, network: None, request_id: None }
    }

    /// As whom they act in the tables of statuses.
    ///
    /// # Errors
    /// `sign_in_needed` for guests.
    pub fn acts_as(&self) -> ServiceResult<status_machine::Role> {
        match self.role {
            Role::Guest => Err(ErrorCode::SignInNeeded.into()),
            Role::Customer => Ok(status_machine::Role::Customer),
            Role::Mate => Ok(status_machine::Role::Mate),
            Role::Partner => Ok(status_machine::Role::Partner),
            Role::Ops => Ok(status_machine::Role::Ops),
            Role::Admin => Ok(status_machine::Role::Admin),
        }
    }
}
