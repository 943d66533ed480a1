//! What the server is told at start.

use std::{fmt, path::PathBuf, sync::Arc};

use identity::PublicUrl;

use crate::limits::Limits;

/// Which card service the browser talks to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PaymentsProvider {
    /// The built-in one: a demo card form.
    Simulator,
    /// Braintree's hosted fields.
    Braintree {
        /// `sandbox` or `production`.
        environment: String,
    },
}

impl PaymentsProvider {
    /// As the browser is told.
    pub const fn code(&self) -> &'static str {
        match self {
            PaymentsProvider::Simulator => "simulator",
            PaymentsProvider::Braintree { .. } => "braintree",
        }
    }
}

/// A chat widget the web app knows how to load.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ChatProvider {
    /// No chat.
    #[default]
    None,
    /// Chatwoot, hosted by whoever runs this installation.
    Chatwoot,
}

impl ChatProvider {
    /// All of them.
    pub const ALL: [ChatProvider; 2] = [ChatProvider::None, ChatProvider::Chatwoot];

    /// As the browser is told.
    pub const fn code(self) -> &'static str {
        match self {
            ChatProvider::None => "none",
            ChatProvider::Chatwoot => "chatwoot",
        }
    }

    /// Of a code.
    pub fn from_code(code: &str) -> Option<ChatProvider> {
        ChatProvider::ALL.into_iter().find(|p| p.code() == code)
    }
}

/// The chat widget the browser may load after consent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChatSettings {
    /// Which, if any.
    pub provider: ChatProvider,
    /// Where a self-hosted vendor runs.
    pub base_url: Option<String>,
    /// A self-hosted vendor's public token for this site.
    pub website_token: Option<String>,
    /// Origins the widget loads from and talks to, for the content security policy.
    pub origins: Vec<String>,
}

impl ChatSettings {
    /// The demo's stand-in, on this very site: the widget is loaded as a real one is.
    pub fn simulator() -> ChatSettings {
        ChatSettings {
            provider: ChatProvider::Chatwoot,
            base_url: Some("/simulators/chatwoot".to_owned()),
            website_token: Some("demo".to_owned()),
            origins: Vec::new(),
        }
    }
}

/// Who signs people in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignIn {
    /// This program.
    Embedded,
    /// An OpenID provider.
    External {
        /// It gives refresh tokens only with `prompt=consent` (OpenID Connect Core §11).
        consent: bool,
    },
}

/// A built web app, and the path it is mounted under.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebApp {
    /// Empty for the app of the whole site, else a path without a slash at its end: `/dashboard`.
    pub mount: &'static str,
    /// What the build wrote: `index.html` and `assets/`.
    pub folder: PathBuf,
    /// Whether customers use it: its pages may load the card service and the chat.
    pub for_customers: bool,
}

impl WebApp {
    /// The customers' app, at `/`.
    pub fn book(folder: PathBuf) -> WebApp {
        WebApp { mount: "", folder, for_customers: true }
    }

    /// The back office, at `/dashboard`.
    pub fn ops(folder: PathBuf) -> WebApp {
        WebApp { mount: "/dashboard", folder, for_customers: false }
    }
}

/// Looks at the machine (disks, backups) when somebody asks for figures: sets those there are, and answers what is
/// wrong, in words.
#[derive(Clone)]
pub struct Machine(Arc<dyn Fn() -> Vec<String> + Send + Sync>);

impl Machine {
    /// That looks so.
    pub fn new(look: impl Fn() -> Vec<String> + Send + Sync + 'static) -> Machine {
        Machine(Arc::new(look))
    }

    /// Looks now.
    pub fn look(&self) -> Vec<String> {
        (self.0)()
    }
}

impl Default for Machine {
    /// Nothing is known of it.
    fn default() -> Machine {
        Machine::new(Vec::new)
    }
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Machine")
    }
}

/// The settings of the HTTP server.
#[derive(Debug, Clone)]
pub struct ServerConfig {
    /// Where people reach the site.
    pub public_url: PublicUrl,
    /// Issuer of access tokens: ours or an external one.
    pub issuer: String,
    /// Client id the web app signs in with.
    pub client_id: String,
    /// Audience of access tokens.
    pub audience: String,
    /// Who signs people in.
    pub sign_in: SignIn,
    /// The built web apps. None at `/`: a page that says how to build them.
    pub apps: Vec<WebApp>,
    /// Folder of the demo e-mails (`.eml`), for the mailbox page.
    pub mailbox: Option<PathBuf>,
    /// Call rates.
    pub limits: Limits,
    /// `/metrics` answers everybody, not only this machine.
    pub metrics_for_all: bool,
    /// Card service.
    pub payments: PaymentsProvider,
    /// Chat widget.
    pub chat: ChatSettings,
    /// Connections open at once; must be below the limit of open files.
    pub max_connections: usize,
    /// Worker threads; none: one a core.
    pub workers: Option<usize>,
    /// Seconds that running requests get to finish at shutdown.
    pub shutdown_seconds: u64,
    /// What the program knows of its machine.
    pub machine: Machine,
}

impl ServerConfig {
    /// Demo settings for a site at `public_url`, with the embedded provider.
    pub fn demo(public_url: PublicUrl) -> ServerConfig {
        ServerConfig {
            issuer: public_url.issuer(),
            public_url,
            client_id: identity::CLIENT_ID.to_owned(),
            audience: identity::AUDIENCE.to_owned(),
            sign_in: SignIn::Embedded,
            apps: Vec::new(),
            mailbox: None,
            limits: Limits::default(),
            metrics_for_all: false,
            payments: PaymentsProvider::Simulator,
            chat: ChatSettings::default(),
            max_connections: 4096,
            workers: None,
            shutdown_seconds: 15,
            machine: Machine::default(),
        }
    }
}
