//! One form for the many spellings of a municipality.

use kernel::fold_name;

/// What offices put before a municipality's name.
const TITLES: [&str; 12] = [
    "city of",
    "ville de",
    "ville d",
    "town of",
    "village of",
    "village de",
    "township of",
    "district of",
    "municipality of",
    "municipalite de",
    "corporation of",
    "cite de",
];

/// The comparison form of a municipality's name: without accents, case, hyphens, ligatures, an
/// explanation in parentheses, the office's title ("Ville de") and `St`/`Saint` differences.
pub fn normalise(name: &str) -> String {
    let name = name.split('(').next().unwrap_or("");
    let plain = fold_name(&name.replace(['–', '—', '/', '_'], " ")).replace('œ', "oe");
    for title in TITLES {
        if let Some(rest) = plain.strip_prefix(title).and_then(|r| r.strip_prefix(' ')) {
            return rest.strip_prefix("the ").unwrap_or(rest).to_owned();
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn spellings_of_one_municipality_meet() {
        for (a, b) in [
            ("Montréal", "MONTREAL"),
            ("Ville de Montréal", "montreal"),
            ("St-Bruno-de-Montarville", "Saint-Bruno de Montarville"),
            ("Ste. Thérèse", "Sainte-Thérèse"),
            ("Contrecœur", "Contrecoeur"),
            ("L’Île-Perrot", "l'ile perrot"),
            ("Langley (township)", "Township of Langley"),
            ("Saint-Lin–Laurentides", "Saint-Lin-Laurentides"),
        ] {
            assert_eq!(normalise(a), normalise(b), "{a} / {b}");
        }
        assert_ne!(normalise("Ville-Marie"), normalise("Marie"));
        assert_eq!(normalise(""), "");
    }

    proptest! {
        #[test]
        fn normal_names_stay_as_they_are(name in "[A-Za-zÀ-ÿœ' -]{0,30}") {
            // Titles may hide behind titles ("City of City of"); one pass is what offices write.
            let once = normalise(&name);
            prop_assume!(!TITLES.iter().any(|t| once.starts_with(t)));
            prop_assert_eq!(normalise(&once), once);
        }
    }
}
