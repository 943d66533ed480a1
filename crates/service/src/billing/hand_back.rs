//! Tells operations that money which came by hand is to be handed back, where none of them decided that, and that less is to be
//! handed back than somebody was told ([`super::set_off`]).

use kernel::PaymentId;

use crate::{
    Actor, Error, ServiceResult, Services,
    mailing::alerts::{self, Alert, AlertSubject},
    ports::payments::Payment,
};

/// The job: of a refund that waits to be handed over, or of a row that says how much less. Told once, however often it runs.
///
/// # Errors
/// When the database fails.
pub async fn tell(s: &Services, payment: PaymentId) -> ServiceResult<()> {
    s.write(Actor::system(), move |tx| {
        let Some(row) = tx.unit.payments().get(payment)? else { return Ok(()) };
        let (about, kind, amount) = if row.is_set_off() {
            ("set-off", "alert.handBackLess", row.amount)
        } else {
            // What was decided together is told together, by the first of them.
            let rows = tx.unit.payments().of_booking(row.booking_id)?;
            let same = |r: &&Payment| r.waits_for_a_hand() && r.created_at == row.created_at;
            let together: Vec<&Payment> = rows.iter().filter(same).collect();
            if together.iter().map(|r| r.id).min() != Some(row.id) {
                return Ok(());
            }
            ("hand-back", "alert.handBack", together.iter().map(|r| r.amount).sum())
        };
        let Some(b) = tx.unit.bookings().get(row.booking_id)? else { return Ok(()) };
        let record = format!("bookings/{}", b.id);
        let alert = Alert {
            key: format!("{about}:{}", row.id),
            kind,
            about: Some(AlertSubject::Amount(amount)),
            everybody: true,
            when: None,
            // A smaller sum is looked at in the record of its booking; a refund is reported as handed over from the list.
            page: if row.is_set_off() { &record } else { "failed-charges" },
        };
        alerts::tell(tx, &b, &alert)?;
        Ok::<_, Error>(())
    })
    .await
}
