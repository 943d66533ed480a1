//! What happened to a booking, in one line of time.

use chrono::{DateTime, Utc};
use kernel::{BookingId, Money, UserId};
use serde_json::Value;
use status_machine::{Role, booking::Status};

use super::{queries::visible, trail::Names};
use crate::{
    Caller, ServiceResult, Services,
    billing::trail::is_by_hand,
    crews,
    ports::{
        credits::Credit,
        ledger::Entry,
        payments::{AttemptState, PaidWith, PaymentKind},
    },
};

/// One event.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// When.
    pub at: DateTime<Utc>,
    /// Who; none for the system.
    pub actor: Option<UserId>,
    /// Their name; none for the system, and for who has no profile.
    pub actor_name: Option<String>,
    /// In which role; none for guests.
    pub role: Option<Role>,
    /// What.
    pub what: EventKind,
}

/// The kinds of events.
#[derive(Debug, Clone, PartialEq)]
pub enum EventKind {
    /// A status change.
    Status {
        /// From; none for the first.
        from: Option<Status>,
        /// To.
        to: Status,
        /// Why.
        reason: Option<String>,
    },
    /// An edit.
    Edit {
        /// The version that was replaced.
        version: i32,
        /// Field → before and after.
        changes: Value,
    },
    /// Other people go.
    Crew {
        /// Their names before.
        before: Vec<String>,
        /// And after.
        after: Vec<String>,
    },
    /// A charge or refund attempt.
    Charge {
        /// What for.
        kind: PaymentKind,
        /// How much.
        amount: Money,
        /// How it ended.
        state: AttemptState,
        /// Order id at the gateway.
        order_id: String,
    },
    /// Money that came or went by hand.
    ByHand {
        /// What for; a refund went.
        kind: PaymentKind,
        /// How.
        method: PaidWith,
        /// How much.
        amount: Money,
        /// Number of the transfer or cheque; of an entry that was taken out, why.
        reference: Option<String>,
        /// A payment that was written down by mistake is taken out: no money moved.
        taken_out: bool,
    },
    /// What staff gave back or waived.
    Credit(Credit),
    /// A message.
    Message {
        /// Template.
        message_type: String,
        /// `queued`, `sent`, `dead`.
        state: &'static str,
    },
}

/// `GET /bookings/{id}/history`: oldest first.
///
/// # Errors
/// `not_found`.
pub async fn history(s: &Services, caller: &Caller, id: BookingId) -> ServiceResult<Vec<Event>> {
    let caller = caller.clone();
    s.store
        .read(move |u| {
            visible(u, &caller, id)?;
            let mut events = Vec::new();
            for h in u.booking_history().status_history(id)? {
                events.push(Event {
                    at: h.at,
                    actor: h.actor,
                    actor_name: None,
                    role: h.role,
                    what: EventKind::Status { from: h.from, to: h.to, reason: h.reason },
                });
            }
            for r in u.booking_history().revisions(id)? {
                let what = EventKind::Edit { version: r.version, changes: r.changes };
                events.push(Event { at: r.at, actor: r.actor, actor_name: None, role: r.role, what });
            }
            let trail = u.audits().of_subject("booking", &id.to_string())?;
            for row in trail.iter().filter(|row| row.action == crews::CHANGED) {
                let what = EventKind::Crew { before: crew_of(row.before.as_ref()), after: crew_of(row.after.as_ref()) };
                events.push(Event { at: row.at, actor: row.actor, actor_name: None, role: row.role, what });
            }
            for credit in visible(u, &caller, id)?.details.credits {
                events.push(Event {
                    at: credit.at,
                    actor: credit.by,
                    actor_name: None,
                    role: Some(Role::Ops),
                    what: EventKind::Credit(credit),
                });
            }
            for p in u.payments().of_booking(id)? {
                if let (true, Some(at)) = (p.method.is_by_hand(), p.settled_at) {
                    let (method, amount, reference) = (p.method, p.amount, p.written_reference().map(str::to_owned));
                    let what =
                        EventKind::ByHand { kind: p.kind, method, amount, reference, taken_out: p.is_taken_out() };
                    // Who wrote it down, the trail of that instant says.
                    let by = trail.iter().find(|row| row.at == at && is_by_hand(&row.action));
                    let actor = by.and_then(|row| row.actor);
                    events.push(Event { at, actor, actor_name: None, role: Some(Role::Ops), what });
                }
                for a in u.payments().attempts_of(p.id)? {
                    let what =
                        EventKind::Charge { kind: p.kind, amount: a.amount, state: *a.state, order_id: a.order_id };
                    events.push(Event {
                        at: a.resolved_at.unwrap_or(a.created_at),
                        actor: None,
                        actor_name: None,
                        role: Some(Role::System),
                        what,
                    });
                }
            }
            for m in u.messages().of_booking(id)? {
                let what = EventKind::Message { message_type: m.message_type, state: m.state.code() };
                let (at, role) = (m.sent_at.unwrap_or(m.created_at), Some(Role::System));
                events.push(Event { at, actor: None, actor_name: None, role, what });
            }
            events.sort_by_key(|e| e.at);
            let mut names = Names::default();
            for event in &mut events {
                event.actor_name = names.of(u, event.actor)?;
            }
            Ok(events)
        })
        .await
}

/// The names that the trail keeps of a crew.
fn crew_of(state: Option<&Value>) -> Vec<String> {
    let names = state.and_then(|s| s.get("crew")).and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// `GET /bookings/{id}/ledger`: the double entries, oldest first.
///
/// # Errors
/// `not_found`.
pub async fn ledger(s: &Services, caller: &Caller, id: BookingId) -> ServiceResult<Vec<Entry>> {
    let caller = caller.clone();
    s.store
        .read(move |u| {
            visible(u, &caller, id)?;
            Ok(u.ledger().of_booking(id)?)
        })
        .await
}
