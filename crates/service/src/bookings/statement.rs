//! The account of a booking, one fact after the other: what was agreed, changed, charged, given back, and what that left
//! to pay. Its rows are what is on record (versions, statuses, credits, payments, entries), not the plan worked out anew.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money, PaymentId, Zone};
use status_machine::booking::Status;

use super::{
    queries::visible,
    statement_entries::{MOVED, about_the_move, standing},
};
use crate::{
    Caller, ServiceResult, Services,
    billing::{
        balanced,
        facts::{SETTLEMENT_DECLINED, is_of_tip},
        ledger::{DISPUTE_LOST, DISPUTE_OPENED, DISPUTE_WON, REFUND_DECLINED, UNDONE, WRITE_OFF, WRITE_OFF_ENDED},
    },
    ports::{
        Unit,
        bookings::Booking,
        consents::{AnsweredBy, Standing},
        credits::CreditKind,
        history::{Revision, StatusChange},
        ledger::Entry,
        payments::{PaidWith, Payment, PaymentKind},
    },
};

/// Why a difference was charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The price changed, or it is no difference.
    Price,
    /// Money that had come was taken out again, or back by the bank: no price changed.
    TakenOut,
    /// What a cancellation had given back is owed again, because it was taken back.
    TakenBack,
}

/// What a row tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// The price that was agreed when it was booked.
    Price,
    /// A change raised or lowered the price: what was changed, of [`PRICED`].
    Edit(Vec<&'static str>),
    /// So many minutes beyond what was agreed.
    Overtime(u32),
    /// Staff gave back or waived; why.
    Credit(CreditKind, String),
    /// A credit that counts for less since the price fell below it.
    CreditCapped,
    /// The booking was cancelled: only what is kept is owed.
    Cancelled,
    /// Its cancellation was taken back: the price is owed again.
    TakenBack,
    /// The customer agreed that money which went back is charged again, or to overtime.
    Agreed {
        /// [`crate::ports::consents::ConsentSubject::code`].
        kind: &'static str,
        /// How.
        how: AnsweredBy,
    },
    /// Money came.
    Charge {
        /// What for.
        kind: PaymentKind,
        /// The charge of a booking made within 48 hours of its move, taken with it.
        at_once: bool,
        /// How.
        method: PaidWith,
        /// Of the card, where it was one.
        last4: Option<String>,
        /// Number of the transfer or cheque.
        reference: Option<String>,
        /// Whoever held a payment link paid it.
        by_link: bool,
        /// Why, of a difference.
        cause: Cause,
    },
    /// Money that is on its way back: it is not left to pay, and not with the customer yet.
    OnItsWay {
        /// How.
        method: PaidWith,
    },
    /// Of money that was to be handed back so much is kept, because more is owed since.
    SetOff {
        /// How it was to be handed back.
        method: PaidWith,
    },
    /// Money went back the way it came.
    Refund {
        /// It was a tip.
        of_tip: bool,
        /// How.
        method: PaidWith,
    },
    /// A payment by hand was written down by mistake: it is taken out again.
    Undone {
        /// How it was said to have come.
        method: PaidWith,
    },
    /// The bank did not take a refund: it is owed to the customer again.
    RefundDeclined {
        /// It was a tip.
        of_tip: bool,
    },
    /// The bank refused a charge when it settled.
    SettlementDeclined,
    /// The cardholder disputes a charge: until it is decided the bank holds it, and it counts as paid.
    Disputed,
    /// The dispute was decided for the company.
    DisputeWon,
    /// The bank gave a charge back to the cardholder, who disputed it.
    ChargedBack,
    /// It is not asked for any more.
    WrittenOff,
    /// What had been given up is not owed any more: it was no loss.
    WriteOffEnded,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// When it happened.
    pub at: DateTime<Utc>,
    /// What.
    pub fact: Fact,
    /// How much, never negative but for changes of the price and cancellations.
    pub amount: Money,
    /// What is left to pay after it; below zero where more came than is owed. A tip is no part of it.
    pub balance: Money,
    /// The charge or refund.
    pub payment: Option<PaymentId>,
}

