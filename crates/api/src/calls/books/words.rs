//! Differences and their repairs in the language of the caller.

use kernel::{
    Language, Money,
    chrono::{DateTime, NaiveDate, Utc},
};
use service::{
    billing::{
        difference::{Broken, Difference, What},
        repair::{Deed, Repair, Step},
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
    fn money(self, amount: Money) -> String {
        texts::money(amount, self.0)
    }

    fn moment(self, at: DateTime<Utc>) -> String {
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

    fn list(self, parts: impl Iterator<Item = String>) -> String {
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

    fn fill(self, key: &str, values: &[(&'static str, String)]) -> String {
        filled(key, self.0, values.iter().map(|(name, value)| (*name, value.as_str())))
    }

    fn values(self, what: &What) -> Values {
        let paid = |charge: &PaymentKind, amount: &Money| {
            vec![("charge", self.charge(*charge)), ("amount", self.money(*amount))]
        };
        match what {
            What::GatewayTwice { many } => vec![("many", many.to_string())],
            What::Unbalanced { entry } => entry.iter().flat_map(|e| self.broken(e)).collect(),
            What::DisputeLost { amount }
            | What::DisputeOpen { amount }
            | What::DisputeWon { amount }
            | What::GatewayUnknown { amount }
            | What::GatewayMissing { amount }
            | What::LedgerMissing { amount }
            | What::NotReturned { amount }
            | What::Fee { amount } => vec![("amount", self.money(*amount))],
            What::GatewayMoved { amount, state } => {
                vec![("amount", self.money(*amount)), ("state", self.state(state))]
            }
            What::GatewayAmount { amount, ours } => {
                vec![("amount", self.money(*amount)), ("ours", self.money(*ours))]
            }
            What::LedgerAmount { posted, ours } => vec![("posted", self.money(*posted)), ("ours", self.money(*ours))],
            What::Capacity { hub, date, bucket, counted, held } => {
                let mut all = self.bucket(*date, hub, *bucket);
                all.extend([("counted", self.taken(*counted)), ("held", self.taken(*held))]);
                all
            }
            What::MadeTwice { charge, amount, many } => {
                [paid(charge, amount), vec![("many", many.to_string())]].concat()
            }
            What::UnderWay { charge, amount }
            | What::MadeUnsaid { charge, amount }
            | What::Early { charge, amount }
            | What::Waits { charge, amount }
            | What::DisputeMissing { charge, amount }
            | What::AttemptMissing { charge, amount }
            | What::Unseen { charge, amount } => paid(charge, amount),
            What::DisputeBack { amount, state, back } => vec![
                ("amount", self.money(*amount)),
                ("state", text(&format!("dispute.{state}"), self.0)),
                ("back", self.money(*back)),
            ],
            What::DisputeUnmarked { amount, state } => {
                vec![("amount", self.money(*amount)), ("state", text(&format!("dispute.{state}"), self.0))]
            }
            What::Held { net, asked, owed } | What::HeldByHand { net, asked, owed } => {
                vec![("net", self.money(*net)), ("asked", self.money(*asked)), ("owed", self.money(*owed))]
            }
            What::Tip { held, owed } => vec![("held", self.money(*held)), ("owed", self.money(*owed))],
            What::Overdue { charge, amount, since } => {
                [paid(charge, amount), vec![("since", self.moment(*since))]].concat()
            }
            What::PutOff { charge, amount, until, day } => {
                let days = vec![("until", self.moment(*until)), ("day", self.moment(*day))];
                [paid(charge, amount), days].concat()
            }
            What::Endless { charge, amount, many, most } => {
                [paid(charge, amount), vec![("many", many.to_string()), ("most", most.to_string())]].concat()
            }
            What::Kept { kept, right } => {
                let right = right.iter().map(|m| self.money(*m)).collect::<Vec<_>>().join(" / ");
                vec![("kept", self.money(*kept)), ("right", right)]
            }
            What::CrewLeft { many, .. } => vec![("many", many.to_string())],
            What::Books { accounts, posted, want } => {
                let names = self.list(accounts.iter().map(|a| self.account(*a)));
                vec![("accounts", names), ("posted", self.money(*posted)), ("want", self.money(*want))]
            }
            What::CrewMissing | What::CapacityMissing | What::CapacityLeft => Vec::new(),
            What::RowAmount { charge, amount, made, .. } => {
                [paid(charge, amount), vec![("made", self.money(*made))]].concat()
            }
            What::RowUnmarked { charge, amount, state, .. } | What::RowMarked { charge, amount, state, .. } => {
                [paid(charge, amount), vec![("state", self.row_state(state))]].concat()
            }
            What::EntryTwice { charge, amount, .. } | What::VoidOutside { charge, amount, .. } => paid(charge, amount),
            What::RefundOutside { charge, charged, amount, at, .. } => {
                [paid(charge, amount), vec![("charged", self.money(*charged)), ("at", self.moment(*at))]].concat()
            }
            What::RefundUnknown { amount, at, .. } => vec![("amount", self.money(*amount)), ("at", self.moment(*at))],
        }
    }

    /// A difference as a sentence.
    pub fn difference(self, d: &Difference) -> String {
        let mut values = self.values(&d.what);
        values.push(("subject", d.subject.clone()));
        let key = match &d.what {
            // Kept before a difference named its entry.
            What::Unbalanced { entry: None } => "difference.unbalanced_before".to_owned(),
            What::Unbalanced { entry: Some(e) } if e.sum.is_zero() => "difference.unbalanced_empty".to_owned(),
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
            Deed::Charge => "step.charge",
            Deed::GiveBack => "step.give_back",
            Deed::Drop => "step.drop",
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
            | Repair::NeverMade { order_id, amount }
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
            Repair::Correct { lines, .. } | Repair::TurnAround { lines, .. } => vec![("lines", self.lines(lines))],
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
            Repair::SetTip { was, amount, paid } => {
                let paid = text(if *paid { "tip.counts_paid" } else { "tip.counts_unpaid" }, self.0);
                vec![("was", self.money(*was)), ("amount", self.money(*amount)), ("paid", paid)]
            }
            Repair::FreeCrew { many } => vec![("many", many.to_string())],
            Repair::ChargeNow { charge, amount } => {
                vec![("charge", self.charge(*charge)), ("amount", self.money(*amount))]
            }
            Repair::PlanAnew { steps } => vec![("steps", self.list(steps.iter().map(|s| self.step(s))))],
        };
        let key = match r {
            // Nobody owes a tip.
            Repair::BookRefund { charge: Some(PaymentKind::Tip), .. } => "repair.book_refund_of_tip".to_owned(),
            r => format!("repair.{}", r.code()),
        };
        self.fill(&key, &values)
    }

    /// What somebody must do where nothing puts it right by itself.
    pub fn advice(self, d: &Difference) -> String {
        let key = match &d.what {
            What::GatewayTwice { .. } => "advice.twice",
            What::DisputeLost { .. } | What::DisputeOpen { .. } | What::DisputeWon { .. } => "advice.dispute_unknown",
            What::DisputeBack { .. } | What::DisputeUnmarked { .. } | What::DisputeMissing { .. } => "advice.dispute",
            What::GatewayUnknown { .. }
            | What::GatewayMoved { .. }
            | What::GatewayAmount { .. }
            | What::GatewayMissing { .. } => "advice.gateway",
            What::NotReturned { .. } => "advice.not_returned",
            What::RefundOutside { .. } | What::RefundUnknown { .. } | What::VoidOutside { .. } => "advice.given_back",
            What::LedgerAmount { .. } | What::LedgerMissing { .. } | What::Books { .. } | What::EntryTwice { .. } => {
                "advice.entries"
            }
            What::Capacity { .. } | What::CapacityMissing | What::CapacityLeft => "advice.calendar",
            What::CrewMissing | What::CrewLeft { .. } => "advice.crew",
            What::Unbalanced { .. } => "advice.unbalanced",
            What::MadeUnsaid { .. } | What::AttemptMissing { .. } => "advice.unsaid",
            What::Kept { kept, right } if right.iter().all(|right| right > kept) => "advice.kept_less",
            What::Kept { .. } => "advice.kept",
            What::Overdue { .. }
            | What::PutOff { .. }
            | What::Waits { .. }
            | What::Unseen { .. }
            | What::Endless { .. } => "advice.charge",
            What::MadeTwice { .. }
            | What::UnderWay { .. }
            | What::Held { .. }
            | What::HeldByHand { .. }
            | What::RowAmount { .. }
            | What::RowUnmarked { .. }
            | What::RowMarked { .. }
            | What::Early { .. }
            | What::Tip { .. }
            | What::Fee { .. } => "advice.money",
        };
        filled(key, self.0, [("subject", d.subject.as_str())])
    }
}

#[cfg(test)]
mod tests {
    use service::ports::{disputes::DisputeState, payments::AttemptState};

    use super::*;

    /// Every code of the service has its words.
    #[test]
    fn each_difference_and_repair_has_words() {
        let keys = What::CODES.map(|c| format!("difference.{c}")).into_iter();
        let keys = keys.chain(Repair::CODES.map(|c| format!("repair.{c}")));
        let keys = keys.chain(Account::ALL.map(|a| format!("account.{}", a.code())));
        let states = status_machine::payment::State::ALL.iter().map(|s| format!("rowState.{}", s.code()));
        let keys = keys.chain(states);
        let keys = keys.chain(PaymentKind::ALL.map(|k| format!("charge.{}", k.code())));
        let missing: Vec<String> = keys.filter(|key| !exists(key)).collect();
        assert_eq!(missing, Vec::<String>::new());
    }

    #[test]
    fn nothing_is_left_to_fill_in() {
        let at = DateTime::UNIX_EPOCH;
        let (amount, charge) = (Money::from_cents(1_234), PaymentKind::Balance);
        let payment = kernel::PaymentId(kernel::uuid::Uuid::nil());
        let step =
            Step { deed: Deed::Charge, charge, amount, method: service::ports::payments::PaidWith::Card, at: Some(at) };
        let lines = vec![
            EntryLine { account: Account::Gateway, amount },
            EntryLine { account: Account::Trust, amount: amount.negated() },
        ];
        let id = kernel::EntryId(kernel::uuid::Uuid::nil());
        let unbalanced = |sum| What::Unbalanced { entry: Some(Broken { id, kind: "capture".into(), at, sum }) };
        let whats = [
            What::Overdue { charge, amount, since: at },
            What::PutOff { charge, amount, until: at, day: at },
            What::Books { accounts: vec![Account::Customer, Account::Trust], posted: amount, want: Money::ZERO },
            What::Capacity {
                hub: "montreal".into(),
                date: at.date_naive(),
                bucket: 20,
                counted: [1, 0, 0, 1],
                held: [0; 4],
            },
            What::GatewayMoved { amount, state: AttemptState::Lost.code().into() },
            What::Endless { charge, amount, many: 31, most: 4 },
            What::Kept { kept: amount, right: vec![Money::ZERO, amount] },
            What::DisputeBack { amount, state: DisputeState::Lost.code().into(), back: Money::ZERO },
            What::DisputeUnmarked { amount, state: DisputeState::Opened.code().into() },
            What::DisputeMissing { charge, amount },
            What::RowAmount { payment, charge, amount, made: Money::ZERO, order: None },
            What::RowUnmarked { payment, charge, amount, state: "scheduled".into(), order: None },
            What::RowMarked { payment, charge, amount, state: "charged_back".into() },
            What::EntryTwice { payment, charge, amount },
            What::RefundOutside { transaction: "t".into(), charge, charged: amount, amount, at },
            What::RefundUnknown { transaction: "t".into(), amount, at },
            What::VoidOutside { transaction: "t".into(), charge, amount },
            unbalanced(amount),
            unbalanced(Money::ZERO),
            What::Unbalanced { entry: None },
            What::AttemptMissing { charge, amount },
            What::Kept { kept: Money::ZERO, right: vec![amount] },
        ];
        let book_refund = |charge| Repair::BookRefund {
            order_id: "X".into(),
            transaction_id: "t".into(),
            amount,
            charge: Some(charge),
        };
        let repairs = [
            Repair::PlanAnew {
                steps: vec![
                    step.clone(),
                    Step { deed: Deed::GiveBack, at: None, ..step.clone() },
                    Step { deed: Deed::Drop, ..step },
                ],
            },
            Repair::Post { order_id: "X".into(), lines: lines.clone() },
            Repair::Correct { lines: lines.clone(), of: Vec::new() },
            Repair::TurnAround { payment, lines },
            Repair::SetAmount { payment, charge, was: Money::ZERO, amount },
            Repair::SetState { payment, charge, amount, was: "failed".into(), state: "partially_refunded".into() },
            Repair::SetTip { was: Money::ZERO, amount, paid: true },
            Repair::BookApart { order_id: "X".into(), amount },
            book_refund(charge),
            book_refund(PaymentKind::Tip),
            Repair::BookMore { order_id: "X".into(), transaction_id: "t".into(), was: Money::ZERO, amount },
            Repair::BookLess { order_id: "X".into(), transaction_id: "t".into(), was: amount, amount: Money::ZERO },
            Repair::NeverMade { order_id: "X".into(), amount },
            Repair::BookDispute { order_id: "X".into(), amount },
            Repair::TakeTime,
            Repair::NoteAttempt { order_id: "X".into(), transaction_id: "t".into(), charge, amount },
        ];
        for language in Language::ALL {
            let words = Words(language);
            let told = whats.iter().map(|what| {
                let d = Difference { subject: "K7M2QX".into(), booking: None, what: what.clone() };
                format!("{} {}", words.difference(&d), words.advice(&d))
            });
            for text in told.chain(repairs.iter().map(|r| words.repair(r))) {
                assert!(
                    !text.contains('{')
                        && !text.contains("account.")
                        && !text.contains("entry.")
                        && !text.contains("dispute.")
                        && !text.contains("rowState.")
                        && !text.contains("tip.")
                        && !text.contains("charge."),
                    "{text}"
                );
            }
        }
        // Who gave what back, of which charge, and when; nothing that anybody took.
        let d = Difference { subject: "K7M2QX-balance-1".into(), booking: None, what: whats[14].clone() };
        let told = Words(Language::En).difference(&d);
        assert!(told.starts_with("Somebody gave $12.34 of “Balance” ($12.34, K7M2QX-balance-1) back"), "{told}");
        assert!(!told.contains("took"), "{told}");
        // Where less is kept than the policy gives, nothing is given back.
        let less = Difference { subject: "K7M2QX".into(), booking: None, what: whats[21].clone() };
        let told = Words(Language::En).advice(&less);
        assert!(told.contains("nothing is to be given back"), "{told}");
        let entry = Difference { subject: "K7M2QX".into(), booking: None, what: whats[17].clone() };
        let told = Words(Language::En).difference(&entry);
        assert!(told.ends_with("does not balance: its debits and credits differ by $12.34"), "{told}");
        let d = Difference { subject: String::new(), booking: None, what: whats[3].clone() };
        assert_eq!(
            Words(Language::En).difference(&d),
            "Montréal, January 1, 1970, 10:00 a.m.: counted as taken: mates 1, 26 ft trucks 1; taken by bookings: nothing"
        );
    }
}
