//! The entries of each fact about money. Debits are positive; every entry sums to zero.

use kernel::{EntryId, Money, PaymentId};
use status_machine::booking::Status;

use crate::{
    Error, ServiceResult, Tx,
    billing::{dates, facts::is_of_tip},
    ports::{
        bookings::Booking,
        disputes::Dispute,
        ledger::{Account, Entry, EntryLine},
        payments::{Payment, PaymentKind},
        priced::Tax,
    },
};

/// The account that a booking's money lies in and that its price is owed on. Quebec wants what is paid for a move more than
/// two months away held in trust until that move is done (CPA s. 256, `policy-timeline.md` §8); once it is done or cancelled
/// nothing is held for it any more, and what is left is between the company and its customer.
pub fn prepaid(b: &Booking) -> Account {
    let ahead = matches!(b.status, Status::Pending | Status::Assigned);
    let trust = ahead && policy::trust_account_required(&b.details.policy, b.province, b.created_at, b.move_at);
    if trust { Account::Trust } else { Account::Customer }
}

/// Kind of the entry by which a bank holds a charge that is disputed.
pub const DISPUTE_OPENED: &str = "dispute_opened";
/// Kind of the entry of a dispute that was won.
pub const DISPUTE_WON: &str = "dispute_won";
/// Kind of the entry of a dispute that was lost.
pub const DISPUTE_LOST: &str = "dispute_lost";
/// Kind of the entry that takes out a payment by hand that never came.
pub const UNDONE: &str = "undone";
/// Kind of the entry of what was given up.
pub const WRITE_OFF: &str = "write_off";
/// Kind of the entry of what was given up and is not owed any more.
pub const WRITE_OFF_ENDED: &str = "write_off_ended";
/// Kind of the entry that puts the books right; of a payment it turns another entry of that payment around.
pub const CORRECTION: &str = "correction";
/// Kind of the entry of a refund that the bank did not take.
pub const REFUND_DECLINED: &str = "refund_declined";
const CREDIT: &str = "credit";
const OVERTIME: &str = "overtime";
const DISPUTE_FEE: &str = "dispute_fee";

/// Every kind of entry; each has its words (`entry.<kind>`).
pub const KINDS: [&str; 20] = [
    "capture",
    "tip",
    "refund",
    "completion",
    "completion_undone",
    "cancellation",
    "cancellation_undone",
    "trust_transfer",
    CORRECTION,
    DISPUTE_OPENED,
    DISPUTE_WON,
    super::facts::SETTLEMENT_DECLINED,
    REFUND_DECLINED,
    DISPUTE_LOST,
    DISPUTE_FEE,
    UNDONE,
    WRITE_OFF,
    WRITE_OFF_ENDED,
    CREDIT,
    OVERTIME,
];

fn line(account: Account, amount: Money) -> EntryLine {
    EntryLine { account, amount }
}

/// Whether somebody writes it down, rather than that it has happened at the gateway or to a move.
fn is_written(kind: &str, lines: &[EntryLine]) -> bool {
    [UNDONE, WRITE_OFF, CREDIT, OVERTIME, DISPUTE_FEE].contains(&kind)
        || lines.iter().any(|l| matches!(l.account, Account::Cash | Account::Bank))
}

#[allow(clippy::too_many_arguments, reason = "one entry, column by column; private to this file")]
fn post(
    tx: &mut Tx<'_>,
    b: &Booking,
    payment: Option<PaymentId>,
    kind: &str,
    fact: String,
    lines: Vec<EntryLine>,
) -> ServiceResult<()> {
    debug_assert!(KINDS.contains(&kind), "{kind} has no words");
    if lines.iter().all(|l| l.amount.is_zero()) {
        return Ok(());
    }
    let at = if is_written(kind, &lines) { dates::of_writing(tx)? } else { dates::of_fact(tx)? };
    let entry = Entry::new(EntryId(tx.id()), b.id, payment, at, kind, fact, lines)
        .map_err(|e| Error::Internal(format!("{kind} of {}: {e}", b.short_id)))?;
    tx.unit.ledger().append(&entry)?;
    Ok(())
}

