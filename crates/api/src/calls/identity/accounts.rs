//! What the account pages call. The session is a cookie; every call must come from our own pages.

use actix_web::{HttpRequest, web};
use identity::accounts::{
    ChangeEmail, ChangeEmailError, ChangePassword, ChangePasswordError, Failure, FieldCode, FieldError, ForgotPassword,
    ResendError, ResetPassword, ResetPasswordError, SignIn, SignInError, SignUp, SignUpError, SignedIn,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::ports::StoreError;
use utoipa::ToSchema;

use super::{
    forms::{ChangeEmailForm, ChangePasswordForm, ForgotPasswordForm, ResetPasswordForm, SignInForm, SignUpForm},
    shared::{PageRefusal, ProviderRefusal, context, from_elsewhere, provider, same_site},
};
use crate::{
    calls::replies::{Cached, Json, NoContent, Redirect, Reply, WithCookies},
    contract::{CommonError, Reason, Refusal, refusals},
    endpoint::{Access, Audit, Example, Relation, Route},
    http::{ValidQuery, json::PlainJson, problem::Field},
    limits::LimitClass,
    state::State,
};

refusals! {
    /// Why there is no new account.
    SignUpRefusal { Http: EmailTaken, TermsRequired, TooManyRequests }
}

refusals! {
    /// Why nobody is signed in.
    SignInRefusal { Http: WrongCredentials, AccountLocked }
}

refusals! {
    /// Why a mailed link does not help.
    LinkRefusal { Http: LinkExpired, TooManyRequests }
}

refusals! {
    /// Why no link is mailed.
    ForgotRefusal { Http: TooManyRequests }
}

refusals! {
    /// Why a password stays as it is.
    PasswordRefusal { Rule: SignInNeeded; Http: AccountLocked }
}

refusals! {
    /// Why an address stays as it is.
    EmailRefusal { Rule: SignInNeeded; Http: AccountLocked, TooManyRequests, EmailHoldsRole, SignInElsewhere }
}

refusals! {
    /// Why no link is mailed again.
    ResendRefusal { Rule: SignInNeeded }
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
    /// An address that counts once its link is opened.
    pending_email: Option<String>,
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
        FieldCode::EmailSame => "field.emailSame",
    }
}

fn fields(errors: &[FieldError]) -> Vec<Field> {
    let field = |e: &FieldError| Field {
        path: e.field.to_owned(),
        code: e.code.code(),
        message: message(e.code),
        least: None,
        most: None,
    };
    errors.iter().map(field).collect()
}

fn invalid(errors: &[FieldError]) -> CommonError {
    CommonError::invalid(fields(errors))
}

fn failed<E>(e: Failure) -> Refusal<E> {
    match e {
        Failure::Store(e) => store(e).into(),
        other => CommonError::internal(other).into(),
    }
}

fn store(e: StoreError) -> service::Error {
    service::Error::Store(e)
}

/// A refusal of a call of our pages.
type Refused<E> = Refusal<(PageRefusal, E)>;

/// Too many calls; the next one may come after this many seconds.
fn too_often<E: Reason>(reason: E, seconds: i64) -> Refused<E> {
    Refused::own(reason).after(u64::try_from(seconds).unwrap_or(1))
}

impl From<SignUpError> for Refused<SignUpRefusal> {
    fn from(e: SignUpError) -> Self {
        let errors = match e {
            SignUpError::Invalid(errors) => errors,
            SignUpError::TooMany { retry_after } => return too_often(SignUpRefusal::TooManyRequests, retry_after),
            SignUpError::Failed(e) => return failed(e),
        };
        if errors.iter().any(|e| e.code == FieldCode::EmailTaken) {
            Refused::own(SignUpRefusal::EmailTaken).about(fields(&errors))
        } else if errors.iter().all(|e| e.code == FieldCode::TermsRequired) {
            Refused::own(SignUpRefusal::TermsRequired).about(fields(&errors))
        } else {
            invalid(&errors).into()
        }
    }
}

