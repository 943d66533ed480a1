//! Private PostgreSQL servers for this process.

use std::{
    io,
    os::unix::{
        fs::{MetadataExt, chown},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Mutex, MutexGuard, OnceLock, PoisonError},
};

use diesel::{Connection, PgConnection, RunQueryDsl, connection::SimpleConnection as _, sql_query};

const TEMPLATE: &str = "portage_template";
const OURS: &str = "PORTAGE_TEST_POSTGRES_URL";
const ADVICE: &str = "PostgreSQL is needed by the tests: install its server (Debian: postgresql), so that initdb and \
    pg_ctl are on the path or under /usr/lib/postgresql, or name a server in PORTAGE_TEST_POSTGRES_URL whose user may \
    create databases";

struct Server {
    /// Connected to the maintenance database.
    admin: PgConnection,
    /// Around a database's name in its URL.
    url: (String, String),
    /// The end of `CREATE DATABASE`: a copy of the migrated one; empty on a server on which we leave nothing.
    copying: String,
    /// Lives as long as this process.
    _cluster: Option<Cluster>,
}

/// Creates a migrated database; answers its URL.
pub fn create(name: &str) -> Result<String, String> {
    let mut server = server();
    let server = server.as_mut().map_err(|e| e.clone())?;
    run(&mut server.admin, &format!("CREATE DATABASE {name}{}", server.copying))?;
    Ok(url_of(&server.url, name))
}

/// Removes a database; what is left behind goes with the server.
pub fn remove(name: &str) {
    if let Ok(server) = server().as_mut() {
        let _ = run(&mut server.admin, &format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
    }
}

/// Ends every connection to a database, as a server that restarts or a network that breaks does.
pub fn cut(name: &str) -> Result<(), String> {
    let mut server = server();
    let server = server.as_mut().map_err(|e| e.clone())?;
    let ends = format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'");
    run(&mut server.admin, &ends)
}

fn server() -> MutexGuard<'static, Result<Server, String>> {
    static SERVER: OnceLock<Mutex<Result<Server, String>>> = OnceLock::new();
    let start = || Mutex::new(std::env::var(OURS).map_or_else(|_| private(), |url| named(&url)));
    SERVER.get_or_init(start).lock().unwrap_or_else(PoisonError::into_inner)
}

fn run(admin: &mut PgConnection, sql: &str) -> Result<(), String> {
    sql_query(sql).execute(admin).map(drop).map_err(|e| format!("{sql}: {e}"))
}

fn url_of(around: &(String, String), name: &str) -> String {
    format!("{}{name}{}", around.0, around.1)
}

fn named(url: &str) -> Result<Server, String> {
    let admin = PgConnection::establish(url).map_err(|e| format!("{OURS}: {e}"))?;
    let (base, query) = url.split_once('?').map_or((url, String::new()), |(base, query)| (base, format!("?{query}")));
    let (scheme, rest) = base.split_once("://").ok_or_else(|| format!("{OURS} is not a URL"))?;
    let authority = rest.split_once('/').map_or(rest, |(authority, _)| authority);
    Ok(Server { admin, url: (format!("{scheme}://{authority}/"), query), copying: String::new(), _cluster: None })
}

fn private() -> Result<Server, String> {
    let cluster = Cluster::new()?;
    let mut admin = cluster.admin()?;
    run(&mut admin, &format!("CREATE DATABASE {TEMPLATE}"))?;
    crate::migrate(&cluster.url(TEMPLATE)).map_err(|e| e.to_string())?;
    // Since version 15 PostgreSQL copies the files of a template only when it is told to. For a database of this size that takes
    // half the time of the new default. Older versions do not know the word, and always copy files.
    let by_files =
        run(&mut admin, &format!("CREATE DATABASE portage_first TEMPLATE {TEMPLATE} STRATEGY FILE_COPY")).is_ok();
    let copying = format!(" TEMPLATE {TEMPLATE}{}", if by_files { " STRATEGY FILE_COPY" } else { "" });
    Ok(Server { admin, url: cluster.around(), copying, _cluster: Some(cluster) })
}

/// A PostgreSQL server of one's own: it may be stopped and started, as an operator would. It goes
/// with this value, or with this process, however that ends.
pub struct Cluster {
    bin: PathBuf,
    folder: PathBuf,
    owner: Option<(u32, u32)>,
    durable: bool,
    /// Stops the server and removes its folder when its input closes.
    keeper: Child,
}

impl Cluster {
    /// Made and started; reachable by a Unix socket only. It does not wait for the disk.
    pub fn new() -> Result<Cluster, String> {
        Cluster::made(false)
    }

    /// As a company runs it: a commit is on the disk when it is acknowledged.
    pub fn durable() -> Result<Cluster, String> {
        Cluster::made(true)
    }

