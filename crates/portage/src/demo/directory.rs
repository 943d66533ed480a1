//! What staff would have written down about the demo's mates, partner and trucks.

use kernel::{
    Address, Language, Money, Province, TruckId,
    chrono::{Days, NaiveDate},
};
use service::{
    ServiceResult, Tx,
    ports::directory::{Contact, MateDocument, MateRecord, PartnerRecord, TruckRecord, TruckState},
    trucks::TruckClass,
};

/// What the trucks of a hub are called, by turns. No hub of the calendar has more of them.
const FRENCH: [&str; 14] = [
    "Puce",
    "Renard",
    "Grand Bleu",
    "Castor",
    "Loutre",
    "Caribou",
    "Lynx",
    "Harfang",
    "Orignal",
    "Mésange",
    "Béluga",
    "Carcajou",
    "Bernache",
    "Épinette",
];
const ENGLISH: [&str; 14] = [
    "Wren", "Sparrow", "Heron", "Beaver", "Otter", "Cedar", "Badger", "Osprey", "Moose", "Finch", "Orca", "Juniper",
    "Loon", "Tamarack",
];

/// A truck of the demo.
struct Truck {
    hub: &'static str,
    name: &'static str,
    class: TruckClass,
    plate: String,
    /// Days until inspection and insurance end.
    ends: [u64; 2],
}

/// As many trucks of each class as the calendar of the hub sells: the board names one for each job.
fn fleet() -> Vec<Truck> {
    let mut fleet = Vec::new();
    for hub in geography::hubs() {
        let (names, letters) = if hub.province == Province::QC { (FRENCH, "L") } else { (ENGLISH, "BN") };
        let many = super::calendar::trucks(hub.id);
        // The classes by turns: the first three are one of each.
        let most = many.into_iter().max().unwrap_or_default();
        let of_turn = |turn: u32| TruckClass::ALL.into_iter().filter(move |class| turn < many[class.index()]);
        let classes = (0..most).flat_map(of_turn);
        for (class, name) in classes.zip(names) {
            let turn = u64::try_from(fleet.len()).unwrap_or_default();
            fleet.push(Truck {
                hub: hub.id,
                name,
                class,
                plate: format!("{letters}{:06}", (482_913 + 7_429 * turn) % 1_000_000),
                // Nothing ends so soon that the first mails of a demo are about it.
                ends: [33 + 37 * turn % 300, 150 + 40 * (turn % 5)],
            });
        }
    }
    fleet
}

/// Skills by turns.
const SKILLS: [&[&str]; 4] =
    [&["piano", "heavy items"], &["assembly", "packing"], &["driver", "heavy items"], &["packing"]];

/// Writes what is missing; what somebody wrote down since stays.
pub fn write(tx: &mut Tx<'_>) -> ServiceResult<()> {
    // A demo with history is written on a day of the past, and looked at today.
    let today = tx.now.max(tx.services.wall.now()).date_naive();
    let blank = |m: &MateRecord| m.version == 1 && m.phone.is_empty() && m.skills.is_empty();
    let mates: Vec<MateRecord> = tx.unit.directory().mates()?.into_iter().filter(blank).collect();
    for (turn, mate) in mates.into_iter().enumerate() {
        let known = described(mate, turn, today);
        tx.unit.directory().update_mate(&known)?;
    }
    for partner in tx.unit.directory().partners()?.into_iter().filter(|p| p.version == 1 && p.name.is_empty()) {
        tx.unit.directory().update_partner(&furniture_store(partner)?)?;
    }
    if tx.unit.directory().trucks()?.is_empty() {
        for Truck { hub, name, class, plate, ends: [inspected, insured] } in fleet() {
            let truck = TruckRecord {
                id: TruckId(tx.id()),
                name: name.to_owned(),
                class,
                hub: hub.to_owned(),
                plate,
                inspected_until: today.checked_add_days(Days::new(inspected)),
                insured_until: today.checked_add_days(Days::new(insured)),
                state: TruckState::Active,
                version: 1,
                created_at: tx.now,
                updated_at: tx.now,
            };
            tx.unit.directory().add_truck(&truck)?;
        }
    }
    Ok(())
}

fn described(mate: MateRecord, turn: usize, today: NaiveDate) -> MateRecord {
    // Nothing ends so soon that the first mails of a demo are about it.
    let days = [400, 35, 180, 700][turn % 4];
    let licence = MateDocument {
        kind: "Driving licence".to_owned(),
        number: format!("T{:04}-{:06}", 1200 + 37 * turn, 150_482 + 911 * turn),
        expires_on: today.checked_add_days(Days::new(days)).unwrap_or(today),
    };
    let languages = match turn % 3 {
        0 => vec![Language::En, Language::Fr],
        1 => vec![Language::Fr],
        _ => vec![Language::En, Language::Zh],
    };
    let pay = 2_200 + 75 * i64::try_from(turn % 6).unwrap_or_default();
    MateRecord {
        phone: format!("514-555-01{:02}", 40 + turn % 60),
        skills: SKILLS[turn % SKILLS.len()].iter().map(|s| (*s).to_owned()).collect(),
        languages,
        documents: vec![licence],
        pay_rate: Some(Money::from_cents(pay)),
        ..mate
    }
}

fn furniture_store(partner: PartnerRecord) -> ServiceResult<PartnerRecord> {
    let wrong = |e: &dyn std::fmt::Display| service::Error::Internal(e.to_string());
    let address = Address {
        street: "1200 Avenue Bernard".to_owned(),
        unit: String::new(),
        city: "Montréal".to_owned(),
        province: Province::QC,
        postal_code: "H2V 1V3".parse().map_err(|e| wrong(&e))?,
        country: "Canada".to_owned(),
        full_address: String::new(),
    };
    let contact = Contact {
        name: "Paul Gagnon".to_owned(),
        email: "partner@portage.test".to_owned(),
        phone: "514-555-0170".to_owned(),
    };
    Ok(PartnerRecord {
        name: "Meubles Outremont".to_owned(),
        addresses: vec![address],
        contacts: vec![contact],
        ..partner
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_hub_has_the_trucks_that_its_calendar_sells() {
        let fleet = fleet();
        for hub in geography::hubs() {
            for class in TruckClass::ALL {
                let there = fleet.iter().filter(|t| t.hub == hub.id && t.class == class).count();
                let sold = super::super::calendar::trucks(hub.id)[class.index()];
                assert_eq!(u32::try_from(there), Ok(sold), "{} {class:?}", hub.id);
            }
        }
        let montreal = fleet.iter().filter(|t| t.hub == "montreal").count();
        assert_eq!(montreal, 14, "5, 5 and 4 on Saturdays");
    }

    #[test]
    fn no_two_trucks_are_taken_for_each_other() {
        let fleet = fleet();
        let named: HashSet<(&str, &str)> = fleet.iter().map(|t| (t.hub, t.name)).collect();
        let plates: HashSet<&str> = fleet.iter().map(|t| t.plate.as_str()).collect();
        assert_eq!((named.len(), plates.len()), (fleet.len(), fleet.len()));
    }
}
