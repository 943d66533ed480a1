//! `portage serve`: the site, the API, the simulators of the demo, and job loops.

use std::{
    net::{SocketAddr, TcpListener},
    process::ExitCode,
    time::{Duration, Instant},
};

use service::{Error, Mode, Services, bookings::recovery, calendar};
use store::{OpenError, Presence, Role};

use super::{calendar::EMPTY as EMPTY_CALENDAR, clocks, ops, stop, work::Loops};
use crate::failure::{CommandResult, Failure};
use crate::terminal::{print, runtime};
use crate::{
    args::Serving,
    config::{Identity, LogFormat, Settings},
    demo,
    demo_accounts::{ACCOUNTS, PASSWORD},
    door::Door,
    files, installation,
    instance::{self, ServerLock},
    observed, privacy,
    wiring::{self, Program, SimulatorHost, frontend},
};

/// How long the end waits for the database.
const PUTTING_AWAY: Duration = Duration::from_secs(3);

pub fn run(mut settings: Settings, Serving { no_worker, with_history }: Serving) -> CommandResult {
    let worker = !no_worker;
    let started = Instant::now();
    let open_files = files::raise();
    privacy::make_folder(&settings.data_dir)
        .map_err(|e| Failure::new(format!("PORTAGE_DATA_DIR: {} cannot be made: {e}", settings.data_dir.display())))?;
    let lock = ServerLock::take(&settings.data_dir)?;
    if lock.is_taken() && settings.database_url.is_sqlite() {
        return Err(taken_error(&settings));
    }
    let listener = TcpListener::bind(settings.bind).map_err(|e| {
        Failure::new(format!("PORTAGE_BIND: cannot listen on {}: {e}; name another port", settings.bind))
    })?;
    let address = listener.local_addr()?;
    if settings.bind.port() == 0 && settings.public_url.origin() == "http://localhost:0" {
        settings.public_url = format!("http://localhost:{}", address.port()).parse()?;
    }
    let runtime = runtime()?;
    let ended = runtime.block_on(async {
        let asked = stop::listen()?;
        // Before anything is opened: whoever else works on this database is known from here on.
        let mut here = join(&settings, Role::Server)?;
        if with_history {
            demo::history::write(&settings).await?;
        }
        let program = Program::advance(settings, SimulatorHost::ThisProcess(address))?;
        let s = &program.services;
        installation::settle(&program.settings, s).await?;
        if s.mode == Mode::Demo && demo::is_empty(s, s.clock.now()).await? {
            demo::seed(&program).await?;
        }
        ops::first(&program.settings, s).await?;
        let empty = calendar::missing(&*s.store, s.clock.now()).await?.len() == geography::hubs().len();
        if empty {
            tracing::warn!("{EMPTY_CALENDAR}");
        }
        // Before the first request, whose work must not count as left behind.
        if here.alone() {
            take_up(s).await?;
        }
        here.settle()?;
        Loops::prepare(s, worker).await?;
        files::lengthen_queue(&listener);
        let door = Door::of(&listener)?;
        let mut config = program.server_config();
        config.max_connections = files::connections(config.max_connections, open_files);
        let running = api::serve(config, program.parts(), program.extra(), listener)?;
        observed::begin();
        let (handle, drain) = (running.server.handle(), running.drain);
        let mut server = tokio::spawn(running.server);
        lock.announce(address)?;
        let clocks = clocks::watch(s);
        let loops = Loops::start(s, if worker { program.settings.job_loops } else { 0 });
        // A server in the wrong folder is a demo that nobody asked for.
        tracing::info!("{}", program.settings.file);
        tracing::info!(%address, mode = s.mode.code(), database = s.store.engine(), worker, "ready");
        // For people; a collector of JSON lines has the line above. Warnings are in the log, once.
        if program.settings.log_format == LogFormat::Text {
            print(&welcome(&program, address, started.elapsed()));
        }
        tokio::select! {
            () = asked => {}
            ended = &mut server => {
                ended??;
                return Err(Failure::new("the server ended by itself".to_owned()));
            }
        }
        let wait = Duration::from_secs(program.settings.drain_seconds);
        tracing::info!(
            drain_seconds = wait.as_secs(),
            "stopping: not ready from now on; running requests and jobs may end first"
        );
        drain.begin();
        let patience = Duration::from_secs(program.settings.shutdown_seconds);
        tokio::select! {
            () = async {
                tokio::time::sleep(wait).await;
                // Jobs first: they may be talking to the simulators this server carries.
                loops.finish(patience).await;
                door.shut().await;
                handle.stop(true).await;
            } => {}
            () = stop::listen()? => {}
        }
        clocks.abort();
        put_away(s).await;
        Ok(ExitCode::SUCCESS)
    });
    // A thread stuck in an outside call must not keep the program alive.
    runtime.shutdown_timeout(Duration::from_secs(1));
    if ended.is_ok() {
        tracing::info!("stopped");
    }
    ended
}

