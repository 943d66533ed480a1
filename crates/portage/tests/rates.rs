//! `portage rates`: a production database gets its prices while the server runs, on both databases.

use std::{path::PathBuf, process::Output, time::Duration};

use crate::support::{
    customer::{browser, draft},
    server::Site,
};
use kernel::RateId;
use reqwest::Client;
use serde_json::{Value, json};
use service::ports::StoreError;
use store::testing::TestDb;

const NOW: &str = "2027-02-01T13:00:00Z";

fn stdout(out: &Output) -> String {
    String::from_utf8_lossy(&out.stdout).into_owned()
}

fn stderr(out: &Output) -> String {
    String::from_utf8_lossy(&out.stderr).into_owned()
}

fn written(site: &Site, card: &str) -> PathBuf {
    let path = site.path().join("card.json");
    std::fs::write(&path, card).unwrap();
    path
}

fn load(site: &Site, card: &str, options: &[&str]) -> Output {
    let path = written(site, card);
    site.run(&[&["rates", "load", path.to_str().unwrap()], options].concat())
}

fn builtin() -> Value {
    serde_json::to_value(pricing::RateCard::builtin()).unwrap()
}

/// The built-in card with another fee for the truck.
fn with_truck(cents: i64) -> Value {
    let mut card = builtin();
    card["rates"]["default"]["truck_fee_by_tier"] = json!([cents, cents, cents]);
    card
}

/// What a visitor is told the truck costs.
async fn truck(web: &Client, site: &Site) -> String {
    let draft = draft("2027-02-17", "09:00");
    let body = json!({
        "travelDuration": 15, "distanceKm": "6.2", "mateCount": 1, "movingDate": "2027-02-17", "rideAlong": false,
        "selectedFurnitures": { "furnitures": draft["selectedFurnitures"] },
        "locationDetails": vec![json!({ "floor": 0, "elevator": 0, "parking": true, "accessibility": "easy" }); 2],
        "clientAsMate": false, "justMates": false, "tax": { "type": "gst+qst", "rate": "0.14975" },
        "pickupAddress": { "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4" },
    });
    let answer = web.post(site.url("/api/booking/estimate")).json(&body).send().await.unwrap();
    let (status, price) = (answer.status(), answer.json::<Value>().await.unwrap());
    assert!(status.is_success(), "{price}");
    let line = price["lines"].as_array().unwrap().iter().find(|l| l["code"] == "truck_fee").expect("a truck").clone();
    line["amount"].as_str().unwrap().to_owned()
}

