//! The examples of the table as requests: by the person a row is for, of a record of their own.

use api::{
    contract::Record,
    endpoint::{Access, Content, Relation, Route},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use service::{Mode, Role};

use super::{
    TestApp,
    bodies::draft,
    people::{ADMIN, CUSTOMER, GUEST, MATE, OPS, PASSWORD, cookies, query_value},
    requests::Answer,
    table,
};

/// Who a row is for.
pub fn caller(route: &Route) -> &'static str {
    match route.access {
        Access::Public => GUEST,
        Access::SignedIn => CUSTOMER,
        Access::Roles(roles) if roles.contains(&Role::Mate) => MATE,
        Access::Roles(roles) if roles.contains(&Role::Ops) => OPS,
        Access::Roles(_) => ADMIN,
    }
}

pub fn method(route: &Route) -> Method {
    Method::from_bytes(route.method.as_str().as_bytes()).unwrap()
}

/// Days of moves, so that no two records want the same crew.
fn day(n: u64) -> String {
    let first: kernel::chrono::NaiveDate = "2027-03-01".parse().unwrap();
    (first + kernel::chrono::Days::new(n / 5 * 7 + n % 5)).to_string()
}

/// Somebody who signed up for one example.
struct Person {
    email: String,
    cookie: String,
}

/// What the examples of one app are tried with.
pub struct Fixtures<'a> {
    pub app: &'a TestApp,
    pub made: u64,
    /// What is owed for the last phone order.
    owed: serde_json::Value,
}

