//! What customers and staff do: the use cases as the API calls them, and what people are told.

use std::sync::{Arc, Mutex};

use chrono::{NaiveDate, NaiveTime};
use kernel::{BookingId, HoldId, MateCount, Money};
use service::{
    Caller, Error, ServiceResult, Services, Staff,
    bookings::{
        self, Created, Draft, TipInput,
        consents::answer::answer,
        edit::{EditInput, StaffEdit, edit, edit_as_staff},
        status::StatusInput,
    },
    holds::{self, HoldInput},
    idempotency::{Guard, Replayable, Request},
    moves::place_of,
    payments,
    ports::{StoreError, bookings::BookedItem},
    tips,
};
use status_machine::booking::Status;

use crate::{
    acks::Ack,
    desk::{self, Pressed},
    people::{CODE, admin, home, staff},
    world::World,
};

/// One customer's wizard: what they want, and the key of its button.
#[derive(Debug)]
pub struct Wizard {
    pub customer: Caller,
    pub n: usize,
    pub date: NaiveDate,
    pub time: NaiveTime,
    pub boxes: u32,
    pub code: bool,
    pub tip: bool,
    /// The hold of the schedule step, once there is one.
    pub hold: Mutex<Option<HoldId>>,
}

/// Something somebody does.
#[derive(Debug, Clone, PartialEq)]
pub enum Deed {
    Hold,
    Extend,
    /// Pay and book; another key is another tab.
    Press {
        tab: u8,
    },
    Phone,
    Boxes(u32),
    Day(NaiveDate, NaiveTime),
    Code(bool),
    Tip(u32),
    Cancel,
    Card,
    StaffPrice(i64),
    StaffBoxes(u32),
    StaffDay(NaiveDate, NaiveTime),
    Status(Status, bool),
    /// By an administrator, of what was deleted.
    Undelete(Status),
    /// By the link of a question that was mailed: the newest, or the one before it.
    Answer {
        agree: bool,
        newest: bool,
    },
    /// Of the money desk.
    Desk(Pressed),
}

/// What a deed is done to.
#[derive(Debug, Clone)]
pub struct Target {
    pub wizard: Arc<Wizard>,
    pub booking: Option<BookingId>,
    /// The version the page shows; may be stale. None: the page does not say.
    pub version: Option<i32>,
}

fn items(boxes: u32) -> Vec<BookedItem> {
    vec![
        BookedItem { id: "box-medium-3-1".into(), quantity: boxes, assembly: None },
        BookedItem { id: "nightstand".into(), quantity: 1, assembly: None },
    ]
}

impl Wizard {
    pub fn key(&self, tab: u8) -> String {
        format!("key-{}-{tab}", self.n)
    }

    fn draft(&self, tab: u8) -> Draft {
        Draft {
            pickup: home(),
            dropoff: home(),
            kind: None,
            items: items(self.boxes),
            mate_count: MateCount::new(2).unwrap(),
            client_as_mate: false,
            just_mates: false,
            ride_along: false,
            date: self.date,
            time: self.time,
            discount_code: self.code.then(|| CODE.to_owned()),
            guidelines_agreed: true,
            guidelines_version: None,
            policy_version: None,
            // So that the judge knows which button made a booking.
            comments: self.key(tab),
            phone: None,
            extras: service::bookings::draft::Extras::default(),
            survey: None,
            hold_id: *self.hold.lock().unwrap(),
            language: None,
            expected_total: None,
            saved_quote: None,
        }
    }

    fn wish(&self) -> HoldInput {
        let at = home();
        HoldInput {
            date: self.date,
            time: self.time,
            mate_count: MateCount::new(2).unwrap(),
            duration_minutes: 120,
            just_mates: false,
            tier: Some(1),
            pickup: place_of(&at.address, at.coordinates),
            dropoff: Some(place_of(&at.address, at.coordinates)),
            replaces: None,
            job: None,
            holder: None,
        }
    }
}

/// A refusal is an answer; a 500 is not.
pub fn heard<T>(w: &World, what: &Deed, result: ServiceResult<T>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(Error::Internal(why)) => {
            w.wrong(format!("{what:?} answered 500: {why}"));
            None
        }
        Err(Error::Store(e)) if !matches!(e, StoreError::Busy | StoreError::Stale) => {
            w.wrong(format!("{what:?} answered 500: {e}"));
            None
        }
        Err(e) => {
            w.step(format_args!("{what:?}: {e}"));
            None
        }
    }
}

fn guard(w: &Wizard, tab: u8) -> Guard<Created> {
    Guard {
        request: Request { scope: format!("customer-{}", w.n), key: w.key(tab), body_hash: "body".into() },
        render: Box::new(|c: &Created| (201, serde_json::json!({ "id": c.booking.id }))),
    }
}