    fn made(durable: bool) -> Result<Cluster, String> {
        let bin = programs().ok_or_else(|| ADVICE.to_owned())?;
        // Short: a socket's path has room for about a hundred characters.
        let folder = tempfile::Builder::new()
            .prefix("pg-")
            .tempdir()
            .map_err(|e| describe_failure("a temporary folder", &e))?
            .keep();
        let owner = owner(&folder).map_err(|e| describe_failure("an account for the server", &e))?;
        let keeper = keeper(&bin, &folder, owner).map_err(|e| describe_failure("the server's keeper", &e))?;
        let cluster = Cluster { bin, folder, owner, durable, keeper };
        let data = cluster.data();
        let initdb = ["-D", &data, "-U", "portage", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"];
        call(command(&cluster.bin.join("initdb"), owner).args(initdb))?;
        cluster.start()?;
        Ok(cluster)
    }

    fn data(&self) -> String {
        self.folder.join("data").to_string_lossy().into_owned()
    }

    /// Starts the server and waits until it answers.
    pub fn start(&self) -> Result<(), String> {
        let safety = match self.durable {
            true => "",
            false => "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c autovacuum=off",
        };
        let options = format!(
            "-c listen_addresses='' -c unix_socket_directories='{}' -c max_connections=400 -c shared_buffers=64MB {safety}",
            self.folder.to_string_lossy()
        );
        let log = self.folder.join("log");
        let start = ["-D", &self.data(), "-w", "-t", "60", "-l", &log.to_string_lossy(), "-o", &options, "start"];
        call(command(&self.bin.join("pg_ctl"), self.owner).args(start))
            .map_err(|e| format!("{e}\n{}", std::fs::read_to_string(&log).unwrap_or_default()))
    }

    /// Stops it; every connection is closed.
    pub fn stop(&self) -> Result<(), String> {
        call(command(&self.bin.join("pg_ctl"), self.owner).args(["-D", &self.data(), "-w", "-m", "fast", "stop"]))
    }

    fn around(&self) -> (String, String) {
        ("postgresql:///".to_owned(), format!("?host={}&user=portage", self.folder.to_string_lossy()))
    }

    /// The URL of one of its databases; `postgres` is there from the start.
    pub fn url(&self, database: &str) -> String {
        url_of(&self.around(), database)
    }

    /// Runs statements as its superuser in the database `postgres`.
    pub fn say(&self, sql: &str) -> Result<(), String> {
        self.admin()?.batch_execute(sql).map_err(|e| format!("the private server: {e}"))
    }

    fn admin(&self) -> Result<PgConnection, String> {
        PgConnection::establish(&self.url("postgres")).map_err(|e| format!("the private server: {e}"))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

fn describe_failure(what: &str, e: &io::Error) -> String {
    format!("{what}: {e}")
}

/// The folder of `initdb` and `pg_ctl`, the newest version first.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let mut installed: Vec<(u32, PathBuf)> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| (entry.file_name().to_string_lossy().parse().unwrap_or(0), entry.path().join("bin")))
        .collect();
    installed.sort();
    folders.extend(installed.into_iter().rev().map(|(_, folder)| folder));
    folders.into_iter().find(|f| f.join("initdb").is_file() && f.join("pg_ctl").is_file())
}

/// PostgreSQL refuses to run as root: then the folder is given to `postgres`, else to `nobody`.
fn owner(folder: &Path) -> io::Result<Option<(u32, u32)>> {
    if std::fs::metadata(folder)?.uid() != 0 {
        return Ok(None);
    }
    let accounts = std::fs::read_to_string("/etc/passwd")?;
    let ids = |name: &str| {
        let line = accounts.lines().find(|l| l.split(':').next() == Some(name))?;
        let mut fields = line.split(':').skip(2);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    };
    let (uid, gid) = ids("postgres")
        .or_else(|| ids("nobody"))
        .ok_or_else(|| io::Error::other("neither postgres nor nobody exists"))?;
    chown(folder, Some(uid), Some(gid))?;
    Ok(Some((uid, gid)))
}

fn command(program: &Path, owner: Option<(u32, u32)>) -> Command {
    let mut command = Command::new(program);
    command.current_dir("/").stdin(Stdio::null()).env_remove("PGDATA").env_remove("PGOPTIONS").env("LC_ALL", "C");
    if let Some((uid, gid)) = owner {
        command.uid(uid).gid(gid);
    }
    command
}

fn call(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("{program}: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "{program} failed: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    ))
}

/// A shell that waits for the end of its input, that is, for the end of this process.
fn keeper(bin: &Path, folder: &Path, owner: Option<(u32, u32)>) -> io::Result<Child> {
    let script = r#"cat >/dev/null; "$1" -D "$2/data" -m immediate stop; rm -rf "$2""#;
    let mut keeper = command(Path::new("/bin/sh"), owner);
    keeper.args(["-c", script, "keeper"]).arg(bin.join("pg_ctl")).arg(folder);
    // Its own group: an interrupt at the terminal ends the tests, and then the keeper does its work.
    keeper.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}
