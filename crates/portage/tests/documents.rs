//! The documents of an operator against the program: every command, option, setting and figure they name
//! exists, and every command and setting there is stands in them. What is tried on top of that, step by
//! step, is in `scripts/production.sh`.

use std::{
    collections::BTreeSet,
    path::Path,
    process::{Command, Output},
};

use crate::support::root;

const MANUAL: &str = "docs/operating.md";
const INSTALLATION: &str = "docs/install.md";
const KEYS: &str = include_str!("../src/config/keys.rs");

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// What operators read.
fn documents() -> Vec<(&'static str, String)> {
    [MANUAL, INSTALLATION, "README.md"].map(|name| (name, read(name))).to_vec()
}

fn portage(folder: &Path, arguments: &[String]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_portage"));
    command.args(arguments).current_dir(folder).env_clear();
    // Nobody's settings: whatever reads them ends before it makes or calls anything.
    command.env("PORTAGE_MODE", "not a mode");
    command.output().expect("it runs")
}

fn help_of(words: &[&str]) -> String {
    let arguments: Vec<String> = words.iter().chain(&["--help"]).map(|w| (*w).to_owned()).collect();
    String::from_utf8(portage(&root(), &arguments).stdout).unwrap()
}

/// The commands that a help text lists.
fn listed(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|l| *l != "Commands:").skip(1).take_while(|l| !l.is_empty());
    lines.filter_map(|l| l.split_whitespace().next()).filter(|w| *w != "help").map(str::to_owned).collect()
}

/// What `--help` prints of each command, below a line `portage COMMAND`.
fn help() -> String {
    let mut text = String::new();
    let mut add = |words: &[&str]| {
        let help = help_of(words);
        let verbs = listed(&help);
        if verbs.is_empty() {
            text += &format!("portage {}\n{help}\n", words.join(" "));
        }
        verbs
    };
    for command in add(&[]) {
        for verb in add(&[&command]) {
            add(&[&command, &verb]);
        }
    }
    text
}

/// Lines of the code blocks of a document, with continued lines joined, comments left out.
fn code(text: &str) -> Vec<String> {
    let (mut inside, mut lines, mut begun) = (false, Vec::new(), String::new());
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if inside {
            match line.strip_suffix('\\') {
                Some(more) => begun += more,
                None => lines.push(std::mem::take(&mut begun) + line),
            }
        }
    }
    lines
}

/// The words of a shell's line, without quotes; a comment ends it. `$(…)` is a part of its word.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut inner) = (Vec::new(), String::new(), None, 0);
    for c in line.chars() {
        match (quote, c) {
            (None, '#') if word.is_empty() => break,
            (None, '"' | '\'') => quote = Some(c),
            (Some(q), c) if q == c => quote = None,
            (None, c) if c.is_whitespace() && inner == 0 => {
                words.extend(Some(std::mem::take(&mut word)).filter(|w| !w.is_empty()));
            }
            (_, c) => {
                inner += i32::from(c == '(' && word.ends_with('$')) - i32::from(c == ')' && inner > 0);
                word.push(c);
            }
        }
    }
    words.extend(Some(word).filter(|w| !w.is_empty()));
    words
}

/// Every `portage …` of a code block, as arguments: what stands before it (sudo, variables, a path) is
/// the shell's affair, and so is what follows a redirection, a pipe or `&&`.
fn command_lines(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for line in code(text) {
        let all = words(line.trim_start().trim_start_matches("$ "));
        let mut rest = all.as_slice();
        while let Some(at) = rest.iter().position(|w| w == "portage" || w.ends_with("/portage")) {
            let (before, after) = rest.split_at(at);
            rest = after.get(1..).unwrap_or_default();
            // The program, and not the account, the folder, the service or the image of that name.
            let shells = |w: &String| w == "sudo" || w == "-u" || w == "exec" || w.contains('=') || w == "portage";
            let service = before.iter().any(|w| !shells(w)) && !before.ends_with(&["&&".to_owned()]);
            let account = before.last().is_some_and(|w| w == "-u");
            if account || (service && !before.ends_with(&["exec".to_owned(), "portage".to_owned()])) {
                continue;
            }
            let end = rest.iter().position(|w| ["&&", "|", ">", ">>", "2>&1", ")", ";"].contains(&w.as_str()));
            found.push(rest[..end.unwrap_or(rest.len())].to_vec());
        }
    }
    found
}

/// Stand-ins a reader replaces.
fn filled_in(word: &str) -> String {
    match word {
        "ID" => "01a3953e-8700-71ab-ab13-e36eba9797ed".to_owned(),
        "ADDRESS" => "somebody@move.example".to_owned(),
        other => other.replace('…', "somebody@move.example"),
    }
}

