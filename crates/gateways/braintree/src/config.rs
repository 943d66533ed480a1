//! The client's settings, and which of them it refuses.

use std::time::Duration;

use reqwest::Url;
use secrecy::{ExposeSecret as _, SecretString};
use service::ports::payments::GatewayError;

/// The API version every request names: without it the gateway answers in its oldest dialect.
pub const PINNED_VERSION: &str = "2019-01-01";

const PRODUCTION_HOST: &str = "payments.braintree-api.com";
const SANDBOX_HOST: &str = "payments.sandbox.braintree-api.com";

/// Which gateway the keys belong to. The keys themselves do not show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Environment {
    /// The simulator of this crate, over HTTP.
    Simulator,
    /// Braintree's sandbox.
    Sandbox,
    /// Real money.
    Production,
}

/// Settings of the client. `Debug` never shows the private key.
#[derive(Debug, Clone)]
pub struct Config {
    /// The one GraphQL URL.
    pub endpoint: String,
    /// First half of the credentials.
    pub public_key: String,
    /// Second half.
    pub private_key: SecretString,
    /// Decides the currency of every charge: it must settle in Canadian dollars.
    pub merchant_account_id: String,
    /// Which gateway this is.
    pub environment: Environment,
    /// Send the order id as `apiRequestKey` with every movement of money. Braintree's own duplicate
    /// check is replaced by it, so turn it on only where the account is known to have the feature.
    pub api_request_key: bool,
    /// How long calls may take.
    pub timeouts: Timeouts,
}

/// How long calls may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// To open a connection.
    pub connect: Duration,
    /// A whole call that moves money or writes to the vault; never below the gateway's own 60 s in production.
    pub money: Duration,
    /// A whole call that only reads.
    pub read: Duration,
}

impl Timeouts {
    /// What the gateway's own libraries wait for a call that moves money.
    pub const USUAL: Duration = Duration::from_secs(60);

    /// With this limit for calls that move money; connecting and reading wait their usual times, but
    /// no longer than that. A page of a search gets three seconds at least: it moves nothing, so that
    /// nothing is decided by how long it takes.
    pub fn of_money(money: Duration) -> Timeouts {
        let read = money.clamp(Duration::from_secs(3), Duration::from_secs(15));
        Timeouts { connect: money.min(Duration::from_secs(5)), money, read }
    }
}

impl Default for Timeouts {
    fn default() -> Self {
        Timeouts::of_money(Timeouts::USUAL)
    }
}

fn misconfigured(why: &str) -> GatewayError {
    GatewayError::Misconfigured(why.to_owned())
}

impl Config {
    /// The endpoint, once everything has been checked.
    pub(crate) fn checked_endpoint(&self) -> Result<Url, GatewayError> {
        let url = Url::parse(&self.endpoint).map_err(|_| misconfigured("the payment endpoint is not a URL"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(misconfigured("the payment endpoint must be http or https"));
        }
        for (value, what) in [
            (self.public_key.as_str(), "the payment public key is empty"),
            (self.private_key.expose_secret(), "the payment private key is empty"),
            (self.merchant_account_id.as_str(), "the merchant account id is empty"),
        ] {
            if value.trim().is_empty() {
                return Err(misconfigured(what));
            }
        }
        if self.public_key.contains(':') {
            return Err(misconfigured("the payment public key must not contain a colon"));
        }
        let host = url.host_str().unwrap_or_default();
        let fits = match self.environment {
            Environment::Production => host != SANDBOX_HOST && url.scheme() == "https",
            Environment::Sandbox => host != PRODUCTION_HOST && url.scheme() == "https",
            Environment::Simulator => host != PRODUCTION_HOST && host != SANDBOX_HOST,
        };
        if fits {
            Ok(url)
        } else {
            Err(misconfigured("the payment endpoint does not belong to the payment environment"))
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn config(endpoint: &str, environment: Environment) -> Config {
        Config {
            endpoint: endpoint.to_owned(),
            public_key: "public".to_owned(),
            private_key: "hush-hush".to_owned().into(),
            merchant_account_id: "portage_cad".to_owned(),
            environment,
            api_request_key: false,
            timeouts: Timeouts::default(),
        }
    }

    #[test]
    fn an_endpoint_must_belong_to_its_environment() {
        use Environment::*;
        let production = "https://payments.braintree-api.com/graphql";
        let sandbox = "https://payments.sandbox.braintree-api.com/graphql";
        let local = "http://127.0.0.1:9/simulators/braintree/graphql";
        for (url, environment, fits) in [
            (production, Production, true),
            (production, Sandbox, false),
            (production, Simulator, false),
            (sandbox, Sandbox, true),
            (sandbox, Production, false),
            (sandbox, Simulator, false),
            (local, Simulator, true),
            (local, Sandbox, false),
            (local, Production, false),
            ("file:///etc", Simulator, false),
            ("nonsense", Simulator, false),
        ] {
            assert_eq!(config(url, environment).checked_endpoint().is_ok(), fits, "{url} {environment:?}");
        }
    }

    #[test]
    fn keys_are_required_and_never_printed() {
        let good = config("http://127.0.0.1:9/", Environment::Simulator);
        assert!(!format!("{good:?}").contains("hush"));
        for spoil in [
            |c: &mut Config| c.public_key = " ".to_owned(),
            |c: &mut Config| c.public_key = "a:b".to_owned(),
            |c: &mut Config| c.private_key = String::new().into(),
            |c: &mut Config| c.merchant_account_id = String::new(),
        ] {
            let mut bad = good.clone();
            spoil(&mut bad);
            assert!(matches!(bad.checked_endpoint(), Err(GatewayError::Misconfigured(_))));
        }
    }
}
