//! The real client against the simulator over loopback HTTP.

use crate::support;

use std::collections::BTreeSet;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use braintree::operations::CHARGE;
use chrono::TimeDelta;
use serde_json::{Value, json};
use service::ports::payments::{
    ChargeOutcome, GatewayError, GatewayKind, GatewayStatus, PaymentGateway as _, RefundOutcome, VaultOutcome,
};

use support::{House, charge, instant, money, pair, person, refund};

fn captured(outcome: ChargeOutcome) -> String {
    match outcome {
        ChargeOutcome::Captured { transaction_id, legacy_id } => {
            assert!(legacy_id.is_some());
            transaction_id
        }
        declined => panic!("{declined:?}"),
    }
}

#[tokio::test]
async fn a_customer_pays() {
    let house = House::start().await;
    let gateway = house.client();
    gateway.ping().await.unwrap();
    assert!(!gateway.client_token(None).await.unwrap().is_empty());
    let customer = gateway.create_customer(&person(1)).await.unwrap();
    assert!(!gateway.client_token(Some(&customer)).await.unwrap().is_empty());
    assert_eq!(
        gateway.client_token(Some("dHJhbnNhY3Rpb25fMQ")).await,
        Err(GatewayError::Rejected {
            code: Some("92804".to_owned()),
            message: "Customer specified by customer_id does not exist.".to_owned(),
        })
    );
    let VaultOutcome::Stored(card) = gateway.vault(&customer, "fake-valid-mastercard-nonce").await.unwrap() else {
        panic!("not stored");
    };
    assert_eq!((card.brand.as_str(), card.last4.as_str()), ("mastercard", "4444"));
    assert_eq!(card.expiry.len(), "12/2030".len());

    let before = instant(&house.now);
    // More than the sandbox's table of amounts would let through: real moves cost that much.
    let id = captured(gateway.charge(&charge("bk-1-deposit-1", &card.method_id, 231_234)).await.unwrap());
    let found = gateway.find_by_order("bk-1-deposit-1").await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].id.as_str(), found[0].amount, found[0].status),
        (id.as_str(), money(231_234), GatewayStatus::Captured)
    );
    assert_eq!((&found[0].kind, found[0].declined_hard), (&GatewayKind::Charge, None));
    assert_eq!(found[0].created_at, before);
    assert_eq!(gateway.find_by_order("bk-1-deposit-2").await.unwrap(), vec![]);

    house.later(12 * 3600);
    assert_eq!(gateway.find_by_order("bk-1-deposit-1").await.unwrap()[0].status, GatewayStatus::Settled);
    let (_, list) = house.ask("GET", "transactions", "", Value::Null);
    assert_eq!(list["total"], 1);
    let row = &list["data"][0];
    assert_eq!(
        (row["amount"].as_str(), row["currency"].as_str(), row["status"].as_str()),
        (Some("2312.34"), Some("CAD"), Some("settled"))
    );
    assert_eq!((row["customerId"].as_str(), row["userRef"].as_str()), (Some(customer.as_str()), Some("user-1")));
}

#[tokio::test]
async fn cards_that_fail_verification_are_not_stored() {
    let house = House::start().await;
    let gateway = house.client();
    let customer = gateway.create_customer(&person(1)).await.unwrap();
    for (nonce, message) in [
        ("fake-processor-declined-visa-nonce", "Do Not Honor"),
        ("fake-processor-declined-mastercard-nonce", "Do Not Honor"),
        ("fake-processor-declined-amex-nonce", "Do Not Honor"),
        ("fake-processor-declined-discover-nonce", "Do Not Honor"),
        ("fake-processor-failure-jcb-nonce", "Processor Network Unavailable - Try Again"),
        ("fake-gateway-rejected-fraud-nonce", "Gateway Rejected: FRAUD"),
        ("fake-gateway-rejected-risk-thresholds-nonce", "Gateway Rejected: RISK_THRESHOLD"),
        ("fake-luhn-invalid-nonce", "Credit card number is invalid."),
        ("fake-consumed-nonce", "Cannot use a payment method nonce more than once."),
        ("nobody-knows-this-nonce", "Unknown or expired payment method nonce."),
    ] {
        let outcome = gateway.vault(&customer, nonce).await.unwrap();
        let VaultOutcome::Refused { message: said, hard: false, .. } = outcome else {
            panic!("{nonce}: {outcome:?}");
        };
        assert_eq!(said, message, "{nonce}");
    }
    // A customer that does not exist is our mistake, not the card's.
    let wrong = gateway.vault("nobody", "fake-valid-nonce").await;
    assert!(matches!(wrong, Err(GatewayError::Rejected { code: Some(code), .. }) if code == "91510"));
    // Asked for on command, and hard.
    house.queue_for("vault", "hard_decline");
    let outcome = gateway.vault(&customer, "fake-valid-nonce").await.unwrap();
    let expired = VaultOutcome::Refused { message: "Expired Card".to_owned(), code: "2004".to_owned(), hard: true };
    assert_eq!(outcome, expired);
}

