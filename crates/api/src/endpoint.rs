//! One row of the route table: method, path, who may call, what is written down of it, an example,
//! and the handler, whose types say the rest ([`Contract`]).

use std::{borrow::Cow, sync::Arc};

use actix_web::{
    FromRequest, Handler, Responder,
    guard::{Any as any_of, Get, Head},
    http::Method,
    web,
};
use serde_json::Value;
use service::{ErrorCode, Role};

use crate::{
    contract::{Contract, Declares},
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
pub const SIGNED_IN: Access = Access::SignedIn;

/// Operations staff and administrators.
pub const STAFF: Access = Access::Roles(&[Role::Ops, Role::Admin]);

/// Administrators.
pub const ADMIN: Access = Access::Roles(&[Role::Admin]);

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

/// Whose records somebody who may call reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// Everybody's, or nobody's: prices, settings, the back office.
    Any,
    /// The caller's. No path names them.
    Own,
    /// The caller's, by id; staff reach all of them. Somebody else's does not exist.
    OwnOrStaff,
    /// The same, and those of a move the caller is on the crew of.
    OwnStaffOrCrew,
    /// Those of a move the caller is on the crew of. Somebody else's does not exist.
    OnCrew,
    /// That of whoever knows its id.
    WhoeverKnowsTheId,
    /// That of whoever has the authorization code.
    WhoeverHasTheCode,
    /// That of whoever has the token.
    WhoeverHasTheToken,
    /// That of whoever has the link of a mail.
    WhoeverHasTheLink,
    /// That of the session cookie.
    Cookie,
    /// That of the access token, which the provider itself judges.
    Token,
    /// This machine's, unless configured.
    ThisMachine,
    /// The demo's.
    Demo,
}

impl Relation {
    /// As the policy and the document say it.
    pub const fn text(self) -> &'static str {
        match self {
            Relation::Any => "any",
            Relation::Own => "own",
            Relation::OwnOrStaff => "own; staff any",
            Relation::OwnStaffOrCrew => "own, or on its crew; staff any",
            Relation::OnCrew => "on its crew",
            Relation::WhoeverKnowsTheId => "whoever knows the id",
            Relation::WhoeverHasTheCode => "whoever has the code",
            Relation::WhoeverHasTheToken => "whoever has the token",
            Relation::WhoeverHasTheLink => "whoever has the link",
            Relation::Cookie => "the cookie's own",
            Relation::Token => "the token's own",
            Relation::ThisMachine => "this machine only, unless configured",
            Relation::Demo => "demo mode only",
        }
    }
}

/// What a call leaves on record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audit {
    /// It changes nothing.
    Looks,
    /// It changes something that no row is written about: a kept time, a token, what an outside
    /// service tells.
    Unrecorded,
    /// It changes something, and writes an audit row of this action under its request id.
    Action(&'static str),
}

impl Audit {
    /// As the policy says it.
    pub const fn text(self) -> &'static str {
        match self {
            Audit::Looks => "-",
            Audit::Unrecorded => "unrecorded",
            Audit::Action(action) => action,
        }
    }
}

