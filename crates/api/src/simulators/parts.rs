//! The simulators that keep state, as the program hands them in.

use std::sync::Arc;

/// The simulators that keep state.
#[derive(Clone)]
pub struct Simulators {
    /// The card gateway.
    pub braintree: Arc<braintree::simulator::Simulator>,
}
