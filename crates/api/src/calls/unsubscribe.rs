//! Stopping commercial e-mail by the link of such a mail, without signing in.

use std::{future::Future, pin::Pin};

use actix_web::{FromRequest, HttpRequest, dev::Payload, web};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    ports::mail_wishes::WishWay,
    unsubscribe::{self, Page},
};
use utoipa::ToSchema;
use validator::Validate;

use super::{
    links::secrets,
    replies::{Json, NoContent, Redirect, Reply},
    values::LanguageCode,
};
use crate::{
    access::Who,
    contract::{Contract, Declares, Record},
    endpoint::{Access, Audit, Example, Relation, Route},
    http::{
        ApiError, PathId, ValidJson,
        body::read,
        media::{media_type, wrong_media},
    },
    limits::LimitClass,
    state::State,
};

const TAG: &str = "Account";
/// How mail programs send the form; RFC 8058 lets them do either.
const FORMS: [&str; 2] = ["application/x-www-form-urlencoded", "multipart/form-data"];

secrets! {
    MailToken: Record::UnsubscribeLink,
}

/// What whoever holds the link is shown.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UnsubscribePage {
    /// The address, enough of it to be recognised.
    address: String,
    /// Such mail is not sent.
    stopped: bool,
    /// Who sends it.
    company: String,
    #[schema(value_type = LanguageCode)]
    language: kernel::Language,
}

impl From<Page> for UnsubscribePage {
    fn from(p: Page) -> UnsubscribePage {
        UnsubscribePage { address: p.email.masked(), stopped: p.is_stopped, company: p.company, language: p.language }
    }
}

/// What `POST /api/unsubscribe/{id}` takes.
#[derive(Debug, Deserialize, ToSchema, Validate)]
struct UnsubscribeRequest {
    /// True: no such mail any more. False: such mail again.
    stop: bool,
}

/// What a mail program sends by itself (RFC 8058).
#[derive(Deserialize, ToSchema)]
#[allow(dead_code, reason = "documentation of the form: it is read as it was sent")]
struct OneClickForm {
    /// `One-Click`.
    #[serde(rename = "List-Unsubscribe")]
    #[schema(max_length = 20)]
    list_unsubscribe: String,
}

/// The form of a mail program, in either of its two ways.
struct OneClick;

impl FromRequest for OneClick {
    type Error = ApiError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ApiError>>>>;

    fn from_request(req: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (req, payload) = (req.clone(), payload.take());
        Box::pin(async move {
            if !media_type(&req).is_some_and(|media| FORMS.contains(&media.as_str())) {
                return Err(wrong_media(FORMS[0]));
            }
            let body = read(req, payload).await?;
            // One name and one value: whether they stand in a query or in parts, they are there as they are.
            let said = String::from_utf8_lossy(&body);
            if said.contains("List-Unsubscribe") && said.contains("One-Click") {
                Ok(OneClick)
            } else {
                Err(ApiError::malformed("List-Unsubscribe=One-Click is needed"))
            }
        })
    }
}

impl Declares for OneClick {
    fn declare(contract: &mut Contract) {
        contract.reads::<OneClickForm>(FORMS[0]);
    }
}

async fn look(state: web::Data<State>, id: PathId<MailToken>) -> Reply<Json<UnsubscribePage>> {
    Ok(Json(unsubscribe::look(&state.services, id.0.0).await?.into()))
}

async fn say(
    state: web::Data<State>,
    who: Who,
    id: PathId<MailToken>,
    body: ValidJson<UnsubscribeRequest>,
) -> Reply<Json<UnsubscribePage>> {
    let said = unsubscribe::say(&state.services, &who.0, id.0.0, body.value.stop, WishWay::Page).await?;
    Ok(Json(said.into()))
}

async fn one_click(state: web::Data<State>, who: Who, id: PathId<MailToken>, _: OneClick) -> Reply<NoContent> {
    unsubscribe::say(&state.services, &who.0, id.0.0, true, WishWay::OneClick).await?;
    Ok(NoContent)
}

/// A mail program that only opens the address shows the page.
async fn opened(state: web::Data<State>, id: PathId<MailToken>) -> Reply<Redirect> {
    let token = id.0.0;
    let page = unsubscribe::look(&state.services, token.clone()).await?;
    Ok(Redirect(format!("/unsubscribe/{token}?lang={}", page.language)))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    vec![
        Route::get("/api/unsubscribe/{id}", Access::Public, look)
            .relation(Relation::WhoeverHasTheLink)
            .limited(LimitClass::Guest)
            .doc("unsubscribePage", TAG, "Whose commercial mail a link stops, and whether it is stopped"),
        Route::post("/api/unsubscribe/{id}", Access::Public, Audit::Action("mail.unsubscribe"), say)
            .relation(Relation::WhoeverHasTheLink)
            .limited(LimitClass::Guest)
            .doc("unsubscribe", TAG, "Stop commercial mail to the address of a link, or have it sent again")
            .about("What a booking, a payment or an account needs is mailed all the same.")
            .example(Example::json(json!({ "stop": true }))),
        Route::get("/api/unsubscribe/{id}/one-click", Access::Public, opened)
            .relation(Relation::WhoeverHasTheLink)
            .limited(LimitClass::Guest)
            .doc(
                "unsubscribeOpened",
                TAG,
                "The address of `List-Unsubscribe`, opened: on to the page; nothing is changed",
            ),
        Route::post("/api/unsubscribe/{id}/one-click", Access::Public, Audit::Action("mail.unsubscribe"), one_click)
            .relation(Relation::WhoeverHasTheLink)
            .limited(LimitClass::Guest)
            .doc("unsubscribeByOneClick", TAG, "The same by the button of a mail program (RFC 8058)")
            .example(Example::form(&[("List-Unsubscribe", "One-Click")])),
    ]
}
