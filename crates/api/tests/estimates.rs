//! All twenty worked examples through `POST /api/booking/estimate` and `/duration`. Overtime is what
//! staff record after a move: the example that has some is estimated without it.

use crate::support::{Options, TestApp, golden, people::GUEST};
use serde_json::{Value, json};

/// The example as it was before anybody worked longer.
fn without_overtime(example: &Value) -> Value {
    let mut example = example.clone();
    if example["input"]["overtime_min"].as_i64().unwrap_or(0) == 0 {
        return example;
    }
    example["input"]["overtime_min"] = json!(0);
    let price = &mut example["output"]["price_cents"];
    let (overtime, rest): (Vec<Value>, Vec<Value>) =
        price["lines"].as_array().unwrap().iter().cloned().partition(|l| l["contentType"] == "overtime");
    let more: i64 = overtime.iter().map(|l| l["amount"].as_i64().unwrap()).sum();
    assert!(more > 0 && price["discount"] == 0, "{price}");
    let parts = price["tax_components"].as_object().unwrap();
    assert_eq!(parts.len(), 1, "one tax, so that it can be taken off in one step");
    let (name, rate) = (parts.keys().next().unwrap().clone(), price["tax_rate_ppm"].as_i64().unwrap());
    let amount = price["amount"].as_i64().unwrap() - more;
    let tax = (amount * rate * 2 + 1_000_000) / 2_000_000;
    price["lines"] = json!(rest);
    price["amount"] = json!(amount);
    price["originalAmount"] = json!(amount);
    price["tax"] = json!(tax);
    price["tax_components"] = json!({ name: tax });
    price["total"] = json!(amount + tax);
    example
}

#[actix_web::test]
async fn all_twenty_examples_hold_over_http() {
    let app = TestApp::with(Options { people: &[], ..Options::default() }).await;
    let file: Value = serde_json::from_str(include_str!("../../../fixtures/golden-examples.json")).unwrap();
    let examples = file["examples"].as_array().unwrap();
    assert_eq!(examples.len(), 20);
    for example in examples {
        let example = without_overtime(example);
        let (name, input, output) = (&example["name"], &example["input"], &example["output"]);
        let code = golden::discount(&app, &example).await;
        let body = golden::request(input, code.as_deref()).unwrap();

        let price = app.post(GUEST, "/api/booking/estimate", &body).await;
        assert_eq!(price.status, 200, "{name}: {}", price.text);
        golden::compare(name, &price.body, output);
        assert_eq!(price.body["discountCode"], json!(code), "{name}");

        let time = app.post(GUEST, "/api/booking/duration", &body).await;
        assert_eq!(time.status, 200, "{name}: {}", time.text);
        for (field, want) in [
            ("duration", &output["duration_min"]),
            ("is_duration_within_limit", &output["is_duration_within_limit"]),
            ("warnings", &price.body["warnings"]),
        ] {
            assert_eq!(&time.body[field], want, "{name}: {field}");
        }

        // What the client believes about tax does not matter.
        let mut lied = body.clone();
        lied["tax"] = json!({ "type": "none", "rate": "0" });
        let again = app.post(GUEST, "/api/booking/estimate", &lied).await.expect(200);
        assert_eq!(again.body, price.body, "{name}");
    }
}