impl From<SignInError> for Refused<SignInRefusal> {
    fn from(e: SignInError) -> Self {
        match e {
            SignInError::Invalid(errors) => invalid(&errors).into(),
            SignInError::WrongCredentials => Refused::own(SignInRefusal::WrongCredentials),
            SignInError::TooManyAttempts { retry_after, .. } => too_often(SignInRefusal::AccountLocked, retry_after),
            SignInError::Failed(e) => failed(e),
        }
    }
}

impl From<ResetPasswordError> for Refused<LinkRefusal> {
    fn from(e: ResetPasswordError) -> Self {
        match e {
            ResetPasswordError::Invalid(errors) => invalid(&errors).into(),
            ResetPasswordError::LinkDead => Refused::own(LinkRefusal::LinkExpired),
            ResetPasswordError::TooMany { retry_after } => too_often(LinkRefusal::TooManyRequests, retry_after),
            ResetPasswordError::Failed(e) => failed(e),
        }
    }
}

/// Asking for a link has the errors of using one, and no link yet.
impl From<ResetPasswordError> for Refused<ForgotRefusal> {
    fn from(e: ResetPasswordError) -> Self {
        match e {
            ResetPasswordError::Invalid(errors) => invalid(&errors).into(),
            ResetPasswordError::LinkDead => CommonError::internal("a link was dead before it was made").into(),
            ResetPasswordError::TooMany { retry_after } => too_often(ForgotRefusal::TooManyRequests, retry_after),
            ResetPasswordError::Failed(e) => failed(e),
        }
    }
}

impl From<ChangePasswordError> for Refused<PasswordRefusal> {
    fn from(e: ChangePasswordError) -> Self {
        match e {
            ChangePasswordError::Invalid(errors) => invalid(&errors).into(),
            ChangePasswordError::NotSignedIn => Refused::own(PasswordRefusal::SignInNeeded),
            ChangePasswordError::TooManyAttempts { retry_after } => {
                too_often(PasswordRefusal::AccountLocked, retry_after)
            }
            ChangePasswordError::Failed(e) => failed(e),
        }
    }
}

impl From<ChangeEmailError> for Refused<EmailRefusal> {
    fn from(e: ChangeEmailError) -> Self {
        match e {
            ChangeEmailError::Invalid(errors) => invalid(&errors).into(),
            ChangeEmailError::NotSignedIn => Refused::own(EmailRefusal::SignInNeeded),
            ChangeEmailError::HoldsRole => Refused::own(EmailRefusal::EmailHoldsRole),
            ChangeEmailError::TooManyAttempts { retry_after } => too_often(EmailRefusal::AccountLocked, retry_after),
            ChangeEmailError::TooMany { retry_after } => too_often(EmailRefusal::TooManyRequests, retry_after),
            ChangeEmailError::Failed(e) => failed(e),
        }
    }
}

impl From<ResendError> for Refused<ResendRefusal> {
    fn from(e: ResendError) -> Self {
        match e {
            ResendError::NotSignedIn => Refused::own(ResendRefusal::SignInNeeded),
            ResendError::Store(e) => store(e).into(),
        }
    }
}

fn signed_in<const STATUS: u16>(done: SignedIn) -> WithCookies<Json<SignedInAnswer, STATUS>> {
    let body = SignedInAnswer {
        user_id: done.user_id.to_string(),
        email_verified: done.email_verified,
        redirect_to: done.redirect_to,
    };
    WithCookies(done.set_cookies, Json(body))
}

/// A link that was mailed.
#[derive(Debug, Deserialize, ToSchema)]
struct LinkQuery {
    /// From the link.
    #[schema(max_length = 200)]
    token: Option<String>,
}

type AccountReply<E> = Reply<WithCookies<NoContent>, (PageRefusal, E)>;

async fn sign_up(
    req: HttpRequest,
    state: web::Data<State>,
    form: PlainJson<SignUp, SignUpForm>,
) -> Reply<WithCookies<Json<SignedInAnswer, 201>>, (PageRefusal, SignUpRefusal)> {
    same_site(&req, &state)?;
    let made = provider(&state)?.sign_up(form.0, &context(&req, &state)).await?;
    Ok(signed_in(made))
}

