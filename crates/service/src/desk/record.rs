//! One booking with all that belongs to it: whose it is, what they owe, what was paid and said.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money, PaymentId, UserId, uuid::Uuid};
use policy::PaymentPlan;
use status_machine::booking::Status;

use super::rows::{Row, row};
use crate::{
    Error, ErrorCode, ServiceResult, Services, Staff,
    billing::{
        apart,
        facts::{self, owed},
        returns::returnable_of as returnable,
    },
    bookings::{
        consents,
        pay_link::{self, Link},
        queries::{Detail, detail_of, visible},
        trail::Names,
    },
    idempotency::{Guard, Replayable},
    mailing::commercial,
    payments::{self, StoredCustomer},
    ports::{
        Unit,
        bookings::Booking,
        credits::Credit,
        facts::PaymentState,
        lists::{Order, Start},
        messages::Message,
        payments::{Attempt, Payment},
        profiles::Profile,
    },
    sms::wishes,
};

/// Moves of a customer that are shown.
const MOST_MOVES: i64 = 100;

/// A booking as its page shows it to staff.
#[derive(Debug, Clone)]
pub struct Record {
    /// As in a list.
    pub row: Row,
    /// With money, plan and tip.
    pub detail: Detail,
    /// Open money of this booking.
    pub owed: Money,
    /// The newest link to pay it by, while it works.
    pub link: Option<Link>,
    /// Something is owed, and nothing of ours charges it by itself: a link to pay it can be mailed.
    pub payable_by_link: bool,
    /// Who has the customer's number wants no texts.
    pub texts_stopped: bool,
    /// Who has the customer's address wants no commercial e-mails.
    pub mails_stopped: bool,
}

/// `GET /bookings/{id}`.
///
/// # Errors
/// `not_found`.
pub async fn get(s: &Services, staff: &Staff, id: BookingId) -> ServiceResult<Record> {
    let (staff, now) = (staff.clone(), s.clock.now());
    s.store
        .read(move |u| {
            let booking = visible(u, staff.caller(), id)?;
            read(u, &staff, booking, now)
        })
        .await
}

/// Reads the record of a booking as it is now.
pub(super) fn read(u: &mut dyn Unit, staff: &Staff, booking: Booking, now: DateTime<Utc>) -> ServiceResult<Record> {
    let detail = detail_of(u, booking.clone(), now)?;
    Ok(Record {
        owed: owed(&booking, &detail.payments),
        payable_by_link: facts::may_be_sent(&booking, &detail.payments),
        link: pay_link::link_of(u, booking.id, now)?,
        texts_stopped: wishes::typed_is_stopped(u, &booking.details.customer_phone)?,
        mails_stopped: commercial::typed_is_stopped(u, &booking.details.customer_email)?,
        row: row(u, staff, booking, now)?,
        detail,
    })
}

/// The record of a booking that staff just gave another status, also of one that they do not see any more.
///
/// # Errors
/// When the database fails.
pub async fn after(s: &Services, staff: &Staff, detail: Detail) -> ServiceResult<Record> {
    let (staff, now) = (staff.clone(), s.clock.now());
    s.store
        .read(move |u| {
            let row = row(u, &staff, detail.booking.clone(), now)?;
            let link = pay_link::link_of(u, detail.booking.id, now)?;
            let texts_stopped = wishes::typed_is_stopped(u, &detail.booking.details.customer_phone)?;
            let mails_stopped = commercial::typed_is_stopped(u, &detail.booking.details.customer_email)?;
            let (b, rows) = (&detail.booking, &detail.payments);
            let (owed, payable_by_link) = (owed(b, rows), facts::may_be_sent(b, rows));
            Ok(Record { owed, payable_by_link, link, row, texts_stopped, mails_stopped, detail })
        })
        .await
}

/// The record as it was in one of its versions.
///
/// # Errors
/// `not_found`, also when that version was not kept.
pub async fn version(s: &Services, staff: &Staff, id: BookingId, number: i32) -> ServiceResult<Booking> {
    let staff = staff.clone();
    s.store
        .read(move |u| {
            visible(u, staff.caller(), id)?;
            u.booking_history().at_version(id, number)?.ok_or_else(|| ErrorCode::NotFound.into())
        })
        .await
}

