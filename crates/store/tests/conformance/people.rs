//! Profiles, members, messages, the audit trail, and answers already given.

use kernel::{AuditId, BookingId, Language, MateId, MessageId, OpsMemberId, PartnerId, UserId};
use serde_json::json;
use service::ports::{
    StoreError,
    audit::AuditRow,
    crews::CrewMate,
    directory::{MateState, PartnerState},
    idempotency::StoredAnswer,
    identity::{MachineClient, TokenHash},
    members::{Member, MemberRole},
    messages::{HandedOver, Message, MessageState, Recipient, SentText},
    profiles::{BillingAddress, Profile},
};
use status_machine::At;
use store::testing::TestDb;

use crate::fixtures::*;

on_both_engines!(
    a_profile_is_written_by_who_read_it_last,
    a_member_is_found_by_address,
    a_member_is_changed_by_who_read_him_last,
    whoever_is_named_has_a_record,
    a_message_is_queued_once,
    what_became_of_a_message_is_kept,
    the_audit_trail_is_read_in_order,
    answers_are_kept_until_they_expire,
    of_two_requests_with_one_key_one_works,
);

async fn a_profile_is_written_by_who_read_it_last(db: TestDb) {
    let user = person(&db).await;
    let mut made = Profile {
        user_id: user,
        first_name: "Zoë".to_owned(),
        last_name: "O'Brien-李".to_owned(),
        email: "Zoe@portage.test".parse().unwrap(),
        phone: String::new(),
        gender: String::new(),
        occupation: "ébéniste".to_owned(),
        language: Language::Zh,
        billing_address: BillingAddress { city: "Trois-Rivières".to_owned(), ..BillingAddress::default() },
        gateway_customer_id: None,
        version: 1,
        updated_at: t0(),
    };
    let copy = made.clone();
    write(&db, move |u| u.profiles().insert(&copy)).await;
    let copy = made.clone();
    assert!(matches!(try_write(&db, move |u| u.profiles().insert(&copy)).await, Err(StoreError::Duplicate(_))));
    (made.gateway_customer_id, made.phone) = (Some("cus".to_owned()), "514 555-0100".to_owned());
    let copy = made.clone();
    made.version = write(&db, move |u| u.profiles().update(&copy, 1)).await;
    let copy = made.clone();
    assert!(matches!(try_write(&db, move |u| u.profiles().update(&copy, 1)).await, Err(StoreError::Stale)));
    assert_eq!(read(&db, move |u| u.profiles().get(user)).await, Some(made));
    assert_eq!(read(&db, |u| u.profiles().get(UserId(uuid()))).await, None);
}

async fn a_member_is_found_by_address(db: TestDb) {
    let member = |email: &str, role| Member {
        id: OpsMemberId(uuid()),
        email: email.parse().unwrap(),
        first_name: "Ève".to_owned(),
        last_name: "Roy".to_owned(),
        role,
        partner_id: Some(PartnerId(uuid())),
        mate_id: None,
        created_at: t0(),
        version: 1,
    };
    for role in [MemberRole::Ops, MemberRole::Admin, MemberRole::Partner, MemberRole::Mate] {
        let made = member(&format!("{}.X@portage.test", role.code()), role);
        let (copy, key) = (made.clone(), made.email.key());
        write(&db, move |u| u.members().insert(&copy)).await;
        assert_eq!(read(&db, move |u| u.members().by_email(&key)).await, Some(made));
    }
    let same = member("OPS.x@portage.test", MemberRole::Mate);
    let told = write(&db, move |u| Ok(matches!(u.members().insert(&same), Err(StoreError::Duplicate(_))))).await;
    assert!(told);
    assert_eq!(read(&db, |u| u.members().by_email("nobody@portage.test")).await, None);
    let gone =
        write(&db, |u| Ok((u.members().remove("ops.x@portage.test")?, u.members().remove("ops.x@portage.test")?)))
            .await;
    assert_eq!(gone, (true, false));
    assert_eq!(read(&db, |u| u.members().by_email("ops.x@portage.test")).await, None);
}

