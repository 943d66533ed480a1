//! The three languages of Portage.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A language of the product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English (Canada).
    #[default]
    En,
    /// French (Québec).
    Fr,
    /// Chinese (Simplified).
    Zh,
}

/// A language Portage does not speak.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the language must be en, fr or zh")]
pub struct UnknownLanguage;

impl Language {
    /// All of them, in the order of menus.
    pub const ALL: [Language; 3] = [Language::En, Language::Fr, Language::Zh];

    /// The two-letter code.
    pub const fn code(self) -> &'static str {
        match self {
            Language::En => "en",
            Language::Fr => "fr",
            Language::Zh => "zh",
        }
    }

    /// The best match of an HTTP `Accept-Language` value; `None` when it names none of ours.
    ///
    /// Quality values decide; equal ones keep the order of the header.
    pub fn from_accept_language(header: &str) -> Option<Language> {
        let mut best: Option<(u32, Language)> = None;
        for part in header.split(',') {
            let mut pieces = part.split(';');
            let tag = pieces.next().unwrap_or("").trim();
            let Ok(language) = tag.split('-').next().unwrap_or("").to_ascii_lowercase().parse::<Language>() else {
                continue;
            };
            let quality = pieces.find_map(|p| p.trim().strip_prefix("q=")).map_or(1000, thousandths);
            if quality > 0 && best.is_none_or(|(q, _)| quality > q) {
                best = Some((quality, language));
            }
        }
        best.map(|(_, l)| l)
    }
}

/// `"0.85"` as 850 without touching a float; nonsense counts as zero.
fn thousandths(q: &str) -> u32 {
    let (whole, fraction) = q.split_once('.').unwrap_or((q, ""));
    let whole: u32 = whole.parse().unwrap_or(0);
    let padded: String = fraction.chars().chain("000".chars()).take(3).collect();
    (whole * 1000 + padded.parse::<u32>().unwrap_or(0)).min(1000)
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;
    fn from_str(s: &str) -> Result<Self, UnknownLanguage> {
        Language::ALL.into_iter().find(|l| l.code() == s).ok_or(UnknownLanguage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accept_language_is_weighed() {
        let pick = Language::from_accept_language;
        assert_eq!(pick("fr-CA,fr;q=0.9,en;q=0.8"), Some(Language::Fr));
        assert_eq!(pick("de, en;q=0.3, zh-CN;q=0.7"), Some(Language::Zh));
        assert_eq!(pick("de"), None);
        assert_eq!(pick("en;q=0, fr;q=0.1"), Some(Language::Fr));
        assert_eq!(pick(";;;,q=,"), None);
    }
}
