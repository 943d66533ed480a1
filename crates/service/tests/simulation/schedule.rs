//! One schedule: events drawn by the seed, then rest, then the rest of the bookings' lives, looked
//! at again and again.

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
    sync::{Arc, atomic::Ordering},
    time::Duration as StdDuration,
};

use chrono::{DateTime, Duration, Utc};
use kernel::{BookingId, JobId};
use service::{
    Actor,
    billing::{self, settlement},
    jobs,
    ports::{Clock as _, bookings::Booking, jobs::Job, mail::UNCLEAR, payments::AttemptState},
    work::{Kind, Lanes},
};
use status_machine::{booking::Status, payment::State, records::CheckoutState};
use tokio::task::JoinHandle;

use crate::{
    actors::{Deed, Target, Wizard, act},
    desk::{self, Pressed},
    dice::Dice,
    facts::gather,
    judge,
    people::customer,
    time::business_start,
    wishes::{choose, way_back, wizard},
    world::{Server, World},
};

/// Retries of jobs come back within the hour; what is due later than this is due by the calendar.
const RETRIES: Duration = Duration::minutes(62);

/// What a schedule did, for the figures.
#[derive(Debug, Clone, Copy, Default)]
pub struct Deeds {
    pub bookings: u64,
    pub kills: u64,
}

pub struct Schedule {
    w: Arc<World>,
    d: Dice,
    servers: Vec<Server>,
    born: u64,
    wizards: Vec<Arc<Wizard>>,
    running: Vec<JoinHandle<()>>,
    cards: u64,
    /// Deeds of the money desk so far; each has its number as a key.
    keys: u64,
    /// What the desk does.
    clerk: Dice,
    done: Deeds,
    known: RefCell<Option<(u64, Rc<Vec<Booking>>)>>,
    /// Of which write unit on nobody waits to learn what became of a charge.
    resolved: Cell<Option<u64>>,
}

impl Schedule {
    pub fn new(w: Arc<World>, seed: u64) -> Schedule {
        let d = Dice::of(seed, "events");
        let wizards = (0..w.plan.customers).map(|n| Arc::new(wizard(&w, &d, n))).collect();
        let mut all = Schedule {
            w,
            d,
            servers: Vec::new(),
            born: 0,
            wizards,
            running: Vec::new(),
            cards: 0,
            keys: 0,
            clerk: Dice::of(seed, "desk"),
            done: Deeds::default(),
            known: RefCell::default(),
            resolved: Cell::default(),
        };
        for _ in 0..all.w.plan.servers {
            all.start();
        }
        all
    }

    fn start(&mut self) {
        self.born += 1;
        self.servers.push(Server::start(&self.w, format!("server-{}", self.born)));
    }

    /// Everything, to the end or to the first thing that is wrong.
    pub async fn run(mut self) -> Deeds {
        for _ in 0..self.w.plan.events {
            self.tell_of_settlements();
            self.event();
            let pause = self.d.weighed(&[(30, 0), (25, 200), (25, 5_000), (12, 60_000), (4, 200_000)]);
            self.w.wall.pass(self.d.below(pause + 1)).await;
            if self.d.often(150) {
                self.look(judge::always);
            }
            if self.w.trace.broken() {
                return self.done;
            }
        }
        self.rest().await;
        self.live_on().await;
        self.done.bookings = self.bookings().len() as u64;
        self.done
    }

    fn look(&self, judge: fn(&crate::facts::Facts) -> Result<(), String>) {
        if !self.w.trace.broken()
            && let facts = gather(&self.w, &self.bookings(), false, self.cards)
            && let Err(why) = judge(&facts)
        {
            self.w.wrong(why);
            self.w.trace.explain(&facts);
        }
    }

    /// All bookings; remembered until something is written.
    fn bookings(&self) -> Rc<Vec<Booking>> {
        let written = self.w.db.writes();
        let known = self.known.borrow().as_ref().filter(|(at, _)| *at == written).map(|(_, all)| all.clone());
        known.unwrap_or_else(|| {
            let (customers, deleted) = (self.w.plan.customers, self.w.plan.desk > 0);
            let all = self.w.look(move |u| {
                let mut all = Vec::new();
                for n in 0..customers {
                    let user = customer(n).user.unwrap();
                    if !deleted {
                        all.extend(u.bookings().of_user(user, 1, 100)?.data);
                        continue;
                    }
                    for id in u.bookings().all_of_user(user)? {
                        all.extend(u.bookings().get(id)?);
                    }
                }
                Ok(all)
            });
            let all = Rc::new(all);
            *self.known.borrow_mut() = Some((written, all.clone()));
            all
        })
    }

