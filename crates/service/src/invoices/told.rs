//! Words the lines of a booking in the language of an invoice. They are kept in the language in which the booking was made.

use kernel::Language;

use crate::{bookings::line_words::described, estimates::explain::factors, ports::priced::BookedLine};

/// Description and detail of a line on a paper of this language. What staff wrote in their own words stays in these.
pub(super) fn line(line: &BookedLine, mates: u8, language: Language) -> (String, String) {
    let is_in = |l: &Language| described(line, mates, *l).is_some_and(|told| told == line.description);
    let explained = || line.explanation.clone().or_else(|| factors(line, language)).unwrap_or_default();
    match Language::ALL.iter().find(|l| **l != language && is_in(l)).filter(|_| !is_in(&language)) {
        // How its amount comes about was kept in that language too; what it is multiplied by is told in each.
        Some(_) => {
            let told = described(line, mates, language).unwrap_or_else(|| line.description.clone());
            (told, factors(line, language).unwrap_or_default())
        }
        None => (line.description.clone(), explained()),
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Exact, Money};

    use super::*;

    fn labour(description: &str) -> BookedLine {
        BookedLine {
            content: "regular".to_owned(),
            code: "labour".to_owned(),
            description: description.to_owned(),
            quantity: Exact::new(4, 0),
            unit: "hour".to_owned(),
            unit_price: Money::from_cents(16_200),
            multiplier: Exact::new(1, 0),
            own_factor: None,
            date_factor: None,
            period: "base".to_owned(),
            amount: Money::from_cents(64_800),
            explanation: Some("kept".to_owned()),
        }
    }

    #[test]
    fn a_line_is_told_in_the_language_of_its_paper() {
        for kept in Language::ALL {
            let own = described(&labour(""), 2, kept).unwrap_or_default();
            assert!(!own.is_empty());
            for paper in Language::ALL {
                let (told, detail) = line(&labour(&own), 2, paper);
                assert_eq!(Some(told), described(&labour(""), 2, paper), "{kept} on {paper}");
                assert_eq!(detail == "kept", kept == paper, "{kept} on {paper}: {detail}");
            }
        }
        assert_eq!(line(&labour("As agreed by telephone"), 2, Language::Fr).0, "As agreed by telephone");
    }
}
