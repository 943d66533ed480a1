"""An SMTP relay that misbehaves: the server is aiosmtpd's; what is here only says when it is slow, refuses or hangs up.

Each connection draws one fault from a deck; when the deck is empty every connection is a good one. The journal has
what the relay did with every message it saw: it is the other half of the truth.
"""
import asyncio
import email
import logging
import ssl
import threading
import time
import warnings
from dataclasses import dataclass

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult

USER, PASSWORD = "portage", "p@ss/word"
# Longer than Portage waits: see docs/decisions/0011 (30 s to the greeting, 120 s an answer, 300 s the last one).
GREETING, ANSWER, TAKEN = 34, 126, 306


@dataclass(frozen=True)
class Fault:
    """What happens at one step: a wait, then other words, or the connection is cut."""

    name: str
    step: str = ""
    wait: float = 0
    say: str = ""
    cut: bool = False
    # The message is kept although the connection is cut: the relay itself loses its answer.
    taken: bool = False
    # A refusal of the finished message, whatever happened before.
    then: str = ""


GOOD = Fault("good")

FAULTS = [
    Fault("greeting after 8 s", "greeting", wait=8),
    Fault(f"greeting after {GREETING} s", "greeting", wait=GREETING),
    Fault("greeting 421", "greeting", say="421 4.3.2 too many connections"),
    Fault("cut instead of a greeting", "greeting", cut=True),
    Fault("sender 421", "sender", say="421 4.3.2 closing"),
    Fault("sender 450", "sender", say="450 4.7.1 try again later"),
    Fault("recipient 450", "recipient", say="450 4.2.1 greylisted"),
    Fault("recipient 550", "recipient", say="550 5.1.1 no such person"),
    Fault("DATA answered after 40 s", "data", wait=40),
    Fault(f"DATA answered after {ANSWER} s", "data", wait=ANSWER),
    Fault("DATA after 40 s, and 554 in the end", "data", wait=40, then="554 5.7.1 refused as spam"),
    Fault(f"DATA after {ANSWER} s, and 554 in the end", "data", wait=ANSWER, then="554 5.7.1 refused as spam"),
    Fault("DATA 421", "data", say="421 4.3.2 closing"),
    Fault("DATA 450", "data", say="450 4.3.1 no space"),
    Fault("DATA 554", "data", say="554 5.5.1 no valid recipients"),
    Fault("cut at DATA", "data", cut=True),
    Fault("cut in the message", "body", cut=True),
    Fault("message taken after 40 s", "message", wait=40),
    Fault("message 421", "message", say="421 4.3.0 going down"),
    Fault("message 450", "message", say="450 4.3.0 queue is full"),
    Fault("message 550", "message", say="550 5.7.1 not wanted"),
    Fault("message 554", "message", say="554 5.6.0 refused for its content"),
    Fault("message 554 after 40 s", "message", wait=40, say="554 5.6.0 refused for its content"),
    Fault(f"message 554 after {TAKEN} s", "message", wait=TAKEN, say="554 5.6.0 refused for its content"),
    Fault("cut before the answer, not taken", "message", cut=True),
    Fault("cut before the answer, taken", "message", cut=True, taken=True),
    Fault(f"message taken after {TAKEN} s", "message", wait=TAKEN, taken=True),
]


@dataclass
class Entry:
    """What became of one message in one conversation."""

    message: str
    recipient: str
    kind: str
    fault: str
    verdict: str
    answered: bool
    at: float