    fn event(&mut self) {
        match self.d.below(100) {
            0..24 => self.jump(),
            24..30 => self.kill(),
            30..32 if self.w.clock.runs() => self.w.clock.stop(),
            30..32 => self.w.clock.run(),
            _ => self.deed(),
        }
    }

    fn kill(&mut self) {
        if self.servers.is_empty() {
            self.start();
            return;
        }
        let n = usize::try_from(self.d.below(self.servers.len() as u64)).unwrap();
        self.servers.swap_remove(n).kill(&self.w);
        self.done.kills += 1;
        if self.servers.is_empty() || self.d.often(700) {
            self.start();
        }
    }

    fn move_clock(&self, to: DateTime<Utc>) {
        let now = self.w.clock.now();
        if to > now {
            self.w.step(format_args!("the clock is set to {to}"));
            self.w.clock.set(to);
        }
        self.w.moved.notify_waiters();
    }

    /// To the next instant that means something to somebody, or by a bit.
    fn jump(&mut self) {
        let now = self.w.clock.now();
        let mut instants: Vec<DateTime<Utc>> = self.w.next_job().into_iter().collect();
        for b in self.bookings().iter() {
            instants.extend([
                b.created_at + Duration::hours(24),
                b.move_at - Duration::hours(48),
                b.move_at,
                b.move_at + Duration::hours(3),
            ]);
            instants.extend(b.completed_at.map(|at| at + Duration::hours(24)));
        }
        instants.retain(|at| *at > now);
        instants.sort();
        let by = self.d.pick(&[1, 20, 200, 1_500]);
        let to = match self.d.below(10) {
            0..6 if !instants.is_empty() => instants[0] + Duration::seconds(self.d.pick(&[-1, 0, 1, 3_600])),
            6 if !instants.is_empty() => instants[instants.len() / 2],
            _ => now + Duration::minutes(i64::try_from(self.d.below(by) + 1).unwrap()),
        };
        self.move_clock(to);
    }

    fn deed(&mut self) {
        if self.servers.is_empty() {
            self.start();
        }
        let n = usize::try_from(self.d.below(self.wizards.len() as u64)).unwrap();
        let wizard = self.wizards[n].clone();
        let mine: Vec<Booking> =
            self.bookings().iter().filter(|b| b.details.comments.starts_with(&format!("key-{n}-"))).cloned().collect();
        let booking =
            (!mine.is_empty()).then(|| mine[usize::try_from(self.d.below(mine.len() as u64)).unwrap()].clone());
        let by_desk = self.w.plan.desk > 0 && self.clerk.often(self.w.plan.desk);
        let deed = match booking.as_ref().filter(|_| by_desk) {
            Some(b) => self.of_desk(b),
            None => choose(&self.d, &self.w, &wizard, booking.as_ref()),
        };
        let version = booking
            .as_ref()
            .and_then(|b| self.d.pick(&[None, None, Some(b.version), Some(b.version), Some(b.version - 1)]));
        let target = Target { wizard, booking: booking.map(|b| b.id), version };
        if deed == Deed::Card {
            self.cards += 1;
        }
        let times = if self.d.often(300) && deed != Deed::Card { 2 } else { 1 };
        for again in 0..times {
            let wait = if again == 0 { 0 } else { self.d.pick(&[0, 300, 4_000, 15_000, 90_000]) };
            self.request(deed.clone(), target.clone(), wait);
        }
    }

    /// Something that staff do about the money of a booking, as its page shows it, or a way back.
    fn of_desk(&mut self, b: &Booking) -> Deed {
        if self.clerk.often(150) {
            return way_back(&self.clerk, b);
        }
        self.keys += 1;
        Deed::Desk(self.page(b.id).choose(&self.clerk, self.keys))
    }

