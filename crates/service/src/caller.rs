//! Who calls a use case: role, person and language.

use kernel::{Language, MateId, PartnerId, UserId};
use serde::{Deserialize, Serialize};

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

    /// As whom they act.
    pub fn actor(&self) -> Actor {
        let role = match self.role {
            Role::Guest => None,
            Role::Customer => Some(status_machine::Role::Customer),
            Role::Mate => Some(status_machine::Role::Mate),
            Role::Partner => Some(status_machine::Role::Partner),
            Role::Ops => Some(status_machine::Role::Ops),
            Role::Admin => Some(status_machine::Role::Admin),
        };
        Actor { user: self.user, role, request_id: self.request_id.clone() }
    }

    /// Their role in the tables of statuses.
    ///
    /// # Errors
    /// `sign_in_needed` for guests.
    pub fn acts_as(&self) -> ServiceResult<status_machine::Role> {
        self.actor().acts_as()
    }
}

/// Somebody of operations. It is made where a call comes in, and a use case that is staff's asks for it: without the
/// proof it cannot be called.
#[derive(Debug, Clone, PartialEq)]
pub struct Staff(Caller);

impl Staff {
    /// The proof.
    ///
    /// # Errors
    /// `forbidden` for everybody else.
    pub fn prove(caller: &Caller) -> ServiceResult<Staff> {
        if caller.role.is_staff() { Ok(Staff(caller.clone())) } else { Err(ErrorCode::Forbidden.into()) }
    }

    /// As a caller.
    pub const fn caller(&self) -> &Caller {
        &self.0
    }

    /// As whom they act.
    pub fn actor(&self) -> Actor {
        self.0.actor()
    }

    /// An administrator sees and restores what was deleted.
    pub fn is_admin(&self) -> bool {
        self.0.role == Role::Admin
    }
}

/// Who does something: made once, where a use case begins. The tables of statuses ask for it, histories and
/// the audit trail keep it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    /// None for guests and for the program itself.
    pub user: Option<UserId>,
    /// None for guests.
    pub role: Option<status_machine::Role>,
    /// The request.
    pub request_id: Option<String>,
}

impl Actor {
    /// The program itself.
    pub const fn system() -> Actor {
        Actor { user: None, role: Some(status_machine::Role::System), request_id: None }
    }

    /// Their role in the tables of statuses.
    ///
    /// # Errors
    /// `sign_in_needed` for guests.
    pub fn acts_as(&self) -> ServiceResult<status_machine::Role> {
        self.role.ok_or_else(|| ErrorCode::SignInNeeded.into())
    }
}
