//! Query parameters and path parts, refused by name.

use std::{
    collections::HashMap,
    future::{Ready, ready},
    str::FromStr,
};

use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use service::{ErrorCode, FieldProblem};

use super::problem::{ApiError, Field};

/// A bound of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// The most characters.
    Characters(usize),
    /// The least and the most.
    Number(f64, f64),
}

/// The query of a request; a name that appears twice counts once (the last).
#[derive(Debug)]
pub struct Query(HashMap<String, String>);

impl FromRequest for Query {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Query::read(req.query_string()))
    }
}

impl Query {
    /// Parses a query string.
    ///
    /// # Errors
    /// 400 when it is not one, 422 for a value with U+0000 (see [`super::nul`]).
    pub fn read(query: &str) -> Result<Query, ApiError> {
        web::Query::<Vec<(String, String)>>::from_query(query)
            .map_err(|_| ApiError::malformed("the query string cannot be read"))
            .and_then(|q| match q.iter().find(|(name, value)| name.contains('\0') || value.contains('\0')) {
                Some((name, _)) => Err(ApiError::field(name.as_str(), FieldProblem::Invalid)),
                None => Ok(Query(q.into_inner().into_iter().collect())),
            })
    }

    /// Refuses what is beyond the bounds the document names. What is no number is left to whoever
    /// reads it.
    ///
    /// # Errors
    /// 422 with the parameter.
    pub fn bounded(query: &str, bounds: &[(&'static str, Bound)]) -> Result<(), ApiError> {
        if query.is_empty() || bounds.is_empty() {
            return Ok(());
        }
        let query = Query::read(query)?;
        for (name, bound) in bounds {
            let Some(text) = query.text(name) else { continue };
            let problem = match bound {
                Bound::Characters(most) if text.chars().count() > *most => FieldProblem::TooLong,
                Bound::Number(least, most) if text.parse().is_ok_and(|n: f64| n < *least || n > *most) => {
                    FieldProblem::OutOfRange
                }
                _ => continue,
            };
            return Err(ApiError::field(*name, problem));
        }
        Ok(())
    }

    /// Whether `name` is there, whatever it says.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The text of `name`, trimmed; none when absent or empty.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|v| v.trim()).filter(|v| !v.is_empty())
    }

    /// The text of `name`.
    ///
    /// # Errors
    /// 422 when it is absent, empty or longer than `max` characters.
    pub fn required(&self, name: &str, max: usize) -> Result<&str, ApiError> {
        let text = self.text(name).ok_or_else(|| ApiError::field(name, FieldProblem::Required))?;
        if text.chars().count() > max { Err(ApiError::field(name, FieldProblem::TooLong)) } else { Ok(text) }
    }

    /// A whole number within bounds.
    ///
    /// # Errors
    /// 400 when it is not one, 422 when it is out of bounds.
    pub fn integer(&self, name: &str, min: i64, max: i64) -> Result<Option<i64>, ApiError> {
        let Some(text) = self.text(name) else { return Ok(None) };
        let value: i64 = text.parse().map_err(|_| wrong_type(name, "a whole number"))?;
        if (min..=max).contains(&value) {
            Ok(Some(value))
        } else {
            Err(ApiError::field(name, FieldProblem::OutOfRange))
        }
    }

    /// `true` or `false`; absent is false.
    ///
    /// # Errors
    /// 400 for anything else.
    pub fn flag(&self, name: &str) -> Result<bool, ApiError> {
        match self.text(name) {
            None | Some("false" | "0") => Ok(false),
            Some("true" | "1") => Ok(true),
            Some(_) => Err(wrong_type(name, "true or false")),
        }
    }

    /// A decimal number.
    ///
    /// # Errors
    /// 422 when absent, 400 when it is not one.
    pub fn decimal(&self, name: &str) -> Result<f64, ApiError> {
        let text = self.required(name, 40)?;
        text.parse().ok().filter(|v: &f64| v.is_finite()).ok_or_else(|| wrong_type(name, "a number"))
    }

    /// A value with a form of its own (a date, a province, a postal code).
    ///
    /// # Errors
    /// 422 when it does not have that form.
    pub fn value<T: FromStr>(&self, name: &str) -> Result<Option<T>, ApiError> {
        match self.text(name) {
            None => Ok(None),
            Some(text) => text.parse().map(Some).map_err(|_| ApiError::field(name, FieldProblem::Invalid)),
        }
    }

    /// `page` (from 1) and `per_page` (1 to 100).
    ///
    /// # Errors
    /// As [`Query::integer`].
    pub fn page(&self, default_size: i64) -> Result<(i64, i64), ApiError> {
        Ok((
            self.integer("page", 1, 1_000_000)?.unwrap_or(1),
            self.integer("per_page", 1, 100)?.unwrap_or(default_size),
        ))
    }
}

fn wrong_type(name: &str, expected: &str) -> ApiError {
    ApiError { fields: vec![Field::wrong_type(name)], ..ApiError::malformed(format!("{name} must be {expected}")) }
}

/// The id in a path. Whatever is not an id names nothing: 404.
#[derive(Debug)]
pub struct PathId<T>(pub T);

impl<T: FromStr> FromRequest for PathId<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let id = req.match_info().get("id").and_then(|t| t.parse().ok());
        ready(id.map(PathId).ok_or_else(|| ErrorCode::NotFound.into()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use actix_web::ResponseError;

    #[test]
    fn texts_are_bounded_by_name() {
        let bounds =
            [("q", Bound::Characters(3)), ("city", Bound::Characters(5)), ("lon", Bound::Number(-180.0, 180.0))];
        let bounded = |query: &str| Query::bounded(query, &bounds);
        for fine in [
            "",
            "q=abc",
            "q=%20abc%20",
            "q=%C3%A9%C3%A9%C3%A9",
            "other=0123456789",
            "q=abcd&q=abc",
            "lon=-180",
            "lon=x",
        ] {
            assert!(bounded(fine).is_ok(), "{fine}");
        }
        for (wrong, field) in [("q=abcd", "q"), ("q=abc&city=abcdef", "city"), ("lon=180.1", "lon")] {
            assert_eq!(bounded(wrong).unwrap_err().fields[0].path, field, "{wrong}");
        }
    }

    #[test]
    fn parameters_are_read_or_refused_by_name() {
        let q = Query::read("page=0&days=7&just=true&q=%20rue%20&date=2027-02-30&lat=NaN").unwrap();
        let status = |e: ApiError| e.status_code().as_u16();
        assert_eq!(status(q.page(5).unwrap_err()), 422);
        assert_eq!(q.integer("days", 1, 42).unwrap(), Some(7));
        assert!(q.flag("just").unwrap() && !q.flag("nothing").unwrap());
        assert_eq!(q.required("q", 3).unwrap(), "rue");
        assert_eq!(status(q.required("q", 2).unwrap_err()), 422);
        assert_eq!(status(q.value::<kernel::chrono::NaiveDate>("date").unwrap_err()), 422);
        assert_eq!(status(q.decimal("lat").unwrap_err()), 400);
        assert_eq!(status(Query::read("days=x").unwrap().integer("days", 1, 42).unwrap_err()), 400);
    }
}
