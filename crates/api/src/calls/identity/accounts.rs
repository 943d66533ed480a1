//! What the account pages call. The session is a cookie; every call must come from our own pages.

use actix_web::{HttpRequest, HttpResponse, http::StatusCode, http::header, web};
use identity::accounts::{
    ChangePassword, ChangePasswordError, Failure, FieldCode, FieldError, ForgotPassword, ResendError, ResetPassword,
    ResetPasswordError, SignIn, SignInError, SignUp, SignUpError, SignedIn,
};
use serde::{Deserialize, Serialize};
use service::{ErrorCode, ports::StoreError};
use utoipa::ToSchema;

use super::shared::{context, provider, redirect, same_site, with_cookies};
use crate::{
    calls::values::LanguageCode,
    doc::{Doc, Param},
    endpoint::Access,
    endpoint::Route,
    http::{ApiError, HttpCode, Query, json::PlainJson, problem::Field},
    limits::LimitClass,
    state::State,
};

/// What `POST /identity/api/sign-up` takes.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code, reason = "documentation of identity's own form")]
struct SignUpForm {
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
struct SignInForm {
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
struct ForgotPasswordForm {
    #[schema(max_length = 254)]
    email: String,
}

/// What `POST /identity/api/reset-password` takes.
#[derive(Deserialize, ToSchema)]
#[allow(dead_code, reason = "documentation of identity's own form")]
struct ResetPasswordForm {
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
struct ChangePasswordForm {
    #[schema(min_length = 1, max_length = 200)]
    current_password: String,
    #[schema(min_length = 10, max_length = 200)]
    password: String,
}

/// Somebody is signed in now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SignedInAnswer {
    user_id: String,
    email_verified: bool,
    /// Path of our own site to go on to.
    redirect_to: String,
}

/// Who is signed in with this browser.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SessionAnswer {
    signed_in: bool,
    user_id: Option<String>,
    email: Option<String>,
    email_verified: Option<bool>,
}

const fn message(code: FieldCode) -> &'static str {
    match code {
        FieldCode::Required => "form.required",
        FieldCode::Invalid => "form.invalid",
        FieldCode::TooLong | FieldCode::PasswordTooLong => "field.tooLong",
        FieldCode::PasswordTooShort => "field.passwordTooShort",
        FieldCode::PasswordIsEmail => "field.passwordIsEmail",
        FieldCode::PasswordWrong => "field.passwordWrong",
        FieldCode::TermsRequired => "terms.required",
        FieldCode::EmailTaken => "field.emailTaken",
    }
}

fn invalid(errors: Vec<FieldError>) -> ApiError {
    let only = |code| errors.iter().all(|e| e.code == code);
    let reason = if errors.iter().any(|e| e.code == FieldCode::EmailTaken) {
        ApiError::from(HttpCode::EmailTaken)
    } else if only(FieldCode::TermsRequired) {
        HttpCode::TermsRequired.into()
    } else {
        ErrorCode::ValidationFailed.into()
    };
    let field = |e: &FieldError| Field { path: e.field.to_owned(), code: e.code.code(), message: message(e.code) };
    ApiError { fields: errors.iter().map(field).collect(), ..reason }
}

fn failed(e: Failure) -> ApiError {
    match e {
        Failure::Store(e) => service::Error::Store(e).into(),
        other => ApiError::internal(other),
    }
}

fn store(e: StoreError) -> ApiError {
    service::Error::Store(e).into()
}

fn too_many(seconds: i64) -> ApiError {
    ApiError::too_many(u64::try_from(seconds).unwrap_or(1).max(1))
}

fn locked(seconds: i64) -> ApiError {
    let seconds = u64::try_from(seconds).unwrap_or(1).max(1);
    ApiError {
        params: vec![("seconds", seconds.to_string())],
        retry_after: Some(seconds),
        ..HttpCode::AccountLocked.into()
    }
}

impl From<SignUpError> for ApiError {
    fn from(e: SignUpError) -> ApiError {
        match e {
            SignUpError::Invalid(errors) => invalid(errors),
            SignUpError::TooMany { retry_after } => too_many(retry_after),
            SignUpError::Failed(e) => failed(e),
        }
    }
}

impl From<SignInError> for ApiError {
    fn from(e: SignInError) -> ApiError {
        match e {
            SignInError::Invalid(errors) => invalid(errors),
            SignInError::WrongCredentials => HttpCode::WrongCredentials.into(),
            SignInError::TooManyAttempts { retry_after, .. } => locked(retry_after),
            SignInError::Failed(e) => failed(e),
        }
    }
}