#[tokio::test]
async fn a_typed_card_becomes_a_nonce_that_works_once() {
    let house = House::start().await;
    let gateway = house.client();
    let customer = gateway.create_customer(&person(1)).await.unwrap();
    let tokenize = |number: &str| {
        let form = json!({ "number": number, "expirationMonth": "09", "expirationYear": "2030", "cvv": "123" });
        let (status, body) = house.ask("POST", "tokenize", "", form);
        assert_eq!(status, 200, "{body}");
        body["nonce"].as_str().unwrap().to_owned()
    };
    let nonce = tokenize("4111 1111 1111 1111");
    let again = tokenize("4111111111111111");
    house.restart();
    let VaultOutcome::Stored(card) = gateway.vault(&customer, &nonce).await.unwrap() else { panic!("not stored") };
    assert_eq!((card.brand.as_str(), card.last4.as_str(), card.expiry.as_str()), ("visa", "1111", "09/2030"));
    let used = gateway.vault(&customer, &nonce).await.unwrap();
    assert!(matches!(used, VaultOutcome::Refused { message, .. } if message.contains("more than once")));
    // The same number is recognised without being kept.
    let VaultOutcome::Stored(twin) = gateway.vault(&customer, &again).await.unwrap() else { panic!("not stored") };
    assert_eq!(twin.fingerprint, card.fingerprint);
    assert!(!std::fs::read_to_string(&house.file).unwrap().contains("4111111111111111"));
    // A nonce grows old.
    let late = tokenize("5555555555554444");
    house.later(3 * 3600 + 1);
    assert!(matches!(gateway.vault(&customer, &late).await.unwrap(), VaultOutcome::Refused { .. }));
    for failing in ["4000111111111115", "5105105105105100", "378734493671000", "6011000990139424"] {
        let cvv = if failing.len() == 15 { "1234" } else { "123" };
        let form = json!({ "number": failing, "expirationMonth": 9, "expirationYear": 2030, "cvv": cvv });
        let (status, body) = house.ask("POST", "tokenize", "", form);
        assert_eq!(status, 200, "{body}");
        let outcome = gateway.vault(&customer, body["nonce"].as_str().unwrap()).await.unwrap();
        assert!(matches!(outcome, VaultOutcome::Refused { .. }), "{failing}");
    }
}