/// Whom the money of a charge is owed to: the mates, or the customer until the move is done.
fn owed_for(b: &Booking, p: &Payment) -> Account {
    if p.kind == PaymentKind::Tip { Account::TipsPayable } else { prepaid(b) }
}

/// How the fact begins of an entry that tells of a payment's money: that it came, or went back. Its order id follows.
pub(super) fn word(kind: PaymentKind) -> &'static str {
    if kind == PaymentKind::Refund { "refund" } else { "capture" }
}

/// Money came: the gateway took it, or somebody by hand. A tip is owed to the mates at once.
///
/// # Errors
/// `Duplicate` when this order id was posted already.
pub fn capture(tx: &mut Tx<'_>, b: &Booking, p: &Payment, order_id: &str) -> ServiceResult<()> {
    let to = owed_for(b, p);
    let kind = if to == Account::TipsPayable { "tip" } else { "capture" };
    let lines = vec![line(p.method.account(), p.amount), line(to, p.amount.negated())];
    post(tx, b, Some(p.id), kind, format!("capture:{order_id}"), lines)
}

/// The bank refused a captured charge when it settled: the capture is turned around.
///
/// # Errors
/// `Duplicate` when this order id was posted already.
pub fn settlement_declined(tx: &mut Tx<'_>, b: &Booking, p: &Payment, order_id: &str) -> ServiceResult<()> {
    let lines = vec![line(owed_for(b, p), p.amount), line(Account::Gateway, p.amount.negated())];
    let kind = super::facts::SETTLEMENT_DECLINED;
    post(tx, b, Some(p.id), kind, format!("{kind}:{order_id}"), lines)
}

/// A cardholder disputes a charge: the bank has its money until it decided.
///
/// # Errors
/// `Duplicate` when this dispute was posted already.
pub fn dispute_opened(tx: &mut Tx<'_>, b: &Booking, p: &Payment, d: &Dispute) -> ServiceResult<()> {
    let lines = vec![line(Account::Disputes, d.amount), line(Account::Gateway, d.amount.negated())];
    post(tx, b, Some(p.id), DISPUTE_OPENED, format!("dispute_opened:{}", d.gateway_id), lines)
}

/// The bank decided for us: its money is back.
///
/// # Errors
/// `Duplicate` when this dispute was posted already.
pub fn dispute_won(tx: &mut Tx<'_>, b: &Booking, p: &Payment, d: &Dispute) -> ServiceResult<()> {
    let lines = vec![line(Account::Gateway, d.amount), line(Account::Disputes, d.amount.negated())];
    post(tx, b, Some(p.id), DISPUTE_WON, format!("dispute_won:{}", d.gateway_id), lines)
}

/// The bank decided for the cardholder: whom the charge was owed to, it is no more. `back` is the row of it.
///
/// # Errors
/// `Duplicate` when this dispute was posted already.
pub fn dispute_lost(tx: &mut Tx<'_>, b: &Booking, charge: &Payment, back: &Payment, d: &Dispute) -> ServiceResult<()> {
    let lines = vec![line(owed_for(b, charge), d.amount), line(Account::Disputes, d.amount.negated())];
    post(tx, b, Some(back.id), DISPUTE_LOST, format!("{DISPUTE_LOST}:{}", d.gateway_id), lines)
}

/// What the gateway and the bank keep of our money for a dispute changed by `more`.
///
/// # Errors
/// When the database fails.
pub fn dispute_fee(tx: &mut Tx<'_>, b: &Booking, d: &Dispute, more: Money) -> ServiceResult<()> {
    let lines = vec![line(Account::Fees, more), line(Account::Gateway, more.negated())];
    post(tx, b, Some(d.payment_id), DISPUTE_FEE, format!("{DISPUTE_FEE}:{}:{}", d.gateway_id, d.version), lines)
}

/// Under which version of a dispute an entry posted its fee; none where it is no fee of that dispute.
pub(super) fn fee_version(entry: &Entry, gateway_id: &str) -> Option<i32> {
    let rest = entry.fact_key.strip_prefix(DISPUTE_FEE)?.strip_prefix(':')?;
    rest.strip_prefix(gateway_id)?.strip_prefix(':')?.parse().ok()
}

