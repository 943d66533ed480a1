//! The rate card's file keeps money, shares and rates as plain integers; kernel's own JSON form
//! is a decimal string. These modules are for `#[serde(with = …)]`.

macro_rules! as_int {
    ($module:ident, $type:ty, $from:expr, $to:expr) => {
        pub(crate) mod $module {
            use serde::{Deserialize, Deserializer, Serializer};

            pub(crate) fn serialize<S: Serializer>(value: &$type, s: S) -> Result<S::Ok, S::Error> {
                s.serialize_i64($to(*value))
            }

            pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<$type, D::Error> {
                i64::deserialize(d).map($from)
            }
        }
    };
}

as_int!(cents, kernel::Money, kernel::Money::from_cents, kernel::Money::cents);
as_int!(bp, kernel::BasisPoints, kernel::BasisPoints::new, kernel::BasisPoints::get);
as_int!(ppm, kernel::Ppm, kernel::Ppm::new, kernel::Ppm::get);

macro_rules! as_optional_int {
    ($module:ident, $type:ty, $from:expr, $to:expr) => {
        pub(crate) mod $module {
            use serde::{Deserialize, Deserializer, Serialize, Serializer};

            pub(crate) fn serialize<S: Serializer>(value: &Option<$type>, s: S) -> Result<S::Ok, S::Error> {
                value.map($to).serialize(s)
            }

            pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<$type>, D::Error> {
                Ok(Option::<i64>::deserialize(d)?.map($from))
            }
        }
    };
}

as_optional_int!(optional_cents, kernel::Money, kernel::Money::from_cents, kernel::Money::cents);
as_optional_int!(optional_bp, kernel::BasisPoints, kernel::BasisPoints::new, kernel::BasisPoints::get);

/// Three amounts in cents, one a tier.
pub(crate) mod cents_by_tier {
    use kernel::Money;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(value: &[Money; 3], s: S) -> Result<S::Ok, S::Error> {
        value.map(Money::cents).serialize(s)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<[Money; 3], D::Error> {
        <[i64; 3]>::deserialize(d).map(|a| a.map(Money::from_cents))
    }
}

/// The same, or nothing.
pub(crate) mod optional_cents_by_tier {
    use kernel::Money;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(value: &Option<[Money; 3]>, s: S) -> Result<S::Ok, S::Error> {
        value.map(|a| a.map(Money::cents)).serialize(s)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<Option<[Money; 3]>, D::Error> {
        Ok(Option::<[i64; 3]>::deserialize(d)?.map(|a| a.map(Money::from_cents)))
    }
}
