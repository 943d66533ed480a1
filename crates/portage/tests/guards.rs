//! What the program refuses or closes before it serves anybody: a second server on one file, a
//! newer database, a demo's leavings in production, files that others could read.

use crate::support;

use std::{path::Path, process::Output, time::Duration};

use reqwest::StatusCode;
use store::testing::TestDb;
use support::{
    customer::{book, browser, draft, sign_in, store_card},
    server::{Site, production},
};

const NOW: &str = "2027-02-01T13:00:00Z";
const PASSWORD: &str = "portage-demo-2027";
const PATIENCE: Duration = Duration::from_secs(20);

fn stdout(out: &Output) -> String {
    String::from_utf8_lossy(&out.stdout).into_owned()
}

fn stderr(out: &Output) -> String {
    String::from_utf8_lossy(&out.stderr).into_owned()
}

/// The command ends by itself, badly, and says why.
fn refused(site: &Site, command: &[&str]) -> String {
    let before = site.log_text().len();
    let mut process = site.spawn(command);
    let ended = process.ended(PATIENCE);
    let told = site.log_text()[before..].to_owned();
    assert_eq!(ended, Some(false), "{command:?} was not refused:\n{told}");
    told
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_file_has_one_server_whatever_directory_it_was_started_with() {
    let (web, mut first) = (browser(), Site::new(NOW));
    first.start(&web).await;
    let file = first.data().join("portage.db");
    let other = Site::new(NOW);
    let link = other.path().join("link.db");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let relative = format!("../{}/data/portage.db", first.path().file_name().unwrap().to_str().unwrap());
    for way in [file.display().to_string(), link.display().to_string(), relative] {
        let second = Site::new(NOW).on_database(format!("sqlite://{way}"));
        let told = refused(&second, &["serve"]);
        assert!(told.contains("another Portage serves the database") && told.contains("portage.db"), "{told}");
    }
    assert!(first.stop());
    // A worker with a directory of its own lives on the file, too: a server that starts beside it
    // takes nothing up that the worker is doing.
    let elsewhere = Site::new(NOW).on_database(format!("sqlite://{}", file.display()));
    let worker = elsewhere.spawn(&["worker"]);
    let lock = file.with_file_name("portage.db.work.lock");
    let shared = || std::fs::File::open(&lock).is_ok_and(|f| f.try_lock().is_err());
    for _ in 0..200 {
        if shared() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    assert!(shared(), "the worker does not say that it lives: {}", elsewhere.log_text());
    drop(worker);
}

#[test]
fn a_newer_database_is_refused_by_every_command_that_opens_it() {
    for db in TestDb::both() {
        let site = Site::new(NOW).on_database(db.url().to_owned());
        assert!(site.run(&["seed", "--demo"]).status.success());
        db.execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('20991231000100')");
        let card = site.path().join("card.json");
        std::fs::write(&card, serde_json::to_string(&pricing::RateCard::builtin()).unwrap()).unwrap();
        let calendar = support::root().join("fixtures/calendar.toml");
        for command in [
            vec!["serve"],
            vec!["worker"],
            vec!["migrate"],
            vec!["seed", "--demo"],
            vec!["ops", "add", "--email", "n@move.example", "--first-name", "N", "--last-name", "N"],
            vec!["rates", "load", card.to_str().unwrap()],
            vec!["calendar", "load", calendar.to_str().unwrap()],
            vec!["reconcile"],
        ] {
            let told = refused(&site, &command);
            assert!(told.contains("belongs to a newer version of Portage"), "{command:?}: {told}");
        }
        let checked = site.run(&["check-config", "--connect"]);
        assert!(!checked.status.success() && stdout(&checked).contains("newer version"), "{}", stdout(&checked));
    }
}

#[test]
fn production_refuses_a_database_with_demo_accounts() {
    for db in TestDb::both() {
        let site = Site::new(NOW).on_database(db.url().to_owned());
        assert!(site.run(&["seed", "--demo"]).status.success());
        let live = production(Site::new(NOW).on_database(db.url().to_owned()));
        let new = ["--email", "boss@example.test", "--first-name", "B", "--last-name", "Oss"];
        let add = [&["ops", "add"][..], &new[..]].concat();
        let enable = ["accounts", "enable", "--email", "admin@portage.test"];
        for command in [&["serve"][..], &["worker"], &add, &enable, &["jobs", "list"], &["calendar", "show"]] {
            let told = refused(&live, command);
            assert!(
                told.contains("admin@portage.test") && told.contains("PORTAGE_DATABASE_URL"),
                "{command:?}: {told}"
            );
        }
        let checked = live.run(&["check-config", "--connect"]);
        let text = stdout(&checked);
        assert!(!checked.status.success() && text.contains("seeded with demo accounts"), "{text}{}", stderr(&checked));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_demo_that_others_can_reach_is_loud() {
    let mut site = Site::new(NOW);
    let port = site.url("").rsplit_once(':').unwrap().1.to_owned();
    site = site.with("PORTAGE_BIND", format!("0.0.0.0:{port}"));
    let web = browser();
    site.start(&web).await;
    assert!(site.log_text().contains("can be reached from other machines"), "{}", site.log_text());
    assert!(site.stop());
    let checked = stdout(&site.run(&["check-config"]));
    assert!(checked.contains("warning: PORTAGE_MODE is demo"), "{checked}");
}

/// Files that others may read, and folders others may enter.
#[cfg(unix)]
fn open_to_others(folder: &Path) -> Vec<String> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut found = Vec::new();
    let mut look = |path: &Path| {
        // A letter that is being written has another name a moment later.
        let Ok(about) = std::fs::metadata(path) else { return };
        let mode = about.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            found.push(format!("{} {mode:o}", path.display()));
        }
    };
    look(folder);
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            look(&entry.path());
            if entry.path().is_dir() {
                folders.push(entry.path());
            }
        }
    }
    found
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_people_told_us_is_closed_to_others() {
    use std::os::unix::fs::PermissionsExt;
    let (web, mut site) = (browser(), Site::new(NOW));
    site.start(&web).await;
    let token = sign_in(&web, &site, "customer@portage.test", PASSWORD).await.unwrap();
    assert_eq!(store_card(&web, &site, &token).await.unwrap(), StatusCode::OK);
    let made = book(&web, &site, &token, "k", &draft("2027-02-11", "09:00")).await.unwrap();
    assert_eq!(made.status(), StatusCode::CREATED);
    let mails = site.data().join("mail");
    for _ in 0..300 {
        let letter = |e: std::io::Result<std::fs::DirEntry>| e.unwrap().path().extension().is_some_and(|x| x == "eml");
        if std::fs::read_dir(&mails).is_ok_and(|mut d| d.any(letter)) {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // Before any other command: each closes what it finds open, and says so.
    assert_eq!(open_to_others(&site.data()), Vec::<String>::new());
    assert!(!site.log_text().contains("could read people's data"), "made open, and closed later: {}", site.log_text());
    let copy = site.data().join("copy.db");
    assert!(site.run(&["backup", copy.to_str().unwrap()]).status.success());
    for made in
        ["portage.db", "portage.db-wal", "portage.db-shm", "mail", "keys", "simulators/braintree.jsonl", "copy.db"]
    {
        assert!(site.data().join(made).exists(), "{made}");
    }
    assert_eq!(open_to_others(&site.data()), Vec::<String>::new());
    assert!(site.stop());
    // An older version left them open: closed at the next start, and said.
    let loosen = |path: &Path, mode| std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    loosen(&site.data(), 0o755);
    loosen(&site.data().join("portage.db"), 0o644);
    loosen(&site.data().join("simulators/braintree.jsonl"), 0o640);
    site.start(&web).await;
    assert_eq!(open_to_others(&site.data()), Vec::<String>::new());
    assert!(site.log_text().contains("could read people's data until now"), "{}", site.log_text());
    assert!(site.stop());
}

/// A production database has no calendar: it says so wherever somebody looks, and then gets one.
#[test]
fn a_production_without_a_calendar_says_so() {
    for db in TestDb::both() {
        let site = production(Site::new(NOW).on_database(db.url().to_owned()));
        let text = stdout(&site.run(&["check-config", "--connect"]));
        assert!(
            text.contains("warning: the calendar is empty") && text.contains("portage calendar load FILE"),
            "{text}"
        );
        let mut server = site.spawn(&["serve"]);
        for _ in 0..400 {
            if site.log_text().contains("the calendar is empty") || server.ended(Duration::from_millis(25)).is_some() {
                break;
            }
        }
        assert!(site.log_text().contains("the calendar is empty, so no slot is offered"), "{}", site.log_text());
        // While it runs.
        // (Its dates lie ahead whenever this test runs: production follows the machine's clock.)
        let example = std::fs::read_to_string(support::root().join("fixtures/calendar.toml")).unwrap();
        let example = example.replace("\n2027-", "\n2099-");
        let file = site.path().join("calendar.toml");
        std::fs::write(&file, &example).unwrap();
        let loaded = site.run(&["calendar", "load", file.to_str().unwrap()]);
        assert!(loaded.status.success(), "{}", stderr(&loaded));
        assert!(stdout(&loaded).contains("ottawa: a new week\n"), "{}", stdout(&loaded));
        assert!(stdout(&site.run(&["calendar", "load", file.to_str().unwrap()])).contains("ottawa: as it was\n"));
        assert!(server.stop());
        let text = stdout(&site.run(&["check-config", "--connect"]));
        assert!(text.contains("at these hubs, which have no calendar: ") && !text.contains("montreal"), "{text}");
        // What is shown can be loaded again.
        let shown = site.run(&["calendar", "show"]);
        let again = site.path().join("again.toml");
        std::fs::write(&again, &shown.stdout).unwrap();
        let loaded = stdout(&site.run(&["calendar", "load", again.to_str().unwrap()]));
        assert!(
            loaded.contains("montreal: as it was\n") && loaded.lines().all(|l| l.ends_with("as it was")),
            "{loaded}"
        );
        let days =
            stdout(&site.run(&["calendar", "show", "--hub", "montreal", "--from", "2099-06-30", "--to", "2099-07-02"]));
        assert!(days.contains("2099-07-01  Wed   0/48    0/8") && days.contains("a date of its own"), "{days}");
        // A mistake names its place, and nothing is changed.
        let wrong = example.replace("sunday = { closed = true }", "sunday = { mates = 3 }");
        std::fs::write(&again, wrong).unwrap();
        let refused = site.run(&["calendar", "load", again.to_str().unwrap()]);
        let text = stderr(&refused);
        assert!(
            !refused.status.success() && text.contains("hubs.ottawa.week.sunday: must say both mates and trucks"),
            "{text}"
        );
        assert_eq!(site.run(&["calendar", "show"]).stdout, shown.stdout);
    }
}
