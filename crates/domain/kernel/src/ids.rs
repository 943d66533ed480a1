//! Typed identifiers, so that a hold's id never stands in for a booking's.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

/// Makes the type of an identifier. Those that several crates speak of are made here; that of a noun of its own, in its
/// port: `kernel::typed_ids! { /// A note.\n NoteId }`.
#[macro_export]
macro_rules! typed_ids {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $crate::uuid::Uuid);

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl From<$crate::uuid::Uuid> for $name {
            fn from(id: $crate::uuid::Uuid) -> Self {
                $name(id)
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::uuid::Error;
            fn from_str(s: &str) -> Result<Self, Self::Err> {
                $crate::uuid::Uuid::parse_str(s).map($name)
            }
        }
    )+};
}

typed_ids! {
    /// A booking.
    BookingId,
    /// A person who can sign in.
    UserId,
    /// A slot hold.
    HoldId,
    /// A scheduled or made charge or refund (one row of the payments table).
    PaymentId,
    /// A ledger entry (a balanced set of lines).
    EntryId,
    /// A rate card.
    RateId,
    /// A discount code's record.
    DiscountId,
    /// A tip.
    TipId,
    /// A durable job.
    JobId,
    /// An audit row.
    AuditId,
    /// A sent or queued message (e-mail, SMS).
    MessageId,
    /// What staff wrote about a booking.
    NoteId,
    /// A list that somebody of the staff keeps.
    ViewId,
    /// A signed-in session of the embedded identity provider.
    SessionId,
    /// A member of the operations team.
    OpsMemberId,
    /// A partner company.
    PartnerId,
    /// A mate.
    MateId,
    /// A truck.
    TruckId,
    /// Days on which a mate or a truck is away.
    AbsenceId,
}

/// The alphabet of short ids: nothing that is misread or misheard (no 0/O, 1/I/L, U).
const SHORT_ALPHABET: &[u8] = b"23456789ABCDEFGHJKMNPQRSTVWXYZ";

/// A booking reference people can read aloud, for example `K7M2QX`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct ShortId(String);

/// Not a short id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a booking reference has six letters or digits, without 0, O, 1, I, L and U")]
pub struct InvalidShortId;

impl ShortId {
    /// Number of characters.
    pub const LEN: usize = 6;

    /// Deterministic from random bytes the caller draws.
    pub fn from_entropy(bytes: [u8; 6]) -> Self {
        // 30 letters do not divide 256; the bias is below 2 % and harmless: a collision is
        // caught by the unique index and drawn again.
        ShortId(bytes.iter().map(|b| char::from(SHORT_ALPHABET[usize::from(*b) % SHORT_ALPHABET.len()])).collect())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ShortId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for ShortId {
    type Err = InvalidShortId;
    fn from_str(s: &str) -> Result<Self, InvalidShortId> {
        let upper = s.trim().to_ascii_uppercase();
        if upper.len() == Self::LEN && upper.bytes().all(|b| SHORT_ALPHABET.contains(&b)) {
            Ok(ShortId(upper))
        } else {
            Err(InvalidShortId)
        }
    }
}

impl<'de> Deserialize<'de> for ShortId {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn short_ids_avoid_confusable_letters() {
        let id = ShortId::from_entropy([0, 29, 30, 255, 17, 99]);
        assert_eq!(id.as_str().len(), 6);
        assert_eq!(id.to_string().to_lowercase().parse::<ShortId>().unwrap(), id);
        for bad in ["", "ABCDE", "ABCDE0", "ABCDEI", "ABC DE"] {
            assert!(bad.parse::<ShortId>().is_err(), "{bad}");
        }
    }
}
