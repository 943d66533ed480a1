//! What the calls of several catalogues share.

use kernel::{Address, PostalCode, Province};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    calls::{
        bookings::ends::{DraftAddress, complete},
        values::ProvinceCode,
    },
    contract::CommonError,
    http::problem::Field,
};

/// Their chapter of the document.
pub(super) const TAG: &str = "Catalogues";

/// A whole address.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddressRecord {
    street: String,
    unit: String,
    city: String,
    #[schema(value_type = ProvinceCode)]
    province: Province,
    #[schema(value_type = String)]
    postal_code: PostalCode,
    country: String,
    /// In one line.
    full_address: String,
}

impl From<&Address> for AddressRecord {
    fn from(a: &Address) -> AddressRecord {
        AddressRecord {
            street: a.street.clone(),
            unit: a.unit.clone(),
            city: a.city.clone(),
            province: a.province,
            postal_code: a.postal_code.clone(),
            country: a.country.clone(),
            full_address: a.line(),
        }
    }
}

/// Addresses that were sent, each named by its place when it is not whole.
pub(super) fn addresses<'a>(
    sent: impl IntoIterator<Item = (String, &'a DraftAddress)>,
) -> Result<Vec<Address>, CommonError> {
    let mut wrong: Vec<Field> = Vec::new();
    let read = |(name, address): (String, &DraftAddress)| complete(&name, address, String::new(), &mut wrong);
    let whole: Vec<Address> = sent.into_iter().filter_map(read).collect();
    if wrong.is_empty() { Ok(whole) } else { Err(CommonError::invalid(wrong)) }
}

/// A page of a catalogue.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct PageQuery {
    /// Page, from 1.
    #[serde(default = "first")]
    #[schema(minimum = 1, maximum = 1_000_000, default = 1)]
    pub(super) page: i64,
    /// Rows a page.
    #[serde(default = "ten")]
    #[schema(minimum = 1, maximum = 100, default = 10)]
    pub(super) per_page: i64,
}

/// What is looked for in a catalogue.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct FindQuery {
    /// Text to find; all when left out.
    #[serde(default)]
    #[schema(max_length = 100)]
    pub(super) value: String,
    /// Page, from 1.
    #[serde(default = "first")]
    #[schema(minimum = 1, maximum = 1_000_000, default = 1)]
    pub(super) page: i64,
    /// Rows a page.
    #[serde(default = "ten")]
    #[schema(minimum = 1, maximum = 100, default = 10)]
    pub(super) per_page: i64,
}

pub(super) const fn first() -> i64 {
    1
}

pub(super) const fn ten() -> i64 {
    10
}
