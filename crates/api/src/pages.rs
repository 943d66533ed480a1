//! The few pages the server writes itself: plain, readable without scripts.

use actix_web::{HttpResponse, http::StatusCode, http::header, web};
use kernel::Language;

use crate::{http::texts, state::State};

/// Text made safe inside HTML, attributes included.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// A fresh nonce for one response.
pub fn nonce(state: &State) -> String {
    let mut bytes = [0u8; 16];
    state.services.entropy.fill(&mut bytes);
    crate::hexadecimal::hex(&bytes)
}

const STYLE_PATH: &str = "/api/docs/style.css";

/// The style of these pages, served by its own route so that no page needs inline styles.
pub fn style() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/css; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "public, max-age=3600"))
        .body(include_str!("pages.css"))
}

/// A page of ours. `body` is HTML.
pub fn page(status: StatusCode, language: Language, title: &str, body: &str) -> HttpResponse {
    send(status, html(language, title, body))
}

/// A whole page as text.
pub fn html(language: Language, title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"{lang}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<link rel=\"stylesheet\" href=\"{STYLE_PATH}\">\n</head>\n<body>\n{body}\n</body>\n</html>\n",
        lang = language.code(),
        title = escape(title),
    )
}

/// An answer with such a text.
pub fn send(status: StatusCode, html: impl Into<web::Bytes>) -> HttpResponse {
    let html: web::Bytes = html.into();
    HttpResponse::build(status)
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'self'; img-src 'self' data:; frame-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
        ))
        .body(html)
}

/// A sign-in request that is not one of our app's.
pub fn refused(why: &str, language: Language) -> HttpResponse {
    let title = texts::text("page.signInRefused", language);
    let body = format!(
        "<main class=\"narrow\"><h1>{}</h1><p>{}</p><p class=\"quiet\"><code>{}</code></p><p><a class=\"button\" href=\"/\">{}</a></p></main>",
        escape(&title),
        escape(&texts::text("page.signInRefusedHelp", language)),
        escape(why),
        escape(&texts::text("action.backHome", language)),
    );
    page(StatusCode::BAD_REQUEST, language, &title, &body)
}

/// The customer app was not built.
pub fn not_built(language: Language) -> HttpResponse {
    let title = texts::text("page.notBuilt", language);
    let body = format!(
        "<main class=\"narrow\"><h1>{}</h1><p>{}</p><pre>npm --prefix frontend ci\nnpm --prefix frontend run build</pre><p><a class=\"button\" href=\"/api/docs\">API</a></p></main>",
        escape(&title),
        escape(&texts::text("page.notBuiltHelp", language)),
    );
    page(StatusCode::SERVICE_UNAVAILABLE, language, &title, &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_its_element() {
        assert_eq!(escape("<a href='x'>\"&"), "&lt;a href=&#39;x&#39;&gt;&quot;&amp;");
    }
}
