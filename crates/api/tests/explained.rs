//! A price explains itself: the sentence of every line multiplies to the line's amount, each day of the price calendar is
//! the estimate of that day, each crew the estimate of that crew. Over the worked examples and thirty drawn moves.

#[path = "explained/sentences.rs"]
mod sentences;
use crate::support::{TestApp, chinese::stray_space, golden, people::GUEST, requests::estimate};
use kernel::Language;
use sentences::{money, result, taken_off, worked_out};
use serde_json::{Value, json};
use service::ports::{StoreError, capacity::DayCapacity};

/// Every line of an estimate; how many had a named factor.
fn check_lines(name: &str, a: &Value, language: Language) -> usize {
    let mut named = 0;
    for line in a["lines"].as_array().unwrap() {
        let (said, amount) = (line["explanation"].as_str().unwrap(), money(&line["amount"]));
        assert_eq!(result(said, language), amount, "{name} {language}: {said}");
        let worked = match line["code"].as_str().unwrap() {
            _ if line["type"] == "discount" => taken_off(said, language, money(&a["originalAmount"])),
            _ if line["unit"] == "flat" => money(&line["unitPrice"]),
            _ => worked_out(said, language),
        };
        assert_eq!(worked, amount, "{name} {language}: {said}");
        if line["dateFactor"] != "1.00" {
            named += 1;
            assert!(said.contains(a["dateLabel"].as_str().unwrap()), "{name}: {said}");
            assert_eq!(line["unit"], "hour", "{name}: {said}");
        }
        let hyphen_for_minus =
            said.match_indices('-').any(|(at, _)| said[at + 1..].starts_with(|c: char| "$0123456789C".contains(c)));
        assert!(!said.contains("base") && !hyphen_for_minus, "{said}");
        for text in line.as_object().unwrap().values().filter_map(Value::as_str) {
            assert_eq!(stray_space(text), None, "{name} {language}: {text}");
        }
    }
    named
}

/// A generator that draws the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn of<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[usize::try_from(self.below(list.len() as u64)).unwrap()]
    }
}

/// A move of any size, kind and place, on a day of any name.
fn drawn(dice: &mut Dice) -> Value {
    let ends = [
        ("QC", "Montréal", "H2X 1Y4"),
        ("ON", "Toronto", "M5V 2T6"),
        ("BC", "Vancouver", "V6B 1A1"),
        ("AB", "Calgary", "T2P 1J9"),
    ];
    let items = ["couch-3-seats", "piano-upright", "mattress-queen", "piano-baby-grand", "hot-tub", "bed-frame-queen"];
    let known = furniture_catalogue::Catalogue::builtin();
    let mut furnitures = Vec::new();
    for _ in 0..=dice.below(4) {
        let id = *dice.of(&items);
        assert!(known.get(id).is_some(), "{id}");
        furnitures.push(json!({ "id": id, "quantity": 1 + dice.below(3) }));
    }
    furnitures.push(json!({ "id": "box-small-1-5", "quantity": 1 + dice.below(200) }));
    let (province, city, code) = dice.of(&ends);
    let address = json!({ "province": province, "city": city, "postalCode": code });
    let mut access = || {
        json!({ "floor": i64::try_from(dice.below(6)).unwrap() - 1, "elevator": dice.below(3), "parking": dice.below(2) == 0,
                "accessibility": dice.of(&["easy", "moderate", "difficult"]) })
    };
    let access = [access(), access()];
    let day = kernel::chrono::NaiveDate::from_yo_opt(2027, 40 + u32::try_from(dice.below(320)).unwrap()).unwrap();
    let travel = 3 + dice.below(400);
    json!({
        "travelDuration": travel,
        "distanceKm": format!("{}.{}", travel * 4 / 5, dice.below(10)),
        "selectedFurnitures": { "furnitures": furnitures },
        "mateCount": 1 + dice.below(4),
        "locationDetails": access,
        "rideAlong": dice.below(3) == 0,
        "clientAsMate": dice.below(3) == 0,
        "justMates": dice.below(6) == 0,
        "movingDate": day.to_string(),
        "discountCode": *dice.of(&[None, Some("WELCOME10"), Some("CAPPED"), Some("HUGE")]),
        "pickupAddress": address,
        "dropoffAddress": address,
        "moveKind": dice.of(&pricing::MoveKind::ALL).code(),
    })
}