    fn page(&self, id: BookingId) -> desk::Page {
        self.w.look(move |u| {
            let booking = u.bookings().get(id)?.expect("it was listed");
            Ok(desk::Page { booking, rows: u.payments().of_booking(id)?, invoices: u.invoices().of_booking(id)? })
        })
    }

    /// Sends a request to some server; whoever asks may give up.
    fn request(&mut self, deed: Deed, target: Target, wait: u64) {
        let n = usize::try_from(self.d.below(self.servers.len() as u64)).unwrap();
        let patience = if self.d.often(250) { self.d.below(20_000) } else { 400_000 };
        let w = self.w.clone();
        w.step(format_args!("{deed:?} by customer {} in {wait} ms, patience {patience}", target.wizard.n));
        let server = &mut self.servers[n];
        let (world, services) = (w.clone(), server.services.clone());
        let task = async move {
            world.wall.pass(wait).await;
            let until = world.wall.deadline(patience);
            let name = deed.clone();
            if tokio::time::timeout_at(until, act(world.clone(), services, deed, target)).await.is_err() {
                world.step(format_args!("{name:?}: given up"));
            }
        };
        self.running.retain(|r| !r.is_finished());
        self.running.push(server.spawn(&w, task));
    }

    /// The world turns friendly; everything that is under way ends, everything due is done.
    async fn rest(&mut self) {
        let w = self.w.clone();
        w.set_calm(true);
        if self.servers.is_empty() {
            self.start();
        }
        let ran = w.clock.runs();
        w.clock.run();
        w.step(format_args!("rest"));
        if w.killed.lock().unwrap().is_some_and(|at| w.wall.millis() < at + 180_000) {
            w.wall.pass(180_000).await;
        }
        let (mut waits, mut searched, mut because) = (0, false, "");
        loop {
            if w.trace.broken() {
                return;
            }
            self.tell_of_settlements();
            self.running.retain(|r| !r.is_finished());
            waits += 1;
            if waits > 200 {
                w.wrong(format!("it does not come to rest: {because}"));
                return;
            }
            if w.busy.load(Ordering::Relaxed) > 0 {
                because = "a worker works on";
                w.wall.pass(5_000).await;
                continue;
            }
            if !self.running.is_empty() || w.bank.on_their_way() > 0 {
                because = "requests do not end";
                w.wall.pass(60_000).await;
                continue;
            }
            let now = w.clock.now();
            let next = w.next_job();
            match next.filter(|at| *at <= now + RETRIES) {
                Some(at) if at <= now => {
                    because = "nobody takes what is due";
                    w.moved.notify_waiters();
                    w.wall.pass(70).await;
                }
                _ if self.unresolved() => {
                    because = "nobody learns what became of a charge";
                    w.wall.pass(60_000).await;
                }
                Some(at) => {
                    because = "there is always something more";
                    self.move_clock(at);
                    w.wall.pass(70).await;
                }
                None if self.held_back() => {
                    because = "what is due is held back";
                    w.wall.pass(30_000).await;
                }
                None if self.late_and_unknown() && !searched => {
                    // The next look, or the daily comparison, finds it; let that be now.
                    searched = true;
                    w.step(format_args!("housekeeping"));
                    let _ = jobs::schedule_housekeeping(&self.servers[0].services).await;
                    w.wall.pass(70).await;
                }
                None if self.refused_and_unknown().is_some() => {
                    because = "a charge refused at its settlement stays in the books";
                    match self.refused_and_unknown() {
                        Some(order) if searched => self.notify(order, 0),
                        _ => {
                            searched = true;
                            w.step(format_args!("housekeeping"));
                            let _ = jobs::schedule_housekeeping(&self.servers[0].services).await;
                        }
                    }
                    w.wall.pass(70).await;
                }
                None if self.disputed_and_unknown().is_some() => {
                    because = "a dispute is not in the books";
                    match self.disputed_and_unknown() {
                        Some(order) if searched => self.notify(order, 0),
                        _ => {
                            searched = true;
                            w.step(format_args!("housekeeping"));
                            let _ = jobs::schedule_housekeeping(&self.servers[0].services).await;
                        }
                    }
                    w.wall.pass(70).await;
                }
                None => match self.left_open() {
                    Some(job) => {
                        because = "a letter is not answered";
                        w.step(format_args!("staff have a letter sent again"));
                        let _ = jobs::retry(&self.servers[0].services, job, Actor::system()).await;
                        w.wall.pass(70).await;
                    }
                    None => break,
                },
            }
        }
        if !ran {
            w.clock.stop();
        }
        self.look(judge::at_rest);
    }

