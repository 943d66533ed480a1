//! Paying by a link, without an account: what staff booked for somebody on the telephone.
//!
//! Whoever holds the link pays what is owed, as a whole and once. The card is checked at the gateway first, as a stored
//! card is; it is charged for this payment and nothing else. The charge is a checkout of the booking: intent, gateway,
//! effect, and what is killed in between is found again.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money};
use status_machine::booking::Status;

pub use super::links::{Link, Sent, link_of};
use super::{
    checkout::{self, CheckoutPurpose, PendingCheckout, PendingPayment},
    finish::finish,
    links::send,
    queries::visible_locked,
};
use crate::{
    Actor, Caller, Error, ErrorCode, ServiceResult, Services, Staff,
    billing::{
        apart::owed_since_it_went_back,
        facts::{asked_by_link, is_asked_otherwise, to_come},
        lease,
    },
    idempotency::{self, Guard, Replayable},
    payments::{self, refusals},
    ports::{Unit, bookings::Booking, identity::TokenPurpose, payments::Initiator, profiles::Profile},
    profiles, secret,
};

/// `POST /bookings/{id}/payment-link`: another link, by mail.
///
/// # Errors
/// `not_found`, `paid_by_card` where the stored card is charged for it by itself, `nothing_owed`, `link_ended` where nothing
/// is owed for a booking that will not take place.
pub async fn send_again(
    s: &Services,
    staff: &Staff,
    id: BookingId,
    guard: Option<Guard<Sent>>,
) -> ServiceResult<Replayable<Sent>> {
    let (staff, asked_at) = (staff.clone(), s.clock.now());
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let booking = visible_locked(tx.unit, staff.caller(), id)?;
            let rows = tx.unit.payments().of_booking(id)?;
            if is_asked_otherwise(&booking, &rows) {
                return Err(ErrorCode::PaidByCard.into());
            }
            payable(tx.unit, &booking)?;
            let sent = send(tx, &booking)?;
            let told = serde_json::json!({ "amount": sent.amount, "expiresAt": sent.expires_at });
            tx.audit("booking.link", id, None, Some(told))?;
            Ok(sent)
        })
    })
    .await
}

/// What is owed for a booking that takes place, or of what its cancellation keeps.
fn payable(u: &mut dyn Unit, b: &Booking) -> ServiceResult<Money> {
    let rows = u.payments().of_booking(b.id)?;
    match asked_by_link(b, &rows) {
        amount if amount.is_positive() => Ok(amount),
        _ if matches!(b.status, Status::Cancelled | Status::Deleted) => Err(ErrorCode::LinkEnded.into()),
        _ => Err(ErrorCode::NothingOwed.into()),
    }
}

/// Where a link's payment stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It can be paid.
    Open,
    /// Nothing is owed.
    Paid,
    /// A payment is at the gateway.
    Working,
    /// The booking will not take place.
    Ended,
}

impl State {
    /// All of them.
    pub const ALL: [State; 4] = [State::Open, State::Paid, State::Working, State::Ended];

    /// Stable code.
    pub const fn code(self) -> &'static str {
        match self {
            State::Open => "open",
            State::Paid => "paid",
            State::Working => "working",
            State::Ended => "ended",
        }
    }
}

/// What whoever holds the link is shown.
#[derive(Debug, Clone)]
pub struct Page {
    /// The booking; only what tells them that it is theirs goes out.
    pub booking: Booking,
    /// Where it stands.
    pub state: State,
    /// What is owed now.
    pub amount: Money,
    /// What of that had come, and went back to the card by nobody's decision here.
    pub went_back: Money,
    /// What the stored card is charged for in its time, and from when on.
    pub later: Option<(Money, DateTime<Utc>)>,
    /// When the link stops working.
    pub expires_at: DateTime<Utc>,
    /// A token for the card fields, while it can be paid.
    pub client_token: Option<String>,
}

/// The booking of a link that works.
fn by_token(u: &mut dyn Unit, token: &str, now: DateTime<Utc>) -> ServiceResult<(Booking, DateTime<Utc>)> {
    let link = u.one_time_tokens().get(&secret::hash(token))?;
    let link = link.filter(|l| l.purpose == TokenPurpose::Pay && l.spent_at.is_none() && now < l.expires_at);
    let link = link.ok_or(ErrorCode::NotFound)?;
    let id = link.booking_id.ok_or(ErrorCode::NotFound)?;
    let booking = u.bookings().get(id)?.filter(|b| b.status != Status::Deleted).ok_or(ErrorCode::NotFound)?;
    Ok((booking, link.expires_at))
}

