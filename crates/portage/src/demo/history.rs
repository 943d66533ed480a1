//! Six weeks of a company that is there already: customers, their moves in every status, money, messages and notes.
//! The use cases themselves make all of it, at the times it tells of, against the simulators, so that ledger, gateway,
//! mails and histories agree with each other.

use std::{
    collections::BTreeMap,
    net::{Ipv4Addr, TcpListener},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use braintree::simulator::SimRequest;
use kernel::{
    Accessibility, Address, BookingId, Coordinates, Language, MateCount, PostalCode, Province,
    chrono::{DateTime, Duration, NaiveTime, Utc},
};
use service::{
    Caller, Error, ErrorCode, Mode, Role, Services, Staff,
    accounts::desk::Contact,
    bookings::{
        Created, Draft, TipInput, cancel, create, create_for,
        draft::Extras,
        status::{self, StatusInput},
    },
    desk::notes,
    idempotency::Replayable,
    invoices, jobs, payments,
    ports::{
        Clock,
        bookings::{BookedItem, Booking, Location, PaidBy, Survey},
        dispatch::Act,
        notes::Visibility,
    },
};
use simulators::Carried;
use status_machine::booking::Status;

use super::{
    accounts, asked, crews,
    stories::{Course, PEOPLE, STORIES, Story},
};
use crate::{
    config::{Payments, Settings},
    failure::Failure,
    installation,
    wiring::{self, Program, SimulatorHost},
};

/// The first booking is younger than that.
const REACH: Duration = Duration::days(45);
/// A card that every gateway's tests take.
const CARD: &str = "fake-valid-visa-nonce";
/// So many days later a move may be when nobody works on its day or all crews are taken.
const PUT_OFF: i64 = 6;
/// What waits for an answer of the gateway is looked at again after so long, and so often.
const LOOK: std::time::Duration = std::time::Duration::from_millis(20);
const LOOKS: usize = 50;
/// How often it is looked whether the simulator's file is free again: for ten seconds.
const RELEASES: usize = 500;

/// Time that stands where it was set.
struct Travelling(AtomicI64);

impl Travelling {
    fn at(instant: DateTime<Utc>) -> Travelling {
        Travelling(AtomicI64::new(instant.timestamp_micros()))
    }

    fn go(&self, instant: DateTime<Utc>) {
        self.0.fetch_max(instant.timestamp_micros(), Ordering::Relaxed);
    }
}

impl Clock for Travelling {
    fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_micros(self.0.load(Ordering::Relaxed)).unwrap_or_default()
    }
}

/// Fills an empty demo: what [`super::seed`] writes, and the stories. Does nothing in production, where outside
/// services stand in, and in a database that was seeded before.
///
/// # Errors
/// When the database, the simulators or a use case fails.
pub async fn write(settings: &Settings) -> Result<(), Failure> {
    let simulated = matches!(&settings.payments, Payments::Simulator(s) if s.elsewhere.is_none());
    if settings.mode != Mode::Demo || !simulated {
        return Ok(());
    }
    let until = wiring::clock(settings)?.now();
    if written(settings, until).await? { given_back(settings).await } else { Ok(()) }
}

/// False for a database that was seeded before.
async fn written(settings: &Settings, until: DateTime<Utc>) -> Result<bool, Failure> {
    let clock = Arc::new(Travelling::at(until - REACH));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let stage = SimulatorHost::ThisProcess(listener.local_addr()?);
    let program = Program::advance_by(settings.clone(), stage, clock.clone())?;
    installation::settle(&program.settings, &program.services).await?;
    if !super::is_empty(&program.services, until).await? {
        return Ok(false);
    }
    super::seed(&program).await?;
    let running = api::serve(program.server_config(), program.parts(), program.extra(), listener)?;
    let (handle, server) = (running.server.handle(), tokio::spawn(running.server));
    let told = Teller::tell(&program, &clock, until).await;
    handle.stop(true).await;
    server.await??;
    told.map(|()| true)
}

/// The server's threads let go of the simulator's file a moment after it has ended: the next program opens the file, too.
async fn given_back(settings: &Settings) -> Result<(), Failure> {
    let clock = wiring::clock(settings)?;
    for _ in 0..RELEASES {
        match wiring::open_simulator(settings, &clock) {
            Err(e) if e.kind() == std::io::ErrorKind::WouldBlock => tokio::time::sleep(LOOK).await,
            opened => return Ok(opened.map(drop)?),
        }
    }
    Err(Failure::new("the demo's history was written, and its payment simulator does not end".to_owned()))
}

