//! Migrations, constraints and triggers, past all repositories.

use std::path::PathBuf;

use kernel::{AuditId, EntryId, TipId};
use service::ports::{
    StoreError,
    audit::AuditRow,
    history::StatusChange,
    ledger::{Account, Entry, EntryLine},
    tips::{Tip, TipKind},
};
use status_machine::booking::Status;
use store::{OpenError, testing::TestDb};

use crate::fixtures::*;

on_both_engines!(
    migrations_make_the_schema_from_nothing,
    the_schema_is_the_one_on_record,
    two_processes_may_migrate_at_once,
    every_foreign_key_has_its_index,
    a_database_of_a_newer_version_is_refused,
    a_database_is_looked_at_without_a_change,
    what_is_posted_stays_posted,
    a_lone_line_is_told,
    bad_rows_name_table_column_and_row,
    what_a_booking_says_in_unknown_words_is_told,
    tips_and_roles_in_unknown_words_are_told,
    no_capacity_beyond_the_total_whoever_writes,
);

async fn migrations_make_the_schema_from_nothing(db: TestDb) {
    let before = store::schema_dump(db.url()).unwrap();
    assert!(before.contains("capacity_buckets") && before.lines().count() > 100);
    db.empty();
    assert_eq!(store::schema_dump(db.url()).unwrap(), "", "nothing is left behind");
    let folders = std::fs::read_dir(migrations().join(db.store().engine())).unwrap().count();
    assert_eq!(store::migrate(db.url()).unwrap().len(), folders);
    assert_eq!(store::schema_dump(db.url()).unwrap(), before);
    assert_eq!(store::migrate(db.url()).unwrap(), Vec::<String>::new());
}

/// The dump on record is what a reviewer reads: `PORTAGE_UPDATE_SCHEMA=1` writes it anew.
async fn the_schema_is_the_one_on_record(db: TestDb) {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../schema/{}.txt", db.store().engine()));
    let dump = store::schema_dump(db.url()).unwrap();
    if std::env::var_os("PORTAGE_UPDATE_SCHEMA").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, &dump).unwrap();
    }
    let on_record = std::fs::read_to_string(&file).unwrap();
    let lines = |text: &str, other: &str| -> Vec<String> {
        text.lines().filter(|line| !other.lines().any(|o| o == *line)).map(str::to_owned).collect()
    };
    assert!(
        on_record == dump,
        "{} is not the schema that the migrations make. Only there: {:#?}. Only made: {:#?}. If the change is meant: \
         PORTAGE_UPDATE_SCHEMA=1 cargo test -p conformance --test conformance the_schema_is_the_one_on_record",
        file.display(),
        lines(&on_record, &dump),
        lines(&dump, &on_record)
    );
}

async fn two_processes_may_migrate_at_once(db: TestDb) {
    db.empty();
    let migrate = || {
        let url = db.url().to_owned();
        std::thread::spawn(move || store::migrate(&url).unwrap().len())
    };
    let threads: Vec<_> = (0..4).map(|_| migrate()).collect();
    let mut done: Vec<usize> = threads.into_iter().map(|t| t.join().unwrap()).collect();
    done.sort_unstable();
    assert_eq!(done[..3], [0, 0, 0], "one of them migrates");
    assert!(done[3] > 0);
}

async fn every_foreign_key_has_its_index(db: TestDb) {
    let missing = match db.store().engine() {
        "sqlite" => {
            "SELECT m.name || '.' || f.\"from\" AS text FROM sqlite_schema m, pragma_foreign_key_list(m.name) f
             WHERE m.type = 'table' AND NOT EXISTS (
                 SELECT 1 FROM pragma_index_list(m.name) l, pragma_index_info(l.name) i WHERE i.seqno = 0 AND i.name = f.\"from\"
             )"
        }
        _ => {
            "SELECT c.conrelid::regclass || '.' || a.attname AS text FROM pg_constraint c
             JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
             WHERE c.contype = 'f' AND NOT EXISTS (
                 SELECT 1 FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1]
             )"
        }
    };
    assert_eq!(Stranger::at(db.url()).texts(missing), Vec::<String>::new());
}

