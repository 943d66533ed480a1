//! What every request carries: its id and the language of the answer.

use actix_web::{HttpMessage, HttpRequest, http::header};
use kernel::Language;

/// Name of the header, both ways.
pub const REQUEST_ID: &str = "x-request-id";
/// Name of the header with which a demonstration says what time it is to the program.
pub const CLOCK: &str = "portage-clock";

/// The id of a request: the client's own when it is sane, else a new UUIDv7.
#[derive(Debug, Clone)]
pub struct RequestId(pub String);

impl RequestId {
    /// A client's id, if it may stand in logs and audit rows as it is.
    pub fn accept(text: &str) -> Option<RequestId> {
        let sane =
            (1..=128).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.:".contains(&b));
        sane.then(|| RequestId(text.to_owned()))
    }

    /// The id given to this request by the outermost middleware.
    pub fn of(req: &HttpRequest) -> Option<String> {
        req.extensions().get::<RequestId>().map(|id| id.0.clone())
    }
}

/// `lang` in the query, else `Accept-Language` (French when it names French in any form),
/// else English.
pub fn language(req: &HttpRequest) -> Language {
    language_of(req.query_string(), req.headers().get(header::ACCEPT_LANGUAGE).and_then(|v| v.to_str().ok()))
}

/// See [`language`].
pub fn language_of(query: &str, header: Option<&str>) -> Language {
    let asked = query.split('&').find_map(|pair| pair.strip_prefix("lang=")).and_then(|l| l.parse().ok());
    asked.unwrap_or_else(|| {
        let header = header.unwrap_or("");
        let fallback = || if header.to_ascii_lowercase().contains("fr") { Language::Fr } else { Language::En };
        Language::from_accept_language(header).unwrap_or_else(fallback)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn the_query_wins_then_the_header_then_english() {
        let pick = language_of;
        assert_eq!(pick("page=1&lang=zh", Some("fr")), Language::Zh);
        assert_eq!(pick("lang=de", Some("fr-CA,en;q=0.5")), Language::Fr);
        assert_eq!(pick("", Some("de,it-fr")), Language::Fr);
        assert_eq!(pick("", Some("en-CA,fr;q=0.3")), Language::En);
        assert_eq!(pick("", None), Language::En);
    }

    #[test]
    fn ids_that_could_break_a_log_line_are_replaced() {
        assert!(RequestId::accept("0190-abc_D.e:1").is_some());
        for bad in ["", "a b", "a\nb", "é", &"x".repeat(129)] {
            assert!(RequestId::accept(bad).is_none(), "{bad:?}");
        }
    }
}
