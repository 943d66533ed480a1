//! `portage check-config --connect`: calls everything the settings name, and says what came of it. Nothing is
//! made, charged or changed; a mail is sent only to an address that was asked for.

use std::{path::PathBuf, sync::Arc, time::Duration};

use identity::TokenVerifier;
use kernel::{Coordinates, Email, Language};
use secrecy::ExposeSecret as _;
use service::{
    clocks,
    ports::{
        Clock as _,
        mail::{MailError, Mailer as _, OutgoingMail},
        maps::MapsError,
        payments::GatewayError,
    },
};

use crate::{
    account,
    clock::{SystemClock, looker},
    config::{Identity, Maps, Payments, Problems, Settings},
    privacy,
    wiring::{self, SimulatorHost},
};

/// A service, and the outcome of the call to it.
pub type ConnectionCheck = [String; 2];

/// How long the relay gets for each answer: a person waits.
const RELAY: Duration = Duration::from_secs(20);
/// Two addresses in Montréal, some kilometres apart.
const FROM: Coordinates = Coordinates { lat: 45.508_9, lon: -73.554_2 };
const TO: Coordinates = Coordinates { lat: 45.524_6, lon: -73.595_1 };

const FAILED: &str = "failed, see below";

/// Tries all of it; problems name their variable.
pub async fn all(s: &Settings, test_mail: Option<&Email>, p: &mut Problems) -> Vec<ConnectionCheck> {
    let mut tried = Vec::new();
    // An account that may not open it was reported before.
    if account::check(s).is_ok() {
        tried.push(["database".to_owned(), database(s, p).await]);
    }
    let mut note = |what: &str, told: String| tried.push([what.to_owned(), told]);
    if s.mail.smtp_url.is_some() {
        note("mail", relay(s, test_mail, p).await);
    } else if test_mail.is_some() {
        p.missing("smtp_url", "--test-mail has no relay to send through");
    }
    if !matches!(s.maps, Maps::Simulator) {
        note("maps", maps(s, p).await);
    }
    if matches!(s.payments, Payments::Braintree(_)) {
        note("payments", gateway(s, p).await);
    }
    if let Identity::External { issuer, .. } = &s.identity {
        match TokenVerifier::external(issuer.clone(), Arc::new(SystemClock)) {
            Ok(verifier) => note("sign-in", provider(&verifier, p).await),
            Err(e) => p.add("oidc_issuer", &e.to_string()),
        }
    }
    tried
}

async fn database(s: &Settings, p: &mut Problems) -> String {
    let url = s.database_url.as_str().to_owned();
    let why = match tokio::task::spawn_blocking(move || store::facts(&url)).await {
        Ok(Ok(Some(facts))) if facts.writable => {
            let ahead = facts.clock.map(|at| (SystemClock.now() - at).as_seconds_f64());
            let clock =
                ahead.and_then(clocks::clock_warning).map_or_else(String::new, |told| format!("; WARNING: {told}"));
            return format!("{}, {} kB, may be written{clock}", facts.version, facts.bytes / 1024);
        }
        Ok(Ok(Some(facts))) => format!(
            "{} was reached and may not be written: it is a standby, or the account may not make tables in its schema",
            facts.version
        ),
        Ok(Ok(None)) => match folder_of_file(s) {
            Ok(()) => return "no file yet; its folder may be written".to_owned(),
            Err(why) => why,
        },
        Ok(Err(e)) => e.to_string(),
        Err(e) => e.to_string(),
    };
    p.add("database_url", &format!("({}): {why}", s.database_url));
    FAILED.to_owned()
}

/// A folder in which nothing can be made holds no database either.
fn folder_of_file(s: &Settings) -> Result<(), String> {
    let path = s.database_url.sqlite_path().unwrap_or_default();
    let cannot_make = |e: std::io::Error| format!("{} cannot be made: {e}", path.display());
    if let Some(folder) = path.parent().filter(|f| !f.is_dir() && !f.as_os_str().is_empty()) {
        return privacy::may_make_folder(folder).map_err(cannot_make);
    }
    let mut probe = path.clone().into_os_string();
    probe.push(".try");
    let probe = PathBuf::from(probe);
    privacy::open(&probe).and_then(|_| std::fs::remove_file(&probe)).map_err(cannot_make)
}

