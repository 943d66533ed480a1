//! The simulator behind a real HTTP server on loopback, as the server program mounts it.
#![allow(dead_code, missing_docs)]

use std::{
    path::PathBuf,
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, http::StatusCode, web};
use braintree::simulator::{SimReply, SimRequest, Simulator};
use braintree::{BraintreeGateway, Config, Environment, Timeouts};
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use service::ports::payments::{
    ChargeRequest, Initiator, NewCustomer, PaymentGateway as _, RefundRequest, VaultOutcome,
};

/// Seconds since 1970 of the simulated present.
pub type Now = Arc<AtomicI64>;

pub struct House {
    pub url: String,
    pub now: Now,
    pub file: PathBuf,
    simulator: Arc<Mutex<Option<Arc<Simulator>>>>,
    _dir: tempfile::TempDir,
}

pub fn instant(now: &Now) -> DateTime<Utc> {
    DateTime::from_timestamp(now.load(Ordering::SeqCst), 0).unwrap()
}

pub fn open(file: &PathBuf, now: &Now) -> Simulator {
    let now = Arc::clone(now);
    Simulator::open(file, Arc::new(move || instant(&now))).unwrap()
}

async fn serve_one(
    simulator: web::Data<Mutex<Option<Arc<Simulator>>>>,
    path: web::Path<String>,
    request: HttpRequest,
    body: web::Bytes,
) -> HttpResponse {
    let Some(simulator) = simulator.lock().unwrap().clone() else {
        return HttpResponse::ServiceUnavailable().finish();
    };
    let text = |name: &str| request.headers().get(name).and_then(|v| v.to_str().ok()).map(str::to_owned);
    let reply: SimReply = simulator
        .call(SimRequest {
            method: request.method().to_string(),
            path: path.into_inner(),
            query: request.query_string().to_owned(),
            authorization: text("authorization"),
            version: text("braintree-version"),
            body: body.to_vec(),
        })
        .await;
    if reply.drop_connection {
        let broken = futures_util::stream::iter([Err::<web::Bytes, _>(std::io::Error::other("dropped on purpose"))]);
        return HttpResponse::Ok().streaming(broken);
    }
    HttpResponse::build(StatusCode::from_u16(reply.status).unwrap()).content_type(reply.content_type).body(reply.body)
}

impl House {
    pub async fn start() -> House {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("braintree.jsonl");
        let now: Now = Arc::new(AtomicI64::new(1_800_000_000));
        let simulator = Arc::new(Mutex::new(Some(Arc::new(open(&file, &now)))));
        let data = web::Data::from(Arc::clone(&simulator));
        let server = HttpServer::new(move || {
            App::new().app_data(data.clone()).route("/simulators/braintree/{path:.*}", web::to(serve_one))
        })
        .workers(2)
        .disable_signals()
        .bind("127.0.0.1:0")
        .unwrap();
        let url = format!("http://{}/simulators/braintree", server.addrs()[0]);
        tokio::spawn(server.run());
        House { url, now, file, simulator, _dir: dir }
    }

    /// The gateway goes away as if killed, and comes back on the same file.
    pub fn restart(&self) {
        self.stop();
        *self.simulator.lock().unwrap() = Some(Arc::new(open(&self.file, &self.now)));
    }

