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

impl At<MateState> {
    /// Where a new record begins: staff also write down who is away or gone already.
    pub const fn added(state: MateState) -> At<MateState> {
        At::stored(state)
    }

    /// Takes a step of the table; stays when that is where it stands. False: there is no such step, and
    /// nothing changed.
    #[must_use]
    pub fn go(&mut self, to: MateState) -> bool {
        self.go_to(to, self.next())
    }
}

impl MateState {
    /// The states that may follow. Published are invited → active → paused → archived. The table has more, so that
    /// staff can take a mistake back: whoever was paused or archived may return to work, and whoever was archived may
    /// be paused instead. Nobody is invited again, and an invitation is not paused.
    pub const fn next(self) -> &'static [MateState] {
        match self {
            MateState::Invited => &[MateState::Active, MateState::Archived],
            MateState::Active => &[MateState::Paused, MateState::Archived],
            MateState::Paused => &[MateState::Active, MateState::Archived],
            MateState::Archived => &[MateState::Active, MateState::Paused],
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

impl At<PartnerState> {
    /// Where a new record begins: staff also write down a partner that sends no work.
    pub const fn added(state: PartnerState) -> At<PartnerState> {
        At::stored(state)
    }

    /// As the step of a mate, by the table of partners.
    #[must_use]
    pub fn go(&mut self, to: PartnerState) -> bool {
        self.go_to(to, self.next())
    }
}

impl PartnerState {
    /// The states that may follow. Published are active, suspended and archived, without an order. Each may follow each
    /// other one, so that staff can take a mistake back.
    pub const fn next(self) -> &'static [PartnerState] {
        match self {
            PartnerState::Active => &[PartnerState::Suspended, PartnerState::Archived],
            PartnerState::Suspended => &[PartnerState::Active, PartnerState::Archived],
            PartnerState::Archived => &[PartnerState::Active, PartnerState::Suspended],
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
        self.go_to(to, self.next())
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
    /// State of a checkout: a charge that comes before the booking, edit or payment it is for.
    CheckoutState, "checkout state" {
        /// Its charge is at the gateway.
        Charging = "charging",
        /// Its effect was written.
        Booked = "booked",
        /// No money moved.
        Declined = "declined",
        /// It was given up: its charge was never seen and can no longer arrive.
        Abandoned = "abandoned",
    }
}

impl At<CheckoutState> {
    /// Where every checkout begins.
    pub const fn charging() -> At<CheckoutState> {
        At::stored(CheckoutState::Charging)
    }

    /// Takes a step of the table; stays when that is where it stands. False: there is no such step, and
    /// nothing changed.
    #[must_use]
    pub fn go(&mut self, to: CheckoutState) -> bool {
        self.go_to(to, self.next())
    }
}

impl CheckoutState {
    /// The states that may follow. Money that arrives for an abandoned checkout is booked or returned apart from it.
    pub const fn next(self) -> &'static [CheckoutState] {
        match self {
            CheckoutState::Charging => &[CheckoutState::Booked, CheckoutState::Declined, CheckoutState::Abandoned],
            CheckoutState::Booked | CheckoutState::Declined | CheckoutState::Abandoned => &[],
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
        assert!(DeliveryState::Dead.next().is_empty() && DeliveryState::Delivered.next().is_empty());
        assert!(FeedbackState::Expired.next().is_empty());
        let ends = [CheckoutState::Booked, CheckoutState::Declined, CheckoutState::Abandoned];
        assert!(ends.iter().all(|end| end.next().is_empty()));
    }

    #[test]
    fn staff_take_back_every_mistake_but_an_invitation() {
        for from in MateState::ALL {
            for to in MateState::ALL.iter().filter(|to| *to != from) {
                let refused = *to == MateState::Invited || (*from, *to) == (MateState::Invited, MateState::Paused);
                assert_eq!(from.next().contains(to), !refused, "{from} -> {to}");
            }
        }
        for from in PartnerState::ALL {
            assert!(PartnerState::ALL.iter().all(|to| to == from || from.next().contains(to)), "{from}");
        }
    }

    /// Each state goes where its table leads, and nowhere else.
    macro_rules! goes_where_the_table_leads {
        ($($state:ty),+) => {$(
            for from in <$state>::ALL {
                for to in <$state>::ALL {
                    let mut at = At::stored(*from);
                    let may = from == to || from.next().contains(to);
                    assert_eq!(at.go(*to), may, "{from} -> {to}");
                    assert_eq!(at, if may { *to } else { *from });
                }
            }
        )+};
    }

    #[test]
    fn a_record_goes_where_the_table_leads() {
        goes_where_the_table_leads!(MateState, PartnerState, DeliveryState, CheckoutState);
    }

    #[test]
    fn three_retries_then_dead() {
        let minutes: Vec<_> = (1..=4).map(|n| DeliveryState::retry_after(n).map(|d| d.num_minutes())).collect();
        assert_eq!(minutes, [Some(1), Some(10), Some(60), None]);
    }
}
