//! Mates as staff keep them: who they are, what they can do, which papers they have. Whoever has an address may sign in
//! as a mate with it.

mod member;
pub mod numbers;

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{Address, Email, Language, MateId, Money, Phone};
use serde_json::{Value, json};
use status_machine::At;

use crate::{
    Error, ErrorCode, FieldProblem, Limit, ServiceResult, Services, Staff, Tx,
    discounts::day,
    error::FieldError,
    feeds,
    idempotency::{self, Guard, Replayable},
    ports::{
        bookings::Page,
        directory::{MateDocument, MateRecord, MateState},
    },
};

/// The longest name, characters.
const LONGEST_NAME: usize = 100;
/// The longest skill, kind or number of a document, characters.
const LONGEST_WORD: usize = 60;
/// The most skills, hubs or documents of one mate.
const MOST: usize = 30;
/// The most anybody is paid an hour.
const MOST_PAY: Money = Money::from_cents(1_000_000);

/// What staff write down about a mate.
#[derive(Debug, Clone, PartialEq)]
pub struct Form {
    /// First and last name.
    pub name: String,
    /// Where they live.
    pub address: Option<Address>,
    /// Telephone; may be empty.
    pub phone: String,
    /// The address they sign in with; may be empty.
    pub email: String,
    /// Quebec enterprise number; may be empty.
    pub neq: String,
    /// GST registration; may be empty.
    pub tps: String,
    /// QST registration; may be empty.
    pub tvq: String,
    /// What they can do.
    pub skills: Vec<String>,
    /// Languages they speak.
    pub languages: Vec<Language>,
    /// Hubs they work from; empty = any.
    pub hubs: Vec<String>,
    /// What ends.
    pub documents: Vec<MateDocument>,
    /// Pay an hour.
    pub pay_rate: Option<Money>,
    /// Where they stand; stays, or is active for a new one, when it is not said.
    pub state: Option<MateState>,
}

impl Form {
    /// Trimmed and in one writing, and everything that is wrong at once.
    pub(crate) fn checked(mut self) -> ServiceResult<Form> {
        let mut wrong = Vec::new();
        let mut refuse = |field: String, problem| wrong.push(FieldError::new(field, problem));
        self.name = self.name.split_whitespace().collect::<Vec<_>>().join(" ");
        match self.name.chars().count() {
            0 => refuse("name".to_owned(), FieldProblem::Required),
            n if n > LONGEST_NAME => refuse("name".to_owned(), FieldProblem::TooLong),
            _ => {}
        }
        (self.phone, self.email) = (self.phone.trim().to_owned(), self.email.trim().to_owned());
        if !self.phone.is_empty() && self.phone.parse::<Phone>().is_err() {
            refuse("phone".to_owned(), FieldProblem::Invalid);
        }
        if !self.email.is_empty() && self.email.parse::<Email>().is_err() {
            refuse("email".to_owned(), FieldProblem::Invalid);
        }
        let read = [numbers::neq(&self.neq), numbers::gst(&self.tps), numbers::qst(&self.tvq)];
        let sent = [("neq", &mut self.neq), ("tps", &mut self.tps), ("tvq", &mut self.tvq)];
        for ((field, number), read) in sent.into_iter().zip(read) {
            match (number.trim().is_empty(), read) {
                (true, _) => number.clear(),
                (false, Some(read)) => *number = read,
                (false, None) => refuse(field.to_owned(), FieldProblem::Invalid),
            }
        }
        self.skills = one_each(self.skills);
        for (at, skill) in self.skills.iter().enumerate() {
            if skill.chars().count() > LONGEST_WORD {
                refuse(format!("skills[{at}]"), FieldProblem::TooLong);
            }
        }
        self.hubs = one_each(self.hubs);
        for (at, hub) in self.hubs.iter().enumerate() {
            if geography::hub(hub).is_none() {
                refuse(format!("hubs[{at}]"), FieldProblem::Unknown);
            }
        }
        for (at, document) in self.documents.iter_mut().enumerate() {
            for (field, text) in [("kind", &mut document.kind), ("number", &mut document.number)] {
                *text = text.trim().to_owned();
                if text.is_empty() && field == "kind" {
                    refuse(format!("documents[{at}].{field}"), FieldProblem::Required);
                } else if text.chars().count() > LONGEST_WORD {
                    refuse(format!("documents[{at}].{field}"), FieldProblem::TooLong);
                }
            }
        }
        for (field, count) in
            [("skills", self.skills.len()), ("hubs", self.hubs.len()), ("documents", self.documents.len())]
        {
            if count > MOST {
                refuse(field.to_owned(), FieldProblem::TooLong);
            }
        }
        self.languages.sort_unstable_by_key(|l| l.code());
        self.languages.dedup();
        if self.pay_rate.is_some_and(|pay| pay.is_negative() || pay > MOST_PAY) {
            refuse("payRate".to_owned(), FieldProblem::Between(Limit::NOTHING, MOST_PAY.into()));
        }
        if wrong.is_empty() { Ok(self) } else { Err(Error::Invalid(wrong)) }
    }

