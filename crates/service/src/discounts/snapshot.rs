//! A code as it stands in the audit trail.

use serde_json::{Value, json};

use crate::ports::discounts::StoredDiscount;

pub(super) fn snapshot(d: &StoredDiscount) -> Value {
    let kinds: Vec<&str> = d.kinds.iter().map(|k| k.code()).collect();
    json!({
        "code": d.code, "terms": d.terms, "validFrom": d.valid_from, "validUntil": d.valid_until,
        "bookableFrom": d.bookable_from, "bookableUntil": d.bookable_until, "provinces": d.provinces, "kinds": kinds,
        "maxUses": d.max_uses, "maxUsesPerCustomer": d.max_uses_per_customer, "firstBookingOnly": d.first_booking_only,
        "disabled": d.disabled,
    })
}