/// Something that happens at an instant, in the story of this number, or to the guest of it.
#[derive(Debug, Clone, Copy)]
enum Deed {
    Book,
    Note,
    DeclineCharges,
    Step(Status),
    CrewSays(Act),
    CustomerCancels,
    SendInvoice,
    Ask,
}

struct Teller<'a> {
    s: &'a Services,
    clock: &'a Travelling,
    simulators: &'a Carried,
    staff: Staff,
    people: Vec<Caller>,
    /// What is still to happen, in order; the second number keeps two deeds of one instant apart.
    agenda: BTreeMap<(DateTime<Utc>, usize), (usize, Deed)>,
    made: BTreeMap<usize, BookingId>,
}

impl Teller<'_> {
    async fn tell(program: &Program, clock: &Travelling, until: DateTime<Utc>) -> Result<(), Failure> {
        let (Some(simulators), Some(_)) = (&program.simulators, &program.identity) else { return Ok(()) };
        let s = &program.services;
        let (staff, people) = (staff(s).await?, people(program).await?);
        let mut teller = Teller { s, clock, simulators, staff, people, agenda: BTreeMap::new(), made: BTreeMap::new() };
        for (n, story) in STORIES.iter().enumerate() {
            // People book at all hours of the day.
            let hours = 3 + i64::try_from(n).unwrap_or_default() * 5 % 12;
            teller.plan(until - Duration::days(story.booked) - Duration::hours(hours), n, Deed::Book);
        }
        for (at, guest) in asked::agenda(until) {
            teller.plan(at, guest, Deed::Ask);
        }
        while let Some(((at, _), (n, deed))) = teller.agenda.pop_first() {
            if at > until {
                break;
            }
            teller.work(at).await?;
            teller.happen(n, deed, until).await?;
        }
        teller.work(until).await
    }

    fn plan(&mut self, at: DateTime<Utc>, story: usize, deed: Deed) {
        let place = self.agenda.len() + STORIES.len() * self.made.len();
        self.agenda.insert((at, place), (story, deed));
    }

    /// Lets time pass, with everything that is due on the way: charges, reminders, mails.
    async fn work(&self, until: DateTime<Utc>) -> Result<(), Failure> {
        let mut looks = 0;
        loop {
            if jobs::run_due(self.s, "demo").await? > 0 {
                continue;
            }
            let wall = self.s.wall.now();
            let next = self.s.store.read(move |u| Ok::<_, Error>(u.jobs().next_run_at(wall)?)).await?;
            match next {
                Some(at) if at <= self.clock.now() && looks < LOOKS => {
                    looks += 1;
                    tokio::time::sleep(LOOK).await;
                }
                Some(at) if self.clock.now() < at && at <= until => self.clock.go(at),
                _ => break,
            }
        }
        self.clock.go(until);
        Ok(())
    }

    async fn happen(&mut self, n: usize, deed: Deed, until: DateTime<Utc>) -> Result<(), Failure> {
        if let Deed::Ask = deed {
            return asked::ask(self.s, &self.staff, n, until).await;
        }
        let Some(story) = STORIES.get(n) else { return Ok(()) };
        if let Deed::Book = deed {
            let booking = self.book(story, until).await?;
            self.made.insert(n, booking.id);
            self.follow(n, story, &booking);
            return Ok(());
        }
        let (Some(id), Some(customer)) = (self.made.get(&n).copied(), self.people.get(story.who)) else {
            return Ok(());
        };
        match deed {
            Deed::Book | Deed::Ask => {}
            Deed::Note => {
                notes::add(self.s, &self.staff, id, story.note, Visibility::Staff, None).await?;
            }
            Deed::DeclineCharges => self.decline(customer).await?,
            Deed::Step(to) => {
                let reason = (to == Status::Cancelled || to == Status::Deleted).then(|| story.note.to_owned());
                let said = StatusInput { reason, ..StatusInput::default() };
                status::set(self.s, &self.staff, id, to, said).await?;
            }
            Deed::CrewSays(act) => crews::say(self.s, id, act, until).await?,
            Deed::CustomerCancels => {
                cancel::cancel(self.s, customer, id).await?;
            }
            Deed::SendInvoice => {
                let drafted = invoices::desk::draft(self.s, &self.staff, id).await?;
                invoices::desk::send(self.s, &self.staff, drafted.invoice.id).await?;
            }
        }
        Ok(())
    }

    /// Plans what follows from the course of a story once its start is known.
    fn follow(&mut self, n: usize, story: &Story, b: &Booking) {
        let (booked, start) = (self.clock.now(), b.move_at);
        let done = start + Duration::minutes(i64::from(b.duration_minutes) + 40);
        if !story.note.is_empty() {
            self.plan(booked + Duration::hours(4), n, Deed::Note);
        }
        let assigned = (booked + Duration::hours(20)).min(start - Duration::hours(2));
        if matches!(story.course, Course::Completed | Course::Payed | Course::Invoiced) {
            self.plan(start + Duration::minutes(3), n, Deed::CrewSays(Act::Start));
            self.plan(done - Duration::minutes(5), n, Deed::CrewSays(Act::Finish));
        }
        self.plan(assigned + Duration::minutes(30), n, Deed::CrewSays(Act::Accept));
        let mut then = |at, deed| self.plan(at, n, deed);
        match story.course {
            Course::Waits => {}
            Course::Assigned => then(assigned, Deed::Step(Status::Assigned)),
            Course::Declined => {
                then(assigned, Deed::Step(Status::Assigned));
                then(booked + Duration::hours(1), Deed::DeclineCharges);
            }
            Course::Completed => {
                then(assigned, Deed::Step(Status::Assigned));
                then(done, Deed::Step(Status::Completed));
            }
            Course::Payed | Course::Invoiced => {
                then(assigned, Deed::Step(Status::Assigned));
                then(done, Deed::Step(Status::Completed));
                then(done + Duration::hours(2), Deed::SendInvoice);
            }
            Course::CancelledByCustomer(hours) => then(start - Duration::hours(hours), Deed::CustomerCancels),
            Course::CancelledByCompany(hours) => {
                then(start - Duration::hours(hours), Deed::Step(Status::Cancelled));
            }
            Course::Deleted(hours) => {
                let cancelled = start - Duration::hours(hours);
                then(cancelled, Deed::CustomerCancels);
                then(cancelled + Duration::hours(26), Deed::Step(Status::Deleted));
            }
        }
    }

    /// On the day of the story, or the first one after it on which there is room.
    async fn book(&self, story: &Story, until: DateTime<Utc>) -> Result<Booking, Failure> {
        let customer = self.people.get(story.who).ok_or_else(|| Failure::new("a story of nobody".to_owned()))?;
        let (pickup, dropoff) = (self.place(story.from).await?, self.place(story.to).await?);
        let zone = pickup.address.province.zone();
        for later in 0..=PUT_OFF {
            let date = zone.local(until + Duration::days(story.moves + later)).date;
            let mut draft = draft(story, pickup.clone(), dropoff.clone(), customer.language);
            draft.date = date;
            let tip = story.tip.map(|percent| TipInput { kind: "percent".to_owned(), value: percent.to_owned() });
            let made = match story.course {
                Course::Invoiced => {
                    let contact = contact(story)?;
                    create_for(self.s, &self.staff, contact, (PaidBy::Invoice, None), draft, None).await
                }
                _ => create(self.s, customer, draft, tip, None).await,
            };
            match made {
                Ok(Replayable::Fresh(Created { booking, .. })) => return Ok(booking),
                Ok(Replayable::Replayed { .. }) => break,
                Err(e) if later < PUT_OFF && on_another_day(&e) => {}
                Err(e) => return Err(e.into()),
            }
        }
        Err(Failure::new(format!("the demo has no day for the move from {}", story.from)))
    }

    /// Where somebody means, as the maps have it.
    async fn place(&self, typed: &str) -> Result<Location, Failure> {
        let near = Coordinates::new(45.5, -73.57)?;
        let found = self.s.maps.search(typed, Language::En, near).await?;
        let known = found.into_iter().find_map(|p| Some((p.province?, p.postal_code.clone()?, p)));
        let Some((province, postal_code, place)): Option<(Province, PostalCode, _)> = known else {
            return Err(Failure::new(format!("the demo's maps do not know {typed}")));
        };
        Ok(Location {
            address: Address {
                street: place.street,
                unit: String::new(),
                city: place.city,
                province,
                postal_code,
                country: place.country,
                full_address: place.full_address,
            },
            coordinates: place.coordinates,
            floor: 1,
            elevator: 0,
            parking: true,
            accessibility: Accessibility::Easy,
            details: String::new(),
            category: String::new(),
        })
    }

    /// From now on the bank declines what this customer is charged, for as long as the simulators run.
    async fn decline(&self, customer: &Caller) -> Result<(), Failure> {
        let Some(user) = customer.user else { return Ok(()) };
        let profile = self.s.store.read(move |u| Ok::<_, Error>(u.profiles().get(user)?)).await?;
        let Some(at_gateway) = profile.and_then(|p| p.gateway_customer_id) else { return Ok(()) };
        let wanted = serde_json::json!({
            "customerId": at_gateway,
            "outcomes": [{ "outcome": "hard_decline", "operation": "charge", "times": 20 }],
        });
        let request = SimRequest {
            method: "POST".to_owned(),
            path: "/control".to_owned(),
            query: String::new(),
            authorization: None,
            version: None,
            body: serde_json::to_vec(&wanted)?,
        };
        let reply = self.simulators.braintree.clone().call(request).await;
        if reply.status >= 300 {
            return Err(Failure::new(format!(
                "the payment simulator refused what the demo asked of it: {}",
                reply.status
            )));
        }
        Ok(())
    }
}

