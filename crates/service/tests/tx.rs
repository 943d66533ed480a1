//! The unit of work: who acts is written down, and what was enqueued wakes the worker after its commit.

use std::{fs, path::Path, time::Duration};

use crate::support::World;
use kernel::{BookingId, Language, UserId};
use service::{
    Actor, Caller, Error, ErrorCode, Role,
    idempotency::{Guard, Replayable, Request, once},
    work::Work,
};

fn monday() -> kernel::chrono::DateTime<kernel::chrono::Utc> {
    "2027-02-08T14:00:00Z".parse().unwrap()
}

/// Whether the bell was rung since it was listened to last.
async fn rung(w: &World) -> bool {
    tokio::time::timeout(Duration::from_millis(1), w.s.bell.rung(None)).await.is_ok()
}

#[tokio::test]
async fn the_bell_is_rung_after_a_commit_that_enqueued_something_and_only_then() {
    let w = World::new(monday()).await;
    rung(&w).await;
    w.s.write(Actor::system(), |tx| Ok::<_, Error>(tx.enqueue(&Work::Compare {})?)).await.unwrap();
    assert!(rung(&w).await);
    w.s.write(Actor::system(), |tx| Ok::<_, Error>(tx.withdraw(&Work::Compare {})?)).await.unwrap();
    assert!(!rung(&w).await, "nothing was enqueued");
    let refused: Result<(), Error> =
        w.s.write(Actor::system(), |tx| {
            tx.enqueue(&Work::Compare {})?;
            Err(ErrorCode::Busy.into())
        })
        .await;
    assert!(refused.is_err());
    assert!(!rung(&w).await, "it was rolled back");
}

#[tokio::test]
async fn what_is_given_up_and_tried_again_wakes_the_worker() {
    let w = World::new(monday()).await;
    let unknown = kernel::JobId(kernel::uuid::Uuid::nil());
    rung(&w).await;
    assert!(!w.s.write(Actor::system(), move |tx| Ok::<_, Error>(tx.revive(unknown)?)).await.unwrap());
    assert!(!rung(&w).await);
}

#[tokio::test]
async fn the_audit_trail_names_the_actor_and_the_kind_of_the_subject() {
    let w = World::new(monday()).await;
    let (user, booking) = (UserId(kernel::uuid::Uuid::from_u128(7)), BookingId(kernel::uuid::Uuid::from_u128(8)));
    let staff =
        Caller { role: Role::Ops, user: Some(user), request_id: Some("r-1".into()), ..Caller::guest(Language::En) };
    for actor in [staff.actor(), Actor::system(), Caller::guest(Language::En).actor()] {
        w.s.write(actor, move |tx| Ok::<_, Error>(tx.audit("booking.look", booking, None, None)?)).await.unwrap();
    }
    let rows = w.read(move |u| u.audits().of_subject("booking", &booking.to_string())).await;
    let told: Vec<_> =
        rows.iter().map(|r| (r.actor, service::ports::acted::code(r.role), r.request_id.as_deref())).collect();
    assert_eq!(told, [(Some(user), "ops", Some("r-1")), (None, "system", None), (None, "guest", None)]);
}

fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.path() {
            path if path.is_dir() => sources(&path, found),
            path if path.extension().is_some_and(|e| e == "rs") => {
                found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
            }
            _ => {}
        }
    }
}

/// A second way to write would have to remember the bell.
#[test]
fn there_is_one_way_to_write() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    sources(&crates.join("service/src"), &mut found);
    sources(&crates.join("api/src"), &mut found);
    sources(&crates.join("simulators/src"), &mut found);
    assert!(found.len() > 100);
    for (path, text) in found.iter().filter(|(path, _)| !path.ends_with("service/src/tx.rs")) {
        let squeezed: String = text.split_whitespace().collect();
        for other in ["store.write(", "store.write_of(", "jobs().enqueue(", "s.bell.ring(", "audits().append("] {
            assert!(!squeezed.contains(other), "{path} says {other}: write through `Services::write`");
        }
    }
}

/// Found by the simulation (seed 466): of two presses at once one ended a day later, and both booked.
#[tokio::test]
async fn a_key_is_judged_by_the_instant_its_request_was_taken_in_hand() {
    let w = World::new(monday()).await;
    let press = |asked_at, value: i32| {
        let guard = Guard {
            request: Request { scope: "c".into(), key: "k".into(), body_hash: "h".into() },
            render: Box::new(|value: &i32| (201, serde_json::json!(value))),
        };
        w.s.write(Actor::system(), move |tx| once(tx, Some(guard), asked_at, |_| Ok(value)))
    };
    assert!(matches!(press(monday(), 1).await.unwrap(), Replayable::Fresh(1)));
    let later = monday() + kernel::chrono::Duration::hours(25);
    w.clock.set(later);
    assert!(matches!(press(monday(), 2).await.unwrap(), Replayable::Replayed { status: 201, .. }), "the first answer");
    assert!(matches!(press(later, 3).await.unwrap(), Replayable::Fresh(3)), "forgotten after a day");
}
