//! The filters of staff's lists: one JSON object in the query.

use kernel::{
    PartnerId, Province,
    chrono::{NaiveDate, NaiveTime},
};
use pricing::MoveKind;
use serde_json::Value;
use service::{
    FieldProblem, Limit,
    desk::lists::BookingListQuery,
    ports::{
        bookings::PaidBy,
        facts::PaymentState,
        lists::{Listing, Span},
    },
};
use status_machine::booking::Status;

use crate::{
    contract::CommonError,
    http::{
        details::{FILTERS_UNREADABLE, NO_FILTER},
        problem::Field,
    },
};

/// Longest list of a filter.
const MOST_OF_LIST: usize = 20;

/// Reads the object. An unknown key is refused as malformed; an impossible value is refused under the name of its key.
///
/// # Errors
/// Those two refusals.
pub fn read(text: &str) -> Result<BookingListQuery, CommonError> {
    let object = match serde_json::from_str(text) {
        Ok(Value::Object(object)) => object,
        Ok(_) => return Err(malformed("filters", FILTERS_UNREADABLE, "filters must be a JSON object")),
        Err(e) => return Err(malformed("filters", FILTERS_UNREADABLE, &e.to_string())),
    };
    let (mut wish, mut wrong) = (BookingListQuery::default(), Vec::new());
    for (key, value) in object.iter().filter(|(_, value)| !value.is_null()) {
        match set(&mut wish, key, value) {
            Ok(true) => {}
            Ok(false) => {
                return Err(malformed(&format!("filters.{key}"), NO_FILTER, "there is no such filter"));
            }
            Err(problem) => wrong.push(Field::new(format!("filters.{key}"), problem)),
        }
    }
    if wrong.is_empty() { Ok(wish) } else { Err(CommonError::invalid(wrong)) }
}

fn malformed(path: &str, message: &'static str, reason: &str) -> CommonError {
    // What a client sent is in the path of the field; a long one is cut.
    let path: String = path.chars().take(100).collect();
    CommonError::malformed(reason).about(vec![Field { message, ..Field::new(path, FieldProblem::Unknown) }])
}

type FieldResult<T> = Result<T, FieldProblem>;

/// Sets one filter; false when there is no such filter.
fn set(wish: &mut BookingListQuery, key: &str, v: &Value) -> FieldResult<bool> {
    let l: &mut Listing = &mut wish.listing;
    match key {
        "bookingDateFrom" => l.days.least = Some(date(v)?),
        "bookingDateTo" => l.days.most = Some(date(v)?),
        "slot" => l.slot = Some(slot(v)?),
        // What is longer than 12.44 km is at least 12.5 in tenths; what is at most that is at most 12.4.
        "distanceMin" => l.distance_km10.least = Some(thousandths(v, kilometres)?.div_ceil(100)),
        "distanceMax" => l.distance_km10.most = Some(thousandths(v, kilometres)? / 100),
        "durationMin" => l.duration.least = Some((thousandths(v, Limit::Hours)? * 60).div_ceil(1_000)),
        "durationMax" => l.duration.most = Some(thousandths(v, Limit::Hours)? * 60 / 1_000),
        "mateCount" => {
            let n = Some(whole(v, 1, 20)?);
            l.mates = Span { least: n.max(l.mates.least), most: n.min(l.mates.most.or(n)) };
        }
        "mateCountMin" => l.mates.least = Some(whole(v, 1, 20)?).max(l.mates.least),
        "mateCountMax" => {
            let n = whole(v, 1, 20)?;
            l.mates.most = Some(l.mates.most.map_or(n, |other| other.min(n)));
        }
        "tierMin" => l.tiers.least = Some(whole(v, 1, 3)?),
        "tierMax" => l.tiers.most = Some(whole(v, 1, 3)?),
        "partnerId" => l.partner = Some(code(v, |t| t.parse::<PartnerId>().ok())?),
        "rideAlong" => l.ride_along = Some(flag(v)?),
        "justMates" => l.just_mates = Some(flag(v)?),
        "clientAsMate" => l.client_as_mate = Some(flag(v)?),
        "status" => l.statuses = list(v, |t| t.parse::<Status>().ok())?,
        "province" => l.province = Some(code(v, |t| t.parse::<Province>().ok())?),
        "hub" => l.hub = Some(code(v, |t| geography::hub(t).map(|h| h.id.to_owned()))?),
        "moveKind" => l.kinds = list(v, |t| t.parse::<MoveKind>().ok())?,
        "paymentState" => l.payment_states = list(v, PaymentState::from_code)?,
        "payment" => l.paid_by = list(v, PaidBy::from_code)?,
        "unassigned" => l.unassigned = Some(flag(v)?),
        "createdFrom" => wish.created_from = Some(date(v)?),
        "createdTo" => wish.created_to = Some(date(v)?),
        "withinHours" => wish.within_hours = Some(whole(v, 1, 720)?),
        _ => return Ok(false),
    }
    Ok(true)
}