async fn a_database_of_a_newer_version_is_refused(db: TestDb) {
    let before = store::schema_dump(db.url()).unwrap();
    let mut stranger = Stranger::at(db.url());
    stranger.run("INSERT INTO __diesel_schema_migrations (version) VALUES ('20991231000100')").unwrap();
    let told = [
        store::open(db.url(), store::Options::default()).err().unwrap(),
        store::migrate(db.url()).unwrap_err(),
        store::inspect(db.url()).err().unwrap(),
    ];
    for told in told {
        assert!(matches!(told, OpenError::Newer { .. }), "{told:?}");
        let text = told.to_string();
        assert!(text.contains("newer version of Portage") && text.contains("20991231000100"), "{text}");
    }
    assert_eq!(store::schema_dump(db.url()).unwrap(), before);
    stranger.run("DELETE FROM __diesel_schema_migrations WHERE version = '20991231000100'").unwrap();
    store::open(db.url(), store::Options::default()).unwrap();
}

async fn a_database_is_looked_at_without_a_change(db: TestDb) {
    booked(&db).await;
    let looked = store::inspect(db.url()).unwrap().unwrap();
    let many = looked.read(|u| u.jobs().figures(at(0))).await.unwrap();
    assert_eq!(many.dead, 0);
    drop(looked);
    let (mut stranger, made) = (Stranger::at(db.url()), store::schema_dump(db.url()).unwrap());
    stranger.run("DELETE FROM __diesel_schema_migrations WHERE version > '20261121000600'").unwrap();
    assert!(matches!(store::inspect(db.url()), Err(OpenError::Older { .. })), "what is there is of an older version");
    assert_eq!(store::schema_dump(db.url()).unwrap(), made, "and stays so");
    db.empty();
    let mut stranger = Stranger::at(db.url());
    assert!(store::inspect(db.url()).unwrap().is_none());
    assert!(stranger.run("SELECT version FROM __diesel_schema_migrations").is_err(), "nothing was made");
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("none.db");
    assert!(store::inspect(&nowhere.to_string_lossy()).unwrap().is_none());
    assert!(!nowhere.exists());
}

/// `CHECK (json_valid(x))` is NULL, not true, for NULL: SQLite lets that pass, and older tools call
/// the row damaged.
#[tokio::test]
async fn a_json_column_that_may_be_empty_says_so() {
    let db = TestDb::sqlite();
    let tables =
        Stranger::at(db.url()).texts("SELECT sql AS text FROM sqlite_schema WHERE type = 'table' AND sql IS NOT NULL");
    let lines = tables.iter().flat_map(|t| t.lines()).filter(|l| l.contains("json_valid"));
    let lines: Vec<&str> = lines.map(str::trim).collect();
    assert!(lines.len() > 10, "{lines:?}");
    for line in lines {
        let column = line.split_whitespace().next().unwrap();
        let allowed = format!("CHECK ({column} IS NULL OR json_valid({column}))");
        assert!(line.contains(" NOT NULL ") || line.contains(&allowed), "{line}");
    }
}

/// What was written before the tables were made anew is there afterwards.
#[tokio::test]
async fn the_trail_outlives_the_rebuilding_of_its_table() {
    let db = TestDb::sqlite();
    let mut stranger = Stranger::at(db.url());
    let down = std::fs::read_to_string(taken_back("sqlite/20261121000600_hostile_world.sql")).unwrap();
    let up = std::fs::read_to_string(migrations().join("sqlite/20261121000600_hostile_world/up.sql")).unwrap();
    stranger.run_all(&down).unwrap();
    stranger
        .run_all(
            "INSERT INTO audit_rows (id, at, role, action, subject_kind, subject_id, state_after) VALUES
             ('a', '2027', 'system', 'x', 'k', 'i', NULL), ('b', '2027', 'system', 'y', 'k', 'i', '{\"n\":1}')",
        )
        .unwrap();
    stranger.run_all(&up).unwrap();
    let rows = "SELECT seq || ' ' || id || ' ' || action || ' ' || COALESCE(state_after, '-') AS text FROM audit_rows ORDER BY seq";
    assert_eq!(stranger.texts(rows), ["1 a x -", "2 b y {\"n\":1}"]);
    assert!(stranger.run("DELETE FROM audit_rows").unwrap_err().to_string().contains("append only"));
    assert!(stranger.run("UPDATE audit_rows SET state_after = 'nonsense'").is_err());
    assert_eq!(stranger.texts("SELECT integrity_check AS text FROM pragma_integrity_check"), ["ok"]);
}

