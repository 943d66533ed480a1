//! Reading `fixtures/places.csv` and `fixtures/fsa.csv`.

use kernel::{Coordinates, PostalCode, Province};
use serde::{Deserialize, Deserializer, de::Error as _};

/// Why an embedded data file was refused. Rows count from 1 without the header.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// Not the expected columns, or a value of the wrong kind.
    #[error("{file}: {source}")]
    Csv {
        /// File.
        file: &'static str,
        /// What is wrong.
        source: csv::Error,
    },
    /// Not the expected JSON.
    #[error("service-areas.json: {0}")]
    Areas(#[from] serde_json::Error),
    /// A value that contradicts another.
    #[error("{file} row {row}: {what}")]
    Inconsistent {
        /// File.
        file: &'static str,
        /// Row.
        row: usize,
        /// What is wrong.
        what: &'static str,
    },
}

pub(crate) const PLACES: &str = include_str!("../../../../fixtures/places.csv");
pub(crate) const POSTAL_AREAS: &str = include_str!("../../../../fixtures/fsa.csv");

/// Column order: name, province, municipality, latitude, longitude, codes, postal_code, island.
#[derive(Deserialize)]
pub(crate) struct PlaceRow {
    pub name: String,
    #[serde(deserialize_with = "parsed")]
    pub province: Province,
    pub municipality: String,
    pub latitude: f64,
    pub longitude: f64,
    pub codes: u32,
    #[serde(deserialize_with = "parsed")]
    pub postal_code: PostalCode,
    pub island: String,
}

#[derive(Deserialize)]
pub(crate) struct PostalAreaRow {
    pub fsa: String,
    pub place: String,
    pub municipality: String,
    pub district: String,
    #[serde(deserialize_with = "parsed")]
    pub province: Province,
    pub latitude: f64,
    pub longitude: f64,
    #[serde(deserialize_with = "parsed")]
    pub postal_code: PostalCode,
    pub sub_area: String,
    pub island: String,
}

fn parsed<'de, D: Deserializer<'de>, T: std::str::FromStr>(d: D) -> Result<T, D::Error>
where
    T::Err: std::fmt::Display,
{
    String::deserialize(d)?.parse().map_err(D::Error::custom)
}

pub(crate) fn rows<T: for<'de> Deserialize<'de>>(file: &'static str, text: &str) -> Result<Vec<T>, DataError> {
    csv::Reader::from_reader(text.as_bytes())
        .into_deserialize()
        .collect::<Result<Vec<T>, _>>()
        .map_err(|source| DataError::Csv { file, source })
}

pub(crate) fn point(file: &'static str, row: usize, lat: f64, lon: f64) -> Result<Coordinates, DataError> {
    Coordinates::new(lat, lon).map_err(|_| DataError::Inconsistent { file, row: row + 1, what: "not a point on Earth" })
}

/// Empty cells are unknown.
pub(crate) fn optional(text: String) -> Option<String> {
    if text.is_empty() { None } else { Some(text) }
}
