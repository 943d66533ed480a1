//! `portage quote` prices the twenty worked examples, line by line, without a database.

use std::{
    io::Write as _,
    process::{Command, Output, Stdio},
};

use crate::support::root;
use serde_json::{Value, json};

fn quote(arguments: &[&str], body: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_portage"))
        .arg("quote")
        .args(arguments)
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(body.as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert!(left.is_empty(), "quote left {left:?} behind");
    out
}

fn examples() -> Vec<Value> {
    let text = std::fs::read_to_string(root().join("fixtures/golden-examples.json")).unwrap();
    let all: Value = serde_json::from_str(&text).unwrap();
    all["examples"].as_array().unwrap().clone()
}

/// The example as `POST /api/booking/estimate` takes it.
fn request(input: &Value) -> Value {
    let furniture: Vec<Value> =
        input["items"].as_object().unwrap().iter().map(|(id, n)| json!({ "id": id, "quantity": n })).collect();
    let km10 = input["distance_km10"].as_u64().unwrap();
    let mut body = json!({
        "selectedFurnitures": { "furnitures": furniture },
        "locationDetails": [input["pickup"], input["dropoff"]],
        "pickupAddress": { "province": input["pickup"]["province"] },
        "dropoffAddress": { "province": input["dropoff"]["province"] },
        "distanceKm": format!("{}.{}", km10 / 10, km10 % 10),
    });
    for key in ["moveKind", "mateCount", "travelDuration", "movingDate", "clientAsMate", "justMates", "rideAlong"] {
        body[key] = input[key].clone();
    }
    body
}

fn dollars(cents: &Value) -> String {
    let cents = cents.as_i64().unwrap();
    format!("{}{}.{:02}", if cents < 0 { "-" } else { "" }, cents.abs() / 100, cents.abs() % 100)
}

fn discount(input: &Value) -> Option<String> {
    let d = input.get("discount")?;
    let code = d["code"].as_str().unwrap();
    Some(match d["percent_bp"].as_i64() {
        Some(bp) => format!("{code}={}%,{}", bp / 100, dollars(&d["max_amount"])),
        None => format!("{code}={}", dollars(&d["amount"])),
    })
}

#[test]
fn all_twenty_examples_from_the_command_line() {
    let mut compared = 0;
    for example in examples() {
        let (input, output) = (&example["input"], &example["output"]);
        // Overtime is recorded after a move; an estimate has none.
        if input.get("overtime_min").is_some() {
            continue;
        }
        let code = discount(input);
        let mut arguments = vec!["-", "--json"];
        if let Some(code) = &code {
            arguments.extend(["--discount", code]);
        }
        let out = quote(&arguments, &request(input).to_string());
        assert!(out.status.success(), "{}: {}", example["name"], String::from_utf8_lossy(&out.stderr));
        let answer: Value = serde_json::from_slice(&out.stdout).unwrap();
        let (price, want) = (&answer["quote"], &output["price_cents"]);
        for (field, key) in
            [("amount", "amount"), ("originalAmount", "originalAmount"), ("discount", "discount"), ("total", "total")]
        {
            assert_eq!(price[field], dollars(&want[key]), "{} {field}", example["name"]);
        }
        assert_eq!(price["tax"]["amount"], dollars(&want["tax"]), "{}", example["name"]);
        assert_eq!(answer["duration"]["minutes"], output["duration_min"], "{}", example["name"]);
        let lines: Vec<Value> =
            price["lines"].as_array().unwrap().iter().map(|l| json!([l["code"], l["amount"]])).collect();
        let wanted: Vec<Value> =
            want["lines"].as_array().unwrap().iter().map(|l| json!([l["code"], dollars(&l["amount"])])).collect();
        assert_eq!(lines, wanted, "{}", example["name"]);
        compared += 1;
    }
    assert_eq!(compared, 19);
}

#[test]
fn the_table_reads_in_three_languages() {
    let first = &examples()[0];
    let body = request(&first["input"]).to_string();
    for (language, words) in [
        ("en", ["2 mates × 2 h 30", "$389.00", "$447.25", "GST"]),
        ("fr", ["2 aidants × 2 h 30", "389,00\u{a0}$", "447,25\u{a0}$", "TPS"]),
        ("zh", ["2 名帮手 × 2 小时 30 分钟", "CA$389.00", "CA$447.25", "GST"]),
    ] {
        let out = quote(&["-", "--lang", language], &body);
        let text = String::from_utf8(out.stdout).unwrap();
        for word in words {
            assert!(text.contains(word), "{language}: {word} is not in\n{text}");
        }
    }
}

#[test]
fn mistakes_name_their_field() {
    let mut body = request(&examples()[0]["input"]);
    body["mateCount"] = json!("two");
    let out = quote(&["-"], &body.to_string());
    assert!(!out.status.success() && out.stdout.is_empty());
    assert!(String::from_utf8_lossy(&out.stderr).contains("mateCount"), "{}", String::from_utf8_lossy(&out.stderr));
    body["mateCount"] = json!(2);
    body["selectedFurnitures"]["furnitures"][0]["id"] = json!("a-dragon");
    let told = String::from_utf8(quote(&["-"], &body.to_string()).stderr).unwrap();
    assert!(told.contains("selectedFurnitures.furnitures[0].id"), "{told}");
    assert!(!quote(&["/nowhere/move.json"], "").status.success());
}