#[tokio::test]
async fn every_queued_outcome_happens_once_and_in_order() {
    let house = House::start().await;
    let gateway = house.client();
    let method = house.payer(&gateway, 1).await;
    house.queue(&["soft_decline", "hard_decline", "timeout_applied", "timeout_not_applied", "error_500", "approve"]);
    // What is queued survives a restart, like everything else.
    house.restart();
    let pay = |order: &'static str| {
        let request = charge(order, &method, 11_498);
        let gateway = &gateway;
        async move { gateway.charge(&request).await }
    };
    let declined = |outcome| match outcome {
        ChargeOutcome::Declined { hard, code, message, transaction_id } => {
            assert!(transaction_id.is_some());
            (hard, code, message)
        }
        captured => panic!("{captured:?}"),
    };
    let soft = declined(pay("o-1").await.unwrap());
    assert_eq!(soft, (false, "2001".to_owned(), "Insufficient Funds".to_owned()));
    let hard = declined(pay("o-2").await.unwrap());
    assert_eq!(hard, (true, "2004".to_owned(), "Expired Card".to_owned()));
    for order in ["o-3", "o-4", "o-5"] {
        assert!(matches!(pay(order).await, Err(GatewayError::Unknown(_))), "{order}");
    }
    captured(pay("o-6").await.unwrap());
    captured(pay("o-7").await.unwrap());
    for (order, expected) in [
        ("o-1", Some("declined")),
        ("o-2", Some("declined")),
        ("o-3", Some("captured")),
        ("o-4", None),
        ("o-5", None),
        ("o-6", Some("captured")),
    ] {
        let expected: Vec<_> = expected.map(|status| pair("charge", status)).into_iter().collect();
        assert_eq!(house.done(order), expected, "{order}");
        // The port's look-up tells the same.
        assert_eq!(gateway.find_by_order(order).await.unwrap().len(), expected.len(), "{order}");
    }
    let found = gateway.find_by_order("o-2").await.unwrap();
    assert_eq!(
        (found[0].status, found[0].declined_hard, found[0].code.as_deref()),
        (GatewayStatus::Declined, Some(true), Some("2004"))
    );
}

#[tokio::test]
async fn outcomes_can_be_meant_for_one_customer() {
    let house = House::start().await;
    let gateway = house.client();
    let (one, two) = (house.payer(&gateway, 1).await, house.payer(&gateway, 2).await);
    let (_, body) = house.ask("POST", "control", "", json!({ "customerId": "user-2", "outcome": "soft_decline" }));
    assert_eq!(body["queued"][0]["customerId"], "user-2");
    captured(gateway.charge(&charge("one", &one, 100)).await.unwrap());
    assert!(matches!(gateway.charge(&charge("two", &two, 100)).await.unwrap(), ChargeOutcome::Declined { .. }));
    captured(gateway.charge(&charge("two-2", &two, 100)).await.unwrap());
    let (_, list) = house.ask("GET", "transactions", "customerId=user-2", Value::Null);
    assert_eq!(list["total"], 2);
}

#[tokio::test]
async fn an_unknown_outcome_is_looked_up_and_paid_once() {
    for (outcome, applied) in [("timeout_applied", 1), ("timeout_not_applied", 0), ("error_500", 0)] {
        let house = House::start().await;
        let gateway = house.client();
        let method = house.payer(&gateway, 1).await;
        let request = charge("bk-9-balance-1", &method, 45_990);
        house.queue(&[outcome]);
        assert!(matches!(gateway.charge(&request).await, Err(GatewayError::Unknown(_))), "{outcome}");
        house.restart();
        let found = gateway.find_by_order(&request.order_id).await.unwrap();
        assert_eq!(found.len(), applied, "{outcome}");
        if found.is_empty() {
            captured(gateway.charge(&request).await.unwrap());
        }
        assert_eq!(house.done(&request.order_id), vec![pair("charge", "captured")], "{outcome}");
    }
}

#[tokio::test]
async fn an_answer_that_comes_too_late_is_an_unknown_outcome() {
    let house = House::start().await;
    let patient = house.client();
    let method = house.payer(&patient, 1).await;
    let hasty = support::hasty_client(&format!("{}/graphql", house.url));
    house.ask("POST", "control", "", json!({ "outcome": "approve", "delayMs": 1500 }));
    let lost = hasty.charge(&charge("late", &method, 100)).await;
    assert_eq!(lost, Err(GatewayError::Unknown("no answer in time".to_owned())));
    assert_eq!(hasty.find_by_order("late").await.unwrap().len(), 1);
}