/// A statement.
#[derive(Debug, Clone)]
pub struct Statement {
    /// Oldest first.
    pub rows: Vec<Row>,
    /// What is left to pay.
    pub balance: Money,
    /// The zone of its days.
    pub zone: Zone,
    /// An entry behind it does not balance, because somebody changed it: its amounts may be wrong until that is cleared up.
    pub in_question: bool,
}

/// `GET /bookings/{id}/statement`.
///
/// # Errors
/// `not_found`.
pub async fn statement(s: &Services, caller: &Caller, id: BookingId) -> ServiceResult<Statement> {
    let caller = caller.clone();
    s.store
        .read(move |u| {
            let booking = visible(u, &caller, id)?;
            read(u, &booking)
        })
        .await
}

/// A fact before it is known what it leaves to pay.
struct Line {
    at: DateTime<Utc>,
    /// Facts of one instant in the order they follow from each other.
    rank: u8,
    fact: Fact,
    amount: Money,
    /// By how much it changes what is left to pay.
    change: Money,
    payment: Option<PaymentId>,
}

/// The statement of a booking as it is now.
///
/// # Errors
/// When the database fails.
pub fn read(u: &mut dyn Unit, b: &Booking) -> ServiceResult<Statement> {
    let (revisions, history) = (u.booking_history().revisions(b.id)?, u.booking_history().status_history(b.id)?);
    let (payments, posted) = (u.payments().of_booking(b.id)?, balanced::as_one(u.ledger().of_booking(b.id)?));
    let in_question = !posted.iter().all(Entry::is_balanced);
    let entries = standing(posted);
    let mut lines = prices(b, &revisions);
    lines.extend(credits(b));
    lines.extend(agreed(b));
    lines.extend(moved(b, &payments, &entries));
    lines.extend(on_its_way(&payments));
    lines.sort_by_key(|l| (l.at, l.rank));
    let ends = cancellation_ends(&history, &entries);
    name_causes(&mut lines, &ends);
    let mut rows = Vec::with_capacity(lines.len() + history.len());
    let mut account = RunningTotals { price: Money::ZERO, paid: Money::ZERO, kept: None };
    let mut ends = ends.into_iter().peekable();
    for line in lines {
        while let Some(end) = ends.next_if(|end| end.precedes(&line)) {
            rows.push(account.end(end));
        }
        rows.push(account.line(line));
    }
    rows.extend(ends.map(|end| account.end(end)));
    let due = match b.status {
        Status::Cancelled => b.retained(),
        Status::Deleted => b.retained().min(b.due()),
        _ => b.due(),
    };
    let paid: Money = entries.iter().filter(|e| MOVED.contains(&e.kind.as_str())).map(about_the_move).sum();
    let paid = paid.plus(promised(&payments).map(|r| r.amount).sum());
    let balance = due.plus(paid);
    let told = account.left();
    if told != balance {
        let at = rows.last().map_or(b.updated_at, |r| r.at);
        rows.push(Row { at, fact: Fact::CreditCapped, amount: balance.minus(told), balance, payment: None });
    }
    Ok(Statement { rows, balance, zone: b.zone, in_question })
}

/// What is owed and what was paid, row by row.
struct RunningTotals {
    price: Money,
    paid: Money,
    /// While it is cancelled: what is kept.
    kept: Option<Money>,
}

/// A cancellation, or the end of one.
struct CancellationChange {
    at: DateTime<Utc>,
    /// What it keeps; none when it was taken back.
    kept: Option<Money>,
}

impl CancellationChange {
    /// What is charged because a cancellation was taken back comes after that, also at its very instant; so does what goes
    /// back because of a cancellation.
    fn precedes(&self, line: &Line) -> bool {
        let follows = match line.fact {
            Fact::Charge { .. } => self.kept.is_none(),
            Fact::OnItsWay { .. } | Fact::Refund { of_tip: false, .. } => self.kept.is_some(),
            _ => false,
        };
        self.at < line.at || (follows && self.at == line.at)
    }
}

impl RunningTotals {
    fn left(&self) -> Money {
        self.kept.unwrap_or(self.price).minus(self.paid)
    }

