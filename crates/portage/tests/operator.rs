//! What an operator types in the wrong folder, as the wrong account, with a slip of the keyboard or on a full disk,
//! and what the program says to it.

use std::{
    fs,
    path::PathBuf,
    process::{Command, Output},
    time::Duration,
};

use crate::support::{
    customer::{browser, sign_in},
    root,
    server::{Site, production},
};
use reqwest::Client;
use serde_json::{Value, json};
use store::testing::{Cluster, TestDb};

const NOW: &str = "2027-02-01T13:00:00Z";

fn output_text(out: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr))
}

async fn text(web: &Client, url: String) -> String {
    web.get(url).send().await.unwrap().text().await.unwrap()
}

async fn verbose(web: &Client, site: &Site) -> Value {
    let told = text(web, site.url("/readyz?verbose")).await;
    serde_json::from_str(&told).unwrap_or_else(|e| panic!("{e}: {told}"))
}

/// `problems` of `/readyz?verbose`, on one line.
fn problems(verbose: &Value) -> String {
    let list = verbose["details"]["problems"].as_array().unwrap_or_else(|| panic!("no problems in {verbose}"));
    list.iter().map(|p| p.as_str().unwrap()).collect::<Vec<_>>().join(" | ")
}

async fn until(what: &str, mut done: impl AsyncFnMut() -> bool) {
    for _ in 0..200 {
        if done().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("{what} did not happen");
}

/// Commands that work on a database, with arguments that are understood.
const ON_A_DATABASE: &[&[&str]] = &[
    &["ops", "add", "--email", "a@b.ca", "--first-name", "A", "--last-name", "B", "--admin"],
    &["ops", "remove", "--email", "a@b.ca"],
    &["accounts", "disable", "--email", "a@b.ca"],
    &["accounts", "enable", "--email", "a@b.ca"],
    &["rates", "show"],
    &["calendar", "show"],
    &["jobs", "list"],
    &["jobs", "retry", "01a3953e-8700-71ab-ab13-e36eba9797ed"],
    &["jobs", "drop", "01a3953e-8700-71ab-ab13-e36eba9797ed"],
    &["reconcile"],
    &["backup", "copy.db"],
];

#[test]
fn in_the_wrong_folder_nothing_is_made_and_the_place_is_told() {
    let demo = Site::new(NOW);
    let company = production(Site::new(NOW));
    let adopt: &[&str] = &["adopt"];
    let commands = ON_A_DATABASE.iter().map(|c| (&demo, *c)).chain([(&company, adopt)]);
    for (site, command) in commands {
        let out = site.run(command);
        let words = output_text(&out);
        // Of gateway and database nothing is known then.
        let code = if ["reconcile", "adopt"].contains(&command[0]) { 2 } else { 1 };
        assert_eq!(out.status.code(), Some(code), "{command:?}: {words}");
        let place = site.data().join("portage.db");
        for part in [&*place.to_string_lossy(), "no settings file was found", "--config", "portage migrate"] {
            assert!(words.contains(part), "{command:?}: {part} is not in {words}");
        }
        assert!(!site.data().exists(), "{command:?} made something");
    }
    assert_eq!(demo.spawn(&["worker"]).ended(Duration::from_secs(20)), Some(false));
    assert!(!demo.data().exists(), "a worker made something");
    // Those that make one by nature, and then all is well.
    assert!(demo.run(&["migrate"]).status.success());
    assert!(demo.run(&["jobs", "list"]).status.success());
    // An empty file is no database, and does not become one.
    let empty = Site::new(NOW);
    fs::create_dir(empty.data()).unwrap();
    fs::write(empty.data().join("portage.db"), "").unwrap();
    assert!(output_text(&empty.run(&["rates", "show"])).contains("there is no database at"));
    assert_eq!(fs::metadata(empty.data().join("portage.db")).unwrap().len(), 0);
    let seeded = Site::new(NOW);
    assert!(seeded.run(&["seed", "--demo"]).status.success());
}

#[test]
fn the_settings_file_is_named_by_whoever_reads_it() {
    let site = Site::new(NOW);
    let words = output_text(&site.run(&["check-config"]));
    assert!(words.contains("no settings file was found") && words.contains("/etc/portage/portage.toml"), "{words}");
    assert!(!site.data().exists(), "a look makes nothing");
    let file = site.path().join("portage.toml");
    fs::write(&file, "company_name = \"Roy\"\n").unwrap();
    let words = output_text(&site.run(&["check-config"]));
    assert!(words.contains(&*file.to_string_lossy()) && !words.contains("no variable is set"), "{words}");
    // Another one, from any folder.
    let elsewhere = Site::new(NOW);
    let named = elsewhere.run(&["check-config", "--config", file.to_str().unwrap()]);
    assert!(named.status.success() && output_text(&named).contains("Roy"), "{}", output_text(&named));
    let missing = elsewhere.run(&["jobs", "list", "--config", "nowhere.toml"]);
    assert!(!missing.status.success() && output_text(&missing).contains("nowhere.toml"), "{}", output_text(&missing));
    let words = output_text(&elsewhere.run(&["jobs", "list", "--config", file.to_str().unwrap()]));
    assert!(words.contains(&format!("settings were read from {}", file.display())), "{words}");
}

/// Whether this test is root, which it must be for some of what follows.
fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|o| String::from_utf8_lossy(&o.stdout).trim() == "0")
}

