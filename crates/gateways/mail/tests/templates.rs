//! The shipped templates: every type renders in three languages with exactly its keys.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use handlebars::{Handlebars, no_escape};
use kernel::Language;
use serde_json::{Map, Value, json};

const TYPES: [&str; 31] = [
    "feedbackRequest",
    "bookingConfirmation",
    "depositCharged",
    "balanceCharged",
    "fullPaymentCharged",
    "paymentLink",
    "paymentFailed",
    "cardLink",
    "consentRequest",
    "opsAlert",
    "bookingEdited",
    "bookingCancelled",
    "refundIssued",
    "tipCharged",
    "invoiceSent",
    "invoiceReminder",
    "paymentReceived",
    "moveReminder",
    "mateAssigned",
    "mateJob",
    "mateReleased",
    "welcome",
    "passwordReset",
    "emailChange",
    "emailChangeNotice",
    "quoteSaved",
    "quoteRequestReceived",
    "quoteRequestAlert",
    "opsInvite",
    "papersEnd",
    "partnerInvoice",
];
/// Messages that are about no booking: only these common keys have a value there.
const BARE: [&str; 10] = [
    "welcome",
    "passwordReset",
    "emailChange",
    "emailChangeNotice",
    "quoteSaved",
    "quoteRequestReceived",
    "quoteRequestAlert",
    "opsInvite",
    "papersEnd",
    "partnerInvoice",
];
const COMPANY: [&str; 7] = [
    "customerFirstName",
    "customerFullName",
    "companyName",
    "companyAddress",
    "companyNumbers",
    "supportEmail",
    "supportPhone",
];
const COMMON: [&str; 18] = [
    "customerFirstName",
    "customerFullName",
    "bookingShortId",
    "moveDate",
    "moveTime",
    "moveTimeZone",
    "arrivalWindow",
    "moveKind",
    "pickupAddress",
    "dropoffAddress",
    "mateCount",
    "currency",
    "supportEmail",
    "supportPhone",
    "bookingUrl",
    "companyName",
    "companyAddress",
    "companyNumbers",
];
const BLOCKS: [&str; 6] = ["priceLines", "taxLines", "itemsSummary", "changesList", "consentLines", "howToPay"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../fixtures/templates")
}

fn source(kind: &str, language: Language, part: &str) -> String {
    fs::read_to_string(root().join(kind).join(format!("{language}.{part}.hbs"))).unwrap()
}

fn own_keys() -> BTreeMap<String, Vec<String>> {
    let document: Value = serde_json::from_str(&fs::read_to_string(root().join("templates.json")).unwrap()).unwrap();
    let keys = |v: &Value| v["keys"].as_array().unwrap().iter().map(|k| k.as_str().unwrap().to_owned()).collect();
    document.as_object().unwrap().iter().map(|(kind, v)| (kind.clone(), keys(v))).collect()
}

fn allowed(kind: &str) -> BTreeSet<String> {
    let common: &[&str] = if BARE.contains(&kind) { &COMPANY } else { &COMMON };
    own_keys()[kind].iter().cloned().chain(common.iter().map(|k| (*k).to_owned())).collect()
}

/// `strict` fails on any key without a value.
fn renderer(html: bool, strict: bool) -> Handlebars<'static> {
    let mut hb = Handlebars::new();
    hb.set_strict_mode(strict);
    if !html {
        hb.register_escape_fn(no_escape);
    }
    for entry in fs::read_dir(root().join("partials")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        hb.register_partial(&name, fs::read_to_string(&path).unwrap()).unwrap();
    }
    hb
}

fn render(kind: &str, language: Language, part: &str, values: &Map<String, Value>, strict: bool) -> String {
    renderer(part == "html", strict)
        .render_template(&source(kind, language, part), values)
        .unwrap_or_else(|e| panic!("{kind}/{language}.{part}: {e}"))
}

/// A value nobody would write by chance, with something to escape in it.
fn marked(kind: &str) -> Map<String, Value> {
    allowed(kind).into_iter().map(|key| (key.clone(), json!(format!("<{key}&>")))).collect()
}

#[test]
fn every_key_of_a_type_is_shown_in_text_and_html_and_no_other_is_used() {
    for kind in TYPES {
        let values = marked(kind);
        for language in Language::ALL {
            for part in ["subject", "text", "html"] {
                let out = render(kind, language, part, &values, true);
                assert!(!out.trim().is_empty());
                assert!(!out.contains("{{"), "{kind}/{language}.{part}");
                if part == "subject" {
                    assert_eq!(out.trim().lines().count(), 1);
                    continue;
                }
                for key in &own_keys()[kind] {
                    // An address of a link may be escaped inside an attribute.
                    let plain = part == "text" || BLOCKS.contains(&key.as_str());
                    let shown = if plain { format!("<{key}&>") } else { format!("&lt;{key}&amp;&gt;") };
                    assert!(out.contains(&shown), "{kind}/{language}.{part} does not show {key}");
                }
            }
        }
    }
}

