//! The one route table: method, path, who may, handler, documentation. It mounts the app,
//! feeds the authorisation matrix test and the OpenAPI document. There is no other way to mount.

use std::sync::Arc;

use actix_web::{
    FromRequest, Handler, HttpResponse, Responder,
    guard::{Any as any_of, Get, Head},
    http::Method,
    middleware::from_fn,
    web::{self, ServiceConfig},
};
use service::{ErrorCode, Mode};

use crate::{
    access::{Access, Row, guard},
    http::{
        ApiError, Code, HttpCode,
        body::{self, BodyLimit},
    },
    limits::LimitClass,
    openapi::Doc,
};

type Mount = Arc<dyn Fn() -> actix_web::Route + Send + Sync>;

/// One call.
pub struct Route {
    /// Verb.
    pub method: Method,
    /// Path pattern, `/api/bookings/{id}`.
    pub path: &'static str,
    /// Who may call.
    pub access: Access,
    /// Whose records they reach: `any`, `own`, `own or assigned`, …
    pub relation: &'static str,
    /// What its calls are counted as.
    pub limit: Option<LimitClass>,
    /// The largest body it reads, bytes.
    pub body_limit: usize,
    /// Documentation; none for pages and simulators.
    pub doc: Option<Doc>,
    mount: Mount,
}

impl Route {
    fn new<F, Args>(method: Method, path: &'static str, access: Access, handler: F) -> Route
    where
        F: Handler<Args> + Send + Sync,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        let verb = method.clone();
        let mount: Mount = Arc::new(move || {
            // The server leaves the body of an answer to HEAD away by itself.
            let route = if verb == Method::GET {
                web::route().guard(any_of(Get()).or(Head()))
            } else {
                web::method(verb.clone())
            };
            route.to(handler.clone())
        });
        Route { method, path, access, relation: "any", limit: None, body_limit: body::USUAL, doc: None, mount }
    }

    /// A GET, which answers HEAD as well.
    pub fn get<F, Args>(path: &'static str, access: Access, handler: F) -> Route
    where
        F: Handler<Args> + Send + Sync,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        Route::new(Method::GET, path, access, handler)
    }

    /// A POST.
    pub fn post<F, Args>(path: &'static str, access: Access, handler: F) -> Route
    where
        F: Handler<Args> + Send + Sync,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        Route::new(Method::POST, path, access, handler)
    }

    /// A PUT.
    pub fn put<F, Args>(path: &'static str, access: Access, handler: F) -> Route
    where
        F: Handler<Args> + Send + Sync,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        Route::new(Method::PUT, path, access, handler)
    }

    /// A DELETE.
    pub fn delete<F, Args>(path: &'static str, access: Access, handler: F) -> Route
    where
        F: Handler<Args> + Send + Sync,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        Route::new(Method::DELETE, path, access, handler)
    }

    /// Says whose records are reached.
    pub fn relation(mut self, relation: &'static str) -> Route {
        self.relation = relation;
        self
    }

    /// Counts its calls.
    pub fn limited(mut self, class: LimitClass) -> Route {
        self.limit = Some(class);
        self
    }

    /// Takes bodies of so many bytes.
    pub fn takes(mut self, bytes: usize) -> Route {
        self.body_limit = bytes;
        self
    }

    /// Documents it.
    pub fn doc(mut self, doc: Doc) -> Route {
        self.doc = Some(doc);
        self
    }

    fn actix(&self) -> actix_web::Route {
        let row = Arc::new(Row {
            pattern: self.path,
            access: self.access,
            limit: self.limit,
            body_limit: BodyLimit(self.body_limit),
            query_bounds: self.doc.as_ref().map(Doc::query_bounds).unwrap_or_default(),
        });
        (self.mount)().wrap(from_fn(move |req, next| guard(row.clone(), req, next)))
    }
}

/// Every call of a program in this mode, the more particular path before the more general.
pub fn table(mode: Mode) -> Vec<Route> {
    let mut all = crate::calls::routes();
    if mode == Mode::Demo {
        all.extend(crate::simulators::routes());
    }
    all
}

/// Mounts the whole table.
pub fn mount(config: &mut ServiceConfig, table: &[Route]) {
    let mut paths: Vec<&'static str> = Vec::new();
    for route in table {
        if !paths.contains(&route.path) {
            paths.push(route.path);
        }
    }
    for path in paths {
        let here: Vec<&Route> = table.iter().filter(|r| r.path == path).collect();
        let allowed: Vec<&str> =
            here.iter().map(|r| if r.method == Method::GET { "GET, HEAD" } else { r.method.as_str() }).collect();
        let allowed = allowed.join(", ");
        let resource = here.iter().fold(web::resource(path), |resource, route| resource.route(route.actix()));
        config.service(resource.default_service(web::to(move || {
            let allowed = allowed.clone();
            async move { Err::<HttpResponse, ApiError>(method_not_allowed(allowed)) }
        })));
    }
}

/// 405 that says what would be right.
pub fn method_not_allowed(allowed: String) -> ApiError {
    ApiError { params: vec![("allowed", allowed)], ..HttpCode::MethodNotAllowed.into() }
}

/// The codes a call may answer by its place in the table alone.
pub fn usual_codes(route: &Route, has_body: bool, has_query: bool) -> Vec<Code> {
    let mut codes = Vec::new();
    if has_query {
        codes.extend([Code::Http(HttpCode::MalformedRequest), Code::Rule(ErrorCode::ValidationFailed)]);
    }
    if has_body {
        codes.extend(
            [
                HttpCode::MalformedRequest,
                HttpCode::UnsupportedMediaType,
                HttpCode::PayloadTooLarge,
                HttpCode::RequestTimeout,
            ]
            .map(Code::Http),
        );
        codes.push(Code::Rule(ErrorCode::ValidationFailed));
    }
    if route.access != Access::Public {
        codes.extend([Code::Rule(ErrorCode::SignInNeeded), Code::Http(HttpCode::InvalidToken)]);
    }
    if matches!(route.access, Access::Roles(_)) {
        codes.push(Code::Rule(ErrorCode::Forbidden));
    }
    if route.path.contains("{id}") {
        codes.push(Code::Rule(ErrorCode::NotFound));
    }
    if route.limit.is_some() {
        codes.push(Code::Http(HttpCode::TooManyRequests));
    }
    codes.extend([Code::Http(HttpCode::Internal), Code::Rule(ErrorCode::Busy)]);
    codes
}

/// The policy table as text, one line a call: the golden file of the authorisation test.
pub fn print_policy(table: &[Route]) -> String {
    let mut lines: Vec<String> = table
        .iter()
        .map(|r| {
            let may: Vec<&str> =
                service::Role::ALL.into_iter().filter(|role| r.access.allows(*role)).map(service::Role::code).collect();
            format!("{:<7}{:<50}{:<48}{}", r.method.as_str(), r.path, may.join(" "), r.relation)
        })
        .collect();
    lines.sort_by_key(|l| l.split_whitespace().nth(1).map(str::to_owned));
    lines.push(String::new());
    lines.join("\n")
}
