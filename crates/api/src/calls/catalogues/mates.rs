//! Mates as staff keep them.

use actix_web::web;
use kernel::{
    Language, MateId,
    chrono::{DateTime, NaiveDate, Utc},
};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;
use service::{
    FieldProblem,
    mates::{self, DatedRecord, Form, MateListQuery},
    ports::directory::{MateDocument, MateRecord as Stored, MateState},
};
use utoipa::ToSchema;
use validator::Validate;

use super::common::{AddressRecord, TAG, addresses, first, ten};
use crate::{
    access::AsStaff,
    calls::{
        bookings::ends::DraftAddress,
        replies::{Json, Once, Reply, Versioned, versioned},
        values::{Cash, LanguageCode, MateStateCode},
    },
    contract::{CommonError, Names, Record, refusals},
    endpoint::{Audit, Example, Route, STAFF},
    http::{IdempotencyKey, PathId, ValidJson, ValidQuery, Version},
    state::State,
};

impl Names for MateId {
    const RECORD: Record = Record::MadeBy("addMate");
}

refusals! {
    /// Why a mate is not added.
    AddRefusal { Rule: MemberExists }
}

refusals! {
    /// Why a mate stays as they are.
    MateRefusal { Rule: MemberExists, MateHasJobs }
}

/// Which mates.
#[derive(Debug, Deserialize, ToSchema)]
struct MateQuery {
    /// Words to find in name, address, telephone or number.
    #[serde(default)]
    #[schema(max_length = 100)]
    value: String,
    /// In this state only.
    #[serde(default)]
    #[schema(value_type = Option<MateStateCode>)]
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

/// A paper that ends.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DocumentRequest {
    /// What it is: driving licence, insurance.
    #[schema(max_length = 60)]
    kind: String,
    /// Its number.
    #[serde(default)]
    #[schema(max_length = 60)]
    number: String,
    /// Its last day.
    #[schema(value_type = String, format = Date, example = "2027-12-31")]
    expires_on: NaiveDate,
}

/// A mate.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub(super) struct MateRequest {
    /// First and last name.
    #[validate(length(min = 1, max = 100))]
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// Where they live; whole, or left out.
    #[serde(default)]
    address: Option<DraftAddress>,
    /// Telephone.
    #[serde(default)]
    #[validate(length(max = 40))]
    #[schema(max_length = 40)]
    phone: String,
    /// The address they sign in with as a mate.
    #[serde(default)]
    #[validate(length(max = 254))]
    #[schema(max_length = 254)]
    email: String,
    /// Quebec enterprise number.
    #[serde(default, deserialize_with = "number_or_none")]
    #[validate(length(max = 40))]
    #[schema(value_type = Option<String>, max_length = 40, example = "1143920115")]
    neq: String,
    /// GST registration.
    #[serde(default, deserialize_with = "number_or_none")]
    #[validate(length(max = 40))]
    #[schema(value_type = Option<String>, max_length = 40, example = "123456782RT0001")]
    tps: String,
    /// QST registration.
    #[serde(default, deserialize_with = "number_or_none")]
    #[validate(length(max = 40))]
    #[schema(value_type = Option<String>, max_length = 40, example = "1234567890TQ0001")]
    tvq: String,
    /// Where they stand; active when it is left out for a new one.
    #[serde(default)]
    #[schema(value_type = Option<MateStateCode>)]
    state: Option<String>,
    /// What they can do.
    #[serde(default)]
    #[schema(max_items = 30)]
    skills: Vec<Skill>,
    /// Languages they speak.
    #[serde(default)]
    #[schema(value_type = Vec<LanguageCode>, max_items = 3)]
    languages: Vec<Language>,
    /// Hubs they work from; none = any.
    #[serde(default)]
    #[schema(max_items = 30)]
    hubs: Vec<HubCode>,
    /// Papers that end.
    #[serde(default)]
    #[schema(max_items = 30)]
    documents: Vec<DocumentRequest>,
    /// Dollars an hour.
    #[serde(default)]
    pay_rate: Option<Cash>,
}

/// Something a mate can do, in a few words.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, max_length = 60, example = "piano")]
struct Skill(String);

/// A hub, by its id.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, max_length = 60, example = "montreal")]
struct HubCode(String);

/// A number as a record answers it, where null is no number: what was read may be sent back.
fn number_or_none<'de, D: Deserializer<'de>>(d: D) -> Result<String, D::Error> {
    Ok(Option::<String>::deserialize(d)?.unwrap_or_default())
}

fn state_of(text: Option<&str>) -> Result<Option<MateState>, CommonError> {
    let read = |code: &str| code.parse::<MateState>().map_err(|_| CommonError::field("state", FieldProblem::Invalid));
    text.filter(|t| !t.is_empty()).map(read).transpose()
}

impl MateRequest {
    pub(super) fn form(self) -> Result<Form, CommonError> {
        let address = addresses(self.address.iter().map(|a| ("address".to_owned(), a)))?.pop();
        let document = |d: DocumentRequest| MateDocument { kind: d.kind, number: d.number, expires_on: d.expires_on };
        Ok(Form {
            name: self.name,
            address,
            phone: self.phone,
            email: self.email,
            neq: self.neq,
            tps: self.tps,
            tvq: self.tvq,
            skills: self.skills.into_iter().map(|s| s.0).collect(),
            languages: self.languages,
            hubs: self.hubs.into_iter().map(|h| h.0).collect(),
            documents: self.documents.into_iter().map(document).collect(),
            pay_rate: self.pay_rate.map(|p| p.0),
            state: state_of(self.state.as_deref())?,
        })
    }
}

