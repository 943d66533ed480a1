//! What people do with their account: requests as the API makes them, and what is believed after the
//! answer.

use std::sync::Arc;

use serde_json::json;
use service::ports::StoreError;

use super::{
    browser::{ADDRESS, Browser},
    model::{Model, NONE, Person, Target},
    rights::{DidEnd, Expect},
    world::{Act, World},
};
use crate::{
    Identity, RequestContext,
    accounts::{ChangePasswordError, Failure, ResetPasswordError, SESSION_IDLE, SignInError, SignUpError},
    csrf::Origin,
    testing::{sign_in_form, sign_up_form},
};

/// Something somebody does with one of their things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    SignUp,
    SignIn { password: usize },
    Authorize { redeem: bool },
    Redeem { code: usize, good: bool },
    Refresh { token: usize },
    SignOut,
    EndSession,
    RevokeRefresh { token: usize },
    RevokeAccess { token: usize },
    Change { current: usize },
    Forgot,
    Reset { link: usize },
    OpenLink { link: usize },
    Resend,
}

/// A request: who, with which cookies, at which server.
pub(super) struct Request {
    pub w: Arc<World>,
    pub identity: Identity,
    pub browser: Arc<Browser>,
    pub context: RequestContext,
}

/// What an answer was, in a word.
pub(super) type Word = String;

pub(super) fn word(text: &str) -> Word {
    text.to_owned()
}

impl Request {
    pub async fn run(self, deed: Deed) {
        let told = match deed {
            Deed::SignUp => self.sign_up().await,
            Deed::SignIn { password } => self.sign_in(password).await,
            Deed::Authorize { redeem } => self.authorize(redeem).await,
            Deed::Redeem { code, good } => self.redeem(code, good).await,
            Deed::Refresh { token } => self.refresh(token).await,
            Deed::SignOut => self.sign_out(None).await,
            Deed::EndSession => self.sign_out(Some(Origin::Own)).await,
            Deed::RevokeRefresh { token } => self.revoke(token, true).await,
            Deed::RevokeAccess { token } => self.revoke(token, false).await,
            Deed::Change { current } => self.change(current).await,
            Deed::Forgot => self.forgot().await,
            Deed::Reset { link } => self.reset(link).await,
            Deed::OpenLink { link } => self.open(link).await,
            Deed::Resend => self.resend().await,
        };
        self.w.step(format_args!("{:?} {}: {deed:?}: {told}", self.browser.person, self.browser.n));
        self.w.look(false);
    }

    /// A planned failure of the store; any other is a 500.
    pub fn failed(&self, e: &StoreError) -> Word {
        if !e.passes() || self.w.plan.trouble == 0 {
            self.w.wrong(format!("answered {}: {e}", if e.passes() { 503 } else { 500 }));
        }
        word("failed")
    }

    fn broke(&self, e: &Failure) -> Word {
        match e {
            Failure::Store(e) => self.failed(e),
            Failure::Hashing(e) => {
                self.w.wrong(format!("answered 500: {e}"));
                word("500")
            }
        }
    }

    pub fn demand(&self, fine: bool, why: &str) {
        if !fine {
            self.w.wrong(why.to_owned());
        }
    }

    pub fn session(&self) -> Option<usize> {
        self.w.model().session_of(self.context.session.as_deref())
    }

    /// The session an answer brought.
    fn came_in(&self, m: &mut Model, act: &Act, set_cookies: &[String], user: kernel::UserId, password: usize) {
        let Some(cookie) = self.browser.keep(set_cookies) else {
            return self.w.wrong("an answer has no session".into());
        };
        let made = act.span();
        m.add_session((self.browser.person, cookie, user, password), made, made.plus(SESSION_IDLE), act.from);
    }

    async fn sign_up(&self) -> Word {
        let w = &self.w;
        let old = self.session();
        let password = w.model().password(self.browser.person);
        let mut targets = vec![Target::Password(password)];
        targets.extend(old.map(Target::Session));
        let (free, text) = {
            let m = w.model();
            (m.possible.contains(&NONE), m.passwords[password].text.clone())
        };
        let mut act = Act::begin(w, targets);
        let told = self.identity.sign_up(sign_up_form(ADDRESS, &text), &self.context).await;
        let mut m = w.model();
        match told {
            Ok(done) => {
                self.demand(free, "an address that has an account was given another one");
                act.over(&mut m, |_| DidEnd::Surely);
                self.came_in(&mut m, &act, &done.set_cookies, done.user_id, password);
                word("201")
            }
            Err(SignUpError::Failed(e)) => {
                drop(m);
                self.broke(&e)
            }
            Err(e) => {
                act.over(&mut m, |_| DidEnd::No);
                let nobody = m.possible.len() == 1 && m.possible.contains(&NONE) && m.setting == 0;
                let taken = matches!(e, SignUpError::Invalid(_));
                self.demand(!(nobody && taken), "a free address is taken");
                format!("{e}")
            }
        }
    }

