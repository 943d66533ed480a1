//! Capacity, codes, what staff did with nobody's help, and what people got to read.

use std::collections::{BTreeMap, BTreeSet};

use chrono::Duration;
use scheduling::{BucketKey, Refusal};
use service::ports::capacity::Hold;
use service::ports::history::StatusChange;
use service::ports::payments::AttemptState;
use status_machine::{booking::Status, hold::State};

use super::check;
use crate::{
    facts::{BookingFacts, Facts},
    people::{CODE, HUB},
};

/// A booking that takes place has its time, one that does not has none.
pub fn held(b: &BookingFacts) -> Result<(), String> {
    let Some(hold) = &b.hold else {
        let started = b.history.last().is_some_and(|h| h.at >= b.booking.move_at);
        return check(!b.live() || started, || format!("{}: its time is not held", b.name()));
    };
    check(b.live() || b.done(), || format!("{}: holds its time still", b.name()))?;
    let right = hold.starts_at == b.booking.move_at
        && hold.mates >= u32::from(b.booking.mate_count.get())
        && hold.state == State::Converted;
    check(right, || {
        format!("{}: holds {} from {}, it starts at {}", b.name(), hold.mates, hold.starts_at, b.booking.move_at)
    })?;
    let ends = b.booking.move_at + Duration::minutes(i64::from(b.booking.duration_minutes));
    check(hold.until >= ends, || format!("{}: held until {}, the work ends at {ends}", b.name(), hold.until))
}

/// Mates and trucks counted as taken are those of bookings and of holds that live.
pub fn counted(f: &Facts) -> Result<(), String> {
    let mut should: BTreeMap<BucketKey, (u32, [u32; 3])> = BTreeMap::new();
    let held = f.bookings.iter().filter_map(|b| b.hold.as_ref());
    for hold in held.chain(&f.holds).filter(|h| h.hub == HUB) {
        for key in &hold.buckets {
            let (mates, trucks) = should.entry(*key).or_default();
            *mates += hold.mates;
            if let Some(truck) = truck(hold) {
                trucks[truck] += 1;
            }
        }
    }
    if should == f.used {
        return Ok(());
    }
    let odd = should
        .iter()
        .find(|(k, v)| f.used.get(k) != Some(v))
        .or_else(|| f.used.iter().find(|(k, v)| should.get(k) != Some(v)));
    let key = odd.map(|(k, _)| *k);
    let at = |of: &BTreeMap<BucketKey, (u32, [u32; 3])>| key.and_then(|k| of.get(&k).copied()).unwrap_or_default();
    Err(format!("{key:?}: {:?} is counted as taken, bookings and holds take {:?}", at(&f.used), at(&should)))
}

fn truck(hold: &Hold) -> Option<usize> {
    hold.truck.map(|t| scheduling::TruckClass::ALL.iter().position(|c| *c == t).unwrap())
}

/// A code is used by the bookings that have it and by no other.
pub fn codes(f: &Facts) -> Result<(), String> {
    let uses = |b: &&BookingFacts| (b.live() || b.done()) && b.booking.discount_code.as_deref() == Some(CODE);
    let should = f.bookings.iter().filter(uses).count();
    check(usize::try_from(f.uses) == Ok(should), || format!("{CODE} counts {} uses, {should} bookings use it", f.uses))
}

/// What a customer changed last must end within the working day.
pub fn within_the_day(b: &BookingFacts) -> Result<(), String> {
    let Some(last) = b.revisions.last().filter(|r| r.role == Some(status_machine::Role::Customer)) else {
        return Ok(());
    };
    let longer = last.changes.get("items").is_some() || last.changes.get("moveAt").is_some();
    if !longer || b.revisions.iter().any(|r| r.role != Some(status_machine::Role::Customer)) {
        return Ok(());
    }
    let k = &b.booking;
    let early = k.move_at - Duration::days(5);
    let fits = scheduling::check_start(
        &scheduling::Settings::default(),
        k.zone,
        k.province,
        k.move_date,
        k.move_time,
        k.duration_minutes,
        false,
        early,
    );
    check(!matches!(fits, Err(Refusal::TooLong)), || {
        format!("{}: {} minutes from {} do not end within the day", b.name(), k.duration_minutes, k.move_time)
    })
}