fn text(v: &Value) -> FieldResult<&str> {
    v.as_str().map(str::trim).ok_or(FieldProblem::Invalid)
}

fn code<T>(v: &Value, read: impl Fn(&str) -> Option<T>) -> FieldResult<T> {
    read(text(v)?).ok_or(FieldProblem::Invalid)
}

fn list<T>(v: &Value, read: impl Fn(&str) -> Option<T>) -> FieldResult<Vec<T>> {
    match v {
        Value::Array(all) if all.len() > MOST_OF_LIST => Err(FieldProblem::TooLong),
        Value::Array(all) => all.iter().map(|one| code(one, &read)).collect(),
        one => Ok(vec![code(one, read)?]),
    }
}

fn flag(v: &Value) -> FieldResult<bool> {
    match v {
        Value::Bool(flag) => Ok(*flag),
        _ => code(v, |t| t.parse().ok()),
    }
}

/// `YYYY-MM-DD` and nothing else.
fn date(v: &Value) -> FieldResult<NaiveDate> {
    code(v, |t| NaiveDate::parse_from_str(t, "%Y-%m-%d").ok().filter(|_| t.len() == 10))
}

fn slot(v: &Value) -> FieldResult<(NaiveDate, NaiveTime)> {
    let (day, time) = text(v)?.split_once('T').ok_or(FieldProblem::Invalid)?;
    let time = NaiveTime::parse_from_str(time, "%H:%M").ok().filter(|_| time.len() == 5);
    Ok((date(&Value::from(day))?, time.ok_or(FieldProblem::Invalid)?))
}

/// A whole number, as such or as text.
fn whole(v: &Value, least: u32, most: u32) -> FieldResult<u32> {
    let n = match v {
        Value::Number(n) => n.as_i64().ok_or(FieldProblem::Invalid)?,
        _ => code(v, |t| t.parse::<i64>().ok())?,
    };
    u32::try_from(n)
        .ok()
        .filter(|n| (least..=most).contains(n))
        .ok_or(FieldProblem::Between(Limit::Count(least.into()), Limit::Count(most.into())))
}

const fn kilometres(n: u32) -> Limit {
    Limit::Kilometres(n * 10)
}

