//! Discount codes as a sheet.

use kernel::Money;
use pricing::DiscountTerms;
use serde_json::{Map, Value};
use service::{discounts::desk::Terms, imports::discounts::Discounts, ports::discounts::StoredDiscount};

use super::{
    accepted::Accepts,
    calls::{self, Words},
    lists,
    sheet::{Column, Kind, Sheet},
};
use crate::{
    calls::catalogues::discounts::DiscountTermsRequest,
    endpoint::Route,
    http::{ApiError, json},
};

struct Codes;

impl Sheet for Codes {
    type Catalogue = Discounts;

    const CALL: &'static str = "POST /api/catalogues/discounts/csv";
    const KEY: &'static str = "code";

    fn columns() -> Vec<Column> {
        // The value with its kind, the days with each other.
        let compared = |column: Column| Column { is_compared: true, ..column };
        vec![
            Column::needed("code", "X"),
            Column::needed("kind", "percent").of(Accepts::DiscountKinds),
            compared(Column { kind: Kind::Amount, ..Column::needed("value", "1") }),
            Column::new("maxAmount", Kind::Amount),
            compared(Column::needed("validFrom", "2027-01-01").of(Accepts::Day)),
            compared(Column::needed("validUntil", "2027-12-31").of(Accepts::Day)),
            compared(Column::new("bookableFrom", Kind::Text).of(Accepts::Day)),
            compared(Column::new("bookableUntil", Kind::Text).of(Accepts::Day)),
            Column::new("provinces", Kind::List).of(Accepts::Provinces),
            Column::new("kinds", Kind::List).of(Accepts::MoveKinds),
            Column::new("maxUses", Kind::Number),
            Column::new("maxUsesPerCustomer", Kind::Number),
            Column::new("firstBookingOnly", Kind::Flag),
            Column::new("disabled", Kind::Flag),
        ]
    }

    fn form(row: Map<String, Value>) -> Result<Terms, ApiError> {
        Ok(json::of_value::<DiscountTermsRequest>(&Value::Object(row))?.terms()?)
    }

    fn table(records: &[StoredDiscount]) -> (Vec<String>, Vec<Vec<String>>) {
        (Codes::columns().into_iter().map(|c| c.name).collect(), records.iter().map(cells).collect())
    }
}

fn cells(d: &StoredDiscount) -> Vec<String> {
    // A basis point is a hundredth of a percent: the same digits as cents of a dollar.
    let (kind, value, most) = match &d.terms {
        DiscountTerms::Percent { share, max } => ("percent", Money::from_cents(share.get()), *max),
        DiscountTerms::Fixed { amount } => ("fixed", *amount, None),
    };
    vec![
        d.code.clone(),
        kind.to_owned(),
        value.to_string(),
        text_or_empty(most),
        d.valid_from.to_string(),
        d.valid_until.to_string(),
        text_or_empty(d.bookable_from),
        text_or_empty(d.bookable_until),
        lists::joined(d.provinces.iter().map(|p| p.code())),
        lists::joined(d.kinds.iter().map(|k| k.code())),
        text_or_empty(d.max_uses),
        text_or_empty(d.max_uses_per_customer),
        d.first_booking_only.to_string(),
        d.disabled.to_string(),
    ]
}

fn text_or_empty(value: Option<impl ToString>) -> String {
    value.map(|v| v.to_string()).unwrap_or_default()
}

/// The calls of this file.
pub(super) fn routes() -> Vec<Route> {
    calls::routes::<Codes>(&Words {
        path: "/api/catalogues/discounts/csv",
        file: ("exportDiscounts", "Discount codes as CSV, by code"),
        back: ("importDiscounts", "Discount codes from CSV, each named by its code"),
        example: "code,kind,value,maxAmount,validFrom,validUntil,provinces,maxUses\r\nFROM-A-FILE,percent,10,50.00,2027-03-01,2027-05-31,QC|ON,100\r\n",
    })
}
