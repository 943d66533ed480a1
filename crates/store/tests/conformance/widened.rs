//! A database of the version before, with what that version wrote, under this one.

use std::collections::{BTreeMap, HashSet};

use kernel::{BookingId, MateId, PartnerId, UserId};
use service::ports::{
    directory::{MateState, PartnerState},
    facts::PaymentState,
    identity::{Account, Credential, DESK_ISSUER, EMBEDDED_ISSUER, TokenHash, TokenPurpose},
    ledger::Account as LedgerAccount,
    lists::{Listing, Order, Span, Start},
    messages::{Channel, MessageState},
    words,
};
use status_machine::booking::Status;
use store::testing::TestDb;

use crate::{fixtures::*, schema::migrations};

on_both_engines!(
    a_database_of_the_version_before_is_brought_forward,
    who_was_written_down_becomes_somebody_by_a_verified_address,
);

/// The rows of each table, as many as there are, and what money there is.
fn counted(stranger: &mut Stranger) -> BTreeMap<String, String> {
    let tables = [
        "accounts",
        "profiles",
        "members",
        "discounts",
        "rates",
        "bookings",
        "booking_status_changes",
        "booking_revisions",
        "booking_crews",
        "crew_times",
        "holds",
        "cards",
        "payments",
        "payment_attempts",
        "tips",
        "ledger_entries",
        "ledger_lines",
        "messages",
        "audit_rows",
        "one_time_tokens",
        "machine_clients",
        "checkouts",
    ];
    let mut told: BTreeMap<String, String> = tables
        .iter()
        .map(|t| {
            let many = stranger.texts(&format!("SELECT CAST(COUNT(*) AS TEXT) AS text FROM {t}")).remove(0);
            assert_ne!(many, "0", "the file has rows of {t}");
            ((*t).to_owned(), many)
        })
        .collect();
    let sums = "SELECT account || ' ' || SUM(amount_cents) AS text FROM ledger_lines GROUP BY account ORDER BY account";
    told.insert("ledger".to_owned(), stranger.texts(sums).join(", "));
    let order = "SELECT CAST(entry_id AS TEXT) || ' ' || position || ' ' || amount_cents AS text FROM ledger_lines \
                 ORDER BY CAST(entry_id AS TEXT), position";
    told.insert("lines".to_owned(), stranger.texts(order).join(", "));
    let payments = "SELECT seq || ' ' || CAST(id AS TEXT) || ' ' || state || ' ' || amount_cents AS text FROM payments ORDER BY seq";
    told.insert("money".to_owned(), stranger.texts(payments).join(", "));
    told
}

