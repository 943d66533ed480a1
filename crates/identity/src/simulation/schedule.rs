//! One schedule: events drawn by the seed, then rest, then the end of everything by its time.

use std::sync::Arc;

use kernel::chrono::{DateTime, Duration, Utc};
use tokio::task::JoinHandle;

use super::{
    actors::{Deed, Request},
    browser::Browser,
    company::{self, Office},
    dice::Dice,
    model::{Model, NONE, Person},
    world::{Server, World},
};

/// What a schedule did, for the figures.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Figures {
    pub sessions: u64,
    pub tokens: u64,
    pub links: u64,
    pub passwords: u64,
    /// Schedules in which owner and stranger both had an account.
    pub strangers: u64,
    pub kills: u64,
}

pub(super) struct Schedule {
    w: Arc<World>,
    d: Dice,
    servers: Vec<Server>,
    born: u64,
    browsers: Vec<Arc<Browser>>,
    running: Vec<JoinHandle<()>>,
    kills: u64,
}

impl Schedule {
    pub fn new(w: Arc<World>, seed: u64) -> Schedule {
        let people = [(Person::Owner, 1), (Person::Owner, 2), (Person::Stranger, 3), (Person::Stranger, 4)];
        let browsers = people.map(|(person, n)| Arc::new(Browser::new(person, n))).to_vec();
        let d = Dice::of(seed, "events");
        let mut all = Schedule { w, d, servers: vec![], born: 0, browsers, running: vec![], kills: 0 };
        all.start();
        all.start();
        all
    }

    fn start(&mut self) {
        self.born += 1;
        self.servers.push(Server::start(&self.w, format!("server-{}", self.born)));
    }

    /// Everything, to the end or to the first thing that is wrong.
    pub async fn run(mut self) -> Figures {
        for _ in 0..self.w.plan.events {
            self.event();
            let pause = self.d.weighed(&[(35, 0), (25, 200), (25, 5_000), (15, 60_000)]);
            self.w.wall.pass(self.d.below(pause + 1)).await;
            if self.d.often(200) {
                self.w.look(false);
            }
            if self.w.trace.broken() {
                return self.figures();
            }
        }
        for request in std::mem::take(&mut self.running) {
            // One that was killed has ended, too.
            let _ = request.await;
        }
        self.w.step(format_args!("everything rests"));
        self.w.look(true);
        for later in [Duration::minutes(17), Duration::days(15), Duration::days(90)] {
            self.move_clock(self.w.now() + later);
            self.w.look(true);
        }
        self.figures()
    }

    fn figures(&self) -> Figures {
        let m = self.w.model();
        let n = |n: usize| u64::try_from(n).unwrap();
        Figures {
            sessions: n(m.sessions.len()),
            tokens: n(m.accesses.len() + m.refreshes.len() + m.codes.len()),
            links: n(m.links.len()),
            passwords: n(m.passwords.len()),
            strangers: u64::from(m.accounts.len() > 1),
            kills: self.kills,
        }
    }

    fn event(&mut self) {
        match self.d.below(100) {
            0..13 => self.jump(),
            13..18 => self.kill(),
            18..20 if self.w.clock.runs() => self.w.clock.stop(),
            18..20 => self.w.clock.run(),
            20..30 => self.office(),
            _ => self.deed(),
        }
    }

    fn kill(&mut self) {
        let n = self.server();
        self.servers.swap_remove(n).kill(&self.w);
        self.kills += 1;
        if self.servers.is_empty() || self.d.often(800) {
            self.start();
        }
    }

    fn server(&self) -> usize {
        usize::try_from(self.d.below(self.servers.len() as u64)).unwrap()
    }

    fn move_clock(&self, to: DateTime<Utc>) {
        if to > self.w.now() {
            self.w.step(format_args!("the clock is set to {to}"));
            self.w.clock.set(to);
        }
    }

