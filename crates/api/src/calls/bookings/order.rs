//! What books a move: the draft, and whom staff book for.

use kernel::{Email, Language, PartnerId, Phone};
use serde::Deserialize;
use service::{FieldProblem, accounts::desk::Contact, ports::quote_requests::QuoteRequestId};
use utoipa::ToSchema;
use validator::Validate;

use super::{draft::BookingDraft, tip_request::TipRequest};
use crate::{
    calls::values::{LanguageCode, PaidByCode, blank},
    contract::CommonError,
    http::problem::Field,
};

/// What `POST /api/bookings` takes.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub struct CreateRequest {
    /// The draft.
    #[validate(nested)]
    pub booking_request: BookingDraft,
    /// The tip, if any.
    #[serde(default)]
    #[validate(nested)]
    pub tip_request: Option<TipRequest>,
    /// Staff only: whom they book for.
    #[serde(default)]
    #[validate(nested)]
    pub customer: Option<ContactRequest>,
    /// Staff only, with `customer`: how it is paid; `card` is the one that is stored.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<PaidByCode>)]
    pub payment: Option<String>,
    /// Staff only, with `payment` `invoice`: the partner who gets the invoice.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<String>, format = Uuid, max_length = 36)]
    pub partner_id: Option<PartnerId>,
    /// Staff only, with `customer`: the request for a quote that it answers; with the booking it is marked as booked.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<String>, format = Uuid, max_length = 36)]
    pub quote_request_id: Option<QuoteRequestId>,
}

/// Who calls.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub struct ContactRequest {
    /// Where mail goes, and what the booking belongs to.
    #[validate(length(max = 254))]
    #[schema(max_length = 254, example = "camille.caron@example.test")]
    email: String,
    #[validate(length(max = 100))]
    #[schema(max_length = 100)]
    first_name: String,
    #[validate(length(max = 100))]
    #[schema(max_length = 100)]
    last_name: String,
    #[validate(length(max = 40))]
    #[schema(max_length = 40, example = "514-555-0199")]
    phone: String,
    /// Language of mails; the caller's when left out.
    #[serde(default, deserialize_with = "blank")]
    #[schema(value_type = Option<LanguageCode>)]
    language: Option<Language>,
}

impl ContactRequest {
    /// For the service.
    ///
    /// # Errors
    /// Each field that is missing or cannot be.
    pub fn contact(self, language: Language) -> Result<Contact, CommonError> {
        let mut wrong = Vec::new();
        let mut missing = |name: &str, text: &str, is_read: bool| {
            let problem = if text.trim().is_empty() { FieldProblem::Required } else { FieldProblem::Invalid };
            if text.trim().is_empty() || !is_read {
                wrong.push(Field::new(format!("customer.{name}"), problem));
            }
        };
        let email: Option<Email> = self.email.trim().parse().ok();
        let phone: Option<Phone> = self.phone.trim().parse().ok();
        missing("email", &self.email, email.is_some());
        missing("firstName", &self.first_name, true);
        missing("lastName", &self.last_name, true);
        missing("phone", &self.phone, phone.is_some());
        let (Some(email), Some(phone), true) = (email, phone, wrong.is_empty()) else {
            return Err(CommonError::invalid(wrong));
        };
        let (first_name, last_name) = (self.first_name.trim().to_owned(), self.last_name.trim().to_owned());
        Ok(Contact { email, first_name, last_name, phone, language: self.language.unwrap_or(language) })
    }
}