fn staff(email: &str, role: MemberRole) -> Member {
    Member {
        id: OpsMemberId(uuid()),
        email: email.parse().unwrap(),
        first_name: "Ève".to_owned(),
        last_name: "Roy".to_owned(),
        role,
        partner_id: None,
        mate_id: None,
        created_at: t0(),
        version: 1,
    }
}

async fn a_member_is_changed_by_who_read_him_last(db: TestDb) {
    let mut made = staff("eve@portage.test", MemberRole::Ops);
    let copy = made.clone();
    write(&db, move |u| u.members().insert(&copy)).await;
    // One person may be staff and a mate.
    (made.role, made.mate_id, made.last_name) = (MemberRole::Admin, Some(MateId(uuid())), "Roy-李".to_owned());
    let copy = made.clone();
    made.version = write(&db, move |u| u.members().update(&copy)).await;
    assert_eq!(made.version, 2);
    assert_eq!(read(&db, |u| u.members().by_email("eve@portage.test")).await.as_ref(), Some(&made));
    for stale in [Member { version: 1, ..made.clone() }, Member { id: OpsMemberId(uuid()), ..made.clone() }] {
        assert!(matches!(try_write(&db, move |u| u.members().update(&stale)).await, Err(StoreError::Stale)));
    }
    assert_eq!(read(&db, |u| u.members().by_email("eve@portage.test")).await, Some(made));
}

async fn whoever_is_named_has_a_record(db: TestDb) {
    let (mate, other, partner, machines) = (MateId(uuid()), MateId(uuid()), PartnerId(uuid()), PartnerId(uuid()));
    let named = [
        Member { mate_id: Some(mate), ..staff("mate@portage.test", MemberRole::Mate) },
        Member { partner_id: Some(partner), ..staff("partner@portage.test", MemberRole::Partner) },
        Member { partner_id: Some(partner), ..staff("second@portage.test", MemberRole::Partner) },
    ];
    let booking = booked(&db).await.id;
    write(&db, move |u| {
        named.iter().try_for_each(|m| u.members().insert(m))?;
        u.crews().put(booking, &CrewMate { mate: other, name: "Zoé 2".to_owned(), since: at(3) }, &[])?;
        u.machine_clients().insert(&MachineClient {
            client_id: "partner-a".to_owned(),
            secret_hash: TokenHash("a".to_owned()),
            partner_id: machines,
            name: "Entrepôt 仓库".to_owned(),
            created_at: at(1),
            disabled_at: None,
        })
    })
    .await;
    let (first, second) = read(&db, move |u| Ok((u.directory().mate(mate)?, u.directory().mate(other)?))).await;
    let (first, second) = (first.unwrap(), second.unwrap());
    let known = (first.name.as_str(), first.email.as_str(), *first.state, first.version, first.created_at);
    assert_eq!(known, ("Ève Roy", "mate@portage.test", MateState::Active, 1, t0()));
    assert_eq!((first.short_id().as_str(), second.short_id().as_str()), ("M-0001", "M-0002"));
    assert_eq!((second.name.as_str(), second.email.as_str(), second.created_at), ("Zoé 2", "", at(3)));
    assert_eq!((first.address, first.skills.len(), first.documents.len(), first.pay_rate), (None, 0, 0, None));
    let (one, two) = read(&db, move |u| Ok((u.directory().partner(partner)?, u.directory().partner(machines)?))).await;
    let (one, two) = (one.unwrap(), two.unwrap());
    assert_eq!((one.name.as_str(), *one.state, one.net_days), ("", PartnerState::Active, 30));
    assert_eq!((two.name.as_str(), two.rate_name, two.contacts.len()), ("Entrepôt 仓库", None, 0));
    assert!(one.short_id().starts_with("P-000") && one.number != two.number);
    assert_eq!(read(&db, |u| u.directory().mate(MateId(uuid()))).await, None);
    // Who is paused is not chosen.
    assert!(read(&db, |u| u.crews().mates()).await.iter().any(|m| m.id == mate));
    Stranger::at(db.url()).run("UPDATE mates SET state = 'paused'").unwrap();
    assert_eq!(read(&db, |u| u.crews().mates()).await, []);
}

