//! The built customer app: its files, and its one page for every path that is not the API's.

use std::{
    collections::HashMap,
    io,
    path::{Component, Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::SystemTime,
};

use actix_files::NamedFile;
use actix_web::{
    HttpRequest, HttpResponse, Responder,
    body::BoxBody,
    http::{Method, StatusCode, header},
    web,
};

use crate::{
    config::{PaymentsProvider, ServerConfig},
    http::{ApiError, HttpCode, json, request},
    pages,
    routes::method_not_allowed,
    state::State,
};

/// What the build writes where a response's nonce belongs.
const NONCE: &str = "{{csp_nonce}}";

/// Prefixes that are never the app's.
const NOT_THE_APP: [&str; 3] = ["/api", "/identity", "/simulators"];

/// Built files in memory, shared by all who are sent them: a file read anew for each client would be
/// held as often as there are clients that do not take it.
#[derive(Default)]
pub struct Files(Mutex<HashMap<PathBuf, Kept>>);

struct Kept {
    /// A new build writes over a name.
    changed: SystemTime,
    bytes: web::Bytes,
}

/// Larger files are read as they are sent.
const LARGEST_KEPT: u64 = 2 * 1024 * 1024;
/// The whole app has a tenth of it.
const MOST_KEPT: usize = 24 * 1024 * 1024;

impl Files {
    /// The content of a file; none when it is too large, or gone.
    async fn bytes(&self, file: PathBuf) -> Option<web::Bytes> {
        let about = tokio::fs::metadata(&file).await.ok().filter(|m| m.len() <= LARGEST_KEPT)?;
        let changed = about.modified().ok()?;
        let known = |all: &HashMap<PathBuf, Kept>| {
            all.get(&file).filter(|kept| kept.changed == changed).map(|kept| kept.bytes.clone())
        };
        if let Some(bytes) = known(&self.0.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Some(bytes);
        }
        let bytes = web::Bytes::from(tokio::fs::read(&file).await.ok()?);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.values().map(|kept| kept.bytes.len()).sum::<usize>() + bytes.len() > MOST_KEPT {
            all.clear();
        }
        all.insert(file, Kept { changed, bytes: bytes.clone() });
        Some(bytes)
    }
}

/// Everything that is not in the route table.
pub async fn fallback(req: HttpRequest, state: web::Data<State>) -> Result<HttpResponse, ApiError> {
    let path = req.path();
    let under = |prefix: &str| path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    if NOT_THE_APP.into_iter().any(under) {
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
    let Some(folder) = &state.config.frontend else { return Ok(pages::not_built(request::language(&req))) };
    if let Some(file) = file_of(folder, path) {
        return send(&req, &state, &file, path.starts_with("/assets/")).await;
    }
    if path.starts_with("/assets/") {
        // A page of an older build asks for a file that is gone: an HTML page would only confuse it.
        return Err(HttpCode::PathNotFound.into());
    }
    app_page(&req, &state, folder).await
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
    let relative = percent_decoded(path.trim_start_matches('/'))?;
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

fn percent_decoded(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(b) = bytes.next() {
        if b == b'%' {
            let pair = [bytes.next()?, bytes.next()?];
            out.push(u8::from_str_radix(std::str::from_utf8(&pair).ok()?, 16).ok()?);
        } else {
            out.push(b);
        }
    }
    String::from_utf8(out).ok()
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
async fn app_page(req: &HttpRequest, state: &State, folder: &Path) -> Result<HttpResponse, ApiError> {
    let template = match tokio::fs::read_to_string(folder.join("index.html")).await {
        Ok(text) => text,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(pages::not_built(request::language(req))),
        Err(e) => return Err(ApiError::internal(e)),
    };
    let nonce = pages::nonce(state);
    let body = template.replace(NONCE, &nonce);
    Ok(HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::CONTENT_SECURITY_POLICY, policy(&state.config, &nonce)))
        .insert_header((header::ETAG, format!("\"{}\"", json::hex(nonce.as_bytes().get(..4).unwrap_or_default()))))
        .body(body))
}

/// The content security policy of the app. Outside hosts only where they are configured.
pub fn policy(config: &ServerConfig, nonce: &str) -> String {
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
    for origin in &config.chat.origins {
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
        let plain = policy(&config(), "abc");
        assert!(plain.contains("'nonce-abc'") && !plain.contains("https://") && !plain.contains("script-src 'unsafe"));
        let payments = PaymentsProvider::Braintree { environment: "sandbox".into() };
        let braintree = policy(&ServerConfig { payments, ..config() }, "abc");
        assert!(braintree.contains("https://js.braintreegateway.com"));
        let outside = policy(&ServerConfig { issuer: "https://id.example/realms/x".into(), ..config() }, "abc");
        assert!(outside.contains("connect-src 'self' https://id.example"));
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
