//! The four service areas and which of them a place lies in.

use std::{fmt, str::FromStr};

use kernel::{Language, Province, Zone};
use serde::{Deserialize, Serialize};

use crate::{
    Nearby, Place,
    areas_file::{AreaRecord, area_record, areas},
    gazetteer, hub,
    names::normalise,
    place::locate,
    postal_area,
};

/// A place without usable name and postal code belongs to the nearest known one within this
/// distance, km.
const NEAREST_PLACE_KM: f64 = 8.0;

/// How far outside its area's box a member municipality may reach, degrees (about 10 km).
/// Further away it is a namesake: there is a second Saint-Isidore 200 km from Montréal.
const BOX_PADDING: f64 = 0.1;

/// The part of a province-wide area that no hub reaches.
pub(crate) const REMOTE: &str = "remote";

/// One of the areas of the specification (section 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AreaId {
    /// The 82 municipalities of the Communauté métropolitaine de Montréal.
    GreaterMontreal,
    /// The members of Metro Vancouver.
    GreaterVancouver,
    /// The whole province.
    Ontario,
    /// The whole province.
    Alberta,
}

/// None of the four areas.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a service area")]
pub struct UnknownArea;

impl AreaId {
    /// All four.
    pub const ALL: [AreaId; 4] = [AreaId::GreaterMontreal, AreaId::GreaterVancouver, AreaId::Ontario, AreaId::Alberta];

    /// The stable id: `greater-montreal`.
    pub const fn code(self) -> &'static str {
        match self {
            AreaId::GreaterMontreal => "greater-montreal",
            AreaId::GreaterVancouver => "greater-vancouver",
            AreaId::Ontario => "ontario",
            AreaId::Alberta => "alberta",
        }
    }

    /// The province it lies in.
    pub const fn province(self) -> Province {
        match self {
            AreaId::GreaterMontreal => Province::QC,
            AreaId::GreaterVancouver => Province::BC,
            AreaId::Ontario => Province::ON,
            AreaId::Alberta => Province::AB,
        }
    }

    /// The zone its schedule is kept in.
    pub fn zone(self) -> Zone {
        area_record(self).map_or_else(|| self.province().zone(), |a| a.zone)
    }

    /// What people call it.
    pub fn name(self, language: Language) -> &'static str {
        area_record(self).map_or(self.code(), |a| a.name.get(language))
    }
}

impl fmt::Display for AreaId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for AreaId {
    type Err = UnknownArea;
    fn from_str(s: &str) -> Result<Self, UnknownArea> {
        AreaId::ALL.into_iter().find(|a| a.code() == s).ok_or(UnknownArea)
    }
}

/// Where in our areas a place lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ServiceArea {
    /// The area.
    pub id: AreaId,
    /// Its part: of Greater Montreal or Greater Vancouver a group of municipalities (`laval`,
    /// `van-north-shore`), of Ontario and Alberta the hub that reaches the place, or `remote`.
    pub sub_area: Option<String>,
}

/// The service area a place lies in; `None` outside all of them.
///
/// In this order: the province; the municipality's name; the postal area (rural ones that only
/// partly belong need the municipality); the nearest known place within 8 km.
pub fn area_of(place: &Place) -> Option<ServiceArea> {
    let area = areas().iter().find(|a| a.province == place.province)?;
    if area.is_whole_province() {
        let reached = locate(place).and_then(|point| hub::reaching(area.id, point));
        let sub_area = reached.map_or(REMOTE, |h| h.id).to_owned();
        return Some(ServiceArea { id: area.id, sub_area: Some(sub_area) });
    }
    let found = by_name(area, place).or_else(|| by_postal_area(area, place)).or_else(|| by_nearness(area, place))?;
    Some(ServiceArea { id: area.id, sub_area: found })
}

/// The outer option: in the area or not. The inner: the part, when known.
type Part = Option<Option<String>>;