#[test]
fn every_command_line_of_the_documents_is_understood() {
    let folder = tempfile::tempdir().unwrap();
    let mut tried = BTreeSet::new();
    for (name, text) in documents() {
        for line in command_lines(&text) {
            let arguments: Vec<String> = line.iter().map(|w| filled_in(w)).collect();
            let out = portage(folder.path(), &arguments);
            let told = String::from_utf8_lossy(&out.stderr);
            assert_ne!(out.status.code(), Some(2), "{name}: portage {}: {told}", line.join(" "));
            assert!(!told.contains("panicked"), "{name}: portage {}: {told}", line.join(" "));
            tried.extend(line.iter().take(2).take_while(|w| w.starts_with(char::is_alphabetic)).cloned());
        }
    }
    for command in ["serve", "worker", "check-config", "reconcile", "backup", "load", "retry", "add", "migrate"] {
        assert!(tried.contains(command), "{command} is in no code block that was found: {tried:?}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was made");
}

/// `ops add`, `serve`: the commands of a text with lines that begin with `portage `.
fn commands(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter_map(|l| l.trim_start().strip_prefix("portage "));
    let words = lines.map(|l| l.split("  ").next().unwrap_or_default().split_whitespace());
    let named = words.map(|w| w.take(2).take_while(|w| w.chars().all(|c| c.is_ascii_lowercase() || c == '-')));
    named.map(|w| w.filter(|w| !w.starts_with('-')).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn every_command_there_is_stands_in_the_manual() {
    let (help, manual) = (help(), read(MANUAL));
    let missing: Vec<String> = commands(&help).difference(&commands(&manual)).cloned().collect();
    assert!(missing.is_empty(), "{MANUAL} does not list {missing:?}");
}

/// `--from`, `--no-worker`: options named anywhere in code.
fn options(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !(c.is_ascii_lowercase() || c == '-'))
        .filter(|w| w.starts_with("--") && w.len() > 3 && !w.starts_with("---"))
        .collect()
}

#[test]
fn no_document_names_an_option_that_is_none() {
    let help = help();
    let known: BTreeSet<&str> = options(&help).into_iter().chain(["--help", "--version"]).collect();
    for (name, text) in documents() {
        // `portage ops add --email … --admin` in a sentence.
        for quoted in text.split('`').skip(1).step_by(2).filter(|q| q.starts_with("portage ")) {
            let unknown: Vec<&str> = options(quoted).difference(&known).copied().collect();
            assert!(unknown.is_empty(), "{name}: `{quoted}` has {unknown:?}");
            let command = commands(quoted);
            let all = commands(&help);
            let is = |c: &String| {
                c.is_empty() || all.contains(c) || all.iter().any(|a| a.split(' ').next() == c.split(' ').next())
            };
            assert!(command.iter().all(is), "{name}: there is no `{quoted}`");
        }
    }
}

/// Names of all settings, as variables.
fn variables() -> BTreeSet<String> {
    let list = KEYS.split("pub const KEYS").nth(1).and_then(|l| l.split("];").next()).expect("the list of settings");
    let names = list.split('"').skip(1).step_by(2).map(|name| format!("PORTAGE_{}", name.to_ascii_uppercase()));
    names.collect()
}

#[test]
fn every_setting_stands_in_the_manual_and_no_other() {
    let known = variables();
    assert!(known.len() > 40, "{known:?}");
    let named = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !(c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'));
        words.filter(|w| w.starts_with("PORTAGE_") && w.len() > 8).map(str::to_owned).collect()
    };
    let manual = read(MANUAL);
    for variable in &known {
        assert!(manual.contains(&format!("| `{variable}` |")), "{MANUAL} has no row for {variable}");
    }
    let mut places = vec![(MANUAL.to_owned(), manual), (INSTALLATION.to_owned(), read(INSTALLATION))];
    for entry in std::fs::read_dir(root().join("deploy")).unwrap() {
        let path = entry.unwrap().path();
        places.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
    }
    for (place, text) in places {
        let unknown: Vec<String> = named(&text).difference(&known).cloned().collect();
        assert!(unknown.is_empty(), "{place} names {unknown:?}");
    }
}

/// The setting of a line of the example, also of one that is a comment.
fn setting(line: &str) -> Option<&str> {
    let (name, _) = line.strip_prefix("# ").unwrap_or(line).split_once(" = ")?;
    (!name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')).then_some(name)
}

/// The settings file of a release: each setting once, either set or as a comment with its default.
#[test]
fn the_example_settings_are_all_there_are() {
    let text = read("deploy/portage.toml");
    let names: Vec<String> =
        text.lines().filter_map(setting).map(|name| format!("PORTAGE_{}", name.to_ascii_uppercase())).collect();
    let set: BTreeSet<String> = names.iter().cloned().collect();
    assert_eq!(set.len(), names.len(), "each once: {names:?}");
    // The file does not name itself, and the clock of a test is none of production.
    let elsewhere = ["PORTAGE_CONFIG", "PORTAGE_CLOCK_FILE"].map(str::to_owned);
    let wanted: BTreeSet<String> = variables().difference(&BTreeSet::from(elsewhere)).cloned().collect();
    let (missing, strange): (Vec<_>, Vec<_>) = (wanted.difference(&set).collect(), set.difference(&wanted).collect());
    assert!(missing.is_empty() && strange.is_empty(), "deploy/portage.toml lacks {missing:?} and names {strange:?}");
}

/// Uncommented, the defaults of the example are what the program takes without them.
#[test]
fn the_example_settings_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let text = read("deploy/portage.toml").replace("/var/lib/portage", &folder.path().join("data").to_string_lossy());
    let filled = [
        ("public_url = \"\"", "public_url = \"https://move.example\""),
        ("company_name = \"\"", "company_name = \"Move\""),
        ("company_address = \"\"", "company_address = \"1 Main\""),
        ("company_email = \"\"", "company_email = \"help@move.example\""),
        ("company_phone = \"\"", "company_phone = \"514-555-0101\""),
        ("payments_public_key = \"\"", "payments_public_key = \"public\""),
        ("payments_private_key = \"\"", "payments_private_key = \"private\""),
        ("payments_merchant_account = \"\"", "payments_merchant_account = \"cad\""),
        ("maps_token = \"\"", "maps_token = \"pk.token\""),
        ("smtp_url = \"\"", "smtp_url = \"smtps://u:p@relay.example\""),
        ("mail_from = \"\"", "mail_from = \"moves@move.example\""),
    ];
    let check = |text: &str| {
        std::fs::write(folder.path().join("portage.toml"), text).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_portage"));
        let out = command.arg("check-config").current_dir(folder.path()).env_clear().output().unwrap();
        (out.status.success(), String::from_utf8(out.stdout).unwrap())
    };
    let (usable, told) = check(&text);
    let needed =
        told.split("must be changed").nth(1).unwrap_or_default().lines().filter(|l| l.starts_with("  PORTAGE"));
    // The sender is asked for once there is a relay.
    assert!(!usable && needed.clone().count() == filled.len() - 1, "{told}");
    let public = |l: &str| l.contains("PORTAGE_PUBLIC_URL is \"http://localhost:8080\"");
    assert!(needed.clone().all(|l| l.contains("is not set") || public(l)), "{told}");
    let full = filled.iter().fold(text, |text, (empty, value)| {
        assert!(text.contains(empty), "{empty}");
        text.replacen(empty, value, 1)
    });
    let (usable, told) = check(&full);
    assert!(usable && !told.contains("no such setting"), "{told}");
    let others =
        ["oidc_", "signing_keys", "routing_url", "geocoding_url", "sms_", "chat_", "frontend_dir", "smtp_plain"];
    let default = |name: &str| !others.iter().any(|other| name.starts_with(other));
    let open = full.lines().map(|line| match setting(line) {
        Some(name) if default(name) => line.trim_start_matches("# "),
        _ => line,
    });
    let (usable, told) = check(&open.collect::<Vec<_>>().join("\n"));
    assert!(usable, "{told}");
}

#[test]
fn the_documents_name_files_and_headings_there_are() {
    let slug = |heading: &str| -> String {
        let kept = heading.trim().to_lowercase().replace(' ', "-");
        kept.chars().filter(|c| c.is_alphanumeric() || *c == '-').collect()
    };
    for (name, text) in documents() {
        let folder = root().join(name).parent().unwrap().to_owned();
        for link in text.split("](").skip(1).filter_map(|l| l.split(')').next()).filter(|l| !l.contains("://")) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let path = if file.is_empty() { root().join(name) } else { folder.join(file) };
            assert!(path.exists(), "{name} leads to {link}");
            if !heading.is_empty() {
                let text = std::fs::read_to_string(&path).unwrap();
                let found = text.lines().any(|l| l.starts_with('#') && slug(l.trim_start_matches('#')) == heading);
                assert!(found, "{name} leads to {link}");
            }
        }
        // `deploy/…`, `fixtures/…`, `scripts/…` in sentences.
        for place in text.split('`').skip(1).step_by(2) {
            let plain = place.chars().all(|c| c.is_ascii_alphanumeric() || "/.-_".contains(c));
            if plain && ["deploy/", "fixtures/", "scripts/", "docs/"].iter().any(|f| place.starts_with(f)) {
                assert!(root().join(place).exists(), "{name} names {place}");
            }
        }
    }
    let installation = read(INSTALLATION);
    let version = format!("release=portage-{}-", env!("CARGO_PKG_VERSION"));
    assert!(installation.contains(&version), "{INSTALLATION} installs another version than {version}");
}
