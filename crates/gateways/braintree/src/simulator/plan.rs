//! What will happen to one request, decided when it arrives.

use std::time::Duration;

use serde_json::Value;

use super::outcomes::{Operation, Outcome};
use super::records::{Customer, Event};
use super::state::{QueuedOutcome, State};
use super::{Core, Fault};

/// How the simulator handles one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Handling {
    pub outcome: Outcome,
    /// Before it is applied.
    pub hold: Duration,
    /// After it, before the answer.
    pub wait: Duration,
    /// It is delivered twice.
    pub twice: bool,
    /// Twice only where the second cannot move money.
    pub only_safely: bool,
    /// It is held back on purpose beyond what its client waits.
    pub late: bool,
}

impl Handling {
    /// Applied and answered at once.
    pub(super) const PLAIN: Handling = Handling {
        outcome: Outcome::Approve,
        hold: Duration::ZERO,
        wait: Duration::ZERO,
        twice: false,
        only_safely: true,
        late: false,
    };
}

impl From<QueuedOutcome> for Handling {
    fn from(queued: QueuedOutcome) -> Handling {
        Handling {
            outcome: queued.outcome,
            hold: Duration::from_millis(queued.delay_before_ms),
            wait: Duration::from_millis(queued.delay_ms),
            twice: queued.twice,
            only_safely: false,
            late: false,
        }
    }
}

/// Whose operation it is, as far as the input tells.
fn customer(state: &State, operation: Operation, input: &Value) -> Option<Customer> {
    let text = |name: &str| input[name].as_str();
    let of_method = |id: &str| {
        let (_, legacy) = super::state::read_id(id)?;
        state.method(&legacy).and_then(|m| state.customer(&m.customer))
    };
    let of_payment = |legacy: Option<&str>| legacy.and_then(|c| state.customer(c));
    match operation {
        Operation::Charge => text("paymentMethodId")
            .and_then(of_method)
            .or_else(|| input["transaction"]["customerId"].as_str().and_then(|c| state.customer_by_id(c)))
            .cloned(),
        Operation::Refund | Operation::Reverse => {
            let charge = text("transactionId").and_then(|id| state.charge_by_id(id))?;
            of_payment(charge.customer.as_deref()).cloned()
        }
        Operation::Vault => text("customerId").and_then(|c| state.customer_by_id(c)).cloned(),
        // Not there yet: its queue is found by the identifiers it will have.
        Operation::Customer => Some(Customer {
            seq: 0,
            user_ref: text("clientMutationId").map(str::to_owned),
            first_name: None,
            last_name: None,
            email: input["customer"]["email"].as_str().map(str::to_owned),
            phone: None,
            at: chrono::DateTime::UNIX_EPOCH,
        }),
        Operation::LookUp => {
            let orders = state.payments_of_order(input["orderId"]["is"].as_str()?);
            of_payment(orders.first()?.customer.as_deref()).cloned()
        }
    }
}

/// Decides at the door what must be decided there: whether it is held back, and everything about
/// look-ups and about chaos. The rest of the queue is asked when the operation is applied, so that a
/// refused input or a repeated request takes nothing from it.
pub(super) fn at_the_door(core: &mut Core, operation: Operation, input: &Value) -> Result<Option<Handling>, Fault> {
    let customer = customer(&core.state, operation, input);
    if let Some((from, key, queued)) = core.state.queued(operation, customer.as_ref()) {
        if queued.delay_before_ms == 0 && operation != Operation::LookUp {
            return Ok(None);
        }
        core.commit(vec![Event::Unqueued { operation: from, key }])?;
        return Ok(Some(queued.into()));
    }
    let Core { state, dice, figures, .. } = core;
    let handling = state.settings().chaos.as_ref().map(|chaos| chaos.handling(dice, operation));
    if let Some(handling) = &handling {
        let mut count = |what| *figures.entry(what).or_default() += 1;
        count("operations");
        if handling.late {
            count("appliedLate");
        }
        match handling.outcome {
            Outcome::TimeoutNotApplied => count("lost"),
            Outcome::TimeoutApplied => count("lostAnswers"),
            Outcome::Error500 => count("error500"),
            Outcome::SoftDecline | Outcome::HardDecline => count("declined"),
            Outcome::SettlementDecline => count("settlementDeclines"),
            Outcome::Dispute => count("disputes"),
            Outcome::Approve | Outcome::Miss => {}
        }
    }
    Ok(handling)
}
