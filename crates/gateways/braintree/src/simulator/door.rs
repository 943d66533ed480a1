//! The simulator behind a server: each request is worked on by a task of its own.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError, Weak},
    time::{Duration, Instant},
};

use tokio::sync::oneshot;

use super::{SimReply, Simulator, webhooks};

/// One HTTP request below the simulator's prefix.
#[derive(Debug, Clone, Default)]
pub struct SimRequest {
    /// `GET`, `POST`, …
    pub method: String,
    /// What follows the prefix: `graphql`, `/control`.
    pub path: String,
    /// The raw query string.
    pub query: String,
    /// The header `Authorization`.
    pub authorization: Option<String>,
    /// The header `Braintree-Version`.
    pub version: Option<String>,
    /// The body.
    pub body: Vec<u8>,
}

/// A request on the loopback device arrives within this, however busy the machine is.
const ON_THE_WIRE: Duration = Duration::from_secs(3);

/// When the calls that are being worked on arrived.
#[derive(Default)]
pub(super) struct Pending(Mutex<(u64, BTreeMap<u64, Instant>)>);

impl Pending {
    fn arrived(&self) -> u64 {
        let mut calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        calls.0 += 1;
        let number = calls.0;
        calls.1.insert(number, Instant::now());
        number
    }

    fn done(&self, number: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.remove(&number);
    }

    /// How long the oldest has been waiting.
    fn oldest(&self) -> Duration {
        let calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        calls.1.values().map(Instant::elapsed).max().unwrap_or_default()
    }
}

fn unreachable_reply() -> SimReply {
    SimReply::problem(503, "unavailable", "the payment simulator has ended")
}

impl Simulator {
    /// How long ago a call may have been sent and still be applied: what is older and not listed
    /// never will be. None while chaos is on, when its searches may miss what was applied.
    pub fn reach(&self) -> Option<Duration> {
        let chaotic = self.core().state.settings().chaos.is_some();
        (!chaotic).then(|| self.pending.oldest() + ON_THE_WIRE)
    }

    /// Answers a request. The work goes on when the caller does not wait for it any more: that is
    /// the difference between a client that gave up and an operation that did not happen. The delay
    /// of the answer has passed when it is there.
    ///
    /// What is held back keeps nothing alive: when the last other owner of the simulator lets go,
    /// as when the process dies, it is lost.
    pub async fn call(self: Arc<Self>, request: SimRequest) -> SimReply {
        let number = self.pending.arrived();
        let simulator = Arc::downgrade(&self);
        drop(self);
        let (tell, told) = oneshot::channel();
        let (work, number, desk) = (work(simulator.clone(), request), number, simulator.clone());
        tokio::spawn(async move {
            let reply = work.await;
            if let Some(simulator) = desk.upgrade() {
                simulator.pending.done(number);
            }
            // Nobody may be there to hear it.
            drop(tell.send(reply));
        });
        let Ok(reply) = told.await else { return unreachable_reply() };
        if let Some(simulator) = simulator.upgrade() {
            webhooks::deliver(&simulator);
        }
        if let Some(delay) = reply.delay {
            tokio::time::sleep(delay).await;
        }
        SimReply { delay: None, ..reply }
    }
}

/// Runs on a thread that may wait for the disk; `None` when the simulator is gone.
pub(super) async fn blocking<T: Send + 'static>(
    simulator: &Weak<Simulator>,
    work: impl FnOnce(&Simulator) -> T + Send + 'static,
) -> Option<T> {
    let simulator = simulator.upgrade()?;
    tokio::task::spawn_blocking(move || work(&simulator)).await.ok()
}

async fn work(simulator: Weak<Simulator>, request: SimRequest) -> SimReply {
    let graphql = request.path.trim_matches('/') == "graphql" && request.method.eq_ignore_ascii_case("POST");
    if !graphql {
        let answered = blocking(&simulator, move |s| {
            s.dispatch(&request.method, &request.path, &request.query, &|_| None, &request.body)
        });
        return answered.await.unwrap_or_else(unreachable_reply);
    }
    let arrived = blocking(&simulator, move |s| {
        s.at_once(request.authorization.as_deref(), request.version.as_deref(), &request.body)
    });
    match arrived.await {
        None => unreachable_reply(),
        Some(Ok(reply)) => reply,
        Some(Err(held)) => {
            tokio::time::sleep(held.hold()).await;
            blocking(&simulator, move |s| s.apply_held(*held)).await.unwrap_or_else(unreachable_reply)
        }
    }
}