fn message(dedup: &str, booking: Option<BookingId>, minutes: i64) -> Message {
    Message {
        id: MessageId(uuid()),
        dedup_key: dedup.to_owned(),
        booking_id: booking,
        user_id: None,
        message_type: "bookingConfirmation".to_owned(),
        language: Language::Fr,
        recipient: Recipient::Email("zoe@portage.test".parse().unwrap()),
        recipient_name: "Zoë".to_owned(),
        values: json!({ "total": "574,88 $", "名": "李" }),
        state: At::stored(MessageState::Queued),
        created_at: at(minutes),
        sent_at: None,
        attempts: 0,
        last_error: None,
        provider_id: None,
        text: None,
        segments: None,
        trouble: None,
    }
}

async fn a_message_is_queued_once(db: TestDb) {
    let made = booked(&db).await.id;
    let all = [message("b", Some(made), 2), message("a", Some(made), 1), message("c", None, 0)];
    let copy = all.clone();
    let added = write(&db, move |u| {
        let mut added = Vec::new();
        for m in copy.iter().chain([&message("a", Some(made), 9)]) {
            added.push(u.messages().insert_once(m)?);
        }
        Ok(added)
    })
    .await;
    assert_eq!(added, [true, true, true, false]);
    assert_eq!(read(&db, move |u| u.messages().of_booking(made)).await, [all[1].clone(), all[0].clone()]);
    let id = all[0].id;
    write(&db, move |u| u.messages().set_state(id, At::stored(MessageState::Queued), at(4))).await;
    assert_eq!(read(&db, move |u| u.messages().get(id)).await.as_ref(), Some(&all[0]));
    write(&db, move |u| u.messages().set_state(id, At::stored(MessageState::Sent), at(5))).await;
    let sent = read(&db, move |u| u.messages().get(id)).await.unwrap();
    assert_eq!(
        (*sent.state, sent.sent_at, sent.values),
        (MessageState::Sent, Some(at(5)), json!({})),
        "its values are forgotten"
    );
    write(&db, move |u| u.messages().set_state(id, At::stored(MessageState::Dead), at(6))).await;
    let dead = read(&db, move |u| u.messages().get(id)).await.unwrap();
    assert_eq!((*dead.state, dead.sent_at), (MessageState::Dead, None));
    let racers = (0..20).map(|_| {
        let same = message("race", None, 0);
        try_write(&db, move |u| u.messages().insert_once(&same))
    });
    let told = futures_util::future::join_all(racers).await;
    assert_eq!(told.into_iter().filter(|r| *r.as_ref().unwrap()).count(), 1);
}

async fn what_became_of_a_message_is_kept(db: TestDb) {
    let made = message("m", None, 0);
    let (id, copy) = (made.id, made.clone());
    write(&db, move |u| u.messages().insert_once(&copy)).await;
    let own = json!({ "ownWords": { "subject": "Réservation" } });
    let frozen = own.clone();
    assert!(write(&db, move |u| u.messages().handing_over(id, "在途", &frozen)).await);
    let asked = Message { last_error: Some("在途".to_owned()), values: own.clone(), ..made.clone() };
    assert_eq!(read(&db, move |u| u.messages().get(id)).await, Some(asked), "not counted before it is answered");
    let values = made.values.clone();
    write(&db, move |u| u.messages().not_taken(id, "450 later, 请稍后", &values)).await;
    let waits = Message { attempts: 1, last_error: Some("450 later, 请稍后".to_owned()), ..made.clone() };
    assert_eq!(read(&db, move |u| u.messages().get(id)).await, Some(waits), "it waits, with its values");
    let text =
        SentText {
            subject: "Réservation".to_owned(), body: "574,88 $\n李".to_owned(), html: "<p>李</p>".to_owned()
        };
    let left = json!({ "attachedDocuments": [] });
    let told =
        HandedOver { provider_id: "250 queued as 4F2".to_owned(), text: text.clone(), values: left.clone(), at: at(3) };
    write(&db, move |u| u.messages().handed_over(id, At::stored(MessageState::Sent), &told)).await;
    let sent = Message {
        state: At::stored(MessageState::Sent),
        sent_at: Some(at(3)),
        attempts: 2,
        last_error: None,
        provider_id: Some("250 queued as 4F2".to_owned()),
        text: Some(text),
        values: left,
        ..made
    };
    assert_eq!(read(&db, move |u| u.messages().get(id)).await, Some(sent));
    let mut sms = message("s", None, 0);
    sms.recipient = Recipient::Phone("+15145550199".to_owned());
    let (id, copy) = (sms.id, sms.clone());
    write(&db, move |u| u.messages().insert_once(&copy)).await;
    assert_eq!(read(&db, move |u| u.messages().get(id)).await, Some(sms));
    assert!(Stranger::at(db.url()).run("UPDATE messages SET channel = 'pigeon'").is_err());
}