/// What takes one migration back, for the tests of that migration. No command does: the way back is the copy that was made.
pub fn taken_back(script: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../taken_back").join(script)
}

pub fn migrations() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../../migrations")
}

async fn what_is_posted_stays_posted(db: TestDb) {
    let made = booked(&db).await.id;
    let line = |account, n| EntryLine { account, amount: cents(n) };
    let lines = vec![line(Account::Gateway, 5), line(Account::Customer, -5)];
    let entry = Entry::new(EntryId(uuid()), made, None, t0(), "capture", "f".to_owned(), lines).unwrap();
    let audit = AuditRow {
        id: AuditId(uuid()),
        at: t0(),
        actor: None,
        role: Some(status_machine::Role::System),
        action: "a".to_owned(),
        subject_kind: "k".to_owned(),
        subject_id: "i".to_owned(),
        before: None,
        after: None,
        request_id: None,
    };
    let (e, a) = (entry.clone(), audit.clone());
    write(&db, move |u| {
        u.ledger().append(&e)?;
        u.audits().append(&a)
    })
    .await;
    let mut stranger = Stranger::at(db.url());
    for refused in [
        "UPDATE ledger_entries SET kind = 'x'",
        "DELETE FROM ledger_entries",
        "UPDATE ledger_lines SET amount_cents = 6",
        "DELETE FROM ledger_lines",
        "UPDATE audit_rows SET role = 'x'",
        "DELETE FROM audit_rows",
    ] {
        let told = stranger.run(refused).unwrap_err().to_string();
        assert!(told.contains("append only"), "{refused}: {told}");
    }
    if db.store().engine() == "postgres" {
        assert!(stranger.run("TRUNCATE audit_rows").is_err());
    }
    assert_eq!(read(&db, move |u| u.ledger().of_booking(made)).await, [entry]);
    assert_eq!(read(&db, |u| u.audits().of_subject("k", "i")).await, [audit]);
}

async fn a_lone_line_is_told(db: TestDb) {
    let made = booked(&db).await.id;
    let (lone, empty) = (EntryId(uuid()), EntryId(uuid()));
    let mut stranger = Stranger::at(db.url());
    for (id, fact) in [(lone, "a"), (empty, "b")] {
        let sql = format!(
            "INSERT INTO ledger_entries (id, booking_id, at, kind, fact_key) VALUES ('{id}', '{made}', '2027-02-01 15:00:00.000000', 'x', '{fact}')"
        );
        stranger.run(&sql).unwrap();
    }
    stranger
        .run(&format!(
            "INSERT INTO ledger_lines (entry_id, position, account, amount_cents) VALUES ('{lone}', 1, 'gst', 5)"
        ))
        .unwrap();
    assert_eq!(read(&db, |u| u.ledger().unbalanced()).await, [lone, empty]);
    // Both are read all the same, so that everything beside them can be.
    let read_as = read(&db, move |u| u.ledger().of_booking(made)).await;
    let told: Vec<(EntryId, i64, bool)> = read_as.iter().map(|e| (e.id, e.sum().cents(), e.is_balanced())).collect();
    assert_eq!(told, [(lone, 5, false), (empty, 0, false)]);
    let file = read(&db, move |u| u.books().files(&[made])).await.pop().unwrap();
    assert_eq!(file.entries, read_as);
    let day = |text: &str| text.parse::<chrono::DateTime<chrono::Utc>>().unwrap();
    let (from, until) = (day("2027-01-31T00:00:00Z"), day("2027-02-03T00:00:00Z"));
    assert_eq!(read(&db, move |u| u.books().unbalanced_between(from, until)).await, [made]);
    assert_eq!(read(&db, move |u| u.books().unbalanced_between(until, until + chrono::Duration::days(1))).await, []);
}