/// A move of a customer, in short.
#[derive(Debug, Clone)]
pub struct Move {
    /// The booking.
    pub booking: Booking,
    /// Open money.
    pub owed: Money,
    /// What of it is due by now.
    pub due_now: Money,
    /// Where its money stands.
    pub payment_state: PaymentState,
}

/// Whose booking it is.
#[derive(Debug, Clone)]
pub struct Customer {
    /// The account.
    pub id: UserId,
    /// Who they say they are; none where nobody wrote it down.
    pub profile: Option<Profile>,
    /// They have shown that mail reaches them.
    pub email_verified: bool,
    /// A card can be charged.
    pub has_card: bool,
    /// What they owe for all their moves by now; what falls due later is no debt yet.
    pub owes: Money,
    /// Their moves, the newest first.
    pub moves: Vec<Move>,
    /// How many they have.
    pub total: i64,
}

/// `GET /bookings/{id}/customer`.
///
/// # Errors
/// `not_found`.
pub async fn customer(s: &Services, staff: &Staff, id: BookingId) -> ServiceResult<Customer> {
    let (staff, now) = (staff.clone(), s.clock.now());
    s.store
        .read(move |u| {
            let user = visible(u, staff.caller(), id)?.user_id;
            let total = u.bookings().of_user(user, 1, 1)?.total;
            let all = u.bookings().of_user_from(user, Start::First(Order::MoveAtDescending), MOST_MOVES)?;
            let mut moves = Vec::with_capacity(all.data.len());
            for booking in all.data {
                let rows = u.payments().of_booking(booking.id)?;
                let facts = u.bookings().facts(booking.id)?;
                let payment_state = facts.map_or(PaymentState::None, |f| f.payment_state);
                let due_now = facts::owed_by_now(&booking, &rows, now);
                moves.push(Move { owed: owed(&booking, &rows), due_now, payment_state, booking });
            }
            Ok(Customer {
                id: user,
                profile: u.profiles().get(user)?,
                email_verified: u.accounts().get(user)?.is_some_and(|a| a.email_verified),
                has_card: u.cards().current(user)?.is_some(),
                owes: moves.iter().map(|m| m.due_now).sum(),
                moves,
                total,
            })
        })
        .await
}

/// `POST /bookings/{id}/card`: a card for the customer of a booking, who is there or on the telephone and
/// agrees. It is the one charged from now on, and declined charges are tried again with it at once.
///
/// # Errors
/// `not_found`; `email_unknown` when the customer has no profile; `payment_customer_failed`,
/// `payment_card_failed` and `payment_declined` with the gateway's own words.
pub async fn store_card(
    s: &Services,
    staff: &Staff,
    id: BookingId,
    nonce: String,
    guard: Option<Guard<StoredCustomer>>,
) -> ServiceResult<Replayable<StoredCustomer>> {
    let caller = staff.caller().clone();
    let user = s.store.read(move |u| Ok::<_, Error>(visible(u, &caller, id)?.user_id)).await?;
    payments::store_for(s, staff.caller(), user, nonce, guard).await
}

/// `POST /bookings/{id}/consent`: a yes that was said on the telephone.
///
/// # Errors
/// As [`consents::staff::record`].
pub async fn consent(
    s: &Services,
    staff: &Staff,
    id: BookingId,
    which: Option<Uuid>,
    note: String,
    guard: Option<Guard<Record>>,
) -> ServiceResult<Replayable<Record>> {
    let told = |tx: &mut crate::Tx<'_>, staff: &Staff, b: Booking| read(tx.unit, staff, b, tx.now);
    consents::staff::record(s, staff, id, which, note, guard, told).await
}

