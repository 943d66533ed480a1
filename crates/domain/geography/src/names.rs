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

/// Chinese names of Canadian cities, as the Chinese press in Canada writes them, and their normal form.
pub(crate) const HAN_NAMES: [(&str, &str); 41] = [
    ("多伦多", "toronto"),
    ("多倫多", "toronto"),
    ("蒙特利尔", "montreal"),
    ("蒙特利爾", "montreal"),
    ("满地可", "montreal"),
    ("滿地可", "montreal"),
    ("蒙特娄", "montreal"),
    ("温哥华", "vancouver"),
    ("溫哥華", "vancouver"),
    ("西温哥华", "west vancouver"),
    ("北温哥华", "north vancouver"),
    ("渥太华", "ottawa"),
    ("渥太華", "ottawa"),
    ("卡尔加里", "calgary"),
    ("卡爾加里", "calgary"),
    ("埃德蒙顿", "edmonton"),
    ("爱民顿", "edmonton"),
    ("愛民頓", "edmonton"),
    ("魁北克", "quebec"),
    ("温尼伯", "winnipeg"),
    ("温尼辟", "winnipeg"),
    ("汉密尔顿", "hamilton"),
    ("咸美顿", "hamilton"),
    ("密西沙加", "mississauga"),
    ("米西索加", "mississauga"),
    ("万锦", "markham"),
    ("列治文山", "richmond hill"),
    ("列治文", "richmond"),
    ("本拿比", "burnaby"),
    ("素里", "surrey"),
    ("高贵林", "coquitlam"),
    ("维多利亚", "victoria"),
    ("哈利法克斯", "halifax"),
    ("拉瓦尔", "laval"),
    ("隆格伊", "longueuil"),
    ("加蒂诺", "gatineau"),
    ("舍布鲁克", "sherbrooke"),
    ("布罗萨尔", "brossard"),
    ("萨斯卡通", "saskatoon"),
    ("里贾纳", "regina"),
    ("圣约翰斯", "saint john s"),
];

/// Quarters of large cities whose names villages far away bear as well: beside a postal code of the
/// city the quarter is meant.
pub(crate) const QUARTERS: [(&str, &str); 12] = [
    ("montreal", "ville marie"),
    ("montreal", "saint henri"),
    ("montreal", "saint michel"),
    ("montreal", "saint edouard"),
    ("montreal", "saint paul"),
    ("montreal", "rosemont"),
    ("quebec", "saint roch"),
    ("quebec", "saint jean baptiste"),
    ("quebec", "saint sauveur"),
    ("quebec", "montcalm"),
    ("toronto", "parkdale"),
    ("vancouver", "kensington"),
];

/// The comparison form of a municipality's name: without accents, case, hyphens, ligatures, an
/// explanation in parentheses, the office's title ("Ville de") and `St`/`Saint` differences. A Chinese
/// name is the city's own (`蒙特利尔市` is Montréal).
pub fn normalise(name: &str) -> String {
    let bare = name.trim().trim_end_matches('市');
    if let Some((_, known)) = HAN_NAMES.iter().find(|(han, _)| *han == bare) {
        return (*known).to_owned();
    }
    let name = name.split('(').next().unwrap_or("");
    let plain = fold_name(&name.replace(['–', '—', '/', '_'], " "));
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
    fn chinese_names_are_of_towns_we_know() {
        for (han, name) in HAN_NAMES {
            assert_eq!(normalise(name), name, "{han}");
            let known = crate::gazetteer::places_with_normal_name(None, name);
            assert!(known.iter().any(|p| p.codes >= 1_000), "{han} {name}");
        }
    }

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
            ("蒙特利尔", "Montréal"),
            ("多伦多市", "Toronto"),
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
