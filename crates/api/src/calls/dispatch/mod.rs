//! Dispatch: the board, crews by name, and who would be good.

mod auto;
mod board;
mod crew;
mod crew_notes;
mod jobs;
mod sheet;

use serde_json::json;

use service::Role;

use crate::{
    calls::photos::EXAMPLE,
    endpoint::{Access, Audit, Example, Relation, Route, STAFF},
    http::sizes,
    limits::LimitClass,
};

const TAG: &str = "Dispatch";
/// Everybody who may be on a crew: one person can be mate and staff.
const CREWS: Access = Access::Roles(&[Role::Mate, Role::Ops, Role::Admin]);

/// A call by which a mate reports on a job.
fn job_call(r: Route, id: &'static str, title: &'static str, about: &'static str) -> Route {
    r.relation(Relation::OnCrew).doc(id, TAG, title).about(about).example(Example::json(json!({})))
}

/// The calls for a crew's notes, photos and hours.
fn crew_record_routes() -> Vec<Route> {
    vec![
        Route::get("/api/bookings/{id}/crew/report", STAFF, crew_notes::report)
            .doc("crewReport", TAG, "Hours of the crew beside those planned, and its photos")
            .about("What the crew wrote is among the notes of the booking."),
        Route::get("/api/jobs/{id}/notes", CREWS, crew_notes::notes)
            .relation(Relation::OnCrew)
            .doc("jobNotes", TAG, "What the crew of a job wrote"),
        Route::post("/api/jobs/{id}/notes", CREWS, Audit::Action("booking.note"), crew_notes::add_note)
            .relation(Relation::OnCrew)
            .doc("addJobNote", TAG, "Write a note on a job")
            .about(
                "The crew and staff read it, the customer does not. With the instant it was written, where it is told later; the \
                 same text of the same instant is written once, with or without a key.",
            )
            .example(Example::json(json!({ "text": "The elevator is out of order, we take the stairs" }))),
        Route::get("/api/jobs/{id}/photos", CREWS, crew_notes::photos)
            .relation(Relation::OnCrew)
            .doc("jobPhotos", TAG, "The photos of the crew of a job"),
        Route::post("/api/jobs/{id}/photos", CREWS, Audit::Action("photo.create"), crew_notes::add_photo)
            .relation(Relation::OnCrew)
            .limited(LimitClass::Upload)
            .takes(sizes::FILE_FORM)
            .doc("addJobPhoto", TAG, "Add a photo of before or after the work")
            .about(
                "The crew and staff see it, the customer does not. JPEG, PNG or WebP, at most 12 MB and 25 megapixels, kept as \
                 `addPhoto` keeps them; at most 40 a job. The same file for the same stage is kept once, with or without a key.",
            )
            .example(Example::file("photo", "before.png", EXAMPLE)),
    ]
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    let mut all = vec![
        Route::get("/api/dispatch", STAFF, board::get)
            .doc("dispatchBoard", TAG, "Jobs of some days, who is on them, and what is wrong")
            .example(Example::query(&[("hub", "montreal"), ("from", "2027-03-01"), ("to", "2027-03-07")])),
        Route::get("/api/dispatch/sheet", STAFF, sheet::get)
            .doc("daySheet", TAG, "A day as its crews take it along on paper: no price, no e-mail address")
            .example(Example::query(&[("hub", "montreal"), ("date", "2027-03-01")])),
        Route::post("/api/dispatch/auto", STAFF, Audit::Action("dispatch.auto"), auto::post)
            .doc("assignDay", TAG, "Plan who goes where on a day, and assign it")
            .about(
                "Only jobs that lack people or a truck and have not begun are planned; who is on a job stays. A job gets all it \
                 lacks or nothing: as many free mates as it pays for, one who can do what is heavy where somebody of the house \
                 can, a free truck of its size or larger; between two jobs lies the real way, at least 15 minutes. As many jobs \
                 as possible are planned, with as little driving as possible. Without `apply` nothing is changed. With it each \
                 job is assigned as by `nameCrew`; one that somebody changed meanwhile stays as it is, and says why. With a \
                 `version`, another plan than that one is refused (`plan_changed`).",
            )
            .example(Example::json(json!({ "hub": "montreal", "date": "2027-03-01", "apply": true }))),
        Route::put("/api/bookings/{id}/crew", STAFF, Audit::Action("booking.crew"), crew::put)
            .doc("nameCrew", TAG, "Name who goes, and with which truck")
            .about(
                "All of the crew, in place of who is on it; a pending booking is assigned with it. Fewer mates than the booking \
                 pays for is a warning, more is refused. Who has another job then, or is away, is refused by name. Between two jobs \
                 lies the real way, at least 15 minutes. The mates who come, those who do not any more, and the customer are told.",
            )
            .example(Example::json(json!({ "mates": ["{mate}"] }))),
        Route::get("/api/bookings/{id}/crew/suggestions", STAFF, crew::suggestions)
            .doc("suggestCrew", TAG, "Who would be good on a booking, and why; the best first"),
        Route::get("/api/jobs", CREWS, jobs::list)
            .relation(Relation::OnCrew)
            .doc("myJobs", TAG, "The jobs one is on, by their start"),
        Route::get("/api/jobs/{id}", CREWS, jobs::one)
            .relation(Relation::OnCrew)
            .doc("myJob", TAG, "A job one is on: addresses, ways, items, crew and notes; no price, no e-mail address"),
        job_call(
            Route::post("/api/jobs/{id}/accept", CREWS, Audit::Action("crew.accept"), jobs::accept),
            "acceptJob",
            "Say that one comes",
            "The same said twice is said once.",
        ),
        job_call(
            Route::post("/api/jobs/{id}/decline", CREWS, Audit::Action("crew.decline"), jobs::decline),
            "declineJob",
            "Say that one does not come",
            "One leaves the crew, and staff are told. A booking that has nobody else waits for a crew again. Who said so before may \
             say so again.",
        ),
        job_call(
            Route::post("/api/jobs/{id}/start", CREWS, Audit::Action("crew.start"), jobs::start),
            "startJob",
            "Say that one begins",
            "With the instant of the act, where it is told later.",
        ),
        job_call(
            Route::post("/api/jobs/{id}/finish", CREWS, Audit::Action("crew.finish"), jobs::finish),
            "finishJob",
            "Say that one is done",
            "With the instant of the act, where it is told later. The first of the crew who is done has the move done; the others \
             write down their own hours. Refused (`job_order`) by who did not begin.",
        ),
    ];
    all.extend(crew_record_routes());
    all
}
