//! Looking at bookings.

use chrono::{DateTime, Utc};
use kernel::BookingId;
use policy::PaymentPlan;
use status_machine::booking::{Status, visible_to};

use crate::{
    Caller, ErrorCode, ServiceResult, Services,
    billing::facts::{captured, facts, plan_since, refunded},
    ports::{
        Unit,
        bookings::{Booking, Page},
        crews::CrewMate,
        payments::Payment,
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
    pub net_paid: kernel::Money,
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
    Ok(MoneyNow { plan: plan_since(b, &facts, now), tip: u.tips().of_booking(b.id)?, payments, facts })
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
