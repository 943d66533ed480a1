//! Customers and staff, who do not wait for one another.

use std::{sync::Arc, time::Duration};

use kernel::chrono::Duration as Days;
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

use crate::{
    money,
    support::{customer, server::Site},
    world::{Dice, World},
};

pub const CUSTOMER: &str = "customer@portage.test";
const OPS: &str = "ops@portage.test";
pub const ADMIN: &str = "admin@portage.test";
const PASSWORD: &str = "portage-demo-2027";
/// A request that is sent again is known by its key for so long.
const KEY_IS_KNOWN: Days = Days::hours(24);
const VERIFIER: &str = "a-verifier-that-is-long-enough-for-the-standard-0123456789";

/// Somebody signed in; the session outlives servers, tokens are renewed when they lapse.
pub struct Person {
    pub world: Arc<World>,
    pub dice: Dice,
    email: &'static str,
    cookies: Option<String>,
    token: Option<String>,
}

impl Person {
    pub fn new(world: &Arc<World>, salt: u64, email: &'static str) -> Person {
        Person { world: world.clone(), dice: world.dice(salt), email, cookies: None, token: None }
    }

    /// The way of the web app, giving up wherever a server is gone.
    async fn sign_in(&mut self, door: &Site) -> Option<()> {
        let web = &self.world.web;
        if self.cookies.is_none() {
            let form = json!({ "email": self.email, "password": PASSWORD });
            let answer = web.post(door.url("/identity/api/sign-in")).json(&form).send().await.ok()?;
            if !answer.status().is_success() {
                return None;
            }
            let cookies = answer.headers().get_all(header::SET_COOKIE).iter();
            let cookies: Vec<_> = cookies.filter_map(|c| c.to_str().ok()?.split(';').next()).collect();
            self.cookies = Some(cookies.join("; "));
        }
        let challenge = {
            use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
            use sha2::{Digest as _, Sha256};
            URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER))
        };
        let callback = self.world.first_door().url("/callback");
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
        let cookies = self.cookies.clone()?;
        let asked = web.get(door.url("/identity/authorize")).query(&query).header(header::COOKIE, cookies);
        let answer = asked.send().await.ok()?;
        let location = answer.headers().get(header::LOCATION).and_then(|l| l.to_str().ok()).unwrap_or_default();
        let code = reqwest::Url::parse(location)
            .ok()
            .and_then(|u| u.query_pairs().find(|(k, _)| k == "code").map(|(_, code)| code.into_owned()));
        let Some(code) = code else {
            // The session has ended by the racing clock.
            self.cookies = None;
            return None;
        };
        let form = [
            ("grant_type", "authorization_code"),
            ("client_id", "portage-web"),
            ("code", code.as_str()),
            ("code_verifier", VERIFIER),
            ("redirect_uri", callback.as_str()),
        ];
        let answer = web.post(door.url("/identity/token")).form(&form).send().await.ok()?;
        let tokens: Value = answer.json().await.ok()?;
        self.token = Some(tokens["access_token"].as_str()?.to_owned());
        Some(())
    }

    /// One call; none when nobody answered.
    pub async fn call(
        &mut self,
        method: Method,
        path: &str,
        headers: &[(&str, String)],
        body: Option<&Value>,
    ) -> Option<(StatusCode, Value)> {
        let world = self.world.clone();
        for _ in 0..4 {
            let door = world.door(&mut self.dice);
            if self.token.is_none() && self.sign_in(door).await.is_none() {
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
            let token = self.token.clone()?;
            let answer = send(&world, door, &token, method.clone(), path, headers, body).await;
            match answer {
                Some((StatusCode::UNAUTHORIZED, _)) => self.token = None,
                other => return other,
            }
        }
        None
    }

    /// The same call twice at the same moment, maybe to two servers.
    async fn call_twice(
        &mut self,
        method: Method,
        path: &str,
        headers: [Vec<(&str, String)>; 2],
        body: Option<&Value>,
    ) -> [Option<(StatusCode, Value)>; 2] {
        // So that the token is fresh.
        self.call(Method::GET, "/api/bookings/previous?page=1&per_page=1", &[], None).await;
        let (world, token) = (self.world.clone(), self.token.clone().unwrap_or_default());
        let doors = [world.door(&mut self.dice), world.door(&mut self.dice)];
        let one = send(&world, doors[0], &token, method.clone(), path, &headers[0], body);
        let two = send(&world, doors[1], &token, method, path, &headers[1], body);
        let (one, two) = tokio::join!(one, two);
        if [&one, &two].iter().any(|a| a.as_ref().is_some_and(|(status, _)| *status == StatusCode::UNAUTHORIZED)) {
            self.token = None;
        }
        [one, two]
    }
}

