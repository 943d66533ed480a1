//! One end of a draft: what was sent, made into a location.

use kernel::{Accessibility, Address, Coordinates, PlaceCategory, PostalCode, Province};
use serde::{Deserialize, Serialize};
use service::{FieldProblem, ports::bookings::Location};
use utoipa::ToSchema;

use crate::{
    calls::{
        geo::Point,
        values::{ProvinceCode, blank},
    },
    http::problem::Field,
};

/// An address of the draft.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftAddress {
    /// `Canada`.
    #[schema(max_length = 60)]
    country: Option<String>,
    /// Province or territory.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<ProvinceCode>)]
    province: Option<Province>,
    /// `H2X 1Y4`.
    #[schema(max_length = 20)]
    postal_code: Option<String>,
    /// Municipality.
    #[schema(max_length = 200)]
    city: Option<String>,
    /// Civic number and street.
    #[schema(max_length = 200)]
    street: Option<String>,
    /// Apartment or unit.
    #[schema(max_length = 60)]
    unit: Option<String>,
    /// The one line that was shown.
    #[schema(max_length = 400)]
    full_address: Option<String>,
}

impl DraftAddress {
    /// Its municipality; empty while it is not known.
    pub(super) fn municipality(&self) -> String {
        trimmed(&self.city)
    }
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum End {
    Pickup,
    Dropoff,
}

/// Access to one end, as far as it was sent.
pub(super) struct EndFields<'d> {
    pub name: &'static str,
    pub address: &'d Option<DraftAddress>,
    pub coords: Option<Point>,
    pub unit: &'d Option<String>,
    pub elevator: Option<u32>,
    pub floor: Option<i32>,
    pub parking: Option<bool>,
    pub accessibility: Option<Accessibility>,
    pub details: &'d Option<String>,
    pub category: Option<PlaceCategory>,
}

pub(super) fn trimmed(text: &Option<String>) -> String {
    text.as_deref().unwrap_or("").trim().to_owned()
}

/// One end, all of it.
pub(super) fn location(end: &EndFields<'_>, wrong: &mut Vec<Field>) -> Option<Location> {
    let Some(address) = end.address else {
        wrong.push(Field::new(end.name, FieldProblem::Required));
        return None;
    };
    let address = complete(end.name, address, trimmed(end.unit), wrong)?;
    let coordinates = point(end, &address, wrong)?;
    Some(Location {
        address,
        coordinates,
        floor: end.floor.unwrap_or(0),
        elevator: end.elevator.unwrap_or(0),
        parking: end.parking.unwrap_or(false),
        accessibility: end.accessibility.unwrap_or_default(),
        details: trimmed(end.details),
        category: end.category.map(|c| c.code().to_owned()).unwrap_or_default(),
    })
}

/// A whole address; what is wrong with it stands under `name`.
pub(in crate::calls) fn complete(
    name: &str,
    a: &DraftAddress,
    unit: String,
    wrong: &mut Vec<Field>,
) -> Option<Address> {
    let before = wrong.len();
    let field = |part: &str| format!("{name}.{part}");
    let mut need = |part: &str, text: &Option<String>| {
        let text = trimmed(text);
        if text.is_empty() {
            wrong.push(Field::new(field(part), FieldProblem::Required));
        }
        text
    };
    let (street, city) = (need("street", &a.street), need("city", &a.city));
    let postal = need("postalCode", &a.postal_code);
    let postal_code: Option<PostalCode> = postal.parse().ok();
    if postal_code.is_none() && !postal.is_empty() {
        wrong.push(Field::new(field("postalCode"), FieldProblem::Invalid));
    }
    let province = a.province.or_else(|| postal_code.as_ref().map(PostalCode::province));
    if province.is_none() && !postal.is_empty() {
        wrong.push(Field::new(field("province"), FieldProblem::Required));
    }
    let country = trimmed(&a.country);
    let own_unit = trimmed(&a.unit);
    let address = Address {
        street,
        unit: if unit.is_empty() { own_unit } else { unit },
        city,
        province: province?,
        postal_code: postal_code?,
        country: if country.is_empty() { "Canada".to_owned() } else { country },
        full_address: trimmed(&a.full_address),
    };
    (wrong.len() == before).then_some(address)
}

/// The point that was sent, else the middle of the postal area. The service compares it with its
/// own look-up and prices by that.
fn point(end: &EndFields<'_>, address: &Address, wrong: &mut Vec<Field>) -> Option<Coordinates> {
    let name = format!("{}Coords", end.name);
    match end.coords {
        Some(p) => {
            let point = p.checked(&name);
            if point.is_err() {
                wrong.push(Field::new(name, FieldProblem::OutOfRange));
            }
            point.ok()
        }
        None => {
            let place = geography::Place {
                province: address.province,
                city: address.city.clone(),
                postal_code: Some(address.postal_code.clone()),
                coordinates: None,
            };
            let found = geography::locate(&place);
            if found.is_none() {
                wrong.push(Field::new(name, FieldProblem::Required));
            }
            found
        }
    }
}

/// One end after an edit; none when nothing of it was sent.
pub(super) fn changed(end: &EndFields<'_>, old: &Location, wrong: &mut Vec<Field>) -> Option<Location> {
    let touched = end.address.is_some()
        || end.coords.is_some()
        || end.unit.is_some()
        || end.elevator.is_some()
        || end.floor.is_some()
        || end.parking.is_some()
        || end.accessibility.is_some()
        || end.details.is_some()
        || end.category.is_some();
    if !touched {
        return None;
    }
    let mut new = old.clone();
    if let Some(address) = end.address {
        let place = |a: &Address| (a.street.clone(), a.city.clone(), a.province, a.postal_code.clone());
        new.address = complete(end.name, address, trimmed(end.unit), wrong)?;
        // An apartment belongs to its house: it stays with it, and goes with it.
        let told = end.unit.is_some() || address.unit.is_some();
        if !told && place(&new.address) == place(&old.address) {
            new.address.unit.clone_from(&old.address.unit);
        }
        if end.coords.is_some() || place(&new.address) != place(&old.address) {
            new.coordinates = point(end, &new.address, wrong)?;
        }
    } else {
        if let Some(unit) = end.unit {
            new.address.unit = unit.trim().to_owned();
        }
        if end.coords.is_some() {
            new.coordinates = point(end, &new.address, wrong)?;
        }
    }
    new.floor = end.floor.unwrap_or(old.floor);
    new.elevator = end.elevator.unwrap_or(old.elevator);
    new.parking = end.parking.unwrap_or(old.parking);
    new.accessibility = end.accessibility.unwrap_or(old.accessibility);
    if let Some(details) = end.details {
        new.details = details.trim().to_owned();
    }
    if let Some(category) = end.category {
        category.code().clone_into(&mut new.category);
    }
    Some(new)
}
