//! When everything has come to rest: what must be true, asked of the gateway's own list, of the API
//! and of `portage reconcile`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    sync::Arc,
    time::{Duration, Instant},
};

use kernel::Money;
use reqwest::{Method, StatusCode};
use serde_json::Value;

use crate::{
    money::ByHand,
    people::{ADMIN, CUSTOMER, Person, book},
    world::{LATEST_MS, TIMEOUT_MS, World},
};

/// How many differences of a kind are printed.
const SHOWN: usize = 12;

/// Calm, the last unanswered requests repeated, and all days passed.
pub async fn rest(world: &Arc<World>) {
    // What is held back is applied, and what was lost is too old to come.
    tokio::time::sleep(Duration::from_millis(LATEST_MS + 10 * TIMEOUT_MS)).await;
    let mut person = Person::new(world, 77, CUSTOMER);
    // The clock moves for thirty rounds. Servers look for what is at the gateway in real time as well, and thirty rounds
    // can be over within seconds: a request that is still under way then is repeated until `patience` is over.
    let patience = Instant::now() + Duration::from_secs(90);
    let mut round = 0;
    loop {
        let open = std::mem::take(&mut world.diary.lock().unwrap().open);
        if open.is_empty() {
            break;
        }
        for (key, body) in open {
            book(&mut person, key, &body).await;
        }
        world.settle().await;
        round += 1;
        if round <= 30 {
            // Five minutes are what a look-up waits for the next.
            world.advance(301);
        } else if Instant::now() < patience {
            tokio::time::sleep(Duration::from_secs(1)).await;
        } else {
            break;
        }
    }
    let left = world.diary.lock().unwrap().open.len();
    if left > 0 {
        world.diary.lock().unwrap().faults.push(format!("{left} requests stay without an answer"));
    }
    for hours in [[72; 14].as_slice(), &[1; 5]].concat() {
        world.settle().await;
        world.advance(hours * 3_600);
    }
    world.settle().await;
    // Horizons are real time: what was found open by the last hour is looked at once more.
    tokio::time::sleep(Duration::from_millis(10 * TIMEOUT_MS)).await;
    for _ in 0..3 {
        world.advance(301);
        world.settle().await;
    }
}

fn cents(v: &Value) -> i64 {
    v.as_str().and_then(|t| t.parse::<Money>().ok()).unwrap_or_else(|| panic!("{v} is no amount")).cents()
}

fn list(v: &Value) -> &[Value] {
    v.as_array().map_or(&[], Vec::as_slice)
}

fn text<'a>(v: &'a Value, name: &str) -> &'a str {
    v[name].as_str().unwrap_or_default()
}

/// One booking as staff see it.
struct BookingView {
    id: String,
    booking: Value,
    orders: BTreeSet<String>,
    /// Those of the orders that charged a tip.
    tips: BTreeSet<String>,
    ledger: Value,
    /// What was done to it, in order: for whoever has to find out how it came to what is wrong.
    history: Value,
    by_hand: ByHand,
    /// What its statement says is left to pay.
    left: i64,
    /// Stands in the list of payment problems.
    listed: bool,
}

/// The gateway's own list.
struct Gateway {
    rows: Vec<Value>,
}

impl Gateway {
    async fn of(world: &World) -> Gateway {
        let rows = world.gateway("transactions").await["data"].as_array().unwrap().clone();
        // What was refused moved nothing.
        Gateway { rows: rows.into_iter().filter(|t| t["status"] != "declined").collect() }
    }

    fn charges(&self) -> impl Iterator<Item = &Value> {
        self.rows.iter().filter(|t| t["kind"] == "charge")
    }

    fn refunds_of<'a>(&'a self, charge: &'a Value) -> impl Iterator<Item = &'a Value> {
        self.rows.iter().filter(move |t| t["kind"] == "refund" && t["refundedTransactionId"] == charge["id"])
    }

    /// What of a charge has not gone back.
    fn left_of(&self, charge: &Value) -> i64 {
        match text(charge, "status") {
            "voided" | "settlement_declined" => 0,
            _ => cents(&charge["amount"]) - self.refunds_of(charge).map(|r| cents(&r["amount"])).sum::<i64>(),
        }
    }

    /// The movements under some order ids, for people to read.
    fn story(&self, orders: &BTreeSet<String>) -> String {
        let mut story = String::new();
        for t in self.charges().filter(|t| orders.contains(text(t, "orderId"))) {
            for row in std::iter::once(t).chain(self.refunds_of(t)) {
                let (order, kind, status) = (text(row, "orderId"), text(row, "kind"), text(row, "status"));
                let _ = write!(story, "\n      {order} {kind} {} {status} {}", row["amount"], row["createdAt"]);
            }
        }
        story
    }
}

