//! Islands without a bridge: a truck needs a ferry, so people decide, not the calendar.

use crate::{Nearby, Place, gazetteer, postal_area};

/// The island a place lies on, when no road leaves it.
fn island_of(place: &Place) -> Option<&'static str> {
    if let Some(area) = place.fsa().and_then(postal_area) {
        if area.island.is_some() {
            return area.island.as_deref();
        }
        if !area.is_rural() && !gazetteer::has_islands(&area.fsa) {
            return None;
        }
    }
    let named = gazetteer::places_named(Some(place.province), &place.city);
    if !named.is_empty() && (named.len() == 1 || place.coordinates.is_none()) {
        return named.iter().find_map(|p| p.island.as_deref());
    }
    match gazetteer::nearest(place.coordinates?)?.0 {
        Nearby::Place(p) => p.island.as_deref(),
        Nearby::PostalArea(a) => a.island.as_deref(),
    }
}

/// True for places a truck reaches only by ferry: Vancouver Island, the Magdalen Islands, Bowen
/// Island and the like. Such moves need the support team.
pub fn needs_ferry(place: &Place) -> bool {
    island_of(place).is_some()
}

/// True when the way between two places crosses water without a bridge.
pub fn ferry_between(a: &Place, b: &Place) -> bool {
    island_of(a) != island_of(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{at, place};

    #[test]
    fn islands_without_bridge_need_a_ferry() {
        for (province, city, code) in [
            ("BC", "Bowen Island", Some("V0N 1G0")),
            ("BC", "Bowen Island", None),
            ("BC", "Victoria", Some("V8W 1A1")),
            ("BC", "Nanaimo", None),
            ("QC", "Les Îles-de-la-Madeleine", Some("G4T 1A1")),
            ("QC", "L'Île-Dorval", Some("H9S 5W7")),
            ("ON", "Pelee Island", None),
            ("NL", "St. John's", None),
        ] {
            assert!(needs_ferry(&place(province, city, code)), "{city}");
        }
        for (province, city, code) in [
            ("QC", "Montréal", Some("H2X 1Y4")),
            ("QC", "L'Île-Perrot", None),
            ("QC", "Dorval", Some("H9S 5W7")),
            ("BC", "Richmond", Some("V6Y 1A1")),
            ("BC", "Whistler", Some("V8E 0A1")),
            ("BC", "Lions Bay", Some("V0N 2E0")),
            ("ON", "Kingston", None),
            ("PE", "Charlottetown", None),
        ] {
            assert!(!needs_ferry(&place(province, city, code)), "{city}");
        }
        assert!(needs_ferry(&at("BC", 48.4284, -123.3656)), "Victoria by point");
        assert!(!needs_ferry(&at("BC", 49.376, -123.273)), "Horseshoe Bay by point");
    }

    #[test]
    fn only_different_islands_have_water_between_them() {
        let [victoria, nanaimo] = ["Victoria", "Nanaimo"].map(|c| place("BC", c, None));
        assert!(!ferry_between(&victoria, &nanaimo));
        assert!(ferry_between(&victoria, &place("BC", "Vancouver", None)));
        assert!(ferry_between(&victoria, &place("BC", "Bowen Island", None)));
        assert!(!ferry_between(&place("QC", "Laval", None), &place("ON", "Toronto", None)));
    }
}