    /// Due by the calendar, but not by real time yet.
    fn held_back(&self) -> bool {
        let now = self.w.clock.now();
        self.w.look(move |u| Ok(u.jobs().figures(now)?.due > 0))
    }

    /// A letter that was on its way at two kills: whether it goes out again is for a person to say.
    fn left_open(&self) -> Option<JobId> {
        let open = |job: &Job| {
            job.kind == Kind::SendMessage.code() && job.last_error.as_ref().is_some_and(|said| said.contains(UNCLEAR))
        };
        self.w.look(move |u| Ok(u.jobs().dead(10)?.into_iter().find(open).map(|job| job.id)))
    }

    /// The gateway applied something beyond its horizon, and our books do not know of it.
    fn late_and_unknown(&self) -> bool {
        let late: Vec<String> = self.w.bank.late().into_iter().collect();
        !late.is_empty()
            && self.w.look(move |u| {
                for order in &late {
                    let booked = u.payments().attempt(order)?.is_some_and(|a| a.state == AttemptState::Applied);
                    if !booked && u.strays().get(order)?.is_none() {
                        return Ok(true);
                    }
                }
                Ok(false)
            })
    }

    /// The gateway tells of charges that were refused at their settlement, and of disputes: once, twice, late or never.
    fn tell_of_settlements(&mut self) {
        self.w.settle_charges();
        for order in self.w.bank.untold() {
            self.w.step(format_args!("gateway: something became of {order}"));
            for _ in 0..self.d.weighed(&[(3, 0), (5, 1), (2, 2)]) {
                let wait = self.d.pick(&[0, 300, 15_000, 90_000]);
                self.notify(order.clone(), wait);
            }
        }
    }

    /// A notification arrives at some server, if there is one.
    fn notify(&mut self, order: String, wait: u64) {
        if self.servers.is_empty() {
            return;
        }
        let n = usize::try_from(self.d.below(self.servers.len() as u64)).unwrap();
        let (w, services) = (self.w.clone(), self.servers[n].services.clone());
        let task = async move {
            w.wall.pass(wait).await;
            let _ = settlement::suspect(&services, &order).await;
            w.step(format_args!("notified of {order}"));
            services.bell.ring(Lanes::ALL);
        };
        let running = self.servers[n].spawn(&self.w, task);
        self.running.push(running);
    }

    /// A charge that our books still believe in.
    fn refused_and_unknown(&self) -> Option<String> {
        let refused = self.w.bank.refused();
        if refused.is_empty() {
            return None;
        }
        self.w.look(move |u| {
            for order in refused {
                if u.payments().attempt(&order)?.is_some_and(|a| a.state == AttemptState::Applied) {
                    return Ok(Some(order));
                }
            }
            Ok(None)
        })
    }

    /// A charge whose dispute stands otherwise in our books than at the gateway.
    fn disputed_and_unknown(&self) -> Option<String> {
        let disputes = self.w.bank.disputes();
        if disputes.is_empty() {
            return None;
        }
        let list = self.w.bank.list();
        self.w.look(move |u| {
            for d in disputes {
                let Some(order) = list.iter().find(|t| t.id == d.transaction_id).map(|t| t.order_id.clone()) else {
                    continue;
                };
                // What is not booked at all goes back as a whole, if the bank takes it.
                let booked = u.payments().attempt(&order)?.is_some_and(|a| a.state == AttemptState::Applied);
                if booked && u.disputes().of_gateway(&d.id)?.is_none_or(|ours| ours.state != d.state) {
                    return Ok(Some(order));
                }
            }
            Ok(None)
        })
    }

    fn unresolved(&self) -> bool {
        let written = self.w.db.writes();
        if self.resolved.get() == Some(written) {
            return false;
        }
        let open = self.bookings().iter().map(|b| b.id).collect::<Vec<_>>();
        let waits = self.w.look(move |u| {
            if !u.checkouts().in_state(CheckoutState::Charging)?.is_empty() {
                return Ok(true);
            }
            for id in open {
                if u.payments().of_booking(id)?.iter().any(|p| matches!(*p.state, State::Processing | State::Unknown)) {
                    return Ok(true);
                }
            }
            Ok(false)
        });
        if !waits {
            self.resolved.set(Some(written));
        }
        waits
    }

