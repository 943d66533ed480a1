//! A person's browser: its cookies, and the forms its pages send.

use std::sync::Mutex;

use super::model::Person;
use crate::{
    CLIENT_ID, RequestContext, cookie,
    testing::{CALLBACK, VERIFIER, form},
};

/// Whose address everything is about.
pub(super) const ADDRESS: &str = "ana@example.test";

pub(super) fn redeem_form(code: &str, good: bool) -> String {
    let wrong = "x".repeat(43);
    form(&[
        ("grant_type", "authorization_code"),
        ("client_id", CLIENT_ID),
        ("code", code),
        ("code_verifier", if good { VERIFIER } else { &wrong }),
        ("redirect_uri", CALLBACK),
    ])
}

pub(super) fn refresh_form(token: &str) -> String {
    form(&[("grant_type", "refresh_token"), ("client_id", CLIENT_ID), ("refresh_token", token)])
}

/// Somebody's browser.
pub(super) struct Browser {
    pub person: Person,
    pub n: u8,
    jar: Mutex<Jar>,
}

#[derive(Clone, Default)]
struct Jar {
    session: Option<String>,
    verify: Option<String>,
    device: Option<String>,
    /// The session cookie of a page that was loaded earlier.
    stale: Option<String>,
}

impl Browser {
    pub fn new(person: Person, n: u8) -> Browser {
        Browser { person, n, jar: Mutex::default() }
    }

    pub fn context(&self, stale: bool) -> RequestContext {
        let jar = self.jar.lock().unwrap().clone();
        let address = [203, 0, 113, self.n].into();
        RequestContext {
            session: if stale { jar.stale.or(jar.session) } else { jar.session },
            verify: jar.verify,
            device: jar.device,
            address: Some(address),
            ..RequestContext::default()
        }
    }

    /// What an answer's `Set-Cookie` says; the new session, if there is one.
    pub fn keep(&self, set_cookies: &[String]) -> Option<String> {
        let mut jar = self.jar.lock().unwrap();
        let mut new = None;
        for line in set_cookies {
            let (name, rest) = line.split_once('=').unwrap();
            let value = cookie::find(line.split(';').next().unwrap(), name).map(str::to_owned);
            assert!(rest.contains("Max-Age="), "{line}");
            match name {
                cookie::SESSION => {
                    jar.stale = jar.session.take().or(jar.stale.take());
                    jar.session.clone_from(&value);
                    new = value;
                }
                cookie::VERIFY => jar.verify = value,
                cookie::DEVICE => jar.device = value,
                _ => panic!("unknown cookie {name}"),
            }
        }
        new
    }
}
