//! Deciding one step against a table of rules.

use crate::role::Role;

/// One row of a machine's table.
#[derive(Debug, Clone, Copy)]
pub struct Rule<S: 'static, G: 'static, E: 'static> {
    /// State before.
    pub from: S,
    /// State after.
    pub to: S,
    /// Who may ask. A pair of states may have several rows with different people and guards.
    pub roles: &'static [Role],
    /// What must be true, checked in order.
    pub guards: &'static [G],
    /// What follows, in order.
    pub effects: &'static [E],
}

/// A step that is possible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome<E> {
    /// Already there: answer as if it had been done, write nothing.
    Unchanged,
    /// Write the new state, then do these.
    Changed(Vec<E>),
}

/// Why a step is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason<G> {
    /// No rule leads from the one state to the other.
    NoSuchStep,
    /// There is one, for somebody else.
    NotForRole,
    /// Something that must be true is not.
    Guard(G),
}

/// A refused step, with what would be possible instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused<S, G> {
    /// The present state.
    pub from: S,
    /// What was asked for.
    pub to: S,
    /// Why not.
    pub reason: Reason<G>,
    /// The states this person could reach now.
    pub allowed: Vec<S>,
}

impl<S: std::fmt::Display, G: std::fmt::Display> std::fmt::Display for Refused<S, G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} cannot become {}: ", self.from, self.to)?;
        match &self.reason {
            Reason::NoSuchStep => f.write_str("there is no such step"),
            Reason::NotForRole => f.write_str("not for this role"),
            Reason::Guard(guard) => write!(f, "{guard}"),
        }
    }
}

impl<S: std::fmt::Debug + std::fmt::Display, G: std::fmt::Debug + std::fmt::Display> std::error::Error
    for Refused<S, G>
{
}

/// Decides a step; `holds` says whether a guard is satisfied by the caller's facts.
pub(crate) fn decide<S: Copy + PartialEq, G: Copy, E: Copy>(
    table: &[Rule<S, G, E>],
    from: S,
    to: S,
    role: Role,
    holds: impl Fn(G) -> bool,
) -> Result<Outcome<E>, Refused<S, G>> {
    if from == to {
        return Ok(Outcome::Unchanged);
    }
    check(table, from, to, role, &holds).map(|rule| Outcome::Changed(rule.effects.to_vec())).map_err(|reason| Refused {
        from,
        to,
        reason,
        allowed: allowed(table, from, role, &holds),
    })
}

/// The states somebody could reach now, in table order, without repetition.
pub(crate) fn allowed<S: Copy + PartialEq, G: Copy, E: Copy>(
    table: &[Rule<S, G, E>],
    from: S,
    role: Role,
    holds: impl Fn(G) -> bool,
) -> Vec<S> {
    let mut found: Vec<S> = Vec::new();
    for rule in table.iter().filter(|r| r.from == from && r.to != from) {
        if !found.contains(&rule.to) && check(table, from, rule.to, role, &holds).is_ok() {
            found.push(rule.to);
        }
    }
    found
}

/// The rule that lets the step through, or the reason of the first that nearly does.
fn check<'t, S: Copy + PartialEq, G: Copy, E>(
    table: &'t [Rule<S, G, E>],
    from: S,
    to: S,
    role: Role,
    holds: &impl Fn(G) -> bool,
) -> Result<&'t Rule<S, G, E>, Reason<G>> {
    let mut reason = Reason::NoSuchStep;
    for rule in table.iter().filter(|r| r.from == from && r.to == to) {
        if !rule.roles.contains(&role) {
            if matches!(reason, Reason::NoSuchStep) {
                reason = Reason::NotForRole;
            }
            continue;
        }
        match rule.guards.iter().find(|g| !holds(**g)) {
            None => return Ok(rule),
            Some(guard) if !matches!(reason, Reason::Guard(_)) => reason = Reason::Guard(*guard),
            Some(_) => {}
        }
    }
    Err(reason)
}
