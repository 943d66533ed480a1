//! What must be true for a step of a booking, and the values that tell.

use kernel::Money;
use kernel::chrono::{DateTime, Duration, Utc};

use super::Status;

/// A crew may still be entered this long after the start.
const ASSIGN_AFTER_START: Duration = Duration::hours(24);
/// A move marked completed by mistake may be taken back this long.
const REOPEN_WINDOW: Duration = Duration::days(7);
/// A cancellation may be taken back this long.
const UNCANCEL_WINDOW: Duration = Duration::hours(24);
/// Paid bookings may be tidied away after this long.
const TIDY_AFTER: Duration = Duration::days(30);

coded! {
    /// A condition of a step.
    Guard, "booking guard" {
        /// The booking, or the job, is the asker's own.
        Own = "not_own",
        /// Staff said why.
        ReasonGiven = "reason_missing",
        /// At least one mate is chosen and all are free for the whole occupied time.
        CrewFree = "crew_not_free",
        /// Not more mates than the booking pays for.
        CrewWithinCount = "crew_too_large",
        /// The start is not more than 24 h ago.
        NotLongPast = "start_long_past",
        /// The move has begun.
        StartReached = "start_not_reached",
        /// The start lies ahead.
        StartAhead = "start_past",
        /// Who did it is known.
        CrewRecorded = "crew_missing",
        /// The booking's history has a row "to completed".
        PassedCompleted = "never_completed",
        /// At most 7 days since it was marked completed.
        ReopenWindow = "reopen_window_over",
        /// No invoice that is not void.
        NoLiveInvoice = "invoice_live",
        /// No invoice is wanted.
        NoInvoiceWanted = "invoice_wanted",
        /// The amount due is zero or less.
        NothingOwed = "amount_due",
        /// The amount due is above zero.
        AmountOwed = "nothing_due",
        /// Staff named the payment.
        PaymentReference = "payment_reference_missing",
        /// There is room for it again.
        CapacityFree = "capacity_gone",
        /// At most 24 h since it was cancelled.
        UncancelWindow = "uncancel_window_over",
        /// Nothing was paid, or all of it went back.
        NetZero = "money_kept",
        /// No refund is under way, or waits for somebody.
        NoOpenRefunds = "refund_open",
        /// At least 30 days since it was paid.
        TidyTime = "paid_recently",
        /// That is the state it had before it was deleted.
        WasBefore = "not_previous_status",
    }
}

/// What a step is judged by. Plain values: the caller loads them in the transaction that writes.
///
/// The default satisfies as little as it can, so a forgotten fact refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Facts {
    /// The present.
    pub now: DateTime<Utc>,
    /// T, the start of the booked slot.
    pub start: DateTime<Utc>,
    /// The asker's own: the customer's or partner's booking, the mate's job.
    pub own: bool,
    /// Staff gave a reason.
    pub reason_given: bool,
    /// Staff gave a payment reference.
    pub payment_reference: bool,
    /// Mates recorded, or while there are none, those chosen for it now; a partner's crew counts its
    /// heads.
    pub crew: u32,
    /// All of them are free for the whole occupied time.
    pub crew_free: bool,
    /// Paid mates of the booking.
    pub mate_count: u32,
    /// Item delivery, curbside or white glove: the driver gets a delivery task.
    pub delivers_items: bool,
    /// The history has a row "to completed"; see [`super::passed_completed`].
    pub passed_completed: bool,
    /// When it was last marked completed.
    pub completed_at: Option<DateTime<Utc>>,
    /// When it was last cancelled.
    pub cancelled_at: Option<DateTime<Utc>>,
    /// When it last became payed.
    pub payed_at: Option<DateTime<Utc>>,
    /// An invoice that is not void exists.
    pub invoice_live: bool,
    /// The customer, or the partner's terms, want an invoice.
    pub invoice_wanted: bool,
    /// Total, plus an invoiced tip, minus net paid.
    pub amount_due: Money,
    /// Captured minus refunded minus charged back.
    pub net_paid: Money,
    /// A refund is under way, or waits for somebody.
    pub refunds_open: bool,
    /// Every bucket still has room. Irrelevant once the start is past.
    pub capacity_free: bool,
    /// The cancellation, as the policy settles it, keeps money.
    pub keeps_money: bool,
    /// The status before deletion.
    pub previous: Option<Status>,
}

impl Facts {
    /// The start is now or past.
    pub(super) fn started(&self) -> bool {
        self.now >= self.start
    }

    pub(super) fn satisfy(&self, guard: Guard, to: Status) -> bool {
        let since = |then: DateTime<Utc>| self.now.signed_duration_since(then);
        match guard {
            Guard::Own => self.own,
            Guard::ReasonGiven => self.reason_given,
            Guard::CrewFree => self.crew >= 1 && self.crew_free,
            Guard::CrewWithinCount => self.crew <= self.mate_count,
            Guard::NotLongPast => since(self.start) <= ASSIGN_AFTER_START,
            Guard::StartReached => self.started(),
            Guard::StartAhead => !self.started(),
            Guard::CrewRecorded => self.crew >= 1,
            Guard::PassedCompleted => self.passed_completed,
            Guard::ReopenWindow => self.completed_at.is_some_and(|t| since(t) <= REOPEN_WINDOW),
            Guard::NoLiveInvoice => !self.invoice_live,
            Guard::NoInvoiceWanted => !self.invoice_wanted,
            Guard::NothingOwed => !self.amount_due.is_positive(),
            Guard::AmountOwed => self.amount_due.is_positive(),
            Guard::PaymentReference => self.payment_reference,
            // What lies in the past takes no room.
            Guard::CapacityFree => self.capacity_free || self.started(),
            Guard::UncancelWindow => self.cancelled_at.is_some_and(|t| since(t) <= UNCANCEL_WINDOW),
            Guard::NetZero => self.net_paid.is_zero(),
            Guard::NoOpenRefunds => !self.refunds_open,
            Guard::TidyTime => self.payed_at.is_some_and(|t| since(t) >= TIDY_AFTER),
            Guard::WasBefore => self.previous == Some(to),
        }
    }
}