#[test]
fn values_are_escaped_in_html_except_blocks() {
    for kind in TYPES {
        let values = marked(kind);
        for language in Language::ALL {
            let out = render(kind, language, "html", &values, true);
            for key in values.keys().filter(|k| !BLOCKS.contains(&k.as_str())) {
                assert!(!out.contains(&format!("<{key}&>")), "{kind}/{language} does not escape {key}");
            }
        }
    }
}

/// The keys a template names, by the same reading as the one for uploads: partials and block tags
/// are no keys, their bare parameters are.
fn named_keys(source: &str) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    let mut rest = source;
    while let Some(start) = rest.find("{{") {
        let end = rest[start..].find("}}").expect("a closed tag") + start;
        let tag = rest[start..end].trim_start_matches('{').trim();
        rest = &rest[end + 2..];
        let (head, tail) = tag.split_once(' ').unwrap_or((tag, ""));
        match head {
            "else" => {}
            "#if" => drop(keys.insert(tail.trim().to_owned())),
            ">" | "#>" => {
                // What stands outside of quotes as name=key.
                let bare: String = tail.split('"').step_by(2).collect::<Vec<_>>().join(" ");
                let values = bare.split_whitespace().filter_map(|word| word.split_once('=')).map(|(_, key)| key);
                keys.extend(values.filter(|key| !key.is_empty()).map(str::to_owned));
            }
            closing if closing.starts_with('/') => {}
            key => drop(keys.insert(key.to_owned())),
        }
    }
    keys
}

#[test]
fn templates_name_supported_keys_only() {
    for kind in TYPES {
        for language in Language::ALL {
            let used: BTreeSet<_> =
                ["subject", "text", "html"].iter().flat_map(|p| named_keys(&source(kind, language, p))).collect();
            let unknown: Vec<_> = used.difference(&allowed(kind)).cloned().collect();
            assert_eq!(unknown, Vec::<String>::new(), "{kind}/{language}");
        }
    }
    assert_eq!(
        named_keys(r#"{{#> a b="c=d" e=f}}{{{g}}}{{#if h}}{{else}}{{/if}}{{/a}}"#),
        ["f", "g", "h"].map(str::to_owned).into()
    );
}

#[test]
fn nothing_is_left_of_empty_values() {
    for kind in TYPES {
        let empty: Map<String, Value> = allowed(kind).into_iter().map(|key| (key, json!(""))).collect();
        for language in Language::ALL {
            for (part, values) in [("text", &empty), ("html", &empty), ("text", &Map::new()), ("html", &Map::new())] {
                let out = render(kind, language, part, values, false);
                assert!(!out.contains("undefined") && !out.contains("{{"));
            }
        }
    }
    let without = |key: &str, kind: &str, part: &str| {
        let mut values = marked(kind);
        values.insert(key.to_owned(), json!(""));
        render(kind, Language::En, part, &values, true)
    };
    for part in ["text", "html"] {
        assert!(!without("discountCode", "bookingConfirmation", part).contains("Discount"));
        assert!(!without("balanceAmount", "bookingConfirmation", part).contains("When you pay"));
        assert!(!without("tip", "bookingConfirmation", part).contains("Tip"));
        assert!(!without("verifyUrl", "welcome", part).contains("Confirm"));
    }
}

#[test]
fn the_html_is_a_whole_accessible_document() {
    for kind in TYPES {
        for language in Language::ALL {
            let out = render(kind, language, "html", &marked(kind), true);
            let tag = match language {
                Language::En => "en-CA",
                Language::Fr => "fr-CA",
                Language::Zh => "zh-Hans",
            };
            assert!(out.starts_with("<!doctype html>") && out.contains(&format!("<html lang=\"{tag}\">")));
            assert_eq!(out.matches("<h1").count(), 1, "{kind}/{language}");
            assert_eq!(
                out.matches("<table").count(),
                out.matches("<table role=\"presentation\"").count(),
                "layout tables say so"
            );
            for name in ["table", "tr", "td", "ul", "p", "div", "span", "a", "h2"] {
                let open = out.matches(&format!("<{name} ")).count() + out.matches(&format!("<{name}>")).count();
                assert_eq!(open, out.matches(&format!("</{name}>")).count(), "{kind}/{language}: <{name}>");
            }
            assert!(!out.contains("<script") && !out.contains("<img") && !out.contains("http"), "nothing is loaded");
        }
    }
}

#[test]
fn combined_tax_rates_are_never_printed() {
    for kind in TYPES {
        for language in Language::ALL {
            for part in ["subject", "text", "html"] {
                let text = source(kind, language, part);
                assert!(!text.contains("14.975") && !text.contains("14,975"), "{kind}/{language}.{part}");
            }
        }
    }
}

#[test]
fn quebec_french_keeps_its_spaces() {
    for kind in TYPES {
        for part in ["subject", "text", "html"] {
            let text = source(kind, Language::Fr, part);
            for bad in [" :", " ;", " !", " ?", "'"] {
                assert!(!text.contains(bad), "{kind}: {bad:?} in {part}");
            }
        }
    }
}