/// What will not come is given up: the customer owes so much less, and it is a loss.
///
/// # Errors
/// When the database fails.
pub fn write_off(tx: &mut Tx<'_>, b: &Booking, p: &Payment, amount: Money) -> ServiceResult<()> {
    let lines = vec![line(Account::WriteOff, amount), line(Account::Customer, amount.negated())];
    post(tx, b, Some(p.id), WRITE_OFF, format!("{WRITE_OFF}:{}", p.id), lines)
}

/// What was given up is not owed any more: it was no loss.
///
/// # Errors
/// When the database fails.
pub fn write_off_ended(tx: &mut Tx<'_>, b: &Booking, of: PaymentId, amount: Money) -> ServiceResult<()> {
    let lines = vec![line(Account::Customer, amount), line(Account::WriteOff, amount.negated())];
    // With the version: a charge may be given up once more.
    post(tx, b, Some(of), WRITE_OFF_ENDED, format!("{WRITE_OFF_ENDED}:{of}:v{}", b.version), lines)
}

/// Money went back the way it came.
///
/// # Errors
/// `Duplicate` when this order id was posted already.
pub fn refund(tx: &mut Tx<'_>, b: &Booking, p: &Payment, order_id: &str) -> ServiceResult<()> {
    let rows = tx.unit.payments().of_booking(b.id)?;
    post(tx, b, Some(p.id), "refund", format!("refund:{order_id}"), lines_of(b, p, &rows))
}

/// The bank did not take a refund: its entry is turned around, and the customer is owed it again.
///
/// # Errors
/// `Duplicate` when this order id was posted already.
pub fn refund_declined(tx: &mut Tx<'_>, b: &Booking, p: &Payment, order_id: &str) -> ServiceResult<()> {
    let rows = tx.unit.payments().of_booking(b.id)?;
    let lines = lines_of(b, p, &rows).into_iter().map(|l| line(l.account, l.amount.negated())).collect();
    post(tx, b, Some(p.id), REFUND_DECLINED, format!("{REFUND_DECLINED}:{order_id}"), lines)
}

/// A payment by hand that never came is taken out: `back` is the row that turns it around.
///
/// # Errors
/// When the database fails.
pub fn undone(tx: &mut Tx<'_>, b: &Booking, back: &Payment) -> ServiceResult<()> {
    let rows = tx.unit.payments().of_booking(b.id)?;
    post(tx, b, Some(back.id), UNDONE, format!("{UNDONE}:{}", back.id), lines_of(b, back, &rows))
}

/// What the entry of a charge or refund that was made moves.
pub(super) fn lines_of(b: &Booking, p: &Payment, rows: &[Payment]) -> Vec<EntryLine> {
    if p.kind == PaymentKind::Refund {
        let from = if is_of_tip(p, rows) { Account::TipsPayable } else { prepaid(b) };
        return vec![line(from, p.amount), line(p.method.account(), p.amount.negated())];
    }
    vec![line(p.method.account(), p.amount), line(owed_for(b, p), p.amount.negated())]
}

/// Moves what the books of a booking say wrongly, after somebody saw what it will be.
///
/// # Errors
/// When the lines do not sum to zero.
pub(super) fn correction(tx: &mut Tx<'_>, b: &Booking, lines: Vec<EntryLine>) -> ServiceResult<()> {
    let fact = format!("correction:{}:{}", b.id, tx.id());
    post(tx, b, None, CORRECTION, fact, lines)
}

/// Moves what the entry of `fact` says wrongly of `payment`: both together are what was done.
///
/// # Errors
/// When the lines do not sum to zero.
pub(super) fn amend(
    tx: &mut Tx<'_>,
    b: &Booking,
    payment: PaymentId,
    fact: &str,
    lines: Vec<EntryLine>,
) -> ServiceResult<()> {
    let fact = format!("{CORRECTION}:{fact}:{}", tx.id());
    post(tx, b, Some(payment), CORRECTION, fact, lines)
}

/// A correction moves what `entry` says wrongly ([`amend`]).
pub fn amends(correction: &Entry, entry: &Entry) -> bool {
    correction.kind == CORRECTION && correction.fact_key.starts_with(&format!("{CORRECTION}:{}:", entry.fact_key))
}