async fn a_database_of_the_version_before_is_brought_forward(db: TestDb) {
    let fresh = store::schema_dump(db.url()).unwrap();
    db.write_as_the_version_before();
    let mut stranger = Stranger::at(db.url());
    let before = counted(&mut stranger);
    assert!(store::inspect(db.url()).is_err(), "it is of an older version");
    let folders = std::fs::read_dir(migrations().join(db.store().engine())).unwrap();
    let since = folders.filter(|f| f.as_ref().unwrap().file_name().to_str().unwrap() >= "20261122000300").count();
    assert_eq!(store::migrate(db.url()).unwrap().len(), since);
    assert_eq!(store::schema_dump(db.url()).unwrap(), fresh, "the schema is that of a new database");
    assert_eq!(counted(&mut stranger), before, "no row is lost, and no cent");
    let db = db.reopened();

    // Every booking is read, in every status, with all that belongs to it.
    let ids = stranger.texts("SELECT CAST(id AS TEXT) AS text FROM bookings ORDER BY id");
    let mut statuses = HashSet::new();
    for id in &ids {
        let id = BookingId(id.parse().unwrap());
        let (b, facts, rows, messages, crew) = read(&db, move |u| {
            let b = u.bookings().get(id)?.unwrap();
            u.booking_history().status_history(id)?;
            u.booking_history().revisions(id)?;
            u.ledger().of_booking(id)?;
            u.tips().of_booking(id)?;
            for p in u.payments().of_booking(id)? {
                u.payments().attempts_of(p.id)?;
            }
            let facts = u.bookings().facts(id)?.unwrap();
            Ok((b, facts, u.payments().of_booking(id)?, u.messages().of_booking(id)?, u.crews().of_booking(id)?))
        })
        .await;
        // What the statement of the migration says is what the program says from now on.
        assert_eq!(facts.payment_state, PaymentState::of(b.total, b.details.payment_problem, &rows), "{}", b.short_id);
        assert_eq!(facts.crew_size, u32::try_from(crew.len()).unwrap());
        statuses.insert(b.status);
        assert!(b.details.extra_services.is_empty() && b.details.assembly.is_none());
        assert_eq!(
            (b.details.rooms, b.details.pickup.category.as_str()),
            (service::ports::rooms::Rooms::default(), "")
        );
        for m in messages {
            let counted = i32::from(m.state == MessageState::Sent);
            assert_eq!((m.channel(), m.attempts, m.text, m.provider_id), (Channel::Email, counted, None, None));
        }
    }
    assert!(Status::ALL.iter().all(|s| statuses.contains(s)), "{statuses:?}");
    let states = stranger.texts("SELECT DISTINCT payment_state AS text FROM booking_facts ORDER BY payment_state");
    assert_eq!(states.len(), PaymentState::ALL.len(), "{states:?}");
    let all = Listing { statuses: Status::ALL.to_vec(), ..Listing::default() };
    let listed = read(&db, move |u| u.bookings().listed(&all, Start::First(Order::CreatedAt), 1_000)).await;
    assert_eq!(listed.data.len(), ids.len());
    // Each is found by its words, and by what lists filter by.
    for b in listed.data {
        let by_words = Listing {
            statuses: vec![b.status],
            words: words::search_words(&format!("{} {}", b.short_id, b.details.pickup.address.city)),
            days: Span { least: Some(b.move_date), most: Some(b.move_date) },
            hub: Some(b.hub.clone()),
            province: Some(b.province),
            kinds: vec![b.move_kind],
            ..Listing::default()
        };
        let found = read(&db, move |u| u.bookings().listed(&by_words, Start::First(Order::MoveAt), 9)).await;
        assert_eq!(found.data, [b]);
    }
    let wordless = "SELECT CAST(COUNT(*) AS TEXT) AS text FROM booking_facts WHERE words_version = 0";
    assert_eq!(stranger.texts(wordless), ["0"]);
    assert_eq!(read(&db, |u| u.ledger().unbalanced()).await, []);
    let balances = read(&db, |u| u.ledger().balances("2100-01-01T00:00:00Z".parse().unwrap())).await;
    assert!(balances.iter().any(|(a, m)| *a == LedgerAccount::Gateway && m.is_positive()));
    assert_eq!(balances.iter().map(|(_, m)| m.cents()).sum::<i64>(), 0);

    // A change of an old booking keeps it as it was.
    let id = BookingId(ids[0].parse().unwrap());
    let old = read(&db, move |u| u.bookings().get(id)).await.unwrap();
    let (copy, version) = (old.clone(), old.version);
    write(&db, move |u| u.bookings().update(&copy, version)).await;
    assert_eq!(read(&db, move |u| u.booking_history().at_version(id, version)).await, Some(old));

    people_are_known(&db, &mut stranger).await;
    if db.store().engine() == "sqlite" {
        assert_eq!(stranger.texts("SELECT integrity_check AS text FROM pragma_integrity_check"), ["ok"]);
        assert_eq!(stranger.texts("SELECT \"table\" AS text FROM pragma_foreign_key_check"), Vec::<String>::new());
    }
    for refused in
        ["UPDATE ledger_lines SET amount_cents = 6", "DELETE FROM ledger_lines", "DELETE FROM ledger_entries"]
    {
        assert!(stranger.run(refused).unwrap_err().to_string().contains("append only"), "{refused}");
    }
}

