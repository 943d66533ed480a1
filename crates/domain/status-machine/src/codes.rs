//! Enums with stable codes, as stored and as sent.

/// A text that is none of the codes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code:?} is not a {noun}")]
pub struct UnknownCode {
    /// What was expected.
    pub noun: &'static str,
    /// What came.
    pub code: String,
}

/// Declares an enum whose text form (display, parse, serde) is a fixed code for each variant.
macro_rules! coded {
    ($(#[$meta:meta])* $name:ident, $noun:literal { $($(#[$doc:meta])* $variant:ident = $code:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$doc])* $variant),+
        }

        impl $name {
            /// Every one, in the order of the documentation.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The code, as stored and sent.
            pub const fn code(self) -> &'static str {
                match self {
                    $($name::$variant => $code),+
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.code())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::UnknownCode;
            fn from_str(s: &str) -> Result<Self, $crate::UnknownCode> {
                match s {
                    $($code => Ok($name::$variant),)+
                    other => Err($crate::UnknownCode { noun: $noun, code: other.to_owned() }),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_str(self.code())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
                <String as serde::Deserialize>::deserialize(d)?.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{MessageKind, Role, booking, hold, invoice, payment, records, task};

    macro_rules! round_trips {
        ($($ty:ty),+ $(,)?) => {$(
            for value in <$ty>::ALL {
                assert_eq!(value.code().parse::<$ty>().as_ref(), Ok(value));
                let json = serde_json::to_string(value).unwrap();
                assert_eq!(json, format!("\"{value}\""));
                assert_eq!(&serde_json::from_str::<$ty>(&json).unwrap(), value);
            }
            assert!("".parse::<$ty>().is_err());
            assert!(serde_json::from_str::<$ty>("\"nonsense\"").is_err());
        )+};
    }

    #[test]
    fn codes_round_trip_and_others_are_refused() {
        round_trips!(
            Role,
            MessageKind,
            booking::Status,
            booking::Guard,
            invoice::State,
            invoice::Guard,
            payment::State,
            payment::AttemptState,
            payment::Guard,
            task::State,
            task::Trigger,
            task::UploadState,
            hold::State,
            records::MateState,
            records::PartnerState,
            records::CheckoutState,
            records::DeliveryState,
            records::FeedbackState,
        );
        assert_eq!("paid".parse::<booking::Status>().unwrap_err().to_string(), "\"paid\" is not a booking status");
    }

    #[test]
    fn the_specification_s_spelling_is_kept() {
        let codes: Vec<_> = booking::Status::ALL.iter().map(|s| s.code()).collect();
        assert_eq!(codes, ["pending", "assigned", "completed", "invoiced", "payed", "cancelled", "deleted"]);
    }
}
