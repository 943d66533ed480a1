//! Photos, without their files.

use diesel::prelude::*;
use kernel::{BookingId, UserId};
use service::ports::{
    StoreResult,
    photos::{Photo, PhotoId},
};

use super::number;
use crate::{
    columns::{Id, Instant},
    schema::booking_photos,
};

const TABLE: &str = "booking_photos";

#[derive(Queryable, Selectable)]
#[diesel(table_name = booking_photos)]
pub struct PhotoRow {
    pub id: Id,
    pub booking_id: Id,
    pub added_by: Id,
    pub added_at: Instant,
    pub width: i32,
    pub height: i32,
    pub bytes: i32,
}

impl TryFrom<PhotoRow> for Photo {
    type Error = service::ports::StoreError;

    fn try_from(r: PhotoRow) -> StoreResult<Photo> {
        let id = PhotoId(r.id.0);
        Ok(Photo {
            id,
            booking_id: BookingId(r.booking_id.0),
            added_by: UserId(r.added_by.0),
            added_at: r.added_at.0,
            width: number(r.width, TABLE, "width", &id)?,
            height: number(r.height, TABLE, "height", &id)?,
            bytes: number(r.bytes, TABLE, "bytes", &id)?,
        })
    }
}