async fn send(
    world: &World,
    door: &Site,
    token: &str,
    method: Method,
    path: &str,
    headers: &[(&str, String)],
    body: Option<&Value>,
) -> Option<(StatusCode, Value)> {
    let mut request = world.web.request(method.clone(), door.url(path)).bearer_auth(token);
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    if let Some(body) = body {
        request = request.json(body);
    }
    let answer = request.send().await.ok()?;
    let status = answer.status();
    let text = answer.text().await.ok()?;
    if status == StatusCode::INTERNAL_SERVER_ERROR {
        world.diary.lock().unwrap().faults.push(format!("{method} {path} answered 500: {text}"));
    }
    Some((status, serde_json::from_str(&text).unwrap_or_default()))
}

/// Stores a card that is always good, in peace.
pub async fn store_card(world: &Arc<World>) {
    let mut person = Person::new(world, 9, CUSTOMER);
    let body = json!({ "paymentNonce": "fake-valid-nonce" });
    let answer = person.call(Method::POST, "/api/payment", &[], Some(&body)).await;
    assert!(answer.as_ref().is_some_and(|(s, _)| *s == StatusCode::OK), "{answer:?}\n{}", world.log_text());
}

/// Sends one booking and writes down what became of it.
pub async fn book(person: &mut Person, key: String, body: &Value) {
    let answer = person.call(Method::POST, "/api/bookings", &[("Idempotency-Key", key.clone())], Some(body)).await;
    booked(&person.world, key, body, answer);
}

fn booked(world: &World, key: String, body: &Value, answer: Option<(StatusCode, Value)>) {
    let mut diary = world.diary.lock().unwrap();
    match answer {
        Some((StatusCode::CREATED, booking)) => {
            let text = |name: &str| booking[name].as_str().unwrap().to_owned();
            let before = diary.acknowledged.insert(text("id"), text("total"));
            diary.count(if before.is_none() { "booked" } else { "booked again by the same key" });
        }
        Some((status, problem)) => {
            let code = problem["code"].as_str().unwrap_or("?").to_owned();
            diary.count(format!("not booked: {} {code}", status.as_u16()));
            diary.card_wanted |= matches!(code.as_str(), "card_required" | "payment_declined");
            if status.is_server_error() || matches!(code.as_str(), "request_in_flight" | "payment_in_flight") {
                diary.open.push((key, body.clone()));
            }
        }
        None => {
            diary.count("no answer to a booking");
            diary.open.push((key, body.clone()));
        }
    }
}

impl Person {
    /// Stores a card anew, as the page asks when the old one was refused for good.
    async fn another_card(&mut self) {
        let body = json!({ "paymentNonce": "fake-valid-nonce" });
        let answer = self.call(Method::POST, "/api/payment", &[], Some(&body)).await;
        self.noted("card", answer.as_ref());
    }

    /// Within two days (charged in full while it is booked), or some weeks ahead.
    fn draft(&mut self) -> Value {
        let days = if self.dice.one_in(2) { 2 } else { 4 + self.dice.up_to(20) };
        let day = (self.world.now() + Days::days(i64::try_from(days).unwrap())).date_naive();
        let hour = 8 + self.dice.up_to(if days == 2 { 3 } else { 8 });
        let half = if self.dice.one_in(2) { "00" } else { "30" };
        let mut draft = customer::draft(&day.to_string(), &format!("{hour:02}:{half}"));
        if self.dice.one_in(3) {
            draft["selectedFurnitures"] = json!([{ "id": "box-small-1-5", "quantity": 2 + self.dice.up_to(12) }]);
        }
        draft
    }

    async fn some_hold(&mut self, draft: &Value) -> Option<String> {
        let body = json!({
            "date": draft["date"], "time": draft["time"], "mateCount": 1, "duration": 120,
            "pickupAddress": draft["pickup"],
        });
        let (_, hold) = self.call(Method::POST, "/api/holds", &[], Some(&body)).await?;
        Some(hold["id"].as_str()?.to_owned())
    }