#[cfg(unix)]
#[test]
fn root_leaves_nothing_in_the_folder_of_another_account() {
    use std::os::unix::fs::{MetadataExt as _, chown};
    const SOMEBODY: u32 = 65_534;
    if !is_root() {
        return;
    }
    let site = Site::new(NOW);
    assert!(site.run(&["seed", "--demo"]).status.success());
    let mut all = vec![site.data()];
    let mut next = vec![site.data()];
    while let Some(folder) = next.pop() {
        for entry in fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
            next.extend(entry.is_dir().then(|| entry.clone()));
            all.push(entry);
        }
    }
    all.iter().for_each(|path| chown(path, Some(SOMEBODY), Some(SOMEBODY)).unwrap());
    let copy = site.path().join("copy.db");
    let more: [&[&str]; 4] =
        [&["migrate"], &["seed", "--demo"], &["check-config"], &["backup", copy.to_str().unwrap()]];
    for command in ON_A_DATABASE.iter().chain(&more) {
        let out = site.run(command);
        let words = output_text(&out);
        assert_eq!(out.status.code(), Some(1), "{command:?}: {words}");
        assert!(words.contains("this is root") && words.contains("sudo -u"), "{command:?}: {words}");
    }
    for command in ["serve", "worker"] {
        assert_eq!(site.spawn(&[command]).ended(Duration::from_secs(20)), Some(false), "{command}");
    }
    assert!(!copy.exists());
    let (mut now, mut next) = (0, vec![site.data()]);
    while let Some(folder) = next.pop() {
        for path in fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
            now += 1;
            assert_eq!(fs::metadata(&path).unwrap().uid(), SOMEBODY, "{}", path.display());
            next.extend(path.is_dir().then_some(path));
        }
    }
    assert_eq!(now + 1, all.len(), "nothing was made");
}

/// Every figure that an alarm looks at is there before anything has happened: one that appears with its first event
/// has no increase.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_figure_of_an_alarm_is_there_from_the_start() {
    let (web, mut site) = (browser(), Site::new(NOW).with("PORTAGE_LOG", "info"));
    site.start(&web).await;
    let figures = text(&web, site.url("/metrics")).await;
    let alerts = fs::read_to_string(root().join("deploy/alerts.yml")).unwrap();
    let expressions: Vec<&str> = alerts.lines().filter_map(|l| l.trim().strip_prefix("expr: ")).collect();
    assert!(expressions.len() > 12, "{expressions:?}");
    for expression in &expressions {
        let words = expression.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        for figure in words.filter(|w| w.starts_with("portage_")) {
            let there = figures.lines().any(|l| l.starts_with(figure) && l[figure.len()..].starts_with(['{', ' ']));
            assert!(there, "{figure} of {expression} is not in\n{figures}");
        }
    }
    for counter in [
        "portage_mails_total{result=\"refused\"} 0",
        "portage_gateway_calls_total{operation=\"charge\",result=\"unknown\"} 0",
        "portage_gateway_calls_total{operation=\"refund\",result=\"failed\"} 0",
        "portage_maps_calls_total{operation=\"route\",result=\"failed\"} 0",
        "portage_job_loops_restarted_total{lane=\"money\"} 0",
        "portage_http_server_errors_total{status=\"500\"} 0",
        "portage_database_up 1",
        "portage_last_backup_timestamp_seconds 0",
        "portage_disk_free_bytes{of=\"data\"}",
        "portage_clock_ahead_seconds 0",
    ] {
        assert!(figures.contains(counter), "{counter} is not in\n{figures}");
    }
    let copy = site.path().join("copy.db");
    let made = site.run(&["backup", copy.to_str().unwrap()]);
    assert!(made.status.success(), "{}", output_text(&made));
    let figures = text(&web, site.url("/metrics")).await;
    let since = figures.lines().find_map(|l| l.strip_prefix("portage_last_backup_timestamp_seconds "));
    assert!(since.unwrap().parse::<f64>().unwrap() > 1.7e9, "{since:?}");
    // The end is told, and the database is one file.
    sign_in(&web, &site, "customer@portage.test", "portage-demo-2027").await.unwrap();
    assert!(site.stop());
    assert!(site.log_text().lines().last().unwrap().ends_with("stopped"), "{}", site.log_text());
    let log = fs::metadata(site.data().join("portage.db-wal")).map_or(0, |m| m.len());
    assert_eq!(log, 0, "what was written is in the file");
}

