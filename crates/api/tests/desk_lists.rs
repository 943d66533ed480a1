//! Staff's lists: each filter, alone and with each other, selects what a reader of the whole list would select; words find
//! a booking however they are written.

use crate::support;

use kernel::{
    BookingId, MateId, PartnerId, PaymentId, Province, ShortId, Zone,
    chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc},
    uuid::Uuid,
};
use pricing::MoveKind;
use serde_json::{Value, json};
use service::ports::{
    StoreError,
    bookings::Booking,
    crews::CrewMate,
    payments::{Payment, PaymentKind},
};
use status_machine::{At, booking::Status, payment::State};
use support::{
    TestApp,
    people::{ADMIN, CUSTOMER, OPS},
    requests::Answer,
};

const MANY: usize = 200;
const PARTNERS: [u128; 2] = [0xfa01, 0xfa02];

/// The `n`th of them: every column that is filtered by takes all its values, each beside each other one.
fn variant(first: &Booking, n: usize) -> Booking {
    let mut b = first.clone();
    let at = |k: usize, of: usize| n / k % of;
    b.id = BookingId(Uuid::from_u128(0x0190_1000_0000_7000_8000_0000_0000_0000 + n as u128));
    let digit = |k: usize| u8::try_from(n / k % 30).unwrap();
    b.short_id = ShortId::from_entropy([digit(1), digit(30), digit(900), 7, 8, 9]);
    b.status = Status::ALL[n % Status::ALL.len()];
    b.partner_id =
        [None, None, Some(PartnerId(Uuid::from_u128(PARTNERS[0]))), Some(PartnerId(Uuid::from_u128(PARTNERS[1])))]
            [at(3, 4)];
    (b.hub, b.zone, b.province) = [
        ("montreal".to_owned(), Zone::TORONTO, Province::QC),
        ("toronto".to_owned(), Zone::TORONTO, Province::ON),
        ("vancouver".to_owned(), Zone::VANCOUVER, Province::BC),
        ("calgary".to_owned(), Zone::EDMONTON, Province::AB),
    ][at(2, 4)]
    .clone();
    b.details.pickup.address.province = b.province;
    // Also the last half hour of a day, which is another day in Montreal or in UTC.
    b.move_date = NaiveDate::from_ymd_opt(2027, 2, 10).unwrap() + Duration::days((n * 7 % 19) as i64);
    b.move_time =
        [(8, 30), (9, 0), (13, 0), (23, 30)].map(|(h, m)| NaiveTime::from_hms_opt(h, m, 0).unwrap())[at(5, 4)];
    b.move_at = b.zone.instant(b.move_date, b.move_time).unwrap();
    // Around midnight of Montreal, which is five in UTC.
    let booked: DateTime<Utc> = "2027-02-01T04:59:59Z".parse().unwrap();
    b.created_at = booked + Duration::seconds([0, 1, 3_600][at(7, 3)]) + Duration::days((n % 6) as i64);
    b.updated_at = b.created_at;
    b.move_kind = MoveKind::ALL[at(4, MoveKind::ALL.len())];
    b.mate_count = kernel::MateCount::new(1 + at(6, 5) as i64).unwrap();
    b.tier = 1 + u8::try_from(at(8, 3)).unwrap();
    b.duration_minutes = 90 + 30 * u32::try_from(n % 11).unwrap();
    b.distance_km10 = 1 + 13 * u32::try_from(n % 17).unwrap();
    (b.ride_along, b.just_mates, b.client_as_mate) = (n.is_multiple_of(2), n.is_multiple_of(3), n.is_multiple_of(5));
    b.details.payment_problem = n.is_multiple_of(23);
    b.cancelled_at = (b.status == Status::Cancelled).then_some(b.created_at);
    b
}

fn paid(b: &Booking, n: usize, share: i64, back: bool) -> Vec<Payment> {
    let charge = Payment {
        id: PaymentId(Uuid::from_u128(0xbb00_0000 + 2 * n as u128)),
        booking_id: b.id,
        kind: PaymentKind::Full,
        state: At::stored(State::Captured),
        amount: kernel::Money::from_cents(b.total.cents() * share / 100),
        due_at: b.created_at,
        attempts: 1,
        next_attempt_at: None,
        refund_of: None,
        transaction_id: None,
        card_last4: None,
        last_message: None,
        settled_at: Some(b.created_at),
        method: service::ports::payments::PaidWith::Card,
        reference: None,
        version: 1,
        created_at: b.created_at,
    };
    let refund = Payment {
        id: PaymentId(Uuid::from_u128(0xbb00_0001 + 2 * n as u128)),
        kind: PaymentKind::Refund,
        refund_of: Some(charge.id),
        amount: kernel::Money::from_cents(charge.amount.cents() / if n.is_multiple_of(2) { 1 } else { 2 }),
        ..charge.clone()
    };
    if back { vec![charge, refund] } else { vec![charge] }
}

