//! What an operator asks of the machine: room on its disks, and how old the last backup is.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use api::Machine;
use kernel::chrono::{DateTime, Utc};
use service::{Mode, ports::Clock as _};

use crate::{clock::SystemClock, config::Settings, privacy};

/// In the data directory: its last change is the last good backup.
const BACKED_UP: &str = "portage.backup";
/// Less than this on a disk is told.
const LITTLE: u64 = 1024 * 1024 * 1024;
/// An older backup is told: one a day, and some hours.
const OLD_HOURS: i64 = 30;

/// Notes that a backup was made.
pub fn backed_up(data_dir: &Path, target: &Path) {
    let note = || {
        let mut file = privacy::open(&data_dir.join(BACKED_UP))?;
        file.set_len(0)?;
        writeln!(file, "{}", target.display())
    };
    if let Err(error) = note() {
        tracing::warn!(%error, "portage_last_backup_timestamp_seconds does not know of this backup");
    }
}

fn last_backup(data_dir: &Path) -> Option<SystemTime> {
    std::fs::metadata(data_dir.join(BACKED_UP)).and_then(|m| m.modified()).ok()
}

/// What is looked at, for the settings of a server.
pub fn of(settings: &Settings) -> Machine {
    metrics_described();
    let production = settings.mode == Mode::Production;
    let sqlite = settings.database_url.is_sqlite();
    let data = settings.data_dir.clone();
    let database = settings.database_url.sqlite_path().and_then(|p| p.parent().map(Path::to_owned));
    let places: Vec<(&'static str, PathBuf)> =
        [Some(("data", data.clone())), database.map(|folder| ("database", folder))].into_iter().flatten().collect();
    Machine::new(move || {
        let mut told: Vec<String> = places.iter().filter_map(|(name, folder)| disk(name, folder)).collect();
        told.dedup();
        told.extend(backup(&data, sqlite).filter(|_| production));
        told
    })
}

fn metrics_described() {
    metrics::describe_gauge!("portage_disk_free_bytes", "Room on the disk of the data directory, and of the database.");
    metrics::describe_gauge!("portage_disk_bytes", "Size of these disks.");
    metrics::describe_gauge!(
        "portage_last_backup_timestamp_seconds",
        "When portage backup last succeeded (Unix time); 0: never."
    );
}

#[allow(clippy::cast_precision_loss, reason = "a gauge is a float; disks are far below 2^52 bytes")]
#[cfg(unix)]
fn disk(name: &'static str, folder: &Path) -> Option<String> {
    let about = rustix::fs::statvfs(if folder.as_os_str().is_empty() { Path::new(".") } else { folder }).ok()?;
    let (free, all) = (about.f_bavail.saturating_mul(about.f_frsize), about.f_blocks.saturating_mul(about.f_frsize));
    metrics::gauge!("portage_disk_free_bytes", "of" => name).set(free as f64);
    metrics::gauge!("portage_disk_bytes", "of" => name).set(all as f64);
    let mib = free / (1024 * 1024);
    (all > 0 && free < LITTLE).then(|| format!("little room on the disk of {}: {mib} MiB left", folder.display()))
}

#[cfg(not(unix))]
fn disk(_: &'static str, _: &Path) -> Option<String> {
    None
}

/// Of PostgreSQL nothing is known before somebody says so (`touch`): it is copied by its own tools.
fn backup(data_dir: &Path, sqlite: bool) -> Option<String> {
    let last = last_backup(data_dir);
    let since = last.and_then(|at| at.duration_since(UNIX_EPOCH).ok()).map(|d| d.as_secs_f64());
    metrics::gauge!("portage_last_backup_timestamp_seconds").set(since.unwrap_or(if sqlite { 0.0 } else { f64::NAN }));
    match last.map(DateTime::<Utc>::from) {
        None if sqlite => Some("no backup was made yet: portage backup FILE".to_owned()),
        None => None,
        Some(at) => {
            let hours = (SystemClock.now() - at).num_hours();
            (hours >= OLD_HOURS).then(|| format!("the last backup is {hours} hours old"))
        }
    }
}
