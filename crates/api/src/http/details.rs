//! The sentence of a refusal: which text, and its values as people write them.

use kernel::{Language, Money};
use service::FieldProblem;

use super::{
    codes::of_invoice,
    problem::{ApiError, More},
    texts,
};

/// Names of params that are amounts in dollars.
const AMOUNTS: &[&str] = &["amount", "kept", "refunded", "total", "difference"];

/// The specification's words for an end of the move of which something is missing.
fn incomplete(e: &ApiError) -> Option<&'static str> {
    let lacks = |end: &str| {
        e.fields.iter().any(|f| f.code == FieldProblem::Required.code() && f.path.split('.').any(|part| part == end))
    };
    match () {
        () if lacks("pickup") => Some("address.pickupIncomplete"),
        () if lacks("dropoff") => Some("address.dropoffIncomplete"),
        () => None,
    }
}

/// The text of filters that are no JSON object.
pub const FILTERS_UNREADABLE: &str = "field.filtersUnreadable";
/// The text of a filter that nobody knows.
pub const NO_FILTER: &str = "field.noFilter";

/// What is wrong with the filters of a list: it says all there is to say of the request.
fn of_filters(e: &ApiError) -> Option<&'static str> {
    e.fields.iter().map(|f| f.message).find(|message| [FILTERS_UNREADABLE, NO_FILTER].contains(message))
}

/// The key of the text of trucks that are too few, and what the texts of too little name: the first of it.
fn too_little(e: &ApiError) -> (Option<&'static str>, Vec<(&'static str, String)>) {
    let Some(More::TooLittle(list)) = e.more.as_deref() else { return (None, Vec::new()) };
    let Some(first) = list.first() else { return (None, Vec::new()) };
    let mut values = vec![
        ("date", first.date.to_string()),
        ("taken", first.taken.to_string()),
        ("offered", first.planned.to_string()),
        ("missing", first.missing().to_string()),
    ];
    values.extend(first.truck.map(|class| ("feet", class.feet().to_string())));
    (first.truck.map(|_| "error.capacity_taken_trucks"), values)
}

/// A value of a message as people write it: a day, kinds of move by their names.
fn worded(name: &str, value: &str, language: Language) -> String {
    let and = if language == Language::Zh { "、" } else { ", " };
    match name {
        "firstDay" | "lastDay" => {
            let day = value.parse::<kernel::chrono::NaiveDate>();
            day.map_or_else(|_| value.to_owned(), |day| service::formats::date(day, language))
        }
        "provinces" => value.split(',').collect::<Vec<_>>().join(and),
        "kinds" => {
            let names = value.split(',').map(|kind| texts::text(&format!("moveKind.{kind}"), language));
            names.collect::<Vec<_>>().join(and)
        }
        _ => value.to_owned(),
    }
}

/// What happened, for people: somebody else's words where there are any, else our text.
pub fn detail(e: &ApiError, language: Language) -> String {
    if let Some(words) = &e.said {
        return words.to_string();
    }
    let (trucks, lacking) = too_little(e);
    let shown: Vec<(&str, String)> = e
        .params
        .iter()
        .map(|(name, value)| match value.parse::<Money>() {
            Ok(amount) if AMOUNTS.contains(name) => (*name, texts::money(amount, language)),
            _ => (*name, worded(name, value, language)),
        })
        .chain(lacking)
        .collect();
    let why = e.params.iter().find(|(name, _)| *name == "why").map(|(_, why)| format!("discount.why.{why}"));
    let why = why.as_deref().filter(|key| texts::exists(key));
    let key =
        why.or(incomplete(e)).or(of_filters(e)).or(trucks).or(of_invoice(&e.params)).unwrap_or(e.code.row().message);
    texts::filled(key, language, shown.iter().map(|(n, v)| (*n, v.as_str())))
}
