//! In which role somebody acted, as histories, notes and the audit trail keep it: none for guests.

use status_machine::{Role, UnknownCode};

/// Nobody was signed in.
const GUEST: &str = "guest";

/// The code of a role; `guest` for none.
pub fn code(role: Option<Role>) -> &'static str {
    role.map_or(GUEST, Role::code)
}

/// The role of a code; none for `guest`.
///
/// # Errors
/// When it is no role.
pub fn role_of(code: &str) -> Result<Option<Role>, UnknownCode> {
    if code == GUEST { Ok(None) } else { code.parse().map(Some) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn roles_read_back_as_they_were_kept() {
        for role in Role::ALL.iter().copied().map(Some).chain([None]) {
            assert_eq!(role_of(code(role)).unwrap(), role);
        }
        assert_eq!(code(None), crate::Role::Guest.code());
        assert!(role_of("operator").is_err());
        assert!(role_of("").is_err());
    }
}