/// What a booking should hold: all of it, what was kept, or nothing anybody knows better.
fn owed(seen: &BookingView) -> i64 {
    let booking = &seen.booking;
    let price = match text(booking, "status") {
        "cancelled" | "deleted" => booking["kept"].as_str().map_or(0, |_| cents(&booking["kept"])),
        _ => cents(&booking["total"]),
    };
    price - seen.by_hand.credited
}

/// What is earned: after the move, or after a cancellation.
fn earned(seen: &BookingView) -> i64 {
    match text(&seen.booking, "status") {
        "pending" | "assigned" => 0,
        _ => owed(seen),
    }
}

struct Judge {
    found: BTreeMap<&'static str, Vec<String>>,
}

impl Judge {
    fn wrong(&mut self, what: &'static str, which: String) {
        self.found.entry(what).or_default().push(which);
    }

    fn orders(&mut self, gateway: &Gateway, known: &BTreeSet<String>) -> usize {
        let mut times: BTreeMap<(String, String), usize> = BTreeMap::new();
        for t in &gateway.rows {
            let order = (text(t, "kind").to_owned(), text(t, "orderId").to_owned());
            *times.entry(order).or_default() += 1;
        }
        for ((kind, order), n) in times.into_iter().filter(|(_, n)| *n > 1) {
            let story = gateway.story(&BTreeSet::from([order.clone()]));
            self.wrong("an order id was applied more than once", format!("{kind} {order}: {n} times{story}"));
        }
        let mut returned = 0;
        for stray in gateway.charges().filter(|t| !known.contains(text(t, "orderId"))) {
            match gateway.left_of(stray) {
                0 => returned += 1,
                left => {
                    let which = format!("{} of {}: {left} cents left", text(stray, "orderId"), stray["amount"]);
                    self.wrong("a capture belongs to no booking and was not returned", which);
                }
            }
        }
        returned
    }

    /// What staff did stands there once, and all of it that was acknowledged.
    fn deeds(&mut self, all: &[BookingView], acknowledged: &BTreeMap<String, String>, outlived: &BTreeSet<String>) {
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        for key in all.iter().flat_map(|s| &s.by_hand.keys) {
            *times.entry(key).or_default() += 1;
        }
        for (key, n) in times.iter().filter(|(key, n)| **n > 1 && !outlived.contains(**key)) {
            self.wrong("staff gave or took money twice", format!("{key}: {n} times"));
        }
        for (key, id) in acknowledged.iter().filter(|(key, _)| !times.contains_key(key.as_str())) {
            self.wrong("money that staff gave or took is lost", format!("{key} of {id}"));
        }
    }

