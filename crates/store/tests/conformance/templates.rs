//! What staff made of the shipped messages.

use kernel::{Language, UserId};
use service::ports::{
    StoreError,
    templates::{SavedTemplate, TemplateHead, TemplateText},
};
use store::testing::TestDb;

use crate::fixtures::*;

on_both_engines!(versions_of_a_template_count_up, what_was_saved_of_a_template_stays);

fn saved(message_type: &str, language: Language, version: i32, html: Option<&str>) -> SavedTemplate {
    let text = html.map(|html| TemplateText {
        subject: "Réservation {{bookingShortId}} 已确认".into(),
        text: "O'Roy\n\n{{total}}\n".into(),
        html: html.into(),
        attachment: version % 2 == 0,
    });
    let head = TemplateHead {
        message_type: message_type.into(),
        language,
        version,
        is_stored: text.is_some(),
        changed_at: at(i64::from(version)),
        changed_by: (version > 1).then(|| UserId(uuid())),
    };
    SavedTemplate { head, text }
}

async fn versions_of_a_template_count_up(db: TestDb) {
    assert_eq!(read(&db, |u| u.templates().latest("welcome", Language::En)).await, None);
    let all = [
        saved("welcome", Language::En, 1, Some("<p>{{loginUrl}}</p>\n")),
        saved("welcome", Language::En, 2, None),
        saved("welcome", Language::En, 10, Some("<p>又</p>")),
        saved("welcome", Language::Fr, 3, None),
        saved("moveReminder", Language::Zh, 2, Some("")),
    ];
    let copies = all.clone();
    write(&db, move |u| copies.iter().try_for_each(|one| u.templates().insert(one))).await;
    let [first, second, tenth, french, other] = all;
    assert_eq!(read(&db, |u| u.templates().latest("welcome", Language::En)).await, Some(tenth.clone()));
    assert_eq!(read(&db, |u| u.templates().latest("welcome", Language::Fr)).await, Some(french.clone()));
    assert_eq!(read(&db, |u| u.templates().latest("welcome", Language::Zh)).await, None);
    assert_eq!(read(&db, |u| u.templates().version("welcome", Language::En, 2)).await, Some(second.clone()));
    assert_eq!(read(&db, |u| u.templates().version("welcome", Language::En, 3)).await, None);
    let heads = [tenth.head.clone(), second.head, first.head.clone()];
    assert_eq!(read(&db, |u| u.templates().versions("welcome", Language::En, 2)).await, heads[..2]);
    assert_eq!(read(&db, |u| u.templates().versions("welcome", Language::En, 100)).await, heads);
    assert_eq!(read(&db, |u| u.templates().heads()).await, [other.head, tenth.head, french.head]);
    let again = try_write(&db, move |u| u.templates().insert(&first)).await;
    assert!(matches!(again, Err(StoreError::Duplicate(_))), "{again:?}");
}

async fn what_was_saved_of_a_template_stays(db: TestDb) {
    write(&db, |u| u.templates().insert(&saved("welcome", Language::En, 1, Some("<p>x</p>")))).await;
    let mut stranger = Stranger::at(db.url());
    for change in [
        "UPDATE message_templates SET html = 'y'",
        "DELETE FROM message_templates",
        "INSERT INTO message_templates (message_type, language, version, subject, changed_at) \
         VALUES ('welcome', 'en', 2, 'half', '2027-02-01T13:00:00.000000Z')",
    ] {
        assert!(stranger.run(change).is_err(), "{change}");
    }
    assert!(read(&db, |u| u.templates().latest("welcome", Language::En)).await.is_some());
}
