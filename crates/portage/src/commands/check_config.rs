//! `portage check-config`: what is configured, and what is wrong with it, without starting.

use std::{path::Path, process::ExitCode, sync::Arc};

use service::{
    Mode,
    billing::compare,
    calendar,
    ports::Store,
    settings::first_steps::{self, Step},
};
use store::OpenError;

use super::{calendar::EMPTY as EMPTY_CALENDAR, connect};
use crate::failure::{CommandResult, Failure};
use crate::terminal::{print, runtime, tls};
use crate::{
    account,
    args::Checks,
    config::{Identity, KEYS, Maps, Payments, Problems, Settings, SettingsFile, Sms},
    demo_accounts, installation, privacy,
    text_table::columns,
    wiring,
};

pub fn run(checks: &Checks, named: Option<&Path>) -> CommandResult {
    tls();
    match Settings::load(named) {
        Ok(settings) => Ok(report(&settings, checks)),
        Err(problems) => {
            print(&format!("{problems}\n"));
            Ok(ExitCode::FAILURE)
        }
    }
}

fn report(s: &Settings, checks: &Checks) -> ExitCode {
    let mut p = Problems::default();
    if let Err(e) = wiring::clock(s) {
        p.add("clock_file", &e.to_string());
    }
    // Nothing is made here: root would make it for itself.
    if let Err(e) = privacy::may_make_folder(&s.data_dir) {
        p.add("data_dir", &format!("({}) cannot be used: {e}", s.data_dir.display()));
    }
    let connect = checks.connect || checks.test_mail.is_some();
    let mut warnings = s.warnings();
    match account::check(s) {
        // A look at a SQLite file leaves files beside it.
        Err(why) => p.general("The account:", &why),
        Ok(()) if connect || s.database_url.is_sqlite() => warnings.extend(database(s, &mut p)),
        Ok(()) => warnings.push(format!("{} was not looked at: --connect does", s.database_url)),
    }
    let app = wiring::frontend(s);
    if let Some(folder) = app.as_ref().filter(|f| !f.join("index.html").is_file()) {
        p.wrong("frontend_dir", &folder.display().to_string(), "there is no built web app");
    }
    let rows: Vec<[String; 2]> =
        summary(s, app.as_deref()).into_iter().map(|(what, value)| [what.to_owned(), value]).collect();
    let mut text = columns(&rows, [false, false]);
    for warning in warnings {
        text += &format!("warning: {warning}\n");
    }
    if connect {
        text += "\ntried:\n";
        match runtime() {
            Ok(runtime) => {
                let tried = runtime.block_on(connect::all(s, checks.test_mail.as_ref(), &mut p));
                text += &columns(&tried, [false, false]);
            }
            Err(e) => p.general("--connect", &format!("could not be done: {e}")),
        }
    }
    text += &set_variables(&s.file);
    match p.into_result(()) {
        Ok(()) => print(&format!("{text}\nall settings are usable\n")),
        Err(problems) => {
            print(&format!("{text}\n{problems}\n"));
            ExitCode::FAILURE
        }
    }
}

/// What the database lacks; it is only looked at.
fn database(s: &Settings, p: &mut Problems) -> Vec<String> {
    let found = match store::inspect(s.database_url.as_str()) {
        Ok(found) => found,
        Err(e @ OpenError::Older { .. }) => return vec![e.to_string()],
        Err(e) => {
            p.add("database_url", &format!("({}): {e}", s.database_url));
            return Vec::new();
        }
    };
    let Some(store) = found else {
        let then = "the first start makes it; in demo mode it also writes prices and a calendar, in production load them with \
                    portage rates load FILE and portage calendar load FILE (fixtures/ has one of each to start from)";
        return vec![format!("there is no database yet: {then}")];
    };
    match runtime().map_err(Failure::from).and_then(|r| r.block_on(look(s, store))) {
        Ok((found, warnings)) => {
            if s.mode == Mode::Production && !found.is_empty() {
                p.general("the database", &demo_accounts::seeded(&found));
            }
            warnings
        }
        Err(e) => {
            p.add("database_url", &format!("({}): {e}", s.database_url));
            Vec::new()
        }
    }
}

