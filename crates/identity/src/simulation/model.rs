//! What people hold, and what became of it as far as they were told: a model of its own, which asks
//! no use case. Whoever begins an act says what it may end; whoever hears the answer says what it
//! did. What nobody heard is open until somebody looks.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{
    UserId,
    chrono::{DateTime, Duration, Utc},
};

use super::rights::{DidEnd, Right, Switch};

/// Who acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Person {
    /// Reads the mail of the address.
    Owner,
    /// Does not.
    Stranger,
}

/// Between two instants.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
}

impl Span {
    pub fn plus(self, by: Duration) -> Span {
        Span { from: self.from + by, until: self.until + by }
    }
}

pub(super) struct Session {
    pub person: Person,
    pub cookie: String,
    pub user: UserId,
    /// It is worth something while this one is in force.
    pub password: usize,
    pub made: Span,
    pub expires: Span,
    /// The act that made it.
    born: (u64, u64),
    pub right: Right,
}

pub(super) struct Grant {
    pub session: usize,
    pub expires: Span,
    pub right: Right,
}

pub(super) struct Access {
    pub grant: usize,
    pub token: String,
    /// Its own `exp`.
    pub expires: i64,
    /// Its own `role_at_issue`.
    pub role: Option<String>,
    /// Found to be no good any more.
    pub rests: bool,
}

pub(super) struct Refresh {
    pub grant: usize,
    pub token: String,
    /// Ends by being used.
    pub right: Right,
    pub uses: u32,
}

pub(super) struct Code {
    pub session: usize,
    pub code: String,
    pub expires: Span,
    /// Ends by being used.
    pub right: Right,
    pub uses: u32,
    in_flight: u32,
    /// What uses of the code that gave nothing may have done to its grant.
    replayed: DidEnd,
    pub grant: Option<usize>,
}

/// A link in a mail of the owner's.
pub(super) struct Link {
    pub token: String,
    pub reset: bool,
    pub user: UserId,
    /// The mail tells the second.
    pub expires: Span,
    pub born: u64,
    /// Milliseconds of real time at which it is in the mailbox.
    pub arrives: u64,
    pub right: Right,
}

pub(super) struct Password {
    pub person: Person,
    pub text: String,
    /// When the act that set it was over.
    over: u64,
}

/// What an act may end or change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Session(usize),
    Grant(usize),
    /// One use of a refresh token.
    Refresh(usize),
    /// One use of a code.
    Code(usize),
    Link(usize),
    /// Sets this password.
    Password(usize),
    /// All links to a new password.
    ResetLinks,
    Disable,
    Enable,
    /// The role goes, and the sessions with it.
    Dismiss,
    Give,
    /// The role goes by hand, past everything.
    ByHand,
}

/// No account has the address.
pub(super) const NONE: usize = usize::MAX;

/// A finished act on all sessions: its target, begin, end and outcome.
type Swept = (Target, u64, u64, DidEnd);

pub(super) struct Model {
    seq: u64,
    pub sessions: Vec<Session>,
    pub grants: Vec<Grant>,
    pub accesses: Vec<Access>,
    pub refreshes: Vec<Refresh>,
    pub codes: Vec<Code>,
    pub links: Vec<Link>,
    pub passwords: Vec<Password>,
    /// Passwords of which one is in force.
    pub possible: BTreeSet<usize>,
    /// Acts that set a password and are not over, and how many ever began.
    pub setting: u32,
    pub set: u64,
    /// Nobody signs in to the address.
    pub locked: Switch,
    /// The address has a role.
    pub member: Switch,
    pub accounts: BTreeMap<Person, BTreeSet<UserId>>,
    /// Shown to be verified, and when that was known.
    pub verified: BTreeMap<UserId, u64>,
    sweeping: u32,
    swept: Vec<Swept>,
    enabling: u32,
    enabled_at: u64,
    resetting: u32,
}

impl Model {
    pub fn new() -> Model {
        Model {
            seq: 0,
            sessions: vec![],
            grants: vec![],
            accesses: vec![],
            refreshes: vec![],
            codes: vec![],
            links: vec![],
            passwords: vec![],
            possible: BTreeSet::from([NONE]),
            setting: 0,
            set: 0,
            locked: Switch::new(false),
            member: Switch::new(false),
            accounts: BTreeMap::new(),
            verified: BTreeMap::new(),
            sweeping: 0,
            swept: vec![],
            enabling: 0,
            enabled_at: 0,
            resetting: 0,
        }
    }