fn thirty() -> Vec<Value> {
    let mut dice = Dice(9);
    (0..30).map(|_| drawn(&mut dice)).collect()
}

/// Two more codes: one with a cap, one larger than most prices.
async fn codes(app: &TestApp) {
    for (code, terms) in [
        ("CAPPED", json!({ "code": "CAPPED", "percent_bp": 1_250, "max_amount": 5_000 })),
        ("HUGE", json!({ "code": "HUGE", "amount": 60_000 })),
    ] {
        let stored = golden::discount(app, &json!({ "input": { "discount": terms } })).await.unwrap();
        assert_eq!(stored, format!("X{code}"));
    }
}

async fn priced(app: &TestApp, body: &Value, language: Language) -> Value {
    app.post(GUEST, &format!("/api/booking/estimate?lang={language}"), body).await.expect(200).body
}

#[actix_web::test]
async fn every_explained_line_of_the_worked_examples_gives_its_amount() {
    let app = TestApp::new().await;
    let all: Value = serde_json::from_str(include_str!("../../../fixtures/golden-examples.json")).unwrap();
    let (mut named, mut checked) = (0, 0);
    for example in all["examples"].as_array().unwrap() {
        let code = golden::discount(&app, example).await;
        let Some(body) = golden::request(&example["input"], code.as_deref()) else { continue };
        for language in Language::ALL {
            let a = priced(&app, &body, language).await;
            named += check_lines(example["name"].as_str().unwrap(), &a, language);
            checked += 1;
        }
    }
    assert_eq!(checked, 57);
    assert!(named > 20, "{named}");
}

#[actix_web::test]
async fn every_explained_line_of_thirty_drawn_moves_gives_its_amount() {
    let app = TestApp::new().await;
    codes(&app).await;
    let (mut named, mut capped, mut minimum, mut returned) = (0, 0, 0, 0);
    for (n, mut body) in thirty().into_iter().enumerate() {
        if let Some(code) = body["discountCode"].as_str().filter(|c| *c != "WELCOME10").map(str::to_owned) {
            body["discountCode"] = json!(format!("X{code}"));
        }
        for language in Language::ALL {
            let a = priced(&app, &body, language).await;
            named += check_lines(&format!("move {n}"), &a, language);
            let text = a["lines"].to_string();
            capped += usize::from(text.contains("at most $50.00"));
            minimum += usize::from(text.contains("is the least we bill"));
            returned += usize::from(text.contains("return_labour"));
        }
    }
    // The draw is worth something.
    assert!(named > 20 && capped > 1 && minimum > 0 && returned > 2, "{named} {capped} {minimum} {returned}");
}

#[actix_web::test]
async fn each_day_of_the_calendar_is_the_estimate_of_that_day() {
    let app = TestApp::new().await;
    let mut dear = 0;
    for (n, body) in thirty().into_iter().enumerate() {
        let mut asked = body.clone();
        let from = ["2027-02-08", "2027-06-15", "2027-12-01"][n % 3];
        // All forty-two days now and then; a week of each of the others.
        let days = if n % 10 == 0 { 42 } else { 7 };
        asked["from"] = json!(from);
        asked["days"] = json!(days);
        let calendar = app.post(GUEST, "/api/booking/prices", &asked).await.expect(200).body;
        assert_eq!(calendar["days"].as_array().unwrap().len(), days, "{calendar}");
        for day in calendar["days"].as_array().unwrap() {
            let mut one = body.clone();
            one["movingDate"] = day["date"].clone();
            let a = priced(&app, &one, Language::En).await;
            assert_eq!((&day["amount"], &day["total"]), (&a["amount"], &a["total"]), "move {n} on {}", day["date"]);
            assert_eq!(day["label"], a["dateLabel"], "{}", day["date"]);
            assert_eq!(day["factor"], a["lines"][0]["dateFactor"], "{}", day["date"]);
            let period = day["period"].as_str().unwrap_or("base");
            assert_eq!(a["lines"][0]["period"], period, "{}", day["date"]);
            dear += usize::from(period != "base");
        }
    }
    assert!(dear > 30, "{dear}");
}