    fn booking(&mut self, gateway: &Gateway, seen: &BookingView) {
        let b = &seen.booking;
        let payments = list(&b["payments"]);
        let states: Vec<String> = payments
            .iter()
            .map(|p| format!("{} {} {}", text(p, "kind"), text(p, "state"), text(p, "amount")))
            .collect();
        let about = |why: String| {
            format!(
                "{} {} of {}: {why}\n      rows: {}{}\n      booking: {b}\n      history: {}",
                seen.id,
                text(b, "status"),
                text(b, "total"),
                states.join(", "),
                gateway.story(&seen.orders),
                seen.history["data"]
            )
        };
        let held: i64 =
            gateway.charges().filter(|t| seen.orders.contains(text(t, "orderId"))).map(|t| gateway.left_of(t)).sum();
        let mut accounts: BTreeMap<String, i64> = BTreeMap::new();
        // What the bank gave back to a cardholder; the gateway's own list does not tell of it.
        let mut lost = 0;
        for entry in list(&seen.ledger["data"]) {
            let mut sum = 0;
            for line in list(&entry["lines"]) {
                sum += cents(&line["amount"]);
                if text(entry, "kind") == "dispute_lost" {
                    lost += cents(&line["amount"]).max(0);
                }
                *accounts.entry(text(line, "account").to_owned()).or_default() += cents(&line["amount"]);
            }
            if sum != 0 {
                self.wrong("a ledger entry does not sum to zero", about(entry.to_string()));
            }
        }
        let account = |name: &str| accounts.get(name).copied().unwrap_or(0);
        // The bank has what is disputed, and keeps its fee.
        if account("gateway") + account("disputes") + account("fees") + lost != held {
            let why = format!("ledger {} and gateway {held} cents", account("gateway"));
            self.wrong("ledger and gateway differ about a booking", about(why));
        }
        let held = held - lost;
        let incomes = ["revenue", "cancellation_revenue", "gst", "qst", "hst", "write_off"];
        let booked: i64 = -incomes.iter().map(|name| account(name)).sum::<i64>();
        if booked != earned(seen) {
            let why = format!("earned {booked} and not {} cents", earned(seen));
            self.wrong("the ledger is not what the history says", about(why));
        }
        let tips = gateway.charges().filter(|t| seen.tips.contains(text(t, "orderId"))).map(|t| gateway.left_of(t));
        let tips: Vec<i64> = tips.filter(|left| *left != 0).collect();
        let tip: i64 = tips.iter().sum();
        if tips.len() > 1 || -account("tips_payable") != tip {
            let why = format!("{} tips of {tip} cents, the ledger says {}", tips.len(), -account("tips_payable"));
            self.wrong("a tip was charged more than once or not booked", about(why));
        }
        // What a dispute took is asked for by people, not by a card.
        let troubled = ["soft_declined", "hard_declined", "failed", "charged_back"];
        // Nor is what went back charged again before its customer agrees. Who did not agree until the move began is not
        // released: the move may have been made.
        let unasked = b["chargesWait"] == true;
        // And what is missing of a booking that was cancelled before its customer agreed stands on the list of staff.
        let by_people = text(b, "status") == "cancelled" && cents(&b["stillOwed"]) > 0 && seen.listed;
        let troubled = unasked || by_people || payments.iter().any(|p| troubled.contains(&text(p, "state")));
        let open = ["processing", "unknown", "scheduled"];
        // What somebody hands back waits for them, and what nobody agreed to for its customer.
        let ends = |p: &&Value| text(p, "method") == "card" && !(unasked && text(p, "state") == "scheduled");
        if payments.iter().filter(ends).any(|p| open.contains(&text(p, "state"))) {
            self.wrong("a charge or refund is still open at the end", about(String::new()));
        }
        let till = account("cash") + account("bank");
        if till != seen.by_hand.held {
            let why = format!("{till} cents in the books, {} by its payments", seen.by_hand.held);
            self.wrong("cash and bank are not what was taken by hand", about(why));
        }
        // What somebody is about to hand back is not left to pay: its row stands in the statement as on its way.
        let left = owed(seen) - (held - tip + seen.by_hand.held - seen.by_hand.waits);
        if seen.left != left {
            let why = format!("{} cents and not {left}", seen.left);
            self.wrong("a statement does not end with what is left to pay", about(why));
        }
        let (paid, owed) = (held - tip + seen.by_hand.held - seen.by_hand.waits, owed(seen));
        if unasked && paid < owed && !seen.listed {
            self.wrong("a move nobody agreed to pay for is not among the payment problems", about(String::new()));
        }
        // While a dispute is open the bank has its money, and nothing of it can go back: what is owed of it goes when the
        // dispute is won.
        if paid - account("disputes") > owed || (paid < owed && !troubled) {
            let what = if paid > owed { "a booking holds too much" } else { "a booking holds too little" };
            self.wrong(what, about(format!("{paid} instead of {owed} cents")));
        }
    }
}

/// Everybody's bookings, those that were acknowledged and those of the list.
async fn look(world: &Arc<World>, judge: &mut Judge) -> Vec<BookingView> {
    let mut customer = Person::new(world, 78, CUSTOMER);
    let acknowledged = world.diary.lock().unwrap().acknowledged.clone();
    let mut ids: BTreeSet<String> = acknowledged.keys().cloned().collect();
    for page in 1.. {
        let path = format!("/api/bookings/previous?page={page}&per_page=100");
        let (_, rows) = customer.call(Method::GET, &path, &[], None).await.expect("a list");
        if list(&rows["data"]).is_empty() {
            break;
        }
        ids.extend(list(&rows["data"]).iter().map(|b| text(b, "id").to_owned()));
    }
    // Who sees what was deleted, too.
    let mut staff = Person::new(world, 79, ADMIN);
    let mut problems = BTreeSet::new();
    for page in 1.. {
        // {"paymentState":["problem"]}
        let filter = "%7B%22paymentState%22%3A%5B%22problem%22%5D%7D";
        let path = format!("/api/bookings?page={page}&per_page=100&filters={filter}");
        let (_, rows) = staff.call(Method::GET, &path, &[], None).await.expect("a list");
        if list(&rows["data"]).is_empty() {
            break;
        }
        problems.extend(list(&rows["data"]).iter().map(|b| text(b, "id").to_owned()));
    }
    let mut all = Vec::new();
    for id in ids {
        let mut get = async |path: &str| staff.call(Method::GET, &format!("/api/bookings/{id}{path}"), &[], None).await;
        let Some((StatusCode::OK, booking)) = get("").await else {
            judge.wrong("an acknowledged booking is lost", id.clone());
            continue;
        };
        let (_, history) = get("/history").await.expect("a history");
        let (_, ledger) = get("/ledger").await.expect("a ledger");
        let (_, money) = get("/payments").await.expect("payments");
        let (_, statement) = get("/statement").await.expect("a statement");
        let left = cents(&statement["balance"]);
        let charges = list(&history["data"]).iter().filter(|e| e["kind"] == "charge");
        let charges: Vec<&Value> = charges.map(|e| &e["what"]).collect();
        let order = |e: &&Value| text(e, "orderId").to_owned();
        let orders = charges.iter().map(order).collect();
        let tips = charges.iter().filter(|e| e["kind"] == "tip").map(order).collect();
        let listed = problems.contains(&id);
        let by_hand = ByHand::of(&money);
        all.push(BookingView { id, listed, booking, orders, tips, ledger, history, by_hand, left });
    }
    all
}

