//! The contract of a booking as a file.

use kernel::BookingId;

use super::queries::visible;
use crate::{
    Caller, Error, ServiceResult, Services,
    invoices::{contract, desk::Pdf},
};

/// `GET /c/bookings/{id}/contract`: the booking as it is now.
///
/// # Errors
/// `not_found`, also when it is somebody else's.
pub async fn download(s: &Services, caller: &Caller, id: BookingId) -> ServiceResult<Pdf> {
    let (caller, services, now) = (caller.clone(), s.clone(), s.clock.now());
    let sheets = s
        .store
        .read(move |u| {
            let b = visible(u, &caller, id)?;
            contract::sheets(u, &services, &b, now)
        })
        .await?;
    let drawn = tokio::task::spawn_blocking(move || documents::pdf_of(&sheets)).await;
    let bytes = drawn
        .map_err(|e| Error::Internal(format!("the document was not drawn: {e}")))?
        .map_err(|e| Error::Internal(e.to_string()))?;
    Ok(Pdf { name: format!("{id}-contract.pdf"), bytes })
}
