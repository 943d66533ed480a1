//! The demo's stand-in for a chat service: the script the web app loads, the window it opens, and a page with what
//! support would see. Conversations are in memory only.

use std::fmt::Write;

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, http::header, web};
use api::{
    State,
    calls::replies::{Made, NoContent, Redirect, Reply, made},
    contract::{CommonError, DeclaredAnswer},
    endpoint::{Access, Audit, Example, Route},
    http::{ValidJson, ValidQuery, body::Form, request, texts},
    pages::{escape, page},
};
use kernel::Language;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use utoipa::ToSchema;
use validator::Validate;

use crate::parts::{ChatMessage, Conversation, SimulatorRefusal, Simulators};

made! {
    /// A page.
    Page: DeclaredAnswer::plain(200, "The page.", "text/html");
    /// A script.
    Script: DeclaredAnswer::plain(200, "The script.", "text/javascript");
}

type PageReply = Reply<Made<Page>, SimulatorRefusal>;

/// Characters of a message, and of a value the site tells.
const LONGEST: usize = 1000;
/// Values the site tells of one visitor.
const MOST_TOLD: usize = 20;

/// Which chat.
#[derive(Debug, Deserialize, ToSchema)]
struct WidgetQuery {
    /// A random name that the browser chose.
    #[schema(max_length = 64)]
    visitor: String,
}

/// A message. (The form is read by hand: the visitor's own text is its only free part.)
#[derive(Deserialize, ToSchema)]
#[allow(dead_code, reason = "documentation of the form")]
struct MessageForm {
    #[schema(max_length = 64)]
    visitor: String,
    #[schema(max_length = 1000)]
    content: String,
    #[schema(max_length = 10)]
    lang: Option<String>,
}

/// What the site tells of a visitor.
#[derive(Debug, Deserialize, ToSchema, Validate)]
struct Contact {
    #[schema(max_length = 64)]
    visitor: String,
    /// Names and values.
    #[schema(value_type = Object)]
    attributes: Map<String, Value>,
}

/// A visitor's name as the script makes it; any other is refused.
fn checked_visitor(visitor: &str) -> Result<&str, CommonError> {
    let fine = !visitor.is_empty() && visitor.len() <= 64 && visitor.bytes().all(|b| b.is_ascii_alphanumeric());
    if fine { Ok(visitor) } else { Err(CommonError::malformed("visitor is not a name of this chat")) }
}

fn shortened(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || *c == '\n').take(LONGEST).collect()
}

async fn script() -> Reply<Made<Script>, SimulatorRefusal> {
    let response = HttpResponse::Ok()
        .content_type("text/javascript; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .body(include_str!("chatwoot.js"));
    Ok(Made::new(response))
}

fn line(out: &mut String, who: &str, class: &str, text: &str) {
    let _ = write!(out, "<li class=\"{class}\"><span class=\"who\">{}</span>{}</li>", escape(who), escape(text));
}

fn write_messages(out: &mut String, chat: Option<&Conversation>, language: Language, you: &str) {
    let t = |key: &str| texts::text(key, language);
    out.push_str("<ol class=\"said\" aria-live=\"polite\">");
    line(out, &t("chat.support"), "them", &t("chat.greeting"));
    for m in chat.into_iter().flat_map(|c| &c.messages) {
        let (who, class) = if m.by_visitor { (t(you), "you") } else { (t("chat.support"), "them") };
        line(out, &who, class, &m.text);
    }
    out.push_str("</ol>");
}

/// The chat window in a frame of the site. Its form works without scripts.
async fn widget(req: HttpRequest, simulators: web::Data<Simulators>, query: ValidQuery<WidgetQuery>) -> PageReply {
    let lang = request::language(&req);
    let t = |key: &str| escape(&texts::text(key, lang));
    let visitor = checked_visitor(&query.value.visitor)?;
    let mut out = format!("<main class=\"chat\"><h1>{}</h1>", t("chat.title"));
    write_messages(&mut out, simulators.chats.of(visitor).as_ref(), lang, "chat.you");
    let _ = write!(
        out,
        "<form class=\"say\" method=\"post\" action=\"/simulators/chatwoot/messages\"><input type=\"hidden\" name=\"visitor\" value=\"{}\"><input type=\"hidden\" name=\"lang\" value=\"{}\"><label for=\"content\">{}</label><input id=\"content\" name=\"content\" maxlength=\"{LONGEST}\" required autocomplete=\"off\"><button class=\"button\">{}</button></form><p class=\"quiet\">{}</p></main>",
        escape(visitor),
        lang.code(),
        t("chat.write"),
        t("chat.send"),
        t("chat.about"),
    );
    let mut response = page(StatusCode::OK, lang, &texts::text("chat.title", lang), &out);
    let policy = "default-src 'none'; style-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'self'";
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, header::HeaderValue::from_static(policy));
    Ok(Made::new(response))
}

