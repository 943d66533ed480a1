//! Partners as staff keep them.

use actix_web::web;
use kernel::{
    Language, PartnerId,
    chrono::{DateTime, Utc},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    FieldProblem,
    partners::{self, Form, PartnerListQuery},
    ports::directory::{Contact, PartnerRecord as Stored, PartnerState},
};
use utoipa::ToSchema;
use validator::Validate;

use super::common::{AddressRecord, TAG, addresses, first, ten};
use crate::{
    access::AsStaff,
    calls::{
        bookings::ends::DraftAddress,
        replies::{Json, Once, Reply, Versioned, versioned},
        values::{LanguageCode, PartnerStateCode},
    },
    contract::{CommonError, Names, Record},
    endpoint::{Audit, Example, Route, STAFF},
    http::{IdempotencyKey, PathId, ValidJson, ValidQuery, Version},
    state::State,
};

impl Names for PartnerId {
    const RECORD: Record = Record::MadeBy("addPartner");
}

/// Which partners.
#[derive(Debug, Deserialize, ToSchema)]
struct PartnerQuery {
    /// Words to find in name, people or number.
    #[serde(default)]
    #[schema(max_length = 100)]
    value: String,
    /// The one with this number: `P-0007`.
    #[serde(default, rename = "partnerID")]
    #[schema(max_length = 40)]
    partner_id: String,
    /// In this state only.
    #[serde(default)]
    #[schema(value_type = Option<PartnerStateCode>)]
    state: Option<String>,
    /// Page, from 1.
    #[serde(default = "first")]
    #[schema(minimum = 1, maximum = 1_000_000, default = 1)]
    page: i64,
    /// Rows a page.
    #[serde(default = "ten")]
    #[schema(minimum = 1, maximum = 100, default = 10)]
    per_page: i64,
}

/// Whom one asks.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub struct ContactBody {
    /// Who.
    #[schema(max_length = 100)]
    name: String,
    /// E-mail address.
    #[serde(default)]
    #[schema(max_length = 254)]
    email: String,
    /// Telephone.
    #[serde(default)]
    #[schema(max_length = 40)]
    phone: String,
}

/// A partner.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub(super) struct PartnerRequest {
    /// Name.
    #[validate(length(min = 1, max = 100))]
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// Where goods are fetched and invoices go; each whole.
    #[serde(default)]
    #[schema(max_items = 50)]
    addresses: Vec<DraftAddress>,
    /// Whom one asks.
    #[serde(default)]
    #[schema(max_items = 50)]
    contacts: Vec<ContactBody>,
    /// The rate card by name; the company's own when it is left out.
    #[serde(default)]
    #[validate(length(max = 100))]
    #[schema(max_length = 100)]
    rate_name: Option<String>,
    /// Days an invoice may wait; 30 when it is left out for a new one.
    #[serde(default)]
    #[validate(range(min = 0, max = 365))]
    #[schema(minimum = 0, maximum = 365)]
    net_days: Option<i32>,
    /// Of its invoices; stays when it is left out.
    #[serde(default)]
    #[schema(value_type = Option<LanguageCode>)]
    language: Option<String>,
    /// Where it stands; active when it is left out for a new one.
    #[serde(default)]
    #[schema(value_type = Option<PartnerStateCode>)]
    state: Option<String>,
}

fn state_of(text: Option<&str>) -> Result<Option<PartnerState>, CommonError> {
    let read =
        |code: &str| code.parse::<PartnerState>().map_err(|_| CommonError::field("state", FieldProblem::Invalid));
    text.filter(|t| !t.is_empty()).map(read).transpose()
}

fn language_of(text: Option<&str>) -> Result<Option<Language>, CommonError> {
    let read = |code: &str| code.parse::<Language>().map_err(|_| CommonError::field("language", FieldProblem::Invalid));
    text.filter(|t| !t.is_empty()).map(read).transpose()
}

impl PartnerRequest {
    pub(super) fn form(self) -> Result<Form, CommonError> {
        let contact = |c: ContactBody| Contact { name: c.name, email: c.email, phone: c.phone };
        Ok(Form {
            addresses: addresses(
                (0..).zip(&self.addresses).map(|(at, a): (usize, _)| (format!("addresses[{at}]"), a)),
            )?,
            name: self.name,
            contacts: self.contacts.into_iter().map(contact).collect(),
            rate_name: self.rate_name.unwrap_or_default(),
            net_days: self.net_days,
            language: language_of(self.language.as_deref())?,
            state: state_of(self.state.as_deref())?,
        })
    }
}

