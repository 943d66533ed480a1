//! What a change made of a booking, for its customer: `Number of mates: 2 → 3`.

use kernel::{Accessibility, BookingId, Language, Money};
use serde_json::Value;

use super::values;
use crate::{
    ServiceResult, billing, formats,
    ports::{
        Unit,
        bookings::{Booking, Location},
        payments::{Payment, PaymentKind},
    },
    texts::text,
};

/// Fields whose before and after are staff's business.
const INTERNAL: [&str; 2] = ["notes", "survey"];

/// One line a changed field, in the order they were noted.
pub(super) fn list(old: &Booking, new: &Booking, changes: &Value) -> Vec<String> {
    let language = new.language;
    let fields = changes.as_object().into_iter().flat_map(|all| all.keys());
    let line = |field: &String| {
        let name = text(&format!("change.{field}"), language);
        match (shown(old, field, language), shown(new, field, language)) {
            // What cannot be told in a few words is at least named.
            (before, after) if before == after => name.to_owned(),
            (before, after) => from_to(name, &before, &after, language),
        }
    };
    let mut list: Vec<String> = fields.filter(|field| !INTERNAL.contains(&field.as_str())).map(line).collect();
    // The unit is no part of the line of an address: another one alone is told here.
    let ends =
        [("pickup", &old.details.pickup, &new.details.pickup), ("dropoff", &old.details.dropoff, &new.details.dropoff)];
    for (field, before, after) in ends {
        let (was, is) = (values::address(&before.address), values::address(&after.address));
        if changes.get(field).is_none() && was != is {
            list.push(from_to(text(&format!("change.{field}"), language), &was, &is, language));
        }
    }
    list
}

/// What a job is made of for its crew: nothing of money.
const OF_THE_JOB: [&str; 11] = [
    "moveAt",
    "pickup",
    "pickupAccess",
    "dropoff",
    "dropoffAccess",
    "items",
    "mateCount",
    "clientAsMate",
    "justMates",
    "rideAlong",
    "assembly",
];

/// What a change made of a job, for one of its crew, in the booking's language. Never empty.
pub(super) fn of_job(old: &Booking, new: &Booking) -> Vec<String> {
    let language = new.language;
    let old = Booking { language, ..old.clone() };
    let changed = OF_THE_JOB.into_iter().filter(|field| shown(&old, field, language) != shown(new, field, language));
    let changes = Value::Object(changed.map(|field| (field.to_owned(), Value::Null)).collect());
    let list = list(&old, new, &changes);
    if list.is_empty() { vec![text("change.other", language).to_owned()] } else { list }
}

/// The tip and the deposit before a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AmountsBefore {
    tip: Option<Money>,
    deposit: Option<Money>,
}

impl AmountsBefore {
    /// As it is now: read before anything follows the change.
    ///
    /// # Errors
    /// When the database fails.
    pub fn of(u: &mut dyn Unit, id: BookingId) -> ServiceResult<AmountsBefore> {
        let deposit = |r: &Payment| (r.kind == PaymentKind::Deposit && billing::facts::open(r)).then_some(r.amount);
        Ok(AmountsBefore {
            tip: u.tips().of_booking(id)?.map(|tip| tip.amount).filter(|amount| amount.is_positive()),
            deposit: u.payments().of_booking(id)?.iter().find_map(deposit),
        })
    }

    /// As it was when nothing but the deposit had its amount by the price.
    pub(super) const fn of_deposit(deposit: Option<Money>) -> AmountsBefore {
        AmountsBefore { tip: None, deposit }
    }

    /// A line for each that is another one now.
    pub(super) fn changed_to(self, now: AmountsBefore, language: Language) -> Vec<String> {
        let money = |m: Option<Money>| m.map_or_else(String::new, |m| formats::money(m, language));
        [("change.tip", self.tip, now.tip), ("change.deposit", self.deposit, now.deposit)]
            .into_iter()
            .filter(|(_, before, after)| before != after)
            .map(|(key, before, after)| from_to(text(key, language), &money(before), &money(after), language))
            .collect()
    }
}

fn from_to(name: &str, before: &str, after: &str, language: Language) -> String {
    let none = text("change.none", language);
    let or_none = |t: &str| if t.is_empty() { none.to_owned() } else { t.to_owned() };
    let colon = match language {
        Language::En => ": ",
        Language::Fr => "\u{a0}: ",
        Language::Zh => "：",
    };
    format!("{name}{colon}{} → {}", or_none(before), or_none(after))
}

fn yes_no(yes: bool, language: Language) -> String {
    text(if yes { "change.yes" } else { "change.no" }, language).to_owned()
}

pub(crate) fn access(l: &Location, language: Language) -> String {
    let part = |key: &str| text(key, language).to_owned();
    let floor = match l.floor {
        0 => part("change.groundFloor"),
        n => part("change.floor").replace("{n}", &n.to_string().replace('-', formats::MINUS)),
    };
    let mut parts = vec![floor];
    parts.push(part(if l.elevator > 0 { "change.elevator" } else { "change.noElevator" }));
    parts.push(part(if l.parking { "change.parking" } else { "change.noParking" }));
    parts.push(part(match l.accessibility {
        Accessibility::Easy => "change.accessibility.easy",
        Accessibility::Moderate => "change.accessibility.moderate",
        Accessibility::Difficult => "change.accessibility.difficult",
    }));
    parts.join(" · ")
}

/// A field of a booking in words.
fn shown(b: &Booking, field: &str, language: Language) -> String {
    let d = &b.details;
    match field {
        "moveAt" => {
            let (day, time) = (formats::date(b.move_date, language), formats::time(b.move_time, language));
            if language == Language::Fr { format!("{day} à {time}") } else { format!("{day} {time}") }
        }
        "pickup" => d.pickup.address.line(),
        "dropoff" => d.dropoff.address.line(),
        "pickupAccess" => access(&d.pickup, language),
        "dropoffAccess" => access(&d.dropoff, language),
        "items" => values::items(b).join(if language == Language::Zh { "、" } else { ", " }),
        "moveKind" => values::move_kind(b.move_kind, language).to_owned(),
        "mateCount" => b.mate_count.get().to_string(),
        "clientAsMate" => yes_no(b.client_as_mate, language),
        "justMates" => yes_no(b.just_mates, language),
        "rideAlong" => yes_no(b.ride_along, language),
        "assembly" => yes_no(d.assembly != Some(0), language),
        "discountCode" => b.discount_code.clone().unwrap_or_default(),
        "extraServices" => {
            let names = d.extra_services.iter().filter_map(|code| code.parse().ok());
            let names: Vec<&str> = names.map(|service| pricing::extra_name(service, language)).collect();
            names.join(if language == Language::Zh { "、" } else { ", " })
        }
        "comments" => d.comments.clone(),
        "overtimeMinutes" => d.overtime.iter().map(|o| o.minutes).fold(0, u32::saturating_add).to_string(),
        "total" => formats::money(b.total, language),
        _ => String::new(),
    }
}
