//! What the text service tells by itself: what became of a text, and what people write to our number. Whoever knows the address may call; what
//! counts is the signature, over the address as it was told to the service and over everything that was sent.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, HttpResponse, dev::Payload, web};
use serde::Deserialize;
use serde_json::json;
use service::sms::{self, Report, wishes};
use utoipa::ToSchema;

use super::replies::{Made, Reply, made};
use crate::{
    contract::{CommonError, Contract, DeclaredAnswer, Declares, Param, refusals},
    endpoint::{Access, Audit, Example, Route},
    http::{ApiError, HttpCode, ValidQuery, body::Form},
    limits::LimitClass,
    pages::escape,
    state::State,
};

refusals! {
    /// Why a call is not taken.
    TextCallRefusal { Http: PathNotFound; Rule: Forbidden }
}

made! {
    /// What is said to whoever wrote; empty: nothing.
    TwimlReply: DeclaredAnswer::plain(200, "TwiML: what is answered to whoever wrote, or nothing.", "text/xml");
}

const PATH: &str = "/api/webhooks/twilio";
const HEADER: &str = "X-Twilio-Signature";

/// The signature of the service; empty when there is none.
struct Signature(String);

impl FromRequest for Signature {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let header = req.headers().get(HEADER).and_then(|value| value.to_str().ok());
        ready(Ok(Signature(header.unwrap_or_default().to_owned())))
    }
}

impl Declares for Signature {
    fn declare(contract: &mut Contract) {
        contract.params.push(Param {
            name: HEADER.to_owned(),
            place: "header",
            required: true,
            description: "HMAC-SHA1 of the address and of every parameter, in base64.".to_owned(),
            schema: json!({ "type": "string", "maxLength": 100 }),
        });
    }
}

/// What we asked the service to report with.
#[derive(Deserialize, ToSchema)]
struct ReportQuery {
    /// Which handing over.
    #[schema(max_length = 36)]
    send: Option<String>,
}

/// A call of the service. It sends more than this, and new parameters without notice: all of them are signed.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
#[allow(dead_code, reason = "documentation of the form: every parameter is read by its name")]
struct TwilioForm {
    /// The service's name of the text.
    #[schema(max_length = 34)]
    message_sid: String,
    /// What became of it; none when somebody wrote to us.
    #[schema(max_length = 40)]
    message_status: Option<String>,
    /// Why it did not arrive.
    #[schema(max_length = 10)]
    error_code: Option<String>,
    /// Whose number wrote.
    #[schema(max_length = 40)]
    from: Option<String>,
    /// What they wrote.
    #[schema(max_length = 1600)]
    body: Option<String>,
    /// `STOP`, `START`, `HELP`: the service understood it by itself.
    #[schema(max_length = 10)]
    opt_out_type: Option<String>,
}

/// Characters of what is read: the bounds of the form above.
const BOUNDS: [(&str, usize); 6] =
    [("MessageSid", 34), ("MessageStatus", 40), ("ErrorCode", 10), ("From", 40), ("Body", 1600), ("OptOutType", 10)];

async fn twilio(
    req: HttpRequest,
    state: web::Data<State>,
    signature: Signature,
    query: ValidQuery<ReportQuery>,
    form: Form<TwilioForm>,
) -> Reply<Made<TwimlReply>, TextCallRefusal> {
    let malformed = |_| CommonError::malformed("the form cannot be read");
    let pairs = web::Query::<Vec<(String, String)>>::from_query(&form.text).map_err(malformed)?.into_inner();
    for (name, value) in &pairs {
        if BOUNDS.iter().any(|(bounded, most)| bounded == name && value.chars().count() > *most) {
            return Err(CommonError::malformed("a parameter is longer than the service makes it").into());
        }
    }
    let s = &state.services;
    if s.texter.is_none() {
        return Err(TextCallRefusal::PathNotFound.into());
    }
    // The address as the service was told it: what a proxy made of it is in no header that could be believed.
    let asked = req.query_string();
    let mark = if asked.is_empty() { "" } else { "?" };
    sms::prove(s, &format!("{}{PATH}{mark}{asked}", s.public_url()), &pairs, &signature.0)?;
    let field = |name: &str| pairs.iter().find(|(n, _)| n == name).map(|(_, value)| value.clone());
    let sid = field("MessageSid").or_else(|| field("SmsSid")).unwrap_or_default();
    let answer = match field("MessageStatus") {
        Some(status) => {
            let send = query.value.send.and_then(|id| id.parse().ok());
            let error_code = field("ErrorCode").and_then(|code| code.trim().parse().ok());
            sms::reported(s, Report { send, sid, status, error_code }).await?;
            None
        }
        None => {
            let (from, body) = (field("From").unwrap_or_default(), field("Body").unwrap_or_default());
            wishes::written(s, wishes::Written { sid, from, body, opt_out: field("OptOutType") }).await?
        }
    };
    let message = answer.map(|text| format!("<Message>{}</Message>", escape(&text))).unwrap_or_default();
    let xml = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?><Response>{message}</Response>");
    Ok(Made::new(HttpResponse::Ok().content_type("text/xml; charset=utf-8").body(xml)))
}

/// Its part of the table.
pub fn routes() -> Vec<Route> {
    // The tests' installation has no texts, save where they are what is tested.
    let example = Example {
        refused: Some(HttpCode::PathNotFound),
        ..Example::form(&[("MessageSid", "SM0123456789abcdef0123456789abcdef"), ("MessageStatus", "delivered")])
    };
    vec![
        Route::post(PATH, Access::Public, Audit::Unrecorded, twilio)
            .limited(LimitClass::Guest)
            .doc(
                "twilioWebhook",
                "Webhooks",
                "The text service tells what became of a text, or what somebody wrote to us",
            )
            .about("While texts are off, this path does not exist.")
            .example(example),
    ]
}
