//! A customer's program: signs in as the web app does, stores a card, books.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use reqwest::{Client, Response, StatusCode, header};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::server::Site;

const VERIFIER: &str = "a-verifier-that-is-long-enough-for-the-standard-0123456789";

/// No redirects: the code is read from one.
pub fn browser() -> Client {
    Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(std::time::Duration::from_secs(30))
        .build()
        .expect("a client")
}

/// The whole way of the web app to an access token; an error when the server dies meanwhile.
pub async fn sign_in(web: &Client, site: &Site, email: &str, password: &str) -> Result<String, reqwest::Error> {
    let cookies = session(web, site, email, password).await?;
    token(web, site, &cookies).await
}

/// Signs in; the cookies of the session.
pub async fn session(web: &Client, site: &Site, email: &str, password: &str) -> Result<String, reqwest::Error> {
    let form = json!({ "email": email, "password": password });
    let answer = web.post(site.url("/identity/api/sign-in")).json(&form).send().await?;
    assert_eq!(answer.status(), StatusCode::OK, "sign-in: {}", answer.text().await?);
    let cookies: Vec<String> = answer
        .headers()
        .get_all(header::SET_COOKIE)
        .iter()
        .filter_map(|c| c.to_str().ok()?.split(';').next().map(str::to_owned))
        .collect();
    Ok(cookies.join("; "))
}

/// An access token of a session.
pub async fn token(web: &Client, site: &Site, cookies: &str) -> Result<String, reqwest::Error> {
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER));
    let callback = site.url("/callback");
    let query = [
        ("response_type", "code"),
        ("client_id", "portage-web"),
        ("redirect_uri", callback.as_str()),
        ("scope", "openid profile email offline_access"),
        ("state", "s"),
        ("nonce", "n"),
        ("code_challenge", challenge.as_str()),
        ("code_challenge_method", "S256"),
        ("prompt", "none"),
    ];
    let answer = web.get(site.url("/identity/authorize")).query(&query).header(header::COOKIE, cookies).send().await?;
    let location = answer.headers().get(header::LOCATION).and_then(|l| l.to_str().ok()).unwrap_or_default().to_owned();
    let back = reqwest::Url::parse(&location)
        .unwrap_or_else(|_| panic!("authorize answered {} {location:?}", answer.status()));
    let code =
        back.query_pairs().find(|(k, _)| k == "code").unwrap_or_else(|| panic!("no code in {location}")).1.into_owned();
    let form = [
        ("grant_type", "authorization_code"),
        ("client_id", "portage-web"),
        ("code", code.as_str()),
        ("code_verifier", VERIFIER),
        ("redirect_uri", callback.as_str()),
    ];
    let answer = web.post(site.url("/identity/token")).form(&form).send().await?;
    assert_eq!(answer.status(), StatusCode::OK, "token: {}", answer.text().await?);
    let tokens: Value = answer.json().await?;
    Ok(tokens["access_token"].as_str().expect("an access token").to_owned())
}

/// Stores a card that is always good.
pub async fn store_card(web: &Client, site: &Site, token: &str) -> Result<StatusCode, reqwest::Error> {
    let body = json!({ "paymentNonce": "fake-valid-nonce" });
    let answer = web.post(site.url("/api/payment")).bearer_auth(token).json(&body).send().await?;
    Ok(answer.status())
}

/// A small move inside Montreal at a local day and time.
pub fn draft(date: &str, time: &str) -> Value {
    json!({
        "pickup": { "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4", "street": "3550 Rue Jeanne-Mance", "country": "Canada" },
        "dropoff": { "province": "QC", "city": "Montréal", "postalCode": "H3A 3L3", "street": "1000 Rue Sherbrooke Ouest", "country": "Canada" },
        "pickupCoords": { "lat": 45.5105, "lon": -73.5719 },
        "dropoffCoords": { "lat": 45.5018, "lon": -73.5728 },
        "pickupFloor": 1, "dropoffFloor": 2, "pickupHasParking": true, "dropoffHasParking": true,
        "selectedFurnitures": [{ "id": "coffee-table", "quantity": 1 }, { "id": "box-small-1-5", "quantity": 4 }],
        "bookingType": "residential", "mateCount": 1, "date": date, "time": time,
        "guidelinesAgreed": true, "guidelinesVersion": "1", "language": "en",
        "survey": { "source": "advertisements" }
    })
}

/// Books; the same key twice is one booking.
pub async fn book(
    web: &Client,
    site: &Site,
    token: &str,
    key: &str,
    draft: &Value,
) -> Result<Response, reqwest::Error> {
    let body = json!({ "bookingRequest": draft });
    web.post(site.url("/api/bookings")).bearer_auth(token).header("Idempotency-Key", key).json(&body).send().await
}

/// Everything the customer has booked.
pub async fn previous(web: &Client, site: &Site, token: &str) -> Result<Vec<Value>, reqwest::Error> {
    let mut all = Vec::new();
    for page in 1.. {
        let query = [("page", page.to_string()), ("per_page", "100".to_owned())];
        let answer = web.get(site.url("/api/bookings/previous")).query(&query).bearer_auth(token).send().await?;
        assert_eq!(answer.status(), StatusCode::OK);
        let list: Value = answer.json().await?;
        let rows = list["data"].as_array().expect("a list").clone();
        let done = rows.is_empty();
        all.extend(rows);
        if done || all.len() as u64 >= list["total"].as_u64().unwrap_or(0) {
            break;
        }
    }
    Ok(all)
}
