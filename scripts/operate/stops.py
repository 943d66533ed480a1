"""Twenty TERMs and twenty kills while a slow gateway is charging, on each database: every order id is applied once,
though the gateway checks for no duplicates and knows no request keys.

The gateway is a process of its own (`portage simulators`), so it works on when Portage is gone, as a real one does.
Days pass by a clock file; what the gateway holds back takes real seconds.
"""
import collections
import datetime
import http.client
import random
import threading
import time

from .browser import Browser, Refused
from .postgres import Postgres
from .processes import Failed, Workshop, until
from .server import BIN, DEMO, Portage
from .verdict import Verdict

TERMS = KILLS = 20
EMAIL = "customer@portage.test"
# The gateway applies a charge after so many milliseconds (no look-up shows it before), and answers later still.
BEFORE, AFTER = (500, 2500), (300, 1500)
SLOW_CHARGES = 900
# Portage waits longer than that, and gives up what the gateway does not list after ten times as much.
TIMEOUT_MS = 8_000


class Gateway:
    """The simulated gateway alone."""

    def __init__(self, shop, name, clock):
        settings = {"PORTAGE_MODE": "demo", "PORTAGE_CLOCK_FILE": str(clock)}
        self.process = Portage(shop, name, settings)
        environment = self.process.environment()
        self.process.child = shop.spawn([BIN, "simulators"], self.process.folder, environment)
        self.url = f"http://localhost:{self.process.port}/simulators/braintree"
        self.browser = Browser(f"http://localhost:{self.process.port}")
        until("the start of the gateway", self._answers, 30)

    def _answers(self):
        try:
            return self.browser.call("GET", "/simulators/braintree/control")[0] == 200
        except OSError:
            return False

    def control(self, **body):
        return self.browser.expect(200, "POST", "/simulators/braintree/control", body=body)[1]

    def behave(self):
        """Quick, and without anything that would hide a second charge."""
        self.browser.call("DELETE", "/simulators/braintree/control")
        self.control(requestKeys=False, duplicateChecking=False)

    def transactions(self):
        rows = []
        while True:
            query = f"per_page=100&page={len(rows) // 100 + 1}"
            page = self.browser.expect(200, "GET", f"/simulators/braintree/transactions?{query}")[1]["data"]
            rows += page
            if len(page) < 100:
                return rows


