//! The forms of the account pages as the document has them. The identity crate reads and judges them itself.

use serde::Deserialize;
use utoipa::ToSchema;

use crate::calls::values::LanguageCode;

/// What `POST /identity/api/sign-up` takes.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "documentation of identity's own form")]
pub(super) struct SignUpForm {
    #[schema(max_length = 254, example = "ana@example.test")]
    email: String,
    /// Not the e-mail.
    #[schema(min_length = 10, max_length = 200)]
    password: String,
    #[schema(min_length = 1, max_length = 80)]
    first_name: String,
    #[schema(min_length = 1, max_length = 80)]
    last_name: String,
    #[schema(value_type = Option<LanguageCode>)]
    language: Option<String>,
    /// Must be true.
    accept_terms: bool,
    #[schema(max_length = 40)]
    phone: Option<String>,
    /// Where to go on to.
    #[schema(max_length = 2000)]
    return_to: Option<String>,
}

/// What `POST /identity/api/sign-in` takes.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "documentation of identity's own form")]
pub(super) struct SignInForm {
    #[schema(max_length = 254)]
    email: String,
    #[schema(min_length = 1, max_length = 200)]
    password: String,
    /// Where to go on to.
    #[schema(max_length = 2000)]
    return_to: Option<String>,
}

/// What `POST /identity/api/forgot-password` takes.
#[derive(Deserialize, ToSchema)]
#[allow(dead_code, reason = "documentation of identity's own form")]
pub(super) struct ForgotPasswordForm {
    #[schema(max_length = 254)]
    email: String,
}

/// What `POST /identity/api/reset-password` takes.
#[derive(Deserialize, ToSchema)]
#[allow(dead_code, reason = "documentation of identity's own form")]
pub(super) struct ResetPasswordForm {
    /// From the link.
    #[schema(max_length = 200)]
    token: String,
    #[schema(min_length = 10, max_length = 200)]
    password: String,
}

/// What `POST /identity/api/change-password` takes.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "documentation of identity's own form")]
pub(super) struct ChangePasswordForm {
    #[schema(min_length = 1, max_length = 200)]
    current_password: String,
    #[schema(min_length = 10, max_length = 200)]
    password: String,
}

/// What `POST /identity/api/change-email` takes.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "documentation of identity's own form")]
pub(super) struct ChangeEmailForm {
    #[schema(min_length = 1, max_length = 200)]
    current_password: String,
    /// The new address.
    #[schema(max_length = 254, example = "ana.roy@example.test")]
    email: String,
}
