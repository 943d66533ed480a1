//! What stops a crew from being booked online.

use furniture_catalogue::Catalogue;
use kernel::Language;
use pricing::Warning;
use serde::Serialize;
use utoipa::ToSchema;

/// Something the crew does not suit.
#[derive(Debug, Serialize, ToSchema)]
pub struct CrewWarning {
    /// `heavy_item_single_mate`, `min_mates`, `contact_support`.
    pub code: &'static str,
    /// For `min_mates`: how many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mates: Option<u8>,
    /// The items it is about; left out when it is about the size or the length of the move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<NamedItem>,
}

/// An item of the catalogue by name.
#[derive(Debug, Serialize, ToSchema)]
pub struct NamedItem {
    /// Catalogue id.
    pub id: String,
    /// In the language of the answer.
    pub name: String,
}

/// Each warning with its items, given by id in the order of the warnings.
pub fn warnings(list: &[Warning], culprits: &[Vec<String>], language: Language) -> Vec<CrewWarning> {
    let named = |id: &String| {
        let name = Catalogue::builtin().get(id).map_or(id.as_str(), |item| item.name.get(language));
        NamedItem { id: id.clone(), name: name.to_owned() }
    };
    let of = |n: usize| culprits.get(n).into_iter().flatten().map(named).collect();
    list.iter().enumerate().map(|(n, w)| CrewWarning { code: w.code(), mates: w.mates(), items: of(n) }).collect()
}
