//! What a booking's history says Portage should hold of it.

use chrono::{DateTime, Duration, NaiveDateTime, Utc};
use kernel::Money;
use policy::{ChargeKind, Mode, Settings};
use service::billing::facts::SETTLEMENT_DECLINED;
use service::ports::{
    cancelled::CancelledBy,
    credits::CreditKind,
    disputes::DisputeState,
    history::StatusChange,
    payments::{Attempt, AttemptState, GatewayKind, GatewayStatus, Payment, PaymentKind},
};
use status_machine::{booking::Status, payment::State};

use super::{check, left};
use crate::{
    disputes::IS_DISPUTED,
    facts::{BookingFacts, Facts},
    gateway::{TAKES_NOTHING_BACK, short_of},
};

type At = DateTime<Utc>;

/// How the start and the total changed, from the revisions: (since, value).
fn starts(b: &BookingFacts) -> Vec<(At, At)> {
    let read = |v: &serde_json::Value| {
        let local = NaiveDateTime::parse_from_str(v.as_str()?, "%Y-%m-%d %H:%M").ok()?;
        b.booking.zone.instant(local.date(), local.time()).ok()
    };
    over_time(b, "moveAt", read, b.booking.move_at)
}

pub(super) fn totals(b: &BookingFacts) -> Vec<(At, Money)> {
    over_time(b, "total", |v| serde_json::from_value(v.clone()).ok(), b.booking.total)
}

fn over_time<T>(
    b: &BookingFacts,
    field: &str,
    read: impl Fn(&serde_json::Value) -> Option<T>,
    last: T,
) -> Vec<(At, T)> {
    let mut all = Vec::new();
    let mut since = b.booking.created_at;
    for r in &b.revisions {
        if let Some(before) = r.changes.get(field).and_then(|c| c.get("before")).and_then(&read) {
            all.push((since, before));
            since = r.at;
        }
    }
    all.push((since, last));
    all
}

/// What came first at one instant, the records do not say: a charge or the booking that is taken back, and another
/// start or that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tie {
    charge_first: bool,
    start_first: bool,
}

/// Whether the 48-hour instant had been reached by `until`: both answers where a tie makes the difference.
fn locked(b: &BookingFacts, until: At) -> (bool, bool) {
    let orders = [(true, true), (true, false), (false, true), (false, false)];
    let answers = orders.map(|(charge_first, start_first)| locked_by(b, until, Tie { charge_first, start_first }));
    (answers.contains(&true), !answers.contains(&false))
}

/// The 48-hour instant of a start that was planned then was reached by `until`. A booking that was taken
/// back when everything had gone back begins anew.
fn locked_by(b: &BookingFacts, until: At, tie: Tie) -> bool {
    let (all, anew) = (starts(b), begun_anew(b, until, tie));
    all.iter().enumerate().any(|(n, (since, start))| {
        let end = all.get(n + 1).map_or(until, |next| next.0.min(until));
        let instant = *start - Duration::hours(48);
        // What was reached before counts no more.
        let counts = anew.is_none_or(|at| end > at && (*since >= at || instant > at));
        *since <= until && end >= instant && counts
    })
}

