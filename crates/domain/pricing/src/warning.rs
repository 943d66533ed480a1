//! What stops a customer from booking a move as described.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A crew that does not suit the move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "Form", try_from = "Form")]
pub enum Warning {
    /// A heavy item, one mate, and the customer does not help.
    HeavyItemSingleMate,
    /// So many heads would do.
    MinMates(u8),
    /// More than one truck, an item only support can book, more than three heads needed, or more
    /// heads asked for than the card lets customers book.
    ContactSupport,
}

impl Warning {
    /// Stable code of the HTTP contract.
    pub const fn code(self) -> &'static str {
        match self {
            Warning::HeavyItemSingleMate => "heavy_item_single_mate",
            Warning::MinMates(_) => "min_mates",
            Warning::ContactSupport => "contact_support",
        }
    }

    /// The heads of [`Warning::MinMates`].
    pub const fn mates(self) -> Option<u8> {
        match self {
            Warning::MinMates(n) => Some(n),
            _ => None,
        }
    }

    /// Key of the text shown, `items.minMates` with the parameter `n`.
    pub const fn message_key(self) -> &'static str {
        match self {
            Warning::HeavyItemSingleMate => "items.heavySingleMate",
            Warning::MinMates(_) => "items.minMates",
            Warning::ContactSupport => "items.contactSupport",
        }
    }

    /// True when a customer cannot book until the request changes. All three block; estimates
    /// are given all the same.
    pub const fn is_blocking(self) -> bool {
        match self {
            Warning::HeavyItemSingleMate | Warning::MinMates(_) | Warning::ContactSupport => true,
        }
    }

    /// True when staff may book in spite of it.
    pub const fn staff_may_override(self) -> bool {
        matches!(self, Warning::ContactSupport)
    }
}

impl fmt::Display for Warning {
    /// `min_mates:3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mates() {
            Some(n) => write!(f, "{}:{n}", self.code()),
            None => f.write_str(self.code()),
        }
    }
}

/// The JSON form: `{"code":"min_mates","mates":3}`.
#[derive(Serialize, Deserialize)]
struct Form {
    code: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mates: Option<u8>,
}

impl From<Warning> for Form {
    fn from(warning: Warning) -> Form {
        Form { code: warning.code().to_owned(), mates: warning.mates() }
    }
}

impl TryFrom<Form> for Warning {
    type Error = &'static str;
    fn try_from(form: Form) -> Result<Warning, &'static str> {
        match (form.code.as_str(), form.mates) {
            ("heavy_item_single_mate", _) => Ok(Warning::HeavyItemSingleMate),
            ("min_mates", Some(n)) => Ok(Warning::MinMates(n)),
            ("contact_support", _) => Ok(Warning::ContactSupport),
            _ => Err("not a warning about the crew"),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn json_is_that_of_the_contract() {
        let all = [Warning::HeavyItemSingleMate, Warning::MinMates(3), Warning::ContactSupport];
        let json = serde_json::to_string(&all).unwrap();
        assert_eq!(
            json,
            r#"[{"code":"heavy_item_single_mate"},{"code":"min_mates","mates":3},{"code":"contact_support"}]"#
        );
        assert_eq!(serde_json::from_str::<Vec<Warning>>(&json).unwrap(), all);
        assert!(serde_json::from_str::<Warning>(r#"{"code":"min_mates"}"#).is_err());
        assert!(all.into_iter().all(Warning::is_blocking));
        assert_eq!(all.map(Warning::staff_may_override), [false, false, true]);
    }
}
