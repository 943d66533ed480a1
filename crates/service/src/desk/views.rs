//! Lists that somebody of the staff keeps, for themselves or for all.

use kernel::{UserId, ViewId};
use serde_json::{Value, json};

use crate::{
    Error, ErrorCode, FieldProblem, ServiceResult, Services, Staff, Tx,
    idempotency::{self, Guard, Replayable},
    ports::views::SavedView,
};

/// Kept lists of one person.
pub const MOST: usize = 50;
/// The longest name, characters.
pub const LONGEST_NAME: usize = 60;

/// What is kept. Whoever makes it has read the filters.
#[derive(Debug, Clone)]
pub struct NewView {
    /// What they call it.
    pub name: String,
    /// All staff see it.
    pub shared: bool,
    /// The filters.
    pub filters: Value,
    /// The order.
    pub sort: Option<String>,
    /// The words that are looked for.
    pub value: Option<String>,
}

impl NewView {
    fn name(&self) -> ServiceResult<String> {
        let name = self.name.trim();
        match name.chars().count() {
            0 => Err(Error::field("name", FieldProblem::Required)),
            n if n > LONGEST_NAME => Err(Error::field("name", FieldProblem::TooLong)),
            _ => Ok(name.to_owned()),
        }
    }
}

fn user(staff: &Staff) -> ServiceResult<UserId> {
    staff.caller().user.ok_or_else(|| ErrorCode::SignInNeeded.into())
}

/// Those they see: their own and the shared ones, by name.
///
/// # Errors
/// When the database fails.
pub async fn list(s: &Services, staff: &Staff) -> ServiceResult<Vec<SavedView>> {
    let user = user(staff)?;
    s.store.read(move |u| Ok(u.views().seen_by(user)?)).await
}

/// Keeps a list.
///
/// # Errors
/// `too_many_views`, the name.
pub async fn add(
    s: &Services,
    staff: &Staff,
    new: NewView,
    guard: Option<Guard<SavedView>>,
) -> ServiceResult<Replayable<SavedView>> {
    let (user, name, asked_at) = (user(staff)?, new.name()?, s.clock.now());
    s.write(staff.actor(), move |tx| {
        idempotency::once(tx, guard, asked_at, |tx| {
            // Of two that are kept at once both are counted.
            tx.unit.accounts().lock(user)?;
            if tx.unit.views().seen_by(user)?.iter().filter(|v| v.owner == user).count() >= MOST {
                return Err(Error::Refused(ErrorCode::TooManyViews, vec![("n", MOST.to_string())]));
            }
            let view = SavedView {
                id: ViewId(tx.id()),
                owner: user,
                name,
                shared: new.shared,
                filters: new.filters,
                sort: new.sort,
                value: new.value,
                version: 1,
                created_at: tx.now,
                updated_at: tx.now,
            };
            tx.unit.views().insert(&view)?;
            tx.audit("view.add", view.id, None, Some(snapshot(&view)))?;
            Ok(view)
        })
    })
    .await
}

/// Keeps another list under the same key.
///
/// # Errors
/// `not_found` when it is not theirs, `version_conflict`, the name.
pub async fn put(s: &Services, staff: &Staff, id: ViewId, new: NewView, version: i32) -> ServiceResult<SavedView> {
    let (user, name) = (user(staff)?, new.name()?);
    s.write(staff.actor(), move |tx| {
        let old = own(tx, id, user)?;
        if old.version != version {
            return Err(ErrorCode::VersionConflict.into());
        }
        let before = snapshot(&old);
        let mut view = SavedView {
            name,
            shared: new.shared,
            filters: new.filters,
            sort: new.sort,
            value: new.value,
            updated_at: tx.now,
            ..old
        };
        view.version = tx.unit.views().update(&view)?;
        tx.audit("view.update", id, Some(before), Some(snapshot(&view)))?;
        Ok::<_, Error>(view)
    })
    .await
}

/// Keeps a list no longer. `expected` is the version that was read; none: whichever it has.
///
/// # Errors
/// `not_found` when it is not theirs, `version_conflict`.
pub async fn remove(s: &Services, staff: &Staff, id: ViewId, expected: Option<i32>) -> ServiceResult<()> {
    let user = user(staff)?;
    s.write(staff.actor(), move |tx| {
        let old = own(tx, id, user)?;
        if expected.is_some_and(|version| version != old.version) {
            return Err(ErrorCode::VersionConflict.into());
        }
        if !tx.unit.views().remove(id)? {
            return Err(ErrorCode::NotFound.into());
        }
        Ok::<_, Error>(tx.audit("view.remove", id, Some(snapshot(&old)), None)?)
    })
    .await
}

fn own(tx: &mut Tx<'_>, id: ViewId, user: UserId) -> ServiceResult<SavedView> {
    tx.unit.views().get(id)?.filter(|v| v.owner == user).ok_or_else(|| ErrorCode::NotFound.into())
}

/// Words that are looked for may name a person: the trail keeps that there are some.
fn snapshot(v: &SavedView) -> Value {
    json!({ "name": v.name, "shared": v.shared, "filters": v.filters, "sort": v.sort, "hasValue": v.value.is_some() })
}
