//! The signed-in person's profile.

use actix_web::web;
use kernel::{
    Language,
    chrono::{DateTime, Utc},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    ports::profiles::BillingAddress,
    profiles::{self, ProfileInput, ProfileView},
};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    payments::CardAnswer,
    replies::{Reply, Versioned, versioned},
    values::{LanguageCode, blank},
};
use crate::{
    access::Who,
    contract::refusals,
    endpoint::{Audit, Example, Relation, Route, SIGNED_IN},
    http::{IfMatch, ValidJson},
    limits::LimitClass,
    state::State,
};

refusals! {
    /// Why there is no profile yet.
    ProfileRefusal { Rule: EmailUnknown }
}

/// Where invoices go.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BillingAddressBody {
    /// Civic number.
    #[schema(max_length = 200)]
    unit: Option<String>,
    /// Street.
    #[schema(max_length = 200)]
    street_name: Option<String>,
    /// Apartment.
    #[schema(max_length = 200)]
    apt_unit: Option<String>,
    /// Municipality.
    #[schema(max_length = 200)]
    city: Option<String>,
    /// Postal code.
    #[schema(max_length = 200)]
    postal_code: Option<String>,
    /// Province.
    #[schema(max_length = 200)]
    province: Option<String>,
    /// `Canada` by default.
    #[schema(max_length = 200)]
    country: Option<String>,
}

impl From<BillingAddressBody> for BillingAddress {
    fn from(b: BillingAddressBody) -> BillingAddress {
        BillingAddress {
            unit: b.unit.unwrap_or_default(),
            street_name: b.street_name.unwrap_or_default(),
            apt_unit: b.apt_unit.unwrap_or_default(),
            city: b.city.unwrap_or_default(),
            postal_code: b.postal_code.unwrap_or_default(),
            province: b.province.unwrap_or_default(),
            country: b.country.unwrap_or_default(),
        }
    }
}

impl From<&BillingAddress> for BillingAddressBody {
    fn from(b: &BillingAddress) -> BillingAddressBody {
        BillingAddressBody {
            unit: Some(b.unit.clone()),
            street_name: Some(b.street_name.clone()),
            apt_unit: Some(b.apt_unit.clone()),
            city: Some(b.city.clone()),
            postal_code: Some(b.postal_code.clone()),
            province: Some(b.province.clone()),
            country: Some(b.country.clone()),
        }
    }
}

/// What may be changed; what is left out stays. Texts are trimmed.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub struct ProfileUpdate {
    /// Given name.
    #[serde(default)]
    #[schema(max_length = 200)]
    first_name: Option<String>,
    /// Family name.
    #[serde(default)]
    #[schema(max_length = 200)]
    last_name: Option<String>,
    /// As typed.
    #[serde(default)]
    #[schema(max_length = 40)]
    phone: Option<String>,
    /// Free text.
    #[serde(default)]
    #[schema(max_length = 200)]
    gender: Option<String>,
    /// Free text.
    #[serde(default)]
    #[schema(max_length = 200)]
    occupation: Option<String>,
    /// Language of mails.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<LanguageCode>)]
    language: Option<Language>,
    /// Where invoices go.
    #[serde(default)]
    billing_address: Option<BillingAddressBody>,
}

/// Stored ways to pay.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wallet {
    /// The gateway's key of the person.
    customer_id: Option<String>,
    /// The card that is charged.
    card: Option<CardAnswer>,
}

/// A profile.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileAnswer {
    user_id: String,
    first_name: String,
    last_name: String,
    full_name: String,
    email: String,
    phone: String,
    gender: String,
    occupation: String,
    #[schema(value_type = LanguageCode)]
    language: Language,
    billing_address: BillingAddressBody,
    wallet: Wallet,
    /// What the person may do: `customer`, `mate`, `partner`, `ops`, `admin`.
    role: &'static str,
    /// For `If-Match`.
    version: i32,
    updated_at: DateTime<Utc>,
}

fn answer(v: &ProfileView, role: service::Role) -> ProfileAnswer {
    let p = &v.profile;
    ProfileAnswer {
        user_id: p.user_id.to_string(),
        first_name: p.first_name.clone(),
        last_name: p.last_name.clone(),
        full_name: p.full_name(),
        email: p.email.to_string(),
        phone: p.phone.clone(),
        gender: p.gender.clone(),
        occupation: p.occupation.clone(),
        language: p.language,
        billing_address: (&p.billing_address).into(),
        wallet: Wallet { customer_id: p.gateway_customer_id.clone(), card: v.card.as_ref().map(CardAnswer::from) },
        role: role.code(),
        version: p.version,
        updated_at: p.updated_at,
    }
}

type Profile = Reply<Versioned<ProfileAnswer>, ProfileRefusal>;

async fn get(state: web::Data<State>, who: Who) -> Profile {
    let found = profiles::get(&state.services, &who.0).await?;
    versioned(found.profile.version, answer(&found, who.0.role))
}

async fn put(state: web::Data<State>, who: Who, version: IfMatch, body: ValidJson<ProfileUpdate>) -> Profile {
    let b = body.value;
    let input = ProfileInput {
        first_name: b.first_name,
        last_name: b.last_name,
        phone: b.phone,
        gender: b.gender,
        occupation: b.occupation,
        language: b.language,
        billing_address: b.billing_address.map(Into::into),
    };
    let done = profiles::put(&state.services, &who.0, input, version.0).await?;
    versioned(done.profile.version, answer(&done, who.0.role))
}

/// One operation, two spellings: the specification's has the slash.
fn read(path: &'static str, id: &'static str) -> Route {
    Route::get(path, SIGNED_IN, get).relation(Relation::Own).doc(id, "Profile", "One's own profile")
}

fn write(path: &'static str, id: &'static str, occupation: &str) -> Route {
    Route::put(path, SIGNED_IN, Audit::Action("profile.update"), put)
        .relation(Relation::Own)
        .limited(LimitClass::Guest)
        .doc(id, "Profile", "Change one's own profile")
        .example(Example::json(json!({ "occupation": occupation })))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        read("/api/profiles/", "profile"),
        write("/api/profiles/", "updateProfile", "baker"),
        read("/api/profiles", "profileWithoutSlash"),
        write("/api/profiles", "updateProfileWithoutSlash", "miller"),
    ]
}