    fn line(&mut self, line: Line) -> Row {
        match (&line.fact, self.kept) {
            (
                Fact::Charge { .. }
                | Fact::Refund { .. }
                | Fact::OnItsWay { .. }
                | Fact::SetOff { .. }
                | Fact::Undone { .. }
                | Fact::RefundDeclined { .. }
                | Fact::SettlementDeclined
                | Fact::ChargedBack
                | Fact::WrittenOff
                | Fact::WriteOffEnded,
                _,
            ) => {
                self.paid = self.paid.minus(line.change);
            }
            // Given of what the cancellation keeps.
            (Fact::Credit(..), Some(kept)) => self.kept = Some(kept.plus(line.change)),
            _ => self.price = self.price.plus(line.change),
        }
        Row { at: line.at, fact: line.fact, amount: line.amount, balance: self.left(), payment: line.payment }
    }

    fn end(&mut self, end: CancellationChange) -> Row {
        let before = self.left();
        self.kept = end.kept;
        let fact = if end.kept.is_some() { Fact::Cancelled } else { Fact::TakenBack };
        let balance = self.left();
        Row { at: end.at, fact, amount: balance.minus(before), balance, payment: None }
    }
}

/// What a price goes by, as changes of a booking name it.
pub const PRICED: [&str; 14] = [
    "moveAt",
    "pickup",
    "dropoff",
    "pickupAccess",
    "dropoffAccess",
    "items",
    "assembly",
    "extraServices",
    "moveKind",
    "mateCount",
    "clientAsMate",
    "justMates",
    "rideAlong",
    "discountCode",
];

fn changed(r: &Revision) -> Vec<&'static str> {
    PRICED.into_iter().filter(|field| r.changes.get(field).is_some()).collect()
}

/// The price as it was agreed, and each change of it.
fn prices(b: &Booking, revisions: &[Revision]) -> Vec<Line> {
    let total = |r: &Revision, side: &str| -> Option<Money> {
        serde_json::from_value(r.changes.get("total")?.get(side)?.clone()).ok()
    };
    let changes: Vec<(&Revision, Money, Money)> =
        revisions.iter().filter_map(|r| Some((r, total(r, "before")?, total(r, "after")?))).collect();
    let first = changes.first().map_or(b.total, |c| c.1);
    let line = |at, rank, fact, amount: Money| Line { at, rank, fact, amount, change: amount, payment: None };
    let mut lines = vec![line(b.created_at, 0, Fact::Price, first)];
    for (revision, before, after) in changes {
        let longer = b.details.overtime.iter().find(|o| o.at == revision.at);
        let fact = longer.map_or_else(|| Fact::Edit(changed(revision)), |o| Fact::Overtime(o.minutes));
        lines.push(line(revision.at, 1, fact, after.minus(before)));
    }
    lines
}

fn credits(b: &Booking) -> Vec<Line> {
    let counted = b.details.credits.iter().filter(|c| !c.ended);
    counted
        .map(|c| Line {
            at: c.at,
            rank: 2,
            fact: Fact::Credit(c.kind, c.reason.clone()),
            amount: c.amount,
            change: c.amount.negated(),
            payment: None,
        })
        .collect()
}

/// What the customer agreed to; it changes nothing of what is left to pay by itself.
fn agreed(b: &Booking) -> Vec<Line> {
    let yes = b.details.consents.iter().filter(|c| c.standing == Standing::Agreed);
    yes.filter_map(|c| {
        let fact = Fact::Agreed { kind: c.about.code(), how: c.how? };
        Some(Line { at: c.answered_at?, rank: 0, fact, amount: c.amount, change: Money::ZERO, payment: None })
    })
    .collect()
}

/// Cancellations and their ends, with what the books say was kept.
fn cancellation_ends(history: &[StatusChange], entries: &[Entry]) -> Vec<CancellationChange> {
    let cancelled: Vec<DateTime<Utc>> = history.iter().filter(|h| h.to == Status::Cancelled).map(|h| h.at).collect();
    // Its entry has the same instant, or a later one where that lies in a closed month.
    let kept = |at: DateTime<Utc>| -> Money {
        let next = cancelled.iter().find(|later| **later > at);
        let own = entries.iter().filter(|e| e.kind == "cancellation" && e.at >= at);
        own.filter(|e| next.is_none_or(|next| e.at < *next)).map(about_the_move).sum()
    };
    let mut ends = Vec::new();
    for h in history {
        match (h.from, h.to) {
            // Its deletion was taken back: it is cancelled as it was before.
            (Some(Status::Deleted), Status::Cancelled) => {}
            (_, Status::Cancelled) => ends.push(CancellationChange { at: h.at, kept: Some(kept(h.at)) }),
            (Some(Status::Cancelled), to) if to != Status::Deleted => {
                ends.push(CancellationChange { at: h.at, kept: None })
            }
            _ => {}
        }
    }
    ends
}

