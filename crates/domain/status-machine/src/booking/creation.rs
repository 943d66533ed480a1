//! The first step: a booking comes to be, pending.

use super::table::Effect;
use crate::message_kind::MessageKind;
use crate::role::Role;

/// What must have been settled before a booking is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CreationFacts {
    /// All wizard steps, the area, the limits and the warnings were checked.
    pub checked: bool,
    /// A live hold, or room taken in this transaction.
    pub slot_held: bool,
    /// The guidelines were accepted.
    pub guidelines_accepted: bool,
    /// A card is stored.
    pub card_stored: bool,
    /// For a plan that charges everything at once: whether that charge was captured. `None` for
    /// the other plans.
    pub charged_at_once: Option<bool>,
}

/// Why a booking cannot be created.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CreationRefused {
    /// Mates and jobs do not book.
    #[error("this role cannot create bookings")]
    NotForRole,
    /// A wizard step, the area, a limit or a warning is not settled.
    #[error("the booking is incomplete")]
    Incomplete,
    /// The slot is not held.
    #[error("the slot is not reserved")]
    SlotNotHeld,
    /// The guidelines were not accepted.
    #[error("the guidelines were not accepted")]
    GuidelinesNotAccepted,
    /// No card is stored.
    #[error("no card is stored")]
    NoCard,
    /// The charge of the full amount failed.
    #[error("the card was not charged")]
    NotCharged,
}

/// Decides whether a booking may be created pending, and what follows.
///
/// Partners' bookings are invoiced: no guidelines, no card, no charges.
///
/// # Errors
/// The first thing that is missing.
pub fn create(role: Role, facts: &CreationFacts) -> Result<Vec<Effect>, CreationRefused> {
    let by_card = match role {
        Role::Customer | Role::Ops | Role::Admin => true,
        Role::Partner => false,
        Role::Mate | Role::System => return Err(CreationRefused::NotForRole),
    };
    if !facts.checked {
        return Err(CreationRefused::Incomplete);
    }
    if !facts.slot_held {
        return Err(CreationRefused::SlotNotHeld);
    }
    let confirmation = Effect::Send(MessageKind::BookingConfirmation);
    if !by_card {
        return Ok(vec![Effect::ConvertHold, confirmation]);
    }
    if !facts.guidelines_accepted {
        return Err(CreationRefused::GuidelinesNotAccepted);
    }
    if !facts.card_stored {
        return Err(CreationRefused::NoCard);
    }
    match facts.charged_at_once {
        Some(false) => Err(CreationRefused::NotCharged),
        Some(true) => Ok(vec![Effect::ConvertHold, confirmation, Effect::Send(MessageKind::FullPaymentCharged)]),
        None => Ok(vec![Effect::ConvertHold, Effect::ScheduleCharges, confirmation]),
    }
}
