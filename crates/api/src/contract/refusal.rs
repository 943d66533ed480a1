//! Why a call refuses: an enum of the call, made by [`refusals`], and what every call may answer.
//!
//! What a handler raises is checked when it is compiled. A [`Refusal`] is made of three things only:
//!
//! - a [`Reason`] of the enum that the handler's answer names, which the row declares by the same type;
//! - a [`CommonError`], whose few codes the arguments of a handler and the table declare;
//! - a [`service::Error`] that a use case answered.
//!
//! The last is not checked when it is compiled: use cases of one noun share code, and `service::Error` has all their codes.
//! It is not checked where it is converted either: there only the enum of the call is known, and not what its arguments
//! declare (`version_conflict` of `Version`, `not_found` of `PathId`). The guard in `access` knows the whole row. In every
//! build it compares each refusal with the row and logs an undeclared code as an error; a debug build, so every test, panics.
//! The answer stays what the use case said in a release build: it is true, only the document lacks it, and a 500 in its place
//! would tell the client less.
//!
//! A handler could still make a `service::Error` of an `ErrorCode` by itself. The test below finds that in the sources.

use std::{fmt, marker::PhantomData};

use service::{ErrorCode, FieldProblem};

use super::{Contract, Declares};
use crate::http::{
    codes::Code,
    problem::{ApiError, Field},
};

/// A reason of a call. Only [`refusals`] implements it: a row declares all of [`Reason::ALL`].
pub trait Reason: Copy + 'static {
    /// Every reason of the enum.
    const ALL: &'static [Self];

    /// The code of the reason.
    fn code(self) -> Code;
}

/// Why a call refuses, of its own: an enum made by [`refusals`], or nothing (`()`).
pub trait Refusals: 'static {
    /// All of them.
    fn codes() -> Vec<Code>;
}

impl Refusals for () {
    fn codes() -> Vec<Code> {
        Vec::new()
    }
}

impl<N: Reason> Refusals for N {
    fn codes() -> Vec<Code> {
        N::ALL.iter().map(|reason| reason.code()).collect()
    }
}

/// Reasons that several calls share, and those of one.
impl<A: Refusals, B: Refusals> Refusals for (A, B) {
    fn codes() -> Vec<Code> {
        [A::codes(), B::codes()].concat()
    }
}

/// Makes the enum of the reasons of a call: `refusals!(TipRefusal { Rule: TipInvalid, TipLocked })`.
#[macro_export]
macro_rules! refusals {
    ($(#[$doc:meta])* $name:ident { $($layer:ident: $($code:ident),+);+ $(;)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(missing_docs, reason = "each is the code of that name")]
        pub enum $name {
            $($($code,)+)+
        }

        impl $crate::contract::Reason for $name {
            const ALL: &'static [$name] = &[$($($name::$code,)+)+];

            fn code(self) -> $crate::http::codes::Code {
                match self {
                    $($($name::$code => $crate::contract::refusals!(@ $layer $code),)+)+
                }
            }
        }
    };
    (@ Rule $code:ident) => { $crate::http::codes::Code::Rule(service::ErrorCode::$code) };
    (@ Http $code:ident) => { $crate::http::codes::Code::Http($crate::http::codes::HttpCode::$code) };
}
pub use refusals;

/// What every call may answer, without a reason of its own: a request that does not fit (400, 422), and that we are busy or at
/// fault (503, 500). Arguments that read a request declare the first two, the table declares the others.
#[derive(Debug)]
pub struct CommonError(ApiError);

impl CommonError {
    /// Not readable; `reason`, a member of the body, is for programmers, in English.
    pub fn malformed(reason: impl Into<String>) -> CommonError {
        CommonError(ApiError::malformed(reason))
    }

    /// Refused fields.
    pub fn invalid(fields: Vec<Field>) -> CommonError {
        CommonError(ApiError::invalid(fields))
    }

    /// One refused field.
    pub fn field(path: impl Into<String>, problem: FieldProblem) -> CommonError {
        CommonError(ApiError::field(path, problem))
    }

    /// Not now; in a second again.
    pub fn busy() -> CommonError {
        CommonError(ApiError { retry_after: Some(1), ..ApiError::rule(ErrorCode::Busy) })
    }

    /// Our fault; `cause` goes to the log.
    pub fn internal(cause: impl fmt::Display) -> CommonError {
        CommonError(ApiError::internal(cause))
    }

    /// The fields it is about.
    #[must_use]
    pub fn about(self, fields: Vec<Field>) -> CommonError {
        CommonError(ApiError { fields, ..self.0 })
    }
}

impl From<CommonError> for ApiError {
    fn from(e: CommonError) -> ApiError {
        e.0
    }
}

/// A refused call. `E` names the reasons this call has of its own. What is told besides a reason never changes its code.
#[derive(Debug)]
pub struct Refusal<E = ()>(ApiError, PhantomData<fn() -> E>);

impl<E> Refusal<E> {
    // Private: what is converted to a refusal is listed at the head of this file.
    fn of(e: ApiError) -> Refusal<E> {
        Refusal(e, PhantomData)
    }

    /// One refused field.
    pub fn field(path: impl Into<String>, problem: FieldProblem) -> Refusal<E> {
        CommonError::field(path, problem).into()
    }

    /// With a value of its message.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl ToString) -> Refusal<E> {
        self.0.params.push((name, value.to_string()));
        self
    }

    /// May be tried again in so many seconds, at least one, which its message tells.
    #[must_use]
    pub fn after(mut self, seconds: u64) -> Refusal<E> {
        let seconds = seconds.max(1);
        self.0.retry_after = Some(seconds);
        self.with("seconds", seconds)
    }

    /// The fields it is about.
    #[must_use]
    pub fn about(mut self, fields: Vec<Field>) -> Refusal<E> {
        self.0.fields = fields;
        self
    }

    /// With other paths of the fields.
    #[must_use]
    pub fn renamed(mut self, rename: impl Fn(&str) -> String) -> Refusal<E> {
        for field in &mut self.0.fields {
            field.path = rename(&field.path);
        }
        self
    }
}