/// The body of an example.
#[derive(Debug, Clone)]
pub enum Content {
    /// JSON.
    Json(Value),
    /// A form.
    Form(&'static [(&'static str, &'static str)]),
    /// A form with a file in it: name of the part, name and bytes of the file.
    File(&'static str, &'static str, &'static [u8]),
    /// A text of a media type: the type, and the text.
    Text(&'static str, &'static str),
}

/// A request that succeeds: by the person the row is for, of a record of their own. What only a
/// running system knows stands as a name in braces (`{refresh_token}`).
#[derive(Debug, Clone, Default)]
pub struct Example {
    /// Query parameters.
    pub query: &'static [(&'static str, &'static str)],
    /// Body.
    pub body: Option<Content>,
    /// Instead of the tail of a pattern.
    pub tail: &'static str,
    /// Instead of parts of the path that name no record: `("hub", "montreal")`.
    pub parts: &'static [(&'static str, &'static str)],
    /// The refusal it ends with, where success needs another installation than the usual one.
    pub refused: Option<HttpCode>,
}

impl Example {
    /// With a JSON body.
    pub fn json(body: Value) -> Example {
        Example { body: Some(Content::Json(body)), ..Example::default() }
    }

    /// With a form.
    pub fn form(pairs: &'static [(&'static str, &'static str)]) -> Example {
        Example { body: Some(Content::Form(pairs)), ..Example::default() }
    }

    /// With a file in the part of a form.
    pub fn file(part: &'static str, name: &'static str, bytes: &'static [u8]) -> Example {
        Example { body: Some(Content::File(part, name, bytes)), ..Example::default() }
    }

    /// With a text of a media type.
    pub fn text(media: &'static str, text: &'static str) -> Example {
        Example { body: Some(Content::Text(media, text)), ..Example::default() }
    }

    /// With query parameters.
    pub fn query(pairs: &'static [(&'static str, &'static str)]) -> Example {
        Example { query: pairs, ..Example::default() }
    }

    /// With these parts of the path.
    pub fn at(mut self, parts: &'static [(&'static str, &'static str)]) -> Example {
        self.parts = parts;
        self
    }
}

pub(crate) type Mount = Arc<dyn Fn() -> actix_web::Route + Send + Sync>;

/// One call.
#[derive(Clone)]
pub struct Route {
    /// Verb.
    pub method: Method,
    /// Path pattern, `/api/bookings/{id}`.
    pub path: &'static str,
    /// Who may call.
    pub access: Access,
    /// Whose records they reach.
    pub relation: Relation,
    /// What it leaves on record.
    pub audit: Audit,
    /// What its calls are counted as.
    pub limit: Option<LimitClass>,
    /// The largest body it reads, bytes.
    pub body_limit: usize,
    /// What the types of its handler say.
    pub contract: Contract,
    /// A request that succeeds.
    pub example: Example,
    /// Documentation; none for simulators.
    pub doc: Option<Doc>,
    pub(crate) mount: Mount,
}

impl Route {
    fn new<F, Args>(method: Method, path: &'static str, access: Access, audit: Audit, handler: F) -> Route
    where
        F: Handler<Args> + Send + Sync,
        Args: FromRequest + Declares + 'static,
        F::Output: Responder + Declares + 'static,
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
        Route {
            method,
            path,
            access,
            relation: Relation::Any,
            audit,
            limit: None,
            body_limit: sizes::USUAL,
            contract: Contract::of::<Args, F::Output>(),
            example: Example::default(),
            doc: None,
            mount,
        }
    }

    /// A GET, which answers HEAD as well. It changes nothing, unless [`Route::audited`] says so.
    pub fn get<F, Args>(path: &'static str, access: Access, handler: F) -> Route
    where
        F: Handler<Args> + Send + Sync,
        Args: FromRequest + Declares + 'static,
        F::Output: Responder + Declares + 'static,
    {
        Route::new(Method::GET, path, access, Audit::Looks, handler)
    }

    /// A POST.
    pub fn post<F, Args>(path: &'static str, access: Access, audit: Audit, handler: F) -> Route
    where
        F: Handler<Args> + Send + Sync,
        Args: FromRequest + Declares + 'static,
        F::Output: Responder + Declares + 'static,
    {
        Route::new(Method::POST, path, access, audit, handler)
    }

    /// A PUT.
    pub fn put<F, Args>(path: &'static str, access: Access, audit: Audit, handler: F) -> Route
    where
        F: Handler<Args> + Send + Sync,
        Args: FromRequest + Declares + 'static,
        F::Output: Responder + Declares + 'static,
    {
        Route::new(Method::PUT, path, access, audit, handler)
    }

    /// A DELETE.
    pub fn delete<F, Args>(path: &'static str, access: Access, audit: Audit, handler: F) -> Route
    where
        F: Handler<Args> + Send + Sync,
        Args: FromRequest + Declares + 'static,
        F::Output: Responder + Declares + 'static,
    {
        Route::new(Method::DELETE, path, access, audit, handler)
    }

    /// Says whose records are reached.
    pub fn relation(mut self, relation: Relation) -> Route {
        self.relation = relation;
        self
    }

    /// What a GET changes all the same, because a protocol or a link in a mail has it so.
    pub fn audited(mut self, audit: Audit) -> Route {
        self.audit = audit;
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

    /// Shows how it is called.
    pub fn example(mut self, example: Example) -> Route {
        self.example = example;
        self
    }

    /// Names it: operation id, group, and one line of what it does.
    pub fn doc(mut self, id: &'static str, tag: &'static str, summary: &'static str) -> Route {
        self.doc = Some(Doc { id, tag, summary, about: "" });
        self
    }

    /// What else there is to know.
    pub fn about(mut self, text: &'static str) -> Route {
        if let Some(doc) = &mut self.doc {
            doc.about = text;
        }
        self
    }

    /// Its name in messages.
    pub fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    /// Every reason it may refuse with: those of its handler, and those of its place in the table.
    pub fn codes(&self) -> Vec<Code> {
        let mut codes = Contract { codes: self.contract.codes.clone(), ..Contract::default() };
        if self.access != Access::Public {
            codes.refuses(&[ErrorCode::SignInNeeded]);
            codes.refuses_http(&[HttpCode::InvalidToken]);
        }
        if matches!(self.access, Access::Roles(_)) {
            codes.refuses(&[ErrorCode::Forbidden]);
        }
        if self.limit.is_some() {
            codes.refuses_http(&[HttpCode::TooManyRequests]);
        }
        codes.refuses_http(&[HttpCode::Internal]);
        codes.refuses(&[ErrorCode::Busy]);
        codes.codes
    }

    /// The path of its example, of the record with this id.
    pub fn path_of(&self, id: &str) -> String {
        let tail = self
            .path
            .split_once("{tail")
            .map_or(Cow::Borrowed(self.path), |(before, _)| Cow::Owned(format!("{before}{}", self.example.tail)));
        let parts = self.example.parts.iter();
        parts.fold(tail.replace("{id}", id), |path, (name, part)| path.replace(&format!("{{{name}}}"), part))
    }
}

/// 405 that says what would be right.
pub fn method_not_allowed(allowed: String) -> ApiError {
    ApiError { params: vec![("allowed", allowed)], ..HttpCode::MethodNotAllowed.into() }
}