fn reconcile(site: &crate::support::server::Site, judge: &mut Judge) -> String {
    // The list of half an hour takes a busy machine longer than a look-up may: that says nothing of the books.
    let ask = || {
        let out = site.run(&["reconcile"]);
        let said = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
        (out, said)
    };
    let (mut out, mut said) = ask();
    for _ in 0..4 {
        if out.status.success() || !said.contains("gateway list") {
            break;
        }
        std::thread::sleep(Duration::from_secs(15));
        (out, said) = ask();
    }
    let differences: Vec<&str> = said.lines().filter(|l| l.contains("difference: ")).collect();
    for line in &differences {
        judge.wrong("reconcile finds a difference", (*line).to_owned());
    }
    if !out.status.success() && differences.is_empty() {
        judge.wrong("reconcile failed", said.clone());
    }
    said.lines().last().unwrap_or_default().to_owned()
}

/// Asks everything; panics with all that is wrong, after the figures.
pub async fn judge(world: &Arc<World>) {
    let mut judge = Judge { found: BTreeMap::new() };
    let all = look(world, &mut judge).await;
    let gateway = Gateway::of(world).await;
    let known: BTreeSet<String> = all.iter().flat_map(|s| s.orders.iter().cloned()).collect();
    let returned = judge.orders(&gateway, &known);
    for seen in &all {
        judge.booking(&gateway, seen);
    }
    {
        let diary = world.diary.lock().unwrap();
        judge.deeds(&all, &diary.deeds, &diary.outlived);
    }
    let given_up = world.gauge("jobs_dead").await;
    if given_up != Some(0) {
        judge.wrong("jobs were given up", format!("{given_up:?}"));
        let (_, queue) =
            Person::new(world, 80, ADMIN).call(Method::GET, "/api/queue", &[], None).await.expect("a list");
        let dead = list(&queue["data"]).iter().filter(|job| job["state"] == "dead");
        dead.for_each(|job| judge.wrong("a job was given up", job.to_string()));
    }
    let reconciled = reconcile(world.first_door(), &mut judge);
    let chaos = world.gateway("control").await["figures"].clone();
    world.stop().await;
    world.end();

    let diary = world.diary.lock().unwrap();
    for fault in &diary.faults {
        judge.wrong("a request failed that must not", fault.clone());
    }
    let refunds = gateway.rows.iter().filter(|t| t["kind"] == "refund").count();
    let unsettled = gateway.charges().filter(|t| t["status"] == "settlement_declined").count();
    let voids = gateway.charges().filter(|t| t["status"] == "voided").count();
    println!(
        "{}: {} bookings ({} acknowledged), {} charges, {refunds} refunds, {voids} voids, {unsettled} refused at settlement, {returned} returned strays, {} kills\n  the gateway: {chaos}\n  reconcile: {reconciled}",
        world.name,
        all.len(),
        diary.acknowledged.len(),
        gateway.charges().count(),
        diary.figures.get("kills").copied().unwrap_or(0),
    );
    for (what, n) in &diary.figures {
        println!("  {n:6} {what}");
    }
    if judge.found.is_empty() {
        assert!(all.len() >= 10, "{}: too little happened\n{}", world.name, world.log_text());
        return;
    }
    let mut report = String::new();
    for (what, which) in &judge.found {
        let _ = writeln!(report, "{what}: {}", which.len());
        for one in which.iter().take(SHOWN) {
            let _ = writeln!(report, "   - {one}");
        }
    }
    let kept = std::env::temp_dir().join(format!("portage-chaos-{}-{}", world.name, world.seed));
    world.first_door().keep(&kept);
    let (name, seed) = (world.name, world.seed);
    panic!("{name} with PORTAGE_CHAOS_SEED={seed}; log and database are in {}\n{report}", kept.display());
}