    async fn make_a_booking(&mut self, n: u64, holds: &mut Vec<String>) {
        let mut draft = self.draft();
        if self.dice.one_in(3) {
            holds.extend(self.some_hold(&draft).await);
        }
        // Mostly the newest, sometimes one that lapsed or was used.
        if !holds.is_empty() && self.dice.one_in(2) {
            let hold = if self.dice.one_in(2) { holds.last() } else { holds.first() };
            draft["holdId"] = hold.cloned().into();
        }
        let mut body = json!({ "bookingRequest": draft });
        if self.dice.one_in(3) {
            body["tipRequest"] = json!({ "type": "amount", "value": format!("{},00", 5 + self.dice.up_to(30)) });
        }
        let key = format!("{}-{}-{n}", self.email, self.dice.up_to(u64::MAX));
        match self.dice.up_to(4) {
            0 => {
                let headers = || vec![("Idempotency-Key", key.clone())];
                let both = self.call_twice(Method::POST, "/api/bookings", [headers(), headers()], Some(&body)).await;
                both.into_iter().for_each(|a| booked(&self.world, key.clone(), &body, a));
            }
            1 => {
                let keys = [format!("{key}-a"), format!("{key}-b")];
                let headers = keys.clone().map(|k| vec![("Idempotency-Key", k)]);
                let both = self.call_twice(Method::POST, "/api/bookings", headers, Some(&body)).await;
                keys.into_iter().zip(both).for_each(|(k, a)| booked(&self.world, k, &body, a));
            }
            _ => book(self, key, &body).await,
        }
    }

    fn some_booking(&mut self) -> Option<String> {
        let diary = self.world.diary.lock().unwrap();
        // The newest are the ones that still live.
        let ids: Vec<&String> = diary.acknowledged.keys().rev().take(25).collect();
        if ids.is_empty() { None } else { Some((*self.dice.of(&ids)).clone()) }
    }

    fn noted(&self, what: &str, answer: Option<&(StatusCode, Value)>) {
        let how = match answer {
            None => "no answer".to_owned(),
            Some((status, _)) if status.is_success() => "done".to_owned(),
            Some((status, problem)) => format!("{} {}", status.as_u16(), problem["code"].as_str().unwrap_or("?")),
        };
        self.world.diary.lock().unwrap().count(format!("{what}: {how}"));
    }

    /// Staff give or take money, pressing twice as often as not; what was acknowledged is written down.
    async fn deed(&mut self, id: &str) {
        let payments = format!("/api/bookings/{id}/payments");
        let Some((StatusCode::OK, money)) = self.call(Method::GET, &payments, &[], None).await else { return };
        let key = format!("deed-{}", self.dice.up_to(u64::MAX));
        let deed = money::choose(&money, id, &key, &mut |n| self.dice.up_to(n));
        let headers = vec![("Idempotency-Key", key.clone())];
        let answers = if self.dice.one_in(2) {
            let both = [headers.clone(), headers];
            let pressed_at = self.world.now();
            let answers = self.call_twice(Method::POST, &deed.path, both, Some(&deed.body)).await.to_vec();
            if self.world.now() - pressed_at >= KEY_IS_KNOWN {
                self.world.diary.lock().unwrap().outlived.insert(key.clone());
            }
            answers
        } else {
            vec![self.call(Method::POST, &deed.path, &headers, Some(&deed.body)).await]
        };
        for answer in answers {
            self.noted(deed.what, answer.as_ref());
            if answer.is_some_and(|(status, _)| status.is_success()) && deed.stays {
                self.world.diary.lock().unwrap().deeds.insert(key.clone(), id.to_owned());
            }
        }
    }

    async fn edit(&mut self, id: &str) {
        let body = match self.dice.up_to(4) {
            0 => json!({ "rideAlong": self.dice.one_in(2) }),
            1 => json!({ "selectedFurnitures": [{ "id": "box-small-1-5", "quantity": 1 + self.dice.up_to(40) }] }),
            2 => json!({ "mateCount": 1 + self.dice.up_to(3) }),
            _ => {
                let draft = self.draft();
                json!({ "date": draft["date"], "time": draft["time"] })
            }
        };
        let stale = vec![("If-Match", format!("\"{}\"", 1 + self.dice.up_to(4)))];
        let headers = if self.dice.one_in(3) { stale } else { Vec::new() };
        let path = format!("/api/c/bookings/{id}");
        if self.dice.one_in(3) {
            for answer in self.call_twice(Method::PUT, &path, [headers.clone(), headers], Some(&body)).await {
                self.noted("edit", answer.as_ref());
            }
        } else {
            let answer = self.call(Method::PUT, &path, &headers, Some(&body)).await;
            self.noted("edit", answer.as_ref());
        }
    }
}

