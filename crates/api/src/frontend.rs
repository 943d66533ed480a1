//! The built web apps: their files, and the one page of each for every path under it that is not the API's.

use std::{
    io,
    path::{Component, Path, PathBuf},
};

use actix_files::NamedFile;
use actix_web::{
    HttpRequest, HttpResponse, Responder,
    body::BoxBody,
    http::{Method, StatusCode, header},
    web,
};
use percent_encoding::percent_decode_str;
use service::{Error, ErrorCode, bookings::saved, settings};

use crate::{
    config::{PaymentsProvider, ServerConfig, WebApp},
    endpoint::method_not_allowed,
    http::{ApiError, HttpCode, request},
    pages,
    state::State,
    web_pages::{self, Page},
};

/// What the build writes where a response's nonce belongs.
const NONCE: &str = "{{csp_nonce}}";
/// The same for where people reach the site: links to its other languages must be absolute.
const PUBLIC_URL: &str = "{{public_url}}";
/// How the build begins the links to the other languages of a page. Its page is the one at `/`.
const OTHER_LANGUAGE: &str = "<link rel=\"alternate\"";
/// The same for the mode: a demonstration says so in the first thing people see, and not when a request was answered.
const MODE: &str = "{{mode}}";
/// Where the built page wants the path of the company's logo, so that it stands there from the beginning.
const COMPANY_LOGO: &str = "{{company_logo}}";
/// Where it wants the company's name, for the bar without a logo and the titles.
const COMPANY_NAME: &str = "{{company_name}}";
/// The site is called so where no company has said its name.
const OUR_NAME: &str = "Portage";

/// The service worker of an app, which lets some of its pages open without network.
const SERVICE_WORKER: &str = "/sw.js";
/// It fetches from us, and nothing else; the policy of other files would let it fetch nothing at all.
const WORKER_POLICY: &str =
    "default-src 'none'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// Prefixes that are never an app's.
const NOT_AN_APP: [&str; 3] = ["/api", "/identity", "/simulators"];

/// Everything that is not in the route table.
pub async fn fallback(req: HttpRequest, state: web::Data<State>) -> Result<HttpResponse, ApiError> {
    let path = req.path();
    if NOT_AN_APP.into_iter().any(|prefix| below(path, prefix).is_some()) {
        return Err(HttpCode::PathNotFound.into());
    }
    if req.method() != Method::GET && req.method() != Method::HEAD {
        return Err(method_not_allowed("GET, HEAD".to_owned()));
    }
    if let Some(home) = home_of(&req, &state.config) {
        return Ok(HttpResponse::build(StatusCode::TEMPORARY_REDIRECT)
            .insert_header((header::LOCATION, home))
            .finish());
    }
    let Some((app, path)) = app_of(&state.config.apps, path) else {
        return Ok(pages::not_built(request::language(&req)));
    };
    if let Some(file) = file_of(&app.folder, path) {
        let mut response = send(&req, &state, &file, path.starts_with("/assets/")).await?;
        if path == SERVICE_WORKER {
            let policy = header::HeaderValue::from_static(WORKER_POLICY);
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        }
        return Ok(response);
    }
    if path.starts_with("/assets/") {
        // A page of an older build asks for a file that is gone: an HTML page would only confuse it.
        return Err(HttpCode::PathNotFound.into());
    }
    app_page(&req, &state, app).await
}

/// The rest of a path under a prefix; none when it is not under it: `/dashboards` is not under `/dashboard`.
fn below<'p>(path: &'p str, prefix: &str) -> Option<&'p str> {
    path.strip_prefix(prefix).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The app a path belongs to, and the path within it. The most particular mount wins.
fn app_of<'a, 'p>(apps: &'a [WebApp], path: &'p str) -> Option<(&'a WebApp, &'p str)> {
    apps.iter().filter_map(|app| below(path, app.mount).map(|rest| (app, rest))).max_by_key(|(app, _)| app.mount.len())
}

/// Sign-in belongs to one origin: who opened the same machine under its other name (127.0.0.1
/// instead of localhost) is sent to the right one.
fn home_of(req: &HttpRequest, config: &ServerConfig) -> Option<String> {
    let host = req.headers().get(header::HOST)?.to_str().ok()?;
    let own = config.public_url.origin();
    let own_host = own.split("://").nth(1)?;
    let split = |h: &str| {
        let (name, port) = h.rsplit_once(':').filter(|(_, p)| p.bytes().all(|b| b.is_ascii_digit())).unwrap_or((h, ""));
        (name.to_ascii_lowercase(), port.to_owned())
    };
    let ((name, port), (own_name, own_port)) = (split(host), split(own_host));
    let local = |n: &str| matches!(n, "localhost" | "127.0.0.1" | "[::1]");
    let other_name = local(&name) && local(&own_name) && name != own_name && port == own_port;
    other_name.then(|| format!("{own}{}", req.uri()))
}

