//! The booking desk: what staff look up and write down about anybody's booking.

mod bulk;
mod consents;
mod credits;
mod disputes;
mod events;
mod export;
mod failed;
mod filters;
mod lists;
mod notes;
pub mod overtime;
mod people;
mod received;
pub mod record;
pub mod rows;
mod trail;
mod views;

use serde_json::json;

use crate::endpoint::{ADMIN, Audit, Example, Route, STAFF};

const TAG: &str = "Back office";

/// Lists; they stand before the paths with `{id}`.
pub fn lists() -> Vec<Route> {
    const FILTERS: &str = r#"{"status":["pending","assigned"],"bookingDateFrom":"2027-02-17","mateCountMin":2}"#;
    vec![
        Route::get("/api/bookings", STAFF, lists::list)
            .doc("listBookings", TAG, "Bookings; from today on when nothing is asked for")
            .about("An unknown filter is 400, a value that cannot be is 422 and named.")
            .example(Example::query(&[("page", "1"), ("per_page", "10")])),
        Route::get("/api/search", STAFF, lists::search)
            .doc("searchBookings", TAG, "Bookings by words, the best match first")
            .example(Example::query(&[("value", "514-555-0101")])),
        Route::get("/api/filter", STAFF, lists::filter)
            .doc("filterBookings", TAG, "Bookings by filters")
            .example(Example::query(&[("filters", FILTERS), ("sort", "-moveAt")])),
        Route::get("/api/searchFiltered", STAFF, lists::search)
            .doc("searchFilteredBookings", TAG, "Bookings by words and filters")
            .example(Example::query(&[("value", "montreal"), ("filters", FILTERS)])),
        Route::get("/api/bookings/export", STAFF, export::bookings)
            .audited(Audit::Action("booking.export"))
            .doc("exportBookings", TAG, "A list as CSV, at most 10,000 rows")
            .example(Example::query(&[("filters", FILTERS)])),
        Route::post("/api/bookings/status", STAFF, Audit::Action("booking.status"), bulk::set_status)
            .doc("setBookingStatuses", TAG, "Give several bookings a status; a result for each")
            .example(Example::json(json!({ "ids": ["{booking}"], "status": "assigned" }))),
        Route::get("/api/views", STAFF, views::list)
            .doc("savedViews", TAG, "Worklists and kept lists, with counts"),
        Route::post("/api/views", STAFF, Audit::Action("view.add"), views::add)
            .doc("saveView", TAG, "Keep a list")
            .example(Example::json(json!({ "name": "My hub", "shared": false, "filters": { "hub": "montreal" }, "sort": "moveAt" }))),
        Route::put("/api/views/{id}", STAFF, Audit::Action("view.update"), views::put)
            .doc("changeView", TAG, "Change a list one keeps")
            .example(Example::json(json!({ "name": "Our hub", "shared": true, "filters": { "hub": "montreal" } }))),
        Route::delete("/api/views/{id}", STAFF, Audit::Action("view.remove"), views::remove)
            .doc("deleteView", TAG, "Keep a list no longer"),
        Route::get("/api/events", STAFF, events::listen)
            .doc("listenToChanges", TAG, "What changes, as it happens: kinds and keys, never data")
            .about("Server-sent events. A change shows within two seconds, whichever server made it. The stream ends with the token."),
    ]
}

