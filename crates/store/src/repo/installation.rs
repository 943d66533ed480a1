//! Which installation this database belongs to.

use diesel::prelude::*;
use service::{
    Mode,
    ports::{
        StoreResult,
        installation::{Installation, Installations},
    },
};

use super::Repos;
use crate::{
    columns::Instant,
    error::{fault, unknown},
    schema::installation,
};

const TABLE: &str = "installation";
/// The key of the only row.
const ONLY: i32 = 1;

impl Installations for Repos<'_> {
    fn get(&mut self) -> StoreResult<Option<Installation>> {
        let row: Option<(String, String, String, Instant)> = installation::table
            .find(ONLY)
            .select((installation::mode, installation::place, installation::public_url, installation::adopted_at))
            .first(self.conn)
            .optional()
            .map_err(fault(TABLE))?;
        let Some((mode, place, public_url, adopted_at)) = row else { return Ok(None) };
        let mode = Mode::from_code(&mode).ok_or_else(|| unknown(TABLE, "mode", &ONLY, &mode))?;
        Ok(Some(Installation { mode, place, public_url, adopted_at: adopted_at.0 }))
    }

    fn put(&mut self, new: &Installation) -> StoreResult<()> {
        let facts = || {
            (
                installation::mode.eq(new.mode.code()),
                installation::place.eq(&new.place),
                installation::public_url.eq(&new.public_url),
                installation::adopted_at.eq(Instant(new.adopted_at)),
            )
        };
        diesel::insert_into(installation::table)
            .values((installation::id.eq(ONLY), facts()))
            .on_conflict(installation::id)
            .do_update()
            .set(facts())
            .execute(self.conn)
            .map_err(fault(TABLE))?;
        Ok(())
    }
}
