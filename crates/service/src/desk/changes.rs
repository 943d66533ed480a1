//! The feed of changes for staff's open pages: kinds and keys, never data. Read from the audit trail, which every change
//! of every server writes.

use std::collections::BTreeSet;

use crate::{ServiceResult, Services, Staff, ports::audit::Change};

/// Rows that are looked at again: a transaction that began earlier may end later, with a lower number.
const OVERLAP: i64 = 200;
/// Rows of one look.
const MOST: i64 = 1_000;

/// Kinds of records whose changes are sent to pages of staff. Others are not sent: the key of a session is in the tokens issued from it.
const SHOWN: [&str; 5] = ["booking", "job", "member", "photo", "view"];

/// How far somebody has read.
#[derive(Debug, Clone, Default)]
pub struct Reader {
    last: i64,
    /// Numbers that were told and are looked at again.
    told: BTreeSet<i64>,
}

impl Reader {
    /// From now on.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn begin(s: &Services, _: &Staff) -> ServiceResult<Reader> {
        let (last, told) = s
            .store
            .read(|u| {
                let last = u.audits().last_number()?;
                let known = u.audits().changes_from(last - OVERLAP, OVERLAP + 1)?;
                Ok::<_, crate::Error>((last, known.into_iter().map(|c| c.number).collect()))
            })
            .await?;
        Ok(Reader { last, told })
    }

    /// What changed since the last look, each thing once.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn next(&mut self, s: &Services) -> ServiceResult<Vec<Change>> {
        let from = self.last - OVERLAP;
        let found = s.store.read(move |u| Ok::<_, crate::Error>(u.audits().changes_from(from, MOST)?)).await?;
        let mut fresh: Vec<Change> = Vec::new();
        for change in found {
            self.last = self.last.max(change.number);
            let is_new = self.told.insert(change.number);
            let is_shown = SHOWN.contains(&change.kind.as_str());
            if is_new && is_shown && !fresh.iter().any(|c| (&c.kind, &c.id) == (&change.kind, &change.id)) {
                fresh.push(change);
            }
        }
        self.told = self.told.split_off(&(self.last - OVERLAP));
        Ok(fresh)
    }
}
