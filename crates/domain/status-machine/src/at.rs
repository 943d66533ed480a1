//! A state as a row holds it.

use std::ops::Deref;

/// The state of a row. It is read as the state itself, and changes only by a step of its table: the
/// methods that take one are beside the tables.
///
/// ```
/// use status_machine::{At, Role, payment::{Facts, State}};
///
/// let mut at = At::scheduled();
/// assert!(at.go(State::Captured, Role::System, &Facts::default()).is_err());
/// assert_eq!(at, State::Scheduled);
/// ```
///
/// Nothing else writes it:
///
/// ```compile_fail
/// use status_machine::{At, payment::State};
///
/// let mut at = At::scheduled();
/// *at = State::Captured;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct At<S>(S);

impl<S> At<S> {
    /// As a row has it that was stored before. For repositories, and for rows that tests make up.
    pub const fn stored(state: S) -> At<S> {
        At(state)
    }
}

impl<S: Copy + PartialEq> At<S> {
    /// Takes a step to one of `next`; stays when that is where it stands. False: there is no such step, and nothing
    /// changed.
    pub(crate) fn go_to(&mut self, to: S, next: &[S]) -> bool {
        let may = self.0 == to || next.contains(&to);
        if may {
            self.0 = to;
        }
        may
    }
}

impl<S> Deref for At<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.0
    }
}

impl<S: PartialEq> PartialEq<S> for At<S> {
    fn eq(&self, other: &S) -> bool {
        self.0 == *other
    }
}
