//! The sentence of a refusal: which text, and its values as people write them.

use kernel::{Language, Money};
use service::{ErrorCode, FieldProblem};

use super::{
    codes::{Code, of_invoice},
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
fn too_little(e: &ApiError, language: Language) -> (Option<&'static str>, Vec<(&'static str, String)>) {
    let Some(More::TooLittle(list)) = e.more.as_deref() else { return (None, Vec::new()) };
    let Some(first) = list.first() else { return (None, Vec::new()) };
    let mut values = vec![
        ("date", service::formats::date(first.date, language)),
        ("taken", first.taken.to_string()),
        ("offered", first.planned.to_string()),
        ("missing", first.missing().to_string()),
    ];
    values.extend(first.truck.map(|class| ("feet", class.feet().to_string())));
    (first.truck.map(|_| "error.capacity_taken_trucks"), values)
}

/// A value of a message as people write it: a day, a size, kinds of move and hubs by their names.
fn worded(name: &str, value: &str, language: Language) -> String {
    let and = if language == Language::Zh { "、" } else { ", " };
    match name {
        "firstDay" | "lastDay" => {
            let day = value.parse::<kernel::chrono::NaiveDate>();
            day.map_or_else(|_| value.to_owned(), |day| service::formats::date(day, language))
        }
        // In French a byte is an octet.
        "size" if language == Language::Fr => value.replace(" MB", " Mo").replace(" kB", " ko"),
        "truckHub" | "moveHub" => {
            geography::hub(value).map_or_else(|| value.to_owned(), |hub| hub.name(language).to_owned())
        }
        "able" if language == Language::Zh => value.replace(", ", and),
        "provinces" => value.split(',').collect::<Vec<_>>().join(and),
        "kinds" => {
            let names = value.split(',').map(|kind| texts::text(&format!("moveKind.{kind}"), language));
            names.collect::<Vec<_>>().join(and)
        }
        _ => value.to_owned(),
    }
}

/// Somebody is needed too soon elsewhere: the times alone would not say why.
fn of_way(e: &ApiError) -> Option<&'static str> {
    let too_far = e.code == Code::Rule(ErrorCode::CrewNotFree) && e.params.iter().any(|(name, _)| *name == "way");
    too_far.then_some("error.crew_not_free_way")
}

/// Nobody who is named can move what is heavy: the text of that, with who could.
fn of_skill(e: &ApiError) -> Option<&'static str> {
    let lacking = e.params.iter().find(|(name, _)| *name == "skill")?;
    let is_crew = e.code == Code::Rule(ErrorCode::CrewMissing);
    is_crew.then_some(if lacking.1 == "piano" { "error.crew_missing_piano" } else { "error.crew_missing_heavy" })
}

/// What a booking that does not take a step says: from which status to which, why not, and which are possible now.
fn of_step(e: &ApiError, language: Language) -> Option<String> {
    if e.code != Code::Rule(ErrorCode::TransitionRefused) {
        return None;
    }
    let param = |name: &str| e.params.iter().find(|(n, _)| *n == name).map(|(_, value)| value.as_str());
    let status = |code: &str| texts::text(&format!("bookingStatus.{code}"), language);
    let (from, to) = (status(param("from")?), status(param("to")?));
    let why = texts::text(&format!("transition.why.{}", param("guard")?), language);
    let allowed: Vec<String> = param("allowed")?.split(',').filter(|code| !code.is_empty()).map(status).collect();
    let and = if language == Language::Zh { "、" } else { ", " };
    let key = if allowed.is_empty() { "error.transition_refused_all" } else { "error.transition_refused_step" };
    let allowed = allowed.join(and);
    let values = [("from", from.as_str()), ("to", to.as_str()), ("why", why.as_str()), ("allowed", allowed.as_str())];
    Some(texts::filled(key, language, values))
}