class Site:
    def __init__(self, name, shop, postgres, seed):
        self.name, self.dice = name, random.Random(seed)
        self.clock = shop.folder(f"{name}-clock") / "clock"
        self.now = datetime.datetime(2027, 2, 1, 13, tzinfo=datetime.timezone.utc)
        self.advance(0)
        self.gateway = Gateway(shop, f"{name}-gateway", self.clock)
        self.gateway.behave()
        slow = lambda: {"outcome": "approve", "operation": "charge",  # noqa: E731
                        "delayBeforeMs": self.dice.randint(*BEFORE), "delayAfterMs": self.dice.randint(*AFTER)}
        self.gateway.control(outcomes=[slow() for _ in range(SLOW_CHARGES)])
        self.portage = Portage(shop, name, {
            "PORTAGE_MODE": "demo", "PORTAGE_CLOCK_FILE": str(self.clock), "PORTAGE_PAYMENTS_URL": f"{self.gateway.url}/graphql",
            "PORTAGE_JOB_LOOPS": "4", "PORTAGE_PAYMENTS_REQUEST_KEY": "false", "PORTAGE_PAYMENTS_TIMEOUT_MS": str(TIMEOUT_MS),
        }, postgres)
        self.portage.settings["PORTAGE_PUBLIC_URL"] = f"http://localhost:{self.portage.port}"
        # Idempotency key → draft's time, of requests nobody answered; booking → total, of those that were.
        self.open, self.acknowledged = {}, {}
        self.figures = collections.Counter()
        self.bad_ends = []

    def advance(self, hours):
        self.now += datetime.timedelta(hours=hours)
        draft = self.clock.with_suffix(".draft")
        draft.write_text(self.now.strftime("%Y-%m-%dT%H:%M:%SZ"))
        draft.replace(self.clock)

    def browser(self):
        browser = Browser(self.portage.settings["PORTAGE_PUBLIC_URL"])
        browser.sign_in(EMAIL, DEMO)
        return browser

    def _send(self, browser, key, when):
        """One booking; the same key again is the same booking."""
        self.open[key] = when
        try:
            booking = browser.book(*when, key)
        except Refused as refused:
            code = refused.body.get("code") if isinstance(refused.body, dict) else None
            # Full or closed: an honest no. What is under way, or failed, is asked for again.
            if refused.status in (409, 422) and code in ("slot_gone", "date_closed", "too_soon"):
                self.figures["refused"] += 1
                del self.open[key]
            elif refused.status < 500 and code not in ("request_in_flight", "payment_in_flight"):
                raise
            return
        del self.open[key]
        self.acknowledged[booking["id"]] = booking["total"]

    def _customer(self, number):
        """Books moves that are paid while they are booked and moves that are paid later."""
        try:
            browser = self.browser()
            # Within two days: paid at once.
            soon = (self.now + datetime.timedelta(hours=30)).date().isoformat()
            for again in range(3):
                later = (self.now + datetime.timedelta(days=5 + (number + again) % 20)).date().isoformat()
                self._send(browser, f"soon-{number}-{again}", (soon, f"{8 + again // 2:02}:{30 * (again % 2):02}"))
                self._send(browser, f"later-{number}-{again}", (later, f"{8 + number % 8:02}:30"))
        except (OSError, http.client.HTTPException):
            # The server went away in the middle.
            return

    def repeat(self):
        """Whoever got no answer asks again with the same key, on the same day: keys are good for a day."""
        browser = self.browser()

        def answered():
            for key, when in list(self.open.items()):
                self._send(browser, key, when)
            return not self.open

        until(f"{self.name}: an answer to every request", answered, 180, 0.3)

    def _under_way(self, since="2000-01-01"):
        """Charges that were sent since, and nobody has answered for: of jobs, and of requests."""
        sql = (f"SELECT (SELECT count(*) FROM payment_attempts WHERE state = 'sent' AND sent_at >= '{since}'), "
               f"(SELECT count(*) FROM checkouts WHERE state = 'charging' AND sent_at >= '{since}')")
        return [int(cell) for cell in self.portage.rows(sql)[0]]

    def _day(self, number):
        """A day passes, and somebody books."""
        self.advance(26)
        customer = threading.Thread(target=self._customer, args=(number,), daemon=True)
        customer.start()
        return customer

    def strike(self, number, gently):
        """One life of the server, ended while the gateway is charging."""
        # One in four leaves less time than a charge takes.
        self.portage.start(PORTAGE_SHUTDOWN_SECONDS="15" if number % 4 else "1")
        self.repeat()
        # Deposits are charged a day after the booking, by jobs.
        since = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S.%f+00")
        customer = self._day(number)
        wanted = 1 if number % 2 else 0
        began, days = time.monotonic(), 1
        while True:
            # By turns: a charge of a job, and one of a request.
            charging = self._under_way(since)
            if charging[wanted] or (sum(charging) and time.monotonic() > began + 5):
                time.sleep(self.dice.uniform(0, 1.0))
                charging = self._under_way(since)
                if sum(charging):
                    break
            if time.monotonic() > began + 30 * days and not customer.is_alive():
                # A day on which nothing was due, and no time was left to book: the next one.
                if days == 3:
                    raise Failed(f"{self.name}: nothing was being charged in round {number}")
                self.repeat()
                customer = self._day(number + 1000 * days)
                days += 1
            time.sleep(0.02)
        self.figures["charges struck"] += sum(charging)
        self.figures["in a request"] += charging[1]
        if gently:
            began = time.monotonic()
            if not self.portage.term(30):
                self.bad_ends.append(f"round {number}: TERM ended with {self.portage.child.returncode}")
            self.figures["slowest TERM, ms"] = max(self.figures["slowest TERM, ms"], int((time.monotonic() - began) * 1000))
        else:
            self.portage.kill()
        customer.join(60)

    def settle(self):
        """Until no job is due three times in a row."""
        quiet = 0
        end = time.monotonic() + 120
        while quiet < 3:
            quiet = quiet + 1 if self.portage.figure("portage_jobs_due") == 0 and not sum(self._under_way()) else 0
            if time.monotonic() > end:
                raise Failed(f"{self.name}: jobs stay due:\n{self.portage.told()[-2000:]}")
            time.sleep(0.1)

    def live(self):
        self.portage.start()
        self.browser().store_card()
        self.portage.term()
        ends = [True] * TERMS + [False] * KILLS
        self.dice.shuffle(ends)
        for number, gently in enumerate(ends):
            self.strike(number, gently)
        self.portage.start()
        self.repeat()
        # Then the days pass; the gateway is quick.
        self.settle()
        self.gateway.behave()
        for hours in [72] * 12 + [1] * 4:
            self.advance(hours)
            self.settle()

    def judge(self, verdict):
        browser, booked = self.browser(), []
        while True:
            page = browser.expect(200, "GET", f"/api/bookings/previous?page={len(booked) // 100 + 1}&per_page=100")[1]["data"]
            booked += page
            if len(page) < 100:
                break
        charges = [row for row in self.gateway.transactions() if row["status"] != "declined"]
        orders = collections.Counter(row["orderId"] for row in charges)
        cents = lambda text: round(float(text) * 100)  # noqa: E731
        charged, owed = (sum(cents(row[key]) for row in rows) for rows, key in ((charges, "amount"), (booked, "total")))
        verdict.say(f"{self.name}: {TERMS} TERMs and {KILLS} kills struck {self.figures['charges struck']} charges under way, "
                    f"{self.figures['in a request']} of them in a request; slowest end after TERM "
                    f"{self.figures['slowest TERM, ms'] / 1000:.1f} s")
        verdict.say(f"{self.name}: {len(booked)} bookings ({self.figures['refused']} refused), {len(charges)} charges, "
                    f"{charged / 100:.2f} charged of {owed / 100:.2f} owed")
        verdict.claim(f"{self.name}: each of {len(orders)} order ids was applied once, without the gateway's duplicate check",
                      [f"{order}: {n} times" for order, n in orders.items() if n > 1])
        verdict.claim(f"{self.name}: what was charged is what was booked", charged == owed)
        verdict.claim(f"{self.name}: nothing is given back or cancelled",
                      [str(row) for row in charges if row["kind"] != "charge"]
                      + [f"{row['shortId'] if 'shortId' in row else row['id']} is cancelled" for row in booked
                         if row["status"] == "cancelled"])
        there = {row["id"] for row in booked}
        verdict.claim(f"{self.name}: each of {len(self.acknowledged)} acknowledged bookings is there",
                      [one for one in self.acknowledged if one not in there])
        verdict.claim(f"{self.name}: every TERM ended well", self.bad_ends)
        self.portage.term()
        code, out, err = self.portage.run("reconcile")
        verdict.claim(f"{self.name}: portage reconcile: {out.strip()[:100]}", [] if code == 0 else [f"exit {code}: {out}{err}"])


def run(_root):
    verdict = Verdict("stops")
    shop = Workshop("stops")
    sites = [Site("sqlite", shop, None, 11), Site("postgres", shop, Postgres(shop), 12)]
    wrong = []

    def live(site):
        try:
            site.live()
        except (Failed, Refused, OSError, http.client.HTTPException) as error:
            wrong.append(f"{site.name}: {error!r}")

    threads = [threading.Thread(target=live, args=(site,), daemon=True) for site in sites]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    verdict.claim("every site came to its end", wrong)
    if not wrong:
        for site in sites:
            site.judge(verdict)
    verdict.end()
