//! The places of a move by our own look-up. A client tells an address and a point; the price
//! follows the point the server finds for the address, never the one that was sent.

use geography::{
    Contradiction, Place, PostalArea, Reading, agreement, great_circle_km, is_known, is_readable, locate, postal_area,
    town_elsewhere, visible,
};
use kernel::{Address, Coordinates, Language, PostalCode, fold};

use crate::{
    Error, ErrorCode, FieldError, FieldProblem, ServiceResult, Services,
    bookings::draft::Draft,
    moves::place_of,
    ports::{
        bookings::Location,
        maps::{MapsError, PlaceSuggestion},
    },
};

/// Largest distance between our own point and the one a client sends, km. The client's point is only compared, never used, so
/// that a small error in it has no effect.
const POINT_KM: f64 = 10.0;

/// Words of a street that say nothing about which one it is.
const COMMON_WORDS: [&str; 22] = [
    "street",
    "avenue",
    "boulevard",
    "boul",
    "blvd",
    "chemin",
    "road",
    "drive",
    "crescent",
    "court",
    "place",
    "lane",
    "route",
    "highway",
    "rang",
    "west",
    "ouest",
    "east",
    "north",
    "nord",
    "south",
    "rue",
];

/// A draft whose ends are where the server found them: points are ours, the one-line addresses
/// are derived from the parts. An end that stays where `before` has it keeps the point it has.
///
/// # Errors
/// The fields that contradict the rest of their address, all at once; `maps_unavailable` when
/// only the client's word is left.
pub async fn settled(s: &Services, mut draft: Draft, before: Option<(&Location, &Location)>) -> ServiceResult<Draft> {
    let (pickup, dropoff) = futures_util::future::join(
        end(s, "pickup", &draft.pickup, before.map(|b| b.0)),
        end(s, "dropoff", &draft.dropoff, before.map(|b| b.1)),
    )
    .await;
    let mut wrong = Vec::new();
    let mut own = |found: ServiceResult<Location>| match found {
        Ok(location) => Ok(Some(location)),
        Err(Error::Invalid(fields)) => {
            wrong.extend(fields);
            Ok(None)
        }
        Err(e) => Err(e),
    };
    match (own(pickup)?, own(dropoff)?) {
        (Some(pickup), Some(dropoff)) => {
            (draft.pickup, draft.dropoff) = (pickup, dropoff);
            Ok(draft)
        }
        _ => Err(Error::Invalid(wrong)),
    }
}

/// Refuses a place whose known parts contradict each other: for calls that name no street.
///
/// # Errors
/// The field below `name` that contradicts the rest.
pub fn plausible(name: &str, place: &Place) -> ServiceResult<()> {
    agreement(place).map_err(|part| {
        let part = match part {
            Contradiction::PostalCode => "postalCode",
            Contradiction::City => "city",
            Contradiction::Point => "lat",
        };
        Error::field(format!("{name}.{part}"), FieldProblem::Contradicts)
    })
}

fn contradicts(name: &str, part: Contradiction) -> Error {
    let field = match part {
        Contradiction::PostalCode => format!("bookingRequest.{name}.postalCode"),
        Contradiction::City => format!("bookingRequest.{name}.city"),
        Contradiction::Point => format!("bookingRequest.{name}Coords"),
    };
    Error::Invalid(vec![FieldError::new(field, FieldProblem::Contradicts)])
}

/// The parts that say where an address is.
fn parts(a: &Address) -> (&str, &str, kernel::Province, &str) {
    (&a.street, &a.city, a.province, a.postal_code.as_str())
}

