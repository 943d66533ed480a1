//! A real `portage serve` in a folder of its own, with a clock that the test moves.

use std::{
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

/// `kill -9`, from a thread of its own; whoever started the process still waits for its end.
pub fn kill(pid: u32) {
    let status = Command::new("kill").args(["-KILL", &pid.to_string()]).status();
    assert!(status.is_ok_and(|s| s.success()), "killed");
}

/// A folder, a clock and a port; the server in it may be killed and started again.
pub struct Site {
    folder: Arc<tempfile::TempDir>,
    port: u16,
    server: Option<Process>,
    database_url: Option<String>,
    settings: Vec<(&'static str, String)>,
    /// Lives by the machine's clock.
    real_time: bool,
}

/// How many test programs choose ports apart from one another, and how many each has before it begins again.
const BLOCKS: u32 = 40;
const BLOCK: u32 = 300;

/// A port that the system lends to no client (those begin at 32768, or above): while a server is killed and started again,
/// nobody else takes its own. A test program chooses from a block of its own, each port once.
fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let first = 20_000 + std::process::id() % BLOCKS * BLOCK;
    let chosen = (0..BLOCK).find_map(|_| {
        let port = u16::try_from(first + NEXT.fetch_add(1, Ordering::Relaxed) % BLOCK).ok()?;
        TcpListener::bind(("127.0.0.1", port)).ok().map(|_| port)
    });
    chosen.expect("a free port")
}

impl Site {
    /// An empty site whose clock says `at`.
    pub fn new(at: &str) -> Site {
        let folder = Arc::new(tempfile::tempdir().expect("a folder"));
        let site = Site {
            folder,
            port: free_port(),
            server: None,
            database_url: None,
            settings: Vec::new(),
            real_time: false,
        };
        site.set_clock(at);
        site
    }

    /// With the machine's clock instead of the file.
    pub fn in_real_time(self) -> Site {
        Site { real_time: true, ..self }
    }

    /// With another database than the SQLite file in the folder.
    pub fn on_database(mut self, url: String) -> Site {
        self.database_url = Some(url);
        self
    }

    /// With one more setting.
    pub fn with(mut self, variable: &'static str, value: impl Into<String>) -> Site {
        self.settings.push((variable, value.into()));
        self
    }

    /// The same place, for somebody who only calls there.
    pub fn door(&self) -> Site {
        Site {
            folder: self.folder.clone(),
            port: self.port,
            server: None,
            database_url: self.database_url.clone(),
            settings: self.settings.clone(),
            real_time: self.real_time,
        }
    }

    /// The same folder, database and settings at another port.
    pub fn beside(&self) -> Site {
        Site { port: free_port(), ..self.door() }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://localhost:{}{path}", self.port)
    }

    /// Where it listens.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The SQLite file, where no other database was named.
    pub fn database_file(&self) -> PathBuf {
        self.folder.path().join("data/portage.db")
    }

    fn clock(&self) -> PathBuf {
        self.folder.path().join("clock")
    }

    /// Moves the server's clock; in one step, as the file is replaced.
    pub fn set_clock(&self, at: &str) {
        let draft = self.folder.path().join("clock.draft");
        std::fs::write(&draft, at).and_then(|()| std::fs::rename(&draft, self.clock())).expect("the clock");
    }

    fn command(&self, arguments: &[&str]) -> Command {
        // Another build, such as one that is kept while this one is made anew.
        let program = std::env::var("PORTAGE_BIN").unwrap_or_else(|_| env!("CARGO_BIN_EXE_portage").to_owned());
        // The most careless umask there is: what must be closed to others is closed by the program.
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", "umask 000; exec \"$0\" \"$@\"", &program])
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
            .env("PORTAGE_BIND", self.address())
            .env("PORTAGE_LOG", "warn");
        if !self.real_time {
            command.env("PORTAGE_CLOCK_FILE", self.clock());
        }
        if let Some(url) = &self.database_url {
            command.env("PORTAGE_DATABASE_URL", url);
        }
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Another process on the same folder, in the background.
    pub fn spawn(&self, arguments: &[&str]) -> Process {
        let log = std::fs::OpenOptions::new().create(true).append(true).open(self.log()).expect("the log");
        let child = self.command(arguments).stdout(Stdio::null()).stderr(log).spawn().expect("it starts");
        Process(child)
    }

    /// Starts the server and waits until it answers.
    pub async fn start(&mut self, web: &reqwest::Client) {
        self.start_with(web, &["serve"]).await;
    }

    /// The same with other arguments.
    pub async fn start_with(&mut self, web: &reqwest::Client, arguments: &[&str]) {
        assert!(self.server.is_none(), "it runs already");
        self.server = Some(self.spawn(arguments));
        let began = Instant::now();
        // A start with history books and charges two dozen moves before it answers: half a minute on a busy machine.
        while began.elapsed() < Duration::from_secs(180) {
            if let Some(status) = self.server.as_mut().and_then(|p| p.0.try_wait().ok().flatten()) {
                panic!("the server ended with {status}:\n{}", self.log_text());
            }
            if web.get(self.url("/readyz")).send().await.is_ok_and(|r| r.status().is_success()) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("the server is not ready after three minutes:\n{}", self.log_text());
    }

    fn log(&self) -> PathBuf {
        self.folder.path().join("log")
    }

    /// What the server logged.
    pub fn log_text(&self) -> String {
        std::fs::read_to_string(self.log()).unwrap_or_default()
    }

    /// Copies log and SQLite database to where they outlive the test, for whoever looks for a fault.
    pub fn keep(&self, at: &Path) {
        let _ = std::fs::create_dir_all(at);
        let database = self.database_file();
        for file in [self.log(), database.clone(), database.with_extension("db-wal")] {
            let Some(name) = file.file_name() else { continue };
            let _ = std::fs::copy(&file, at.join(name));
        }
    }

    /// Its process id.
    pub fn pid(&self) -> u32 {
        self.server.as_ref().expect("it runs").0.id()
    }

    /// `kill -9`, and its end.
    pub fn kill(&mut self) {
        drop(self.server.take());
    }

    /// TERM, and whether it ended well.
    pub fn stop(&mut self) -> bool {
        self.server.take().is_none_or(Process::stop)
    }

    /// Whether it ended well by itself; none when it still runs after so long.
    pub fn ended(&mut self, within: Duration) -> Option<bool> {
        self.server.as_mut().and_then(|p| p.ended(within))
    }

    /// Another command on the same folder.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the command runs")
    }

    /// The data folder.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The folder everything is in.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// A running program that is killed when nobody waits for it any more.
pub struct Process(Child);

impl Process {
    /// How it ended; none when it still runs after so long.
    pub fn ended(&mut self, within: Duration) -> Option<bool> {
        let began = Instant::now();
        while began.elapsed() < within {
            if let Some(status) = self.0.try_wait().expect("its state") {
                return Some(status.success());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        None
    }

    /// TERM, and whether it ended well.
    pub fn stop(mut self) -> bool {
        let sent = Command::new("kill").args(["-TERM", &self.0.id().to_string()]).status().is_ok_and(|s| s.success());
        assert!(sent, "TERM was sent");
        self.0.wait().expect("ended").success()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Settings of a production that could serve; nothing of it is called at start.
pub fn production(site: Site) -> Site {
    [
        ("PORTAGE_MODE", "production"),
        ("PORTAGE_CLOCK_FILE", ""),
        ("PORTAGE_PUBLIC_URL", "https://move.example"),
        ("PORTAGE_PAYMENTS_PUBLIC_KEY", "public"),
        ("PORTAGE_PAYMENTS_PRIVATE_KEY", "private"),
        ("PORTAGE_PAYMENTS_MERCHANT_ACCOUNT", "cad"),
        ("PORTAGE_PAYMENTS_URL", "https://127.0.0.1:9/graphql"),
        ("PORTAGE_MAPS_TOKEN", "pk.secret"),
        ("PORTAGE_MAPS_URL", "https://127.0.0.1:9"),
        ("PORTAGE_SMTP_URL", "smtps://u:p@127.0.0.1:9"),
        ("PORTAGE_MAIL_FROM", "moves@move.example"),
        ("PORTAGE_COMPANY_NAME", "Move"),
        ("PORTAGE_COMPANY_ADDRESS", "1 Main"),
        ("PORTAGE_COMPANY_EMAIL", "help@move.example"),
        ("PORTAGE_COMPANY_PHONE", "514-555-0101"),
    ]
    .into_iter()
    .fold(site, |site, (name, value)| site.with(name, value))
}
