//! `portage jobs`: what was given up, and what becomes of it.

use std::process::ExitCode;

use kernel::JobId;
use service::{Error, ErrorCode, ServiceResult, jobs, members::Actor};

use super::{Done, Failure, print, runtime};
use crate::{
    config::Settings,
    text_table,
    wiring::{Program, Stage},
};

/// Longest list that is printed.
const MOST: i64 = 1_000;

pub fn list(settings: Settings) -> Done {
    let program = Program::build(settings, Stage::Nowhere)?;
    let runtime = runtime()?;
    let dead = runtime.block_on(jobs::dead(&program.services, MOST))?;
    if dead.is_empty() {
        return Ok(print("nothing was given up\n"));
    }
    let heading = ["job", "what", "tried", "why it was given up", "about"].map(str::to_owned);
    let rows: Vec<[String; 5]> = std::iter::once(heading)
        .chain(dead.into_iter().map(|job| {
            let about = job.payload.to_string();
            let why = job.last_error.unwrap_or_default();
            [job.id.to_string(), job.kind, job.attempts.to_string(), why, about]
        }))
        .collect();
    print(&text_table::columns(&rows, [false, false, true, false, false]));
    Ok(ExitCode::SUCCESS)
}

pub fn retry(settings: Settings, id: JobId) -> Done {
    let program = Program::build(settings, Stage::Nowhere)?;
    told(id, runtime()?.block_on(jobs::retry(&program.services, id, Actor::system())), "is tried again")
}

pub fn discard(settings: Settings, id: JobId) -> Done {
    let program = Program::build(settings, Stage::Nowhere)?;
    told(id, runtime()?.block_on(jobs::discard(&program.services, id, Actor::system())), "is off the list")
}

fn told(id: JobId, result: ServiceResult<()>, done: &str) -> Done {
    match result {
        Ok(()) => Ok(print(&format!("{id} {done}\n"))),
        Err(Error::Refused(ErrorCode::NotFound, _)) => {
            Err(Failure::new(format!("{id} was not given up; portage jobs list shows what was")))
        }
        Err(e) => Err(e.into()),
    }
}
