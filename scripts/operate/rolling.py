"""Two production servers on PostgreSQL behind a proxy, restarted in turn under load: no client sees an error.

Caddy looks at /readyz and needs to be told nothing. nginx (without its paid version) does not look: it is told to
send nothing to a server (`down`, reload) before that one is stopped. What happens when nobody tells it is a figure,
not a claim: it notices refused connections and uses the other server, but a request that meets the very moment in
which the port closes is lost.
"""
import collections
import datetime
import http.client
import itertools
import threading
import time

from .authority import Authority, signing_key
from .browser import Browser, Refused, draft, estimate, hold
from .fronts import Caddy, Nginx
from .postgres import Postgres
from .processes import Failed, Workshop, free_port, until
from .server import Portage, furnish, outside_world, production
from .verdict import Verdict

CADDY, TOLD, UNTOLD = WAYS = ["caddy", "nginx", "nginx-untold"]
CLIENTS = 12
RESTARTS_OF_EACH = 3
LEAST = 2_000
DRAIN_SECONDS = 3
# Between two requests of one client: a busy site, not a flood.
PAUSE = 0.06


class Load:
    """Clients that go on until they are told to stop, and what they saw."""

    def __init__(self, name, front, authority, times):
        self.name, self.front, self.authority = name, front, authority
        self.times = itertools.cycle(times)
        self.lock, self.stopped = threading.Lock(), threading.Event()
        self.answers, self.errors, self.booked = collections.Counter(), [], []
        self.slowest, self.repeated = 0.0, 0
        self.threads = [threading.Thread(target=self._client, args=(n,), daemon=True) for n in range(CLIENTS)]

    def start(self):
        for thread in self.threads:
            thread.start()

    def stop(self):
        self.stopped.set()
        for thread in self.threads:
            thread.join(120)

    def total(self):
        with self.lock:
            return sum(self.answers.values()) + len(self.errors)

    def _time(self):
        with self.lock:
            return next(self.times)

    def _client(self, number):
        # Each with an address of its own: what one network may do is limited.
        address = f"127.0.{20 + number}.{1 + WAYS.index(self.name)}"
        browser = Browser(self.front.url, self.authority, address)
        guest = Browser(self.front.url, self.authority, address)
        email = f"{self.name}-{number}@customers.example"
        try:
            browser.sign_up(email)
            browser.store_card()
        except (OSError, http.client.HTTPException, Refused) as error:
            with self.lock:
                self.errors.append(f"client {number} begins: {error!r}")
            return
        for turn in itertools.count():
            if self.stopped.is_set():
                with self.lock:
                    self.repeated += browser.repeated + guest.repeated
                return
            for who, method, path, kw, fine in self._round(number, turn, browser, guest):
                self._send(who, method, path, kw, fine)
                time.sleep(PAUSE)

    def _round(self, number, turn, browser, guest):
        """Method, path, and the answers that are in order."""
        yield guest, "GET", "/api/rates/active", {}, (200,)
        yield guest, "POST", "/api/booking/estimate", {"body": estimate()}, (200,)
        yield guest, "GET", "/api/furniture", {}, (200,)
        date, clock = self._time()
        # A time may be somebody else's by now, and one address keeps only so many.
        yield guest, "POST", "/api/holds", {"body": hold(date, clock), "key": f"hold-{self.name}-{number}-{turn}"}, (201, 409)
        yield browser, "GET", "/api/bookings/previous?page=1&per_page=10", {}, (200,)
        yield browser, "GET", "/api/profiles", {}, (200,)
        yield guest, "POST", "/api/booking/estimate", {"body": estimate()}, (200,)
        if turn % 12 == 3 and turn < 40:
            date, clock = self._time()
            key = f"{self.name}-{number}-{turn}"
            yield browser, "POST", "/api/bookings", {"body": {"bookingRequest": draft(date, clock)}, "key": key}, (201, 409)

    def _send(self, who, method, path, kw, fine):
        began = time.monotonic()
        try:
            status, _, body = who.call(method, path, **kw)
        except (OSError, http.client.HTTPException) as error:
            with self.lock:
                self.errors.append(f"{method} {path}: {error!r}")
            return
        took = time.monotonic() - began
        with self.lock:
            self.slowest = max(self.slowest, took)
            if status in fine:
                self.answers[f"{method} {status}"] += 1
            else:
                self.errors.append(f"{method} {path}: {status} {body}")
            if status == 201 and path == "/api/bookings":
                self.booked.append(body["id"])