    /// The calendar goes on, from one planned thing to the next, until the moves are long past.
    async fn live_on(&mut self) {
        for _ in 0..12 {
            if self.w.trace.broken() {
                return;
            }
            let bookings = self.bookings();
            let now = self.w.clock.now();
            let end = bookings.iter().map(|b| b.move_at + Duration::days(12)).max();
            let started =
                bookings.iter().find(|b| matches!(b.status, Status::Pending | Status::Assigned) && now >= b.move_at);
            if let Some(b) = started.filter(|_| self.d.often(800)) {
                self.ask(Deed::Status(Status::Completed, false), b);
            } else {
                let next = self.w.next_job().into_iter().chain(self.w.bank.next_dispute(now)).min();
                let start = bookings.iter().map(|b| b.move_at).filter(|at| *at > now).min();
                let Some(at) = next.into_iter().chain(start).min().filter(|at| end.is_some_and(|end| *at < end)) else {
                    break;
                };
                // What is due one after the other is also met all at once.
                let over = self.d.pick(&[0, 0, 30, 80]);
                self.move_clock(at + Duration::seconds(1) + Duration::hours(over));
            }
            if self.w.plan.desk > 0 && !bookings.is_empty() && self.clerk.often(self.w.plan.desk) {
                let b = &bookings[usize::try_from(self.clerk.below(bookings.len() as u64)).unwrap()];
                let deed = self.of_desk(b);
                self.ask(deed, b);
            }
            self.rest().await;
        }
        if self.w.trace.broken() {
            return;
        }
        self.finish().await;
        if self.w.trace.broken() {
            return;
        }
        if let Err(why) = judge::rooms(&gather(&self.w, &self.bookings(), true, self.cards)) {
            self.w.wrong(why);
        }
        self.reconcile().await;
    }

    /// One request about a booking, at once.
    fn ask(&mut self, deed: Deed, b: &Booking) {
        let n = if b.details.comments.starts_with("key-1") { 1 } else { 0 };
        let target = Target { wizard: self.wizards[n].clone(), booking: Some(b.id), version: None };
        self.request(deed, target, 0);
    }

    /// In the end staff finish what waits for them: they hand back what is to go back by hand, and give up what does not
    /// come. Then nothing is owed either way, and no account of the customer holds anything.
    async fn finish(&mut self) {
        if self.w.plan.desk == 0 {
            return;
        }
        for _ in 0..3 {
            let bookings = self.bookings();
            let mut asked = false;
            for b in bookings.iter() {
                let page = self.page(b.id);
                let left = page.waiting().map(Pressed::HandOver).chain(page.given_up().map(Pressed::WriteOff));
                for pressed in left.collect::<Vec<_>>() {
                    asked = true;
                    self.ask(Deed::Desk(pressed), b);
                }
            }
            if !asked || self.w.trace.broken() {
                break;
            }
            self.rest().await;
        }
        self.look(judge::finished);
    }

    /// Portage's own comparison must be as satisfied as the judge is.
    async fn reconcile(&mut self) {
        if !self.d.often(250) {
            return;
        }
        let now = self.w.clock.now();
        let s = &self.servers[0].services;
        match billing::reconcile::run(s, business_start() - Duration::days(2), now + Duration::seconds(1)).await {
            Ok(mut report) => {
                // Money that no bank takes back is the staff's business, and rightly named.
                let facts = gather(&self.w, &self.bookings(), true, self.cards);
                let stuck = facts.bookings.iter().filter(|b| judge::refund_refused(b));
                let stuck: Vec<String> = stuck.map(|b| format!("{}: holds ", b.booking.short_id)).collect();
                report.differences.retain(|d| !stuck.iter().any(|known| d.starts_with(known)));
                if !report.differences.is_empty() {
                    self.w.wrong(format!("reconcile says {:?}", report.differences));
                }
            }
            Err(e) => self.w.wrong(format!("reconcile fails: {e}")),
        }
        tokio::time::sleep(StdDuration::from_millis(1)).await;
    }
}