/// As many bookings as the acceptance asks for; the rows of all of them, as an administrator reads them.
async fn seeded(app: &TestApp) -> Vec<Value> {
    let made = app.book(CUSTOMER).await;
    let id: BookingId = made["id"].as_str().unwrap().parse().unwrap();
    let written: Result<(), StoreError> = app
        .services
        .store
        .write(move |u| {
            let first = u.bookings().get(id)?.unwrap();
            for n in 1..MANY {
                let b = variant(&first, n);
                u.bookings().insert(&b)?;
                match n % 6 {
                    0 => {}
                    1 | 2 => paid(&b, n, 20, false).iter().try_for_each(|p| u.payments().insert(p))?,
                    3 => paid(&b, n, 100, false).iter().try_for_each(|p| u.payments().insert(p))?,
                    _ => paid(&b, n, 100, true).iter().try_for_each(|p| u.payments().insert(p))?,
                }
                if n.is_multiple_of(4) {
                    let mate = CrewMate {
                        mate: MateId(Uuid::from_u128(0xae00 + 1 + n as u128 % 6)),
                        name: "Ali".into(),
                        since: b.created_at,
                    };
                    u.crews().put(b.id, &mate, &[b.move_at + Duration::minutes(30 * n as i64)])?;
                }
            }
            Ok(())
        })
        .await;
    written.unwrap();
    let every: Vec<&str> = Status::ALL.iter().map(|s| s.code()).collect();
    let mut all = Vec::new();
    for page in 1..=3 {
        let found = ask(app, "/api/filter", &json!({ "status": every }), &format!("&per_page=100&page={page}")).await;
        assert_eq!((&found.body["total"], &found.body["totalIsExact"]), (&json!(MANY), &json!(true)));
        all.extend(found.body["data"].as_array().unwrap().clone());
    }
    assert_eq!(all.len(), MANY);
    all
}

async fn ask(app: &TestApp, path: &str, filters: &Value, more: &str) -> Answer {
    let filters: String = reqwest::Url::parse_with_params("http://x", &[("filters", filters.to_string())])
        .unwrap()
        .query()
        .unwrap()
        .to_owned();
    app.get(ADMIN, &format!("{path}?{filters}{more}")).await.expect(200)
}

type Judge = Box<dyn Fn(&Value) -> bool>;

fn text(row: &Value, field: &str) -> String {
    row[field].as_str().unwrap().to_owned()
}

fn number(row: &Value, field: &str) -> f64 {
    let v = &row[field];
    v.as_f64().unwrap_or_else(|| v.as_str().unwrap().parse().unwrap())
}

/// A filter with what a reader would go by.
fn filter(key: &str, value: Value, judge: impl Fn(&Value) -> bool + 'static) -> (String, Value, Judge) {
    (key.to_owned(), value, Box::new(judge))
}

