//! Figures that only the database has.

use std::time::Duration;

use service::{
    ServiceResult, Services, clocks,
    jobs::{self, Lane},
    ports::jobs::QueueFigures,
};

/// Whoever collects figures waits for ten seconds at most.
const PATIENCE: Duration = Duration::from_secs(5);

pub fn describe() {
    metrics::describe_gauge!("portage_database_up", "1 while the database can be read and written, else 0.");
    metrics::describe_gauge!("portage_database_bytes", "Size of the database on disk.");
    metrics::describe_gauge!(
        "portage_clock_ahead_seconds",
        "This machine's clock less the database's; 0 with SQLite, which has none."
    );
    metrics::describe_gauge!("portage_jobs_due", "Jobs that could run now.");
    metrics::describe_gauge!("portage_jobs_waiting", "Jobs queued for later.");
    metrics::describe_gauge!("portage_jobs_dead", "Jobs given up, for staff to look at.");
    metrics::describe_gauge!("portage_jobs_oldest_due_seconds", "How late the oldest due job is.");
    metrics::describe_gauge!(
        "portage_comparison_timestamp_seconds",
        "When gateway and ledger were last compared (Unix time); 0: not in a month."
    );
    metrics::describe_gauge!("portage_lane_jobs_due", "Jobs that could run now, by lane.");
    metrics::describe_gauge!("portage_lane_jobs_waiting", "Jobs queued for later, by lane.");
    metrics::describe_gauge!("portage_lane_oldest_due_seconds", "How late the oldest due job of a lane is.");
}

/// What was asked.
struct Figures {
    all: QueueFigures,
    lanes: Vec<(Lane, QueueFigures)>,
    bytes: u64,
    compared: i64,
    ahead: f64,
}

async fn ask(s: &Services) -> ServiceResult<Figures> {
    s.store.ping().await?;
    Ok(Figures {
        all: jobs::figures(s).await?,
        lanes: jobs::lane_figures(s).await?,
        bytes: s.store.bytes().await?,
        compared: jobs::last_comparison(s).await?.map_or(0, |at| at.timestamp()),
        ahead: clocks::ahead(s).await?.unwrap_or_default(),
    })
}

/// Asks now. While the database does not answer, its figures are no numbers: the last ones would be taken for true.
pub async fn collect(s: &Services) {
    let asked = tokio::time::timeout(PATIENCE, ask(s)).await.ok().and_then(Result::ok);
    let up = asked.is_some();
    metrics::gauge!("portage_database_up").set(if up { 1.0 } else { 0.0 });
    let now = s.clock.now();
    let late = |f: &QueueFigures| f.oldest_due.map_or(0, |t| (now - t).num_seconds().max(0));
    let none = || (Lane::ALL.map(|lane| (lane, QueueFigures::default())).to_vec(), QueueFigures::default());
    let (lanes, all) = asked.as_ref().map_or_else(none, |f| (f.lanes.clone(), f.all.clone()));
    let number = |n: i64| if up { float(n) } else { f64::NAN };
    metrics::gauge!("portage_jobs_due").set(number(all.due));
    metrics::gauge!("portage_jobs_waiting").set(number(all.waiting));
    metrics::gauge!("portage_jobs_dead").set(number(all.dead));
    metrics::gauge!("portage_jobs_oldest_due_seconds").set(number(late(&all)));
    for (lane, figures) in &lanes {
        let lane = lane.code();
        metrics::gauge!("portage_lane_jobs_due", "lane" => lane).set(number(figures.due));
        metrics::gauge!("portage_lane_jobs_waiting", "lane" => lane).set(number(figures.waiting));
        metrics::gauge!("portage_lane_oldest_due_seconds", "lane" => lane).set(number(late(figures)));
    }
    let bytes = asked.as_ref().map_or(0, |f| i64::try_from(f.bytes).unwrap_or(i64::MAX));
    metrics::gauge!("portage_database_bytes").set(number(bytes));
    let compared = asked.as_ref().map_or(0, |f| f.compared);
    metrics::gauge!("portage_comparison_timestamp_seconds").set(number(compared));
    metrics::gauge!("portage_clock_ahead_seconds").set(asked.map_or(f64::NAN, |f| f.ahead));
}

#[allow(clippy::cast_precision_loss, reason = "a gauge is a float; what is counted here is far below 2^52")]
fn float(n: i64) -> f64 {
    n as f64
}
