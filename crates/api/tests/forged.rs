//! Requests whose point, postal code, province or one-line address contradict the rest: each is
//! refused, or priced by the places the server finds itself. Twenty pairs of places, in the
//! draft, the booking and the edit.

use crate::support::{
    TestApp,
    people::{CUSTOMER, GUEST},
    places::{DAY, found, honest, point},
    requests::{Answer, draft},
};
use reqwest::Method;
use serde_json::{Value, json};

/// Pickup, a cheap address near it, and the real drop-off far away.
const PAIRS: [[&str; 3]; 20] = [
    ["3550 Rue Jeanne-Mance, Montréal, QC", "1200 Rue Peel, Montréal, QC", "100 King Street West, Toronto, ON"],
    ["3550 Rue Jeanne-Mance, Montréal, QC", "1200 Rue Peel, Montréal, QC", "1055 Canada Place, Vancouver, BC"],
    ["3550 Rue Jeanne-Mance, Montréal, QC", "1200 Rue Peel, Montréal, QC", "77 Bank Street, Ottawa, ON"],
    ["3550 Rue Jeanne-Mance, Montréal, QC", "1200 Rue Peel, Montréal, QC", "500 Grande Allée Est, Québec, QC"],
    ["3550 Rue Jeanne-Mance, Montréal, QC", "1200 Rue Peel, Montréal, QC", "200 Rue King Ouest, Sherbrooke, QC"],
    ["3550 Rue Jeanne-Mance, Montréal, QC", "1200 Rue Peel, Montréal, QC", "100 Rue des Forges, Trois-Rivières, QC"],
    ["3550 Rue Jeanne-Mance, Montréal, QC", "1200 Rue Peel, Montréal, QC", "300 Princess Street, Kingston, ON"],
    ["3550 Rue Jeanne-Mance, Montréal, QC", "1200 Rue Peel, Montréal, QC", "1500 Bernard Avenue, Kelowna, BC"],
    ["100 King Street West, Toronto, ON", "220 Yonge Street, Toronto, ON", "1200 Rue Peel, Montréal, QC"],
    ["100 King Street West, Toronto, ON", "220 Yonge Street, Toronto, ON", "77 Bank Street, Ottawa, ON"],
    ["100 King Street West, Toronto, ON", "220 Yonge Street, Toronto, ON", "100 James Street North, Hamilton, ON"],
    ["100 King Street West, Toronto, ON", "220 Yonge Street, Toronto, ON", "300 Dundas Street, London, ON"],
    ["100 King Street West, Toronto, ON", "220 Yonge Street, Toronto, ON", "300 Princess Street, Kingston, ON"],
    ["100 King Street West, Toronto, ON", "220 Yonge Street, Toronto, ON", "500 Ouellette Avenue, Windsor, ON"],
    ["100 King Street West, Toronto, ON", "220 Yonge Street, Toronto, ON", "500 Grande Allée Est, Québec, QC"],
    ["101 9 Avenue SW, Calgary, AB", "1015 17 Avenue SW, Calgary, AB", "10200 Jasper Avenue, Edmonton, AB"],
    ["101 9 Avenue SW, Calgary, AB", "1015 17 Avenue SW, Calgary, AB", "4900 Gaetz Avenue, Red Deer, AB"],
    ["101 9 Avenue SW, Calgary, AB", "1015 17 Avenue SW, Calgary, AB", "1055 Canada Place, Vancouver, BC"],
    ["1055 Canada Place, Vancouver, BC", "550 Davie Street, Vancouver, BC", "1500 Bernard Avenue, Kelowna, BC"],
    ["1055 Canada Place, Vancouver, BC", "550 Davie Street, Vancouver, BC", "101 9 Avenue SW, Calgary, AB"],
];

/// What the server says a move costs, or why not; nothing is booked.
#[derive(Debug, Clone, PartialEq)]
enum Verdict {
    Costs(String),
    Refused(String),
}

/// A total nobody was shown makes the server name its own, and book nothing.
async fn verdict(app: &TestApp, path: &str, mut draft: Value) -> Verdict {
    draft["expectedTotal"] = json!("0.01");
    let body = if path == "/api/bookings" { json!({ "bookingRequest": draft }) } else { draft };
    read(&app.post(CUSTOMER, path, &body).await)
}