fn page(u: &mut dyn Unit, booking: Booking, expires_at: DateTime<Utc>) -> ServiceResult<Page> {
    let rows = u.payments().of_booking(booking.id)?;
    let amount = asked_by_link(&booking, &rows);
    let state = if u.checkouts().of_subject(booking.id)?.is_some() {
        State::Working
    } else if amount.is_positive() {
        State::Open
    } else if matches!(booking.status, Status::Cancelled | Status::Deleted) {
        State::Ended
    } else {
        State::Paid
    };
    let (went_back, first) =
        (owed_since_it_went_back(&booking, &rows).min(amount), to_come(&booking, &rows).map(|r| r.due_at).min());
    let later = first.map(|at| (to_come(&booking, &rows).map(|r| r.amount).sum::<Money>(), at));
    Ok(Page { booking, state, amount, went_back, later, expires_at, client_token: None })
}

/// `GET /pay/{token}`.
///
/// # Errors
/// `not_found` for a link that never was or works no more; `payment_unavailable`.
pub async fn look(s: &Services, token: String) -> ServiceResult<Page> {
    let now = s.clock.now();
    let mut found = s
        .store
        .read(move |u| {
            let (booking, expires_at) = by_token(u, &token, now)?;
            page(u, booking, expires_at)
        })
        .await?;
    if found.state == State::Open {
        found.client_token = Some(payments::client_token(s, &Caller::guest(found.booking.language)).await?);
    }
    Ok(found)
}

/// `POST /pay/{token}`: charges what is owed, once. `shown` is what the person was shown.
///
/// # Errors
/// `not_found`, `nothing_owed`, `link_ended`, `price_changed` with what is owed now, `payment_declined` and
/// `payment_card_failed` (then nothing was changed), `payment_in_flight`, `payment_unavailable`,
/// `too_many_declined_cards`.
pub async fn pay(s: &Services, caller: &Caller, token: String, nonce: String, shown: Money) -> ServiceResult<Page> {
    let (now, secret) = (s.clock.now(), token.clone());
    let (id, expires_at, profile) = s
        .store
        .read(move |u| {
            let (booking, expires_at) = by_token(u, &secret, now)?;
            as_shown(payable(u, &booking)?, shown)?;
            Ok::<_, Error>((booking.id, expires_at, profiles::own(u, booking.user_id)?))
        })
        .await?;
    // One press is one try, from the check of its card to its charge.
    refusals::of_new_card(s, caller, Some(id), press(s, caller, Press { id, token, nonce, shown, profile })).await?;
    // By its booking: the link may have ended while the card was charged.
    s.store
        .read(move |u| {
            let booking = u.bookings().get(id)?.ok_or(ErrorCode::NotFound)?;
            page(u, booking, expires_at)
        })
        .await
}

/// One press of a link's button.
struct Press {
    id: BookingId,
    token: String,
    nonce: String,
    shown: Money,
    profile: Profile,
}

/// Checks the card and charges it.
async fn press(s: &Services, caller: &Caller, press: Press) -> ServiceResult<()> {
    let Press { id, token, nonce, shown, profile } = press;
    let by = Actor { user: None, role: None, request_id: caller.request_id.clone() };
    let details = payments::check_card(s, by.clone(), &profile, &nonce).await?;
    let lease = lease::wait(s, id, lease::PATIENCE).await?.ok_or(ErrorCode::PaymentInFlight)?;
    let (owner, actor) = (lease.clone(), by.clone());
    let begun = s
        .write(by, move |tx| {
            let booking = tx.unit.bookings().lock(id)?.ok_or(ErrorCode::NotFound)?;
            owner.hold(tx)?;
            tx.look_at_clock();
            // Again, under the lock: it may be paid, changed or cancelled by now, or the link replaced.
            by_token(tx.unit, &token, tx.now)?;
            if tx.unit.checkouts().of_subject(id)?.is_some() {
                return Err(Error::from(ErrorCode::PaymentInFlight));
            }
            let amount = payable(tx.unit, &booking)?;
            as_shown(amount, shown)?;
            let checkout = BookingId(tx.id());
            // A UUID is written with 36 ASCII characters: the last twelve exist.
            let order_id = format!("{}-link-{}", booking.short_id, &checkout.to_string()[24..]);
            let plan = PendingCheckout {
                effect: CheckoutPurpose::Pay(PendingPayment { booking: id, user: booking.user_id, by: actor }),
                reserved: None,
                amount,
                method_id: details.method_id,
                last4: details.last4,
            };
            Ok((checkout::begin(tx, checkout, id, order_id, &plan, None)?, plan))
        })
        .await;
    let ended = match begun {
        Ok((checkout, plan)) => {
            let charged = async {
                let outcome = checkout::charge(s, &checkout, &plan, Initiator::Customer).await;
                finish(s, checkout, plan, outcome, None, None).await
            };
            lease.during(s, charged).await
        }
        Err(refused) => Err(refused),
    };
    lease.give_back(s).await?;
    ended.map(drop)
}

fn as_shown(owed: Money, shown: Money) -> ServiceResult<()> {
    if owed == shown {
        return Ok(());
    }
    Err(Error::Refused(ErrorCode::PriceChanged, vec![("total", owed.to_string())]))
}
