//! The demo's mailbox: what would have been sent, as a page and as JSON.

use std::{convert::Infallible, fmt::Write, path::PathBuf, str::FromStr};

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, http::header, web};
use api::{
    State,
    calls::replies::{Cached, Made, Reply, made},
    contract::{CommonError, DeclaredAnswer, JSON, Names, Record},
    endpoint::{Access, Route},
    http::{PathId, request, texts},
    pages::{escape, page},
};
use kernel::Language;
use mail::mailbox::{self, OpenedMail, Summary};
use serde_json::json;

use crate::parts::SimulatorRefusal;

made! {
    /// A page.
    Page: DeclaredAnswer::plain(200, "The page.", "text/html");
    /// Messages, or one.
    Messages: DeclaredAnswer::plain(200, "Messages.", JSON);
}

type PageReply = Reply<Made<Page>, SimulatorRefusal>;
type MessagesReply = Reply<Cached<Made<Messages>>, SimulatorRefusal>;

/// The name of a message.
struct MailId(String);

impl FromStr for MailId {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<MailId, Infallible> {
        Ok(MailId(text.to_owned()))
    }
}

impl Names for MailId {
    const RECORD: Record = Record::Mail;
}

fn folder(state: &State) -> Result<PathBuf, SimulatorRefusal> {
    state.mailbox().cloned().ok_or(SimulatorRefusal::PathNotFound)
}

async fn all(state: &State) -> Reply<Vec<Summary>, SimulatorRefusal> {
    let dir = folder(state)?;
    let found = web::block(move || mailbox::list(&dir)).await.map_err(CommonError::internal)?;
    Ok(found.map_err(CommonError::internal)?)
}

async fn one(state: &State, id: PathId<MailId>) -> Reply<OpenedMail, SimulatorRefusal> {
    let (dir, id) = (folder(state)?, id.0.0);
    let found = web::block(move || mailbox::open(&dir, &id))
        .await
        .map_err(CommonError::internal)?
        .map_err(CommonError::internal)?;
    found.ok_or_else(|| SimulatorRefusal::NotFound.into())
}

fn date_text(m: &Summary) -> String {
    kernel::Zone::MONTREAL.local(m.date).rfc3339().replace('T', " ").get(..16).unwrap_or("").to_owned()
}

fn line(out: &mut String, m: &Summary, lang: Language) {
    let name = if m.to_name.is_empty() { m.to.clone() } else { format!("{} <{}>", m.to_name, m.to) };
    let _ = write!(
        out,
        "<li><a href=\"/simulators/mailbox/{}?lang={}\"><span class=\"subject\">{}</span><time datetime=\"{}\">{}</time><span class=\"to\">{} <span class=\"tag\">{}</span></span></a></li>",
        escape(&m.id),
        lang.code(),
        escape(&m.subject),
        m.date.to_rfc3339(),
        escape(&date_text(m)),
        escape(&name),
        escape(&m.message_type),
    );
}

async fn list(req: HttpRequest, state: web::Data<State>) -> PageReply {
    let lang = request::language(&req);
    let t = |key: &str| escape(&texts::text(key, lang));
    let mails = all(&state).await?;
    let mut out = format!("<main><h1>{}</h1><p class=\"quiet\">{}</p>", t("mailbox.title"), t("mailbox.about"));
    if mails.is_empty() {
        let _ = write!(out, "<p>{}</p>", t("mailbox.none"));
    } else {
        out.push_str("<ul class=\"mails\">");
        mails.iter().for_each(|m| line(&mut out, m, lang));
        out.push_str("</ul>");
    }
    out.push_str("</main>");
    Ok(Made::new(page(StatusCode::OK, lang, &texts::text("mailbox.title", lang), &out)))
}

async fn show(req: HttpRequest, state: web::Data<State>, id: PathId<MailId>) -> PageReply {
    let lang = request::language(&req);
    let t = |key: &str| escape(&texts::text(key, lang));
    let m = one(&state, id).await?;
    let s = &m.summary;
    let mut out = format!(
        "<main><p><a href=\"/simulators/mailbox?lang={}\">← {}</a></p><h1>{}</h1><dl class=\"head\">",
        lang.code(),
        t("mailbox.back"),
        escape(&s.subject)
    );
    let to = if s.to_name.is_empty() { s.to.clone() } else { format!("{} <{}>", s.to_name, s.to) };
    for (label, value) in [("mailbox.from", s.from.clone()), ("mailbox.to", to), ("mailbox.date", date_text(s))] {
        let _ = write!(out, "<dt>{}</dt><dd>{}</dd>", t(label), escape(&value));
    }
    if !m.attachments.is_empty() {
        let names: Vec<&str> = m.attachments.iter().map(|a| a.file_name.as_str()).collect();
        let _ = write!(out, "<dt>{}</dt><dd>{}</dd>", t("mailbox.attachments"), escape(&names.join(", ")));
    }
    // No scripts, and links open beside the mailbox.
    let _ = write!(
        out,
        "</dl><iframe class=\"mail\" title=\"{}\" sandbox=\"allow-popups allow-popups-to-escape-sandbox\" src=\"/simulators/mailbox/{}/body\"></iframe></main>",
        escape(&s.subject),
        escape(&s.id)
    );
    Ok(Made::new(page(StatusCode::OK, lang, &s.subject, &out)))
}

async fn body(state: web::Data<State>, id: PathId<MailId>) -> PageReply {
    let m = one(&state, id).await?;
    let html = if m.html.trim().is_empty() { format!("<pre>{}</pre>", escape(&m.text)) } else { m.html };
    let response = HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; base-uri 'self'; form-action 'none'",
        ))
        .body(format!("<base target=\"_blank\">{html}"));
    Ok(Made::new(response))
}

async fn messages(state: web::Data<State>) -> MessagesReply {
    let mails = all(&state).await?;
    Ok(Cached("no-store", Made::new(HttpResponse::Ok().json(json!({ "total": mails.len(), "data": mails })))))
}

async fn message(state: web::Data<State>, id: PathId<MailId>) -> MessagesReply {
    let m = one(&state, id).await?;
    Ok(Cached("no-store", Made::new(HttpResponse::Ok().json(m))))
}

/// Its part of the table; `messages` before `{id}`.
pub(super) fn routes() -> Vec<Route> {
    vec![
        Route::get("/simulators/mailbox", Access::Public, list),
        Route::get("/simulators/mailbox/messages", Access::Public, messages),
        Route::get("/simulators/mailbox/messages/{id}", Access::Public, message),
        Route::get("/simulators/mailbox/{id}", Access::Public, show),
        Route::get("/simulators/mailbox/{id}/body", Access::Public, body),
    ]
}