/// An entry with the lines that corrected it: what was done in truth.
pub fn amended(entry: &Entry, all: &[Entry]) -> Entry {
    let mut lines = entry.lines().to_vec();
    for more in all.iter().filter(|c| amends(c, entry)).flat_map(Entry::lines) {
        match lines.iter_mut().find(|l| l.account == more.account) {
            Some(line) => line.amount = line.amount.plus(more.amount),
            None => lines.push(*more),
        }
    }
    let (kind, fact) = (entry.kind.clone(), entry.fact_key.clone());
    Entry::stored(entry.id, entry.booking_id, entry.payment_id, entry.at, kind, fact, lines)
}

/// Kinds of entries after which the money of a row counts as not moved.
pub(super) const TAKEN_BACK: [&str; 3] = [super::facts::SETTLEMENT_DECLINED, REFUND_DECLINED, UNDONE];

/// The lines that turn an entry around.
pub(super) fn opposite(entry: &Entry) -> Vec<EntryLine> {
    entry.lines().iter().map(|l| EntryLine { account: l.account, amount: l.amount.negated() }).collect()
}

/// A correction turns another entry of `payment` around ([`turned_around`]).
pub(super) fn turns_around(correction: &Entry, payment: PaymentId) -> bool {
    correction.kind == CORRECTION && correction.fact_key.starts_with(&format!("{CORRECTION}:{payment}:"))
}

/// Turns an entry of `payment` around that is there once too often.
///
/// # Errors
/// When the lines do not sum to zero.
pub(super) fn turned_around(
    tx: &mut Tx<'_>,
    b: &Booking,
    payment: PaymentId,
    lines: Vec<EntryLine>,
) -> ServiceResult<()> {
    let fact = format!("{CORRECTION}:{payment}:{}", tx.id());
    post(tx, b, Some(payment), CORRECTION, fact, lines)
}

/// Each tax's part of what was credited of the price.
pub fn taxes_credited(b: &Booking) -> Vec<(Account, Money)> {
    let part = |tax| policy::tax_of_part(b.credited(), tax, b.total);
    b.details.taxes.iter().map(|t| (tax_account(t.name), part(t.amount))).collect()
}

/// What a move that was done brings, account by account: its price less its credits, and of each tax what is in that.
fn earned(b: &Booking) -> Vec<(Account, Money)> {
    let credited = b.credited();
    let waived = taxes_credited(b);
    let of = |account| -> Money { waived.iter().filter(|w| w.0 == account).map(|w| w.1).sum() };
    let waived_tax: Money = waived.iter().map(|w| w.1).sum();
    let mut lines =
        vec![(prepaid(b), b.due()), (Account::Revenue, b.amount.minus(credited.minus(waived_tax)).negated())];
    let taxes = b.details.taxes.iter().map(|t| (tax_account(t.name), t.amount));
    lines.extend(taxes.map(|(account, amount)| (account, amount.minus(of(account)).negated())));
    lines
}

/// What a cancellation keeps, account by account.
fn kept_by(b: &Booking, kept: Money) -> Vec<(Account, Money)> {
    let taxes = taxes_inside(b, kept);
    let tax: Money = taxes.iter().map(|t| t.1).sum();
    let mut lines = vec![(prepaid(b), kept), (Account::CancellationRevenue, kept.minus(tax).negated())];
    lines.extend(taxes.into_iter().map(|(account, amount)| (account, amount.negated())));
    lines
}

/// Staff gave something back of a move that was done, or of what a cancellation kept: so much less was earned, and of
/// each tax what was in it. `before` is the booking without the credit. Of a move that is to come nothing was earned yet.
///
/// # Errors
/// When the database fails.
pub fn credit(tx: &mut Tx<'_>, before: &Booking, b: &Booking) -> ServiceResult<()> {
    let of = |b: &Booking| match b.status {
        Status::Completed | Status::Invoiced | Status::Payed => earned(b),
        Status::Cancelled => kept_by(b, b.retained()),
        Status::Pending | Status::Assigned | Status::Deleted => Vec::new(),
    };
    let lines = differing(of(b), of(before));
    // With the version: a credit may end again.
    post(tx, b, None, CREDIT, format!("{CREDIT}:{}:v{}", b.id, b.version), lines)
}

