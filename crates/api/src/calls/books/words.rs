//! Differences and their repairs in the language of the caller.

use kernel::{
    Language, Money,
    chrono::{DateTime, NaiveDate, Utc},
};
use service::{
    billing::{
        difference::{Broken, Difference, DifferenceKind},
        facts::MADE,
        misread::{Named, RowField},
        repair::{Repair, RowAction, Step},
    },
    desk::books::ZONE,
    formats,
    ports::{
        ledger::{Account, EntryLine},
        payments::PaymentKind,
    },
    texts as own,
};

use crate::http::texts::{self, exists, filled, text};

/// Writes in one language.
#[derive(Clone, Copy)]
pub(super) struct Words(pub Language);

type Values = Vec<(&'static str, String)>;

impl Words {
    pub(super) fn money(self, amount: Money) -> String {
        texts::money(amount, self.0)
    }

    pub(super) fn moment(self, at: DateTime<Utc>) -> String {
        formats::moment(at, ZONE, self.0)
    }

    fn charge(self, kind: PaymentKind) -> String {
        text(&format!("charge.{}", kind.code()), self.0)
    }

    fn account(self, account: Account) -> String {
        text(&format!("account.{}", account.code()), self.0)
    }

    fn broken(self, e: &Broken) -> Values {
        let key = format!("entry.{}", e.kind);
        let entry = if own::exists(&key) { own::text(&key, self.0).to_owned() } else { e.kind.clone() };
        let sum = self.money(if e.sum.is_negative() { e.sum.negated() } else { e.sum });
        vec![("id", e.id.to_string()), ("entry", entry), ("at", self.moment(e.at)), ("sum", sum)]
    }

    pub(super) fn list(self, parts: impl Iterator<Item = String>) -> String {
        let mark = if self.0 == Language::Zh { "、" } else { ", " };
        parts.collect::<Vec<_>>().join(mark)
    }

    fn state(self, code: &str) -> String {
        let key = match code {
            "sent" | "applied" | "declined" | "lost" => format!("attempt.{code}"),
            _ => "attempt.other".to_owned(),
        };
        text(&key, self.0)
    }

    /// Of a payment's row.
    fn row_state(self, code: &str) -> String {
        text(&format!("rowState.{code}"), self.0)
    }

    /// One that has no name yet stands by its id.
    fn hub(self, id: &str) -> String {
        let key = format!("hub.{id}");
        if exists(&key) { text(&key, self.0) } else { id.to_owned() }
    }

    /// The half hour of a day by its number.
    fn bucket(self, date: NaiveDate, hub: &str, bucket: i32) -> Values {
        let hub = self.hub(hub);
        let minutes = u32::try_from(bucket.clamp(0, 47)).unwrap_or_default() * 30;
        let time = kernel::chrono::NaiveTime::from_hms_opt(minutes / 60, minutes % 60, 0).unwrap_or_default();
        vec![("hub", hub), ("date", formats::date(date, self.0)), ("time", formats::time(time, self.0))]
    }

    fn taken(self, counts: [i64; 4]) -> String {
        const KEYS: [&str; 4] = ["taken.mates", "taken.truck_10", "taken.truck_20", "taken.truck_26"];
        let parts = KEYS.iter().zip(counts).filter(|(_, n)| *n != 0);
        let told = self.list(parts.map(|(key, n)| filled(key, self.0, [("n", n.to_string().as_str())])));
        if told.is_empty() { text("taken.nothing", self.0) } else { told }
    }

    pub(super) fn fill(self, key: &str, values: &[(&'static str, String)]) -> String {
        filled(key, self.0, values.iter().map(|(name, value)| (*name, value.as_str())))
    }

    fn values(self, what: &DifferenceKind) -> Values {
        let paid = |charge: &PaymentKind, amount: &Money| {
            vec![("charge", self.charge(*charge)), ("amount", self.money(*amount))]
        };
        match what {
            DifferenceKind::GatewayTwice { many } => vec![("many", many.to_string())],
            DifferenceKind::Unbalanced { entry } => entry.iter().flat_map(|e| self.broken(e)).collect(),
            DifferenceKind::DisputeLost { amount }
            | DifferenceKind::DisputeOpen { amount }
            | DifferenceKind::DisputeWon { amount }
            | DifferenceKind::GatewayUnknown { amount }
            | DifferenceKind::GatewayMissing { amount }
            | DifferenceKind::LedgerMissing { amount }
            | DifferenceKind::NotReturned { amount }
            | DifferenceKind::RefundRefused { amount }
            | DifferenceKind::Fee { amount } => vec![("amount", self.money(*amount))],
            DifferenceKind::GatewayMoved { amount, state } => {
                vec![("amount", self.money(*amount)), ("state", self.state(state))]
            }
            DifferenceKind::GatewayAmount { amount, ours } => {
                vec![("amount", self.money(*amount)), ("ours", self.money(*ours))]
            }
            DifferenceKind::LedgerAmount { posted, ours } => {
                vec![("posted", self.money(*posted)), ("ours", self.money(*ours))]
            }
            DifferenceKind::Capacity { hub, date, bucket, counted, held } => {
                let mut all = self.bucket(*date, hub, *bucket);
                all.extend([("counted", self.taken(*counted)), ("held", self.taken(*held))]);
                all
            }
            DifferenceKind::MadeTwice { charge, amount, many } => {
                [paid(charge, amount), vec![("many", many.to_string())]].concat()
            }
            DifferenceKind::UnderWay { charge, amount }
            | DifferenceKind::MadeUnsaid { charge, amount }
            | DifferenceKind::Early { charge, amount }
            | DifferenceKind::Waits { charge, amount }
            | DifferenceKind::DisputeMissing { charge, amount }
            | DifferenceKind::AttemptMissing { charge, amount }
            | DifferenceKind::Unseen { charge, amount } => paid(charge, amount),
            DifferenceKind::DisputeBack { amount, state, back } => vec![
                ("amount", self.money(*amount)),
                ("state", text(&format!("dispute.{state}"), self.0)),
                ("back", self.money(*back)),
            ],
            DifferenceKind::DisputeUnmarked { amount, state } => {
                vec![("amount", self.money(*amount)), ("state", text(&format!("dispute.{state}"), self.0))]
            }
            DifferenceKind::Held { net, asked, owed } | DifferenceKind::HeldByHand { net, asked, owed } => {
                vec![("net", self.money(*net)), ("asked", self.money(*asked)), ("owed", self.money(*owed))]
            }
            DifferenceKind::Tip { held, owed } => vec![("held", self.money(*held)), ("owed", self.money(*owed))],
            DifferenceKind::TipReads { reads, given } => {
                vec![("reads", self.money(*reads)), ("given", self.money(*given))]
            }
            DifferenceKind::TipAsked { asked, given } => {
                vec![("asked", self.money(*asked)), ("given", self.money(*given))]
            }
            DifferenceKind::Overdue { charge, amount, since } => {
                [paid(charge, amount), vec![("since", self.moment(*since))]].concat()
            }
            DifferenceKind::PutOff { charge, amount, until, day } => {
                let days = vec![("until", self.moment(*until)), ("day", self.moment(*day))];
                [paid(charge, amount), days].concat()
            }
            DifferenceKind::Endless { charge, amount, many, most } => {
                [paid(charge, amount), vec![("many", many.to_string()), ("most", most.to_string())]].concat()
            }
            DifferenceKind::Kept { kept, right } => {
                let right = right.iter().map(|m| self.money(*m)).collect::<Vec<_>>().join(" / ");
                vec![("kept", self.money(*kept)), ("right", right)]
            }
            DifferenceKind::CrewLeft { many, .. } => vec![("many", many.to_string())],
            DifferenceKind::Books { accounts, posted, want } => {
                let names = self.list(accounts.iter().map(|a| self.account(*a)));
                vec![("accounts", names), ("posted", self.money(*posted)), ("want", self.money(*want))]
            }
            DifferenceKind::CrewMissing | DifferenceKind::CapacityMissing | DifferenceKind::CapacityLeft => Vec::new(),
            DifferenceKind::RowAmount { charge, amount, made, .. } => {
                [paid(charge, amount), vec![("made", self.money(*made))]].concat()
            }
            DifferenceKind::RowUnmarked { charge, amount, state, .. }
            | DifferenceKind::RowMarked { charge, amount, state, .. } => {
                [paid(charge, amount), vec![("state", self.row_state(state))]].concat()
            }
            DifferenceKind::RowReads { charge, amount, named, .. } => {
                let Named { field, reads, right, .. } = named;
                let mut all = paid(charge, amount);
                all.extend([("field", self.row_field(*field)), ("reads", self.row_value(*field, reads))]);
                all.extend(right.iter().map(|right| ("right", self.row_value(*field, right))));
                all
            }
            DifferenceKind::RecordReads { fields } => vec![("fields", self.misread(fields))],
            DifferenceKind::Unreadable { table, column } => vec![("column", format!("{table}.{column}"))],
            DifferenceKind::EntryTwice { charge, amount, .. }
            | DifferenceKind::VoidOutside { charge, amount, .. }
            | DifferenceKind::RowLost { charge, amount, .. } => paid(charge, amount),
            DifferenceKind::RefundOutside { charge, charged, amount, at, .. } => {
                [paid(charge, amount), vec![("charged", self.money(*charged)), ("at", self.moment(*at))]].concat()
            }
            DifferenceKind::RefundUnknown { amount, at, .. } => {
                vec![("amount", self.money(*amount)), ("at", self.moment(*at))]
            }
        }
    }

    /// A difference as a sentence.
    pub fn difference(self, d: &Difference) -> String {
        let mut values = self.values(&d.what);
        values.push(("subject", d.subject.clone()));
        let key = match &d.what {
            // Kept before a difference named its entry.
            DifferenceKind::Unbalanced { entry: None } => "difference.unbalanced_before".to_owned(),
            DifferenceKind::Unbalanced { entry: Some(e) } if e.sum.is_zero() => {
                "difference.unbalanced_empty".to_owned()
            }
            DifferenceKind::RowReads { named: Named { right: None, .. }, .. } => {
                "difference.row_reads_unknown".to_owned()
            }
            DifferenceKind::TipAsked { asked, .. } if asked.is_zero() => "difference.tip_unplanned".to_owned(),
            DifferenceKind::RowUnmarked { state, .. } if reads_made(state) => "difference.row_contradicts".to_owned(),
            DifferenceKind::PutOff { until, day, .. } if until < day => "difference.put_off_early".to_owned(),
            what => format!("difference.{}", what.code()),
        };
        self.fill(&key, &values)
    }

    fn lines(self, lines: &[EntryLine]) -> String {
        self.list(lines.iter().map(|l| {
            let (key, amount) =
                if l.amount.is_negative() { ("line.credit", l.amount.negated()) } else { ("line.debit", l.amount) };
            self.fill(key, &[("account", self.account(l.account)), ("amount", self.money(amount))])
        }))
    }

    fn step(self, s: &Step) -> String {
        let when = match s.at {
            Some(at) => filled("step.at", self.0, [("at", self.moment(at).as_str())]),
            None => text("step.now", self.0),
        };
        let values = [("charge", self.charge(s.charge)), ("amount", self.money(s.amount)), ("when", when)];
        let key = match s.deed {
            RowAction::Charge => "step.charge",
            RowAction::GiveBack => "step.give_back",
            RowAction::Drop => "step.drop",
        };
        self.fill(key, &values)
    }

    /// What a repair will do, as a sentence.
    pub fn repair(self, r: &Repair) -> String {
        let values = match r {
            Repair::BookLate { order_id, amount }
            | Repair::TakeOut { order_id, amount }
            | Repair::SendBack { order_id, amount, .. }
            | Repair::BookApart { order_id, amount }
            | Repair::BookRefund { order_id, amount, .. }
            | Repair::NeverMade { order_id, amount, .. }
            | Repair::RefundBack { order_id, amount }
            | Repair::BookDispute { order_id, amount } => {
                vec![("order", order_id.clone()), ("amount", self.money(*amount))]
            }
            Repair::BookMore { order_id, was, amount, .. } | Repair::BookLess { order_id, was, amount, .. } => {
                let rest = if amount > was { amount.minus(*was) } else { was.minus(*amount) };
                let sums = [("was", *was), ("amount", *amount), ("rest", rest)];
                let mut all = vec![("order", order_id.clone())];
                all.extend(sums.map(|(name, amount)| (name, self.money(amount))));
                all
            }
            Repair::Post { order_id, lines } => vec![("order", order_id.clone()), ("lines", self.lines(lines))],
            Repair::PostByHand { amount, method, lines, .. } => vec![
                ("amount", self.money(*amount)),
                ("method", self.row_value(RowField::Method, method.code())),
                ("lines", self.lines(lines)),
            ],
            Repair::Correct { lines, .. } | Repair::TurnAround { lines, .. } | Repair::Balance { lines } => {
                vec![("lines", self.lines(lines))]
            }
            Repair::Recount { hub, date, bucket, counted, held } => {
                let mut all = self.bucket(*date, hub, *bucket);
                all.extend([("counted", self.taken(*counted)), ("held", self.taken(*held))]);
                all
            }
            Repair::FreeTime | Repair::TakeTime => Vec::new(),
            Repair::NoteAttempt { order_id, charge, amount, .. } => {
                vec![("order", order_id.clone()), ("charge", self.charge(*charge)), ("amount", self.money(*amount))]
            }
            Repair::SetAmount { charge, was, amount, .. } => {
                vec![("charge", self.charge(*charge)), ("was", self.money(*was)), ("amount", self.money(*amount))]
            }
            Repair::SetState { charge, amount, was, state, .. } => vec![
                ("charge", self.charge(*charge)),
                ("amount", self.money(*amount)),
                ("was", self.row_state(was)),
                ("state", self.row_state(state)),
            ],
            Repair::WriteRow { charge, amount, method, .. } => vec![
                ("charge", self.charge(*charge)),
                ("amount", self.money(*amount)),
                ("method", self.row_value(RowField::Method, method.code())),
            ],
            Repair::SetTip { was, amount, paid } => {
                let paid = text(if *paid { "tip.counts_paid" } else { "tip.counts_unpaid" }, self.0);
                vec![("was", self.money(*was)), ("amount", self.money(*amount)), ("paid", paid)]
            }
            Repair::SetField { charge, amount, field, was, value, .. } => vec![
                ("charge", self.charge(*charge)),
                ("amount", self.money(*amount)),
                ("field", self.row_field(*field)),
                ("was", self.row_value(*field, was)),
                ("value", self.row_value(*field, value)),
            ],
            Repair::SetRecord { fields } => vec![("fields", self.put_back(fields))],
            Repair::SetKept { was, kept } => vec![("was", self.money(*was)), ("kept", self.money(*kept))],
            Repair::FreeCrew { many } => vec![("many", many.to_string())],
            Repair::ChargeNow { charge, amount } => {
                vec![("charge", self.charge(*charge)), ("amount", self.money(*amount))]
            }
            Repair::PlanAnew { steps } => vec![("steps", self.list(steps.iter().map(|s| self.step(s))))],
        };
        let key = match r {
            Repair::SetTip { was, amount, paid: true } if was == amount => "repair.set_tip_paid".to_owned(),
            Repair::SetTip { was, amount, paid: false } if was == amount => "repair.set_tip_only_unpaid".to_owned(),
            Repair::SetTip { paid: false, .. } => "repair.set_tip_unpaid".to_owned(),
            Repair::SetState { was, state, .. } if was == state => "repair.set_state_date".to_owned(),
            Repair::NeverMade { refund: true, .. } => "repair.never_given_back".to_owned(),
            // Nobody owes a tip.
            Repair::BookRefund { charge: Some(PaymentKind::Tip), .. } => "repair.book_refund_of_tip".to_owned(),
            r => format!("repair.{}", r.code()),
        };
        self.fill(&key, &values)
    }

    /// What somebody must do where nothing puts it right by itself.
    pub fn advice(self, d: &Difference) -> String {
        let key = match &d.what {
            DifferenceKind::GatewayTwice { .. } => "advice.twice",
            DifferenceKind::DisputeLost { .. }
            | DifferenceKind::DisputeOpen { .. }
            | DifferenceKind::DisputeWon { .. } => "advice.dispute_unknown",
            DifferenceKind::DisputeBack { .. }
            | DifferenceKind::DisputeUnmarked { .. }
            | DifferenceKind::DisputeMissing { .. } => "advice.dispute",
            DifferenceKind::GatewayUnknown { .. }
            | DifferenceKind::GatewayMoved { .. }
            | DifferenceKind::GatewayAmount { .. }
            | DifferenceKind::GatewayMissing { .. }
            | DifferenceKind::RefundRefused { .. } => match d.booking {
                Some(_) => "advice.gateway_held",
                None => "advice.gateway",
            },
            DifferenceKind::RowReads { .. }
            | DifferenceKind::RecordReads { .. }
            | DifferenceKind::RowLost { .. }
            | DifferenceKind::TipReads { .. } => "advice.changed",
            DifferenceKind::Unreadable { .. } => "advice.unreadable",
            DifferenceKind::NotReturned { .. } => "advice.not_returned",
            DifferenceKind::RefundOutside { .. }
            | DifferenceKind::RefundUnknown { .. }
            | DifferenceKind::VoidOutside { .. } => "advice.given_back",
            DifferenceKind::LedgerAmount { .. }
            | DifferenceKind::LedgerMissing { .. }
            | DifferenceKind::Books { .. }
            | DifferenceKind::EntryTwice { .. } => "advice.entries",
            DifferenceKind::Capacity { .. } | DifferenceKind::CapacityMissing | DifferenceKind::CapacityLeft => {
                "advice.calendar"
            }
            DifferenceKind::CrewMissing | DifferenceKind::CrewLeft { .. } => "advice.crew",
            DifferenceKind::Unbalanced { .. } => "advice.unbalanced",
            DifferenceKind::MadeUnsaid { .. } | DifferenceKind::AttemptMissing { .. } => "advice.unsaid",
            DifferenceKind::Kept { kept, right } if right.iter().all(|right| right > kept) => "advice.kept_less",
            DifferenceKind::Kept { .. } => "advice.kept",
            // It is charged on a press, unless something holds that back.
            DifferenceKind::Overdue { .. } => "advice.others_first",
            DifferenceKind::Held { .. } | DifferenceKind::HeldByHand { .. } => "advice.held",
            DifferenceKind::PutOff { .. }
            | DifferenceKind::Waits { .. }
            | DifferenceKind::Unseen { .. }
            | DifferenceKind::Endless { .. } => "advice.charge",
            DifferenceKind::MadeTwice { .. }
            | DifferenceKind::UnderWay { .. }
            | DifferenceKind::RowAmount { .. }
            | DifferenceKind::RowUnmarked { .. }
            | DifferenceKind::RowMarked { .. }
            | DifferenceKind::Early { .. }
            | DifferenceKind::Tip { .. }
            | DifferenceKind::TipAsked { .. }
            | DifferenceKind::Fee { .. } => "advice.money",
        };
        filled(key, self.0, [("subject", d.subject.as_str())])
    }
}

/// A row in this state says that its money moved.
fn reads_made(state: &str) -> bool {
    MADE.iter().any(|made| made.code() == state)
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