async fn the_audit_trail_is_read_in_order(db: TestDb) {
    let row = |minutes, action: &str, request: Option<&str>| AuditRow {
        id: AuditId(uuid()),
        at: at(minutes),
        actor: Some(UserId(uuid())),
        role: Some(status_machine::Role::Customer),
        action: action.to_owned(),
        subject_kind: "booking".to_owned(),
        subject_id: "b1".to_owned(),
        before: None,
        after: Some(json!({ "status": "pending", "é": [1, 2.5, null] })),
        request_id: request.map(str::to_owned),
    };
    let all =
        [row(1, "booking.create", Some("r1")), row(2, "booking.update", Some("r1")), row(2, "booking.cancel", None)];
    let mut other = row(1, "profile.update", Some("r2"));
    other.subject_kind = "profile".to_owned();
    let copy = all.clone();
    write(&db, move |u| copy.iter().chain([&other]).try_for_each(|r| u.audits().append(r))).await;
    assert_eq!(read(&db, |u| u.audits().of_subject("booking", "b1")).await, all);
    let counts = read(&db, |u| Ok((u.audits().count_for_request("r1")?, u.audits().count_for_request("r9")?))).await;
    assert_eq!(counts, (2, 0));
}

fn answer(key: &str, status: i32, minutes: i64) -> StoredAnswer {
    StoredAnswer {
        scope: "user/POST /api/bookings".to_owned(),
        key: key.to_owned(),
        body_hash: "abc".to_owned(),
        status,
        answer: json!({ "id": "x", "é": "好" }),
        created_at: at(minutes),
        expires_at: at(minutes + 10),
    }
}

async fn answers_are_kept_until_they_expire(db: TestDb) {
    let made = answer("k", 0, 0);
    let copy = made.clone();
    write(&db, move |u| u.idempotency().put(&copy)).await;
    let get = |key: &'static str, minutes| {
        read(&db, move |u| u.idempotency().get("user/POST /api/bookings", key, at(minutes)))
    };
    assert_eq!(get("k", 9).await.as_ref(), Some(&made));
    assert_eq!(get("k", 10).await.as_ref(), Some(&made), "what is worked on does not expire");
    assert_eq!(write(&db, |u| u.idempotency().purge(at(11))).await, 0);
    let done = answer("k", 201, 1);
    let copy = done.clone();
    write(&db, move |u| u.idempotency().put(&copy)).await;
    assert_eq!(get("k", 9).await, Some(done.clone()), "replaced");
    assert_eq!(get("k", 11).await, None, "at the instant itself it has expired");
    write(&db, |u| u.idempotency().forget("user/POST /api/bookings", "k")).await;
    assert_eq!(get("k", 9).await, Some(done), "an answer that was given is not forgotten");
    assert_eq!(read(&db, |u| u.idempotency().get("other", "k", at(0))).await, None);
    write(&db, |u| u.idempotency().put(&answer("later", 0, 50))).await;
    assert_eq!(write(&db, |u| u.idempotency().purge(at(11))).await, 1);
    write(&db, |u| u.idempotency().forget("user/POST /api/bookings", "later")).await;
    write(&db, |u| u.idempotency().forget("user/POST /api/bookings", "later")).await;
    assert_eq!(get("later", 50).await, None);
}

async fn of_two_requests_with_one_key_one_works(db: TestDb) {
    let requests = (0..20).map(|_| {
        try_write(&db, move |u| {
            if u.idempotency().get("user/POST /api/bookings", "same", at(0))?.is_some() {
                return Ok(false);
            }
            u.idempotency().put(&answer("same", 201, 0))?;
            Ok(true)
        })
    });
    let told: Vec<bool> = futures_util::future::join_all(requests).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(told.iter().filter(|worked| **worked).count(), 1);
}
