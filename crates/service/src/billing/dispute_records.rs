//! Records of disputes that differ from their charge, or from what was given back of it; the payment service decides which is
//! right.

use status_machine::{At, payment::State};

use super::{
    audit,
    difference::DifferenceKind,
    known::moved,
    put_right::{as_at_gateway, own},
    remedy::Repair,
};
use crate::ports::{
    books::BookingFile,
    disputes::{Dispute, DisputeState},
    payments::{DISPUTE_LOST, DISPUTE_OPEN, DISPUTE_WON, GatewayKind, GatewayTransaction, Payment},
};

/// The order id of the charge that a difference is about.
pub(super) fn order_of(file: &BookingFile, what: &DifferenceKind) -> Option<String> {
    match what {
        DifferenceKind::DisputeMissing { .. } => undisputed(file, what).map(|(_, order)| order),
        _ => disputed(file, what).map(|(_, order)| order),
    }
}

/// What puts it right by what the payment service lists under that; none where that is a person's.
pub(super) fn offered(file: &BookingFile, what: &DifferenceKind, found: &[GatewayTransaction]) -> Option<Repair> {
    match what {
        DifferenceKind::DisputeMissing { charge, amount } => {
            let (right, _) = undisputed(file, what)?;
            let calm = |t: &&GatewayTransaction| moved(t) && t.amount == *amount && t.code.is_none();
            own(&right, found).filter(calm)?;
            let right = as_at_gateway(right, found);
            Some(Repair::SetState {
                payment: right.id,
                charge: *charge,
                amount: *amount,
                was: State::ChargedBack.code().to_owned(),
                state: right.state.code().to_owned(),
            })
        }
        DifferenceKind::DisputeBack { .. } | DifferenceKind::DisputeUnmarked { .. } => {
            let (dispute, order_id) = disputed(file, what)?;
            let says = found.iter().filter(|t| t.kind == GatewayKind::Charge).find_map(dispute_state_of)?;
            // The sum is another one than went back.
            let another = matches!(what, DifferenceKind::DisputeBack { back, .. } if back.is_positive());
            (says != dispute.state || another).then_some(Repair::BookDispute { order_id, amount: dispute.amount })
        }
        _ => None,
    }
}

/// The state of a charge's dispute at the payment service.
fn dispute_state_of(t: &GatewayTransaction) -> Option<DisputeState> {
    match t.code.as_deref()? {
        DISPUTE_OPEN => Some(DisputeState::Opened),
        DISPUTE_WON => Some(DisputeState::Won),
        DISPUTE_LOST => Some(DisputeState::Lost),
        _ => None,
    }
}

/// The charge that reads as disputed while no dispute of it is on record, as it should read, and the order id it was made under.
pub(super) fn undisputed(file: &BookingFile, what: &DifferenceKind) -> Option<(Payment, String)> {
    let DifferenceKind::DisputeMissing { charge, amount } = what else { return None };
    let disputed = |r: &&Payment| file.disputes.iter().any(|d| d.payment_id == r.id);
    let reads = |r: &&Payment| (r.kind, r.amount) == (*charge, *amount) && *r.state == State::ChargedBack;
    let mut all = file.rows.iter().filter(|r| reads(r) && !disputed(r));
    let row = all.next().filter(|_| all.next().is_none())?;
    let right = Payment { state: At::stored(audit::state_by_witnesses(file, row)), ..row.clone() };
    Some((right, audit::made_by(file, row)?.order_id.clone()))
}

/// The dispute that a difference is about, and the order id of its charge; none where several are alike.
fn disputed(file: &BookingFile, what: &DifferenceKind) -> Option<(Dispute, String)> {
    let (DifferenceKind::DisputeBack { amount, state, .. } | DifferenceKind::DisputeUnmarked { amount, state }) = what
    else {
        return None;
    };
    let mut alike = file.disputes.iter().filter(|d| d.amount == *amount && d.state.code() == state);
    let dispute = alike.next().filter(|_| alike.next().is_none())?;
    let charge = file.rows.iter().find(|r| r.id == dispute.payment_id)?;
    Some((dispute.clone(), audit::made_by(file, charge)?.order_id.clone()))
}