impl From<ResetPasswordError> for ApiError {
    fn from(e: ResetPasswordError) -> ApiError {
        match e {
            ResetPasswordError::Invalid(errors) => invalid(errors),
            ResetPasswordError::LinkDead => HttpCode::LinkExpired.into(),
            ResetPasswordError::TooMany { retry_after } => too_many(retry_after),
            ResetPasswordError::Failed(e) => failed(e),
        }
    }
}

impl From<ChangePasswordError> for ApiError {
    fn from(e: ChangePasswordError) -> ApiError {
        match e {
            ChangePasswordError::Invalid(errors) => invalid(errors),
            ChangePasswordError::NotSignedIn => ErrorCode::SignInNeeded.into(),
            ChangePasswordError::TooManyAttempts { retry_after } => locked(retry_after),
            ChangePasswordError::Failed(e) => failed(e),
        }
    }
}

fn signed_in(status: StatusCode, done: &SignedIn) -> Result<HttpResponse, ApiError> {
    let body = SignedInAnswer {
        user_id: done.user_id.to_string(),
        email_verified: done.email_verified,
        redirect_to: done.redirect_to.clone(),
    };
    Ok(with_cookies(HttpResponse::build(status), &done.set_cookies).json(body))
}

fn done() -> HttpResponse {
    with_cookies(HttpResponse::build(StatusCode::NO_CONTENT), &[]).finish()
}

type Done = Result<HttpResponse, ApiError>;

async fn sign_up(req: HttpRequest, state: web::Data<State>, form: PlainJson<SignUp, SignUpForm>) -> Done {
    same_site(&req, &state)?;
    let made = provider(&state)?.sign_up(form.0, &context(&req, &state)).await?;
    signed_in(StatusCode::CREATED, &made)
}

async fn sign_in(req: HttpRequest, state: web::Data<State>, form: PlainJson<SignIn, SignInForm>) -> Done {
    same_site(&req, &state)?;
    signed_in(StatusCode::OK, &provider(&state)?.sign_in(form.0, &context(&req, &state)).await?)
}

async fn sign_out(req: HttpRequest, state: web::Data<State>) -> Done {
    // No body to demand JSON of: the origin alone decides.
    let from_elsewhere =
        super::shared::provenance(&req).origin(&state.config.public_url) == identity::csrf::Origin::Foreign;
    if from_elsewhere {
        return Err(HttpCode::CrossSiteRefused.into());
    }
    let out = provider(&state)?.sign_out(&context(&req, &state)).await.map_err(store)?;
    Ok(with_cookies(HttpResponse::build(StatusCode::NO_CONTENT), &out.set_cookies).finish())
}

async fn forgot(
    req: HttpRequest,
    state: web::Data<State>,
    form: PlainJson<ForgotPassword, ForgotPasswordForm>,
) -> Done {
    same_site(&req, &state)?;
    provider(&state)?.forgot_password(form.0, &context(&req, &state)).await?;
    Ok(done())
}

async fn reset(req: HttpRequest, state: web::Data<State>, form: PlainJson<ResetPassword, ResetPasswordForm>) -> Done {
    same_site(&req, &state)?;
    let set = provider(&state)?.reset_password(form.0, &context(&req, &state)).await?;
    Ok(with_cookies(HttpResponse::build(StatusCode::NO_CONTENT), &set.set_cookies).finish())
}

async fn change(
    req: HttpRequest,
    state: web::Data<State>,
    form: PlainJson<ChangePassword, ChangePasswordForm>,
) -> Done {
    same_site(&req, &state)?;
    let set = provider(&state)?.change_password(form.0, &context(&req, &state)).await?;
    Ok(with_cookies(HttpResponse::build(StatusCode::NO_CONTENT), &set.set_cookies).finish())
}

async fn resend(req: HttpRequest, state: web::Data<State>) -> Done {
    let from_elsewhere =
        super::shared::provenance(&req).origin(&state.config.public_url) == identity::csrf::Origin::Foreign;
    if from_elsewhere {
        return Err(HttpCode::CrossSiteRefused.into());
    }
    provider(&state)?.resend_verification(&context(&req, &state)).await.map_err(|e| match e {
        ResendError::NotSignedIn => ApiError::from(ErrorCode::SignInNeeded),
        ResendError::Store(e) => store(e),
    })?;
    Ok(done())
}

