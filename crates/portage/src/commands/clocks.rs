//! Says in the log that this machine's clock and the database's differ.

use std::time::Duration;

use service::{Services, clocks};
use tokio::task::JoinHandle;

/// Between two looks.
const PAUSE: Duration = Duration::from_secs(60);
/// A difference that stays is told again after so many looks.
const REPEATED: u32 = 60;

/// Looks from now on, until the answer is aborted.
pub fn watch(services: &Services) -> JoinHandle<()> {
    let s = services.clone();
    tokio::spawn(async move {
        let mut looks = 0;
        loop {
            match clocks::ahead(&s).await {
                Ok(ahead) => match ahead.and_then(clocks::clock_warning) {
                    Some(told) if looks % REPEATED == 0 => {
                        tracing::warn!("{told}");
                        looks += 1;
                    }
                    Some(_) => looks += 1,
                    None => looks = 0,
                },
                // That the database is away is told elsewhere.
                Err(error) => tracing::debug!(%error, "the clock of the database was not asked"),
            }
            tokio::time::sleep(PAUSE).await;
        }
    })
}
