//! `portage worker`, and the job loops inside `portage serve`.

use std::{process::ExitCode, time::Duration};

use service::{
    ServiceResult, Services, dispatch,
    jobs::{self, Lane},
};
use store::Role;
use tokio::{sync::watch, task::JoinSet};

use super::{clocks, stop};
use crate::failure::CommandResult;
use crate::terminal::{print, runtime};
use crate::{
    config::Settings,
    installation, instance,
    wiring::{Program, SimulatorHost},
};

/// Running job loops.
pub struct Loops {
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

/// Before a loop that ended is started again.
const PAUSE: Duration = Duration::from_secs(1);

impl Loops {
    /// Plans the jobs that are always there, and lets mail that waited be tried at once where `works`. A server does this
    /// before it answers: a database that goes away afterwards must not end the program.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn prepare(services: &Services, works: bool) -> ServiceResult<()> {
        jobs::schedule_housekeeping(services).await?;
        dispatch::alarms::schedule(services).await?;
        if works { jobs::try_mail_again(services).await } else { Ok(()) }
    }

    /// Starts `count` loops for each lane whose jobs wait for others, twice as many for mail, and one for the quick one;
    /// none when `count` is 0.
    pub fn start(services: &Services, count: usize) -> Loops {
        let (stop, stopped) = watch::channel(false);
        let mut loops = Loops { stop, tasks: JoinSet::new() };
        if count == 0 {
            return loops;
        }
        let process = services.entropy.uuid(services.wall.now());
        for lane in Lane::ALL {
            let count = match lane {
                Lane::Quick => 1,
                // A relay may take minutes before it answers; a letter that waits so long must not hold all others up.
                Lane::Mail => 2 * count,
                Lane::Money | Lane::Comparison | Lane::Texts => count,
            };
            for i in 0..count {
                let (s, stopped) = (services.clone(), stopped.clone());
                let name = format!("{process}/{}/{i}", lane.code());
                let work = move || {
                    let mut stopped = stopped.clone();
                    let until = async move {
                        // An error means that the sender is gone: stop as well.
                        drop(stopped.wait_for(|s| *s).await);
                    };
                    jobs::work_lane(s.clone(), name.clone(), lane, until)
                };
                loops.tasks.spawn(supervise(lane, loops.stop.subscribe(), work));
            }
        }
        loops
    }

    /// Lets running jobs end, for at most `patience`; what does not is taken up again later.
    pub async fn finish(mut self, patience: Duration) {
        self.stop.send_replace(true);
        let all = async { while self.tasks.join_next().await.is_some() {} };
        if tokio::time::timeout(patience, all).await.is_err() {
            tracing::warn!("a job did not end in time; its lease runs out and it is done again");
        }
    }
}

/// A loop lives until it is told to stop: one that ends before, however it does, is started again.
async fn supervise<F>(lane: Lane, stopped: watch::Receiver<bool>, work: impl Fn() -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    loop {
        let ended = tokio::spawn(work()).await;
        // Without a sender nobody needs the loop any more.
        if *stopped.borrow() || stopped.has_changed().is_err() {
            return;
        }
        metrics::counter!("portage_job_loops_restarted_total", "lane" => lane.code()).increment(1);
        let reason = ended.err().map_or_else(|| "it returned".to_owned(), |e| e.to_string());
        tracing::error!(lane = lane.code(), reason, "a job loop ended and is started again");
        tokio::time::sleep(PAUSE).await;
    }
}

/// `portage worker`.
pub fn run(settings: Settings) -> CommandResult {
    let server = instance::announced(&settings.data_dir).unwrap_or(settings.bind);
    // What the dead left is looked after by a server, or taken up when its lease ends.
    let mut here = super::serve::join(&settings, Role::Worker)?;
    let program = Program::build(settings, SimulatorHost::OtherProcess(server))?;
    here.settle()?;
    runtime()?.block_on(async {
        let asked = stop::listen()?;
        installation::settle(&program.settings, &program.services).await?;
        super::ops::first(&program.settings, &program.services).await?;
        let clocks = clocks::watch(&program.services);
        Loops::prepare(&program.services, true).await?;
        let loops = Loops::start(&program.services, program.settings.job_loops);
        print("Portage works on its jobs; Ctrl-C stops it\n");
        asked.await;
        loops.finish(Duration::from_secs(program.settings.shutdown_seconds)).await;
        clocks.abort();
        super::serve::put_away(&program.services).await;
        tracing::info!("stopped");
        Ok(ExitCode::SUCCESS)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use kernel::{
        HoldId,
        chrono::{DateTime, Utc},
    };
    use service::{Error, ports::Clock};

    use super::*;
    use crate::clock::SystemClock;
    use service::work::Work;

    /// Panics as often as it is told to.
    #[derive(Default)]
    struct Unsteady(AtomicUsize);

    impl Clock for Unsteady {
        fn now(&self) -> DateTime<Utc> {
            let left = self.0.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1));
            assert!(left.is_err(), "the clock cannot be read");
            SystemClock.now()
        }
    }

    #[test]
    fn the_loops_of_the_program_go_on_after_a_panic() {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings::from_pairs(&[("PORTAGE_DATA_DIR", folder.path().to_str().unwrap())]).unwrap();
        let program = Program::advance(settings, SimulatorHost::NotNeeded).unwrap();
        runtime().unwrap().block_on(async {
            let mut s = program.services.clone();
            let clock = Arc::new(Unsteady::default());
            s.clock = clock.clone();
            Loops::prepare(&s, true).await.unwrap();
            let loops = Loops::start(&s, 1);
            // More panics than there are loops: each ends at least once.
            clock.0.store(2 * Lane::ALL.len(), Ordering::SeqCst);
            let now = SystemClock.now();
            let hold = Work::ExpireHold { hold_id: HoldId(s.entropy.uuid(now)) }.at(&s, now);
            s.store.write(move |u| u.jobs().enqueue(&hold).map_err(Error::from)).await.unwrap();
            let due = || async {
                let now = SystemClock.now();
                s.store.read(move |u| u.jobs().figures(now).map_err(Error::from)).await.unwrap().due
            };
            for _ in 0..200 {
                if due().await == 0 {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            assert_eq!(due().await, 0);
            loops.finish(Duration::from_secs(5)).await;
        });
    }

    #[tokio::test]
    async fn a_loop_that_ends_is_started_again_until_it_is_told_to_stop() {
        let (stop, stopped) = watch::channel(false);
        let begun = Arc::new(AtomicUsize::new(0));
        let (count, told) = (begun.clone(), stopped.clone());
        let work = move || {
            let (n, mut told) = (count.fetch_add(1, Ordering::SeqCst), told.clone());
            async move {
                match n {
                    0 => panic!("the first one"),
                    1 => {}
                    _ => drop(told.wait_for(|s| *s).await),
                }
            }
        };
        let supervised = tokio::spawn(supervise(Lane::Mail, stopped, work));
        for _ in 0..200 {
            if begun.load(Ordering::SeqCst) == 3 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        stop.send_replace(true);
        supervised.await.unwrap();
        assert_eq!(begun.load(Ordering::SeqCst), 3);
    }
}