/// What belongs to one booking.
pub fn of_bookings() -> Vec<Route> {
    vec![
        Route::get("/api/bookings/{id}", STAFF, record::get).doc("bookingForStaff", TAG, "Any booking"),
        Route::get("/api/bookings/{id}/customer", STAFF, record::customer).doc(
            "bookingCustomer",
            TAG,
            "Whose booking it is, with all their moves and what they owe",
        ),
        Route::get("/api/bookings/{id}/payments", STAFF, record::payments).doc(
            "bookingPayments",
            TAG,
            "Charges and refunds with their attempts, and what comes",
        ),
        Route::post("/api/bookings/{id}/refunds", STAFF, Audit::Action("booking.credit"), credits::give)
            .doc("creditBooking", TAG, "Give money back, or lower what is owed")
            .about("The price stays as it was agreed; what is owed is the price less what was given back, so that nothing is charged again. Money goes back to the card it came from, newest charge first; a whole charge that has not settled is voided.")
            .example(Example::json(json!({ "kind": "goodwill", "amount": "10.00", "reason": "A scratched table" }))),
        Route::post("/api/bookings/{id}/payments", STAFF, Audit::Action("booking.receive"), received::record)
            .doc("receivePayment", TAG, "Write down cash, a transfer or a cheque")
            .about("What is owed falls by it, and nothing goes to the gateway. At most what is owed; a transfer and a cheque need a reference, and one reference counts once on a booking: one transfer that pays several bookings is written down on each with its part.")
            .example(Example::json(json!({ "method": "cash", "amount": "10.00" }))),
        Route::get("/api/bookings/{id}/overtime", STAFF, overtime::preview)
            .doc("previewOvertime", TAG, "What time beyond what was agreed would cost; nothing is changed")
            .example(Example::query(&[("minutes", "45")])),
        Route::post("/api/bookings/{id}/overtime", STAFF, Audit::Action("booking.overtime"), overtime::add)
            .doc("addOvertime", TAG, "Add time beyond what was agreed, which the customer said yes to")
            .about("A line of its own raises price, taxes and total, and is charged by itself. The crew's rate is the one of the card the move was booked with. Where the law bounds by how much a price may grow, more is refused.")
            .example(Example::json(json!({ "minutes": 45, "cause": "elevator", "consent": true, "consentNote": "Ana Roy, on site" }))),
        Route::get("/api/payments/failed", STAFF, failed::list)
            .doc("failedCharges", TAG, "Charges that were declined or given up, the one that was due last first")
            .example(Example::query(&[("page", "1"), ("per_page", "10")])),
        Route::post("/api/payments/{id}/retry", STAFF, Audit::Action("booking.retry_charge"), failed::retry)
            .doc("retryCharge", TAG, "Try a charge that failed once more, now")
            .about("One attempt with the customer's stored card, whose outcome stands at the charge afterwards. Two presses at once are one attempt. A card that was refused for good is not asked again."),
        Route::post("/api/payments/{id}/void", STAFF, Audit::Action("booking.void_charge"), failed::void)
            .doc("voidCharge", TAG, "Undo a charge that has not settled")
            .about("The money goes back as a whole. What it was for is owed still and stands on the list of failed charges: another card, one more attempt or writing it off come next. What is given away is a refund.")
            .example(Example::json(json!({ "reason": "The wrong card" }))),
        Route::post("/api/payments/{id}/write-off", STAFF, Audit::Action("booking.write_off"), failed::write_off)
            .doc("writeOffCharge", TAG, "Ask no more for what will not come")
            .about("Of a move that was done or cancelled. The price stays; the books say that so much was lost. Of a charge that was made it is what went back by another hand (given back at the payment service, or by the bank after a dispute) and is owed still: `writeOff` of a booking's payments.")
            .example(Example::json(json!({ "reason": "The customer cannot be found" }))),
        Route::get("/api/disputes", STAFF, disputes::list)
            .doc("disputes", TAG, "Disputed charges: open ones first, the next deadline first")
            .example(Example::query(&[("page", "1"), ("per_page", "10")])),
        Route::get("/api/disputes/{id}", STAFF, disputes::get).doc("dispute", TAG, "A disputed charge and what answers it"),
        Route::put("/api/disputes/{id}", STAFF, Audit::Action("booking.dispute"), disputes::put)
            .doc("updateDispute", TAG, "Tick the papers that were sent to the bank, and write down what it kept")
            .example(Example::json(json!({ "papers": [{ "paper": "confirmation", "sent": true, "note": "Mailed to the bank" }], "fee": "15.00" }))),
        Route::post("/api/payments/{id}/handed-over", STAFF, Audit::Action("booking.hand_over"), received::handed_over)
            .doc("handOverRefund", TAG, "Say that a refund by hand is with the customer")
            .example(Example::json(json!({ "reference": "CA7F2K" }))),
        Route::post("/api/payments/{id}/paid-back", STAFF, Audit::Action("booking.pay_back"), received::paid_back)
            .doc("payBackRefund", TAG, "Say that a refund which the gateway refused was given back by hand")
            .about("In cash, by a transfer or by a cheque. It leaves the list of failed charges, and nothing of it is tried at the gateway any more.")
            .example(Example::json(json!({ "method": "etransfer", "reference": "CA7F2K" }))),
        Route::post("/api/payments/{id}/undo", STAFF, Audit::Action("booking.undo_payment"), received::undo)
            .doc("undoPayment", TAG, "Take out a payment by hand that was written down by mistake")
            .about("The money is asked for again. What really came and goes back is a refund.")
            .example(Example::json(json!({ "reason": "Written on the wrong booking" }))),
        Route::get("/api/bookings/{id}/messages", STAFF, record::messages).doc(
            "bookingMessages",
            TAG,
            "Messages about a booking as they were sent, oldest first",
        ),
        Route::get("/api/bookings/{id}/version", STAFF, record::version)
            .doc("bookingVersion", TAG, "The booking as it was in one of its versions")
            .example(Example::query(&[("number", "1")])),
        Route::get("/api/bookings/{id}/notes", STAFF, notes::list).doc(
            "bookingNotes",
            TAG,
            "Notes about a booking, the newest first",
        ),
        Route::post("/api/bookings/{id}/notes", STAFF, Audit::Action("booking.note"), notes::add)
            .doc("addBookingNote", TAG, "Write a note for staff, or for the crew")
            .about("The booking itself keeps its version. Customers and partners read no notes.")
            .example(Example::json(json!({ "text": "The elevator is reserved from nine", "visibility": "crew" }))),
    ]
}

