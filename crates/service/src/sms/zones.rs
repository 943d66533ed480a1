//! Where a telephone rings at night, as far as its number tells: where a text is about no booking, nothing else is known.

use kernel::{E164, Zone};

/// Area codes of British Columbia and the Yukon.
const PACIFIC: [&str; 7] = ["236", "250", "257", "604", "672", "778", "867"];
/// Area codes of Alberta and Saskatchewan: their clocks agree all year.
const MOUNTAIN: [&str; 8] = ["306", "368", "403", "474", "587", "639", "780", "825"];

/// The zone of a number; of one from elsewhere that of most of our customers.
pub fn of_number(number: &E164) -> Zone {
    let area = number.as_str().strip_prefix("+1").and_then(|national| national.get(..3)).unwrap_or_default();
    if PACIFIC.contains(&area) {
        Zone::VANCOUVER
    } else if MOUNTAIN.contains(&area) {
        Zone::EDMONTON
    } else {
        Zone::MONTREAL
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_area_code_tells_the_zone() {
        for (number, zone) in [
            ("604 555-0199", Zone::VANCOUVER),
            ("403 555-0199", Zone::EDMONTON),
            ("306 555-0199", Zone::EDMONTON),
            ("514 555-0199", Zone::MONTREAL),
            ("416 555-0199", Zone::MONTREAL),
            // 604 is no area code there.
            ("+86 604 1234 5678", Zone::MONTREAL),
        ] {
            assert_eq!(of_number(&number.parse().unwrap()), zone, "{number}");
        }
    }
}