/// When a cancelled booking was last taken back with nothing held and its 48-hour instant ahead.
fn begun_anew(b: &BookingFacts, until: At, tie: Tie) -> Option<At> {
    let back = |h: &&StatusChange| h.from == Some(Status::Cancelled) && h.to == Status::Pending && h.at <= until;
    b.history.iter().rev().filter(back).find_map(|h| {
        let all = starts(b);
        let known = |(since, _): &&(At, At)| *since < h.at || (*since == h.at && tie.start_first);
        let start = all.iter().rfind(known).or(all.first())?.1;
        let instant = start - Duration::hours(48);
        let of_move = |a: &&Attempt| {
            let tip = |id| b.payments.iter().any(|p| Some(p.id) == id && p.kind == PaymentKind::Tip);
            let row = b.payments.iter().find(|p| p.id == a.payment_id);
            row.is_some_and(|p| !tip(Some(p.id)) && !tip(p.refund_of))
        };
        let is_refund = |a: &Attempt| b.payments.iter().any(|p| p.id == a.payment_id && p.kind == PaymentKind::Refund);
        // A refund that was on its way then, and came at last, if not by that attempt; or its charge was refused.
        let on_its_way = |a: &Attempt| {
            let of = b.payments.iter().find(|p| p.id == a.payment_id).and_then(|p| p.refund_of);
            let came = |x: &Attempt| {
                (x.payment_id == a.payment_id && x.state == AttemptState::Applied)
                    || (Some(x.payment_id) == of && refused_later(x))
            };
            is_refund(a) && a.resolved_at.is_none_or(|at| at >= h.at) && b.attempts.iter().any(came)
        };
        // What was refused at its settlement afterwards was held then; what was known to be refused was not.
        let refused_after = |a: &Attempt| {
            let first = !tie.charge_first;
            refused_later(a) && a.resolved_at.is_none_or(|at| at > h.at || (at == h.at && first))
        };
        // Of a charge that nobody knew about then, and that took nothing, both are right.
        let unknown = |a: &Attempt| !is_refund(a) && tie.charge_first && a.resolved_at.is_none_or(|at| at >= h.at);
        let made = |a: &&Attempt| {
            let first = is_refund(a) || tie.charge_first;
            let before = a.created_at < h.at || (a.created_at == h.at && first);
            before && (a.state == AttemptState::Applied || refused_after(a) || on_its_way(a) || unknown(a))
        };
        let (mut taken, mut returned) = (Money::ZERO, Money::ZERO);
        for a in b.attempts.iter().filter(made).filter(of_move) {
            let sum = if is_refund(a) { &mut returned } else { &mut taken };
            *sum = sum.plus(a.amount);
        }
        (taken <= returned && h.at < instant).then_some(h.at)
    })
}

fn settings(b: &BookingFacts) -> &Settings {
    &b.booking.details.policy
}

/// The deposit as the gateway took it, and when we knew.
fn deposits(b: &BookingFacts) -> Vec<(Money, At, At)> {
    deposits_where(b, |a| a.state == AttemptState::Applied)
}

fn deposits_where(b: &BookingFacts, keep: impl Fn(&Attempt) -> bool) -> Vec<(Money, At, At)> {
    let of_deposits = b.payments.iter().filter(|p| p.kind == PaymentKind::Deposit);
    let attempts = of_deposits.flat_map(|p| b.attempts.iter().filter(move |a| a.payment_id == p.id));
    attempts.filter(|a| keep(a)).map(|a| (a.amount, a.created_at, a.resolved_at.unwrap_or(a.created_at))).collect()
}

fn taken_back(b: &BookingFacts) -> bool {
    b.history.iter().any(|h| h.from == Some(Status::Cancelled) && h.to == Status::Pending)
}

/// It stands for a charge that staff undid before it settled.
fn is_undone(p: &Payment) -> bool {
    p.last_message.as_deref() == Some("undone by staff")
}

/// A charge of the move was declined (or had no card), or undone, and is not made yet; or the move was postponed before its 48-hour
/// charge could be made, and that waits for the instant of the new day.
fn ladder_explains(f: &Facts, b: &BookingFacts) -> bool {
    let waits = b.payments.iter().any(|p| {
        !matches!(p.kind, PaymentKind::Refund | PaymentKind::Tip)
            && matches!(*p.state, State::SoftDeclined | State::HardDeclined | State::Failed)
            && (p.attempts > 0 || is_undone(p))
    });
    let voided = b.payments.iter().any(|p| p.is_void());
    let declined =
        voided || f.bank.iter().any(|t| t.status == GatewayStatus::Declined && t.kind == GatewayKind::Charge);
    let instant = b.booking.move_at - Duration::hours(48);
    let postponed = b.payments.iter().any(|p| {
        matches!(p.kind, PaymentKind::Balance | PaymentKind::Full)
            && p.state == State::Scheduled
            && p.due_at == instant
            && instant > f.now
    });
    (waits && declined) || (postponed && locked(b, f.now).0)
}

