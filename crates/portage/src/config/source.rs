//! The raw values: the environment over the file, both as text.

use std::{
    collections::BTreeMap,
    fmt,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    str::FromStr,
};

use figment::{
    Figment,
    providers::{Format as _, Toml},
};
use secrecy::SecretString;
use serde::Deserialize;

use super::{
    keys::{self, KEYS, NOT_OURS},
    place::{self, SettingsFile},
    problems::Problems,
};

const PREFIX: &str = "PORTAGE_";

/// Without prefix, in lower case.
fn plain(name: &str) -> String {
    name.trim_start_matches(PREFIX).to_ascii_lowercase()
}

fn is_setting(name: &str) -> bool {
    KEYS.iter().any(|k| k.name == name)
}

/// A value of the file, however it is written there.
#[derive(Deserialize)]
#[serde(untagged)]
enum Scalar {
    Text(String),
    Flag(bool),
    Whole(i64),
    List(Vec<String>),
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Text(text) => f.write_str(text),
            Scalar::Flag(flag) => flag.fmt(f),
            Scalar::Whole(number) => number.fmt(f),
            Scalar::List(list) => f.write_str(&list.join(",")),
        }
    }
}

/// What a parser says of a mistake, without the line it quotes: that may hold a secret.
fn without_the_line(told: &str) -> String {
    let quoted =
        |line: &&str| line.split_once('|').is_some_and(|(number, _)| number.trim().chars().all(|c| c.is_ascii_digit()));
    told.lines().filter(|line| !quoted(line) && !line.trim().is_empty()).collect::<Vec<_>>().join(": ")
}

/// What was said, and where.
#[derive(Default)]
pub struct Source {
    /// Names without prefix, in lower case, to non-empty values.
    values: BTreeMap<String, String>,
    /// The file.
    pub file: SettingsFile,
    /// Lines of it that name no setting, each with what to do.
    pub strange: Vec<(String, String)>,
}

impl Source {
    /// The environment over the file: the one that is named, or that `PORTAGE_CONFIG` names, or the usual one.
    ///
    /// # Errors
    /// When the file cannot be read or is not TOML.
    pub fn environment(named: Option<&Path>) -> Result<Source, Problems> {
        let mut mistakes = Problems::default();
        let mut variables = BTreeMap::new();
        for (name, value) in std::env::vars_os() {
            let Some(name) = name.to_str().and_then(|n| n.strip_prefix(PREFIX)) else { continue };
            match value.into_string() {
                Ok(text) => {
                    variables.insert(name.to_ascii_lowercase(), text);
                }
                Err(_) => mistakes.add(name, "is not valid UTF-8"),
            }
        }
        mistakes.into_result(())?;
        let variable = variables.get("config").filter(|p| !p.trim().is_empty()).map(PathBuf::from);
        let (file, text) = place::find(named.map(Path::to_owned).or(variable).as_deref())?;
        let path = file.read.as_ref().map_or_else(String::new, |p| p.display().to_string());
        Ok(Source { file, ..Source::layered(&text, &variables, &path)? })
    }

    fn layered(text: &str, variables: &BTreeMap<String, String>, path: &str) -> Result<Source, Problems> {
        match Figment::from(Toml::string(text)).extract::<BTreeMap<String, Scalar>>() {
            Ok(lines) => {
                let lines: Vec<_> = lines.into_iter().map(|(k, v)| (plain(&k), v.to_string())).collect();
                // Whatever stands in the file is meant for Portage; the environment is everybody's.
                let (lines, strange): (Vec<_>, Vec<_>) = lines.into_iter().partition(|(name, _)| is_setting(name));
                let unknown_line = |name: String| (format!("{name} in {path}"), keys::no_such_line(&name));
                let strange = strange.into_iter().map(|(name, _)| unknown_line(name)).collect();
                let variables = variables.iter().map(|(k, v)| (k.clone(), v.clone()));
                Ok(Source { strange, ..Source::pairs(lines.into_iter().chain(variables)) })
            }
            Err(errors) => {
                let mut p = Problems::default();
                for error in errors {
                    let place = if error.path.is_empty() {
                        path.to_owned()
                    } else {
                        format!("{path}, {}", error.path.join("."))
                    };
                    p.general(
                        &place,
                        &format!(
                            "cannot be read: {}; write a text in quotes, a whole number, true or false",
                            without_the_line(&error.kind.to_string())
                        ),
                    );
                }
                p.into_result(Source::default())
            }
        }
    }

    /// Given values only; of two with one name the last counts.
    pub fn pairs(pairs: impl IntoIterator<Item = (String, String)>) -> Source {
        let known: BTreeMap<_, _> = pairs.into_iter().map(|(k, v)| (plain(&k), v.trim().to_owned())).collect();
        Source { values: known.into_iter().filter(|(_, v)| !v.is_empty()).collect(), ..Source::default() }
    }

    /// Names nobody reads: most likely mistyped.
    pub fn unknown(&self) -> Vec<String> {
        let others = |name: &String| NOT_OURS.iter().any(|prefix| name.starts_with(prefix));
        self.values.keys().filter(|name| !is_setting(name) && !others(name)).map(|name| keys::variable(name)).collect()
    }