async fn end(s: &Services, name: &str, told: &Location, before: Option<&Location>) -> ServiceResult<Location> {
    let mut address = Address {
        street: told.address.street.trim().to_owned(),
        city: told.address.city.trim().to_owned(),
        country: "Canada".to_owned(),
        full_address: String::new(),
        ..told.address.clone()
    };
    let area = postal_area(address.postal_code.fsa());
    let place = Place { coordinates: None, ..place_of(&address, told.coordinates) };
    agreement(&place).map_err(|part| contradicts(name, part))?;
    if town_elsewhere(&address.city, Reading::Name, &place).is_some() {
        return Err(Error::field(format!("bookingRequest.{name}.city"), FieldProblem::Contradicts));
    }
    // A name that nobody listed is a quarter's: what people read is the town of the postal code. In the country
    // it may be a hamlet, and only the geocoder knows.
    if let Some(town) = area.filter(|a| !a.is_rural() && !is_known(&place)) {
        address.city.clone_from(&town.municipality);
    }
    address.full_address = address.line();
    let unchanged = before.is_some_and(|b| b.address.unit == address.unit && parts(&b.address) == parts(&address));
    if !unchanged {
        one_place_only(name, &address)?;
    }
    let kept = before.filter(|b| parts(&b.address) == parts(&address)).map(|b| b.coordinates);
    let coordinates = match kept {
        Some(own) => own,
        None => look_up(s, name, &address, told.coordinates).await?,
    };
    if great_circle_km(told.coordinates, coordinates) > POINT_KM
        && !area.is_some_and(|a| a.may_contain(told.coordinates))
    {
        return Err(contradicts(name, Contradiction::Point));
    }
    Ok(Location { address, coordinates, ..told.clone() })
}

/// What a geocoder's answers say of an address.
enum Geocoded {
    /// Here it is.
    Found(Coordinates),
    /// This very house stands elsewhere: the postal code is another one's.
    Elsewhere,
    /// It knows nothing of it.
    Unknown,
}

/// The point of an address by our own look-up.
async fn look_up(s: &Services, name: &str, address: &Address, told: Coordinates) -> ServiceResult<Coordinates> {
    let place = Place { coordinates: None, ..place_of(address, told) };
    agreement(&place).map_err(|part| contradicts(name, part))?;
    let area = postal_area(address.postal_code.fsa());
    let query = format!("{}, {}, {} {}", address.street, address.city, address.province, address.postal_code);
    let near = locate(&place).unwrap_or(Coordinates::MONTREAL);
    match s.maps.search(&query, Language::En, near).await {
        // Nobody knows a place of this name there: only the postal code says where the movers go.
        Ok(found) if !is_known(&place) && !found.iter().any(|f| same_city(address, f)) => {
            Err(contradicts(name, Contradiction::City))
        }
        Ok(found) => match read(address, area, near, &found) {
            Geocoded::Found(point) => Ok(point),
            Geocoded::Elsewhere => Err(contradicts(name, Contradiction::PostalCode)),
            // A street nobody has drawn yet: the postal area says where, the village in the country.
            Geocoded::Unknown if area.is_some() => Ok(near),
            Geocoded::Unknown => Err(contradicts(name, Contradiction::PostalCode)),
        },
        Err(MapsError::NoRoute) if is_known(&place) => Ok(near),
        Err(MapsError::NoRoute) => Err(contradicts(name, Contradiction::City)),
        Err(e @ (MapsError::Unavailable(_) | MapsError::Misconfigured(_))) => {
            tracing::warn!(error = %e, "geocoding failed, the postal area answers");
            let believed = is_known(&place) && area.is_some_and(|a| a.may_contain(told));
            if believed { Ok(near) } else { Err(ErrorCode::MapsUnavailable.into()) }
        }
    }
}

