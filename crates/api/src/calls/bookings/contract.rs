//! Documents of a booking that are drawn when somebody asks: its contract, and its account.

use actix_web::{HttpResponse, http::header, web};
use kernel::BookingId;
use service::{bookings::contract, invoices::desk::Pdf};

use crate::{
    access::Who,
    calls::replies::{Made, Reply, made},
    contract::DeclaredAnswer,
    http::PathId,
    state::State,
};

made! {
    /// A document of a booking.
    BookingFile: DeclaredAnswer::plain(200, "The document.", "application/pdf");
}

/// A file to be kept under its name.
pub(super) fn pdf(made: Pdf) -> Made<BookingFile> {
    let name = format!("attachment; filename=\"{}\"", made.name);
    Made::new(
        HttpResponse::Ok()
            .content_type("application/pdf")
            .insert_header((header::CONTENT_DISPOSITION, name))
            .insert_header((header::CACHE_CONTROL, "no-store"))
            .body(made.bytes),
    )
}

pub(super) async fn get(state: web::Data<State>, who: Who, id: PathId<BookingId>) -> Reply<Made<BookingFile>> {
    Ok(pdf(contract::download(&state.services, &who.0, id.0).await?))
}
