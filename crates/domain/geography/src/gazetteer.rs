//! Known places and postal areas: by name, by postal code, by nearness.

use std::{
    collections::{HashMap, HashSet},
    sync::{LazyLock, OnceLock},
};

use kernel::{Coordinates, PostalCode, Province};

use crate::{
    gazetteer_file::{DataError, PLACES, POSTAL_AREAS, PlaceRow, PostalAreaRow, optional, point, rows},
    great_circle::{KM_PER_DEGREE, great_circle_km},
    names::normalise,
};

/// A town, village or part of a town.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownPlace {
    /// Usual name with accents.
    pub name: String,
    /// Province or territory.
    pub province: Province,
    /// What stands on an envelope: the municipality the place belongs to, often its own name.
    pub municipality: String,
    /// Middle of its postal codes.
    pub coordinates: Coordinates,
    /// Number of postal codes: a measure of size.
    pub codes: u32,
    /// A real postal code near the middle.
    pub postal_code: PostalCode,
    /// Island without a bridge, when it lies on one.
    pub island: Option<String>,
    pub(crate) normal_name: String,
}

/// A forward sortation area: the first three characters of a postal code.
#[derive(Debug, Clone, PartialEq)]
pub struct PostalArea {
    /// Three characters.
    pub fsa: String,
    /// The place most of its codes name.
    pub place: String,
    /// The municipality of that place.
    pub municipality: String,
    /// Neighbourhood or region, when the data names one.
    pub district: Option<String>,
    /// Province or territory.
    pub province: Province,
    /// Middle of its postal codes.
    pub coordinates: Coordinates,
    /// A real postal code near the middle.
    pub postal_code: PostalCode,
    /// Part of a metropolitan service area.
    pub sub_area: Option<String>,
    /// Island without a bridge, when the whole area lies on one.
    pub island: Option<String>,
}

impl PostalArea {
    /// True for areas served by rural delivery (second character 0): huge, their middle says little.
    pub fn is_rural(&self) -> bool {
        self.fsa.as_bytes().get(1) == Some(&b'0')
    }
}

/// What is nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Nearby {
    /// A place.
    Place(&'static KnownPlace),
    /// A postal area of a town.
    PostalArea(&'static PostalArea),
}

#[derive(Debug, Clone, Copy)]
enum Record {
    Place(usize),
    PostalArea(usize),
}

#[derive(Debug, Default)]
pub(crate) struct Gazetteer {
    pub(crate) places: Vec<KnownPlace>,
    pub(crate) postal_areas: Vec<PostalArea>,
    by_name: HashMap<String, Vec<usize>>,
    by_fsa: HashMap<String, usize>,
    /// Postal areas of towns, by the normal name of their municipality.
    by_municipality: HashMap<String, Vec<usize>>,
    /// How far each postal area reaches, worked out when it is first asked for.
    reaches: Vec<OnceLock<f64>>,
    /// Postal areas in which some place, but not all of it, lies on an island.
    island_fsas: HashSet<String>,
    by_latitude: Vec<(Coordinates, Record)>,
}

// The unit test below proves that the files parse, so the empty fallback is never served.
static GAZETTEER: LazyLock<Gazetteer> = LazyLock::new(|| Gazetteer::parse(PLACES, POSTAL_AREAS).unwrap_or_default());

pub(crate) fn gazetteer() -> &'static Gazetteer {
    &GAZETTEER
}

impl Gazetteer {
    pub(crate) fn parse(places: &str, postal_areas: &str) -> Result<Gazetteer, DataError> {
        let mut all = Gazetteer::default();
        for (i, row) in rows::<PlaceRow>("places.csv", places)?.into_iter().enumerate() {
            let coordinates = point("places.csv", i, row.latitude, row.longitude)?;
            let normal_name = normalise(&row.name);
            all.by_name.entry(normal_name.clone()).or_default().push(i);
            all.by_latitude.push((coordinates, Record::Place(i)));
            if !row.island.is_empty() {
                all.island_fsas.insert(row.postal_code.fsa().to_owned());
            }
            all.places.push(KnownPlace {
                normal_name,
                name: row.name,
                province: row.province,
                municipality: row.municipality,
                coordinates,
                codes: row.codes,
                postal_code: row.postal_code,
                island: optional(row.island),
            });
        }
        for (i, row) in rows::<PostalAreaRow>("fsa.csv", postal_areas)?.into_iter().enumerate() {
            let coordinates = point("fsa.csv", i, row.latitude, row.longitude)?;
            if row.postal_code.fsa() != row.fsa {
                return Err(DataError::Inconsistent {
                    file: "fsa.csv",
                    row: i + 1,
                    what: "the sample code lies in another area",
                });
            }
            let area = PostalArea {
                fsa: row.fsa,
                place: row.place,
                municipality: row.municipality,
                district: optional(row.district),
                province: row.province,
                coordinates,
                postal_code: row.postal_code,
                sub_area: optional(row.sub_area),
                island: optional(row.island),
            };
            if !area.is_rural() {
                all.by_municipality.entry(normalise(&area.municipality)).or_default().push(i);
                all.by_latitude.push((coordinates, Record::PostalArea(i)));
            }
            if all.by_fsa.insert(area.fsa.clone(), i).is_some() {
                return Err(DataError::Inconsistent { file: "fsa.csv", row: i + 1, what: "the area is listed twice" });
            }
            all.postal_areas.push(area);
            all.reaches.push(OnceLock::new());
        }
        all.by_latitude.sort_by(|a, b| a.0.lat.total_cmp(&b.0.lat));
        Ok(all)
    }

