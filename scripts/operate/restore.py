"""A copy taken while people book is opened elsewhere: it has everything that was acknowledged before it was taken.

On SQLite by `portage backup`, on PostgreSQL by `pg_dump` and `pg_restore`.
"""
import datetime
import http.client
import itertools
import shutil
import threading

from .authority import Authority
from .browser import Browser, Refused
from .fronts import Nginx
from .postgres import Postgres
from .processes import Workshop, free_port, until
from .server import Portage, furnish, outside_world, production
from .verdict import Verdict

BEFORE = 4


class Writers:
    """People who book before, while and after the copy is taken."""

    def __init__(self, site, front, authority):
        self.site, self.front, self.authority = site, front, authority
        self.booked, self.wrong = [], []
        self.stopped = threading.Event()
        self.threads = [threading.Thread(target=self._write, args=(n,), daemon=True) for n in range(3)]
        for thread in self.threads:
            thread.start()

    def _write(self, writer):
        first_day = datetime.date.today() + datetime.timedelta(days=5)
        try:
            for turn in itertools.count():
                browser = Browser(self.front.url, self.authority, f"127.0.{90 + writer}.{1 + turn % 200}")
                email = f"writer-{writer}-{turn}@customers.example"
                browser.sign_up(email)
                browser.store_card()
                times = browser.free_times(first_day, 14)
                booking = browser.book(*times[(7 * turn + writer) % len(times)], f"{writer}-{turn}")
                self.booked.append((booking["id"], email))
                if self.stopped.is_set():
                    return
        except (OSError, http.client.HTTPException, Refused) as error:
            self.wrong.append(f"writer {writer}: {error!r}")

    def stop(self):
        self.stopped.set()
        for thread in self.threads:
            thread.join(60)


def _adopted(copy, name, verdict):
    """A production that is started on a copy must be told that it is the real one."""
    # A copy that nobody adopted neither mails nor charges, and says why it does not start.
    code, out, err = copy.run("serve")
    verdict.claim(f"{name}: a copy is not served before it is adopted, and says so",
                  [] if code != 0 and "portage adopt" in out + err else [f"exit {code}: {out}{err}"])
    # The original works on while the copy is made: what the gateway did since stands in the way once.
    code, out, err = copy.run("adopt")
    if code != 0:
        verdict.say(f"{name}: adopt stops at what the gateway did since ({len(out.strip().splitlines())} lines)")
        copy.must("adopt", "--despite-differences")


def _one(name, shop, authority, outside, root, postgres, verdict):
    settings = production(outside, authority, f"smtps://u:p@localhost:{free_port()}")
    site = Portage(shop, name, {**settings, "PORTAGE_PUBLIC_URL": "https://localhost"}, postgres)
    front = Nginx(shop, authority.issue(name), [site.address], name=f"{name}-nginx")
    site.settings["PORTAGE_PUBLIC_URL"] = front.url
    site.start()
    furnish(site, root)
    writers = Writers(site, front, authority)
    until(f"{BEFORE} bookings", lambda: len(writers.booked) >= BEFORE or writers.wrong, 120)
    known = list(writers.booked)
    copy = site.beside(f"{name}-copy")
    (copy.folder / "data").mkdir(mode=0o700)
    if postgres:
        dump = copy.folder / "dump"
        postgres.dump(site.database, dump)
        copy.database = f"{site.database}-copy"
        copy.settings["PORTAGE_DATABASE_URL"] = postgres.create(copy.database)
        postgres.restore(copy.database, dump)
    else:
        file = copy.folder / "data/portage.db"
        site.must("backup", file)
        copy.settings["PORTAGE_DATABASE_URL"] = f"sqlite://{file}"
    shutil.copytree(site.folder / "data/keys", copy.folder / "data/keys")
    while_copied = len(writers.booked) - len(known)
    writers.stop()
    verdict.claim(f"{name}: people could book all the while ({while_copied} bookings while the copy was taken)", writers.wrong)

    elsewhere = Nginx(shop, authority.issue(f"{name}-copy"), [copy.address], name=f"{name}-copy-nginx")
    copy.settings["PORTAGE_PUBLIC_URL"] = elsewhere.url
    _adopted(copy, name, verdict)
    copy.start("--no-worker")
    lost = []
    for number, (booking, email) in enumerate(known):
        browser = Browser(elsewhere.url, authority, f"127.0.95.{1 + number % 200}")
        try:
            browser.sign_in(email)
            browser.expect(200, "GET", f"/api/c/bookings/{booking}")
        except Refused as refused:
            lost.append(str(refused))
    verdict.claim(f"{name}: in the copy each of {len(known)} people signs in and finds the booking made before it", lost)
    counts = {one: int(one.rows("SELECT count(*) FROM bookings")[0][0]) for one in (site, copy)}
    verdict.say(f"{name}: {counts[site]} bookings in the original by now, {counts[copy]} in the copy")
    for one in (site, copy):
        one.term()
    code, out, err = copy.run("reconcile")
    verdict.claim(f"{name}: reconcile can be asked of the copy ({out.strip().splitlines()[-1] if out.strip() else err.strip()})",
                  code in (0, 1))


def run(root):
    verdict = Verdict("restore")
    shop = Workshop("restore")
    authority = Authority(shop.folder("authority"), "company")
    postgres = Postgres(shop)
    outside = outside_world(shop, Nginx, authority)
    _one("sqlite", shop, authority, outside, root, None, verdict)
    _one("postgres", shop, authority, outside, root, postgres, verdict)
    verdict.end()
