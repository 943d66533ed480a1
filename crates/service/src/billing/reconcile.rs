//! Gateway against ledger against our own rows, and each booking against its history: every
//! difference, in words.
//!
//! Traffic goes on meanwhile and the two clocks are not one, so what one side lacks in the window
//! is only suspected: each suspected order id is looked up again by itself, without the window.
//!
//! Nothing is read at once that grows with the company: attempts come in pages, bookings in pages with a few queries each,
//! buckets in months, and the whole history in windows of weeks.

use std::collections::BTreeSet;

use chrono::{DateTime, Days, Duration, NaiveDate, Utc};
use kernel::BookingId;

use super::{
    difference::{Difference, DifferenceKind},
    history::{differences_of, differences_of_all},
    orders::{self, Window},
};
use crate::{Error, ServiceResult, Services, ports::StoreError};

/// What was compared and what differs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Gateway transactions looked at.
    pub transactions: usize,
    /// Attempts of ours looked at.
    pub attempts: usize,
    /// Bookings held against their history.
    pub bookings: usize,
    /// Differences in words; there must be none.
    pub differences: Vec<String>,
    /// Order ids with a difference: what had been given up and was applied after all (see
    /// [`super::late`]), what was captured and refused when it settled (see [`super::settlement`]).
    pub differing: Vec<String>,
    /// The same differences as values.
    pub found: Vec<Difference>,
}

impl Report {
    fn add(&mut self, found: impl IntoIterator<Item = Difference>) {
        for difference in found {
            // A deed without an entry is seen at the gateway and in its booking's file.
            // So is a row with another booking's, with either of the two, and one that is gone.
            let twice = difference.is_of_gateway()
                || matches!(difference.what, DifferenceKind::RowReads { .. } | DifferenceKind::RowLost { .. });
            if twice && self.found.contains(&difference) {
                continue;
            }
            let order = &difference.subject;
            if difference.is_of_gateway() && !self.differing.contains(order) {
                self.differing.push(order.clone());
            }
            self.differences.push(difference.to_string());
            self.found.push(difference);
        }
    }

    fn count(&mut self, window: Window) -> BTreeSet<String> {
        self.transactions += window.transactions;
        self.attempts += window.attempts;
        window.suspects
    }
}

/// One window of a comparison of everything.
const STEP: Duration = Duration::days(28);
/// Bookings held against their history at a time.
const PAGE: usize = 100;
/// A booking is compared so long before it is charged: also where one daily comparison could not be made.
const SOON: Duration = Duration::days(3);
/// Days whose buckets are counted at a time.
const DAYS: u64 = 28;

/// What an earlier comparison found, by its subject. It is compared again, however old it is: a difference does not
/// go because days went by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct EarlierFindings {
    orders: BTreeSet<String>,
    bookings: BTreeSet<BookingId>,
    strays: BTreeSet<String>,
    days: BTreeSet<NaiveDate>,
    /// From when on entries are summed.
    entries: Option<DateTime<Utc>>,
}

impl EarlierFindings {
    /// Adds the charges of [from, until) that are disputed, window by window.
    ///
    /// # Errors
    /// When the gateway cannot be asked.
    pub async fn look_at_disputed(
        &mut self,
        s: &Services,
        mut from: DateTime<Utc>,
        until: DateTime<Utc>,
    ) -> ServiceResult<()> {
        while from < until {
            let to = (from + STEP).min(until);
            self.orders.extend(orders::disputed(s, from, to).await?);
            from = to;
        }
        Ok(())
    }

    /// Adds what a difference is about that was first seen by a comparison from `from` on.
    pub fn look_at(&mut self, difference: &Difference, from: DateTime<Utc>) {
        match &difference.what {
            DifferenceKind::NotReturned { .. } => {
                self.strays.insert(difference.subject.clone());
            }
            what if what.is_of_order() => {
                self.orders.insert(difference.subject.clone());
            }
            DifferenceKind::Capacity { date, .. } => {
                self.days.insert(*date);
            }
            // Kept before a difference named its entry.
            DifferenceKind::Unbalanced { entry: None } => {
                self.entries = Some(self.entries.map_or(from, |other| other.min(from)));
            }
            _ => self.bookings.extend(difference.booking),
        }
    }
}

/// Compares everything the gateway did in [from, until) with what we wrote, the bookings that changed, were charged or
/// move then with their history, and the counters of all days to come.
///
/// # Errors
/// When gateway or database cannot be asked.
pub async fn run(s: &Services, from: DateTime<Utc>, until: DateTime<Utc>) -> ServiceResult<Report> {
    run_again(s, from, until, EarlierFindings::default()).await
}

