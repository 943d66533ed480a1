//! Photos of crews, without their files.

use diesel::prelude::*;
use kernel::{BookingId, MateId};
use service::ports::{
    StoreResult,
    crew_photos::{CrewPhoto, PhotoStage},
    photos::PhotoId,
};

use super::number;
use crate::{
    columns::{Id, Instant},
    error::unknown,
    schema::crew_photos,
};

const TABLE: &str = "crew_photos";

#[derive(Queryable, Selectable)]
#[diesel(table_name = crew_photos)]
pub struct CrewPhotoRow {
    pub id: Id,
    pub booking_id: Id,
    pub mate_id: Id,
    pub stage: String,
    pub taken_at: Instant,
    pub added_at: Instant,
    pub digest: String,
    pub width: i32,
    pub height: i32,
    pub bytes: i32,
}

impl TryFrom<CrewPhotoRow> for CrewPhoto {
    type Error = service::ports::StoreError;

    fn try_from(r: CrewPhotoRow) -> StoreResult<CrewPhoto> {
        let id = PhotoId(r.id.0);
        Ok(CrewPhoto {
            id,
            booking_id: BookingId(r.booking_id.0),
            mate: MateId(r.mate_id.0),
            stage: PhotoStage::from_code(&r.stage).ok_or_else(|| unknown(TABLE, "stage", &id, &r.stage))?,
            taken_at: r.taken_at.0,
            added_at: r.added_at.0,
            digest: r.digest,
            width: number(r.width, TABLE, "width", &id)?,
            height: number(r.height, TABLE, "height", &id)?,
            bytes: number(r.bytes, TABLE, "bytes", &id)?,
        })
    }
}
