//! Outside services, with each call counted: what an operator's graphs and alerts are made of.

use std::{sync::Arc, time::Instant};

use async_trait::async_trait;
use kernel::{
    Coordinates, E164, Language,
    chrono::{DateTime, Utc},
    without_addresses,
};
use service::jobs::Lane;
use service::ports::{
    mail::{Accepted, MailError, Mailer, OutgoingMail},
    maps::{Maps, MapsError, PlaceSuggestion, Route},
    payments::{
        ChargeOutcome, ChargeRequest, GatewayDispute, GatewayError, GatewayTransaction, NewCustomer, Notification,
        NotificationRefused, PaymentGateway, RefundOutcome, RefundRequest, VaultOutcome,
    },
    sms::{KnownSms, OutgoingSms, Reason, SmsError, Texter},
};

/// What a call may end with, by operation: what is counted below.
const GATEWAY: [(&str, &[&str]); 7] = [
    ("client_token", &["done"]),
    ("create_customer", &["done"]),
    ("vault", &["done", "declined"]),
    ("charge", &["done", "declined"]),
    ("find", &["done"]),
    ("refund", &["done", "declined", "not_settled"]),
    ("list", &["done"]),
];
const GATEWAY_FAILED: [&str; 3] = ["rejected", "unknown", "failed"];
const MAPS: [&str; 3] = ["search", "reverse", "route"];
const MAPS_RESULTS: [&str; 4] = ["done", "no_route", "failed", "misconfigured"];
const TEXT_RESULTS: [&str; 5] = ["sent", "later", "unknown", "refused", "misconfigured"];
const MAIL_RESULTS: [&str; 5] = ["sent", "later", "unknown", "refused", "misconfigured"];

/// Every counter stands at 0 from the start: one that appears with its first event has no increase that an alarm could
/// see.
pub fn begin() {
    for result in MAIL_RESULTS {
        metrics::counter!("portage_mails_total", "result" => result).increment(0);
    }
    for result in TEXT_RESULTS {
        metrics::counter!("portage_texts_total", "result" => result).increment(0);
    }
    for (operation, results) in GATEWAY {
        for result in results.iter().copied().chain(GATEWAY_FAILED) {
            metrics::counter!("portage_gateway_calls_total", "operation" => operation, "result" => result).increment(0);
        }
    }
    for operation in MAPS {
        for result in MAPS_RESULTS {
            metrics::counter!("portage_maps_calls_total", "operation" => operation, "result" => result).increment(0);
        }
    }
    for lane in Lane::ALL {
        metrics::counter!("portage_job_loops_restarted_total", "lane" => lane.code()).increment(0);
    }
}

/// What a gateway says may name a customer; what it says is logged and stored.
fn gateway_masked(e: GatewayError) -> GatewayError {
    let masked = |text: String| without_addresses(&text);
    match e {
        GatewayError::Rejected { code, message } => GatewayError::Rejected { code, message: masked(message) },
        GatewayError::Unknown(why) => GatewayError::Unknown(masked(why)),
        GatewayError::Unavailable(why) => GatewayError::Unavailable(masked(why)),
        GatewayError::Misconfigured(why) => GatewayError::Misconfigured(masked(why)),
        other @ (GatewayError::RateLimited | GatewayError::NotFound) => other,
    }
}

fn maps_masked(e: MapsError) -> MapsError {
    match e {
        MapsError::Unavailable(why) => MapsError::Unavailable(without_addresses(&why)),
        MapsError::Misconfigured(why) => MapsError::Misconfigured(without_addresses(&why)),
        MapsError::NoRoute => MapsError::NoRoute,
    }
}

/// A service whose calls are counted.
pub struct Observed<T: ?Sized>(pub Arc<T>);

#[async_trait]
impl Mailer for Observed<dyn Mailer> {
    async fn send(&self, mail: &OutgoingMail) -> Result<Accepted, MailError> {
        let told = self.0.send(mail).await;
        let result = match &told {
            Ok(_) => "sent",
            Err(MailError::Transient(_)) => "later",
            Err(MailError::Unknown(_)) => "unknown",
            Err(MailError::Permanent(_)) => "refused",
            Err(MailError::Misconfigured(_)) => "misconfigured",
        };
        metrics::counter!("portage_mails_total", "result" => result).increment(1);
        told
    }

    fn replaces(&self) -> bool {
        self.0.replaces()
    }
}

/// Counts a call of the gateway and times it.
async fn paid<T>(
    operation: &'static str,
    result: impl FnOnce(&T) -> &'static str,
    call: impl Future<Output = Result<T, GatewayError>>,
) -> Result<T, GatewayError> {
    let began = Instant::now();
    let told = call.await;
    let result = match &told {
        Ok(value) => result(value),
        Err(GatewayError::Rejected { .. }) => "rejected",
        Err(GatewayError::Unknown(_)) => "unknown",
        Err(_) => "failed",
    };
    metrics::counter!("portage_gateway_calls_total", "operation" => operation, "result" => result).increment(1);
    metrics::histogram!("portage_gateway_call_seconds", "operation" => operation).record(began.elapsed().as_secs_f64());
    told.map_err(gateway_masked)
}

