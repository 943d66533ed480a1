//! The OpenID Connect provider: authorization code with PKCE for the web app, refresh tokens that
//! rotate, `client_credentials` for partners' machines.
//!
//! Each call takes the raw query or form text and answers plain values; the API crate mounts
//!
//! | method, path | call |
//! | --- | --- |
//! | GET `/identity/.well-known/openid-configuration` | [`Identity::discovery`](crate::Identity::discovery) |
//! | GET `/identity/jwks` | [`Identity::jwks`](crate::Identity::jwks) |
//! | GET, POST `/identity/authorize` | [`Identity::authorize`](crate::Identity::authorize) |
//! | POST `/identity/token` | [`Identity::token`](crate::Identity::token) |
//! | POST `/identity/revoke` | [`Identity::revoke`](crate::Identity::revoke) |
//! | GET, POST `/identity/userinfo` | [`Identity::userinfo`](crate::Identity::userinfo) |
//! | GET, POST `/identity/end_session` | [`Identity::end_session`](crate::Identity::end_session) |

mod authorize;
pub(crate) mod claims;
mod code_grant;
mod discovery;
mod end_session;
mod machines;
mod params;
mod refresh_grant;
mod revoke;
mod scope;
#[cfg(test)]
mod tests;
mod token;
mod userinfo;

use kernel::chrono::Duration;

pub use authorize::{AuthorizeAnswer, AuthorizeRefusal};
pub(crate) use claims::ACCESS as ACCESS_TOKEN_TYPE;
pub use discovery::Discovery;
pub use end_session::EndSessionAnswer;
pub use machines::{MachineClientError, NewMachineClient};
pub use token::{ProviderAnswer, TokenFields};

/// How long a code may be redeemed.
pub const CODE_LIFE: Duration = Duration::seconds(60);
/// How long access and ID tokens live.
pub const TOKEN_LIFE: Duration = Duration::minutes(15);
/// How long a family of refresh tokens lives, however often it rotates.
pub const REFRESH_LIFE: Duration = Duration::days(14);
