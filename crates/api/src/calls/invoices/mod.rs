//! Invoices: drafted, issued with the status of their booking, sent, downloaded, taken back.

mod answer;
mod batch;
mod file;
mod lists;
mod record;

use serde_json::json;

use crate::{
    endpoint::{Audit, Example, Relation, Route, SIGNED_IN, STAFF},
    limits::LimitClass,
};

const TAG: &str = "Invoices";

/// Its part of the table; what has a fixed part before `{id}`.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/invoices", STAFF, lists::list)
            .doc("listInvoices", TAG, "Invoices and credit notes, the newest first")
            .example(Example::query(&[("page", "1"), ("per_page", "10"), ("states", "issued,sent")])),
        Route::post("/api/invoices", STAFF, Audit::Action("invoice.draft"), record::draft)
            .doc("draftInvoice", TAG, "Draft the invoice of a booking")
            .about("The booking has passed through completed, or its cancellation keeps money. A draft has no number and follows its booking; the number is drawn when it is issued, which the status `invoiced` does, or sending.")
            .example(Example::json(json!({ "bookingId": "{completed}" }))),
        Route::get("/api/invoices/export", STAFF, lists::export)
            .audited(Audit::Action("invoice.export"))
            .doc("exportInvoices", TAG, "A list of invoices as CSV, at most 10,000 rows")
            .example(Example::query(&[("states", "issued,sent,overdue")])),
        Route::get("/api/partner/{id}/uninvoiced", STAFF, batch::uninvoiced)
            .doc("uninvoicedOfPartner", TAG, "Moves of a partner that were done, are paid by invoice and are on none")
            .example(Example::query(&[("from", "2027-01-01"), ("to", "2027-12-31")])),
        Route::get("/api/partner/{id}/invoices", STAFF, lists::of_partner)
            .doc("invoicesOfPartner", TAG, "Invoices and credit notes of a partner, for one booking or for many, the newest first")
            .example(Example::query(&[("page", "1"), ("per_page", "10")])),
        Route::post("/api/partner/{id}/invoices", STAFF, Audit::Action("invoice.draft"), batch::draft)
            .doc("draftPartnerInvoice", TAG, "Draft one invoice for the moves of a partner")
            .about("Its bookings are on no other invoice until it is thrown away or taken back. Sending, editing, discarding and taking back are the calls of other invoices.")
            .example(Example::json(json!({ "from": "2027-01-01", "to": "2027-12-31" }))),
        Route::get("/api/invoices/batch/{id}", STAFF, batch::get)
            .doc("partnerInvoice", TAG, "The invoice of a partner with its bookings"),
        Route::put("/api/invoices/batch/{id}/bookings", STAFF, Audit::Action("invoice.edit"), batch::set_bookings)
            .doc("setPartnerInvoiceBookings", TAG, "Take bookings off a partner's draft, or add them")
            .example(Example::json(json!({ "bookings": ["{billed}"] }))),
        Route::post("/api/invoices/batch/{id}/issue", STAFF, Audit::Action("invoice.issue"), batch::issue)
            .doc("issuePartnerInvoice", TAG, "Draw the number of a partner's draft and freeze it; its bookings are invoiced"),
        Route::post("/api/invoices/batch/{id}/payments", STAFF, Audit::Action("invoice.receive"), batch::pay)
            .doc("payPartnerInvoice", TAG, "Write down a payment of a partner: it settles the bookings in the order of their moves")
            .about("Once nothing of it is owed, the invoice and its bookings are paid.")
            .example(Example::json(json!({ "method": "cheque", "amount": "10.00", "reference": "000123" }))),
        Route::post("/api/invoices/batch/{id}/download", STAFF, Audit::Looks, batch::download)
            .limited(LimitClass::Guest)
            .doc("downloadPartnerInvoice", TAG, "The invoice of a partner as PDF, marked while it is a draft, or its receipt")
            .example(Example::query(&[("document", "invoice")])),
        Route::post("/api/invoices/send/{id}", STAFF, Audit::Action("invoice.send"), record::send)
            .doc("sendInvoice", TAG, "Send an invoice to its customer, with its PDF; a draft is issued first")
            .about("The id is that of an invoice, or of a booking: its invoice is sent, and drafted first where there is none. Asked for twice within a minute it is sent once. `rate` is what the client knows and changes nothing: taxes are those of the booking.")
            .example(Example::json(json!({ "rate": "0.14975" }))),
        Route::post("/api/invoices/void/{id}", STAFF, Audit::Action("invoice.void"), record::void)
            .doc("voidInvoice", TAG, "Take an invoice back with a credit note; its booking is completed again")
            .about("A paid invoice stays: money that goes back has a credit note of its own.")
            .example(Example::json(json!({ "reason": "Issued to the wrong company" }))),
        Route::post("/api/invoices/download/{id}", SIGNED_IN, Audit::Looks, file::download)
            .relation(Relation::OwnOrStaff)
            .limited(LimitClass::Guest)
            .doc("downloadInvoice", TAG, "The invoice of a booking as PDF, or its receipt or credit note")
            .about("From what was frozen when it was issued: the same bytes each time. Staff get a marked draft while there is none.")
            .example(Example::query(&[("document", "invoice")])),
        Route::get("/api/invoices/{id}", SIGNED_IN, record::get)
            .relation(Relation::OwnOrStaff)
            .doc("invoiceOfBooking", TAG, "The invoice of a booking; a customer sees no draft"),
        Route::put("/api/invoices/{id}", STAFF, Audit::Action("invoice.edit"), record::edit)
            .doc("editInvoice", TAG, "Change what staff write into a draft; amounts change in the booking")
            .example(Example::json(json!({ "buyer": "Déménagements Roy inc.", "reference": "PO-1234", "note": "Merci!" }))),
        Route::delete("/api/invoices/{id}", STAFF, Audit::Action("invoice.discard"), record::discard)
            .doc("discardInvoice", TAG, "Throw a draft away"),
    ]
}
