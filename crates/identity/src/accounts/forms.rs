//! What the account pages send, and what can be wrong with a field.

use kernel::{Email, Language, Phone};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};

use crate::password;

const NAME_CHARS: usize = 80;

/// `POST /identity/api/sign-up`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignUp {
    /// Address; the name one signs in with.
    #[serde(default)]
    pub email: String,
    /// 10 to 200 characters, not the address.
    #[serde(default = "empty")]
    pub password: SecretString,
    /// Given name.
    #[serde(default)]
    pub first_name: String,
    /// Family name.
    #[serde(default)]
    pub last_name: String,
    /// `en`, `fr` or `zh`; anything else is English.
    #[serde(default)]
    pub language: Option<String>,
    /// The terms checkbox; must be true.
    #[serde(default)]
    pub accept_terms: bool,
    /// Telephone.
    #[serde(default)]
    pub phone: Option<String>,
    /// Where to go on to.
    #[serde(default)]
    pub return_to: Option<String>,
}

/// `POST /identity/api/sign-in`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignIn {
    /// Address.
    #[serde(default)]
    pub email: String,
    /// Password.
    #[serde(default = "empty")]
    pub password: SecretString,
    /// Where to go on to.
    #[serde(default)]
    pub return_to: Option<String>,
}

/// `POST /identity/api/forgot-password`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ForgotPassword {
    /// Address.
    #[serde(default)]
    pub email: String,
}

/// `POST /identity/api/reset-password`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResetPassword {
    /// From the link.
    #[serde(default)]
    pub token: String,
    /// The new password.
    #[serde(default = "empty")]
    pub password: SecretString,
}

/// `POST /identity/api/change-password`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangePassword {
    /// The present password.
    #[serde(default = "empty")]
    pub current_password: SecretString,
    /// The new one.
    #[serde(default = "empty")]
    pub password: SecretString,
}

/// `POST /identity/api/change-email`.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ChangeEmail {
    /// The present password.
    #[serde(default = "empty")]
    pub current_password: SecretString,
    /// The new address.
    #[serde(default)]
    pub email: String,
}

fn empty() -> SecretString {
    SecretString::from(String::new())
}

/// What is wrong with a field. Stable; the texts are elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldCode {
    /// Nothing was given.
    Required,
    /// Not of the right form.
    Invalid,
    /// Too many characters.
    TooLong,
    /// Fewer than 10 characters.
    PasswordTooShort,
    /// More than 200 characters.
    PasswordTooLong,
    /// The password is the e-mail address.
    PasswordIsEmail,
    /// The present password is wrong.
    PasswordWrong,
    /// The terms were not accepted.
    TermsRequired,
    /// Somebody has an account with this address.
    EmailTaken,
    /// It is the account's address already.
    EmailSame,
}

impl FieldCode {
    /// All of them, for the table of codes.
    pub const ALL: [FieldCode; 10] = [
        FieldCode::Required,
        FieldCode::Invalid,
        FieldCode::TooLong,
        FieldCode::PasswordTooShort,
        FieldCode::PasswordTooLong,
        FieldCode::PasswordIsEmail,
        FieldCode::PasswordWrong,
        FieldCode::TermsRequired,
        FieldCode::EmailTaken,
        FieldCode::EmailSame,
    ];

    /// As clients see it.
    pub const fn code(self) -> &'static str {
        match self {
            FieldCode::Required => "required",
            FieldCode::Invalid => "invalid",
            FieldCode::TooLong => "too_long",
            FieldCode::PasswordTooShort => "password_too_short",
            FieldCode::PasswordTooLong => "password_too_long",
            FieldCode::PasswordIsEmail => "password_is_email",
            FieldCode::PasswordWrong => "password_wrong",
            FieldCode::TermsRequired => "terms_required",
            FieldCode::EmailTaken => "email_taken",
            FieldCode::EmailSame => "email_same",
        }
    }
}

/// One field of a form that was not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldError {
    /// Its name in the JSON.
    pub field: &'static str,
    /// What is wrong.
    pub code: FieldCode,
}

impl Serialize for FieldCode {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.code())
    }
}

