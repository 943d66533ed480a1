//! What the table calls each kind of job.

/// Charges and refunds of a booking.
pub const BILL_BOOKING: &str = "bill_booking";
/// Looks into a payment nobody answered for.
pub const RECOVER_CHECKOUT: &str = "recover_checkout";
/// Ends a slot hold.
pub const EXPIRE_HOLD: &str = "expire_hold";
/// Looks for a charge or refund that was given up.
pub const WATCH_ORDER: &str = "watch_order";
/// Gives back a charge that belongs to no booking.
pub const RETURN_STRAY: &str = "return_stray";
/// Asks what became of a captured charge when it settled.
pub const LOOK_SETTLEMENT: &str = "look_settlement";
/// Does what time and money do to the invoice of a booking.
pub const FOLLOW_INVOICE: &str = "follow_invoice";
/// Does what time and changes do to a question that a customer has not answered.
pub const FOLLOW_CONSENT: &str = "follow_consent";
/// Sends a message.
pub const SEND_MESSAGE: &str = "send_message";
/// Sends a text message.
pub const SEND_SMS: &str = "send_sms";
/// Asks what became of text messages of which nobody told the end.
pub const SWEEP_SMS: &str = "sweep_sms";
/// Announces a move to its customer.
pub const REMIND: &str = "move_reminder";
/// Tells operations of moves that lack people, or that nobody began.
pub const WATCH_CREWS: &str = "watch_crews";
/// Tells operations that less is to be handed back than they were told.
pub const TELL_HAND_BACK: &str = "tell_hand_back";
/// Daily: sweeps what expired, and asks for the comparison.
pub const HOUSEKEEPING: &str = "housekeeping";
/// Compares gateway and ledger; a job of its own, so that one that fails is tried again before tomorrow's.
pub const COMPARE: &str = "compare";
/// The same for somebody who asked for it: it changes nothing.
pub const COMPARE_NOW: &str = "compare_now";
