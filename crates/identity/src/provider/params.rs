//! Query and form parameters: each at most once, as RFC 6749 §3.1 asks.

use kernel::Language;

/// Longest query or form looked at.
const MAX_LEN: usize = 16 * 1024;

/// Decoded parameters.
#[derive(Debug, Clone, Default)]
pub(super) struct Params(Vec<(String, String)>);

/// Why parameters were refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum BadParams {
    TooLong,
    Repeated(String),
}

impl Params {
    /// Of `a=b&c=d`. A parameter without a value counts as absent. A repeated one is remembered,
    /// to be refused once the client is known (an unknown redirect URI must not be sent to).
    pub fn parse(text: &str) -> Result<Params, BadParams> {
        if text.len() > MAX_LEN {
            return Err(BadParams::TooLong);
        }
        let pairs = url::form_urlencoded::parse(text.as_bytes());
        Ok(Params(pairs.filter(|(_, v)| !v.is_empty()).map(|(k, v)| (k.into_owned(), v.into_owned())).collect()))
    }

    /// The first value of a name.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(k, _)| k == name).map(|(_, v)| v.as_str())
    }

    /// How many values a name has.
    pub fn count(&self, name: &str) -> usize {
        self.0.iter().filter(|(k, _)| k == name).count()
    }

    /// The first name given twice.
    pub fn once(&self) -> Result<(), BadParams> {
        let twice = self.0.iter().enumerate().find(|(i, (k, _))| self.0.iter().take(*i).any(|(other, _)| other == k));
        twice.map_or(Ok(()), |(_, (k, _))| Err(BadParams::Repeated(k.clone())))
    }

    /// The pairs, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(k, v)| (k.as_str(), v.as_str()))
    }
}

/// The first of `ui_locales` (BCP 47 tags, best first) that we speak.
pub(super) fn language(ui_locales: Option<&str>) -> Option<Language> {
    ui_locales?.split_whitespace().find_map(|tag| tag.split('-').next()?.to_ascii_lowercase().parse().ok())
}

/// `path?a=b&c=d` with what is given.
pub(super) fn with_query(path: &str, pairs: &[(&str, Option<&str>)]) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    for (name, value) in pairs {
        if let Some(value) = value {
            query.append_pair(name, value);
        }
    }
    let query = query.finish();
    if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters() {
        let p = Params::parse("a=1&b=&c=x%20y+z&a=2").unwrap();
        assert_eq!((p.get("a"), p.get("b"), p.get("c")), (Some("1"), None, Some("x y z")));
        assert_eq!(p.once(), Err(BadParams::Repeated("a".into())));
        assert_eq!(Params::parse("b=&b=").unwrap().once(), Ok(()));
        assert!(Params::parse(&"x".repeat(MAX_LEN + 1)).is_err());
    }

    #[test]
    fn locales() {
        assert_eq!(language(Some("de-CH fr-CA en")), Some(Language::Fr));
        assert_eq!(language(Some("zh-CN zh")), Some(Language::Zh));
        assert_eq!((language(Some("tlh")), language(None)), (None, None));
    }
}