/// The built file of a path, if it is one. Never outside of the folder.
fn file_of(folder: &Path, path: &str) -> Option<PathBuf> {
    let relative = percent_decode_str(path.trim_start_matches('/')).decode_utf8().ok()?.into_owned();
    let clean = Path::new(&relative).components().all(|c| match c {
        Component::Normal(part) => part.to_str().is_some_and(|p| !p.starts_with('.') && !p.contains(['\\', '\0'])),
        _ => false,
    });
    if relative.is_empty() || !clean || relative == "index.html" {
        return None;
    }
    let file = folder.join(relative);
    file.is_file().then_some(file)
}

/// A file, in the compressed form the build left beside it when the browser takes one.
async fn send(req: &HttpRequest, state: &State, file: &Path, hashed: bool) -> Result<HttpResponse, ApiError> {
    let accepted = req.headers().get(header::ACCEPT_ENCODING).and_then(|v| v.to_str().ok()).unwrap_or("");
    let takes = |name: &str| {
        accepted.split(',').any(|part| {
            let mut pieces = part.split(';').map(str::trim);
            pieces.next() == Some(name) && !pieces.any(|p| p == "q=0" || p == "q=0.0")
        })
    };
    let beside = |suffix: &str| {
        let mut name = file.as_os_str().to_owned();
        name.push(suffix);
        Some(PathBuf::from(name)).filter(|p| p.is_file())
    };
    let (found, encoding) = [("br", ".br"), ("gzip", ".gz")]
        .into_iter()
        .find_map(|(name, suffix)| takes(name).then(|| beside(suffix)).flatten().map(|p| (p, Some(name))))
        .unwrap_or_else(|| (file.to_path_buf(), None));
    let kept = found.clone();
    let named = match web::block(move || NamedFile::open(found)).await.map_err(ApiError::internal)? {
        Ok(named) => named,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Err(HttpCode::PathNotFound.into()),
        Err(e) => return Err(ApiError::internal(e)),
    };
    let named = match file.extension().and_then(|e| e.to_str()) {
        Some(extension) => named.set_content_type(actix_files::file_extension_to_mime(extension)),
        None => named,
    };
    let mut response = named.prefer_utf8(true).disable_content_disposition().respond_to(req).map_into_boxed_body();
    if let Some(encoding) = encoding {
        response.headers_mut().insert(header::CONTENT_ENCODING, header::HeaderValue::from_static(encoding));
    }
    if response.status() == StatusCode::OK
        && req.method() == Method::GET
        && let Some(bytes) = state.files.bytes(kept).await
    {
        response = response.set_body(BoxBody::new(bytes));
    }
    let headers = response.headers_mut();
    let cache = if hashed { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.insert(header::CACHE_CONTROL, header::HeaderValue::from_static(cache));
    headers.insert(header::VARY, header::HeaderValue::from_static("Accept-Encoding"));
    Ok(response)
}

/// The app's page, with a nonce of its own.
async fn app_page(req: &HttpRequest, state: &State, app: &WebApp) -> Result<HttpResponse, ApiError> {
    let template = match tokio::fs::read_to_string(app.folder.join("index.html")).await {
        Ok(text) => text,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(pages::not_built(request::language(req))),
        Err(e) => return Err(ApiError::internal(e)),
    };
    let nonce = pages::nonce(state);
    // Without them the page shows our mark: a database that does not answer takes no page down.
    let all = settings::in_force(&state.services).await.ok();
    let logo = all.as_ref().and_then(|all| all.company.logo_path());
    let name = all.as_ref().map_or(OUR_NAME, |all| all.company.name.as_str());
    let page = web_pages::at(req.path());
    let body = in_other_languages(&template, page, req.path())
        .replace(COMPANY_LOGO, &logo.unwrap_or_default())
        .replace(NONCE, &nonce)
        .replace(PUBLIC_URL, state.config.public_url.origin())
        .replace(MODE, state.services.mode.code())
        // Last: a name may have anything in it, also the words of another place.
        .replace(COMPANY_NAME, &pages::escape(name));
    // The app says in its own words that there is no such page: its frame and its languages are in the script.
    let is_missing = page == Page::Missing || (app.for_customers && is_no_quote(state, req.path()).await);
    let mut response = HttpResponse::build(if is_missing { StatusCode::NOT_FOUND } else { StatusCode::OK });
    if page != Page::Indexed {
        response.insert_header((header::HeaderName::from_static("x-robots-tag"), "noindex"));
    }
    Ok(response
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::CONTENT_SECURITY_POLICY, policy(&state.config, app, &nonce)))
        .insert_header((
            header::ETAG,
            format!("\"{}\"", crate::hexadecimal::hex(nonce.as_bytes().get(..4).unwrap_or_default())),
        ))
        .body(body))
}

/// The page of a mailed quote that there is none of: a guessed link, or one whose quote was forgotten. One look by the hash of
/// its secret; a database that does not answer takes no page down.
async fn is_no_quote(state: &State, path: &str) -> bool {
    let Some(token) = path.strip_prefix("/saved/") else { return false };
    let found = saved::look(&state.services, token.trim_end_matches('/')).await;
    matches!(found, Err(Error::Refused(ErrorCode::NotFound, _)))
}

