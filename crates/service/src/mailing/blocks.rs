//! Pre-rendered lists inside messages: rows in HTML, lines in text. Everything in them is
//! escaped here.

use kernel::Language;
use serde_json::{Value, json};

fn escape(text: &str) -> String {
    handlebars::html_escape(text)
}

/// Label and amount, one row each.
pub(super) fn rows(lines: &[(String, String)], language: Language) -> Value {
    // Each language sets its colon differently.
    let colon = match language {
        Language::En => ": ",
        Language::Fr => "\u{a0}: ",
        Language::Zh => "：",
    };
    let html: String = lines
        .iter()
        .map(|(l, a)| format!("<tr><td>{}</td><td align=\"right\">{}</td></tr>", escape(l), escape(a)))
        .collect();
    let text: Vec<String> = lines.iter().map(|(l, a)| format!("{l}{colon}{a}")).collect();
    json!({ "html": html, "text": text.join("\n") })
}

/// One item each.
pub(super) fn items(lines: &[String]) -> Value {
    let html: String = lines.iter().map(|l| format!("<li>{}</li>", escape(l))).collect();
    let text: Vec<String> = lines.iter().map(|l| format!("- {l}")).collect();
    json!({ "html": html, "text": text.join("\n") })
}