/// A number of at most three decimals and 9999 before them, as such or as text, in thousandths of a unit.
fn thousandths(v: &Value, of_unit: fn(u32) -> Limit) -> FieldResult<u32> {
    let written = match v {
        Value::Number(n) => n.to_string(),
        _ => text(v)?.to_owned(),
    };
    let bounds = FieldProblem::Between(of_unit(0), of_unit(9_999));
    if written.starts_with('-') {
        return Err(bounds);
    }
    let (whole, fraction) = written.split_once('.').unwrap_or((&written, "0"));
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    let fraction = match fraction.trim_end_matches('0') {
        "" => "0",
        rest => rest,
    };
    if !digits(whole) || !digits(fraction) || fraction.len() > 3 {
        return Err(FieldProblem::Invalid);
    }
    let whole: u32 = whole.parse().ok().filter(|n| *n <= 9_999).ok_or(bounds)?;
    let places = format!("{fraction:0<3}").parse::<u32>().map_err(|_| FieldProblem::Invalid)?;
    Ok(whole * 1_000 + places)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::http::ApiError;
    use actix_web::ResponseError as _;
    use serde_json::json;

    fn wrong(filters: &str) -> ApiError {
        read(filters).map(drop).unwrap_err().into()
    }

    fn refused(filters: &Value) -> (u16, String, &'static str) {
        let e = wrong(&filters.to_string());
        (e.status_code().as_u16(), e.fields[0].path.clone(), e.fields[0].code)
    }

    #[test]
    fn what_is_wrong_is_refused_by_its_name() {
        for (filters, status, path, code) in [
            (json!([1]), 400, "filters", "unknown"),
            (json!({ "bookingdatefrom": "2027-02-17" }), 400, "filters.bookingdatefrom", "unknown"),
            (json!({ "bookingDateFrom": "2027-2-17" }), 422, "filters.bookingDateFrom", "invalid"),
            (json!({ "bookingDateFrom": "2027-02-30" }), 422, "filters.bookingDateFrom", "invalid"),
            (json!({ "slot": "2027-02-17 09:00" }), 422, "filters.slot", "invalid"),
            (json!({ "slot": "2027-02-17T9:00" }), 422, "filters.slot", "invalid"),
            (json!({ "distanceMin": -1 }), 422, "filters.distanceMin", "out_of_range"),
            (json!({ "distanceMax": "12,4" }), 422, "filters.distanceMax", "invalid"),
            (json!({ "durationMin": 99999 }), 422, "filters.durationMin", "out_of_range"),
            (json!({ "mateCount": 0 }), 422, "filters.mateCount", "out_of_range"),
            (json!({ "mateCountMax": 2.5 }), 422, "filters.mateCountMax", "invalid"),
            (json!({ "tierMin": 4 }), 422, "filters.tierMin", "out_of_range"),
            (json!({ "partnerId": "P-0001" }), 422, "filters.partnerId", "invalid"),
            (json!({ "rideAlong": "yes" }), 422, "filters.rideAlong", "invalid"),
            (json!({ "status": ["pending", "open"] }), 422, "filters.status", "invalid"),
            (json!({ "status": vec!["pending"; 21] }), 422, "filters.status", "too_long"),
            (json!({ "province": "ZZ" }), 422, "filters.province", "invalid"),
            (json!({ "hub": "quebec" }), 422, "filters.hub", "invalid"),
            (json!({ "moveKind": "house" }), 422, "filters.moveKind", "invalid"),
            (json!({ "paymentState": "owed" }), 422, "filters.paymentState", "invalid"),
            (json!({ "payment": ["cash"] }), 422, "filters.payment", "invalid"),
            (json!({ "createdTo": 20270217 }), 422, "filters.createdTo", "invalid"),
            (json!({ "withinHours": 721 }), 422, "filters.withinHours", "out_of_range"),
        ] {
            assert_eq!(refused(&filters), (status, path.to_owned(), code), "{filters}");
        }
        assert_eq!(wrong("{").status_code().as_u16(), 400);
    }

    #[test]
    fn a_bound_has_its_unit() {
        let words_of = |filters: Value| {
            let e = wrong(&filters.to_string());
            e.fields[0].words(kernel::Language::En)
        };
        let (km, hours) = (words_of(json!({ "distanceMin": 10_000 })), words_of(json!({ "durationMax": -1 })));
        assert!(km.contains("9,999\u{a0}km"), "{km}");
        assert!(hours.contains("9,999\u{a0}hours"), "{hours}");
    }

    #[test]
    fn limits_are_kept_to_the_tenth_and_the_minute() {
        let l = |filters: Value| read(&filters.to_string()).unwrap().listing;
        let km = |filters| l(filters).distance_km10;
        assert_eq!(
            km(json!({ "distanceMin": 12.4, "distanceMax": "12.4" })),
            Span { least: Some(124), most: Some(124) }
        );
        assert_eq!(
            km(json!({ "distanceMin": "12.41", "distanceMax": 12.49 })),
            Span { least: Some(125), most: Some(124) }
        );
        let hours = |filters| l(filters).duration;
        assert_eq!(hours(json!({ "durationMin": 2.5, "durationMax": 4 })), Span { least: Some(150), most: Some(240) });
        assert_eq!(hours(json!({ "durationMin": "0.333" })).least, Some(20));
        let mates = |filters| l(filters).mates;
        assert_eq!(mates(json!({ "mateCount": 3 })), Span { least: Some(3), most: Some(3) });
        assert_eq!(
            mates(json!({ "mateCount": 3, "mateCountMin": 2, "mateCountMax": 4 })),
            Span { least: Some(3), most: Some(3) }
        );
        assert_eq!(mates(json!({ "mateCountMin": 2, "mateCountMax": null })), Span { least: Some(2), most: None });
        assert_eq!(l(json!({ "status": "pending" })).statuses, [Status::Pending]);
    }
}
