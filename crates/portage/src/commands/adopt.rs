//! `portage adopt`: a restored copy becomes the database to work on.

use std::process::ExitCode;

use kernel::chrono::Duration;
use service::{
    Actor, Mode,
    billing::reconcile,
    jobs::{self, Lane},
};

use super::reconcile::NOT_ASKED;
use crate::failure::{CommandResult, Failure};
use crate::terminal::{complain, print, runtime};
use crate::{
    args::Adoption,
    config::Settings,
    installation::{self, Ownership},
    wiring::{Program, SimulatorHost},
};

pub fn run(settings: Settings, adoption: Adoption) -> CommandResult {
    if settings.mode == Mode::Demo {
        return Err(Failure::new("a demo needs no adoption; say PORTAGE_MODE=production".to_owned()));
    }
    // Of a database that cannot be opened nothing is known.
    let program = Program::build(settings, SimulatorHost::NotNeeded).map_err(|e| e.with(NOT_ASKED))?;
    runtime()?.block_on(adopt(&program, adoption))
}

async fn adopt(program: &Program, adoption: Adoption) -> CommandResult {
    let s = &program.services;
    let here = installation::here(&program.settings, s.wall.now(), || s.entropy.uuid(s.wall.now()).to_string())?;
    let found = s.store.read(|u| u.installation().get()).await?;
    match installation::ownership_of(found, &here) {
        Ownership::Ours => return Ok(print("this database is the one already; nothing to do\n")),
        Ownership::Other(found) if found.mode == Mode::Demo => {
            return Err(Failure::new(installation::refusal(&program.settings.database_url.to_string(), &found, &here)));
        }
        Ownership::New | Ownership::Other(_) => {}
    }
    // What the gateway did after the copy was made would be done again.
    let until = s.clock.now() + Duration::days(1);
    let report = match reconcile::all(s, until).await {
        Ok(report) => report,
        Err(e) => {
            complain(&format!("the gateway could not be asked what it has done since: {}", Failure::from(e)));
            return Ok(ExitCode::from(NOT_ASKED));
        }
    };
    for difference in &report.differences {
        print(&format!("difference: {difference}\n"));
    }
    if !report.differences.is_empty() && !adoption.despite_differences {
        complain(
            "not adopted: the gateway has done what this copy does not know, and working on it could charge somebody \
             twice. Take a newer copy if there is one; otherwise settle each difference by hand in the gateway's control \
             panel, or say --despite-differences",
        );
        return Ok(ExitCode::FAILURE);
    }
    let url = here.public_url.clone();
    let skipped = s
        .write(Actor::system(), move |tx| {
            tx.unit.installation().put(&here)?;
            let skipped = if adoption.send_overdue_mail {
                0
            } else {
                jobs::take_off_due(tx, Lane::Mail)? + jobs::take_off_due(tx, Lane::Texts)?
            };
            let after = serde_json::json!({ "publicUrl": here.public_url, "mailsTakenOff": skipped });
            tx.audit("installation.adopt", 1, None, Some(after))?;
            Ok::<_, service::Error>(skipped)
        })
        .await?;
    let mails = match (skipped, adoption.send_overdue_mail) {
        (_, true) => "mails that are overdue go out with the next start".to_owned(),
        (0, false) => "no mail was overdue".to_owned(),
        (n, false) => format!(
            "{n} mails, texts or reminders that were due by now were taken off the list, as the original has most likely sent them"
        ),
    };
    Ok(print(&format!("this database is the one to work on from now on, as {url}; {mails}\n")))
}