    /// The text of a setting, when it is set.
    pub fn text(&self, key: &str) -> Option<String> {
        debug_assert!(KEYS.iter().any(|k| k.name == key), "{key} is not in the list of settings");
        self.values.get(key).cloned()
    }

    /// A secret.
    pub fn secret(&self, key: &str) -> Option<SecretString> {
        self.text(key).map(SecretString::from)
    }

    /// A value with a form of its own.
    pub fn parse<T: FromStr>(&self, p: &mut Problems, key: &str, form: &str) -> Option<T> {
        let text = self.text(key)?;
        let value = text.parse().ok();
        if value.is_none() {
            p.wrong(key, &text, &format!("must be {form}"));
        }
        value
    }

    /// One of a few words.
    pub fn choice<T: Clone>(&self, p: &mut Problems, key: &str, words: &[(&str, T)]) -> Option<T> {
        let text = self.text(key)?;
        let found = words.iter().find(|(word, _)| word.eq_ignore_ascii_case(&text)).map(|(_, value)| value.clone());
        if found.is_none() {
            let list: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            p.wrong(key, &text, &format!("must be {}", list.join(" or ")));
        }
        found
    }

    /// Yes or no; no when nothing is said.
    pub fn flag(&self, p: &mut Problems, key: &str) -> bool {
        let words = [("true", true), ("false", false), ("1", true), ("0", false), ("yes", true), ("no", false)];
        self.choice(p, key, &words).unwrap_or(false)
    }

    /// A whole number within bounds.
    pub fn number(&self, p: &mut Problems, key: &str, bounds: RangeInclusive<usize>) -> Option<usize> {
        let text = self.text(key)?;
        let number = text.parse().ok().filter(|n| bounds.contains(n));
        if number.is_none() {
            p.wrong(key, &text, &format!("must be a whole number from {} to {}", bounds.start(), bounds.end()));
        }
        number
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_environment_wins_over_the_file_and_keeps_its_text() {
        let file = "bind = \"127.0.0.1:1\"\njob_loops = 3\nbehind_proxy = true\nchat_origins = [\"https://a.b\", \"https://c.d\"]\n";
        let variables = BTreeMap::from([
            ("bind".to_owned(), "127.0.0.1:2".to_owned()),
            ("payments_public_key".to_owned(), "00123e5".to_owned()),
        ]);
        let source = Source::layered(file, &variables, "portage.toml").unwrap();
        assert_eq!(source.text("bind").as_deref(), Some("127.0.0.1:2"));
        assert_eq!(source.text("payments_public_key").as_deref(), Some("00123e5"));
        assert_eq!(source.text("job_loops").as_deref(), Some("3"));
        assert_eq!(source.text("chat_origins").as_deref(), Some("https://a.b,https://c.d"));
        assert!(source.flag(&mut Problems::default(), "behind_proxy"));
    }

    #[test]
    fn a_broken_file_is_named() {
        for bad in ["bind = ", "[bind]\nx = 1\n"] {
            let told = Source::layered(bad, &BTreeMap::new(), "portage.toml").err().unwrap().to_string();
            assert!(told.contains("portage.toml"), "{told}");
        }
    }

    #[test]
    fn a_mistake_in_the_file_shows_its_place_and_no_secret() {
        for bad in [
            "mode = \"demo\"\nsmtp_url = smtps://u:SECRET@relay.example\n",
            "mode = \"demo\"\npayments_private_key = \"SECRET\n",
            "payments_private_key = \"SECRET\"\npayments_private_key = \"SECRET\"\n",
            "payments_private_key = 'SECRET' 'SECRET'\n",
        ] {
            let told = Source::layered(bad, &BTreeMap::new(), "portage.toml").err().unwrap().to_string();
            assert!(!told.contains("SECRET") && told.contains("line"), "{told}");
        }
    }

    #[test]
    fn a_mistyped_line_of_the_file_is_a_mistake() {
        let bad = "bind = \"127.0.0.1:1\"\ncompnay_name = \"\"\nwheel = 4\nurl = \"x\"\n";
        let source = Source::layered(bad, &BTreeMap::from([("job_loops".to_owned(), "many".to_owned())]), "p.toml");
        let told = super::super::Settings::of(source.unwrap()).err().unwrap().to_string();
        assert!(told.contains("PORTAGE_JOB_LOOPS"), "all mistakes at once: {told}");
        assert!(told.contains("compnay_name in p.toml is no setting; was company_name meant?"), "{told}");
        assert!(
            told.contains("4 settings") && told.contains("wheel in p.toml") && told.contains("url in p.toml"),
            "{told}"
        );
    }

    #[test]
    fn mistyped_names_are_noticed_and_those_of_tools_are_not() {
        let names = ["PORTAGE_PUBLIC_ULR", "PORTAGE_TEST_POSTGRES_URL", "PORTAGE_CRASH_ROUNDS", "PORTAGE_MODE"];
        let source = Source::pairs(names.map(|n| (n.to_owned(), "x".to_owned())));
        assert_eq!(source.unknown(), ["PORTAGE_PUBLIC_ULR"]);
    }
}
