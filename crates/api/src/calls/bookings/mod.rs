//! Bookings: made, looked at, changed, cancelled.

mod contract;
mod customer;
pub mod draft;
pub(in crate::calls) mod ends;
mod order;
pub mod parts;
pub mod record;
mod rooms;
pub mod staff;
pub mod statement;
mod tip_request;

use serde_json::json;

use super::examples;
use crate::{
    endpoint::{Audit, Example, Relation, Route, SIGNED_IN, STAFF},
    limits::LimitClass,
};

const TAG: &str = "Bookings";
const STAFF_TAG: &str = "Back office";

/// Its part of the table; `previous` and `status` before `{id}`.
pub fn routes() -> Vec<Route> {
    customers().into_iter().chain(staffs()).collect()
}

fn customers() -> Vec<Route> {
    let own = |r: Route, class| r.relation(Relation::Own).limited(class);
    let theirs = |r: Route, class| r.relation(Relation::OwnOrStaff).limited(class);
    let wrapped = json!({ "bookingRequest": examples::draft("2027-02-24"), "tipRequest": { "value": "20,50" } });
    vec![
        own(Route::post("/api/bookings", SIGNED_IN, Audit::Action("booking.create"), customer::create), LimitClass::Payment)
            .doc("createBooking", TAG, "Book a move")
            .about("A move within the last hours of the policy (`policy.lockWindow`) is paid in full with it: a declined card books nothing (402). With `expectedTotal` another price is refused instead of booked.")
            .example(Example::json(wrapped)),
        own(Route::post("/api/book", SIGNED_IN, Audit::Action("booking.create"), customer::book), LimitClass::Payment)
            .doc("book", TAG, "Book a move without a tip")
            .example(Example::json(examples::draft("2027-02-25"))),
        Route::get("/api/bookings/previous", SIGNED_IN, customer::previous)
            .relation(Relation::Own)
            .doc("previousBookings", TAG, "One's own bookings, newest move first")
            .example(Example::query(&[("page", "1"), ("per_page", "5")])),
        Route::get("/api/c/bookings/{id}", SIGNED_IN, customer::detail)
            .relation(Relation::OwnOrStaff)
            .doc("bookingDetail", TAG, "A booking"),
        Route::get("/api/c/bookings/{id}/statement", SIGNED_IN, statement::get)
            .relation(Relation::OwnOrStaff)
            .doc("statement", TAG, "The account of a booking: what was agreed, changed, charged and given back, and what that left to pay"),
        Route::get("/api/c/bookings/{id}/statement/file", SIGNED_IN, statement::file)
            .relation(Relation::OwnOrStaff)
            .limited(LimitClass::Guest)
            .doc("statementFile", TAG, "The same as PDF, in the language of the caller"),
        Route::get("/api/c/bookings/{id}/contract", SIGNED_IN, contract::get)
            .relation(Relation::OwnOrStaff)
            .limited(LimitClass::Guest)
            .doc("contract", TAG, "The contract of a booking as PDF, as the booking is now")
            .about("What is promised, price lines, what is charged when and what a cancellation keeps, and who comes. For a move that begins in Québec the French one comes first, the customer's language after it."),
        theirs(Route::put("/api/c/bookings/{id}", SIGNED_IN, Audit::Action("booking.edit"), customer::change), LimitClass::Payment)
            .doc("editBooking", TAG, "Change a booking")
            .about("Only what changes, a new tip with it; what is as it was leaves the version, and nobody is told. Close to the move the difference is charged with it; a declined card changes nothing.")
            .example(Example::json(json!({ "comments": "The bell says Roy" }))),
        theirs(Route::post("/api/c/bookings/{id}/preview", SIGNED_IN, Audit::Looks, customer::preview), LimitClass::Guest)
            .doc("previewEdit", TAG, "What a change would cost; nothing is changed")
            .example(Example::json(json!({ "mateCount": 3 }))),
        theirs(Route::get("/api/c/bookings/{id}/cancellation", SIGNED_IN, customer::cancellation), LimitClass::Guest)
            .doc("previewCancellation", TAG, "What cancelling now would keep; nothing is changed"),
        theirs(Route::put("/api/c/bookings/cancel/{id}", SIGNED_IN, Audit::Action("booking.cancel"), customer::cancel_booking), LimitClass::Payment)
            .doc("cancelBooking", TAG, "Cancel a booking"),
    ]
}

fn staffs() -> Vec<Route> {
    vec![
        Route::put("/api/bookings/status/{id}", STAFF, Audit::Action("booking.status"), staff::set_status)
            .doc("setBookingStatus", STAFF_TAG, "Move a booking along the status table")
            .about("`assigned` puts mates who are free for the whole time on the booking, as many as it pays for or as are free; with nobody free it is refused (`crew_missing`) and nothing changes. Leaving `assigned` frees them; a completed move keeps its crew. With `If-Match` only the version that was read is moved along.")
            .example(Example::json(json!({ "status": "assigned" }))),
        Route::put("/api/bookings/{id}", STAFF, Audit::Action("booking.edit"), staff::change)
            .doc("editBookingAsStaff", STAFF_TAG, "Change any booking")
            .example(Example::json(json!({ "notes": "A piano, on the second floor" }))),
        Route::post("/api/bookings/{id}/preview", STAFF, Audit::Looks, staff::preview)
            .doc("previewEditAsStaff", STAFF_TAG, "What a change of any booking would cost; nothing is changed")
            .about("Takes what the change takes.")
            .example(Example::json(json!({ "booking": { "mateCount": 3 }, "customersWish": true }))),
        Route::get("/api/bookings/{id}/cancellation", STAFF, staff::cancellation)
            .doc("previewCancellationAsStaff", STAFF_TAG, "What cancelling any booking now would keep; nothing is changed")
            .example(Example::query(&[("fault", "customer"), ("waive", "false")])),
        Route::post("/api/bookings/{id}/confirmation", STAFF, Audit::Action("booking.confirmation"), staff::confirm)
            .doc("sendConfirmationAgain", STAFF_TAG, "Send the confirmation of a booking again")
            .about("Asked for twice within a minute it is sent once."),
        Route::delete("/api/bookings/{id}", STAFF, Audit::Action("booking.status"), staff::remove).doc(
            "deleteBooking",
            STAFF_TAG,
            "Give a booking the status `deleted`; nothing is erased from money or audit",
        ),
        Route::get("/api/bookings/{id}/history", STAFF, staff::history).doc(
            "bookingHistory",
            STAFF_TAG,
            "Status changes, edits, charges and messages, oldest first: who, when, what",
        ),
        Route::get("/api/bookings/{id}/statement", STAFF, statement::get).doc(
            "statementForStaff",
            STAFF_TAG,
            "The account of a booking as its customer reads it",
        ),
        Route::get("/api/bookings/{id}/ledger", STAFF, staff::ledger).doc(
            "bookingLedger",
            STAFF_TAG,
            "The double entries of a booking, oldest first; each sums to zero",
        ),
    ]
}
