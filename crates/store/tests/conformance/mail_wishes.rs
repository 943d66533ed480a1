//! Who wants no commercial e-mail, and the links by which they say so.

use kernel::{Email, Language};
use service::ports::{
    identity::TokenHash,
    mail_wishes::{MailLink, MailLinkId, MailWish, WishWay},
};
use store::testing::TestDb;

use crate::fixtures::*;

on_both_engines!(a_link_is_found_by_its_secret_until_it_is_forgotten, the_newest_wish_of_an_address_counts);

fn email(text: &str) -> Email {
    text.parse().unwrap()
}

fn link(hash: &str, minutes: i64) -> MailLink {
    MailLink {
        id: MailLinkId(uuid()),
        token_hash: TokenHash(hash.to_owned()),
        email: email("Ana@portage.test"),
        language: Language::Fr,
        made_at: at(minutes),
    }
}

async fn a_link_is_found_by_its_secret_until_it_is_forgotten(db: TestDb) {
    let (old, new) = (link("aa", 0), link("bb", 5));
    let both = [old.clone(), new.clone()];
    write(&db, move |u| both.iter().try_for_each(|one| u.mail_wishes().add_link(one))).await;
    let of = async |hash: &str| {
        let hash = TokenHash(hash.to_owned());
        read(&db, move |u| u.mail_wishes().link(&hash)).await
    };
    assert_eq!((of("aa").await, of("bb").await, of("cc").await), (Some(old), Some(new.clone()), None));
    // No two mails have one secret.
    let twin = link("aa", 7);
    assert!(try_write(&db, move |u| u.mail_wishes().add_link(&twin)).await.is_err());
    assert_eq!(write(&db, |u| u.mail_wishes().purge(at(5))).await, 1);
    assert_eq!((of("aa").await, of("bb").await), (None, Some(new)));
}

async fn the_newest_wish_of_an_address_counts(db: TestDb) {
    let of = async |address: &str| {
        let address = email(address);
        read(&db, move |u| u.mail_wishes().wish_of(&address)).await
    };
    assert_eq!(of("ana@portage.test").await, None);
    for (stops, way) in [(true, WishWay::OneClick), (false, WishWay::Page), (true, WishWay::Page)] {
        let wish = MailWish { email_key: email("Ana@portage.test").key(), stops, way, at: at(1) };
        let copy = wish.clone();
        write(&db, move |u| u.mail_wishes().wish(&copy)).await;
        // However they write it.
        assert_eq!(of("ANA@Portage.test").await, Some(wish));
    }
    assert_eq!(of("other@portage.test").await, None);
    assert!(Stranger::at(db.url()).run("UPDATE mail_wishes SET stops = stops").is_err(), "append only");
    assert!(Stranger::at(db.url()).run("DELETE FROM mail_wishes").is_err());
}
