//! `portage jobs`: what was given up or is tried again, and what becomes of it. On the terminal of whoever runs the
//! company an address is masked all the same: such a list is pasted into mails.

use std::process::ExitCode;

use kernel::{
    JobId,
    chrono::{DateTime, Utc},
};
use service::{
    Actor, Error, ErrorCode, ServiceResult,
    jobs::{self, Listed},
};

use crate::failure::{CommandResult, Failure};
use crate::terminal::{print, runtime};
use crate::{
    config::Settings,
    text_table,
    wiring::{Program, SimulatorHost},
};

/// Longest list that is printed.
const MOST: i64 = 1_000;

pub fn list(settings: Settings) -> CommandResult {
    let program = Program::build(settings, SimulatorHost::NotNeeded)?;
    let list = runtime()?.block_on(jobs::listed(&program.services, MOST))?;
    if list.is_empty() {
        return Ok(print("nothing was given up\n"));
    }
    let heading = ["job", "what", "booking", "to", "asked for", "next try", "tried", "last error"].map(str::to_owned);
    let rows: Vec<[String; 8]> = std::iter::once(heading).chain(list.into_iter().map(row)).collect();
    print(&text_table::columns(&rows, [false, false, false, false, false, false, true, false]));
    Ok(ExitCode::SUCCESS)
}

fn row(Listed { job, booking, message, made, next }: Listed) -> [String; 8] {
    let at = |at: Option<DateTime<Utc>>| at.map(|at| at.format("%Y-%m-%d %H:%M UTC").to_string());
    let (what, to) = match message {
        Some((kind, to)) => (format!("{} ({kind})", job.kind), to),
        None => (job.kind, "-".to_owned()),
    };
    // Without a booking: the order that the job names.
    let order = job.payload.get("orderId").and_then(serde_json::Value::as_str).map(str::to_owned);
    [
        job.id.to_string(),
        what,
        booking.or(order).unwrap_or_else(|| "-".to_owned()),
        to,
        at(made).unwrap_or_else(|| "-".to_owned()),
        at(next).unwrap_or_else(|| "given up".to_owned()),
        job.attempts.to_string(),
        job.last_error.unwrap_or_default(),
    ]
}

pub fn retry(settings: Settings, id: JobId) -> CommandResult {
    let program = Program::build(settings, SimulatorHost::NotNeeded)?;
    job_outcome(id, runtime()?.block_on(jobs::retry(&program.services, id, Actor::system())), "is tried again")
}

pub fn discard(settings: Settings, id: JobId) -> CommandResult {
    let program = Program::build(settings, SimulatorHost::NotNeeded)?;
    job_outcome(id, runtime()?.block_on(jobs::discard(&program.services, id, Actor::system())), "is off the list")
}

fn job_outcome(id: JobId, result: ServiceResult<()>, done: &str) -> CommandResult {
    match result {
        Ok(()) => Ok(print(&format!("{id} {done}\n"))),
        Err(Error::Refused(ErrorCode::NotFound, _)) => {
            Err(Failure::new(format!("{id} was not given up; portage jobs list shows what was")))
        }
        Err(e) => Err(e.into()),
    }
}
