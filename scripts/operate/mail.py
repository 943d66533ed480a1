"""Mail through a relay that misbehaves, in production, on both databases: nothing lost, nothing marked sent that was
refused, nothing doubled but where the relay itself lost its answer.

The pauses between two tries are real (production follows the machine's clock): a minute after the first failure,
five after the second, and five while the relay's settings are wrong. So one site lives through refusals and slow
answers and another through wrong settings, for each database, all at the same time.
"""
import collections
import datetime
import random
import threading
import time
import traceback

from .authority import Authority
from .browser import Browser, Refused
from .fronts import Nginx
from .postgres import Postgres
from .processes import Failed, Workshop, free_port, until
from .relay import FAULTS, Fault, Relay
from .server import Portage, furnish, outside_world, production
from .verdict import Verdict

PEOPLE = 30
SEED = 7
WRONG_SETTINGS = 3


class Site:
    """A production with nginx in front and a relay behind, and the people who use it."""

    def __init__(self, name, shop, authority, root, certificate, wrapped, postgres=None):
        self.name, self.authority = name, authority
        outside = outside_world(shop, Nginx, authority, f"{name}-outside")
        self.relay = Relay(free_port(), certificate, wrapped)
        self.portage = Portage(shop, name, production(outside, authority, self.relay.url), postgres)
        self.portage.settings["PORTAGE_JOB_LOOPS"] = "16"
        self.front = Nginx(shop, authority.issue(name), [self.portage.address], name=f"{name}-nginx")
        self.portage.settings["PORTAGE_PUBLIC_URL"] = self.front.url
        self.portage.start()
        furnish(self.portage, root)
        # (recipient, type): every mail that this use of the program must cause, once.
        self.expected = collections.Counter()
        self.mended = {}

    def person(self, number):
        return Browser(self.front.url, self.authority, f"127.0.{40 + number}.1")

    def use(self, people):
        """Sign-ups, bookings (some charged at once, some later) and forgotten passwords."""
        guest = self.person(0)
        soon = guest.free_times(datetime.date.today() + datetime.timedelta(days=1), 1)
        later = guest.free_times(datetime.date.today() + datetime.timedelta(days=5), 21)
        for number in range(people):
            browser, address = self.person(number), f"person-{number}@customers.example"
            browser.sign_up(address)
            self.expected[address, "welcome"] += 1
            if number % 2 == 0:
                browser.store_card()
                at_once = number % 4 == 0 and len(soon) > number
                date, clock = soon[number] if at_once else later[number * 5 % len(later)]
                browser.book(date, clock, f"{self.name}-{number}")
                self.expected[address, "bookingConfirmation"] += 1
                if at_once:
                    self.expected[address, "fullPaymentCharged"] += 1
            if number % 3 == 0:
                browser.expect(204, "POST", "/identity/api/forgot-password", body={"email": address})
                self.expected[address, "passwordReset"] += 1

    def messages(self):
        """Number, recipient, type and state of each message, as Portage believes."""
        return self.portage.rows("SELECT id, recipient, message_type, state FROM messages ORDER BY seq")

    def waiting(self):
        sql = "SELECT count(*) FROM jobs WHERE kind = 'send_message' AND state IN ('queued', 'running')"
        return int(self.portage.rows(sql)[0][0])

    def dead(self):
        """Job and reason of what was given up, as the operator sees it."""
        lines = [line for line in self.portage.must("jobs", "list").splitlines() if "send_message" in line and " given up " in line]
        return {line.split()[0]: line for line in lines}

    def judge(self, verdict):
        """Every message by its number: what the relay did, and what Portage believes."""
        entries = collections.defaultdict(list)
        for entry in self.relay.entries():
            if entry.message:
                entries[entry.message].append(entry)
        messages = self.messages()
        lost, refused, doubled, unknown, excused = [], [], [], [], 0
        for number, recipient, kind, state in messages:
            taken = [e for e in entries[number] if e.verdict == "taken"]
            answered = [e for e in taken if e.answered]
            words = f"{kind} to {recipient}: {[(e.fault, e.verdict) for e in entries[number]]}"
            if state == "sent" and not answered:
                refused.append(words)
            if state != "sent" and answered:
                unknown.append(f"{state}: {words}")
            if not taken and state != "dead":
                lost.append(f"{state}: {words}")
            if len(taken) > 1:
                excused += 1
                if any(e.answered for e in taken[:-1]):
                    doubled.append(words)
        there = collections.Counter((recipient, kind) for _, recipient, kind, _ in messages)
        strange = [f"{key}: {there[key]} instead of {n}" for key, n in self.expected.items() if there[key] != n]
        strange += [f"{key}: {n}, nobody asked for it" for key, n in there.items() if key not in self.expected]
        strange += [f"the relay knows {n}, Portage does not" for n in entries if n not in {m[0] for m in messages}]
        states = collections.Counter(state for *_, state in messages)
        verdicts = collections.Counter(e.verdict for e in self.relay.entries())
        verdict.say(f"{self.name}: {len(messages)} mails ({', '.join(f'{n} {s}' for s, n in sorted(states.items()))}); "
                    f"the relay had {self.relay.drawn} connections and "
                    + ", ".join(f"{n} messages {v}" for v, n in sorted(verdicts.items())))
        verdict.claim(f"{self.name}: what people did caused each mail once", strange)
        verdict.claim(f"{self.name}: no mail lost", lost)
        verdict.claim(f"{self.name}: none marked sent that was refused", refused)
        verdict.claim(f"{self.name}: none taken by the relay with its answer, and not known as sent", unknown)
        verdict.claim(f"{self.name}: none doubled but where the relay lost its answer ({excused} of those)", doubled)


