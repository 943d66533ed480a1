//! Requests for a quote.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use service::ports::{
    StoreError, StoreResult,
    quote_requests::{QuoteRequest, QuoteRequestId, QuoteRequests, RequestState, WantedRequests},
};

use super::{super::Conn, Repos};
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::quote_requests::RequestRow,
    schema::quote_requests as r,
    statement::{containing, update},
};

const TABLE: &str = "quote_requests";

type Engine = <Conn as diesel::Connection>::Backend;

fn narrowed(wanted: &WantedRequests) -> r::BoxedQuery<'static, Engine> {
    let mut query = r::table.into_boxed::<Engine>();
    if let Some(state) = wanted.state {
        query = query.filter(r::state.eq(state.code()));
    }
    if let Some(user) = wanted.taken_by {
        query = query.filter(r::taken_by.eq(Id(user.0)));
    }
    for word in &wanted.words {
        query = query.filter(r::found_by.like(containing(word)).escape('\\'));
    }
    query
}

impl QuoteRequests for Repos<'_> {
    fn insert(&mut self, request: &QuoteRequest) -> StoreResult<()> {
        let row = RequestRow::of(request)?;
        diesel::insert_into(r::table).values(row).execute(self.conn).map(drop).map_err(fault(TABLE))
    }

    fn get(&mut self, id: QuoteRequestId) -> StoreResult<Option<QuoteRequest>> {
        let row: Option<RequestRow> = r::table
            .filter(r::id.eq(Id(id.0)))
            .select(RequestRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(RequestRow::read).transpose()
    }

    fn listed(&mut self, wanted: &WantedRequests, skip: i64, limit: i64) -> StoreResult<(Vec<QuoteRequest>, i64)> {
        let rows: Vec<RequestRow> = narrowed(wanted)
            .order((r::made_at.desc(), r::id.desc()))
            .offset(skip)
            .limit(limit)
            .select(RequestRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        let total = narrowed(wanted).count().get_result(self.conn).map_err(fault(TABLE))?;
        Ok((rows.into_iter().map(RequestRow::read).collect::<StoreResult<_>>()?, total))
    }

    fn update(&mut self, request: &QuoteRequest) -> StoreResult<i32> {
        let version = request.version.saturating_add(1);
        let known = r::id.eq(Id(request.id.0)).and(r::version.eq(request.version));
        let new = (
            r::state.eq(request.state.code()),
            r::taken_by.eq(request.taken_by.map(|id| Id(id.0))),
            r::booking_id.eq(request.booking_id.map(|id| Id(id.0))),
            r::changed_at.eq(Instant(request.changed_at)),
            r::version.eq(version),
        );
        let written = update(r::table, known, new).execute(self.conn).map_err(fault(TABLE))?;
        if written == 1 { Ok(version) } else { Err(StoreError::Stale) }
    }

    fn purge(&mut self, before: DateTime<Utc>) -> StoreResult<usize> {
        let ended = [RequestState::Booked.code(), RequestState::Closed.code()];
        diesel::delete(r::table.filter(r::state.eq_any(ended)).filter(r::changed_at.lt(Instant(before))))
            .execute(self.conn)
            .map_err(fault(TABLE))
    }
}
