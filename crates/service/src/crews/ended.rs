//! Papers that have ended by the day of a job: a mate's licence, a truck's inspection. Whoever or whatever has one may still
//! be sent by name, and staff are told; the plan of a whole day leaves them out.

use std::collections::BTreeMap;

use chrono::NaiveDate;

use crate::ports::directory::{MateDocument, TruckRecord};

/// A document whose last day is before the job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpiredDocument {
    /// What it is, as it was written down; of a truck `Inspection` or `Insurance`.
    pub kind: String,
    /// Its last day.
    pub last_day: NaiveDate,
}

/// The papers of a mate that have ended before a day. Of several of one kind the one that ends last counts: a renewed licence
/// stands beside the old one.
pub(crate) fn of_mate(documents: &[MateDocument], day: NaiveDate) -> Vec<ExpiredDocument> {
    let mut last: BTreeMap<String, &MateDocument> = BTreeMap::new();
    for paper in documents {
        let kept = last.entry(paper.kind.trim().to_lowercase()).or_insert(paper);
        if paper.expires_on > kept.expires_on {
            *kept = paper;
        }
    }
    let ended = last.into_values().filter(|paper| paper.expires_on < day);
    ended.map(|paper| ExpiredDocument { kind: paper.kind.clone(), last_day: paper.expires_on }).collect()
}

/// The same of a truck.
pub(crate) fn of_truck(truck: &TruckRecord, day: NaiveDate) -> Vec<ExpiredDocument> {
    let kept = [("Inspection", truck.inspected_until), ("Insurance", truck.insured_until)];
    let ended = kept.into_iter().filter_map(|(kind, last_day)| Some((kind, last_day.filter(|last| *last < day)?)));
    ended.map(|(kind, last_day)| ExpiredDocument { kind: kind.to_owned(), last_day }).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn paper(kind: &str, last_day: &str) -> MateDocument {
        MateDocument { kind: kind.to_owned(), number: String::new(), expires_on: last_day.parse().unwrap() }
    }

    #[test]
    fn the_last_day_still_counts_and_a_renewed_paper_replaces_the_old_one() {
        let day = "2027-03-10".parse().unwrap();
        let papers = [
            paper("Insurance", "2027-03-09"),
            paper("Driving licence", "2026-03-01"),
            paper("driving licence ", "2028-03-01"),
            paper("First aid", "2027-03-10"),
        ];
        let ended = of_mate(&papers, day);
        assert_eq!(ended, [ExpiredDocument { kind: "Insurance".to_owned(), last_day: "2027-03-09".parse().unwrap() }]);
        assert!(of_mate(&[], day).is_empty());
    }
}