#[tokio::test]
async fn the_same_charge_sent_twice_is_one_transaction() {
    let house = House::start().await;
    for (keys, order) in [(false, "plain"), (true, "keyed")] {
        let gateway = if keys { house.client_with_keys() } else { house.client() };
        let method = house.payer(&gateway, 1).await;
        let request = charge(order, &method, 9_198);
        let first = captured(gateway.charge(&request).await.unwrap());
        house.restart();
        let second = captured(gateway.charge(&request).await.unwrap());
        assert_eq!(first, second, "{order}");
        assert_eq!(house.done(order), vec![pair("charge", "captured")], "{order}");
        assert_eq!(gateway.find_by_order(order).await.unwrap().len(), 1, "{order}");
        let all = gateway.list(instant(&house.now), instant(&house.now) + TimeDelta::seconds(1)).await.unwrap();
        assert_eq!(all.iter().filter(|t| t.order_id == order).count(), 1, "{order}");
    }
    // A key that comes back with something else is refused, days later too.
    let gateway = house.client_with_keys();
    let method = house.payer(&gateway, 2).await;
    house.later(86_400);
    let other = gateway.charge(&charge("keyed", &method, 9_199)).await;
    assert!(matches!(other, Err(GatewayError::Rejected { code: Some(code), .. }) if code == "915232"));
}

#[tokio::test]
async fn fifty_at_once() {
    let house = House::start().await;
    let gateway = std::sync::Arc::new(house.client());
    let method = house.payer(&gateway, 1).await;
    let race = |order: fn(usize) -> String| {
        let (gateway, method) = (gateway.clone(), method.clone());
        async move {
            let mut tasks = tokio::task::JoinSet::new();
            for n in 0..50 {
                let (gateway, request) = (gateway.clone(), charge(&order(n), &method, 5_000));
                tasks.spawn(async move { captured(gateway.charge(&request).await.unwrap()) });
            }
            tasks.join_all().await.into_iter().collect::<BTreeSet<_>>()
        }
    };
    assert_eq!(race(|n| format!("many-{n}")).await.len(), 50);
    assert_eq!(race(|_| "one".to_owned()).await.len(), 1);
    assert_eq!(house.done("one"), vec![pair("charge", "captured")]);
    house.restart();
    // 51 payments are more than one page.
    let all = gateway.list(instant(&house.now), instant(&house.now) + TimeDelta::seconds(1)).await.unwrap();
    assert_eq!(all.len(), 51);
    assert_eq!(all.iter().map(|t| &t.id).collect::<BTreeSet<_>>().len(), 51);
}

#[tokio::test]
async fn the_list_covers_its_bounds_half_open() {
    let house = House::start().await;
    let gateway = house.client();
    let method = house.payer(&gateway, 1).await;
    let from = instant(&house.now);
    for order in ["a", "b", "c"] {
        captured(gateway.charge(&charge(order, &method, 100)).await.unwrap());
        house.later(60);
    }
    let orders = |list: Vec<service::ports::payments::GatewayTransaction>| {
        list.into_iter().map(|t| t.order_id).collect::<Vec<_>>()
    };
    let until = from + TimeDelta::seconds(120);
    assert_eq!(orders(gateway.list(from, until).await.unwrap()), ["b", "a"]);
    assert_eq!(orders(gateway.list(until, until + TimeDelta::days(1)).await.unwrap()), ["c"]);
    assert_eq!(orders(gateway.list(until + TimeDelta::days(1), until + TimeDelta::days(2)).await.unwrap()), [""; 0]);
}

