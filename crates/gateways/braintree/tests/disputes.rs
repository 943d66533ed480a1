//! What a cardholder's dispute does to a charge, in the gateway's own list.

use crate::support::{House, charge};
use serde_json::json;
use service::ports::payments::{ChargeOutcome, DISPUTE_LOST, GatewayStatus, PaymentGateway as _};

#[tokio::test]
async fn a_charge_says_that_its_dispute_was_lost() {
    let house = House::start().await;
    let gateway = house.client();
    let method = house.payer(&gateway, 1).await;
    let mut ids = Vec::new();
    for order in ["won", "lost", "open"] {
        house.queue(&["dispute"]);
        match gateway.charge(&charge(order, &method, 10_000)).await.unwrap() {
            ChargeOutcome::Captured { transaction_id, .. } => ids.push(transaction_id),
            declined => panic!("{declined:?}"),
        }
        house.later(60);
    }
    house.later(12 * 3600);
    house.control(json!({ "disputes": [
        { "transactionId": ids[0], "state": "won" },
        { "transactionId": ids[1], "state": "lost" },
    ] }));
    for (order, code) in [("won", None), ("lost", Some(DISPUTE_LOST)), ("open", None)] {
        let found = gateway.find_by_order(order).await.unwrap();
        assert_eq!((found.len(), found[0].status), (1, GatewayStatus::Settled), "{order}");
        assert_eq!(found[0].code.as_deref(), code, "{order}");
    }
}
