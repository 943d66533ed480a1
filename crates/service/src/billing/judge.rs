//! What differs between what the gateway did under one order id and what we wrote.

use kernel::Money;

use super::{difference::DifferenceKind, known::OrderRecord};
use crate::ports::{
    disputes::DisputeState,
    payments::{AttemptState, DISPUTE_LOST, DISPUTE_OPEN, DISPUTE_WON, GatewayKind, GatewayStatus, GatewayTransaction},
};

/// Result of comparing what the gateway did under an order id with what we wrote.
#[derive(Default)]
pub(super) struct Judged {
    /// What differs.
    pub told: Vec<DifferenceKind>,
    /// Refunds that nobody here asked for.
    pub back: Vec<GatewayTransaction>,
}

impl Judged {
    pub fn is_empty(&self) -> bool {
        self.told.is_empty() && self.back.is_empty()
    }
}

/// The transactions that still count. Left out are charges that are not ours and whose money is back with the customer (voided,
/// or refunded as a whole), and the refunds of those.
fn standing<'a>(known: Option<&OrderRecord>, made: &[&'a GatewayTransaction]) -> Vec<&'a GatewayTransaction> {
    let of = |t: &GatewayTransaction, charge: &str| matches!(&t.kind, GatewayKind::Refund { of } if of == charge);
    let foreign = |t: &GatewayTransaction| match known {
        None => true,
        Some(k) if matches!(*k.attempt.state, AttemptState::Applied | AttemptState::Sent) => {
            k.attempt.transaction_id.is_some() && !k.names(t)
        }
        // An attempt that we gave up and the gateway applied later is ours, unless it was voided.
        Some(_) => t.status == GatewayStatus::Voided,
    };
    let ended = |t: &GatewayTransaction| {
        let back: Money = made.iter().filter(|r| of(r, &t.id)).map(|r| r.amount).sum();
        t.kind == GatewayKind::Charge && foreign(t) && (t.status == GatewayStatus::Voided || back >= t.amount)
    };
    let gone: Vec<&str> = made.iter().filter(|t| ended(t)).map(|t| t.id.as_str()).collect();
    let stands = |t: &&GatewayTransaction| !gone.iter().any(|id| t.id == *id || of(t, id));
    made.iter().copied().filter(stands).collect()
}

/// What differs under one order id.
///
/// - `made`: transactions of the gateway that moved money under it.
/// - `open`: a checkout under way uses the order id, or its money was already returned as a stray.
/// - `elsewhere`: what we asked for is recorded at the gateway under another order id (a void is, on its charge).
/// - `ours`: true for refunds that our own records name.
pub(super) fn judge(
    known: Option<&OrderRecord>,
    open: bool,
    made: &[&GatewayTransaction],
    elsewhere: bool,
    ours: &dyn Fn(&GatewayTransaction) -> bool,
) -> Judged {
    // The deed of a refund's own order id.
    let own = |t: &GatewayTransaction| {
        known.is_some_and(|k| k.is_refund() && (!k.is_applied() || k.attempt.transaction_id.is_none() || k.names(t)))
    };
    let (mut made_here, mut judged) = (Vec::new(), Judged::default());
    for t in standing(known, made) {
        match &t.kind {
            GatewayKind::Refund { .. } if !own(t) => {
                let explained = ours(t) || (open && known.is_none());
                if !explained {
                    judged.back.push(t.clone());
                }
            }
            _ => made_here.push(t),
        }
    }
    judged.told = differences_of(known, open, &made_here, elsewhere, ours);
    judged
}

fn differences_of(
    known: Option<&OrderRecord>,
    open: bool,
    made: &[&GatewayTransaction],
    elsewhere: bool,
    ours: &dyn Fn(&GatewayTransaction) -> bool,
) -> Vec<DifferenceKind> {
    let mut differences = Vec::new();
    if made.len() > 1 {
        differences.push(DifferenceKind::GatewayTwice { many: made.len() });
    }
    let booked = |state| known.is_some_and(|k| k.is_disputed(state));
    for t in made {
        let amount = t.amount;
        match t.code.as_deref() {
            Some(DISPUTE_LOST) if !booked(DisputeState::Lost) => {
                differences.push(DifferenceKind::DisputeLost { amount })
            }
            Some(DISPUTE_OPEN) if !booked(DisputeState::Opened) => {
                differences.push(DifferenceKind::DisputeOpen { amount })
            }
            Some(DISPUTE_WON) if booked(DisputeState::Opened) => {
                differences.push(DifferenceKind::DisputeWon { amount })
            }
            _ => {}
        }
    }
    // Of several the one that is ours.
    let first = made.iter().copied().find(|t| known.is_some_and(|k| k.names(t))).or_else(|| made.first().copied());
    match (first, known) {
        (Some(t), None) if !open => differences.push(DifferenceKind::GatewayUnknown { amount: t.amount }),
        (Some(t), Some(k)) if !matches!(*k.attempt.state, AttemptState::Applied | AttemptState::Sent) => {
            let state = k.attempt.state.code().to_owned();
            differences.push(DifferenceKind::GatewayMoved { amount: t.amount, state });
        }
        (Some(t), Some(k)) if k.expected(t) != t.amount => {
            differences.push(DifferenceKind::GatewayAmount { amount: t.amount, ours: k.expected(t) });
        }
        // A void that we asked for is a refund in our records.
        (Some(t), Some(k))
            if t.status == GatewayStatus::Voided && k.is_applied() && !k.is_refund() && k.names(t) && !ours(t) =>
        {
            let (transaction, charge, amount) = (t.id.clone(), k.kind, t.amount);
            differences.push(DifferenceKind::VoidOutside { transaction, charge, amount });
        }
        _ => {}
    }
    let Some(k) = known.filter(|k| k.is_applied()) else { return differences };
    if made.is_empty() && !elsewhere {
        differences.push(DifferenceKind::GatewayMissing { amount: k.attempt.amount });
    }
    let want = k.expected_amount();
    match k.posted {
        Some(posted) if posted == want => {}
        Some(posted) => differences.push(DifferenceKind::LedgerAmount { posted, ours: want }),
        None => differences.push(DifferenceKind::LedgerMissing { amount: want }),
    }
    differences
}
