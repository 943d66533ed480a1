//! What another rate card makes of the newest bookings: somebody waits for the answer before saving the card.

use reqwest::Client;
use serde_json::{Value, json};

use crate::{
    calls::{post, rate},
    support::{customer::sign_in, server::Site},
};

/// As many as one preview prices.
pub const BOOKINGS: usize = 1_000;

/// Prices the newest [`BOOKINGS`], of which there must be so many, by a card with a dearer truck.
pub async fn of_the_newest(web: &Client, site: &Site, name: &str) {
    let token = sign_in(web, site, "ops@portage.test", "portage-demo-2027").await.unwrap();
    let versions = answer(web.get(site.url("/api/rates")).bearer_auth(&token)).await;
    let path = format!("/api/rates/{}", versions["data"][0]["id"].as_str().unwrap());
    let mut card = answer(web.get(site.url(&path)).bearer_auth(&token)).await["card"].take();
    card["rates"]["default"]["truck_fee_by_tier"] = json!(["199.00", "299.00", "399.00"]);
    let (path, body) = (format!("{path}/preview"), json!({ "card": card, "n": BOOKINGS }));
    let told = answer(web.post(site.url(&path)).bearer_auth(&token).json(&body)).await;
    assert_eq!((&told["count"], &told["failed"]), (&json!(BOOKINGS), &json!(0)));
    assert_ne!(told["oldSum"], told["newSum"]);
    let (bearer, body) = (format!("Bearer {token}"), body.to_string());
    let asked = |_| post(&path, &[("Authorization", bearer.as_str())], &body);
    let a_second = rate(&site.address(), 1, 200, asked).await;
    println!(
        "{name}, preview of a rate card:      {:>7.1} ms for {BOOKINGS} bookings, one call after the other (must stay below 300)",
        1_000.0 / a_second
    );
}

async fn answer(request: reqwest::RequestBuilder) -> Value {
    request.send().await.unwrap().error_for_status().unwrap().json().await.unwrap()
}