fn read(a: &Answer) -> Verdict {
    match a.status {
        409 if a.code() == "price_changed" => Verdict::Costs(a.body["total"].as_str().unwrap().to_owned()),
        400 | 422 => Verdict::Refused(a.code().to_owned()),
        _ => panic!("{}: {}", a.status, a.text),
    }
}

/// Every way to make a place far away look like one near by.
const FORGERIES: [&str; 23] = [
    "a way of one minute for a dollar",
    "a way of one minute and the point of a place near by",
    "the point of a place near by",
    "latitude and longitude swapped",
    "the Gulf of Guinea",
    "the sea",
    "no place on Earth",
    "not a number",
    "the ends' points swapped",
    "another postal code",
    "another province",
    "postal code, province and point of a place near by",
    "postal code and province of a place near by, no point",
    "a place near by, and the real one in the street",
    "a place near by, and the real city before its own",
    "a place near by, and the real city behind a dash",
    "a place near by, and the real city behind the street",
    "a place near by, and the real city in brackets",
    "a place near by, and the real city as the unit",
    "a place near by, and the real city with a mark nobody sees",
    "a place near by, and a small town with its province",
    "the city of a place near by",
    "the city and the point of a place near by",
];

/// An honest draft with one end forged.
fn forged(mut d: Value, name: &str, end: &str, near: &Value) -> Value {
    let coords = format!("{end}Coords");
    let (told, point_near) = (d[&coords].clone(), point(near));
    let somewhere = |lat: f64, lon: f64| json!({ "lat": lat, "lon": lon });
    if name.starts_with("a way of one minute") {
        for (field, value) in [
            ("travelDuration", json!(1)),
            ("distanceKm", json!("0.1")),
            ("distance", json!("0.1")),
            ("estimatedDuration", json!(30)),
            ("priceQuote", json!("1.00")),
        ] {
            d[field] = value;
        }
        d["estimate"] =
            json!({ "amount": "1.00", "originalAmount": "1.00", "discount": "0.00", "tax": "0.00", "currency": "CAD" });
    }
    match name {
        "a way of one minute for a dollar" => {}
        "a way of one minute and the point of a place near by" | "the point of a place near by" => {
            d[&coords] = point_near
        }
        "latitude and longitude swapped" => d[&coords] = json!({ "lat": told["lon"], "lon": told["lat"] }),
        "the Gulf of Guinea" => d[&coords] = somewhere(0.0, 0.0),
        "the sea" => d[&coords] = somewhere(48.2, -61.9),
        "no place on Earth" => d[&coords] = somewhere(91.0, -181.0),
        "not a number" => d[&coords] = json!({ "lat": "NaN", "lon": "NaN" }),
        "the ends' points swapped" => {
            (d["pickupCoords"], d["dropoffCoords"]) = (d["dropoffCoords"].clone(), d["pickupCoords"].clone())
        }
        "another postal code" => d[end]["postalCode"] = near["postalCode"].clone(),
        "another province" if near["province"] == d[end]["province"] => d[end]["province"] = json!("MB"),
        "another province" => d[end]["province"] = near["province"].clone(),
        "postal code, province and point of a place near by" => {
            (d[end]["postalCode"], d[end]["province"], d[&coords]) =
                (near["postalCode"].clone(), near["province"].clone(), point_near);
        }
        "a place near by, and the real one in the street" => {
            let text = |field: &str| d[end][field].as_str().unwrap_or_default().to_owned();
            let real = format!("{}, {}, {} {}", text("street"), text("city"), text("province"), text("postalCode"));
            for field in ["city", "postalCode", "province"] {
                d[end][field] = near[field].clone();
            }
            (d[end]["street"], d[&coords]) = (json!(real), point_near);
        }
        "a place near by, and the real city before its own" => {
            let both = format!("{}, {}", d[end]["city"].as_str().unwrap(), near["city"].as_str().unwrap());
            for field in ["postalCode", "province"] {
                d[end][field] = near[field].clone();
            }
            (d[end]["city"], d[&coords]) = (json!(both), point_near);
        }
        hidden if hidden.starts_with("a place near by, and ") => {
            let text = |field: &str| d[end][field].as_str().unwrap_or_default().to_owned();
            let (street, city) = (text("street"), text("city"));
            for field in ["city", "postalCode", "province"] {
                d[end][field] = near[field].clone();
            }
            match hidden.trim_start_matches("a place near by, and ") {
                "the real city behind a dash" => d[end]["street"] = json!(format!("{street} – {city}")),
                "the real city behind the street" => d[end]["street"] = json!(format!("{street} {city}")),
                "the real city in brackets" => {
                    d[end]["city"] = json!(format!("{} (near {city})", near["city"].as_str().unwrap()));
                }
                "the real city as the unit" => d[format!("{end}AptUnit")] = json!(format!("{street}, {city}")),
                "the real city with a mark nobody sees" => {
                    let (first, rest) = city.split_at(city.char_indices().nth(2).unwrap().0);
                    d[end]["street"] = json!(format!("{street}, {first}\u{61c}{rest}"));
                }
                _ => d[end]["street"] = json!("12 Rue Principale, Saint-Côme, QC"),
            }
            d[&coords] = point_near;
        }
        "postal code and province of a place near by, no point" => {
            (d[end]["postalCode"], d[end]["province"]) = (near["postalCode"].clone(), near["province"].clone());
            d.as_object_mut().unwrap().remove(&coords);
        }
        "the city of a place near by" => d[end]["city"] = near["city"].clone(),
        "the city and the point of a place near by" => {
            (d[end]["city"], d[&coords]) = (near["city"].clone(), point_near)
        }
        other => panic!("{other}"),
    }
    d
}

