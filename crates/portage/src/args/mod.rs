//! The command line: one enum variant a command, nothing decided here.

mod quote;

use std::{ffi::OsString, path::PathBuf};

use geography::Hub;
use kernel::{
    Email, JobId,
    chrono::{DateTime, NaiveDate, Utc},
};
use lexopt::prelude::{Long, Short, Value, ValueExt as _};
use service::ports::{members::MemberRole, rates::STANDARD};

pub use quote::QuoteArgs;

/// What `--help` prints.
pub const USAGE: &str = "\
Portage books movers at a fixed price.

  portage serve [--no-worker]     the web site, the API and a worker
  portage worker                  one more worker
  portage simulators              the simulated card gateway of demo mode alone, for tests
  portage migrate                 bring the database to this version
  portage seed --demo             demo accounts, prices, crews and codes
  portage quote FILE|-            price a move from a JSON file, without a database
          [--lang en|fr|zh] [--date YYYY-MM-DD] [--discount CODE=10%[,50.00] | CODE=25.00] [--json]
  portage openapi                 print the OpenAPI document
  portage ops add --email E --first-name F --last-name L [--admin | --mate]
                                  staff, or a mate whom bookings can be assigned to
  portage ops remove --email E    take a role away and end the person's sessions
  portage accounts disable --email E  lock an account out, at once and on all devices
  portage accounts enable --email E  let it in again
  portage rates show [--name NAME]
                                  the rate card in force, as JSON, and the list of its versions
  portage rates load FILE|-       put a new version in force, while servers run
          [--name NAME] [--from RFC3339]
  portage calendar show [--hub HUB] [--from YYYY-MM-DD --to YYYY-MM-DD]
                                  crews and trucks of each hub, as a file to load, or day by day
  portage calendar load FILE|-    give the hubs in the file this calendar, while servers run
  portage jobs list               what was given up, and why
  portage jobs retry ID           have it done again
  portage jobs drop ID            take it off the list for good
  portage reconcile               compare gateway and ledger, print every difference
  portage backup FILE             a consistent copy of the SQLite database while it runs
  portage adopt                   say that a restored copy is the database to work on from now on
          [--send-overdue-mail] [--despite-differences]
  portage check-config            say what is configured, and what is wrong with it
          [--connect] [--test-mail ADDRESS]
                                  and try database, relay, maps, gateway and sign-in

Settings are environment variables (PORTAGE_MODE, PORTAGE_BIND, …) or lines of portage.toml;
docs/operating.md lists them all.
";

/// What to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// The web site, with a worker unless told otherwise.
    Serve {
        /// Run jobs in this process too.
        worker: bool,
    },
    /// Jobs only.
    Worker,
    /// The simulated card gateway alone.
    Simulators,
    /// Bring the database to this version.
    Migrate,
    /// Demo data.
    Seed,
    /// Price a move.
    Quote(QuoteArgs),
    /// Print the OpenAPI document.
    Openapi,
    /// Add a member of the operations team, or a mate.
    OpsAdd(NewMember),
    /// Take somebody's role away.
    OpsRemove(Email),
    /// Lock an account out.
    AccountsDisable(Email),
    /// Let it in again.
    AccountsEnable(Email),
    /// Print the rate card in force.
    RatesShow {
        /// Which one.
        name: String,
    },
    /// Put a rate card in force.
    RatesLoad(NewRates),
    /// Print calendars.
    CalendarShow(CalendarQuestion),
    /// Put calendars in force; `-` is standard input.
    CalendarLoad(PathBuf),
    /// Print what was given up.
    JobsList,
    /// Have it done again.
    JobsRetry(JobId),
    /// Take it off the list.
    JobsDrop(JobId),
    /// Compare gateway and ledger.
    Reconcile,
    /// Copy the database.
    Backup(PathBuf),
    /// Say that a copy is the database to work on.
    Adopt(Adoption),
    /// Say what is configured.
    CheckConfig(Checks),
}

/// Arguments of `ops add`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMember {
    /// Address they sign in with.
    pub email: Email,
    /// Given name.
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// Staff, staff who may also restore and configure, or a mate.
    pub role: MemberRole,
}

/// Arguments of `rates load`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRates {
    /// The file; `-` is standard input.
    pub file: PathBuf,
    /// Name of the card.
    pub name: String,
    /// In force from; now when left out.
    pub from: Option<DateTime<Utc>>,
}

/// Arguments of `calendar show`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CalendarQuestion {
    /// One hub; all when left out.
    pub hub: Option<&'static Hub>,
    /// Day by day, from the first to the last of these.
    pub days: Option<(NaiveDate, NaiveDate)>,
}

/// Arguments of `adopt`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Adoption {
    /// Mails that became due meanwhile go out; otherwise they are taken off the list.
    pub send_overdue_mail: bool,
    /// Also when the gateway has done what this copy does not know.
    pub despite_differences: bool,
}

/// Arguments of `check-config`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Checks {
    /// Call what the settings name.
    pub connect: bool,
    /// Send a mail to this address.
    pub test_mail: Option<Email>,
}

