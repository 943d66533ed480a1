//! Gateway against ledger against our own rows: every difference, in words.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kernel::Money;

use crate::{
    Error, ServiceResult, Services,
    ports::{
        bookings::Checkout,
        ledger::Account,
        payments::{Attempt, AttemptState, GatewayKind, GatewayStatus, GatewayTransaction, Payment, PaymentKind},
    },
};

/// What was compared and what differs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Gateway transactions looked at.
    pub transactions: usize,
    /// Attempts of ours looked at.
    pub attempts: usize,
    /// Differences; there must be none.
    pub differences: Vec<String>,
}

/// Compares everything the gateway did in [from, until) with what we wrote.
///
/// # Errors
/// When gateway or database cannot be asked.
pub async fn run(s: &Services, from: DateTime<Utc>, until: DateTime<Utc>) -> ServiceResult<Report> {
    let gateway = s.gateway.list(from, until).await.map_err(|e| Error::Internal(format!("gateway list: {e}")))?;
    let ours = s
        .store
        .read(move |u| {
            let attempts = u.payments().attempts_between(from, until)?;
            let mut open = u.bookings().checkouts_in(crate::bookings::checkout::CHARGING_STATE)?;
            open.sort_by_key(|c| c.created_at);
            let mut posted = BTreeMap::new();
            for (_, payment) in &attempts {
                for entry in u.ledger().of_booking(payment.booking_id)? {
                    let moved = entry.lines().iter().filter(|l| l.account == Account::Gateway).map(|l| l.amount).sum::<Money>();
                    posted.insert(entry.fact_key.clone(), moved);
                }
            }
            Ok::<_, Error>(Ours { attempts, open, posted, unbalanced: u.ledger().unbalanced()?.len(), drift: u.capacities().drift()? })
        })
        .await?;
    Ok(compare(&gateway, &ours))
}

/// Our side of the comparison.
pub(crate) struct Ours {
    attempts: Vec<(Attempt, Payment)>,
    open: Vec<Checkout>,
    /// Fact key → what it moved at the gateway account.
    posted: BTreeMap<String, Money>,
    unbalanced: usize,
    drift: Vec<String>,
}

fn moved(t: &GatewayTransaction) -> bool {
    matches!(t.status, GatewayStatus::Captured | GatewayStatus::Settled | GatewayStatus::Voided)
}

fn compare(gateway: &[GatewayTransaction], ours: &Ours) -> Report {
    let mut differences = Vec::new();
    let mut by_order: BTreeMap<&str, Vec<&GatewayTransaction>> = BTreeMap::new();
    for t in gateway.iter().filter(|t| moved(t)) {
        by_order.entry(&t.order_id).or_default().push(t);
    }
    for (order, list) in &by_order {
        if list.len() > 1 {
            differences.push(format!("{order}: the gateway made {} transactions", list.len()));
        }
        let known = ours.attempts.iter().find(|(a, _)| a.order_id == *order);
        let open = ours.open.iter().any(|c| c.order_id == *order);
        match known {
            None if !open => differences.push(format!("{order}: the gateway moved {} that we do not know", list[0].amount)),
            Some((a, _)) if a.state != AttemptState::Applied && a.state != AttemptState::Sent => {
                differences.push(format!("{order}: the gateway moved {}, we wrote {}", list[0].amount, a.state.code()));
            }
            Some((a, _)) if a.amount != list[0].amount => {
                differences.push(format!("{order}: the gateway moved {}, we wrote {}", list[0].amount, a.amount));
            }
            _ => {}
        }
    }
    for (attempt, payment) in ours.attempts.iter().filter(|(a, _)| a.state == AttemptState::Applied) {
        check_applied(attempt, payment, &by_order, gateway, ours, &mut differences);
    }
    if ours.unbalanced > 0 {
        differences.push(format!("{} ledger entries do not sum to zero", ours.unbalanced));
    }
    differences.extend(ours.drift.iter().map(|d| format!("capacity: {d}")));
    Report { transactions: gateway.len(), attempts: ours.attempts.len(), differences }
}

fn check_applied(
    attempt: &Attempt,
    payment: &Payment,
    by_order: &BTreeMap<&str, Vec<&GatewayTransaction>>,
    gateway: &[GatewayTransaction],
    ours: &Ours,
    differences: &mut Vec<String>,
) {
    let order = attempt.order_id.as_str();
    let refund = payment.kind == PaymentKind::Refund;
    // A void leaves no transaction of its own: the charge itself is marked.
    let voided = refund
        && gateway.iter().any(|t| {
            t.status == GatewayStatus::Voided && t.kind == GatewayKind::Charge && Some(&t.id) == attempt.transaction_id.as_ref()
        });
    if !by_order.contains_key(order) && !voided {
        differences.push(format!("{order}: we wrote {}, the gateway knows nothing of it", attempt.amount));
    }
    let (fact, want) = if refund {
        (format!("refund:{order}"), attempt.amount.negated())
    } else {
        (format!("capture:{order}"), attempt.amount)
    };
    match ours.posted.get(&fact) {
        Some(posted) if *posted == want => {}
        Some(posted) => differences.push(format!("{order}: the ledger says {posted}, the attempt {want}")),
        None => differences.push(format!("{order}: the ledger has no entry")),
    }
}
