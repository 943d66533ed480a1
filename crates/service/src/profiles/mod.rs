//! The signed-in person's profile.

use kernel::{Language, Phone, Province, UserId};

use crate::{
    Caller, Error, ErrorCode, FieldError, FieldProblem, ServiceResult, Services,
    ports::{
        Unit,
        cards::Card,
        profiles::{BillingAddress, Profile},
    },
};

/// What may be changed; text fields are trimmed, nested ones too.
#[derive(Debug, Clone, Default, PartialEq)]
#[allow(missing_docs)]
pub struct ProfileInput {
    pub first_name: Option<String>,
    pub last_name: Option<String>,
    pub phone: Option<String>,
    pub gender: Option<String>,
    pub occupation: Option<String>,
    pub language: Option<Language>,
    pub billing_address: Option<BillingAddress>,
}

/// A profile with its wallet.
#[derive(Debug, Clone)]
pub struct ProfileView {
    /// The profile.
    pub profile: Profile,
    /// The card that is charged.
    pub card: Option<Card>,
}

const MAX: usize = 200;

/// `GET /profiles/`.
///
/// # Errors
/// `sign_in_needed`, `email_unknown`.
pub async fn get(s: &Services, caller: &Caller) -> ServiceResult<ProfileView> {
    let user = caller.user.ok_or(ErrorCode::SignInNeeded)?;
    s.store.read(move |u| view(u, user)).await
}

/// Somebody's own profile. A person who signed in has one, unless an external provider kept their
/// address to itself.
///
/// # Errors
/// `email_unknown`.
pub(crate) fn own(u: &mut dyn Unit, user: UserId) -> ServiceResult<Profile> {
    u.profiles().get(user)?.ok_or_else(|| ErrorCode::EmailUnknown.into())
}

fn view(u: &mut dyn Unit, user: UserId) -> ServiceResult<ProfileView> {
    let profile = own(u, user)?;
    let card = u.cards().current(user)?;
    Ok(ProfileView { profile, card })
}

/// `PUT /profiles/`.
///
/// # Errors
/// Field errors, `version_conflict`, `email_unknown`.
pub async fn put(
    s: &Services,
    caller: &Caller,
    input: ProfileInput,
    expected: Option<i32>,
) -> ServiceResult<ProfileView> {
    let user = caller.user.ok_or(ErrorCode::SignInNeeded)?;
    s.write(caller.actor(), move |tx| {
        let old = own(tx.unit, user)?;
        if expected.is_some_and(|v| v != old.version) {
            return Err(ErrorCode::VersionConflict.into());
        }
        let mut new = merged(&old, &input)?;
        new.updated_at = tx.now;
        tx.unit.profiles().update(&new, old.version)?;
        let shown = |p: &Profile| serde_json::json!({ "version": p.version, "language": p.language });
        tx.audit("profile.update", user, Some(shown(&old)), Some(shown(&new)))?;
        view(tx.unit, user)
    })
    .await
}

fn merged(old: &Profile, input: &ProfileInput) -> ServiceResult<Profile> {
    let mut wrong = Vec::new();
    let mut text = |field: &str, value: &Option<String>, before: &str| match value {
        None => before.to_owned(),
        Some(v) => {
            if v.trim().chars().count() > MAX {
                wrong.push(FieldError::new(field, FieldProblem::TooLong));
            }
            v.trim().to_owned()
        }
    };
    let mut unknown_province = false;
    let mut new = old.clone();
    new.first_name = text("firstName", &input.first_name, &old.first_name);
    new.last_name = text("lastName", &input.last_name, &old.last_name);
    new.gender = text("gender", &input.gender, &old.gender);
    new.occupation = text("occupation", &input.occupation, &old.occupation);
    new.phone = text("phone", &input.phone, &old.phone);
    if let Some(a) = &input.billing_address {
        let country = if a.country.trim().is_empty() { "Canada".to_owned() } else { a.country.clone() };
        let part = |name: &str| format!("billingAddress.{name}");
        let canadian = in_canada(&country);
        let province = match province_code(&a.province) {
            Some(code) if canadian => code.to_owned(),
            _ => a.province.clone(),
        };
        if canadian && !province.trim().is_empty() && province_code(&province).is_none() {
            unknown_province = true;
        }
        new.billing_address = BillingAddress {
            unit: text(&part("unit"), &Some(a.unit.clone()), ""),
            street_name: text(&part("streetName"), &Some(a.street_name.clone()), ""),
            apt_unit: text(&part("aptUnit"), &Some(a.apt_unit.clone()), ""),
            city: text(&part("city"), &Some(a.city.clone()), ""),
            postal_code: text(&part("postalCode"), &Some(a.postal_code.clone()), ""),
            province: text(&part("province"), &Some(province), ""),
            country: text(&part("country"), &Some(country), ""),
        };
    }
    if unknown_province {
        wrong.push(FieldError::new("billingAddress.province", FieldProblem::Unknown));
    }
    new.language = input.language.unwrap_or(old.language);
    if !new.phone.is_empty() && new.phone.parse::<Phone>().is_err() {
        wrong.push(FieldError::new("phone", FieldProblem::Invalid));
    }
    for (field, value) in [("firstName", &new.first_name), ("lastName", &new.last_name)] {
        if value.is_empty() {
            wrong.push(FieldError::new(field, FieldProblem::Required));
        }
    }
    if wrong.is_empty() { Ok(new) } else { Err(Error::Invalid(wrong)) }
}

fn in_canada(country: &str) -> bool {
    ["canada", "ca", "can", "加拿大"].contains(&country.trim().to_lowercase().as_str())
}

/// The code of a province told by its code or its name.
fn province_code(told: &str) -> Option<&'static str> {
    let folded = kernel::fold(told.trim());
    Province::ALL
        .into_iter()
        .find(|p| kernel::fold(p.code()) == folded || Language::ALL.iter().any(|l| kernel::fold(p.name(*l)) == folded))
        .map(Province::code)
}
