//! Disputes as staff see them: what the bank asks, until when, and which papers answer it.

use kernel::{Money, UserId};
use serde_json::json;

use crate::{
    Error, ErrorCode, ServiceResult, Services, Staff,
    billing::{apart, lease, ledger},
    bookings::trail::Names,
    ports::{
        Unit,
        bookings::Booking,
        disputes::{Dispute, DisputeId, DisputeState, Evidence, Paper},
    },
};

/// A dispute with its booking.
#[derive(Debug, Clone)]
pub struct Case {
    /// What the bank says, and what staff wrote.
    pub dispute: Dispute,
    /// Whose.
    pub booking: Booking,
    /// What the charge was for.
    pub charge: crate::ports::payments::PaymentKind,
    /// It was lost, some of it is owed still, and that can be given up.
    pub can_write_off: bool,
    /// Every paper of the list, and who wrote at it last.
    pub papers: Vec<(Evidence, Option<String>)>,
}

/// A page of disputes.
#[derive(Debug, Clone)]
pub struct Cases {
    /// Open ones first, the next deadline first.
    pub data: Vec<Case>,
    /// Of how many.
    pub total: i64,
}

fn case(u: &mut dyn Unit, dispute: Dispute, names: &mut Names) -> ServiceResult<Case> {
    let booking = u.bookings().get(dispute.booking_id)?.ok_or(ErrorCode::NotFound)?;
    let rows = u.payments().of_booking(booking.id)?;
    let row = rows.iter().find(|r| r.id == dispute.payment_id).ok_or(ErrorCode::NotFound)?;
    let charge = row.kind;
    let can_write_off =
        dispute.state == DisputeState::Lost && apart::to_be_written_off(&booking, &rows, row).is_positive();
    let mut papers = Vec::with_capacity(Paper::ALL.len());
    for paper in Paper::ALL {
        let written = dispute.evidence.iter().find(|e| e.paper == paper).cloned();
        let empty = Evidence { paper, sent: false, note: String::new(), by: None, at: dispute.opened_at };
        let paper = written.unwrap_or(empty);
        let name = names.of(u, paper.by)?;
        papers.push((paper, name));
    }
    Ok(Case { dispute, booking, charge, can_write_off, papers })
}

/// `GET /disputes`.
///
/// # Errors
/// When the database fails.
pub async fn list(s: &Services, _: &Staff, page: i64, per_page: i64) -> ServiceResult<Cases> {
    s.store
        .read(move |u| {
            let (rows, total) = u.disputes().listed(page.saturating_sub(1).saturating_mul(per_page), per_page)?;
            let mut names = Names::default();
            let data = rows.into_iter().map(|d| case(u, d, &mut names)).collect::<ServiceResult<_>>()?;
            Ok(Cases { data, total })
        })
        .await
}

/// `GET /disputes/{id}`.
///
/// # Errors
/// `not_found`.
pub async fn get(s: &Services, _: &Staff, id: DisputeId) -> ServiceResult<Case> {
    s.store
        .read(move |u| {
            let dispute = u.disputes().get(id)?.ok_or(ErrorCode::NotFound)?;
            case(u, dispute, &mut Names::default())
        })
        .await
}

/// What staff write at a paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Which.
    pub paper: Paper,
    /// It was sent to the bank.
    pub sent: bool,
    /// A note.
    pub note: String,
}

/// What staff write down about a dispute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DisputeUpdate {
    /// At these papers; the others stay as they are.
    pub papers: Vec<Written>,
    /// What the gateway and the bank kept for themselves, as the gateway's statement says.
    pub fee: Money,
}

/// `PUT /disputes/{id}`: ticks papers that were sent, with a note, and writes down the fee.
///
/// # Errors
/// `not_found`; `version_conflict`; the field `fee` when it is below zero; `payment_in_flight`.
pub async fn put(s: &Services, staff: &Staff, id: DisputeId, new: DisputeUpdate, version: i32) -> ServiceResult<Case> {
    if new.fee.is_negative() {
        return Err(Error::field("fee", crate::FieldProblem::AtLeast(crate::Limit::NOTHING)));
    }
    s.write(staff.actor(), move |tx| {
        let known = tx.unit.disputes().get(id)?.ok_or(ErrorCode::NotFound)?;
        let b = tx.unit.bookings().lock(known.booking_id)?.ok_or(ErrorCode::NotFound)?;
        // Again, under the lock.
        let mut dispute = tx.unit.disputes().get(id)?.ok_or(ErrorCode::NotFound)?;
        if dispute.version != version {
            return Err(ErrorCode::VersionConflict.into());
        }
        let before = json!({ "evidence": dispute.evidence, "fee": dispute.fee });
        let more = new.fee.minus(dispute.fee);
        if !more.is_zero() {
            if lease::under_way(tx.unit, b.id)? {
                return Err(ErrorCode::PaymentInFlight.into());
            }
            ledger::dispute_fee(tx, &b, &dispute, more)?;
            dispute.fee = new.fee;
        }
        for written in new.papers {
            write(&mut dispute, written, tx.actor.user, tx.now);
        }
        dispute.version = tx.unit.disputes().update(&dispute)?;
        let after = json!({ "dispute": id, "evidence": dispute.evidence, "fee": dispute.fee });
        tx.audit("booking.dispute", b.id, Some(before), Some(after))?;
        case(tx.unit, dispute, &mut Names::default())
    })
    .await
}

fn write(d: &mut Dispute, new: Written, by: Option<UserId>, at: kernel::chrono::DateTime<kernel::chrono::Utc>) {
    let note = new.note.trim().to_owned();
    let known = d.evidence.iter_mut().find(|e| e.paper == new.paper);
    match known {
        Some(e) if e.sent == new.sent && e.note == note => {}
        Some(e) => *e = Evidence { paper: new.paper, sent: new.sent, note, by, at },
        None if !new.sent && note.is_empty() => {}
        None => d.evidence.push(Evidence { paper: new.paper, sent: new.sent, note, by, at }),
    }
}
