//! Profiles.

use diesel::prelude::*;
use kernel::UserId;
use service::ports::{StoreResult, profiles::Profile};

use super::parse;
use crate::{
    columns::{Doc, Id, Instant},
    schema::profiles,
};

const TABLE: &str = "profiles";

#[derive(Queryable, Selectable, Insertable, AsChangeset)]
#[diesel(table_name = profiles, treat_none_as_default_value = false, treat_none_as_null = true)]
#[diesel(primary_key(user_id))]
pub struct ProfileRow {
    pub user_id: Id,
    pub first_name: String,
    pub last_name: String,
    pub email: String,
    pub phone: String,
    pub gender: String,
    pub occupation: String,
    pub language: String,
    pub billing_address: Doc,
    pub gateway_customer_id: Option<String>,
    pub version: i32,
    pub updated_at: Instant,
}

impl ProfileRow {
    pub fn of(p: &Profile) -> StoreResult<Self> {
        Ok(ProfileRow {
            user_id: Id(p.user_id.0),
            first_name: p.first_name.clone(),
            last_name: p.last_name.clone(),
            email: p.email.as_str().to_owned(),
            phone: p.phone.clone(),
            gender: p.gender.clone(),
            occupation: p.occupation.clone(),
            language: p.language.code().to_owned(),
            billing_address: Doc::of(&p.billing_address)?,
            gateway_customer_id: p.gateway_customer_id.clone(),
            version: p.version,
            updated_at: Instant(p.updated_at),
        })
    }

    pub fn read(self) -> StoreResult<Profile> {
        let id = self.user_id.0;
        Ok(Profile {
            user_id: UserId(id),
            first_name: self.first_name,
            last_name: self.last_name,
            email: parse(&self.email, TABLE, "email", &id)?,
            phone: self.phone,
            gender: self.gender,
            occupation: self.occupation,
            language: parse(&self.language, TABLE, "language", &id)?,
            billing_address: self.billing_address.read(TABLE, "billing_address", &id)?,
            gateway_customer_id: self.gateway_customer_id,
            version: self.version,
            updated_at: self.updated_at.0,
        })
    }
}
