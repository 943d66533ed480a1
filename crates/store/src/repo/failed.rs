//! Charges that failed, and the attempts that were asked for by hand.

use diesel::{dsl::sql, prelude::*, sql_types::Bool};
use kernel::PaymentId;
use service::ports::{
    StoreResult,
    failed::{Failed, Press},
    payments::Payment,
};
use status_machine::booking::Status;

use super::Repos;
use crate::{
    columns::{Id, Instant},
    error::fault,
    rows::payments::{NEED_STAFF, PaymentRow},
    schema::{bookings, payment_presses, payments},
};

const TABLE: &str = "payment_presses";
const PAYMENTS: &str = "payments";

impl Failed for Repos<'_> {
    fn listed(&mut self, skip: i64, limit: i64) -> StoreResult<(Vec<Payment>, i64)> {
        macro_rules! wanted {
            () => {
                payments::table
                    .inner_join(bookings::table.on(bookings::id.eq(payments::booking_id)))
                    .filter(sql::<Bool>(NEED_STAFF))
                    .filter(bookings::status.ne(Status::Deleted.code()))
            };
        }
        let rows: Vec<PaymentRow> = wanted!()
            .order((payments::due_at.desc(), payments::seq.desc()))
            .offset(skip)
            .limit(limit)
            .select(PaymentRow::as_select())
            .load(self.conn)
            .map_err(fault(PAYMENTS))?;
        let total = wanted!().count().get_result(self.conn).map_err(fault(PAYMENTS))?;
        Ok((rows.into_iter().map(PaymentRow::read).collect::<StoreResult<_>>()?, total))
    }

    fn press(&mut self, press: &Press) -> StoreResult<()> {
        let row = (
            payment_presses::payment_id.eq(Id(press.payment_id.0)),
            payment_presses::number.eq(press.number),
            payment_presses::at.eq(Instant(press.at)),
            payment_presses::pressed_by.eq(press.by.map(|by| Id(by.0))),
        );
        diesel::insert_into(payment_presses::table)
            .values(row)
            .on_conflict((payment_presses::payment_id, payment_presses::number))
            .do_nothing()
            .execute(self.conn)
            .map(drop)
            .map_err(fault(TABLE))
    }

    fn pressed(&mut self, payment: PaymentId) -> StoreResult<Vec<i32>> {
        payment_presses::table
            .filter(payment_presses::payment_id.eq(Id(payment.0)))
            .order(payment_presses::number)
            .select(payment_presses::number)
            .load(self.conn)
            .map_err(fault(TABLE))
    }
}