    fn tick(&mut self) -> u64 {
        self.seq += 1;
        self.seq
    }

    /// Now, in acts that began or were over.
    pub fn at(&self) -> u64 {
        self.seq
    }

    /// Another password of somebody's; each is set once at most.
    pub fn password(&mut self, person: Person) -> usize {
        let n = self.passwords.len();
        self.passwords.push(Password { person, text: format!("{person:?}'s number {n}"), over: 0 });
        n
    }

    /// An act begins.
    pub fn begin(&mut self, targets: &[Target]) -> u64 {
        let at = self.tick();
        for target in targets {
            match *target {
                Target::Session(n) => self.sessions[n].right.begin(),
                Target::Grant(n) => self.grants[n].right.begin(),
                Target::Link(n) => self.links[n].right.begin(),
                Target::Refresh(n) => {
                    self.refreshes[n].right.begin();
                    self.refreshes[n].uses += 1;
                }
                Target::Code(n) => {
                    let code = &mut self.codes[n];
                    code.right.begin();
                    (code.uses, code.in_flight) = (code.uses + 1, code.in_flight + 1);
                    if let Some(grant) = code.grant {
                        self.grants[grant].right.begin();
                    }
                }
                Target::Password(n) => {
                    (self.setting, self.set) = (self.setting + 1, self.set + 1);
                    self.passwords[n].over = u64::MAX;
                    self.possible.insert(n);
                }
                Target::ResetLinks => {
                    self.resetting += 1;
                    self.links.iter_mut().filter(|l| l.reset).for_each(|l| l.right.begin());
                }
                Target::Disable | Target::Dismiss => {
                    self.sweeping += 1;
                    self.sessions.iter_mut().for_each(|s| s.right.begin());
                    let switch = if *target == Target::Disable { &mut self.locked } else { &mut self.member };
                    switch.begin(at);
                }
                Target::Enable => {
                    self.enabling += 1;
                    self.locked.begin(at);
                }
                Target::Give | Target::ByHand => self.member.begin(at),
            }
        }
        at
    }

    /// The act that began at `from` is over.
    pub fn end(&mut self, targets: &[Target], from: u64, how: impl Fn(&Target) -> DidEnd) {
        let at = self.tick();
        for target in targets {
            let how = how(target);
            match *target {
                Target::Session(n) => self.sessions[n].right.end(how),
                Target::Grant(n) => self.grants[n].right.end(how),
                Target::Link(n) => self.links[n].right.end(how),
                Target::Refresh(n) => self.refreshes[n].right.end(how),
                Target::Code(n) => self.end_code(n, how),
                Target::Password(n) => self.end_password(n, from, at, how),
                Target::ResetLinks => {
                    self.resetting -= 1;
                    for link in self.links.iter_mut().filter(|l| l.reset) {
                        link.right.end(if how == DidEnd::Surely && link.born > from { DidEnd::Perhaps } else { how });
                    }
                }
                Target::Disable | Target::Dismiss => self.end_sweep(*target, from, at, how),
                Target::Enable => {
                    (self.enabling, self.enabled_at) = (self.enabling - 1, at);
                    self.locked.end(from, at, how, false);
                }
                Target::Give => self.member.end(from, at, how, true),
                Target::ByHand => self.member.end(from, at, how, false),
            }
        }
    }

    /// `No`: it gave a grant. `Surely`: it was refused, and took back what it had given.
    fn end_code(&mut self, n: usize, how: DidEnd) {
        let code = &mut self.codes[n];
        code.in_flight -= 1;
        code.right.end(if how == DidEnd::Perhaps { DidEnd::Perhaps } else { DidEnd::Surely });
        match code.grant {
            Some(grant) => self.grants[grant].right.end(how),
            None if how == DidEnd::Surely || code.replayed == DidEnd::No => code.replayed = how,
            None => {}
        }
    }