async fn sign_in(
    req: HttpRequest,
    state: web::Data<State>,
    form: PlainJson<SignIn, SignInForm>,
) -> Reply<WithCookies<Json<SignedInAnswer>>, (PageRefusal, SignInRefusal)> {
    same_site(&req, &state)?;
    let done = provider(&state)?.sign_in(form.0, &context(&req, &state)).await?;
    Ok(signed_in(done))
}

async fn sign_out(req: HttpRequest, state: web::Data<State>) -> AccountReply<()> {
    from_elsewhere(&req, &state)?;
    let out = provider(&state)?.sign_out(&context(&req, &state)).await.map_err(store)?;
    Ok(WithCookies(out.set_cookies, NoContent))
}

async fn forgot(
    req: HttpRequest,
    state: web::Data<State>,
    form: PlainJson<ForgotPassword, ForgotPasswordForm>,
) -> AccountReply<ForgotRefusal> {
    same_site(&req, &state)?;
    provider(&state)?.forgot_password(form.0, &context(&req, &state)).await?;
    Ok(WithCookies(Vec::new(), NoContent))
}

async fn reset(
    req: HttpRequest,
    state: web::Data<State>,
    form: PlainJson<ResetPassword, ResetPasswordForm>,
) -> AccountReply<LinkRefusal> {
    same_site(&req, &state)?;
    let set = provider(&state)?.reset_password(form.0, &context(&req, &state)).await?;
    Ok(WithCookies(set.set_cookies, NoContent))
}

async fn change(
    req: HttpRequest,
    state: web::Data<State>,
    form: PlainJson<ChangePassword, ChangePasswordForm>,
) -> AccountReply<PasswordRefusal> {
    same_site(&req, &state)?;
    let set = provider(&state)?.change_password(form.0, &context(&req, &state)).await?;
    Ok(WithCookies(set.set_cookies, NoContent))
}

async fn change_email(
    req: HttpRequest,
    state: web::Data<State>,
    form: PlainJson<ChangeEmail, ChangeEmailForm>,
) -> AccountReply<EmailRefusal> {
    same_site(&req, &state)?;
    let provider = state.identity.as_ref().ok_or_else(|| Refused::own(EmailRefusal::SignInElsewhere))?;
    provider.change_email(form.0, &context(&req, &state)).await?;
    Ok(WithCookies(Vec::new(), NoContent))
}

async fn open_change(
    req: HttpRequest,
    state: web::Data<State>,
    query: ValidQuery<LinkQuery>,
) -> Reply<WithCookies<Redirect>, ProviderRefusal> {
    let token = query.value.token.unwrap_or_default();
    let landing = provider(&state)?.open_email_change(&token, &context(&req, &state)).await.map_err(store)?;
    Ok(WithCookies(landing.set_cookies, Redirect(landing.location)))
}

async fn resend(req: HttpRequest, state: web::Data<State>) -> AccountReply<ResendRefusal> {
    from_elsewhere(&req, &state)?;
    provider(&state)?.resend_verification(&context(&req, &state)).await?;
    Ok(WithCookies(Vec::new(), NoContent))
}

async fn session(req: HttpRequest, state: web::Data<State>) -> Reply<Cached<Json<SessionAnswer>>, ProviderRefusal> {
    let provider = provider(&state)?;
    let active = provider.session(&context(&req, &state)).await.map_err(store)?;
    let pending_email = match &active {
        Some(active) => provider.pending_email(active.account.id).await.map_err(store)?,
        None => None,
    };
    let body = SessionAnswer {
        pending_email,
        signed_in: active.is_some(),
        user_id: active.as_ref().map(|a| a.account.id.to_string()),
        email: active.as_ref().and_then(|a| a.account.email.as_ref().map(ToString::to_string)),
        email_verified: active.as_ref().map(|a| a.account.email_verified),
    };
    Ok(Cached("no-store", Json(body)))
}

