//! A quote by mail, and what its link leads back to.

use actix_web::web;
use kernel::{
    Email,
    chrono::{DateTime, NaiveDate, Utc},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    FieldProblem,
    bookings::saved::{self, NewSavedQuote, Page, Saved},
};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    bookings::draft::{BookingDraft, RuleRefusal},
    examples,
    links::secrets,
    replies::{Json, Once, Reply, WithGuest},
    values::{Cash, HourMinute, LanguageCode, SavedQuoteStateCode},
};
use crate::{
    access::Who,
    contract::{CommonError, Record, refusals},
    endpoint::{Access, Audit, Example, Relation, Route},
    guest::Guest,
    http::{IdempotencyKey, PathId, ValidJson},
    limits::LimitClass,
    state::State,
};

refusals! {
    /// Why a quote is not mailed.
    QuoteRefusal { Rule: QuoteMailLimit }
}

secrets! {
    QuoteToken: Record::QuoteLink,
}

/// What `POST /api/quotes` takes.
#[derive(Debug, Deserialize, ToSchema, Validate)]
#[serde(rename_all = "camelCase")]
pub(super) struct QuoteMailRequest {
    /// To whom it is mailed.
    #[validate(length(max = 254))]
    #[schema(format = Email, max_length = 254)]
    email: String,
    /// The move, as it would be booked. What is agreed to is not looked at.
    #[validate(nested)]
    booking_request: BookingDraft,
    /// The draft as the client keeps it, an object as JSON: it comes back with the link as it was sent.
    #[validate(length(max = 60_000))]
    #[schema(max_length = 60000)]
    draft: String,
}

/// A quote that is mailed. Its link is in the mail alone.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MailedQuote {
    sent_to: String,
    /// With tax.
    total: Cash,
    currency: &'static str,
    /// When the price stops holding.
    valid_until: DateTime<Utc>,
    /// Zone of the move.
    zone: String,
    /// Whoever has this address asked for no more quotes by mail: nothing is sent.
    withheld: bool,
}

impl From<&Saved> for MailedQuote {
    fn from(saved: &Saved) -> MailedQuote {
        let q = &saved.quote;
        MailedQuote {
            sent_to: q.email.as_str().to_owned(),
            total: q.total.into(),
            currency: "CAD",
            valid_until: q.valid_until,
            zone: q.zone.to_string(),
            withheld: saved.withheld,
        }
    }
}

/// What whoever holds the link is shown.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SavedQuotePage {
    #[schema(value_type = SavedQuoteStateCode)]
    state: &'static str,
    /// With tax. It holds while `state` is `open`.
    total: Cash,
    currency: &'static str,
    /// When the price stops holding.
    valid_until: DateTime<Utc>,
    /// When it was mailed.
    made_at: DateTime<Utc>,
    /// Local day of the move.
    #[schema(value_type = String, format = Date)]
    date: NaiveDate,
    time: HourMinute,
    zone: String,
    /// Municipality of the pickup.
    from: String,
    /// Municipality of the drop-off.
    to: String,
    #[schema(value_type = LanguageCode)]
    language: kernel::Language,
    /// The draft as it was sent.
    draft: String,
}

impl From<Page> for SavedQuotePage {
    fn from(p: Page) -> SavedQuotePage {
        let q = p.quote;
        SavedQuotePage {
            state: p.state.code(),
            total: q.total.into(),
            currency: "CAD",
            valid_until: q.valid_until,
            made_at: q.made_at,
            date: q.move_date,
            time: HourMinute(q.move_time),
            zone: q.zone.to_string(),
            from: q.from_city,
            to: q.to_city,
            language: q.language,
            draft: q.draft,
        }
    }
}

async fn mail(
    state: web::Data<State>,
    who: Who,
    guest: Guest,
    key: IdempotencyKey,
    body: ValidJson<QuoteMailRequest>,
) -> Reply<WithGuest<Once<MailedQuote, 201>>, (RuleRefusal, QuoteRefusal)> {
    let render = |saved: &Saved| MailedQuote::from(saved);
    let request = guest.request(key, "POST /api/quotes", &body.body_hash());
    let guard = Once::<_, 201>::guarded(request, render);
    let QuoteMailRequest { email, booking_request, draft } = body.value;
    let to: Email = email.trim().parse().map_err(|_| CommonError::field("email", FieldProblem::Invalid))?;
    let wish = NewSavedQuote { to, draft: booking_request.draft()?, kept: draft };
    let done = saved::save(&state.services, &who.0, wish, guard).await?;
    Ok(WithGuest(guest, Once::of(done, render)?))
}

async fn look(state: web::Data<State>, id: PathId<QuoteToken>) -> Reply<Json<SavedQuotePage>> {
    Ok(Json(saved::look(&state.services, &id.0.0).await?.into()))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::post("/api/quotes", Access::Public, Audit::Action("quote.save"), mail)
            .limited(LimitClass::Guest)
            .doc("mailQuote", "Estimates", "Mail a quote to somebody, with a link back to it")
            .about("The link leads back to the draft. Its price holds for a week, until the move begins or until its code can be used no more, whichever comes first, and for exactly this move. No time is kept for it. Five a day to an address, twenty from a network.")
            .example(Example::json(json!({
                "email": "guest@portage.test",
                "bookingRequest": examples::draft("2027-03-16"),
                "draft": "{\"mateCount\":2}"
            }))),
        Route::get("/api/quotes/{id}", Access::Public, look)
            .relation(Relation::WhoeverHasTheLink)
            .limited(LimitClass::Guest)
            .doc("savedQuote", "Estimates", "What the link of a mailed quote leads to")
            .about("A link whose price has lapsed says so for a month; after that it is unknown."),
    ]
}