impl<A, N: Reason> Refusal<(A, N)> {
    /// For a reason of the call itself, where it shares others.
    pub fn own(reason: N) -> Refusal<(A, N)> {
        Refusal::of(ApiError::new(reason.code()))
    }
}

impl<N: Reason> From<N> for Refusal<N> {
    fn from(reason: N) -> Self {
        Refusal::of(ApiError::new(reason.code()))
    }
}

impl<N: Reason, E> From<N> for Refusal<(N, E)> {
    fn from(reason: N) -> Self {
        Refusal::of(ApiError::new(reason.code()))
    }
}

impl<E> From<CommonError> for Refusal<E> {
    fn from(e: CommonError) -> Self {
        Refusal::of(e.0)
    }
}

/// What a use case answers; the guard compares it with the row.
impl<E> From<service::Error> for Refusal<E> {
    fn from(e: service::Error) -> Self {
        Refusal::of(e.into())
    }
}

/// What carries it to the middleware is the bare error.
impl<E> From<Refusal<E>> for actix_web::Error {
    fn from(refusal: Refusal<E>) -> Self {
        refusal.0.into()
    }
}

impl<A: Declares, E: Refusals> Declares for Result<A, Refusal<E>> {
    fn declare(contract: &mut Contract) {
        A::declare(contract);
        E::codes().into_iter().for_each(|c| contract.refuses_code(c));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::{Code, ErrorCode, Refusal, Refusals};
    use crate::http::codes::HttpCode;
    use std::{fs, path::Path};

    refusals! {
        /// Two reasons, one of each layer.
        TestRefusal { Rule: TipLocked; Http: LinkExpired }
    }

    #[test]
    fn an_enum_declares_what_it_raises() {
        let codes = [Code::Rule(ErrorCode::TipLocked), Code::Http(HttpCode::LinkExpired)];
        assert_eq!(TestRefusal::codes(), codes);
        assert_eq!(<((), TestRefusal)>::codes(), codes);
        let bare: Refusal<TestRefusal> = TestRefusal::TipLocked.into();
        assert_eq!(bare.0.code, codes[0]);
        let told = Refusal::<((), TestRefusal)>::own(TestRefusal::LinkExpired).after(0).with("n", 2);
        assert_eq!((told.0.code, told.0.retry_after), (codes[1], Some(1)));
        assert_eq!(told.0.params, [("seconds", "1".to_owned()), ("n", "2".to_owned())]);
    }

    /// The one way around the enum of a call is a `service::Error` made by the handler. A pattern may name a code.
    #[test]
    fn no_handler_makes_a_code_of_a_use_case() {
        fn look(folder: &Path, found: &mut Vec<String>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    look(&path, found);
                } else {
                    let text = fs::read_to_string(&path).unwrap_or_default();
                    let lines = text.lines().filter(|l| {
                        let is_pattern = l.contains("Error::Refused(ErrorCode::") && l.contains(", _)");
                        l.contains("ErrorCode::") && !is_pattern
                    });
                    found.extend(lines.map(|l| format!("{}: {}", path.display(), l.trim())));
                }
            }
        }
        let mut found = Vec::new();
        for folder in ["src/calls", "../simulators/src"] {
            look(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut found);
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}