class Desk(SMTP):
    """One conversation."""

    def __init__(self, relay, *args, **kw):
        super().__init__(*args, **kw)
        self.relay, self.fault, self.greeted = relay, None, False

    async def goes_on(self, step):
        """Does what the fault says at this step; False when the usual answer must not follow."""
        fault = self.fault
        if fault.step != step:
            return True
        if fault.wait:
            await asyncio.sleep(fault.wait)
        if fault.cut:
            self.transport.abort()
            return False
        if fault.say:
            await super().push(fault.say)
            if fault.say.startswith("421"):
                self.transport.close()
            return False
        return True

    async def push(self, status):
        if not self.greeted:
            self.greeted, self.fault = True, self.relay.draw()
            if not await self.goes_on("greeting"):
                raise asyncio.CancelledError
        await super().push(status)
        if self.fault.step == "body" and str(status).startswith("354"):
            await asyncio.sleep(0.05)
            self.transport.abort()
            # What has come by then is not read any more.
            raise asyncio.CancelledError

    async def smtp_MAIL(self, arg):
        if await self.goes_on("sender"):
            await super().smtp_MAIL(arg)

    async def smtp_RCPT(self, arg):
        if await self.goes_on("recipient"):
            await super().smtp_RCPT(arg)
        elif self.fault.say.startswith("5"):
            self.relay.note(Entry("", str(arg), "", self.fault.name, "refused", True, time.time()))

    async def smtp_DATA(self, arg):
        if await self.goes_on("data"):
            await super().smtp_DATA(arg)

    async def handle(self, content, recipient):
        """The whole message has come: the relay's own verdict, and whether its answer can arrive."""
        header = email.message_from_bytes(content)
        number = header["Message-ID"].strip("<> ").partition("@")[0]
        fault = self.fault
        own = fault.step == "message"
        refusal = fault.say if own and fault.say else fault.then
        verdict = "taken" if not refusal or fault.taken else ("later" if refusal[0] == "4" else "refused")
        if own and fault.cut and not fault.taken:
            verdict = "dropped"
        entry = Entry(number, recipient, header["X-Portage-Message-Type"] or "", fault.name, verdict, False, 0)
        try:
            if own and fault.wait:
                await asyncio.sleep(fault.wait)
            if own and fault.cut:
                self.transport.abort()
                return "451 nobody hears this"
            entry.answered = self.transport is not None and not self.transport.is_closing()
            if refusal.startswith("421"):
                asyncio.get_running_loop().call_later(0.2, self.close_softly)
            return refusal or "250 2.0.0 queued"
        finally:
            # Also when the client has gone meanwhile: what was taken stays taken.
            entry.at = time.time()
            self.relay.note(entry)
            if verdict == "taken":
                self.relay.keep(number, content)

    def close_softly(self):
        if self.transport:
            self.transport.close()


class _Handler:
    async def handle_DATA(self, server, _session, envelope):
        return await server.handle(envelope.content, envelope.rcpt_tos[0])


class Relay:
    """`wrapped`: encrypted from the first byte; otherwise STARTTLS, and nothing without it."""

    def __init__(self, port, certificate, wrapped):
        # A client that goes in the middle is what this is about.
        logging.getLogger("mail.log").setLevel(logging.CRITICAL)
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        self.lock = threading.Lock()
        self.deck, self.journal, self.letters = [], [], {}
        self.drawn = 0
        self.password = PASSWORD
        # For every connection, before the deck: how a relay is that takes nothing from us.
        self.always = None
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.show(certificate)
        relay = self

        def desk(handler, **kw):
            return Desk(relay, handler, **kw)

        class Own(Controller):
            def factory(self):
                more = {} if wrapped else {"tls_context": relay.context, "require_starttls": True}
                return desk(self.handler, hostname="relay.example", ident="ESMTP", timeout=900, auth_required=True,
                            auth_require_tls=not wrapped, authenticator=relay.sign_in, **more)

        # With encryption from the first byte aiosmtpd does not know that there is any.
        warnings.filterwarnings("ignore", message="Requiring AUTH while not requiring TLS")
        self.controller = Own(_Handler(), hostname="127.0.0.1", port=port, ssl_context=self.context if wrapped else None)
        self.controller.start()
        name, word = USER, PASSWORD.replace("@", "%40").replace("/", "%2F")
        self.url = f"smtps://{name}:{word}@localhost:{port}" if wrapped else f"smtp://{name}:{word}@localhost:{port}?tls=required"

    def show(self, certificate):
        """From the next connection on it shows this certificate."""
        self.context.load_cert_chain(*map(str, certificate))

    def sign_in(self, _server, _session, _envelope, _mechanism, data):
        good = data.login == USER.encode() and data.password == self.password.encode()
        return AuthResult(success=good, handled=False)

    def draw(self):
        with self.lock:
            self.drawn += 1
            if self.always:
                return self.always
            return self.deck.pop(0) if self.deck else GOOD

    def note(self, entry):
        with self.lock:
            self.journal.append(entry)

    def keep(self, number, content):
        with self.lock:
            self.letters[number] = content

    def entries(self):
        with self.lock:
            return list(self.journal)

    def stop(self):
        self.controller.stop(no_assert=True)