/// Decided to be returned and not yet returned, because the charge is not settled, or because the bank of
/// the card refuses it: that is the staff's business then.
fn promised_back(b: &BookingFacts, of_tip: bool) -> Money {
    let open = |p: &Payment| matches!(*p.state, State::Scheduled | State::SoftDeclined) || is_refused(p);
    let tip = |id| b.payments.iter().any(|p| Some(p.id) == id && p.kind == PaymentKind::Tip);
    let refunds = b.payments.iter().filter(|p| p.kind == PaymentKind::Refund && open(p));
    refunds.filter(|p| tip(p.refund_of) == of_tip).map(|p| p.amount).sum()
}

fn is_refused(p: &Payment) -> bool {
    p.state == State::Failed && matches!(p.last_message.as_deref(), Some(TAKES_NOTHING_BACK | IS_DISPUTED))
}

/// Money is to go back that the bank of its card does not take.
pub fn refund_refused(b: &BookingFacts) -> bool {
    b.payments.iter().any(is_refused)
}

/// What should be held: one of these amounts.
fn owed(f: &Facts, b: &BookingFacts) -> Vec<Money> {
    match b.booking.status {
        Status::Pending | Status::Assigned => with_late(f, b, owed_live(f, b)),
        Status::Cancelled => kept(b).into_iter().map(|kept| given_back(b, kept).minus(b.written_off())).collect(),
        Status::Deleted => vec![b.retained()],
        Status::Completed | Status::Invoiced | Status::Payed => vec![b.due().minus(b.written_off())],
    }
}

/// What of `kept` staff gave back.
fn given_back(b: &BookingFacts, kept: Money) -> Money {
    kept.minus(b.booking.details.kept.unwrap_or_default().minus(b.retained()).min(kept))
}

/// A charge that was given up, made again and then applied after all, beyond the gateway's horizon, is
/// credited: it counts towards what is due at the 48-hour instant.
fn with_late(f: &Facts, b: &BookingFacts, owed: Vec<Money>) -> Vec<Money> {
    let of_tip = |id| b.payments.iter().any(|p| p.id == id && p.kind == PaymentKind::Tip);
    let late = b
        .attempts
        .iter()
        .filter(|a| a.state == AttemptState::Applied && f.late.contains(&a.order_id) && !of_tip(a.payment_id));
    let credited: Money = late.map(|a| a.amount).sum();
    if credited.is_zero() {
        return owed;
    }
    let more: Vec<Money> = owed.iter().map(|o| o.plus(credited).min(b.booking.total)).collect();
    owed.into_iter().chain(more).collect()
}

fn owed_live(f: &Facts, b: &BookingFacts) -> Vec<Money> {
    let (total, s) = (b.due(), settings(b));
    // Put away and taken out again after its day, it is asked for when it is done.
    let late = |h: &StatusChange| {
        h.from == Some(Status::Deleted) && h.to == Status::Pending && h.at >= b.booking.move_at - Duration::hours(48)
    };
    if b.history.iter().any(late) {
        return Vec::new();
    }
    match locked(b, f.now) {
        (true, true) => vec![total],
        (false, false) => owed_before_lock(f, b, total, s),
        _ => [vec![total], owed_before_lock(f, b, total, s)].concat(),
    }
}

fn owed_before_lock(f: &Facts, b: &BookingFacts, total: Money, s: &Settings) -> Vec<Money> {
    let fee = total.share(s.deposit);
    if b.touched() {
        return super::desk::early(b).unwrap_or_default();
    }
    if taken_back(b) {
        // What a cancellation kept or gave back before is the start of it, and it is still early.
        let mut early = vec![Money::ZERO, fee];
        early.extend(deposits(b).iter().flat_map(|d| [d.0.min(total), d.0.min(lowest_since(b, d.2)).min(total)]));
        early.extend(totals(b).iter().map(|t| t.1.share(s.deposit).min(total)));
        return early;
    }
    if let Some((deposit, _, known)) = deposits(b).first() {
        return vec![(*deposit).min(lowest_since(b, *known)).min(total)];
    }
    let due = Mode::of(s, b.booking.created_at, b.booking.move_at) == Mode::Split
        && f.now > b.booking.created_at + Duration::hours(24);
    vec![if due { fee } else { Money::ZERO }]
}

/// A price that falls below what was paid is returned at once, and does not come back.
fn lowest_since(b: &BookingFacts, since: At) -> Money {
    totals(b).iter().filter(|(at, _)| *at >= since).map(|t| t.1).min().unwrap_or(b.booking.total)
}

