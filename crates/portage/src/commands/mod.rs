//! The commands, one a file, and how they end.

mod accounts;
mod adopt;
mod backup;
pub mod calendar;
mod check_config;
mod clocks;
mod connect;
mod jobs;
mod migrate;
mod openapi;
mod ops;
mod quote;
mod rates;
mod reconcile;
mod seed;
mod serve;
mod simulators;
mod stop;
mod work;

use std::{
    io::{self, Write as _},
    path::Path,
    process::ExitCode,
};

use crate::{
    account,
    args::{Accounts, Calendar, Command, CommandLine, Jobs, NoCommand, Ops, Rates},
    config::Settings,
    failure::{CommandResult, Failure},
    logging,
    terminal::{complain, print, tls},
    wiring,
};

/// Carries a command out.
pub fn run(asked: CommandLine) -> ExitCode {
    tls();
    match carry_out(asked) {
        Ok(code) => code,
        Err(failure) => {
            complain(&failure.to_string());
            ExitCode::from(failure.code)
        }
    }
}

fn carry_out(CommandLine { command, config }: CommandLine) -> CommandResult {
    let alone = || settings(config.as_deref());
    let on_database = || alone().and_then(with_database);
    let or_not_asked = |failure: Failure| failure.with(reconcile::NOT_ASKED);
    match command {
        Command::Quote(args) => quote::run(&args),
        Command::Openapi => openapi::run(),
        Command::CheckConfig(checks) => check_config::run(&checks, config.as_deref()),
        Command::Simulators => simulators::run(&alone()?),
        // These make a database where there is none, and bring an older one forward; all others need the one there is.
        Command::Serve(serving) => serve::run(alone()?, serving),
        Command::Migrate => migrate::run(&alone()?),
        Command::Seed(_) => seed::run(alone()?),
        Command::Adopt(adoption) => adopt::run(with_database(alone()?).map_err(or_not_asked)?, adoption),
        Command::Reconcile => reconcile::run(with_database(alone()?).map_err(or_not_asked)?),
        Command::Worker => work::run(on_database()?),
        Command::Ops(Ops::Add(member)) => ops::add(on_database()?, member),
        Command::Ops(Ops::Remove(person)) => ops::remove(on_database()?, person.email),
        Command::Accounts(Accounts::Disable(person)) => accounts::disable(on_database()?, person.email),
        Command::Accounts(Accounts::Enable(person)) => accounts::enable(on_database()?, person.email),
        Command::Rates(Rates::Show(card)) => rates::show(on_database()?, &card.name),
        Command::Rates(Rates::Load(new)) => rates::load(on_database()?, new),
        Command::Calendar(Calendar::Show(asked)) => calendar::show(on_database()?, &asked),
        Command::Calendar(Calendar::Load(new)) => calendar::load(on_database()?, &new.file),
        Command::Jobs(Jobs::List) => jobs::list(on_database()?),
        Command::Jobs(Jobs::Retry(job)) => jobs::retry(on_database()?, job.id),
        Command::Jobs(Jobs::Drop(job)) => jobs::discard(on_database()?, job.id),
        Command::Backup(target) => backup::run(on_database()?, target.file),
    }
}

fn settings(named: Option<&Path>) -> Result<Settings, Failure> {
    let settings = Settings::load(named)?;
    account::check(&settings).map_err(Failure::new)?;
    logging::start(&settings);
    for warning in settings.warnings() {
        tracing::warn!("{warning}");
    }
    Ok(settings)
}

/// Before anything is made beside a database that is not there.
fn with_database(s: Settings) -> Result<Settings, Failure> {
    if store::is_made(s.database_url.as_str()).map_err(|e| wiring::cannot_open(&s, &e))? {
        return Ok(s);
    }
    Err(wiring::no_database(&s))
}

/// What a command line asked to be printed, or why it was not understood.
pub fn tell(no_command: &NoCommand) -> ExitCode {
    if no_command.use_stderr() {
        // Standard error may be closed; there is nowhere else to say it.
        drop(write!(io::stderr(), "{}", no_command.render()));
        ExitCode::from(2)
    } else {
        print(&no_command.render().to_string())
    }
}
