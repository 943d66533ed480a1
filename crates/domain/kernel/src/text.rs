//! Folding text for comparison: case, accents and punctuation aside.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Lower case without accents, full-width and other variant letters as the usual ones; other
/// characters as they are. The one normal form of search.
pub fn fold(text: &str) -> String {
    text.nfkd()
        .filter(|c| !is_combining_mark(*c))
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            '’' | '‘' => '\'',
            other => other,
        })
        .collect()
}

/// The words of a text in the normal form of search: runs of letters and digits, as [`fold`] has them.
pub fn words(text: &str) -> Vec<String> {
    let folded = fold(text);
    folded.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

/// A character of a script that writes no space between words.
pub fn is_han(c: char) -> bool {
    ('\u{3400}'..='\u{9fff}').contains(&c)
}

/// A place name reduced to what two spellings share: accents, case, hyphens, apostrophes and
/// dots removed, `St`/`Ste` written out as `saint`/`sainte`.
pub fn fold_name(name: &str) -> String {
    let folded = fold(name).replace(['-', '\'', '.', ','], " ");
    let words = folded.split_whitespace().map(|w| match w {
        "st" => "saint",
        "ste" => "sainte",
        other => other,
    });
    words.collect::<Vec<_>>().join(" ")
}

/// A person's whole name as their language writes it: the given name first, in Chinese the family name first and no
/// space between.
pub fn full_name(given: &str, family: &str) -> String {
    let (given, family) = (given.trim(), family.trim());
    let chinese = |name: &str| !name.is_empty() && name.chars().all(|c| is_han(c) || c == '·');
    if chinese(given) && chinese(family) {
        format!("{family}{given}")
    } else {
        format!("{given} {family}").trim().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_meet() {
        assert_eq!(fold("ÉVÊQUE 搬家"), "eveque 搬家");
        assert_eq!(fold("Ｔｏｒｏｎｔｏ １２"), "toronto 12");
        assert_eq!(fold_name("St-Jean-sur-Richelieu"), fold_name("Saint Jean sur Richelieu"));
        assert_eq!(fold_name("L’Île-Perrot"), fold_name("l'ile perrot"));
        assert_eq!(words("3500, rue Saint-Urbain (Montréal)"), ["3500", "rue", "saint", "urbain", "montreal"]);
    }
}
