//! What the browser must know before it does anything.

use actix_web::web;
use serde::Serialize;
use service::{Company, settings};
use utoipa::ToSchema;

use super::{
    policy_figures::PublicPolicy,
    replies::{Cached, Json, Reply},
    values::ChatProviderCode,
};
use crate::{
    config::{PaymentsProvider, SignIn},
    endpoint::{Access, Route},
    state::State,
};

/// Card service.
#[derive(Debug, Serialize, ToSchema)]
pub struct PaymentsSettings {
    /// `simulator` or `braintree`.
    provider: &'static str,
    /// `sandbox` or `production`, for Braintree.
    environment: Option<String>,
}

/// Who signs people in.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignInSettings {
    /// `embedded`: this site; `external`: the issuer, which has its own pages for passwords.
    provider: &'static str,
    /// Ask for `prompt=consent` where refresh tokens are asked for.
    consent: bool,
}

/// Chat widget.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatWidgetSettings {
    /// Which, if any.
    #[schema(value_type = ChatProviderCode)]
    provider: &'static str,
    /// Where a self-hosted vendor runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    base_url: Option<String>,
    /// A self-hosted vendor's public token for this site.
    #[serde(skip_serializing_if = "Option::is_none")]
    website_token: Option<String>,
}

/// Registration numbers of the company; null where it has none.
#[derive(Debug, Serialize, ToSchema)]
pub struct CompanyNumbers {
    /// GST (TPS).
    gst: Option<String>,
    /// QST (TVQ).
    qst: Option<String>,
    /// Quebec enterprise number.
    neq: Option<String>,
}

impl CompanyNumbers {
    fn of(company: &Company) -> CompanyNumbers {
        let given = |number: &String| (!number.is_empty()).then(|| number.clone());
        CompanyNumbers { gst: given(&company.gst_number), qst: given(&company.qst_number), neq: given(&company.neq) }
    }
}

/// Public settings.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicSettings {
    /// `demo` or `production`.
    mode: &'static str,
    /// Issuer of access tokens.
    issuer: String,
    /// Client id of the web app.
    client_id: String,
    /// Audience of access tokens.
    audience: String,
    sign_in: SignInSettings,
    support_email: String,
    support_phone: String,
    company_name: String,
    company_numbers: CompanyNumbers,
    /// Path of the company's logo; null where it has none.
    company_logo: Option<String>,
    payments: PaymentsSettings,
    chat: ChatWidgetSettings,
    policy: PublicPolicy,
    /// Of the program.
    version: &'static str,
}

async fn get(state: web::Data<State>) -> Reply<Cached<Json<PublicSettings>>> {
    let (s, c) = (&state.services, &state.config);
    let settings = settings::in_force(s).await?;
    let company = &settings.company;
    let environment = match &c.payments {
        PaymentsProvider::Simulator => None,
        PaymentsProvider::Braintree { environment } => Some(environment.clone()),
    };
    let body = PublicSettings {
        mode: s.mode.code(),
        issuer: c.issuer.clone(),
        client_id: c.client_id.clone(),
        audience: c.audience.clone(),
        sign_in: match c.sign_in {
            SignIn::Embedded => SignInSettings { provider: "embedded", consent: false },
            SignIn::External { consent } => SignInSettings { provider: "external", consent },
        },
        support_email: company.support_email.clone(),
        support_phone: company.support_phone.clone(),
        company_name: company.name.clone(),
        company_numbers: CompanyNumbers::of(company),
        company_logo: company.logo_path(),
        payments: PaymentsSettings { provider: c.payments.code(), environment },
        chat: ChatWidgetSettings {
            provider: c.chat.provider.code(),
            base_url: c.chat.base_url.clone(),
            website_token: c.chat.website_token.clone(),
        },
        policy: (&settings.policy).into(),
        version: env!("CARGO_PKG_VERSION"),
    };
    Ok(Cached("no-cache", Json(body)))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![Route::get("/api/config", Access::Public, get).doc("config", "System", "Public settings of this installation")]
}