    /// The mate with what is written down here.
    ///
    /// # Errors
    /// The field `state`, when it cannot follow the present one.
    pub(crate) fn write(self, mut to: MateRecord) -> ServiceResult<MateRecord> {
        let given = |text: String| (!text.is_empty()).then_some(text);
        if let Some(state) = self.state {
            step(&mut to, state)?;
        }
        Ok(MateRecord {
            name: self.name,
            address: self.address,
            phone: self.phone,
            email: self.email,
            neq: given(self.neq),
            tps: given(self.tps),
            tvq: given(self.tvq),
            skills: self.skills,
            languages: self.languages,
            hubs: self.hubs,
            documents: self.documents,
            pay_rate: self.pay_rate,
            ..to
        })
    }
}

/// Takes a step of the mates' table: the one way in which the state of a record changes.
///
/// # Errors
/// The field `state`, when the table has no such step.
fn step(mate: &mut MateRecord, to: MateState) -> ServiceResult<()> {
    let from = *mate.state;
    if !mate.state.go(to) {
        return Err(Error::field("state", FieldProblem::CannotFollow));
    }
    tracing::debug!(mate = %mate.id, table = "mate", from = from.code(), to = to.code(), "a step");
    Ok(())
}

/// Trimmed, without empty ones and without what stands twice; the order stays.
fn one_each(texts: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for text in texts {
        let text = text.trim();
        if !text.is_empty() && !kept.iter().any(|k| k == text) {
            kept.push(text.to_owned());
        }
    }
    kept
}

/// What a list of mates is filtered by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MateListQuery {
    /// Words that must all occur in the name, the address, the telephone or the number.
    pub value: String,
    /// Only in this state.
    pub state: Option<MateState>,
}

/// A record, and the company's day by which its documents are judged.
#[derive(Debug, Clone, PartialEq)]
pub struct DatedRecord<T> {
    /// The record.
    pub record: T,
    /// Documents whose last day is before this one have expired.
    pub today: NaiveDate,
}

impl<T> DatedRecord<T> {
    pub(crate) fn at(record: T, now: DateTime<Utc>) -> DatedRecord<T> {
        DatedRecord { record, today: day(now) }
    }
}

/// A page of mates, by name; who is archived comes last.
///
/// # Errors
/// When the database fails.
pub async fn list(
    s: &Services,
    _: &Staff,
    query: MateListQuery,
    (page, per_page): (i64, i64),
) -> ServiceResult<Page<DatedRecord<MateRecord>>> {
    let all = s.store.read(|u| u.directory().mates().map_err(Error::from)).await?;
    let words = kernel::sought(&query.value);
    let mut found: Vec<MateRecord> =
        all.into_iter().filter(|m| query.state.is_none_or(|s| m.state == s) && fits(m, &words)).collect();
    found.sort_by_cached_key(|m| (m.state == MateState::Archived, kernel::fold(&m.name), m.number));
    let found = page_of(found, page, per_page);
    let data = found.data.into_iter().map(|m| DatedRecord::at(m, s.clock.now())).collect();
    Ok(Page { data, total: found.total })
}

fn fits(m: &MateRecord, words: &[String]) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    let text = kernel::searchable(&format!("{} {} {}", m.name, m.email, m.short_id()));
    let phone = digits(&m.phone);
    words.iter().all(|word| {
        let typed = digits(word);
        text.contains(word.as_str()) || (typed.len() >= 3 && phone.contains(&typed))
    })
}

/// One page of what is all in memory.
pub(crate) fn page_of<T>(all: Vec<T>, page: i64, per_page: i64) -> Page<T> {
    let total = i64::try_from(all.len()).unwrap_or(i64::MAX);
    let skip = usize::try_from(page.saturating_sub(1).saturating_mul(per_page)).unwrap_or(usize::MAX);
    let take = usize::try_from(per_page).unwrap_or(0);
    Page { data: all.into_iter().skip(skip).take(take).collect(), total }
}

/// One mate.
///
/// # Errors
/// `not_found`.
pub async fn get(s: &Services, _: &Staff, id: MateId) -> ServiceResult<DatedRecord<MateRecord>> {
    let found = s.store.read(move |u| u.directory().mate(id).map_err(Error::from)).await?;
    Ok(DatedRecord::at(found.ok_or(ErrorCode::NotFound)?, s.clock.now()))
}

