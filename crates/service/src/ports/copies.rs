//! A copy of the booking fields that decide about its money, kept beside its row whenever the program writes it. It
//! shows that somebody changed the row in the database, and the row can be put back.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::bookings::Booking;

/// A copy of those fields, by their names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BookingCopy(Map<String, Value>);

/// A field that reads something else than the program wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Misread {
    /// One of [`BookingCopy::FIELDS`].
    pub field: String,
    /// As the row has it.
    pub reads: Value,
    /// As the program wrote it.
    pub right: Value,
}

macro_rules! copied {
    ($($name:literal: $($path:ident).+;)+) => {
        impl BookingCopy {
            /// Names of all fields.
            pub const FIELDS: &'static [&'static str] = &[$($name),+];

            /// Of a booking.
            ///
            /// # Errors
            /// When a field has no JSON form.
            pub fn of(b: &Booking) -> serde_json::Result<BookingCopy> {
                let mut all = Map::new();
                $(all.insert($name.to_owned(), serde_json::to_value(&b.$($path).+)?);)+
                Ok(BookingCopy(all))
            }

            /// The booking as the program wrote it. What the copy lacks, because it is of an older version, stays.
            ///
            /// # Errors
            /// When a field cannot be read any more.
            pub fn righted(&self, b: &Booking) -> serde_json::Result<Booking> {
                let mut right = b.clone();
                $(if let Some(value) = self.0.get($name) {
                    right.$($path).+ = serde_json::from_value(value.clone())?;
                })+
                Ok(right)
            }
        }
    };
}

copied! {
    "status": status;
    "customer": user_id;
    "partner": partner_id;
    "bookedAt": created_at;
    "moveAt": move_at;
    "province": province;
    "hub": hub;
    "mateCount": mate_count;
    "duration": duration_minutes;
    "amount": amount;
    "tax": tax;
    "total": total;
    "completedAt": completed_at;
    "cancelledAt": cancelled_at;
    "lines": details.lines;
    "originalAmount": details.original_amount;
    "discount": details.discount;
    "taxRate": details.tax_rate;
    "taxes": details.taxes;
    "changeFees": details.change_fees;
    "policy": details.policy;
    "lockEntered": details.lock_entered;
    "paidBy": details.paid_by;
    "cancelReason": details.cancel_reason;
    "cancelledBy": details.cancelled_by;
    "kept": details.kept;
    "paymentProblem": details.payment_problem;
    "credits": details.credits;
    "overtime": details.overtime;
    "consents": details.consents;
    "chargesWait": details.charges_wait;
    "writeOffs": details.write_offs;
}

impl BookingCopy {
    /// The booking as the program wrote it, and what of its row reads something else.
    ///
    /// # Errors
    /// When a field cannot be read or written.
    pub fn compared(&self, b: &Booking) -> serde_json::Result<(Booking, Vec<Misread>)> {
        let right = self.righted(b)?;
        // Both written by this version: a field that an older one wrote in another form differs by nothing.
        let (BookingCopy(reads), BookingCopy(wrote)) = (BookingCopy::of(b)?, BookingCopy::of(&right)?);
        let differs = |name: &&&str| reads.get(**name) != wrote.get(**name);
        let value = |of: &Map<String, Value>, name: &str| of.get(name).cloned().unwrap_or(Value::Null);
        let misread =
            |name: &&str| Misread { field: (*name).to_owned(), reads: value(&reads, name), right: value(&wrote, name) };
        let all = BookingCopy::FIELDS.iter().filter(differs).map(misread).collect();
        Ok((right, all))
    }
}
