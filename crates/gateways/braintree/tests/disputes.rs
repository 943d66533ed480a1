//! What a cardholder's dispute does to a charge, in the gateway's own list.

use crate::support::{House, charge};
use serde_json::json;
use service::ports::{
    disputes::DisputeState,
    payments::{ChargeOutcome, DISPUTE_LOST, DISPUTE_OPEN, DISPUTE_WON, GatewayStatus, PaymentGateway as _},
};

#[tokio::test]
async fn a_charge_says_where_its_dispute_stands() {
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
    for (order, code, state) in [
        ("won", DISPUTE_WON, DisputeState::Won),
        ("lost", DISPUTE_LOST, DisputeState::Lost),
        ("open", DISPUTE_OPEN, DisputeState::Opened),
    ] {
        let found = gateway.find_by_order(order).await.unwrap();
        assert_eq!((found.len(), found[0].status), (1, GatewayStatus::Settled), "{order}");
        assert_eq!(found[0].code.as_deref(), Some(code), "{order}");
        let disputes = gateway.disputes(order).await.unwrap();
        assert_eq!((disputes.len(), disputes[0].state), (1, state), "{order}");
        assert_eq!(disputes[0].transaction_id, found[0].id, "{order}");
        assert_eq!((disputes[0].amount, disputes[0].reason.as_str()), (found[0].amount, "product_unsatisfactory"));
        assert!(disputes[0].reply_by.is_some_and(|by| by > found[0].created_at) && disputes[0].case_number.is_some());
    }
}
