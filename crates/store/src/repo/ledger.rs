//! The append-only ledger.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use diesel::{dsl::sql, prelude::*, sql_types::BigInt};
use kernel::{BookingId, EntryId, Money};
use service::ports::{
    StoreError, StoreResult,
    ledger::{Account, Entry, Ledgers},
};

use super::Repos;
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::ledger::{EntryRow, LineRow, account},
    schema::{ledger_entries, ledger_lines},
};

const ENTRIES: &str = "ledger_entries";
const LINES: &str = "ledger_lines";

impl Ledgers for Repos<'_> {
    fn append(&mut self, entry: &Entry) -> StoreResult<()> {
        let added = diesel::insert_into(ledger_entries::table)
            .values(EntryRow::from(entry))
            .on_conflict(ledger_entries::fact_key)
            .do_nothing()
            .execute(self.conn)
            .map_err(fault(ENTRIES))?;
        if added == 0 {
            return Err(StoreError::Duplicate("ledger_entries.fact_key".to_owned()));
        }
        diesel::insert_into(ledger_lines::table).values(LineRow::of(entry)).execute(self.conn).map_err(fault(LINES))?;
        Ok(())
    }

    fn of_booking(&mut self, id: BookingId) -> StoreResult<Vec<Entry>> {
        let entries: Vec<EntryRow> = ledger_entries::table
            .filter(ledger_entries::booking_id.eq(Id(id.0)))
            .order((ledger_entries::at, ledger_entries::seq))
            .select(EntryRow::as_select())
            .load(self.conn)
            .map_err(fault(ENTRIES))?;
        let lines: Vec<LineRow> = ledger_lines::table
            .inner_join(ledger_entries::table)
            .filter(ledger_entries::booking_id.eq(Id(id.0)))
            .order((ledger_lines::entry_id, ledger_lines::position))
            .select(LineRow::as_select())
            .load(self.conn)
            .map_err(fault(LINES))?;
        let mut by_entry: HashMap<Id, Vec<LineRow>> = HashMap::new();
        for line in lines {
            by_entry.entry(line.entry_id).or_default().push(line);
        }
        entries
            .into_iter()
            .map(|entry| {
                let lines = by_entry.remove(&entry.id).unwrap_or_default();
                entry.read(lines)
            })
            .collect()
    }

    fn balances(&mut self, until: DateTime<Utc>) -> StoreResult<Vec<(Account, Money)>> {
        // The sum of 64-bit integers is a numeric on PostgreSQL; both engines are asked for cents.
        let sums: Vec<(String, i64)> = ledger_lines::table
            .inner_join(ledger_entries::table)
            .filter(ledger_entries::at.le(Instant(until)))
            .group_by(ledger_lines::account)
            .select((ledger_lines::account, sql::<BigInt>("CAST(SUM(ledger_lines.amount_cents) AS BIGINT)")))
            .load(self.conn)
            .map_err(fault(LINES))?;
        let mut balances: HashMap<Account, Money> = HashMap::new();
        for (code, cents) in sums {
            balances.insert(account(&code, &"(balances)")?, Money::from_cents(cents));
        }
        Ok(Account::ALL.into_iter().map(|a| (a, balances.get(&a).copied().unwrap_or(Money::ZERO))).collect())
    }

    fn unbalanced(&mut self) -> StoreResult<Vec<EntryId>> {
        let wrong = "COALESCE(SUM(ledger_lines.amount_cents), 0) <> 0 OR COUNT(ledger_lines.entry_id) = 0";
        let ids: Vec<Id> = ledger_entries::table
            .left_join(ledger_lines::table)
            .group_by((ledger_entries::id, ledger_entries::seq))
            .having(sql::<diesel::sql_types::Bool>(wrong))
            .order(ledger_entries::seq)
            .select(ledger_entries::id)
            .load(self.conn)
            .map_err(fault(ENTRIES))?;
        Ok(ids.into_iter().map(|id| EntryId(id.0)).collect())
    }
}
