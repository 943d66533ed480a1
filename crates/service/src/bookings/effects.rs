//! What follows from a step of a booking.

use status_machine::{MessageKind, Role, booking::Effect};

use crate::{
    Error, ServiceResult, Tx,
    billing::{facts::owed, ledger, settle, tips},
    capacity, crews,
    invoices::issue,
    mailing::alerts::{self, Alert, AlertSubject},
    ports::bookings::Booking,
    sms,
};

/// What an effect waits for whose part of the program is still to come; none when it is carried out. The other
/// steps that ask for it are taken without it.
pub const fn waits_for(effect: Effect) -> Option<&'static str> {
    match effect {
        Effect::CreateDeliveryTask | Effect::CancelDeliveryTasks => Some("delivery tasks"),
        Effect::ScheduleFeedback => Some("feedback"),
        _ => None,
    }
}

/// Carries one out; the booking is written already.
///
/// # Errors
/// `slot_gone`, `crew_missing`; when nobody knows how to carry it out, so that the step is not taken.
pub(crate) fn carry_out(tx: &mut Tx<'_>, b: &mut Booking, effect: Effect) -> ServiceResult<()> {
    match effect {
        Effect::WithdrawCharges => settle::settle(tx, b),
        Effect::SettleCancellation => match b.details.kept.filter(|kept| kept.is_positive()) {
            Some(kept) => ledger::cancellation(tx, b, kept),
            None => Ok(()),
        },
        Effect::ReleaseCapacity => capacity::release(tx, b.id),
        Effect::TakeCapacity => capacity::take_again(tx, b),
        Effect::ScheduleCharges => settle::resume(tx, b),
        Effect::ScheduleTip => tips::schedule(tx, b),
        Effect::WithdrawTipAndFeedback | Effect::VoidTip => tips::withdraw(tx, b.id),
        Effect::AssignMates => crews::assign(tx, b),
        Effect::ReleaseMates => crews::release(tx, b),
        Effect::RecordCompletion => {
            ledger::completion(tx, b)?;
            sms::events::completed(tx, b)
        }
        Effect::IssueInvoice => {
            let role = tx.actor.acts_as()?;
            issue::issue(tx, b, role).map(drop)
        }
        // Whoever cancels, it is the program that invoices what is kept.
        Effect::IssueCancellationInvoice => issue::issue(tx, b, Role::System).map(drop),
        // Told where the crew changes.
        Effect::Send(MessageKind::MateJob | MessageKind::MateAssigned) => Ok(()),
        // Told with the step of the invoice that is paid.
        Effect::Send(MessageKind::PaymentReceived) => Ok(()),
        Effect::Send(MessageKind::OpsAlert) => alert_owed_again(tx, b),
        Effect::ScheduleFeedback | Effect::CreateDeliveryTask | Effect::CancelDeliveryTasks | Effect::Send(_) => {
            match waits_for(effect) {
                Some(_) => Ok(()),
                None => Err(Error::Internal(format!("{}: nobody carries out {effect:?}", b.short_id))),
            }
        }
    }
}

/// A payment was undone or charged back after the booking counted as paid.
fn alert_owed_again(tx: &mut Tx<'_>, b: &Booking) -> ServiceResult<()> {
    let rows = tx.unit.payments().of_booking(b.id)?;
    let alert = Alert {
        // With the version: it may be paid and owed again later, which is another alert.
        key: format!("owed-again:{}:{}", b.id, b.version),
        kind: "alert.owedAgain",
        about: Some(AlertSubject::Amount(owed(b, &rows))),
        everybody: false,
        when: None,
        page: &format!("bookings/{}", b.id),
    };
    alerts::tell(tx, b, &alert)
}
