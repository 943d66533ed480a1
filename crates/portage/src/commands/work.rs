//! `portage worker`, and the job loops inside `portage serve`.

use std::{process::ExitCode, time::Duration};

use service::{Services, jobs};
use store::Role;
use tokio::{sync::watch, task::JoinSet};

use super::{Done, print, runtime, stop};
use crate::{
    config::Settings,
    demo, instance,
    wiring::{Program, Stage},
};

/// Running job loops.
pub struct Loops {
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

impl Loops {
    /// Starts `count` loops.
    pub fn start(services: &Services, count: usize) -> Loops {
        let (stop, stopped) = watch::channel(false);
        let mut tasks = JoinSet::new();
        let process = services.entropy.uuid(services.wall.now());
        for i in 0..count {
            let mut stopped = stopped.clone();
            let until = async move {
                // An error means that the sender is gone: stop as well.
                drop(stopped.wait_for(|s| *s).await);
            };
            tasks.spawn(jobs::work(services.clone(), format!("{process}/{i}"), until));
        }
        Loops { stop, tasks }
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

/// `portage worker`.
pub fn run(settings: Settings) -> Done {
    let server = instance::announced(&settings.data_dir).unwrap_or(settings.bind);
    // What the dead left is looked after by a server, or taken up when its lease ends.
    let mut here = super::serve::join(&settings, Role::Worker)?;
    let program = Program::build(settings, Stage::There(server))?;
    here.settle()?;
    runtime()?.block_on(async {
        demo::refuse_in_production(&program.services).await?;
        jobs::schedule_housekeeping(&program.services).await?;
        let loops = Loops::start(&program.services, program.settings.job_loops);
        print("Portage works on its jobs; Ctrl-C stops it\n");
        stop::asked().await?;
        loops.finish(Duration::from_secs(program.settings.shutdown_seconds)).await;
        Ok(ExitCode::SUCCESS)
    })
}