async fn until_truck_costs(amount: &str, web: &Client, site: &Site) {
    let mut told = String::new();
    for _ in 0..200 {
        told = truck(web, site).await;
        if told == amount {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the truck costs {told} after ten seconds, not {amount}");
}

async fn prices_change_while_the_server_runs(db: TestDb) {
    let (web, mut site) = (browser(), Site::new(NOW).on_database(db.url().to_owned()));
    site.start(&web).await;
    assert_eq!(truck(&web, &site).await, "35.00");

    let loaded = load(&site, &with_truck(7_700).to_string(), &[]);
    assert_eq!(stdout(&loaded), "standard version 2 is in force from 2027-02-01T13:00:00Z\n", "{}", stderr(&loaded));
    until_truck_costs("77.00", &web, &site).await;
    let active: Value = web.get(site.url("/api/rates/active")).send().await.unwrap().json().await.unwrap();
    assert_eq!((&active["version"], &active["effectiveFrom"]), (&json!(2), &json!(NOW)));

    // What is shown can be loaded again, and planned for later.
    let shown = site.run(&["rates", "show"]);
    assert_eq!(serde_json::from_str::<Value>(&stdout(&shown)).unwrap(), with_truck(7_700));
    assert!(stderr(&shown).contains("standard version 2, in force from 2027-02-01T13:00:00Z"), "{}", stderr(&shown));
    let text = stdout(&shown).replace("7700", "8800");
    let planned = load(&site, &text, &["--from", "2027-03-01T00:00:00-05:00"]);
    assert_eq!(stdout(&planned), "standard version 3 will be in force from 2027-03-01T05:00:00Z\n");
    assert_eq!(stdout(&site.run(&["rates", "show"])), stdout(&shown));
    assert_eq!(truck(&web, &site).await, "77.00");
    site.set_clock("2027-03-01T05:00:00Z");
    until_truck_costs("88.00", &web, &site).await;

    // A card beside it prices nothing.
    let aside = load(&site, &with_truck(9_900).to_string(), &["--name", "summer"]);
    assert_eq!(stdout(&aside), "summer version 1 is in force from 2027-03-01T05:00:00Z\n");
    let summer = stdout(&site.run(&["rates", "show", "--name", "summer"]));
    assert_eq!(serde_json::from_str::<Value>(&summer).unwrap(), with_truck(9_900));
    let none = site.run(&["rates", "show", "--name", "winter"]);
    assert!(!none.status.success() && stderr(&none).contains("portage rates load FILE --name \"winter\""));

    // Older versions are as they were, and who changed what is on the trail.
    let id: RateId = active["id"].as_str().unwrap().parse().unwrap();
    let (kept, trail) = db
        .store()
        .read(move |u| Ok::<_, StoreError>((u.rates().get(id)?, u.audits().of_subject("rate", &id.to_string())?)))
        .await
        .unwrap();
    let kept = kept.unwrap();
    assert_eq!((kept.version, kept.effective_to), (2, None));
    assert_eq!(serde_json::to_value(&kept.card).unwrap(), with_truck(7_700));
    let [entry] = trail.as_slice() else { panic!("{trail:?}") };
    assert_eq!((entry.action.as_str(), entry.role), ("rate.load", Some(status_machine::Role::System)));
    assert_eq!(entry.after.as_ref().unwrap()["version"], 2);
    assert!(site.stop());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prices_change_while_the_server_runs_on_sqlite() {
    prices_change_while_the_server_runs(TestDb::sqlite()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prices_change_while_the_server_runs_on_postgres() {
    prices_change_while_the_server_runs(TestDb::postgres()).await;
}

/// Every kind of mistake names its field, and leaves the prices alone.
#[test]
fn a_card_that_is_not_in_order_is_refused() {
    let site = Site::new(NOW);
    assert!(site.run(&["migrate"]).status.success());
    assert!(stderr(&site.run(&["rates", "show"])).contains("no rate card \"standard\" is in force"));
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut card = builtin();
        change(&mut card);
        card.to_string()
    };
    for (told, card) in [
        (
            "rates.ON.km_fee must be between 0.00 and 10000.00 dollars",
            changed(&|c| c["rates"]["ON"]["km_fee"] = json!(-1)),
        ),
        ("rates.BC.km_fee: invalid type: string \"1.10\"", changed(&|c| c["rates"]["BC"]["km_fee"] = json!("1.10"))),
        ("rates.default.km_fee: invalid type: floating", changed(&|c| c["rates"]["default"]["km_fee"] = json!(1.1))),
        ("rates.BC.kmfee: unknown field `kmfee`", changed(&|c| c["rates"]["BC"]["kmfee"] = json!(110))),
        ("rates: unknown field `XX`", changed(&|c| c["rates"]["XX"] = json!({}))),
        ("whole minutes", changed(&|c| c["rates"]["default"]["minimum_billed_min"]["curbside"] = json!([1, 2]))),
        (
            "taxes.ON.components[0].rate_ppm: ",
            changed(&|c| c["taxes"]["ON"]["components"][0]["rate_ppm"] = json!("13%")),
        ),
        ("taxes.ON.components must be rates that add up", changed(&|c| c["taxes"]["ON"]["rate_ppm"] = json!(130_001))),
        ("periods[0].to: a day of the year", changed(&|c| c["periods"][0]["to"] = json!("July 1"))),
        ("periods[0].prov: unknown field `prov`", changed(&|c| c["periods"][0]["prov"] = json!(["QC"]))),
        ("missing field `duration`", changed(&|c| drop(c.as_object_mut().unwrap().remove("duration")))),
        ("expected value at line 1 column 1", "prices".to_owned()),
        ("trailing characters", builtin().to_string() + "{}"),
    ] {
        let refused = load(&site, &card, &[]);
        let text = stderr(&refused);
        assert!(!refused.status.success() && text.contains(told), "{told} is not in\n{text}");
        assert!(text.contains("nothing was changed"), "{text}");
    }
    // All mistakes at once.
    let two = changed(&|c| (c["rates"]["ON"]["km_fee"], c["duration"]["round_up_to_min"]) = (json!(-1), json!(0)));
    let text = stderr(&load(&site, &two, &[]));
    assert!(text.contains("rates.ON.km_fee") && text.contains("duration.round_up_to_min"), "{text}");
    let missing = site.run(&["rates", "load", "nowhere.json"]);
    assert!(!missing.status.success() && stderr(&missing).contains("nowhere.json cannot be read"));
    assert!(!site.run(&["rates", "show"]).status.success(), "nothing was stored");
    assert!(load(&site, &builtin().to_string(), &[]).status.success(), "the first card of a database");
    assert!(stderr(&site.run(&["rates", "show"])).contains("standard version 1"));
}
