//! `portage check-config`: what is configured, and what is wrong with it, without starting.

use std::process::ExitCode;

use super::{Done, print, tls};
use crate::{
    config::{DatabaseUrl, Identity, KEYS, Maps, Payments, Problems, Settings},
    text_table::columns,
    wiring,
};

pub fn run() -> Done {
    tls();
    match Settings::load() {
        Ok(settings) => Ok(report(&settings)),
        Err(problems) => {
            print(&format!("{problems}\n"));
            Ok(ExitCode::FAILURE)
        }
    }
}

fn report(s: &Settings) -> ExitCode {
    let mut p = Problems::default();
    if let Err(e) = wiring::clock(s) {
        p.add("clock_file", &e.to_string());
    }
    if let Err(e) = std::fs::create_dir_all(&s.data_dir) {
        p.add("data_dir", &format!("cannot be made: {e}"));
    }
    let app = wiring::frontend(s);
    if let Some(folder) = app.as_ref().filter(|f| !f.join("index.html").is_file()) {
        p.wrong("frontend_dir", &folder.display().to_string(), "there is no built web app");
    }
    let rows: Vec<[String; 2]> =
        summary(s, app.as_deref()).into_iter().map(|(what, value)| [what.to_owned(), value]).collect();
    let mut text = columns(&rows, [false, false]);
    for name in &s.unknown {
        text += &format!("warning: {name} is set, but Portage knows no such setting\n");
    }
    text += &set_variables();
    match p.into_result(()) {
        Ok(()) => print(&format!("{text}\nall settings are usable\n")),
        Err(problems) => {
            print(&format!("{text}\n{problems}\n"));
            ExitCode::FAILURE
        }
    }
}

fn summary(s: &Settings, app: Option<&std::path::Path>) -> Vec<(&'static str, String)> {
    let database = |url: &DatabaseUrl| url.to_string();
    vec![
        ("mode", s.mode.code().to_owned()),
        ("listens on", s.bind.to_string()),
        ("public address", s.public_url.origin().to_owned()),
        ("database", database(&s.database_url)),
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
            "sign-in",
            match &s.identity {
                Identity::Embedded { .. } => "this program".to_owned(),
                Identity::External(e) => e.issuer.clone(),
            },
        ),
        ("company", s.company.name.clone()),
    ]
}

/// Which variables are set in the environment: names only where the value is a secret.
fn set_variables() -> String {
    let set = KEYS.iter().filter_map(|key| {
        let value = std::env::var(key.variable()).ok().filter(|v| !v.trim().is_empty())?;
        Some(format!("  {}={}\n", key.variable(), if key.secret { "(set)" } else { value.trim() }))
    });
    let list: String = set.collect();
    if list.is_empty() {
        "\nno variable is set: these are the defaults\n".to_owned()
    } else {
        format!("\nset in the environment:\n{list}")
    }
}
