//! Queues `opsAlert`, which tells administrators once of something they have to look at.

use chrono::{DateTime, Utc};
use kernel::{Money, full_name};
use serde_json::json;

use super::{
    papers::confirmed_staff,
    queue::{NewMessage, queue},
    values::{self, html_lang},
};
use crate::{
    ServiceResult, Tx, formats,
    ports::{bookings::Booking, members::MemberRole},
    texts,
};

/// Something to look at.
pub(crate) struct Alert<'a> {
    /// The same key is told once.
    pub key: String,
    /// Key of its words.
    pub kind: &'static str,
    /// What or whom it is about.
    pub about: Option<AlertSubject>,
    /// Everybody of operations is told, and not administrators alone.
    pub everybody: bool,
    /// Until when something has to be done, or when it begins: key of its words, and the instant.
    pub when: Option<(&'static str, DateTime<Utc>)>,
    /// Below the dashboard.
    pub page: &'a str,
}

/// What an alert is about, besides its customer.
pub(crate) enum AlertSubject {
    /// Money, written in each reader's language.
    Amount(Money),
    /// A name or a number.
    Name(String),
}

/// Tells every administrator, or everybody of operations, of something about a booking: those who have confirmed their
/// address, each in their language.
///
/// # Errors
/// When the database fails.
pub(crate) fn tell(tx: &mut Tx<'_>, b: &Booking, alert: &Alert<'_>) -> ServiceResult<()> {
    let staff = confirmed_staff(tx)?;
    let home = tx.services.public_url().to_owned();
    for (member, language) in staff.into_iter().filter(|(m, _)| m.role == MemberRole::Admin || alert.everybody) {
        let mut theirs = b.clone();
        theirs.language = language;
        let mut values = values::booking(tx.services, &theirs);
        let about = alert.about.as_ref().map(|about| match about {
            AlertSubject::Amount(amount) => formats::money(*amount, language),
            AlertSubject::Name(name) => name.clone(),
        });
        let mut details = match about {
            Some(about) => format!("{}: {about}", b.details.customer_name),
            None => b.details.customer_name.clone(),
        };
        if let Some((what, at)) = alert.when {
            let what = texts::text(what, language);
            details = format!("{details}. {what} {}", formats::moment(at, b.zone, language));
        }
        let own = json!({
            "lang": html_lang(language),
            "customerFirstName": member.first_name,
            "customerFullName": full_name(&member.first_name, &member.last_name),
            "alertKind": texts::text(alert.kind, language),
            "details": details,
            "recordUrl": format!("{home}/dashboard/{}{}lang={language}", alert.page, if alert.page.contains('?') { '&' } else { '?' }),
        });
        if let serde_json::Value::Object(own) = own {
            values.extend(own);
        }
        let message = NewMessage {
            dedup_key: format!("alert:{}:{}", alert.key, member.id),
            booking_id: None,
            user_id: None,
            message_type: "opsAlert".to_owned(),
            language,
            to: member.email.clone(),
            to_name: full_name(&member.first_name, &member.last_name),
            values: serde_json::Value::Object(values),
        };
        queue(tx, message)?;
    }
    Ok(())
}