    /// To the next instant that means something to somebody, or by a bit.
    fn jump(&mut self) {
        let now = self.w.now();
        let mut instants: Vec<DateTime<Utc>> = {
            let m = self.w.model();
            let minute = |at: i64| DateTime::from_timestamp(at + 60, 0).unwrap();
            let codes = m.codes.iter().map(|c| c.expires.from);
            let tokens = m.accesses.iter().map(|a| minute(a.expires));
            let links = m.links.iter().map(|l| l.expires.from);
            let long = m.sessions.iter().map(|s| s.expires.from).chain(m.grants.iter().map(|g| g.expires.from));
            codes.chain(tokens).chain(links).chain(long).filter(|at| *at > now).collect()
        };
        instants.sort();
        let soon = instants.iter().filter(|at| **at - now < Duration::hours(2)).count();
        let to = match self.d.below(20) {
            0..9 if soon > 0 => self.d.pick(&instants[..soon.min(3)]) + Duration::seconds(self.d.pick(&[-1, 0, 1])),
            9 if !instants.is_empty() => self.d.pick(&instants) + Duration::seconds(self.d.pick(&[-1, 0, 1])),
            10 => now + Duration::hours(i64::try_from(self.d.below(60) + 1).unwrap()),
            _ => now + Duration::seconds(i64::try_from(self.d.below(400) + 1).unwrap()),
        };
        self.move_clock(to);
    }

    fn office(&mut self) {
        let (enable, dismiss) = {
            let m = self.w.model();
            (if m.locked.is() == Some(false) { 1 } else { 8 }, if m.member.is() == Some(false) { 1 } else { 6 })
        };
        let office = self.d.weighed(&[
            (2, Office::Disable),
            (enable, Office::Enable),
            (9 - dismiss, Office::Give),
            (dismiss, Office::Dismiss),
            (dismiss / 2, Office::ByHand),
            (2, Office::Purge),
        ]);
        for _ in 0..self.times() {
            let n = self.server();
            let services = self.servers[n].services.clone();
            let wait = self.d.pick(&[0, 0, 300]);
            let w = self.w.clone();
            let task = async move {
                w.wall.pass(wait).await;
                company::run(w.clone(), services, office).await;
            };
            self.running.push(self.servers[n].spawn(&self.w, task));
        }
        self.w.step(format_args!("company: {office:?}"));
    }

    fn times(&self) -> u64 {
        1 + u64::from(self.d.often(250))
    }

    fn deed(&mut self) {
        let browser = self.d.weighed(&[(5, 0), (3, 1), (4, 2), (1, 3)]);
        let browser = self.browsers[browser].clone();
        let Some(deed) = self.choose(&browser) else { return };
        let stale = self.d.often(120);
        for again in 0..self.times() {
            let wait = if again == 0 { self.d.pick(&[0, 0, 0, 2_000]) } else { self.d.pick(&[0, 0, 300, 4_000]) };
            self.request(browser.clone(), deed, stale, wait);
        }
    }

    /// Sends a request to some server; whoever asks may give up.
    fn request(&mut self, browser: Arc<Browser>, deed: Deed, stale: bool, wait: u64) {
        let patience = if self.d.often(150) { self.d.below(1_000) } else { 400_000 };
        let w = self.w.clone();
        w.step(format_args!(
            "{:?} {}: {deed:?} in {wait} ms, stale {stale}, patience {patience}",
            browser.person, browser.n
        ));
        let n = self.server();
        let identity = self.servers[n].identity.clone();
        let task = async move {
            w.wall.pass(wait).await;
            let context = browser.context(stale);
            let request = Request { w: w.clone(), identity, browser, context };
            let until = w.wall.deadline(patience);
            if tokio::time::timeout_at(until, Box::pin(request.run(deed))).await.is_err() {
                w.step(format_args!("{deed:?}: given up"));
            }
        };
        self.running.retain(|r| !r.is_finished());
        self.running.push(self.servers[n].spawn(&self.w, task));
    }