/// Adds a mate, who may be sent at once. Who has an address signs in as a mate with it.
///
/// # Errors
/// `member_exists` when the address is another mate's or a partner's; the fields.
pub async fn add(
    s: &Services,
    staff: &Staff,
    form: Form,
    guard: Option<Guard<DatedRecord<MateRecord>>>,
) -> ServiceResult<Replayable<DatedRecord<MateRecord>>> {
    let (form, asked_at) = (form.checked()?, s.clock.now());
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            let mate = insert(tx, form)?;
            Ok(DatedRecord::at(mate, tx.now))
        })
    })
    .await
}

/// Adds a mate within a unit of work; the form is checked.
///
/// # Errors
/// As [`add`].
pub(crate) fn insert(tx: &mut Tx<'_>, form: Form) -> ServiceResult<MateRecord> {
    let bare = MateRecord {
        id: MateId(tx.id()),
        number: 0,
        name: String::new(),
        address: None,
        phone: String::new(),
        email: String::new(),
        neq: None,
        tps: None,
        tvq: None,
        state: At::<MateState>::added(form.state.unwrap_or(MateState::Active)),
        skills: Vec::new(),
        languages: Vec::new(),
        hubs: Vec::new(),
        documents: Vec::new(),
        pay_rate: None,
        version: 1,
        created_at: tx.now,
        updated_at: tx.now,
    };
    let mut mate = form.write(bare)?;
    mate.number = tx.unit.directory().add_mate(&mate)?;
    member::follow(tx, None, &mate)?;
    tx.audit("mate.add", mate.id, None, Some(snapshot(&mate)))?;
    Ok(mate)
}

/// Writes a mate anew.
///
/// # Errors
/// `not_found`, `version_conflict`, `mate_has_jobs` when they are archived and on moves to come, `member_exists`, the fields.
pub async fn put(
    s: &Services,
    staff: &Staff,
    id: MateId,
    form: Form,
    version: i32,
) -> ServiceResult<DatedRecord<MateRecord>> {
    let form = form.checked()?;
    s.write(staff.actor(), move |tx| {
        let mate = change(tx, id, form, version)?;
        Ok(DatedRecord::at(mate, tx.now))
    })
    .await
}

/// Writes a mate anew within a unit of work; the form is checked.
///
/// # Errors
/// As [`put`].
pub(crate) fn change(tx: &mut Tx<'_>, id: MateId, form: Form, version: i32) -> ServiceResult<MateRecord> {
    // Whoever assigns crews waits, and sees the mate as they are then.
    tx.unit.crews().lock()?;
    let old = tx.unit.directory().mate(id)?.ok_or(ErrorCode::NotFound)?;
    if old.version != version {
        return Err(ErrorCode::VersionConflict.into());
    }
    let mut mate = MateRecord { updated_at: tx.now, ..form.write(old.clone())? };
    if mate.state == MateState::Archived && old.state != MateState::Archived {
        let jobs = tx.unit.crews().live_of(id)?.len();
        if jobs > 0 {
            return Err(Error::Refused(ErrorCode::MateHasJobs, vec![("n", jobs.to_string())]));
        }
    }
    if mate.state == MateState::Archived {
        feeds::end_of(tx, id)?;
    }
    mate.version = tx.unit.directory().update_mate(&mate)?;
    member::follow(tx, Some(&old), &mate)?;
    tx.audit("mate.update", id, Some(snapshot(&old)), Some(snapshot(&mate)))?;
    Ok(mate)
}

/// A mate has left: they are sent nowhere any more. Their record stays for the moves they were on.
///
/// # Errors
/// When the database fails.
pub(crate) fn archive(tx: &mut Tx<'_>, id: MateId) -> ServiceResult<()> {
    let Some(old) = tx.unit.directory().mate(id)?.filter(|m| m.state != MateState::Archived) else { return Ok(()) };
    let mut mate = MateRecord { updated_at: tx.now, ..old.clone() };
    step(&mut mate, MateState::Archived)?;
    feeds::end_of(tx, id)?;
    tx.unit.directory().update_mate(&mate)?;
    Ok(tx.audit("mate.update", id, Some(snapshot(&old)), Some(snapshot(&mate)))?)
}

fn snapshot(m: &MateRecord) -> Value {
    json!({
        "mateID": m.short_id(), "name": m.name, "address": m.address.as_ref().map(Address::line), "phone": m.phone,
        "email": m.email, "neq": m.neq, "tps": m.tps, "tvq": m.tvq, "state": m.state.code(), "skills": m.skills,
        "languages": m.languages, "hubs": m.hubs, "documents": m.documents, "payRate": m.pay_rate,
    })
}