/// Somebody charged a card at the gateway's own desk.
#[tokio::test]
async fn a_charge_without_an_order_id_is_listed_and_found() {
    let house = House::start().await;
    let gateway = house.client();
    let from = instant(&house.now);
    let body = json!({
        "query": CHARGE.document, "operationName": CHARGE.name,
        "variables": { "input": {
            "paymentMethodId": "fake-valid-nonce",
            "transaction": { "amount": "31.40", "merchantAccountId": "portage_cad" },
        } },
    });
    let keys = format!("Basic {}", STANDARD.encode("pk_test_public:pk_test_private"));
    let reply = house.simulator().handle_graphql(Some(&keys), Some("2019-01-01"), body.to_string().as_bytes());
    let answer: Value = serde_json::from_slice(&reply.body).unwrap();
    let id = answer["data"]["chargePaymentMethod"]["transaction"]["id"].as_str().unwrap().to_owned();
    let listed = gateway.list(from, from + TimeDelta::days(1)).await.unwrap();
    let [made] = listed.as_slice() else { panic!("{listed:?}") };
    assert_eq!((made.id.as_str(), &made.kind, made.amount), (id.as_str(), &GatewayKind::Charge, money(3_140)));
    assert_eq!(gateway.find_by_order(&made.order_id).await.unwrap(), listed);
    // What goes back of it is found under its own name.
    let back = format!("{}-return", made.order_id);
    gateway.refund(&refund(&back, &id, 3_140, true)).await.unwrap();
    assert_eq!(gateway.find_by_order(&made.order_id).await.unwrap()[0].status, GatewayStatus::Voided);
    house.later(13 * 3_600);
    let part = gateway.find_by_order(&back).await.unwrap();
    assert_eq!(part, [], "undone before it settled, it leaves nothing under that name");
}

#[tokio::test]
async fn an_unsettled_charge_is_voided_whole_and_waits_for_parts() {
    let house = House::start().await;
    let gateway = house.client();
    let method = house.payer(&gateway, 1).await;
    let id = captured(gateway.charge(&charge("dep", &method, 10_000)).await.unwrap());
    let part = refund("dep-refund-1", &id, 4_000, false);
    assert_eq!(gateway.refund(&part).await.unwrap(), RefundOutcome::NotSettledYet);
    let whole = refund("dep-refund-2", &id, 10_000, true);
    let voided = RefundOutcome::Voided { transaction_id: id.clone() };
    assert_eq!(gateway.refund(&whole).await.unwrap(), voided);
    house.restart();
    assert_eq!(gateway.refund(&whole).await.unwrap(), voided, "asked again");
    assert!(matches!(gateway.refund(&part).await.unwrap(), RefundOutcome::Refused { .. }));
    assert_eq!(gateway.find_by_order("dep").await.unwrap()[0].status, GatewayStatus::Voided);
    assert_eq!(house.done("dep"), vec![pair("charge", "voided")]);
    // A voided charge never settles.
    house.later(13 * 3600);
    assert_eq!(house.done("dep"), vec![pair("charge", "voided")]);
}

#[tokio::test]
async fn a_settled_charge_is_refunded_in_parts_and_never_beyond() {
    for keys in [false, true] {
        let house = House::start().await;
        let gateway = if keys { house.client_with_keys() } else { house.client() };
        let method = house.payer(&gateway, 1).await;
        let id = captured(gateway.charge(&charge("bal", &method, 10_000)).await.unwrap());
        house.later(12 * 3600);
        let first = refund("bal-refund-1", &id, 4_000, false);
        let RefundOutcome::Refunded { refund_id } = gateway.refund(&first).await.unwrap() else {
            panic!("not refunded")
        };
        assert_eq!(gateway.refund(&first).await.unwrap(), RefundOutcome::Refunded { refund_id: refund_id.clone() });
        let found = gateway.find_by_order("bal-refund-1").await.unwrap();
        assert_eq!(found.len(), 1);
        assert_eq!((&found[0].kind, found[0].amount), (&GatewayKind::Refund { of: id.clone() }, money(4_000)));
        let refused = gateway.refund(&refund("bal-refund-2", &id, 6_001, false)).await.unwrap();
        assert!(matches!(refused, RefundOutcome::Refused { code, .. } if code == "91521"));
        let rest = gateway.refund(&refund("bal-refund-3", &id, 6_000, false)).await.unwrap();
        assert!(matches!(rest, RefundOutcome::Refunded { .. }));
        let more = gateway.refund(&refund("bal-refund-4", &id, 1, false)).await.unwrap();
        assert!(matches!(more, RefundOutcome::Refused { code, .. } if code == "91512"));
        assert_eq!(gateway.refund(&refund("x", "dHJhbnNhY3Rpb25fMQ", 1, false)).await, Err(GatewayError::NotFound));
        let list = gateway.list(instant(&house.now), instant(&house.now) + TimeDelta::days(1)).await.unwrap();
        assert_eq!(list.iter().map(|t| t.amount).sum::<kernel::Money>(), money(10_000));
    }
}

