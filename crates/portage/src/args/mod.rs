//! The command line: what people type, as values. Nothing is decided here.

mod quote;

use std::{ffi::OsString, path::PathBuf};

use clap::{Args, Parser, Subcommand};
use geography::Hub;
use kernel::{
    Email, JobId,
    chrono::{DateTime, NaiveDate, Utc},
};
use service::ports::{members::MemberRole, rates::STANDARD};

pub use quote::QuoteArgs;

/// Portage books movers at a fixed price.
#[derive(Debug, Parser)]
#[command(
    name = "portage",
    version,
    after_help = "portage COMMAND --help tells what a command takes. Settings are environment variables\n\
                  (PORTAGE_MODE, PORTAGE_BIND, …) or lines of portage.toml; docs/operating.md lists them all."
)]
struct Line {
    /// The settings file, instead of portage.toml here or in /etc/portage
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

/// A command line.
#[derive(Debug, Clone, PartialEq)]
pub struct CommandLine {
    /// What to do.
    pub command: Command,
    /// The settings file that is named.
    pub config: Option<PathBuf>,
}

/// What to do.
#[derive(Debug, Clone, PartialEq, Subcommand)]
pub enum Command {
    /// The web site, the API and a worker
    Serve(Serving),
    /// One more worker
    Worker,
    /// The simulated card gateway of demo mode alone, for tests
    Simulators,
    /// Bring the database to this version
    Migrate,
    /// Demo accounts (with a public password), prices, crews and codes
    Seed(Seeding),
    /// Price a move from a JSON file, without a database
    Quote(QuoteArgs),
    /// Print the OpenAPI document
    Openapi,
    /// Staff, and mates whom bookings can be assigned to
    #[command(subcommand)]
    Ops(Ops),
    /// Lock accounts out and let them in again
    #[command(subcommand)]
    Accounts(Accounts),
    /// The rate card
    #[command(subcommand)]
    Rates(Rates),
    /// Crews and trucks of each hub
    #[command(subcommand)]
    Calendar(Calendar),
    /// Jobs that failed for good and need a decision
    #[command(subcommand)]
    Jobs(Jobs),
    /// Compare gateway and ledger, print every difference
    Reconcile,
    /// A consistent copy of the SQLite database while it runs
    Backup(BackupTarget),
    /// Say that a restored copy is the database to work on from now on
    Adopt(Adoption),
    /// Say what is configured, and what is wrong with it
    CheckConfig(Checks),
}

/// Arguments of `serve`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
pub struct Serving {
    /// Leave all jobs (mails, charges) to `portage worker`
    #[arg(long)]
    pub no_worker: bool,
    /// Demo mode, first start: customers and six weeks of moves in every status, for the dashboard
    #[arg(long)]
    pub with_history: bool,
}

/// Arguments of `seed`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
pub struct Seeding {
    /// Confirm: makes accounts whose password is published
    #[arg(long, required = true)]
    pub demo: bool,
}

/// The verbs of `ops`.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Ops {
    /// Add a member of the operations team, or a mate
    Add(NewMember),
    /// Take a role away and end the person's sessions
    Remove(Person),
}

/// The verbs of `accounts`.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Accounts {
    /// Lock an account out, at once and on all devices
    Disable(Person),
    /// Let it in again
    Enable(Person),
}

/// The verbs of `rates`.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Rates {
    /// The rate card in force, as JSON, and the list of its versions
    Show(Card),
    /// Put a new version in force, while servers run
    Load(NewRates),
}

/// The verbs of `calendar`.
#[derive(Debug, Clone, PartialEq, Subcommand)]
pub enum Calendar {
    /// Crews and trucks, as a file to load, or day by day
    Show(CalendarQuestion),
    /// Give the hubs in the file this calendar, while servers run
    Load(NewCalendar),
}

/// The verbs of `jobs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Subcommand)]
pub enum Jobs {
    /// What was given up, what is tried again, and why
    List,
    /// Have it done again
    Retry(GivenUp),
    /// Take it off the list for good
    Drop(GivenUp),
}

/// Somebody.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct Person {
    /// Address they sign in with
    #[arg(long)]
    pub email: Email,
}

/// Arguments of `ops add`.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct NewMember {
    /// Address they sign in with
    #[arg(long)]
    pub email: Email,
    /// Given name
    #[arg(long, value_parser = name)]
    pub first_name: String,
    /// Family name
    #[arg(long, value_parser = name)]
    pub last_name: String,
    /// May also restore and configure
    #[arg(long, conflicts_with = "mate")]
    admin: bool,
    /// A mate, whom bookings can be assigned to
    #[arg(long)]
    mate: bool,
}

impl NewMember {
    /// Staff, staff who may also restore and configure, or a mate.
    pub fn role(&self) -> MemberRole {
        match (self.admin, self.mate) {
            (true, _) => MemberRole::Admin,
            (_, true) => MemberRole::Mate,
            _ => MemberRole::Ops,
        }
    }
}

