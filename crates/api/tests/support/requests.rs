//! Short ways to call, and bodies that are in order.

use reqwest::{Method, RequestBuilder, Response};
use serde_json::{Value, json};

use super::{TestApp, people::GUEST};

/// Status, headers and JSON body of an answer.
pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub text: String,
    pub body: Value,
}

impl Answer {
    pub async fn of(response: Response) -> Answer {
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await.unwrap_or_default();
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        Answer { status, headers, text, body }
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|v| v.to_str().ok()).unwrap_or("")
    }

    #[track_caller]
    pub fn expect(self, status: u16) -> Answer {
        assert_eq!(self.status, status, "{}", self.text);
        self
    }

    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or("")
    }
}

impl TestApp {
    pub fn path(&self, path: &str) -> String {
        format!("{}{path}", self.url)
    }

    pub async fn builder(&self, who: &'static str, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, self.path(path));
        if who == GUEST { request } else { request.bearer_auth(self.token(who).await) }
    }

    pub async fn send(&self, who: &'static str, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let request = self.builder(who, method, path).await;
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        Answer::of(request.send().await.unwrap()).await
    }

    pub async fn get(&self, who: &'static str, path: &str) -> Answer {
        self.send(who, Method::GET, path, None).await
    }

    pub async fn post(&self, who: &'static str, path: &str, body: &Value) -> Answer {
        self.send(who, Method::POST, path, Some(body)).await
    }

    pub async fn put(&self, who: &'static str, path: &str, body: &Value) -> Answer {
        self.send(who, Method::PUT, path, Some(body)).await
    }

    /// A customer with a card.
    pub async fn store_card(&self, who: &'static str, nonce: &str) -> Answer {
        self.post(who, "/api/payment", &json!({ "paymentNonce": nonce })).await
    }

    /// Books the standard move; the record.
    pub async fn book(&self, who: &'static str) -> Value {
        self.store_card(who, "fake-valid-nonce").await.expect(200);
        let answer = self.post(who, "/api/bookings", &json!({ "bookingRequest": draft("2027-02-17", "09:00") })).await;
        let body = answer.expect(201).body;
        self.run_jobs().await;
        body
    }
}

/// The first worked example: its price is 389.00 and 58.25 tax.
pub fn estimate() -> Value {
    json!({
        "travelDuration": 15,
        "selectedFurnitures": { "furnitures": studio() },
        "mateCount": 2,
        "locationDetails": [
            { "floor": 1, "elevator": 0, "parking": true, "accessibility": "easy" },
            { "floor": 0, "elevator": 0, "parking": true, "accessibility": "easy" }
        ],
        "rideAlong": false,
        "movingDate": "2027-02-17",
        "discountCode": null,
        "clientAsMate": false,
        "justMates": false,
        "tax": { "type": "gst+qst", "rate": "0.14975" },
        "pickupAddress": { "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4" },
        "distanceKm": "6.2"
    })
}

/// The smallest ready-made inventory.
pub fn studio() -> Value {
    furniture_catalogue::Preset::Studio.items().iter().map(|(id, quantity)| json!({ "id": id, "quantity": quantity })).collect()
}

/// A move inside Montreal.
pub fn draft(date: &str, time: &str) -> Value {
    json!({
        "pickup": { "country": "Canada", "province": "QC", "postalCode": "H2X 1Y4", "city": "Montréal", "street": "3500 Rue Saint-Urbain", "fullAddress": "3500 Rue Saint-Urbain, Montréal, QC H2X 1Y4, Canada" },
        "dropoff": { "country": "Canada", "province": "QC", "postalCode": "H4C 1K4", "city": "Montréal", "street": "4100 Rue Notre-Dame Ouest" },
        "pickupCoords": { "lat": 45.5128, "lon": -73.5716 },
        "dropoffCoords": { "lat": 45.4780, "lon": -73.5850 },
        "pickupFloor": 1, "dropoffFloor": 0,
        "pickupHasElevator": 0, "dropoffHasElevator": 0,
        "pickupHasParking": true, "dropoffHasParking": true,
        "date": date, "time": time,
        "bookingType": "residential",
        "selectedFurnitures": studio(),
        "mateCount": 2,
        "clientAsMate": false, "justMates": false, "rideAlong": false,
        "guidelinesAgreed": true,
        "comments": "Third door on the left"
    })
}
