//! What a status lets people see and change.

use super::Status;
use crate::role::Role;

/// How much of a booking somebody may edit. An edit is not a change of status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EditScope {
    /// Nothing.
    Nothing,
    /// Notes, photos and overtime.
    Afterwards,
    /// Everything.
    Everything,
}

/// How much of an own booking `role` may edit. `before_h48`: more than 48 elapsed hours are left
/// until the start; it limits customers and partners only.
pub fn edit_scope(status: Status, role: Role, before_h48: bool) -> EditScope {
    match (status, role) {
        (Status::Pending | Status::Assigned, Role::Ops | Role::Admin) => EditScope::Everything,
        (Status::Pending | Status::Assigned, Role::Customer | Role::Partner) if before_h48 => EditScope::Everything,
        (Status::Completed, Role::Ops | Role::Admin) => EditScope::Afterwards,
        _ => EditScope::Nothing,
    }
}

/// Whether `role` sees bookings of that status at all: deleted ones are an administrator's.
pub fn visible_to(status: Status, role: Role) -> bool {
    status != Status::Deleted || matches!(role, Role::Admin | Role::System)
}

/// The invoice rule: some row of the history goes to completed. A booking wrongly taken back does
/// not lose its right to an invoice.
pub fn passed_completed(history_to: impl IntoIterator<Item = Status>) -> bool {
    history_to.into_iter().any(|status| status == Status::Completed)
}