async fn verify(
    req: HttpRequest,
    state: web::Data<State>,
    query: ValidQuery<LinkQuery>,
) -> Reply<WithCookies<Redirect>, ProviderRefusal> {
    let token = query.value.token.unwrap_or_default();
    let landing = provider(&state)?.open_verification(&token, &context(&req, &state)).await.map_err(store)?;
    Ok(WithCookies(landing.set_cookies, Redirect(landing.location)))
}

/// Its part of the table.
pub(super) fn routes() -> Vec<Route> {
    const TAG: &str = "Accounts";
    // The longest return address, every character escaped.
    let cookie = |r: Route| r.relation(Relation::Cookie).limited(LimitClass::SignIn).takes(16 * 1024);
    let public = Access::Public;
    let person = json!({
        "email": "ana@portage.test", "password": "a-long-enough-password", "firstName": "Ana", "lastName": "Roy",
        "language": "fr", "acceptTerms": true
    });
    vec![
        cookie(Route::post("/identity/api/sign-up", public, Audit::Action("account.create"), sign_up))
            .doc("signUp", TAG, "Make an account and sign in with it")
            .example(Example::json(person)),
        cookie(Route::post("/identity/api/sign-in", public, Audit::Action("session.begin"), sign_in))
            .doc("signIn", TAG, "Sign in: makes the session cookie")
            .example(Example::json(json!({ "email": "customer@portage.test", "password": "a-long-enough-password" }))),
        cookie(Route::post("/identity/api/sign-out", public, Audit::Action("session.end"), sign_out)).doc(
            "signOut",
            TAG,
            "End this browser's session",
        ),
        cookie(Route::post("/identity/api/forgot-password", public, Audit::Action("password.forgot"), forgot))
            .doc("forgotPassword", TAG, "Mail a reset link, if the address has an account")
            .about("The same answer whether or not the address is known.")
            .example(Example::json(json!({ "email": "customer@portage.test" }))),
        cookie(Route::post("/identity/api/reset-password", public, Audit::Action("password.reset"), reset))
            .doc("resetPassword", TAG, "Set a new password by a mailed link")
            .about("Every session ends with the old password.")
            .example(Example::json(json!({ "token": "{reset_token}", "password": "quite-another-one" }))),
        cookie(Route::post("/identity/api/change-password", public, Audit::Action("password.change"), change))
            .doc("changePassword", TAG, "Change the password of this browser's session")
            .about("Every session ends; this browser has a new one.")
            .example(Example::json(
                json!({ "currentPassword": "a-long-enough-password", "password": "quite-another-one" }),
            )),
        cookie(Route::post("/identity/api/change-email", public, Audit::Action("email.ask"), change_email))
            .doc("changeEmail", TAG, "Ask for another address for the account of this browser's session")
            .about("Nothing changes until the link that is mailed to the new address is opened by somebody signed in to the account. The same answer whether or not the new address has an account.")
            .example(Example::json(json!({ "currentPassword": "a-long-enough-password", "email": "{new_email}" }))),
        cookie(Route::post("/identity/api/resend-verification", public, Audit::Action("email.resend"), resend))
            .doc("resendVerification", TAG, "Mail the verification link again")
            .about("At most once a minute."),
        Route::get("/identity/api/session", public, session).relation(Relation::Cookie).doc(
            "session",
            TAG,
            "Who is signed in with this browser",
        ),
        Route::get("/identity/verify", public, verify)
            .audited(Audit::Action("email.verify"))
            .relation(Relation::WhoeverHasTheLink)
            .doc("verifyEmail", TAG, "Open the link of a welcome mail: on to a page that says how it went")
            .example(Example::query(&[("token", "{verification_token}")])),
        Route::get("/identity/change-email", public, open_change)
            .audited(Audit::Action("email.change"))
            .relation(Relation::WhoeverHasTheLink)
            .doc("openEmailChange", TAG, "Open the link that went to a new address: on to a page that says how it went")
            .example(Example::query(&[("token", "{change_token}")])),
    ]
}