/// Does it, and writes down what was acknowledged. The use cases are boxed: their futures are large, and
/// whoever spawns one moves it.
pub async fn act(w: Arc<World>, s: Services, deed: Deed, t: Target) {
    let customer = &t.wizard.customer;
    match deed {
        Deed::Hold => {
            let made = Box::pin(holds::create(&s, customer, t.wizard.wish(), None)).await;
            if let Some(Replayable::Fresh(hold)) = heard(&w, &deed, made) {
                *t.wizard.hold.lock().unwrap() = Some(hold.id);
            }
        }
        Deed::Extend => {
            let hold = *t.wizard.hold.lock().unwrap();
            if let Some(hold) = hold {
                heard(&w, &deed, Box::pin(holds::extend(&s, hold)).await);
            }
        }
        Deed::Press { tab } => {
            let tip = t.wizard.tip.then(|| TipInput { kind: "amount".into(), value: "20".into() });
            let made =
                Box::pin(bookings::create(&s, customer, t.wizard.draft(tab), tip, Some(guard(&t.wizard, tab)))).await;
            let id = match heard(&w, &deed, made) {
                Some(Replayable::Fresh(made)) => Some(made.booking.id),
                Some(Replayable::Replayed { body, .. }) => body["id"].as_str().and_then(|id| id.parse().ok()),
                None => None,
            };
            if let Some(id) = id {
                w.step(format_args!("booked {id}"));
                w.acks.add(Ack::Booked { key: t.wizard.key(tab), id });
            }
        }
        Deed::Card => {
            let nonce = format!("n{}", w.entropy.below(1 << 40));
            heard(&w, &deed, Box::pin(payments::add_card(&s, customer, nonce, None, None)).await);
        }
        _ => {
            let Some(id) = t.booking else { return };
            Box::pin(act_on(&w, &s, &deed, &t, id)).await;
        }
    }
}

async fn act_on(w: &World, s: &Services, deed: &Deed, t: &Target, id: BookingId) {
    let customer = &t.wizard.customer;
    let change = |who: Caller, input: EditInput| async move {
        let Some(done) = heard(w, deed, Box::pin(edit(s, &who, id, input, t.version)).await) else { return };
        w.step(format_args!("{deed:?} done, version {}", done.booking.version));
        w.acks.add(Ack::Edited { id, version: done.booking.version });
    };
    let proven = Staff::prove(&staff()).unwrap();
    let agree = |input: StaffEdit| {
        let proven = &proven;
        async move {
            let edited = Box::pin(edit_as_staff(s, proven, id, input, t.version)).await;
            let Some(done) = heard(w, deed, edited) else { return };
            w.step(format_args!("{deed:?} done, version {}", done.booking.version));
            w.acks.add(Ack::Edited { id, version: done.booking.version });
        }
    };
    let keep = EditInput::default();
    match *deed {
        Deed::Phone => {
            change(customer.clone(), EditInput { phone: Some("514 555-0142".parse().unwrap()), ..keep }).await
        }
        Deed::Boxes(n) => change(customer.clone(), EditInput { items: Some(items(n)), ..keep }).await,
        Deed::Day(date, time) => {
            change(customer.clone(), EditInput { date: Some(date), time: Some(time), ..keep }).await
        }
        Deed::Code(on) => {
            change(customer.clone(), EditInput { discount_code: Some(on.then(|| CODE.to_owned())), ..keep }).await
        }
        Deed::StaffPrice(cents) => {
            agree(StaffEdit { amount: Some(Money::from_cents(cents)), ..StaffEdit::default() }).await
        }
        Deed::StaffBoxes(n) => change(staff(), EditInput { items: Some(items(n)), ..keep }).await,
        Deed::StaffDay(date, time) => {
            let change = EditInput { date: Some(date), time: Some(time), ..keep };
            agree(StaffEdit { change, customers_wish: true, ..StaffEdit::default() }).await
        }
        Deed::Tip(dollars) => {
            let input = TipInput { kind: "amount".into(), value: dollars.to_string() };
            if let Some(tip) = heard(w, deed, Box::pin(tips::put(s, customer, id.0, input, None)).await) {
                w.step(format_args!("tip of {}, version {}", tip.amount, tip.version));
                w.acks.add(Ack::Tipped { id, version: tip.version });
            }
        }
        Deed::Cancel => {
            if heard(w, deed, Box::pin(bookings::cancel::cancel(s, customer, id)).await).is_some() {
                w.step(format_args!("cancelled"));
                w.acks.add(Ack::Moved { id, to: Status::Cancelled });
            }
        }
        Deed::Answer { agree, newest } => {
            let short = w.look(move |u| Ok(u.bookings().get(id)?.map(|b| b.short_id.to_string()))).unwrap_or_default();
            let links = w.post.questions(&short);
            let Some(token) = links.iter().rev().nth(usize::from(!newest && links.len() > 1)) else { return };
            let said = Box::pin(answer(s, &Caller::guest(customer.language), token.clone(), agree)).await;
            if let Some(page) = heard(w, deed, said) {
                w.step(format_args!("the question is {:?}", page.state));
            }
        }
        Deed::Desk(ref pressed) => desk::press(w, s, deed, pressed, id).await,
        Deed::Status(..) | Deed::Undelete(_) => {
            let (to, customers_wish, by) = match *deed {
                Deed::Status(to, wish) => (to, wish, proven.clone()),
                Deed::Undelete(to) => (to, false, Staff::prove(&admin()).unwrap()),
                _ => return,
            };
            let said = StatusInput {
                reason: Some("by the seed".into()),
                payment_reference: Some("ref".into()),
                customers_wish,
                ..StatusInput::default()
            };
            if heard(w, deed, Box::pin(bookings::status::set(s, &by, id, to, said)).await).is_some() {
                w.step(format_args!("set to {to:?}"));
                w.acks.add(Ack::Moved { id, to });
            }
        }
        Deed::Hold | Deed::Extend | Deed::Press { .. } | Deed::Card => {}
    }
}
