//! Ports that no use case of accounts should call, and the services around them.

use std::sync::Arc;

use async_trait::async_trait;
use kernel::{
    Coordinates, Language,
    chrono::{DateTime, Utc},
};
use service::{
    Company, Defaults, Mode, Services,
    ports::{
        Clock, Entropy, Store,
        mail::{Accepted, MailError, Mailer, OutgoingMail},
        maps::{Maps, MapsError, PlaceSuggestion, Route},
        payments::{
            ChargeOutcome, ChargeRequest, GatewayDispute, GatewayError, GatewayTransaction, NewCustomer,
            PaymentGateway, RefundOutcome, RefundRequest, VaultOutcome,
        },
    },
};

use crate::testing::SITE;

/// Answers nobody.
struct Nobody;

type Gateway<T> = Result<T, GatewayError>;

fn unknown<T>() -> Gateway<T> {
    Err(GatewayError::Unknown("nobody is there".into()))
}

#[async_trait]
impl PaymentGateway for Nobody {
    async fn client_token(&self, _: Option<&str>) -> Gateway<String> {
        unknown()
    }
    async fn create_customer(&self, _: &NewCustomer) -> Gateway<String> {
        unknown()
    }
    async fn vault(&self, _: &str, _: &str) -> Gateway<VaultOutcome> {
        unknown()
    }
    async fn charge(&self, _: &ChargeRequest) -> Gateway<ChargeOutcome> {
        unknown()
    }
    async fn find_by_order(&self, _: &str) -> Gateway<Vec<GatewayTransaction>> {
        unknown()
    }
    async fn disputes(&self, _: &str) -> Gateway<Vec<GatewayDispute>> {
        unknown()
    }
    async fn refund(&self, _: &RefundRequest) -> Gateway<RefundOutcome> {
        unknown()
    }
    async fn list(&self, _: DateTime<Utc>, _: DateTime<Utc>) -> Gateway<Vec<GatewayTransaction>> {
        unknown()
    }
    fn silent_before(&self, wall_now: DateTime<Utc>) -> DateTime<Utc> {
        wall_now
    }
}

#[async_trait]
impl Mailer for Nobody {
    async fn send(&self, _: &OutgoingMail) -> Result<Accepted, MailError> {
        Err(MailError::Transient("nobody is there".into()))
    }
}

#[async_trait]
impl Maps for Nobody {
    async fn search(&self, _: &str, _: Language, _: Coordinates) -> Result<Vec<PlaceSuggestion>, MapsError> {
        Err(MapsError::Unavailable("nobody is there".into()))
    }
    async fn reverse(&self, _: Coordinates, _: Language) -> Result<Option<PlaceSuggestion>, MapsError> {
        Err(MapsError::Unavailable("nobody is there".into()))
    }
    async fn route(&self, _: Coordinates, _: Coordinates) -> Result<Route, MapsError> {
        Err(MapsError::Unavailable("nobody is there".into()))
    }
}

/// What the use cases of the company (roles, closed accounts) are given.
pub(super) fn services(
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    wall: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
) -> Services {
    let text = str::to_owned;
    Services {
        store,
        clock,
        wall,
        entropy,
        gateway: Arc::new(Nobody),
        maps: Arc::new(Nobody),
        mailer: Arc::new(Nobody),
        mail_gate: Arc::default(),
        texter: None,
        text_gate: Arc::default(),
        defaults: Defaults {
            company: Company {
                name: text("Portage"),
                address: text("1 rue du Test, Montréal"),
                support_email: text("help@portage.test"),
                support_phone: text("514 555-0100"),
                public_url: text(SITE),
                ..Company::default()
            },
            ..Defaults::default()
        },
        settings: Arc::default(),
        mode: Mode::Production,
        rates: Arc::default(),
        rooms: Arc::default(),
        bell: Arc::default(),
    }
}
