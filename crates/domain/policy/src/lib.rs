//! When Portage charges, what a cancellation keeps, what a change costs: the one statement of
//! the payment policy.
//!
//! Pure functions of the settings a booking was made under, of what has happened to it and of
//! an instant. `B` is the instant of the booking and never changes, `T` the start of the move;
//! `H24 = B + 24 h` ends the free window, `H48 = T − 48 h` locks the booking. Both are elapsed
//! hours on UTC instants, never calendar days.
//!
//! ```
//! use kernel::{Money, chrono::{DateTime, Duration, Utc}};
//! use policy::{Mode, Settings, plan};
//!
//! let booked: DateTime<Utc> = "2027-02-08T14:00:00Z".parse().unwrap();
//! let plan = plan(&Settings::default(), Money::from_cents(66_091), booked, booked + Duration::days(10));
//! assert_eq!(plan.mode, Mode::Split);
//! assert_eq!(plan.charges[0].amount.to_string(), "132.18");
//! assert_eq!(plan.charges[1].amount.to_string(), "528.73");
//! ```
#![warn(missing_docs)]

mod cancel;
mod charge;
mod clock;
mod edit;
mod facts;
mod ladder;
mod law;
mod plan;
mod refund;
mod sentence;
mod settings;

pub use cancel::{Cancellation, CancelledBy, Rule, cancellation};
pub use charge::{
    ChargeKind, PlannedCharge, UnknownChargeKind, deposit_charge, due_charge, is_due, lock_charge, tip_due_at,
};
pub use clock::Hours;
pub use edit::{
    Change, EditSettlement, RequestedBy, change_fee, change_fee_amount, customer_may_change_discount,
    customer_may_edit, settle_edit,
};
pub use facts::Facts;
pub use ladder::{Declined, LadderEnd, after_ladder, attempt_at, ladder, next_attempt};
pub use law::{max_overrun, tax_included, tax_of_part, trust_account_required};
pub use plan::{Mode, PaymentPlan, Window, plan, plan_since};
pub use refund::refund_parts;
pub use sentence::{Sentence, Term, general_terms, sentences};
pub use settings::{ChangeFeeMode, InvalidSettings, ProvincialSettings, Retention, RetentionMode, Settings};