fn far_and_near_differ(honest: &Verdict, cheap: &Verdict, pair: &[&str; 3]) {
    assert!(matches!(cheap, Verdict::Costs(_)), "{pair:?}: {cheap:?}");
    assert_ne!(honest, cheap, "{pair:?}: a forger would win nothing");
}

/// Refused, or the price of the real place.
fn holds(name: &str, pair: &[&str; 3], honest: &Verdict, told: &Verdict) {
    let same = matches!(told, Verdict::Costs(_)) && told == honest;
    assert!(same || matches!(told, Verdict::Refused(_)), "{pair:?}, {name}: {told:?} instead of {honest:?}");
}

#[actix_web::test]
async fn twenty_pairs_of_places_in_draft_and_booking() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    for pair in &PAIRS {
        let [from, near, far] = [found(&app, pair[0]).await, found(&app, pair[1]).await, found(&app, pair[2]).await];
        let real = verdict(&app, "/api/book", honest(&from, &far)).await;
        far_and_near_differ(&real, &verdict(&app, "/api/book", honest(&from, &near)).await, pair);
        // The same way back: there the pickup is forged, which decides crew, rates and tax as well.
        let back = verdict(&app, "/api/book", honest(&far, &from)).await;
        for name in FORGERIES {
            let there = forged(honest(&from, &far), name, "dropoff", &near);
            for path in ["/api/book", "/api/bookings"] {
                holds(name, pair, &real, &verdict(&app, path, there.clone()).await);
            }
            let there = forged(honest(&far, &from), name, "pickup", &near);
            holds(name, pair, &back, &verdict(&app, "/api/book", there).await);
        }
    }
    assert_eq!(app.get(CUSTOMER, "/api/bookings/previous").await.expect(200).body["total"], 0);
}

#[actix_web::test]
async fn twenty_pairs_of_places_in_edits() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let mut booked: Vec<(&str, String)> = Vec::new();
    for pair in &PAIRS {
        let [from, near, far] = [found(&app, pair[0]).await, found(&app, pair[1]).await, found(&app, pair[2]).await];
        let known = booked.iter().find(|(start, _)| *start == pair[0]).map(|(_, id)| id.clone());
        let id = match known {
            Some(id) => id,
            None => {
                let made = app
                    .post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": honest(&from, &near) }))
                    .await
                    .expect(201);
                let id = made.body["id"].as_str().unwrap().to_owned();
                booked.push((pair[0], id.clone()));
                id
            }
        };
        let edit = |d: &Value| {
            let mut e = json!({ "dropoff": d["dropoff"], "pickupCoords": d["pickupCoords"] });
            for told in ["travelDuration", "distanceKm", "estimatedDuration", "priceQuote", "estimate"] {
                if let Some(value) = d.get(told) {
                    e[told] = value.clone();
                }
            }
            for told in ["dropoffCoords", "dropoffAptUnit"] {
                if let Some(value) = d.get(told) {
                    e[told] = value.clone();
                }
            }
            e
        };
        let price = async |body: &Value| {
            let previewed = app.post(CUSTOMER, &format!("/api/c/bookings/{id}/preview"), body).await;
            match previewed.status {
                200 => Verdict::Costs(previewed.body["newTotal"].as_str().unwrap().to_owned()),
                _ => read(&previewed),
            }
        };
        let real = price(&edit(&honest(&from, &far))).await;
        assert_eq!(real, verdict(&app, "/api/book", honest(&from, &far)).await, "{pair:?}");
        for name in FORGERIES {
            let mut body = edit(&forged(honest(&from, &far), name, "dropoff", &near));
            holds(name, pair, &real, &price(&body).await);
            // The deed says what the preview said.
            body["expectedTotal"] = json!("0.01");
            holds(name, pair, &real, &read(&app.put(CUSTOMER, &format!("/api/c/bookings/{id}"), &body).await));
        }
        // The point alone moves nothing.
        let alone = price(&json!({ "dropoffCoords": point(&far) })).await;
        assert!(alone == price(&json!({})).await || matches!(alone, Verdict::Refused(_)), "{pair:?}: {alone:?}");
    }
    app.run_jobs().await;
}