fn by_name(area: &AreaRecord, place: &Place) -> Part {
    let name = normalise(&place.city);
    if name.is_empty() || is_namesake(area, place) {
        return None;
    }
    if let Some(part) = area.members.get(&name) {
        return Some(Some(part.clone()));
    }
    let reach = area.bbox.padded(BOX_PADDING);
    // A borough or village of a member: Verdun, Saint-Hubert, Aldergrove.
    gazetteer::places_with_normal_name(Some(place.province), &name)
        .into_iter()
        .filter(|p| reach.contains(p.coordinates))
        .find_map(|p| area.members.get(&normalise(&p.municipality)))
        .map(|part| Some(part.clone()))
}

/// True when point or postal code say that this cannot be the municipality we mean.
fn is_namesake(area: &AreaRecord, place: &Place) -> bool {
    let reach = area.bbox.padded(BOX_PADDING);
    if let Some(point) = place.coordinates {
        return !reach.contains(point);
    }
    place.fsa().is_some_and(|fsa| {
        !area.fsa.contains(fsa)
            && !area.fsa_partial.contains(fsa)
            && postal_area(fsa).is_some_and(|a| !reach.contains(a.coordinates))
    })
}

fn by_postal_area(area: &AreaRecord, place: &Place) -> Part {
    let fsa = place.fsa()?;
    area.fsa.contains(fsa).then(|| postal_area(fsa).and_then(|a| a.sub_area.clone()))
}