/// People read street, city and unit and go there: a second postal code or a second town among them
/// is another place, whatever the fields beside them say.
///
/// # Errors
/// The field that names it, or that is written in letters nobody here reads.
fn one_place_only(name: &str, address: &Address) -> ServiceResult<()> {
    let place = Place { coordinates: None, ..place_of(address, Coordinates::MONTREAL) };
    let texts = [
        ("street", &address.street, Reading::Street),
        ("city", &address.city, Reading::Name),
        ("unit", &address.unit, Reading::Name),
    ];
    for (part, text, reading) in texts {
        let field = |problem| Err(Error::field(format!("bookingRequest.{name}.{part}"), problem));
        if !is_readable(text) {
            return field(FieldProblem::Invalid);
        }
        let another_code = postal_codes(text).any(|code| code != address.postal_code);
        if another_code || town_elsewhere(text, reading, &place).is_some() {
            return field(FieldProblem::Contradicts);
        }
    }
    Ok(())
}

/// Everything in a text that looks like a postal code.
fn postal_codes(text: &str) -> impl Iterator<Item = PostalCode> {
    let words: Vec<String> = fold(&visible(text))
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(str::to_owned)
        .collect();
    let pairs: Vec<String> = words.windows(2).map(|w| w.concat()).collect();
    words.into_iter().chain(pairs).filter(|w| w.len() == 6).filter_map(|w| w.parse().ok())
}

fn read(address: &Address, area: Option<&PostalArea>, middle: Coordinates, found: &[PlaceSuggestion]) -> Geocoded {
    let fsa = address.postal_code.fsa();
    let here: Vec<_> = found.iter().filter(|f| f.province == Some(address.province)).collect();
    let in_area = |f: &&PlaceSuggestion| match area {
        // In the country the village is known better than the middle of the area.
        Some(area) => area.may_contain(f.coordinates) || great_circle_km(f.coordinates, middle) <= POINT_KM,
        None => f.postal_code.as_ref().is_some_and(|c| c.fsa() == fsa),
    };
    let same_code = |f: &&PlaceSuggestion| f.postal_code.as_ref().is_some_and(|c| c.fsa() == fsa);
    let best =
        here.iter().copied().find(|f| in_area(f) && same_code(f)).or_else(|| here.iter().copied().find(|f| in_area(f)));
    match best {
        Some(f) => Geocoded::Found(f.coordinates),
        None if here.iter().any(|f| same_house(address, f)) => Geocoded::Elsewhere,
        None => Geocoded::Unknown,
    }
}

fn words(street: &str) -> Vec<String> {
    let plain = fold(street);
    plain.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_owned).collect()
}

/// The geocoder, too, calls the place so, in the same postal area.
fn same_city(address: &Address, found: &PlaceSuggestion) -> bool {
    let fsa = address.postal_code.fsa();
    found.postal_code.as_ref().is_some_and(|c| c.fsa() == fsa)
        && geography::normalise(&address.city) == geography::normalise(&found.city)
}

fn share_a_word(told: &str, known: &str) -> bool {
    let telling = |w: &&String| {
        w.chars().count() >= 4 && !COMMON_WORDS.contains(&w.as_str()) && !w.starts_with(|c: char| c.is_ascii_digit())
    };
    let known = words(known);
    words(told).iter().filter(telling).any(|w| known.contains(w))
}

/// The same number in a street that shares a telling word, in the same city.
fn same_house(address: &Address, found: &PlaceSuggestion) -> bool {
    let number = |street: &str| words(street).into_iter().find(|w| w.starts_with(|c: char| c.is_ascii_digit()));
    geography::normalise(&address.city) == geography::normalise(&found.city)
        && number(&address.street).is_some()
        && number(&address.street) == number(&found.street)
        && share_a_word(&address.street, &found.street)
}

