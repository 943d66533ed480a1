#![allow(clippy::unwrap_used)]

use api::ChatSettings;
use service::Mode;

use super::{Identity, KEYS, Maps, Payments, Settings};

fn wrong_variables(pairs: &[(&str, &str)]) -> Vec<String> {
    Settings::from_pairs(pairs).err().map(|p| p.iter().map(|x| x.variable.clone()).collect()).unwrap_or_default()
}

const PRODUCTION: &[(&str, &str)] = &[
    ("PORTAGE_MODE", "production"),
    ("PORTAGE_PUBLIC_URL", "https://move.example"),
    ("PORTAGE_PAYMENTS_PUBLIC_KEY", "public"),
    ("PORTAGE_PAYMENTS_PRIVATE_KEY", "hush-hush"),
    ("PORTAGE_PAYMENTS_MERCHANT_ACCOUNT", "cad"),
    ("PORTAGE_MAPS_TOKEN", "pk.secret"),
    ("PORTAGE_SMTP_URL", "smtps://u:pass-word@relay.example:465"),
    ("PORTAGE_MAIL_FROM", "moves@move.example"),
    ("PORTAGE_COMPANY_NAME", "Move"),
    ("PORTAGE_COMPANY_ADDRESS", "1 Main"),
    ("PORTAGE_COMPANY_EMAIL", "help@move.example"),
    ("PORTAGE_COMPANY_PHONE", "514-555-0101"),
];

fn with<'a>(more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    PRODUCTION.iter().copied().filter(|(k, _)| !more.iter().any(|(m, _)| m == k)).chain(more.iter().copied()).collect()
}

#[test]
fn nothing_said_is_the_demo_of_the_contract() {
    let s = Settings::from_pairs(&[]).unwrap();
    assert_eq!((s.mode, s.bind.to_string().as_str()), (Mode::Demo, "127.0.0.1:8080"));
    assert_eq!(s.public_url.origin(), "http://localhost:8080");
    assert_eq!(s.database_url.as_str(), "sqlite://data/portage.db");
    assert_eq!(s.data_dir.to_str(), Some("data"));
    assert!(matches!((&s.payments, &s.maps), (Payments::Simulator(_), Maps::Simulator)));
    assert!(matches!(s.identity, Identity::Embedded { keys: None }));
    assert!(s.mail.smtp_url.is_none() && s.clock_file.is_none() && s.unknown.is_empty());
}

#[test]
fn the_public_url_follows_the_port_and_the_database_the_folder() {
    let s = Settings::from_pairs(&[("PORTAGE_BIND", "0.0.0.0:9000"), ("PORTAGE_DATA_DIR", "/tmp/x")]).unwrap();
    assert_eq!(
        (s.public_url.origin(), s.database_url.as_str()),
        ("http://localhost:9000", "sqlite:///tmp/x/portage.db")
    );
}

#[test]
fn every_wrong_value_is_named_at_once() {
    let wrong = [
        ("PORTAGE_MODE", "fast"),
        ("PORTAGE_BIND", "8080"),
        ("PORTAGE_PUBLIC_URL", "localhost"),
        ("PORTAGE_DATABASE_URL", "mysql://root:s3cret@h/db"),
        ("PORTAGE_HTTP_THREADS", "0"),
        ("PORTAGE_BEHIND_PROXY", "perhaps"),
        ("PORTAGE_MAIL_FROM", "nobody"),
        ("PORTAGE_CHAT_PROVIDER", "nobody"),
        ("PORTAGE_CHAT_ORIGINS", "chat"),
        ("PORTAGE_LOG_FORMAT", "xml"),
    ];
    let mut found = wrong_variables(&wrong);
    let mut want: Vec<&str> = wrong.iter().map(|(k, _)| *k).collect();
    found.sort();
    want.sort_unstable();
    assert_eq!(found, want);
    let text = Settings::from_pairs(&wrong).err().unwrap().to_string();
    assert!(text.contains("127.0.0.1:8080") && !text.contains("s3cret"), "{text}");
}

#[test]
fn a_chat_says_where_it_runs_and_may_load_from_there() {
    assert_eq!(
        wrong_variables(&[("PORTAGE_CHAT_PROVIDER", "chatwoot")]),
        ["PORTAGE_CHAT_BASE_URL", "PORTAGE_CHAT_WEBSITE_TOKEN"]
    );
    let whole = [
        ("PORTAGE_CHAT_PROVIDER", "chatwoot"),
        ("PORTAGE_CHAT_BASE_URL", "https://chat.example/"),
        ("PORTAGE_CHAT_WEBSITE_TOKEN", "tok"),
    ];
    let chat = Settings::from_pairs(&whole).unwrap().chat;
    assert_eq!((chat.origins, chat.website_token.as_deref()), (vec!["https://chat.example".to_owned()], Some("tok")));
    // In a demo the stand-in answers, unless something is said.
    let demo = |pairs: &[(&str, &str)]| Settings::from_pairs(pairs).unwrap().chat;
    assert_eq!(demo(&[]), ChatSettings::simulator());
    assert_eq!(demo(&[("PORTAGE_CHAT_PROVIDER", "none")]), ChatSettings::default());
    assert_eq!(Settings::from_pairs(PRODUCTION).unwrap().chat, ChatSettings::default());
}