fn by_nearness(area: &AreaRecord, place: &Place) -> Part {
    let (nearby, km) = gazetteer::nearest(place.coordinates?)?;
    if km > NEAREST_PLACE_KM || nearby.province() != place.province {
        return None;
    }
    let there = match nearby {
        Nearby::Place(p) => Place {
            province: p.province,
            city: p.municipality.clone(),
            postal_code: Some(p.postal_code.clone()),
            coordinates: Some(p.coordinates),
        },
        Nearby::PostalArea(a) => Place {
            province: a.province,
            city: a.municipality.clone(),
            postal_code: Some(a.postal_code.clone()),
            coordinates: Some(a.coordinates),
        },
    };
    by_name(area, &there).or_else(|| by_postal_area(area, &there))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::testing::{at, place};
    use kernel::Coordinates;
    use proptest::prelude::*;

    fn area(place: &Place) -> Option<(AreaId, String)> {
        area_of(place).map(|a| (a.id, a.sub_area.unwrap_or_default()))
    }

    fn montreal(part: &str) -> Option<(AreaId, String)> {
        Some((AreaId::GreaterMontreal, part.to_owned()))
    }

    #[test]
    fn municipalities_are_known_however_spelt() {
        assert_eq!(area(&place("QC", "Ville de Montreal", None)), montreal("agglomeration-montreal"));
        assert_eq!(area(&place("QC", "LAVAL", None)), montreal("laval"));
        assert_eq!(area(&place("QC", "St-Lambert", Some("J4P 1A1"))), montreal("agglomeration-longueuil"));
        assert_eq!(area(&place("QC", "Ste Therese", None)), montreal("north-shore"));
        assert_eq!(area(&place("QC", "Verdun", None)), montreal("agglomeration-montreal"));
        assert_eq!(area(&place("QC", "Contrecœur", None)), montreal("south-shore"));
        assert_eq!(area(&place("BC", "Langley", None)).unwrap().1, "metro-vancouver");
        assert_eq!(area(&place("BC", "District of North Vancouver", None)).unwrap().1, "van-north-shore");
        assert_eq!(area(&place("BC", "UBC", None)).unwrap().0, AreaId::GreaterVancouver);
        for outside in ["Québec", "Sherbrooke", "Gatineau", "Joliette"] {
            assert_eq!(area(&place("QC", outside, None)), None, "{outside}");
        }
        assert_eq!(area(&place("BC", "Kelowna", None)), None);
        assert_eq!(area(&place("BC", "Victoria", Some("V8W 1A1"))), None);
    }

    #[test]
    fn every_municipality_of_the_file_is_in_its_area() {
        for record in areas() {
            for (name, part) in &record.members {
                let there = place(record.province.code(), name, None);
                assert_eq!(area(&there), Some((record.id, part.clone())), "{name}");
            }
        }
    }

    #[test]
    fn postal_areas_decide_where_names_do_not() {
        assert_eq!(area(&place("QC", "", Some("H7N 1A1"))), montreal("laval"));
        assert_eq!(area(&place("QC", "Somewhere", Some("J4B 5E4"))), montreal("agglomeration-longueuil"));
        assert_eq!(area(&place("QC", "", Some("G1R 4P5"))), None);
        assert_eq!(area(&place("BC", "", Some("V7G 1A1"))).unwrap().1, "van-north-shore");
        // Rural areas that only partly belong need the municipality.
        assert_eq!(area(&place("QC", "Sainte-Clotilde", Some("J0L 1W0"))), None);
        assert_eq!(area(&place("QC", "", Some("J0N 1E0"))), None);
        assert_eq!(area(&place("QC", "Oka", Some("J0N 1E0"))), montreal("north-shore"));
        assert_eq!(area(&place("BC", "Whistler", Some("V0N 1B0"))), None);
        assert_eq!(area(&place("BC", "Lions Bay", Some("V0N 2E0"))).unwrap().1, "van-north-shore");
        assert_eq!(area(&place("BC", "Abbotsford", Some("V4W 3E8"))), None);
        assert_eq!(area(&place("BC", "Aldergrove", Some("V4W 3E8"))).unwrap().1, "metro-vancouver");
    }

    #[test]
    fn namesakes_far_away_are_not_members() {
        assert_eq!(area(&place("QC", "Saint-Isidore", Some("J0L 2A0"))), montreal("south-shore"));
        assert_eq!(area(&place("QC", "Saint-Isidore", Some("G0S 2S0"))), None);
        let beauce = Coordinates { lat: 46.58, lon: -71.09 };
        assert_eq!(area(&Place { coordinates: Some(beauce), ..place("QC", "Saint-Isidore", None) }), None);
    }

    #[test]
    fn a_point_alone_belongs_to_the_nearest_place() {
        assert_eq!(area(&at("QC", 45.5019, -73.5674)), montreal("agglomeration-montreal"));
        assert_eq!(area(&at("QC", 45.5717, -73.7237)), montreal("laval"));
        assert_eq!(area(&at("BC", 49.328, -123.16)).unwrap().1, "van-north-shore");
        assert_eq!(area(&at("QC", 46.8139, -71.208)), None);
        assert_eq!(area(&at("QC", 50.0, -75.0)), None);
        assert_eq!(area(&at("QC", -45.0, 73.0)), None);
    }

    #[test]
    fn two_provinces_are_served_whole() {
        assert_eq!(area(&place("ON", "Toronto", Some("M5V 2T6"))), Some((AreaId::Ontario, "toronto".into())));
        assert_eq!(area(&place("ON", "Thunder Bay", None)), Some((AreaId::Ontario, "remote".into())));
        assert_eq!(area(&place("ON", "", None)), Some((AreaId::Ontario, "remote".into())));
        assert_eq!(area(&place("AB", "Red Deer", None)), Some((AreaId::Alberta, "red-deer".into())));
        assert_eq!(area(&place("AB", "Fort McMurray", None)), Some((AreaId::Alberta, "remote".into())));
        assert_eq!(area(&place("NS", "Halifax", Some("B3H 1A1"))), None);
    }

    #[test]
    fn ids_and_names() {
        for id in AreaId::ALL {
            assert_eq!(id.code().parse::<AreaId>().unwrap(), id);
            assert_eq!(serde_json::to_string(&id).unwrap(), format!("\"{id}\""));
            assert_eq!(id.zone(), id.province().zone());
        }
        assert_eq!(AreaId::GreaterMontreal.name(Language::Fr), "Grand Montréal");
    }

    proptest! {
        #[test]
        fn any_place_has_an_answer(city in ".{0,40}", lat in -90.0f64..=90.0, lon in -180.0f64..=180.0, province in 0usize..13) {
            let province = Province::ALL[province];
            let there = Place { province, city, postal_code: None, coordinates: Some(Coordinates { lat, lon }) };
            let found = area_of(&there);
            prop_assert!(found.is_none_or(|a| a.id.province() == province));
        }
    }
}
