//! Which real addresses a typed one may mean, best first.

use geography::{KnownPlace, Nearby, PostalArea, great_circle_km, hubs, nearest, normalise, postal_areas_in};
use kernel::{Coordinates, PostalCode, Province};

use super::{
    offset::{along, hash},
    street_words::{StreetKey, spelt},
    streets::{KnownStreet, streets, stretch_with},
    typed::TypedAddress,
};

/// A city typed beside a postal code is believed when it is at most this far from it, km.
const CITY_NEAR_CODE_KM: f64 = 60.0;
/// In how many cities a street without a city is looked for.
const GUESSED_CITIES: usize = 3;

/// How sure we are, in the service's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Confidence {
    Exact,
    High,
    Medium,
    Low,
}

/// A complete address.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Candidate {
    pub number: String,
    pub street: String,
    pub city: String,
    pub district: Option<String>,
    pub province: Province,
    pub postal_code: PostalCode,
    pub coordinates: Coordinates,
    pub confidence: Confidence,
}

/// The ground an address stands on.
#[derive(Clone)]
struct Ground {
    city: String,
    district: Option<String>,
    province: Province,
    postal_code: PostalCode,
    middle: Coordinates,
}

impl Ground {
    fn of_area(area: &PostalArea) -> Ground {
        Ground {
            city: area.municipality.clone(),
            district: area.district.clone(),
            province: area.province,
            postal_code: area.postal_code.clone(),
            middle: area.coordinates,
        }
    }

    fn of_place(place: &KnownPlace) -> Ground {
        Ground {
            city: place.municipality.clone(),
            district: (place.name != place.municipality).then(|| place.name.clone()),
            province: place.province,
            postal_code: place.postal_code.clone(),
            middle: place.coordinates,
        }
    }

    fn with_code(self, code: &Option<PostalCode>) -> Ground {
        match code {
            Some(code) => Ground { postal_code: code.clone(), ..self },
            None => self,
        }
    }
}

fn address(number: &str, civil: u32, street: &str, ground: Ground, confidence: Confidence) -> Candidate {
    let coordinates = along(ground.middle, &format!("{street}, {}", ground.city), civil);
    Candidate {
        number: number.to_owned(),
        street: street.to_owned(),
        city: ground.city,
        district: ground.district,
        province: ground.province,
        postal_code: ground.postal_code,
        coordinates,
        confidence,
    }
}

/// The addresses `typed` may mean, at most `limit`. None without a number and a street: this is
/// an address search.
pub(super) fn candidates(typed: &TypedAddress, near: Coordinates, limit: usize) -> Vec<Candidate> {
    let (Some(number), Some(civil)) = (&typed.number, typed.civil()) else { return Vec::new() };
    let key = StreetKey::of(&typed.street);
    if !key.is_named() {
        return Vec::new();
    }
    let mut found: Vec<Candidate> = known_streets(typed, &key, civil, near)
        .into_iter()
        .map(|(street, ground, confidence)| address(number, civil, street, ground, confidence))
        .collect();
    let whole = found.iter().any(|c| key.is_whole(&StreetKey::of(&c.street)));
    let located = !typed.places.is_empty() || typed.area.is_some() || typed.city.is_some();
    // A city or code that was typed is served even if the street is only the beginning of a known
    // one: it may really be called so there.
    if !whole && (located || found.is_empty()) {
        let street = spelt(&typed.street);
        let confidence =
            if typed.postal_code.is_some() || !typed.places.is_empty() { Confidence::Medium } else { Confidence::Low };
        let grounds = if located { located_grounds(typed, &street) } else { guessed_grounds(typed, near, &street) };
        found.extend(grounds.into_iter().map(|g| address(number, civil, &street, g, confidence)));
    }
    let mut different: Vec<Candidate> = Vec::new();
    for candidate in found {
        let same = |d: &Candidate| {
            (&d.street, &d.city, d.province, &d.postal_code)
                == (&candidate.street, &candidate.city, candidate.province, &candidate.postal_code)
        };
        if !different.iter().any(same) {
            different.push(candidate);
        }
    }
    different.truncate(limit);
    different
}

