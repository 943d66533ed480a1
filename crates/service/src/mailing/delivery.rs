//! The one way in which the state of a message changes, by mail or as a text.

use kernel::MessageId;
use status_machine::At;

use crate::ports::messages::MessageState;

/// Takes a step of the table; the caller writes it. False: there is no such step, and nothing changed.
#[must_use]
pub(crate) fn step(message: MessageId, state: &mut At<MessageState>, to: MessageState) -> bool {
    let from = **state;
    let is_taken = state.go(to);
    if is_taken {
        tracing::debug!(%message, table = "message", from = from.code(), to = to.code(), "a step");
    }
    is_taken
}