/// Mates, partners, members and links of before.
async fn people_are_known(db: &TestDb, stranger: &mut Stranger) {
    let known = "SELECT CAST(id AS TEXT) AS text FROM mates ORDER BY id";
    let named = "SELECT CAST(mate_id AS TEXT) AS text FROM (SELECT mate_id FROM members UNION SELECT mate_id FROM booking_crews) n \
                 WHERE mate_id IS NOT NULL ORDER BY mate_id";
    assert_eq!(stranger.texts(known), stranger.texts(named));
    let gone = MateId("0190aaaa-0000-7000-8000-000000000003".parse().unwrap());
    let gone = read(db, move |u| u.directory().mate(gone)).await.unwrap();
    assert_eq!((gone.name.as_str(), *gone.state, gone.email.as_str()), ("Gone Tremblay", MateState::Archived, ""));
    for mate in read(db, |u| u.crews().mates()).await {
        let record = read(db, move |u| u.directory().mate(mate.id)).await.unwrap();
        assert_eq!((record.name, *record.state, record.version), (mate.name, MateState::Active, 1));
    }
    let partner = |n: u8| {
        let id = PartnerId(format!("0190aaaa-0000-7000-8000-00000000000{n}").parse().unwrap());
        read(db, move |u| u.directory().partner(id))
    };
    let (north, other) = (partner(1).await.unwrap(), partner(2).await.unwrap());
    assert_eq!(
        (north.name.as_str(), *north.state, other.name.as_str()),
        ("Entrepôt Nord 仓库", PartnerState::Active, "")
    );
    let versions =
        "SELECT DISTINCT CAST(version AS TEXT) AS text FROM members UNION SELECT CAST(version AS TEXT) FROM discounts";
    assert_eq!(stranger.texts(versions), ["1"]);
    let link = read(db, |u| u.one_time_tokens().get(&TokenHash("c".repeat(64)))).await.unwrap();
    assert_eq!((link.purpose, link.booking_id, link.spent_at.is_some()), (TokenPurpose::ResetPassword, None, true));
}

/// Staff wrote somebody down; who later shows the same address to be theirs takes that over, and nobody else.
async fn who_was_written_down_becomes_somebody_by_a_verified_address(db: TestDb) {
    let person = |issuer: &str, email: &str, verified| {
        let id = UserId(uuid());
        let email = Some(email.parse().unwrap());
        Account { issuer: issuer.to_owned(), email, email_verified: verified, ..account(id) }
    };
    let desk = person(DESK_ISSUER, "Zoe@portage.test", false);
    let second = person(DESK_ISSUER, "zoe@portage.test", true);
    let other = person(EMBEDDED_ISSUER, "other@portage.test", true);
    let claims = person(EMBEDDED_ISSUER, "zoe@portage.test", false);
    let shown = person(EMBEDDED_ISSUER, "zoe@Portage.test", true);
    let all = [desk.clone(), second.clone(), other.clone(), claims.clone(), shown.clone()];
    write(&db, move |u| all.iter().try_for_each(|a| u.accounts().insert(a).map(drop))).await;
    let id = desk.id;
    let secret = Credential {
        user_id: id,
        email_key: "zoe@portage.test".to_owned(),
        password_hash: "$argon2id$".to_owned(),
        password_changed_at: t0(),
    };
    assert!(try_write(&db, move |u| u.accounts().insert_credential(&secret)).await.is_err(), "it has no password");
    let mut stranger = Stranger::at(db.url());
    let mut merge = |from: UserId, into: UserId| {
        stranger.run(&format!(
            "UPDATE accounts SET merged_into = '{into}', merged_at = '2027-02-01 15:01:00.000000' WHERE id = '{from}'"
        ))
    };
    for (from, into) in [(id, other.id), (id, claims.id), (id, second.id), (id, id), (claims.id, shown.id)] {
        assert!(merge(from, into).is_err(), "{from} into {into}");
    }
    let at = t0() + kernel::chrono::Duration::minutes(1);
    let (wrong, right) = (other.id, shown.id);
    assert!(try_write(&db, move |u| u.accounts().set_merged(id, wrong, at)).await.is_err());
    write(&db, move |u| u.accounts().set_merged(id, right, at)).await;
    assert!(merge(id, other.id).is_err(), "that is not taken back");
    let merged = read(&db, move |u| u.accounts().get(id)).await.unwrap().merged.unwrap();
    assert_eq!(merged.0, shown.id);
    let mut born = person(DESK_ISSUER, "zoe@portage.test", false);
    born.merged = Some((shown.id, t0()));
    assert!(try_write(&db, move |u| u.accounts().insert(&born)).await.is_err());
}
