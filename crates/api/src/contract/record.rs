//! Kinds of records that paths name; the tests make one of each.

/// A record that a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Record {
    /// What the call with this operation id makes; its answer has the `id`.
    MadeBy(&'static str),
    /// A booking.
    Booking,
    /// A tip, by its own id or its booking's.
    Tip,
    /// A message in the demo's mailbox.
    Mail,
    /// A job that was given up.
    Job,
    /// A booking that staff made for somebody and no card is charged for by itself.
    PhoneOrder,
    /// The secret of a link to pay by.
    PayLink,
    /// The secret of a link for another card.
    CardLink,
    /// The secret of the link of a mailed quote.
    QuoteLink,
    /// The secret of the link by which such mail is stopped.
    UnsubscribeLink,
    /// The secret of a link that asks for a consent.
    ConsentLink,
    /// A booking whose charges wait for its customer's consent.
    WaitsForConsent,
    /// A refund that the gateway refused for good.
    RefusedRefund,
    /// The secret of a link to a calendar.
    Feed,
    /// A charge that was declined, of a move that is to come.
    FailedCharge,
    /// A charge that failed, of a booking that was cancelled.
    LostCharge,
    /// A charge that was captured and has not settled.
    FreshCharge,
    /// A charge that its cardholder disputes.
    Dispute,
    /// A booking whose move has begun.
    Begun,
    /// A booking whose move has begun, with a mate on it who said nothing of it yet.
    MatesJob,
    /// The same; the mate said that they began.
    MatesBegunJob,
    /// A difference of the newest comparison that can be repaired.
    Difference,
    /// A payment that was taken by hand.
    HandPayment,
    /// A refund that waits to be handed over.
    HandRefund,
    /// A version of a rate card that is still to come.
    Rate,
    /// An area of settings, by its name.
    Settings,
    /// A message that was sent, and can be sent again.
    Message,
    /// A message that was given up.
    LostMessage,
    /// A booking with an invoice that was issued.
    Invoiced,
    /// The same invoice.
    Invoice,
    /// A partner with a move that was done and is to be invoiced.
    BilledPartner,
    /// An invoice for many moves of a partner that was issued.
    IssuedBatch,
}
