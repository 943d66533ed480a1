//! Discount codes as staff keep them.

use actix_web::web;
use kernel::{
    BasisPoints, DiscountId, Money, Province,
    chrono::{DateTime, NaiveDate, Utc},
};
use pricing::{DiscountTerms, MoveKind};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    FieldProblem,
    discounts::desk::{self, Standing, Terms, UsedBy},
};
use utoipa::ToSchema;
use validator::Validate;

use super::common::{FindQuery, PageQuery, TAG};
use crate::{
    access::AsStaff,
    calls::{
        replies::{Json, NoContent, Once, Reply, Versioned, versioned},
        values::{Cash, DiscountStateCode, MoveKindCode, ProvinceCode},
    },
    contract::{CommonError, Names, Record, refusals},
    endpoint::{Audit, Example, Route, STAFF},
    http::{IdempotencyKey, IfMatch, PathId, ValidJson, ValidQuery, Version, problem::Field},
    state::State,
};

impl Names for DiscountId {
    const RECORD: Record = Record::MadeBy("addDiscount");
}

refusals! {
    /// Why a code is not added.
    AddRefusal { Rule: DiscountCodeTaken }
}

/// What a code takes off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum DiscountKind {
    /// A share of the price before tax.
    Percent,
    /// An amount before tax.
    Fixed,
}

/// A discount code.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub(super) struct DiscountTermsRequest {
    /// As printed; compared without regard to case. Needed to add one; it stays when the discount is changed, and may be
    /// left out then.
    #[serde(default)]
    #[validate(length(max = 40))]
    #[schema(max_length = 40, example = "SPRING10")]
    code: String,
    /// What `value` is.
    kind: DiscountKind,
    /// Percent or dollars: `"10"`, `"12.50"`.
    value: Cash,
    /// The most a percentage takes off.
    #[serde(default)]
    max_amount: Option<Cash>,
    /// First local day of the move.
    #[schema(value_type = String, format = Date, example = "2027-03-01")]
    valid_from: NaiveDate,
    /// Last local day of the move.
    #[schema(value_type = String, format = Date, example = "2027-05-31")]
    valid_until: NaiveDate,
    /// First day one may book with it, of Montréal.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Date)]
    bookable_from: Option<NaiveDate>,
    /// Last day one may book with it.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Date)]
    bookable_until: Option<NaiveDate>,
    /// Provinces of pickup; none = all.
    #[serde(default)]
    #[validate(length(max = 13))]
    #[schema(value_type = Vec<ProvinceCode>, max_items = 13)]
    provinces: Vec<Province>,
    /// Kinds of move; none = all.
    #[serde(default)]
    #[validate(length(max = 8))]
    #[schema(value_type = Vec<MoveKindCode>, max_items = 8)]
    kinds: Vec<MoveKind>,
    /// Bookings it may be used in; unlimited when left out.
    #[serde(default)]
    #[validate(range(min = 1, max = 1_000_000))]
    #[schema(minimum = 1, maximum = 1_000_000)]
    max_uses: Option<i32>,
    /// Bookings of one customer it may be used in; unlimited when left out.
    #[serde(default)]
    #[validate(range(min = 1, max = 1_000_000))]
    #[schema(minimum = 1, maximum = 1_000_000)]
    max_uses_per_customer: Option<i32>,
    /// Only for customers who have no other booking.
    #[serde(default)]
    first_booking_only: bool,
    /// Switched off.
    #[serde(default)]
    disabled: bool,
}

impl DiscountTermsRequest {
    pub(super) fn terms(self) -> Result<Terms, CommonError> {
        let terms = match (self.kind, self.max_amount) {
            // A basis point is a hundredth of a percent: the same digits as cents of a dollar.
            (DiscountKind::Percent, max) => {
                DiscountTerms::Percent { share: BasisPoints::new(self.value.0.cents()), max: max.map(|m| m.0) }
            }
            (DiscountKind::Fixed, None) => DiscountTerms::Fixed { amount: self.value.0 },
            (DiscountKind::Fixed, Some(_)) => {
                let field = Field::new("maxAmount", FieldProblem::DoesNotFit);
                return Err(CommonError::invalid(vec![Field { message: "field.percentOnly", ..field }]));
            }
        };
        Ok(Terms {
            code: self.code,
            terms,
            valid: (self.valid_from, self.valid_until),
            bookable: (self.bookable_from, self.bookable_until),
            provinces: self.provinces,
            kinds: self.kinds,
            max_uses: self.max_uses,
            max_uses_per_customer: self.max_uses_per_customer,
            first_booking_only: self.first_booking_only,
            disabled: self.disabled,
        })
    }
}