/// What happened, for people: somebody else's words where there are any, else our text.
pub fn detail(e: &ApiError, language: Language) -> String {
    if let Some(words) = &e.own_words {
        return words.to_string();
    }
    if let Some(step) = of_step(e, language) {
        return step;
    }
    let (trucks, lacking) = too_little(e, language);
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
    let found =
        why.or(incomplete(e)).or(of_filters(e)).or(trucks).or(of_invoice(&e.params)).or(of_way(e)).or(of_skill(e));
    let key = found.unwrap_or(e.code.row().message);
    texts::filled(key, language, shown.iter().map(|(n, v)| (*n, v.as_str())))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use service::bookings::status::Step;

    fn refused(allowed: &str, guard: &str) -> ApiError {
        let params = [("allowed", allowed), ("reason", "for programmers"), ("from", "cancelled"), ("to", "deleted")];
        let mut params: Vec<(&'static str, String)> = params.map(|(name, value)| (name, value.to_owned())).into();
        params.push(("guard", guard.to_owned()));
        service::Error::Refused(ErrorCode::TransitionRefused, params).into()
    }

    #[test]
    fn a_refused_step_says_from_where_to_where_why_and_what_is_possible() {
        let detail_in = |language| detail(&refused("pending,assigned", "amount_due"), language);
        assert_eq!(
            detail_in(Language::En),
            "From “Cancelled” a booking does not become “Deleted”: money is still owed. It is collected or written off \
             first. It can become: Pending, Assigned."
        );
        assert!(
            detail_in(Language::Fr).contains("«\u{a0}Annulée\u{a0}»")
                && detail_in(Language::Fr).contains("En attente, Assignée")
        );
        assert!(detail_in(Language::Zh).contains("“已取消”") && detail_in(Language::Zh).contains("待处理、已分配"));
        let none = detail(&refused("", "no_such_step"), Language::En);
        assert!(none.ends_with("No other status is possible now."), "{none}");
    }

    #[test]
    fn who_is_not_free_because_of_the_way_is_told_how_long_it_is() {
        let params = [("who", "Wei Zhang"), ("from", "2027-02-17 09:00"), ("until", "2027-02-17 10:15")];
        let mut params: Vec<(&'static str, String)> = params.map(|(name, value)| (name, value.to_owned())).into();
        params.push(("booking", "HQKKKK".to_owned()));
        let detail_in = |params: &Vec<_>, language| {
            detail(&service::Error::Refused(ErrorCode::CrewNotFree, params.clone()).into(), language)
        };
        assert!(!detail_in(&params, Language::En).contains("driving"), "{}", detail_in(&params, Language::En));
        params.push(("way", "48".to_owned()));
        for language in Language::ALL {
            let detail = detail_in(&params, language);
            assert!(["Wei Zhang", "HQKKKK", "48", "10:15"].iter().all(|word| detail.contains(word)), "{detail}");
        }
    }

    #[test]
    fn sizes_and_hubs_are_called_as_people_call_them() {
        let large = crate::http::problem::too_large(12 * 1024 * 1024);
        assert!(detail(&large, Language::Fr).contains("12 Mo"), "{}", detail(&large, Language::Fr));
        assert!(detail(&large, Language::En).contains("12 MB"), "{}", detail(&large, Language::En));
        let params = [("truck", "Big Blue"), ("truckHub", "toronto"), ("moveHub", "montreal")];
        let params = params.map(|(name, value)| (name, value.to_owned())).to_vec();
        let elsewhere: ApiError = service::Error::Refused(ErrorCode::TruckElsewhere, params).into();
        assert_eq!(
            detail(&elsewhere, Language::Fr),
            "Big Blue est rattaché à Toronto, ce déménagement à Montréal. Choisissez un camion de cette ville."
        );
    }

    #[test]
    fn whatever_stands_in_the_way_has_words_in_each_language() {
        for guard in Step::refusals() {
            let key = format!("transition.why.{guard}");
            assert!(texts::exists(&key), "{key}");
            for language in Language::ALL {
                let told = detail(&refused("", guard), language);
                assert!(!told.contains(['{', '_']), "{told}");
            }
        }
    }
}