/// The team, the trail and what was given up.
pub fn house() -> Vec<Route> {
    let member = json!({ "firstName": "Nadia", "lastName": "Roy", "email": "{unique_email}", "language": "fr" });
    vec![
        Route::get("/api/ops", STAFF, people::list)
            .doc("opsMembers", TAG, "The operations team, by name")
            .example(Example::query(&[("page", "1"), ("per_page", "10")])),
        Route::post("/api/ops", STAFF, Audit::Action("member.add"), people::add)
            .doc("addOpsMember", TAG, "Take somebody into the operations team and invite them by mail")
            .about("The right counts from when they have signed up with that address and verified it. Only an administrator makes another.")
            .example(Example::json(member)),
        Route::put("/api/ops/{id}", ADMIN, Audit::Action("member.update"), people::put)
            .doc("changeOpsMember", TAG, "Change a name or a right; the last administrator stays one")
            .example(Example::json(json!({ "firstName": "Nadia", "lastName": "Roy", "admin": false }))),
        Route::delete("/api/ops/{id}", ADMIN, Audit::Action("member.remove"), people::remove)
            .doc("removeOpsMember", TAG, "Take a right away, at once; the last administrator stays"),
        Route::get("/api/audit", STAFF, trail::list)
            .doc("auditTrail", TAG, "Who changed what, the newest first, before and after")
            .example(Example::query(&[("subject", "booking"), ("from", "2027-02-01")])),
        Route::get("/api/queue", STAFF, trail::failed)
            .doc("failedJobs", TAG, "Work that was given up, and work that is tried again"),
        Route::post("/api/queue/{id}/retry", STAFF, Audit::Action("job.retry"), trail::retry)
            .doc("retryJob", TAG, "Have work that was given up done again"),
        Route::delete("/api/queue/{id}", STAFF, Audit::Action("job.drop"), trail::discard)
            .doc("discardJob", TAG, "Take work that was given up off the list for good"),
    ]
}
