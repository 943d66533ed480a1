//! The commands, one a file, and how they end.

mod accounts;
mod adopt;
mod backup;
pub mod calendar;
mod check_config;
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
    fmt,
    io::{self, Read as _, Write as _},
    path::Path,
    process::ExitCode,
};

use crate::{
    args::{Accounts, Calendar, Command, Jobs, NoCommand, Ops, Rates},
    config::Settings,
    logging,
};

/// A command that could not do its work: what to tell the person who started it.
#[derive(Debug)]
pub struct Failure {
    text: String,
}

impl Failure {
    /// With its text.
    pub fn new(text: String) -> Failure {
        Failure { text }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(inner) = cause {
            let told = inner.to_string();
            // Many errors repeat their cause in their own text.
            if !text.contains(&told) {
                text.push_str(": ");
                text.push_str(&told);
            }
            cause = inner.source();
        }
        Failure { text }
    }
}

/// How a command ends: the code the program exits with.
type Done = Result<ExitCode, Failure>;

/// Carries a command out.
pub fn run(command: Command) -> ExitCode {
    tls();
    match carry_out(command) {
        Ok(code) => code,
        Err(failure) => {
            complain(&failure.to_string());
            ExitCode::FAILURE
        }
    }
}

fn carry_out(command: Command) -> Done {
    match command {
        Command::Quote(args) => quote::run(&args),
        Command::Openapi => openapi::run(),
        Command::CheckConfig(checks) => check_config::run(&checks),
        Command::Adopt(adoption) => adopt::run(settings()?, adoption),
        Command::Serve(serving) => serve::run(settings()?, !serving.no_worker),
        Command::Worker => work::run(settings()?),
        Command::Simulators => simulators::run(&settings()?),
        Command::Migrate => migrate::run(&settings()?),
        Command::Seed(_) => seed::run(settings()?),
        Command::Ops(Ops::Add(member)) => ops::add(settings()?, member),
        Command::Ops(Ops::Remove(person)) => ops::remove(settings()?, person.email),
        Command::Accounts(Accounts::Disable(person)) => accounts::disable(settings()?, person.email),
        Command::Accounts(Accounts::Enable(person)) => accounts::enable(settings()?, person.email),
        Command::Rates(Rates::Show(card)) => rates::show(settings()?, &card.name),
        Command::Rates(Rates::Load(new)) => rates::load(settings()?, new),
        Command::Calendar(Calendar::Show(asked)) => calendar::show(settings()?, &asked),
        Command::Calendar(Calendar::Load(new)) => calendar::load(settings()?, &new.file),
        Command::Jobs(Jobs::List) => jobs::list(settings()?),
        Command::Jobs(Jobs::Retry(job)) => jobs::retry(settings()?, job.id),
        Command::Jobs(Jobs::Drop(job)) => jobs::discard(settings()?, job.id),
        Command::Reconcile => reconcile::run(settings()?),
        Command::Backup(target) => backup::run(settings()?, target.file),
    }
}

fn settings() -> Result<Settings, Failure> {
    let settings = Settings::load()?;
    logging::start(&settings);
    for warning in settings.warnings() {
        tracing::warn!("{warning}");
    }
    Ok(settings)
}

/// Every client in this process speaks TLS through one library.
fn tls() {
    // Only a second call fails, and then the first one's choice stands.
    drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
}

fn runtime() -> io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()
}

/// A larger file was named by mistake.
const LARGEST: u64 = 1024 * 1024;

/// A file somebody wrote; `-` is standard input.
fn read_file(file: &Path) -> Result<Vec<u8>, Failure> {
    let cannot = |e: io::Error| Failure::new(format!("{} cannot be read: {e}", file.display()));
    let mut bytes = Vec::new();
    if file == Path::new("-") {
        io::stdin().take(LARGEST + 1).read_to_end(&mut bytes).map_err(cannot)?;
    } else {
        std::fs::File::open(file).map_err(cannot)?.take(LARGEST + 1).read_to_end(&mut bytes).map_err(cannot)?;
    }
    if bytes.len() as u64 > LARGEST {
        return Err(Failure::new(format!("{} is larger than a megabyte", file.display())));
    }
    Ok(bytes)
}

/// Writes to standard output; a reader that went away is no failure of ours.
pub fn print(text: &str) -> ExitCode {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
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

fn complain(text: &str) {
    // Standard error may be closed; there is nowhere else to say it.
    drop(writeln!(io::stderr(), "portage: {text}"));
}