/// A partner.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartnerRecord {
    id: String,
    /// What people read: `P-0007`.
    #[serde(rename = "partnerID")]
    partner_id: String,
    name: String,
    addresses: Vec<AddressRecord>,
    contacts: Vec<ContactBody>,
    rate_name: Option<String>,
    net_days: i32,
    /// Of its invoices; none until somebody says it.
    #[schema(value_type = Option<LanguageCode>)]
    language: Option<&'static str>,
    #[schema(value_type = PartnerStateCode)]
    state: &'static str,
    version: i32,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl From<&Stored> for PartnerRecord {
    fn from(p: &Stored) -> PartnerRecord {
        let contact =
            |c: &Contact| ContactBody { name: c.name.clone(), email: c.email.clone(), phone: c.phone.clone() };
        PartnerRecord {
            id: p.id.to_string(),
            partner_id: p.short_id(),
            name: p.name.clone(),
            addresses: p.addresses.iter().map(AddressRecord::from).collect(),
            contacts: p.contacts.iter().map(contact).collect(),
            rate_name: p.rate_name.clone(),
            net_days: p.net_days,
            language: p.language.map(Language::code),
            state: p.state.code(),
            version: p.version,
            created_at: p.created_at,
            updated_at: p.updated_at,
        }
    }
}

/// A page of partners.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PartnerPage {
    /// Rows, by name.
    data: Vec<PartnerRecord>,
    /// Of how many.
    total: i64,
    /// From 1.
    page: i64,
    /// Rows a page.
    per_page: i64,
}

async fn list(state: web::Data<State>, who: AsStaff, query: ValidQuery<PartnerQuery>) -> Reply<Json<PartnerPage>> {
    let PartnerQuery { value, partner_id, state: stands, page, per_page } = query.value;
    let wanted = PartnerListQuery { value, id: partner_id, state: state_of(stands.as_deref())? };
    let found = partners::list(&state.services, &who.0, wanted, (page, per_page)).await?;
    let data = found.data.iter().map(PartnerRecord::from).collect();
    Ok(Json(PartnerPage { data, total: found.total, page, per_page }))
}

async fn get(state: web::Data<State>, who: AsStaff, id: PathId<PartnerId>) -> Reply<Versioned<PartnerRecord>> {
    let found = partners::get(&state.services, &who.0, id.0).await?;
    versioned(found.version, PartnerRecord::from(&found))
}

async fn add(
    state: web::Data<State>,
    who: AsStaff,
    key: IdempotencyKey,
    body: ValidJson<PartnerRequest>,
) -> Reply<Once<PartnerRecord, 201>> {
    let render = |p: &Stored| PartnerRecord::from(p);
    let guard = Once::<_, 201>::guard(key, who.0.caller(), "POST /api/partner", &body.body_hash(), render);
    let done = partners::add(&state.services, &who.0, body.value.form()?, guard).await?;
    Ok(Once::of(done, render)?)
}

async fn put(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<PartnerId>,
    version: Version,
    body: ValidJson<PartnerRequest>,
) -> Reply<Versioned<PartnerRecord>> {
    let done = partners::put(&state.services, &who.0, id.0, body.value.form()?, version.0).await?;
    versioned(done.version, PartnerRecord::from(&done))
}

/// Their part of the table.
pub(super) fn routes() -> Vec<Route> {
    let partner = json!({
        "name": "Meubles Outremont", "netDays": 30,
        "addresses": [{ "street": "1200 Avenue Bernard", "city": "Montréal", "province": "QC", "postalCode": "H2V 1V3" }],
        "contacts": [{ "name": "Paul Gagnon", "email": "paul@outremont.test", "phone": "514-555-0170" }],
    });
    vec![
        Route::get("/api/partner", STAFF, list)
            .doc("partners", TAG, "Partners, by name")
            .example(Example::query(&[("page", "1"), ("per_page", "10")])),
        Route::post("/api/partner", STAFF, Audit::Action("partner.add"), add)
            .doc("addPartner", TAG, "Add a partner")
            .example(Example::json(partner.clone())),
        Route::get("/api/partner/{id}", STAFF, get).doc("partner", TAG, "A partner"),
        Route::put("/api/partner/{id}", STAFF, Audit::Action("partner.update"), put)
            .doc("changePartner", TAG, "Write a partner anew")
            .example(Example::json(partner)),
    ]
}
