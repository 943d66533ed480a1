//! A new program on the database of the version before: only a server and `portage migrate` bring it forward.

use std::{process::Output, time::Duration};

use crate::support::server::{Site, production};
use store::testing::TestDb;

const NOW: &str = "2027-02-01T13:00:00Z";

fn told(out: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr))
}

/// The newest migration counts as not run.
const TAKE_BACK: &str = "DELETE FROM __diesel_schema_migrations WHERE version = \
     (SELECT MAX(version) FROM __diesel_schema_migrations)";

fn is_refused(site: &Site, commands: &[&[&str]]) {
    for command in commands {
        let out = site.run(command);
        let words = told(&out);
        assert!(!out.status.success(), "{command:?}: {words}");
        for part in ["is of an older version", "a backup with the program of before", "portage migrate"] {
            assert!(words.contains(part), "{command:?}: {part} is not in {words}");
        }
    }
    assert_eq!(site.spawn(&["worker"]).ended(Duration::from_secs(20)), Some(false));
}

const COMMANDS: &[&[&str]] = &[
    &["rates", "show"],
    &["calendar", "show"],
    &["jobs", "list"],
    &["ops", "add", "--email", "a@b.ca", "--first-name", "A", "--last-name", "B", "--admin"],
    &["accounts", "disable", "--email", "a@b.ca"],
    &["reconcile"],
];

#[test]
fn only_a_server_and_migrate_bring_an_older_file_forward() {
    let db = TestDb::sqlite();
    db.execute(TAKE_BACK);
    let site = Site::new(NOW).on_database(db.url().to_owned());
    is_refused(&site, COMMANDS);
    let company = production(Site::new(NOW)).on_database(db.url().to_owned());
    is_refused(&company, &[&["adopt"]]);
    // A copy is one of the older version, which the program of before can be put back on.
    let copy = site.path().join("before.db");
    let made = site.run(&["backup", copy.to_str().unwrap()]);
    assert!(made.status.success(), "{}", told(&made));
    let restored = Site::new(NOW).on_database(copy.to_str().unwrap().to_owned());
    is_refused(&restored, COMMANDS);
    let looked = told(&site.run(&["check-config"]));
    assert!(looked.contains("is of an older version"), "a look changes nothing, and nothing did before: {looked}");
}

#[test]
fn migrate_brings_what_the_version_before_wrote_forward() {
    for db in TestDb::both() {
        db.write_as_the_version_before();
        let site = Site::new(NOW).on_database(db.url().to_owned());
        is_refused(&site, &COMMANDS[..2]);
        let made = site.run(&["migrate"]);
        let words = told(&made);
        assert!(made.status.success() && words.contains("20261122000300"), "{words}");
        for command in &COMMANDS[..3] {
            let out = site.run(command);
            assert!(out.status.success(), "{command:?}: {}", told(&out));
        }
        let again = site.run(&["migrate"]);
        assert!(again.status.success() && !told(&again).contains("20261122000300"), "{}", told(&again));
    }
}

#[test]
fn a_copy_of_a_file_that_does_not_say_whose_it_is_is_made_too() {
    let db = TestDb::sqlite();
    db.execute(TAKE_BACK);
    db.execute("DROP TABLE installation");
    let site = Site::new(NOW).on_database(db.url().to_owned());
    let copy = site.path().join("before.db");
    let made = site.run(&["backup", copy.to_str().unwrap()]);
    assert!(made.status.success() && copy.is_file(), "{}", told(&made));
}

#[test]
fn an_older_database_on_a_server_is_left_as_it_is() {
    let db = TestDb::postgres();
    db.execute(TAKE_BACK);
    let site = Site::new(NOW).on_database(db.url().to_owned());
    is_refused(&site, &COMMANDS[..2]);
    let words = told(&site.run(&["check-config", "--connect"]));
    assert!(words.contains("is of an older version"), "{words}");
}