impl<'a> Fixtures<'a> {
    /// With a customer who may book.
    pub async fn with_customer(app: &'a TestApp) -> Fixtures<'a> {
        app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
        Fixtures::bare(app)
    }

    /// Without anybody who may book.
    pub fn bare(app: &'a TestApp) -> Fixtures<'a> {
        Fixtures { app, made: 0, owed: serde_json::Value::Null }
    }

    /// The id of a new record; the customer's, where it is somebody's.
    pub async fn record(&mut self, kind: Record) -> String {
        self.made += 1;
        let (app, day) = (self.app, day(self.made));
        match kind {
            Record::Booking | Record::Tip => {
                let body = json!({ "bookingRequest": draft(&day, "09:00"), "tipRequest": { "value": "10" } });
                let made = app.post(CUSTOMER, "/api/bookings", &body).await.expect(201);
                app.run_jobs().await;
                made.body["id"].as_str().unwrap().to_owned()
            }
            Record::MadeBy(operation) => {
                let maker = table(Mode::Demo).iter().find(|r| r.doc.is_some_and(|d| d.id == operation)).unwrap();
                // What is part of another record needs that one first.
                let of = match maker.contract.record {
                    Some(kind) => Box::pin(self.record(kind)).await,
                    None => String::new(),
                };
                let request = Box::pin(self.request(maker, &of, caller(maker))).await;
                let made = Answer::of(request.send().await.unwrap()).await.expect(201);
                made.body["id"].as_str().unwrap().to_owned()
            }
            Record::PhoneOrder => self.phone_order(&day).await,
            Record::PayLink => {
                let id = self.phone_order(&day).await;
                let sent = app.post(OPS, &format!("/api/bookings/{id}/payment-link"), &json!({})).await.expect(201);
                let url = sent.body["url"].as_str().unwrap();
                url.rsplit_once("/pay/").unwrap().1.split('?').next().unwrap().to_owned()
            }
            Record::CardLink => {
                let id = Box::pin(self.record(Record::Booking)).await;
                let sent = app.post(OPS, &format!("/api/bookings/{id}/card-link"), &json!({})).await.expect(201);
                let url = sent.body["url"].as_str().unwrap();
                url.rsplit_once("/card/").unwrap().1.split('?').next().unwrap().to_owned()
            }
            Record::QuoteLink => self.mailed_quote(&day, "/saved/").await,
            Record::UnsubscribeLink => self.mailed_quote(&day, "/unsubscribe/").await,
            Record::ConsentLink => {
                let id = self.begun().await;
                let asked = json!({ "minutes": 45, "cause": "elevator" });
                let path = format!("/api/bookings/{id}/overtime/consent-link");
                let sent = app.post(OPS, &path, &asked).await.expect(201);
                let url = sent.body["url"].as_str().unwrap();
                url.rsplit_once("/consent/").unwrap().1.split('?').next().unwrap().to_owned()
            }
            Record::WaitsForConsent => self.waits_for_consent().await,
            Record::RefusedRefund => self.refused_refund().await,
            Record::Feed => {
                let made = app.post(OPS, "/api/calendar/montreal/feed", &json!({})).await.expect(201);
                let url = made.body["url"].as_str().unwrap();
                url.rsplit_once("/feeds/").unwrap().1.split('/').next().unwrap().to_owned()
            }
            Record::FailedCharge => self.failed(false).await,
            Record::LostCharge => self.failed(true).await,
            Record::FreshCharge => self.paid_by_link().await.0,
            Record::Dispute => self.disputed().await,
            Record::Begun => self.begun().await,
            Record::MatesJob => self.mates_job().await,
            Record::MatesBegunJob => {
                let id = self.mates_job().await;
                app.post(MATE, &format!("/api/jobs/{id}/start"), &json!({})).await.expect(200);
                id
            }
            Record::Invoiced => self.invoiced().await,
            Record::Invoice => {
                let id = self.invoiced().await;
                let found = app.get(OPS, &format!("/api/invoices/{id}")).await.expect(200);
                found.body["id"].as_str().unwrap().to_owned()
            }
            Record::BilledPartner => self.billed_partner().await,
            Record::IssuedBatch => {
                let id = Box::pin(self.record(Record::MadeBy("draftPartnerInvoice"))).await;
                app.post(OPS, &format!("/api/invoices/batch/{id}/issue"), &json!({})).await.expect(200);
                id
            }
            Record::Difference => self.difference().await,
            Record::HandPayment => self.by_hand("charge").await,
            Record::HandRefund => self.by_hand("refund").await,
            Record::Job => self.given_up().await,
            Record::Rate => self.planned_rate().await,
            Record::Settings => self.saved_settings().await,
            Record::Message => {
                let path = "/api/templates/depositCharged/fr/test";
                app.post(OPS, path, &json!({})).await.expect(200);
                app.run_jobs().await;
                let found = app.get(OPS, "/api/messages?messageType=depositCharged").await.expect(200);
                found.body["data"][0]["id"].as_str().unwrap().to_owned()
            }
            Record::LostMessage => self.lost_message().await,
            Record::Mail => {
                self.person().await;
                let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
                mails["data"][0]["id"].as_str().unwrap().to_owned()
            }
        }
    }

    /// The secret of one of the links in a mailed quote.
    async fn mailed_quote(&self, day: &str, path: &str) -> String {
        let body = json!({
            "email": format!("quote-{}@portage.test", self.made),
            "bookingRequest": draft(day, "09:00"),
            "draft": "{\"mateCount\":2}",
        });
        self.app.post(GUEST, "/api/quotes", &body).await.expect(201);
        self.app.run_jobs().await;
        self.app.mailed_secret(path).await
    }

    /// A booking that a mate is on, whose move began an hour ago.
    async fn mates_job(&mut self) -> String {
        let id = Box::pin(self.record(Record::Booking)).await;
        let body = json!({ "mates": [self.app.mate_of(MATE).await] });
        self.app.put(OPS, &format!("/api/bookings/{id}/crew"), &body).await.expect(200);
        self.app.run_jobs().await;
        self.moved_an_hour_back(&id).await;
        id
    }

    /// A booking with a crew, whose move began an hour ago.
    async fn begun(&mut self) -> String {
        let id = Box::pin(self.record(Record::Booking)).await;
        let status = json!({ "status": "assigned", "language": "en" });
        self.app.put(OPS, &format!("/api/bookings/status/{id}"), &status).await.expect(200);
        self.moved_an_hour_back(&id).await;
        id
    }

    async fn moved_an_hour_back(&self, id: &str) {
        let (key, now): (kernel::BookingId, _) = (id.parse().unwrap(), self.app.services.clock.now());
        let moved = self.app.services.store.write(move |u| {
            let mut b = u.bookings().get(key)?.unwrap();
            b.move_at = now - kernel::chrono::Duration::hours(1);
            let version = b.version;
            u.bookings().update(&b, version)
        });
        let done: Result<i32, service::ports::StoreError> = moved.await;
        done.unwrap();
    }

    /// A deposit that was given up; with `ended`, of a booking that was cancelled and keeps it.
    async fn failed(&mut self, ended: bool) -> String {
        let id: kernel::BookingId = Box::pin(self.record(Record::Booking)).await.parse().unwrap();
        let written = self.app.services.store.write(move |u| {
            let mut row = u.payments().of_booking(id)?.remove(0);
            row.state = status_machine::At::stored(status_machine::payment::State::Failed);
            (row.attempts, row.next_attempt_at) = (1, None);
            u.payments().update(&row)?;
            if ended {
                let mut b = u.bookings().get(id)?.unwrap();
                b.status = status_machine::booking::Status::Cancelled;
                b.details.kept = Some(row.amount);
                u.bookings().update(&b, b.version)?;
            }
            Ok::<_, service::ports::StoreError>(row.id.to_string())
        });
        written.await.unwrap()
    }

    /// A booking whose cancellation was taken back after money had gone back.
    async fn waits_for_consent(&mut self) -> String {
        let id = Box::pin(self.record(Record::Booking)).await;
        let cash = json!({ "method": "cash", "amount": "10.00" });
        self.app.post(OPS, &format!("/api/bookings/{id}/payments"), &cash).await.expect(201);
        let status = |to: &str| json!({ "status": to, "language": "en", "reason": "Example" });
        let path = format!("/api/bookings/status/{id}");
        self.app.put(OPS, &path, &status("cancelled")).await.expect(200);
        let money = self.app.get(OPS, &format!("/api/bookings/{id}/payments")).await.expect(200).body;
        let back = money["data"].as_array().unwrap().iter().find(|p| p["kind"] == "refund").unwrap()["id"].clone();
        let path_of_refund = format!("/api/payments/{}/handed-over", back.as_str().unwrap());
        self.app.post(OPS, &path_of_refund, &json!({})).await.expect(200);
        self.app.put(OPS, &path, &status("pending")).await.expect(200);
        id
    }

    /// A refund that the gateway refused for good, of a booking that was paid by its link.
    async fn refused_refund(&mut self) -> String {
        let charge: kernel::PaymentId = self.paid_by_link().await.0.parse().unwrap();
        let found = self.app.services.store.read(move |u| u.payments().get(charge)).await;
        let found: Result<_, service::ports::StoreError> = found;
        let id = found.unwrap().unwrap().booking_id;
        let back = json!({ "kind": "refund", "amount": "10.00", "reason": "Example" });
        self.app.post(OPS, &format!("/api/bookings/{id}/refunds"), &back).await.expect(201);
        let written = self.app.services.store.write(move |u| {
            let rows = u.payments().of_booking(id)?;
            let mut row = rows.into_iter().rfind(|r| r.refund_of == Some(charge)).unwrap();
            row.state = status_machine::At::stored(status_machine::payment::State::Failed);
            row.next_attempt_at = None;
            u.payments().update(&row)?;
            Ok::<_, service::ports::StoreError>(row.id.to_string())
        });
        written.await.unwrap()
    }

    /// A booking that was paid by its link a moment ago: the charge, and the gateway's key of it.
    async fn paid_by_link(&mut self) -> (String, String) {
        let token = Box::pin(self.record(Record::PayLink)).await;
        let body = json!({ "paymentNonce": "fake-valid-nonce", "amount": self.owed });
        self.app.post(GUEST, &format!("/api/pay/{token}"), &body).await.expect(200);
        let list = self.app.get(GUEST, "/simulators/braintree/transactions").await.expect(200).body;
        let order = list["data"].as_array().unwrap().last().unwrap()["orderId"].as_str().unwrap().to_owned();
        let found = self.app.services.store.read(move |u| u.payments().attempt(&order));
        let attempt: Result<_, service::ports::StoreError> = found.await;
        let attempt = attempt.unwrap().unwrap();
        (attempt.payment_id.to_string(), attempt.order_id)
    }

    /// A charge that its cardholder disputes, and we know of it.
    async fn disputed(&mut self) -> String {
        let (charge, order) = self.paid_by_link().await;
        let found = self.app.services.gateway.find_by_order(&order).await.unwrap();
        let settle = json!({ "settle": [found[0].id] });
        self.app.post(GUEST, "/simulators/braintree/control", &settle).await.expect(200);
        let dispute = json!({ "disputes": [{ "transactionId": found[0].id, "state": "opened" }] });
        self.app.post(GUEST, "/simulators/braintree/control", &dispute).await.expect(200);
        service::billing::settlement::look(&self.app.services, order).await.unwrap();
        let listed = self.app.get(OPS, "/api/disputes?page=1&per_page=100").await.expect(200).body;
        let ours = |d: &&Value| d["paymentId"] == charge.as_str();
        listed["data"].as_array().unwrap().iter().find(ours).unwrap()["id"].as_str().unwrap().to_owned()
    }

    /// A booking whose move is done.
    async fn completed(&mut self) -> String {
        let id = self.begun().await;
        let status = json!({ "status": "completed", "language": "en" });
        self.app.put(OPS, &format!("/api/bookings/status/{id}"), &status).await.expect(200);
        id
    }

    /// The same with an invoice that was issued.
    async fn invoiced(&mut self) -> String {
        let id = self.completed().await;
        let status = json!({ "status": "invoiced", "language": "en" });
        self.app.put(OPS, &format!("/api/bookings/status/{id}"), &status).await.expect(200);
        self.app.run_jobs().await;
        id
    }

    /// A half hour that counts a mate more than bookings take, as a comparison found it.
    async fn difference(&mut self) -> String {
        self.made += 1;
        let s = &self.app.services;
        let date: kernel::chrono::NaiveDate = day(self.made).parse().unwrap();
        let counted = s.store.write(move |u| {
            let key = [scheduling::BucketKey { date, index: 20 }];
            u.capacities().make("montreal", &key)?;
            u.capacities().add("montreal", &key, 1, None)
        });
        let done: Result<(), service::ports::StoreError> = counted.await;
        done.unwrap();
        self.app.post(OPS, "/api/reconciliation", &json!({})).await.expect(200);
        self.app.run_jobs().await;
        let found = self.app.get(OPS, "/api/reconciliation").await.expect(200).body;
        let all = found["last"]["differences"].as_array().unwrap();
        let own = all.iter().find(|d| d["kind"] == "capacity" && d["standing"] == "open").unwrap();
        own["id"].as_str().unwrap().to_owned()
    }

    /// Cash that was taken, or taken and to be handed back.
    async fn by_hand(&mut self, wanted: &str) -> String {
        let id = Box::pin(self.record(Record::Booking)).await;
        let path = |call: &str| format!("/api/bookings/{id}/{call}");
        let cash = json!({ "method": "cash", "amount": "10.00" });
        let mut money = self.app.post(OPS, &path("payments"), &cash).await.expect(201).body;
        if wanted == "refund" {
            let back = json!({ "kind": "refund", "amount": "10.00", "reason": "Example" });
            money = self.app.post(OPS, &path("refunds"), &back).await.expect(201).body;
        }
        let wanted = |p: &&Value| p["method"] == "cash" && (p["kind"] == "refund") == (wanted == "refund");
        money["data"].as_array().unwrap().iter().find(wanted).unwrap()["id"].as_str().unwrap().to_owned()
    }

    async fn person(&mut self) -> Person {
        self.made += 1;
        let email = format!("somebody{}@portage.test", self.made);
        let body = json!({ "email": email, "password": PASSWORD, "firstName": "Sam", "lastName": "Body", "language": "en", "acceptTerms": true });
        let request = self.app.http.post(self.app.path("/identity/api/sign-up")).json(&body);
        let response = request.send().await.unwrap();
        assert_eq!(response.status(), 201);
        let cookie = cookies(&response);
        self.app.run_jobs().await;
        Person { email, cookie }
    }

    /// A booking of somebody who called, to be paid by a link.
    async fn phone_order(&mut self, day: &str) -> String {
        let customer = json!({
            "email": format!("caller{}@portage.test", self.made), "firstName": "Camille", "lastName": "Caron",
            "phone": "514-555-0199", "language": "fr",
        });
        let body = json!({ "bookingRequest": draft(day, "09:00"), "customer": customer, "payment": "link" });
        let made = self.app.post(OPS, "/api/bookings", &body).await.expect(201);
        self.owed = made.body["total"].clone();
        made.body["id"].as_str().unwrap().to_owned()
    }

    /// A partner with a move that was done and is paid by their invoice.
    async fn billed_partner(&mut self) -> String {
        self.made += 1;
        let n = self.made;
        let partner = json!({
            "name": format!("Meubles {n}"), "netDays": 30, "language": "fr",
            "contacts": [{ "name": "Paul Gagnon", "email": format!("paul{n}@meubles.test") }],
        });
        let partner = self.app.post(OPS, "/api/partner", &partner).await.expect(201).body["id"].clone();
        let customer = json!({
            "email": format!("buyer{n}@portage.test"), "firstName": "Camille", "lastName": "Caron",
            "phone": "514-555-0199", "language": "fr",
        });
        let body = json!({
            "bookingRequest": draft(&day(n), "09:00"), "customer": customer, "payment": "invoice", "partnerId": partner,
        });
        let made = self.app.post(OPS, "/api/bookings", &body).await.expect(201);
        let id = made.body["id"].as_str().unwrap().to_owned();
        let status = |to: &str| json!({ "status": to, "language": "en" });
        let path = format!("/api/bookings/status/{id}");
        self.app.put(OPS, &path, &status("assigned")).await.expect(200);
        self.moved_an_hour_back(&id).await;
        self.app.put(OPS, &path, &status("completed")).await.expect(200);
        partner.as_str().unwrap().to_owned()
    }

    /// The first version of a card of its own name, still to come: what is planned may be removed.
    async fn planned_rate(&self) -> String {
        let s = &self.app.services;
        let (name, from) = (format!("example-{}", self.made), s.clock.now() + kernel::chrono::Duration::days(300));
        let card = pricing::RateCard::builtin();
        let rate = service::rates::load(s, service::Actor::system(), name, Some(from), card).await.unwrap();
        rate.id.to_string()
    }

    /// Settings of the company that nobody has saved before.
    async fn saved_settings(&self) -> String {
        let version = self.settings_version("company").await;
        let body = json!({ "values": { "address": format!("{} Rue Peel, Montréal", self.made) } });
        let request = self.app.builder(ADMIN, Method::PUT, "/api/settings/company").await;
        let request = request.header("if-match", format!("\"{version}\"")).json(&body);
        Answer::of(request.send().await.unwrap()).await.expect(200);
        "company".to_owned()
    }

    /// The version of settings that is in force; any number where the path names no area.
    async fn settings_version(&self, area: &str) -> i64 {
        let found = self.app.get(ADMIN, &format!("/api/settings/{area}")).await;
        found.body["version"].as_i64().unwrap_or(1)
    }

    /// A message whose job was given up.
    async fn lost_message(&self) -> String {
        let s = self.app.services.clone();
        let (now, wall) = (s.clock.now(), s.wall.now());
        let id = kernel::MessageId(s.entropy.uuid(now));
        let message = service::mailing::NewMessage {
            dedup_key: format!("lost:{id}"),
            booking_id: None,
            user_id: None,
            message_type: "welcome".to_owned(),
            language: kernel::Language::En,
            to: "nobody@portage.test".parse().unwrap(),
            to_name: String::new(),
            values: json!({}),
        };
        let queued = s.write(service::Actor::system(), move |tx| {
            service::mailing::queue(tx, message)?;
            Ok::<_, service::Error>(())
        });
        queued.await.unwrap();
        let buried = s.store.write(move |u| {
            let lease = wall + kernel::chrono::Duration::seconds(60);
            let mine = u.jobs().claim(now, wall, lease, "example", 1)?.remove(0);
            u.jobs().bury(mine.id, "example", now, "550 no such user")?;
            Ok::<_, service::ports::StoreError>(mine.payload["messageId"].as_str().unwrap().to_owned())
        });
        buried.await.unwrap()
    }

    /// A job that was given up: it would send a message that is not there.
    async fn given_up(&self) -> String {
        let s = self.app.services.clone();
        let (now, wall) = (s.clock.now(), s.wall.now());
        let id = s.entropy.uuid(now);
        let work = service::work::Work::SendMessage { message_id: kernel::MessageId(id) };
        let job = service::ports::jobs::NewJob { id: kernel::JobId(id), ..work.at(&s, now) };
        let buried = s.store.write(move |u| {
            u.jobs().enqueue(&job)?;
            let lease = wall + kernel::chrono::Duration::seconds(60);
            let mine = u.jobs().claim(now, wall, lease, "example", 1)?;
            assert_eq!(mine[0].id, job.id);
            u.jobs().bury(job.id, "example", now, "nobody took it")
        });
        let done: Result<(), service::ports::StoreError> = buried.await;
        done.unwrap();
        id.to_string()
    }

    async fn mailed(&self, to: &str, part: &str) -> String {
        let app = self.app;
        let mails = app.get(GUEST, "/simulators/mailbox/messages").await.expect(200).body;
        for mail in mails["data"].as_array().unwrap().iter().filter(|m| m["to"] == to) {
            let path = format!("/simulators/mailbox/messages/{}", mail["id"].as_str().unwrap());
            let text = app.get(GUEST, &path).await.expect(200).body["text"].as_str().unwrap().to_owned();
            if let Some(link) = text.split_whitespace().find(|w| w.contains(part)) {
                return query_value(link, "token").unwrap();
            }
        }
        panic!("no {part} was mailed to {to}")
    }

    /// What stands in braces in an example.
    async fn value(&self, name: &str, person: &Person) -> String {
        let app = self.app;
        let payload =
            || STANDARD.encode("<notification><kind>check</kind><subject><check>true</check></subject></notification>");
        let key = braintree::simulator::DEMO_KEY;
        match name {
            "redirect_uri" => format!("{}/callback", app.url),
            "home" => format!("{}/", app.url),
            // Something nobody else has, for what must be unique.
            "unique" => format!("example-{}", self.made),
            "unique_email" => format!("example-{}@portage.test", self.made),
            "refresh_token" => app.token_answer(&person.cookie).await["refresh_token"].as_str().unwrap().to_owned(),
            "verification_token" => self.mailed(&person.email, "/identity/verify?token=").await,
            "reset_token" => {
                app.post(GUEST, "/identity/api/forgot-password", &json!({ "email": person.email })).await.expect(204);
                app.run_jobs().await;
                self.mailed(&person.email, "/resetpassword?token=").await
            }
            "new_email" => format!("new-{}", person.email),
            "change_token" => {
                let email = format!("new-{}", person.email);
                let body = json!({ "currentPassword": PASSWORD, "email": email });
                let request = app.http.post(app.path("/identity/api/change-email")).header("cookie", &person.cookie);
                assert_eq!(request.json(&body).send().await.unwrap().status(), 204);
                app.run_jobs().await;
                self.mailed(&email, "/identity/change-email?token=").await
            }
            // A mate of Montreal who is never away.
            "mate" => self.a_mate().await,
            "bt_payload" => payload(),
            "bt_signature" => braintree::webhook::WebhookVerifier::new(key, key.to_owned().into()).sign(&payload()),
            other => panic!("no test knows what {{{other}}} is: say it here"),
        }
    }

    async fn a_mate(&self) -> String {
        let body = json!({ "name": "Lea Example", "hubs": ["montreal"] });
        let made = self.app.post(OPS, "/api/mate", &body).await.expect(201);
        made.body["id"].as_str().unwrap().to_owned()
    }

    async fn filled(&self, text: &str, person: Option<&Person>) -> String {
        match named(text) {
            Some(name) => self.value(name, person.unwrap()).await,
            None => text.to_owned(),
        }
    }

    async fn pairs(&self, pairs: &[(&str, &str)], person: Option<&Person>) -> Vec<(String, String)> {
        let mut out = Vec::new();
        for (name, value) in pairs {
            out.push(((*name).to_owned(), self.filled(value, person).await));
        }
        out
    }

    /// The example of a row, of the record with this id, as `who`.
    pub async fn request(&mut self, route: &Route, id: &str, who: &'static str) -> RequestBuilder {
        let example = &route.example;
        let braces = |text: &str| named(text).is_some() && text != "{completed}";
        let needs = example.query.iter().any(|(_, v)| braces(v))
            || matches!(&example.body, Some(Content::Form(pairs)) if pairs.iter().any(|(_, v)| braces(v)))
            || matches!(&example.body, Some(Content::Json(Value::Object(o))) if o.values().any(|v| v.as_str().is_some_and(braces)));
        let person = match route.relation {
            Relation::Cookie | Relation::Token | Relation::WhoeverHasTheLink => Some(self.person().await),
            _ if needs => Some(self.person().await),
            _ => None,
        };
        // Only a month that is closed is reopened.
        if route.path == "/api/books/months/reopen" {
            self.app.post(ADMIN, "/api/books/months/close", &json!({ "month": "2027-01" })).await.expect(200);
        }
        let mut request = self.app.builder(who, method(route), &route.path_of(id)).await;
        match (route.relation, &person) {
            (Relation::Cookie | Relation::WhoeverHasTheLink, Some(person)) => {
                // Mails are sent again after a minute; tokens live a quarter of an hour.
                self.app.clock.move_to(self.app.services.clock.now() + kernel::chrono::Duration::seconds(61));
                self.app.tokens.lock().unwrap().clear();
                request = request.header("cookie", &person.cookie);
            }
            (Relation::Token, Some(person)) => {
                let token = self.app.token_answer(&person.cookie).await;
                request = request.bearer_auth(token["access_token"].as_str().unwrap());
            }
            _ => {}
        }
        if route.contract.params.iter().any(|p| p.name == "If-Match" && p.required) {
            // A record that was just made has the first version. A hub is there already.
            let version = match route.contract.record {
                None if !example.parts.is_empty() => {
                    self.app.get(who, &route.path_of(id)).await.expect(200).header("etag").to_owned()
                }
                // An area of settings is there from the beginning, and has a version more with each example.
                Some(Record::Settings) => format!("\"{}\"", self.settings_version(id).await),
                _ => "\"1\"".to_owned(),
            };
            request = request.header("if-match", version);
        }
        if !example.query.is_empty() {
            request = request.query(&self.pairs(example.query, person.as_ref()).await);
        }
        match &example.body {
            Some(Content::Form(pairs)) => request.form(&self.pairs(pairs, person.as_ref()).await),
            Some(Content::Json(body)) => {
                let mut body = body.clone();
                for value in body.as_object_mut().into_iter().flat_map(serde_json::Map::values_mut) {
                    if value == "{completed}" {
                        *value = json!(Box::pin(self.completed()).await);
                    } else if value == "{owed}" {
                        *value = self.owed.clone();
                    } else if let Some(text) = value.as_str() {
                        *value = json!(self.filled(text, person.as_ref()).await);
                    } else if *value == json!(["{billed}"]) {
                        // Of a record that is not there any booking will do.
                        let found = self.app.get(OPS, &format!("/api/invoices/batch/{id}")).await;
                        let first = found.body["bookings"][0]["bookingId"].as_str().unwrap_or(id);
                        *value = json!([first]);
                    } else if *value == json!(["{mate}"]) {
                        *value = json!([self.a_mate().await]);
                    } else if *value == json!(["{booking}"]) {
                        *value = json!([Box::pin(self.record(Record::Booking)).await]);
                    }
                }
                request.json(&body)
            }
            Some(Content::File(part, name, bytes)) => super::requests::with_file(request, part, name, bytes),
            Some(Content::Text(media, text)) => request.header("content-type", *media).body(*text),
            None => request,
        }
    }

    /// The same of a new record, by the person the row is for.
    pub async fn example(&mut self, route: &Route, request_id: &str) -> Answer {
        let id = match route.contract.record {
            Some(kind) => self.record(kind).await,
            None => String::new(),
        };
        let request = self.request(route, &id, caller(route)).await.header("x-request-id", request_id);
        Answer::of(request.send().await.unwrap()).await
    }
}

/// The name in braces of what only a running system knows; JSON stands in braces, too, and is what it is.
fn named(text: &str) -> Option<&str> {
    let name = text.strip_prefix('{')?.strip_suffix('}')?;
    (!name.contains(['"', ':'])).then_some(name)
}
