//! HTTP itself: bodies, parameters, problems, preconditions, languages.

pub mod bodies;
pub mod body;
pub mod bounds;
pub mod codes;
pub mod csv;
pub mod details;
pub mod json;
pub mod media;
pub mod nul;
pub mod path;
pub mod plain_text;
pub mod precondition;
pub mod problem;
pub mod query;
pub mod request;
pub mod sizes;
pub mod texts;
pub mod upload;

pub use codes::{Code, HttpCode};
pub use json::ValidJson;
pub use path::{PathDay, PathHub, PathTemplate};
pub use precondition::{IdempotencyKey, IfMatch, Version};
pub use problem::ApiError;
pub use query::{PathId, RawQuery, ValidQuery};
pub use request::RequestId;