/// As [`run`], with what an earlier comparison left.
///
/// # Errors
/// When gateway or database cannot be asked.
pub(super) async fn run_again(
    s: &Services,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
    again: EarlierFindings,
) -> ServiceResult<Report> {
    let mut report = Report::default();
    let mut suspects = report.count(orders::window(s, from, until).await?);
    suspects.extend(again.orders);
    report.add(orders::judged(s, suspects).await?);
    let mut apart = unbalanced_since(s, again.entries.map_or(from, |at| at.min(from)), until).await?;
    apart.extend(again.bookings);
    let first = from.date_naive() - Days::new(1);
    for day in again.days.into_iter().filter(|day| *day < first) {
        report.add(drifts_between(s, day, day).await?);
    }
    report.add(drifts(s, Some(first)).await?);
    report.add(strays(s, from, until, again.strays).await?);
    let touched = s
        .store
        .read(move |u| {
            let mut all = u.bookings().touched_between(from, until)?;
            // What is charged or moves soon, however long nothing happened to it: before money moves, not after.
            all.extend(u.bookings().touched_between(until, until + SOON)?);
            Ok::<_, Error>(all)
        })
        .await?;
    apart.extend(touched);
    let ids: Vec<BookingId> = apart.into_iter().collect();
    for some in ids.chunks(PAGE) {
        histories(s, some.to_vec(), &mut report).await?;
    }
    Ok(report)
}

/// Compares all there is until then, window by window: the memory it takes is that of one.
///
/// # Errors
/// When gateway or database cannot be asked.
pub async fn all(s: &Services, until: DateTime<Utc>) -> ServiceResult<Report> {
    let mut report = Report::default();
    let first = s.store.read(|u| u.books().first_attempt().map_err(Error::from)).await?;
    // What the gateway did before our first attempt is none of ours: one window for it.
    let (mut from, mut to) = (DateTime::UNIX_EPOCH, first.unwrap_or(until).min(until));
    let mut suspects = BTreeSet::new();
    loop {
        suspects.extend(report.count(orders::window(s, from, to).await?));
        // A deed at the border is in another window than its intent; looked up by itself it is what it is.
        if suspects.len() > PAGE || to >= until {
            report.add(orders::judged(s, std::mem::take(&mut suspects)).await?);
        }
        if to >= until {
            break;
        }
        (from, to) = (to, (to + STEP).min(until));
    }
    report.add(drifts(s, None).await?);
    report.add(strays(s, DateTime::UNIX_EPOCH, until, BTreeSet::new()).await?);
    let mut after: Option<BookingId> = None;
    loop {
        let page = i64::try_from(PAGE).unwrap_or(i64::MAX);
        let ids = s.store.read(move |u| u.books().bookings_after(after, page).map_err(Error::from)).await?;
        let Some(last) = ids.last() else { return Ok(report) };
        after = Some(*last);
        histories(s, ids, &mut report).await?;
    }
}

/// Bookings with an entry that does not balance, window by window: what an entry says is looked at with its booking.
async fn unbalanced_since(
    s: &Services,
    mut from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> ServiceResult<BTreeSet<BookingId>> {
    let mut found = BTreeSet::new();
    while from < until {
        let to = (from + STEP).min(until);
        found.extend(s.store.read(move |u| u.books().unbalanced_between(from, to).map_err(Error::from)).await?);
        from = to;
    }
    Ok(found)
}

/// Half hours, from a day on, whose counters are not what holds take of them.
async fn drifts(s: &Services, from: Option<NaiveDate>) -> ServiceResult<Vec<Difference>> {
    let Some((first, last)) = s.store.read(|u| u.capacities().days().map_err(Error::from)).await? else {
        return Ok(Vec::new());
    };
    let mut day = from.map_or(first, |from| from.max(first));
    let mut found = Vec::new();
    while day <= last {
        let end = (day + Days::new(DAYS - 1)).min(last);
        found.extend(drifts_between(s, day, end).await?);
        day = end + Days::new(1);
    }
    Ok(found)
}

async fn drifts_between(s: &Services, first: NaiveDate, last: NaiveDate) -> ServiceResult<Vec<Difference>> {
    let drift = s.store.read(move |u| u.capacities().drift_between(first, last).map_err(Error::from)).await?;
    Ok(drift.into_iter().map(Difference::of_drift).collect())
}

/// Money that counts as gone back and is not: what counts so since `from`, and `more` by their order ids.
async fn strays(
    s: &Services,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
    mut more: BTreeSet<String>,
) -> ServiceResult<Vec<Difference>> {
    let all = s
        .store
        .read(move |u| {
            let mut all = u.books().strays_between(from, until)?;
            for stray in &all {
                more.remove(&stray.order_id);
            }
            for order in more {
                all.extend(u.strays().get(&order)?);
            }
            Ok::<_, Error>(all)
        })
        .await?;
    let mut found = Vec::new();
    for stray in all {
        found.extend(orders::not_returned(s, &stray).await?);
    }
    Ok(found)
}

/// Some bookings, each against its own history.
async fn histories(s: &Services, ids: Vec<BookingId>, report: &mut Report) -> ServiceResult<()> {
    let now = s.clock.now();
    report.bookings += ids.len();
    let found = s
        .store
        .read(move |u| match differences_of_all(u, &ids, now) {
            Err(Error::Store(StoreError::BadRow { .. })) => {
                let mut found = Vec::new();
                for id in ids {
                    found.extend(differences_of(u, id, now)?);
                }
                Ok(found)
            }
            told => told,
        })
        .await?;
    report.add(found);
    Ok(())
}
