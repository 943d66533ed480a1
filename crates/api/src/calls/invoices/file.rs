//! The documents of a booking.

use actix_web::{HttpResponse, http::header, web};
use serde::Deserialize;
use service::{
    invoices::{desk, sheet::Document},
    ports::invoices::InvoiceId,
};
use utoipa::ToSchema;

use super::record::InvoicedBooking;
use crate::{
    access::Who,
    calls::{
        replies::{Made, Reply, made},
        values::blank,
    },
    contract::{DeclaredAnswer, refusals},
    http::{PathId, ValidQuery},
    state::State,
};

refusals! {
    /// Why there is no document.
    DownloadRefusal { Rule: InvoiceNeedsCompleted }
}

made! {
    /// A document.
    InvoiceFile: DeclaredAnswer::plain(200, "The document.", "application/pdf");
}

/// Which document of an invoice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum InvoiceDocumentKind {
    /// As it was issued; a credit note is its own.
    #[default]
    Invoice,
    /// With everything that was paid, once nothing is due.
    Receipt,
}

/// Which document.
#[derive(Debug, Deserialize, ToSchema)]
pub(super) struct DownloadQuery {
    /// Which.
    #[serde(default)]
    document: InvoiceDocumentKind,
    /// Of this invoice or credit note of the booking; none: of the one that counts now.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<String>, format = Uuid, max_length = 36)]
    invoice: Option<InvoiceId>,
}

pub(super) async fn download(
    state: web::Data<State>,
    who: Who,
    id: PathId<InvoicedBooking>,
    query: ValidQuery<DownloadQuery>,
) -> Reply<Made<InvoiceFile>, DownloadRefusal> {
    let document = match query.value.document {
        InvoiceDocumentKind::Invoice => Document::Invoice,
        InvoiceDocumentKind::Receipt => Document::Receipt,
    };
    let made = desk::download(&state.services, &who.0, id.0.0, query.value.invoice, document).await?;
    Ok(pdf(made))
}

/// A private download: no cache between server and browser may store it.
pub(super) fn pdf(made: desk::Pdf) -> Made<InvoiceFile> {
    let name = format!("attachment; filename=\"{}\"", made.name);
    Made::new(
        HttpResponse::Ok()
            .content_type("application/pdf")
            .insert_header((header::CONTENT_DISPOSITION, name))
            .insert_header((header::CACHE_CONTROL, "no-store"))
            .body(made.bytes),
    )
}
