//! A worked timeline, read.

use kernel::{
    Money, Zone,
    chrono::{DateTime, Duration, NaiveDateTime, SecondsFormat, Utc},
};
use serde_json::{Value, json};

use crate::bodies;

pub struct Case<'a> {
    pub input: &'a Value,
    pub output: &'a Value,
    pub zone: Zone,
    pub move_at: DateTime<Utc>,
    pub booked_at: DateTime<Utc>,
}

pub fn file() -> Value {
    serde_json::from_str(include_str!("../../../../fixtures/policy-examples.json")).unwrap()
}

pub fn cents(v: &Value) -> i64 {
    v.as_str().unwrap_or_else(|| panic!("{v} is not money")).parse::<Money>().unwrap().cents()
}

pub fn dollars(cents: i64) -> String {
    Money::from_cents(cents).to_string()
}

/// As the wire and the examples write instants.
pub fn stamp(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Secs, true)
}

pub fn same<T: PartialEq + std::fmt::Debug>(what: &str, got: T, want: T) -> Result<(), String> {
    if got == want { Ok(()) } else { Err(format!("{what}:\n  got  {got:?}\n  want {want:?}")) }
}

impl<'a> Case<'a> {
    pub fn new(example: &'a Value) -> Case<'a> {
        let (input, output) = (&example["input"], &example["output"]);
        let zone: Zone = input["timezone"].as_str().unwrap().parse().unwrap();
        // `move_utc` is the date after all edits; the booking begins with the local one.
        let move_at = local(&zone, input["move_local"].as_str().unwrap());
        let booked_at: DateTime<Utc> = output["booked_utc"].as_str().unwrap().parse().unwrap();
        assert_eq!(
            move_at - booked_at,
            Duration::seconds(input["lead_seconds"].as_i64().unwrap()),
            "{}",
            example["name"]
        );
        Case { input, output, zone, move_at, booked_at }
    }

    pub fn total(&self) -> i64 {
        self.output["total_at_booking"].as_i64().unwrap()
    }

    /// The first row of the timeline says which plan it is.
    pub fn mode(&self) -> Value {
        self.output["timeline"][0]["note"].clone()
    }

    /// What happens to the booking, in time.
    pub fn events(&self) -> Vec<(DateTime<Utc>, &'a Value)> {
        let at = |e: &Value| {
            if let Some(s) = e["after_booking_seconds"].as_i64() {
                self.booked_at + Duration::seconds(s)
            } else if let Some(s) = e["before_move_seconds"].as_i64() {
                self.move_at - Duration::seconds(s)
            } else {
                local(&self.zone, e["at_local"].as_str().unwrap())
            }
        };
        let mut out: Vec<_> = self.input["events"].as_array().into_iter().flatten().map(|e| (at(e), e)).collect();
        out.sort_by_key(|(at, _)| *at);
        out
    }

    /// Charges, declines and refunds of the example: when, what, cents.
    pub fn money(&self) -> Vec<(String, String, i64)> {
        let moves = |e: &&Value| is_money(e["action"].as_str().unwrap());
        let text = |v: &Value| v.as_str().unwrap().to_owned();
        let rows = self.output["timeline"].as_array().unwrap().iter().filter(moves);
        rows.map(|e| (text(&e["at_utc"]), text(&e["action"]), e["amount"].as_i64().unwrap())).collect()
    }

    /// How many rows of [`Case::money`] have happened at `at`, when of what people do `done` is done.
    pub fn money_by(&self, at: DateTime<Utc>, done: usize) -> usize {
        const DEEDS: [&str; 4] = ["assign", "edit", "cancel", "complete"];
        let (mut deeds, mut money) = (0, 0);
        for row in self.output["timeline"].as_array().unwrap() {
            let action = row["action"].as_str().unwrap();
            if row["at_utc"].as_str().unwrap().parse::<DateTime<Utc>>().unwrap() > at {
                break;
            } else if DEEDS.contains(&action) {
                if deeds == done {
                    break;
                }
                deeds += 1;
            } else if is_money(action) {
                money += 1;
            }
        }
        money
    }

    /// How the gateway has to answer, charge by charge.
    pub fn outcomes(&self) -> Vec<&'static str> {
        let charges = self.money().into_iter().filter(|(_, action, _)| action != "refund");
        charges.map(|(_, action, _)| if action.starts_with("decline") { "soft_decline" } else { "approve" }).collect()
    }

    /// The draft a customer sends: a small move inside one town.
    pub fn draft(&self) -> Value {
        let start = self.zone.local(self.move_at);
        let mut draft = bodies::draft(&start.date.to_string(), &start.time.format("%H:%M").to_string());
        draft["selectedFurnitures"] =
            json!([{ "id": "box-medium-3-1", "quantity": 10 }, { "id": "nightstand", "quantity": 1 }]);
        let (from, to, city, codes, streets) = match self.input["province"].as_str().unwrap() {
            "BC" => (
                (49.2888, -123.1111),
                (49.2780, -123.1210),
                "Vancouver",
                ["V6C 0C3", "V6B 2W9"],
                ["1055 Canada Place", "550 Davie Street"],
            ),
            "AB" => (
                (51.0447, -114.0631),
                (51.0400, -114.0800),
                "Calgary",
                ["T2P 1J9", "T2R 0A4"],
                ["101 9 Avenue SW", "1000 12 Avenue SW"],
            ),
            "QC" => return draft,
            other => panic!("no addresses for {other}"),
        };
        for (end, point, i) in [("pickup", from, 0), ("dropoff", to, 1)] {
            draft[end] = json!({ "country": "Canada", "province": self.input["province"], "postalCode": codes[i], "city": city, "street": streets[i] });
            draft[format!("{end}Coords")] = json!({ "lat": point.0, "lon": point.1 });
        }
        draft
    }
}

fn is_money(action: &str) -> bool {
    ["charge", "decline", "refund"].iter().any(|p| action.starts_with(p))
}

/// An instant of a local text.
pub fn local(zone: &Zone, text: &str) -> DateTime<Utc> {
    let at: NaiveDateTime = text.parse().unwrap();
    zone.instant(at.date(), at.time()).unwrap()
}
