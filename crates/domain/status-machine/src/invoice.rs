//! The invoice: drafted, numbered and frozen, sent, paid; a void invoice stays void.

use kernel::chrono::{DateTime, Duration, Utc};

use crate::at::At;
use crate::message_kind::MessageKind;
use crate::role::{Role, STAFF, STAFF_OR_SYSTEM, SYSTEM};
use crate::step::{self, Outcome, Refused, Rule};

coded! {
    /// State of an invoice.
    State, "invoice state" {
        /// Lines may change; no number.
        Draft = "draft",
        /// Number drawn, lines and tax frozen.
        Issued = "issued",
        /// Sent to the customer or partner.
        Sent = "sent",
        /// Past its due date.
        Overdue = "overdue",
        /// Nothing is due.
        Paid = "paid",
        /// Taken back by a credit note.
        Void = "void",
        /// A draft thrown away.
        Deleted = "deleted",
    }
}

coded! {
    /// A condition of a step.
    Guard, "invoice guard" {
        /// Amount due is zero or less.
        NothingDue = "amount_due",
        /// Amount due is above zero again.
        AmountDue = "nothing_due",
        /// The due date is over.
        PastDue = "not_past_due",
        /// Staff said why.
        ReasonGiven = "reason_missing",
        /// The booking passed through completed, or this is a cancellation invoice.
        MayInvoice = "never_completed",
    }
}

/// What a step of an invoice brings with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Draw the next number of the company's sequence of the year, without gaps.
    DrawNumber,
    /// Freeze lines, tax components and registration numbers.
    FreezeLines,
    /// Schedule the reminders of [`REMINDER_DAYS`].
    ScheduleReminders,
    /// Withdraw reminders that were not sent.
    WithdrawReminders,
    /// Write the credit note, with its own number.
    WriteCreditNote,
    /// Queue a message, the invoice with its PDF.
    Send(MessageKind),
}

/// What a step is judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Facts {
    /// Total, plus an invoiced tip, minus net paid, is zero or less.
    pub nothing_due: bool,
    /// The due date is over.
    pub past_due: bool,
    /// Staff gave a reason.
    pub reason_given: bool,
    /// The booking's history contains completed, or the invoice is for a cancellation.
    pub may_invoice: bool,
}

impl Facts {
    fn satisfy(&self, guard: Guard) -> bool {
        match guard {
            Guard::NothingDue => self.nothing_due,
            Guard::AmountDue => !self.nothing_due,
            Guard::PastDue => self.past_due,
            Guard::ReasonGiven => self.reason_given,
            Guard::MayInvoice => self.may_invoice,
        }
    }
}

const SENT: &[Effect] = &[Effect::Send(MessageKind::InvoiceSent)];
const PAID: &[Effect] = &[Effect::WithdrawReminders, Effect::Send(MessageKind::PaymentReceived)];
const VOIDED: &[Effect] = &[Effect::WithdrawReminders, Effect::WriteCreditNote];

const fn rule(
    from: State,
    to: State,
    roles: &'static [Role],
    guards: &'static [Guard],
    effects: &'static [Effect],
) -> Rule<State, Guard, Effect> {
    Rule { from, to, roles, guards, effects }
}

/// The steps of an invoice.
pub const TABLE: &[Rule<State, Guard, Effect>] = &[
    rule(
        State::Draft,
        State::Issued,
        STAFF_OR_SYSTEM,
        &[Guard::MayInvoice],
        &[Effect::DrawNumber, Effect::FreezeLines],
    ),
    rule(State::Draft, State::Deleted, STAFF, &[], &[]),
    rule(State::Issued, State::Sent, STAFF_OR_SYSTEM, &[], SENT),
    rule(State::Issued, State::Paid, STAFF_OR_SYSTEM, &[Guard::NothingDue], PAID),
    rule(State::Issued, State::Void, STAFF, &[Guard::ReasonGiven], VOIDED),
    rule(State::Sent, State::Paid, STAFF_OR_SYSTEM, &[Guard::NothingDue], PAID),
    rule(State::Sent, State::Overdue, SYSTEM, &[Guard::PastDue, Guard::AmountDue], &[Effect::ScheduleReminders]),
    rule(State::Sent, State::Void, STAFF, &[Guard::ReasonGiven], VOIDED),
    rule(State::Overdue, State::Paid, STAFF_OR_SYSTEM, &[Guard::NothingDue], PAID),
    rule(State::Overdue, State::Void, STAFF, &[Guard::ReasonGiven], VOIDED),
    // Reopened: a refund or a chargeback makes money due again.
    rule(State::Paid, State::Sent, STAFF_OR_SYSTEM, &[Guard::AmountDue], &[]),
];

/// Days after the due date on which a reminder goes out.
pub const REMINDER_DAYS: [u32; 3] = [7, 14, 30];
/// Days a partner has to pay; a consumer's invoice is due at once.
pub const PARTNER_NET_DAYS: u32 = 30;

/// When an invoice issued at `issued_at` is due.
pub fn due_at(issued_at: DateTime<Utc>, partner: bool) -> DateTime<Utc> {
    let days = if partner { PARTNER_NET_DAYS } else { 0 };
    issued_at.checked_add_signed(Duration::days(i64::from(days))).unwrap_or(DateTime::<Utc>::MAX_UTC)
}

