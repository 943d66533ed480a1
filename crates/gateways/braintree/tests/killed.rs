//! `kill -9` in the middle of charging: what was answered is there, once.
#![allow(clippy::print_stdout)]

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Write as _},
    process::{Command, Stdio},
    sync::{Arc, atomic::AtomicI64},
};

use crate::support::{Now, open};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use braintree::operations::CHARGE;
use serde_json::{Value, json};

const FILE: &str = "PORTAGE_TEST_SIMULATOR_FILE";

/// Run as a test of its own it does nothing; as a child process it charges until it is killed, and
/// prints each order id once it has the answer.
#[test]
fn charge_until_killed() {
    let Some(file) = std::env::var_os(FILE) else { return };
    let now: Now = Arc::new(AtomicI64::new(1_800_000_000));
    let simulator = open(&file.into(), &now);
    let keys = format!("Basic {}", STANDARD.encode("pk:sk"));
    let mut out = std::io::stdout();
    for n in 0.. {
        let order = format!("{}-{n}", std::process::id());
        let body = json!({
            "query": CHARGE.document, "operationName": CHARGE.name,
            "variables": { "input": {
                "paymentMethodId": "fake-valid-nonce",
                "transaction": { "amount": "10.00", "orderId": order, "merchantAccountId": "cad" },
            } },
        });
        let reply = simulator.handle_graphql(Some(&keys), Some("2019-01-01"), body.to_string().as_bytes());
        assert!(String::from_utf8_lossy(&reply.body).contains("SUBMITTED_FOR_SETTLEMENT"));
        writeln!(out, "paid {order}").unwrap();
        out.flush().unwrap();
    }
}

#[test]
fn every_answered_charge_survives_a_kill() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("b.jsonl");
    let now: Now = Arc::new(AtomicI64::new(1_800_000_000));
    let mut answered = Vec::new();
    for round in 0..12usize {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "killed::charge_until_killed", "--nocapture"])
            .env(FILE, &file)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The harness prints on the same line as the first one.
        let mut lines = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .map_while(Result::ok)
            .filter_map(|l| l.split_once("paid ").map(|(_, order)| order.to_owned()));
        answered.extend(lines.by_ref().take(1 + round * 3));
        child.kill().unwrap();
        child.wait().unwrap();
        answered.extend(lines);
    }
    let simulator = open(&file, &now);
    let reply = simulator.dispatch("GET", "transactions", "", &|_| None, b"");
    let list: Value = serde_json::from_slice(&reply.body).unwrap();
    let mut times = BTreeMap::new();
    for row in list["data"].as_array().unwrap() {
        *times.entry(row["orderId"].as_str().unwrap().to_owned()).or_insert(0) += 1;
    }
    assert!(answered.len() >= 12);
    for order in &answered {
        assert_eq!(times.get(order), Some(&1), "{order}");
    }
    // At most one charge a round was made without its answer getting out.
    assert!(times.len() <= answered.len() + 12, "{} made, {} answered", times.len(), answered.len());
}