/// The honest: what the estimate says of a way the page asked for is what the booking charges.
#[actix_web::test]
async fn honest_places_cost_what_the_estimate_says() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let mut priced = 0;
    for pair in &PAIRS {
        let [from, near, far] = [found(&app, pair[0]).await, found(&app, pair[1]).await, found(&app, pair[2]).await];
        for to in [&near, &far] {
            let d = honest(&from, to);
            let Verdict::Costs(total) = verdict(&app, "/api/book", d.clone()).await else { continue };
            let way = app
                .post(GUEST, "/api/geo/route", &json!({ "pickup": point(&from), "dropoff": point(to) }))
                .await
                .expect(200)
                .body;
            let whereabouts = |f: &Value| json!({ "province": f["province"], "city": f["city"], "postalCode": f["postalCode"], "lat": f["lat"], "lon": f["lon"] });
            let metres = way["distanceMeters"].as_u64().unwrap();
            let estimate = json!({
                "travelDuration": (way["durationSeconds"].as_u64().unwrap() / 60).max(1),
                "distanceKm": format!("{}.{}", metres / 1000, metres % 1000 / 100),
                "selectedFurnitures": { "furnitures": d["selectedFurnitures"] },
                "mateCount": 2,
                "locationDetails": [{ "floor": 1, "elevator": 0, "parking": true }, { "floor": 0, "elevator": 0, "parking": true }],
                "movingDate": DAY,
                "moveKind": "residential",
                "pickupAddress": whereabouts(&from),
                "dropoffAddress": whereabouts(to),
            });
            let shown = app.post(GUEST, "/api/booking/estimate", &estimate).await.expect(200).body;
            assert_eq!(shown["total"], json!(total), "{} to {}", from["fullAddress"], to["fullAddress"]);
            priced += 1;
        }
    }
    assert!(priced >= 30, "{priced}");
}

/// Hand-written points, rough ones and none at all are all the same place.
#[actix_web::test]
async fn rough_points_in_the_postal_area_are_good_enough() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let mut without = draft(DAY, "09:00");
    for name in ["pickupCoords", "dropoffCoords"] {
        without.as_object_mut().unwrap().remove(name);
    }
    let own = verdict(&app, "/api/book", without).await;
    assert!(matches!(own, Verdict::Costs(_)), "{own:?}");
    for (lat, lon) in [(45.5128, -73.5716), (45.5105, -73.5719), (45.53, -73.60), (45.50, -73.55)] {
        let mut d = draft(DAY, "09:00");
        d["pickupCoords"] = json!({ "lat": lat, "lon": lon });
        assert_eq!(verdict(&app, "/api/book", d).await, own, "{lat}, {lon}");
    }
    // A village of a rural area as large as a country.
    let mut rural = draft(DAY, "09:00");
    rural["dropoff"] =
        json!({ "province": "QC", "postalCode": "J0L 2A0", "city": "Saint-Isidore", "street": "12 Rang Double" });
    rural["dropoffCoords"] = json!({ "lat": 45.33, "lon": -73.72 });
    assert!(matches!(verdict(&app, "/api/book", rural).await, Verdict::Costs(_)));
}