/// Only what was done is invoiced, or paid without an invoice.
pub fn invoiced_when_done(b: &BookingFacts) -> Result<(), String> {
    let done = |from: Option<Status>| matches!(from, Some(Status::Completed | Status::Invoiced | Status::Payed));
    let early = b.history.iter().any(|h| matches!(h.to, Status::Invoiced | Status::Payed) && !done(h.from));
    check(!early, || format!("{}: invoiced or payed before it was done", b.name()))
}

/// Assigned is who has a crew, taken for just the time that is held; a fee is for those who once had one.
pub fn crew(b: &BookingFacts) -> Result<(), String> {
    let (many, status) = (b.crew.len(), b.booking.status);
    let right = match status {
        Status::Assigned => (1..=usize::from(b.booking.mate_count.get())).contains(&many),
        Status::Pending | Status::Cancelled | Status::Deleted => many == 0,
        _ => true,
    };
    check(right, || format!("{}: {status} with a crew of {many}", b.name()))?;
    if let Some(hold) = &b.hold {
        let half_hours = scheduling::half_hours(hold.from, hold.until);
        let all = || b.crew.iter().flat_map(|m| half_hours.iter().map(|at| (m.mate, *at)));
        let (should, is): (BTreeSet<_>, BTreeSet<_>) = (all().collect(), b.times.iter().copied().collect());
        check(should == is, || format!("{}: its crew is taken for another time than is held", b.name()))?;
    }
    let ever = b.history.iter().any(|h| h.to == Status::Assigned);
    let fees = b.booking.details.change_fees;
    check(ever || fees.is_zero(), || format!("{}: a change fee of {fees} although nobody is assigned", b.name()))
}

/// A decline is told once; a move that takes place is announced.
pub fn mails(f: &Facts, b: &BookingFacts) -> Result<(), String> {
    let mine = || f.letters.iter().filter(|l| l.booking.as_deref() == Some(b.booking.short_id.as_str()));
    let of = |kind: &str| mine().filter(|l| l.kind == kind).map(|l| l.id.as_str()).collect::<BTreeSet<_>>().len();
    let refused =
        b.attempts.iter().filter(|a| matches!(*a.state, AttemptState::Declined | AttemptState::NotApplied)).count();
    let cardless = b.payments.iter().map(|p| usize::try_from(p.attempts).unwrap_or(0)).sum::<usize>();
    let told = of("paymentFailed");
    check(told <= refused.max(cardless), || format!("{}: {told} mails about {refused} declines", b.name()))?;
    // One with the booking, and one each time a cancellation is taken back, but where it ends again with the same step.
    let back = |(n, h): &(usize, &StatusChange)| {
        (h.from, h.to) == (Some(Status::Cancelled), Status::Pending)
            && b.history.get(n + 1).is_none_or(|next| next.at > h.at)
    };
    let least = 1 + b.history.iter().enumerate().filter(back).count();
    let most = 1 + b.history.iter().filter(|h| (h.from, h.to) == (Some(Status::Cancelled), Status::Pending)).count();
    let confirmed = of("bookingConfirmation");
    check((least..=most).contains(&confirmed), || format!("{}: {confirmed} confirmations", b.name()))?;
    let moved = b.history.iter().map(|h| h.at).chain(b.revisions.iter().map(|r| r.at)).max();
    let day_before = b.booking.move_at - Duration::hours(24);
    // It waits for a charge that decides whether there is a move, and nobody is reminded of one that began.
    let by_now = (day_before + Duration::hours(3)..b.booking.move_at).contains(&f.now);
    let announced = b.live() && by_now && moved.is_some_and(|at| at < day_before);
    check(!announced || of("moveReminder") > 0, || {
        format!("{}: its move is tomorrow and nobody was reminded", b.name())
    })
}
