//! Reads ledger, payments and bookings for reconciliation and reports, in windows and pages.

use std::collections::{BTreeMap, HashMap};

use chrono::{DateTime, Utc};
use diesel::{
    dsl::sql,
    prelude::*,
    sql_types::{BigInt, Bool, Nullable},
};
use kernel::{BookingId, Money};
use service::ports::{
    StoreResult,
    books::{BookingFile, Books, InTrust, JournalEntry, OF_CUSTOMERS, Place, Standing, Sum},
    facts::{LINK, SET_OFF, TWICE, VOID},
    ledger::{Account, EntryLine},
    payments::{Attempt, PaidWith, Payment},
    strays::Stray,
};

use super::{Repos, files, lists, strays};
use crate::{
    columns::{Id, Instant, SqlInstant},
    error::{fault, unknown},
    rows::{
        ledger::account,
        payments::{AttemptRow, PaymentRow},
    },
    schema::{bookings, ledger_entries, ledger_lines, payment_attempts, payments},
    statement::{OfTrust, among},
};

const ATTEMPTS: &str = "payment_attempts";
const ENTRIES: &str = "ledger_entries";
const LINES: &str = "ledger_lines";

impl Books for Repos<'_> {
    fn attempts_page(
        &mut self,
        from: DateTime<Utc>,
        until: DateTime<Utc>,
        after: Option<(DateTime<Utc>, String)>,
        limit: i64,
    ) -> StoreResult<Vec<(Attempt, Payment)>> {
        use payment_attempts as a;
        let (at, order) = after.unwrap_or((from, String::new()));
        let beyond = a::created_at.gt(Instant(at)).or(a::created_at.eq(Instant(at)).and(a::order_id.gt(order)));
        let rows: Vec<(AttemptRow, PaymentRow)> = a::table
            .inner_join(payments::table)
            .filter(a::created_at.ge(Instant(at)))
            .filter(a::created_at.lt(Instant(until)))
            .filter(beyond)
            .order((a::created_at, a::order_id))
            .limit(limit)
            .select((AttemptRow::as_select(), PaymentRow::as_select()))
            .load(self.conn)
            .map_err(fault(ATTEMPTS))?;
        rows.into_iter().map(|(attempt, payment)| Ok((attempt.read()?, payment.read()?))).collect()
    }

    fn first_attempt(&mut self) -> StoreResult<Option<DateTime<Utc>>> {
        let first: Option<Instant> = payment_attempts::table
            .select(payment_attempts::created_at)
            .order(payment_attempts::created_at)
            .first(self.conn)
            .optional()
            .map_err(fault(ATTEMPTS))?;
        Ok(first.map(|at| at.0))
    }

    fn moved_at_gateway(&mut self, facts: &[String]) -> StoreResult<HashMap<String, Money>> {
        let moved = "CAST(COALESCE(SUM(CASE WHEN ledger_lines.account = 'gateway' THEN ledger_lines.amount_cents ELSE 0 END), 0) AS BIGINT)";
        let rows: Vec<(String, i64)> = ledger_entries::table
            .left_join(ledger_lines::table)
            .filter(among!(ledger_entries::fact_key, facts))
            .group_by(ledger_entries::fact_key)
            .select((ledger_entries::fact_key, sql::<BigInt>(moved)))
            .load(self.conn)
            .map_err(fault(ENTRIES))?;
        Ok(rows.into_iter().map(|(fact, cents)| (fact, Money::from_cents(cents))).collect())
    }

    fn unbalanced_between(&mut self, from: DateTime<Utc>, until: DateTime<Utc>) -> StoreResult<Vec<BookingId>> {
        let wrong = "COALESCE(SUM(ledger_lines.amount_cents), 0) <> 0 OR COUNT(ledger_lines.entry_id) = 0";
        let mut ids: Vec<Id> = ledger_entries::table
            .left_join(ledger_lines::table)
            .filter(ledger_entries::at.ge(Instant(from)))
            .filter(ledger_entries::at.lt(Instant(until)))
            .group_by((ledger_entries::booking_id, ledger_entries::seq))
            .having(sql::<Bool>(wrong))
            .order((ledger_entries::booking_id, ledger_entries::seq))
            .select(ledger_entries::booking_id)
            .load(self.conn)
            .map_err(fault(ENTRIES))?;
        ids.dedup();
        Ok(ids.into_iter().map(|id| BookingId(id.0)).collect())
    }

    fn strays_between(&mut self, from: DateTime<Utc>, until: DateTime<Utc>) -> StoreResult<Vec<Stray>> {
        strays::returned_between(self.conn, from, until)
    }

    fn files(&mut self, ids: &[BookingId]) -> StoreResult<Vec<BookingFile>> {
        files::of(self.conn, ids)
    }

    fn code_of(&mut self, id: BookingId) -> StoreResult<Option<String>> {
        let row = bookings::table.filter(bookings::id.eq(Id(id.0)));
        row.select(bookings::short_id).first(self.conn).optional().map_err(fault("bookings"))
    }

    fn bookings_after(&mut self, after: Option<BookingId>, limit: i64) -> StoreResult<Vec<BookingId>> {
        let after = after.map_or(kernel::uuid::Uuid::nil(), |id| id.0);
        let ids: Vec<Id> = bookings::table
            .filter(bookings::id.gt(Id(after)))
            .order(bookings::id)
            .limit(limit)
            .select(bookings::id)
            .load(self.conn)
            .map_err(fault("bookings"))?;
        Ok(ids.into_iter().map(|id| BookingId(id.0)).collect())
    }

    fn journal(
        &mut self,
        from: DateTime<Utc>,
        until: DateTime<Utc>,
        after: Option<Place>,
        limit: i64,
    ) -> StoreResult<Vec<JournalEntry>> {
        use ledger_entries as e;
        let (at, seq) = after.unwrap_or((from, i64::MIN));
        let beyond = e::at.gt(Instant(at)).or(e::at.eq(Instant(at)).and(e::seq.gt(seq)));
        type Row = (i64, Instant, String, String, Option<String>, Option<String>);
        let rows: Vec<Row> = e::table
            .inner_join(bookings::table.on(bookings::id.eq(e::booking_id)))
            .left_join(payments::table.on(payments::id.nullable().eq(e::payment_id)))
            .filter(e::at.ge(Instant(at)))
            .filter(e::at.lt(Instant(until)))
            .filter(beyond)
            .order((e::at, e::seq))
            .limit(limit)
            .select((
                e::seq,
                e::at,
                e::kind,
                bookings::short_id,
                payments::reference.nullable(),
                payments::transaction_id.nullable(),
            ))
            .load(self.conn)
            .map_err(fault(ENTRIES))?;
        let (Some(first), Some(last)) = (rows.first().map(|r| r.1), rows.last().map(|r| r.1)) else {
            return Ok(Vec::new());
        };
        let lines: Vec<(i64, String, i64)> = ledger_lines::table
            .inner_join(e::table)
            .filter(e::at.between(first, last))
            .order((e::at, e::seq, ledger_lines::position))
            .select((e::seq, ledger_lines::account, ledger_lines::amount_cents))
            .load(self.conn)
            .map_err(fault(LINES))?;
        // Both come in one order; entries of the same instant beyond the page have lines here and no row.
        let mut lines = lines.into_iter().peekable();
        let mut entries = Vec::with_capacity(rows.len());
        for (seq, at, kind, short_id, reference, transaction) in rows {
            let mut own = Vec::new();
            while lines.next_if(|l| l.0 != seq).is_some() {}
            while let Some((_, code, cents)) = lines.next_if(|l| l.0 == seq) {
                own.push(EntryLine { account: account(&code, &seq)?, amount: Money::from_cents(cents) });
            }
            // A mark of our own is no number.
            let number = reference.filter(|r| ![LINK, SET_OFF, TWICE, VOID].contains(&r.as_str()));
            let reference = number.or(transaction);
            entries.push(JournalEntry { place: (at.0, seq), kind, short_id, reference, lines: own });
        }
        Ok(entries)
    }

    fn sums(&mut self, from: DateTime<Utc>, until: DateTime<Utc>) -> StoreResult<Vec<Sum>> {
        use ledger_entries as e;
        let rows: Vec<(String, String, i64, Option<String>)> = ledger_lines::table
            .inner_join(e::table)
            .left_join(payments::table.on(payments::id.nullable().eq(e::payment_id)))
            .filter(e::at.ge(Instant(from)))
            .filter(e::at.lt(Instant(until)))
            .select((e::kind, ledger_lines::account, ledger_lines::amount_cents, payments::method.nullable()))
            .load(self.conn)
            .map_err(fault(LINES))?;
        // A day has few thousand lines.
        let mut sums: BTreeMap<(String, String, Option<String>), (i64, i64)> = BTreeMap::new();
        for (kind, account, cents, method) in rows {
            let (debit, credit) = sums.entry((kind, account, method)).or_default();
            if cents > 0 { *debit += cents } else { *credit -= cents }
        }
        let read = |((kind, code, method), (debit, credit)): ((String, String, Option<String>), (i64, i64))| {
            let account: Account = account(&code, &kind)?;
            let method = method
                .map(|m| PaidWith::from_code(&m).ok_or_else(|| unknown("payments", "method", &kind, &m)))
                .transpose()?;
            Ok(Sum { kind, account, method, debit: Money::from_cents(debit), credit: Money::from_cents(credit) })
        };
        sums.into_iter().map(read).collect()
    }

    fn in_trust(&mut self, at: DateTime<Utc>) -> StoreResult<Vec<InTrust>> {
        use ledger_entries as e;
        let sum = "CAST(SUM(ledger_lines.amount_cents) AS BIGINT)";
        let rows: Vec<(Id, i64, Option<Instant>)> = ledger_lines::table
            .inner_join(e::table)
            .filter(OfTrust)
            .filter(e::at.le(Instant(at)))
            .group_by(e::booking_id)
            .having(sql::<Bool>("SUM(ledger_lines.amount_cents) <> 0"))
            .select((e::booking_id, sql::<BigInt>(sum), sql::<Nullable<SqlInstant>>("MIN(ledger_entries.at)")))
            .load(self.conn)
            .map_err(fault(LINES))?;
        let ids: Vec<BookingId> = rows.iter().map(|r| BookingId(r.0.0)).collect();
        let mut held: HashMap<Id, (i64, Option<Instant>)> = rows.into_iter().map(|r| (r.0, (r.1, r.2))).collect();
        let mut all = Vec::new();
        for some in ids.chunks(500) {
            for booking in lists::of_ids(self.conn, some)? {
                let Some((cents, since)) = held.remove(&Id(booking.id.0)) else { continue };
                let since = since.map_or(booking.created_at, |s| s.0);
                // What is owed to the customer is a credit.
                all.push(InTrust { booking, amount: Money::from_cents(cents).negated(), since });
            }
        }
        all.sort_by_key(|t| (t.booking.move_at, t.booking.id));
        Ok(all)
    }

    fn standing(&mut self, at: DateTime<Utc>) -> StoreResult<Vec<Standing>> {
        use ledger_entries as e;
        let sum = "CAST(SUM(ledger_lines.amount_cents) AS BIGINT)";
        let rows: Vec<(Id, i64)> = ledger_lines::table
            .inner_join(e::table)
            .filter(ledger_lines::account.eq_any(OF_CUSTOMERS.map(Account::code)))
            .filter(e::at.le(Instant(at)))
            .group_by(e::booking_id)
            .having(sql::<Bool>("SUM(ledger_lines.amount_cents) <> 0"))
            .select((e::booking_id, sql::<BigInt>(sum)))
            .load(self.conn)
            .map_err(fault(LINES))?;
        let ids: Vec<BookingId> = rows.iter().map(|r| BookingId(r.0.0)).collect();
        let sums: HashMap<Id, i64> = rows.into_iter().collect();
        let mut all = Vec::new();
        for some in ids.chunks(500) {
            for booking in lists::of_ids(self.conn, some)? {
                let Some(cents) = sums.get(&Id(booking.id.0)) else { continue };
                all.push(Standing { booking, amount: Money::from_cents(*cents) });
            }
        }
        all.sort_by_key(|s| (s.booking.move_at, s.booking.id));
        Ok(all)
    }
}