async fn say(
    state: web::Data<State>,
    simulators: web::Data<Simulators>,
    form: Form<MessageForm>,
) -> Reply<Redirect, SimulatorRefusal> {
    let pairs = web::Query::<Vec<(String, String)>>::from_query(&form.text)
        .map_err(|_| CommonError::malformed("the form cannot be read"))?;
    let field = |name: &str| pairs.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value.as_str());
    let visitor = checked_visitor(field("visitor"))?;
    let lang: Language = field("lang").parse().unwrap_or_default();
    let text = shortened(field("content").trim());
    if !text.is_empty() {
        let at = state.services.clock.now();
        simulators.chats.change(visitor, |chat| {
            let first = chat.messages.is_empty();
            chat.messages.push(ChatMessage { at, by_visitor: true, text });
            if first {
                let text = texts::text("chat.reply", lang);
                chat.messages.push(ChatMessage { at, by_visitor: false, text });
            }
        });
    }
    Ok(Redirect(format!("/simulators/chatwoot/widget?visitor={visitor}&lang={}", lang.code())))
}

async fn contact(simulators: web::Data<Simulators>, body: ValidJson<Contact>) -> Reply<NoContent, SimulatorRefusal> {
    let Contact { visitor, attributes } = body.value;
    simulators.chats.change(checked_visitor(&visitor)?, |chat| {
        for (name, value) in attributes {
            let (name, value) = (shortened(&name), shortened(value.as_str().unwrap_or(&value.to_string())));
            match chat.attributes.iter().position(|(known, _)| *known == name) {
                Some(at) => chat.attributes[at].1 = value,
                None if chat.attributes.len() < MOST_TOLD => chat.attributes.push((name, value)),
                None => {}
            }
        }
    });
    Ok(NoContent)
}

/// What support would see.
async fn desk(req: HttpRequest, simulators: web::Data<Simulators>) -> PageReply {
    let lang = request::language(&req);
    let t = |key: &str| escape(&texts::text(key, lang));
    let mut out = format!("<main><h1>{}</h1><p class=\"quiet\">{}</p>", t("chat.title"), t("chat.about"));
    let chats = simulators.chats.all();
    if chats.is_empty() {
        let _ = write!(out, "<p>{}</p>", t("chat.none"));
    }
    for chat in &chats {
        let _ =
            write!(out, "<h2>{} {}</h2>", t("chat.visitor"), escape(chat.visitor.get(..6).unwrap_or(&chat.visitor)));
        if !chat.attributes.is_empty() {
            let _ = write!(out, "<h3>{}</h3><dl class=\"head\">", t("chat.known"));
            for (name, value) in &chat.attributes {
                let _ = write!(out, "<dt><code>{}</code></dt><dd>{}</dd>", escape(name), escape(value));
            }
            out.push_str("</dl>");
        }
        write_messages(&mut out, Some(chat), lang, "chat.visitor");
    }
    out.push_str("</main>");
    Ok(Made::new(page(StatusCode::OK, lang, &texts::text("chat.title", lang), &out)))
}

/// Its part of the table.
pub(super) fn routes() -> Vec<Route> {
    const VISITOR: &[(&str, &str)] = &[("visitor", "0a1b2c")];
    let (public, unrecorded) = (Access::Public, Audit::Unrecorded);
    let told = json!({ "visitor": "0a1b2c", "attributes": { "has_booked": true } });
    vec![
        Route::get("/simulators/chatwoot", public, desk),
        Route::get("/simulators/chatwoot/packs/js/sdk.js", public, script),
        Route::get("/simulators/chatwoot/widget", public, widget).example(Example::query(VISITOR)),
        Route::post("/simulators/chatwoot/messages", public, unrecorded, say)
            .example(Example::form(&[("visitor", "0a1b2c"), ("content", "Hello")])),
        Route::post("/simulators/chatwoot/contact", public, unrecorded, contact).example(Example::json(told)),
    ]
}
