//! What administrators have to look at now: `opsAlert`, once.

use chrono::{DateTime, Utc};
use kernel::{Money, full_name};
use serde_json::json;

use super::{
    papers::language_of,
    queue::{NewMessage, queue},
    values::{self, html_lang},
};
use crate::{
    ServiceResult, Tx, formats,
    ports::{bookings::Booking, members::MemberRole},
    texts,
};

/// More administrators than any company has.
const EVERYBODY: i64 = 1_000;

/// Something to look at.
pub(crate) struct Alert<'a> {
    /// The same key is told once.
    pub key: String,
    /// Key of its words.
    pub kind: &'static str,
    /// What it is about.
    pub amount: Option<Money>,
    /// Whom it is about. It is told to everybody of operations then, as people are theirs to send.
    pub who: Option<String>,
    /// Until when something has to be done.
    pub until: Option<DateTime<Utc>>,
    /// Below the dashboard.
    pub page: &'a str,
}

/// Tells every administrator of something about a booking.
///
/// # Errors
/// When the database fails.
pub(crate) fn tell(tx: &mut Tx<'_>, b: &Booking, alert: &Alert<'_>) -> ServiceResult<()> {
    let staff = tx.unit.members().staff(0, EVERYBODY)?.data;
    let home = tx.services.public_url().to_owned();
    for member in staff.into_iter().filter(|m| m.role == MemberRole::Admin || alert.who.is_some()) {
        let language = language_of(tx, &member)?;
        let mut theirs = b.clone();
        theirs.language = language;
        let mut values = values::booking(tx.services, &theirs);
        let about = alert.amount.map(|amount| formats::money(amount, language)).or_else(|| alert.who.clone());
        let mut details = match about {
            Some(about) => format!("{}: {about}", b.details.customer_name),
            None => b.details.customer_name.clone(),
        };
        if let Some(until) = alert.until {
            let by = texts::text("alert.until", language);
            details = format!("{details}. {by} {}", formats::moment(until, b.zone, language));
        }
        let own = json!({
            "lang": html_lang(language),
            "customerFirstName": member.first_name,
            "customerFullName": full_name(&member.first_name, &member.last_name),
            "alertKind": texts::text(alert.kind, language),
            "details": details,
            "recordUrl": format!("{home}/dashboard/{}?lang={language}", alert.page),
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