/// A discount code, and where it stands.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiscountRecord {
    id: String,
    code: String,
    kind: DiscountKind,
    /// Percent or dollars, two decimals.
    value: Cash,
    max_amount: Option<Cash>,
    #[schema(value_type = String, format = Date)]
    valid_from: NaiveDate,
    #[schema(value_type = String, format = Date)]
    valid_until: NaiveDate,
    #[schema(value_type = Option<String>, format = Date)]
    bookable_from: Option<NaiveDate>,
    #[schema(value_type = Option<String>, format = Date)]
    bookable_until: Option<NaiveDate>,
    #[schema(value_type = Vec<ProvinceCode>)]
    provinces: Vec<Province>,
    #[schema(value_type = Vec<MoveKindCode>)]
    kinds: Vec<MoveKind>,
    max_uses: Option<i32>,
    max_uses_per_customer: Option<i32>,
    first_booking_only: bool,
    disabled: bool,
    /// Bookings that use it.
    uses: i32,
    #[schema(value_type = DiscountStateCode)]
    state: &'static str,
    version: i32,
    created_at: DateTime<Utc>,
}

impl From<&Standing> for DiscountRecord {
    fn from(s: &Standing) -> DiscountRecord {
        let d = &s.discount;
        let (kind, value, max_amount) = match d.terms {
            DiscountTerms::Percent { share, max } => (DiscountKind::Percent, Money::from_cents(share.get()), max),
            DiscountTerms::Fixed { amount } => (DiscountKind::Fixed, amount, None),
        };
        DiscountRecord {
            id: d.id.to_string(),
            code: d.code.clone(),
            kind,
            value: Cash(value),
            max_amount: max_amount.map(Cash),
            valid_from: d.valid_from,
            valid_until: d.valid_until,
            bookable_from: d.bookable_from,
            bookable_until: d.bookable_until,
            provinces: d.provinces.clone(),
            kinds: d.kinds.clone(),
            max_uses: d.max_uses,
            max_uses_per_customer: d.max_uses_per_customer,
            first_booking_only: d.first_booking_only,
            disabled: d.disabled,
            uses: d.uses,
            state: s.state.code(),
            version: d.version,
            created_at: d.created_at,
        }
    }
}

/// A page of discount codes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiscountPage {
    /// Rows, the newest first.
    data: Vec<DiscountRecord>,
    /// Of how many.
    total: i64,
    /// From 1.
    page: i64,
    /// Rows a page.
    per_page: i64,
}

/// A booking that used a code.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiscountUse {
    booking_id: String,
    /// The booking's number; none while it is being paid for, or when it never was.
    short_id: Option<String>,
    /// The customer's name.
    customer: String,
    /// What the code takes off; none when the booking has it no more.
    off: Option<Cash>,
    taken_at: DateTime<Utc>,
    /// When it was given back: cancelled, never paid, or changed to another code.
    returned_at: Option<DateTime<Utc>>,
}

impl From<UsedBy> for DiscountUse {
    fn from(u: UsedBy) -> DiscountUse {
        DiscountUse {
            booking_id: u.used.booking.to_string(),
            short_id: u.short_id.map(|id| id.to_string()),
            customer: u.name,
            off: u.off.map(Cash),
            taken_at: u.used.taken_at,
            returned_at: u.used.returned_at,
        }
    }
}

/// A page of the bookings that used a code.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiscountUses {
    /// Rows, the newest first.
    data: Vec<DiscountUse>,
    /// Of how many.
    total: i64,
    /// From 1.
    page: i64,
    /// Rows a page.
    per_page: i64,
}

async fn list(state: web::Data<State>, who: AsStaff, query: ValidQuery<PageQuery>) -> Reply<Json<DiscountPage>> {
    let PageQuery { page, per_page } = query.value;
    discount_page(&state, &who, String::new(), page, per_page).await
}

async fn search(state: web::Data<State>, who: AsStaff, query: ValidQuery<FindQuery>) -> Reply<Json<DiscountPage>> {
    let FindQuery { value, page, per_page } = query.value;
    discount_page(&state, &who, value, page, per_page).await
}