#[test]
fn production_lists_all_that_is_missing() {
    let mut found = wrong_variables(&[("PORTAGE_MODE", "production"), ("PORTAGE_CLOCK_FILE", "/tmp/clock")]);
    found.sort();
    assert_eq!(
        found,
        [
            "PORTAGE_CLOCK_FILE",
            "PORTAGE_COMPANY_ADDRESS",
            "PORTAGE_COMPANY_EMAIL",
            "PORTAGE_COMPANY_NAME",
            "PORTAGE_COMPANY_PHONE",
            "PORTAGE_MAPS_TOKEN",
            "PORTAGE_PAYMENTS_MERCHANT_ACCOUNT",
            "PORTAGE_PAYMENTS_PRIVATE_KEY",
            "PORTAGE_PAYMENTS_PUBLIC_KEY",
            "PORTAGE_PUBLIC_URL",
            "PORTAGE_SMTP_URL",
        ]
    );
}

#[test]
fn a_complete_production_starts_and_shows_no_secret() {
    let s = Settings::from_pairs(PRODUCTION).unwrap();
    let shown = format!("{s:?}");
    for secret in ["hush-hush", "pk.secret", "pass-word"] {
        assert!(!shown.contains(secret), "{secret}");
    }
    let pg =
        Settings::from_pairs(&with(&[("PORTAGE_DATABASE_URL", "postgres://u:s3cret@h/db?sslmode=disable")])).unwrap();
    assert_eq!(pg.database_url.to_string(), "postgres://h/db");
    assert!(!pg.database_url.is_sqlite() && !format!("{pg:?}").contains("s3cret"));
}

#[test]
fn production_refuses_simulators_and_plain_http() {
    for (key, value) in [
        ("PORTAGE_PAYMENTS_ENVIRONMENT", "simulator"),
        ("PORTAGE_PUBLIC_URL", "http://move.example"),
        ("PORTAGE_MAPS_URL", "http://127.0.0.1:8080/simulators/mapbox"),
        ("PORTAGE_PAYMENTS_URL", "https://127.0.0.1:8080/simulators/braintree/graphql"),
    ] {
        assert_eq!(wrong_variables(&with(&[(key, value)])), [key], "{value}");
    }
    let external = [
        ("PORTAGE_OIDC_ISSUER", "http://id.example"),
        ("PORTAGE_OIDC_AUDIENCE", "api"),
        ("PORTAGE_OIDC_CLIENT_ID", "web"),
    ];
    assert_eq!(wrong_variables(&with(&external)), ["PORTAGE_OIDC_ISSUER"]);
}

#[test]
fn a_sandbox_in_production_needs_a_word_of_consent() {
    const CONSENT: &str = "PORTAGE_PAYMENTS_SANDBOX_IN_PRODUCTION";
    let sandbox = ("PORTAGE_PAYMENTS_ENVIRONMENT", "sandbox");
    assert_eq!(wrong_variables(&with(&[sandbox])), [CONSENT]);
    assert_eq!(wrong_variables(&with(&[sandbox, (CONSENT, "no")])), [CONSENT]);
    let text = Settings::from_pairs(&with(&[sandbox])).err().unwrap().to_string();
    assert!(text.contains("PORTAGE_PAYMENTS_SANDBOX_IN_PRODUCTION=yes"), "{text}");
    let s = Settings::from_pairs(&with(&[sandbox, (CONSENT, "yes")])).unwrap();
    assert!(s.warnings().iter().any(|w| w.contains("no real money")), "{:?}", s.warnings());
    // An address of the sandbox under the name of the real thing is refused as it was.
    let address = ("PORTAGE_PAYMENTS_URL", "https://payments.sandbox.braintree-api.com/graphql");
    assert_eq!(wrong_variables(&with(&[address, (CONSENT, "yes")])), ["PORTAGE_PAYMENTS_URL"]);
    assert_eq!(Settings::from_pairs(PRODUCTION).unwrap().warnings(), Vec::<String>::new());
}