/// A command line that was understood.
#[derive(Debug, Clone, PartialEq)]
pub enum Parsed {
    /// Do this.
    Run(Command),
    /// Only print this.
    Print(String),
}

/// Why a command line was not understood.
pub type Wrong = lexopt::Error;

/// Reads a command line, the program's own name first.
///
/// # Errors
/// What is wrong with it, for the person who typed it.
pub fn parse(line: impl IntoIterator<Item = OsString>) -> Result<Parsed, Wrong> {
    let mut parser = lexopt::Parser::from_iter(line);
    let word = match parser.next()? {
        None | Some(Long("help") | Short('h')) => return Ok(Parsed::Print(USAGE.to_owned())),
        Some(Long("version") | Short('V')) => {
            return Ok(Parsed::Print(format!("portage {}\n", env!("CARGO_PKG_VERSION"))));
        }
        Some(Value(word)) => word.string()?,
        Some(other) => return Err(other.unexpected()),
    };
    let command = match word.as_str() {
        "help" => return Ok(Parsed::Print(USAGE.to_owned())),
        "serve" => serve(&mut parser)?,
        "worker" => Command::Worker,
        "simulators" => Command::Simulators,
        "migrate" => Command::Migrate,
        "seed" => seed(&mut parser)?,
        "quote" => quote::quote(&mut parser)?,
        "openapi" => Command::Openapi,
        "ops" => ops(&mut parser)?,
        "accounts" => accounts(&mut parser)?,
        "rates" => rates(&mut parser)?,
        "calendar" => calendar(&mut parser)?,
        "jobs" => jobs(&mut parser)?,
        "reconcile" => Command::Reconcile,
        "backup" => Command::Backup(parser.value().map_err(|_| "backup needs the file to write")?.into()),
        "adopt" => adopt(&mut parser)?,
        "check-config" => check_config(&mut parser)?,
        other => return Err(format!("there is no command {other:?}; portage --help lists them").into()),
    };
    match parser.next()? {
        None => Ok(Parsed::Run(command)),
        Some(extra) => Err(extra.unexpected()),
    }
}

fn serve(parser: &mut lexopt::Parser) -> Result<Command, Wrong> {
    let mut worker = true;
    while let Some(arg) = parser.next()? {
        match arg {
            Long("no-worker") => worker = false,
            other => return Err(other.unexpected()),
        }
    }
    Ok(Command::Serve { worker })
}

fn adopt(parser: &mut lexopt::Parser) -> Result<Command, Wrong> {
    let mut adoption = Adoption::default();
    while let Some(arg) = parser.next()? {
        match arg {
            Long("send-overdue-mail") => adoption.send_overdue_mail = true,
            Long("despite-differences") => adoption.despite_differences = true,
            other => return Err(other.unexpected()),
        }
    }
    Ok(Command::Adopt(adoption))
}

fn check_config(parser: &mut lexopt::Parser) -> Result<Command, Wrong> {
    let mut checks = Checks::default();
    while let Some(arg) = parser.next()? {
        match arg {
            Long("connect") => checks.connect = true,
            Long("test-mail") => checks.test_mail = Some(parser.value()?.parse::<Email>()?),
            other => return Err(other.unexpected()),
        }
    }
    Ok(Command::CheckConfig(checks))
}

fn seed(parser: &mut lexopt::Parser) -> Result<Command, Wrong> {
    match parser.next()? {
        Some(Long("demo")) => Ok(Command::Seed),
        Some(other) => Err(other.unexpected()),
        None => Err("say portage seed --demo: it writes demo accounts with a public password".into()),
    }
}

fn ops(parser: &mut lexopt::Parser) -> Result<Command, Wrong> {
    match parser.next()? {
        Some(Value(word)) if word == "add" => {}
        Some(Value(word)) if word == "remove" => return Ok(Command::OpsRemove(email(parser)?)),
        _ => {
            let form = "say portage ops add --email E --first-name F --last-name L [--admin | --mate], or ops remove";
            return Err(form.into());
        }
    }
    let (mut email, mut first, mut last, mut role) = (None, None, None, MemberRole::Ops);
    while let Some(arg) = parser.next()? {
        match arg {
            Long("email") => email = Some(parser.value()?.parse::<Email>()?),
            Long("first-name") => first = Some(name(parser.value()?.string()?)?),
            Long("last-name") => last = Some(name(parser.value()?.string()?)?),
            Long("admin") if role == MemberRole::Ops => role = MemberRole::Admin,
            Long("mate") if role == MemberRole::Ops => role = MemberRole::Mate,
            other => return Err(other.unexpected()),
        }
    }
    match (email, first, last) {
        (Some(email), Some(first_name), Some(last_name)) => {
            Ok(Command::OpsAdd(NewMember { email, first_name, last_name, role }))
        }
        _ => Err("ops add needs --email, --first-name and --last-name".into()),
    }
}

