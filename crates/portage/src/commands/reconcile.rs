//! `portage reconcile`: gateway against ledger, every difference.

use std::{
    io,
    net::{Ipv4Addr, TcpListener},
    pin::Pin,
    process::ExitCode,
};

use kernel::chrono::Duration;
use service::{
    Mode,
    billing::reconcile::{self, Report},
};

use crate::failure::{CommandResult, Failure};
use crate::terminal::{complain, print, runtime};
use crate::{
    config::{Payments, Settings},
    instance,
    wiring::{self, Program, SimulatorHost},
};

/// Ends the server that carried the simulator.
type Carrier = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Ends with this when the gateway or the database could not be asked: nothing is known then.
pub const NOT_ASKED: u8 = 2;

pub fn run(settings: Settings) -> CommandResult {
    let report = match runtime()?.block_on(compare(settings)) {
        Ok(report) => report,
        Err(failure) => {
            complain(&format!("nothing was compared: {failure}"));
            return Ok(ExitCode::from(NOT_ASKED));
        }
    };
    let mut text: String = report.differences.iter().map(|d| format!("difference: {d}\n")).collect();
    let compared = format!("{} gateway transactions and {} attempts compared", report.transactions, report.attempts);
    text += &match report.differences.len() {
        0 => format!("no difference ({compared})\n"),
        n => format!("{n} found ({compared})\n"),
    };
    print(&text);
    Ok(if report.differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn compare(settings: Settings) -> Result<Report, Failure> {
    not_a_companys_from_a_demo(&settings).await?;
    let (program, carrier) = match &settings.payments {
        Payments::Braintree(_) => (Program::build(settings, SimulatorHost::NotNeeded)?, None),
        Payments::Simulator(s) if s.elsewhere.is_some() => (Program::build(settings, SimulatorHost::NotNeeded)?, None),
        Payments::Simulator(_) => stage(settings)?,
    };
    let until = program.services.clock.now() + Duration::days(1);
    let report = reconcile::all(&program.services, until).await;
    if let Some(stop) = carrier {
        stop.await;
    }
    Ok(report?)
}

/// A company's transactions are not in the simulator: all of them would be differences.
async fn not_a_companys_from_a_demo(settings: &Settings) -> Result<(), Failure> {
    let Ok(Some(store)) = store::inspect(settings.database_url.as_str()) else { return Ok(()) };
    match store.read(|u| u.installation().get()).await? {
        Some(found) if found.mode == Mode::Production && settings.mode == Mode::Demo => Err(Failure::new(
            "PORTAGE_MODE is demo, and the database is a company's; say PORTAGE_MODE=production with its settings"
                .to_owned(),
        )),
        _ => Ok(()),
    }
}

/// The simulator lives in the running server; when none runs, it is carried here for a moment.
fn stage(settings: Settings) -> Result<(Program, Option<Carrier>), Failure> {
    let clock = wiring::clock(&settings)?;
    match wiring::open_simulator(&settings, &clock) {
        Err(e) if e.kind() == io::ErrorKind::WouldBlock => {
            let server = instance::announced(&settings.data_dir).unwrap_or(settings.bind);
            Ok((Program::build(settings, SimulatorHost::OtherProcess(server))?, None))
        }
        Err(e) => Err(e.into()),
        Ok(free) => {
            drop(free);
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
            let program = Program::build(settings, SimulatorHost::ThisProcess(listener.local_addr()?))?;
            let running = api::serve(program.server_config(), program.parts(), program.extra(), listener)?;
            let handle = running.server.handle();
            tokio::spawn(running.server);
            let stop: Carrier = Box::pin(async move { handle.stop(false).await });
            Ok((program, Some(stop)))
        }
    }
}