/// The point of a found address by the look-up a booking would make, so that what is shown and
/// what is charged begin at the same door. The point itself when nothing is found.
pub(super) async fn own_point(s: &Services, place: &PlaceSuggestion) -> Coordinates {
    let (Some(province), Some(postal_code)) = (place.province, place.postal_code.clone()) else {
        return place.coordinates;
    };
    if place.street.trim().is_empty() {
        return place.coordinates;
    }
    let address = Address {
        street: place.street.clone(),
        unit: String::new(),
        city: place.city.clone(),
        province,
        postal_code,
        country: "Canada".to_owned(),
        full_address: String::new(),
    };
    look_up(s, "pickup", &address, place.coordinates).await.unwrap_or(place.coordinates)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use kernel::Province;

    fn address(street: &str, city: &str, code: &str) -> Address {
        Address {
            street: street.to_owned(),
            unit: String::new(),
            city: city.to_owned(),
            province: Province::QC,
            postal_code: code.parse().unwrap(),
            country: "Canada".to_owned(),
            full_address: String::new(),
        }
    }

    fn found(street: &str, city: &str, code: Option<&str>, lat: f64, lon: f64) -> PlaceSuggestion {
        PlaceSuggestion {
            full_address: String::new(),
            street: street.to_owned(),
            city: city.to_owned(),
            province: Some(Province::QC),
            postal_code: code.map(|c| c.parse().unwrap()),
            country: "Canada".to_owned(),
            coordinates: Coordinates { lat, lon },
        }
    }

    fn describe(a: &Address, list: &[PlaceSuggestion]) -> String {
        let area = postal_area(a.postal_code.fsa());
        match read(a, area, area.map_or(Coordinates::MONTREAL, |a| a.coordinates), list) {
            Geocoded::Found(p) => format!("{:.2} {:.2}", p.lat, p.lon),
            Geocoded::Elsewhere => "elsewhere".to_owned(),
            Geocoded::Unknown => "unknown".to_owned(),
        }
    }

    #[test]
    fn the_answer_in_the_postal_area_counts() {
        let a = address("1200 Rue Peel", "Montréal", "H3B 2T6");
        let here = found("1200 Rue Peel", "Montréal", Some("H3B 2T6"), 45.50, -73.57);
        let no_code = found("1200 Rue Peel", "Montréal", None, 45.49, -73.57);
        let far = found("1200 Rue Peel", "Québec", Some("G1R 4P5"), 46.81, -71.21);
        assert_eq!(describe(&a, &[far.clone(), no_code.clone(), here]), "45.50 -73.57");
        assert_eq!(describe(&a, &[far.clone(), no_code]), "45.49 -73.57");
        // A street of that name in another city says nothing about this one.
        assert_eq!(describe(&a, &[far]), "unknown");
        assert_eq!(describe(&a, &[]), "unknown");
    }

    #[test]
    fn an_address_names_one_place() {
        let told = |street: &str, city: &str| {
            let address = address(street, city, "H3A 3L3");
            one_place_only("pickup", &address).is_ok()
        };
        assert!(told("1200 Rue Peel", "Montréal") && told("1200 Rue Peel, H3A 3L3", "Montréal, Québec"));
        for street in ["2000 Boulevard Laurier G1V 4V5", "2000 Boulevard Laurier g1v4v5", "2000 Boul. Laurier, Québec"]
        {
            assert!(!told(street, "Montréal"), "{street}");
        }
        assert!(!told("2000 Boulevard Laurier", "Québec, Montréal"));
    }

    #[test]
    fn a_house_with_another_code_is_elsewhere() {
        let a = address("1200 boul. Peel", "montreal", "H9X 1A1");
        assert_eq!(
            describe(&a, &[found("1200 Boulevard Peel", "Montréal", Some("H3B 2T6"), 45.50, -73.57)]),
            "elsewhere"
        );
        for other in ["1201 Boulevard Peel", "1200 Boulevard Gouin Ouest", "Boulevard Peel"] {
            assert_eq!(describe(&a, &[found(other, "Montréal", Some("H3B 2T6"), 45.50, -73.57)]), "unknown", "{other}");
        }
        // Another province's answers are not looked at.
        let abroad = PlaceSuggestion {
            province: Some(Province::ON),
            ..found("1200 Boulevard Peel", "Montréal", None, 45.41, -73.94)
        };
        assert_eq!(describe(&a, &[abroad]), "unknown");
    }
}
