//! Messages to people: queued in the transaction that causes them, with their values frozen;
//! rendered and sent by a job.

pub(crate) mod alerts;
pub mod batches;
mod blocks;
pub(crate) mod calendar;
pub(crate) mod card_links;
pub mod catalogue;
pub(crate) mod changes;
pub mod commercial;
pub(crate) mod crews;
pub(crate) mod delivery;
pub(crate) mod drafted;
pub mod gate;
mod identity;
pub mod invoices;
pub(crate) mod papers;
mod queue;
pub(crate) mod quote_requests;
pub(crate) mod quotes;
pub mod reminders;
mod render;
pub(crate) mod repeat;
mod sample;
mod send;
pub(crate) mod values;
mod wording;

use chrono::{DateTime, Utc};
use kernel::Money;
use policy::{Cancellation, PaymentPlan};
use serde_json::{Map, Value};
use status_machine::booking::Status;

use self::changes::AmountsBefore;
use crate::{
    ServiceResult, Tx,
    billing::{
        facts::{SETTLEMENT_DECLINED, owed},
        returns,
    },
    ports::{
        bookings::Booking,
        invoices::Invoice,
        payments::{Attempt, Payment, PaymentKind},
        tips::Tip,
    },
    sms, texts,
};

pub use commercial::TRIED;
pub use gate::{Gate, GateClosed};
use queue::queue_to_customer;
pub use queue::{NewMessage, queue};
pub use render::{Rendered, render};
pub(crate) use render::{filled, partials, shipped};
pub use send::send;
pub(crate) use values::{ConsentLink, PayLink};

/// `bookingConfirmation`.
///
/// # Errors
/// When the database fails.
pub fn booking_confirmed(tx: &mut Tx<'_>, b: &Booking, plan: &PaymentPlan, tip: Option<&Tip>) -> ServiceResult<()> {
    let values = invoices::with_contract("bookingConfirmation", b, values::confirmation(tx.services, b, plan, tip));
    queue_to_customer(tx, b, "bookingConfirmation", "1", values).map(drop)
}

/// `bookingConfirmation` again, of the booking as it is now, once a minute; whether it was queued.
///
/// # Errors
/// When the database fails.
pub fn booking_confirmed_again(
    tx: &mut Tx<'_>,
    b: &Booking,
    plan: &PaymentPlan,
    tip: Option<&Tip>,
    minute: DateTime<Utc>,
) -> ServiceResult<bool> {
    let values = confirmed_since(tx, b, plan, tip);
    queue_to_customer(tx, b, "bookingConfirmation", &format!("again:{}", minute.timestamp()), values)
}

/// `bookingConfirmation` of a booking whose cancellation was taken back: once for each time. It has the appointment that
/// the cancellation took out of the customer's calendar.
///
/// # Errors
/// When the database fails.
pub(crate) fn booking_taken_back(
    tx: &mut Tx<'_>,
    b: &Booking,
    plan: &PaymentPlan,
    tip: Option<&Tip>,
) -> ServiceResult<()> {
    let values = confirmed_since(tx, b, plan, tip);
    queue_to_customer(tx, b, "bookingConfirmation", &format!("back:{}", b.version), values).map(drop)
}

/// What a confirmation says some time after the booking was made: nothing that has passed, and no charge of money that went
/// back before its customer agreed.
fn confirmed_since(tx: &Tx<'_>, b: &Booking, plan: &PaymentPlan, tip: Option<&Tip>) -> Map<String, Value> {
    let mut values = values::confirmation(tx.services, b, plan, tip);
    if plan.free_until().is_none_or(|(until, _)| until < tx.now) {
        values.remove("freeCancellationUntil");
    }
    if b.details.charges_wait.is_some() {
        for key in ["depositAmount", "depositDueAt", "balanceAmount", "balanceDueAt"] {
            values.remove(key);
        }
        values.insert("howPaid".into(), texts::text("howPaid.waits", b.language).into());
    }
    invoices::with_contract("bookingConfirmation", b, values)
}

/// `paymentLink`, once a link: `of` tells one from another.
///
/// # Errors
/// When the database fails.
pub(crate) fn payment_link(tx: &mut Tx<'_>, b: &Booking, of: &str, link: PayLink<'_>) -> ServiceResult<()> {
    queue_to_customer(tx, b, "paymentLink", of, values::payment_link(b, &link)).map(drop)
}

/// `consentRequest`, once a link: `of` tells one from another.
///
/// # Errors
/// When the database fails.
pub(crate) fn consent_request(tx: &mut Tx<'_>, b: &Booking, of: &str, link: &ConsentLink<'_>) -> ServiceResult<()> {
    queue_to_customer(tx, b, "consentRequest", of, values::consent(b, link)).map(drop)
}