async fn look(s: &Settings, store: Arc<dyn Store>) -> Result<(Vec<&'static str>, Vec<String>), Failure> {
    let now = wiring::clock(s)?.now();
    let mut warnings: Vec<String> = installation::in_the_way(s, &*store, now).await?.into_iter().collect();
    warnings.extend(store.read(compare::failure).await?.map(|failure| failure.to_string()));
    if store.read(move |u| u.rates().active(None, now)).await?.is_none() {
        warnings.push("no rate card is in force, so nothing has a price: portage rates load FILE".to_owned());
    }
    let missing = calendar::missing(&*store, now).await?;
    match missing.as_slice() {
        [] => {}
        all if all.len() == geography::hubs().len() => warnings.push(EMPTY_CALENDAR.to_owned()),
        some => warnings.push(format!("no slot is offered at these hubs, which have no calendar: {}", some.join(", "))),
    }
    let steps = first_steps::look(&*store, now).await?;
    let missing: Vec<&str> = steps.iter().filter(|(_, done)| !done).map(|(step, _)| in_words(*step)).collect();
    if s.mode == Mode::Production && !missing.is_empty() {
        warnings.push(format!("first steps that are still to be done in the dashboard: {}", missing.join(", ")));
    }
    Ok((demo_accounts::found_in(&*store).await?, warnings))
}

/// A step that is still to be done, for an operator.
const fn in_words(step: Step) -> &'static str {
    match step {
        Step::Company => "the company's settings",
        Step::Prices => "the prices",
        Step::Calendar => "the calendar",
        Step::People => "the mates",
        Step::TestBooking => "a test booking",
    }
}

fn summary(s: &Settings, app: Option<&Path>) -> Vec<(&'static str, String)> {
    vec![
        ("settings file", s.file.read.as_ref().map_or_else(|| s.file.to_string(), |f| f.display().to_string())),
        ("mode", s.mode.code().to_owned()),
        ("listens on", s.bind.to_string()),
        ("public address", s.public_url.origin().to_owned()),
        ("database", s.database_url.to_string()),
        ("data directory", s.data_dir.display().to_string()),
        ("clock", s.clock_file.as_ref().map_or_else(|| "the machine's".to_owned(), |f| f.display().to_string())),
        ("web app", app.map_or_else(|| "not built".to_owned(), |f| f.display().to_string())),
        (
            "payments",
            match &s.payments {
                Payments::Simulator(s) => match &s.elsewhere {
                    None => "simulator".to_owned(),
                    Some(url) => format!("simulator at {url}"),
                },
                Payments::Braintree(c) => format!("Braintree ({:?}) at {}", c.environment, c.endpoint),
            },
        ),
        (
            "maps",
            match &s.maps {
                Maps::Simulator => "simulator".to_owned(),
                Maps::Mapbox { url, .. } => format!("Mapbox at {url}"),
                Maps::OsrmPhoton { routing, geocoding } => format!("OSRM at {routing}, Photon at {geocoding}"),
            },
        ),
        (
            "mail",
            if s.mail.smtp_url.is_some() {
                "SMTP".to_owned()
            } else {
                "files, shown at /simulators/mailbox".to_owned()
            },
        ),
        (
            "texts",
            match &s.sms {
                Sms::Off => {
                    "off: customers get letters only; PORTAGE_SMS_ACCOUNT_SID, _AUTH_TOKEN and _SENDER turn them on"
                        .to_owned()
                }
                Sms::Simulator => "simulator, at /simulators/twilio/messages".to_owned(),
                Sms::Twilio(c) => format!(
                    "Twilio at {}, from {}; what people write there is to be told to {}/api/webhooks/twilio",
                    c.base_url,
                    c.sender,
                    s.public_url.origin()
                ),
            },
        ),
        (
            "sign-in",
            match &s.identity {
                Identity::Embedded { .. } => "this program".to_owned(),
                Identity::External { issuer, .. } => issuer.issuer.clone(),
            },
        ),
        ("company", s.company.name.clone()),
    ]
}

/// Which variables are set in the environment: names only where the value is a secret.
fn set_variables(file: &SettingsFile) -> String {
    let set = KEYS.iter().filter_map(|key| {
        let value = std::env::var(key.variable()).ok().filter(|v| !v.trim().is_empty())?;
        Some(format!("  {}={}\n", key.variable(), if key.secret { "(set)" } else { value.trim() }))
    });
    let list: String = set.collect();
    let rest = match &file.read {
        Some(path) => format!("what {} does not name has its default", path.display()),
        None => "all else has its default".to_owned(),
    };
    if list.is_empty() {
        format!("\nnothing is set in the environment; {rest}\n")
    } else {
        format!("\nset in the environment (it wins over the file; {rest}):\n{list}")
    }
}
