//! One row of the route table: method, path, who may call, handler, documentation.

use std::sync::Arc;

use actix_web::{
    FromRequest, Handler, Responder,
    guard::{Any as any_of, Get, Head},
    http::Method,
    web,
};
use service::{ErrorCode, Role};

use crate::{
    doc::Doc,
    http::{ApiError, Code, HttpCode, sizes},
    limits::LimitClass,
};

/// Who may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anybody; a token is not looked at.
    Public,
    /// Anybody with a good token.
    SignedIn,
    /// Only these roles.
    Roles(&'static [Role]),
}

/// Customers and staff.
pub const CUSTOMERS: Access = Access::SignedIn;

/// Operations staff and administrators.
pub const STAFF: Access = Access::Roles(&[Role::Ops, Role::Admin]);

impl Access {
    /// May somebody of this role call at all? Whose records they see is the use case's question.
    pub fn allows(self, role: Role) -> bool {
        match self {
            Access::Public => true,
            Access::SignedIn => role != Role::Guest,
            Access::Roles(roles) => roles.contains(&role),
        }
    }
}

pub(crate) type Mount = Arc<dyn Fn() -> actix_web::Route + Send + Sync>;

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
    pub(crate) mount: Mount,
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
        Route { method, path, access, relation: "any", limit: None, body_limit: sizes::USUAL, doc: None, mount }
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

/// 405 that says what would be right.
pub fn method_not_allowed(allowed: String) -> ApiError {
    ApiError { params: vec![("allowed", allowed)], ..HttpCode::MethodNotAllowed.into() }
}
