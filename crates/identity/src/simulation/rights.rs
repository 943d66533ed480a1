//! What the model says about one thing that can end once: a session, a family of tokens, a single
//! token, a link. And about one thing that is switched on and off.

/// What is known about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Alive,
    Dead,
    /// Somebody who never heard the answer may have ended it.
    Unknown,
}

/// Whether an act ended something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DidEnd {
    /// Yes: the act was acknowledged.
    Surely,
    /// Unknown: nobody heard the answer.
    Perhaps,
    /// No: the act was refused.
    No,
}

/// What must be seen now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expect {
    Works,
    Refused,
    Either,
}

/// A thing that can end once, and never comes back: see the module.
#[derive(Debug, Clone)]
pub(super) struct Right {
    fate: Fate,
    /// Acts that may end it and are not over.
    under_way: u32,
    /// It was tried since it ended.
    seen_dead: bool,
}

impl Right {
    pub fn new() -> Right {
        Right { fate: Fate::Alive, under_way: 0, seen_dead: false }
    }

    /// An act that may end it begins.
    pub fn begin(&mut self) {
        self.begin_all(1);
    }

    pub fn begin_all(&mut self, acts: u32) {
        self.under_way += acts;
    }

    /// Such an act is over.
    pub fn end(&mut self, how: DidEnd) {
        self.under_way -= 1;
        self.record_end(how);
    }

    /// Records what an act did, without counting it as under way.
    pub fn record_end(&mut self, how: DidEnd) {
        match (how, self.fate) {
            (DidEnd::Surely, _) => self.fate = Fate::Dead,
            (DidEnd::Perhaps, Fate::Alive) => self.fate = Fate::Unknown,
            _ => {}
        }
    }

    pub fn expect(&self) -> Expect {
        match self.fate {
            Fate::Dead => Expect::Refused,
            Fate::Alive if self.under_way == 0 => Expect::Works,
            _ => Expect::Either,
        }
    }

    pub fn works(&self) -> bool {
        self.expect() == Expect::Works
    }

    pub fn is_over(&self) -> bool {
        self.expect() == Expect::Refused
    }

    /// It was tried: whatever was refused once is refused for ever, and what works although nobody is
    /// at it any more was not ended by those who were.
    pub fn seen(&mut self, works: bool) {
        if !works {
            (self.fate, self.seen_dead) = (Fate::Dead, true);
        } else if self.fate == Fate::Unknown && self.under_way == 0 {
            self.fate = Fate::Alive;
        }
    }

    /// It is over, and was found to be.
    pub fn rests(&self) -> bool {
        self.fate == Fate::Dead && self.seen_dead && self.under_way == 0
    }
}

/// Something that is on or off, as far as that is known.
#[derive(Debug, Clone)]
pub(super) struct Switch {
    state: Option<bool>,
    under_way: u32,
    /// When the newest act began, and when one was over.
    begun: u64,
    over: u64,
}

impl Switch {
    pub fn new(on: bool) -> Switch {
        Switch { state: Some(on), under_way: 0, begun: 0, over: 0 }
    }

    pub fn begin(&mut self, at: u64) {
        self.under_way += 1;
        self.begun = at;
    }

    /// The act that began at `from` is over, and set it so.
    pub fn end(&mut self, from: u64, at: u64, how: DidEnd, on: bool) {
        self.under_way -= 1;
        let alone = self.begun == from && self.over <= from && self.under_way == 0;
        match how {
            DidEnd::Surely if alone => self.state = Some(on),
            DidEnd::Surely | DidEnd::Perhaps => self.state = None,
            DidEnd::No => {}
        }
        // A refusal changed nothing that others would have to care for.
        if how != DidEnd::No {
            self.over = at;
        }
    }

    /// How it stands; none while somebody is at it, or when nobody knows.
    pub fn is(&self) -> Option<bool> {
        self.state.filter(|_| self.under_way == 0)
    }

    pub fn seen(&mut self, on: bool) {
        if self.under_way == 0 {
            self.state = Some(on);
        }
    }
}
