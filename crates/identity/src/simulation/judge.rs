//! After every step: does what people hold work exactly as long as the model says? Everything is
//! tried out through the product's own ways, the one of the API among them, on the database as it is;
//! whatever a trial writes is rolled back.

use std::{
    pin::pin,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use kernel::{
    Language, UserId,
    chrono::{DateTime, Utc},
};
use service::{
    Role,
    members::Membership,
    ports::{Clock, Entropy, Store, StoreError, StoreResult, Unit},
};
use store::testing::Inline;

use super::{
    browser::{ADDRESS, redeem_form, refresh_form},
    dice::Dice,
    model::{Model, NONE, Person},
    time::Business,
    world::{Seeded, keys},
};
use crate::{
    Identity, MailRequest, RequestContext, TokenVerifier,
    accounts::{Directory, SignInError},
    testing::{SITE, sign_in_form},
};

type Verdict = Result<(), String>;

macro_rules! demand {
    ($fine:expr, $($why:tt)*) => {
        if !$fine {
            return Err(format!($($why)*));
        }
    };
}

pub(super) struct Judge {
    identity: Identity,
    verifier: TokenVerifier,
    directory: Directory,
    db: Arc<Inline>,
    dice: Dice,
}

/// On the database without a server nothing ever waits.
fn at_once<F: Future>(f: F) -> F::Output {
    let mut f = pin!(tokio::task::unconstrained(f));
    match f.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(done) => done,
        Poll::Pending => panic!("a trial waits"),
    }
}

/// The person and role that a token stands for.
struct TokenHolder {
    user: UserId,
    role: Role,
}

/// The database's state at this moment.
struct DatabaseState {
    member: bool,
    /// The password in force, and whose account it opens.
    in_force: Option<(usize, UserId)>,
    now: DateTime<Utc>,
    all: bool,
}

impl Judge {
    pub fn new(db: &Arc<Inline>, clock: &Arc<Business>, seed: u64) -> Judge {
        let store: Arc<dyn Store> = db.clone();
        let numbers = Dice::of(seed, "the judge's entropy");
        let entropy: Arc<dyn Entropy> = Arc::new(Seeded(move || numbers.next()));
        let outbox = |_: &mut dyn Unit, _: &MailRequest, _: DateTime<Utc>| Ok(());
        let clock: Arc<dyn Clock> = clock.clone();
        let (site, keys) = (SITE.parse().unwrap(), keys());
        let identity = Identity::new(store.clone(), clock.clone(), entropy.clone(), Arc::new(outbox), keys, site)
            .with_cheap_passwords();
        Judge {
            verifier: identity.verifier(),
            directory: Directory::new(store, clock, entropy),
            identity,
            db: db.clone(),
            dice: Dice::of(seed, "judge"),
        }
    }

    /// Checks everything; answers the first thing that is wrong.
    pub fn look(&self, m: &mut Model, now: DateTime<Utc>, all: bool) -> Verdict {
        let member = self.facts(|u| u.members().by_email(ADDRESS))?.is_some();
        if let Some(told) = m.member.is() {
            demand!(told == member, "the role was said to be there: {told}; it is: {member}");
        }
        m.member.seen(member);
        let in_force = self.passwords(m, all)?;
        let facts = DatabaseState { member, in_force, now, all };
        let live = self.sessions(m, &facts)?;
        self.verified(m)?;
        let grants = self.accesses(m, &facts, &live)?;
        self.refreshes(m, &facts, &live, &grants)?;
        self.codes(m, &facts, &live)?;
        self.links(m, &facts)
    }