#[actix_web::test]
async fn open_days_are_those_with_a_free_start() {
    let app = TestApp::new().await;
    app.only_one_crew().await;
    // Wednesday the 17th has too few people for four.
    let few = DayCapacity { mates: 3, trucks: [1, 1, 1] };
    let day = "2027-02-17".parse().unwrap();
    let written: Result<(), StoreError> =
        app.services.store.write(move |u| u.capacities().set_override("montreal", day, few)).await;
    written.unwrap();
    let mut body = estimate();
    body["from"] = json!("2027-02-05");
    body["days"] = json!(42);
    body["mateCount"] = json!(4);
    let calendar = app.post(GUEST, "/api/booking/prices", &body).await.expect(200).body;
    let duration = {
        let a = priced(&app, &body, Language::En).await;
        (a["duration"].as_u64().unwrap(), a["tier"].as_u64().unwrap())
    };
    let query = format!(
        "date=2027-02-05&days=42&mateCount=4&duration={}&tier={}&province=QC&city=Montr%C3%A9al&postalCode=H2X%201Y4",
        duration.0, duration.1
    );
    let free = app.get(GUEST, &format!("/api/availability?{query}")).await.expect(200).body;
    let mut shut = Vec::new();
    for (priced, day) in calendar["days"].as_array().unwrap().iter().zip(free["days"].as_array().unwrap()) {
        let any = day["slots"].as_array().unwrap().iter().any(|s| s["available"] == true);
        assert_eq!((&priced["date"], &priced["open"]), (&day["date"], &json!(any)));
        if !any {
            shut.push(priced["date"].as_str().unwrap().to_owned());
        }
    }
    // Past, today (too soon), and the day that is taken. Tomorrow is eighteen hours away from nine in the morning on.
    assert_eq!(shut, ["2027-02-05", "2027-02-06", "2027-02-07", "2027-02-08", "2027-02-17"]);
    let cheapest = calendar["cheapest"].as_str().unwrap();
    let open = || calendar["days"].as_array().unwrap().iter().filter(|d| d["open"] == true);
    let least = open().map(|d| money(&d["total"])).min().unwrap();
    let first = open().find(|d| money(&d["total"]) == least).unwrap();
    assert_eq!(first["date"], cheapest);

    // Beyond the horizon nothing is open, so nothing is the cheapest.
    body["from"] = json!("2028-03-01");
    let far = app.post(GUEST, "/api/booking/prices", &body).await.expect(200).body;
    assert!(far["days"].as_array().unwrap().iter().all(|d| d["open"] == false) && far["cheapest"].is_null(), "{far}");
    for bad in [json!({ "days": 43 }), json!({ "days": 0 }), json!({ "from": "2027-02-30" }), json!({ "from": null })] {
        let mut wrong = body.clone();
        wrong.as_object_mut().unwrap().extend(bad.as_object().unwrap().clone());
        app.post(GUEST, "/api/booking/prices", &wrong).await.expect(422);
    }
}

#[actix_web::test]
async fn dear_days_are_named_in_every_language() {
    let app = TestApp::new().await;
    let mut body = estimate();
    body["from"] = json!("2027-06-26");
    body["days"] = json!(6);
    for (language, moving_day, season) in [
        ("en", "Moving day, July 1", "Peak of the moving season"),
        ("fr", "Jour du déménagement, 1er juillet", "Pointe de la saison"),
        ("zh", "搬家日（7月1日）", "搬家高峰期"),
    ] {
        let a = app.post(GUEST, &format!("/api/booking/prices?lang={language}"), &body).await.expect(200).body;
        let last = &a["days"][5];
        assert_eq!(
            (&last["date"], &last["factor"], &last["period"]),
            (&json!("2027-07-01"), &json!("2.00"), &json!("qc-moving-day"))
        );
        assert_eq!(last["label"].as_str().unwrap().replace('\u{a0}', " "), moving_day);
        assert!(a["days"][0]["label"].as_str().unwrap().starts_with(season), "{}", a["days"][0]);
    }
    body["from"] = json!("2027-11-09");
    let a = app.post(GUEST, "/api/booking/prices", &body).await.expect(200).body;
    let plain = &a["days"][0];
    assert_eq!((&plain["factor"], &plain["period"], &plain["label"]), (&json!("1.00"), &Value::Null, &Value::Null));
}

