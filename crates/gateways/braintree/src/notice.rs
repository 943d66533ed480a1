//! What a webhook says: XML in the names of the gateway's classic API.

use roxmltree::{Document, Node};
use service::ports::payments::{Notification, NotificationRefused, Topic};

use crate::webhook::WebhookVerifier;

/// Checks the signature, then reads kind and order id.
pub(crate) fn read(
    verifier: &WebhookVerifier,
    signature: &str,
    payload: &str,
) -> Result<Notification, NotificationRefused> {
    let not_ours = |why: &dyn std::fmt::Display| NotificationRefused::NotOurs(why.to_string());
    let xml = verifier.verify(signature, payload).map_err(|e| not_ours(&e))?;
    let xml = String::from_utf8(xml).map_err(|e| not_ours(&e))?;
    let document = Document::parse(&xml).map_err(|e| not_ours(&e))?;
    let kind = child(document.root_element(), "kind").ok_or_else(|| not_ours(&"it names no kind"))?;
    let transaction = document.descendants().find(|n| n.has_tag_name("transaction"));
    Ok(Notification { topic: topic(&kind), order_id: transaction.and_then(|t| child(t, "order-id")), kind })
}

/// The text of a child; none when it is empty, as `<order-id nil="true"/>` is.
fn child(of: Node<'_, '_>, name: &str) -> Option<String> {
    let text = of.children().find(|n| n.has_tag_name(name))?.text()?.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn topic(kind: &str) -> Topic {
    match kind {
        "transaction_settled" => Topic::Settled,
        "transaction_settlement_declined" => Topic::SettlementDeclined,
        "refund_failed" => Topic::RefundFailed,
        _ if kind.starts_with("dispute_") => Topic::Dispute,
        _ => Topic::Other,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use base64::{Engine as _, engine::general_purpose::STANDARD};

    use super::*;

    fn read_signed(xml: &str) -> Result<Notification, NotificationRefused> {
        let verifier = WebhookVerifier::new("public", "private".to_owned().into());
        let payload = STANDARD.encode(xml);
        read(&verifier, &verifier.sign(&payload), &payload)
    }

    fn notification(kind: &str, subject: &str) -> String {
        format!(
            "<notification><timestamp type=\"datetime\">2026-01-15T12:00:00Z</timestamp><kind>{kind}</kind><subject>{subject}</subject></notification>"
        )
    }

    #[test]
    fn kind_and_order_are_read() {
        let of = |kind: &str, subject: &str| {
            let n = read_signed(&notification(kind, subject)).unwrap();
            (n.topic, n.order_id)
        };
        let charge = "<transaction><id>abc</id><order-id>49GC9E-deposit-1</order-id></transaction>";
        let order = Some("49GC9E-deposit-1".to_owned());
        assert_eq!(of("transaction_settlement_declined", charge), (Topic::SettlementDeclined, order.clone()));
        assert_eq!(of("transaction_settled", charge), (Topic::Settled, order.clone()));
        assert_eq!(of("dispute_opened", &format!("<dispute><id>d1</id>{charge}</dispute>")), (Topic::Dispute, order));
        let back = "<transaction><id>r1</id><type>credit</type><order-id>49GC9E-refund-1</order-id></transaction>";
        assert_eq!(of("refund_failed", back), (Topic::RefundFailed, Some("49GC9E-refund-1".to_owned())));
        let without = "<transaction><id>abc</id><order-id nil=\"true\"/></transaction>";
        assert_eq!(of("transaction_settlement_declined", without), (Topic::SettlementDeclined, None));
        assert_eq!(of("check", "<check type=\"boolean\">true</check>"), (Topic::Other, None));
    }

    #[test]
    fn what_is_not_the_gateways_is_refused() {
        let refused =
            |told: Result<Notification, NotificationRefused>| matches!(told, Err(NotificationRefused::NotOurs(_)));
        let bomb = "<!DOCTYPE n [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]><notification><kind>&b;</kind></notification>";
        assert!(refused(read_signed(bomb)), "entities are not expanded");
        assert!(refused(read_signed("<notification></notification>")));
        assert!(refused(read_signed("not xml")));
        let other = WebhookVerifier::new("public", "another".to_owned().into());
        let payload = STANDARD.encode(notification("check", ""));
        let verifier = WebhookVerifier::new("public", "private".to_owned().into());
        assert!(refused(read(&verifier, &other.sign(&payload), &payload)));
    }
}