fn known_streets(
    typed: &TypedAddress,
    key: &StreetKey,
    civil: u32,
    near: Coordinates,
) -> Vec<(&'static str, Ground, Confidence)> {
    let in_city = |s: &KnownStreet| {
        let cities: Vec<String> =
            typed.places.iter().flat_map(|p| [normalise(&p.municipality), normalise(&p.name)]).collect();
        match &typed.city {
            Some(_) if cities.is_empty() => false,
            Some(_) => cities.contains(&s.city_key),
            None => true,
        }
    };
    let in_province = |s: &KnownStreet| typed.province.is_none_or(|p| p == s.province);
    let in_area = |s: &KnownStreet| {
        typed.area.is_none_or(|a| a.province == s.province && great_circle_km(a.coordinates, s.area.coordinates) < 15.0)
    };
    let mut found: Vec<&'static KnownStreet> = streets()
        .iter()
        .filter(|s| key.may_mean(&s.key) && in_city(s) && in_province(s) && in_area(s))
        .map(|s| stretch_with(civil, s))
        .collect();
    found.sort_by(|a, b| {
        let rank = |s: &KnownStreet| (!key.is_whole(&s.key), great_circle_km(s.area.coordinates, near));
        rank(a).partial_cmp(&rank(b)).unwrap_or(std::cmp::Ordering::Equal)
    });
    let ground = |s: &'static KnownStreet| {
        // The code somebody typed is right even where our list of stretches is coarse.
        let area = typed.area.unwrap_or(s.area);
        let ground = Ground { city: s.city.clone(), ..Ground::of_area(area) }.with_code(&typed.postal_code);
        let confidence = if !key.is_whole(&s.key) {
            Confidence::Medium
        } else if typed.city.is_some() || typed.area.is_some() {
            Confidence::Exact
        } else {
            Confidence::High
        };
        (s.street.as_str(), ground, confidence)
    };
    found.into_iter().map(ground).collect()
}

/// Where the typed city or code is.
fn located_grounds(typed: &TypedAddress, street: &str) -> Vec<Ground> {
    let Some(area) = typed.area else {
        return match &typed.city {
            Some(_) => typed.places.iter().map(|p| in_place(p, street)).collect(),
            None => Vec::new(),
        };
    };
    let km = |p: &&KnownPlace| great_circle_km(p.coordinates, area.coordinates);
    let close = typed
        .places
        .iter()
        .copied()
        .min_by(|a, b| km(a).total_cmp(&km(b)))
        .filter(|p| area.is_rural() || km(p) <= CITY_NEAR_CODE_KM);
    let ground = match (close, &typed.city) {
        // Rural areas are huge: the village says where.
        (Some(place), _) if area.is_rural() => {
            Ground { postal_code: area.postal_code.clone(), ..Ground::of_place(place) }
        }
        (Some(place), _) => Ground { city: place.municipality.clone(), ..Ground::of_area(area) },
        // A hamlet in the country that is on no list of ours; every part of a town has a name we know.
        (None, Some(city)) if typed.places.is_empty() && area.is_rural() => {
            Ground { city: spelt(city), ..Ground::of_area(area) }
        }
        (None, _) => Ground::of_area(area),
    };
    vec![ground.with_code(&typed.postal_code)]
}

/// A street nobody knows lies in one of its city's postal areas, always the same.
fn in_place(place: &KnownPlace, street: &str) -> Ground {
    if place.name == place.municipality {
        let areas = postal_areas_in(place.province, &place.municipality);
        let pick = usize::try_from(hash(&normalise(street))).unwrap_or_default().checked_rem(areas.len());
        if let Some(area) = pick.and_then(|i| areas.get(i)) {
            return Ground { city: place.municipality.clone(), ..Ground::of_area(area) };
        }
    }
    Ground::of_place(place)
}

/// Nothing but number and street: the city around, then the nearest large ones.
fn guessed_grounds(typed: &TypedAddress, near: Coordinates, street: &str) -> Vec<Ground> {
    let around = nearest(near).map(|(found, _)| match found {
        Nearby::Place(p) => in_place(p, street),
        Nearby::PostalArea(a) => {
            let cities = geography::places_named(Some(a.province), &a.municipality);
            cities.into_iter().max_by_key(|p| p.codes).map_or_else(|| Ground::of_area(a), |p| in_place(p, street))
        }
    });
    let mut crews: Vec<_> = hubs().iter().collect();
    crews.sort_by(|a, b| great_circle_km(a.center, near).total_cmp(&great_circle_km(b.center, near)));
    let large = crews.into_iter().filter_map(|h| {
        let name = h.place().city;
        geography::places_named(Some(h.province), &name)
            .into_iter()
            .max_by_key(|p| p.codes)
            .map(|p| in_place(p, street))
    });
    let wanted = |g: &Ground| typed.province.is_none_or(|p| p == g.province);
    let mut grounds: Vec<Ground> = Vec::new();
    for ground in around.into_iter().chain(large).filter(wanted) {
        if !grounds.iter().any(|g| g.city == ground.city) {
            grounds.push(ground);
        }
    }
    grounds.truncate(GUESSED_CITIES);
    grounds
}