#[actix_web::test]
async fn each_crew_is_the_estimate_of_that_crew() {
    let app = TestApp::new().await;
    let (mut refused, mut cheapest) = (0, 0);
    for (n, body) in thirty().into_iter().enumerate() {
        let crews = app.post(GUEST, "/api/booking/crews", &body).await.expect(200).body;
        let crews = crews["crews"].as_array().unwrap();
        let most = if body["clientAsMate"] == true { 3 } else { 4 };
        let sizes: Vec<u64> = crews.iter().map(|c| c["mateCount"].as_u64().unwrap()).collect();
        let mut want: Vec<u64> = (1..=most).collect();
        want.extend(body["mateCount"].as_u64().filter(|m| *m > most));
        assert_eq!(sizes, want, "move {n}");
        for crew in crews {
            let mut one = body.clone();
            one["mateCount"] = crew["mateCount"].clone();
            let a = priced(&app, &one, Language::En).await;
            for field in ["amount", "total", "duration", "warnings"] {
                assert_eq!(crew[field], a[field], "move {n} with {}: {field}", crew["mateCount"]);
            }
        }
        let labelled = |label: &str| -> Vec<&Value> {
            crews.iter().filter(|c| c["labels"].as_array().unwrap().contains(&json!(label))).collect()
        };
        let free: Vec<&Value> = crews.iter().filter(|c| c["warnings"] == json!([])).collect();
        if free.is_empty() {
            assert!(labelled("cheapest").is_empty() && labelled("fastest").is_empty());
            continue;
        }
        let (low, quick) = (labelled("cheapest"), labelled("fastest"));
        assert_eq!((low.len(), quick.len()), (1, 1), "move {n}");
        assert!(free.iter().all(|c| money(&c["total"]) >= money(&low[0]["total"])));
        assert!(free.iter().all(|c| c["duration"].as_u64() >= quick[0]["duration"].as_u64()));
        cheapest += 1;
        refused += labelled("refused_heavy_item").len();
    }
    assert!(cheapest > 10 && refused > 3, "{cheapest} {refused}");
}

#[actix_web::test]
async fn a_warning_names_the_items_it_is_about() {
    let app = TestApp::new().await;
    let mut body = estimate();
    body["selectedFurnitures"] =
        json!({ "furnitures": [{ "id": "hot-tub", "quantity": 1 }, { "id": "piano-upright", "quantity": 1 }] });
    for (language, name) in [("en", "Hot tub"), ("fr", "Spa"), ("zh", "户外浴缸（SPA）")] {
        let a = app.post(GUEST, &format!("/api/booking/estimate?lang={language}"), &body).await.expect(200).body;
        assert_eq!(a["warnings"], json!([{ "code": "contact_support", "items": [{ "id": "hot-tub", "name": name }] }]));
    }
    body["selectedFurnitures"] = json!({ "furnitures": [{ "id": "piano-upright", "quantity": 1 }] });
    let crews = app.post(GUEST, "/api/booking/crews", &body).await.expect(200).body;
    let two = &crews["crews"][1];
    assert_eq!(two["labels"], json!(["refused_heavy_item"]));
    assert_eq!(two["warnings"][0]["items"][0]["id"], "piano-upright");
    assert_eq!(crews["crews"][2]["labels"], json!(["cheapest", "fastest"]), "{crews}");
}

#[actix_web::test]
async fn the_way_back_is_not_called_the_date() {
    let app = TestApp::new().await;
    let mut body = estimate();
    body["moveKind"] = json!("longDistance");
    body["travelDuration"] = json!(345);
    body["distanceKm"] = json!("541.0");
    let back =
        |a: &Value| a["lines"].as_array().unwrap().iter().find(|l| l["code"] == "return_labour").cloned().unwrap();
    let line = back(&priced(&app, &body, Language::En).await);
    assert_eq!((&line["ownFactor"], &line["dateFactor"]), (&json!("0.50"), &json!("1.00")));
    let said = line["explanation"].as_str().unwrap().replace('\u{a0}', " ");
    assert_eq!(said, "5 h 45 min × $118.00 per hour (2 mates) × 0.50 (share billed of the empty way back) = $339.25.");
    body["movingDate"] = json!("2027-02-20");
    let line = back(&priced(&app, &body, Language::En).await);
    assert_eq!(
        (&line["ownFactor"], &line["dateFactor"], &line["multiplier"]),
        (&json!("0.50"), &json!("1.10"), &json!("0.55"))
    );
    assert!(line["explanation"].as_str().unwrap().replace('\u{a0}', " ").contains("1.10 (Saturday +10%)"), "{line}");
}