fn filters() -> Vec<(String, Value, Judge)> {
    let live = |r: &Value| ["pending", "assigned"].contains(&r["status"].as_str().unwrap());
    let nobody = move |r: &Value| live(r) && r["crew"].as_array().unwrap().is_empty();
    let booked_on = |r: &Value| {
        let at: DateTime<Utc> = r["createdAt"].as_str().unwrap().parse().unwrap();
        Zone::MONTREAL.local(at).date.to_string()
    };
    vec![
        filter("bookingDateFrom", json!("2027-02-17"), |r| text(r, "moveDate").as_str() >= "2027-02-17"),
        filter("bookingDateTo", json!("2027-02-17"), |r| text(r, "moveDate").as_str() <= "2027-02-17"),
        filter("slot", json!("2027-02-17T23:30"), |r| {
            (text(r, "date"), text(r, "time")) == ("2027-02-17".into(), "23:30".into())
        }),
        filter("distanceMin", json!(6.6), |r| number(r, "distance") >= 6.6),
        filter("distanceMax", json!("6.6"), |r| number(r, "distance") <= 6.6),
        filter("durationMin", json!(3), |r| number(r, "estimatedDuration") >= 180.0),
        filter("durationMax", json!("3.5"), |r| number(r, "estimatedDuration") <= 210.0),
        filter("mateCount", json!(3), |r| r["mateCount"] == 3),
        filter("mateCountMin", json!(3), |r| number(r, "mateCount") >= 3.0),
        filter("mateCountMax", json!(2), |r| number(r, "mateCount") <= 2.0),
        filter("tierMin", json!(2), |r| number(r, "tier") >= 2.0),
        filter("tierMax", json!(2), |r| number(r, "tier") <= 2.0),
        filter("partnerId", json!(Uuid::from_u128(PARTNERS[1]).to_string()), |r| {
            r["partner"]["id"] == json!(Uuid::from_u128(PARTNERS[1]).to_string())
        }),
        filter("rideAlong", json!(true), |r| r["rideAlong"] == true),
        filter("justMates", json!(false), |r| r["justMates"] == false),
        filter("clientAsMate", json!(true), |r| r["clientAsMate"] == true),
        filter("status", json!(["pending", "cancelled", "deleted"]), |r| {
            ["pending", "cancelled", "deleted"].contains(&r["status"].as_str().unwrap())
        }),
        filter("province", json!("ON"), |r| r["pickup"]["province"] == "ON"),
        filter("hub", json!("vancouver"), |r| r["hub"] == "vancouver"),
        filter("moveKind", json!(["residential", "storage"]), |r| {
            ["residential", "storage"].contains(&r["moveType"].as_str().unwrap())
        }),
        filter("paymentState", json!(["problem"]), |r| r["paymentState"] == "problem"),
        filter("paymentState", json!(["none", "partially_refunded"]), |r| {
            ["none", "partially_refunded"].contains(&r["paymentState"].as_str().unwrap())
        }),
        filter("unassigned", json!(true), nobody),
        filter("unassigned", json!(false), move |r| !nobody(r)),
        filter("createdFrom", json!("2027-02-03"), move |r| booked_on(r).as_str() >= "2027-02-03"),
        filter("createdTo", json!("2027-02-02"), move |r| booked_on(r).as_str() <= "2027-02-02"),
        filter("withinHours", json!(98), |r| {
            let at: DateTime<Utc> = r["startsAt"].as_str().unwrap().parse().unwrap();
            let now: DateTime<Utc> = support::START.parse().unwrap();
            now <= at && at < now + Duration::hours(98)
        }),
    ]
}

/// Everything a row says the record says as well: status, plan, what was taken and what comes, tip, problem. The customer's
/// own list and pages, too.
#[actix_web::test]
async fn a_row_says_what_its_record_says() {
    let app = TestApp::new().await;
    let all = seeded(&app).await;
    for status in Status::ALL {
        assert!(all.iter().any(|r| r["status"] == status.code()), "{} is not among them", status.code());
    }
    let agrees = |row: &Value, record: &Value| {
        for (key, value) in row.as_object().unwrap() {
            assert_eq!(&record[key], value, "{key} of {} {}", row["id"], row["status"]);
        }
    };
    let mut taken = 0;
    for row in &all {
        let record = app.get(ADMIN, &format!("/api/bookings/{}", text(row, "id"))).await.expect(200).body;
        agrees(row, &record);
        // Both follow what happened: a plan that was only made would have its first dates and amounts.
        taken += usize::from(row["paymentState"] != "none");
    }
    assert!(taken > MANY / 2, "{taken}");
    let own = app.get(CUSTOMER, "/api/bookings/previous?page=1&per_page=100").await.expect(200).body;
    let own = own["data"].as_array().unwrap();
    assert_eq!(own.len(), 100);
    for row in own {
        let record = app.get(CUSTOMER, &format!("/api/c/bookings/{}", text(row, "id"))).await.expect(200).body;
        agrees(row, &record);
    }
}

