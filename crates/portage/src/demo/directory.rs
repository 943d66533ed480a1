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

/// Hub, name, class, plate, days until inspection and insurance end.
const TRUCKS: [(&str, &str, TruckClass, &str, u64, u64); 5] = [
    ("montreal", "Grand Bleu", TruckClass::TwentySixFoot, "L482913", 210, 150),
    ("montreal", "Renard", TruckClass::TwentyFoot, "L557204", 33, 150),
    ("montreal", "Puce", TruckClass::TenFoot, "L610337", 95, 150),
    ("toronto", "Heron", TruckClass::TwentySixFoot, "BN74812", 130, 310),
    ("toronto", "Sparrow", TruckClass::TwentyFoot, "BP20966", 260, 310),
];

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
        for (hub, name, class, plate, inspected, insured) in TRUCKS {
            let truck = TruckRecord {
                id: TruckId(tx.id()),
                name: name.to_owned(),
                class,
                hub: hub.to_owned(),
                plate: plate.to_owned(),
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
