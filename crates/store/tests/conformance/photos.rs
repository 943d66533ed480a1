//! Photos: listed without their files, erased for good.

use kernel::{BookingId, UserId};
use service::ports::{
    StoreError,
    photos::{Photo, PhotoId},
};
use store::testing::TestDb;

use crate::fixtures::*;

on_both_engines!(
    a_photo_is_kept_as_it_came,
    a_photo_belongs_to_a_booking_and_a_person,
    what_is_no_photo_is_refused,
    old_ones_are_erased_some_at_a_time,
);

fn photo(booking: BookingId, by: UserId, minutes: i64, bytes: u32) -> Photo {
    Photo {
        id: PhotoId(uuid()),
        booking_id: booking,
        added_by: by,
        added_at: at(minutes),
        width: 2048,
        height: 1,
        bytes,
    }
}

/// Every byte there is, zero first.
fn file() -> Vec<u8> {
    (0..=u8::MAX).cycle().take(300_000).collect()
}

async fn a_photo_is_kept_as_it_came(db: TestDb) {
    let booking = booked(&db).await;
    let other = booked(&db).await;
    let size = u32::try_from(file().len()).unwrap();
    let (late, early) = (photo(booking.id, booking.user_id, 5, size), photo(booking.id, booking.user_id, 1, 3));
    let both = (late.clone(), early.clone());
    write(&db, move |u| {
        u.photos().insert(&both.0, &file())?;
        u.photos().insert(&both.1, &[0xff, 0xd8, 0x00])
    })
    .await;
    let (id, first) = (late.id, early.id);
    assert_eq!(read(&db, move |u| u.photos().of_booking(booking.id)).await, [early, late.clone()], "oldest first");
    assert_eq!(read(&db, move |u| u.photos().of_booking(other.id)).await, []);
    assert_eq!(read(&db, move |u| u.photos().get(id)).await, Some(late));
    assert_eq!(read(&db, move |u| u.photos().file(id)).await, Some(file()));
    assert_eq!(read(&db, move |u| u.photos().file(first)).await, Some(vec![0xff, 0xd8, 0x00]));
    assert!(write(&db, move |u| u.photos().delete(id)).await);
    assert!(!write(&db, move |u| u.photos().delete(id)).await, "once");
    assert_eq!(read(&db, move |u| Ok((u.photos().get(id)?, u.photos().file(id)?))).await, (None, None));
    assert_eq!(read(&db, move |u| u.photos().of_booking(booking.id)).await.len(), 1);
}

async fn a_photo_belongs_to_a_booking_and_a_person(db: TestDb) {
    let booking = booked(&db).await;
    for wrong in [photo(BookingId(uuid()), booking.user_id, 0, 3), photo(booking.id, UserId(uuid()), 0, 3)] {
        let told = try_write(&db, move |u| u.photos().insert(&wrong, &[1, 2, 3])).await;
        assert!(told.is_err());
    }
    let once = photo(booking.id, booking.user_id, 0, 3);
    let again = once.clone();
    write(&db, move |u| u.photos().insert(&once, &[1, 2, 3])).await;
    let told = try_write(&db, move |u| u.photos().insert(&again, &[1, 2, 3])).await;
    assert!(matches!(told, Err(StoreError::Duplicate(_))), "{told:?}");
}

async fn what_is_no_photo_is_refused(db: TestDb) {
    let booking = booked(&db).await;
    let sane = photo(booking.id, booking.user_id, 0, 3);
    for (wrong, file) in [
        (Photo { bytes: 4, ..sane.clone() }, vec![1, 2, 3]),
        (Photo { bytes: 0, ..sane.clone() }, vec![]),
        (Photo { width: 0, ..sane.clone() }, vec![1, 2, 3]),
        (Photo { height: 2049, ..sane.clone() }, vec![1, 2, 3]),
    ] {
        let told = try_write(&db, move |u| u.photos().insert(&wrong, &file)).await;
        assert!(matches!(told, Err(StoreError::Refused(_))), "{told:?}");
    }
}

async fn old_ones_are_erased_some_at_a_time(db: TestDb) {
    let (over, to_come) = (booked(&db).await, booked(&db).await);
    let (a, b) = (over.clone(), to_come.clone());
    write(&db, move |u| {
        let moved = service::ports::bookings::Booking { move_at: at(0), ..a.clone() };
        u.bookings().update(&moved, 1)?;
        for n in 0..3 {
            u.photos().insert(&photo(a.id, a.user_id, n, 3), &[1, 2, 3])?;
        }
        u.photos().insert(&photo(b.id, b.user_id, 0, 3), &[1, 2, 3])
    })
    .await;
    assert_eq!(write(&db, |u| u.photos().purge(at(0), 10)).await, 0, "not yet");
    assert_eq!(write(&db, |u| u.photos().purge(at(1), 2)).await, 2);
    assert_eq!(write(&db, |u| u.photos().purge(at(1), 2)).await, 1);
    assert_eq!(write(&db, |u| u.photos().purge(at(1), 2)).await, 0);
    let left =
        read(&db, move |u| Ok((u.photos().of_booking(over.id)?.len(), u.photos().of_booking(to_come.id)?.len())));
    assert_eq!(left.await, (0, 1));
}
