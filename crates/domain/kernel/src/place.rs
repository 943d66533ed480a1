//! Provinces, postal codes, coordinates and addresses.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use crate::zone::Zone;

/// A Canadian province or territory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Province {
    AB,
    BC,
    MB,
    NB,
    NL,
    NS,
    NT,
    NU,
    ON,
    PE,
    QC,
    SK,
    YT,
}

/// Not a province of Canada.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a Canadian province or territory")]
pub struct UnknownProvince;

impl Province {
    /// All thirteen.
    pub const ALL: [Province; 13] = [
        Province::AB,
        Province::BC,
        Province::MB,
        Province::NB,
        Province::NL,
        Province::NS,
        Province::NT,
        Province::NU,
        Province::ON,
        Province::PE,
        Province::QC,
        Province::SK,
        Province::YT,
    ];

    /// Those of the specification (section 9): BC, QC, AB, ON.
    pub const SERVED: [Province; 4] = [Province::BC, Province::QC, Province::AB, Province::ON];

    /// True for the four provinces Portage serves.
    pub fn is_served(self) -> bool {
        Self::SERVED.contains(&self)
    }

    /// The two-letter code.
    pub const fn code(self) -> &'static str {
        match self {
            Province::AB => "AB",
            Province::BC => "BC",
            Province::MB => "MB",
            Province::NB => "NB",
            Province::NL => "NL",
            Province::NS => "NS",
            Province::NT => "NT",
            Province::NU => "NU",
            Province::ON => "ON",
            Province::PE => "PE",
            Province::QC => "QC",
            Province::SK => "SK",
            Province::YT => "YT",
        }
    }

    /// The zone of a served province's hubs. Unserved provinces fall back to Montreal's, as the
    /// specification's geo settings do.
    pub fn zone(self) -> Zone {
        match self {
            Province::BC => Zone::VANCOUVER,
            Province::AB => Zone::EDMONTON,
            _ => Zone::TORONTO,
        }
    }
}

impl fmt::Display for Province {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Province {
    type Err = UnknownProvince;
    fn from_str(s: &str) -> Result<Self, UnknownProvince> {
        Province::ALL.into_iter().find(|p| p.code().eq_ignore_ascii_case(s.trim())).ok_or(UnknownProvince)
    }
}

/// A Canadian postal code, stored as `H2X 1Y4`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct PostalCode(String);

/// Not a Canadian postal code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a Canadian postal code looks like H2X 1Y4")]
pub struct InvalidPostalCode;

impl PostalCode {
    /// `H2X 1Y4`.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The forward sortation area, the first three characters.
    pub fn fsa(&self) -> &str {
        &self.0[..3]
    }

    /// The province the first letter stands for (authoritative); `X` is NT or NU by FSA.
    pub fn province(&self) -> Province {
        match self.0.as_bytes()[0] {
            b'G' | b'H' | b'J' => Province::QC,
            b'K' | b'L' | b'M' | b'N' | b'P' => Province::ON,
            b'V' => Province::BC,
            b'T' => Province::AB,
            b'R' => Province::MB,
            b'S' => Province::SK,
            b'E' => Province::NB,
            b'B' => Province::NS,
            b'C' => Province::PE,
            b'A' => Province::NL,
            b'Y' => Province::YT,
            _ if matches!(self.fsa(), "X0A" | "X0B" | "X0C") => Province::NU,
            _ => Province::NT,
        }
    }
}

impl fmt::Display for PostalCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for PostalCode {
    type Err = InvalidPostalCode;
    /// Accepts lower case and a missing space or a hyphen in the middle.
    fn from_str(s: &str) -> Result<Self, InvalidPostalCode> {
        let c: Vec<u8> =
            s.trim().bytes().filter(|b| *b != b' ' && *b != b'-').map(|b| b.to_ascii_uppercase()).collect();
        let letter = |b: u8| b.is_ascii_uppercase() && !b"DFIOQU".contains(&b);
        let ok = c.len() == 6
            && s.trim().len() <= 8
            && letter(c[0])
            && !b"WZ".contains(&c[0])
            && c[1].is_ascii_digit()
            && letter(c[2])
            && c[3].is_ascii_digit()
            && letter(c[4])
            && c[5].is_ascii_digit();
        if !ok {
            return Err(InvalidPostalCode);
        }
        let text: String = c.iter().map(|b| char::from(*b)).collect();
        Ok(PostalCode(format!("{} {}", &text[..3], &text[3..])))
    }
}

impl<'de> Deserialize<'de> for PostalCode {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(D::Error::custom)
    }
}

