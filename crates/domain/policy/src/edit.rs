//! What a change of a booking costs and settles.

use kernel::{
    Money,
    chrono::{DateTime, Utc},
};
use serde::{Deserialize, Serialize};

use crate::{ChangeFeeMode, ChargeKind, Facts, Settings};

/// Who wants the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestedBy {
    /// The customer, online or through staff.
    Customer,
    /// Our own wish.
    Staff,
}

/// What kind of change it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Change {
    /// Date or time, addresses, floors, elevator, parking, access, items, move kind, mates,
    /// client as mate, just mates or ride along; not contact details, notes, photos, language,
    /// tip.
    pub material: bool,
    /// Who wants it.
    pub by: RequestedBy,
    /// Staff waive the fee.
    pub waived: bool,
}

/// The share of `amount_before` (before tax) a late change costs, whoever decides that it does.
pub fn change_fee_amount(s: &Settings, amount_before: Money) -> Money {
    amount_before.share(s.change_fee).max(Money::ZERO)
}

/// The fee of a change at `at`, before tax: zero unless the change is material, asked for by the
/// customer after the free window, with a mate assigned, and not waived. In the manual mode
/// staff add [`change_fee_amount`] themselves.
///
/// `amount_before` is the booking's amount before tax as it was before the change, `facts` what
/// held then.
pub fn change_fee(s: &Settings, facts: &Facts, amount_before: Money, at: DateTime<Utc>, change: &Change) -> Money {
    let costs = s.change_fee_mode == ChangeFeeMode::Auto
        && change.material
        && change.by == RequestedBy::Customer
        && !change.waived
        && facts.mate_assigned
        && at > facts.free_until(s);
    if costs { change_fee_amount(s, amount_before) } else { Money::ZERO }
}

/// What an edit moves at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EditSettlement {
    /// Paid beyond the new total; newest charge first.
    pub refund: Money,
    /// To charge together with the edit: if the card fails, the edit is rejected as a whole.
    pub charge_now: Option<(ChargeKind, Money)>,
}

/// What an edit at `at` settles. `facts` are those after it: new total, new move instant.
pub fn settle_edit(s: &Settings, facts: &Facts, at: DateTime<Utc>) -> EditSettlement {
    let missing = facts.missing();
    let refund = missing.negated().max(Money::ZERO);
    let kind = if facts.balance_captured {
        Some(ChargeKind::Difference)
    } else if at >= facts.lock_at(s) {
        Some(if facts.captured.is_positive() { ChargeKind::Balance } else { ChargeKind::Full })
    } else {
        None
    };
    EditSettlement { refund, charge_now: kind.filter(|_| missing.is_positive()).map(|k| (k, missing)) }
}

/// Whether the customer may change the booking online: not after the 48-hour charge came due,
/// also when the move was postponed since, or lowering the price would give back what the
/// policy keeps.
pub fn customer_may_edit(s: &Settings, facts: &Facts, at: DateTime<Utc>) -> bool {
    !facts.is_locked(s, at)
}

/// Whether a discount code may still be added or changed: within the free window only.
pub fn customer_may_change_discount(s: &Settings, facts: &Facts, at: DateTime<Utc>) -> bool {
    customer_may_edit(s, facts, at) && at <= facts.free_until(s)
}
