#!/usr/bin/env python3
"""Prepares a role for scripts/fuzz.sh: signs in as a demo account through the real identity
endpoints, stores a card, books some moves, and writes the configuration that schemathesis reads
(token, and identifiers that exist).

    fuzz_session.py URL guest|customer|ops FILE
"""
import base64
import datetime
import hashlib
import http.cookiejar
import json
import secrets
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

PASSWORD = "portage-demo-2027"
CLIENT = "portage-web"
BOOKINGS = 12


class Stay(urllib.request.HTTPRedirectHandler):
    """Redirects are answers here."""

    def redirect_request(self, *_):
        return None


class Client:
    """A browser with a jar, and a token once signed in."""

    def __init__(self, url):
        self.url, self.token = url, None
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(jar, Stay, urllib.request.ProxyHandler({}))

    def call(self, method, path, body=None, form=None):
        """Status, headers and parsed body."""
        headers, data = {}, None
        if body is not None:
            headers["content-type"], data = "application/json", json.dumps(body).encode()
        if form is not None:
            headers["content-type"] = "application/x-www-form-urlencoded"
            data = urllib.parse.urlencode(form).encode()
        if self.token:
            headers["authorization"] = "Bearer " + self.token
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            answer = self.opener.open(request, timeout=60)
        except urllib.error.HTTPError as refused:
            answer = refused
        text = answer.read().decode()
        try:
            parsed = json.loads(text) if text else None
        except ValueError:
            parsed = text
        return answer.status, answer.headers, parsed

    def expect(self, status, method, path, **kw):
        got, headers, parsed = self.call(method, path, **kw)
        for _ in range(20):
            if got != 429:
                break
            # The role before has used up what the limit allows.
            time.sleep(int(headers.get("retry-after") or 1))
            got, headers, parsed = self.call(method, path, **kw)
        if got != status:
            sys.exit(f"{method} {path}: {got} instead of {status}: {parsed}")
        return headers, parsed

    def sign_in(self, email):
        """Authorization code flow with PKCE, as the web app does it."""
        self.expect(200, "POST", "/identity/api/sign-in", body={"email": email, "password": PASSWORD})
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


def wait_ready(client):
    for _ in range(300):
        try:
            if client.call("GET", "/readyz")[0] == 200:
                return
        except OSError:
            pass
        time.sleep(0.1)
    sys.exit("the server does not become ready")


ADDRESS = {"country": "Canada", "province": "QC", "postalCode": "H2X 1Y4", "city": "Montréal", "street": "3500 Rue Saint-Urbain"}


def draft(date, slot):
    """A small move inside Montreal."""
    return {
        "pickup": ADDRESS, "dropoff": dict(ADDRESS, postalCode="H4C 1K4", street="4100 Rue Notre-Dame Ouest"),
        "pickupCoords": {"lat": 45.5128, "lon": -73.5716}, "dropoffCoords": {"lat": 45.478, "lon": -73.585},
        "pickupFloor": 1, "dropoffFloor": 0, "pickupHasElevator": 0, "dropoffHasElevator": 0,
        "pickupHasParking": True, "dropoffHasParking": True, "date": date, "time": slot,
        "bookingType": "residential", "selectedFurnitures": [{"id": "box-medium-3-1", "quantity": 10}],
        "mateCount": 2, "clientAsMate": False, "justMates": False, "rideAlong": False,
        "guidelinesAgreed": True, "comments": "",
    }


def free_slots(client):
    """Dates and times with room, three weeks ahead."""
    today = datetime.date.today()
    query = urllib.parse.urlencode({
        "date": (today + datetime.timedelta(days=7)).isoformat(), "days": 21, "mateCount": 2, "duration": 180,
        "justMates": "false", "province": "QC", "city": "Montréal", "postalCode": "H2X 1Y4",
    })
    _, answer = client.expect(200, "GET", "/api/availability?" + query)
    for day in answer["days"]:
        slot = next((s["time"] for s in day["slots"] if s["available"]), None)
        if slot:
            yield day["date"], slot


def book(client):
    """Some bookings with tips: ids of bookings and tips, and the days that are left."""
    client.expect(200, "POST", "/api/payment", body={"paymentNonce": "fake-valid-nonce"})
    slots = list(free_slots(client))
    bookings, tips = [], []
    for date, slot in slots[:BOOKINGS]:
        _, made = client.expect(201, "POST", "/api/bookings", body={
            "bookingRequest": draft(date, slot), "tipRequest": {"type": "amount", "value": "20,50"},
        })
        bookings.append(made["id"])
        tips.append(made["tip"]["id"])
    return bookings, tips, [date for date, _ in slots]


def main():
    url, role, path = sys.argv[1:]
    guest, customer = Client(url), Client(url)
    wait_ready(guest)
    customer.sign_in("customer@portage.test")
    bookings, tips, days = book(customer)
    holds = []
    for date in days[:3]:
        _, hold = guest.expect(201, "POST", "/api/holds", body={
            "date": date, "time": "13:00", "mateCount": 2, "duration": 150, "justMates": False, "pickupAddress": ADDRESS,
        })
        holds.append(hold["id"])
    caller = {"guest": guest, "customer": customer}.get(role)
    if caller is None:
        caller = Client(url)
        caller.sign_in(f"{role}@portage.test")
    lines = []
    if caller.token:
        # The token in a section of its own: the fuzzer may then try without.
        lines += ["[headers]", f"Authorization = {json.dumps('Bearer ' + caller.token)}"]
    lists = {
        "bookings": bookings, "tips": tips, "holds": holds, "days": days, "times": ["08:00", "09:00", "13:00"],
        "postal-codes": ["H2X 1Y4", "H4C 1K4", "M5V 3L9", "V6C 0C3"], "provinces": ["QC", "ON", "BC", "AB"],
        "furniture": ["box-medium-3-1", "couch-3-seats", "nightstand", "hot-tub"],
    }
    for name, values in lists.items():
        lines += [f"[dictionaries.{name}]", f"values = {json.dumps(values)}"]

    def bind(pattern, **bindings):
        lines.extend(["[[operations]]", f"include-path-regex = {json.dumps(pattern)}"])
        pairs = (f'"{key.replace("__", ".")}" = {{ dictionary = "{value}", probability = 0.8 }}' for key, value in bindings.items())
        lines.append("parameters = { " + ", ".join(pairs) + " }")

    bind("^/api/(c/)?bookings/.*\\{id\\}", path__id="bookings")
    bind("^/api/c/tip/", path__id="bookings")
    bind("^/api/tip/", path__id="tips")
    bind("^/api/holds/", path__id="holds")
    bind("^/api/availability", query__date="days", query__province="provinces", query__postalCode="postal-codes")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
