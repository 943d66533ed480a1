//! The simulators that keep state, as the program hands them in.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use kernel::chrono::{DateTime, Utc};

use api::contract::refusals;

refusals! {
    /// Why there is no simulator, or nothing of that name in it.
    SimulatorRefusal { Http: PathNotFound; Rule: NotFound }
}

/// The simulators that keep state and may be carried by another process.
#[derive(Clone)]
pub struct Carried {
    /// The card gateway.
    pub braintree: Arc<braintree::simulator::Simulator>,
    /// The text service.
    pub twilio: Arc<twilio::simulator::Simulator>,
}

/// What the handlers of the simulators reach.
pub struct Simulators {
    carried: Option<Carried>,
    /// Conversations of the demo's chat.
    pub(crate) chats: Chats,
}

impl Simulators {
    /// Those of a program that carries these, or none: then the paths below them do not exist.
    pub fn new(carried: Option<Carried>) -> Simulators {
        Simulators { carried, chats: Chats::default() }
    }

    /// Those that keep state.
    ///
    /// # Errors
    /// When this program carries none.
    pub(crate) fn carried(&self) -> Result<&Carried, SimulatorRefusal> {
        self.carried.as_ref().ok_or(SimulatorRefusal::PathNotFound)
    }
}

/// Conversations that are remembered: the newest.
const CONVERSATIONS: usize = 50;
/// Messages of one conversation that are remembered: the newest.
const MESSAGES: usize = 40;

/// A message of a chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChatMessage {
    /// When it was written.
    pub at: DateTime<Utc>,
    /// Written by the visitor; else by the simulator.
    pub by_visitor: bool,
    /// Its text.
    pub text: String,
}

/// One visitor's chat.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Conversation {
    /// A random name that the browser chose.
    pub visitor: String,
    /// What the site told the chat, as a vendor would keep it.
    pub attributes: Vec<(String, String)>,
    /// Oldest first.
    pub messages: Vec<ChatMessage>,
}

/// The demo's chats, in memory only. What is old makes room.
#[derive(Clone, Default)]
pub struct Chats(Arc<Mutex<VecDeque<Conversation>>>);

impl Chats {
    /// Changes a visitor's chat, which is the newest one from then on.
    pub fn change(&self, visitor: &str, change: impl FnOnce(&mut Conversation)) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.iter().position(|c| c.visitor == visitor).and_then(|at| all.remove(at));
        let mut chat = known.unwrap_or_else(|| Conversation { visitor: visitor.to_owned(), ..Conversation::default() });
        change(&mut chat);
        let over = chat.messages.len().saturating_sub(MESSAGES);
        chat.messages.drain(..over);
        all.push_front(chat);
        all.truncate(CONVERSATIONS);
    }

    /// A visitor's chat.
    pub fn of(&self, visitor: &str) -> Option<Conversation> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().find(|c| c.visitor == visitor).cloned()
    }

    /// All of them, the newest first.
    pub fn all(&self) -> Vec<Conversation> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_old_makes_room() {
        let chats = Chats::default();
        let said = |n: usize| ChatMessage { at: DateTime::UNIX_EPOCH, by_visitor: true, text: n.to_string() };
        for n in 0..CONVERSATIONS + 3 {
            chats.change(&n.to_string(), |c| c.messages.push(said(n)));
        }
        assert_eq!((chats.all().len(), chats.of("2")), (CONVERSATIONS, None));
        for n in 0..MESSAGES + 5 {
            chats.change("3", |c| c.messages.push(said(n)));
        }
        let kept = chats.of("3").map(|c| c.messages).unwrap_or_default();
        assert_eq!((kept.len(), kept.first().map(|m| m.text.as_str())), (MESSAGES, Some("5")));
        assert_eq!(chats.all().first().map(|c| c.visitor.clone()).as_deref(), Some("3"), "the newest first");
    }
}
