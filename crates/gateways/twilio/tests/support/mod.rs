//! The simulator behind a real HTTP server on loopback, and somebody who hears what it reports.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, http::StatusCode, web};
use kernel::chrono::Utc;
use serde_json::Value;
use twilio::{
    Config, Timeouts, Twilio,
    simulator::{DEMO_ACCOUNT, DEMO_NUMBER, DEMO_TOKEN, SimReply, SimRequest, Simulator},
};

/// A call that was made to us.
#[derive(Debug, Clone)]
pub struct Heard {
    pub form: Vec<(String, String)>,
    pub signature: String,
}

impl Heard {
    pub fn has(&self, name: &str) -> bool {
        self.form.iter().any(|(n, _)| n == name)
    }

    pub fn get(&self, name: &str) -> &str {
        &self.form.iter().find(|(n, _)| n == name).unwrap().1
    }
}

type Ears = Mutex<Vec<Heard>>;

pub struct House {
    pub url: String,
    ears: Arc<Ears>,
    http: reqwest::Client,
}

fn text(request: &HttpRequest, name: &str) -> Option<String> {
    request.headers().get(name).and_then(|v| v.to_str().ok()).map(str::to_owned)
}

async fn serve(
    simulator: web::Data<Simulator>,
    path: web::Path<String>,
    request: HttpRequest,
    body: web::Bytes,
) -> HttpResponse {
    let asked = SimRequest {
        method: request.method().to_string(),
        path: path.into_inner(),
        query: request.query_string().to_owned(),
        authorization: text(&request, "authorization"),
        body: body.to_vec(),
    };
    let reply: SimReply = simulator.into_inner().call(asked).await;
    if reply.drop_connection {
        let broken = futures_util::stream::iter([Err::<web::Bytes, _>(std::io::Error::other("dropped on purpose"))]);
        return HttpResponse::Ok().streaming(broken);
    }
    let mut response = HttpResponse::build(StatusCode::from_u16(reply.status).unwrap());
    if let Some(seconds) = reply.retry_after {
        response.insert_header(("retry-after", seconds.to_string()));
    }
    response.content_type("application/json").body(reply.body)
}

async fn hear(ears: web::Data<Ears>, request: HttpRequest, form: web::Form<Vec<(String, String)>>) -> HttpResponse {
    let signature = text(&request, "x-twilio-signature").unwrap_or_default();
    ears.lock().unwrap().push(Heard { form: form.into_inner(), signature });
    HttpResponse::Ok().finish()
}

impl House {
    pub async fn start() -> House {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let clock: twilio::simulator::SimClock = Arc::new(Utc::now);
        let simulator = web::Data::new(Simulator::new(clock, format!("{url}/heard")));
        let ears: Arc<Ears> = Arc::default();
        let heard = web::Data::from(ears.clone());
        let server = HttpServer::new(move || {
            App::new()
                .app_data(simulator.clone())
                .app_data(heard.clone())
                .route("/heard", web::post().to(hear))
                .route("/simulators/twilio/{path:.*}", web::to(serve))
        })
        .workers(1)
        .disable_signals()
        .listen(listener)
        .unwrap()
        .run();
        actix_web::rt::spawn(server);
        House { url, ears, http: reqwest::Client::builder().no_proxy().build().unwrap() }
    }

    pub fn config(&self) -> Config {
        Config {
            base_url: format!("{}/simulators/twilio/2010-04-01", self.url),
            account_sid: DEMO_ACCOUNT.to_owned(),
            auth_token: DEMO_TOKEN.to_owned().into(),
            sender: DEMO_NUMBER.to_owned(),
            timeouts: Timeouts::default(),
        }
    }

    pub fn client(&self) -> Twilio {
        Twilio::new(self.config()).unwrap()
    }

    pub fn with(&self, timeouts: Timeouts) -> Twilio {
        Twilio::new(Config { timeouts, ..self.config() }).unwrap()
    }

    pub async fn post(&self, path: &str, body: Value) -> Value {
        let response =
            self.http.post(format!("{}/simulators/twilio/{path}", self.url)).json(&body).send().await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        response.json().await.unwrap()
    }

    pub async fn control(&self, body: Value) {
        self.post("control", body).await;
    }

    pub async fn get(&self, path: &str) -> Value {
        self.http.get(format!("{}/simulators/twilio/{path}", self.url)).send().await.unwrap().json().await.unwrap()
    }

    /// What was called in, once there is so much of it.
    pub async fn heard(&self, least: usize) -> Vec<Heard> {
        for _ in 0..200 {
            let heard = self.ears.lock().unwrap().clone();
            if heard.len() >= least {
                return heard;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("nothing was called in");
    }
}