    fn end_password(&mut self, n: usize, from: u64, at: u64, how: DidEnd) {
        self.setting -= 1;
        self.passwords[n].over = at;
        match how {
            // What was set before this act began is not in force any more.
            DidEnd::Surely => {
                let passwords = &self.passwords;
                self.possible.retain(|p| *p == n || (*p != NONE && passwords[*p].over > from));
            }
            DidEnd::Perhaps => {}
            DidEnd::No => {
                self.possible.remove(&n);
            }
        }
    }

    fn end_sweep(&mut self, target: Target, from: u64, at: u64, how: DidEnd) {
        self.sweeping -= 1;
        let swept = (target, from, at, how);
        for n in 0..self.sessions.len() {
            let how = self.swept_how(swept, self.sessions[n].user, self.sessions[n].born);
            self.sessions[n].right.end(how);
        }
        self.swept.push(swept);
        match target {
            Target::Disable => self.locked.end(from, at, how, true),
            _ => self.member.end(from, at, how, false),
        }
    }

    /// What an act on all sessions did to one of them, given when the session was made.
    fn swept_how(&self, (target, from, _, how): Swept, user: UserId, born: (u64, u64)) -> DidEnd {
        let before = born.1 < from;
        match (how, target) {
            // Nobody gets in between locking and unlocking.
            (DidEnd::Surely, Target::Disable) if before || (self.enabling == 0 && self.enabled_at < from) => {
                DidEnd::Surely
            }
            (DidEnd::Surely, Target::Dismiss)
                if before && self.verified.get(&user).is_some_and(|known| *known < from) =>
            {
                DidEnd::Surely
            }
            (DidEnd::No, _) => DidEnd::No,
            _ => DidEnd::Perhaps,
        }
    }

    /// A session somebody got by an act that began at `from`.
    pub fn add_session(&mut self, session: (Person, String, UserId, usize), made: Span, expires: Span, from: u64) {
        let (person, cookie, user, password) = session;
        let born = (from, self.tick());
        let mut right = Right::new();
        right.begin_all(self.sweeping);
        for swept in self.swept.iter().filter(|s| s.2 > from) {
            right.record_end(self.swept_how(*swept, user, born));
        }
        self.accounts.entry(person).or_default().insert(user);
        self.sessions.push(Session { person, cookie, user, password, made, expires, born, right });
    }

    pub fn add_code(&mut self, session: usize, code: String, expires: Span) -> usize {
        let (right, replayed) = (Right::new(), DidEnd::No);
        self.codes.push(Code { session, code, expires, right, uses: 0, in_flight: 0, replayed, grant: None });
        self.codes.len() - 1
    }

    /// What a code gave (after [`Model::end`]).
    pub fn add_grant(&mut self, code: usize, expires: Span) -> usize {
        let code = &mut self.codes[code];
        let mut right = Right::new();
        right.record_end(code.replayed);
        right.begin_all(code.in_flight);
        code.grant = Some(self.grants.len());
        self.grants.push(Grant { session: code.session, expires, right });
        self.grants.len() - 1
    }

    /// A mail with a link was committed.
    pub fn add_link(&mut self, token: String, reset: bool, user: UserId, expires: DateTime<Utc>, arrives: u64) {
        let mut right = Right::new();
        if reset {
            right.begin_all(self.resetting);
        }
        let born = self.tick();
        let expires = Span { from: expires, until: expires + Duration::seconds(1) };
        self.links.push(Link { token, reset, user, expires, born, arrives, right });
    }

    pub fn session_of(&self, cookie: Option<&str>) -> Option<usize> {
        self.sessions.iter().position(|s| Some(s.cookie.as_str()) == cookie)
    }

    /// Nobody has ended or is ending it, as far as anybody was told.
    pub fn surely_in(&self, session: usize, now: DateTime<Utc>) -> bool {
        let s = &self.sessions[session];
        let in_force = self.setting == 0 && self.possible.len() == 1 && self.possible.contains(&s.password);
        s.right.works() && now < s.expires.from && in_force && self.locked.is() == Some(false)
    }

    /// It was ended, and everybody concerned was told.
    pub fn surely_out(&self, session: usize, now: DateTime<Utc>) -> bool {
        let s = &self.sessions[session];
        s.right.is_over() || now >= s.expires.until || !self.possible.contains(&s.password)
    }
}