/// Captured, and refused when it settled.
fn refused_later(a: &Attempt) -> bool {
    a.code.as_deref() == Some(SETTLEMENT_DECLINED)
}

/// What the cancellation keeps, by the policy at its instant, of what was due then. A refund that ended since, with the
/// money it was of, may have counted.
fn kept(b: &BookingFacts) -> Vec<Money> {
    let of_price = |ended: bool| {
        let all = b.booking.details.credits.iter().filter(|c| !c.of_cancellation && (ended || !c.ended));
        b.booking.total.minus(all.map(|c| c.amount).sum::<Money>().min(b.booking.total))
    };
    let mut amounts = kept_of(b, of_price(false));
    if of_price(true) != of_price(false) {
        amounts.extend(kept_of(b, of_price(true)));
    }
    amounts
}

fn kept_of(b: &BookingFacts, total: Money) -> Vec<Money> {
    let s = settings(b);
    let Some(at) = b.booking.cancelled_at else { return vec![Money::ZERO] };
    match b.booking.details.cancelled_by {
        Some(CancelledBy::Company) => vec![Money::ZERO],
        // The balance could not be charged: what was captured is kept.
        Some(CancelledBy::System) => vec![b.booking.details.kept.unwrap_or_default()],
        _ => match locked(b, at) {
            (true, true) => vec![total],
            (false, false) => kept_before_lock(b, at, total, s),
            _ => [vec![total], kept_before_lock(b, at, total, s)].concat(),
        },
    }
}

/// What came by hand until then is part of a deposit that is taken then: only the rest of it is charged. Whatever was taken
/// out again had not come.
fn came_by_hand(b: &BookingFacts, until: At) -> Money {
    let taken_out = |p: &Payment| b.payments.iter().any(|r| r.refund_of == Some(p.id) && b.is_taken_out(r.id));
    let came = b.payments.iter().filter(|p| p.method.is_by_hand() && p.kind.is_charge() && p.kind != PaymentKind::Tip);
    came.filter(|p| p.settled_at.is_some_and(|at| at <= until) && !taken_out(p)).map(|p| p.amount).sum()
}

fn kept_before_lock(b: &BookingFacts, at: At, total: Money, s: &Settings) -> Vec<Money> {
    if at <= b.booking.created_at + Duration::hours(24) {
        return vec![Money::ZERO];
    }
    let fee = total.share(s.retention.after_free);
    let mut amounts = Vec::new();
    // It may have been refused at its settlement before the cancellation or after.
    let mut taken = deposits_where(b, |a| a.state == AttemptState::Applied || refused_later(a));
    taken.extend(taken.clone().into_iter().map(|d| (d.0.plus(came_by_hand(b, d.2)), d.1, d.2)));
    // While the deposit is at the gateway both are right.
    if taken.iter().all(|d| d.2 >= at) || b.attempts.iter().any(refused_later) {
        amounts.push(fee);
    }
    amounts.extend(taken.iter().filter(|d| d.1 <= at).map(|d| d.0.min(fee)));
    // A deposit that staff gave back is not kept.
    let refunds = b.booking.details.credits.iter().filter(|c| !c.of_cancellation && c.kind == CreditKind::Refund);
    let all: Money = refunds.clone().map(|c| c.amount).sum();
    let stands: Money = refunds.filter(|c| !c.ended).map(|c| c.amount).sum();
    for back in [all, stands].into_iter().filter(|m| m.is_positive()) {
        let left = |d: &(Money, At, At)| d.0.minus(back).max(Money::ZERO).min(fee);
        amounts.extend(taken.iter().filter(|d| d.1 <= at).map(left));
    }
    amounts
}