def _faults(site, log):
    """A relay that is slow, refuses and hangs up at every step."""
    dice = random.Random(SEED)
    deck = list(FAULTS) + [f for f in FAULTS if not f.wait]
    dice.shuffle(deck)
    # Those that take minutes begin at once.
    deck.sort(key=lambda fault: -fault.wait)
    site.faults = len(deck)
    site.relay.deck = deck
    site.use(PEOPLE)
    until(f"{site.name}: an end of every mail", lambda: not site.waiting(), 840, 2)
    site.unmet = len(site.relay.deck)
    # What was refused for good waits for a person: one is dropped, the others are tried again.
    dead = site.dead()
    site.given_up = list(dead.values())
    for number, job in enumerate(dead):
        site.portage.must("jobs", "drop" if number == 0 else "retry", job)
    until(f"{site.name}: an end of what was tried again", lambda: not site.waiting(), 120, 1)
    site.left = list(site.dead().values())
    log(f"{site.name}: done")


class _Wrong:
    """One way in which the relay takes nothing from us, and what an operator must be told."""

    def __init__(self, name, spoil, words):
        self.name, self.spoil, self.words = name, spoil, words


def _wrong_settings(site, good, ways, log):
    """The relay takes nothing at all, one way after the other; then it does."""
    site.told = []
    site.relay.deck = []
    person = 100
    for way in ways:
        way.spoil(site.relay)
        began = time.monotonic()
        for _ in range(WRONG_SETTINGS):
            browser, address = site.person(person), f"person-{person}@customers.example"
            browser.sign_up(address)
            site.expected[address, "welcome"] += 1
            person += 1
        until(f"{site.name}: the pause ({way.name})", lambda: site.portage.figure("portage_mail_paused") == 1, 60)
        took = time.monotonic() - began
        told = site.portage.look("/readyz?verbose")[1]
        time.sleep(3)
        site.told.append((way.name, took, way.words.lower() in told.lower(), told))
        # The operator starts it anew, as after a changed setting: the pause is forgotten, and found again.
        site.portage.term()
        site.portage.start()
    # The last one is mended at the relay alone; one site is started anew then, the other is told nothing.
    ways[-1].spoil(site.relay)
    browser, address = site.person(person), f"person-{person}@customers.example"
    browser.sign_up(address)
    site.expected[address, "welcome"] += 1
    until(f"{site.name}: the pause again", lambda: site.portage.figure("portage_mail_paused") == 1, 60)
    site.taken_before = [e for e in site.relay.entries() if e.verdict == "taken"]
    site.relay.password, site.relay.always = site.relay.own_password, None
    site.relay.show(good)
    mended = time.monotonic()
    if site.restarts:
        site.portage.term()
        site.portage.start()
    until(f"{site.name}: an end of every mail", lambda: not site.waiting(), 720, 2)
    site.mended_after = time.monotonic() - mended
    site.left = list(site.dead().values())
    site.still_paused = site.portage.figure("portage_mail_paused")
    log(f"{site.name}: done")