/// One customer's tab.
pub async fn customer(world: Arc<World>, salt: u64) {
    let mut person = Person::new(&world, salt, CUSTOMER);
    let mut holds = Vec::new();
    for n in 0.. {
        if !world.goes_on() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(person.dice.up_to(200))).await;
        let repeated = if person.dice.one_in(3) { world.diary.lock().unwrap().open.pop() } else { None };
        if let Some((key, body)) = repeated {
            book(&mut person, key, &body).await;
            continue;
        }
        let card_wanted = std::mem::take(&mut world.diary.lock().unwrap().card_wanted);
        if card_wanted {
            person.another_card().await;
        }
        let chosen = person.some_booking();
        match (chosen, person.dice.up_to(10)) {
            (None, _) | (_, 0..=3) => person.make_a_booking(n, &mut holds).await,
            (Some(id), 4..=6) => person.edit(&id).await,
            (Some(id), 7..=8) => {
                let body = json!({ "type": "amount", "value": format!("{},50", 1 + person.dice.up_to(40)) });
                let answer = person.call(Method::PUT, &format!("/api/tip/{id}"), &[], Some(&body)).await;
                person.noted("tip", answer.as_ref());
            }
            (Some(id), _) => {
                let path = format!("/api/c/bookings/cancel/{id}");
                for answer in person.call_twice(Method::PUT, &path, [Vec::new(), Vec::new()], None).await {
                    person.noted("cancel", answer.as_ref());
                }
            }
        }
    }
}

/// One member of the operations team.
pub async fn staff(world: Arc<World>, salt: u64) {
    let mut person = Person::new(&world, salt, OPS);
    while world.goes_on() {
        tokio::time::sleep(Duration::from_millis(person.dice.up_to(250))).await;
        let Some(id) = person.some_booking() else { continue };
        let Some((StatusCode::OK, booking)) = person.call(Method::GET, &format!("/api/bookings/{id}"), &[], None).await
        else {
            continue;
        };
        if person.dice.one_in(3) {
            person.deed(&id).await;
            continue;
        }
        let status = booking["status"].as_str().unwrap_or_default().to_owned();
        let to = match (status.as_str(), person.dice.up_to(6)) {
            ("pending", 0..=1) => "assigned",
            ("pending" | "assigned", 2) => "cancelled",
            ("pending" | "assigned", 3) => "completed",
            ("assigned", 4) => "pending",
            ("completed", 0..=1) => "assigned",
            ("completed", 2) => "payed",
            ("completed", 3) => "invoiced",
            ("cancelled", 0..=3) => "pending",
            ("cancelled", 4) => "deleted",
            _ => {
                let cents =
                    booking["amount"].as_str().and_then(|a| a.parse::<kernel::Money>().ok()).unwrap_or_default();
                let factor = i64::try_from(50 + person.dice.up_to(90)).unwrap();
                let amount = kernel::Money::from_cents((cents.cents() * factor / 100).max(100));
                let version = booking["version"].as_i64().unwrap_or(1) - i64::from(person.dice.one_in(4));
                let headers = vec![("If-Match", format!("\"{version}\""))];
                let body = json!({ "amount": amount });
                let answer = person.call(Method::PUT, &format!("/api/bookings/{id}"), &headers, Some(&body)).await;
                person.noted("price", answer.as_ref());
                continue;
            }
        };
        // What is deleted is out of everybody's reach; seldom, or nothing is left to play with.
        let to = if to == "deleted" && !person.dice.one_in(4) { "pending" } else { to };
        let mut body = json!({ "status": to, "language": "en", "reason": "chaos" });
        if to == "cancelled" {
            body["customersWish"] = person.dice.one_in(2).into();
            body["waive"] = person.dice.one_in(4).into();
        }
        let path = format!("/api/bookings/status/{id}");
        if person.dice.one_in(3) {
            for answer in person.call_twice(Method::PUT, &path, [Vec::new(), Vec::new()], Some(&body)).await {
                person.noted(&format!("{status} to {to}"), answer.as_ref());
            }
        } else {
            let answer = person.call(Method::PUT, &path, &[], Some(&body)).await;
            person.noted(&format!("{status} to {to}"), answer.as_ref());
        }
    }
}
