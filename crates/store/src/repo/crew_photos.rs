//! Photos of crews. The file is a column that only [`CrewPhotos::file`] reads.

use chrono::{DateTime, Utc};
use diesel::prelude::*;
use kernel::BookingId;
use service::ports::{
    StoreResult,
    crew_photos::{CrewPhoto, CrewPhotos},
    photos::PhotoId,
};

use super::Repos;
use crate::{
    columns::{Id, Instant},
    error::{bad, fault},
    rows::crew_photos::CrewPhotoRow,
    schema::{bookings, crew_photos as p},
};

const TABLE: &str = "crew_photos";

fn column(n: u32, name: &'static str, id: PhotoId) -> StoreResult<i32> {
    i32::try_from(n).map_err(bad(TABLE, name, &id))
}

impl CrewPhotos for Repos<'_> {
    fn insert(&mut self, photo: &CrewPhoto, jpeg: &[u8]) -> StoreResult<()> {
        diesel::insert_into(p::table)
            .values((
                p::id.eq(Id(photo.id.0)),
                p::booking_id.eq(Id(photo.booking_id.0)),
                p::mate_id.eq(Id(photo.mate.0)),
                p::stage.eq(photo.stage.code()),
                p::taken_at.eq(Instant(photo.taken_at)),
                p::added_at.eq(Instant(photo.added_at)),
                p::digest.eq(&photo.digest),
                p::width.eq(column(photo.width, "width", photo.id)?),
                p::height.eq(column(photo.height, "height", photo.id)?),
                p::bytes.eq(column(photo.bytes, "bytes", photo.id)?),
                p::jpeg.eq(jpeg),
            ))
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }

    fn get(&mut self, id: PhotoId) -> StoreResult<Option<CrewPhoto>> {
        let row: Option<CrewPhotoRow> = p::table
            .find(Id(id.0))
            .select(CrewPhotoRow::as_select())
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        row.map(CrewPhoto::try_from).transpose()
    }

    fn file(&mut self, id: PhotoId) -> StoreResult<Option<Vec<u8>>> {
        p::table.find(Id(id.0)).select(p::jpeg).first(self.conn).optional().map_err(fault(TABLE))
    }

    fn of_booking(&mut self, id: BookingId) -> StoreResult<Vec<CrewPhoto>> {
        let rows: Vec<CrewPhotoRow> = p::table
            .filter(p::booking_id.eq(Id(id.0)))
            .order((p::taken_at, p::id))
            .select(CrewPhotoRow::as_select())
            .load(self.conn)
            .map_err(fault(TABLE))?;
        rows.into_iter().map(CrewPhoto::try_from).collect()
    }

    fn delete(&mut self, id: PhotoId) -> StoreResult<bool> {
        let gone = diesel::delete(p::table.find(Id(id.0))).execute(self.conn).map_err(fault(TABLE))?;
        Ok(gone > 0)
    }

    fn purge(&mut self, before: DateTime<Utc>, most: i64) -> StoreResult<usize> {
        let old: Vec<Id> = p::table
            .inner_join(bookings::table)
            .filter(bookings::move_at.lt(Instant(before)))
            .order(p::id)
            .limit(most)
            .select(p::id)
            .load(self.conn)
            .map_err(fault(TABLE))?;
        diesel::delete(p::table.filter(p::id.eq_any(old))).execute(self.conn).map_err(fault(TABLE))
    }
}
