//! What the audit trail tells of money by hand: who wrote down what at which instant.

use crate::{
    ServiceResult,
    ports::{
        Unit,
        audit::AuditRow,
        payments::{PaidWith, Payment, PaymentKind},
    },
};

/// What staff wrote down.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    Received,
    HandedOver,
    TakenOut,
}

impl Deed {
    /// Maps an audit action to the manual entry and the JSON field with its amount.
    fn of(action: &str) -> Option<(Deed, &'static str)> {
        match action {
            "booking.receive" => Some((Deed::Received, "payment")),
            "booking.hand_over" | "booking.pay_back" => Some((Deed::HandedOver, "refund")),
            "booking.undo_payment" => Some((Deed::TakenOut, "payment")),
            _ => None,
        }
    }
}

/// An action of the trail by which staff wrote down money by hand.
pub fn is_by_hand(action: &str) -> bool {
    Deed::of(action).is_some()
}

/// What staff wrote down of a row's money, whatever the way it came or went by.
///
/// # Errors
/// When the database fails.
pub(super) fn deeds(u: &mut dyn Unit, row: &Payment) -> ServiceResult<Vec<(Deed, serde_json::Value)>> {
    let Some(at) = row.settled_at.filter(|_| row.method.is_by_hand()) else { return Ok(Vec::new()) };
    let amount = serde_json::to_value(row.amount).unwrap_or_default();
    let of_it = |a: &AuditRow| {
        let (deed, name) = Deed::of(&a.action).filter(|_| a.at == at)?;
        let told = a.after.as_ref()?.get(name)?;
        // Of what is taken out the trail tells the whole; a part of it may have gone back before.
        let whole = deed == Deed::TakenOut || told.get("amount") == Some(&amount);
        let kind = (row.kind == PaymentKind::Refund) == (deed != Deed::Received);
        (whole && kind).then(|| (deed, told.clone()))
    };
    Ok(u.audits().of_subject("booking", &row.booking_id.to_string())?.iter().filter_map(of_it).collect())
}

/// Gives a row that was made up from its entry the way and the reference that staff wrote down: the ledger has one account for
/// transfers and cheques. Where the trail tells of several at that instant, it stays as it is.
///
/// # Errors
/// When the database fails.
pub(super) fn complete(u: &mut dyn Unit, row: &mut Payment) -> ServiceResult<()> {
    let deeds = deeds(u, row)?;
    let [(deed, told)] = deeds.as_slice() else { return Ok(()) };
    let text = |name: &str| told.get(name).and_then(serde_json::Value::as_str);
    let method = text("method").and_then(PaidWith::from_code);
    if let Some(method) = method.filter(|m| m.is_by_hand() && m.account() == row.method.account()) {
        row.method = method;
        if *deed != Deed::TakenOut {
            row.reference = text("reference").map(str::to_owned);
        }
    }
    Ok(())
}
