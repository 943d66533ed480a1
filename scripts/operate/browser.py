"""A customer's browser: one connection that is kept, cookies, an address of its own, a sign-in as the web app does it."""
import base64
import hashlib
import http.client
import json
import secrets
import select
import ssl
import urllib.parse

CLIENT = "portage-web"
PASSWORD = "a-long-password-of-theirs"
PICKUP = {"country": "Canada", "province": "QC", "postalCode": "H2X 1Y4", "city": "Montréal", "street": "3550 Rue Jeanne-Mance"}
DROPOFF = {"country": "Canada", "province": "QC", "postalCode": "H3A 3L3", "city": "Montréal", "street": "1000 Rue Sherbrooke Ouest"}
ITEMS = [{"id": "coffee-table", "quantity": 1}, {"id": "box-small-1-5", "quantity": 4}]


class Refused(Exception):
    """Another answer than the one that was expected."""

    def __init__(self, method, path, status, body):
        super().__init__(f"{method} {path}: {status} {body}")
        self.status, self.body = status, body


class Browser:
    def __init__(self, url, authority=None, address="127.0.0.1", timeout=90):
        self.url, self.token, self.cookies, self.repeated = url, None, {}, 0
        parts = urllib.parse.urlsplit(url)
        if parts.scheme == "https":
            context = ssl.create_default_context(cafile=str(authority.certificate))
            self.line = http.client.HTTPSConnection(
                parts.hostname, parts.port, timeout=timeout, source_address=(address, 0), context=context)
        else:
            self.line = http.client.HTTPConnection(parts.hostname, parts.port, timeout=timeout, source_address=(address, 0))

    def call(self, method, path, body=None, form=None, key=None):
        """Status, headers and parsed body."""
        headers, data = {}, None
        if body is not None:
            headers["content-type"], data = "application/json", json.dumps(body).encode()
        if form is not None:
            headers["content-type"] = "application/x-www-form-urlencoded"
            data = urllib.parse.urlencode(form).encode()
        if self.token:
            headers["authorization"] = "Bearer " + self.token
        if self.cookies:
            headers["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if key:
            headers["idempotency-key"] = key
        try:
            answer, text = self._exchange(method, path, data, headers)
        except (OSError, http.client.HTTPException):
            # The next call opens a connection of its own.
            self.line.close()
            raise
        for cookie in answer.headers.get_all("set-cookie") or []:
            name, _, value = cookie.split(";")[0].partition("=")
            self.cookies[name.strip()] = value
        try:
            parsed = json.loads(text) if text else None
        except ValueError:
            parsed = text
        return answer.status, answer.headers, parsed

    def _exchange(self, method, path, data, headers):
        """As every browser does it: an idle connection that the other side has closed is not used again, and a
        request that meets that moment, without a byte of an answer, is sent once more on a new one."""
        used = self.line.sock is not None
        if used and select.select([self.line.sock], [], [], 0)[0]:
            self.line.close()
            used = False
        try:
            self.line.request(method, path, data, headers)
            answer = self.line.getresponse()
        except (ConnectionResetError, BrokenPipeError, ssl.SSLEOFError, ssl.SSLZeroReturnError):
            if not used:
                raise
            self.repeated += 1
            self.line.close()
            self.line.request(method, path, data, headers)
            answer = self.line.getresponse()
        return answer, answer.read().decode()

    def expect(self, status, method, path, **kw):
        got, headers, parsed = self.call(method, path, **kw)
        if got != status:
            raise Refused(method, path, got, parsed)
        return headers, parsed

    def sign_up(self, email, first="Ana", last="Tremblay", language="en"):
        self.expect(201, "POST", "/identity/api/sign-up", body={
            "email": email, "password": PASSWORD, "firstName": first, "lastName": last, "acceptTerms": True,
            "language": language,
        })
        self._take_token()

    def sign_in(self, email, password=PASSWORD):
        self.expect(200, "POST", "/identity/api/sign-in", body={"email": email, "password": password})
        self._take_token()

    def _take_token(self):
        """Authorization code flow with PKCE."""
        verifier = secrets.token_urlsafe(48)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
        redirect = self.url + "/callback"
        query = urllib.parse.urlencode({
            "client_id": CLIENT, "redirect_uri": redirect, "response_type": "code", "prompt": "none",
            "scope": "openid profile email offline_access", "state": "s", "nonce": "n",
            "code_challenge": challenge, "code_challenge_method": "S256",
        })
        headers, _ = self.expect(302, "GET", "/identity/authorize?" + query)
        code = urllib.parse.parse_qs(urllib.parse.urlparse(headers["location"]).query)["code"][0]
        _, answer = self.expect(200, "POST", "/identity/token", form={
            "grant_type": "authorization_code", "client_id": CLIENT, "code": code,
            "code_verifier": verifier, "redirect_uri": redirect,
        })
        self.token = answer["access_token"]

    def store_card(self):
        self.expect(200, "POST", "/api/payment", body={"paymentNonce": "fake-valid-nonce"})

    def free_times(self, first_day, days):
        """Every date and time with room for a small move."""
        query = urllib.parse.urlencode({
            "date": first_day.isoformat(), "days": days, "mateCount": 1, "duration": 180, "justMates": "false",
            "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4",
        })
        _, answer = self.expect(200, "GET", "/api/availability?" + query)
        return [(day["date"], slot["time"]) for day in answer["days"] for slot in day["slots"] if slot["available"]]

    def book(self, date, time, key):
        """The booking's record."""
        return self.expect(201, "POST", "/api/bookings", body={"bookingRequest": draft(date, time)}, key=key)[1]


def draft(date, time):
    """A small move inside Montreal."""
    return {
        "pickup": PICKUP, "dropoff": DROPOFF,
        "pickupCoords": {"lat": 45.5105, "lon": -73.5719}, "dropoffCoords": {"lat": 45.5018, "lon": -73.5728},
        "pickupFloor": 1, "dropoffFloor": 2, "pickupHasParking": True, "dropoffHasParking": True,
        "selectedFurnitures": ITEMS,
        "bookingType": "residential", "mateCount": 1, "date": date, "time": time,
        "guidelinesAgreed": True, "guidelinesVersion": "1", "language": "en",
        "survey": {"source": "advertisements"},
    }


def estimate():
    """The same move as the price page asks for it."""
    place = {"floor": 1, "elevator": 0, "parking": True}
    return {
        "pickupAddress": PICKUP, "dropoffAddress": DROPOFF, "mateCount": 1, "moveKind": "residential",
        "selectedFurnitures": {"furnitures": ITEMS},
        "locationDetails": [place, place], "travelDuration": 12,
    }


def hold(date, time):
    """A time that is kept for a quarter of an hour."""
    return {"date": date, "time": time, "mateCount": 1, "duration": 180, "justMates": False, "pickupAddress": PICKUP}
