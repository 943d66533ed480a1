//! What would make a move cheaper, found by pricing the changed move: never a rule of thumb.

use chrono::NaiveDate;
use kernel::{Accessibility, Money};
use pricing::{Discount, MoveRequest, Quote};

use super::job::MoveToPrice;

/// A change and what it would do to the price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hint {
    /// Stable code: `pickup_elevator`, `dropoff_parking`, `client_helps`, …
    pub code: &'static str,
    /// On the amount before tax, the discount included; negative.
    pub difference: Money,
}

/// What changes of `job`, and whether the change means anything to it.
type Change = (&'static str, fn(&MoveRequest) -> bool, fn(&mut MoveRequest));

const CHANGES: [Change; 8] = [
    ("pickup_elevator", |m| m.pickup.floor != 0 && m.pickup.elevator == 0, |m| m.pickup.elevator = 1),
    ("dropoff_elevator", |m| m.dropoff.floor != 0 && m.dropoff.elevator == 0, |m| m.dropoff.elevator = 1),
    ("pickup_parking", |m| !m.pickup.parking, |m| m.pickup.parking = true),
    ("dropoff_parking", |m| !m.dropoff.parking, |m| m.dropoff.parking = true),
    (
        "pickup_easy_access",
        |m| m.pickup.accessibility != Accessibility::Easy,
        |m| m.pickup.accessibility = Accessibility::Easy,
    ),
    (
        "dropoff_easy_access",
        |m| m.dropoff.accessibility != Accessibility::Easy,
        |m| m.dropoff.accessibility = Accessibility::Easy,
    ),
    (
        "no_assembly",
        |m| m.items.iter().any(|item| item.needs_assembly),
        |m| m.items.iter_mut().for_each(|item| item.needs_assembly = false),
    ),
    ("client_helps", |m| !m.client_as_mate, |m| m.client_as_mate = true),
];

/// The changes that make the price lower, the most first. One that brings up a new warning is no advice.
pub(super) fn hints(
    job: &MoveToPrice<'_>,
    day: Option<NaiveDate>,
    discount: Option<&Discount>,
    now: &Quote,
) -> Vec<Hint> {
    // Without anything to carry there is nothing to advise about.
    if job.request.items.iter().all(|item| item.quantity == 0) {
        return Vec::new();
    }
    // One copy for all changes: each is made, priced and taken back. An inventory has hundreds of texts, and this is asked
    // for with every estimate.
    let mut other = MoveToPrice { request: job.request.clone(), duration: job.duration.clone(), card: job.card };
    let mut found: Vec<Hint> = CHANGES
        .iter()
        .filter(|(_, concerns, _)| concerns(&job.request))
        .filter_map(|(code, _, change)| {
            change(&mut other.request);
            other.duration = pricing::duration(&other.request, other.card);
            let warned = other.duration.warnings.len() > job.duration.warnings.len();
            let difference = other.price(day, discount, Money::ZERO).amount.minus(now.amount);
            take_back(&mut other.request, &job.request);
            (!warned && difference.is_negative()).then_some(Hint { code, difference })
        })
        .collect();
    found.sort_by_key(|hint| hint.difference);
    found
}

/// Everything a change may have touched, as it was.
fn take_back(changed: &mut MoveRequest, original: &MoveRequest) {
    changed.pickup.clone_from(&original.pickup);
    changed.dropoff.clone_from(&original.dropoff);
    changed.client_as_mate = original.client_as_mate;
    for (item, was) in changed.items.iter_mut().zip(&original.items) {
        item.needs_assembly = was.needs_assembly;
    }
}