/// A paper, and whether it still counts.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentRecord {
    kind: String,
    number: String,
    #[schema(value_type = String, format = Date)]
    expires_on: NaiveDate,
    /// Its last day is over.
    expired: bool,
}

/// A mate.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MateRecord {
    id: String,
    /// What people read: `M-0042`.
    #[serde(rename = "mateID")]
    mate_id: String,
    name: String,
    address: Option<AddressRecord>,
    phone: String,
    email: String,
    neq: Option<String>,
    tps: Option<String>,
    tvq: Option<String>,
    #[schema(value_type = MateStateCode)]
    state: &'static str,
    skills: Vec<String>,
    #[schema(value_type = Vec<LanguageCode>)]
    languages: Vec<Language>,
    hubs: Vec<String>,
    documents: Vec<DocumentRecord>,
    /// One of the papers counts no more.
    has_expired_document: bool,
    pay_rate: Option<Cash>,
    version: i32,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

impl MateRecord {
    fn of(shown: &DatedRecord<Stored>) -> MateRecord {
        let (m, today) = (&shown.record, shown.today);
        let document = |d: &MateDocument| DocumentRecord {
            kind: d.kind.clone(),
            number: d.number.clone(),
            expires_on: d.expires_on,
            expired: d.expires_on < today,
        };
        let documents: Vec<DocumentRecord> = m.documents.iter().map(document).collect();
        MateRecord {
            id: m.id.to_string(),
            mate_id: m.short_id(),
            name: m.name.clone(),
            address: m.address.as_ref().map(AddressRecord::from),
            phone: m.phone.clone(),
            email: m.email.clone(),
            neq: m.neq.clone(),
            tps: m.tps.clone(),
            tvq: m.tvq.clone(),
            state: m.state.code(),
            skills: m.skills.clone(),
            languages: m.languages.clone(),
            hubs: m.hubs.clone(),
            has_expired_document: documents.iter().any(|d| d.expired),
            documents,
            pay_rate: m.pay_rate.map(Cash),
            version: m.version,
            created_at: m.created_at,
            updated_at: m.updated_at,
        }
    }
}

/// A page of mates.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MatePage {
    /// Rows, by name.
    data: Vec<MateRecord>,
    /// Of how many.
    total: i64,
    /// From 1.
    page: i64,
    /// Rows a page.
    per_page: i64,
}

async fn list(state: web::Data<State>, who: AsStaff, query: ValidQuery<MateQuery>) -> Reply<Json<MatePage>> {
    let MateQuery { value, state: stands, page, per_page } = query.value;
    let wanted = MateListQuery { value, state: state_of(stands.as_deref())? };
    let found = mates::list(&state.services, &who.0, wanted, (page, per_page)).await?;
    let data = found.data.iter().map(MateRecord::of).collect();
    Ok(Json(MatePage { data, total: found.total, page, per_page }))
}

async fn get(state: web::Data<State>, who: AsStaff, id: PathId<MateId>) -> Reply<Versioned<MateRecord>> {
    let found = mates::get(&state.services, &who.0, id.0).await?;
    versioned(found.record.version, MateRecord::of(&found))
}

async fn add(
    state: web::Data<State>,
    who: AsStaff,
    key: IdempotencyKey,
    body: ValidJson<MateRequest>,
) -> Reply<Once<MateRecord, 201>, AddRefusal> {
    let render = MateRecord::of;
    let guard = Once::<_, 201>::guard(key, who.0.caller(), "POST /api/mate", &body.body_hash(), render);
    let done = mates::add(&state.services, &who.0, body.value.form()?, guard).await?;
    Ok(Once::of(done, render)?)
}

async fn put(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<MateId>,
    version: Version,
    body: ValidJson<MateRequest>,
) -> Reply<Versioned<MateRecord>, MateRefusal> {
    let done = mates::put(&state.services, &who.0, id.0, body.value.form()?, version.0).await?;
    versioned(done.record.version, MateRecord::of(&done))
}

/// Their part of the table.
pub(super) fn routes() -> Vec<Route> {
    let mate = json!({
        "name": "Nadia Roy", "phone": "514-555-0142", "email": "{unique_email}", "neq": "1143920115",
        "tps": "123456782 RT0001", "tvq": "1234567890 TQ0001", "skills": ["piano"], "languages": ["fr", "en"],
        "hubs": ["montreal"], "documents": [{ "kind": "Driving licence", "number": "R123", "expiresOn": "2028-05-31" }],
        "payRate": "24.50",
    });
    vec![
        Route::get("/api/mate", STAFF, list)
            .doc("mates", TAG, "Mates, by name")
            .example(Example::query(&[("page", "1"), ("per_page", "10")])),
        Route::post("/api/mate", STAFF, Audit::Action("mate.add"), add)
            .doc("addMate", TAG, "Add a mate, who may be sent at once")
            .about("Who has an e-mail address signs in as a mate with it, once they have shown that it is theirs.")
            .example(Example::json(mate.clone())),
        Route::get("/api/mate/{id}", STAFF, get).doc("mate", TAG, "A mate"),
        Route::put("/api/mate/{id}", STAFF, Audit::Action("mate.update"), put)
            .doc("changeMate", TAG, "Write a mate anew; one who is archived must be on no move to come")
            .example(Example::json(mate)),
    ]
}