fn accounts(parser: &mut lexopt::Parser) -> Result<Command, Wrong> {
    match parser.next()? {
        Some(Value(word)) if word == "disable" => Ok(Command::AccountsDisable(email(parser)?)),
        Some(Value(word)) if word == "enable" => Ok(Command::AccountsEnable(email(parser)?)),
        _ => Err("say portage accounts disable --email E, or accounts enable --email E".into()),
    }
}

/// The one option of a command about somebody.
fn email(parser: &mut lexopt::Parser) -> Result<Email, Wrong> {
    match parser.next()? {
        Some(Long("email")) => Ok(parser.value()?.parse::<Email>()?),
        Some(other) => Err(other.unexpected()),
        None => Err("name somebody with --email E".into()),
    }
}

fn jobs(parser: &mut lexopt::Parser) -> Result<Command, Wrong> {
    const FORM: &str = "say portage jobs list, portage jobs retry ID, or portage jobs drop ID";
    let Some(Value(word)) = parser.next()? else { return Err(FORM.into()) };
    if word == "list" {
        return Ok(Command::JobsList);
    }
    let id = match parser.next()? {
        Some(Value(id)) => id.string()?,
        _ => return Err(FORM.into()),
    };
    let id: JobId = id.parse().map_err(|_| format!("{id:?} is no job; portage jobs list shows them"))?;
    match word.to_str() {
        Some("retry") => Ok(Command::JobsRetry(id)),
        Some("drop") => Ok(Command::JobsDrop(id)),
        _ => Err(FORM.into()),
    }
}

fn rates(parser: &mut lexopt::Parser) -> Result<Command, Wrong> {
    let verb = match parser.next()? {
        Some(Value(word)) => word.string()?,
        _ => String::new(),
    };
    let (mut card, mut from, mut file) = (STANDARD.to_owned(), None, None);
    while let Some(arg) = parser.next()? {
        match arg {
            Long("name") => card = name(parser.value()?.string()?)?,
            Long("from") if verb == "load" => from = Some(instant(&parser.value()?.string()?)?),
            Value(path) if verb == "load" && file.is_none() => file = Some(PathBuf::from(path)),
            other => return Err(other.unexpected()),
        }
    }
    match (verb.as_str(), file) {
        ("show", _) => Ok(Command::RatesShow { name: card }),
        ("load", Some(file)) => Ok(Command::RatesLoad(NewRates { file, name: card, from })),
        ("load", None) => Err("rates load needs a file, or - for standard input".into()),
        _ => Err("say portage rates show, or portage rates load FILE".into()),
    }
}

/// Longest list of days `calendar show` prints.
const MOST_DAYS: i64 = 800;

fn calendar(parser: &mut lexopt::Parser) -> Result<Command, Wrong> {
    let verb = match parser.next()? {
        Some(Value(word)) => word.string()?,
        _ => String::new(),
    };
    let (mut hub, mut from, mut to, mut file) = (None, None, None, None);
    while let Some(arg) = parser.next()? {
        match arg {
            Long("hub") if verb == "show" => hub = Some(known_hub(&parser.value()?.string()?)?),
            Long("from") if verb == "show" => from = Some(day(&parser.value()?.string()?)?),
            Long("to") if verb == "show" => to = Some(day(&parser.value()?.string()?)?),
            Value(path) if verb == "load" && file.is_none() => file = Some(PathBuf::from(path)),
            other => return Err(other.unexpected()),
        }
    }
    let days = match (from, to) {
        (None, None) => None,
        (Some(from), Some(to)) if from <= to && (to - from).num_days() < MOST_DAYS => Some((from, to)),
        (Some(_), Some(_)) => return Err(format!("--to is a day after --from, {MOST_DAYS} days later at most").into()),
        _ => return Err("--from and --to are named together".into()),
    };
    match (verb.as_str(), file) {
        ("show", _) => Ok(Command::CalendarShow(CalendarQuestion { hub, days })),
        ("load", Some(file)) => Ok(Command::CalendarLoad(file)),
        ("load", None) => Err("calendar load needs a file, or - for standard input".into()),
        _ => Err("say portage calendar show, or portage calendar load FILE".into()),
    }
}

fn known_hub(id: &str) -> Result<&'static Hub, Wrong> {
    let all = || geography::hubs().iter().map(|h| h.id).collect::<Vec<_>>().join(", ");
    geography::hub(id).ok_or_else(|| format!("there is no hub {id:?}; they are {}", all()).into())
}

fn day(text: &str) -> Result<NaiveDate, Wrong> {
    text.parse().map_err(|_| format!("{text:?} is no day such as 2027-07-01").into())
}

fn instant(text: &str) -> Result<DateTime<Utc>, Wrong> {
    let at =
        DateTime::parse_from_rfc3339(text).map_err(|_| "--from is an instant such as 2027-03-01T00:00:00-05:00")?;
    Ok(at.to_utc())
}

fn name(text: String) -> Result<String, Wrong> {
    let trimmed = text.trim();
    if trimmed.is_empty() || trimmed.chars().count() > 80 || trimmed.chars().any(char::is_control) {
        return Err("a name has 1 to 80 characters".into());
    }
    Ok(trimmed.to_owned())
}

#[cfg(test)]
mod tests;
