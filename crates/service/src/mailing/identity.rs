//! Every e-mail says who sends it and how they are reached, and a commercial one how it is stopped: Canada's anti-spam law asks for it
//! (`docs/decisions/0028-who-writes-and-how-it-ends.md`).

use serde_json::Value;

/// The link to the page where somebody stops commercial e-mail; in the words of such messages.
pub(super) const LINK: &str = "unsubscribeUrl";
/// Who sends a message and how they are reached, and how such mail is stopped: what every mail says.
const SAID: [&str; 4] = ["companyName", "companyAddress", "supportEmail", LINK];

/// Which parts lack the sender's identity: a company's own wording need not name its sender.
pub(super) struct MissingIdentity {
    pub text: bool,
    pub html: bool,
}

/// Reads the finished message and not its template: a condition may leave out what the template names.
pub(super) fn missing_identity(text: &str, html: &str, values: &Value) -> MissingIdentity {
    let said: Vec<&str> = SAID.iter().filter_map(|key| values.get(*key)?.as_str()).filter(|s| !s.is_empty()).collect();
    MissingIdentity {
        text: said.iter().any(|said| !text.contains(said)),
        html: said.iter().any(|said| !html.contains(&handlebars::html_escape(said))),
    }
}

/// Puts the footer where the page ends.
pub(super) fn with_footer(html: &str, footer: &str) -> String {
    // Bytes of ASCII letters keep their places in lower case.
    let end = html.to_ascii_lowercase().rfind("</body>").unwrap_or(html.len());
    let (before, after) = html.split_at(end);
    format!("{before}{footer}{after}")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{
        mailing::render::{Rendered, filled},
        ports::templates::TemplateText,
    };
    use serde_json::json;

    fn sent(text: &str, html: &str, values: &Value) -> Rendered {
        let words = TemplateText { subject: "s".into(), text: text.into(), html: html.into(), attachment: false };
        filled(&words, values).unwrap()
    }

    fn company() -> Value {
        json!({
            "companyName": "Roy & Fils", "companyAddress": "1, rue A", "supportEmail": "a@roy.test", "supportPhone": "514",
            "unsubscribeWords": "Stop", "unsubscribeUrl": "https://x.test/unsubscribe/t?lang=en",
        })
    }

    #[test]
    fn words_that_do_not_name_their_sender_are_given_a_footer() {
        let told = sent("Hello", "<html><body><p>Hello</p></BODY></html>", &company());
        for said in ["Roy & Fils", "1, rue A", "a@roy.test", "https://x.test/unsubscribe/t?lang=en"] {
            assert_eq!(told.text.matches(said).count(), 1, "{said}: {}", told.text);
            let escaped = handlebars::html_escape(said);
            assert!(told.html.contains(&escaped), "{said}: {}", told.html);
        }
        assert!(told.html.ends_with("</BODY></html>"), "{}", told.html);
        // Where a condition leaves it out, it is not there either.
        let told = sent("Hello {{#if nothing}}{{companyName}}{{/if}}", "<p>x</p>", &company());
        assert!(told.text.contains("Roy & Fils"), "{}", told.text);
    }

    #[test]
    fn words_that_do_are_left_as_they_are() {
        let own = "{{companyName}}, {{companyAddress}}, {{supportEmail}} {{unsubscribeUrl}}";
        let told = sent(own, own, &company());
        assert_eq!(told.text, "Roy & Fils, 1, rue A, a@roy.test https://x.test/unsubscribe/t?lang=en\n");
        assert!(told.html.starts_with("Roy &amp; Fils, 1, rue A") && !told.html.contains("<hr"), "{}", told.html);
        // Nothing is known of the company: nothing is missing.
        assert_eq!(sent("Hello", "<p>x</p>", &json!({})).html, "<p>x</p>");
    }
}