    async fn sign_in(&self, password: usize) -> Word {
        let w = &self.w;
        let old = self.session();
        let (before, text) = {
            let m = w.model();
            let sure = m.possible.len() == 1 && m.setting == 0 && m.locked.is() == Some(false);
            ((m.possible.contains(&password), sure, m.set), m.passwords[password].text.clone())
        };
        let mut act = Act::begin(w, old.map(Target::Session).into_iter().collect());
        let told = self.identity.sign_in(sign_in_form(ADDRESS, &text), &self.context).await;
        let mut m = w.model();
        let (possible, sure, set) = before;
        match told {
            Ok(done) => {
                self.demand(possible, "a password that is not in force signs in");
                act.over(&mut m, |_| DidEnd::Surely);
                self.came_in(&mut m, &act, &done.set_cookies, done.user_id, password);
                if done.email_verified {
                    self.shown(&mut m, done.user_id);
                }
                word("200")
            }
            Err(SignInError::Failed(e)) => {
                drop(m);
                self.broke(&e)
            }
            Err(e) => {
                act.over(&mut m, |_| DidEnd::No);
                let quiet = sure && m.set == set && m.locked.is() == Some(false);
                let wrong = matches!(e, SignInError::WrongCredentials);
                self.demand(!(possible && quiet && wrong), "the password in force is refused");
                format!("{e}")
            }
        }
    }

    /// Somebody was told that the address is verified.
    fn shown(&self, m: &mut Model, user: kernel::UserId) {
        self.demand(self.browser.person == Person::Owner, "the stranger's address counts as verified");
        // The act that showed it is over by now.
        let known = m.at();
        m.verified.entry(user).or_insert(known);
    }

    async fn change(&self, current: usize) -> Word {
        let (w, session) = (&self.w, self.session());
        let (password, text, sure) = {
            let mut m = w.model();
            let password = m.password(self.browser.person);
            let sure = session.is_some_and(|s| m.surely_in(s, w.now()));
            let right = m.possible.len() == 1 && m.possible.contains(&current);
            let (old, new) = (m.passwords[current].text.clone(), m.passwords[password].text.clone());
            (password, json!({ "currentPassword": old, "password": new }), (sure && right, m.set))
        };
        let out = session.is_none_or(|s| w.model().surely_out(s, w.now()));
        let mut act = Act::begin(w, vec![Target::Password(password), Target::ResetLinks]);
        let told = self.identity.change_password(serde_json::from_value(text).unwrap(), &self.context).await;
        let mut m = w.model();
        match told {
            Ok(done) => {
                self.demand(!out, "a session that has ended changes the password");
                act.over(&mut m, |_| DidEnd::Surely);
                if let Some(user) = session.map(|s| m.sessions[s].user) {
                    self.came_in(&mut m, &act, &done.set_cookies, user, password);
                }
                word("204")
            }
            Err(ChangePasswordError::Failed(e)) => {
                drop(m);
                self.broke(&e)
            }
            Err(e) => {
                act.over(&mut m, |_| DidEnd::No);
                let quiet = sure.0 && m.set == sure.1 + 1 && session.is_some_and(|s| m.surely_in(s, w.now()));
                let lost = quiet && !matches!(e, ChangePasswordError::TooManyAttempts { .. });
                self.demand(!lost, "the person signed in cannot change the password");
                format!("{e}")
            }
        }
    }

    async fn forgot(&self) -> Word {
        let form = serde_json::from_value(json!({ "email": ADDRESS })).unwrap();
        match self.identity.forgot_password(form, &self.context).await {
            Ok(()) => word("204"),
            Err(ResetPasswordError::Failed(e)) => self.broke(&e),
            Err(e) => format!("{e}"),
        }
    }

    async fn reset(&self, n: usize) -> Word {
        let w = &self.w;
        let (password, text, before) = {
            let mut m = w.model();
            let password = m.password(self.browser.person);
            let form = json!({ "token": m.links[n].token, "password": m.passwords[password].text });
            let open = m.locked.is() == Some(false) && m.setting == 0;
            (password, form, (m.links[n].right.expect(), open, m.set))
        };
        let targets = vec![Target::Link(n), Target::Password(password), Target::ResetLinks];
        let mut act = Act::begin(w, targets);
        let told = self.identity.reset_password(serde_json::from_value(text).unwrap(), &self.context).await;
        let mut m = w.model();
        let (link, open, set) = before;
        match told {
            Ok(done) => {
                self.demand(link != Expect::Refused, "a link sets a password twice, or after another one");
                act.over(&mut m, |_| DidEnd::Surely);
                self.browser.keep(&done.set_cookies);
                word("204")
            }
            Err(ResetPasswordError::Failed(e)) => {
                drop(m);
                self.broke(&e)
            }
            Err(e) => {
                act.over(&mut m, |_| DidEnd::No);
                let young = w.now() < m.links[n].expires.from;
                let quiet = open && m.set == set + 1 && m.locked.is() == Some(false) && m.setting == 0;
                self.demand(!(link == Expect::Works && young && quiet), "a good link is dead");
                format!("{e}")
            }
        }
    }

    async fn open(&self, n: usize) -> Word {
        let (w, session) = (&self.w, self.session());
        let (token, user) = {
            let m = w.model();
            (m.links[n].token.clone(), m.links[n].user)
        };
        match self.identity.open_verification(&token, &self.context).await {
            Ok(landing) => {
                self.browser.keep(&landing.set_cookies);
                let verified = landing.location.contains("emailVerified");
                let mut m = w.model();
                let same = session.is_some_and(|s| m.sessions[s].user == user);
                self.demand(same || !verified, "an address is verified without a session of its account");
                if verified {
                    self.shown(&mut m, user);
                }
                landing.location
            }
            Err(e) => self.failed(&e),
        }
    }

    async fn resend(&self) -> Word {
        match self.identity.resend_verification(&self.context).await {
            Ok(()) => word("204"),
            Err(crate::accounts::ResendError::Store(e)) => self.failed(&e),
            Err(e) => format!("{e}"),
        }
    }
}