/// `depositCharged`, `balanceCharged`, `fullPaymentCharged`, `tipCharged` or `refundIssued`.
///
/// # Errors
/// When the database fails.
pub fn payment_made(tx: &mut Tx<'_>, b: &Booking, row: &Payment) -> ServiceResult<()> {
    let kind = match row.kind {
        PaymentKind::Deposit => "depositCharged",
        PaymentKind::Full => "fullPaymentCharged",
        PaymentKind::Balance | PaymentKind::Difference | PaymentKind::Overtime | PaymentKind::CancellationFee => {
            "balanceCharged"
        }
        PaymentKind::Tip => "tipCharged",
        PaymentKind::Refund => "refundIssued",
        // Neither is charged or returned by the gateway: whoever gives it away or pays it says so.
        PaymentKind::Goodwill | PaymentKind::Claim => return Ok(()),
    };
    let rows = tx.unit.payments().of_booking(b.id)?;
    // The bank may have refused it when it settled, which its customer was told: taken again, it is told again.
    let refused = |a: &Attempt| a.code.as_deref() == Some(SETTLEMENT_DECLINED);
    let version = match tx.unit.payments().attempts_of(row.id)?.into_iter().filter(refused).count() {
        0 => row.id.to_string(),
        n => format!("{}:{n}", row.id),
    };
    queue_to_customer(tx, b, kind, &version, values::payment(b, row, &rows, tx.now)).map(drop)
}

/// `paymentFailed`, with a link for another card, after each declined attempt at what is owed. A tip is owed by nobody: it is tried again and then shown
/// to staff, and nobody is reminded of it.
///
/// # Errors
/// When the database fails.
pub fn payment_failed(tx: &mut Tx<'_>, b: &Booking, row: &Payment) -> ServiceResult<()> {
    if row.kind == PaymentKind::Tip {
        return Ok(());
    }
    let link = card_links::make(tx, b)?;
    let fresh = queue_to_customer(
        tx,
        b,
        "paymentFailed",
        &format!("{}:{}", row.id, row.attempts),
        values::declined(b, row, &link.url, tx.now),
    )?;
    if fresh { sms::events::declined(tx, b, row, &link.url) } else { Ok(()) }
}

/// `bookingEdited`, where there is something to tell.
///
/// # Errors
/// When the database fails.
pub fn booking_edited(
    tx: &mut Tx<'_>,
    old: &Booking,
    new: &Booking,
    fee: Money,
    changes: &Value,
    before: AmountsBefore,
) -> ServiceResult<()> {
    let rows = tx.unit.payments().of_booking(new.id)?;
    let mut list = changes::list(old, new, changes);
    list.extend(before.changed_to(AmountsBefore::of(tx.unit, new.id)?, new.language));
    // Nothing but what is the staff's business, or theirs to know already.
    if list.is_empty() && !fee.is_positive() {
        return Ok(());
    }
    let values = invoices::with_contract("bookingEdited", new, values::edited(old, new, fee, &list, &rows, tx.now));
    queue_to_customer(tx, new, "bookingEdited", &new.version.to_string(), values).map(drop)
}

/// `bookingEdited` of a tip alone, while the move is to come: it is a record of its own, saved beside the booking. What is
/// given after the move is told of when it was charged.
///
/// # Errors
/// When the database fails.
pub(crate) fn tip_changed(tx: &mut Tx<'_>, b: &Booking, before: AmountsBefore, tip: &Tip) -> ServiceResult<()> {
    let list = before.changed_to(AmountsBefore::of(tx.unit, b.id)?, b.language);
    if list.is_empty() || !matches!(b.status, Status::Pending | Status::Assigned) {
        return Ok(());
    }
    let rows = tx.unit.payments().of_booking(b.id)?;
    queue_to_customer(
        tx,
        b,
        "bookingEdited",
        &format!("tip:{}", tip.version),
        values::edited(b, b, Money::ZERO, &list, &rows, tx.now),
    )
    .map(drop)
}

/// `bookingCancelled`.
///
/// # Errors
/// When the database fails.
pub fn booking_cancelled(tx: &mut Tx<'_>, b: &Booking, outcome: &Cancellation) -> ServiceResult<()> {
    let rows = tx.unit.payments().of_booking(b.id)?;
    let by_hand = returns::by_hand_at(&rows, outcome.refund, tx.now);
    let mut values = values::cancelled(b, outcome, owed(b, &rows), by_hand, tx.now);
    if outcome.kept.is_positive()
        && let Some(invoice) = tx.unit.invoices().of_booking(b.id)?.into_iter().rfind(Invoice::is_in_force)
    {
        // The paper that goes along says that there is a link.
        invoices::with_ways(tx, b, &invoice, &rows, &mut values)?;
        invoices::attach("bookingCancelled", &invoice, &mut values);
    }
    queue_to_customer(tx, b, "bookingCancelled", &b.version.to_string(), values).map(drop)
}