/// The template with links to the page at `path` in the other languages; to none where search engines are not asked in.
fn in_other_languages(template: &str, page: Page, path: &str) -> String {
    if page == Page::Indexed {
        // Known, and therefore letters and slashes only.
        let known = path.trim_end_matches('/').to_ascii_lowercase();
        let path = if known.is_empty() { "/" } else { &known };
        return template.replace(&format!("{PUBLIC_URL}/"), &format!("{PUBLIC_URL}{path}"));
    }
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, link)) = rest.split_once(OTHER_LANGUAGE) {
        out.push_str(before);
        rest = link.split_once('>').map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}

/// The content security policy of an app. Outside hosts only where they are configured; cards are entered in both
/// apps, chat is for customers.
pub fn policy(config: &ServerConfig, app: &WebApp, nonce: &str) -> String {
    let mut script = format!("'self' 'nonce-{nonce}'");
    let mut connect = "'self'".to_owned();
    let mut frame = "'self'".to_owned();
    let mut img = "'self' data: blob:".to_owned();
    let add = |list: &mut String, origins: &[&str]| {
        for origin in origins {
            list.push(' ');
            list.push_str(origin);
        }
    };
    if let PaymentsProvider::Braintree { environment } = &config.payments {
        // Braintree's published list for hosted fields.
        add(&mut script, &["https://js.braintreegateway.com", "https://assets.braintreegateway.com"]);
        add(&mut frame, &["https://assets.braintreegateway.com"]);
        add(&mut img, &["https://assets.braintreegateway.com"]);
        add(&mut connect, &["https://client-analytics.braintreegateway.com", "https://*.braintree-api.com"]);
        let api = if environment == "production" {
            "https://api.braintreegateway.com"
        } else {
            "https://api.sandbox.braintreegateway.com https://client-analytics.sandbox.braintreegateway.com"
        };
        add(&mut connect, &[api]);
    }
    let issuer = origin_of(&config.issuer);
    if issuer != config.public_url.origin() {
        add(&mut connect, &[&issuer]);
        add(&mut frame, &[&issuer]);
    }
    for origin in config.chat.origins.iter().filter(|_| app.for_customers) {
        for list in [&mut script, &mut connect, &mut frame, &mut img] {
            add(list, &[origin]);
        }
    }
    format!(
        "default-src 'self'; script-src {script}; style-src 'self' 'nonce-{nonce}'; style-src-attr 'unsafe-inline'; img-src {img}; font-src 'self' data:; connect-src {connect}; frame-src {frame}; worker-src 'self' blob:; manifest-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'"
    )
}

fn origin_of(url: &str) -> String {
    let mut parts = url.splitn(4, '/');
    let (scheme, _, host) = (parts.next(), parts.next(), parts.next());
    format!("{}//{}", scheme.unwrap_or(""), host.unwrap_or(""))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn config() -> ServerConfig {
        ServerConfig::demo("http://localhost:8080".parse().unwrap())
    }

    #[test]
    fn outside_hosts_appear_only_where_configured() {
        let book = WebApp::book(PathBuf::new());
        let plain = policy(&config(), &book, "abc");
        assert!(plain.contains("'nonce-abc'") && !plain.contains("https://") && !plain.contains("script-src 'unsafe"));
        let payments = PaymentsProvider::Braintree { environment: "sandbox".into() };
        let taking_cards = ServerConfig { payments, ..config() };
        let ops = WebApp::ops(PathBuf::new());
        for app in [&book, &ops] {
            assert!(policy(&taking_cards, app, "abc").contains("https://js.braintreegateway.com"));
        }
        let outside = ServerConfig { issuer: "https://id.example/realms/x".into(), ..config() };
        for app in [&book, &ops] {
            assert!(policy(&outside, app, "abc").contains("connect-src 'self' https://id.example"));
        }
    }

    #[test]
    fn a_path_belongs_to_the_app_it_is_under() {
        let apps = [WebApp::book("book".into()), WebApp::ops("ops".into())];
        let found = |path| app_of(&apps, path).map(|(app, rest)| (app.mount, rest));
        assert_eq!(found("/"), Some(("", "/")));
        assert_eq!(found("/dashboard"), Some(("/dashboard", "")));
        assert_eq!(found("/dashboard/assets/a.js"), Some(("/dashboard", "/assets/a.js")));
        assert_eq!(found("/dashboards"), Some(("", "/dashboards")));
        let book = [WebApp::book("book".into())];
        assert_eq!(app_of(&book, "/dashboard").map(|(app, _)| app.mount), Some(""), "an app that is not built");
        assert!(app_of(&[], "/").is_none());
    }

    #[test]
    fn no_path_leads_out_of_the_folder() {
        let folder = std::env::temp_dir();
        for path in [
            "/../etc/passwd",
            "/%2e%2e/etc/passwd",
            "//etc/passwd",
            "/..%2f..%2fetc/passwd",
            "/.env",
            "/a\\b",
            "/%00",
            "/%zz",
            "/",
        ] {
            assert!(file_of(&folder.join("no-such-folder"), path).is_none(), "{path}");
            assert!(file_of(Path::new("/"), path).is_none() || path == "//etc/passwd", "{path}");
        }
    }
}