/// promtool's own word, where it is installed.
#[test]
fn the_alert_rules_are_rules() {
    let file = root().join("deploy/alerts.yml");
    match Command::new("promtool").args(["check", "rules"]).arg(&file).output() {
        Ok(out) => assert!(out.status.success(), "{}", output_text(&out)),
        // Each rule has its parts, each on a line of its own.
        Err(_) => {
            let rules = fs::read_to_string(file).unwrap();
            let count = |part: &str| rules.lines().filter(|l| l.trim().starts_with(part)).count();
            let all = count("- alert: ");
            assert_eq!([count("expr: "), count("severity: "), count("summary: ")], [all; 3]);
            for expression in rules.lines().filter_map(|l| l.trim().strip_prefix("expr: ")) {
                for (open, close) in [('(', ')'), ('[', ']'), ('{', '}')] {
                    assert_eq!(expression.matches(open).count(), expression.matches(close).count(), "{expression}");
                }
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_database_is_away_figures_go_on_and_the_reason_is_told() {
    let cluster = Cluster::new().unwrap();
    let (web, mut site) = (browser(), Site::new(NOW).on_database(cluster.url("postgres")));
    site.start(&web).await;
    assert!(text(&web, site.url("/metrics")).await.contains("portage_database_up 1"));
    cluster.stop().unwrap();
    let answer = web.get(site.url("/metrics")).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    let figures = answer.text().await.unwrap();
    for wanted in ["portage_database_up 0", "process_threads ", "portage_mail_paused 0", "portage_jobs_dead NaN"] {
        assert!(figures.contains(wanted), "{wanted} is not in\n{figures}");
    }
    let answer = web.get(site.url("/readyz?verbose")).send().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.headers().contains_key("retry-after")), (503, true));
    let words = problems(&answer.json().await.unwrap());
    assert!(words.contains("the database does not answer: ") && words.contains("connection to server"), "{words}");
    // Whoever comes through the proxy is told nothing of it.
    let proxied = web.get(site.url("/readyz?verbose")).header("x-forwarded-for", "198.51.100.7").send().await.unwrap();
    assert!(proxied.status() == 503 && !proxied.text().await.unwrap().contains("connection"));
    cluster.start().unwrap();
    until("the return", async || text(&web, site.url("/metrics")).await.contains("portage_database_up 1")).await;
    assert!(site.stop());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_clock_that_differs_from_the_databases_is_told() {
    let cluster = Cluster::new().unwrap();
    // The database's clock is wrong by 40 s, for everybody who asks it.
    cluster
        .say(
            "CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS \
             $$ SELECT pg_catalog.clock_timestamp() + interval '40 s' $$; \
             ALTER DATABASE postgres SET search_path = public, pg_catalog",
        )
        .unwrap();
    let (web, mut site) = (browser(), Site::new(NOW).on_database(cluster.url("postgres")));
    site.start(&web).await;
    until("the warning", async || site.log_text().contains("s behind the database's")).await;
    let ready = verbose(&web, &site).await;
    assert!(problems(&ready).contains("the clock of this machine is 40 s behind the database's"), "{ready}");
    let figures = text(&web, site.url("/metrics")).await;
    let ahead = figures.lines().find_map(|l| l.strip_prefix("portage_clock_ahead_seconds ")).unwrap();
    assert!((ahead.parse::<f64>().unwrap() + 40.0).abs() < 2.0, "{ahead}");
    let words = output_text(&site.run(&["check-config", "--connect"]));
    assert!(words.contains("40 s behind the database's"), "{words}");
    cluster.say("DROP FUNCTION public.clock_timestamp()").unwrap();
    let ready = verbose(&web, &site).await;
    assert!(!problems(&ready).contains("clock"), "{ready}");
    assert!(site.stop());
}

/// A file system of a few megabytes; none where this account may not make one.
struct Small(PathBuf);

impl Small {
    fn new(folder: PathBuf) -> Option<Small> {
        fs::create_dir_all(&folder).unwrap();
        let mounted = Command::new("mount").args(["-t", "tmpfs", "-o", "size=12m", "tmpfs"]).arg(&folder).output();
        mounted.is_ok_and(|o| o.status.success()).then_some(Small(folder))
    }

    /// Takes all room but so many kilobytes.
    fn fill(&self, left: u64) -> PathBuf {
        let file = self.0.join("filler");
        let mut size = 0;
        let chunk = vec![1_u8; 64 * 1024];
        let mut out = fs::File::create(&file).unwrap();
        while std::io::Write::write_all(&mut out, &chunk).is_ok() {
            size += chunk.len() as u64;
        }
        out.set_len(size.saturating_sub(left * 1024)).unwrap();
        file
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        drop(Command::new("umount").arg("-l").arg(&self.0).output());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_told_and_leaves_no_half_of_a_backup() {
    let (web, mut site) = (browser(), Site::new(NOW));
    let Some(disk) = Small::new(site.data()) else { return };
    site.start(&web).await;
    assert!(problems(&verbose(&web, &site).await).contains("little room on the disk"));
    let filler = disk.fill(0);
    let answer = web.get(site.url("/readyz")).send().await.unwrap();
    assert_eq!(answer.status(), 503, "nothing can be written");
    let words = problems(&verbose(&web, &site).await);
    assert!(words.contains("no space left"), "{words}");
    assert!(text(&web, site.url("/metrics")).await.contains("portage_database_up 0"));
    // A backup elsewhere has room; one on the same disk has none.
    let refused = site.run(&["backup", site.data().join("copy.db").to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(output_text(&refused).contains("no space left on the disk of"), "{}", output_text(&refused));
    let left: Vec<_> = fs::read_dir(site.data()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("copy.db")), "{left:?}");
    fs::remove_file(filler).unwrap();
    until("room again", async || web.get(site.url("/readyz")).send().await.unwrap().status() == 200).await;
    assert!(site.stop());
    drop(disk);
}

#[test]
fn a_misspelt_line_of_the_file_is_a_mistake_and_a_misspelt_variable_a_warning() {
    let site = production(Site::new(NOW)).with("PORTAGE_JOB_LOPS", "4");
    let file = site.path().join("portage.toml");
    fs::write(&file, "compnay_name = \"Roy\"\n").unwrap();
    assert_eq!(site.spawn(&["serve"]).ended(Duration::from_secs(20)), Some(false));
    for command in ["check-config", "serve"] {
        let out = site.run(&[command]);
        let words = output_text(&out);
        assert_eq!(out.status.code(), Some(1), "{command}: {words}");
        let line = format!("compnay_name in {} is no setting; was company_name meant?", file.display());
        assert_eq!(words.matches(&line).count(), 1, "{command}: {words}");
        assert_eq!(words.matches("PORTAGE_JOB_LOPS is set").count(), 1, "{command}: {words}");
        assert!(!site.data().exists(), "{command} made something");
    }
    fs::write(&file, "company_name = \"Roy\"\n").unwrap();
    let out = site.run(&["check-config"]);
    assert!(out.status.success(), "a variable may be somebody else's: {}", output_text(&out));
}

#[test]
fn a_look_at_the_settings_calls_nobody_unless_it_is_asked_to() {
    let url = "postgres://u:hunter2@127.0.0.1:9/none";
    let site = production(Site::new(NOW)).with("PORTAGE_DATABASE_URL", url);
    let out = site.run(&["check-config"]);
    let words = output_text(&out);
    assert!(out.status.success() && words.contains("was not looked at: --connect does"), "{words}");
    for asked in [&["check-config", "--connect"][..], &["check-config", "--test-mail", "a@b.ca"]] {
        let out = site.run(asked);
        let words = output_text(&out);
        assert!(!out.status.success() && words.contains("tried:"), "{words}");
        assert_eq!(words.matches("PORTAGE_DATABASE_URL (postgres").count(), 1, "told once: {words}");
        assert!(!words.contains("hunter2"), "{words}");
    }
    // Where there is no relay, a test mail cannot be sent, and that is told.
    let out = Site::new(NOW).run(&["check-config", "--test-mail", "a@b.ca"]);
    assert!(!out.status.success() && output_text(&out).contains("PORTAGE_SMTP_URL"), "{}", output_text(&out));
}

#[test]
fn a_copy_that_waits_is_told_before_the_server_refuses() {
    let site = production(Site::new(NOW));
    assert!(site.run(&["migrate"]).status.success());
    let plain = output_text(&site.run(&["check-config"]));
    assert!(!plain.contains("portage adopt"), "{plain}");
    // As a server of another address left it.
    let moved = site.door().with("PORTAGE_PUBLIC_URL", "https://old.example");
    let mut server = moved.spawn(&["serve"]);
    for _ in 0..200 {
        if site.data().join("portage.address").exists() || server.ended(Duration::from_millis(50)).is_some() {
            break;
        }
    }
    assert!(server.stop());
    let words = output_text(&site.run(&["check-config"]));
    assert!(words.contains("another address than PORTAGE_PUBLIC_URL") && words.contains("portage adopt"), "{words}");
}

#[test]
fn every_wrong_field_of_a_rate_card_is_named() {
    let site = Site::new(NOW);
    assert!(site.run(&["migrate"]).status.success());
    let mut card: Value =
        serde_json::from_str(&fs::read_to_string(root().join("fixtures/rate-card.json")).unwrap()).unwrap();
    card["rates"]["default"]["km_fee"] = json!("1.10");
    card["rates"]["BC"]["kmfee"] = json!(110);
    card["duration"]["minimum_min"] = json!(-3);
    let file = site.path().join("card.json");
    fs::write(&file, card.to_string()).unwrap();
    let words = output_text(&site.run(&["rates", "load", file.to_str().unwrap()]));
    for place in ["rates.default.km_fee: ", "rates.BC.kmfee: ", "duration.minimum_min: ", "nothing was changed"] {
        assert_eq!(words.matches(place).count(), 1, "{place} in {words}");
    }
}

#[test]
fn dates_that_are_over_are_passed_over_aloud() {
    let site = Site::new(NOW);
    assert!(site.run(&["migrate"]).status.success());
    let file = site.path().join("calendar.toml");
    fs::write(
        &file,
        "[hubs.montreal.week]\nweekdays = { mates = 8, trucks = { 10ft = 1 } }\nweekend = { closed = true }\n\
         [hubs.montreal.dates]\n2026-12-25 = { closed = true }\n2027-01-01 = { closed = true }\n\
         2027-07-01 = { closed = true }\n",
    )
    .unwrap();
    for first in [true, false] {
        let words = output_text(&site.run(&["calendar", "load", file.to_str().unwrap()]));
        assert!(words.contains("2 dates: 2026-12-25, 2027-01-01"), "{words}");
        assert_eq!(words.contains("dates set: 2027-07-01"), first, "{words}");
    }
}

#[test]
fn a_newer_database_is_none_that_could_be_asked() {
    let db = TestDb::sqlite();
    let site = production(Site::new(NOW)).on_database(db.url().to_owned());
    db.execute("INSERT INTO __diesel_schema_migrations (version) VALUES ('20991231000100')");
    for command in ["adopt", "reconcile"] {
        let out = site.run(&[command]);
        assert_eq!(out.status.code(), Some(2), "{command}: {}", output_text(&out));
        assert!(output_text(&out).contains("belongs to a newer version"), "{}", output_text(&out));
    }
}
