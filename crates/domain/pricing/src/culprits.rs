//! Which belongings a warning is about.

use crate::{Duration, MOST_SUGGESTED_HEADS, MoveRequest, PricedItem, RateCard, Warning};

/// The items that bring `warning` about, as they were listed, each once. None where not an item but the size of the
/// move, its length or the size of the crew does.
pub fn culprits<'j>(job: &'j MoveRequest, card: &RateCard, time: &Duration, warning: Warning) -> Vec<&'j str> {
    let rules = &card.duration;
    let heads_of = |item: &PricedItem| {
        let by_item = rules.min_heads_by_item.get(&item.id).copied().unwrap_or(0);
        by_item.max(if item.heavy { 2 } else { 1 })
    };
    let most = job.items.iter().filter(|i| i.quantity > 0).map(heads_of).max().unwrap_or(0);
    let is_one = |item: &PricedItem| match warning {
        Warning::HeavyItemSingleMate => item.heavy,
        Warning::MinMates(_) => most > time.heads && heads_of(item) == most,
        Warning::ContactSupport => {
            rules.support_only_items.contains(&item.id)
                || (most > time.heads.max(MOST_SUGGESTED_HEADS) && heads_of(item) == most)
        }
    };
    let mut found: Vec<&str> = Vec::new();
    for item in job.items.iter().filter(|i| i.quantity > 0 && is_one(i)) {
        if !found.contains(&item.id.as_str()) {
            found.push(&item.id);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use kernel::{Accessibility, MateCount, Province};

    use super::*;
    use crate::{MoveKind, Stop, duration};

    fn culprits_of(mates: i64, helps: bool, items: &[(&str, u32, bool)]) -> Vec<(String, Vec<String>)> {
        let card = RateCard::builtin();
        let stop =
            Stop { province: Province::QC, floor: 0, elevator: 0, parking: true, accessibility: Accessibility::Easy };
        let job = MoveRequest {
            kind: MoveKind::Residential,
            items: items
                .iter()
                .map(|(id, dcf, heavy)| PricedItem {
                    id: (*id).to_owned(),
                    dcf: *dcf,
                    heavy: *heavy,
                    needs_assembly: false,
                    quantity: 1,
                })
                .collect(),
            mate_count: MateCount::new(mates).unwrap(),
            client_as_mate: helps,
            just_mates: false,
            ride_along: false,
            pickup: stop.clone(),
            dropoff: stop,
            travel_minutes: 10,
            distance_km10: 50,
            positioning_minutes: 0,
            extra_services: Vec::new(),
        };
        let time = duration(&job, &card);
        let names = |w: Warning| culprits(&job, &card, &time, w).into_iter().map(str::to_owned).collect();
        time.warnings.iter().map(|w| (w.to_string(), names(*w))).collect()
    }

    fn only(code: &str, items: &[&str]) -> Vec<(String, Vec<String>)> {
        vec![(code.to_owned(), items.iter().map(|i| (*i).to_owned()).collect())]
    }

    #[test]
    fn a_warning_names_what_it_is_about() {
        let (box_, couch) = (("box-small", 15, false), ("couch-3-seats", 500, true));
        assert_eq!(culprits_of(1, false, &[box_, couch, couch]), only("heavy_item_single_mate", &["couch-3-seats"]));
        assert_eq!(culprits_of(2, false, &[couch, ("hot-tub", 800, true)]), only("contact_support", &["hot-tub"]));
        assert_eq!(
            culprits_of(2, false, &[couch, ("piano-upright", 600, true)]),
            only("min_mates:3", &["piano-upright"])
        );
        assert_eq!(
            culprits_of(2, false, &[("piano-baby-grand", 900, true)]),
            only("contact_support", &["piano-baby-grand"])
        );
        assert_eq!(culprits_of(4, false, &[("piano-baby-grand", 900, true)]), []);
        assert_eq!(culprits_of(1, true, &[couch]), []);
        // The size of the move is nobody's fault in particular.
        assert_eq!(culprits_of(3, false, &[("box-small", 16_000, false)]), only("contact_support", &[]));
    }
}