async fn session(req: HttpRequest, state: web::Data<State>) -> Done {
    let active = provider(&state)?.session(&context(&req, &state)).await.map_err(store)?;
    let body = SessionAnswer {
        signed_in: active.is_some(),
        user_id: active.as_ref().map(|a| a.account.id.to_string()),
        email: active.as_ref().and_then(|a| a.account.email.as_ref().map(ToString::to_string)),
        email_verified: active.as_ref().map(|a| a.account.email_verified),
    };
    Ok(HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-store")).json(body))
}

async fn verify(req: HttpRequest, state: web::Data<State>, query: Query) -> Done {
    let token = query.text("token").unwrap_or("").to_owned();
    let landing = provider(&state)?.open_verification(&token, &context(&req, &state)).await.map_err(store)?;
    Ok(redirect(&landing.location, &landing.set_cookies))
}

/// Its part of the table.
pub(super) fn routes() -> Vec<Route> {
    const TAG: &str = "Accounts";
    let post = |path, id, summary: &'static str| {
        (path, Doc::new(id, TAG, summary).refuses_http(&[HttpCode::CrossSiteRefused]))
    };
    // The longest return address, every character escaped.
    let cookie = |r: Route| r.relation("the cookie's own").limited(LimitClass::SignIn).takes(16 * 1024);
    let (up, up_doc) = post("/identity/api/sign-up", "signUp", "Make an account and sign in with it");
    let (on, on_doc) = post("/identity/api/sign-in", "signIn", "Sign in: makes the session cookie");
    let (out, out_doc) = post("/identity/api/sign-out", "signOut", "End this browser's session");
    let (forgot_path, forgot_doc) =
        post("/identity/api/forgot-password", "forgotPassword", "Mail a reset link, if the address has an account");
    let (reset_path, reset_doc) =
        post("/identity/api/reset-password", "resetPassword", "Set a new password by a mailed link");
    let (change_path, change_doc) =
        post("/identity/api/change-password", "changePassword", "Change the password of this browser's session");
    let (resend_path, resend_doc) =
        post("/identity/api/resend-verification", "resendVerification", "Mail the verification link again");
    vec![
        cookie(Route::post(up, Access::Public, sign_up)).doc(
            up_doc
                .body::<SignUpForm>()
                .answers::<SignedInAnswer>(201, "Signed up and in.")
                .refuses_http(&[HttpCode::EmailTaken, HttpCode::TermsRequired]),
        ),
        cookie(Route::post(on, Access::Public, sign_in)).doc(
            on_doc
                .body::<SignInForm>()
                .answers::<SignedInAnswer>(200, "Signed in.")
                .refuses_http(&[HttpCode::WrongCredentials, HttpCode::AccountLocked]),
        ),
        cookie(Route::post(out, Access::Public, sign_out)).doc(out_doc.answers_plain(204, "Signed out.", None)),
        cookie(Route::post(forgot_path, Access::Public, forgot)).doc(
            forgot_doc.body::<ForgotPasswordForm>().answers_plain(
                204,
                "The same answer whether or not the address is known.",
                None,
            ),
        ),
        cookie(Route::post(reset_path, Access::Public, reset)).doc(
            reset_doc
                .body::<ResetPasswordForm>()
                .answers_plain(204, "The password is set; every session has ended.", None)
                .refuses_http(&[HttpCode::LinkExpired]),
        ),
        cookie(Route::post(change_path, Access::Public, change)).doc(
            change_doc
                .body::<ChangePasswordForm>()
                .answers_plain(
                    204,
                    "The password is changed. Every session has ended; this browser has a new one.",
                    None,
                )
                .refuses(&[ErrorCode::SignInNeeded])
                .refuses_http(&[HttpCode::AccountLocked]),
        ),
        cookie(Route::post(resend_path, Access::Public, resend)).doc(
            resend_doc.answers_plain(204, "Sent, at most once a minute.", None).refuses(&[ErrorCode::SignInNeeded]),
        ),
        Route::get("/identity/api/session", Access::Public, session)
            .relation("the cookie's own")
            .doc(Doc::new("session", TAG, "Who is signed in with this browser").answers::<SessionAnswer>(200, "Who.")),
        Route::get("/identity/verify", Access::Public, verify).relation("whoever has the link").doc(
            Doc::new("verifyEmail", TAG, "Open the link of a welcome mail")
                .param(Param::query(
                    "token",
                    "From the link.",
                    serde_json::json!({ "type": "string", "maxLength": 200 }),
                ))
                .answers_plain(302, "On to a page that says how it went.", None),
        ),
    ]
}