    /// Walks north and south from the point until latitude alone is further than the best found.
    fn nearest(&self, point: Coordinates, wanted: impl Fn(Record) -> bool) -> Option<(Record, f64)> {
        let start = self.by_latitude.partition_point(|(c, _)| c.lat < point.lat);
        let mut best: Option<(Record, f64)> = None;
        let mut walk = |entries: &mut dyn Iterator<Item = &(Coordinates, Record)>| {
            for (there, record) in entries {
                if best.is_some_and(|(_, km)| (there.lat - point.lat).abs() * KM_PER_DEGREE > km) {
                    break;
                }
                let km = great_circle_km(point, *there);
                if wanted(*record) && best.is_none_or(|(_, b)| km < b) {
                    best = Some((*record, km));
                }
            }
        };
        walk(&mut self.by_latitude.iter().skip(start));
        walk(&mut self.by_latitude.iter().take(start).rev());
        best
    }
}

pub(crate) fn point_of(place: &KnownPlace) -> Coordinates {
    place.coordinates
}

/// The postal area with these three characters, in any case.
pub fn postal_area(fsa: &str) -> Option<&'static PostalArea> {
    let all = gazetteer();
    let index = all.by_fsa.get(fsa).or_else(|| all.by_fsa.get(&fsa.trim().to_ascii_uppercase()));
    index.and_then(|i| all.postal_areas.get(*i))
}

/// Middle of a postal area (`H2X`): good for an estimate, not for routing.
pub fn center_of_fsa(fsa: &str) -> Option<Coordinates> {
    postal_area(fsa).map(|a| a.coordinates)
}

/// The postal areas most of whose codes name this municipality or a part of it; none for villages
/// that share a rural area.
pub fn postal_areas_in(province: Province, municipality: &str) -> Vec<&'static PostalArea> {
    let all = gazetteer();
    let found = all.by_municipality.get(&normalise(municipality)).into_iter().flatten();
    found.filter_map(|i| all.postal_areas.get(*i)).filter(|a| a.province == province).collect()
}

/// What `work_out` says of how far an area reaches, remembered: it looks at every other area.
pub(crate) fn reach_of(area: &PostalArea, work_out: impl FnOnce() -> f64) -> f64 {
    let all = gazetteer();
    match all.by_fsa.get(&area.fsa).and_then(|i| all.reaches.get(*i)) {
        Some(known) => *known.get_or_init(work_out),
        None => work_out(),
    }
}

/// The places with this name, however spelt; several when towns share it.
pub fn places_named(province: Option<Province>, name: &str) -> Vec<&'static KnownPlace> {
    if name.is_empty() { Vec::new() } else { places_with_normal_name(province, &normalise(name)) }
}

/// [`places_named`] for a name that is normal already.
pub(crate) fn places_with_normal_name(province: Option<Province>, name: &str) -> Vec<&'static KnownPlace> {
    let all = gazetteer();
    let found = all.by_name.get(name).into_iter().flatten().filter_map(|i| all.places.get(*i));
    found.filter(|p| province.is_none_or(|wanted| p.province == wanted)).collect()
}

/// True when some place of this postal area lies on an island.
pub(crate) fn has_islands(fsa: &str) -> bool {
    gazetteer().island_fsas.contains(fsa)
}

/// The place nearest to a point, with its distance in km.
pub fn nearest_place(point: Coordinates) -> Option<(&'static KnownPlace, f64)> {
    let all = gazetteer();
    match all.nearest(point, |r| matches!(r, Record::Place(_)))? {
        (Record::Place(i), km) => all.places.get(i).map(|p| (p, km)),
        (Record::PostalArea(_), _) => None,
    }
}

/// The place or the town's postal area nearest to a point, with its distance in km. A big city
/// has one middle but many postal areas, so this is the better answer to "where is that?".
pub fn nearest(point: Coordinates) -> Option<(Nearby, f64)> {
    let all = gazetteer();
    let (record, km) = all.nearest(point, |_| true)?;
    let found = match record {
        Record::Place(i) => Nearby::Place(all.places.get(i)?),
        Record::PostalArea(i) => Nearby::PostalArea(all.postal_areas.get(i)?),
    };
    Some((found, km))
}