    pub fn stop(&self) {
        let taken = self.simulator.lock().unwrap().take().unwrap();
        // Requests have been answered; wait for their threads to let go.
        let mut taken = taken;
        while let Err(still) = Arc::try_unwrap(taken) {
            taken = still;
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    pub fn simulator(&self) -> Arc<Simulator> {
        self.simulator.lock().unwrap().clone().unwrap()
    }

    pub fn later(&self, seconds: i64) {
        self.now.fetch_add(seconds, Ordering::SeqCst);
    }

    pub fn client(&self) -> BraintreeGateway {
        client(&format!("{}/graphql", self.url), false)
    }

    pub fn client_with_keys(&self) -> BraintreeGateway {
        client(&format!("{}/graphql", self.url), true)
    }

    pub fn ask(&self, method: &str, path: &str, query: &str, body: Value) -> (u16, Value) {
        let reply = self.simulator().dispatch(method, path, query, &|_| None, body.to_string().as_bytes());
        (reply.status, serde_json::from_slice(&reply.body).unwrap())
    }

    /// `POST control`, which must be taken.
    pub fn control(&self, body: Value) -> Value {
        let (status, answer) = self.ask("POST", "control", "", body);
        assert_eq!(status, 200, "{answer}");
        answer
    }

    /// The rows of `GET transactions` of an order.
    pub fn rows(&self, order: &str) -> Vec<Value> {
        let (status, body) = self.ask("GET", "transactions", &format!("orderId={order}"), Value::Null);
        assert_eq!(status, 200);
        body["data"].as_array().unwrap().clone()
    }

    pub fn queue(&self, outcomes: &[&str]) {
        let (status, body) = self.ask("POST", "control", "", json!({ "outcomes": outcomes }));
        assert_eq!(status, 200, "{body}");
    }

    pub fn queue_for(&self, operation: &str, outcome: &str) {
        let (status, body) = self.ask("POST", "control", "", json!({ "outcome": outcome, "operation": operation }));
        assert_eq!(status, 200, "{body}");
    }

    /// What the gateway has really done under an order id, as (kind, status).
    pub fn done(&self, order: &str) -> Vec<(String, String)> {
        let (status, body) = self.ask("GET", "transactions", &format!("orderId={order}"), Value::Null);
        assert_eq!(status, 200);
        let text = |v: &Value| v.as_str().unwrap().to_owned();
        body["data"].as_array().unwrap().iter().map(|t| (text(&t["kind"]), text(&t["status"]))).collect()
    }

    /// A customer with a stored card.
    pub async fn payer(&self, gateway: &BraintreeGateway, n: u32) -> String {
        let customer = gateway.create_customer(&person(n)).await.unwrap();
        match gateway.vault(&customer, "fake-valid-visa-nonce").await.unwrap() {
            VaultOutcome::Stored(card) => card.method_id,
            refused => panic!("{refused:?}"),
        }
    }
}

pub fn pair(kind: &str, status: &str) -> (String, String) {
    (kind.to_owned(), status.to_owned())
}

pub fn config(endpoint: &str, api_request_key: bool) -> Config {
    Config {
        endpoint: endpoint.to_owned(),
        public_key: "pk_test_public".to_owned(),
        private_key: "pk_test_private".to_owned().into(),
        merchant_account_id: "portage_cad".to_owned(),
        environment: Environment::Simulator,
        api_request_key,
        timeouts: Timeouts::default(),
    }
}

pub fn client(endpoint: &str, api_request_key: bool) -> BraintreeGateway {
    BraintreeGateway::new(config(endpoint, api_request_key)).unwrap()
}

pub fn hasty_client(endpoint: &str) -> BraintreeGateway {
    let short = Duration::from_millis(300);
    let timeouts = Timeouts { connect: short, money: short, read: Duration::from_secs(1) };
    BraintreeGateway::new(Config { timeouts, ..config(endpoint, false) }).unwrap()
}

pub fn person(n: u32) -> NewCustomer {
    NewCustomer {
        user_ref: format!("user-{n}"),
        first_name: "Ana".to_owned(),
        last_name: format!("Roy {n}"),
        email: format!("ana{n}@example.test"),
        phone: Some("+15145550100".to_owned()),
    }
}

pub fn money(cents: i64) -> kernel::Money {
    kernel::Money::from_cents(cents)
}

pub fn charge(order: &str, method: &str, cents: i64) -> ChargeRequest {
    ChargeRequest {
        order_id: order.to_owned(),
        method_id: method.to_owned(),
        amount: money(cents),
        tax: Some(money(cents / 10)),
        initiator: Initiator::Merchant,
    }
}

pub fn refund(order: &str, transaction: &str, cents: i64, full: bool) -> RefundRequest {
    RefundRequest { order_id: order.to_owned(), transaction_id: transaction.to_owned(), amount: money(cents), full }
}