fn done<T>(_: &T) -> &'static str {
    "done"
}

#[async_trait]
impl PaymentGateway for Observed<dyn PaymentGateway> {
    async fn client_token(&self, customer: Option<&str>) -> Result<String, GatewayError> {
        paid("client_token", done, self.0.client_token(customer)).await
    }

    async fn create_customer(&self, customer: &NewCustomer) -> Result<String, GatewayError> {
        paid("create_customer", done, self.0.create_customer(customer)).await
    }

    async fn vault(&self, customer: &str, nonce: &str) -> Result<VaultOutcome, GatewayError> {
        let result = |told: &VaultOutcome| match told {
            VaultOutcome::Stored(_) => "done",
            VaultOutcome::Refused { .. } => "declined",
        };
        paid("vault", result, self.0.vault(customer, nonce)).await
    }

    async fn charge(&self, request: &ChargeRequest) -> Result<ChargeOutcome, GatewayError> {
        let result = |told: &ChargeOutcome| match told {
            ChargeOutcome::Captured { .. } => "done",
            ChargeOutcome::Declined { .. } => "declined",
        };
        paid("charge", result, self.0.charge(request)).await
    }

    async fn find_by_order(&self, order_id: &str) -> Result<Vec<GatewayTransaction>, GatewayError> {
        paid("find", done, self.0.find_by_order(order_id)).await
    }

    async fn disputes(&self, order_id: &str) -> Result<Vec<GatewayDispute>, GatewayError> {
        paid("disputes", done, self.0.disputes(order_id)).await
    }

    async fn refund(&self, request: &RefundRequest) -> Result<RefundOutcome, GatewayError> {
        let result = |told: &RefundOutcome| match told {
            RefundOutcome::Refunded { .. } | RefundOutcome::Voided { .. } => "done",
            RefundOutcome::NotSettledYet => "not_settled",
            RefundOutcome::Refused { .. } => "declined",
        };
        paid("refund", result, self.0.refund(request)).await
    }

    async fn list(&self, from: DateTime<Utc>, until: DateTime<Utc>) -> Result<Vec<GatewayTransaction>, GatewayError> {
        paid("list", done, self.0.list(from, until)).await
    }

    fn silent_before(&self, wall_now: DateTime<Utc>) -> DateTime<Utc> {
        self.0.silent_before(wall_now)
    }

    fn notification(&self, signature: &str, payload: &str) -> Result<Notification, NotificationRefused> {
        self.0.notification(signature, payload)
    }

    fn answer_challenge(&self, challenge: &str) -> Option<String> {
        self.0.answer_challenge(challenge)
    }
}

/// Counts a call of the maps service.
async fn looked<T>(operation: &'static str, call: impl Future<Output = Result<T, MapsError>>) -> Result<T, MapsError> {
    let told = call.await;
    let result = match &told {
        Ok(_) => "done",
        Err(MapsError::NoRoute) => "no_route",
        Err(MapsError::Unavailable(_)) => "failed",
        Err(MapsError::Misconfigured(_)) => "misconfigured",
    };
    metrics::counter!("portage_maps_calls_total", "operation" => operation, "result" => result).increment(1);
    told.map_err(maps_masked)
}

#[async_trait]
impl Maps for Observed<dyn Maps> {
    async fn search(
        &self,
        query: &str,
        language: Language,
        near: Coordinates,
    ) -> Result<Vec<PlaceSuggestion>, MapsError> {
        looked("search", self.0.search(query, language, near)).await
    }

    async fn reverse(&self, at: Coordinates, language: Language) -> Result<Option<PlaceSuggestion>, MapsError> {
        looked("reverse", self.0.reverse(at, language)).await
    }

    async fn route(&self, from: Coordinates, to: Coordinates) -> Result<Route, MapsError> {
        looked("route", self.0.route(from, to)).await
    }
}

#[async_trait]
impl Texter for Observed<dyn Texter> {
    async fn send(&self, sms: &OutgoingSms) -> Result<KnownSms, SmsError> {
        let told = self.0.send(sms).await;
        let result = match &told {
            Ok(_) => "sent",
            Err(SmsError::NotTaken { .. }) => "later",
            Err(SmsError::Unknown(_)) => "unknown",
            Err(SmsError::Refused { .. }) => "refused",
            Err(SmsError::Misconfigured(_)) => "misconfigured",
        };
        metrics::counter!("portage_texts_total", "result" => result).increment(1);
        told
    }

    async fn sent_to(&self, to: &E164, since: DateTime<Utc>) -> Result<Vec<KnownSms>, SmsError> {
        self.0.sent_to(to, since).await
    }

    async fn read(&self, sid: &str) -> Result<Option<KnownSms>, SmsError> {
        self.0.read(sid).await
    }

    fn signed(&self, url: &str, parameters: &[(String, String)], signature: &str) -> bool {
        self.0.signed(url, parameters, signature)
    }

    fn reason(&self, error_code: i32) -> Reason {
        self.0.reason(error_code)
    }
}