async fn relay(s: &Settings, test_mail: Option<&Email>, p: &mut Problems) -> String {
    let Some(url) = &s.mail.smtp_url else { return FAILED.to_owned() };
    let sender = match wiring::sender(s) {
        Ok(sender) => sender,
        Err(e) => return failed(p, "mail_from", &e.to_string()),
    };
    let clock = wiring::clock(s).unwrap_or_else(|_| Arc::new(SystemClock));
    let mailer = match mail::SmtpMailer::from_url(url.expose_secret(), sender, looker(&clock)) {
        Ok(mailer) => mailer.with_limit(RELAY),
        Err(e) => return failed(p, "smtp_url", &e.to_string()),
    };
    let outcome = match test_mail {
        None => mailer.try_sign_in().await.map(|()| {
            "the relay was reached, and takes our sign-in if there is one; --test-mail ADDRESS sends a mail".to_owned()
        }),
        Some(to) => {
            let sent = mailer.send(&letter(s, to)).await;
            sent.map(|accepted| format!("the relay took a mail to {to}: {}", accepted.queue_id))
        }
    };
    outcome.unwrap_or_else(|e| failed(p, blamed(&e), &e.to_string()))
}

/// The setting to blame, by the step at which the relay refused.
fn blamed(e: &MailError) -> &'static str {
    if e.to_string().contains("naming the sender") { "mail_from" } else { "smtp_url" }
}

fn failed(p: &mut Problems, key: &str, why: &str) -> String {
    p.add(key, why);
    FAILED.to_owned()
}

fn letter(s: &Settings, to: &Email) -> OutgoingMail {
    let text = format!(
        "This is a test by portage check-config at {}. Mail of {} reaches you.\n",
        s.public_url.origin(),
        s.company.name
    );
    OutgoingMail {
        message_id: format!("check-config-{}", std::process::id()),
        written_at: None,
        to: to.clone(),
        to_name: String::new(),
        subject: format!("Test mail of {}", s.company.name),
        html: format!("<p>{}</p>", text.trim().replace('&', "&amp;").replace('<', "&lt;")),
        text,
        language: Language::En,
        message_type: "checkConfig".to_owned(),
        attachments: Vec::new(),
        booking: None,
        from_name: None,
        reply_to: None,
        unsubscribe: None,
    }
}

async fn maps(s: &Settings, p: &mut Problems) -> String {
    let (places, routes) = match &s.maps {
        Maps::OsrmPhoton { .. } => ("geocoding_url", "routing_url"),
        Maps::Mapbox { .. } | Maps::Simulator => ("maps_token", "maps_token"),
    };
    let maps = match wiring::maps(s, SimulatorHost::NotNeeded) {
        Ok(maps) => maps,
        Err(e) => return failed(p, "maps_url", &e.to_string()),
    };
    // A service that cannot be reached at all has a wrong address, not a wrong token.
    let blamed = |key: &'static str, e: &MapsError| match e {
        MapsError::Unavailable(_) if key == "maps_token" => "maps_url",
        _ => key,
    };
    let place = match maps.reverse(FROM, Language::En).await {
        Ok(place) => place.map_or_else(|| "no address".to_owned(), |place| place.full_address),
        Err(e) => return failed(p, blamed(places, &e), &e.to_string()),
    };
    match maps.route(FROM, TO).await {
        Ok(route) => format!("found {place}, and a way of {} m from there", route.distance_meters),
        Err(e) => failed(p, blamed(routes, &e), &e.to_string()),
    }
}

async fn gateway(s: &Settings, p: &mut Problems) -> String {
    let gateway = match wiring::gateway(s, SimulatorHost::NotNeeded, None) {
        Ok(gateway) => gateway,
        Err(e) => return failed(p, "payments_url", &e.to_string()),
    };
    // Asks with our keys, for our merchant account; a token nobody uses lapses by itself.
    match gateway.client_token(None).await {
        Ok(_) => "the gateway takes our keys and knows the merchant account".to_owned(),
        Err(GatewayError::Misconfigured(why)) => failed(
            p,
            "payments_private_key",
            &format!("(or PORTAGE_PAYMENTS_PUBLIC_KEY, or the environment) is refused by the gateway: {why}"),
        ),
        Err(GatewayError::Rejected { message, .. }) => {
            failed(p, "payments_merchant_account", &format!("is refused by the gateway: {message}"))
        }
        Err(e) => failed(p, "payments_url", &e.to_string()),
    }
}

async fn provider(verifier: &TokenVerifier, p: &mut Problems) -> String {
    match verifier.look().await {
        Ok(Some(facts)) => {
            let mut told = format!("the provider publishes {} usable keys", facts.keys);
            for lack in facts.lacks {
                told.push_str("; ");
                told.push_str(&lack);
            }
            told
        }
        Ok(None) => "this program".to_owned(),
        Err(why) => failed(p, "oidc_issuer", &why),
    }
}