/// Arguments of `rates show`.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct Card {
    /// Which card
    #[arg(long, default_value = STANDARD, value_parser = name)]
    pub name: String,
}

/// Arguments of `rates load`.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct NewRates {
    /// The file; - is standard input
    pub file: PathBuf,
    /// Which card
    #[arg(long, default_value = STANDARD, value_parser = name)]
    pub name: String,
    /// In force from this instant, such as 2027-03-01T00:00:00-05:00; now when left out
    #[arg(long, value_name = "RFC3339", value_parser = instant)]
    pub from: Option<DateTime<Utc>>,
}

/// Arguments of `calendar show`.
#[derive(Debug, Clone, Default, PartialEq, Args)]
pub struct CalendarQuestion {
    /// One hub; all when left out
    #[arg(long, value_parser = known_hub)]
    pub hub: Option<&'static Hub>,
    /// Day by day, from this day
    #[arg(long, value_name = "YYYY-MM-DD", requires = "to", value_parser = day)]
    from: Option<NaiveDate>,
    /// To this day
    #[arg(long, value_name = "YYYY-MM-DD", requires = "from", value_parser = day)]
    to: Option<NaiveDate>,
}

/// Longest list of days `calendar show` prints.
const MOST_DAYS: i64 = 800;

impl CalendarQuestion {
    /// Day by day, from the first to the last of these.
    pub fn days(&self) -> Option<(NaiveDate, NaiveDate)> {
        self.from.zip(self.to)
    }

    fn check(&self) -> Result<(), String> {
        match self.days() {
            Some((from, to)) if from > to || (to - from).num_days() >= MOST_DAYS => {
                Err(format!("--to is a day after --from, {MOST_DAYS} days later at most"))
            }
            _ => Ok(()),
        }
    }
}

/// Arguments of `calendar load`.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct NewCalendar {
    /// The file; - is standard input
    pub file: PathBuf,
}

/// A job of `jobs list`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Args)]
pub struct GivenUp {
    /// As portage jobs list shows it
    #[arg(value_parser = job)]
    pub id: JobId,
}

/// Arguments of `backup`.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct BackupTarget {
    /// The file to write
    pub file: PathBuf,
}

/// Arguments of `adopt`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Args)]
pub struct Adoption {
    /// Mails that became due meanwhile go out; otherwise they are taken off the list
    #[arg(long)]
    pub send_overdue_mail: bool,
    /// Adopt it although the gateway has transactions that this copy lacks
    #[arg(long)]
    pub despite_differences: bool,
}

/// Arguments of `check-config`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct Checks {
    /// Call what the settings name: database, relay, maps, gateway and sign-in
    #[arg(long)]
    pub connect: bool,
    /// Send a mail to this address (with all that --connect does)
    #[arg(long, value_name = "ADDRESS")]
    pub test_mail: Option<Email>,
}

/// What stands in the way of a command line, or what it asks to be printed (`--help`, `--version`).
pub type NoCommand = clap::Error;

/// Reads a command line, the program's own name first.
///
/// # Errors
/// See [`NoCommand`].
pub fn parse(line: impl IntoIterator<Item = OsString>) -> Result<CommandLine, NoCommand> {
    let mut words: Vec<OsString> = line.into_iter().collect();
    // The name alone asks what there is.
    if words.len() == 1 {
        words.push("--help".into());
    }
    let Line { config, command } = Line::try_parse_from(words)?;
    if let Command::Calendar(Calendar::Show(asked)) = &command {
        asked.check().map_err(|why| clap::Error::raw(clap::error::ErrorKind::ValueValidation, why + "\n"))?;
    }
    Ok(CommandLine { command, config })
}

fn known_hub(id: &str) -> Result<&'static Hub, String> {
    let all = || geography::hubs().iter().map(|h| h.id).collect::<Vec<_>>().join(", ");
    geography::hub(id).ok_or_else(|| format!("there is no such hub; they are {}", all()))
}

fn day(text: &str) -> Result<NaiveDate, String> {
    text.parse().map_err(|_| "this is no day such as 2027-07-01".to_owned())
}

fn instant(text: &str) -> Result<DateTime<Utc>, String> {
    let at = DateTime::parse_from_rfc3339(text)
        .map_err(|_| "this is no instant such as 2027-03-01T00:00:00-05:00".to_owned())?;
    Ok(at.to_utc())
}

fn job(text: &str) -> Result<JobId, String> {
    text.parse().map_err(|_| "this is no job; portage jobs list shows them".to_owned())
}

fn name(text: &str) -> Result<String, String> {
    let trimmed = text.trim();
    if trimmed.is_empty() || trimmed.chars().count() > 80 || trimmed.chars().any(char::is_control) {
        return Err("a name has 1 to 80 characters".to_owned());
    }
    Ok(trimmed.to_owned())
}

#[cfg(test)]
mod tests;
