//! Photos and notes of crews: kept once, of a mate and a booking, and photos erased in time.

use kernel::{BookingId, MateId, NoteId};
use service::ports::{
    StoreError,
    bookings::Booking,
    crew_photos::{CrewPhoto, PhotoStage},
    crews::CrewMate,
    notes::{Note, Visibility},
    photos::PhotoId,
};
use store::testing::TestDb;

use crate::fixtures::*;

on_both_engines!(
    a_photo_of_a_crew_is_kept_as_it_came,
    the_same_file_is_kept_once,
    what_is_no_photo_of_a_crew_is_refused,
    photos_of_crews_are_erased_some_at_a_time,
    a_note_of_a_mate_says_so,
);

fn mate() -> MateId {
    MateId(kernel::uuid::Uuid::from_u128(0xae01))
}

async fn with_mate(db: &TestDb) -> Booking {
    let made = booked(db).await;
    let id = made.id;
    let on_it = CrewMate { mate: mate(), name: "Zoé".to_owned(), since: t0() };
    write(db, move |u| u.crews().put(id, &on_it, &[])).await;
    made
}

fn photo(booking: BookingId, stage: PhotoStage, minutes: i64, digest: char) -> CrewPhoto {
    CrewPhoto {
        id: PhotoId(uuid()),
        booking_id: booking,
        mate: mate(),
        stage,
        taken_at: at(minutes),
        added_at: at(minutes + 60),
        digest: digest.to_string().repeat(64),
        width: 2048,
        height: 1,
        bytes: 3,
    }
}

async fn a_photo_of_a_crew_is_kept_as_it_came(db: TestDb) {
    let (booking, other) = (with_mate(&db).await.id, with_mate(&db).await.id);
    let (late, early) = (photo(booking, PhotoStage::After, 9, 'a'), photo(booking, PhotoStage::Before, 1, 'b'));
    let both = (late.clone(), early.clone());
    write(&db, move |u| {
        u.crew_photos().insert(&both.0, &[0, 1, 255])?;
        u.crew_photos().insert(&both.1, &[3, 2, 1])
    })
    .await;
    let id = late.id;
    assert_eq!(read(&db, move |u| u.crew_photos().of_booking(booking)).await, [early, late.clone()], "as taken");
    assert_eq!(read(&db, move |u| u.crew_photos().of_booking(other)).await, []);
    assert_eq!(read(&db, move |u| u.photos().of_booking(booking)).await, [], "they are no photos of the customer");
    assert_eq!(read(&db, move |u| u.photos().get(id)).await, None);
    assert_eq!(read(&db, move |u| u.crew_photos().get(id)).await, Some(late));
    assert_eq!(read(&db, move |u| u.crew_photos().file(id)).await, Some(vec![0, 1, 255]));
    assert!(write(&db, move |u| u.crew_photos().delete(id)).await);
    assert!(!write(&db, move |u| u.crew_photos().delete(id)).await, "once");
    assert_eq!(read(&db, move |u| u.crew_photos().file(id)).await, None);
}

async fn the_same_file_is_kept_once(db: TestDb) {
    let (booking, other) = (with_mate(&db).await.id, with_mate(&db).await.id);
    let first = photo(booking, PhotoStage::Before, 1, 'a');
    write(&db, move |u| u.crew_photos().insert(&first, &[1, 2, 3])).await;
    let again = photo(booking, PhotoStage::Before, 5, 'a');
    let told = try_write(&db, move |u| u.crew_photos().insert(&again, &[1, 2, 3])).await;
    assert!(matches!(told, Err(StoreError::Duplicate(_))), "{told:?}");
    for another in [photo(booking, PhotoStage::After, 5, 'a'), photo(other, PhotoStage::Before, 5, 'a')] {
        write(&db, move |u| u.crew_photos().insert(&another, &[1, 2, 3])).await;
    }
}

async fn what_is_no_photo_of_a_crew_is_refused(db: TestDb) {
    let sane = photo(with_mate(&db).await.id, PhotoStage::Before, 0, 'a');
    for (wrong, file) in [
        (CrewPhoto { bytes: 4, ..sane.clone() }, vec![1, 2, 3]),
        (CrewPhoto { bytes: 0, ..sane.clone() }, vec![]),
        (CrewPhoto { width: 0, ..sane.clone() }, vec![1, 2, 3]),
        (CrewPhoto { height: 2049, ..sane.clone() }, vec![1, 2, 3]),
        (CrewPhoto { digest: "ab".to_owned(), ..sane.clone() }, vec![1, 2, 3]),
    ] {
        let told = try_write(&db, move |u| u.crew_photos().insert(&wrong, &file)).await;
        assert!(matches!(told, Err(StoreError::Refused(_))), "{told:?}");
    }
    for wrong in [
        CrewPhoto { booking_id: BookingId(uuid()), ..sane.clone() },
        CrewPhoto { mate: MateId(uuid()), ..sane.clone() },
    ] {
        let told = try_write(&db, move |u| u.crew_photos().insert(&wrong, &[1, 2, 3])).await;
        assert!(told.is_err());
    }
}

async fn photos_of_crews_are_erased_some_at_a_time(db: TestDb) {
    let (over, to_come) = (with_mate(&db).await, with_mate(&db).await);
    let (a, b) = (over.clone(), to_come.clone());
    write(&db, move |u| {
        u.bookings().update(&Booking { move_at: at(0), ..a.clone() }, 1)?;
        for (n, digest) in ['a', 'b', 'c'].into_iter().enumerate() {
            let minutes = i64::try_from(n).unwrap();
            u.crew_photos().insert(&photo(a.id, PhotoStage::After, minutes, digest), &[1, 2, 3])?;
        }
        u.crew_photos().insert(&photo(b.id, PhotoStage::After, 0, 'a'), &[1, 2, 3])
    })
    .await;
    let mut erased = Vec::new();
    for before in [0, 1, 1, 1] {
        erased.push(write(&db, move |u| u.crew_photos().purge(at(before), 2)).await);
    }
    assert_eq!(erased, [0, 2, 1, 0]);
    let left = read(&db, move |u| {
        Ok((u.crew_photos().of_booking(over.id)?.len(), u.crew_photos().of_booking(to_come.id)?.len()))
    });
    assert_eq!(left.await, (0, 1));
}

async fn a_note_of_a_mate_says_so(db: TestDb) {
    let id = with_mate(&db).await.id;
    let note = |mate| Note {
        id: NoteId(uuid()),
        booking_id: id,
        visibility: Visibility::Crew,
        text: "三".to_owned(),
        author: None,
        role: Some(status_machine::Role::Mate),
        created_at: at(3),
        mate,
    };
    let all = [note(None), note(Some(mate()))];
    let copy = all.clone();
    write(&db, move |u| copy.iter().try_for_each(|n| u.notes().append(n))).await;
    assert_eq!(read(&db, move |u| u.notes().of_booking(id)).await, all);
    let wrong = note(Some(MateId(uuid())));
    assert!(try_write(&db, move |u| u.notes().append(&wrong)).await.is_err(), "nobody knows that mate");
}
