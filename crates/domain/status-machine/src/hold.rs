//! The reservation of a slot during checkout.

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
}

/// What the event means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Already so.
    Unchanged,
    /// Write the state; capacity stays with the hold, or goes over to the booking.
    Keep(State),
    /// Write the state and give back what the hold recorded.
    GiveBack(State),
    /// The hold is over. On conversion the caller may take a new one if there is room.
    Over(State),
}

/// Decides. `expired`: the clock has reached the hold's expiry, whether or not the job that marks
/// it has run; an expired hold is neither extended nor converted.
pub fn on_event(state: State, event: Event, expired: bool) -> Answer {
    use Answer::{GiveBack, Keep, Over, Unchanged};
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
        (State::Converted, Event::Convert) | (State::Expired, Event::Expire) | (State::Released, Event::Release) => {
            Unchanged
        }
        (over @ (State::Converted | State::Expired | State::Released), _) => Over(over),
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

    const EVENTS: [Event; 4] = [Event::Extend, Event::Convert, Event::Expire, Event::Release];

    #[test]
    fn every_state_and_event() {
        use Answer::{GiveBack, Keep, Over, Unchanged};
        use State::{Active, Converted, Expired, Extended, Released};
        let table = [
            (Active, [Keep(Extended), Keep(Converted), Unchanged, GiveBack(Released)]),
            (Extended, [Unchanged, Keep(Converted), Unchanged, GiveBack(Released)]),
            (Converted, [Over(Converted), Unchanged, Over(Converted), Over(Converted)]),
            (Expired, [Over(Expired), Over(Expired), Unchanged, Over(Expired)]),
            (Released, [Over(Released), Over(Released), Over(Released), Unchanged]),
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
        /// Whatever happens, capacity is given back or handed over exactly once.
        #[test]
        fn capacity_leaves_a_hold_once(events in proptest::collection::vec((0usize..4, any::<bool>()), 0..20)) {
            let (mut state, mut left) = (State::Active, 0);
            for (event, expired) in events {
                let was = occupies(state);
                match on_event(state, EVENTS[event], expired) {
                    Answer::Keep(to) => {
                        left += i32::from(to == State::Converted);
                        state = to;
                    }
                    Answer::GiveBack(to) => {
                        prop_assert!(was);
                        left += 1;
                        state = to;
                    }
                    Answer::Unchanged | Answer::Over(_) => {}
                }
                prop_assert_eq!(left, i32::from(!occupies(state)));
            }
        }
    }
}
