//! Papers that end: a mate's licence, a truck's inspection. Administrators are told once, a month before.

use chrono::{Duration, NaiveDate};
use kernel::{Language, full_name};
use serde_json::json;

use super::{
    queue::{NewMessage, queue},
    values::html_lang,
};
use crate::{
    Actor, Error, ServiceResult, Services, Tx,
    accounts::desk,
    discounts::day,
    formats,
    ports::{
        directory::{MateDocument, MateRecord, MateState, TruckRecord, TruckState},
        members::{Member, MemberRole},
    },
    texts,
};

/// How long before its last day a paper is spoken of, and how long after it.
const NEAR: Duration = Duration::days(30);
/// Papers that have words of their own, of mates and of trucks; others read as they were typed.
const KINDS: [(&str, &str); 6] = [
    ("Inspection", "paper.inspection"),
    ("Driving licence", "paper.drivingLicence"),
    ("Insurance", "paper.insurance"),
    ("Background check", "paper.backgroundCheck"),
    ("First aid", "paper.firstAid"),
    ("Work permit", "paper.workPermit"),
];

/// A paper of a mate or of a truck.
struct Paper {
    /// One paper of one owner with one last day.
    key: String,
    kind: String,
    owner: String,
    last_day: NaiveDate,
    /// Below the dashboard.
    page: &'static str,
}

fn of_mate(m: &MateRecord) -> Vec<Paper> {
    let paper = |d: &MateDocument| Paper {
        key: format!("{}:{}:{}", m.id, d.kind, d.expires_on),
        kind: d.kind.clone(),
        owner: format!("{} ({})", m.name, m.short_id()),
        last_day: d.expires_on,
        page: "mates",
    };
    if m.state == MateState::Archived { Vec::new() } else { m.documents.iter().map(paper).collect() }
}

fn of_truck(t: &TruckRecord) -> Vec<Paper> {
    let paper = |(kind, last_day): (&str, Option<NaiveDate>)| {
        Some(Paper {
            key: format!("{}:{kind}:{}", t.id, last_day?),
            kind: kind.to_owned(),
            owner: t.name.clone(),
            last_day: last_day?,
            page: "trucks",
        })
    };
    if t.state == TruckState::Archived {
        return Vec::new();
    }
    [("Inspection", t.inspected_until), ("Insurance", t.insured_until)].into_iter().filter_map(paper).collect()
}

fn kind_in(kind: &str, language: Language) -> String {
    KINDS
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(kind))
        .map_or_else(|| kind.to_owned(), |(_, key)| texts::text(key, language).to_owned())
}

/// Tells every administrator who has confirmed their address of papers that end within 30 days, or ended in the last 30; of
/// each paper once. A paper that was renewed has another last day, and is spoken of again when that comes near.
///
/// # Errors
/// When the database fails.
pub async fn tell(s: &Services) -> ServiceResult<()> {
    s.write(Actor::system(), |tx| {
        let today = day(tx.now);
        let mates = tx.unit.directory().mates()?;
        let trucks = tx.unit.directory().trucks()?;
        let papers = mates.iter().flat_map(of_mate).chain(trucks.iter().flat_map(of_truck));
        let near: Vec<Paper> = papers.filter(|p| (p.last_day - today).abs() <= NEAR).collect();
        if near.is_empty() {
            return Ok::<_, Error>(());
        }
        let staff = confirmed_staff(tx)?;
        for (member, language) in staff.iter().filter(|(m, _)| m.role == MemberRole::Admin) {
            for paper in &near {
                queue_notice(tx, member, *language, paper)?;
            }
        }
        Ok(())
    })
    .await
}

/// More people than any company's staff has.
const EVERYBODY: i64 = 1_000;

/// Staff who have shown that the address they were invited by is theirs, each with the language of their profile (English
/// while they have none). Whoever was invited and has not signed in yet is told nothing of the company's business: the
/// address may be a mistake.
pub(super) fn confirmed_staff(tx: &mut Tx<'_>) -> ServiceResult<Vec<(Member, Language)>> {
    let mut told = Vec::new();
    for member in tx.unit.members().staff(0, EVERYBODY)?.data {
        let Some(user) = desk::verified(tx.unit, &member.email)? else { continue };
        let language = tx.unit.profiles().get(user)?.map_or(Language::En, |profile| profile.language);
        told.push((member, language));
    }
    Ok(told)
}

fn queue_notice(tx: &mut Tx<'_>, member: &Member, language: Language, paper: &Paper) -> ServiceResult<()> {
    let home = tx.services.public_url().to_owned();
    let values = json!({
        "lang": html_lang(language),
        "customerFirstName": member.first_name,
        "customerFullName": full_name(&member.first_name, &member.last_name),
        "paperKind": kind_in(&paper.kind, language),
        "paperOwner": paper.owner,
        "lastDay": formats::date(paper.last_day, language),
        "recordUrl": format!("{home}/dashboard/{}?lang={language}", paper.page),
    });
    queue(
        tx,
        NewMessage {
            dedup_key: format!("papers:{}:{}", paper.key, member.id),
            booking_id: None,
            user_id: None,
            message_type: "papersEnd".to_owned(),
            language,
            to: member.email.clone(),
            to_name: full_name(&member.first_name, &member.last_name),
            values,
        },
    )?;
    Ok(())
}