/// What a reader selects from the whole list, in the order of the moves. Deleted bookings are shown when they are asked for.
fn selected(all: &[Value], judges: &[&Judge], asks_for_status: bool) -> Vec<String> {
    let shown = |r: &&Value| asks_for_status || r["status"] != "deleted";
    let mut rows: Vec<&Value> = all.iter().filter(shown).filter(|r| judges.iter().all(|judge| judge(r))).collect();
    let start = |r: &Value| r["startsAt"].as_str().unwrap().parse::<DateTime<Utc>>().unwrap();
    rows.sort_by_key(|r| (start(r), text(r, "id")));
    rows.into_iter().map(|r| text(r, "id")).collect()
}

fn ids(answer: &Answer) -> Vec<String> {
    answer.body["data"].as_array().unwrap().iter().map(|r| text(r, "id")).collect()
}

#[actix_web::test]
async fn each_filter_alone_and_in_pairs_selects_what_a_reader_would() {
    let app = TestApp::new().await;
    let all = seeded(&app).await;
    let filters = filters();
    let every_state = ["none", "deposit_paid", "paid", "problem", "refunded", "partially_refunded"];
    for state in every_state {
        assert!(all.iter().any(|r| r["paymentState"] == state), "{state} is not among them");
    }
    for (key, value, judge) in &filters {
        let want = selected(&all, &[judge], key == "status");
        assert!(!want.is_empty() && want.len() < MANY, "{key} tells nothing apart: {}", want.len());
        let mut found = Vec::new();
        for page in 1..=2 {
            let answer = ask(&app, "/api/filter", &json!({ key: value }), &format!("&per_page=100&page={page}")).await;
            assert_eq!(answer.body["total"], want.len(), "{key} {value}");
            found.extend(ids(&answer));
        }
        assert_eq!(found, want, "{key} {value}");
    }
    for (i, (key, value, judge)) in filters.iter().enumerate() {
        for (other, second, other_judge) in filters.iter().skip(i + 1).filter(|f| f.0 != *key) {
            let with_status = key == "status" || other == "status";
            let want = selected(&all, &[judge, other_judge], with_status);
            let answer = ask(&app, "/api/filter", &json!({ key: value, other: second }), "&per_page=4").await;
            let label = format!("{key} {value} and {other} {second}");
            assert_eq!(answer.body["total"], want.len(), "{label}");
            assert_eq!(ids(&answer), want.iter().take(4).cloned().collect::<Vec<_>>(), "{label}");
        }
    }
}

#[actix_web::test]
async fn pages_and_orders_add_up() {
    let app = TestApp::new().await;
    let all = seeded(&app).await;
    let start = |r: &Value, field: &str| r[field].as_str().unwrap().parse::<DateTime<Utc>>().unwrap();
    for (sort, field, falls) in [
        ("moveAt", "startsAt", false),
        ("-moveAt", "startsAt", true),
        ("createdAt", "createdAt", false),
        ("-createdAt", "createdAt", true),
    ] {
        let mut want: Vec<&Value> = all.iter().filter(|r| r["status"] != "deleted").collect();
        want.sort_by_key(|r| (start(r, field), text(r, "id")));
        if falls {
            want.reverse();
        }
        let want: Vec<String> = want.iter().map(|r| text(r, "id")).collect();
        let mut found = Vec::new();
        for page in 1..=5 {
            found.extend(ids(&app
                .get(OPS, &format!("/api/bookings?sort={sort}&page={page}&per_page=40"))
                .await
                .expect(200)));
        }
        assert_eq!(found, want, "{sort}");
    }
    // From today on, of Montreal, when nothing is asked for.
    let first = app.get(OPS, "/api/bookings").await.expect(200);
    let today: DateTime<Utc> = "2027-02-08T05:00:00Z".parse().unwrap();
    let coming = all.iter().filter(|r| r["status"] != "deleted" && start(r, "startsAt") >= today).count();
    assert_eq!(
        (&first.body["total"], &first.body["perPage"], first.body["data"].as_array().unwrap().len()),
        (&json!(coming), &json!(10), 10)
    );
    let past = app.get(OPS, "/api/bookings?page=999").await.expect(200);
    assert_eq!((ids(&past).len(), &past.body["total"]), (0, &json!(coming)));
    // Deleted bookings are an administrator's.
    let deleted = "filters=%7B%22status%22%3A%5B%22deleted%22%5D%7D";
    assert_eq!(app.get(OPS, &format!("/api/filter?{deleted}")).await.expect(200).body["total"], 0);
    let seen = app.get(ADMIN, &format!("/api/filter?{deleted}")).await.expect(200);
    assert_eq!(seen.body["total"], all.iter().filter(|r| r["status"] == "deleted").count());
    for (query, status, field) in [
        ("sort=newest", 422, "sort"),
        ("per_page=101", 422, "per_page"),
        ("page=0", 422, "page"),
        ("filters=%7B%22colour%22%3A1%7D", 400, "filters.colour"),
        ("filters=nonsense", 400, "filters"),
        ("filters=%7B%22hub%22%3A%22paris%22%7D", 422, "filters.hub"),
    ] {
        let refused = app.get(OPS, &format!("/api/bookings?{query}")).await.expect(status);
        assert_eq!(refused.body["errors"][0]["field"], field, "{query}: {}", refused.text);
        let detail = refused.body["detail"].as_str().unwrap();
        match query {
            "filters=nonsense" => assert!(detail.contains("choose the filters on the page"), "{detail}"),
            _ if field == "filters.colour" => assert!(detail.contains("no filter of this name"), "{detail}"),
            _ => {}
        }
    }
}