async fn bad_rows_name_table_column_and_row(db: TestDb) {
    let made = booked(&db).await.id;
    Stranger::at(db.url()).run("UPDATE bookings SET province = 'XX'").unwrap();
    let told = db.store().read(move |u| u.bookings().get(made)).await;
    let Err(StoreError::BadRow { table, column, row, .. }) = told else { panic!("{told:?}") };
    assert_eq!((table, column, row), ("bookings", "province", made.to_string()));
    Stranger::at(db.url()).run("UPDATE bookings SET province = 'QC', details = '{\"pickup\": 1}'").unwrap();
    let told = db.store().read(move |u| u.bookings().get(made)).await;
    assert!(matches!(told, Err(StoreError::BadRow { table: "bookings", column: "details", .. })), "{told:?}");
}

/// A word in the document of a booking that none of its types knows, and that it is read again with the right one.
async fn what_a_booking_says_in_unknown_words_is_told(db: TestDb) {
    let made = booked(&db).await;
    let id = made.id;
    let document = serde_json::to_string(&made.details).unwrap();
    let mut stranger = Stranger::at(db.url());
    let mut write_down =
        |text: &str| stranger.run(&format!("UPDATE bookings SET details = '{}'", text.replace('\'', "''"))).unwrap();
    for (right, wrong) in [
        (r#""cancelledBy":null"#, r#""cancelledBy":"nobody""#),
        (r#""quantity":"2.50""#, r#""quantity":"2,50""#),
        (r#""unitPrice":"118.00""#, r#""unitPrice":"118.005""#),
        (r#""multiplier":"1.00""#, r#""multiplier":"one""#),
        (r#""ownFactor":"1.00""#, r#""ownFactor":"""#),
    ] {
        assert!(document.contains(right), "{right}: {document}");
        write_down(&document.replace(right, wrong));
        let told = db.store().read(move |u| u.bookings().get(id)).await;
        let Err(StoreError::BadRow { table, column, row, .. }) = told else { panic!("{wrong}: {told:?}") };
        assert_eq!((table, column, row), ("bookings", "details", id.to_string()), "{wrong}");
    }
    write_down(&document);
    assert_eq!(read(&db, move |u| u.bookings().get(id)).await.unwrap().details, made.details);
}

async fn tips_and_roles_in_unknown_words_are_told(db: TestDb) {
    let made = booked(&db).await.id;
    let tip = Tip {
        id: TipId(uuid()),
        booking_id: made,
        kind: TipKind::Percent,
        value: "12.5".parse().unwrap(),
        amount: cents(6_250),
        is_paid: false,
        payment_id: None,
        version: 1,
        updated_at: t0(),
    };
    let (key, change) = (
        tip.id.to_string(),
        StatusChange { from: None, to: Status::Pending, actor: None, role: None, at: t0(), reason: None },
    );
    let (put, appended) = (tip.clone(), change.clone());
    write(&db, move |u| {
        u.tips().put(&put)?;
        u.booking_history().append_status(made, &appended)
    })
    .await;
    assert_eq!(read(&db, move |u| u.tips().of_booking(made)).await, Some(tip));
    assert_eq!(read(&db, move |u| u.booking_history().status_history(made)).await, [change], "a guest's");
    let mut stranger = Stranger::at(db.url());
    assert_eq!(stranger.texts("SELECT value AS text FROM tips"), ["12.5"]);
    assert_eq!(stranger.texts("SELECT role AS text FROM booking_status_changes"), ["guest"]);
    stranger.run("UPDATE tips SET value = '12,5'").unwrap();
    let told = db.store().read(move |u| u.tips().of_booking(made)).await;
    let Err(StoreError::BadRow { table, column, row, .. }) = told else { panic!("{told:?}") };
    assert_eq!((table, column, row), ("tips", "value", key));
    stranger.run("UPDATE booking_status_changes SET role = 'operator'").unwrap();
    let told = db.store().read(move |u| u.booking_history().status_history(made)).await;
    assert!(
        matches!(told, Err(StoreError::BadRow { table: "booking_status_changes", column: "role", .. })),
        "{told:?}"
    );
}

async fn no_capacity_beyond_the_total_whoever_writes(db: TestDb) {
    write(&db, |u| u.capacities().lock("montreal", &[key("2027-02-15", 20)]).map(drop)).await;
    let mut stranger = Stranger::at(db.url());
    for column in ["mates_used", "trucks_10_used", "trucks_20_used", "trucks_26_used"] {
        for n in [1, -1] {
            assert!(stranger.run(&format!("UPDATE capacity_buckets SET {column} = {n}")).is_err(), "{column} = {n}");
        }
    }
}
