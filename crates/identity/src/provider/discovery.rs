//! The discovery document.

use jsonwebtoken::jwk::JwkSet;
use serde::Serialize;

use super::scope;
use crate::Identity;

/// `/.well-known/openid-configuration` (OpenID Connect Discovery 1.0 §3, RFC 8414, RFC 9207).
#[derive(Debug, Clone, Serialize)]
#[allow(missing_docs, reason = "the names are the standard's own")]
pub struct Discovery {
    pub issuer: String,
    pub authorization_endpoint: String,
    pub token_endpoint: String,
    pub userinfo_endpoint: String,
    pub jwks_uri: String,
    pub end_session_endpoint: String,
    pub revocation_endpoint: String,
    pub scopes_supported: Vec<&'static str>,
    pub response_types_supported: [&'static str; 1],
    pub response_modes_supported: [&'static str; 1],
    pub grant_types_supported: [&'static str; 3],
    pub subject_types_supported: [&'static str; 1],
    pub id_token_signing_alg_values_supported: [&'static str; 1],
    pub token_endpoint_auth_methods_supported: [&'static str; 3],
    pub revocation_endpoint_auth_methods_supported: [&'static str; 1],
    pub code_challenge_methods_supported: [&'static str; 1],
    pub ui_locales_supported: [&'static str; 3],
    pub prompt_values_supported: [&'static str; 5],
    pub claims_supported: [&'static str; 14],
    pub claims_parameter_supported: bool,
    pub request_parameter_supported: bool,
    pub request_uri_parameter_supported: bool,
    pub authorization_response_iss_parameter_supported: bool,
}

impl Identity {
    /// What a client needs to know to use this provider.
    pub fn discovery(&self) -> Discovery {
        let issuer = self.issuer();
        let at = |path: &str| format!("{issuer}{path}");
        Discovery {
            authorization_endpoint: at("/authorize"),
            token_endpoint: at("/token"),
            userinfo_endpoint: at("/userinfo"),
            jwks_uri: at("/jwks"),
            end_session_endpoint: at("/end_session"),
            revocation_endpoint: at("/revoke"),
            scopes_supported: scope::SUPPORTED.into_iter().chain([scope::MACHINE]).collect(),
            response_types_supported: ["code"],
            response_modes_supported: ["query"],
            grant_types_supported: ["authorization_code", "refresh_token", "client_credentials"],
            subject_types_supported: ["public"],
            id_token_signing_alg_values_supported: ["ES256"],
            token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
            revocation_endpoint_auth_methods_supported: ["none"],
            code_challenge_methods_supported: ["S256"],
            ui_locales_supported: ["en", "fr", "zh"],
            prompt_values_supported: ["none", "login", "consent", "select_account", "create"],
            claims_supported: [
                "iss",
                "sub",
                "aud",
                "exp",
                "iat",
                "auth_time",
                "nonce",
                "sid",
                "name",
                "given_name",
                "family_name",
                "locale",
                "email",
                "email_verified",
            ],
            claims_parameter_supported: false,
            request_parameter_supported: false,
            request_uri_parameter_supported: false,
            authorization_response_iss_parameter_supported: true,
            issuer,
        }
    }

    /// The public keys.
    pub fn jwks(&self) -> JwkSet {
        self.deps.keys.jwks()
    }
}
