//! Tells operations that less is to be handed back than somebody was told ([`super::set_off`]).

use kernel::PaymentId;

use crate::{
    Actor, Error, ServiceResult, Services,
    mailing::alerts::{self, About, Alert},
};

/// The job: of one row that says how much less. Told once, however often it runs.
///
/// # Errors
/// When the database fails.
pub async fn tell(s: &Services, payment: PaymentId) -> ServiceResult<()> {
    s.write(Actor::system(), move |tx| {
        let Some(row) = tx.unit.payments().get(payment)?.filter(|row| row.is_set_off()) else { return Ok(()) };
        let Some(b) = tx.unit.bookings().get(row.booking_id)? else { return Ok(()) };
        let alert = Alert {
            key: format!("set-off:{}", row.id),
            kind: "alert.handBackLess",
            about: Some(About::Amount(row.amount)),
            everybody: true,
            when: None,
            page: &format!("bookings/{}", b.id),
        };
        alerts::tell(tx, &b, &alert)?;
        Ok::<_, Error>(())
    })
    .await
}
