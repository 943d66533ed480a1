//! Bookings: made, looked at, changed, cancelled.

mod customer;
mod draft;
mod ends;
pub mod record;
mod staff;

use service::ErrorCode as E;

use crate::{
    doc::Doc,
    endpoint::Route,
    endpoint::{CUSTOMERS, STAFF},
    limits::LimitClass,
};

const TAG: &str = "Bookings";
const STAFF_TAG: &str = "Back office";

/// What booking, and re-checking an edit, may refuse with.
const RULES: &[E] = &[
    E::AddressIncomplete,
    E::AreaUnserved,
    E::ProvinceNotServed,
    E::NoRoute,
    E::SlotGone,
    E::DatePast,
    E::DateClosed,
    E::TooSoon,
    E::TooFarAhead,
    E::NotASlot,
    E::TooLong,
    E::HeavyItemSingleMate,
    E::MinMates,
    E::ContactSupport,
    E::DiscountInvalid,
    E::GuidelinesNotAgreed,
    E::SurveySpecify,
    E::CardRequired,
    E::TooManyDeclinedCards,
    E::PaymentDeclined,
    E::PaymentUnavailable,
    E::MapsUnavailable,
    E::NoRate,
    E::PriceChanged,
    E::BookingFailed,
    E::RequestInFlight,
];

/// Its part of the table; `previous` and `status` before `{id}`.
pub fn routes() -> Vec<Route> {
    vec![
        Route::post("/api/bookings", CUSTOMERS, customer::create).relation("own").limited(LimitClass::Payment).doc(
            Doc::new("createBooking", TAG, "Book a move")
                .about("A move within 48 hours is paid in full with it: a declined card books nothing (402). With `expectedTotal` another price is refused instead of booked.")
                .body::<draft::CreateRequest>()
                .idempotent()
                .answers::<record::BookingRecord>(201, "The booking, with its payment plan.")
                .refuses(RULES)
                .refuses(&[E::TipInvalid, E::EmailUnverified]),
        ),
        Route::post("/api/book", CUSTOMERS, customer::book).relation("own").limited(LimitClass::Payment).doc(
            Doc::new("book", TAG, "Book a move without a tip")
                .body::<draft::BookingDraft>()
                .idempotent()
                .answers::<record::BookingRecord>(201, "The booking, with its payment plan.")
                .refuses(RULES)
                .refuses(&[E::EmailUnverified]),
        ),
        Route::get("/api/bookings/previous", CUSTOMERS, customer::previous).relation("own").doc(
            Doc::new("previousBookings", TAG, "One's own bookings, newest move first")
                .paged(5)
                .answers::<customer::BookingPage>(200, "A page of bookings."),
        ),
        Route::get("/api/c/bookings/{id}", CUSTOMERS, customer::detail).relation("own; staff any").doc(
            Doc::new("bookingDetail", TAG, "A booking").answers::<record::BookingRecord>(200, "The booking."),
        ),
        Route::put("/api/c/bookings/{id}", CUSTOMERS, customer::change).relation("own; staff any").limited(LimitClass::Payment).doc(
            Doc::new("editBooking", TAG, "Change a booking")
                .about("Only what changes. Close to the move the difference is charged with it; a declined card changes nothing.")
                .body::<draft::BookingDraft>()
                .if_match(false)
                .answers::<record::BookingRecord>(200, "The changed booking.")
                .refuses(RULES)
                .refuses(&[E::EditClosed, E::DiscountLocked, E::Forbidden]),
        ),
        Route::post("/api/c/bookings/{id}/preview", CUSTOMERS, customer::preview).relation("own; staff any").limited(LimitClass::Guest).doc(
            Doc::new("previewEdit", TAG, "What a change would cost; nothing is changed")
                .body::<draft::BookingDraft>()
                .answers::<customer::EditPreviewAnswer>(200, "The cost.")
                .refuses(RULES)
                .refuses(&[E::EditClosed, E::DiscountLocked, E::Forbidden]),
        ),
        Route::get("/api/c/bookings/{id}/cancellation", CUSTOMERS, customer::cancellation).relation("own; staff any").limited(LimitClass::Guest).doc(
            Doc::new("previewCancellation", TAG, "What cancelling now would keep; nothing is changed")
                .answers::<customer::CancellationAnswer>(200, "The consequence.")
                .refuses(&[E::CancelRefused]),
        ),
        Route::put("/api/c/bookings/cancel/{id}", CUSTOMERS, customer::cancel_booking).relation("own; staff any").limited(LimitClass::Payment).doc(
            Doc::new("cancelBooking", TAG, "Cancel a booking")
                .answers::<record::BookingRecord>(200, "The cancelled booking, with what was kept and returned.")
                .refuses(&[E::CancelRefused, E::PaymentUnavailable, E::RequestInFlight]),
        ),
        Route::put("/api/bookings/status/{id}", STAFF, staff::set_status).doc(
            Doc::new("setBookingStatus", STAFF_TAG, "Move a booking along the status table")
                .about("`assigned` puts mates who are free for the whole time on the booking, as many as it pays for or as are free; with nobody free it is refused (`crew_missing`) and nothing changes. Leaving `assigned` frees them; a completed move keeps its crew.")
                .body::<staff::StatusRequest>()
                .answers::<record::BookingRecord>(200, "The booking.")
                .refuses(&[E::TransitionRefused, E::CrewMissing, E::PaymentUnavailable, E::SlotGone, E::RequestInFlight]),
        ),
        Route::get("/api/bookings/{id}", STAFF, staff::detail).doc(
            Doc::new("bookingForStaff", STAFF_TAG, "Any booking").answers::<record::BookingRecord>(200, "The booking."),
        ),
        Route::put("/api/bookings/{id}", STAFF, staff::change).doc(
            Doc::new("editBookingAsStaff", STAFF_TAG, "Change any booking")
                .body::<draft::StaffEditRequest>()
                .if_match(true)
                .answers::<record::BookingRecord>(200, "The changed booking.")
                .refuses(RULES)
                .refuses(&[E::EditClosed, E::DiscountLocked]),
        ),
        Route::delete("/api/bookings/{id}", STAFF, staff::remove).doc(
            Doc::new("deleteBooking", STAFF_TAG, "Give a booking the status `deleted`; nothing is erased from money or audit")
                .answers::<record::BookingRecord>(200, "The booking.")
                .refuses(&[E::TransitionRefused]),
        ),
        Route::get("/api/bookings/{id}/history", STAFF, staff::history).doc(
            Doc::new("bookingHistory", STAFF_TAG, "Status changes, edits, charges and messages: who, when, what")
                .answers::<staff::HistoryAnswer>(200, "Oldest first."),
        ),
        Route::get("/api/bookings/{id}/ledger", STAFF, staff::ledger).doc(
            Doc::new("bookingLedger", STAFF_TAG, "The double entries of a booking")
                .answers::<staff::LedgerAnswer>(200, "Oldest first; each sums to zero."),
        ),
    ]
}