#[actix_web::test]
async fn words_find_a_booking_however_they_are_written() {
    let app = TestApp::new().await;
    let all = seeded(&app).await;
    // A deleted one is found by nobody.
    let one = all.iter().find(|r| r["status"] == "assigned").unwrap();
    let id: BookingId = one["id"].as_str().unwrap().parse().unwrap();
    let written: Result<(), StoreError> = app
        .services
        .store
        .write(move |u| {
            let mut b = u.bookings().get(id)?.unwrap();
            let d = &mut b.details;
            d.customer_name = "Zoë Lévêque-Tremblay".into();
            d.customer_email = "z.leveque@Exemple.test".into();
            d.customer_phone = "+1 (438) 555-0199".into();
            d.pickup.address.street = "1210 Rue Saint-Érable".into();
            b.discount_code = Some("ÉTÉ-27".into());
            let version = b.version;
            u.bookings().update(&b, version).map(drop)
        })
        .await;
    written.unwrap();
    let short = text(one, "shortId");
    let search = async |value: &str| {
        let query: String =
            reqwest::Url::parse_with_params("http://x", &[("value", value)]).unwrap().query().unwrap().to_owned();
        ids(&app.get(ADMIN, &format!("/api/search?{query}")).await.expect(200))
    };
    let by_hand = [
        short.clone(),
        short.to_lowercase(),
        "zoe leveque".into(),
        "LÉVÊQUE zoë".into(),
        "tremb lev".into(),
        "z.leveque@exemple.test".into(),
        "Z.LEVEQUE@EXEMPLE".into(),
        "438-555-0199".into(),
        "(438) 555 0199".into(),
        "+14385550199".into(),
        "1 438 555-0199".into(),
        "555-0199".into(),
        "4385550199".into(),
        "0199".into(),
        "erable".into(),
        "saint erable 1210".into(),
        "st-erable".into(),
        "été-27".into(),
        "ete-27".into(),
        "erable zoe 438-555-0199".into(),
        "ete zoe".into(),
    ];
    for value in by_hand {
        assert_eq!(search(&value).await, [id.to_string()], "{value}");
    }
    for nothing in ["leveque roy", "438-555-0198", "ëëë", "--", "%", "_", "'; DROP TABLE bookings; --"] {
        assert_eq!(search(nothing).await, [""; 0], "{nothing}");
    }
    // Everybody lives in Montréal: ten a page, and more are counted.
    let many = app.get(ADMIN, "/api/search?value=montreal").await.expect(200);
    assert_eq!((ids(&many).len(), &many.body["perPage"]), (10, &json!(10)));
    assert!(many.body["total"].as_i64().unwrap() > 100);
    // What is to come is nearer than what is over.
    let live = ["pending", "assigned"];
    assert!(
        many.body["data"].as_array().unwrap().iter().all(|r| live.contains(&r["status"].as_str().unwrap())),
        "{}",
        many.text
    );
    // Words and filters together.
    let both = ask(&app, "/api/searchFiltered", &json!({ "hub": "toronto" }), "&value=montreal&per_page=100").await;
    let in_toronto = all.iter().filter(|r| r["hub"] == "toronto" && r["status"] != "deleted").count();
    assert_eq!(both.body["total"], in_toronto);
    // A changed name is found by its new words only.
    assert_eq!(app.get(OPS, "/api/search?value=").await.expect(422).body["errors"][0]["field"], "value");
}