def _spoilers(foreign, expired, elsewhere, good):
    def certificate(which):
        def spoil(relay):
            relay.password, relay.always = relay.own_password, None
            relay.show(which)
        return spoil

    def password(relay):
        relay.show(good)
        relay.always = None
        relay.password = "another one"

    def shut(relay):
        relay.show(good)
        relay.password = relay.own_password
        relay.always = Fault("greeting 554", "greeting", say="554 5.7.1 this machine may not send here")

    return [
        _Wrong("a certificate of a foreign authority", certificate(foreign), "certificate"),
        _Wrong("an expired certificate", certificate(expired), "expired"),
        _Wrong("a certificate for another name", certificate(elsewhere), "certificate"),
        _Wrong("535 wrong password", password, "535"),
        _Wrong("554 instead of a greeting", shut, "may not send here"),
    ]


def _threads(verdict, jobs):
    wrong = []

    def guarded(work, *args):
        try:
            work(*args)
        except (Failed, Refused, OSError) as error:
            wrong.append(f"{work.__name__}: {error}")
        except Exception:  # noqa: BLE001 - whatever it was, it is told
            wrong.append(traceback.format_exc())

    threads = [threading.Thread(target=guarded, args=job, daemon=True) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    verdict.claim("every site came to its end", wrong)


def run(root):
    verdict = Verdict("mail")
    shop = Workshop("mail")
    folder = shop.folder("authority")
    company, stranger = Authority(folder, "company"), Authority(folder, "stranger")
    postgres = Postgres(shop)
    good = company.issue("relay")
    ways = _spoilers(stranger.issue("relay"), company.issue_expired("old-relay"),
                     company.issue("other-relay", "subjectAltName=DNS:relay.elsewhere.example"), good)
    make = lambda name, wrapped, database: Site(name, shop, company, root, good, wrapped, database)  # noqa: E731
    # SMTPS on one, STARTTLS on the other.
    slow = [make("sqlite", True, None), make("postgres", False, postgres)]
    spoilt = [make("sqlite-settings", False, None), make("postgres-settings", True, postgres)]
    for site in slow + spoilt:
        site.relay.own_password = site.relay.password
    for site in spoilt:
        site.restarts = site.portage.postgres is None
    log = verdict.say
    _threads(verdict, [(_faults, site, log) for site in slow] + [(_wrong_settings, site, good, ways, log) for site in spoilt])
    if verdict.wrong:
        verdict.end()
    for site in slow:
        verdict.say(f"{site.name}: {site.faults} faults of {len(FAULTS)} kinds, "
                    f"{len(site.given_up)} mails refused for good, one dropped and the others tried again")
        site.judge(verdict)
        verdict.claim(f"{site.name}: every fault was met", site.unmet == 0)
        verdict.claim(f"{site.name}: SSL_CERT_FILE is enough for a relay with the company's certificate",
                      bool(site.relay.letters))
        strange = [line for line in site.given_up if not any(code in line for code in ("550", "554"))]
        verdict.claim(f"{site.name}: only what was refused for good was given up, with the relay's words", strange)
        verdict.claim(f"{site.name}: nothing is left on the list", site.left)
    for site in spoilt:
        for name, took, named, told in site.told:
            verdict.claim(f"{site.name}: {name}: mail pauses after {took:.1f} s, and says why",
                          [] if named else [told])
        verdict.claim(f"{site.name}: nothing was sent meanwhile", [str(e) for e in site.taken_before])
        how, most = (", and Portage started anew", 60) if site.restarts else ("", 360)
        verdict.claim(f"{site.name}: everything had gone out {site.mended_after:.0f} s after the relay was mended{how}",
                      [] if site.mended_after <= most else [f"that should take {most} s at most"])
        verdict.claim(f"{site.name}: no longer paused, nothing given up", site.left + (["paused"] if site.still_paused else []))
        site.judge(verdict)
    for site in slow + spoilt:
        site.portage.term()
        code, out, err = site.portage.run("reconcile")
        verdict.claim(f"{site.name}: gateway and ledger agree", [] if code == 0 else (out + err).splitlines())
        site.relay.stop()
    verdict.end()
