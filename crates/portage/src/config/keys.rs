//! Every setting there is: the list that `check-config` prints and `docs/operating.md` must hold.

/// One setting.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Name in the file; in the environment upper case after `PORTAGE_`.
    pub name: &'static str,
    /// Its value is never shown.
    pub secret: bool,
}

impl Key {
    /// `PORTAGE_PUBLIC_URL`.
    pub fn variable(&self) -> String {
        variable(self.name)
    }
}

/// The environment variable of a setting.
pub fn variable(name: &str) -> String {
    format!("PORTAGE_{}", name.to_ascii_uppercase())
}

const fn open(name: &'static str) -> Key {
    Key { name, secret: false }
}

const fn secret(name: &'static str) -> Key {
    Key { name, secret: true }
}

/// All settings, in the order of `docs/operating.md`.
pub const KEYS: &[Key] = &[
    open("mode"),
    open("bind"),
    open("public_url"),
    secret("database_url"),
    open("database_connections"),
    open("data_dir"),
    open("config"),
    open("clock_file"),
    open("frontend_dir"),
    open("payments_environment"),
    open("payments_url"),
    open("payments_public_key"),
    secret("payments_private_key"),
    open("payments_merchant_account"),
    open("payments_request_key"),
    open("payments_timeout_ms"),
    open("payments_sandbox_in_production"),
    open("maps_url"),
    secret("maps_token"),
    open("maps_permanent"),
    open("routing_url"),
    open("geocoding_url"),
    secret("smtp_url"),
    open("smtp_plain"),
    open("mail_from"),
    open("mail_reply_to"),
    open("sms_account_sid"),
    secret("sms_auth_token"),
    open("sms_sender"),
    open("sms_url"),
    open("oidc_issuer"),
    open("oidc_audience"),
    open("oidc_client_id"),
    open("oidc_consent"),
    secret("signing_keys"),
    open("company_name"),
    open("company_address"),
    open("company_email"),
    open("company_phone"),
    open("first_admin"),
    open("chat_provider"),
    open("chat_base_url"),
    open("chat_website_token"),
    open("chat_origins"),
    open("behind_proxy"),
    open("metrics_public"),
    open("max_connections"),
    open("http_threads"),
    open("job_loops"),
    open("drain_seconds"),
    open("shutdown_seconds"),
    open("log"),
    open("log_format"),
];

/// Variables of tests, tools and scripts that share the prefix.
pub const NOT_OURS: &[&str] =
    &["test_", "crash_", "chaos_", "sim_", "e2e_", "bench_", "bin", "url", "backend", "mock_", "chromium", "ci"];

/// What is told about a variable that nobody reads, with the setting that was most likely meant.
pub fn no_such(variable: &str) -> String {
    let mut told = format!("{variable} is set, but Portage knows no such setting");
    if let Some(meant) = near(variable) {
        told.push_str(&format!("; was {} meant?", meant.variable()));
    }
    told
}

/// The same of a line of the settings file; it reads on from the name.
pub fn no_such_line(name: &str) -> String {
    match near(&variable(name)) {
        Some(meant) => format!("is no setting; was {} meant?", meant.name),
        None => "is no setting; take the line out, or look the name up".to_owned(),
    }
}

/// The setting whose variable differs least, when it differs by a slip or two.
fn near(wrong: &str) -> Option<&'static Key> {
    let all = KEYS.iter().map(|key| (strsim::damerau_levenshtein(&key.variable(), wrong), key));
    all.min_by_key(|(distance, _)| *distance).filter(|(distance, _)| *distance <= 2).map(|(_, key)| key)
}