/// Whom staff write down when the customer of a story calls.
fn contact(story: &Story) -> Result<Contact, Failure> {
    let person = PEOPLE.get(story.who).ok_or_else(|| Failure::new("a story of nobody".to_owned()))?;
    let unreadable = |what: &str| Failure::new(format!("the demo has no {what} of {}", person.email));
    Ok(Contact {
        email: person.email.parse().map_err(|_| unreadable("address"))?,
        first_name: person.name.0.to_owned(),
        last_name: person.name.1.to_owned(),
        phone: person.phone.parse().map_err(|_| unreadable("telephone"))?,
        language: person.language,
    })
}

/// Whether another day may do.
fn on_another_day(e: &Error) -> bool {
    let codes = [ErrorCode::DateClosed, ErrorCode::NotASlot];
    matches!(e, Error::SlotGone(_)) || matches!(e, Error::Refused(code, _) if codes.contains(code))
}

fn draft(story: &Story, pickup: Location, dropoff: Location, language: Language) -> Draft {
    let items =
        story.home.items().iter().map(|(id, n)| BookedItem { id: (*id).to_owned(), quantity: *n, assembly: None });
    Draft {
        pickup,
        dropoff,
        kind: None,
        items: items.collect(),
        mate_count: MateCount::new(i64::from(story.mates)).unwrap_or(MateCount::MIN),
        client_as_mate: false,
        just_mates: false,
        ride_along: false,
        date: Default::default(),
        time: NaiveTime::from_hms_opt(story.hour, 0, 0).unwrap_or_default(),
        discount_code: story.code.map(str::to_owned),
        guidelines_agreed: true,
        guidelines_version: None,
        policy_version: None,
        extras: Extras::default(),
        comments: story.comments.to_owned(),
        survey: Some(Survey { source: "advertisements".to_owned(), specify: String::new() }),
        hold_id: None,
        phone: None,
        language: Some(language),
        expected_total: None,
        saved_quote: None,
    }
}

/// The demo's operations account.
async fn staff(s: &Services) -> Result<Staff, Failure> {
    let found = s.store.read(|u| Ok::<_, Error>(u.accounts().credential("ops@portage.test")?)).await?;
    let user = found.map(|c| c.user_id).ok_or_else(|| Failure::new("the demo has no operations account".to_owned()))?;
    Ok(Staff::prove(&caller(Role::Ops, user, Language::En))?)
}

/// The customers, with an account and a card each.
async fn people(program: &Program) -> Result<Vec<Caller>, Failure> {
    let (Some(identity), s) = (&program.identity, &program.services) else { return Ok(Vec::new()) };
    let mut callers = Vec::new();
    for person in &PEOPLE {
        let (user, _) =
            identity.provision(accounts::customer(person, s.entropy.uuid(s.clock.now()).to_string())?).await?;
        let customer = caller(Role::Customer, user, person.language);
        payments::create_customer(s, &customer, CARD.to_owned(), None).await?;
        callers.push(customer);
    }
    Ok(callers)
}

fn caller(role: Role, user: kernel::UserId, language: Language) -> Caller {
    Caller { role, user: Some(user), partner: None, mate: None, language, network: None, request_id: None }
}