/// The move's money at the gateway is what is owed.
pub fn move_money(f: &Facts, b: &BookingFacts, held: Money) -> Result<(), String> {
    // A refund that staff gave while its charge was disputed, and that the bank took back then, went back once: nobody holds
    // less than nothing (seed 11583).
    let owed: Vec<Money> = owed(f, b).into_iter().map(|amount| amount.max(Money::ZERO)).collect();
    if b.booking.status == Status::Cancelled {
        let (kept, right) = (b.booking.details.kept.unwrap_or_default(), kept(b));
        // Before its customer agreed to be charged again no more is kept than was held.
        let waits = b.booking.details.charges_wait.is_some();
        check(right.contains(&kept) || (waits && right.iter().any(|most| kept <= *most)), || {
            format!("{}: {kept} is kept of the cancellation, the policy keeps {right:?}", b.name())
        })?;
        let system = b.booking.details.cancelled_by == Some(CancelledBy::System);
        check(!system || waits || declined_often(f, b), || {
            format!("{}: cancelled for want of money that was never declined", b.name())
        })?;
    }
    for p in b.payments.iter().filter(|p| p.kind == PaymentKind::Deposit) {
        deposit_is_a_fifth(b, p.id)?;
    }
    let held = held.minus(promised_back(b, false));
    if b.booking.details.charges_wait.is_some() {
        // Its customer did not agree to be charged again: what was held then is held, and what came by hand since.
        let most = if b.booking.status == Status::Cancelled { b.retained() } else { b.due() };
        let asks = |p: &&Payment| p.kind.is_charge() && p.kind != PaymentKind::Tip && *p.state == State::Scheduled;
        let planned = b.payments.iter().find(asks).filter(|_| b.booking.status == Status::Cancelled);
        check(planned.is_none(), || format!("{}: nobody agreed to the charge of {planned:?}", b.name()))?;
        return check(!held.is_negative() && held <= most, || {
            format!("{}: {held} is held while its customer is asked, {most} at most", b.name())
        });
    }
    if owed.contains(&held) {
        return Ok(());
    }
    // Money that its bank did not take back stands for what the booking will owe.
    let refused =
        b.payments.iter().any(|p| matches!(p.last_message.as_deref(), Some(TAKES_NOTHING_BACK | IS_DISPUTED)));
    if refused && held <= b.booking.total {
        return Ok(());
    }
    // Its story is too long to say what it should hold so early, but for the bounds.
    let vague = owed.is_empty() && held <= b.due() && !held.is_negative();
    if vague {
        return Ok(());
    }
    let most = owed.iter().max().copied().unwrap_or_default();
    // The bank has it until it has decided: nothing of it can go back.
    let open = b.disputed(DisputeState::Opened, false);
    if held > most && held.minus(open) <= most {
        return Ok(());
    }
    // What the bank gave back, and of a move that was reopened what was given up, nobody asks for.
    let unasked = b.disputed(DisputeState::Lost, false).plus(b.written_off());
    if held < most && held.plus(unasked) >= most {
        return Ok(());
    }
    check(held < most && ladder_explains(f, b), || {
        format!("{}: {held} is held, {owed:?} is owed at {} (total {})", b.name(), f.now, b.booking.total)
    })
}

fn declined_often(f: &Facts, b: &BookingFacts) -> bool {
    f.bank.iter().any(|t| short_of(&t.order_id) == b.short() && t.status == GatewayStatus::Declined)
        || b.payments.iter().any(|p| p.last_message.as_deref() == Some("no usable card is stored"))
}

/// Of the total at the moment it was asked for.
fn deposit_is_a_fifth(b: &BookingFacts, id: kernel::PaymentId) -> Result<(), String> {
    if taken_back(b) {
        return Ok(());
    }
    for a in b.attempts.iter().filter(|a| a.payment_id == id && a.state == AttemptState::Applied) {
        // At the very instant of a change both totals are right.
        let all = totals(b);
        let held = all.iter().enumerate().filter(|(n, (since, _))| {
            *since <= a.created_at && all.get(n + 1).is_none_or(|next| next.0 >= a.created_at)
        });
        let total = held.map(|(_, (_, total))| *total).max().unwrap_or(b.booking.total);
        let right = total.share(settings(b).deposit);
        check(a.amount <= right, || format!("{}: a deposit of {} of {total}", b.name(), a.amount))?;
    }
    Ok(())
}

