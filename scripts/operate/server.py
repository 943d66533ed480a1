"""Portage as an operator runs it: a folder, settings, and commands beside it."""
import http.client
import os
import sqlite3
import subprocess

from .processes import Failed, free_port, until

BIN = os.environ.get("PORTAGE_BIN", "")
DEMO = "portage-demo-2027"


class Portage:
    """One process; several of them may share a database."""

    def __init__(self, shop, name, settings, postgres=None):
        self.shop, self.name = shop, name
        self.folder = shop.folder(name)
        self.port = free_port()
        self.address = f"127.0.0.1:{self.port}"
        self.postgres, self.database, self.child = postgres, None, None
        if postgres:
            self.database = f"portage-{name}"
            url = postgres.create(self.database)
        else:
            url = f"sqlite://{self.folder}/data/portage.db"
        self.settings = {
            "PORTAGE_BIND": self.address, "PORTAGE_DATABASE_URL": url, "PORTAGE_DATA_DIR": str(self.folder / "data"),
            "PORTAGE_LOG": "info,actix_server=warn,access=off", **settings,
        }

    def beside(self, name, **settings):
        """Another server on the same database."""
        other = Portage.__new__(Portage)
        other.__dict__ = dict(self.__dict__, name=name, folder=self.shop.folder(name), port=free_port(), child=None)
        other.address = f"127.0.0.1:{other.port}"
        own = {"PORTAGE_BIND": other.address, "PORTAGE_DATA_DIR": str(other.folder / "data"), **settings}
        other.settings = {**self.settings, **own}
        return other

    def environment(self, **more):
        kept = {name: os.environ[name] for name in ("PATH", "TMPDIR", "RUST_BACKTRACE") if name in os.environ}
        return {**kept, **self.settings, **more}

    def start(self, *arguments, **more):
        self.child = self.shop.spawn([BIN, "serve", *arguments], self.folder, self.environment(**more))
        until(f"readiness of {self.name}", self._ready, 60, 0.05)

    def _ready(self):
        if self.child.poll() is not None:
            raise Failed(f"{self.name} ended with {self.child.returncode}:\n{self.told()[-3000:]}")
        return self.look("/readyz")[0] == 200

    def look(self, path):
        """A call straight to it, past the proxy, as its operator makes it."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            line.request("GET", path)
            answer = line.getresponse()
            return answer.status, answer.read().decode()
        except (OSError, http.client.HTTPException):
            return 0, ""
        finally:
            line.close()

    def figure(self, name):
        """One figure of `/metrics`; 0 when it has not been counted yet."""
        for line in self.look("/metrics")[1].splitlines():
            if line.startswith(name + " "):
                return float(line.split()[-1])
        return 0.0

    def term(self, patience=60):
        """TERM; True when it ended well."""
        self.child.terminate()
        try:
            return self.child.wait(patience) == 0
        except subprocess.TimeoutExpired as late:
            raise Failed(f"{self.name} still runs {patience} s after TERM") from late

    def kill(self):
        self.child.kill()
        self.child.wait()

    def run(self, *arguments, **more):
        """Another command with the same settings: how it ended, and what it said."""
        done = subprocess.run(
            [BIN, *map(str, arguments)], cwd=self.folder, env=self.environment(**more), capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def must(self, *arguments):
        code, out, err = self.run(*arguments)
        if code != 0:
            raise Failed(f"portage {' '.join(map(str, arguments))} ended with {code}: {out}{err}")
        return out

    def told(self):
        log = self.folder / "log"
        return log.read_text(errors="replace") if log.exists() else ""

    def rows(self, sql):
        """Rows of the database itself, as texts: what Portage believes."""
        if self.postgres:
            return self.postgres.psql(self.database, sql)
        file = sqlite3.connect(f"file:{self.folder}/data/portage.db?mode=ro", uri=True, timeout=20)
        try:
            return [[("" if cell is None else str(cell)) for cell in row] for row in file.execute(sql)]
        finally:
            file.close()


def production(outside, authority, mail):
    """Settings of a production; `outside` is where the gateway and the maps answer, over https."""
    return {
        "PORTAGE_MODE": "production",
        "PORTAGE_BEHIND_PROXY": "true",
        "PORTAGE_PAYMENTS_ENVIRONMENT": "sandbox",
        "PORTAGE_PAYMENTS_SANDBOX_IN_PRODUCTION": "yes",
        "PORTAGE_PAYMENTS_URL": f"{outside}/graphql",
        "PORTAGE_PAYMENTS_PUBLIC_KEY": "public",
        "PORTAGE_PAYMENTS_PRIVATE_KEY": "private",
        "PORTAGE_PAYMENTS_MERCHANT_ACCOUNT": "cad",
        "PORTAGE_MAPS_URL": f"{outside}/maps",
        "PORTAGE_MAPS_TOKEN": "pk.portage-simulator",
        "PORTAGE_SMTP_URL": mail,
        "PORTAGE_MAIL_FROM": "moves@move.example",
        "PORTAGE_COMPANY_NAME": "Move",
        "PORTAGE_COMPANY_ADDRESS": "1 Main Street, Montréal",
        "PORTAGE_COMPANY_EMAIL": "help@move.example",
        "PORTAGE_COMPANY_PHONE": "514-555-0101",
        # The company's own authority, for gateway, maps and relay alike.
        "SSL_CERT_FILE": str(authority.certificate),
    }


def outside_world(shop, nginx, authority, name="outside"):
    """The services a production talks to (card gateway, maps): the demo's, behind a proxy with https, so that
    Portage talks to them as to strangers. Gives their address. One of them is one merchant account."""
    world = Portage(shop, name, {"PORTAGE_MODE": "demo", "PORTAGE_LOG": "warn"})
    world.settings["PORTAGE_PUBLIC_URL"] = f"http://localhost:{world.port}"
    world.start("--no-worker")
    return nginx(shop, authority.issue(name), [world.address], {
        "= /graphql": (world.address, "/simulators/braintree/graphql"),
        "/maps/": (world.address, "/simulators/mapbox/"),
    }, name=f"{name}-nginx").url


def furnish(portage, root):
    """What a new production needs before anybody can book."""
    portage.must("rates", "load", root / "fixtures/rate-card.json")
    portage.must("calendar", "load", root / "fixtures/calendar.toml")