/// The money of a booking: what happened, and what comes.
#[derive(Debug, Clone)]
pub struct Paid {
    /// Charges and refunds with their attempts, oldest first.
    pub data: Vec<(Payment, Vec<Attempt>)>,
    /// Charges of which some went back by another hand and can be given up, each with how much.
    pub write_offs: Vec<(PaymentId, Money)>,
    /// The booking's zone is the plan's.
    pub zone: kernel::Zone,
    /// The dated charges.
    pub plan: PaymentPlan,
    /// What the booking was made under.
    pub policy: policy::Settings,
    /// What staff gave back or waived, oldest first, and who gave it.
    pub credits: Vec<(Credit, Option<String>)>,
    /// What of these counts, tax included.
    pub credited: Money,
    /// How much more could be credited.
    pub most: CreditLimits,
    /// Captured minus returned, tip aside.
    pub net_paid: Money,
    /// Still owed.
    pub owed: Money,
}

/// `GET /bookings/{id}/payments`.
///
/// # Errors
/// `not_found`.
pub async fn payments(s: &Services, staff: &Staff, id: BookingId) -> ServiceResult<Paid> {
    let (staff, now): (_, DateTime<Utc>) = (staff.clone(), s.clock.now());
    s.store
        .read(move |u| {
            let booking = visible(u, staff.caller(), id)?;
            paid(u, booking, now)
        })
        .await
}

/// The money of a booking as it is now.
pub(super) fn paid(u: &mut dyn Unit, booking: Booking, now: DateTime<Utc>) -> ServiceResult<Paid> {
    let detail = detail_of(u, booking, now)?;
    let b = &detail.booking;
    let mut names = Names::default();
    let mut credits = Vec::with_capacity(b.details.credits.len());
    for credit in &b.details.credits {
        credits.push((credit.clone(), names.of(u, credit.by)?));
    }
    let mut data = Vec::with_capacity(detail.payments.len());
    for payment in &detail.payments {
        data.push((payment.clone(), u.payments().attempts_of(payment.id)?));
    }
    let given_up = |r: &Payment| (r.id, apart::to_be_written_off(b, &detail.payments, r));
    Ok(Paid {
        data,
        write_offs: detail.payments.iter().map(given_up).filter(|(_, amount)| amount.is_positive()).collect(),
        credits,
        zone: b.zone,
        credited: if matches!(b.status, Status::Cancelled | Status::Deleted) {
            b.details.kept.unwrap_or(Money::ZERO).minus(b.retained())
        } else {
            b.credited()
        },
        most: CreditLimits::of(b, &detail.payments),
        owed: owed(b, &detail.payments),
        policy: b.details.policy.clone(),
        plan: detail.plan,
        net_paid: detail.net_paid,
    })
}

/// How much of each kind of credit can be given now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreditLimits {
    /// What can go back; none while something is still owed that is asked for already.
    pub refund: Money,
    /// What can be waived.
    pub goodwill: Money,
}

impl CreditLimits {
    /// Of a booking with these charges and refunds.
    pub(super) fn of(b: &Booking, rows: &[Payment]) -> CreditLimits {
        let due = match b.status {
            Status::Deleted => Money::ZERO,
            Status::Cancelled => b.retained(),
            _ => b.due(),
        };
        // What was given up cannot be given away once more.
        let due = due.minus(b.written_off()).max(Money::ZERO);
        let f = facts::facts(b, rows);
        let held = f.net().max(Money::ZERO);
        // Before its 48-hour instant a move that is paid by card waits for the rest by itself.
        let asked = !facts::live(b) || b.details.paid_by.is_by_hand() || f.balance_captured || b.details.lock_entered;
        // What a cardholder disputes is with the bank until it has decided: it cannot go back.
        let refund = if asked && due > held { Money::ZERO } else { held.min(due).min(returnable(rows)) };
        CreditLimits { refund, goodwill: due }
    }
}

/// `GET /bookings/{id}/messages`: oldest first.
///
/// # Errors
/// `not_found`.
pub async fn messages(s: &Services, staff: &Staff, id: BookingId) -> ServiceResult<Vec<Message>> {
    let staff = staff.clone();
    s.store
        .read(move |u| {
            visible(u, staff.caller(), id)?;
            Ok(u.messages().of_booking(id)?)
        })
        .await
}
