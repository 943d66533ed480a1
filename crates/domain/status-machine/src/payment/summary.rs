//! What lists show of a booking's money: derived from sums, never stored by hand.

use kernel::Money;

use crate::booking::Status;

coded! {
    /// A booking's money in one word.
    BookingPaymentState, "booking payment state" {
        /// Nothing was paid.
        None = "none",
        /// Something was paid, more is to come.
        DepositPaid = "deposit_paid",
        /// The whole total was paid.
        Paid = "paid",
        /// A charge failed or waits for the customer, or money was charged back.
        Problem = "problem",
        /// All that was paid went back.
        Refunded = "refunded",
        /// Part of what was paid went back.
        PartiallyRefunded = "partially_refunded",
    }
}

/// A booking's sums, without the tip.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PaymentTotals {
    /// Amount after discount plus tax.
    pub total: Money,
    /// Captured, whether or not it went back later.
    pub captured: Money,
    /// Went back, as a positive amount; voided captures count.
    pub refunded: Money,
    /// Charged back and not won, as a positive amount.
    pub charged_back: Money,
    /// Some charge is declined, failed or of unknown outcome.
    pub open_problem: bool,
}

/// The word for a list. A problem hides everything else: somebody must act. A refund hides
/// `paid`, so that people see money went back.
pub fn booking_payment_state(totals: &PaymentTotals) -> BookingPaymentState {
    let net = totals.captured.minus(totals.refunded);
    if totals.open_problem || totals.charged_back.is_positive() {
        BookingPaymentState::Problem
    } else if !totals.captured.is_positive() {
        BookingPaymentState::None
    } else if !net.is_positive() {
        BookingPaymentState::Refunded
    } else if totals.refunded.is_positive() {
        BookingPaymentState::PartiallyRefunded
    } else if net >= totals.total {
        BookingPaymentState::Paid
    } else {
        BookingPaymentState::DepositPaid
    }
}

/// A tip may change until it is paid, and not once the booking is off.
pub fn tip_editable(is_paid: bool, status: Status) -> bool {
    !is_paid && !matches!(status, Status::Cancelled | Status::Deleted)
}
