//! The short machines: one word each, a list of what may follow.

use kernel::chrono::Duration;

use crate::at::At;

coded! {
    /// State of a mate. Never deleted while jobs exist.
    MateState, "mate state" {
        /// Asked to join.
        Invited = "invited",
        /// Works.
        Active = "active",
        /// Away for a while.
        Paused = "paused",
        /// Gone; kept for the jobs done.
        Archived = "archived",
    }
}

impl MateState {
    /// The states that may follow.
    pub const fn next(self) -> &'static [MateState] {
        match self {
            MateState::Invited => &[MateState::Active, MateState::Archived],
            MateState::Active => &[MateState::Paused, MateState::Archived],
            MateState::Paused => &[MateState::Active, MateState::Archived],
            MateState::Archived => &[],
        }
    }
}

coded! {
    /// State of a partner company.
    PartnerState, "partner state" {
        /// Sends work.
        Active = "active",
        /// No new tasks.
        Suspended = "suspended",
        /// Gone; kept for accounting.
        Archived = "archived",
    }
}

impl PartnerState {
    /// The states that may follow.
    pub const fn next(self) -> &'static [PartnerState] {
        match self {
            PartnerState::Active => &[PartnerState::Suspended, PartnerState::Archived],
            PartnerState::Suspended => &[PartnerState::Active, PartnerState::Archived],
            PartnerState::Archived => &[],
        }
    }
}

coded! {
    /// State of an e-mail or SMS.
    DeliveryState, "delivery state" {
        /// Waits.
        Queued = "queued",
        /// The relay accepted it.
        Sent = "sent",
        /// The provider reported its arrival.
        Delivered = "delivered",
        /// This attempt failed.
        Failed = "failed",
        /// No attempt is left, or none can help.
        Dead = "dead",
    }
}

impl At<DeliveryState> {
    /// Where every message begins.
    pub const fn queued() -> At<DeliveryState> {
        At::stored(DeliveryState::Queued)
    }

    /// Takes a step of the table; stays when that is where it stands. False: there is no such step, and
    /// nothing changed.
    #[must_use]
    pub fn go(&mut self, to: DeliveryState) -> bool {
        let may = **self == to || self.next().contains(&to);
        if may {
            *self = At::stored(to);
        }
        may
    }
}

impl DeliveryState {
    /// The states that may follow.
    pub const fn next(self) -> &'static [DeliveryState] {
        match self {
            DeliveryState::Queued => &[DeliveryState::Sent, DeliveryState::Failed],
            DeliveryState::Sent => &[DeliveryState::Delivered, DeliveryState::Failed],
            DeliveryState::Failed => &[DeliveryState::Queued, DeliveryState::Dead],
            DeliveryState::Delivered | DeliveryState::Dead => &[],
        }
    }

    /// How long to wait before trying again after `failures` failed attempts; `None` when it is
    /// dead.
    pub const fn retry_after(failures: u32) -> Option<Duration> {
        match failures {
            0 => Some(Duration::zero()),
            1 => Some(Duration::minutes(1)),
            2 => Some(Duration::minutes(10)),
            3 => Some(Duration::minutes(60)),
            _ => None,
        }
    }
}

coded! {
    /// State of a request for feedback.
    FeedbackState, "feedback state" {
        /// Asked.
        Requested = "requested",
        /// Answered.
        Received = "received",
        /// Not answered within [`FEEDBACK_DAYS`].
        Expired = "expired",
    }
}

/// Days people have to answer a request for feedback.
pub const FEEDBACK_DAYS: u32 = 30;

impl FeedbackState {
    /// The states that may follow.
    pub const fn next(self) -> &'static [FeedbackState] {
        match self {
            FeedbackState::Requested => &[FeedbackState::Received, FeedbackState::Expired],
            FeedbackState::Received | FeedbackState::Expired => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_ends() {
        assert!(MateState::Archived.next().is_empty() && PartnerState::Archived.next().is_empty());
        assert!(DeliveryState::Dead.next().is_empty() && DeliveryState::Delivered.next().is_empty());
        assert!(FeedbackState::Expired.next().is_empty());
        assert!(MateState::Paused.next().contains(&MateState::Active));
        assert!(PartnerState::Suspended.next().contains(&PartnerState::Active));
    }

    #[test]
    fn a_message_goes_where_the_table_leads() {
        for from in DeliveryState::ALL {
            for to in DeliveryState::ALL {
                let mut at = At::stored(*from);
                let may = from == to || from.next().contains(to);
                assert_eq!(at.go(*to), may, "{from} -> {to}");
                assert_eq!(at, if may { *to } else { *from });
            }
        }
    }

    #[test]
    fn three_retries_then_dead() {
        let minutes: Vec<_> = (1..=4).map(|n| DeliveryState::retry_after(n).map(|d| d.num_minutes())).collect();
        assert_eq!(minutes, [Some(1), Some(10), Some(60), None]);
    }
}
