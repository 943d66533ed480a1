//! Folding text for comparison: case, accents and punctuation aside.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Lower case without accents, full-width and other variant letters as the usual ones, letters that
/// keyboards elsewhere lack as they are written there (`œ` as `oe`, `ł` as `l`), each kind of
/// apostrophe as the plain one; other characters as they are. The one normal form of search.
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    // Before the decomposition, which makes a blank and an accent of the acute that stands alone.
    let plain = text.chars().map(|c| if is_apostrophe(c) { '\'' } else { c });
    for c in plain.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase) {
        match written_out(c) {
            Some(letters) => out.push_str(letters),
            None => out.push(c),
        }
    }
    out
}

/// What people and programs write for an apostrophe.
fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | '´' | 'ʼ' | 'ʻ' | 'ʹ' | '＇')
}

/// Small letters that are no letter with an accent, as who has no such key writes them.
fn written_out(c: char) -> Option<&'static str> {
    Some(match c {
        'œ' => "oe",
        'æ' => "ae",
        'ø' => "o",
        'ł' => "l",
        'đ' | 'ð' => "d",
        'ß' => "ss",
        'þ' => "th",
        'ħ' => "h",
        'ŧ' => "t",
        'ı' => "i",
        _ => return None,
    })
}

/// The words of a text in the normal form of search: runs of letters and digits, as [`fold`] has them.
pub fn words(text: &str) -> Vec<String> {
    let folded = fold(text);
    folded.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

/// A text as parts of it are looked for: in the normal form of search, and after it once more without the apostrophes
/// and hyphens, so that `oneil` finds `O'Neil` and `jeanpierre` finds `Jean-Pierre`. What is looked for in it are the
/// words that [`sought`] makes.
pub fn searchable(text: &str) -> String {
    let folded = fold(text);
    let joined = folded.replace(['\'', '-'], "");
    if joined == folded { folded } else { format!("{folded} {joined}") }
}

/// The words of what somebody typed, each of which is looked for as a part of a [`searchable`] text. A hyphen separates
/// as a blank does, unless it stands in a number or an address (`P-0007`, `jean-luc@portage.test`).
pub fn sought(typed: &str) -> Vec<String> {
    let folded = fold(typed).replace('\'', "");
    let mut out = Vec::new();
    for token in folded.split_whitespace() {
        if token.contains('@') || token.contains(|c: char| c.is_ascii_digit()) {
            out.push(token.to_owned());
        } else {
            out.extend(token.split('-').filter(|part| !part.is_empty()).map(str::to_owned));
        }
    }
    out
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

/// What somebody is called in a greeting: the first word of their name. A name without spaces, as in Chinese, is whole, and
/// so is one that begins with a title: nobody is called `Dr.`.
pub fn greeted(name: &str) -> &str {
    const TITLES: [&str; 14] =
        ["dr", "dre", "m", "me", "miss", "mlle", "mme", "mr", "mrs", "ms", "mx", "pr", "prof", "professor"];
    let name = name.trim();
    let first = name.split_whitespace().next().unwrap_or_default();
    let bare = first.trim_end_matches('.').to_lowercase();
    if TITLES.contains(&bare.as_str()) { name } else { first }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_greeted_by_name() {
        for (name, greeted_as) in [
            ("Mary Ann Smith", "Mary"),
            ("Cher", "Cher"),
            ("王小明", "王小明"),
            ("Dr. Amir Haddad", "Dr. Amir Haddad"),
            ("Mme Roy", "Mme Roy"),
            ("MR Lee", "MR Lee"),
            ("Medhi Roy", "Medhi"),
            (" ", ""),
        ] {
            assert_eq!(greeted(name), greeted_as);
        }
    }

    #[test]
    fn spellings_meet() {
        assert_eq!(fold("ÉVÊQUE 搬家"), "eveque 搬家");
        assert_eq!(fold("Ｔｏｒｏｎｔｏ １２"), "toronto 12");
        assert_eq!(fold_name("St-Jean-sur-Richelieu"), fold_name("Saint Jean sur Richelieu"));
        assert_eq!(fold_name("L’Île-Perrot"), fold_name("l'ile perrot"));
        assert_eq!(words("3500, rue Saint-Urbain (Montréal)"), ["3500", "rue", "saint", "urbain", "montreal"]);
    }

    #[test]
    fn letters_that_a_keyboard_lacks_are_written_out() {
        for (written, typed) in [
            ("Cœur", "coeur"),
            ("Lætitia", "laetitia"),
            ("Wałęsa", "walesa"),
            ("Sørensen", "sorensen"),
            ("Đoković", "dokovic"),
            ("Weiß", "weiss"),
            ("WEIẞ", "weiss"),
            ("Þór", "thor"),
            ("Guðrún", "gudrun"),
            ("Yılmaz", "yilmaz"),
        ] {
            assert_eq!(fold(written), typed, "{written}");
            assert_eq!(fold(typed), typed);
        }
        for apostrophe in ['\'', '’', '‘', '´', 'ʼ', '＇'] {
            assert_eq!(fold(&format!("O{apostrophe}Neil")), "o'neil", "{apostrophe}");
        }
    }

    #[test]
    fn a_text_is_found_with_and_without_its_signs() {
        let found = |text: &str, typed: &str| sought(typed).iter().all(|word| searchable(text).contains(word));
        for (text, typed) in [
            ("Sean O’Neil", "oneil"),
            ("Sean O’Neil", "O'NEIL"),
            ("Sean O’Neil", "neil"),
            ("Sean Oneil", "O’Neil"),
            ("L'Écuyer et fils", "lecuyer"),
            ("Jean-Pierre Roy", "jeanpierre roy"),
            ("Jean-Pierre Roy", "jean pierre"),
            ("Jean Pierre Roy", "Jean-Pierre"),
            ("Entrepôt Nord P-0007", "p-0007"),
            ("jean-luc@portage.test", "jean-luc@portage"),
        ] {
            assert!(found(text, typed), "{text}: {typed}");
        }
        assert!(!found("QC-2027-10001", "2027-0001"));
        assert_eq!(sought(" - ' "), Vec::<String>::new());
    }
}