/// A point in degrees, WGS 84. Outside services use longitude, latitude order; we name both.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Coordinates {
    /// Degrees north, −90 to 90.
    pub lat: f64,
    /// Degrees east, −180 to 180.
    pub lon: f64,
}

/// Not a point on Earth.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("latitude must be within -90 and 90, longitude within -180 and 180")]
pub struct InvalidCoordinates;

impl Coordinates {
    /// Montreal, the specification's default proximity (-73.65, 45.50).
    pub const MONTREAL: Coordinates = Coordinates { lat: 45.50, lon: -73.65 };

    /// Checks the bounds; refuses NaN.
    pub fn new(lat: f64, lon: f64) -> Result<Self, InvalidCoordinates> {
        if (-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lon) {
            Ok(Coordinates { lat, lon })
        } else {
            Err(InvalidCoordinates)
        }
    }
}

impl<'de> Deserialize<'de> for Coordinates {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Raw {
            lat: f64,
            lon: f64,
        }
        let raw = Raw::deserialize(d)?;
        Coordinates::new(raw.lat, raw.lon).map_err(D::Error::custom)
    }
}

/// A complete street address in Canada.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Address {
    /// Civic number and street, `1200 Rue Peel`.
    pub street: String,
    /// Apartment or unit, empty when none.
    #[serde(default)]
    pub unit: String,
    /// Municipality.
    pub city: String,
    /// Province or territory.
    pub province: Province,
    /// Postal code.
    pub postal_code: PostalCode,
    /// Country name, `Canada`.
    #[serde(default = "canada")]
    pub country: String,
    /// The one-line form people were shown.
    #[serde(default)]
    pub full_address: String,
}

fn canada() -> String {
    "Canada".to_owned()
}

impl Address {
    /// The one-line form: the stored one, or built from the parts.
    pub fn line(&self) -> String {
        if self.full_address.trim().is_empty() {
            format!("{}, {}, {} {}, {}", self.street, self.city, self.province, self.postal_code, self.country)
        } else {
            self.full_address.clone()
        }
    }
}

/// How hard the way between truck and door is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Accessibility {
    /// Straight, short path.
    #[default]
    Easy,
    /// Tight corners or a long hall.
    Moderate,
    /// Spiral or outdoor stairs, a very long carry.
    Difficult,
}

/// None of the three grades.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("accessibility must be easy, moderate or difficult")]
pub struct UnknownAccessibility;

impl FromStr for Accessibility {
    type Err = UnknownAccessibility;
    fn from_str(s: &str) -> Result<Self, UnknownAccessibility> {
        match s {
            "easy" => Ok(Accessibility::Easy),
            "moderate" => Ok(Accessibility::Moderate),
            "difficult" => Ok(Accessibility::Difficult),
            _ => Err(UnknownAccessibility),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn postal_codes_are_read_and_refused() {
        for (text, want) in [("h2x1y4", "H2X 1Y4"), (" H2X-1Y4 ", "H2X 1Y4"), ("V5K 0A1", "V5K 0A1")] {
            assert_eq!(text.parse::<PostalCode>().unwrap().as_str(), want);
        }
        for bad in ["", "H2X", "D2X 1Y4", "W2X 1Y4", "H2O 1Y4", "H2X 1Y44", "12345", "é2X 1Y4", "H 2 X 1 Y 4"] {
            assert!(bad.parse::<PostalCode>().is_err(), "{bad:?}");
        }
        assert_eq!("X0A 0H0".parse::<PostalCode>().unwrap().province(), Province::NU);
    }

    #[test]
    fn points_are_checked() {
        assert!(Coordinates::new(f64::NAN, 0.0).is_err());
        assert!(Coordinates::new(45.0, 181.0).is_err());
        assert!(serde_json::from_str::<Coordinates>(r#"{"lat":91,"lon":0}"#).is_err());
    }
}
