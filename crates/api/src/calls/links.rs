//! What calls behind mailed links share: the secret in the path, and the move that a page is about.

use kernel::chrono::NaiveDate;
use service::ports::bookings::Booking;

use super::values::HourMinute;

/// The text of a secret, if it is one: 43 characters of base64 for addresses.
pub(super) fn secret(text: &str) -> Option<String> {
    let is_one = text.len() == 43 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b));
    is_one.then(|| text.to_owned())
}

/// Secrets in paths that are each of a kind of record: `secrets! { PayToken: Record::PayLink }`.
macro_rules! secrets {
    ($($token:ident: $record:expr),+ $(,)?) => {$(
        /// The secret of a link.
        pub(super) struct $token(String);

        impl std::str::FromStr for $token {
            type Err = ();

            fn from_str(text: &str) -> Result<$token, ()> {
                $crate::calls::links::secret(text).map($token).ok_or(())
            }
        }

        impl $crate::contract::Names for $token {
            const RECORD: $crate::contract::Record = $record;
        }
    )+};
}
pub(super) use secrets;

/// The move a link is about, as whoever holds it is shown: enough to know that it is theirs.
pub(super) struct LinkedMove {
    pub short_id: String,
    pub first_name: String,
    /// Local day of the move.
    pub date: NaiveDate,
    pub time: HourMinute,
    pub zone: String,
    /// Municipality of the pickup.
    pub from: String,
    /// Municipality of the drop-off.
    pub to: String,
}

impl LinkedMove {
    pub fn of(b: &Booking) -> LinkedMove {
        LinkedMove {
            short_id: b.short_id.to_string(),
            first_name: b.details.customer_name.split_whitespace().next().unwrap_or_default().to_owned(),
            date: b.move_date,
            time: HourMinute(b.move_time),
            zone: b.zone.to_string(),
            from: b.details.pickup.address.city.clone(),
            to: b.details.dropoff.address.city.clone(),
        }
    }
}
