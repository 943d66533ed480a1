//! The reservation of a slot during checkout.

use crate::at::At;

coded! {
    /// State of a slot hold.
    State, "hold state" {
        /// The slot is reserved.
        Active = "active",
        /// Reserved a little longer: the payment form is open.
        Extended = "extended",
        /// It became a booking.
        Converted = "converted",
        /// Its time ran out.
        Expired = "expired",
        /// Given back: another slot, a reset, leaving.
        Released = "released",
    }
}

/// What happens to a hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Event {
    /// The payment form is opened.
    Extend,
    /// The booking is written in this transaction.
    Convert,
    /// The clock reached its expiry.
    Expire,
    /// Replaced, reset or left.
    Release,
    /// The payment of the booking it was converted for failed: no booking has it.
    Unconvert,
    /// Its booking, or the payment it waited for, needs the time no more.
    GiveUp,
}

/// What the event means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Already so.
    Unchanged,
    /// Write the state; capacity stays with the hold, or goes over to the booking.
    Keep(State),
    /// Write the state and give back what the hold recorded.
    GiveBack(State),
    /// The hold is over. On conversion the caller may take a new one if there is room.
    Over(State),
}

/// Decides. Beyond the published steps a converted hold records the capacity of its booking, which gives it
/// up when it ends or moves; and a hold whose payment failed is the customer's again for another try.
///
/// `expired`: the clock has reached the hold's expiry, whether or not the job that marks
/// it has run; an expired hold is neither extended nor converted.
pub fn on_event(state: State, event: Event, expired: bool) -> Outcome {
    use Outcome::{GiveBack, Keep, Over, Unchanged};
    match (state, event) {
        (State::Active | State::Extended, Event::Expire) => {
            if expired {
                GiveBack(State::Expired)
            } else {
                Unchanged
            }
        }
        (State::Active | State::Extended, Event::Release) => GiveBack(State::Released),
        (State::Active | State::Extended, Event::Extend | Event::Convert) if expired => GiveBack(State::Expired),
        (State::Active, Event::Extend) => Keep(State::Extended),
        // Once only.
        (State::Extended, Event::Extend) => Unchanged,
        (State::Active | State::Extended, Event::Convert) => Keep(State::Converted),
        (State::Converted, Event::Unconvert) => Keep(State::Extended),
        (State::Converted, Event::GiveUp) => GiveBack(State::Released),
        (State::Converted, Event::Convert)
        | (State::Expired, Event::Expire)
        | (State::Released, Event::Release | Event::GiveUp) => Unchanged,
        // No conversion to undo.
        (State::Active | State::Extended, Event::Unconvert | Event::GiveUp) => Unchanged,
        (over @ (State::Converted | State::Expired | State::Released), _) => Over(over),
    }
}

impl At<State> {
    /// A slot is taken.
    pub const fn active() -> At<State> {
        At::stored(State::Active)
    }

    /// What the event means; the state is the answer's.
    pub fn on(&mut self, event: Event, expired: bool) -> Outcome {
        let answer = on_event(**self, event, expired);
        if let Outcome::Keep(to) | Outcome::GiveBack(to) = answer {
            *self = At::stored(to);
        }
        answer
    }
}

/// True while the hold occupies capacity of its own.
pub fn occupies(state: State) -> bool {
    matches!(state, State::Active | State::Extended)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EVENTS: [Event; 6] =
        [Event::Extend, Event::Convert, Event::Expire, Event::Release, Event::Unconvert, Event::GiveUp];

    #[test]
    fn every_state_and_event() {
        use Outcome::{GiveBack, Keep, Over, Unchanged};
        use State::{Active, Converted, Expired, Extended, Released};
        let table = [
            (Active, [Keep(Extended), Keep(Converted), Unchanged, GiveBack(Released), Unchanged, Unchanged]),
            (Extended, [Unchanged, Keep(Converted), Unchanged, GiveBack(Released), Unchanged, Unchanged]),
            (
                Converted,
                [Over(Converted), Unchanged, Over(Converted), Over(Converted), Keep(Extended), GiveBack(Released)],
            ),
            (Expired, [Over(Expired), Over(Expired), Unchanged, Over(Expired), Over(Expired), Over(Expired)]),
            (Released, [Over(Released), Over(Released), Over(Released), Unchanged, Over(Released), Unchanged]),
        ];
        for (state, answers) in table {
            for (event, answer) in EVENTS.into_iter().zip(answers) {
                assert_eq!(on_event(state, event, false), answer, "{state} {event:?}");
            }
        }
        for state in [Active, Extended] {
            for event in [Event::Extend, Event::Convert, Event::Expire] {
                assert_eq!(on_event(state, event, true), GiveBack(Expired), "{state} {event:?}");
            }
            assert_eq!(on_event(state, Event::Release, true), GiveBack(Released));
        }
    }

    proptest! {
        /// Whatever happens, what was taken is given back once at most, and exactly when nobody has it any more.
        #[test]
        fn capacity_is_given_back_once(events in proptest::collection::vec((0usize..6, any::<bool>()), 0..20)) {
            let (mut at, mut given) = (At::active(), 0);
            for (event, expired) in events {
                if let Outcome::GiveBack(_) = at.on(EVENTS[event], expired) {
                    given += 1;
                }
                prop_assert_eq!(given, i32::from(!occupies(*at) && *at != State::Converted));
            }
        }
    }
}