/// So that the database is one file again, and a copy of that file is whole.
pub(super) async fn put_away(s: &Services) {
    match tokio::time::timeout(PUTTING_AWAY, s.store.put_away()).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::warn!(%error, "the log of the database stays beside it"),
        Err(_) => tracing::warn!("the log of the database stays beside it: somebody else uses it"),
    }
}

fn taken_error(settings: &Settings) -> Failure {
    let place = instance::announced(&settings.data_dir).map_or_else(String::new, |a| format!(" at {a}"));
    Failure::new(format!(
        "another Portage serves {}{place}; stop it, or name another PORTAGE_DATA_DIR and PORTAGE_BIND",
        settings.data_dir.display()
    ))
}

/// Says that this process lives on the database, as long as the answer is kept.
pub(super) fn join(settings: &Settings, role: Role) -> Result<Presence, Failure> {
    wiring::make_folders(settings)?;
    Presence::join(settings.database_url.as_str(), role).map_err(|e| match e {
        OpenError::Taken { .. } => Failure::new(format!("{e}, or name another PORTAGE_DATABASE_URL")),
        e => wiring::cannot_open(settings, &e),
    })
}

/// When nobody else lives on this database, whatever was being done when the last process died is
/// nobody's, and is taken up again.
async fn take_up(s: &Services) -> Result<(), Error> {
    let leases = s
        .store
        .write(|u| {
            u.money_leases().release_all()?;
            u.jobs().release_leases().map_err(Error::from)
        })
        .await?;
    let open = recovery::recover_all(s).await?;
    if leases > 0 || open > 0 {
        tracing::warn!(
            jobs = leases,
            payments = open,
            "the last process died at work; its jobs and payments are taken up again"
        );
    }
    Ok(())
}

fn welcome(program: &Program, address: SocketAddr, took: Duration) -> String {
    let s = &program.settings;
    let (home, mode) = (s.public_url.origin(), s.mode.code());
    let mut text = format!(
        "\nPortage {} is ready on {address} after {:.1} s ({mode} mode)\n\n",
        env!("CARGO_PKG_VERSION"),
        took.as_secs_f32()
    );
    text += &format!("  Book a move    {home}/\n");
    if s.mode == Mode::Demo {
        if s.mail.smtp_url.is_none() {
            text += &format!("  Its e-mails    {home}/simulators/mailbox\n");
        }
        text += &match &s.identity {
            Identity::Embedded { .. } => {
                format!("  Sign in as     {}, password {}\n", ACCOUNTS[0].email, PASSWORD)
            }
            Identity::External { issuer, .. } => format!("  Sign in at     {}\n", issuer.issuer),
        };
    }
    text += &format!("  The API        {home}/api/docs\n");
    if frontend(s).is_none() {
        text += "\n  The web app is not built: npx -y rust-just run builds and serves it.\n";
    }
    text += &format!("\n  Everything is kept in {}; Ctrl-C stops.\n\n", s.data_dir.display());
    text
}
