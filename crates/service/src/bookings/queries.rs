//! Looking at bookings.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money};
use policy::{ChargeKind, PaymentPlan, PlannedCharge};
use status_machine::booking::{Status, visible_to};

use crate::{
    Caller, ErrorCode, ServiceResult, Services,
    billing::{
        facts::{
            captured, facts, in_flight, is_given_up, is_lock, live, open, plan_since, refunded, returned_of, took,
        },
        rows::charge_kind,
    },
    ports::{
        Unit,
        bookings::{Booking, Page},
        crews::CrewMate,
        payments::{Payment, PaymentKind},
        photos::Photo,
        tips::Tip,
    },
};

/// A booking with everything its page shows.
#[derive(Debug, Clone)]
pub struct Detail {
    /// The booking.
    pub booking: Booking,
    /// The dated charges, made and to come.
    pub plan: PaymentPlan,
    /// Charges and refunds, oldest first.
    pub payments: Vec<Payment>,
    /// The tip.
    pub tip: Option<Tip>,
    /// Captured minus returned, tip aside.
    pub net_paid: Money,
    /// Photos of what is special, oldest first.
    pub photos: Vec<Photo>,
    /// Who comes, the longest on it first. For staff's eyes.
    pub crew: Vec<CrewMate>,
    /// The customer may still change it online.
    pub may_edit: bool,
    /// The customer may still cancel it online.
    pub may_cancel: bool,
    /// Now, as the server sees it.
    pub at: DateTime<Utc>,
}

/// A booking as a list shows it.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The booking.
    pub booking: Booking,
    /// Its money.
    pub money: MoneyNow,
}

/// The money of a booking as it stands now. Lists and records take what they say of it from here, so that they never say
/// different things.
#[derive(Debug, Clone)]
pub struct MoneyNow {
    /// The dated charges, made and to come.
    pub plan: PaymentPlan,
    /// Charges and refunds, oldest first.
    pub payments: Vec<Payment>,
    /// The tip.
    pub tip: Option<Tip>,
    /// What the policy goes by.
    pub facts: policy::Facts,
}

/// Where the money of a booking stands.
///
/// # Errors
/// When the database fails.
pub(crate) fn money_of(u: &mut dyn Unit, b: &Booking, now: DateTime<Utc>) -> ServiceResult<MoneyNow> {
    let payments = u.payments().of_booking(b.id)?;
    let facts = facts(b, &payments);
    let mut plan = plan_since(b, &facts, now);
    if live(b) && !b.details.paid_by.is_by_hand() {
        plan.charges = charges_of(b, &plan, &payments);
    }
    Ok(MoneyNow { plan, tip: u.tips().of_booking(b.id)?, payments, facts })
}

/// The dated charges as they were made and are to come: what the rows say, and not what the plan makes of the price. Money
/// that came or went another way is on no date of a plan, and the rows are what is charged.
fn charges_of(b: &Booking, plan: &PaymentPlan, rows: &[Payment]) -> Vec<PlannedCharge> {
    let is_dated = |r: &&Payment| r.kind == PaymentKind::Deposit || is_lock(r);
    let stands = |r: &&Payment| took(r) || open(r) || in_flight(r) || (is_lock(r) && is_given_up(r));
    // What the price rose by since the 48-hour charge is a part of that charge for who reads the dates.
    let asks_more = |r: &&Payment| matches!(r.kind, PaymentKind::Difference | PaymentKind::Overtime) && !r.is_by_link();
    let more: Money = rows
        .iter()
        .filter(asks_more)
        .filter(|r| took(r) || open(r) || in_flight(r))
        .filter(|r| !r.method.is_by_hand())
        .map(|r| r.amount)
        .sum();
    let mut charges: Vec<PlannedCharge> = rows
        .iter()
        .filter(is_dated)
        .filter(|r| !r.method.is_by_hand())
        .filter(stands)
        .filter(|r| !took(r) || returned_of(rows, r) < r.amount)
        .filter_map(|r| {
            let kind = charge_kind(r.kind)?;
            let planned = plan.charges.iter().find(|c| c.kind == kind);
            let amount = match planned {
                _ if !took(r) => r.amount,
                Some(planned) if is_lock(r) => planned.amount.min(r.amount.plus(more)),
                _ => r.amount.min(b.due()),
            };
            Some(PlannedCharge { kind, due_at: planned.map_or(r.due_at, |c| c.due_at), amount })
        })
        .filter(|c| c.amount.is_positive())
        .collect();
    charges.sort_by_key(|c| (c.due_at, c.kind != ChargeKind::Deposit));
    charges
}

/// The booking, if the caller may see it; anything else does not exist for them.
///
/// # Errors
/// `not_found`.
pub(crate) fn visible(u: &mut dyn Unit, caller: &Caller, id: BookingId) -> ServiceResult<Booking> {
    let found = u.bookings().get(id)?;
    allowed(found, caller)
}

/// As [`visible`], locked for a change.
///
/// # Errors
/// `not_found`.
pub(crate) fn visible_locked(u: &mut dyn Unit, caller: &Caller, id: BookingId) -> ServiceResult<Booking> {
    let found = u.bookings().lock(id)?;
    allowed(found, caller)
}

fn allowed(found: Option<Booking>, caller: &Caller) -> ServiceResult<Booking> {
    let role = caller.acts_as()?;
    found
        .filter(|b| visible_to(b.status, role) && (caller.role.is_staff() || caller.user == Some(b.user_id)))
        .ok_or_else(|| ErrorCode::NotFound.into())
}

/// `GET /c/bookings/{id}` and `GET /bookings/{id}`.
///
/// # Errors
/// `not_found`, also when it is somebody else's.
pub async fn detail(s: &Services, caller: &Caller, id: BookingId) -> ServiceResult<Detail> {
    let (caller, now) = (caller.clone(), s.clock.now());
    s.store
        .read(move |u| {
            let booking = visible(u, &caller, id)?;
            detail_of(u, booking, now)
        })
        .await
}

/// Everything a booking's page shows.
///
/// # Errors
/// When the database fails.
pub(crate) fn detail_of(u: &mut dyn Unit, booking: Booking, now: DateTime<Utc>) -> ServiceResult<Detail> {
    let MoneyNow { plan, payments, tip, facts: f } = money_of(u, &booking, now)?;
    let live = matches!(booking.status, Status::Pending | Status::Assigned);
    Ok(Detail {
        plan,
        net_paid: captured(&payments).minus(refunded(&payments)),
        may_edit: live && policy::customer_may_edit(&booking.details.policy, &f, now),
        may_cancel: live,
        payments,
        tip,
        photos: u.photos().of_booking(booking.id)?,
        crew: u.crews().of_booking(booking.id)?,
        booking,
        at: now,
    })
}

/// `GET /bookings/previous`: the caller's own, newest move first.
///
/// # Errors
/// `sign_in_needed`.
pub async fn previous(s: &Services, caller: &Caller, page: i64, per_page: i64) -> ServiceResult<Page<Listed>> {
    let (user, now) = (caller.user.ok_or(ErrorCode::SignInNeeded)?, s.clock.now());
    s.store
        .read(move |u| {
            let Page { data, total } = u.bookings().of_user(user, page, per_page)?;
            let mut listed = Vec::with_capacity(data.len());
            for booking in data {
                let money = money_of(u, &booking, now)?;
                listed.push(Listed { booking, money });
            }
            Ok(Page { data: listed, total })
        })
        .await
}
