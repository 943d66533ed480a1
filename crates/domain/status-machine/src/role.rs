//! Who asks for a step.

coded! {
    /// The part somebody plays when asking for a step.
    Role, "role" {
        /// The person who moves.
        Customer = "customer",
        /// Somebody who carries.
        Mate = "mate",
        /// A partner company's person.
        Partner = "partner",
        /// Operations staff.
        Ops = "ops",
        /// Operations staff who may also restore what was deleted.
        Admin = "admin",
        /// Portage itself: jobs, webhooks.
        System = "system",
    }
}

impl Role {
    /// Operations or administrator.
    pub const fn is_staff(self) -> bool {
        matches!(self, Role::Ops | Role::Admin)
    }
}

/// Operations and administrators.
pub(crate) const STAFF: &[Role] = &[Role::Ops, Role::Admin];
/// Staff, and Portage itself.
pub(crate) const STAFF_OR_SYSTEM: &[Role] = &[Role::Ops, Role::Admin, Role::System];
/// Portage itself.
pub(crate) const SYSTEM: &[Role] = &[Role::System];
