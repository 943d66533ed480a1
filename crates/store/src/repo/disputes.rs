//! Disputes.

use diesel::{
    dsl::sql,
    prelude::*,
    sql_types::{Integer, Nullable},
};
use kernel::{BookingId, Money, PaymentId};
use service::ports::{
    StoreError, StoreResult,
    disputes::{Dispute, DisputeId, DisputeState, Disputes},
};

use super::Repos;
use crate::{
    columns::{Doc, Id, Instant, SqlInstant},
    error::{fault, unknown},
    rows::{some, time},
    schema::disputes,
    statement::update,
};

const TABLE: &str = "disputes";

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = disputes, treat_none_as_default_value = false, treat_none_as_null = true)]
pub(super) struct DisputeRow {
    id: Id,
    pub(super) booking_id: Id,
    payment_id: Id,
    gateway_id: String,
    state: String,
    amount_cents: i64,
    fee_cents: i64,
    reason: String,
    case_number: Option<String>,
    reply_by: Option<Instant>,
    opened_at: Instant,
    decided_at: Option<Instant>,
    evidence: Doc,
    version: i32,
}

impl DisputeRow {
    fn of(d: &Dispute) -> StoreResult<DisputeRow> {
        Ok(DisputeRow {
            id: Id(d.id.0),
            booking_id: Id(d.booking_id.0),
            payment_id: Id(d.payment_id.0),
            gateway_id: d.gateway_id.clone(),
            state: d.state.code().to_owned(),
            amount_cents: d.amount.cents(),
            fee_cents: d.fee.cents(),
            reason: d.reason.clone(),
            case_number: d.case_number.clone(),
            reply_by: some(d.reply_by),
            opened_at: Instant(d.opened_at),
            decided_at: some(d.decided_at),
            evidence: Doc::of(&d.evidence)?,
            version: d.version,
        })
    }

    pub(super) fn read(self) -> StoreResult<Dispute> {
        let id = self.id.0;
        let state = DisputeState::from_code(&self.state);
        Ok(Dispute {
            id: DisputeId(id),
            booking_id: BookingId(self.booking_id.0),
            payment_id: PaymentId(self.payment_id.0),
            state: state.ok_or_else(|| unknown(TABLE, "state", &id, &self.state))?,
            amount: Money::from_cents(self.amount_cents),
            fee: Money::from_cents(self.fee_cents),
            evidence: self.evidence.read(TABLE, "evidence", &id)?,
            gateway_id: self.gateway_id,
            reason: self.reason,
            case_number: self.case_number,
            reply_by: time(self.reply_by),
            opened_at: self.opened_at.0,
            decided_at: time(self.decided_at),
            version: self.version,
        })
    }
}

impl Disputes for Repos<'_> {
    fn insert(&mut self, dispute: &Dispute) -> StoreResult<()> {
        let row = DisputeRow::of(dispute)?;
        let added = diesel::insert_into(disputes::table)
            .values(row)
            .on_conflict(disputes::gateway_id)
            .do_nothing()
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        if added == 1 { Ok(()) } else { Err(StoreError::Duplicate("disputes.gateway_id".to_owned())) }
    }

    fn get(&mut self, id: DisputeId) -> StoreResult<Option<Dispute>> {
        let row: Option<DisputeRow> = disputes::table
            .filter(disputes::id.eq(Id(id.0)))
            .select(DisputeRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(DisputeRow::read).transpose()
    }

    fn of_gateway(&mut self, gateway_id: &str) -> StoreResult<Option<Dispute>> {
        let row: Option<DisputeRow> = disputes::table
            .filter(disputes::gateway_id.eq(gateway_id))
            .select(DisputeRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(DisputeRow::read).transpose()
    }

    fn of_booking(&mut self, id: BookingId) -> StoreResult<Vec<Dispute>> {
        let rows: Vec<DisputeRow> = disputes::table
            .filter(disputes::booking_id.eq(Id(id.0)))
            .order((disputes::opened_at, disputes::seq))
            .select(DisputeRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(DisputeRow::read).collect()
    }

    fn listed(&mut self, skip: i64, limit: i64) -> StoreResult<(Vec<Dispute>, i64)> {
        // Of those that ended the deadline says nothing any more.
        let rank = sql::<Integer>("CASE WHEN state <> 'opened' THEN 2 WHEN reply_by IS NULL THEN 1 ELSE 0 END");
        let deadline = sql::<Nullable<SqlInstant>>("CASE WHEN state = 'opened' THEN reply_by END");
        let rows: Vec<DisputeRow> = disputes::table
            .order((rank, deadline.asc(), disputes::seq.desc()))
            .offset(skip)
            .limit(limit)
            .select(DisputeRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        let total = disputes::table.count().get_result(self.conn).map_err(fault(TABLE))?;
        Ok((rows.into_iter().map(DisputeRow::read).collect::<StoreResult<_>>()?, total))
    }

    fn update(&mut self, dispute: &Dispute) -> StoreResult<i32> {
        let row = DisputeRow { version: dispute.version.saturating_add(1), ..DisputeRow::of(dispute)? };
        let known = disputes::id.eq(row.id).and(disputes::version.eq(dispute.version));
        let written = update(disputes::table, known, &row).execute(self.conn).map_err(fault(TABLE))?;
        if written == 1 { Ok(row.version) } else { Err(StoreError::Stale) }
    }
}