fn differing(now: Vec<(Account, Money)>, then: Vec<(Account, Money)>) -> Vec<EntryLine> {
    let changed = now.into_iter().zip(then).map(|((account, now), (_, then))| line(account, now.minus(then)));
    changed.filter(|l| !l.amount.is_zero()).collect()
}

/// Overtime of a move that was done: so much more was earned. `before` is the booking without it. Of a move that is under
/// way nothing was earned yet.
///
/// # Errors
/// When the database fails.
pub fn overtime(tx: &mut Tx<'_>, before: &Booking, b: &Booking) -> ServiceResult<()> {
    if b.status != Status::Completed {
        return Ok(());
    }
    let lines = differing(earned(b), earned(before));
    post(tx, b, None, OVERTIME, format!("{OVERTIME}:{}:{}", b.id, b.details.overtime.len()), lines)
}

/// The move was done: prepayments become revenue and tax.
///
/// # Errors
/// `Duplicate` when it was posted already.
pub fn completion(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    let lines = earned(b).into_iter().map(|(account, amount)| line(account, amount)).collect();
    // With the version: a reopened move is completed again.
    post(tx, b, None, "completion", format!("completion:{}:{}", b.id, b.version), lines)
}

/// The move was not done after all: the completion is turned around.
///
/// # Errors
/// When the database fails.
pub fn completion_undone(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    let lines = earned(b).into_iter().map(|(account, amount)| line(account, amount.negated())).collect();
    let fact = format!("completion_undone:{}:{}", b.id, b.version);
    post(tx, b, None, "completion_undone", fact, lines)
}

/// What is kept after a cancellation includes tax: a forfeited deposit holds GST 5/105 and QST
/// 9.975/109.975 in Quebec, HST 13/113 in Ontario (`policy-timeline.md` §3).
///
/// # Errors
/// `Duplicate` when it was posted already.
pub fn cancellation(tx: &mut Tx<'_>, b: &Booking, kept: Money) -> ServiceResult<()> {
    let lines = kept_by(b, kept).into_iter().map(|(account, amount)| line(account, amount)).collect();
    post(tx, b, None, "cancellation", format!("cancellation:{}:{}", b.id, b.version), lines)
}

/// The cancellation is taken back: what it had kept is a prepayment again.
///
/// # Errors
/// When the database fails.
pub fn cancellation_undone(tx: &mut Tx<'_>, b: &Booking, kept: Money) -> ServiceResult<()> {
    let lines = kept_by(b, kept).into_iter().map(|(account, amount)| line(account, amount.negated())).collect();
    post(tx, b, None, "cancellation_undone", format!("cancellation_undone:{}:{}", b.id, b.version), lines)
}

/// What should lie in trust of a booking whose customer's accounts ([`prepaid`]) have `left` in all: every cent that was
/// paid while its move is to come, nothing of any other. What was given up was never paid.
pub(super) fn in_trust(b: &Booking, left: Money) -> Money {
    if prepaid(b) == Account::Trust { left.plus(b.written_off()) } else { Money::ZERO }
}

/// A changed date, the end of a move and the way back from there may say that a booking's money lies in the other one of
/// the customer's two accounts ([`prepaid`]): it moves there.
///
/// # Errors
/// When the database fails.
pub fn follow_to_trust(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    let entries = tx.unit.ledger().of_booking(b.id)?;
    let of = |account| -> Money {
        entries.iter().flat_map(Entry::lines).filter(|l| l.account == account).map(|l| l.amount).sum()
    };
    let trust = of(Account::Trust);
    let more = in_trust(b, trust.plus(of(Account::Customer))).minus(trust);
    let lines = vec![line(Account::Trust, more), line(Account::Customer, more.negated())];
    post(tx, b, None, "trust_transfer", format!("trust_transfer:{}:{}", b.id, b.version), lines)
}

/// The taxes a tax-included amount holds.
pub fn taxes_inside(b: &Booking, kept: Money) -> Vec<(Account, Money)> {
    b.details.taxes.iter().map(|t| (tax_account(t.name), policy::tax_included(kept, t.rate))).collect()
}

pub(crate) const fn tax_account(tax: Tax) -> Account {
    match tax {
        Tax::Gst => Account::Gst,
        Tax::Qst => Account::Qst,
        Tax::Hst => Account::Hst,
    }
}
