//! What people want: a move on some day, and what somebody does next about it.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use service::ports::{Clock as _, bookings::Booking};
use status_machine::booking::Status;

use crate::{
    actors::{Deed, Wizard},
    dice::Dice,
    people::customer,
    time::business_start,
    world::{Lead, World},
};

/// What its customer or the staff of operations do next.
pub fn choose(d: &Dice, w: &World, wizard: &Wizard, booking: Option<&Booking>) -> Deed {
    // A key is remembered for a day: the page of another day has another one.
    let day = u8::try_from((w.clock.now() - business_start()).num_days().clamp(0, 100)).unwrap() * 2;
    let Some(b) = booking else {
        let hold = u64::from(wizard.hold.lock().unwrap().is_none());
        return match d.weighed(&[(hold * 4, 0), (1, 1), (8, 2), (2, 3), (1, 4)]) {
            0 => Deed::Hold,
            1 => Deed::Extend,
            2 => Deed::Press { tab: day },
            3 => Deed::Press { tab: day + 1 },
            _ => Deed::Card,
        };
    };
    // Some agree, some do not, some by an old mail; many never answer.
    if b.is_asked() && d.often(350) {
        return Deed::Answer { agree: d.often(700), newest: d.often(850) };
    }
    let now = w.clock.now();
    let started = now >= b.move_at;
    let boxes = d.pick(&[4, 10, 40, 90, 160, 240]);
    let price = d.pick(&[9_000, 25_000, 40_000, 70_000]);
    let near = some_day(d, now, &[1, 2, 3]);
    let far = some_day(d, now, &[4, 6, 12, 70]);
    let (date, time) = if d.often(500) { near } else { far };
    let live = [
        (2, Deed::Press { tab: day }),
        (1, Deed::Phone),
        (3, Deed::Boxes(boxes)),
        (3, Deed::Day(date, time)),
        (1, Deed::Code(true)),
        (1, Deed::Code(false)),
        (2, Deed::Tip(d.pick(&[5, 20, 25]))),
        (4, Deed::Cancel),
        (1, Deed::Card),
        (4, Deed::StaffPrice(price)),
        (1, Deed::StaffBoxes(boxes)),
        (2, Deed::StaffDay(date, time)),
        (1, Deed::Status(Status::Assigned, false)),
        (1, Deed::Status(Status::Cancelled, true)),
        (2, Deed::Status(Status::Cancelled, false)),
        (if started { 20 } else { 1 }, Deed::Status(Status::Completed, false)),
    ];
    let cancelled = [
        (8, Deed::Status(Status::Pending, false)),
        (1, Deed::Press { tab: day }),
        (1, Deed::Tip(5)),
        (1, Deed::Cancel),
        (1, Deed::Card),
    ];
    let done = [
        (6, Deed::Tip(d.pick(&[5, 20, 25, 30]))),
        (5, Deed::Status(Status::Assigned, false)),
        (1, Deed::Status(Status::Invoiced, false)),
        (1, Deed::Status(Status::Payed, false)),
        (1, Deed::Cancel),
        (1, Deed::StaffPrice(price)),
        (1, Deed::Card),
    ];
    let of: &[(u64, Deed)] = match b.status {
        Status::Pending | Status::Assigned => &live,
        Status::Cancelled => &cancelled,
        _ => &done,
    };
    let n: Vec<(u64, usize)> = of.iter().enumerate().map(|(n, (weight, _))| (*weight, n)).collect();
    of[d.weighed(&n)].1.clone()
}

fn some_day(d: &Dice, now: DateTime<Utc>, ahead: &[u64]) -> (NaiveDate, NaiveTime) {
    let date = now.date_naive() + chrono::Days::new(d.pick(ahead));
    (date, NaiveTime::from_hms_opt(d.pick(&[8, 10, 13, 16]), 0, 0).unwrap())
}

/// A step of the table of statuses that takes something back, or puts it away.
pub fn way_back(d: &Dice, b: &Booking) -> Deed {
    match b.status {
        Status::Pending => Deed::Status(Status::Deleted, false),
        Status::Cancelled => Deed::Status(d.pick(&[Status::Pending, Status::Deleted]), false),
        Status::Assigned => Deed::Status(Status::Pending, false),
        Status::Completed => Deed::Status(d.pick(&[Status::Assigned, Status::Invoiced]), false),
        Status::Invoiced => Deed::Status(d.pick(&[Status::Completed, Status::Payed]), false),
        Status::Payed => Deed::Status(Status::Invoiced, false),
        Status::Deleted => Deed::Undelete(d.pick(&[Status::Pending, Status::Cancelled])),
    }
}

/// Somebody who wants to move, as the seed decided.
pub fn wizard(w: &World, d: &Dice, n: usize) -> Wizard {
    let (days, hours): (&[u64], &[u32]) = match w.plan.lead {
        Lead::Near => (&[1, 2], &[8]),
        Lead::Merged => (&[2], &[10, 13, 16]),
        Lead::Split => (&[4, 6, 9], &[8, 10, 13, 16]),
        Lead::Far => (&[70, 80], &[8, 13]),
    };
    let hour = if w.plan.lead == Lead::Near && d.often(500) { 13 } else { d.pick(hours) };
    let ahead = if w.plan.lead == Lead::Near && hour == 13 { 1 } else { d.pick(days) };
    Wizard {
        customer: customer(n),
        n,
        date: business_start().date_naive() + chrono::Days::new(ahead),
        time: NaiveTime::from_hms_opt(hour, 0, 0).unwrap(),
        boxes: d.pick(&[4, 10, 40]),
        code: d.often(300),
        tip: d.often(500),
        hold: std::sync::Mutex::default(),
    }
}
