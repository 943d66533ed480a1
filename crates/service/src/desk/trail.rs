//! The audit trail as staff read it.

use crate::{
    ServiceResult, Services, Staff,
    bookings::trail::Names,
    ports::{
        audit::{AuditRow, Trail},
        lists::Counted,
    },
};

/// Rows are counted no further.
const MOST_COUNTED: i64 = 10_000;

/// A page of the trail, the newest first, with the names of who acted.
#[derive(Debug, Clone)]
pub struct Entries {
    /// Rows.
    pub data: Vec<(AuditRow, Option<String>)>,
    /// Of how many.
    pub counted: Counted,
}

/// What was changed, by whom, from what to what.
///
/// # Errors
/// When the database fails.
pub async fn page(s: &Services, _: &Staff, wanted: Trail, page: i64, per_page: i64) -> ServiceResult<Entries> {
    s.store
        .read(move |u| {
            let counted = u.audits().counted(&wanted, MOST_COUNTED)?;
            let rows = u.audits().newest(&wanted, page.saturating_sub(1).saturating_mul(per_page), per_page)?;
            let mut names = Names::default();
            let named = rows.into_iter().map(|row| Ok((names.of(u, row.actor)?, row)));
            let data: Vec<(Option<String>, AuditRow)> = named.collect::<ServiceResult<_>>()?;
            Ok(Entries { data: data.into_iter().map(|(name, row)| (row, name)).collect(), counted })
        })
        .await
}