/// Decides a step.
///
/// # Errors
/// [`Refused`] names the reason and the states this role could reach now.
pub fn transition(from: State, to: State, role: Role, facts: &Facts) -> Result<Outcome<Effect>, Refused<State, Guard>> {
    step::decide(TABLE, from, to, role, |guard| facts.satisfy(guard))
}

impl At<State> {
    /// Where every invoice begins.
    pub const fn drafted() -> At<State> {
        At::stored(State::Draft)
    }

    /// Takes a step of the table; stays when that is where it stands. Answers what follows.
    ///
    /// # Errors
    /// As [`transition`]; nothing changed then.
    pub fn go(&mut self, to: State, role: Role, facts: &Facts) -> Result<Vec<Effect>, Refused<State, Guard>> {
        match transition(**self, to, role, facts)? {
            Outcome::Unchanged => Ok(Vec::new()),
            Outcome::Changed(effects) => {
                *self = At::stored(to);
                Ok(effects)
            }
        }
    }
}

/// The states `role` could reach now.
pub fn allowed(from: State, role: Role, facts: &Facts) -> Vec<State> {
    step::allowed(TABLE, from, role, |guard| facts.satisfy(guard))
}

/// Lines may be edited only while there is no number.
pub fn editable(state: State) -> bool {
    state == State::Draft
}

/// An invoice that stands may be mailed again as often as people ask.
pub fn may_send_again(state: State) -> bool {
    matches!(state, State::Sent | State::Overdue | State::Paid)
}

/// Counts as the booking's one invoice.
pub fn is_live(state: State) -> bool {
    matches!(state, State::Draft | State::Issued | State::Sent | State::Overdue | State::Paid)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::step::Reason;

    const WHO: [(&str, [&str; 7]); 7] = [
        //          draft issued sent overdue paid void deleted
        ("draft", ["=", "oas", "-", "-", "-", "-", "oa"]),
        ("issued", ["-", "=", "oas", "-", "oas", "oa", "-"]),
        ("sent", ["-", "-", "=", "s", "oas", "oa", "-"]),
        ("overdue", ["-", "-", "-", "=", "oas", "oa", "-"]),
        ("paid", ["-", "-", "oas", "-", "=", "-", "-"]),
        ("void", ["-", "-", "-", "-", "-", "=", "-"]),
        ("deleted", ["-", "-", "-", "-", "-", "-", "="]),
    ];

    fn good(to: State) -> Facts {
        Facts { nothing_due: to == State::Paid, past_due: true, reason_given: true, may_invoice: true }
    }

    #[test]
    fn every_pair_of_states_for_every_role() {
        for (from, row) in WHO {
            for (to, who) in State::ALL.iter().zip(row) {
                for role in Role::ALL {
                    let letter = role.code().chars().next().unwrap();
                    let answer = transition(from.parse().unwrap(), *to, *role, &good(*to));
                    let label = format!("{from} -> {to} by {role}");
                    match answer {
                        Ok(Outcome::Unchanged) => assert_eq!(who, "=", "{label}"),
                        Ok(Outcome::Changed(_)) => assert!(who.contains(letter), "{label}"),
                        Err(Refused { reason: Reason::NoSuchStep, .. }) => assert_eq!(who, "-", "{label}"),
                        Err(Refused { reason: Reason::NotForRole, .. }) => assert!(!who.contains(letter), "{label}"),
                        Err(Refused { reason: Reason::Guard(g), .. }) => panic!("{label}: {g}"),
                    }
                }
            }
        }
    }

    #[test]
    fn guards_refuse_alone() {
        for rule in TABLE {
            for guard in rule.guards {
                let mut facts = good(rule.to);
                match guard {
                    Guard::NothingDue => facts.nothing_due = false,
                    Guard::AmountDue => facts.nothing_due = true,
                    Guard::PastDue => facts.past_due = false,
                    Guard::ReasonGiven => facts.reason_given = false,
                    Guard::MayInvoice => facts.may_invoice = false,
                }
                let refused = transition(rule.from, rule.to, rule.roles[0], &facts).unwrap_err();
                assert_eq!(refused.reason, Reason::Guard(*guard));
                assert!(!allowed(rule.from, rule.roles[0], &facts).contains(&rule.to));
            }
        }
    }

    #[test]
    fn a_number_is_drawn_once_and_taken_back_by_a_credit_note() {
        for rule in TABLE {
            assert_eq!(rule.effects.contains(&Effect::DrawNumber), rule.to == State::Issued);
            assert_eq!(rule.effects.contains(&Effect::WriteCreditNote), rule.to == State::Void);
        }
        for state in State::ALL {
            assert_eq!(editable(*state), *state == State::Draft);
            assert_eq!(is_live(*state), !matches!(state, State::Void | State::Deleted));
        }
        assert!(may_send_again(State::Overdue) && !may_send_again(State::Void) && !may_send_again(State::Draft));
    }

    #[test]
    fn partners_have_thirty_days() {
        let issued: DateTime<Utc> = "2027-03-01T12:00:00Z".parse().unwrap();
        assert_eq!(due_at(issued, false), issued);
        assert_eq!(due_at(issued, true).to_rfc3339(), "2027-03-31T12:00:00+00:00");
    }
}