async fn discount_page(
    state: &State,
    who: &AsStaff,
    value: String,
    page: i64,
    per_page: i64,
) -> Reply<Json<DiscountPage>> {
    let found = desk::list(&state.services, &who.0, value, (page, per_page)).await?;
    let data = found.data.iter().map(DiscountRecord::from).collect();
    Ok(Json(DiscountPage { data, total: found.total, page, per_page }))
}

async fn get(state: web::Data<State>, who: AsStaff, id: PathId<DiscountId>) -> Reply<Versioned<DiscountRecord>> {
    let found = desk::get(&state.services, &who.0, id.0).await?;
    versioned(found.discount.version, DiscountRecord::from(&found))
}

async fn uses(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<DiscountId>,
    query: ValidQuery<PageQuery>,
) -> Reply<Json<DiscountUses>> {
    let PageQuery { page, per_page } = query.value;
    let found = desk::uses(&state.services, &who.0, id.0, (page, per_page)).await?;
    let data = found.data.into_iter().map(DiscountUse::from).collect();
    Ok(Json(DiscountUses { data, total: found.total, page, per_page }))
}

async fn add(
    state: web::Data<State>,
    who: AsStaff,
    key: IdempotencyKey,
    body: ValidJson<DiscountTermsRequest>,
) -> Reply<Once<DiscountRecord, 201>, AddRefusal> {
    let render = |s: &Standing| DiscountRecord::from(s);
    let guard = Once::<_, 201>::guard(key, who.0.caller(), "POST /api/discounts", &body.body_hash(), render);
    let done = desk::add(&state.services, &who.0, body.value.terms()?, guard).await?;
    Ok(Once::of(done, render)?)
}

async fn put(
    state: web::Data<State>,
    who: AsStaff,
    id: PathId<DiscountId>,
    version: Version,
    body: ValidJson<DiscountTermsRequest>,
) -> Reply<Versioned<DiscountRecord>> {
    let done = desk::put(&state.services, &who.0, id.0, body.value.terms()?, version.0).await?;
    versioned(done.discount.version, DiscountRecord::from(&done))
}

async fn remove(state: web::Data<State>, who: AsStaff, id: PathId<DiscountId>, version: IfMatch) -> Reply<NoContent> {
    desk::remove(&state.services, &who.0, id.0, version.0).await?;
    Ok(NoContent)
}

/// Their part of the table.
pub(super) fn routes() -> Vec<Route> {
    let terms = || {
        json!({
            "kind": "percent", "value": "10", "maxAmount": "50.00", "validFrom": "2027-03-01",
            "validUntil": "2027-05-31", "provinces": ["QC"], "maxUses": 100, "maxUsesPerCustomer": 1,
        })
    };
    let mut new = terms();
    new["code"] = json!("{unique}");
    vec![
        Route::get("/api/discounts", STAFF, list)
            .doc("discounts", TAG, "Discount codes, the newest first")
            .example(Example::query(&[("page", "1"), ("per_page", "10")])),
        Route::get("/api/discounts/search", STAFF, search)
            .doc("searchDiscounts", TAG, "Discount codes that contain a text, case aside")
            .example(Example::query(&[("value", "spring")])),
        Route::post("/api/discounts", STAFF, Audit::Action("discount.add"), add)
            .doc("addDiscount", TAG, "Add a discount code")
            .example(Example::json(new)),
        Route::get("/api/discounts/{id}", STAFF, get).doc("discount", TAG, "A discount code"),
        Route::put("/api/discounts/{id}", STAFF, Audit::Action("discount.update"), put)
            .doc("changeDiscount", TAG, "Change what a code takes off, when and for whom")
            .about("Bookings that use it keep what it took off. The code itself stays.")
            .example(Example::json(terms())),
        Route::delete("/api/discounts/{id}", STAFF, Audit::Action("discount.remove"), remove)
            .doc("removeDiscount", TAG, "Remove a code that was never used, switch off any other")
            .about("A used code stays on the list as disabled: its bookings keep it, and nobody uses it again."),
        Route::get("/api/discounts/{id}/uses", STAFF, uses)
            .doc("discountUses", TAG, "The bookings a code was used in, the newest first")
            .example(Example::query(&[("page", "1"), ("per_page", "10")])),
    ]
}