/// The tip is captured once, as it stands; after its day at the latest.
pub fn tip_money(f: &Facts, b: &BookingFacts, held: Money) -> Result<(), String> {
    let of_tips = |order: &str| {
        b.payments.iter().any(|p| {
            p.kind == PaymentKind::Tip && b.attempts.iter().any(|a| a.payment_id == p.id && a.order_id == order)
        })
    };
    let charges =
        f.bank.iter().filter(|t| t.kind == GatewayKind::Charge && of_tips(&t.order_id) && left(f, t).is_positive());
    let held = held.minus(promised_back(b, true));
    // The bank says what becomes of a disputed tip.
    if b.disputes.iter().any(|d| b.payments.iter().any(|p| p.id == d.payment_id && p.kind == PaymentKind::Tip)) {
        return Ok(());
    }
    let times = charges.count();
    check(times <= 1 || !promised_back(b, true).is_zero(), || {
        format!("{}: tips were charged {times} times", b.name())
    })?;
    if matches!(b.booking.status, Status::Cancelled | Status::Deleted) {
        return check(held.is_zero(), || format!("{}: a tip of {held} for a move that does not take place", b.name()));
    }
    let Some(tip) = &b.tip else {
        return check(held.is_zero(), || format!("{}: a tip of {held} nobody gave", b.name()));
    };
    if tip.is_paid {
        return check(held == tip.amount, || format!("{}: the tip is {}, {held} was charged", b.name(), tip.amount));
    }
    check(held.is_zero(), || format!("{}: a tip of {held} was charged and is shown as not paid", b.name()))?;
    let Some(completed) = b.booking.completed_at.filter(|_| b.done() && tip.amount.is_positive()) else {
        return Ok(());
    };
    // The deposit's rule holds for tips too: what was declined climbs its ladder.
    let marked =
        b.history.iter().rev().find(|h| h.to == Status::Completed).map_or(completed, |h| h.at).max(tip.updated_at);
    let due = f.now > marked + Duration::hours(25) && f.now > completed + Duration::hours(25);
    let tried = b.payments.iter().any(|p| {
        p.kind == PaymentKind::Tip
            && (p.attempts > 0 || is_undone(p))
            && matches!(*p.state, State::SoftDeclined | State::HardDeclined | State::Failed)
    });
    check(!due || tried, || format!("{}: the tip of {} was never charged", b.name(), tip.amount))
}

/// The policy's number of attempts, for each kind.
pub fn declines(f: &Facts, b: &BookingFacts) -> Result<(), String> {
    for (kind, of) in [
        (PaymentKind::Deposit, ChargeKind::Deposit),
        (PaymentKind::Balance, ChargeKind::Balance),
        (PaymentKind::Full, ChargeKind::Full),
        (PaymentKind::Difference, ChargeKind::Difference),
        (PaymentKind::Tip, ChargeKind::Tip),
        (PaymentKind::CancellationFee, ChargeKind::CancellationFee),
    ] {
        let ids: Vec<_> = b.payments.iter().filter(|p| p.kind == kind).map(|p| p.id).collect();
        let made =
            b.attempts.iter().filter(|a| ids.contains(&a.payment_id) && a.state == AttemptState::Declined).count();
        // An edit, a cancellation and a new card each start anew.
        let by_desk = b.pressed + b.payments.iter().filter(|p| p.is_void()).count() + b.booking.details.credits.len();
        let by_hand = b.payments.iter().filter(|p| p.method.is_by_hand()).count();
        let others = by_desk + by_hand + b.disputes.len();
        let anew = 1 + b.revisions.len() + b.history.len() + usize::try_from(f.cards).unwrap() + others;
        let most = policy::ladder(settings(b), of).len() * anew;
        check(made <= most, || {
            format!("{}: {made} declined attempts at {}, the policy allows {most}", b.name(), kind.code())
        })?;
        for id in ids {
            let made = b.attempts.iter().filter(|a| a.payment_id == id && a.state == AttemptState::Declined).count();
            let most = policy::ladder(settings(b), of).len() + usize::try_from(f.cards).unwrap() + b.pressed;
            check(made <= most, || {
                format!("{}: {made} declined attempts at one {}, the policy allows {most}", b.name(), kind.code())
            })?;
        }
        // Without a change of the booking a charge that was given up is not put up again.
        let given_up = b.payments.iter().filter(|p| p.kind == kind && p.state == State::Failed).count();
        check(given_up <= anew, || format!("{}: {given_up} times {} was given up", b.name(), kind.code()))?;
    }
    Ok(())
}
