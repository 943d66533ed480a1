#!/usr/bin/env python3
"""Sends bodies that are almost in order: valid requests with one to three places changed. What a
random generator seldom reaches lies behind the first checks. Fails on a 5xx, on an answer without
JSON, and on a refusal without a code.

    fuzz_mutations.py URL CONFIGURATION SEED COUNT
"""
import copy
import datetime
import json
import random
import sys
import tomllib

from fuzz_session import ADDRESS, Client, draft

STRANGE = [
    None, True, False, 0, -1, 1, 2, 20, 21, 1e300, -0.5, 2**31, 2**53, 2**63, 2**64, 10**30, "", " ", "0", "-1", "1e9",
    "NaN", "null", "é" * 300, "\u0000", "\ud83d\ude9a", "\u202e", "a" * 5000, "' OR 1=1 --", "<script>", "=1+1", "{{x}}",
    "9999-12-31", "0001-01-01", "2024-02-29", "2027-02-30", "23:59", "24:00", "99:99", "QC", "NU", "H2X 1Y4", "X0X 0X0",
    "20,50", "-5", "1000000000000", "9223372036854775807", "0.001", "12.345", "00000000-0000-0000-0000-000000000000",
    [], {}, [None], [[]], [{}], {"": ""}, {"a": {"b": []}},
]
INSTANTS = ["2027-02-17T14:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2027-02-17T14:00:00-05:00", "+262142-12-31T23:59:59Z"]


def requests(config):
    """Calls that are in order, with what they may be aimed at."""
    lists = {name: entry["values"] for name, entry in config["dictionaries"].items()}
    day = lists["days"][-1]
    move = {
        "travelDuration": 25, "selectedFurnitures": {"furnitures": [{"id": "couch-3-seats", "quantity": 1}]}, "mateCount": 2,
        "locationDetails": [{"floor": 1, "elevator": 0, "parking": True, "accessibility": "easy"}] * 2, "rideAlong": False,
        "movingDate": day, "discountCode": None, "clientAsMate": False, "justMates": False, "pickupAddress": ADDRESS,
        "dropoffAddress": ADDRESS, "moveKind": "residential", "distanceKm": "12.4",
    }
    tip = {"type": "amount", "value": "20,50"}
    hold = {"date": day, "time": "09:00", "mateCount": 2, "duration": 150, "justMates": False, "tier": 1, "pickupAddress": ADDRESS}
    point = {"lat": 45.5128, "lon": -73.5716}
    booking, tip_id = random.choice(lists["bookings"]), random.choice(lists["tips"])
    edit = random.choice([draft(day, "09:00"), {"mateCount": 3}, {"date": day, "time": "10:00"}, {"rideAlong": True}])
    soon = (datetime.date.today() + datetime.timedelta(days=1)).isoformat()
    return [
        ("POST", "/api/booking/estimate", move), ("POST", "/api/booking/duration", move),
        ("POST", "/api/booking/payment-plan", {"total": "574.88", "moveAt": random.choice(INSTANTS), "bookedAt": random.choice(INSTANTS)}),
        ("POST", "/api/discount", {"discountCode": "WELCOME10", "bookingDate": day}),
        ("POST", "/api/holds", hold), ("POST", "/api/geo/route", {"pickup": point, "dropoff": point}),
        ("POST", "/api/payment", {"paymentNonce": "fake-valid-nonce"}), ("POST", "/api/payment/card", {"paymentNonce": "fake-valid-nonce"}),
        ("POST", "/api/bookings", {"bookingRequest": draft(random.choice(lists["days"]), "15:00"), "tipRequest": tip}),
        ("POST", "/api/book", draft(random.choice([soon, day]), "11:00")),
        ("PUT", f"/api/c/bookings/{booking}", edit), ("POST", f"/api/c/bookings/{booking}/preview", edit),
        ("PUT", f"/api/bookings/{booking}", {"booking": edit, "amount": "500.00", "notes": "n", "waiveFee": False}),
        ("PUT", f"/api/bookings/status/{booking}", {"status": random.choice(["assigned", "pending", "completed", "cancelled"]), "language": "fr"}),
        ("PUT", f"/api/tip/{tip_id}", tip),
        ("PUT", "/api/profiles/", {"firstName": "Camille", "lastName": "Tremblay", "phone": "514-555-0123", "language": "fr"}),
        ("POST", "/identity/api/sign-up", {"email": f"p{random.randrange(10**9)}@portage.test", "password": "long-enough-word", "firstName": "P", "lastName": "Q", "termsAccepted": True}),
    ]


def places(value, path=()):
    """Every path into a value, the value itself aside."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield path + (key,)
        yield from places(inner, path + (key,))


def mutate(body):
    body = copy.deepcopy(body)
    for _ in range(random.choice([0, 1, 1, 1, 2, 3])):
        where = list(places(body))
        if not where:
            break
        *outer, last = random.choice(where)
        inside = body
        for key in outer:
            inside = inside[key]
        if random.random() < 0.15 and isinstance(inside, dict):
            del inside[last]
        else:
            inside[last] = copy.deepcopy(random.choice(STRANGE))
    return body


def main():
    url, path, seed, count = sys.argv[1:]
    with open(path, "rb") as file:
        config = tomllib.load(file)
    random.seed(int(seed))
    client = Client(url)
    client.token = config.get("headers", {}).get("Authorization", "").removeprefix("Bearer ") or None
    found, tally = [], {}
    for _ in range(int(count)):
        method, target, body = random.choice(requests(config))
        body = mutate(body)
        status, headers, answer = client.call(method, target, body=body)
        tally[status] = tally.get(status, 0) + 1
        wrong = None
        if status >= 500:
            wrong = "a server error"
        elif status >= 400 and not (isinstance(answer, dict) and answer.get("code") and answer.get("detail")):
            wrong = "a refusal that does not say why"
        elif status < 300 and answer is not None and not isinstance(answer, dict):
            wrong = "an answer that is not an object"
        elif not headers.get("x-request-id"):
            wrong = "an answer without X-Request-Id"
        if wrong:
            found.append((wrong, method, target, body, status, answer))
    print("answers:", ", ".join(f"{n} × {s}" for s, n in sorted(tally.items())))
    seen = set()
    for wrong, method, target, body, status, answer in found:
        code = answer.get("code") if isinstance(answer, dict) else None
        kind = (wrong, method, target.rsplit("/", 1)[0], status, code)
        if kind not in seen:
            seen.add(kind)
            print(f"\n{wrong}: {method} {target} -> {status}\n  {json.dumps(body)}\n  {json.dumps(answer)[:600]}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