def _restart(servers, load, say):
    """Each in turn, several times; how long each was away."""
    away = []
    for number in range(RESTARTS_OF_EACH * len(servers)):
        server = servers[number % len(servers)]
        began = time.monotonic()
        if load.name == TOLD:
            load.front.tell(server.address)
        ended_well = server.term()
        server.start()
        if load.name == TOLD:
            load.front.tell(None)
        away.append(time.monotonic() - began)
        if not ended_well:
            raise Failed(f"{server.name} did not end well after TERM:\n{server.told()[-2000:]}")
        # The proxy sees it again before the next one goes.
        time.sleep(2)
    until(f"{LEAST} requests", lambda: load.total() >= LEAST + 100 or load.name == UNTOLD, 180, 0.5)
    say(f"{load.name}: {len(away)} restarts, each {min(away):.1f} to {max(away):.1f} s until it serves again")


def _one(load, servers, verdict):
    name = load.name
    load.start()
    until("the first requests", lambda: load.total() > 5 * CLIENTS, 120)
    _restart(servers, load, verdict.say)
    load.stop()
    verdict.say(f"{name}: {load.total()} requests of {CLIENTS} clients, {len(load.errors)} errors, slowest {load.slowest:.2f} s, "
                f"{load.repeated} repeated by the browser on a connection the proxy had closed, "
                + ", ".join(f"{n} × {what}" for what, n in sorted(load.answers.items())))
    enough = [] if load.total() >= LEAST else [f"only {load.total()} requests"]
    if name == UNTOLD:
        for error in load.errors[:5]:
            verdict.say("         " + " ".join(error.split())[:300])
    else:
        verdict.claim(f"{name}: 0 errors of at least {LEAST:,} requests", load.errors + enough)
    there = {row[0] for row in servers[0].rows("SELECT id FROM bookings")}
    verdict.claim(f"{name}: each of {len(load.booked)} acknowledged bookings is there, once",
                  [f"{one} is lost" for one in load.booked if one not in there]
                  + ([] if len(set(load.booked)) == len(load.booked) else ["an id was given twice"]))


def run(root):
    verdict = Verdict("rolling")
    shop = Workshop("rolling")
    authority = Authority(shop.folder("authority"), "company")
    postgres = Postgres(shop)
    outside = outside_world(shop, Nginx, authority)
    # Nothing listens there: mails wait, which is no concern of this part.
    settings = production(outside, authority, f"smtps://u:p@localhost:{free_port()}")
    settings.update({
        "PORTAGE_SIGNING_KEYS": signing_key(), "PORTAGE_DRAIN_SECONDS": str(DRAIN_SECONDS), "PORTAGE_LOG": "warn",
        "PORTAGE_PUBLIC_URL": "https://localhost",
    })
    first = Portage(shop, "first", settings, postgres)
    second = first.beside("second")
    servers = [first, second]
    addresses = [server.address for server in servers]
    first.start()
    furnish(first, root)
    second.start()
    certificate = authority.issue("front")
    for name in WAYS:
        front = Caddy(shop, certificate, addresses) if name == CADDY else Nginx(shop, certificate, addresses, name=name)
        for server in servers:
            server.term()
            # The callback of the sign-in belongs to the address people reach.
            server.settings["PORTAGE_PUBLIC_URL"] = front.url
        # An address that changed could be a copy's: somebody says that it is not.
        first.must("adopt")
        for server in servers:
            server.start()
        times = Browser(front.url, authority).free_times(datetime.date.today() + datetime.timedelta(days=5), 28)
        _one(Load(name, front, authority, times), servers, verdict)
    for server in servers:
        server.term()
    verdict.end()
