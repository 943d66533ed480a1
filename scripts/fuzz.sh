#!/bin/sh
# Fuzzes the API of a fresh demo server from its own OpenAPI document: as a guest, as a customer
# and as the operations team. Fails on any 5xx, on any answer the document does not promise, on a
# panic in the log and on a difference between gateway and ledger.
#
#   scripts/fuzz.sh                 bounded: some minutes
#   FUZZ_EXAMPLES=500 scripts/fuzz.sh
#   FUZZ_SEED=7 scripts/fuzz.sh     other cases; the default seed gives the same ones every time
#   FUZZ_ROLES="customer" scripts/fuzz.sh
#   FUZZ_DATABASE_URL=postgres://… scripts/fuzz.sh   an empty database instead of a SQLite file
#   PORTAGE_BIN=… scripts/fuzz.sh   a program that is built already
#
# Needs Python 3.10 or later; schemathesis is installed into target/fuzz/venv. Findings with the
# requests that reproduce them are printed and kept in target/fuzz/.
set -eu

SCHEMATHESIS=4.32.5
cd "$(dirname "$0")/.."
out=target/fuzz
mkdir -p "$out"

if [ -z "${PORTAGE_BIN:-}" ]; then
    cargo build -p portage
    PORTAGE_BIN=target/debug/portage
fi
if ! "$out/venv/bin/st" --version 2>/dev/null | grep -q "$SCHEMATHESIS"; then
    python3 -m venv "$out/venv"
    "$out/venv/bin/pip" install --quiet "schemathesis==$SCHEMATHESIS"
fi

data=$(mktemp -d "${TMPDIR:-/tmp}/portage-fuzz.XXXXXX")
log=$out/server.log
server=
stop() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
        server=
    fi
}
trap 'stop; rm -rf "$data"' EXIT
trap 'exit 130' INT TERM

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
url=http://127.0.0.1:$port
export PYTHONDONTWRITEBYTECODE=1 PORTAGE_MODE=demo PORTAGE_DATA_DIR="$data" PORTAGE_DATABASE_URL="${FUZZ_DATABASE_URL:-sqlite://$data/portage.db}"
export PORTAGE_BIND="127.0.0.1:$port" PORTAGE_PUBLIC_URL="$url"
"$PORTAGE_BIN" serve >"$log" 2>&1 &
server=$!

failed=
say() { printf '\n== %s\n' "$*"; }

for role in ${FUZZ_ROLES:-guest customer ops}; do
    say "$role"
    # Accounts, cards and bookings to aim at, and this role's token.
    python3 scripts/fuzz_session.py "$url" "$role" "$out/$role.toml"
    "$out/venv/bin/st" --config-file "$out/$role.toml" run "$url/api/openapi.json" \
        --checks not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance,response_headers_conformance,unsupported_method,allow_header_conformance,ignored_auth \
        --max-examples "${FUZZ_EXAMPLES:-60}" --seed "${FUZZ_SEED:-1}" --continue-on-failure \
        --suppress-health-check all --request-timeout 30 --warnings off \
        --report junit,ndjson --report-junit-path "$out/$role.xml" --report-ndjson-path "$out/$role.ndjson" \
        || failed="$failed $role"
    # Bodies that are almost in order get further than random ones.
    python3 scripts/fuzz_mutations.py "$url" "$out/$role.toml" "${FUZZ_SEED:-1}" "${FUZZ_MUTATIONS:-1500}" \
        || failed="$failed $role-mutations"
done

say "the server afterwards"
if ! kill -0 "$server" 2>/dev/null; then
    failed="$failed server-died"
fi
if grep -n "panicked at" "$log"; then
    failed="$failed panic"
fi
python3 -c 'import sys, urllib.request; sys.exit(urllib.request.urlopen(sys.argv[1]).status != 200)' "$url/readyz" \
    || failed="$failed not-ready"
"$PORTAGE_BIN" reconcile || failed="$failed reconcile"

if [ -n "$failed" ]; then
    say "found something:$failed (see $out/)"
    exit 1
fi
say "nothing found"