    fn facts<T: Send + 'static>(
        &self,
        f: impl FnOnce(&mut dyn Unit) -> StoreResult<T> + Send + 'static,
    ) -> Result<T, String> {
        let store: &dyn Store = &*self.db;
        at_once(store.read(f)).map_err(|e: StoreError| format!("the database cannot be read: {e}"))
    }

    /// What was found to have ended is looked at now and then.
    fn skips(&self, rests: bool, all: bool) -> bool {
        rests && !all && !self.dice.often(150)
    }

    /// At most one password opens the address, and it is one that may.
    fn passwords(&self, m: &mut Model, all: bool) -> Result<Option<(usize, UserId)>, String> {
        let mut opens = Vec::new();
        for n in 0..m.passwords.len() {
            let may = m.possible.contains(&n);
            if self.skips(!may, all) {
                continue;
            }
            let _undo = self.db.trial();
            let form = sign_in_form(ADDRESS, &m.passwords[n].text);
            let context = RequestContext { address: Some([192, 0, 2, 1].into()), ..RequestContext::default() };
            match at_once(self.identity.sign_in(form, &context)) {
                Ok(told) => {
                    demand!(may, "password {n} opens the address, although it is not in force any more");
                    opens.push((n, told.user_id));
                }
                Err(SignInError::WrongCredentials) => {}
                Err(e) => return Err(format!("password {n} cannot be tried: {e}")),
            }
        }
        demand!(opens.len() < 2, "{} passwords open the address", opens.len());
        let in_force = opens.pop();
        let locked = m.locked.is();
        match in_force {
            Some((n, user)) => {
                demand!(locked != Some(true), "password {n} opens the address, although it is locked");
                m.locked.seen(false);
                let person = m.passwords[n].person;
                m.accounts.entry(person).or_default().insert(user);
                if m.setting == 0 {
                    m.possible = [n].into();
                }
            }
            None if !m.possible.contains(&NONE) => {
                demand!(locked != Some(false), "none of {:?} opens the address, although nobody locked it", m.possible);
                m.locked.seen(true);
            }
            None => {}
        }
        let shared = |user: &UserId| m.accounts.values().filter(|users| users.contains(user)).count() > 1;
        let both = m.accounts.values().flatten().find(|user| shared(user));
        demand!(both.is_none(), "the owner and the stranger use one account: {both:?}");
        Ok(in_force)
    }

    /// Which sessions are alive.
    fn sessions(&self, m: &mut Model, facts: &DatabaseState) -> Result<Vec<bool>, String> {
        let mut live = Vec::new();
        for n in 0..m.sessions.len() {
            let s = &mut m.sessions[n];
            if self.skips(s.right.rests(), facts.all) {
                live.push(false);
                continue;
            }
            let context = RequestContext { session: Some(s.cookie.clone()), ..RequestContext::default() };
            let found = at_once(self.identity.session(&context)).map_err(|e| format!("session {n}: {e}"))?;
            let works = found.is_some();
            let another = facts.in_force.is_some_and(|(p, _)| p != s.password) || !m.possible.contains(&s.password);
            let over = match () {
                () if s.right.is_over() => Some("it was ended"),
                () if facts.now >= s.expires.until => Some("its time is over"),
                () if another => Some("another password is in force"),
                () if m.locked.is() == Some(true) => Some("its account is locked"),
                () => None,
            };
            if let Some(why) = over.filter(|_| works) {
                return Err(format!("session {n} of {:?} lives, although {why}", s.person));
            }
            let fine = s.right.works() && facts.now < s.expires.from && facts.in_force.is_some();
            demand!(
                works || over.is_some() || !fine,
                "session {n} of {:?} is lost, although nobody ended it",
                s.person
            );
            // A request that began before the session's time was over may still move it on.
            if works || facts.now < s.expires.from {
                s.right.seen(works);
            }
            live.push(works);
            if let Some(found) = found {
                demand!(found.account.id == s.user, "session {n} is of another account now");
                let stranger = s.person == Person::Stranger;
                demand!(!(stranger && found.account.email_verified), "the stranger's account is verified");
            }
        }
        Ok(live)
    }

    /// Verified stays verified, and nobody is verified who does not read the mail.
    fn verified(&self, m: &Model) -> Verdict {
        for user in m.verified.keys().copied() {
            let account = self.facts(move |u| u.accounts().get(user))?;
            demand!(account.is_some_and(|a| a.email_verified), "{user} was told to be verified, and is not");
        }
        Ok(())
    }

    /// The way of the API: `api::auth::Tokens`.
    fn call(&self, token: &str) -> Result<Option<TokenHolder>, String> {
        let Ok(verified) = at_once(self.verifier.verify(token)) else { return Ok(None) };
        let Ok((account, membership)) = at_once(self.directory.resolve_with(&verified, Membership::of)) else {
            return Ok(None);
        };
        let caller = membership.caller(&account, Language::En, None);
        let still = verified.issued.is_none_or(|issued| issued.is_still(caller.role.code()));
        Ok(caller.user.filter(|_| still).map(|user| TokenHolder { user, role: caller.role }))
    }

    /// Access tokens; which grants are alive, as far as that is seen.
    fn accesses(&self, m: &mut Model, facts: &DatabaseState, live: &[bool]) -> Result<Vec<Option<bool>>, String> {
        let mut grants = vec![None; m.grants.len()];
        for n in 0..m.accesses.len() {
            let access = &m.accesses[n];
            let grant = &mut m.grants[access.grant];
            let session = &m.sessions[grant.session];
            if self.skips(access.rests, facts.all) {
                continue;
            }
            let told = self.call(&access.token)?;
            let user = session.user;
            let verified = self.facts(move |u| u.accounts().get(user))?.is_some_and(|a| a.email_verified);
            let role = if facts.member && verified { Role::Ops } else { Role::Customer };
            let fits = access.role.as_deref().is_none_or(|r| r == role.code());
            // A minute for clocks that are apart.
            let expired = facts.now.timestamp() >= access.expires + 60;
            let over = expired || !live[grant.session] || !fits || grant.right.is_over();
            let whose = session.person;
            match &told {
                Some(_) if over => {
                    return Err(format!(
                        "access token {n} of {whose:?} works, although {}",
                        match () {
                            () if !live[grant.session] => "its session has ended",
                            () if expired => "it has expired",
                            () if !fits => "it was issued to another role",
                            () => "its grant was revoked",
                        }
                    ));
                }
                None if !over && grant.right.works() => {
                    return Err(format!("access token {n} of {whose:?} is refused, although nothing ended it"));
                }
                _ => {}
            }
            if let Some(told) = &told {
                demand!(told.user == session.user, "access token {n} is of another account now");
                demand!(told.role == role, "access token {n} gives the role {:?} instead of {role:?}", told.role);
                let no_role = whose == Person::Owner || told.role == Role::Customer;
                demand!(no_role, "a token of the stranger gives the role {:?}", told.role);
            }
            if !over {
                grant.right.seen(told.is_some());
                grants[access.grant] = Some(told.is_some());
            }
            m.accesses[n].rests = told.is_none() && (expired || !live[m.grants[m.accesses[n].grant].session]);
        }
        Ok(grants)
    }

    fn refreshes(&self, m: &mut Model, facts: &DatabaseState, live: &[bool], grants: &[Option<bool>]) -> Verdict {
        for n in 0..m.refreshes.len() {
            let r = &mut m.refreshes[n];
            let grant = &mut m.grants[r.grant];
            let lives = live[grant.session];
            if self.skips(r.right.rests() || !lives, facts.all) {
                continue;
            }
            let _undo = self.db.trial();
            let status = at_once(self.identity.token(&refresh_form(&r.token), None)).status;
            demand!(matches!(status, 200 | 400), "refresh token {n} is answered {status}");
            let works = status == 200;
            let expired = facts.now >= grant.expires.until;
            let over =
                r.right.is_over() || !lives || expired || grant.right.is_over() || grants[r.grant] == Some(false);
            demand!(!(works && over), "refresh token {n} works, although it or what it came from has ended");
            let young = facts.now < grant.expires.from;
            let fine = r.right.works() && grant.right.works() && young;
            demand!(works || over || !fine, "refresh token {n} is refused, although nothing ended it");
            if works {
                grant.right.seen(true);
                r.right.seen(true);
            } else if lives && young && grant.right.works() {
                r.right.seen(false);
                let context = RequestContext {
                    session: Some(m.sessions[grant.session].cookie.clone()),
                    ..RequestContext::default()
                };
                let still = at_once(self.identity.session(&context)).map_err(|e| e.to_string())?;
                demand!(still.is_none(), "a spent refresh token was used again, and its session lives");
            }
        }
        Ok(())
    }

    fn codes(&self, m: &mut Model, facts: &DatabaseState, live: &[bool]) -> Verdict {
        for n in 0..m.codes.len() {
            let code = &mut m.codes[n];
            let expired = facts.now >= code.expires.until;
            if self.skips(expired || code.right.rests(), facts.all) {
                continue;
            }
            let _undo = self.db.trial();
            let status = at_once(self.identity.token(&redeem_form(&code.code, true), None)).status;
            demand!(matches!(status, 200 | 400), "code {n} is answered {status}");
            let works = status == 200;
            let over = expired || !live[code.session] || code.right.is_over();
            demand!(!(works && over), "code {n} works, although it or its session has ended");
            let fine = code.right.works() && facts.now < code.expires.from;
            demand!(works || over || !fine, "code {n} is refused, although nothing ended it");
            if live[code.session] && facts.now < code.expires.from {
                code.right.seen(works);
            }
        }
        Ok(())
    }

    /// Links to a new password.
    fn links(&self, m: &mut Model, facts: &DatabaseState) -> Verdict {
        for n in 0..m.links.len() {
            let link = &mut m.links[n];
            let expired = facts.now >= link.expires.until;
            if !link.reset || self.skips(expired || link.right.rests(), facts.all) {
                continue;
            }
            let _undo = self.db.trial();
            let form = serde_json::json!({ "token": link.token, "password": "the judge's password" });
            let form = serde_json::from_value(form).unwrap();
            let told = at_once(self.identity.reset_password(form, &RequestContext::default()));
            let works = match told {
                Ok(_) => true,
                Err(crate::accounts::ResetPasswordError::LinkDead) => false,
                Err(e) => return Err(format!("link {n} cannot be tried: {e}")),
            };
            let locked = m.locked.is();
            let over = expired || link.right.is_over() || locked == Some(true);
            demand!(!(works && over), "link {n} sets a password, although it was used or has expired");
            let fine = link.right.works() && locked == Some(false) && facts.now < link.expires.from;
            demand!(works || over || !fine, "link {n} is dead, although nothing ended it");
            if facts.now < link.expires.from && locked == Some(false) {
                link.right.seen(works);
            }
        }
        Ok(())
    }
}