    fn choose(&self, browser: &Browser) -> Option<Deed> {
        let (m, d, person) = (self.w.model(), &self.d, browser.person);
        let cookie = browser.context(false).session;
        // As far as the person can know.
        let signed_in = m.session_of(cookie.as_deref()).is_some_and(|s| !m.surely_out(s, self.w.now()));
        let likely = |weight: u64, now: bool| if now { weight } else { 1 };
        let session = |s: usize| m.sessions[s].person == person;
        let own = |n: usize| m.passwords[n].person == person;
        let known: Vec<usize> = (0..m.passwords.len()).filter(|n| own(*n)).collect();
        let good: Vec<usize> = known.iter().copied().filter(|n| m.possible.contains(n)).collect();
        let password = if good.is_empty() || d.often(100) { self.any(&known) } else { self.any(&good) };
        let codes: Vec<usize> = (0..m.codes.len()).filter(|n| session(m.codes[*n].session)).collect();
        let grant = |g: usize| session(m.grants[g].session);
        let tokens: Vec<usize> = (0..m.refreshes.len()).filter(|n| grant(m.refreshes[*n].grant)).collect();
        let alive = |g: usize| m.grants[g].right.works() && !m.surely_out(m.grants[g].session, self.w.now());
        let good_token = |n: &usize| m.refreshes[*n].right.works() && alive(m.refreshes[*n].grant);
        let fresh: Vec<usize> = tokens.iter().copied().filter(good_token).collect();
        let token = if fresh.is_empty() || d.often(120) { self.any(&tokens) } else { self.any(&fresh) };
        let accesses: Vec<usize> = (0..m.accesses.len()).filter(|n| grant(m.accesses[*n].grant)).collect();
        let (reset, open) = self.mail(&m, person);
        let stale = |n: usize| {
            m.links[n].right.is_over()
                || self.w.now() > m.links[n].expires.from
                || !m.verified.is_empty() && !m.links[n].reset
        };
        let sign_up = if m.possible.contains(&NONE) { 12 } else { 1 };
        let deeds = [
            (sign_up, Some(Deed::SignUp)),
            (likely(14, !signed_in && !good.is_empty()), password.map(|password| Deed::SignIn { password })),
            (likely(14, signed_in), Some(Deed::Authorize { redeem: d.often(850) })),
            (3, self.any(&codes).map(|code| Deed::Redeem { code, good: d.often(900) })),
            (likely(12, !fresh.is_empty()), token.map(|token| Deed::Refresh { token })),
            (likely(2, signed_in), Some(Deed::SignOut)),
            (1, Some(Deed::EndSession)),
            (1, token.map(|token| Deed::RevokeRefresh { token })),
            (1, self.any(&accesses).map(|token| Deed::RevokeAccess { token })),
            (likely(4, signed_in), password.map(|current| Deed::Change { current })),
            (likely(4, !signed_in), Some(Deed::Forgot)),
            (likely(9, !reset.is_some_and(stale)), reset.map(|link| Deed::Reset { link })),
            (likely(7, !open.is_some_and(stale)), open.map(|link| Deed::OpenLink { link })),
            (1, Some(Deed::Resend)),
        ];
        let possible: Vec<(u64, Deed)> = deeds.into_iter().filter_map(|(n, deed)| Some((n, deed?))).collect();
        Some(d.weighed(&possible))
    }

    fn any(&self, list: &[usize]) -> Option<usize> {
        (!list.is_empty()).then(|| self.d.pick(list))
    }

    /// A link of each kind in the owner's mailbox, if any: most often the newest.
    fn mail(&self, m: &Model, person: Person) -> (Option<usize>, Option<usize>) {
        let now = self.w.wall.millis();
        let here = |reset: bool| -> Option<usize> {
            let links = (0..m.links.len()).filter(|n| m.links[*n].reset == reset && m.links[*n].arrives <= now);
            let links: Vec<usize> = links.collect();
            if self.d.often(300) { self.any(&links) } else { links.last().copied() }
        };
        if person == Person::Owner { (here(true), here(false)) } else { (None, None) }
    }
}