/// What a forged field is told: which one, and what to do, in three languages.
#[actix_web::test]
async fn a_contradiction_names_its_field() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let cases: [(&str, Value, &str); 4] = [
        ("/dropoffCoords", json!({ "lat": 43.65, "lon": -79.38 }), "dropoffCoords"),
        ("/dropoff/city", json!("Toronto"), "dropoff.city"),
        ("/dropoff/postalCode", json!("G1R 4P5"), "dropoff.postalCode"),
        ("/pickup/province", json!("ON"), "pickup.postalCode"),
    ];
    for (at, value, field) in cases {
        let mut d = draft(DAY, "09:00");
        *d.pointer_mut(at).unwrap() = value;
        let mut texts = std::collections::HashSet::new();
        for lang in ["en", "fr", "zh"] {
            let a = app.post(CUSTOMER, &format!("/api/book?lang={lang}"), &d).await.expect(422);
            assert_eq!(
                (a.code(), a.body["errors"][0]["field"].as_str()),
                ("validation_failed", Some(field)),
                "{}",
                a.text
            );
            texts.insert(a.body["errors"][0]["message"].as_str().unwrap().to_owned());
            let wrapped = app
                .post(CUSTOMER, &format!("/api/bookings?lang={lang}"), &json!({ "bookingRequest": d }))
                .await
                .expect(422);
            assert_eq!(wrapped.body["errors"][0]["field"], format!("bookingRequest.{field}"));
        }
        assert_eq!(texts.len(), 3, "{field}: {texts:?}");
    }
}

/// What people read is made of the parts: nobody books Montréal and shows the crew Toronto.
#[actix_web::test]
async fn the_one_line_address_is_derived() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    let lie = "100 King Street West, Toronto, ON M5X 1A9, Canada";
    let true_line = "4100 Rue Notre-Dame Ouest, Montréal, QC H4C 1K4, Canada";
    let mut d = draft(DAY, "09:00");
    d["dropoff"]["fullAddress"] = json!(lie);
    d["dropoff"]["country"] = json!("加拿大");
    let made = app.post(CUSTOMER, "/api/bookings", &json!({ "bookingRequest": d })).await.expect(201).body;
    assert_eq!(made["dropoff"]["fullAddress"], true_line);
    let path = format!("/api/c/bookings/{}", made["id"].as_str().unwrap());
    let mut dropoff = made["dropoff"].clone();
    dropoff["fullAddress"] = json!(lie);
    let edited = app.put(CUSTOMER, &path, &json!({ "dropoff": dropoff })).await.expect(200).body;
    assert_eq!((&edited["dropoff"]["fullAddress"], &edited["total"]), (&json!(true_line), &made["total"]));
    // Street, city and postal code each are the place: another one is looked up and priced.
    for (part, value, told) in
        [("city", "Toronto", "city"), ("city", "Québec", "postalCode"), ("postalCode", "G1R 4P5", "postalCode")]
    {
        let mut dropoff = made["dropoff"].clone();
        dropoff[part] = json!(value);
        let a = app.send(CUSTOMER, Method::PUT, &path, Some(&json!({ "dropoff": dropoff }))).await.expect(422);
        assert_eq!(a.body["errors"][0]["field"], format!("dropoff.{told}"), "{}", a.text);
    }
    let mut dropoff = made["dropoff"].clone();
    dropoff["street"] = json!("4200 Rue Notre-Dame Ouest");
    let edited = app.put(CUSTOMER, &path, &json!({ "dropoff": dropoff })).await.expect(200).body;
    assert_eq!(edited["dropoff"]["fullAddress"], true_line.replace("4100", "4200"));
    app.run_jobs().await;
}

/// Without maps the middle of the postal area stands in, never the client's word.
#[actix_web::test]
async fn without_maps_the_postal_area_decides() {
    let app = TestApp::new().await;
    app.store_card(CUSTOMER, "fake-valid-nonce").await.expect(200);
    // The stand-in fails on command.
    let down = |street: &str| format!("{street} #503");
    let mut near = draft(DAY, "09:00");
    near["dropoff"]["street"] = json!(down("4100 Rue Notre-Dame Ouest"));
    assert!(matches!(verdict(&app, "/api/book", near.clone()).await, Verdict::Costs(_)));
    near["dropoffCoords"] = json!({ "lat": 43.65, "lon": -79.38 });
    let refused = app.post(CUSTOMER, "/api/book", &near).await.expect(503);
    assert_eq!(refused.code(), "maps_unavailable");
}
