//! The API document as a page: no script, no outside resource, one anchor a code and a call.

use std::{fmt::Write, sync::OnceLock};

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, web};
use kernel::Language;
use serde_json::Value;

use crate::{
    http::{Code, request, texts},
    pages::{escape, html, send},
    state::State,
};

/// Made once a language: an answer that nobody takes holds no page of its own.
static PAGES: [OnceLock<web::Bytes>; 3] = [OnceLock::new(), OnceLock::new(), OnceLock::new()];

/// `GET /api/docs`.
pub fn get(req: &HttpRequest, state: &State) -> HttpResponse {
    let language = request::language(req);
    let slot = match language {
        Language::En => &PAGES[0],
        Language::Fr => &PAGES[1],
        Language::Zh => &PAGES[2],
    };
    let made = || {
        let document = serde_json::from_str((state.document)()).unwrap_or_default();
        web::Bytes::from(html(language, "Portage API", &body(&document, language)))
    };
    send(StatusCode::OK, slot.get_or_init(made).clone())
}

fn str_of<'v>(v: &'v Value, key: &str) -> &'v str {
    v.get(key).and_then(Value::as_str).unwrap_or("")
}

// Reading a member that a `Value` does not have answers null: nothing here can fail.
fn body(document: &Value, language: Language) -> String {
    let mut out = String::from("<main>");
    let info = &document["info"];
    let _ = write!(
        out,
        "<h1>{} API <span class=\"tag\">{}</span></h1><p>{}</p><p class=\"quiet\">{}</p><p><a href=\"/api/openapi.json\">openapi.json</a></p>",
        escape(str_of(info, "title")),
        escape(str_of(info, "version")),
        escape(str_of(info, "summary")),
        rich(str_of(info, "description")),
    );
    let empty = Vec::new();
    let tags = document["tags"].as_array().unwrap_or(&empty);
    out.push_str("<nav class=\"tags\">");
    for tag in tags.iter().map(|t| str_of(t, "name")) {
        let _ = write!(out, "<a href=\"#{}\">{}</a>", escape(&anchor(tag)), escape(tag));
    }
    out.push_str("<a href=\"#codes\">Codes</a><a href=\"#schemas\">Schemas</a></nav>");
    for tag in tags.iter().map(|t| str_of(t, "name")) {
        let _ = write!(out, "<h2 id=\"{}\">{}</h2>", escape(&anchor(tag)), escape(tag));
        for (path, item) in document["paths"].as_object().into_iter().flatten() {
            for (verb, op) in item.as_object().into_iter().flatten() {
                if op["tags"][0].as_str() == Some(tag) {
                    operation(&mut out, document, path, verb, op);
                }
            }
        }
    }
    codes(&mut out, language);
    out.push_str("<h2 id=\"schemas\">Schemas</h2>");
    for (name, schema) in document["components"]["schemas"].as_object().into_iter().flatten() {
        let text = serde_json::to_string_pretty(schema).unwrap_or_default();
        let _ = write!(
            out,
            "<details id=\"schema-{0}\"><summary><code>{0}</code></summary><div><pre>{1}</pre></div></details>",
            escape(name),
            escape(&text)
        );
    }
    out.push_str("</main>");
    out
}

/// Safe text with its `code` set as such.
fn rich(text: &str) -> String {
    let mut parts = text.split('`');
    let mut out = escape(parts.next().unwrap_or(""));
    for (i, part) in parts.enumerate() {
        out.push_str(if i % 2 == 0 { "<code>" } else { "</code>" });
        out.push_str(&escape(part));
    }
    if text.matches('`').count() % 2 == 1 {
        out.push_str("</code>");
    }
    out
}

fn anchor(tag: &str) -> String {
    format!("tag-{}", tag.to_lowercase().replace(' ', "-"))
}

fn operation(out: &mut String, document: &Value, path: &str, verb: &str, op: &Value) {
    let locked = op["security"].as_array().is_some_and(|s| !s.is_empty());
    let _ = write!(
        out,
        "<details id=\"{}\"><summary><span class=\"verb {verb}\">{}</span><code>{}</code><span>{}</span>{}</summary><div>",
        escape(str_of(op, "operationId")),
        verb.to_uppercase(),
        escape(path),
        escape(str_of(op, "summary")),
        if locked { "<span class=\"lock\">bearer</span>" } else { "" },
    );
    for paragraph in str_of(op, "description").split("\n\n").filter(|p| !p.trim().is_empty()) {
        let _ = write!(out, "<p>{}</p>", rich(paragraph));
    }
    if let Some(params) = op["parameters"].as_array() {
        out.push_str("<h3>Parameters</h3><div class=\"scroll\"><table>");
        for p in params {
            let need = if p["required"].as_bool() == Some(true) { " *" } else { "" };
            let _ = write!(
                out,
                "<tr><th><code>{}</code>{need}</th><td>{}</td><td>{}</td><td><code>{}</code></td></tr>",
                escape(str_of(p, "name")),
                escape(str_of(p, "in")),
                rich(str_of(p, "description")),
                escape(&p["schema"].to_string()),
            );
        }
        out.push_str("</table></div>");
    }
    for (media, content) in op["requestBody"]["content"].as_object().into_iter().flatten() {
        let _ = write!(out, "<h3>Body</h3><p><code>{}</code> {}</p>", escape(media), link(&content["schema"]));
    }
    out.push_str("<h3>Answers</h3><div class=\"scroll\"><table>");
    for (status, response) in op["responses"].as_object().into_iter().flatten() {
        // Refusals that several calls share are written once, beside the schemas.
        let shared = response["$ref"].as_str().and_then(|r| document.pointer(r.trim_start_matches('#')));
        let response = shared.unwrap_or(response);
        let schema = response["content"]["application/json"]["schema"].clone();
        let _ = write!(
            out,
            "<tr><th>{}</th><td>{}</td><td>{}</td></tr>",
            escape(status),
            rich(str_of(response, "description")),
            link(&schema)
        );
    }
    out.push_str("</table></div></div></details>");
}

fn link(schema: &Value) -> String {
    match schema["$ref"].as_str().and_then(|r| r.rsplit('/').next()) {
        Some(name) => format!("<a href=\"#schema-{0}\">{0}</a>", escape(name)),
        None => String::new(),
    }
}

fn codes(out: &mut String, language: Language) {
    out.push_str("<h2 id=\"codes\">Codes</h2><div class=\"scroll\"><table>");
    let mut rows: Vec<_> = Code::all().map(Code::row).collect();
    rows.sort_by_key(|r| (r.status.as_u16(), r.code));
    rows.dedup_by_key(|r| r.code);
    for row in rows {
        let _ = write!(
            out,
            "<tr id=\"{0}\"><th>{1}</th><td><code>{0}</code></td><td>{2}</td><td>{3}</td></tr>",
            row.code,
            row.status.as_u16(),
            escape(&texts::text(row.title, language)),
            escape(&texts::text(row.message, language)),
        );
    }
    out.push_str("</table></div>");
}