/// Refunds that were decided and have not left, as the plan counts them.
fn promised(payments: &[Payment]) -> impl Iterator<Item = &Payment> {
    payments.iter().filter(|r| r.is_given_back() && r.settled_at.is_none() && !is_of_tip(r, payments))
}

fn on_its_way(payments: &[Payment]) -> Vec<Line> {
    let line = |r: &Payment, at, fact, change: Money| {
        let amount = if change.is_negative() { change.negated() } else { change };
        Line { at, rank: 4, fact, amount, change, payment: Some(r.id) }
    };
    let waits = |method| Fact::OnItsWay { method };
    let mut lines: Vec<Line> = promised(payments).map(|r| line(r, r.created_at, waits(r.method), r.amount)).collect();
    for kept in payments.iter().filter(|r| r.is_set_off()) {
        // It was part of what was to be handed back, until it was kept.
        match lines.iter_mut().find(|l| l.at == kept.due_at && l.fact == waits(kept.method)) {
            Some(whole) => {
                (whole.amount, whole.change) = (whole.amount.plus(kept.amount), whole.change.plus(kept.amount));
            }
            None => lines.push(line(kept, kept.due_at, waits(kept.method), kept.amount)),
        }
        lines.push(line(kept, kept.created_at, Fact::SetOff { method: kept.method }, kept.amount.negated()));
    }
    lines
}

/// Why a difference was charged: after a payment was taken out again, or back by the bank, no price has changed, and none has
/// after a cancellation was taken back.
fn name_causes(lines: &mut [Line], ends: &[CancellationChange]) {
    let mut cause = Cause::Price;
    let mut ends = ends.iter().peekable();
    for line in lines {
        while let Some(end) = ends.next_if(|end| end.precedes(line)) {
            if end.kept.is_none() {
                cause = Cause::TakenBack;
            }
        }
        match &mut line.fact {
            Fact::Undone { .. } | Fact::SettlementDeclined => cause = Cause::TakenOut,
            Fact::Edit(_) | Fact::Overtime(_) => cause = Cause::Price,
            Fact::Charge { kind: PaymentKind::Difference, cause: why, .. } => *why = cause,
            _ => {}
        }
    }
}

/// Money that came and went, as the books have it.
fn moved(b: &Booking, payments: &[Payment], entries: &[Entry]) -> Vec<Line> {
    let mut lines = Vec::new();
    for e in entries.iter().filter(|e| MOVED.contains(&e.kind.as_str())) {
        let Some(p) = payments.iter().find(|p| Some(p.id) == e.payment_id) else { continue };
        let fact = match e.kind.as_str() {
            SETTLEMENT_DECLINED => Fact::SettlementDeclined,
            REFUND_DECLINED => Fact::RefundDeclined { of_tip: is_of_tip(p, payments) },
            DISPUTE_LOST => Fact::ChargedBack,
            DISPUTE_OPENED => Fact::Disputed,
            DISPUTE_WON => Fact::DisputeWon,
            WRITE_OFF => Fact::WrittenOff,
            WRITE_OFF_ENDED => Fact::WriteOffEnded,
            UNDONE => Fact::Undone { method: p.method },
            "refund" => Fact::Refund { of_tip: is_of_tip(p, payments), method: p.method },
            _ => Fact::Charge {
                kind: p.kind,
                at_once: p.kind == PaymentKind::Full && p.due_at <= b.created_at,
                method: p.method,
                last4: p.card_last4.clone(),
                reference: p.written_reference().map(str::to_owned),
                by_link: p.is_by_link(),
                cause: Cause::Price,
            },
        };
        let rank = if matches!(fact, Fact::Charge { .. }) { 3 } else { 4 };
        // The entry's own amount: a row whose charge the bank refused may ask for another one today.
        lines.push(Line { at: e.at, rank, fact, amount: e.debited(), change: about_the_move(e), payment: Some(p.id) });
    }
    lines
}
