//! The furniture catalogue and its ready-made inventories.

use furniture_catalogue::{Catalogue, Item, Preset, Room, Words};
use kernel::Language;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    replies::{Cached, Json, Reply},
    values::FurnitureCategoryCode,
};
use crate::{
    endpoint::{Access, Route},
    limits::LimitClass,
};

/// A name in the three languages.
#[derive(Debug, Serialize, ToSchema)]
pub struct LocalizedName {
    en: String,
    fr: String,
    zh: String,
}

impl LocalizedName {
    /// The name that something has in each language.
    pub fn of(name: impl Fn(Language) -> &'static str) -> LocalizedName {
        let name = |language| name(language).to_owned();
        LocalizedName { en: name(Language::En), fr: name(Language::Fr), zh: name(Language::Zh) }
    }
}

/// Other words for an item in the three languages, the most usual first.
#[derive(Debug, Serialize, ToSchema)]
pub struct LocalizedWords {
    en: Vec<String>,
    fr: Vec<String>,
    zh: Vec<String>,
}

/// A thing people move.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FurnitureItem {
    id: String,
    /// Its group in the picker.
    #[schema(value_type = FurnitureCategoryCode)]
    category: &'static str,
    name: LocalizedName,
    /// What else people call it; a search looks here, too.
    words: LocalizedWords,
    /// Loaded volume, one decimal.
    #[schema(example = "50.0")]
    cubic_feet: String,
    /// `light`, `standard`, `heavy` (needs two people).
    #[schema(value_type = String)]
    weight_class: furniture_catalogue::WeightClass,
    /// Taken apart and put together again.
    needs_assembly: bool,
    /// 50 cubic feet and more.
    big: bool,
}

/// How many of an item.
#[derive(Debug, Serialize, ToSchema)]
pub struct PresetItem {
    id: &'static str,
    quantity: u32,
}

/// A ready-made inventory.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PresetInventory {
    /// `studio`, `one-bedroom`, `two-bedroom`, `three-bedroom`.
    id: &'static str,
    name: LocalizedName,
    /// Loaded volume, one decimal.
    cubic_feet: String,
    items: Vec<PresetItem>,
}

/// A room besides those of a ready-made inventory, with what usually stands in it.
#[derive(Debug, Serialize, ToSchema)]
pub struct RoomInventory {
    /// `bedroom` (one more than the inventory has), `office`, `garage`.
    id: &'static str,
    name: LocalizedName,
    items: Vec<PresetItem>,
}

/// The catalogue.
#[derive(Debug, Serialize, ToSchema)]
pub struct FurnitureAnswer {
    /// In the order of the picker.
    data: Vec<FurnitureItem>,
    /// Smallest first.
    presets: Vec<PresetInventory>,
    /// What further rooms add.
    rooms: Vec<RoomInventory>,
}

fn words(Words { en, fr, zh }: &Words) -> LocalizedWords {
    LocalizedWords { en: en.clone(), fr: fr.clone(), zh: zh.clone() }
}

fn item(i: &Item) -> FurnitureItem {
    FurnitureItem {
        id: i.id.clone(),
        category: i.category.id(),
        name: LocalizedName { en: i.name.en.clone(), fr: i.name.fr.clone(), zh: i.name.zh.clone() },
        words: words(&i.words),
        cubic_feet: i.volume.to_string(),
        weight_class: i.weight_class,
        needs_assembly: i.needs_assembly,
        big: i.is_big(),
    }
}

fn items(of: &'static [(&'static str, u32)]) -> Vec<PresetItem> {
    of.iter().map(|(id, quantity)| PresetItem { id, quantity: *quantity }).collect()
}

fn preset(p: Preset) -> PresetInventory {
    PresetInventory {
        id: p.id(),
        name: LocalizedName::of(|l| p.name(l)),
        cubic_feet: p.volume(Catalogue::builtin()).to_string(),
        items: items(p.items()),
    }
}

fn room(r: Room) -> RoomInventory {
    RoomInventory { id: r.id(), name: LocalizedName::of(|l| r.name(l)), items: items(r.items()) }
}

async fn catalogue() -> Reply<Cached<Json<FurnitureAnswer>>> {
    let body = FurnitureAnswer {
        data: Catalogue::builtin().items().iter().map(item).collect(),
        presets: Preset::ALL.into_iter().map(preset).collect(),
        rooms: Room::ALL.into_iter().map(room).collect(),
    };
    // It changes with the program only.
    Ok(Cached("public, max-age=300", Json(body)))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![Route::get("/api/furniture", Access::Public, catalogue).limited(LimitClass::Guest).doc(
        "furniture",
        "Estimates",
        "The furniture catalogue and ready-made inventories",
    )]
}
