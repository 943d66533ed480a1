//! Reading `fixtures/service-areas.json`: the areas, their members and their hubs.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::LazyLock,
};

use kernel::{Province, Zone};
use serde::Deserialize;

use crate::{AreaId, defaults::BoundingBox, gazetteer_file::DataError, names::normalise};

const FILE: &str = include_str!("../../../../fixtures/service-areas.json");

#[derive(Deserialize)]
struct Document {
    areas: Vec<AreaDocument>,
}

#[derive(Deserialize)]
struct AreaDocument {
    id: AreaId,
    province: Province,
    timezone: Zone,
    name: AreaNames,
    bbox: [f64; 4],
    #[serde(default)]
    municipalities: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    fsa: HashSet<String>,
    #[serde(default)]
    fsa_partial: HashSet<String>,
    hubs: Vec<HubDocument>,
}

/// A name in the three languages.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(crate) struct AreaNames {
    pub en: String,
    pub fr: String,
    pub zh: String,
}

impl AreaNames {
    pub(crate) fn get(&self, language: kernel::Language) -> &str {
        match language {
            kernel::Language::En => &self.en,
            kernel::Language::Fr => &self.fr,
            kernel::Language::Zh => &self.zh,
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
pub(crate) struct HubDocument {
    pub id: String,
    pub name: AreaNames,
    pub lat: f64,
    pub lon: f64,
    /// `None`: the whole area.
    pub radius_km: Option<f64>,
}

#[derive(Debug)]
pub(crate) struct AreaRecord {
    pub id: AreaId,
    pub province: Province,
    pub zone: Zone,
    pub name: AreaNames,
    pub bbox: BoundingBox,
    /// Normal name → part of the area. Empty: the whole province.
    pub members: HashMap<String, String>,
    pub fsa: HashSet<String>,
    /// Rural postal areas that only partly belong: the municipality decides.
    pub fsa_partial: HashSet<String>,
    pub hubs: Vec<HubDocument>,
}

impl AreaRecord {
    pub(crate) fn is_whole_province(&self) -> bool {
        self.members.is_empty()
    }
}

// The unit test below proves that the file parses, so the empty fallback is never served.
static AREAS: LazyLock<Vec<AreaRecord>> = LazyLock::new(|| parse(FILE).unwrap_or_default());

/// The four areas, in the order of [`AreaId::ALL`].
pub(crate) fn areas() -> &'static [AreaRecord] {
    &AREAS
}

pub(crate) fn area_record(id: AreaId) -> Option<&'static AreaRecord> {
    areas().iter().find(|a| a.id == id)
}

fn parse(text: &str) -> Result<Vec<AreaRecord>, DataError> {
    let document: Document = serde_json::from_str(text)?;
    let record = |area: AreaDocument| {
        let [west, south, east, north] = area.bbox;
        let named =
            |(part, names): (String, Vec<String>)| names.into_iter().map(move |n| (normalise(&n), part.clone()));
        AreaRecord {
            id: area.id,
            province: area.province,
            zone: area.timezone,
            name: area.name,
            bbox: BoundingBox { west, south, east, north },
            members: area.municipalities.into_iter().flat_map(named).collect(),
            fsa: area.fsa,
            fsa_partial: area.fsa_partial,
            hubs: area.hubs,
        }
    };
    Ok(document.areas.into_iter().map(record).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{gazetteer::gazetteer, great_circle_km};
    use kernel::Coordinates;

    #[test]
    fn the_embedded_file_parses() {
        let areas = parse(FILE).unwrap();
        assert_eq!(areas.iter().map(|a| a.id).collect::<Vec<_>>(), AreaId::ALL);
        // 82 municipalities; Langley and North Vancouver are two each under one name.
        assert_eq!(areas[0].members.len(), 82);
        assert_eq!(areas[1].members.len(), 23 - 2);
        assert!(areas[2].is_whole_province() && areas[3].is_whole_province());
        for area in &areas {
            assert!(!area.hubs.is_empty() && area.zone == area.province.zone());
            for hub in &area.hubs {
                let point = Coordinates::new(hub.lat, hub.lon).unwrap();
                assert!(area.bbox.contains(point), "{}", hub.id);
            }
        }
    }

    #[test]
    fn every_member_municipality_is_a_known_place_inside_its_area() {
        for area in areas() {
            for name in area.members.keys() {
                let known = gazetteer().places.iter().filter(|p| p.province == area.province);
                let here = known.filter(|p| normalise(&p.municipality) == *name || p.normal_name == *name);
                assert!(here.into_iter().any(|p| area.bbox.contains(p.coordinates)), "{name}");
            }
        }
    }

    #[test]
    fn listed_postal_areas_lie_in_their_area() {
        for area in areas() {
            for fsa in &area.fsa {
                // A few codes are reserved for buildings and carry no row of data.
                let Some(known) = crate::postal_area(fsa) else { continue };
                assert!(area.bbox.padded(0.05).contains(known.coordinates), "{fsa} at {:?}", known.coordinates);
                assert!(known.sub_area.is_some(), "{fsa}");
                let sub = known.sub_area.as_ref().unwrap();
                assert!(area.members.values().any(|s| s == sub), "{fsa}: {sub}");
            }
            let [a, b] = [area.bbox.west, area.bbox.east].map(|lon| Coordinates { lat: area.bbox.south, lon });
            assert!(great_circle_km(a, b) > 50.0);
        }
    }
}