/// A sign-up form whose every field is in order.
pub(crate) struct NewPerson {
    pub email: Email,
    pub password: SecretString,
    pub first_name: String,
    pub last_name: String,
    pub phone: Option<Phone>,
    pub language: Language,
}

impl SignUp {
    /// All that is wrong at once, in the order of the form.
    pub(crate) fn check(self) -> Result<NewPerson, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut keep = |field, code| errors.push(FieldError { field, code });
        let first_name = name(&self.first_name).map_err(|code| keep("firstName", code));
        let last_name = name(&self.last_name).map_err(|code| keep("lastName", code));
        let email = email(&self.email).map_err(|code| keep("email", code));
        if let Err(code) = password::judge(&self.password, email.as_ref().ok()) {
            keep("password", code);
        }
        let phone = self.phone.as_deref().map(str::trim).filter(|p| !p.is_empty()).map(str::parse::<Phone>);
        let phone = phone.transpose().map_err(|_| keep("phone", FieldCode::Invalid));
        if !self.accept_terms {
            keep("acceptTerms", FieldCode::TermsRequired);
        }
        match (first_name, last_name, email, phone) {
            (Ok(first_name), Ok(last_name), Ok(email), Ok(phone)) if errors.is_empty() => Ok(NewPerson {
                email,
                password: self.password,
                first_name,
                last_name,
                phone,
                language: self.language.and_then(|l| l.parse().ok()).unwrap_or_default(),
            }),
            _ => Err(errors),
        }
    }
}

impl SignIn {
    pub(crate) fn check(&self) -> Result<Email, Vec<FieldError>> {
        let mut errors = Vec::new();
        let email = email(&self.email).map_err(|code| errors.push(FieldError { field: "email", code }));
        if self.password.expose_secret().is_empty() {
            errors.push(FieldError { field: "password", code: FieldCode::Required });
        }
        match email {
            Ok(email) if errors.is_empty() => Ok(email),
            _ => Err(errors),
        }
    }
}

pub(crate) fn email(text: &str) -> Result<Email, FieldCode> {
    if text.trim().is_empty() {
        return Err(FieldCode::Required);
    }
    text.parse().map_err(|_| FieldCode::Invalid)
}

fn name(text: &str) -> Result<String, FieldCode> {
    let text = text.trim();
    if text.is_empty() {
        Err(FieldCode::Required)
    } else if text.chars().count() > NAME_CHARS {
        Err(FieldCode::TooLong)
    } else if text.chars().any(char::is_control) {
        Err(FieldCode::Invalid)
    } else {
        Ok(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(json: serde_json::Value) -> Result<NewPerson, Vec<FieldError>> {
        serde_json::from_value::<SignUp>(json).unwrap().check()
    }

    #[test]
    fn an_empty_form_names_every_field() {
        let errors = form(serde_json::json!({})).err().unwrap();
        let found: Vec<_> = errors.iter().map(|e| (e.field, e.code.code())).collect();
        assert_eq!(
            found,
            [
                ("firstName", "required"),
                ("lastName", "required"),
                ("email", "required"),
                ("password", "required"),
                ("acceptTerms", "terms_required")
            ]
        );
    }

    #[test]
    fn a_good_form_is_trimmed() {
        let person = form(serde_json::json!({
            "email": " Ana@Example.test ", "password": "a long password", "firstName": " Ana ", "lastName": "Roy",
            "language": "fr", "acceptTerms": true, "phone": "  "
        }))
        .ok()
        .unwrap();
        assert_eq!((person.first_name.as_str(), person.email.as_str()), ("Ana", "Ana@example.test"));
        assert_eq!((person.phone, person.language), (None, Language::Fr));
    }

    #[test]
    fn bad_fields_are_told_apart() {
        let errors = form(serde_json::json!({
            "email": "ana@example.test", "password": "ana@example.test", "firstName": "A\u{0}", "lastName": "x".repeat(81),
            "acceptTerms": true, "phone": "call me"
        }))
        .err()
        .unwrap();
        let found: Vec<_> = errors.iter().map(|e| (e.field, e.code)).collect();
        assert_eq!(
            found,
            [
                ("firstName", FieldCode::Invalid),
                ("lastName", FieldCode::TooLong),
                ("password", FieldCode::PasswordIsEmail),
                ("phone", FieldCode::Invalid)
            ]
        );
    }
}