impl Nearby {
    /// Where it is.
    pub fn coordinates(&self) -> Coordinates {
        match self {
            Nearby::Place(p) => p.coordinates,
            Nearby::PostalArea(a) => a.coordinates,
        }
    }

    /// A real postal code there.
    pub fn postal_code(&self) -> &'static PostalCode {
        match self {
            Nearby::Place(p) => &p.postal_code,
            Nearby::PostalArea(a) => &a.postal_code,
        }
    }

    /// The municipality.
    pub fn municipality(&self) -> &'static str {
        match self {
            Nearby::Place(p) => &p.municipality,
            Nearby::PostalArea(a) => &a.municipality,
        }
    }

    /// The province or territory.
    pub fn province(&self) -> Province {
        match self {
            Nearby::Place(p) => p.province,
            Nearby::PostalArea(a) => a.province,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_embedded_files_parse_and_agree() {
        let all = Gazetteer::parse(PLACES, POSTAL_AREAS).unwrap();
        assert!(all.places.len() > 5000 && all.postal_areas.len() > 1600);
        assert_eq!(gazetteer().places.len(), all.places.len());
        for place in &all.places {
            assert_eq!(place.postal_code.province(), place.province, "{}", place.name);
            assert!(!place.name.is_empty() && !place.municipality.is_empty());
        }
        for area in &all.postal_areas {
            assert_eq!(area.postal_code.province(), area.province, "{}", area.fsa);
        }
    }

    #[test]
    fn bad_rows_are_refused() {
        let head = "name,province,municipality,latitude,longitude,codes,postal_code,island\n";
        let fsas = "fsa,place,municipality,district,province,latitude,longitude,codes,postal_code,sub_area,island\n";
        let good = "X,QC,X,45,-73,1,H2X 1Y4,\n";
        assert!(Gazetteer::parse(&format!("{head}{good}"), fsas).is_ok());
        for bad in ["X,QQ,X,45,-73,1,H2X 1Y4,\n", "X,QC,X,95,-73,1,H2X 1Y4,\n", "X,QC,X,45,-73,1,H2X,\n", "X,QC,X,45\n"]
        {
            assert!(Gazetteer::parse(&format!("{head}{bad}"), fsas).is_err(), "{bad}");
        }
        let area = "H2X,M,M,,QC,45,-73,1,H2X 1Y4,,\n";
        assert!(Gazetteer::parse(head, &format!("{fsas}{area}")).is_ok());
        assert!(Gazetteer::parse(head, &format!("{fsas}{area}{area}")).is_err());
        assert!(Gazetteer::parse(head, &format!("{fsas}{}", area.replace("H2X 1", "H2Y 1"))).is_err());
    }

    #[test]
    fn names_are_found_however_spelt() {
        let one = |name| {
            places_named(Some(Province::QC), name).into_iter().map(|p| p.municipality.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(one("ste-therese"), ["Sainte-Thérèse"]);
        assert_eq!(one("VERDUN"), ["Montréal"]);
        assert_eq!(one("Quebec City"), ["Québec"]);
        assert_eq!(one("Saint-Isidore").len(), 2);
        assert!(places_named(Some(Province::ON), "Montréal").is_empty());
        assert!(places_named(None, "").is_empty());
        assert_eq!(postal_areas_in(Province::QC, "laval").iter().filter(|a| a.fsa.starts_with("H7")).count(), 19);
        assert!(postal_areas_in(Province::ON, "Laval").is_empty());
    }

    #[test]
    fn postal_areas_are_where_people_live() {
        // Two the source has wrong: its own centre of T2P is 26 km east of downtown Calgary.
        for (fsa, lat, lon) in
            [("T2P", 51.047, -114.07), ("v6t", 49.265, -123.245), ("T4M", 52.38, -113.80), ("H3B", 45.501, -73.569)]
        {
            let km = great_circle_km(center_of_fsa(fsa).unwrap(), Coordinates { lat, lon });
            assert!(km < 8.0, "{fsa}: {km} km");
        }
        assert!(center_of_fsa("H0H").is_none() && center_of_fsa("").is_none() && center_of_fsa("é").is_none());
    }

    proptest! {
        #[test]
        fn nearest_is_the_nearest(lat in 42.0f64..60.0, lon in -130.0f64..-60.0) {
            let point = Coordinates { lat, lon };
            let (found, km) = nearest_place(point).unwrap();
            let by_hand = gazetteer().places.iter().map(|p| great_circle_km(point, p.coordinates)).fold(f64::MAX, f64::min);
            prop_assert!((km - by_hand).abs() < 1e-9, "{} at {km}, but {by_hand} exists", found.name);
            prop_assert!(nearest(point).unwrap().1 <= km);
        }
    }
}
