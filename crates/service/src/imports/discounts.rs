//! Discount codes: a row means the one with its code, whatever the case.

use super::{catalogue::Catalogue, sheet::SheetColumns};
use crate::{
    ServiceResult, Tx,
    discounts::{
        self,
        desk::{self, Terms},
    },
    ports::{Unit, discounts::StoredDiscount},
};

/// Discount codes.
#[derive(Debug)]
pub struct Discounts;

impl Catalogue for Discounts {
    type Form = Terms;
    type Record = StoredDiscount;

    const NAME: &'static str = "discounts";

    fn all(unit: &mut dyn Unit) -> ServiceResult<Vec<StoredDiscount>> {
        let mut all = unit.discounts().page("", 0, i64::MAX)?.data;
        all.sort_by(|a, b| a.code.cmp(&b.code));
        Ok(all)
    }

    fn key(form: &Terms) -> String {
        discounts::key(&form.code)
    }

    fn key_of(record: &StoredDiscount) -> String {
        record.code.to_uppercase()
    }

    fn is_gone(_: &StoredDiscount) -> bool {
        false
    }

    fn checked(form: Terms) -> ServiceResult<Terms> {
        form.checked()
    }

    fn filled(mut form: Terms, old: &StoredDiscount, given: &SheetColumns) -> Terms {
        given.or_kept("bookableFrom", &mut form.bookable.0, &old.bookable_from);
        given.or_kept("bookableUntil", &mut form.bookable.1, &old.bookable_until);
        given.or_kept("provinces", &mut form.provinces, &old.provinces);
        given.or_kept("kinds", &mut form.kinds, &old.kinds);
        given.or_kept("maxUses", &mut form.max_uses, &old.max_uses);
        given.or_kept("maxUsesPerCustomer", &mut form.max_uses_per_customer, &old.max_uses_per_customer);
        given.or_kept("firstBookingOnly", &mut form.first_booking_only, &old.first_booking_only);
        given.or_kept("disabled", &mut form.disabled, &old.disabled);
        keep_most(&mut form, old, given);
        form
    }

    fn written(form: Terms, old: StoredDiscount) -> ServiceResult<StoredDiscount> {
        Ok(form.write(old))
    }

    fn add(tx: &mut Tx<'_>, form: Terms) -> ServiceResult<()> {
        desk::insert(tx, form).map(drop)
    }

    fn change(tx: &mut Tx<'_>, old: &StoredDiscount, form: Terms) -> ServiceResult<()> {
        desk::change(tx, old.id, form, old.version).map(drop)
    }
}

/// The most a percentage takes off, where it is one still and the file has no column of it.
fn keep_most(form: &mut Terms, old: &StoredDiscount, given: &SheetColumns) {
    use pricing::DiscountTerms::Percent;
    if let (Percent { max, .. }, Percent { max: kept, .. }) = (&mut form.terms, &old.terms) {
        given.or_kept("maxAmount", max, kept);
    }
}