#[actix_web::test]
async fn kilometres_say_what_is_billed_of_them() {
    let app = TestApp::new().await;
    let mut body = estimate();
    body["moveKind"] = json!("longDistance");
    body["travelDuration"] = json!(690);
    body["distanceKm"] = json!("1054.0");
    for (language, words, name) in [
        (Language::En, "2,078 km × $0.90 per km (1,054 km there, as much for the empty way back", "2,078 km"),
        (Language::Fr, "(1 054 km à l’aller, autant pour le retour à vide, moins les 30 km compris)", "2 078 km"),
        (Language::Zh, "（去程 1,054 公里，空车返程按同样里程计费，减去所含的 30 公里）", "2,078 公里"),
    ] {
        let told = priced(&app, &body, language).await;
        let line = told["lines"].as_array().unwrap().iter().find(|l| l["code"] == "km_fee").unwrap();
        let plain = |key: &str| line[key].as_str().unwrap().replace('\u{a0}', " ");
        assert!(plain("explanation").contains(words), "{}", plain("explanation"));
        assert!(plain("description").ends_with(name), "{}", plain("description"));
    }
}

#[actix_web::test]
async fn a_hint_is_what_the_changed_move_really_costs() {
    let app = TestApp::new().await;
    let mut body = estimate();
    body["selectedFurnitures"] = json!({ "furnitures": [{ "id": "box-small-1-5", "quantity": 250 }] });
    body["locationDetails"] = json!([
        { "floor": 4, "elevator": 0, "parking": false, "accessibility": "difficult" },
        { "floor": 0, "elevator": 0, "parking": true, "accessibility": "easy" }
    ]);
    let a = priced(&app, &body, Language::En).await;
    let hints = a["hints"].as_array().unwrap();
    let of = |code: &str| hints.iter().find(|h| h["code"] == code);
    for (code, field, value) in [
        ("pickup_elevator", "elevator", json!(1)),
        ("pickup_parking", "parking", json!(true)),
        ("pickup_easy_access", "accessibility", json!("easy")),
    ] {
        let mut other = body.clone();
        other["locationDetails"][0][field] = value;
        let b = priced(&app, &other, Language::En).await;
        let difference = money(&b["amount"]).minus(money(&a["amount"]));
        assert!(difference.is_negative(), "{code}");
        assert_eq!(money(&of(code).unwrap_or_else(|| panic!("{code}: {hints:?}"))["difference"]), difference, "{code}");
    }
    // What is as good as it can be, or would change nothing, is not advised.
    for code in ["dropoff_elevator", "dropoff_parking", "dropoff_easy_access"] {
        assert!(of(code).is_none(), "{code}");
    }
    let most = hints.windows(2).all(|two| money(&two[0]["difference"]) <= money(&two[1]["difference"]));
    assert!(most, "{hints:?}");
}

/// Six weeks with 35 kinds of items cost one look at the capacity and forty-two sums: the fastest of some tries, of an
/// unoptimised build, is not far above the budget of an optimised one (5 ms).
#[actix_web::test]
async fn six_weeks_are_priced_at_once() {
    let app = TestApp::new().await;
    let mut body = estimate();
    body["from"] = json!("2027-06-01");
    body["days"] = json!(42);
    let mut best = std::time::Duration::MAX;
    for _ in 0..12 {
        let began = std::time::Instant::now();
        app.post(GUEST, "/api/booking/prices", &body).await.expect(200);
        best = best.min(began.elapsed());
    }
    assert!(best < std::time::Duration::from_millis(80), "forty-two days took {best:?}");
}