#[test]
fn a_demo_that_others_can_reach_is_warned_of() {
    for (bind, loud) in [
        ("127.0.0.1:8080", false),
        ("[::1]:8080", false),
        ("0.0.0.0:8080", true),
        ("[::]:80", true),
        ("192.0.2.7:80", true),
    ] {
        let s = Settings::from_pairs(&[("PORTAGE_BIND", bind)]).unwrap();
        assert_eq!(s.warnings().iter().any(|w| w.contains("other machines") && w.contains(bind)), loud, "{bind}");
    }
    let production = Settings::from_pairs(&with(&[("PORTAGE_BIND", "0.0.0.0:80")])).unwrap();
    assert_eq!(production.warnings(), Vec::<String>::new());
}

#[test]
fn a_port_past_the_proxy_and_two_services_for_one_thing_are_warned_of() {
    let warnings = |more: &[(&str, &str)]| Settings::from_pairs(&with(more)).unwrap().warnings().join("\n");
    let open = [("PORTAGE_BIND", "0.0.0.0:8080"), ("PORTAGE_BEHIND_PROXY", "true")];
    assert!(warnings(&open).contains("PORTAGE_BIND=0.0.0.0:8080 can be reached"), "{}", warnings(&open));
    assert_eq!(warnings(&[("PORTAGE_BEHIND_PROXY", "true")]), "");
    let both = [("PORTAGE_ROUTING_URL", "https://osrm.example"), ("PORTAGE_GEOCODING_URL", "https://photon.example")];
    let told = warnings(&both);
    assert!(told.contains("PORTAGE_ROUTING_URL and PORTAGE_GEOCODING_URL are set: Mapbox is used"), "{told}");
}

#[test]
fn a_mistake_is_told_once() {
    let lone = [("PORTAGE_OIDC_AUDIENCE", "api"), ("PORTAGE_OIDC_CLIENT_ID", "web"), ("PORTAGE_OIDC_CONSENT", "no")];
    assert_eq!(wrong_variables(&lone), ["PORTAGE_OIDC_ISSUER"]);
}

#[test]
fn a_demo_takes_no_real_money_but_may_use_real_services() {
    let keys = [
        ("PORTAGE_PAYMENTS_PUBLIC_KEY", "public"),
        ("PORTAGE_PAYMENTS_PRIVATE_KEY", "private"),
        ("PORTAGE_PAYMENTS_MERCHANT_ACCOUNT", "cad"),
    ];
    let sandbox: Vec<_> = keys.iter().copied().chain([("PORTAGE_PAYMENTS_ENVIRONMENT", "sandbox")]).collect();
    assert!(matches!(Settings::from_pairs(&sandbox).unwrap().payments, Payments::Braintree(_)));
    let real: Vec<_> = keys.iter().copied().chain([("PORTAGE_PAYMENTS_ENVIRONMENT", "production")]).collect();
    assert_eq!(wrong_variables(&real), ["PORTAGE_PAYMENTS_ENVIRONMENT"]);
    assert_eq!(wrong_variables(&[("PORTAGE_ROUTING_URL", "http://osrm:5000")]), ["PORTAGE_GEOCODING_URL"]);
    assert_eq!(wrong_variables(&[("PORTAGE_SMTP_URL", "smtp://relay")]), ["PORTAGE_MAIL_FROM"]);
}

#[test]
fn the_payment_time_out_is_bounded_and_never_short_in_production() {
    let money = |pairs: &[(&str, &str)]| match Settings::from_pairs(pairs).unwrap().payments {
        Payments::Simulator(s) => s.timeouts.money.as_millis(),
        Payments::Braintree(c) => c.timeouts.money.as_millis(),
    };
    assert_eq!(money(&[]), 60_000);
    assert_eq!(money(&[("PORTAGE_PAYMENTS_TIMEOUT_MS", "400")]), 400);
    assert_eq!(money(&with(&[("PORTAGE_PAYMENTS_TIMEOUT_MS", "90000")])), 90_000);
    assert_eq!(wrong_variables(&with(&[("PORTAGE_PAYMENTS_TIMEOUT_MS", "59999")])), ["PORTAGE_PAYMENTS_TIMEOUT_MS"]);
    for bad in ["0", "soon", "600001"] {
        assert_eq!(wrong_variables(&[("PORTAGE_PAYMENTS_TIMEOUT_MS", bad)]), ["PORTAGE_PAYMENTS_TIMEOUT_MS"], "{bad}");
    }
}

#[test]
fn the_manual_lists_exactly_these_settings() {
    let manual = include_str!("../../../../docs/operating.md");
    let listed: Vec<&str> =
        manual.lines().filter_map(|line| line.strip_prefix("| `PORTAGE_")?.split('`').next()).collect();
    let known: Vec<String> = KEYS.iter().map(|k| k.name.to_ascii_uppercase()).collect();
    assert_eq!(listed, known, "docs/operating.md has one table row a setting, in the order of config/keys.rs");
}