#[tokio::test]
async fn a_refund_whose_answer_was_lost_is_made_once() {
    for (operation_settled, order) in [(true, "settled"), (false, "unsettled")] {
        for outcome in ["timeout_applied", "timeout_not_applied", "error_500"] {
            let house = House::start().await;
            let gateway = house.client();
            let method = house.payer(&gateway, 1).await;
            let id = captured(gateway.charge(&charge(order, &method, 10_000)).await.unwrap());
            if operation_settled {
                house.later(12 * 3600);
            }
            house.queue_for("refund", outcome);
            let request = refund("r", &id, 10_000, true);
            assert!(matches!(gateway.refund(&request).await, Err(GatewayError::Unknown(_))), "{outcome}");
            house.restart();
            let outcome = gateway.refund(&request).await.unwrap();
            let expected = if operation_settled {
                (vec![pair("charge", "settled")], 1)
            } else {
                (vec![pair("charge", "voided")], 0)
            };
            assert_eq!((house.done(order), house.done("r").len()), expected, "{outcome:?}");
        }
    }
}

#[tokio::test]
async fn a_refund_can_be_refused_by_the_bank() {
    let house = House::start().await;
    let gateway = house.client();
    let method = house.payer(&gateway, 1).await;
    let id = captured(gateway.charge(&charge("bal", &method, 10_000)).await.unwrap());
    house.later(12 * 3600);
    house.queue_for("refund", "soft_decline");
    let request = refund("bal-refund-1", &id, 10_000, true);
    let refused = RefundOutcome::Refused { code: "2001".to_owned(), message: "Insufficient Funds".to_owned() };
    assert_eq!(gateway.refund(&request).await.unwrap(), refused);
    assert!(matches!(gateway.refund(&request).await.unwrap(), RefundOutcome::Refunded { .. }));
}

#[tokio::test]
async fn a_customer_is_made_once_even_when_the_answer_is_lost() {
    for outcome in ["timeout_applied", "timeout_not_applied", "error_500"] {
        let house = House::start().await;
        let gateway = house.client();
        house.queue_for("customer", outcome);
        let id = gateway.create_customer(&person(7)).await.unwrap();
        let journal = std::fs::read_to_string(&house.file).unwrap();
        assert_eq!(journal.matches("\"event\":\"customer\"").count(), 1, "{outcome}");
        assert!(matches!(gateway.vault(&id, "fake-valid-nonce").await.unwrap(), VaultOutcome::Stored(_)));
    }
}

#[tokio::test]
async fn what_was_answered_is_there_after_a_torn_write() {
    let house = House::start().await;
    let gateway = house.client();
    let method = house.payer(&gateway, 1).await;
    let id = captured(gateway.charge(&charge("kept", &method, 100)).await.unwrap());
    house.stop();
    // The process died while it was writing the next line.
    let mut bytes = std::fs::read(&house.file).unwrap();
    bytes.extend_from_slice(b"[{\"event\":\"payment\",\"seq\":99,\"amou");
    std::fs::write(&house.file, &bytes).unwrap();
    let simulator = support::open(&house.file, &house.now);
    let reply = simulator.dispatch("GET", "/transactions", "", &|_| None, b"");
    let list: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!((list["total"].as_u64(), list["data"][0]["id"].as_str()), (Some(1), Some(id.as_str())));
}

#[tokio::test]
async fn amounts_and_order_ids_are_checked_before_anything_is_sent() {
    let gateway = support::client("http://127.0.0.1:9/graphql", false);
    for (request, expected) in [
        (charge("o", "m", 0), "81531"),
        (charge("o", "m", -5), "81531"),
        (charge("", "m", 100), "91501"),
        (charge(&"o".repeat(256), "m", 100), "91501"),
    ] {
        let refused = gateway.charge(&request).await;
        assert!(matches!(refused, Err(GatewayError::Rejected { code: Some(code), .. }) if code == expected));
    }
}
